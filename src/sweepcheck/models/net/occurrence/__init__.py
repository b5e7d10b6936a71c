"""From a transition to a function on drafts: the occurrence rule, in an order that fails early.

The function is written as Python text, one statement a line, and compiled once; both engines run it like any action.
Places that always hold one token are read and assigned like variables. A token whose variables are all bound is looked
up; only a pattern with something unknown in it runs through the tokens of its place. Conditions are tested as soon as
their variables are bound, and arcs that bind least go first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sweepcheck.models.net.names import check_names, expressions, given
from sweepcheck.models.net.occurrence.binding import bind
from sweepcheck.models.net.occurrence.called import namespace_of
from sweepcheck.models.net.occurrence.outputs import decide_early, decide_late, produce
from sweepcheck.models.net.occurrence.writer import Slot, Writer
from sweepcheck.models.net.structure import Place, Transition


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A transition as functions on a draft: one that does it, and one that also returns the binding, for labels."""

    function: Callable[[Any], None]
    labelled: Callable[[Any], tuple[tuple[str | None, Any], ...]]
    source: str
    origins: tuple[str, ...]  # by line of the source: the inscription it comes from
    variables: frozenset[str]


def occurrence(transition: Transition, slots: Mapping[Place, Slot]) -> Occurrence:
    """The functions of a transition whose places are found in these slots."""
    check_names(transition)
    writer = Writer(transition, slots, namespace_of(transition), given=given(transition))
    decide_early(writer)
    bind(writer)
    decide_late(writer)
    produce(writer)
    if not any(arc.kind == "reset" or (arc.kind in ("take", "put") and arc.count) for arc in transition.arcs):
        writer.line("_stay()", "the transition")  # it may move no token at all, and occurs nevertheless
    function, labelled = (_defined(writer, last) for last in ("pass", f"return {_binding(writer)}"))
    origins = ("", *writer.origins, "the binding")
    return Occurrence(function, labelled, writer.source(), origins, frozenset(writer.bound))


def _defined(writer: Writer, last: str) -> Callable[[Any], Any]:
    exec(writer.compiled(last), writer.namespace)
    function: Callable[[Any], Any] = writer.namespace.pop("_occur")
    return function


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
