"""What all views share: the bar at the top, the style, and how faults are shown and logged."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from kingmaker.core.errors import KingmakerError
from kingmaker.web.caps import message

LOG = logging.getLogger("kingmaker.web")
VIEWS = {"Play": "/", "Analyse": "/analyse", "Tree": "/tree", "Experiments": "/experiments", "Gallery": "/gallery"}
STYLE = """
.w-full { width: 100% } .w-24 { width: 6rem } .w-28 { width: 7rem } .w-32 { width: 8rem } .w-36 { width: 9rem }
.w-44 { width: 11rem } .w-56 { width: 14rem } .max-w-screen-xl { max-width: 1280px } .mx-auto { margin-inline: auto }
.grow { flex-grow: 1 } .flex-wrap { flex-wrap: wrap }
.items-start { align-items: flex-start } .items-center { align-items: center } .items-end { align-items: flex-end }
.items-stretch { align-items: stretch }
.gap-1 { gap: 0.25rem } .gap-2 { gap: 0.5rem } .gap-3 { gap: 0.75rem } .gap-4 { gap: 1rem }
.p-1 { padding: 0.25rem } .p-2 { padding: 0.5rem } .p-3 { padding: 0.75rem } .py-2 { padding-block: 0.5rem }
.text-sm { font-size: 0.875rem; line-height: 1.25rem } .text-base { font-size: 1rem; line-height: 1.5rem }
.text-lg { font-size: 1.125rem; line-height: 1.75rem } .text-xl { font-size: 1.25rem; line-height: 1.75rem }
.font-bold { font-weight: 700 }
.km-board svg { width: 100%; height: auto; max-height: 82vh; display: block }
.km-small svg { width: 100%; height: auto; max-height: inherit; display: block }
.km-small p, .km-table p { margin: 0 0 4px }
.km-docs { overflow-x: auto; max-width: 860px } .km-docs table { display: block; overflow-x: auto }
.km-docs h1 { font-size: 1.6rem; font-weight: 600; margin: 0 0 8px }
.km-docs h2 { font-size: 1.25rem; font-weight: 600 }
.km-table table { border-collapse: collapse; width: 100%; font-size: 0.875rem }
.km-table th, .km-table td { padding: 3px 8px; text-align: right; border-bottom: 1px solid #8884 }
.km-table th:first-child, .km-table td:first-child { text-align: left }
.km-moves { max-height: 240px; overflow-y: auto; font-size: 0.875rem; line-height: 1.5 }
.km-moves [data-at] { cursor: pointer; padding: 0 4px; border-radius: 4px }
.km-moves [data-at]:hover, .km-moves .now { background: #e8a20044 }
.km-options { display: flex; flex-wrap: wrap; gap: 4px; font-size: 0.8125rem; max-height: 148px; overflow-y: auto }
.km-options button { border: 1px solid currentColor; border-radius: 4px; padding: 4px 8px; color: var(--q-primary);
  background: none; font: inherit; cursor: pointer }
.km-options button:hover { background: #e8a20033 }
.km-options button:focus-visible { outline: 3px solid #e8a200 }
.nicegui-content a { color: #1d4fb8; text-decoration: underline }
.body--dark .nicegui-content a { color: #8fb4ff }
.body--light { --q-primary: #2456c9 !important }
.body--dark { --q-primary: #8fb4ff !important }
.body--dark .text-negative { color: #ff8a80 !important }
.km-canvas { width: 100%; height: 68vh; min-height: 320px; border-radius: 10px; touch-action: none; cursor: grab }
.km-canvas:focus-visible { outline: 3px solid #e8a200 }
.km-plots { display: flex; flex-wrap: wrap; gap: 12px }
.km-plots svg { flex: 1 1 320px; max-width: 600px; min-width: 0; width: 100%; height: auto; display: block }
.km-wide { overflow-x: auto; max-width: 100% }
.km-wide td:not([colspan]), .km-wide th { white-space: nowrap }
.q-header a { color: white; text-decoration: none; padding: 4px 8px; border-radius: 6px }
.q-header a:hover, .q-header a.here { background: #ffffff33 }
@media (max-width: 480px) {
  .nicegui-content { padding: 4px }
  .q-header { padding: 4px 6px; gap: 0 }
  .q-header a { padding: 6px 5px; font-size: 0.875rem }
  .q-header a:first-child { font-size: 1rem }
}
"""
SPOT = "(e) => { const s = e.target.closest('[data-spot]'); if (s) emit(s.dataset.spot) }"
KEY = (
    "(e) => { const s = e.target.closest('[data-spot]');"
    " if (s && (e.key === 'Enter' || e.key === ' ')) { e.preventDefault(); emit(s.dataset.spot) } }"
)


@contextmanager
def framed(here: str) -> Iterator[None]:
    """The bar with the views, and the room for one of them."""
    ui.add_css(STYLE)
    with ui.header().classes("items-center gap-1 py-2 flex-wrap").style("background: #2b3a55"):
        ui.link("Kingmaker", "/").classes("text-lg font-bold")
        for name, path in VIEWS.items():
            ui.link(name, path).classes("here" if name == here else "").props(f'aria-label="{name}"')
    with ui.column().classes("w-full max-w-screen-xl mx-auto p-2 gap-3"):
        yield


def show_fault(fault: BaseException) -> None:
    """A message on the page; a fault that is not the visitor's is logged with all that is known of it."""
    if not isinstance(fault, KingmakerError):
        LOG.error("a view failed", exc_info=fault)
    else:
        LOG.info("refused: %s", fault)
    ui.label(message(fault)).classes("text-negative text-base").props('role="alert"')


def address(path: str, **words: Any) -> str:
    """A URL with what it is to hold; empty words are left out."""
    given = {key: value for key, value in words.items() if value not in ("", None)}
    return f"{path}?{urlencode(given)}" if given else path
