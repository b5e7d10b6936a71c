"""The moments of a simulation as text: the steps just made, the state, and what can happen next.

Many edges are shown at once, so values are kept short here: of a large bag only the tokens that come and go, of other
long values the two ends. Traces and `variables_to_text` show them whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.trace import Trace
from sweepcheck.core.values import Bag
from sweepcheck.report.trace import Described, TraceRow, changes, describe_state, fold, rows_to_text, whole_text
from sweepcheck.report.values import label_text
from sweepcheck.text import value_text, visible

LONG = 80  # characters of a value


def steps_to_text(system: System, trace: Trace, first: int, width: int | None = None) -> str:
    """The steps of a trace, numbered from `first` on, without the state it starts in."""
    pairs = pairwise(_look(system, state) for state in trace.states)
    rows = [
        TraceRow(number, label_text(step.label), _changes(before, after))
        for number, (step, (before, after)) in enumerate(zip(trace.steps, pairs, strict=True), start=first)
    ]
    return rows_to_text(rows, width)


def edges_to_text(system: System, state: State, edges: Iterable[tuple[int, Edge]], width: int | None = None) -> str:
    """Numbered edges out of a state, each with what it would change."""
    before = _look(system, state)
    rows = [
        TraceRow(number, label_text(label), _changes(before, _look(system, target)))
        for number, (label, target) in edges
    ]
    return rows_to_text(rows, width)


class _Look(NamedTuple):
    """A state as values and as text."""

    values: Mapping[str, object]
    texts: Described


def _look(system: System, state: State) -> _Look:
    return _Look(system.describe(state), describe_state(system, state))


def _changes(before: _Look, after: _Look) -> list[str]:
    """What a step changes, in few words."""
    words = []
    for change in changes(before.texts, after.texts):
        was, now = before.values.get(change.name), after.values.get(change.name)
        if isinstance(was, Bag) and isinstance(now, Bag) and len(change.old) + len(change.new) > LONG:
            words.append(f"{change.name}: {_exchange(was, now)}")
        else:
            words.append(f"{change.name}: {_short(change.old)} -> {_short(change.new)}")
    return words or ["(nothing changes)"]


def _exchange(old: Bag, new: Bag) -> str:
    """The tokens that left a bag and those that came."""
    was, now = Counter(dict(old.items())), Counter(dict(new.items()))
    moved = [("-", was - now), ("+", now - was)]
    words = [f"{sign} {count}*{value_text(token)}" for sign, tokens in moved for token, count in tokens.items()]
    return _short(" ".join(words))


def _short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG // 2]} ... {text[-LONG // 2 :]}"


def moment_text(system: System, state: State) -> str:
    """A state on one line, long values cut short."""
    return visible(" ".join(_assignments(system, state)))


def _assignments(system: System, state: State) -> list[str]:
    return [f"{name}={_short(whole_text(value))}" for name, value in describe_state(system, state).items()]


def initial_states_to_text(system: System, states: Sequence[State], width: int | None = None) -> str:
    """Numbered initial states."""
    rows = [TraceRow(number, "", _assignments(system, state), " ") for number, state in enumerate(states, start=1)]
    return rows_to_text(rows, width)


def variables_to_text(system: System, state: State, width: int | None = None) -> str:
    """A state with one variable on each line."""
    described = {visible(name): whole_text(value) for name, value in describe_state(system, state).items()}
    column = max(map(len, described), default=0)
    lines = (f"  {name:<{column}}  {value}" for name, value in described.items())
    return fold("\n".join(lines), width, indent=" " * (column + 2))
