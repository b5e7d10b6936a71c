"""Traces for people: each step with its label and only what it changed.

A trace is first *described*: labels become text, values become JSON data. A described trace is all that is printed,
drawn and saved, so a saved one can be shown without its model.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from sweepcheck.core.model import Label, State, System
from sweepcheck.core.trace import Trace
from sweepcheck.core.values import Bag
from sweepcheck.folding import folded
from sweepcheck.report.changes import NUMBERED, brief_text, changes, said, same, told, touched
from sweepcheck.report.changes import State as Described
from sweepcheck.report.typed import Typed, typed
from sweepcheck.report.values import label_text
from sweepcheck.text import value_text, visible

WIDE = 20  # variables of a state: with more, empty bags are not written
EMPTY = value_text(Bag())
LABEL_WIDTH = 44  # longer labels, or those of more than a third of a line, push the changes to the next line
ALIKE = 3  # elements of an array with the same value: as many or more are told together
ENDS = 20  # of a long trace, so many steps at its beginning and at its end are shown


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


def describe_trace(system: System, trace: Trace, ends: bool = False) -> DescribedTrace:
    """A trace of a model as text and data; with `ends`, of a long one only the steps that are shown, and each state
    between them is given as the one before.
    """
    hidden = left_out(len(trace.steps))[:-1] if ends else range(0)
    states: list[Described] = []
    before: Mapping[str, object] = {}
    described: dict[str, Typed] = {}
    for number, state in enumerate(trace.states):
        if number in hidden and number != trace.loop:
            states.append(described)
            continue
        now = system.describe(state)  # what a step leaves alone is the very same value, and described once
        described = {**described, **{name: typed(now[name]) for name in touched(before, now) if name in now}}
        if described.keys() != now.keys():
            described = {name: described[name] for name in now}
        states.append(described)
        before = now
    known: dict[Label, tuple[str, str | None, tuple[tuple[str | None, Typed], ...]]] = {}
    steps: list[DescribedStep] = []
    for step, state in zip(trace.steps, states[1:], strict=True):
        label = step.label
        if label not in known:
            known[label] = label_text(label), system.owner(label), _arguments(label)
        text, owner, arguments = known[label]
        steps.append(DescribedStep(text, state, owner, arguments))
    return DescribedTrace(states[0], tuple(steps), trace.loop)


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
    longest = LABEL_WIDTH if width is None else min(LABEL_WIDTH, width // 3)
    column = max((len(row.label) for row in rows if row.words and len(row.label) <= longest), default=0)
    digits = max((len(str(row.number)) for row in rows if row.number is not None), default=1)
    margin, blank = " " * (digits + 4), " " * (digits + column + 6)
    lines: list[str] = []
    for row in rows:
        if not row.words:
            lines += folded(margin, row.label.split(), " ", width, margin)
            continue
        head = f"  {'' if row.number is None else row.number:>{digits}}  "
        if len(row.label) > column:
            # With a mark, since no line may begin with what a name says: it could pretend to be a verdict.
            lines += folded(head, [row.label], "", width, f"{margin}... ")
            head = blank
        else:
            head += f"{row.label:<{column}}  "
        lines += folded(head, row.words, row.separator, width, blank)
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
            rows.append(_step(number, trace.steps[number - 1], states) if number else _first(state))
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


def _step(number: int, step: DescribedStep, states: Sequence[Described]) -> TraceRow:
    changed = told(changes(states[number - 1], states[number]), said=said(step.arguments), once=True)
    return TraceRow(number, step.label, changed or ["(nothing changes)"])


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
        return f"loop starts at step {trace.loop}: the run ends here, so this state lasts for ever"
    if trace.loop is not None and not states_agree(trace.states[trace.loop], trace.states[-1]):
        return (
            f"loop starts at step {trace.loop}: the steps below lead to an equivalent state, and on like this for ever"
        )
    return f"loop starts at step {trace.loop}: the steps below lead back here and can repeat for ever"


def _assignments(state: Described) -> list[str]:
    """A state, variable by variable; of many, those that hold nothing are left out. The fields of an element of an
    array of records are said together.
    """
    texts = {name: brief_text(value) for name, value in state.items()}
    kept = {name: text for name, text in texts.items() if len(texts) <= WIDE or text != EMPTY}
    pairs: list[tuple[str, str]] = []
    for element, fields in groupby(kept.items(), key=lambda item: _element(item[0])):
        named = list(fields)
        if element and len(named) > 1:
            pairs.append((element, f"({', '.join(f'{name[len(element) + 1 :]}={text}' for name, text in named)})"))
        else:
            pairs += named
    return [f"{name}={text}" for name, text in _alike(pairs)] or ["no token at all"]


def _alike(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Names with texts, of which elements of an array that follow one another and have the same are told together:
    `inbox[0..3]`, of several dimensions `channel[0..2][0..2]`.
    """
    found: list[tuple[str, str]] = []
    for likeness, some in groupby(enumerate(pairs), key=lambda one: _likeness(*one)):
        alike = [pair for _, pair in some]
        if not isinstance(likeness, tuple) or len(alike) < ALIKE:
            found += alike
        else:
            before, after, _, text = likeness
            first, last = (NUMBERED.fullmatch(name)[2] for name in (alike[0][0], alike[-1][0]))  # type: ignore[index]
            found.append((f"{before}[{first}..{last}]{after}", text))
    return found if len(found) == len(pairs) else _alike(found)


def _likeness(position: int, pair: tuple[str, str]) -> object:
    """Equal for elements that follow one another and have the same text; nothing else is like any other."""
    name, text = pair
    numbered = NUMBERED.fullmatch(name)
    return position if numbered is None else (numbered[1], numbered[3], int(numbered[2]) - position, text)


def _element(name: str) -> str:
    """`server[0]` of the variable `server[0].term`."""
    element, closed, field = name.rpartition("].")
    return f"{element}]" if closed and field.isidentifier() else ""
