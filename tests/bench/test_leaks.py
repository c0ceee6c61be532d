"""The leak test finds nothing where nothing leaks, and finds an agent that is shown the truth."""

from bench.cards import on_the_way

from bench import leaks
from kingmaker import load_agent, load_game
from kingmaker.core.agent import Agent
from kingmaker.probe import fairness

GAME = load_game("hearts")


def test_players_without_secrets_leak_nothing():
    agents = map(load_agent, ["random", "weak_rational", "pimc(weak_rational, deals=3)"])
    found, asked, different = leaks.leaks_of(GAME, agents, 60, seed=7)
    assert (found, asked) == (0, 60)
    assert different > 40


class Peeping(Agent):
    """Plays the first move that is legal, and values it by the first card of the seat behind it."""

    def decide(self, game, state, rng=None, ask=None):
        decision = load_agent("weak_rational").choose(game, state, rng, ask)
        values = tuple(float(word) for word in state.hands[(game.mover(state) + 1) % 4])
        return type(decision)(decision.move, values, (), (), 0, 0, 0.0, "peeped")


def test_an_agent_that_sees_the_state_is_found(capsys):
    found, asked, _ = leaks.leaks_of(GAME, [Peeping()], 40)
    assert asked == 40
    assert found > 20
    assert capsys.readouterr().out.count(" tells ") == found


def test_agents_that_may_not_play_a_game_are_left_out():
    names = [agent.name for agent in leaks.players(load_game("go_fish"), leaks.AGENTS)]
    assert "weak_rational" not in names
    assert {"maxn", "pimc", "ismcts"} <= set(names)


def test_every_algorithm_that_may_play_is_asked():
    agents = leaks.every_player(GAME)
    assert {agent.name for agent in agents} == {agent.name for agent in fairness.players(GAME)}
    assert len(agents) > len(leaks.AGENTS)


def test_another_seed_is_another_deal():
    one, other = (next(on_the_way(GAME, seed)) for seed in (0, 1))
    assert one.tobytes() != other.tobytes()
