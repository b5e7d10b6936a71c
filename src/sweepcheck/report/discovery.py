"""What to say about the search for a measure: what was found, what was predicted, and what came true."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import ceil
from typing import Any

from sweepcheck.core.discovery import Candidate, Discovery, Monotone
from sweepcheck.core.model import System
from sweepcheck.errors import clip
from sweepcheck.properties.expression import spoken
from sweepcheck.report.report import Report
from sweepcheck.report.values import count_text

SURPRISING = 0.15  # of all states: so far off, and three times the error told, a prediction is warned about
MOST_ACTIONS = 3  # that go back, named

SAID = {
    Monotone.PROVEN: "proven: no action can lower it",
    Monotone.OBSERVED: "observed: no step that was met lowers it",
    Monotone.NO: "not monotone",
}


def percent(share: float) -> str:
    """A share of all states."""
    return f"{100 * share:.0f} %"


def going_back_text(candidate: Candidate) -> str:
    """The actions that lower a measure."""
    named = [one.action for one in candidate.going_back[:MOST_ACTIONS]]
    more = ", ..." if len(candidate.going_back) > MOST_ACTIONS else ""
    return f"lowered by {', '.join(named)}{more}" if named else ""


def came_true(report: Report) -> float | None:
    """The share of states that was stored at once; None where nobody knows how many states there are."""
    numbers = report.statistics
    return numbers.peak / numbers.states if numbers.states and report.complete else None


def discovery_facts(report: Report) -> Iterator[tuple[str, str, str]]:
    """The rows of a report about the search."""
    found = report.discovery
    if found is None:
        return
    chosen = found.chosen
    if chosen is None or report.measure is None:
        yield "search", f"no measure is used: {found.reason or 'every state is kept'}", ""
        return
    how = going_back_text(chosen) or SAID[chosen.monotone]
    yield "search", f"{count_text(found.sampled)} states sampled in {found.seconds:.1f} s; {how}", ""
    told = f"{percent(chosen.peak)} of the states stored at once, give or take {percent(chosen.error)}"
    real = came_true(report)
    yield "predicted", told + ("" if real is None else f"; it was {percent(real)}"), ""


def surprise(report: Report) -> str | None:
    """A warning where far more was stored than predicted."""
    found, real = report.discovery, came_true(report)
    if found is None or found.chosen is None or real is None or report.measure is None:
        return None
    told = found.chosen
    if real - told.peak <= max(SURPRISING, 3 * told.error):
        return None
    return (
        f"the measure that was found was predicted to store {percent(told.peak)} of the states at once,"
        f" and stored {percent(real)}: another seed may find a better one"
    )


def discovery_to_json(found: Discovery | None, real: float | None = None) -> dict[str, Any] | None:
    """The search as one object."""
    if found is None:
        return None
    return {
        "chosen": None if found.chosen is None else found.candidates.index(found.chosen),
        "reason": found.reason,
        "seed": found.seed,
        "seconds": found.seconds,
        "sampled": found.sampled,
        "came_true": real,
        "candidates": [{**asdict(one), "monotone": one.monotone.value, "pays": one.pays} for one in found.candidates],
    }


# -- the candidates as a table -----------------------------------------------------------------------------------------

BARS = " ▁▂▃▄▅▆▇█"
MOST_OF_EXPRESSION = 100  # characters


def candidates_text(found: Discovery, system: System) -> str:
    """What was found, best first, and the best one as a line to paste."""
    if not found.candidates:
        return found.reason or "nothing was found"
    head = ("stored at once", "work", "monotone", "goes back", "measure")
    rows = [head, *(_cells(one) for one in found.candidates)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head) - 1)]
    lines = ["  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[-1]]) for row in rows]
    best = found.candidates[0]
    looked = f"{count_text(found.sampled)} states sampled in {found.seconds:.1f} s"
    ways = f"{count_text(found.features)} features, {count_text(found.classes)} ways to change them"
    said = [f"{looked}, {ways}, seed {found.seed}"]
    if best.curve:
        said.append(f"predicted  {_bars(best.curve)}  of the states stored, over progress")
    said.append(f"paste      {pasted(best, system)}" if found.chosen is not None else f"but        {found.reason}")
    return "\n".join([*lines, "", *said])


def _cells(candidate: Candidate) -> tuple[str, ...]:
    back = ", ".join(f"{one.action} ({percent(one.lowers)})" for one in candidate.going_back[:MOST_ACTIONS])
    more = ", ..." if len(candidate.going_back) > MOST_ACTIONS else ""
    return (
        f"{percent(candidate.peak)} ± {100 * candidate.error:.0f}",
        f"{candidate.work:.0f} x",
        candidate.monotone.value,
        back + more or "-",
        clip(candidate.expression, MOST_OF_EXPRESSION),
    )


def _bars(curve: Sequence[float]) -> str:
    return "".join(BARS[min(len(BARS) - 1, ceil(share * (len(BARS) - 1)))] for share in curve)


def pasted(candidate: Candidate, system: System) -> str:
    """The line that declares it in a Python model; for other files, the option that gives it."""
    if system.source is not None and ".py" not in system.source.reference:
        return f'--measure "{candidate.expression}"'
    tree = _Reading(frozenset(spoken(system))).visit(ast.parse(candidate.expression, mode="eval"))
    return f"m.progress(lambda s: {ast.unparse(tree)})"


class _Reading(ast.NodeTransformer):
    """Lets an expression read its variables from a state `s`."""

    def __init__(self, variables: frozenset[str]) -> None:
        self._variables = variables

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._variables:
            return node
        return ast.Attribute(ast.Name("s", ast.Load()), node.id, ast.Load())
