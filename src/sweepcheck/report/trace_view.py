"""A trace as data for the page: each distinct value once, and of each variable the steps at which it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.core.model import Edge, System
from sweepcheck.core.property import Kind
from sweepcheck.core.trace import Trace
from sweepcheck.core.verdict import Status, Verdict
from sweepcheck.errors import SweepcheckError
from sweepcheck.properties.propositions import propositions_of
from sweepcheck.properties.reads import read_in
from sweepcheck.report.changes import State as Described
from sweepcheck.report.changes import touched
from sweepcheck.report.formula_view import change_points, formula_view
from sweepcheck.report.messages import messages
from sweepcheck.report.report import Report
from sweepcheck.report.trace import DescribedStep, DescribedTrace
from sweepcheck.report.typed import Typed, typed_key, typed_text
from sweepcheck.report.values import label_text
from sweepcheck.text import visible

LOOKED = 400  # states of a trace for which is found out what else was possible
MOST_EDGES = 1_000  # of one of them: a state may have millions
MOST_LOOKED = 40_000  # edges of all of them
MOST_READ = 50_000  # steps of a trace for which is found out what they read


@dataclass(slots=True)
class Values:
    """All values of a document, each once, by their position."""

    entries: list[list[Any]] = field(default_factory=list)
    known: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, value: Typed) -> int:
        """The position of a value: `[text]`, or `[text, kind, parts]` of one that has parts.

        A text that is not between its quotes as it is comes as its own part.
        """
        text = typed_text(value)
        kind = _kind(value)
        key = (kind, text)
        if key not in self.known:
            parts = self._parts(kind, value)
            self.known[key] = len(self.entries)
            self.entries.append([text] if not kind else [text, kind] if parts is None else [text, kind, parts])
        return self.known[key]

    def _parts(self, kind: str, value: Typed) -> list[Any] | str | None:
        match kind:
            case "list":
                return [self.add(one) for one in value]
            case "tuple" | "queue" | "set":
                return [self.add(one) for one in value[kind]]
            case "bag":
                return [[self.add(token), count] for token, count in value[kind]]
            case "record":
                return [[visible(name), self.add(one)] for name, one in value[kind].items()]
            case "map":
                return [[visible(typed_key(name)), self.add(one), self.add(name)] for name, one in value[kind]]
            case "tag":
                return [[value["tag"], self.add(value["value"])]]
            case "token":
                return [[self.add(value["token"]), value["time"]]]
            case "str":
                return str(value)
        return None


def _kind(value: Typed) -> str:
    """What a value is; nothing of one whose text tells all."""
    if isinstance(value, str):
        return "" if typed_text(value) == f"'{value}'" else "str"
    return next(iter(value)) if isinstance(value, dict) else "list" if isinstance(value, list) else ""


def trace_view(
    values: Values, trace: DescribedTrace, report: Report | None = None, verdict: Verdict | None = None
) -> dict[str, Any]:
    """A trace; with a report, also what can be asked of its model."""
    labels: dict[tuple[str, str | None], int] = {}
    steps = [labels.setdefault((step.label, step.owner), len(labels)) for step in trace.steps]
    # Propositions of formulas are true and false as they like; only those of the formula in question are shown.
    formulas = () if report is None else [one for one in report.plan.properties if one.kind.has_formula]
    propositions = {str(each) for one in formulas for each in propositions_of(one)}
    own = [] if verdict is None or not verdict.property.kind.has_formula else propositions_of(verdict.property)
    shown: dict[str, Any] = {
        "loop": trace.loop,
        "labels": _labels(values, trace, labels),
        "steps": steps,
        "columns": _columns(values, trace),
        "holds": _truths(trace, [name for name in trace.holds if name not in propositions]),
        "invariants": _invariants(report, trace),
        "propositions": _truths(trace, [str(one) for one in own if str(one) in trace.holds]),
        "progress": None if trace.progress is None else change_points(values.add(one) for one in trace.progress),
        "messages": [
            [one.sent, number, visible(one.channel), visible(one.token), int(one.certain)]
            for number, one in messages(trace)
        ],
    }
    if report is not None and verdict is not None and verdict.trace is not None:
        shown["places"] = _places(report.system, verdict.trace, labels)
        shown["bad"] = None if verdict.status is not Status.VIOLATED else _first_bad(trace, verdict)
        for number, label in dict.fromkeys(zip(steps, (one.label for one in verdict.trace.steps), strict=True)):
            shown["labels"][number]["action"] = visible(label.action)  # a text does not always tell it
        shown |= _enabled(report.system, verdict.trace)
        shown["formula"] = formula_view(trace, verdict)
        shown["fair"] = _fair(report, verdict.trace)
        shown["reads"] = reads_view(report.system, verdict.trace)
        if missing := omitted(verdict.trace):
            shown["omitted"] = missing
        shown["looked_at"] = sorted(read_in(report.system, verdict.property, verdict.trace.states[-1]))
    return shown


def omitted(trace: Trace) -> list[str]:
    """What a page does not have about a very long trace."""
    long = len(trace.steps) > MOST_READ
    return [f"what each step read, which is looked for along at most {MOST_READ:,} steps"] if long else []


def _invariants(report: Report | None, trace: DescribedTrace) -> list[str]:
    """The properties that must not be false in any state; of others, that they are is no news."""
    asked = [] if report is None else [one.name for one in report.plan.properties if one.kind is Kind.INVARIANT]
    return [visible(name) for name in asked if name in trace.holds]


def _truths(trace: DescribedTrace, names: Sequence[str]) -> dict[str, list[int]]:
    return {visible(name): change_points(map(int, trace.holds[name])) for name in names}


def _labels(values: Values, trace: DescribedTrace, labels: dict[tuple[str, str | None], int]) -> list[dict[str, Any]]:
    first: dict[tuple[str, str | None], DescribedStep] = {}
    for step in trace.steps:
        first.setdefault((step.label, step.owner), step)
    return [
        {
            "text": step.label,
            "action": step.action,
            "owner": step.owner,
            "arguments": [[name, values.add(one)] for name, one in step.arguments],
        }
        for step in (first[key] for key in labels)
    ]


def reads_view(system: System, trace: Trace) -> dict[str, Any] | None:
    """What each step read: names, distinct sets of them, and the set of each step (-1 where nobody can tell)."""
    if len(trace.steps) > MOST_READ:
        return None
    try:
        read = system.reads_along(trace)
    except SweepcheckError:
        return None
    names: dict[str, int] = {}
    sets: dict[tuple[int, ...], int] = {}
    known: dict[frozenset[str], int] = {}
    steps: list[int] = []
    for one in read:
        if one is None:
            steps.append(-1)
            continue
        if one not in known:
            numbers = tuple(names.setdefault(visible(name), len(names)) for name in sorted(one))
            known[one] = sets.setdefault(numbers, len(sets))
        steps.append(known[one])
    return {"names": list(names), "sets": [list(one) for one in sets], "steps": steps} if sets else None


def _columns(values: Values, trace: DescribedTrace) -> dict[str, list[int]]:
    """For each variable, steps and the values that it has from them on; -1 where it is not there."""
    columns: dict[str, list[int]] = {}
    before: Described = {}
    for number, state in enumerate(trace.states):
        for name in touched(before, state):
            position = values.add(state[name]) if name in state else -1
            points = columns.setdefault(visible(name), [0, -1] if number else [])
            if not points or points[-1] != position:
                points += (number, position)
        before = state
    return columns


def _places(system: System, trace: Trace, labels: dict[tuple[str, str | None], int]) -> list[str | None]:
    """Where the action of each label is written."""
    found: list[str | None] = [None] * len(labels)
    for label in dict.fromkeys(step.label for step in trace.steps):
        position = labels.get((label_text(label), system.owner(label)))
        if position is not None and found[position] is None:
            found[position] = system.locate(label)
    return found


def _first_bad(trace: DescribedTrace, verdict: Verdict) -> int | None:
    """The step since which the property's predicate is false to the end; None where no state tells."""
    truths = trace.holds.get(verdict.property.name)
    if not truths or truths[-1] or trace.loop is not None:
        return None
    first = len(truths) - 1
    while first and not truths[first - 1]:
        first -= 1
    return first


