"""Play and watch: the board, whose turn it is, the moves so far, and what the agents say."""

import asyncio
from html import escape
from typing import Any

from nicegui import background_tasks, ui

from kingmaker.core.agent import Agent
from kingmaker.core.errors import KingmakerError
from kingmaker.core.plain_text import safe
from kingmaker.draw.drawing import drawing
from kingmaker.draw.words import root_table
from kingmaker.web.caps import Known, checked_position, message
from kingmaker.web.desk import Desk, Stopped, Visitor
from kingmaker.web.frame import KEY, LOG, SPOT, address
from kingmaker.web.graph import bars, lines
from kingmaker.web.sitting import Sitting

MOST_BUTTONS = 60  # moves that get a button of their own
LONGEST = 1500  # letters of moves in a URL
ADVISERS = ("ismcts(seconds=1)", "mcts(seconds=1)", "maxn(seconds=1)", "random")
MOVE = "(e) => { const s = e.target.closest('[data-move]'); if (s) emit(s.dataset.move) }"
AT = "(e) => { const s = e.target.closest('[data-at]'); if (s) emit(s.dataset.at) }"


def seated(known: Known, game: str, players: str, seed: int, moves: str, position: str = "") -> Sitting:
    """The sitting that a URL describes; anything wrong in it is refused with a sentence."""
    rules = known.game(game)
    words = players.split("|") if players else ["person", *["random"] * (rules.seats - 1)]
    agents = [None if word.strip() == "person" else known.agent(word, rules) for word in words]
    sitting = Sitting(rules, agents, seed, rules.position(checked_position(position)) if position else None)
    if moves:
        sitting.replay(moves)
    return sitting


