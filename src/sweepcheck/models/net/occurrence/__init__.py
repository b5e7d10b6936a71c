"""From a transition to a function on drafts: the occurrence rule, in an order that fails early.

The function is written as Python text, one statement a line, and compiled; both engines run it like any action.
Places that always hold one token are read and assigned like variables. A token whose variables are all bound is looked
up; only a pattern with something unknown in it runs through the tokens of its place. Conditions are tested as soon as
their variables are bound, and arcs that bind least go first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from sweepcheck.models.net.names import check_names, expressions, given
from sweepcheck.models.net.occurrence.binding import bind
from sweepcheck.models.net.occurrence.called import checker, namespace_of
from sweepcheck.models.net.occurrence.outputs import decide_early, decide_late, produce
from sweepcheck.models.net.occurrence.shape import shape
from sweepcheck.models.net.occurrence.writer import Slot, Writer
from sweepcheck.models.net.structure import Place, Transition


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A transition as functions on a draft: one that does it, and one that also returns the binding, for labels."""

    function: Callable[[Any], None]
    labelled: Callable[[Any], tuple[tuple[str | None, Any], ...]]
    variables: frozenset[str]
    transition: Transition
    slots: Mapping[Place, Slot]

    def origin(self, line: int) -> str:
        """The inscription that a line of `labelled` comes from."""
        return ("", *_written(self.transition, self.slots).origins, "the binding")[line - 1]


@dataclass(frozen=True, slots=True)
class _Shape:
    """The functions of all transitions that are alike but for the names of their places."""

    function: CodeType
    labelled: CodeType
    namespace: dict[str, Any]
    variables: frozenset[str]
    example: Transition  # what tells one shape from another is known by its identity, and must not go away

    def occurrence(self, transition: Transition, slots: Mapping[Place, Slot]) -> Occurrence:
        """The functions of one of them."""
        places = list(slots)

        def named(name: str) -> str:
            kind, _, number = name.partition(" ")
            if not number:
                return name
            place = places[int(number)]
            if kind == "place":
                return slots[place].variable
            self.namespace.setdefault(f"check {place.name}", checker(place))
            return f"check {place.name}"

        def function(code: CodeType) -> Callable[[Any], Any]:
            return FunctionType(code.replace(co_names=tuple(map(named, code.co_names))), self.namespace)

        return Occurrence(function(self.function), function(self.labelled), self.variables, transition, slots)


class Occurrences:
    """Makes the functions of transitions; of each shape they are written and compiled once."""

    def __init__(self) -> None:
        self._shapes: dict[Hashable, _Shape] = {}

    def occurrence(self, transition: Transition, slots: Mapping[Place, Slot]) -> Occurrence:
        """The functions of a transition whose places are found in these slots."""
        key = shape(transition, slots)
        if key not in self._shapes:
            self._shapes[key] = _compiled(transition, slots)
        return self._shapes[key].occurrence(transition, slots)


def _written(transition: Transition, slots: Mapping[Place, Slot]) -> Writer:
    check_names(transition)
    writer = Writer(transition, slots, namespace_of(transition), given=given(transition))
    decide_early(writer)
    bind(writer)
    decide_late(writer)
    produce(writer)
    if not any(arc.kind == "reset" or (arc.kind in ("take", "put") and arc.count) for arc in transition.arcs):
        writer.line("_stay()", "the transition")  # it may move no token at all, and occurs nevertheless
    return writer


def _compiled(transition: Transition, slots: Mapping[Place, Slot]) -> _Shape:
    writer = _written(transition, slots)
    function, labelled = (_defined(writer, last) for last in ("pass", f"return {_binding(writer)}"))
    return _Shape(function, labelled, writer.namespace, frozenset(writer.bound), transition)


def _defined(writer: Writer, last: str) -> CodeType:
    exec(writer.compiled(last), writer.namespace)
    code: CodeType = writer.namespace.pop("_occur").__code__
    return code


def _binding(writer: Writer) -> str:
    """The binding as the label shows it: variables in the order in which the arcs name them."""
    order: dict[str, None] = {}
    for arc in writer.transition.arcs:
        for one in expressions(arc.terms or ()):
            order.update(dict.fromkeys(_mentioned(one.node)))
    shown_ = [name for name in order if name in writer.bound and name not in writer.transition.let]
    shown_ += sorted(writer.bound - set(order) - set(writer.transition.let))
    pairs = [f"({name!r}, {name})" for name in shown_] + [f"(None, {name})" for name in writer.unnamed]
    return "(" + "".join(f"{pair}, " for pair in pairs) + ")"


def _mentioned(node: ast.AST) -> Iterator[str]:
    """The names in an expression from left to right."""
    if isinstance(node, ast.Name):
        yield node.id
    for inner in ast.iter_child_nodes(node):
        yield from _mentioned(inner)