def _fair(report: Report, trace: Trace) -> list[dict[str, Any]] | None:
    """For each fairness, the steps of the loop that took it and the positions in the loop where it was not possible."""
    if trace.loop is None or not report.fair or not 0 < len(trace.steps) - trace.loop <= LOOKED:
        return None
    cycle = range(trace.loop, len(trace.steps))
    most, states = MOST_LOOKED // len(cycle), trace.states
    possible = {}
    for at in cycle:
        try:
            edges = report.system.some_edges(states[at], most)
        except SweepcheckError:
            return None
        if len(edges) == most:
            return None
        possible[at] = edges
    return [
        {
            "name": visible(fair.name),
            "strong": fair.strong,
            "taken": [
                at + 1
                for at in cycle
                if fair.takes(report.system, states[at], Edge(trace.steps[at].label, trace.steps[at].state))
            ],
            "disabled": [
                at for at in cycle if not any(fair.takes(report.system, states[at], edge) for edge in possible[at])
            ],
        }
        for fair in report.fair
    ]


def _enabled(system: System, trace: Trace) -> dict[str, Any]:
    """Labels with their actions, which were possible in the states of a trace, and where there are more.

    Of a long trace only the last states are looked at, and of states with very many edges the first ones.
    """
    labels: dict[tuple[str, str], int] = {}
    found: dict[str, list[int]] = {}
    unlisted: dict[str, tuple[int, bool]] = {}
    left, states = MOST_LOOKED, trace.states
    for number in range(len(states) - 1, max(-1, len(states) - 1 - LOOKED), -1):
        try:
            edges = system.some_edges(states[number], MOST_EDGES)
        except SweepcheckError:
            continue
        names = [(label_text(edge.label), visible(edge.label.action)) for edge in edges]
        found[str(number)] = list(dict.fromkeys(labels.setdefault(name, len(labels)) for name in names))
        if len(edges) == MOST_EDGES:
            unlisted[str(number)] = (0, True)
        left -= len(edges)
        if left <= 0:
            break
    return {"possible": list(labels), "enabled": found, "unlisted": unlisted}
