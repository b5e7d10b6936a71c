"""Saved traces: what their files say, how they can be shown without the model, and replayed on it.

A file holds the model's reference and parameters, what is shown of which property (nothing, for a run that was
simulated), and the trace. Replaying looks, step by step, for an edge of the model with the same label that
leads to a state with the same description.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sweepcheck.core.model import State, System
from sweepcheck.core.property import Kind
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.verdict import Status, Verdict
from sweepcheck.errors import TraceError, shown
from sweepcheck.report.changes import State as Described
from sweepcheck.report.json import SCHEMA, described_to_json, described_trace
from sweepcheck.report.report import Concluded
from sweepcheck.report.trace import (
    DescribedStep,
    DescribedTrace,
    describe_state,
    describe_trace,
    state_text,
    states_agree,
)
from sweepcheck.report.typed import Typed, checked, word
from sweepcheck.report.values import label_text
from sweepcheck.text import value_text

MISREAD = (KeyError, TypeError, ValueError, AttributeError, RecursionError)  # what a text that is no trace leads to
MOST_DIGITS = 18  # of a number: positions in the trace, and values that JSON can hold
READABLE = (1, SCHEMA)  # in the first one, all values were text


class Claim(NamedTuple):
    """What a trace is said to show: the answer to a property."""

    kind: Kind
    name: str
    status: Status

    def to_json(self) -> dict[str, str]:
        """As in the file."""
        return {"kind": str(self.kind), "name": self.name, "status": str(self.status)}


@dataclass(frozen=True, slots=True)
class SavedTrace:
    """What a trace file says. `reference` is the model's `FILE.py[:factory]`, where it came from a file.

    `claim` is None for a run that was simulated: it shows what the model can do, and decides no property.
    """

    model: str
    reference: str | None
    parameters: Mapping[str, str]
    claim: Claim | None
    trace: DescribedTrace

    def to_json(self) -> dict[str, Any]:
        """The contents of the file."""
        return {
            "schema": SCHEMA,
            "model": self.model,
            "reference": self.reference,
            "parameters": dict(self.parameters),
            "property": None if self.claim is None else self.claim.to_json(),
            "trace": described_to_json(self.trace),
        }


def saved_trace(report: Concluded, verdict: Verdict, reference: str | None = None) -> SavedTrace:
    """The trace of a verdict of a report, ready to be saved."""
    if verdict.trace is None:
        raise LookupError(f"the verdict on {verdict.property.name!r} has no trace")
    claim = Claim(verdict.property.kind, verdict.property.name, verdict.status)
    saved, looked = saved_run(report.system, verdict.trace, reference), described_trace(report, verdict.trace)
    return replace(saved, claim=claim, trace=replace(saved.trace, holds=looked.holds, progress=looked.progress))


def saved_run(system: System, trace: Trace, reference: str | None = None) -> SavedTrace:
    """A run that decides nothing, ready to be saved."""
    system, trace = system.original(trace)
    parameters = {name: value_text(value) for name, value in system.parameters.items()}
    return SavedTrace(system.name, reference, parameters, None, describe_trace(system, trace))


def parse_trace(text: str) -> SavedTrace:
    """What the text of a trace file says; one of `MISREAD` if it is none."""
    return _parse(json.loads(text, object_pairs_hook=_object, parse_int=_whole, parse_constant=_no_number))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; of a name that is there twice, readers may see either."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"{shown(twice)} is there twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits")
    return int(digits)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number of JSON")


def _parse(data: Any) -> SavedTrace:
    if type(data["schema"]) is not int or data["schema"] not in READABLE:
        raise ValueError(f"schema {data['schema']!r} is not known, only {' and '.join(map(str, READABLE))}")
    value = checked if data["schema"] == SCHEMA else _only_text
    asked, trace = data["property"], data["trace"]
    if not isinstance(trace["steps"], list):
        raise TypeError(f"{trace['steps']!r} is not a list of steps")
    steps = tuple(_step(step, value) for step in trace["steps"])
    loop = trace["loop"]
    if loop is not None and (type(loop) is not int or not 0 <= loop <= len(steps)):
        raise ValueError(f"loop {loop!r} is not a position of the trace")
    holds, progress = trace.get("holds") or {}, trace.get("progress")
    return SavedTrace(
        word(data["model"]),
        _word_or_none(data["reference"]),
        {name: word(text) for name, text in data["parameters"].items()},
        None if asked is None else _claim(asked),
        DescribedTrace(
            _described(trace["initial"], value),
            steps,
            loop,
            {name: _per_state(truths, steps, _truth) for name, truths in holds.items()},
            None if progress is None else _per_state(progress, steps, checked),
        ),
    )


def _step(step: Any, value: Callable[[Any], Typed]) -> DescribedStep:
    arguments = tuple((_word_or_none(name), checked(one)) for name, one in step.get("arguments") or ())
    return DescribedStep(
        word(step["label"]), _described(step["state"], value), _word_or_none(step.get("owner")), arguments
    )


def _word_or_none(value: Any) -> str | None:
    return None if value is None else word(value)


def _per_state(values: Any, steps: tuple[DescribedStep, ...], read: Callable[[Any], Any]) -> tuple[Any, ...]:
    """What there is one of for each state."""
    if not isinstance(values, list) or len(values) != len(steps) + 1:
        raise ValueError(f"there are not {len(steps) + 1} values, one for each state")
    return tuple(map(read, values))


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is not a truth value")
    return value


def _claim(asked: Any) -> Claim:
    """What the file says that its trace shows; refused where no trace could show it."""
    claim = Claim(Kind(asked["kind"]), word(asked["name"]), Status(asked["status"]))
    if claim.status is not (Status.HOLDS if claim.kind.holds_by_witness else Status.VIOLATED):
        raise ValueError(f"no trace shows that {claim.kind} is {claim.status}")
    return claim


def _only_text(value: Any) -> Typed:
    """A value of schema 1: its text, or that of each of an array's elements."""
    return [{"text": word(one)} for one in value] if isinstance(value, list) else {"text": word(value)}


