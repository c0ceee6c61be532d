"""What an agent says of its own decision, in a sentence."""

from typing import Any

from kingmaker.core.estimate import in_units
from kingmaker.probe.comparison import assumption


def explained(game: Any, state: Any, seat: int, agent: Any, decision: Any) -> str:
    """Why the agent plays this move, as far as its notes tell."""
    word = game.say(state, seat, decision.move)
    name = agent.name.replace("_", " ")
    notes = decision.notes
    if {"mode", "leader", "edge", "unit"} <= set(notes):
        lead = in_units(notes["edge"], notes["unit"])
        threshold = f"threshold {notes.get('threshold', 0.0):g}"
        doing = {
            "offensive": f"attacks seat {notes['leader']}, which leads by {lead}, {threshold}",
            "paranoid": f"defends its lead of {lead}, {threshold}",
            "maxn": f"plays for itself; seat {notes['leader']} leads by {lead}",
        }[notes["mode"]]
        return f"{name} {doing}: {word}."
    worth = "" if decision.values is None else f", worth {decision.values[seat]:.4g} to seat {seat}"
    if "votes" in notes:
        return f"{name} plays {word}, chosen in {notes['votes'].get(word, 0)} of {notes['deals']} worlds{worth}."
    spent = f" after {decision.playouts} playouts" if decision.playouts else f" at depth {decision.depth}"
    idea = assumption(agent)
    return f"{name} plays {word}{worth}{spent if decision.nodes else ''}. Its idea: {idea}."
