"""The views without a browser: what they show, and what they answer to malformed addresses."""

import asyncio
import gc
import logging
import re
import sys
from contextlib import asynccontextmanager

import pytest
from nicegui import ui
from nicegui.testing.user_simulation import user_simulation

from kingmaker.arena.experiment.declaration import read_experiment
from kingmaker.arena.running.run import run_experiment
from kingmaker.core.errors import BadParameter, KingmakerError
from kingmaker.core.guard import interpret
from kingmaker.repeating.paper import Part
from kingmaker.search import ALGORITHMS
from kingmaker.web.canvas import TreeCanvas
from kingmaker.web.caps import Known
from kingmaker.web.desk import Desk
from kingmaker.web.experiments import recorded
from kingmaker.web.server import pages, seed_of

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module", autouse=True)
def little_garbage():
    """The simulation collects garbage twice a test, which takes seconds after many other tests."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@asynccontextmanager
async def visited(stores=None, folder=None):
    """A visitor of the page. The simulation drops the modules of the views; other tests still need them."""
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "kingmaker"}
    try:
        async with user_simulation() as user:
            desk = Desk()
            pages(Known(), desk, stores or {}, folder)
            yield user, desk
    finally:
        sys.modules.update(kept)


class Interpreted(Known):
    """The same games, not compiled."""

    def game(self, text):
        game = super().game(text)
        interpret(game)
        return game


def seen(user, marker):
    """The HTML in a marked element."""
    (element,) = user.find(marker=marker).elements
    return element.content


async def until(condition, seconds=300.0):
    """Wait until something holds."""
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not happen in time")


async def sees(user, text):
    """Wait until a text is shown; the simulation's own way waits for a fraction of a second."""

    def shown():
        try:
            return any(text in each for each in user.notify.messages) or bool(user.find(text).elements)
        except AssertionError:
            return False

    await until(shown)


def found(user, marker):
    """Is there an element with this mark?"""
    try:
        return bool(user.find(marker=marker).elements)
    except AssertionError:
        return False


def emit(user, marker, event, args):
    """What a browser sends when something in a marked element is clicked."""
    (element,) = user.find(marker=marker).elements
    listener = next(each for each in element._event_listeners.values() if each.type == event)
    element._handle_event({"listener_id": listener.id, "args": args})


def run(view, stores=None, folder=None):
    """Run an asynchronous test."""

    async def whole():
        async with visited(stores, folder) as (user, desk):
            await view(user, desk)

    asyncio.run(whole())


def test_the_simulation_leaves_all_modules_where_they_were():
    async def view(user, _desk):
        await user.open("/analyse")

    before = sys.modules["kingmaker"], sys.modules["kingmaker.web.server"]
    run(view)
    assert (sys.modules["kingmaker"], sys.modules["kingmaker.web.server"]) == before


def test_a_match_is_played_by_clicks_undone_and_resigned():
    async def view(user, _desk):
        await user.open("/play?game=sticks(sticks=9)&players=person|random|random&seed=4")
        await sees(user, "your move")
        assert seen(user, "board").count("k-lit") >= 3
        emit(user, "board", "click", "2")
        await until(lambda: "1. <b>0</b>&nbsp;2" in seen(user, "moves").replace('"', ""))
        await until(lambda: "3. <b>2</b>" in seen(user, "moves"))
        emit(user, "moves", "click", "0")
        await sees(user, "Before turn 1 of 3")
        emit(user, "moves", "click", "2")
        emit(user, "board", "click", "1")
        assert "4." not in seen(user, "moves"), "nobody moves in the past"
        user.find(kind=ui.button, content="Undo").click()
        await sees(user, "your move")
        assert seen(user, "moves") == "no moves yet"
        user.find(kind=ui.button, content="Resign").click()
        await sees(user, "Seat 0 resigns.")

    run(view)


