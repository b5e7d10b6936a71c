"""Traces for people: each step with its label and only what it changed.

A trace is first *described*: labels become text, values become JSON data. A described trace is all that is printed,
drawn and saved, so a saved one can be shown without its model.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sweepcheck.core.model import Label, State, System
from sweepcheck.core.trace import Trace
from sweepcheck.core.values import Bag
from sweepcheck.report.changes import State as Described
from sweepcheck.report.changes import changes, same
from sweepcheck.report.typed import Typed, typed, typed_text
from sweepcheck.report.values import label_text
from sweepcheck.text import value_text, visible

WIDE = 20  # variables of a state: with more, empty bags are not written
EMPTY = value_text(Bag())
LABEL_WIDTH = 44  # longer labels push the changes to the next line
ENDS = 20  # of a long trace, so many steps at its beginning and at its end are shown
# Where a long value may go on in the next line: before a sign, and in what is still too long after a comma.
_BREAKS = re.compile(r" (?=[+-] )| (?=-> )"), re.compile(r"(?<=,) ")


@dataclass(frozen=True, slots=True)
class DescribedStep:
    """A step's label and the state it leads to. `owner` is who made it, where the label or the model tells.

    The label consists of the name of an action and its parameters and choices, which may be nameless.
    """

    label: str
    state: Described
    owner: str | None = None
    arguments: tuple[tuple[str | None, Typed], ...] = ()

    @property
    def action(self) -> str:
        """The name of the action."""
        return self.label.partition("(")[0]


@dataclass(frozen=True, slots=True)
class DescribedTrace:
    """A trace as text and data: what is printed, drawn and saved.

    `loop` is the position the last state leads back to. `holds` has the truth of properties in each state, `progress`
    the measure, where somebody looked.
    """

    initial: Described
    steps: tuple[DescribedStep, ...]
    loop: int | None = None
    holds: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    progress: tuple[Typed, ...] | None = None

    @property
    def states(self) -> tuple[Described, ...]:
        """All states, the initial one first."""
        return (self.initial, *(step.state for step in self.steps))


def describe_state(system: System, state: State) -> dict[str, Typed]:
    """A state's variables and their values as JSON data."""
    return {name: typed(value) for name, value in system.describe(state).items()}


def describe_trace(system: System, trace: Trace) -> DescribedTrace:
    """A trace of a model as text and data."""
    states: list[Described] = []
    before: dict[str, tuple[object, Typed]] = {}
    for state in trace.states:
        described: dict[str, Typed] = {}
        for name, value in system.describe(state).items():
            known = before.get(name)  # what a step leaves alone is the very same value, and described once
            if known is None or known[0] is not value:
                known = before[name] = value, typed(value)
            described[name] = known[1]
        states.append(described)
    owners = {label: system.owner(label) for label in {step.label for step in trace.steps}}
    steps = tuple(
        DescribedStep(label_text(step.label), state, owners[step.label], _arguments(step.label))
        for step, state in zip(trace.steps, states[1:], strict=True)
    )
    return DescribedTrace(states[0], steps, trace.loop)


def _arguments(label: Label) -> tuple[tuple[str | None, Typed], ...]:
    return tuple((name, typed(value)) for name, value in label.arguments)


def without(trace: DescribedTrace, names: Collection[str]) -> DescribedTrace:
    """A trace without some variables, which nobody asked about."""
    if not names:
        return trace
    initial, *states = [{name: one for name, one in state.items() if name not in names} for state in trace.states]
    steps = tuple(replace(step, state=state) for step, state in zip(trace.steps, states, strict=True))
    return replace(trace, initial=initial, steps=steps)


def states_agree(one: Described, other: Described) -> bool:
    """Whether two described states have the same words."""
    return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)


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
            lines += _folded(head.rstrip(), [], "", width, margin)
            head = blank
        lines += _folded(head, row.words, row.separator, width, blank)
    return "\n".join(line.rstrip() for line in lines)


