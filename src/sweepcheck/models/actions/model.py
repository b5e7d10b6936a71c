"""Model: variables with initial values, and actions; everything else derives from these."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from itertools import chain, islice, product
from types import MappingProxyType
from typing import Any, TypeVar, overload

from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.prepared import Prepared
from sweepcheck.core.tabulated import ActionFunction, Tables, Variable, VariableKind
from sweepcheck.core.values import Array, Bag, Queue, alike, unfit, unlike
from sweepcheck.errors import ModelError, SweepcheckError, caller, place, public, shown
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.choice import MOST_ALTERNATIVES
from sweepcheck.models.actions.draft import admit_initial, draft_class, view_class
from sweepcheck.models.actions.scrutiny import forgotten_decorators, scrutinise
from sweepcheck.models.actions.starts import check_variable, initial_states
from sweepcheck.models.questions import Classes, Progress, Questions

Function = TypeVar("Function", bound=Callable[..., None])


class Model(Questions, Progress, Classes, Prepared):
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
        if not isinstance(name, str):
            raise ModelError(
                "SC110",
                f"the model's name is {shown(name)}, which is not text",
                where=caller(),
                suggestion='write Model("name", x=0, y=Bag())',
            )
        self.name = name
        self.parameters: Mapping[str, object] = MappingProxyType({})
        self.variables: tuple[str, ...] = tuple(variables)
        self._families: dict[str, tuple[Action, ...]] = {}  # by the name of their function
        for variable, value in variables.items():
            check_variable(variable, value)
        self._declared = dict(variables)
        self._initial: list[tuple[Any, ...]] = [tuple(variables.values())]
        self._draft = draft_class(self.variables, self._initial[0])
        self._initial = [admit_initial(self._draft, self._initial[0])]
        self._view = view_class(self.variables)
        frame = sys._getframe(1)
        self._written_at: tuple[str, int] | None = (frame.f_code.co_filename, frame.f_lineno)

    # -- declarations -----------------------------------------------------------------------------------------------

    @overload
    def action(self, function: Function, /) -> Function: ...
    @overload
    def action(self, /, *, fair: bool = False, **parameters: Iterable[Hashable]) -> Callable[[Function], Function]: ...
    def action(
        self, function: Function | None = None, /, *, fair: bool = False, **parameters: Iterable[Hashable]
    ) -> Any:
        """Declare an action: `@m.action`, or `@m.action(i=range(n))` for a family of them.

        With `fair=True` no run ignores the action (each one of a family) for ever while it stays enabled; *always
        eventually* takes that into account.
        """
        if function is None:
            return lambda function: self._declare_actions(function, parameters, fair)
        return self._declare_actions(function, {}, fair)

    @public
    def _declare_actions(self, function: Any, parameters: Mapping[str, Iterable[Hashable]], fair: bool) -> Any:
        scrutinise(function, parameters)
        if not isinstance(fair, bool):
            raise ModelError(
                "SC113",
                f"action {function.__name__!r} was declared with fair={shown(fair)}, which is neither True nor False",
                where=place(function),
                suggestion="write fair=True; a family's parameter needs another name",
            )
        if self._families.get(function.__name__):  # a family without members is none
            raise ModelError(
                "SC112",
                f"two actions are called {function.__name__!r}",
                where=place(function),
                values=[("first", self.locate(Label(function.__name__)) or "")],
                suggestion="give each its own name; @m.action(i=range(n)) makes a family of actions",
            )
        members = product(*(_members(function, name, values) for name, values in parameters.items()))
        self._families.pop(function.__name__, None)
        self._families[function.__name__] = tuple(
            Action(function.__name__, function, tuple(zip(parameters, arguments, strict=True)), fair)
            for arguments in members
        )
        self.__dict__.pop("actions", None)
        return function

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions, each member of a family, in the order of their declaration."""
        return tuple(chain.from_iterable(self._families.values()))

    @public
    def initial(self, states: Iterable[Mapping[str, Any]] | None = None, /, **values: Iterable[Any]) -> None:
        """Declare several initial states.

        `m.initial(sender=[1, 2])` gives every combination of the values listed; variables not named keep their
        value. `m.initial([{...}, {...}])` lists the states one by one.
        """
        draft = draft_class(self.variables, self._initial[0])  # which has not met the values replaced
        rows = initial_states(draft, self._declared, states, values)
        self._draft, self._initial = draft, rows

    # -- what the engines see ---------------------------------------------------------------------------------------

    @property
    def fair(self) -> tuple[Label, ...]:
        """The actions declared with `fair=True`."""
        return tuple(action.label for action in self.actions if action.fair)

    def declared_actions(self) -> tuple[Action, ...]:
        """See `Prepared`."""
        return self.actions

    def action_functions(self) -> dict[str, Callable[..., Any]]:
        """See `Prepared`."""
        return {name: members[0].function for name, members in self._families.items() if members}

    def initial_states(self) -> tuple[State, ...]:
        """The initial states, each a tuple of the variables' values."""
        if self._written_at is not None:
            forgotten_decorators(*self._written_at, self.variables)
            self._written_at = None  # looking once is enough
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
            words = " ".join(f"{name}={shown(value)}" for name, value in self.describe(values).items())
            error.add(("state", words))
            raise
        return tuple(found)

    def view(self, state: State) -> Any:
        """The state as predicates and measures read it."""
        return self._view(state)  # type: ignore[arg-type]

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A predicate or measure as a function of an engine's own view, which has the variables as they are."""
        return function

    def tabulate(self) -> Tables:
        """See `Tabulated`: the variables are what their initial values are, and every action is a function."""
        initial: tuple[Any, ...] = self.initial_states()[0]  # type: ignore[assignment]
        return Tables(
            tuple(self._variable(name, value) for name, value in zip(self.variables, initial, strict=True)),
            tuple(ActionFunction(one.function, dict(one.arguments), one.blame) for one in self.actions),
        )

    def _variable(self, name: str, value: Any) -> Variable:
        capacity = value.capacity if isinstance(value, Queue) else None
        length = len(value) if isinstance(value, Array) else 0
        return Variable(name, _KINDS.get(type(value), VariableKind.SCALAR), length, capacity)

    def describe(self, state: State) -> dict[str, object]:
        """The state as variables and values."""
        values: tuple[Any, ...] = state  # type: ignore[assignment]
        return dict(zip(self.variables, values, strict=True))

    def locate(self, label: Label) -> str | None:
        """Where the action of an edge is written."""
        members = self._families.get(label.action)
        return place(members[0].function) if members else None

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: {len(self.variables)} variables, {len(self.actions)} actions>"


_KINDS = {Bag: VariableKind.BAG, Queue: VariableKind.QUEUE, Array: VariableKind.ARRAY}


def _members(function: Any, name: str, values: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """The values of one family parameter."""
    suggestion = f"give the values it runs through: @m.action({name}=range(3))"
    what = f"parameter {name!r} of action {function.__name__!r} was given"
    if not isinstance(values, Iterable):
        raise ModelError("SC113", f"{what} {shown(values)}, one value", where=place(function), suggestion=suggestion)
    members = tuple(islice(values, MOST_ALTERNATIVES + 1))
    if len(members) > MOST_ALTERNATIVES:
        many = f"{what} more than {MOST_ALTERNATIVES:,} values"
        raise ModelError("SC113", many, where=place(function), suggestion="give finitely many values")
    met: dict[Hashable, Hashable] = {}
    for value in members:
        if (why := unfit(value)) is not None:
            raise ModelError(
                "SC113", f"{what} {shown(value)}, which {why}", where=place(function), suggestion=suggestion
            )
        if not alike(first := met.setdefault(value, value), value):
            raise unlike(f"parameter {name!r}", first, value).add(where=place(function))
    return tuple(met)
