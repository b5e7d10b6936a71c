"""A state graph as DOT text: layers of progress as columns, and the states that matter marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.engines.progress import leq
from sweepcheck.report.dot import INK
from sweepcheck.report.graph import REGRESS, START, quoted
from sweepcheck.report.state_graph import GraphEdge, StateGraph
from sweepcheck.report.values import label_text
from sweepcheck.text import value_text, visible

DEAD, VIOLATING, PALE = "#fbeec2", "#f3c9c0", "#8a979f"
MOST_TEXT = 40  # characters of a value
MOST_LABELS = 4  # of one arrow


def graph_to_dot(graph: StateGraph, labels: Sequence[str] | None) -> str:
    """States with the values of these variables, or of all; every edge labelled as traces name it."""
    name = graph.system.name
    rows = [
        f"digraph {quoted(name)} {{",
        f"  label={quoted(name, _legend(graph))}; labelloc=t; fontname=Arial; fontsize=13; fontcolor={quoted(INK)};",
        "  rankdir=LR; ranksep=0.5; nodesep=0.25; bgcolor=white;",
        f'  node [shape=box, style="rounded,filled", fillcolor=white, color="{INK}", fontcolor="{INK}"];',
        "  node [fontname=Arial, fontsize=10, margin=0.08];",
        f'  edge [color="{INK}", fontcolor="{INK}", fontname=Arial, fontsize=9, arrowsize=0.7];',
    ]
    layers = _layers(graph)
    initial = frozenset(graph.initial)
    rows += [_node(graph, number, state, state in initial, labels) for number, state in enumerate(graph)]
    rows += _columns(layers, graph.measure)
    column = {number: place for place, (_, numbers) in enumerate(layers) for number in numbers}
    for number, state in enumerate(graph):
        rows += _edges(graph, number, state, column)
    return "\n".join([*rows, "}"]) + "\n"


def _legend(graph: StateGraph) -> str:
    noun = graph.report.noun
    words = f"{len(graph):,} {noun}, {graph.edge_count:,} edges"
    return words if graph.complete else f"{words}; {graph.stop}"


def _node(graph: StateGraph, number: int, state: Any, initial: bool, labels: Sequence[str] | None) -> str:
    values = graph.system.describe(state)
    lines = [f"{visible(name)}={_clipped(value_text(values[name]))}" for name in (values if labels is None else labels)]
    violated = graph.violated(state)
    given = []
    if violated:
        lines += [f"violates {visible(name)}" for name in violated]
        given.append(f'fillcolor="{VIOLATING}", color="{REGRESS}"')
    elif graph.is_dead(state):
        given.append(f'fillcolor="{DEAD}"')
    elif initial:
        given.append(f'fillcolor="{START}"')
    if initial:
        given.append("penwidth=2.2")
    if graph.is_dead(state):
        given.append("peripheries=2")
    if not graph.is_explored(state):
        given.append(f'style="rounded,filled,dashed", color="{PALE}", fontcolor="{PALE}"')
    text = quoted(*(lines or [str(number)]))
    return f"  s{number} [{', '.join([f'label={text}', *given])}];"


def _clipped(text: str) -> str:
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 2]} …"


def _layers(graph: StateGraph) -> list[tuple[Any, list[int]]]:
    """The states by progress, where any two values can be compared; else none."""
    measure = graph.measure
    if measure is None or not measure.order.total:
        return []
    found: dict[Any, list[int]] = {}
    for number, state in enumerate(graph):
        found.setdefault(graph.progress(state), []).append(number)
    ordered: list[Any] = []
    for value in found:  # they come nearly in order
        place = len(ordered)
        while place and not leq(measure, ordered[place - 1], value):
            place -= 1
        ordered.insert(place, value)
    return [(value, found[value]) for value in ordered]


def _columns(layers: list[tuple[Any, list[int]]], measure: Measure | None) -> list[str]:
    """A column for every progress value, with the value above it."""
    if not layers or measure is None:
        return []
    rows = [f'  node [shape=plaintext, style="", fontcolor="{PALE}", margin=0];']
    name = visible(measure.name)
    for place, (value, numbers) in enumerate(layers):
        words = f"{name} = {_clipped(value_text(value))}" if len(name) <= MOST_TEXT else value_text(value)
        rows.append(f"  p{place} [label={quoted(words)}];")
        rows.append("  { rank=same; " + "; ".join([f"p{place}", *(f"s{number}" for number in numbers)]) + " }")
    chain = " -> ".join(f"p{place}" for place in range(len(layers)))
    return [*rows, *([f"  {chain} [style=invis, weight=100];"] if len(layers) > 1 else [])]


def _edges(graph: StateGraph, number: int, source: Any, column: dict[int, int]) -> list[str]:
    """One arrow for each target, with the labels of all edges that lead there."""
    together: dict[int, list[str]] = {}
    wrong: set[int] = set()
    for label, target in graph.outgoing(number):
        together.setdefault(target, []).append(label_text(label))
        if graph.forbidden(GraphEdge(source, label, graph.state(target))):
            wrong.add(target)
    rows = []
    for target, several in together.items():
        words = several if len(several) <= MOST_LABELS else [*several[:3], f"... {len(several) - 3} more"]
        # Graphviz may fail over labels of arrows inside a column; beside the arrow it puts them all the same.
        beside = bool(column) and column[target] == column[number] and target != number
        given = [f"{'xlabel' if beside else 'label'}={quoted(*words)}"]
        if column and column[target] < column[number]:  # a step back
            given.append("constraint=false, style=dashed")
        if target in wrong:
            given.append(f'color="{REGRESS}", fontcolor="{REGRESS}", penwidth=2')
        rows.append(f"  s{number} -> s{target} [{', '.join(given)}];")
    return rows