def trace_to_text(
    trace: DescribedTrace, full: bool = False, width: int | None = None, looked_at: Collection[str] | None = None
) -> str:
    """The steps of a trace, numbered, each with what it changed.

    Of a long trace the first and the last steps are shown. `full` shows all of them, each with the whole state after
    it. With `looked_at`, the variables that a property read, the last state follows. Lines longer than `width` are
    folded; None leaves them as they are.
    """
    rows: list[TraceRow] = []
    states, hidden = trace.states, range(0) if full else left_out(len(trace.steps))
    for number, state in enumerate(states):
        if number not in hidden:
            rows.append(_step(number, trace.steps[number - 1].label, states) if number else _first(state))
            if full and number:
                rows.append(TraceRow(None, "", _assignments(state), " "))
        elif number == hidden[0]:
            what = f"... steps {hidden[0]:,} to {hidden[-1]:,} are left out; --trace-full shows them"
            rows.append(TraceRow(None, what, []))
        if number == trace.loop:
            rows.append(TraceRow(None, loop_text(trace), []))
    if looked_at is not None and not full:
        rows += _last(trace, looked_at)
    return rows_to_text(rows, width)


def left_out(steps: int) -> range:
    """The steps in the middle of a long trace, which are not shown."""
    return range(ENDS + 1, steps - ENDS + 1) if steps > 2 * ENDS + 2 else range(0)


def _first(state: Described) -> TraceRow:
    return TraceRow(0, "initial state", _assignments(state), " ")


def _step(number: int, label: str, states: Sequence[Described]) -> TraceRow:
    changed = [str(change) for change in changes(states[number - 1], states[number])]
    return TraceRow(number, label, changed or ["(nothing changes)"])


def _last(trace: DescribedTrace, looked_at: Collection[str]) -> list[TraceRow]:
    """The last state, with what the property read apart from the rest; what the line of an initial state has is not
    said again.
    """
    state = trace.states[-1]
    read = {name: value for name, value in state.items() if name in looked_at}
    rest = {name: value for name, value in state.items() if name not in looked_at}
    if not trace.steps:
        return [TraceRow(None, "looked at", _assignments(read), " ")] if read and rest else []
    if not read:
        return [TraceRow(None, "last state", _assignments(state), " ")]
    rows = [TraceRow(None, "looked at", _assignments(read), " ")]
    return [*rows, TraceRow(None, "not looked at", _assignments(rest), " ")] if rest else rows


def loop_text(trace: DescribedTrace) -> str:
    """What the loop of a lasso means."""
    if trace.loop == len(trace.steps):
        return f"loop starts at step {trace.loop}: no action is possible here, so this state lasts for ever"
    if trace.loop is not None and not states_agree(trace.states[trace.loop], trace.states[-1]):
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
    lines = _Lines([head], width)
    for word in words:
        parts = _parts(word, width - len(blank) - len(separator.rstrip()))
        lines.put(parts[0], separator, blank, fresh=len(parts) > 1)
        for part in parts[1:]:
            lines.put(part, " ", f"{blank}  ")
    return lines.rows


def _parts(word: str, room: int, breaks: Sequence[re.Pattern[str]] = _BREAKS) -> list[str]:
    """A word in parts that have room in a line, as far as it can be broken."""
    if len(word) <= room or not breaks:
        return [word]
    return [part for piece in breaks[0].split(word) for part in _parts(piece, room - 2, breaks[1:])]


@dataclass(slots=True)
class _Lines:
    """Lines of at most `width` columns that words are added to; the last one is `empty` while it has none."""

    rows: list[str]
    width: int
    empty: bool = True

    def put(self, word: str, glue: str, blank: str, fresh: bool = False) -> None:
        """Add a word; to a line of its own, after `blank`, where one is wanted (`fresh`) or the last has no room."""
        glued = self.rows[-1] if self.empty else self.rows[-1] + glue
        # No line is begun that would have no more room than this one.
        if (fresh or len(glued) + len(word) > self.width) and (not self.empty or len(self.rows[-1]) > len(blank)):
            self.rows[-1] += "" if self.empty else glue.rstrip()
            self.rows.append(blank)
            glued = blank
        room, more = max(self.width - len(glued), 1), max(self.width - len(blank), 1)
        self.rows[-1] = glued + word[:room]
        self.rows += (blank + word[start : start + more] for start in range(room, len(word), more))
        self.empty = False


def _assignments(state: Described) -> list[str]:
    """A state, variable by variable; of many, those that hold nothing are left out."""
    texts = {name: typed_text(value) for name, value in state.items()}
    kept = {name: text for name, text in texts.items() if len(texts) <= WIDE or text != EMPTY}
    return [f"{name}={text}" for name, text in kept.items()] or ["no token at all"]
