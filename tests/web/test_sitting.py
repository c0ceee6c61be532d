"""A match on the page: clicks become moves, secrets stay secret, and there is a way back."""

import random
from itertools import pairwise

import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadParameter, IllegalMove
from kingmaker.core.guard import interpret
from kingmaker.core.rng import stream
from kingmaker.core.secrets import world_of
from kingmaker.web.graph import apart, bars, lines
from kingmaker.web.sitting import HIDDEN, Sitting
from kingmaker.web.told import explained
from tests.samples import OVER

GAMES = [
    "abalone(rounds=4)",
    "backgammon(layout='hyper')",
    "bingo(seats=2)",
    "chess(opening=4)",
    "chinese_checkers(seats=3, radius=2, rounds=5)",
    "go_fish(seats=2, ranks=4)",
    "hearts(ranks=4)",
    "hearts(ranks=5, rules='parlour')",
    "light_bike(seats=3, width=5, height=5, starts='distinct')",
    "random_tree(chance=2)",
    "risk(seats=2, map='line', armies=4, limit=2)",
    "series(sticks(sticks=5), hands=2)",
    "spades(bids=True, ranks=3)",
    "sticks",
    "explicit_tree(tree=[[[5, 3, 2], [7, 2, 1]], [[3, 5, 2], [6, 4, 0]]])",
]


def sit(text, players=None, seed=1):
    game = load_game(text)
    interpret(game)
    agents = players or [None] + [load_agent("random")] * (game.seats - 1)
    return Sitting(game, agents, seed)


def click_through(sitting, luck, most=60):
    """A person who clicks on lit spots until the match is over, and presses a button where there are none."""
    chosen = 0
    while not sitting.over and chosen < most:
        if sitting.chooser is None:
            sitting.advance()
            continue
        found = sitting.choices()
        at = len(sitting.clicks)
        lit = sorted({wanted[at] for wanted in found.values() if len(wanted) > at})
        if lit:
            meant = sitting.click(luck.choice(lit))
            if meant:
                sitting.choose(luck.choice(meant))
        else:
            sitting.choose(luck.choice(sorted(found)))
        chosen += 1
    return chosen


@pytest.mark.parametrize("text", GAMES)
def test_a_whole_match_can_be_clicked(text):
    sitting = sit(text)
    assert click_through(sitting, random.Random(7)) > 0
    assert sitting.played
    assert sitting.picture().startswith("<svg")
    assert any(each.by_person for each in sitting.played)


@pytest.mark.parametrize("text", ["sticks", "chess", "abalone", "go_fish(seats=2, ranks=4)"])
def test_every_legal_move_can_be_reached_by_clicks(text):
    sitting = sit(text)
    while sitting.chooser is None:
        sitting.advance()
    for move, wanted in sitting.choices().items():
        sitting.clicks, sitting.given = [], {}
        meant = []
        for spot in wanted:
            meant = sitting.click(spot)
        assert sitting.given == {0: move} or move in meant


def test_a_click_elsewhere_begins_anew_and_the_same_again_takes_it_back():
    sitting = sit("chess")
    sitting.click("e2")
    assert sitting.clicks == ["e2"]
    sitting.click("d2")
    assert sitting.clicks == ["d2"]
    sitting.click("d2")
    assert sitting.clicks == []
    sitting.click("e5")
    assert sitting.clicks == []
    sitting.click("e2")
    sitting.click("e4")
    assert sitting.said(0, sitting.given.get(0)) == "e4"


def test_which_piece_a_pawn_becomes_is_asked():
    game = load_game("chess")
    interpret(game)
    sitting = Sitting(game, [None, load_agent("random")], 0, game.position("7k/P7/8/8/8/8/8/K7 w - - 0 1"))
    sitting.click("a7")
    meant = sitting.click("a8")
    assert sorted(sitting.said(0, move) for move in meant) == ["a8=B", "a8=N", "a8=Q+", "a8=R+"]
    sitting.choose(meant[0])
    assert sitting.chooser is None


