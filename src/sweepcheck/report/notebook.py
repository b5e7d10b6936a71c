"""What notebooks show of models, nets, traces and simulations. Whatever users named is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape as escape_html
from importlib.util import find_spec
from typing import Any

from sweepcheck.core.display import WRITERS
from sweepcheck.core.trace import Trace
from sweepcheck.errors import SweepcheckError, installation
from sweepcheck.models.actions.model import Model
from sweepcheck.models.net.net import Net
from sweepcheck.report.values import label_text, property_text, steps_text
from sweepcheck.text import value_text, visible, visible_lines

MOST_ROWS = 40  # of a table
MOST_DRAWN = 150  # places and transitions: larger nets are drawn when somebody asks for it
LONGEST = 200  # characters of a value
STYLE = "font-family:sans-serif;line-height:1.5;max-width:60em"
PRE = "font-family:monospace;overflow-x:auto"  # notebooks give what they show their own letters


def escape(text: str) -> str:
    """Text as HTML shows it."""
    return escape_html(visible_lines(text))


def model_to_html(model: Model) -> str:
    """Its variables with their initial values, its actions, and what is asked of it."""
    families: dict[str, int] = {}
    for action in model.actions:
        families[action.name] = families.get(action.name, 0) + 1
    actions = [name if count == 1 else f"{name} (family of {count:,})" for name, count in families.items()]
    try:
        initial = model.initial_states()
        values = {name: value_text(value) for name, value in model.describe(initial[0]).items()}
        more = f"the first of {len(initial):,} initial states" if len(initial) > 1 else ""
    except SweepcheckError as error:  # a mistake in @m.start, say: the model can be looked at nevertheless
        values, more = dict.fromkeys(model.variables, ""), error.what
    return _box(
        f"<strong>{escape(model.name)}</strong>",
        _table(("variable", "initially"), values.items()),
        _note(more),
        _listed("actions", actions),
        *_questions(model),
    )


def net_to_html(net: Net) -> str:
    """The drawing, if Graphviz is there, else what would draw it; places, transitions, and what is asked of it."""
    marked = [(place.name, f"{place.colour}", value_text(place.initial)) for place in net.places.values()]
    return _box(
        f"<strong>{escape(net.name)}</strong>",
        _picture(net),
        _folded("places", _table(("place", "colour", "tokens"), marked)),
        _listed("transitions", list(net.transitions)),
        _listed("modules", list(net.substitutions)),
        *_questions(net),
    )


def _picture(net: Net) -> str:
    if len(net.places) + len(net.transitions) > MOST_DRAWN:
        return _note("large; draw(net) draws it")
    if find_spec("pygraphviz") is None:
        return _note(f"for a picture: {installation('draw')}")
    from sweepcheck.report.drawing import draw_net

    try:
        return svg_alone(draw_net(net).svg())
    except SweepcheckError as error:  # a net that is not finished yet
        return _note(error.what)


def svg_alone(svg: str) -> str:
    """A picture as a part of a page, without the head of a file."""
    return svg[svg.index("<svg") :]


def trace_to_html(trace: Trace) -> str:
    """Its steps with what each changed; of a trace without its model the labels alone."""
    from sweepcheck.report.trace import describe_trace, trace_to_text

    title = f"a run of {steps_text(len(trace))}" + ("" if trace.loop is None else f" that goes back to {trace.loop}")
    if trace.system is None:
        lines = [f"{number}  {label_text(step.label)}" for number, step in enumerate(trace.steps, start=1)]
        shown = "\n".join(lines)
    else:
        shown = trace_to_text(describe_trace(trace.system, trace))
    return _box(f"<strong>{escape(title)}</strong>", _pre(shown))


def simulation_to_html(simulation: Any) -> str:
    """Where it is: the last step, the state, what is violated, and what can happen next."""
    from sweepcheck.report.stepping import edges_to_text, steps_to_text

    system, position = simulation.system, simulation.position
    last = steps_to_text(system, simulation.since(position - 1), position) if position else ""
    values = {name: value_text(value) for name, value in system.describe(simulation.state).items()}
    violated = [property_text(one.kind, one.name) for one in simulation.violated]
    try:
        enabled = list(enumerate(simulation.enabled, start=1))
        following = edges_to_text(system, simulation.state, enabled[:MOST_ROWS]) or "  nothing is enabled"
        more = f"  ... {len(enabled) - MOST_ROWS:,} more" if len(enabled) > MOST_ROWS else ""
    except SweepcheckError as error:  # an action fails in this state: that is what there is to see
        following, more = str(error), ""
    return _box(
        f"<strong>{escape(system.name)}</strong> after {steps_text(position)}",
        _pre(last) if last else "",
        _table(("variable", "value"), values.items()),
        _listed("violated", violated),
        "<div>enabled</div>",
        _pre("\n".join(filter(None, (following, more)))),
    )


def drawing_hint() -> str:
    """What a notebook shows of a drawing that cannot be drawn."""
    return _box(_note(f"for a picture: {installation('draw')}; its DOT text is drawing.dot"))


def _questions(model: Any) -> list[str]:
    asked = [property_text(one.kind, one.name) for one in model.properties]
    measure = [] if model.measure is None else [model.measure.name]
    return [_listed("progress", measure), _listed("properties", asked)]


def _box(*parts: str) -> str:
    return f'<div style="{STYLE}">\n' + "\n".join(part for part in parts if part) + "\n</div>"


def _pre(text: str) -> str:
    return f'<pre style="{PRE}">{escape(text)}</pre>'


def _note(text: str) -> str:
    return f"<div><em>{escape(text)}</em></div>" if text else ""


def _folded(title: str, inside: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inside}</details>" if inside else ""


def _listed(title: str, words: Sequence[str]) -> str:
    if not words:
        return ""
    more = f", … {len(words) - MOST_ROWS:,} more" if len(words) > MOST_ROWS else ""
    return f"<div>{title}: {escape(', '.join(visible(word) for word in words[:MOST_ROWS]))}{more}</div>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = list(rows)
    if not lines:
        return ""
    cells = ["".join(f"<td>{escape(_short(visible(cell)))}</td>" for cell in line) for line in lines[:MOST_ROWS]]
    if len(lines) > MOST_ROWS:
        cells.append(f'<td colspan="{len(heads)}">… {len(lines) - MOST_ROWS:,} more</td>')
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return f"<table><tr>{head}</tr>" + "".join(f"<tr>{cell}</tr>" for cell in cells) + "</table>"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


SHOWN: dict[type, Callable[[Any], str]] = {Model: model_to_html, Net: net_to_html, Trace: trace_to_html}
WRITERS.update(SHOWN)
