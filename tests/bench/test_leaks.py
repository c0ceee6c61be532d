"""The leak test finds nothing where nothing leaks, and finds an agent that is shown the truth."""

from bench import leaks
from kingmaker import load_agent, load_game
from kingmaker.core.agent import Agent

GAME = load_game("hearts")


def test_players_without_secrets_leak_nothing():
    found, asked, different = leaks.leaks_of(GAME, ["random", "weak_rational", "pimc(weak_rational, deals=3)"], 60)
    assert (found, asked) == (0, 60)
    assert different > 40


class Peeping(Agent):
    """Plays the first move that is legal, and values it by the first card of the seat behind it."""

    def decide(self, game, state, rng=None, ask=None):
        decision = load_agent("weak_rational").choose(game, state, rng, ask)
        values = tuple(float(word) for word in state.hands[(game.mover(state) + 1) % 4])
        return type(decision)(decision.move, values, (), (), 0, 0, 0.0, "peeped")


def test_an_agent_that_sees_the_state_is_found(monkeypatch, capsys):
    monkeypatch.setattr(leaks, "players", lambda game, texts: [Peeping()])
    found, asked, _ = leaks.leaks_of(GAME, [], 40)
    assert asked == 40
    assert found > 20
    assert capsys.readouterr().out.count(" tells ") == found


def test_agents_that_may_not_play_a_game_are_left_out():
    names = [agent.name for agent in leaks.players(load_game("go_fish"), leaks.AGENTS)]
    assert "weak_rational" not in names
    assert {"maxn", "pimc", "ismcts"} <= set(names)