class View:
    """One sitting in one tab."""

    def __init__(self, known: Known, desk: Desk, visitor: Visitor, sitting: Sitting, words: dict[str, str]) -> None:
        self.known, self.desk, self.visitor, self.sitting, self.words = known, desk, visitor, sitting, words
        self.playing, self.busy, self.pause = bool(sitting.people), False, 0.4
        self.at: int | None = None  # the turn that is looked back at; None: the present
        self.fault = ""
        self.build()
        self.refresh()

    def build(self) -> None:
        """The parts of the view; `refresh` fills them."""
        with ui.row().classes("w-full items-start gap-4 flex-wrap"):
            with ui.column().classes("grow gap-2").style("flex: 1 1 360px; max-width: 760px; min-width: 0"):
                self.status = ui.label().classes("text-base font-bold").props('aria-live="polite"')
                self.board = ui.html("", sanitize=False).classes("km-board w-full").mark("board")
                self.board.on("click", self.clicked, js_handler=SPOT)
                self.board.on("keydown", self.clicked, js_handler=KEY)
                self.options = ui.html("", sanitize=False).classes("km-options w-full").mark("options")
                self.options.on("click", self.option, js_handler=MOVE)
            with ui.column().classes("gap-2").style("flex: 1 1 300px; max-width: 420px; min-width: 0"):
                self.controls()
                self.bars = ui.html("", sanitize=False).classes("km-small w-full")
                self.said = ui.label().classes("text-sm").mark("said")
                self.moves = ui.html("", sanitize=False).classes("km-moves w-full").mark("moves")
                self.moves.on("click", self.look_back, js_handler=AT)
                self.graph = ui.html("", sanitize=False).classes("km-small w-full")
                self.advice = ui.html("", sanitize=False).classes("km-table km-wide w-full").mark("advice")
        ui.keyboard(on_key=self.key)

    def controls(self) -> None:
        with ui.row().classes("gap-1"):
            if not self.sitting.people:
                self.toggle = ui.button("Play", icon="play_arrow", on_click=self.play_or_pause).props("dense")
                ui.button("Step", icon="skip_next", on_click=self.step).props("dense outline")
                ui.slider(min=0, max=2, step=0.1, value=self.pause, on_change=self.set_pause).props(
                    'aria-label="seconds between turns"'
                ).classes("w-24").tooltip("seconds between turns")
            else:
                ui.button("Hint", icon="lightbulb", on_click=self.hint).props("dense outline")
                ui.button("Resign", icon="flag", on_click=self.resign).props("dense outline")
            ui.button("Undo", icon="undo", on_click=self.undo).props("dense outline")
            ui.button("New", icon="replay", on_click=self.new).props("dense outline")
            ui.button("Analyse", icon="balance", on_click=self.analyse).props("dense outline").set_visibility(
                not self.sitting.game.facts.hidden
            )

    def refresh(self) -> None:
        """Show the present, or the turn that is looked back at."""
        sitting = self.sitting
        if self.at is not None and self.at < len(sitting.played):
            state = sitting.played[self.at].before.state
            self.board.content = drawing(sitting.game, state, sitting.eyes)
        else:
            self.at = None
            self.board.content = sitting.picture()
        self.status.text = self.status_text()
        known = [each.values for each in sitting.played]
        names = ["you" if player is None else str(player).removesuffix("()") for player in sitting.players]
        self.bars.content = bars(sitting.game, next((row for row in reversed(known) if row), None), names)
        self.graph.content = lines(sitting.game, known)
        self.graph.set_visibility(sitting.keeps_values)
        self.said.text = next((each.said for each in reversed(sitting.played) if each.said), "")
        self.moves.content = self.moves_html()
        self.options.content = self.options_html()

    def status_text(self) -> str:
        sitting = self.sitting
        if self.fault:
            return self.fault
        if self.at is not None:
            return f"Before turn {self.at + 1} of {len(sitting.played)}; arrow keys move on."
        if sitting.over:
            return sitting.result()
        if sitting.chooser is not None:
            chosen = f" ({' → '.join(sitting.clicks)})" if sitting.clicks else ""
            return f"Seat {sitting.chooser}: your move{chosen}."
        if self.busy:
            return "The agents are thinking; the first time their search is compiled, which takes seconds."
        return "Press Play or Step." if not sitting.people else "The others move."

    def moves_html(self) -> str:
        parts = []
        for at, each in enumerate(self.sitting.played):
            words = " ".join(
                f"<b>{'dice' if seat < 0 else seat}</b>&nbsp;{escape(safe(word))}" for seat, word in each.words
            )
            parts.append(f'<span data-at="{at}"{" class=now" if at == self.at else ""}>{at + 1}. {words}</span>')
        return " ".join(parts) or "no moves yet"

    def options_html(self) -> str:
        """Buttons for the moves that fit the clicks, if they are few; one element for all of them is quick to send."""
        sitting, seat = self.sitting, self.sitting.chooser
        if seat is None or self.at is not None:
            return ""
        moves = list(sitting.choices())
        left = len(moves) - MOST_BUTTONS
        return "".join(
            f'<button type="button" data-move="{move}">{escape(safe(sitting.said(seat, move)))}</button>'
            for move in moves[:MOST_BUTTONS]
        ) + (f"<span>and {left} more on the board</span>" if left > 0 else "")

    def clicked(self, event: Any) -> None:
        """A spot of the board was clicked; whatever else a browser sends is ignored."""
        spot = event.args
        if not isinstance(spot, str) or len(spot) > 40 or self.at is not None or self.busy:
            return
        self.sitting.click(spot)
        self.after_choice()

    def option(self, event: Any) -> None:
        """A button of a move was pressed; whatever else a browser sends is ignored."""
        word = event.args
        if isinstance(word, str) and word.isascii() and word.removeprefix("-").isdigit() and len(word) < 12:
            self.choose(int(word))

    def choose(self, move: int) -> None:
        if self.at is None and not self.busy and self.sitting.chooser is not None:
            try:
                self.sitting.choose(move)
            except KingmakerError:
                return  # a button of a position that has passed
            self.after_choice()

    def after_choice(self) -> None:
        self.advice.content = ""
        self.refresh()
        if self.sitting.chooser is None and not self.sitting.over:
            self.start()

    def start(self) -> None:
        if not self.busy:
            self.busy = True
            background_tasks.create(self.go_on())

    async def go_on(self, once: bool = False) -> None:
        """Take turns until a person is to choose, the match is over, or it is paused."""
        self.busy, self.fault = True, ""
        sitting = self.sitting
        try:
            while not sitting.over and sitting.chooser is None and (self.playing or once):
                self.status.text = self.status_text()
                seat = sitting.thinker
                if seat is not None:
                    searches = self.sitting.table.agents[seat].watches
                    await self.desk.run(self.visitor, sitting.think, quick=not searches)
                    if sitting.thinker is not None:
                        continue
                await self.desk.run(self.visitor, sitting.advance, quick=True)
                if once:
                    break
                if not sitting.people:
                    self.refresh()
                    await asyncio.sleep(self.pause)
        except Stopped:
            pass
        except Exception as fault:
            LOG.error("a match failed", exc_info=fault)
            self.fault = message(fault)
            self.playing = bool(sitting.people)
        finally:
            self.busy = False
        self.refresh()
        self.keep_address()

    def keep_address(self) -> None:
        """Let the URL hold the match as it is, so that it can be shared."""
        moves = self.sitting.moves_text
        if not self.sitting.game.facts.hidden and len(moves) < LONGEST and not self.visitor.gone:
            with self.board:
                ui.navigate.history.replace(address("/play", **self.words, moves=moves))

    async def step(self) -> None:
        if not self.busy:
            self.playing = False
            await self.go_on(once=True)

    def play_or_pause(self) -> None:
        self.playing = not self.playing
        self.toggle.text = "Pause" if self.playing else "Play"
        if self.playing:
            self.start()

    def set_pause(self, event: Any) -> None:
        if isinstance(event.value, (int, float)) and 0 <= event.value <= 2:
            self.pause = float(event.value)

    async def undo(self) -> None:
        self.visitor.stop()
        async with self.visitor.lock:
            self.sitting.undo()
        self.playing, self.at, self.fault = bool(self.sitting.people), None, ""
        self.advice.content = ""
        self.refresh()
        if self.sitting.people and self.sitting.chooser is None:
            self.start()

    def resign(self) -> None:
        if not self.sitting.over:
            self.visitor.stop()
            self.sitting.resign()
            self.refresh()

    def new(self) -> None:
        self.visitor.stop()
        ui.navigate.to(address("/play", **{key: value for key, value in self.words.items() if key != "seed"}))

    def analyse(self) -> None:
        position = self.sitting.game.notation(self.sitting.table.state)
        ui.navigate.to(address("/analyse", game=self.words["game"], position=position))

    def adviser(self) -> Agent:
        """Who gives hints: an agent at the table, or one that can play the game."""
        for player in self.sitting.players:
            if player is not None and player.name != "random":
                return player
        for text in ADVISERS:
            try:
                return self.known.agent(text, self.sitting.game)
            except KingmakerError:
                continue
        raise Stopped("nobody can give a hint in this game")

    async def hint(self) -> None:
        sitting = self.sitting
        if self.busy or sitting.chooser is None:
            return
        self.busy = True
        self.status.text = "The adviser is thinking."
        try:
            agent = self.adviser()
            state, decision = await self.desk.run(self.visitor, lambda watch: sitting.hint(agent, watch))
            word = escape(safe(sitting.game.say(state, sitting.chooser, decision.move)))
            table = root_table(sitting.game, state, decision, 12) if decision.values else ""
            self.advice.content = f"<p>{escape(agent.name)} would play <b>{word}</b></p>{table}"
        except Stopped:
            pass
        except Exception as fault:
            LOG.error("a hint failed", exc_info=fault)
            self.advice.content = escape(message(fault))
        finally:
            self.busy = False
        self.refresh()

    def look_back(self, event: Any) -> None:
        """A turn of the list was clicked."""
        if isinstance(event.args, str) and event.args.isascii() and event.args.isdigit() and len(event.args) < 6:
            self.turn_to(int(event.args))

    def key(self, event: Any) -> None:
        """Arrow keys look back and forth."""
        if not event.action.keydown:
            return
        now = len(self.sitting.played) if self.at is None else self.at
        if event.key.arrow_left:
            self.turn_to(now - 1)
        elif event.key.arrow_right:
            self.turn_to(now + 1)

    def turn_to(self, at: int) -> None:
        played = len(self.sitting.played)
        if played:
            self.at = None if at >= played else max(0, at)
            self.refresh()
