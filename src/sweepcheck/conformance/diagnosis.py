"""Why no step of the model is the next event of a log: what refused each action, and with which values."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from sweepcheck.core.model import Label, State
from sweepcheck.core.running import Disabled, current
from sweepcheck.errors import shown
from sweepcheck.models.actions.draft import Choices
from sweepcheck.models.actions.logged import LoggedModel
from sweepcheck.models.actions.observing import Differs, watch

PACKAGE = str(Path(__file__).parents[1])
MOST_RUNS = 10_000  # of actions that are looked at
MOST_REFUSALS = 5
FAR = 1_000


@dataclass(frozen=True, slots=True)
class Refusal:
    """One run of an action that is not the next event: the condition that failed, its place, and the values there.

    `distance` is how many fields of the event differ; where a condition of the action failed, more than any event has.
    """

    action: Label
    condition: str
    where: str | None
    values: tuple[tuple[str, str], ...]
    distance: int


def refusals(model: LoggedModel, states: Sequence[State]) -> list[Refusal]:
    """What refused the actions in these states, the nearest first, each reason once."""
    found: dict[tuple[object, ...], Refusal] = {}
    left = MOST_RUNS
    for state in states:
        for one in _of(model, state):
            found.setdefault((one.action, one.condition, one.where), one)
            left -= 1
        if left <= 0:
            break
    return sorted(found.values(), key=lambda one: one.distance)[:MOST_REFUSALS]


def _of(model: LoggedModel, state: State) -> Iterator[Refusal]:
    for action in model.actions:
        choices = Choices()
        while True:
            draft = model._draft(state, choices)  # type: ignore[arg-type]
            token = current.set(draft)
            try:
                action.fire(draft)
            except Disabled as disabled:
                refusal = _refusal(Label(action.name, (*action.arguments, *choices.labels)), disabled)
                if refusal is not None:
                    yield refusal
            except Exception:  # noqa: BLE001 - a run that fails explains nothing; the exploration has told of it
                pass
            finally:
                current.reset(token)
                draft._close()
            if not choices.advance():
                break


def _refusal(action: Label, disabled: Disabled) -> Refusal | None:
    watching = watch.get()
    if isinstance(disabled, Differs):
        event = disabled.event
        differ = [(name, value) for name, value in disabled.fields.items() if not event.agrees(name, value)]
        if not differ:  # another kind of event
            return None
        values = [(name, f"{shown(value)} in the model, {shown(event[name])} in the log") for name, value in differ]
        return Refusal(action, "the event has other values", None, tuple(values), len(differ))
    frame, line = _users(disabled.__traceback__)
    seen = watching is not None and watching.seen
    if frame is None:
        if not seen:
            return None
        return Refusal(action, "the state after the step does not agree with the event", None, (), 0)
    where = f"{Path(frame.f_code.co_filename).name}:{line}"
    text = linecache.getline(frame.f_code.co_filename, line).strip()
    local = tuple((name, shown(value)) for name, value in frame.f_locals.items() if _is_plain(value))
    return Refusal(action, text or "a condition failed", where, local, 0 if seen else FAR)


def _users(traceback: TracebackType | None) -> tuple[Any, int]:
    """The innermost frame of the modeller's, and its line."""
    frame, line = None, 0
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(PACKAGE):
            frame, line = traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next
    return frame, line


def _is_plain(value: object) -> bool:
    return isinstance(value, bool | int | float | str | tuple | frozenset | None)
