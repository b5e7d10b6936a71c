"""From a transition to a function on drafts: the occurrence rule, in an order that fails early.

The function is written as Python text, one statement a line, and compiled; both engines run it like any action.
Places that always hold one token are read and assigned like variables. A token whose variables are all bound is looked
up; only a pattern with something unknown in it runs through the tokens of its place. Conditions are tested as soon as
their variables are bound, and arcs that bind least go first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any

from sweepcheck.models.net.names import check_names, expressions, given
from sweepcheck.models.net.occurrence.binding import bind
from sweepcheck.models.net.occurrence.called import checker, namespace_of
from sweepcheck.models.net.occurrence.outputs import decide_early, decide_late, produce
from sweepcheck.models.net.occurrence.shape import shape
from sweepcheck.models.net.occurrence.writer import Slot, Writer
from sweepcheck.models.net.structure import Place, Transition


class Occurrence:
    """A transition as functions on a draft: one that does it, and one that also returns the binding, for labels."""

    def __init__(self, shape: _Shape, transition: Transition, slots: Mapping[Place, Slot]) -> None:
        self.function: Callable[[Any], None] = shape.function(shape.code, slots)
        self.variables = shape.variables
        self._shape = shape
        self.transition = transition
        self.slots = slots

    @cached_property
    def labelled(self) -> Callable[[Any], tuple[tuple[str | None, Any], ...]]:
        """The function that returns the binding. Explorations of tables need it for traces alone."""
        return self._shape.function(self._shape.labelled, self.slots)

    @property
    def source(self) -> str:
        """What is written for transitions of this shape, their places numbered in the order of the arcs."""
        return self._shape.source

    def origin(self, line: int) -> str:
        """The inscription that a line of `labelled` comes from."""
        return ("", *_written(self.transition, self.slots).origins, "the binding")[line - 1]


class _Shape:
    """The functions of all transitions that are alike but for the names of their places."""

    def __init__(self, transition: Transition, slots: Mapping[Place, Slot]) -> None:
        # The transition stays: what tells one shape from another is known by its identity, and must not go away.
        self._writer = _written(transition, slots)
        self.code = _defined(self._writer, "pass")
        self.variables = frozenset(self._writer.bound)

    @property
    def source(self) -> str:
        """The text of the function, without the binding."""
        return "\n".join(("def _occur(_s):", *self._writer.lines))

    @cached_property
    def labelled(self) -> CodeType:
        """The code of the function that returns the binding."""
        return _defined(self._writer, f"return {_binding(self._writer)}")

    def function(self, code: CodeType, slots: Mapping[Place, Slot]) -> Callable[[Any], Any]:
        """The function of one of the transitions, whose places are in these slots."""
        places, namespace = list(slots), self._writer.namespace

        def named(name: str) -> str:
            kind, _, number = name.partition(" ")
            if not number:
                return name
            place = places[int(number)]
            if kind == "place":
                return slots[place].variable
            namespace.setdefault(f"check {place.name}", checker(place))
            return f"check {place.name}"

        return FunctionType(code.replace(co_names=tuple(map(named, code.co_names))), namespace)


class Occurrences:
    """Makes the functions of transitions; of each shape they are written and compiled once."""

    def __init__(self) -> None:
        self._shapes: dict[Hashable, _Shape] = {}

    def occurrence(self, transition: Transition, slots: Mapping[Place, Slot]) -> Occurrence:
        """The functions of a transition whose places are found in these slots."""
        key = shape(transition, slots)
        if key not in self._shapes:
            self._shapes[key] = _Shape(transition, slots)
        return Occurrence(self._shapes[key], transition, slots)


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