@pytest.mark.parametrize("text", [text for text in GAMES if text.startswith(("hearts", "go_fish", "spades"))])
def test_a_person_is_sent_nothing_that_the_seat_may_not_know(text):
    """All that the page would send is the same if what is hidden is dealt anew."""
    luck = random.Random(3)
    sitting = sit(text)
    for _ in range(12):
        while not sitting.over and sitting.chooser is None:
            sitting.advance()
        if sitting.over:
            break
        sent = sitting.picture(), sorted(sitting.choices().items())
        true, sitting.table.state = sitting.table.state, world_of(sitting.game, sitting.table.state, 0, stream(9, "x"))
        assert (sitting.picture(), sorted(sitting.choices().items())) == sent
        sitting.table.state = true
        sitting.choose(luck.choice(sorted(sitting.choices())))
    assert all(each.values is None and each.said == "" for each in sitting.played)
    assert sitting.moves_text == ""


def test_secret_moves_and_draws_are_not_told():
    sitting = sit("hearts(ranks=5, rules='parlour')")
    for _ in range(3):
        sitting.choose(min(sitting.choices()))
        sitting.advance()
    while sitting.chooser is None:
        sitting.advance()
    words = [word for each in sitting.played[:12] for seat, word in each.words if seat != 0]
    assert set(words) == {HIDDEN}
    sitting = sit("go_fish(seats=2, ranks=4)", seed=3)
    click_through(sitting, random.Random(1), 8)
    drawn = [word for each in sitting.played for seat, word in each.words if seat < 0]
    assert set(drawn) <= {"the dice fall"}


def test_who_resigns_or_has_seen_all_cards_cannot_go_back_with_what_was_hidden():
    sitting = sit("hearts(ranks=4)")
    while sitting.chooser is None:
        sitting.advance()
    sitting.resign()
    assert sitting.over
    assert sitting.eyes == 0, "the match may still be taken back, so the hands stay hidden"
    assert sitting.undo() or sitting.resigned is None
    click_through(sitting, random.Random(2))
    assert sitting.table.mover == OVER
    assert sitting.eyes is None
    assert not sitting.undo()


def test_undo_returns_to_the_persons_last_choice():
    sitting = sit("chess")
    sitting.choose(min(sitting.choices()))
    sitting.advance()
    sitting.advance()
    before = sitting.game.notation(sitting.table.state)
    assert sitting.undo()
    assert sitting.game.notation(sitting.table.state) == sitting.game.notation(sitting.game.new(1))
    assert sitting.game.notation(sitting.table.state) != before
    assert not sitting.undo()
    watched = sit("sticks", [load_agent("random")] * 3)
    watched.advance()
    watched.advance()
    assert watched.undo()
    assert len(watched.played) == 1


def test_a_match_is_replayed_from_its_text():
    sitting = sit("backgammon(layout='hyper')")
    click_through(sitting, random.Random(5), 8)
    again = sit("backgammon(layout='hyper')", seed=77)
    again.replay(sitting.moves_text)
    assert again.game.notation(again.table.state) == sitting.game.notation(sitting.table.state)
    assert again.moves_text == sitting.moves_text
    for text, sentence in (
        ("0:1", "is no legal turn after 0 turns"),
        ("x", "expected turns like 0:3;1:2, got 'x'"),
    ):
        with pytest.raises((BadParameter, IllegalMove), match=sentence):
            sit("backgammon").replay(text)
    with pytest.raises(BadParameter, match="turns of a game without hidden information"):
        sit("hearts").replay("0:1")


def test_moves_out_of_order_are_refused():
    sitting = sit("sticks")
    with pytest.raises(IllegalMove, match="a person is to choose first, or the match is over"):
        sitting.advance()
    with pytest.raises(IllegalMove, match="9 is no legal move of seat 0 here"):
        sitting.choose(9)
    sitting.choose(1)
    with pytest.raises(IllegalMove, match="no person is to move now; wait for the others"):
        sitting.choose(1)
    with pytest.raises(IllegalMove, match="no person is to move now"):
        sitting.hint(load_agent("random"))
    assert sitting.click("1") == []
    with pytest.raises(BadParameter, match="expected 3 players for sticks"):
        sit("sticks", [None])


