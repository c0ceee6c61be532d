"""The desk: one search a visitor, nobody starves, and who leaves has its search stopped."""

import asyncio
import threading
import time

import pytest

from kingmaker.web.desk import Desk, Stopped


def busy(seconds):
    """Work that asks its watch again and again, as a search does."""

    def work(watch):
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            if not watch(None):
                return "stopped"
            time.sleep(0.002)
        return "done"

    return work


def test_one_visitor_cannot_starve_another():
    async def main():
        desk, order = Desk(workers=1), []
        greedy, modest = desk.welcome(), desk.welcome()

        async def ask(visitor, name):
            await desk.run(visitor, busy(0.02))
            order.append(name)

        await asyncio.gather(*(ask(greedy, "greedy") for _ in range(6)), ask(modest, "modest"))
        return order

    order = asyncio.run(main())
    assert order.index("modest") <= 1


def test_what_is_quick_does_not_wait_for_searches():
    async def main():
        desk, clicked = Desk(workers=1), threading.Event()
        search = asyncio.create_task(desk.run(desk.welcome(), lambda _: clicked.wait(60)))
        await asyncio.sleep(0)  # the search takes the only worker
        await desk.run(desk.welcome(), lambda _: None, quick=True)
        waited = search.done()
        clicked.set()
        await search
        return waited

    assert asyncio.run(main()) is False


def test_a_visitor_who_leaves_ends_its_search():
    ended = []

    async def main():
        desk = Desk()
        visitor = desk.welcome()
        asyncio.get_running_loop().call_later(0.05, visitor.leave)
        for _ in range(2):  # under way, and asked for afterwards
            with pytest.raises(Stopped, match="the search is no longer wanted"):
                await desk.run(visitor, lambda watch: ended.append(busy(60)(watch)))

    asyncio.run(main())
    assert ended == ["stopped"]


def test_a_search_ends_when_its_time_is_up(monkeypatch):
    monkeypatch.setitem(Desk.run.__globals__, "MOST_SECONDS", 0.05)

    async def main():
        desk = Desk()
        return await desk.run(desk.welcome(), busy(300))

    assert asyncio.run(main()) == "stopped"


def test_too_many_visitors_are_asked_to_come_back(monkeypatch):
    monkeypatch.setitem(Desk.run.__globals__, "MOST_VISITORS", 2)
    desk = Desk()
    first, _ = desk.welcome(), desk.welcome()
    with pytest.raises(Stopped, match="there are 2 visitors already; come back later"):
        desk.welcome()
    first.leave()
    desk.welcome()


def test_the_event_loop_answers_while_a_search_runs():
    async def main():
        desk, answered = Desk(), threading.Event()
        task = asyncio.create_task(desk.run(desk.welcome(), lambda _: answered.wait(60)))
        for _ in range(20):
            await asyncio.sleep(0.001)
        waited = task.done()
        answered.set()
        return waited, await task

    assert asyncio.run(main()) == (False, True)