def _described(state: Any, value: Callable[[Any], Typed]) -> Described:
    return {name: value(one) for name, one in state.items()}


def path_on(system: System, trace: DescribedTrace) -> Trace:
    """The described trace as a path of the model; an error at the first step the model cannot take."""
    state = next((s for s in system.initial_states() if states_agree(describe_state(system, s), trace.initial)), None)
    if state is None:
        offered = "\n".join(state_text(describe_state(system, s)) for s in system.initial_states())
        raise _off("the trace does not start in an initial state", trace.initial, offered)
    initial = state
    steps: list[Step] = []
    for number, wanted in enumerate(trace.steps, start=1):
        found = _edge(system, state, wanted)
        if found is None:
            edges = system.edges(state)
            offered = "\n".join(
                f"{label_text(e.label)} -> {state_text(describe_state(system, e.target))}" for e in edges
            )
            what = f"step {number}, {wanted.label}, is not possible"
            raise _off(what, wanted.state, offered or "no edge", describe_state(system, state))
        steps.append(found)
        state = found.state
    return Trace(initial, tuple(steps), trace.loop)


def _edge(system: System, state: State, wanted: DescribedStep) -> Step | None:
    for label, target in system.edges(state):
        if label_text(label) == wanted.label and states_agree(describe_state(system, target), wanted.state):
            return Step(label, target)
    return None


def _off(what: str, wanted: Described, offered: str, state: Described | None = None) -> TraceError:
    return TraceError(
        "SC502",
        what,
        values=[
            *([] if state is None else [("state", state_text(state))]),
            ("wanted", state_text(wanted)),
            ("possible", offered),
        ],
        suggestion="the model or its parameters have changed since the trace was made",
    )