def test_whatever_a_browser_sends_as_a_click_is_answered_or_ignored():
    async def view(user, _desk):
        await user.open("/play?game=sticks&players=person|random|random&seed=4")
        before = seen(user, "board")
        for rubbish in (None, 7, [], {}, "", "x" * 5000, "<script>", "9", ["1"], {"spot": "1"}, "0\0"):
            emit(user, "board", "click", rubbish)
            emit(user, "board", "keydown", rubbish)
            emit(user, "moves", "click", rubbish)
        assert seen(user, "board") == before
        emit(user, "board", "click", "1")
        await until(lambda: "3. " in seen(user, "moves"))

    run(view)


def test_a_match_begins_at_a_position():
    async def view(user, _desk):
        place = "left%3D2%20seat%3D0%20winner%3D0"
        await user.open(f"/play?game=sticks&players=person|random|random&position={place}")
        assert "2 left" in seen(user, "board")
        emit(user, "board", "click", "2")
        await sees(user, "Seat 0 wins")

    run(view)


def test_agents_play_each_other_step_by_step_and_on_their_own():
    async def view(user, _desk):
        await user.open("/play?game=sticks(sticks=6)&players=random|random|random&seed=4")
        await sees(user, "Press Play or Step.")
        user.find(kind=ui.button, content="Step").click()
        await until(lambda: "1. <b>0</b>" in seen(user, "moves"))
        user.find(kind=ui.button, content="Play").click()
        await until(lambda: "wins" in next(iter(user.find(kind=ui.label).elements)).text or finished(user))

    run(view)


def test_a_watched_match_is_paused_slowed_down_and_analysed():
    async def view(user, _desk):
        await user.open("/play?game=sticks(sticks=60)&players=random|random|random&seed=4")
        (slider,) = user.find(kind=ui.slider).elements
        slider.value = 0.0
        user.find(kind=ui.button, content="Play").click()
        await until(lambda: "2. <b>1</b>" in seen(user, "moves"))
        slider.value = 2.0
        user.find(kind=ui.button, content="Pause").click()
        await sees(user, "Press Play or Step.")
        before = seen(user, "moves")
        assert not finished(user)
        user.find(kind=ui.button, content="Step").click()
        await until(lambda: seen(user, "moves") != before)
        user.find(kind=ui.button, content="Analyse").click()
        await until(lambda: "/analyse?game=sticks" in user.back_history[-1])
        assert "position=left%3D" in user.back_history[-1]

    run(view)


def finished(user):
    return any("wins" in element.text for element in user.find(kind=ui.label).elements)


def test_a_hint_shows_values():
    async def view(user, _desk):
        tree = "explicit_tree(tree=[[[5,3,2],[7,2,1]],[[3,5,2],[6,4,0]]])"
        await user.open(f"/play?game={tree}&players=person|maxn(depth=2)|random")
        user.find(kind=ui.button, content="Hint").click()
        await until(lambda: "maxn would play <b>0</b>" in seen(user, "advice"))
        assert seen(user, "advice").count("<tr") == 3

    run(view)


def test_hidden_cards_are_never_sent():
    """The traffic holds the person's own cards and no others, and no seed from which they could be dealt again."""

    async def view(user, _desk):
        await user.open("/play?game=hearts(ranks=4)&players=person|random|random|random&seed=4")
        await sees(user, "your move")
        spots = re.findall(r'data-spot="(..)"', seen(user, "board"))
        sent = str([element._to_dict() for element in user.client.elements.values()])
        faces, backs = sent.count("k-card k-edge"), sent.count("k-back k-edge")
        assert len(spots) == 4
        assert faces + backs == 16
        assert faces - len(spots) <= 3, "only cards of the trick are open beside one's own"
        assert sent.count('data-spot="') == 4
        assert "seed=4" not in sent

    run(view)


