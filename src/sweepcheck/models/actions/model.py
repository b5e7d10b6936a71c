"""Model: variables with initial values, and actions; everything else derives from these."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from itertools import product
from types import MappingProxyType
from typing import Any, TypeVar, overload

from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.errors import ModelError, SweepcheckError, closest, place
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.draft import draft_class, hashable, view_class
from sweepcheck.models.actions.scrutiny import forgotten_decorators, scrutinise

Function = TypeVar("Function", bound=Callable[..., None])
Predicate = Callable[[Any], object]


class Model:
    """A system of variables and actions.

    >>> m = Model("counter", n=0)
    >>> @m.action
    ... def tick(s):
    ...     if s.n < 3:
    ...         s.n += 1
    >>> m.edges(m.initial_states()[0])
    (Edge(label=Label(action='tick', arguments=()), target=(1,)),)
    """

    def __init__(self, name: str, /, **variables: Any) -> None:
        self.name = name
        self.parameters: Mapping[str, object] = MappingProxyType({})
        self.variables: tuple[str, ...] = tuple(variables)
        self.actions: tuple[Action, ...] = ()
        self.measure: Measure | None = None
        self.properties: tuple[Property, ...] = ()
        for variable, value in variables.items():
            _declare(variable, value)
        self._initial: list[tuple[Any, ...]] = [tuple(variables.values())]
        self._draft = draft_class(self.variables, self._initial[0])
        self._view = view_class(self.variables)
        frame = sys._getframe(1)
        self._written_at = (frame.f_code.co_filename, frame.f_lineno)

    # -- declarations -----------------------------------------------------------------------------------------------

    @overload
    def action(self, function: Function, /) -> Function: ...
    @overload
    def action(self, /, **parameters: Iterable[Hashable]) -> Callable[[Function], Function]: ...
    def action(self, function: Function | None = None, /, **parameters: Iterable[Hashable]) -> Any:
        """Declare an action: `@m.action`, or `@m.action(i=range(n))` for a family of them."""
        if function is None:
            return lambda function: self._declare_actions(function, parameters)
        return self._declare_actions(function, {})

    def _declare_actions(self, function: Any, parameters: Mapping[str, Iterable[Hashable]]) -> Any:
        scrutinise(function, parameters)
        names = {action.name for action in self.actions}
        if function.__name__ in names:
            raise ModelError("SC112", f"two actions are called {function.__name__!r}")
        members = product(*(tuple(values) for values in parameters.values()))
        self.actions += tuple(
            Action(function.__name__, function, tuple(zip(parameters, arguments, strict=True))) for arguments in members
        )
        return function

    def initial(self, states: Iterable[Mapping[str, Any]] | None = None, /, **values: Iterable[Any]) -> None:
        """Declare several initial states.

        `m.initial(sender=[1, 2])` gives every combination of the values listed; variables not named keep their
        value. `m.initial([{...}, {...}])` lists the states one by one.
        """
        declared = dict(zip(self.variables, self._initial[0], strict=True))
        listed = (
            [dict(zip(values, row, strict=True)) for row in product(*values.values())]
            if states is None
            else list(states)
        )
        rows: dict[tuple[Any, ...], None] = {}
        for given in listed:
            for name, value in given.items():
                if name not in declared:
                    raise ModelError(
                        "SC116",
                        f"an initial state has no variable {name!r}",
                        suggestion=closest(name, declared),
                    )
                if isinstance(declared[name], Bag | Queue | Array) and type(value) is not type(declared[name]):
                    kind = type(declared[name]).__name__
                    raise ModelError("SC116", f"variable {name!r} is a {kind}; {value!r} is not")
                _declare(name, value)
            rows[tuple({**declared, **given}.values())] = None
        if not rows:
            raise ModelError("SC116", "no initial state is left", suggestion="give every variable at least one value")
        self._initial = list(rows)

    def progress(self, measure: Callable[[Any], Any] | Measure, *, span: tuple[Any, Any] | None = None) -> None:
        """Declare the progress measure: a function of the state, or a `Measure` with an order of its own.

        `span`, the first and the last value, lets a run say how far it is.
        """
        declared = measure if isinstance(measure, Measure) else Measure(measure)
        self.measure = declared if span is None else replace(declared, span=span)

    def invariant(self, name: str, predicate: Predicate) -> None:
        """Every reachable state satisfies the predicate."""
        self._declare_property(Property(Kind.INVARIANT, name, predicate))

    def reachable(self, name: str, predicate: Predicate) -> None:
        """Some reachable state satisfies the predicate."""
        self._declare_property(Property(Kind.REACHABLE, name, predicate))

    def deadlock(self, name: str = "deadlock", *, final: Predicate | None = None) -> None:
        """No reachable state is without successors, except those that `final` allows."""
        self._declare_property(Property(Kind.DEADLOCK, name, final))

    def always_possible(self, name: str, predicate: Predicate) -> None:
        """From every reachable state a state that satisfies the predicate can be reached (AG EF)."""
        self._declare_property(Property(Kind.ALWAYS_POSSIBLE, name, predicate))

    def always_eventually(self, name: str, predicate: Predicate) -> None:
        """From every reachable state every run meets a state that satisfies the predicate (AG AF)."""
        self._declare_property(Property(Kind.ALWAYS_EVENTUALLY, name, predicate))

    def _declare_property(self, declared: Property) -> None:
        if any(other.name == declared.name for other in self.properties):
            raise ModelError("SC112", f"two properties are called {declared.name!r}")
        self.properties += (declared,)

    # -- what the engines see ---------------------------------------------------------------------------------------

    def initial_states(self) -> tuple[State, ...]:
        """The initial states, each a tuple of the variables' values."""
        forgotten_decorators(*self._written_at, self.variables)
        return tuple(self._initial)

    def edges(self, state: State) -> tuple[Edge, ...]:
        """The distinct edges out of a state, in the order of actions and choices."""
        values: tuple[Any, ...] = state  # type: ignore[assignment]
        found: dict[Edge, None] = {}
        try:
            for action in self.actions:
                for label, target in action.runs(values, self._draft):
                    found[Edge(label, target)] = None
        except SweepcheckError as error:
            error.values = (("state", repr(self._view(values))), *error.values)
            raise
        return tuple(found)

    def view(self, state: State) -> Any:
        """The state as predicates and measures read it."""
        return self._view(state)  # type: ignore[arg-type]

    def describe(self, state: State) -> dict[str, object]:
        """The state as variables and values."""
        values: tuple[Any, ...] = state  # type: ignore[assignment]
        return dict(zip(self.variables, values, strict=True))

    def locate(self, label: Label) -> str | None:
        """Where the action of an edge is written."""
        return next((place(action.function) for action in self.actions if action.name == label.action), None)

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: {len(self.variables)} variables, {len(self.actions)} actions>"


def _declare(name: str, value: Any) -> None:
    if name.startswith("_") or keyword.iskeyword(name) or hasattr(object, name):
        raise ModelError("SC110", f"a variable cannot be called {name!r}", suggestion="use a plain name")
    try:
        hashable(value, name)
    except ModelError as error:
        raise ModelError("SC111", error.what, suggestion=error.suggestion) from None
