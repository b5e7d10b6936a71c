"""A net as DOT text, the language of Graphviz, in the manner of the drawings of coloured Petri nets.

Places are ellipses with name, colour and tokens; transitions are boxes with name, guard, `let` and delay; substitution
transitions are boxes with a double border. All words of the user's go into labels in Graphviz' HTML, where few
characters have a meaning. What cannot be printed is written as Python would escape it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from textwrap import wrap

from sweepcheck.core.values import Bag
from sweepcheck.models.net.colours import UNIT, Colour
from sweepcheck.models.net.hierarchy import FlatNet, FlatPlace, Instance
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.structure import Arc, Place, Substitution, Transition
from sweepcheck.report.values import parameters_text
from sweepcheck.text import value_text, visible

WIDTH, LINES = 26, 4  # of an inscription, in characters and lines; the rest is left out
CLIPPED = " …"
TITLE = 60  # characters of a line of the title
TOKENS = 12  # distinct ones of a place that are written out at most
INK, TOKEN = "#22303c", "#1b7f4b"

DIRECTIONS = {"down": "TB", "right": "LR"}  # where the arcs lead, as far as cycles allow
HEAD = f"""\
    graph [nodesep=0.35, ranksep=0.45, pad=0.2, bgcolor=white, labelloc=t, fontname=Arial, fontsize=13,
           fontcolor="{INK}", outputorder=edgesfirst];
    node [fontname=Arial, fontsize=11, fontcolor="{INK}", color="{INK}", style=filled, fillcolor=white, margin=0.06];
    edge [fontname=Arial, fontsize=9, fontcolor="{INK}", color="{INK}", arrowsize=0.7];"""

ROWS = {
    "name": "{}",
    "colour": '<font point-size="9"><i>{}</i></font>',
    "tokens": f'<font point-size="10" color="{TOKEN}">{{}}</font>',
    "condition": '<font point-size="9">{}</font>',
    "tag": '<font point-size="8">{}</font>',
    "inscription": '<table border="0" cellborder="0" cellspacing="0" cellpadding="2"><tr><td>{}</td></tr></table>',
}
TAGS = {"port": "#dbe8f4", "fusion": "#fbeec2"}  # small boxes, filled
# A backslash starts an escape in labels too: \N would be the name of the node.
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\\": "\\\\"})
DOT, ROW, MOST_DOTS = "●", 3, 9  # black tokens: side by side, and in all; more are a number
BLACK = re.compile(r"(?:([0-9]+)\s*\*\s*)?\(\)")  # so many of them, as inscriptions write it
PORTS = {"in": "In", "out": "Out", "inout": "I/O"}
ARCS = {
    "take": "",
    "put": "",
    "test": "dir=both",
    "inhibit": "arrowhead=odot, arrowsize=0.9",
    "reset": "arrowhead=normalnormal, style=dashed",
}

Row = tuple[str, list[str]]  # a key of ROWS or TAGS, and lines of text


@dataclass(frozen=True, slots=True)
class Look:
    """What a drawing shows beside the net itself: the tokens of each place, when that is, and which way it runs."""

    tokens: Callable[[FlatPlace], Bag]
    clock: object
    direction: str

    def title(self, name: str) -> str:
        """What stands above the drawing."""
        return name if self.clock is None else f"{name}, time {self.clock}"


def instance_to_dot(instance: Instance, look: Look) -> str:
    """One module, or the net itself, with its substitution transitions."""
    net = instance.net
    sheet = Sheet(look.title(net.name), look.direction, constants_text(net))
    for place in net.places.values():
        rows: list[Row] = [] if place.port is None else [("port", [PORTS[place.port]])]
        rows += [] if place.fusion is None else [("fusion", wrapped(place.fusion))]
        flat = instance.places[place]
        sheet.place(place, place.name, [*place_rows(flat.colour, flat.capacity, look.tokens(flat)), *rows])
    for name, transition in net.transitions.items():
        sheet.transition(name, transition, {arc.place: arc.place for arc in transition.arcs})
    for substitution in net.substitutions.values():
        sheet.substitution(substitution)
    return sheet.text()


def flat_to_dot(name: str, flat: FlatNet, look: Look) -> str:
    """The net without modules, as it is explored."""
    given = [(path, constants_text(one.net)) for path, one in flat.instances.items()]
    constants = "; ".join(f"{path}: {text}" if path else text for path, text in given if text)
    sheet = Sheet(look.title(name), look.direction, constants)
    for place in flat.places:
        sheet.place(place, place.name, place_rows(place.colour, place.capacity, look.tokens(place)))
    for one in flat.transitions:
        sheet.transition(one.name, one.transition, one.places)
    return sheet.text()


@dataclass(slots=True)
class Sheet:
    """The drawing being made: its statements, and the identifiers of what is on it already."""

    title: str
    direction: str
    constants: str
    statements: list[str] = field(default_factory=list)
    keys: dict[Hashable, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def place(self, place: Place | FlatPlace, name: str, rows: list[Row]) -> None:
        """An ellipse."""
        self._node(place, name, "shape=ellipse", [("name", wrapped(name)), *rows])

    def transition(self, name: str, transition: Transition, places: Mapping[Place, Place | FlatPlace]) -> None:
        """A box, and its arcs."""
        box = (name, transition)
        self._node(box, name, "shape=box", [("name", wrapped(name)), *transition_rows(transition)])
        for arc in transition.arcs:
            place = places[arc.place]
            if place not in self.keys:  # the clock, which is everywhere
                continue
            source, target = (box, place) if arc.kind == "put" else (place, box)
            self._arc(source, target, arc_text(arc), ARCS[arc.kind])

    def substitution(self, substitution: Substitution) -> None:
        """A box with a double border that says which module it stands for; its arcs name the ports."""
        rows: list[Row] = [("name", wrapped(substitution.name)), ("port", wrapped(substitution.module.name))]
        self._node(substitution, substitution.name, "shape=box, peripheries=2", rows)
        for port, socket in substitution.sockets.items():
            direction = substitution.module.places[port].port
            source, target = (substitution, socket) if direction == "out" else (socket, substitution)
            self._arc(source, target, port, "dir=both" if direction == "inout" else "")

    def text(self) -> str:
        """The whole graph."""
        rows = [("name", wrapped(self.title, TITLE)), ("condition", wrapped(self.constants, TITLE))]
        label = [f"    label=<{table(rows)}>;"] if any(lines for _, lines in rows) else []
        rank = f"    rankdir={DIRECTIONS[self.direction]};"
        return "\n".join([f"digraph {quoted(self.title)} {{", HEAD, rank, *label, *self.statements, "}", ""])

    def _node(self, thing: Hashable, name: str, attributes: str, rows: Iterable[Row]) -> None:
        key = quoted(name)
        while key in self.taken:  # a fusion set may be called like a transition
            key = quoted(name := f"{name}'")
        self.taken.add(key)
        self.keys[thing] = key
        self.statements.append(f"    {key} [{attributes}, label=<{table(rows)}>];")

    def _arc(self, source: Hashable, target: Hashable, text: str, attributes: str) -> None:
        lines = wrapped(text)
        label = f"label=<{styled('inscription', lines)}>" if lines else ""
        given = ", ".join(one for one in (label, attributes) if one)
        self.statements.append(f"    {self.keys[source]} -> {self.keys[target]}" + (f" [{given}];" if given else ";"))


# -- what is written where -------------------------------------------------------------------------------------------


def place_rows(colour: Colour, capacity: int | None, tokens: Bag) -> list[Row]:
    """Below the name of a place: colour, capacity and tokens."""
    words = f"timed {colour}" if colour.timed else "" if is_black(colour) else str(colour)
    if capacity is not None:
        words += f"{', ' if words else ''}at most {capacity}"
    if not tokens:
        return [("colour", wrapped(words))]
    return [("colour", wrapped(words)), ("tokens", dots(len(tokens)) if is_black(colour) else tokens_lines(tokens))]


def is_black(colour: Colour) -> bool:
    """Whether tokens of a colour are all alike: they are drawn as dots, and arcs need not say which they move."""
    return colour is UNIT


def dots(count: int) -> list[str]:
    """Black tokens as people draw them; many of them as a number."""
    if count > MOST_DOTS:
        return [f"{count:,}"]
    return [" ".join(DOT * min(ROW, count - first)) for first in range(0, count, ROW)]


def transition_rows(transition: Transition) -> list[Row]:
    """Below the name of a transition: guard, free variables, `let` and delay."""
    words = [f"{name} in {colour}" for name, colour in transition.free.items()]
    words += [f"let {name} = {value.text}" for name, value in transition.let.items()]
    if transition.guard:
        words.insert(0, f"[{', '.join(condition.text for condition in transition.guard)}]")
    if transition.delay is not None:
        words.append(f"@+ {transition.delay.text}")
    return [("condition", wrapped(one)) for one in words]


def constants_text(net: Net) -> str:
    """The constants of a net that are plain values; colours and functions are known by their names."""
    plain = (bool, int, float, str, bytes, tuple, frozenset, Enum)
    return parameters_text({name: value for name, value in net.constants.items() if isinstance(value, plain)})


def arc_text(arc: Arc) -> str:
    """The inscription, in one line. Of black tokens only how many there are, if more than one."""
    text = " ".join(line.strip() for line in arc.text.splitlines())
    if is_black(arc.place.colour) and (counted := BLACK.fullmatch(text)):
        return "" if counted[1] in (None, "1") else counted[1]
    return text


def tokens_lines(tokens: Bag) -> list[str]:
    """A multiset as it is written in states, `2*x + 1*y`; of many tokens the first, and how many there are."""
    items = tokens.items()
    words = [f"{count}*{value_text(token)}" for token, count in items[:TOKENS]]
    text = " + ".join(words) + (f" +{CLIPPED}" if len(items) > TOKENS else "")
    lines = wrapped(text)
    clipped = lines[-1].endswith(CLIPPED.strip()) and len(tokens) > 1
    return [*lines, f"({len(tokens):,} tokens)"] if clipped else lines


def table(rows: Iterable[Row]) -> str:
    """A label of several rows, those without text left out."""
    cells = "".join(f"<tr>{_cells(kind, lines)}</tr>" for kind, lines in rows if lines)
    return f'<table border="0" cellborder="0" cellspacing="0" cellpadding="1">{cells}</table>'


def _cells(kind: str, lines: list[str]) -> str:
    """A row of three columns: a tag takes the one in the middle, everything else all of them."""
    if kind in TAGS:
        tag = styled("tag", lines)
        return f'<td></td><td border="1" bgcolor="{TAGS[kind]}">{tag}</td><td></td>'
    return f'<td colspan="3">{styled(kind, lines)}</td>'


# -- text ------------------------------------------------------------------------------------------------------------


def styled(kind: str, lines: list[str]) -> str:
    """Lines of text in Graphviz' HTML."""
    return ROWS[kind].format("<br/>".join(line.translate(ESCAPES) for line in lines))


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """Printable text in a few short lines."""
    most = width * (LINES + 1)  # what lies behind is left out anyway
    lines = wrap(visible(text[:most]), width, max_lines=LINES, placeholder=CLIPPED)
    if len(text) > most and not lines[-1].endswith(CLIPPED):
        lines[-1] += CLIPPED
    return lines


def quoted(name: str) -> str:
    """A name as an identifier of DOT. Quoted, no name is a keyword, and doubled backslashes stay as they are.

    A per cent sign at the start would make Graphviz take each mention for another, nameless node.
    """
    given = visible(f" {name}" if name.startswith("%") else name)
    return '"' + given.replace("\\", "\\\\").replace('"', '\\"') + '"'