def test_agents_of_one_turn_decide_one_after_the_other():
    sitting = sit("light_bike(seats=3, width=5, height=5, starts='distinct')")
    assert sitting.thinker is None
    with pytest.raises(IllegalMove, match="no agent is to decide now"):
        sitting.think()
    before = sitting.game.notation(sitting.table.state)
    sitting.choose(min(sitting.choices()))
    assert sitting.thinker == 1
    sitting.think()
    assert sitting.thinker == 2
    sitting.think()
    assert sitting.thinker is None
    assert sitting.game.notation(sitting.table.state) == before
    sitting.advance()
    assert [seat for seat, _ in sitting.played[0].turn] == [0, 1, 2]


def test_undo_while_agents_decide_takes_the_persons_choice_back():
    sitting = sit("light_bike(seats=3, width=5, height=5, starts='distinct')")
    words = [int(rng.word) for rng in sitting.table.streams]
    sitting.choose(min(sitting.choices()))
    sitting.think()
    assert not sitting.undo()
    assert sitting.chooser == 0
    assert [int(rng.word) for rng in sitting.table.streams] == words, "the same random numbers will follow"


def test_the_end_is_told():
    sitting = sit("sticks(seats=2, sticks=1)")
    sitting.choose(1)
    sitting.advance()
    assert sitting.over
    assert sitting.result() == "Seat 0 wins; payoffs 1, 0."
    sitting = sit("sticks")
    sitting.resign()
    assert sitting.over
    assert sitting.result() == "Seat 0 resigns."


def test_a_hint_is_a_decision_for_the_persons_seat_and_changes_nothing():
    sitting = sit("sticks(seats=2, sticks=6)")
    before = sitting.game.notation(sitting.table.state)
    _, decision = sitting.hint(load_agent("paranoid(depth=6)"))
    assert decision.move == 2  # leaves four, from which every move loses
    assert sitting.game.notation(sitting.table.state) == before


def test_mp_mix_explains_itself():
    """Seat 1 leads by 5 - 2 = 3 points, more than the threshold of 1."""
    below = "[[[5, 3, 2], [7, 2, 1]], [[3, 5, 2], [6, 4, 0]], [[6, 4, 0], [2, 3, 5]]]"
    game = load_game(f"explicit_tree(tree={{'moves': {below}, 'estimate': [1, 5, 2]}})")
    agent = load_agent("mp_mix(depth=2, to=1)")
    decision = agent.decide(game, game.new())
    said = explained(game, game.new(), 0, agent, decision)
    assert said.startswith("mp mix attacks seat 1, which leads by 3 points, threshold 1: ")
    maxn = load_agent("maxn(depth=2)")
    said = explained(game, game.new(), 0, maxn, maxn.decide(game, game.new()))
    assert said == "maxn plays 2, worth 6 to seat 0 at depth 2. Its idea: everyone plays for itself."


def test_an_agent_that_asks_in_many_worlds_tells_of_its_votes():
    game = load_game("hearts(ranks=4)")
    interpret(game)
    agent = load_agent("pimc(greedy, deals=3)")
    decision = agent.decide(game, game.new())
    assert "of 3 worlds" in explained(game, game.new(), int(game.mover(game.new())), agent, decision)


def test_values_are_drawn_as_bars_and_lines():
    game = load_game("sticks")
    assert bars(game, (0.0, 0.25, 0.75), ["you", "<b>", "c"]).count("<rect") == 1 + 2 * 3
    assert "&lt;b&gt;" in bars(game, None, ["you", "<b>", "c"])
    assert lines(game, [(0, 0, 1), None, (1, 0, 0)]).count("<polyline") == 3
    assert "polyline" not in lines(game, [(0, 0, 1)])


def test_numbers_at_the_end_of_lines_do_not_lie_on_each_other():
    found = apart({0: 126.0, 1: 126.0, 2: 50.0, 3: 125.0})
    heights = sorted(found.values())
    assert all(below - above >= 11 - 1e-9 for above, below in pairwise(heights))
    assert max(heights) <= 132
    assert found[2] < found[3] < found[0]
