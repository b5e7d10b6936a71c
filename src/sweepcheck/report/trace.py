"""Traces for people: each step with its label and only what it changed.

A trace is first *described*: labels and values become text. A described trace is all that is printed, drawn and
saved, so a saved one can be shown without its model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sweepcheck.core.model import State, System
from sweepcheck.core.trace import Trace
from sweepcheck.core.values import Array, Bag
from sweepcheck.report.values import label_text
from sweepcheck.text import value_text, visible

# A variable's value as text; of an array, the text of each element, so that single elements can be seen to change.
Described = Mapping[str, str | tuple[str, ...]]

WIDE = 20  # variables of a state: with more, empty bags are not written
EMPTY = value_text(Bag())
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
            found.append(Change(name, whole_text(old), whole_text(new)))
    return found


def state_text(state: Described) -> str:
    """A whole state on one line."""
    return visible(" ".join(_assignments(state)))


class TraceRow(NamedTuple):
    """A numbered line: a label, and words after it. One without a number goes on with the line before; one without
    words is a remark.
    """

    number: int | None
    label: str
    words: list[str]
    separator: str = ", "


def rows_to_text(rows: Sequence[TraceRow], width: int | None = None) -> str:
    """Numbered lines in columns; those longer than `width` are folded, None leaves them as they are."""
    rows = [row._replace(label=visible(row.label), words=[visible(word) for word in row.words]) for row in rows]
    column = max((len(row.label) for row in rows if row.words and len(row.label) <= LABEL_WIDTH), default=0)
    digits = max((len(str(row.number)) for row in rows if row.number is not None), default=1)
    margin, blank = " " * (digits + 4), " " * (digits + column + 6)
    lines: list[str] = []
    for row in rows:
        if not row.words:
            lines += _folded(margin, row.label.split(), " ", width, margin)
            continue
        head = f"  {'' if row.number is None else row.number:>{digits}}  {row.label:<{column}}  "
        if len(row.label) > column:
            lines.append(head)
            head = blank
        lines += _folded(head, row.words, row.separator, width, blank)
    return "\n".join(line.rstrip() for line in lines)


def whole_text(value: str | tuple[str, ...]) -> str:
    """A variable's value; of an array, all elements."""
    return value if isinstance(value, str) else "[" + ", ".join(value) + "]"


def trace_to_text(trace: DescribedTrace, full: bool = False, width: int | None = None) -> str:
    """The steps of a trace, numbered, each with what it changed; `full` adds the whole state after each.

    Lines longer than `width` are folded; None leaves them as they are.
    """
    rows: list[TraceRow] = []
    states = trace.states
    for number, state in enumerate(states):
        if number == 0:
            rows.append(TraceRow(0, "initial state", _assignments(state), " "))
        else:
            changed = [str(change) for change in changes(states[number - 1], state)]
            rows.append(TraceRow(number, trace.steps[number - 1].label, changed or ["(nothing changes)"]))
            if full:
                rows.append(TraceRow(None, "", _assignments(state), " "))
        if number == trace.loop:
            rows.append(TraceRow(None, loop_text(trace), []))
    return rows_to_text(rows, width)


def loop_text(trace: DescribedTrace) -> str:
    """What the loop of a lasso means."""
    if trace.loop == len(trace.steps):
        return f"loop starts at step {trace.loop}: no action is possible here, so this state lasts for ever"
    if trace.loop is not None and trace.states[trace.loop] != trace.states[-1]:
        return (
            f"loop starts at step {trace.loop}: the steps below lead to an equivalent state, and on like this for ever"
        )
    return f"loop starts at step {trace.loop}: the steps below lead back here and can repeat for ever"


def fold(text: str, width: int | None, indent: str = "    ") -> str:
    """Running text with its long lines broken between words; what goes on is indented."""
    rows: list[str] = []
    for line in text.split("\n"):
        margin = line[: len(line) - len(line.lstrip())]
        rows += [line] if width is None else _folded(margin, line.lstrip().split(" "), " ", width, margin + indent)
    return "\n".join(rows)


def _folded(head: str, words: list[str], separator: str, width: int | None, blank: str) -> list[str]:
    """Words in lines of at most `width` columns: the first after `head`, the others after `blank`."""
    if width is None or len(head) + len(separator.join(words)) <= width:
        return [head + separator.join(words)]
    if len(blank) > width // 2:
        blank = " " * 6
    rows = [head]
    for word in words:
        empty = rows[-1] in (head, blank)
        glued = rows[-1] if empty else rows[-1] + separator
        # A line is begun for a word that does not fit, unless the new one would have no more room.
        if len(glued) + len(word) > width and (not empty or len(rows[-1]) > len(blank)):
            rows[-1] += "" if empty else separator.rstrip()
            rows.append(blank + word)
        else:
            rows[-1] = glued + word
    return rows


def _assignments(state: Described) -> list[str]:
    """A state, variable by variable; of many, those that hold nothing are left out."""
    kept = {name: value for name, value in state.items() if len(state) <= WIDE or value != EMPTY}
    return [f"{name}={whole_text(value)}" for name, value in kept.items()] or ["no token at all"]
