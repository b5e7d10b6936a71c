"""The graph of a component with its progress values, as DOT text and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from sweepcheck.errors import RequestError, installation
from sweepcheck.measures.computed import Ranking, Shape
from sweepcheck.models.processes.lts import LTS
from sweepcheck.text import visible

INK, REGRESS, START, BOX = "#33414a", "#b5482f", "#dcebf0", "#f4f6f7"
MOST_DRAWN = 2000  # locations; more take the layout minutes and nobody can read them


def graph_to_dot(name: str, lts: LTS, graph: Shape, rankings: Sequence[Ranking]) -> str:
    """Locations with progress values, strongly connected components as boxes, steps that go back dashed."""
    rows = [
        f"digraph {quoted(name)} {{",
        '  rankdir=TB; fontname="Helvetica"; labelloc=t; fontsize=12;',
        f"  label={quoted(name)};",
        f'  node [shape=box, style="rounded,filled", fillcolor=white, color="{INK}"];',
        '  node [fontname="Helvetica", fontsize=10];',
        f'  edge [color="{INK}", fontname="Helvetica", fontsize=9, arrowsize=0.7];',
    ]
    members: dict[int, list[int]] = {}
    for location in range(len(lts)):
        members.setdefault(graph.component_of[location], []).append(location)
    for number in sorted(members):
        nodes = [_node(lts, location, rankings) for location in members[number]]
        if len(nodes) > 1:
            rows += [f"  subgraph cluster_{number} {{", f'    label=""; style="rounded,filled"; color="{BOX}";']
            rows += [*(f"  {node}" for node in nodes), "  }"]
        else:
            rows += nodes
    for source in range(len(lts)):
        rows += _edges(lts, source, rankings)
    return "\n".join([*rows, "}"]) + "\n"


def _node(lts: LTS, location: int, rankings: Sequence[Ranking]) -> str:
    value = ", ".join(str(ranking.values[location]) for ranking in rankings)
    filled = f', fillcolor="{START}"' if location == lts.initial else ""
    rest = ", peripheries=2" if location in lts.final else ""
    text = quoted(str(lts.locations[location]), value)
    return f"  {location} [label={text}{filled}{rest}];"


def _edges(lts: LTS, source: int, rankings: Sequence[Ranking]) -> list[str]:
    """One arrow for each target, with all its events."""
    events: dict[int, list[str]] = {}
    for event, target in lts.steps(source):
        events.setdefault(target, []).append(event)
    rows = []
    for target, several in events.items():
        back = any(not one.leq(one.values[source], one.values[target]) for one in rankings)
        style = f', style=dashed, color="{REGRESS}", fontcolor="{REGRESS}"' if back else ""
        shown = several if len(several) <= 4 else [*several[:3], f"... {len(several) - 3} more"]
        text = quoted(*shown)
        rows.append(f"  {source} -> {target} [label={text}{style}];")
    return rows


def quoted(*lines: str) -> str:
    """Lines of text as a string of DOT."""
    escaped = (visible(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


def can_draw() -> bool:
    """Whether the package that makes pictures is installed."""
    return find_spec("pygraphviz") is not None


def dot_to_svg(text: str, path: Path) -> None:
    """Draw DOT text; needs the extra `draw`."""
    if not can_draw():
        raise RequestError(
            "SC405", "a picture needs pygraphviz, which is not installed", suggestion=installation("draw")
        )
    import pygraphviz  # type: ignore[import-untyped,unused-ignore]

    try:
        pygraphviz.AGraph(string=text).draw(str(path), prog="dot", format="svg")
    except OSError as error:
        raise RequestError("SC406", f"{path} cannot be written: {error}", suggestion="choose another folder") from None
