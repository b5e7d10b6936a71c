"""A page as the file has it drawn: positions, sizes and colours; as SVG, which needs no other program."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from sweepcheck.models.cpn.document import CpnArc, CpnPage, CpnPlace, CpnTransition, Figure, Label

Point = tuple[float, float]
MARGIN = 60.0
LINE = 13.0  # the height of a line of text
TOKENS = 6  # kinds of tokens that are written beside a place
# The sixteen colours of CPN Tools, whose names are those of HTML but for one.
PAINTS = {
    "aqua", "black", "blue", "fuchsia", "gray", "green", "lime", "maroon", "navy", "olive", "purple", "red", "silver",
    "teal", "white", "yellow",
}  # fmt: skip
ENDS = {
    "ptot": ("", "arrow"),
    "ttop": ("arrow", ""),
    "bothdir": ("arrow", "arrow"),
    "inhibitor": ("", "ring"),
    "reset": ("", "twice"),
}  # at the place, at the transition


def _marker(name: str, width: int, shape: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 {width} 10" refX="{width - 1}" refY="5" markerWidth="{width}" '
        f'markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse">{shape}</marker>'
    )


MARKERS = "\n".join(
    [
        "<defs>",
        _marker("arrow", 10, '<path d="M0,1 L10,5 L0,9 z" fill="context-stroke"/>'),
        _marker("twice", 20, '<path d="M0,1 L10,5 L0,9 z M10,1 L20,5 L10,9 z" fill="context-stroke"/>'),
        _marker("ring", 10, '<circle cx="5" cy="5" r="4" fill="white" stroke="context-stroke"/>'),
        "</defs>",
    ]
)


def page_svg(page: CpnPage, tokens: Mapping[str, Sequence[str]]) -> str:
    """The page; `tokens` are what its places hold, by their ids, kind by kind."""
    body = [line for arc in page.arcs for line in _arc(page, arc)]
    body += [line for place in page.places.values() for line in _place(place, tokens.get(place.id, ()))]
    body += [line for transition in page.transitions.values() for line in _transition(transition)]
    left, top, width, height = _frame(page)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {width:.1f} {height:.1f}" font-family="sans-serif" font-size="11">'
    )
    title = f"<title>{escape(page.name)}</title><desc>drawn by sweepcheck</desc>"
    back = f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" fill="white"/>'
    return "\n".join([head, title, MARKERS, back, *body, "</svg>", ""])


def _frame(page: CpnPage) -> tuple[float, float, float, float]:
    """Left, top, width and height of what is drawn."""
    points: list[Point] = [(0.0, 0.0)] if not page.places and not page.transitions else []
    nodes: list[CpnPlace | CpnTransition] = [*page.places.values(), *page.transitions.values()]
    for node in nodes:
        figure = node.figure
        points += [(figure.x + sign * figure.width / 2, -figure.y + sign * figure.height / 2) for sign in (1, -1)]
        points += [(label.figure.x, -label.figure.y) for label in node.labels]
    for arc in page.arcs:
        points += [(x, -y) for x, y in arc.bends]
    xs, ys = zip(*points, strict=True)
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return left, top, max(xs) + MARGIN - left, max(ys) + MARGIN - top


# -- nodes -----------------------------------------------------------------------------------------------------------


def _place(place: CpnPlace, tokens: Sequence[str]) -> Iterator[str]:
    figure = place.figure
    x, y, width, height = figure.x, -figure.y, figure.width / 2 or 20, figure.height / 2 or 15
    yield f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{width:.1f}" ry="{height:.1f}" {_look(figure)}/>'
    yield from _text(place.caption, x, y, figure.paint)
    yield from _labels(place.labels)
    if place.port is not None:
        word = place.port.upper() if place.port == "i/o" else place.port.title()
        yield from _text(word, x - width, y + height, "Blue", "end")
    if tokens:
        total = sum(int(one.partition("`")[0]) for one in tokens)
        shown = [*tokens[:TOKENS], *(["..."] if len(tokens) > TOKENS else [])]
        yield f'<circle cx="{x + width:.1f}" cy="{y - height:.1f}" r="9" fill="limegreen" stroke="green"/>'
        yield from _text(str(total), x + width, y - height, "Black")
        yield from _text("\n".join(shown), x + width + 12, y - height + LINE * len(shown) / 2 - 6, "Green", "start")


def _transition(transition: CpnTransition) -> Iterator[str]:
    figure = transition.figure
    x, y, width, height = figure.x, -figure.y, figure.width or 40, figure.height or 20
    gaps = (0.0, 4.0) if transition.subpage is not None else (0.0,)  # a substitution transition has two borders
    for gap in gaps:
        yield (
            f'<rect x="{x - width / 2 + gap:.1f}" y="{y - height / 2 + gap:.1f}" width="{max(width - 2 * gap, 1):.1f}" '
            f'height="{max(height - 2 * gap, 1):.1f}" {_look(figure)}/>'
        )
    yield from _text(transition.caption, x, y, figure.paint)
    yield from _labels(transition.labels)


def _labels(labels: Iterable[Label]) -> Iterator[str]:
    for label in labels:
        yield from _text(label.text, label.figure.x, -label.figure.y, label.figure.paint)


def _text(text: str, x: float, y: float, paint: str, anchor: str = "middle") -> Iterator[str]:
    lines = text.strip().splitlines()
    for number, line in enumerate(lines):
        at = y + LINE * (number - (len(lines) - 1) / 2) + 4
        yield (
            f'<text x="{x:.1f}" y="{at:.1f}" text-anchor="{anchor}" fill={quoteattr(_paint(paint))}>'
            f"{escape(''.join(one if one.isprintable() else ' ' for one in line))}</text>"
        )


def _look(figure: Figure) -> str:
    fill = "white" if figure.fill is None else _paint(figure.fill)
    return f'fill="{fill}" stroke="{_paint(figure.paint)}" stroke-width="{min(max(figure.thickness, 0.5), 8):.1f}"'


def _paint(name: str) -> str:
    plain = name.strip().lower().replace("fucia", "fuchsia")
    return plain if plain in PAINTS else "black"


# -- arcs ------------------------------------------------------------------------------------------------------------


def _arc(page: CpnPage, arc: CpnArc) -> Iterator[str]:
    place, transition = page.places[arc.place], page.transitions[arc.transition]
    start, end = (place.figure.x, -place.figure.y), (transition.figure.x, -transition.figure.y)
    bends = _ordered([(x, -y) for x, y in arc.bends], start, end)
    first = _on_ellipse(place.figure, start, bends[0] if bends else end)
    last = _on_box(transition.figure, end, bends[-1] if bends else start)
    path = " L".join(f"{x:.1f},{y:.1f}" for x, y in (first, *bends, last))
    at_place, at_transition = ENDS[arc.kind]
    markers = (f' marker-start="url(#{at_place})"' if at_place else "") + (
        f' marker-end="url(#{at_transition})"' if at_transition else ""
    )
    width = min(max(arc.figure.thickness, 0.5), 8)
    yield f'<path d="M{path}" fill="none" stroke="{_paint(arc.figure.paint)}" stroke-width="{width:.1f}"{markers}/>'
    yield from _labels(arc.labels)


def _ordered(bends: list[Point], start: Point, end: Point) -> list[Point]:
    """Bend points from the place to the transition: files count them from either end."""

    def length(points: list[Point]) -> float:
        whole = [start, *points, end]
        return sum(math.dist(one, other) for one, other in pairwise(whole))

    return min(bends, bends[::-1], key=length)


def _on_ellipse(figure: Figure, middle: Point, towards: Point) -> Point:
    dx, dy = towards[0] - middle[0], towards[1] - middle[1]
    reach = math.hypot(dx / (figure.width / 2 or 20), dy / (figure.height / 2 or 15))
    return middle if reach == 0 else (middle[0] + dx / reach, middle[1] + dy / reach)


def _on_box(figure: Figure, middle: Point, towards: Point) -> Point:
    dx, dy = towards[0] - middle[0], towards[1] - middle[1]
    reach = max(abs(dx) / ((figure.width or 40) / 2), abs(dy) / ((figure.height or 20) / 2))
    return middle if reach == 0 else (middle[0] + dx / reach, middle[1] + dy / reach)