@pytest.mark.parametrize(
    "path",
    [
        "/play?game=no_such_game",
        "/play?game=../../etc/passwd",
        "/play?game=sticks&players=person",
        "/play?game=sticks&players=person|maxn(depth=9999)|random",
        "/play?game=sticks&players=person|alpha_beta|random",
        "/play?game=sticks&moves=0:9",
        "/play?game=sticks&seed=-1",
        "/play?game=sticks&position=left",
        "/play?game=hearts&moves=0:1",
        "/analyse?game=sticks&position=left%3D9999",
        "/analyse?game=%00",
        "/tree?game=sticks&agent=uci(sh)",
        "/replay?store=/etc/passwd&match=1",
        "/replay?store=&match=x",
        "/tree?game=sticks&agent=random",
        "/tree?game=hearts&agent=maxn(depth=2)",
    ],
)
def test_malformed_addresses_get_a_message(path, caplog):
    async def view(user, _desk):
        await user.open(path)
        await until(lambda: any(each.props.get("role") == "alert" for each in user.find(kind=ui.label).elements))
        (alert,) = [element for element in user.find(kind=ui.label).elements if element.props.get("role") == "alert"]
        assert alert.text.endswith((".", "?"))
        assert "log" not in alert.text

    with caplog.at_level(logging.ERROR):
        run(view)
    assert not [record for record in caplog.records if record.name.startswith("kingmaker")]


@pytest.mark.parametrize("path", ["/play", "/analyse", "/tree", "/experiments", "/replay"])
def test_too_many_visitors_are_told_on_the_page(path, monkeypatch):
    monkeypatch.setitem(Desk.welcome.__globals__, "MOST_VISITORS", 0)

    async def view(user, _desk):
        await user.open(path)
        await sees(user, "There are 0 visitors already; come back later.")

    run(view)


def test_a_seed_is_a_number():
    assert seed_of("123") == 123
    assert 0 <= seed_of("") < 2**31
    with pytest.raises(BadParameter, match="expected a seed of up to nine digits, got 'x'"):
        seed_of("x")


def test_the_first_view_makes_an_address_from_its_fields():
    async def view(user, _desk):
        await user.open("/?game=sticks")
        await sees(user, "seat 2")
        await sees(user, "Take one, two or three")
        user.find(kind=ui.button, content="Play").click()
        await until(lambda: user.back_history and "/play" in user.back_history[-1])
        assert "players=person%7Cparanoid" in user.back_history[-1]

    run(view)


def test_the_fields_of_an_agent_appear_when_they_are_looked_at_and_count():
    async def view(user, _desk):
        await user.open("/?game=sticks")
        more = sorted(user.find(kind=ui.expansion).elements, key=lambda each: each.id)[0]
        before = {each.id for each in user.find(kind=ui.number).elements}
        more.value = True
        await until(lambda: len(user.find(kind=ui.number).elements) > len(before))
        fields = [each for each in user.find(kind=ui.number).elements if each.id not in before]
        (depth,) = [each for each in fields if each.props["label"] == "depth"]
        depth.value = 3
        user.find(kind=ui.button, content="Play").click()
        await until(lambda: user.back_history and "/play" in user.back_history[-1])
        assert "person%7Cparanoid%28depth%3D3%2C+seconds%3D1%29%7Cparanoid%28seconds%3D1%29" in user.back_history[-1]

    run(view)


def test_algorithms_appear_one_by_one_and_say_why_they_disagree():
    async def view(user, _desk):
        tree = "explicit_tree(tree=[[[5,3,2],[7,2,1]],[[3,5,2],[6,4,0]],[[6,4,0],[2,3,5]]])"
        await user.open(f"/analyse?game={tree}&seconds=0.05")
        await until(lambda: "<td>maxn(" in seen(user, "opinions"))
        await until(
            lambda: any("paranoid plays 0 and not 2" in each.text for each in user.find(kind=ui.label).elements)
        )

    run(view)


