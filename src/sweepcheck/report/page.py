"""The page: one HTML file with all it needs and the data it shows. It can reach nothing, on the disk or in the net.

`page.html` is built from `web/`; users need no tools for that. The data goes into an element that is no script.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from sweepcheck.errors import clip
from sweepcheck.report.findings import Answer
from sweepcheck.report.saved import SavedTrace
from sweepcheck.report.state_space import StateSpaceReport
from sweepcheck.report.text import report_to_text
from sweepcheck.report.trace import trace_to_text
from sweepcheck.report.tradeoff import Tradeoff, tradeoff_to_text
from sweepcheck.report.view import view_of, view_of_state_space, view_of_tables, view_of_trace, view_of_tradeoff
from sweepcheck.text import visible_lines

PLACEHOLDER = "<!--DATA-->"
LARGE = 1_000_000  # characters of JSON: more are compressed
MOST_LINES = 30  # that are seen before the page is


def answers_to_page(answers: Sequence[Answer]) -> str:
    """A page about what came of one or several model files."""
    texts = [str(one.error) if one.report is None else report_to_text(one.report) for one in answers]
    return _page(view_of(answers), "\n\n".join(texts))


def saved_to_page(saved: SavedTrace) -> str:
    """A page about a saved trace."""
    return _page(view_of_trace(saved), trace_to_text(saved.trace))


def state_space_to_page(reference: str, report: StateSpaceReport) -> str:
    """A page about a state space report."""
    return _page(view_of_state_space(reference, report), report_to_text(report.run))


def tradeoff_to_page(reference: str, found: Tradeoff) -> str:
    """A page about several ways to explore one model."""
    return _page(view_of_tradeoff(reference, found), tradeoff_to_text(found))


def tables_to_page(tables: dict[str, Any], summary: str, text: str) -> str:
    """A page about tables of papers that were made again."""
    return _page(view_of_tables(tables, summary), text)


def _page(document: dict[str, Any], text: str) -> str:
    """The template with the data, and with a text for readers without JavaScript."""
    template = files("sweepcheck.report").joinpath("page.html").read_text("utf-8")
    # In an element, only "<" could end it or begin something else.
    data = json.dumps(document, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    kind = "application/json"
    if len(data) > LARGE:
        data = base64.b64encode(gzip.compress(data.encode(), 6, mtime=0)).decode("ascii")
        kind = "application/gzip"
    text = visible_lines(text)
    opening = f'<pre class="opening">{escape(_opening(text))}</pre>'  # is seen while a large page is read
    plain = f"<noscript><style>.opening{{display:none}}</style><pre>{escape(text)}</pre></noscript>"
    filled = f'{opening}{plain}<script id="data" type="{kind}">{data}</script>'
    return template.replace(PLACEHOLDER, filled, 1)


def _opening(text: str) -> str:
    """The first lines of a text, up to an empty one: the verdicts."""
    lines = text.split("\n\n", 1)[0].splitlines()[:MOST_LINES]
    return "\n".join(clip(line) for line in lines)
