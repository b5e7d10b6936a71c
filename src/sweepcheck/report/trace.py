"""Traces for people: each step with its label and only what it changed.

A trace is first *described*: labels and values become text. A described trace is all that is printed, drawn and
saved, so a saved one can be shown without its model.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sweepcheck.core.model import State, System
from sweepcheck.core.trace import Trace
from sweepcheck.core.values import Array
from sweepcheck.report.values import label_text, value_text

# A variable's value as text; of an array, the text of each element, so that single elements can be seen to change.
Described = Mapping[str, str | tuple[str, ...]]

LABEL_WIDTH = 44  # longer labels push the changes to the next line


class Change(NamedTuple):
    """One variable, or one element of an array, that a step changed."""

    name: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.name}: {self.old} -> {self.new}"


@dataclass(frozen=True, slots=True)
class DescribedStep:
    """A step's label and the state it leads to, as text."""

    label: str
    state: Described


@dataclass(frozen=True, slots=True)
class DescribedTrace:
    """A trace as text: what is printed, drawn and saved. `loop` is the position the last state leads back to."""

    initial: Described
    steps: tuple[DescribedStep, ...]
    loop: int | None = None

    @property
    def states(self) -> tuple[Described, ...]:
        """All states, the initial one first."""
        return (self.initial, *(step.state for step in self.steps))


def describe_state(system: System, state: State) -> dict[str, str | tuple[str, ...]]:
    """A state's variables as text."""
    return {
        name: tuple(map(value_text, value)) if isinstance(value, Array) else value_text(value)
        for name, value in system.describe(state).items()
    }


def describe_trace(system: System, trace: Trace) -> DescribedTrace:
    """A trace of a model as text."""
    steps = tuple(DescribedStep(label_text(step.label), describe_state(system, step.state)) for step in trace.steps)
    return DescribedTrace(describe_state(system, trace.initial), steps, trace.loop)


def changes(before: Described, after: Described) -> list[Change]:
    """What differs between two states, in the order of the variables."""
    found: list[Change] = []
    for name in {**before, **after}:
        old, new = before.get(name, "absent"), after.get(name, "absent")
        if old == new:
            continue
        if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
            pairs = enumerate(zip(old, new, strict=True))
            found += [Change(f"{name}[{index}]", was, now) for index, (was, now) in pairs if was != now]
        else:
            found.append(Change(name, _whole(old), _whole(new)))
    return found


def state_text(state: Described) -> str:
    """A whole state on one line."""
    return " ".join(f"{name}={_whole(value)}" for name, value in state.items())


def trace_to_text(trace: DescribedTrace, full: bool = False, width: int | None = None) -> str:
    """The steps of a trace, numbered, each with what it changed; `full` adds the whole state after each.

    Lines longer than `width` are folded; None leaves them as they are.
    """
    labels = ["initial state", *(step.label for step in trace.steps)]
    column = max(len(label) for label in labels if len(label) <= LABEL_WIDTH or label is labels[0])
    digits = len(str(len(trace.steps)))
    rows: list[str] = []

    def add(number: str, label: str, text: str) -> None:
        head = f"  {number:>{digits}}  {label:<{column}}"
        if len(label) > column and text:
            rows.append(head)
            head = f"  {'':>{digits}}  {'':<{column}}"
        rows.extend(_fold(f"{head}  ", text, width))

    states = trace.states
    for number, (label, state) in enumerate(zip(labels, states, strict=True)):
        if number == 0:
            add("0", label, state_text(state))
        else:
            changed = ", ".join(map(str, changes(states[number - 1], state)))
            add(str(number), label, changed or "(nothing changes)")
            if full:
                add("", "", state_text(state))
        if number == trace.loop:
            rows += _fold(f"  {'':>{digits}}  ", loop_text(trace), width)
    return "\n".join(row.rstrip() for row in rows)


def loop_text(trace: DescribedTrace) -> str:
    """What the loop of a lasso means."""
    if trace.loop == len(trace.steps):
        return f"loop starts at step {trace.loop}: no action is possible here, so this state lasts for ever"
    return f"loop starts at step {trace.loop}: the steps below lead back here and can repeat for ever"


def _whole(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else "[" + ", ".join(value) + "]"


def _fold(head: str, text: str, width: int | None) -> list[str]:
    if width is None or len(head) + len(text) <= width:
        return [head + text]
    indent = head if len(head) + 20 <= width else head.rstrip() + " "
    later = " " * (len(indent) if len(indent) + 20 <= width else 6)
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
    ) or [head]
