"""State graphs as files: drawings (SVG, DOT) and data (JSON, Aldebaran, GraphML)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from sweepcheck.core.writing import write_parts
from sweepcheck.errors import RequestError, closest, shown
from sweepcheck.report.drawing import Drawing
from sweepcheck.report.graph_drawing import graph_to_dot
from sweepcheck.report.state_graph import StateGraph
from sweepcheck.report.typed import typed
from sweepcheck.report.values import json_value, label_text
from sweepcheck.text import value_text, visible

SILENT = ("i", "tau")  # labels that readers of .aut files take for silent steps
MOST_STATES = {".svg": 2_000, ".dot": 20_000, ".gv": 20_000}
MOST_DATA = 1_000_000  # states of a file that is not drawn
MOST_SHOWN = 200  # states of a picture in a notebook


def check_path(path: Path | str) -> int:
    """Refuse a form that is not known; how many states a file of this one may have."""
    if not isinstance(path, str | Path):
        raise RequestError("SC403", f"{shown(path)} is not a file", suggestion="give its path as text")
    suffix = Path(path).suffix.lower()
    if suffix not in _FORMS:
        forms = ", ".join(one for one in _FORMS if one != ".gv")
        raise RequestError(
            "SC614", f"a state graph cannot be written as {Path(path).name!r}", suggestion=f"use one of {forms}"
        )
    return MOST_STATES.get(suffix, MOST_DATA)


def chosen_labels(graph: StateGraph, asked: Any) -> tuple[str, ...] | None:
    """The variables whose values are shown; None: all."""
    if asked is None:
        return None
    if isinstance(asked, str):
        asked = [one.strip() for one in asked.split(",") if one.strip()]
    if not isinstance(asked, list | tuple):
        raise RequestError("SC403", f"{shown(asked)} are no variables", suggestion='write labels=["x", "y"]')
    names = tuple(graph.describe(graph.state(0)))
    meant = tuple(graph.system.variable_called(one) if isinstance(one, str) else one for one in asked)
    for one in meant:
        if one not in names:
            raise RequestError("SC403", f"the model has no variable {shown(one)}", suggestion=closest(str(one), names))
    return meant


def check_size(graph: StateGraph, path: Path | str, most: int) -> None:
    """Refuse a graph with more states than a file of its form may have."""
    if len(graph) > most:
        suffix = Path(path).suffix.lower()
        drawn = suffix in MOST_STATES
        other = "write it as .json, .aut or .graphml; or " if drawn else ""
        found = f"{len(graph):,}" if graph.complete else f"more than {most:,}"
        raise RequestError(
            "SC613",
            f"the graph has {found} {graph.report.noun}, and a {suffix} file may have {most:,}",
            suggestion=f"{other}explore a part of the model: --up-to N (up_to=N) follows N steps,\n"
            f"--max-states N (limits=Limits(states=N)) takes the first N; or give smaller parameters",
        )


def save_graph(graph: StateGraph, path: Path | str, labels: Any = None) -> None:
    """Write a graph as the suffix of the file says."""
    most = check_path(path)
    check_size(graph, path, most)
    shown_ = chosen_labels(graph, labels)
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix in MOST_STATES:
        Drawing(graph.system.name, graph_to_dot(graph, shown_)).save(target)
        return
    try:
        write_parts(target, _FORMS[suffix](graph, shown_))
    except OSError as error:
        raise RequestError(
            "SC406", f"{target} cannot be written: {error.strerror}", suggestion="choose another file"
        ) from None


def picture_of(graph: StateGraph) -> str | None:
    """A picture for a notebook, if the graph is small and the extra `draw` is there."""
    if len(graph) > MOST_SHOWN or find_spec("pygraphviz") is None:
        return None
    return Drawing(graph.system.name, graph_to_dot(graph, None)).svg()


# -- data ------------------------------------------------------------------------------------------------------------


def _json(graph: StateGraph, labels: Sequence[str] | None) -> Iterator[str]:
    """One object: what the graph is of, its states, and its edges as [source, label, target]."""
    initial = {graph.number(state) for state in graph.initial}
    head = {
        "model": graph.system.name,
        "parameters": {name: json_value(value) for name, value in graph.system.parameters.items()},
        "measure": None if graph.measure is None else graph.measure.name,
        "complete": graph.complete,
        "stop": None if graph.stop is None else str(graph.stop),
        "classes": graph.report.noun == "classes",
    }
    yield json.dumps(head, indent=1)[:-2] + ',\n "states": ['
    for number, state in enumerate(graph):
        values = graph.system.describe(state)
        row = {
            "id": number,
            "values": {name: typed(value) for name, value in values.items() if labels is None or name in labels},
            "initial": number in initial,
            "explored": graph.is_explored(state),
            "dead": graph.is_dead(state),
            "violates": list(graph.violated(state)),
            "progress": json_value(graph.progress(state)),
        }
        yield f"{',' if number else ''}\n  {json.dumps(row)}"
    yield '\n ],\n "edges": ['
    comma = ""
    for number in range(len(graph)):
        for label, target in graph.outgoing(number):
            yield f"{comma}\n  {json.dumps([number, str(label), target])}"
            comma = ","
    yield "\n ]\n}\n"


def _aut(graph: StateGraph, labels: Sequence[str] | None) -> Iterator[str]:
    """Aldebaran. Several initial states get silent steps from one more location."""
    del labels  # locations are numbers
    initial = [graph.number(state) for state in graph.initial]
    several = initial if len(initial) > 1 else []
    start = len(graph) if several else initial[0]
    yield f"des ({start}, {graph.edge_count + len(several)}, {len(graph) + bool(several)})\n"
    for target in several:
        yield f"({start}, i, {target})\n"
    for number in range(len(graph)):
        for label, target in graph.outgoing(number):
            yield f"({number}, {_aut_label(label_text(label), is_event=not label.arguments, graph=graph)}, {target})\n"


def _aut_label(text: str, is_event: bool, graph: StateGraph) -> str:
    """A label in quotes. An action that is called as silent steps are is none."""
    if is_event and text in SILENT:
        events = graph.system.action_word == "event"
        text = text if events else f"{text}()"
    written = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{written}"'


GRAPHML = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""


def _graphml(graph: StateGraph, labels: Sequence[str] | None) -> Iterator[str]:
    """GraphML: the variables, and what is known about each state, as data of the nodes."""
    initial = {graph.number(state) for state in graph.initial}
    names = tuple(graph.system.describe(graph.state(0))) if labels is None else labels
    flags = ("initial", "explored", "dead")
    yield GRAPHML
    for key in flags:
        yield f'  <key id="{key}" for="node" attr.name="{key}" attr.type="boolean"/>\n'
    for key in ("violates", "progress"):
        yield f'  <key id="{key}" for="node" attr.name="{key}" attr.type="string"/>\n'
    for position, name in enumerate(names):
        written = quoteattr(visible(name))
        yield f'  <key id="v{position}" for="node" attr.name={written} attr.type="string"/>\n'
    yield '  <key id="label" for="edge" attr.name="label" attr.type="string"/>\n'
    yield f'  <graph id={quoteattr(visible(graph.system.name))} edgedefault="directed">\n'
    for number, state in enumerate(graph):
        values = graph.system.describe(state)
        known = (number in initial, graph.is_explored(state), graph.is_dead(state))
        data = {key: str(value).lower() for key, value in zip(flags, known, strict=True)}
        if violated := graph.violated(state):
            data["violates"] = ", ".join(violated)
        if graph.measure is not None:
            data["progress"] = value_text(graph.progress(state))
        data |= {f"v{position}": value_text(values[name]) for position, name in enumerate(names)}
        cells = "".join(f'<data key="{key}">{escape(visible(value))}</data>' for key, value in data.items())
        yield f'    <node id="s{number}">{cells}</node>\n'
    for number in range(len(graph)):
        for label, target in graph.outgoing(number):
            text = escape(label_text(label))
            yield f'    <edge source="s{number}" target="s{target}"><data key="label">{text}</data></edge>\n'
    yield "  </graph>\n</graphml>\n"


Form = Callable[[StateGraph, Sequence[str] | None], Iterator[str]]


def _drawn(graph: StateGraph, labels: Sequence[str] | None) -> Iterator[str]:
    yield graph_to_dot(graph, labels)


_FORMS: dict[str, Form] = {
    ".svg": _drawn,
    ".dot": _drawn,
    ".gv": _drawn,
    ".json": _json,
    ".aut": _aut,
    ".graphml": _graphml,
}
