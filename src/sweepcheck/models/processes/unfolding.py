"""From a process to its LTS: the terms it can become, found from the first one on, are its locations.

A term is a piece of the file with the values of the names that are free in it. A call is a location of its own, named
as it is written (`Counting(2)`); a term between two events is named after the way to it (`Idle after send.1`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

from sweepcheck.models.processes import syntax
from sweepcheck.models.processes.evaluation import Environment, Source
from sweepcheck.models.processes.lts import LTS, Triple
from sweepcheck.models.processes.syntax import Process

Values = tuple[tuple[str, int], ...] | tuple[int, ...]
Term = tuple[str | int, Values]  # a call: its name and arguments; any other piece: its identity and the values in it

STOP, SKIP = "STOP", "SKIP"  # no process can be called so
BOUND_IT = "bound the data of the process: Counter(k: 0..10)"
LONGEST_NAME = 1000  # characters: names of names would grow with the square of the way
DEEPEST = 100  # calls without an event between them


@dataclass(slots=True)
class _Found:
    """The locations found so far, in order, with their names."""

    terms: list[Term]
    names: list[str]
    numbers: dict[Term, int]
    taken: dict[str, int]  # the names given, with how often each was wanted

    def add(self, term: Term, wanted: str) -> int:
        """A new location; its name is made different from all others."""
        name, count = wanted, self.taken.get(wanted, 1)
        while name in self.taken:
            count += 1
            name = f"{wanted} ({count})"
        self.taken[wanted] = count
        self.taken.setdefault(name, 1)
        self.terms.append(term)
        self.names.append(name)
        self.numbers[term] = number = len(self.numbers)
        return number


@dataclass(frozen=True, slots=True)
class Unfolding:
    """The definitions of a file and the constants they may use."""

    source: Source
    definitions: Mapping[str, syntax.Definition]
    constants: Environment
    _pieces: dict[int, Process] = field(default_factory=dict)
    _free: dict[int, frozenset[str]] = field(default_factory=dict)

    def lts(self, call: syntax.Call, environment: Environment) -> LTS:
        """The LTS of a process called with these values."""
        found, where = _Found([], [], {}, {}), self.source.place(call.at)
        found.add(first := self._term(call, environment), _text(first))
        steps: list[Triple] = []
        final: list[int] = []
        number = 0
        while number < len(found.terms):
            piece, values = self._opened(found.terms[number])
            if self._may_rest(piece, values, ()):
                final.append(number)
            for event, then, inner in self._steps(piece, values, ()):
                term = self._term(then, inner)
                target = found.numbers.get(term)
                if target is None:
                    target = found.add(term, _text(term) or _after(found.names[number], event))
                    self.source.size.add(1, where, BOUND_IT)
                steps.append((number, event, target))
                self.source.size.add(1, where, BOUND_IT)
            number += 1
        return LTS.numbered(found.names, steps, 0, final=final)

    def _term(self, process: Process, environment: Environment) -> Term:
        """A process with its values: what makes it the same location as another."""
        match process:
            case syntax.Call():
                name, arguments = self.source.call(process, environment)
                self._definition(process, arguments)
                return name, arguments
            case syntax.Stop() | syntax.Skip():
                return (STOP if isinstance(process, syntax.Stop) else SKIP), ()
        key = id(process)
        if key not in self._free:
            self._pieces[key], self._free[key] = process, _names_in(process)
        return key, tuple((name, environment[name]) for name in sorted(self._free[key]) if name in environment)

    def _opened(self, term: Term) -> tuple[Process, Environment]:
        """A location's process and the values of its names."""
        key, values = term
        if isinstance(key, int):
            return self._pieces[key], {**self.constants, **dict(values)}  # type: ignore[arg-type]
        if key in (STOP, SKIP):
            nowhere = syntax.Position(1, 1)
            return syntax.Stop(nowhere) if key == STOP else syntax.Skip(nowhere), {}
        definition = self.definitions[key]
        formals = (formal.name for formal in definition.formals)
        return definition.body, {**self.constants, **dict(zip(formals, values, strict=True))}  # type: ignore[arg-type]

    def _definition(self, call: syntax.Call, arguments: tuple[int, ...]) -> syntax.Definition:
        """The definition that a call means, if its arguments suit it."""
        if call.name not in self.definitions:
            raise self.source.unknown("process", call.name, self.definitions, call.at)
        definition = self.definitions[call.name]
        if len(definition.formals) != len(arguments):
            wanted = ", ".join(formal.name for formal in definition.formals) or "none"
            what = f"process {call.name!r} was given {len(arguments)} arguments"
            raise self.source.error("SC603", what, call.at, f"it takes: {wanted}")
        for formal, value in zip(definition.formals, arguments, strict=True):
            if formal.range is None:
                continue
            allowed = self.source.values(formal.range, self.constants)
            if isinstance(value, bool) or value not in allowed:
                what = (
                    f"argument {formal.name!r} of {call.name} is {value}, outside {allowed.start}..{allowed.stop - 1}"
                )
                raise self.source.error("SC603", what, call.at, "guard the step that leads here: when k < n: ...")
        return definition

    def _steps(
        self, process: Process, environment: Environment, calls: tuple[Term, ...]
    ) -> Iterator[tuple[str, Process, Environment]]:
        """The steps of a process in the order written; `calls` are those passed through without an event."""
        match process:
            case syntax.Prefix():
                yield self.source.event(process.event, environment), process.then, environment
            case syntax.Choice():
                for branch in process.branches:
                    yield from self._steps(branch, environment, calls)
            case syntax.When():
                if self.source.truth(process.condition, environment):
                    yield from self._steps(process.then, environment, calls)
            case syntax.AnyOf():
                for inner in self.source.bindings(process, environment):
                    yield from self._steps(process.then, inner, calls)
            case syntax.Call():
                body, inner, passed = self._through(process, environment, calls)
                yield from self._steps(body, inner, passed)
            case syntax.Stop() | syntax.Skip():
                return

    def _through(
        self, call: syntax.Call, environment: Environment, calls: tuple[Term, ...]
    ) -> tuple[Process, Environment, tuple[Term, ...]]:
        """The body of a call that stands where an event could stand."""
        self.source.size.work(1 + len(calls), self.source.place(call.at))  # each of them is looked at
        term = self._term(call, environment)
        if term in calls or len(calls) > DEEPEST:
            where = "itself" if term in calls else f"more than {DEEPEST} calls"
            what = f"{_text(term)} leads to {where} without any event"
            raise self.source.error("SC604", what, call.at, f"let an event come first: event -> {call.name}")
        return (*self._opened(term), (*calls, term))

    def _may_rest(self, process: Process, environment: Environment, calls: tuple[Term, ...]) -> bool:
        """Whether SKIP is among the choices."""
        match process:
            case syntax.Skip():
                return True
            case syntax.Choice():
                return any(self._may_rest(branch, environment, calls) for branch in process.branches)
            case syntax.When():
                return self.source.truth(process.condition, environment) and self._may_rest(
                    process.then, environment, calls
                )
            case syntax.AnyOf():
                return any(
                    self._may_rest(process.then, inner, calls) for inner in self.source.bindings(process, environment)
                )
            case syntax.Call():
                return self._may_rest(*self._through(process, environment, calls))
            case _:
                return False


def _names_in(node: object) -> frozenset[str]:
    """The names of variables and indices anywhere inside."""
    if isinstance(node, syntax.Variable | syntax.Word):
        return frozenset({node.name})
    if isinstance(node, tuple) and not isinstance(node, syntax.Position):
        return reduce(frozenset.union, map(_names_in, node), frozenset())
    if isinstance(node, syntax.Node):
        inner = frozenset().union(*(_names_in(getattr(node, name)) for name in node.__dataclass_fields__))
        bound = {node.name} if isinstance(node, syntax.AnyOf | syntax.Quantified) else set()
        return inner - bound
    return frozenset()


def _text(term: Term) -> str:
    """A call as it is written, with its values; nothing for other pieces."""
    key, arguments = term
    if isinstance(key, int):
        return ""
    text = ", ".join(str(value).lower() for value in arguments)
    return f"{key}({text})" if text else key


def _after(before: str, event: str) -> str:
    """The name of a piece between two events; of a long way, the last events are left out."""
    if len(before) > LONGEST_NAME:
        return before
    return f"{before}, {event}" if " after " in before else f"{before} after {event}"
