"""A model beside a log: its states are pairs of a state and how much of the log has been explained.

The position in the log never goes down, so it is a progress measure: a sweep keeps the states of few positions, however
long the log is. What stands at the position is on a tape, which engines read by themselves: no function of the model
runs once per event.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Label, State
from sweepcheck.core.property import Property
from sweepcheck.core.purity import reached_from
from sweepcheck.core.tabulated import Tables, Tape
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.draft import Draft
from sweepcheck.models.actions.model import Model
from sweepcheck.models.actions.observing import FIELD, SHAPE, Observation, Shape, compared, observe
from sweepcheck.properties import reachable

POSITION = "log"  # how many events have been explained
EXPLAINED = "the log is explained"


@dataclass(frozen=True, slots=True)
class Events:
    """A log as columns: the shape of each event, and for each field its values and which of them each event has.

    Behind the last event stands the shape that ends the log. An event without a field has any value of it.
    """

    shapes: tuple[Shape, ...]
    shape_at: Sequence[int]
    fields: Mapping[str, tuple[tuple[Hashable, ...], Sequence[int]]]

    def __len__(self) -> int:
        return len(self.shape_at) - 1


@dataclass(frozen=True, slots=True)
class LoggedAction(Action):
    """An action whose step may be the next event of the log."""

    fill: Callable[[tuple[Any, ...]], tuple[Any, ...]] | None = None
    original: Callable[..., object] | None = None

    @property
    def written(self) -> Callable[..., object]:
        """The function as the modeller wrote it."""
        return self.original or self.function

    def runs(
        self, values: tuple[Any, ...], draft_type: Callable[..., Draft]
    ) -> Iterator[tuple[Label, tuple[Any, ...]]]:
        """See `Action`: what stands at the position is filled in."""
        assert self.fill is not None
        for label, target in Action.runs(self, values, draft_type):
            yield label, self.fill(target)


class LoggedModel(Model):
    """A model beside a log."""

    def __init__(self, model: Model, events: Events) -> None:
        rows: Sequence[Any] = model.initial_states()
        vars(self).update(vars(model))
        for cached in ("actions", "named_actions", "properties"):
            self.__dict__.pop(cached, None)
        self.events = events
        self._written_at = None
        first: dict[str, Hashable] = {POSITION: 0, SHAPE: events.shape_at[0]}
        first |= {FIELD + name: values[at[0]] for name, (values, at) in events.fields.items()}
        own = len(self._own.flat)
        self._begin(self._draft, tuple(row[:own] for row in rows), {**model._added, **first})
        self._start, self._listed = None, True
        self._families = {name: tuple(map(self._logged, members)) for name, members in model._families.items()}
        length = len(events)
        self.measure = Measure(_position, name="position in the log", span=(0, length), monotone=True)

    @property
    def properties(self) -> tuple[Property, ...]:
        """The one question: whether the end of the log can be reached."""
        length = len(self.events)
        return (reachable(EXPLAINED, lambda s: s.log == length),)

    def _logged(self, action: Action) -> LoggedAction:
        function = compared(action.function, self._observation(action), self._agreements, self.events.shapes, POSITION)
        return LoggedAction(
            action.name,
            function,
            action.arguments,
            fair=action.fair,
            face=self._faces.face,
            fill=self._filled,
            original=action.function,
        )

    def _observation(self, action: Action) -> Observation | None:
        """What is seen of an action: what is declared; where nothing is declared of any, its name and parameters."""
        if self.names_events:
            return self._observations.get(action.source or action.function)
        fields = tuple((name, name) for name, _ in action.arguments)
        has_kinds = any(shape.kind is not None for shape in self.events.shapes)
        return Observation(action.name if has_kinds else None, fields)

    @cached_property
    def names_events(self) -> bool:
        """Whether the model says itself which of its steps are seen."""
        functions = [members[0].written for members in self._families.values() if members]
        return bool(self._observations) or any(
            value is observe for function in functions for _, used in reached_from(function) for _, value, _ in used
        )

    def _filled(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """A state with what stands at its position."""
        found = list(values)
        at = found[self._tape.position]
        for variable, ids in self._tape.columns:
            found[variable] = self._column_values[variable][ids[at]]
        return tuple(found)

    @cached_property
    def _tape(self) -> Tape:
        number = {name: position for position, name in enumerate(self.variables)}
        columns = [(number[SHAPE], self.events.shape_at)]
        columns += [(number[FIELD + name], at) for name, (_, at) in self.events.fields.items()]
        return Tape(number[POSITION], columns)

    @cached_property
    def _column_values(self) -> dict[int, Sequence[Hashable]]:
        number = {name: position for position, name in enumerate(self.variables)}
        known: dict[int, Sequence[Hashable]] = {number[SHAPE]: range(len(self.events.shapes))}
        known |= {number[FIELD + name]: values for name, (values, _) in self.events.fields.items()}
        return known | {number[POSITION]: range(len(self.events) + 1)}

    def describe(self, state: State) -> dict[str, object]:
        """The state as variables and values, and the position in the log."""
        return {name: value for name, value in super().describe(state).items() if not name.startswith(SHAPE)}

    def tabulate(self) -> Tables:
        """See `Tabulated`."""
        tables = super().tabulate()
        variables = tuple(
            replace(one, values=self._column_values.get(position, ())) for position, one in enumerate(tables.variables)
        )
        return replace(tables, variables=variables, tapes=(self._tape,))


def _position(s: Any) -> int:
    position: int = s.log
    return position