def test_agreement_over_positions_is_shown_as_a_matrix():
    async def view(user, _desk):
        tree = "explicit_tree(tree=[[[5,3,2],[7,2,1]],[[3,5,2],[6,4,0]],[[6,4,0],[2,3,5]]])"
        await user.open(f"/analyse?game={tree}&seconds=0.05&positions=2")
        await sees(user, "Percent of 2 positions from random play in which both chose the same move.")
        assert seen(user, "opinions").count(">100</td>") >= seen(user, "opinions").count("<tr>") - 1

    run(view)


def test_a_tree_is_opened_three_levels_by_clicks(monkeypatch):
    put = []
    monkeypatch.setattr(
        TreeCanvas, "run_method", lambda self, name, *given: put.append([row[0] for row in given[0]] if given else name)
    )

    async def view(user, _desk):
        tree = "explicit_tree(tree=[[[[5,3,2],[7,2,1]],[[3,5,2],[6,4,0]]],[[[6,4,0],[2,3,5]],[[1,2,3],[3,2,1]]]])"
        await user.open(f"/tree?game={tree}&agent=maxn(depth=3)&at=1")
        await until(lambda: found(user, "tree"))
        (canvas,) = user.find(marker="tree").elements
        assert [row[0] for row in canvas.props["rows"]] == [0, 1, 8, 2, 5, 6, 7], "the expected line is open"
        assert "seat 1 is to move; seat 0: 3, seat 1: 5, seat 2: 2" in seen(user, "about")
        for row, below in ((2, [3, 4]), (8, [9, 12]), (9, [10, 11])):
            emit(user, "tree", "turned", row)
            await until(lambda below=below: put and put[-1] == below)
        emit(user, "tree", "chosen", [7])
        await until(lambda: "0 → 1 → 1</b>" in seen(user, "about"))
        before = list(put)
        for rubbish in (-1, 10**9, "x", None, [], [1, 2], True, {"row": 1}, 2.5):
            emit(user, "tree", "turned", rubbish)
            emit(user, "tree", "chosen", rubbish)
        user.find(kind=ui.button, content="Close").click()
        user.find(kind=ui.button, content="All").click()
        await until(lambda: len(put) == len(before) + 2)
        assert put[len(before) :] == [[], [0, 1, 8, 2, 5, 9, 12, 3, 4, 6, 7, 10, 11, 13, 14]]
        user.find(kind=ui.button, content="One ply more").click()
        await sees(user, "Everything is open")

    run(view)


EXPERIMENT = """
question = "Who wins at sticks?"
game = "sticks(seats=2, sticks=5)"
starts = 2
[agents]
one = "random"
two = "random"
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A finished experiment."""
    tmp_path = tmp_path_factory.mktemp("experiment")
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    path = tmp_path / "small.db"
    run_experiment(read_experiment(tmp_path / "small.toml"), path, workers=1)
    return path


def test_an_experiment_is_followed_and_its_matches_are_replayed(store):
    async def view(user, _desk):
        await user.open("/experiments?store=small")
        await until(lambda: "<td>one</td>" in seen(user, "standings"))
        await sees(user, "Who wins at sticks?")
        await sees(user, "4 of 4 matches, 0 failed")
        await user.open("/replay?store=small&match=1")
        await sees(user, "Turn 1 of")
        assert "5 left" in seen(user, "board")
        (slider,) = user.find(kind=ui.slider).elements
        slider.value = 99
        await sees(user, "The end; payoffs")
        await user.open("/replay?store=small&match=x")
        await sees(user, "Expected the number of a match, got 'x'.")
        await user.open("/replay?store=small&match=77")
        await sees(user, "The store has no match 77 yet.")
        await user.open("/experiments?store=other")
        await sees(user, "Unknown store 'other'")
        await user.open("/experiments")

    run(view, {"small": store})


