"""Model: variables with initial values, and actions; everything else derives from these."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, islice, product
from types import MappingProxyType
from typing import Any, TypeVar, overload

from sweepcheck.core.catching import check_catching
from sweepcheck.core.declaration import check_fairness
from sweepcheck.core.fairness import STRONG, FairNames
from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.prepared import Prepared
from sweepcheck.core.structures import Set
from sweepcheck.core.tabulated import ActionFunction, Tables, Variable, VariableKind
from sweepcheck.core.trace import Trace
from sweepcheck.core.values import Array, Bag, Queue, alike, unfit, unlike
from sweepcheck.core.view import view_class
from sweepcheck.errors import ModelError, SweepcheckError, caller, place, public, shown
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.callables import plain, written
from sweepcheck.models.actions.choice import MOST_ALTERNATIVES
from sweepcheck.models.actions.draft import (
    Draft,
    admit_initial,
    admit_initial_value,
    draft_class,
    noting_draft,
)
from sweepcheck.models.actions.enabled import Asked, Enabled, enabling
from sweepcheck.models.actions.initials import InitialStates
from sweepcheck.models.actions.observing import Observed
from sweepcheck.models.actions.reads import Reader
from sweepcheck.models.actions.scrutiny import check_conditions, forgotten_decorators, scrutinise
from sweepcheck.models.actions.starts import check_name, check_value, initial_states, started
from sweepcheck.models.questions import Classes, Progress, Questions
from sweepcheck.models.structures.faces import Faces
from sweepcheck.models.symmetry.declaration import Symmetries
from sweepcheck.text import value_text

Function = TypeVar("Function", bound=Callable[..., None])
Process = TypeVar("Process", bound=Callable[..., Generator[str | None, None, None]])


class Model(Questions, Progress, Symmetries, Classes, Observed, Prepared):
    """A system of variables and actions.

    >>> m = Model("counter", n=0)
    >>> @m.action
    ... def tick(s):
    ...     if s.n < 3:
    ...         s.n += 1
    >>> m.edges(m.initial_states()[0])
    (Edge(label=Label(action='tick', arguments=()), target=(1,)),)
    """

    _start: Action | None = None  # whose runs give the initial states
    _listed = False  # whether the initial states are others than the declared one
    _added: Mapping[str, Any] = MappingProxyType({})  # variables of processes, with their initial values

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
        self._families: dict[str, tuple[Action, ...]] = {}  # by the name of their function
        self._processes: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}  # their variables and families
        for variable in variables:
            check_name(variable)
        self._own = self._faces = Faces(variables)
        self.variables: tuple[str, ...] = tuple(self._faces.flat)
        for variable, value in self._faces.flat.items():
            check_value(variable, value)
        self._initial: Sequence[tuple[Any, ...]] = (tuple(self._faces.flat.values()),)
        self._draft = draft_class(self.variables, self._initial[0])
        self._initial = (admit_initial(self._draft, self._initial[0]),)
        self._view = view_class(self.variables)
        frame = sys._getframe(1)
        self._written_at: tuple[str, int] | None = (frame.f_code.co_filename, frame.f_lineno)

    # -- declarations -----------------------------------------------------------------------------------------------

    @overload
    def action(self, function: Function, /) -> Function: ...
    @overload
    def action(
        self,
        /,
        *,
        name: str | Iterable[Hashable] | None = None,
        fair: bool | str = False,
        **parameters: Iterable[Hashable],
    ) -> Callable[[Function], Function]: ...
    @overload
    def action(
        self,
        function: Callable[..., object],
        /,
        *,
        name: str | Iterable[Hashable] | None = None,
        fair: bool | str = False,
        **parameters: Iterable[Hashable],
    ) -> Callable[..., object]: ...
    def action(
        self,
        function: Any = None,
        /,
        *,
        name: str | Iterable[Hashable] | None = None,
        fair: bool | str = False,
        **parameters: Iterable[Hashable],
    ) -> Any:
        """Declare an action: `@m.action`, or `@m.action(i=range(n))` for a family of them.

        It is called what its function is called, or `name`, a text: `m.action(f, name="step 1")`. A method of an object
        and a `functools.partial` can be actions too.

        With `fair=True` no run ignores the action (each one of a family) for ever while it stays enabled, with
        `fair="strong"` neither if it is enabled again and again; *always eventually* and *leads to* take that into
        account.
        """
        if name is not None and not isinstance(name, str):  # a family's parameter may be called so
            parameters, name = {"name": name, **parameters}, None
        if function is None:
            return lambda function: self._declare_actions(function, parameters, fair, name)
        return self._declare_actions(function, parameters, fair, name)

    @public
    def _declare_actions(
        self, given: Any, parameters: Mapping[str, Iterable[Hashable]], fair: bool | str, named: str | None
    ) -> Any:
        name = scrutinise(given, parameters, named)
        where = place(written(given))
        check_fairness(fair, "SC113", where)
        replaced = self._again("action", name)
        if not replaced and self._families.get(name):  # a family without members is none
            raise ModelError(
                "SC112",
                f"two actions are called {name!r}",
                where=where,
                values=[("first", self.locate(Label(name)) or "")],
                suggestion='give each its own name, be it by m.action(f, name="...");\n'
                "@m.action(i=range(n)) makes a family of actions",
            )
        members = product(*(_members(given, name, one, values) for one, values in parameters.items()))
        if not replaced:  # else it keeps its place among the others
            self._families.pop(name, None)
        function, face = plain(given), self._faces.face
        source = None if function is given else given
        self._families[name] = tuple(
            Action(name, function, tuple(zip(parameters, arguments, strict=True)), fair, face, source)
            for arguments in members
        )
        self.__dict__.pop("actions", None)
        self.__dict__.pop("named_actions", None)
        return given

    def names_given(self, action: Any) -> tuple[str, ...]:
        """See `Questions`: what actions are called that were made of a function."""
        found = tuple(name for name, members in self._families.items() if members and members[0].written == action)
        return found or super().names_given(action)

    @overload
    def process(self, function: Process, /) -> Process: ...
    @overload
    def process(
        self, /, *, fair: bool | str = False, **parameters: Iterable[Hashable]
    ) -> Callable[[Process], Process]: ...
    def process(
        self, function: Process | None = None, /, *, fair: bool | str = False, **parameters: Iterable[Hashable]
    ) -> Any:
        """Declare a process: a generator function whose steps end at its yields.

        `@m.process`, or `@m.process(i=range(n))` for a family. Where it is, is the variable of its name: `s.worker`,
        or `s.worker[i]`. With `fair=True` no run ignores it for ever while some step of it stays enabled, with
        `fair="strong"` neither if some step of it is enabled again and again.
        """
        if function is None:
            return lambda function: self._declare_process(function, parameters, fair)
        return self._declare_process(function, {}, fair)

    @public
    def _declare_process(self, function: Any, parameters: Mapping[str, Iterable[Hashable]], fair: bool | str) -> Any:
        from sweepcheck.models.generators.steps import process
        from sweepcheck.models.generators.written import written

        source = written(function)
        check_conditions(function, f"process {source.name!r}")
        check_catching(function, f"process {source.name!r}")
        check_fairness(fair, "SC119")
        members = {name: _members(function, source.name, name, values) for name, values in parameters.items()}
        made = process(source, members, fair)
        if self._again("process", source.name):
            self._forget_process(source.name)
        for name, value in made.variables.items():
            if name in self._faces.names or name in self._families:
                raise ModelError(
                    "SC112",
                    f"process {source.name!r} has a variable {name!r}, and the model has another one of this name",
                    where=place(function),
                    suggestion="rename one of them: a process gives its name to its place, and p_x is variable x of p",
                )
            check_name(name)
            check_value(name, value)
        rows, own = self._initial, len(self._own.flat)
        self._begin(self._draft, tuple(row[:own] for row in rows), {**self._added, **made.variables})
        self._families |= made.families
        self._processes[source.name] = tuple(made.variables), tuple(made.families)
        if (face := self._faces.face) is not None:  # another one: it knows the variables of the process too
            self._families = {
                name: tuple(replace(one, face=face) for one in members) for name, members in self._families.items()
            }
        self.__dict__.pop("actions", None)
        self.__dict__.pop("named_actions", None)
        return function

    def _forget_process(self, name: str) -> None:
        """Take back a process, and the variables that it added."""
        variables, families = self._processes.pop(name)
        own = len(self._own.flat)
        left = {variable: value for variable, value in self._added.items() if variable not in variables}
        self._begin(self._draft, tuple(row[:own] for row in self._initial), left)
        for family in families:
            del self._families[family]

    def _begin(self, draft: type[Draft], rows: Sequence[tuple[Any, ...]], added: Mapping[str, Any]) -> None:
        """Begin in these states; a draft of theirs knows their values. Processes have added variables to them."""
        self.variables = (*self._own.flat, *added)
        self._draft = draft_class(self.variables, (*rows[0], *added.values()))
        own = len(self._own.flat)
        self._draft._met = (*draft._met[:own], *self._draft._met[own:])
        more = tuple(admit_initial_value(self._draft, name, value) for name, value in added.items())
        if more:
            rows = rows.extended(more) if isinstance(rows, InitialStates) else tuple((*row, *more) for row in rows)
        self._initial = rows
        self._view = view_class(self.variables)
        self._added = dict(added)
        self._faces = self._own.extended(self._added)

    @cached_property
    def actions(self) -> Sequence[Action]:
        """The actions, each member of a family, in the order of their declaration."""
        return tuple(chain.from_iterable(self._families.values()))

    @public
    def initial(self, states: Iterable[Mapping[str, Any]] | None = None, /, **values: Iterable[Any]) -> None:
        """Declare several initial states.

        `m.initial(sender=[1, 2])` gives every combination of the values listed; variables not named keep their
        value. `m.initial([{...}, {...}])` lists the states one by one.
        """
        if self._start is not None:
            raise ModelError(
                "SC116",
                f"initial states are declared twice, by {self._start.name!r} too",
                where=caller(),
                suggestion="use one function for all, or m.initial(...) alone",
            )
        own = tuple(self._own.flat)
        draft = draft_class(own, self._initial[0][: len(own)])  # which has not met the values replaced
        self._begin(draft, initial_states(draft, self._own, states, values), self._added)
        self._listed = True

    @public
    def start(self, function: Function, /) -> Function:
        """Declare the initial states by a function, `@m.start`: every run of it is one, from the declared values on.

        It may assign, `choose` and `require` as an action does.
        """
        scrutinise(function, ())
        if self._again("start"):
            declared = tuple(self._own.flat.values())
            draft = draft_class(tuple(self._own.flat), declared)
            self._begin(draft, (admit_initial(draft, declared),), self._added)
            self._start, self._listed = None, False
        if self._start is not None or self._listed:
            raise ModelError(
                "SC116",
                f"initial states are declared twice, by {function.__name__!r} too",
                where=place(function),
                suggestion="use one function for all, or m.initial(...) alone",
            )
        self._start = Action(function.__name__, function)
        return function

    @public
    def enabled(self, action: str, *arguments: Hashable, **named: Hashable) -> Enabled:
        """The predicate that an action is enabled: `m.enabled("send")`, or one of a family, `m.enabled("send", 2)`.

        Values of family parameters and choices are given by position or by name.
        """
        return Enabled(lambda: self, Asked(action, arguments, named))

    def families(self) -> Collection[str]:
        """The names of its actions; a family may have no member."""
        return self._families

    def enabling(self, action: Action, asked: Asked) -> Callable[[Any], bool]:
        """Whether an action has edges that are asked for, as a function of a view with the variables as they are."""
        return enabling(action, asked, self._draft, self._initial[0])

    def decidable(self, action: Action, asked: Asked) -> bool:  # noqa: ARG002 - in nets it depends on both
        """Whether engines, which know when an action has edges, know when it has such that are asked for."""
        return False

    def flat_view(self, view: Any) -> Any:
        """What a predicate is given, with the variables as engines know them."""
        return self._faces.flat_view(view)

    # -- what the engines see ---------------------------------------------------------------------------------------

    def declared_fairness(self) -> tuple[FairNames, ...]:
        """See `Prepared`."""
        fair = [(one, one.fair == STRONG) for one in self.actions if one.fair]
        own = (FairNames((str(one.unit if strong else one.label),), strong) for one, strong in fair)
        return (*dict.fromkeys(own), *self._fair)

    def unit_of(self, action: Any) -> Label:
        """See `Prepared`."""
        unit: Label = action.unit
        return unit

    def with_log(self, events: Any) -> Model | None:
        """See `Prepared`."""
        from sweepcheck.models.actions.logged import LoggedModel

        return LoggedModel(self, events)

    def declared_actions(self) -> Sequence[Action]:
        """See `Prepared`."""
        return tuple(self.actions)

    def names_of(self, action: Any) -> tuple[str, ...]:
        """See `Prepared`."""
        return tuple(action.names)

    @cached_property
    def named_actions(self) -> dict[str, list[Action]]:
        """The actions that each name stands for. To be asked when all are declared."""
        found: dict[str, list[Action]] = {}
        for one in self.actions:
            for name in dict.fromkeys(self.names_of(one)):
                found.setdefault(name, []).append(one)
        return found

    def action_functions(self) -> dict[str, Callable[..., Any]]:
        """See `Prepared`."""
        return {name: members[0].written for name, members in self._families.items() if members}

    def initial_states(self) -> Sequence[State]:
        """The initial states, each a tuple of the variables' values; made when they are asked for, where many are."""
        if self._written_at is not None:
            forgotten_decorators(*self._written_at, self._faces.names)
            self._written_at = None  # looking once is enough
            if self._added:
                from sweepcheck.models.generators.written import check_moves

                check_moves(self.action_functions().values(), self._added)
        if self._start is not None and not self._listed:
            self._initial = started(self._start, self._draft, self._faces, self._initial[0])
            self._listed = True
        return self._initial

    def edges(self, state: State) -> tuple[Edge, ...]:
        """The distinct edges out of a state, in the order of actions and choices."""
        return self.some_edges(state, None)

    def some_edges(self, state: State, most: int | None) -> tuple[Edge, ...]:
        """See `Prepared`: the runs after so many edges are not made."""
        values: tuple[Any, ...] = state  # type: ignore[assignment]
        found: dict[Edge, None] = {}
        try:
            for action in self.actions:
                for label, target in action.runs(values, self._draft):
                    found[Edge(label, target)] = None
                    if len(found) == most:
                        return tuple(found)
        except SweepcheckError as error:
            words = " ".join(f"{name}={shown(value)}" for name, value in self.describe(values).items())
            error.add(("state", words))
            raise
        return tuple(found)

    def runs_of(self, action: int, state: State) -> tuple[tuple[Edge, ...], frozenset[int]] | None:
        """See `Prepared`."""
        values: tuple[Any, ...] = state  # type: ignore[assignment]
        touched: set[int] = set()
        runs = self.actions[action].runs(values, partial(noting_draft, self._draft, touched))
        return tuple(dict.fromkeys(Edge(label, target) for label, target in runs)), frozenset(touched)

    def reads_along(self, trace: Trace) -> list[frozenset[str] | None]:
        """See `Prepared`."""
        reader = Reader(self.actions, self._draft, self.tabulate().variables)
        pairs = zip(trace.states, trace.steps, strict=False)
        return [self._read_by(reader, state, Edge(step.label, step.state)) for state, step in pairs]

    def _read_by(self, reader: Reader, state: State, edge: Edge) -> frozenset[str] | None:
        return reader.of(state, edge)

    def view(self, state: State) -> Any:
        """The state as predicates and measures read it."""
        view = self._view(state)  # type: ignore[arg-type]
        return view if self._faces.face is None else self._faces.face(view)

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A predicate or measure as a function of an engine's own view, which has the variables as they are."""
        return self._faces.reading(function)

    def tabulate(self) -> Tables:
        """See `Tabulated`: the variables are what their initial values are, and every action is a function."""
        initial: tuple[Any, ...] = self.initial_states()[0]  # type: ignore[assignment]
        return Tables(
            tuple(self._variable(name, value) for name, value in zip(self.variables, initial, strict=True)),
            tuple(
                ActionFunction(self._faces.faced(one.function), dict(one.arguments), one.blame) for one in self.actions
            ),
        )

    def _variable(self, name: str, value: Any) -> Variable:
        capacity = value.capacity if isinstance(value, Queue) else None
        length = len(value) if isinstance(value, Array) else 0
        kind = _KINDS.get(type(value), VariableKind.SCALAR)
        return Variable(name, kind, length, capacity, spoken=self._faces.spoken.get(name, ()))

    def describe(self, state: State) -> dict[str, object]:
        """The state as variables and values."""
        values: tuple[Any, ...] = state  # type: ignore[assignment]
        return self._faces.described(self._view(values), dict(zip(self.variables, values, strict=True)))

    def owner(self, label: Label) -> str | None:
        """The process or module that the action's name begins with, the member of the family that its first parameter
        tells. Parameters over the same values are taken for one, whatever they are called.
        """
        part, _, _ = label.action.rpartition(".")
        over = {family: _first_values(members) for family, members in self._families.items()}
        values = over.get(label.action)
        if values is None:
            return part or None
        value = dict(label.arguments)[self._families[label.action][0].arguments[0][0]]
        if part or isinstance(value, str):
            return f"{part} {value_text(value)}" if part else str(value)
        first = next(family for family, others in over.items() if others == values)
        return f"{self._families[first][0].arguments[0][0]}={value_text(value)}"

    def locate(self, label: Label) -> str | None:
        """Where the action of an edge is written."""
        members = self._families.get(label.action)
        return members[0].place if members else None

    def __repr__(self) -> str:
        counts = ((len(self.variables), "variable"), (len(self.actions), "action"))
        words = ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts)
        return f"<Model {self.name!r}: {words}>"


def _first_values(members: Sequence[Action]) -> frozenset[Hashable] | None:
    """The values of a family's first parameter; None where there is no parameter."""
    return frozenset(one.arguments[0][1] for one in members) if members and members[0].arguments else None


_KINDS = {Bag: VariableKind.BAG, Set: VariableKind.SET, Queue: VariableKind.QUEUE, Array: VariableKind.ARRAY}


def _members(given: Any, action: str, name: str, values: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """The values of one family parameter."""
    function = written(given)
    suggestion = f"give the values it runs through: @m.action({name}=range(3))"
    what = f"parameter {name!r} of action {action!r} was given"
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
