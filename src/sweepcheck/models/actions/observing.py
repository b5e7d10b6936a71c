"""What a log shows of a step: `observe` in an action, and how a run of the action compares it with an event."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any, TypeVar

from sweepcheck.core.running import Chooser, Disabled, current
from sweepcheck.errors import ModelError, caller, place, public, shown
from sweepcheck.models.actions.choice import running

SHAPE = "\0event"  # the variable that says which shape the next event has
FIELD = "\0event."  # and the beginning of the names of those that have its fields


@dataclass(frozen=True, slots=True)
class Shape:
    """What events of one shape have in common: their kind and the fields that they have. `ends`: there is no event."""

    kind: Hashable = None
    fields: frozenset[str] = frozenset()
    ends: bool = False


class Event:
    """The next event of a log, as an action of the model is compared with it.

    >>> event["term"], event.get("term"), "term" in event     # doctest: +SKIP
    """

    __slots__ = ("_shape", "_state")

    def __init__(self, shape: Shape, state: Any) -> None:
        self._shape = shape
        self._state = state

    @property
    def kind(self) -> Hashable:
        """What kind of event it is; None where the log does not say."""
        return self._shape.kind

    def __contains__(self, field: str) -> bool:
        return field in self._shape.fields

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._shape.fields))

    def __getitem__(self, field: str) -> Any:
        if field not in self._shape.fields:
            raise ModelError(
                "SC701",
                f"the event has no field {field!r}",
                values=[("fields", ", ".join(self) or "none")],
                suggestion=f"ask whether it has one: {field!r} in event, or event.agrees({field!r}, value)",
            )
        return getattr(self._state, FIELD + field)

    def get(self, field: str, default: Any = None) -> Any:
        """The value of a field; the default where the event does not have it."""
        return self[field] if field in self._shape.fields else default

    def agrees(self, field: str, value: object) -> bool:
        """Whether a field has this value, or the event does not have the field."""
        return field not in self._shape.fields or bool(getattr(self._state, FIELD + field) == value)


class Differs(Disabled):
    """Ends a run that is not the next event: it is of another kind, or has other values in some fields."""

    def __init__(self, kind: Hashable, fields: Mapping[str, Any], event: Event) -> None:
        self.kind = kind
        self.fields = fields
        self.event = event


class Watch:
    """One run of an action beside a log: whether the run was seen as the next event."""

    __slots__ = ("event", "run", "seen")

    def __init__(self, run: Chooser, shape: Shape, state: Any) -> None:
        self.run = run
        self.event = Event(shape, state)
        self.seen = False

    def see(self, kind: Hashable, fields: Mapping[str, Any]) -> None:
        """The step is seen as such an event: the run is disabled unless the next event of the log is one."""
        if self.seen:
            raise ModelError(
                "SC702",
                "observe() was called twice in one run of an action",
                suggestion="a step is one event; make two steps of it, or call observe() once",
            )
        self.seen = True
        event = self.event
        if event._shape.ends or (kind is not None and kind != event.kind):
            raise Differs(kind, {}, event)
        for name, value in fields.items():
            if not event.agrees(name, value):
                raise Differs(kind, fields, event)


# Found as the run itself is: `observe` needs no argument for it. Without a log there is none, or that of another run.
watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


def observe(kind: Hashable = None, /, **fields: Any) -> None:
    """Say what a log shows of this step: the kind of its event, and the values that fields of the event have.

    A field that an event of the log lacks says nothing. The step is an edge even if it changes nothing, as with
    `stay()`; without a log to compare with, that is all.
    """
    run = current.get() or running("observe")
    run._touch()
    watching = watch.get()
    if watching is not None and watching.run is run:
        watching.see(kind, fields)


def _check_agreement(agrees: object) -> None:
    """Refuse what is not a function of a state and an event."""
    try:
        signature(agrees).bind(None, None)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ModelError(
            "SC703",
            f"{shown(agrees)} is not a function of a state and an event",
            where=caller(),
            suggestion='write m.observes(lambda s, event: event.agrees("term", s.term))',
        ) from None


@dataclass(frozen=True, slots=True)
class Observation:
    """What `@m.observed` declares of an action: the kind of its events, and family parameters by field."""

    kind: Hashable
    fields: tuple[tuple[str, str], ...]  # the parameter, and the field that has its value


Agreement = Callable[[Any, Event], object]
Function = TypeVar("Function", bound=Callable[..., Any])


class Observed:
    """What a model says of the logs of the real system."""

    @cached_property
    def _observations(self) -> dict[Callable[..., object], Observation]:
        return {}

    @cached_property
    def _agreements(self) -> list[Agreement]:
        return []

    @public
    def observed(self, kind: Hashable = None, /, **fields: str) -> Callable[[Function], Function]:
        """Declare that steps of an action are seen in logs as events of a kind: `@m.observed("Sent", node="from")`.

        `fields` are parameters of the action with the field of the event that has their value. `observe(...)` in the
        action says the same of values that only a run knows.
        """

        def declare(function: Function) -> Function:
            if not callable(function):
                raise ModelError(
                    "SC703", f"{shown(function)} is no action", where=caller(),
                    suggestion="write @m.observed(...) above @m.action",
                )  # fmt: skip
            parameters = tuple(signature(function).parameters)[1:]
            for name, field in fields.items():
                if name not in parameters:
                    raise ModelError(
                        "SC703",
                        f"action {function.__name__!r} has no parameter {name!r}",
                        where=place(function),
                        suggestion=f"write observe(..., {field}=value) in the action: it knows what was chosen",
                    )
                if not isinstance(field, str):
                    raise ModelError(
                        "SC703", f"{shown(field)} is not the name of a field", where=place(function),
                        suggestion=f'write {name}="field", the name that the events have for it',
                    )  # fmt: skip
            self._observations[function] = Observation(kind, tuple(fields.items()))
            return function

        return declare

    @public
    def observes(self, agrees: Agreement, /) -> Agreement:
        """Declare what holds after every step that is seen: `m.observes(lambda s, event: event.agrees("x", s.x))`."""
        _check_agreement(agrees)
        self._agreements.append(agrees)
        return agrees


def compared(
    function: Callable[..., object],
    observation: Observation | None,
    agreements: Sequence[Agreement],
    shapes: Sequence[Shape],
    position: str,
) -> Callable[..., None]:
    """A function of an action as one that goes on in the log when its step is seen."""

    def step(s: Any, **arguments: Any) -> None:
        run = current.get() or running("observe")
        watching = Watch(run, shapes[getattr(s, SHAPE)], s)
        watch.set(watching)
        if observation is not None:
            watching.see(observation.kind, {field: arguments[name] for name, field in observation.fields})
        function(s, **arguments)
        if not watching.seen or not run._is_touched():
            return
        for agrees in agreements:
            if not agrees(s, watching.event):
                raise Disabled
        setattr(s, position, getattr(s, position) + 1)

    return step