def test_a_store_has_plots_and_every_match_leads_to_its_board(store):
    async def view(user, _desk):
        await user.open("/experiments?store=small")
        await until(lambda: seen(user, "plots").count("<svg") == 2)
        assert "share of wins with 95 % interval" in seen(user, "plots")
        assert "rating (Plackett-Luce" in seen(user, "plots")
        links = re.findall(r'href="/replay\?store=small&amp;match=(\d)"', seen(user, "matches"))
        assert links == ["3", "2", "1", "0"], "the latest match comes first"
        await user.open("/experiments?store=small&first=2")
        await until(lambda: "match=3" in seen(user, "matches"))
        assert "match=1" not in seen(user, "matches")
        await user.open("/experiments?store=small&first=x")
        await sees(user, "Expected the number of a match, got 'x'.")
        await user.open("/replay?store=small&match=1&turn=99")
        await sees(user, "The end; payoffs")
        user.find(kind=ui.button, content="Analyse").click()
        await until(lambda: "/analyse?game=sticks" in user.back_history[-1])

    run(view, {"small": store})


def test_a_store_that_cannot_be_read_is_told_and_not_asked_again(tmp_path):
    broken = tmp_path / "broken.db"
    broken.write_text("no store")

    async def view(user, _desk):
        await user.open("/experiments?store=broken")
        await sees(user, "broken.db")

    run(view, {"broken": broken})


def test_a_paper_shows_printed_numbers_with_and_without_ours(tmp_path):
    rows = "\n".join(f'{name} = "random"' for name in Part("demo", "abalone").named)
    (tmp_path / "small.toml").write_text(EXPERIMENT.partition("one =")[0] + rows)
    small = read_experiment(tmp_path / "small.toml")
    run_experiment(small, tmp_path / "demo-abalone.db", workers=1)

    async def view(user, _desk):
        await user.open("/experiments")
        assert any("paper=multi_minimax%2Ffig8" in each.props["href"] for each in user.find(kind=ui.link).elements)
        await user.open("/experiments?paper=demo/abalone")
        await sees(user, "matches or observations in")
        assert "<td>0.4571</td>" in seen(user, "printed")
        assert seen(user, "printed").count("undecided") == 4
        await sees(user, "Max-Prob has the largest share at Abalone. Undecided.")
        await user.open("/experiments?paper=multi_minimax/fig8")
        await sees(user, "Nothing was played here yet")
        assert seen(user, "printed").count("<tr>") == 1 + len(Part("multi_minimax", "fig8").table.cells)
        await user.open("/experiments?paper=../../etc/passwd")
        await sees(user, "Unknown paper '..'")
        await user.open("/experiments?paper=demo/none")
        await sees(user, "Unknown table 'none'")

    run(view, folder=tmp_path)


def test_a_match_that_is_too_long_for_the_page_is_refused(store, monkeypatch):
    monkeypatch.setitem(recorded.__globals__, "MOST_TURNS", 1)
    with pytest.raises(KingmakerError, match="turns, too many for this page"):
        recorded(store, 0)


def test_the_gallery_shows_every_game_and_every_algorithm():
    async def view(user, _desk):
        await user.open("/gallery")
        links = [element.text for element in user.find(kind=ui.link).elements]
        assert {"chess", "hearts", "risk", "light bike"} <= set(links)
        assert {name.replace("_", " ") for name in ALGORITHMS} <= set(links)
        drawings = [each.content for each in user.find(kind=ui.html).elements if "<svg" in each.content]
        assert len(drawings) == len(Known().games) + len(ALGORITHMS)
        await user.open("/about?algorithms=paranoid")
        assert any("paranoid plays 0" in each.content for each in user.find(kind=ui.html).elements)
        assert any("made a pact" in each.content for each in user.find(kind=ui.markdown).elements)
        await user.open("/about?games=hearts")
        assert user.find(kind=ui.markdown).elements
        await user.open("/about?games=../../etc/passwd")
        await sees(user, "Unknown game '../../etc/passwd'")

    run(view)


def test_a_closed_tab_stops_its_search_and_makes_room():
    async def view(user, desk):
        await user.open("/play?game=sticks&players=person|random|random")
        (visitor,) = desk.visitors
        user.client.delete()
        assert visitor.gone

    run(view)
