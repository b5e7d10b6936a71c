"""Draws the pictures of this folder as SVG, from real runs: `python docs/explanation/figures.py`.

`sweep.svg`: the state space of `toy_sweep.py` while the sweep line passes. `stored.svg`: states stored over time, full
exploration against sweep. `regress.svg`: why progress must not go down.
"""

from collections import deque
from pathlib import Path

import toy_sweep

from sweepcheck import explore, load

FOLDER = Path(__file__).parent
INK, FAINT, PAPER = "#22303c", "#c3ccd4", "#ffffff"
STORED, WAITING, LINE = "#2a6fb0", "#f0a202", "#c8372d"
FONT = "font-family='Helvetica, Arial, sans-serif'"


def svg(width, height, parts):
    """A picture on paper of its own, so that it can be read on dark pages as well."""
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}'>"
    paper = f"<rect width='{width}' height='{height}' rx='8' fill='{PAPER}'/>"
    return "\n".join([head, paper, *parts, "</svg>", ""])


def text(x, y, words, size=13, color=INK, anchor="start", weight="normal"):
    """A line of text."""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' {FONT} font-size='{size}' fill='{color}' "
        f"text-anchor='{anchor}' font-weight='{weight}'>{words}</text>"
    )


def dot(x, y, fill, stroke, radius=5.5):
    """A state."""
    return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius}' fill='{fill}' stroke='{stroke}' stroke-width='1.3'/>"


def curve(a, b, color, bend=0.0, width=1.1):
    """An edge from one point to another, bent to one side."""
    (x1, y1), (x2, y2) = a, b
    mx, my = (x1 + x2) / 2 - bend * (y2 - y1), (y1 + y2) / 2 + bend * (x2 - x1)
    return (
        f"<path d='M{x1:.1f},{y1:.1f} Q{mx:.1f},{my:.1f} {x2:.1f},{y2:.1f}' "
        f"fill='none' stroke='{color}' stroke-width='{width}'/>"
    )


def graph(initial, successors):
    """All states in the order found, and all edges."""
    states, edges, queue = {initial: 0}, [], deque([initial])
    while queue:
        state = queue.popleft()
        for _, target in successors(state):
            edges.append((state, target))
            if target not in states:
                states[target] = len(states)
                queue.append(target)
    return list(states), edges


def sweep_picture():
    """Three moments of one sweep: behind the line everything is forgotten, ahead nothing is known yet."""
    toy_sweep.PACKETS = 4
    states, edges = graph(toy_sweep.State(), toy_sweep.successors)
    values = sorted({toy_sweep.progress(s) for s in states})
    columns = {v: [s for s in states if toy_sweep.progress(s) == v] for v in values}
    tallest = max(map(len, columns.values()))
    left, step, rise, panel = 40, 74, 24, 30 + 24 * tallest
    parts = []
    for row, at in enumerate((1, 4, 6)):
        top = 46 + row * (panel + 22)

        def place(state, top=top):
            column = columns[toy_sweep.progress(state)]
            offset = (tallest - len(column)) / 2
            return left + step * values.index(toy_sweep.progress(state)), top + rise * (column.index(state) + offset)

        found = {t for s, t in edges if values.index(toy_sweep.progress(s)) <= at} | {states[0]}
        for s, t in edges:
            a, b = (values.index(toy_sweep.progress(one)) for one in (s, t))
            if a <= at:
                color = FAINT if b < at or a < at else INK
                parts.append(curve(place(s), place(t), color, 0.25 if a == b else 0.0))
        stored = 0
        for s in states:
            index = values.index(toy_sweep.progress(s))
            if index < at:
                parts.append(dot(*place(s), PAPER, FAINT))
            elif s in found:
                stored += 1
                parts.append(dot(*place(s), STORED if index == at else WAITING, INK))
        x = left + step * at + 28
        parts.append(
            f"<line x1='{x}' x2='{x}' y1='{top - 16}' y2='{top + panel - 26}' stroke='{LINE}' stroke-width='2.5'/>"
        )
        words = f"{stored} of {len(found)} states found so far are stored"
        parts.append(text(left + step * (len(values) - 1) + 30, top - 22, words, 13, INK, "end"))
    width, height = left * 2 + step * (len(values) - 1), 46 + 3 * (panel + 22) + 40
    y = height - 46
    for index, value in enumerate(values):
        parts.append(text(left + step * index, y, f"({value[0]}, {value[1]})", 12, INK, "middle"))
    parts.append(text(left - 12, y + 30, "progress (sender, receiver) →", 13, INK))
    for x, fill, stroke, words in (
        (290, PAPER, FAINT, "forgotten"),
        (400, STORED, INK, "layer being done"),
        (548, WAITING, INK, "waiting"),
    ):
        parts += [dot(x, y + 26, fill, stroke), text(x + 12, y + 30, words)]
    return svg(width, height, parts)


def stored_picture():
    """Stored states over time for the communication protocol with 10 packets: full exploration and sweep."""
    report = explore(load(str(FOLDER.parents[1] / "examples" / "communication_protocol.py")), engine="reference")
    total, peak = report.statistics.states, report.statistics.peak
    left, right, top, bottom = 70, 690, 40, 300

    def point(explored, stored):
        return left + (right - left) * explored / total, bottom - (bottom - top) * stored / total

    explored, seen = 0, 1
    sweep, full = [point(0, 1)], [point(0, 1)]
    for layer in report.profile:
        explored += layer.states
        seen = explored + layer.stored - layer.states  # everything processed, and everything waiting
        sweep += [point(explored, layer.stored), point(explored, layer.stored - layer.states)]
        full.append(point(explored, min(seen, total)))

    def path(points, color, fill):
        line = " ".join(f"{'L' if i else 'M'}{x:.1f},{y:.1f}" for i, (x, y) in enumerate(points))
        area = f"{line} L{points[-1][0]:.1f},{bottom} L{points[0][0]:.1f},{bottom} Z"
        return [
            f"<path d='{area}' fill='{fill}' opacity='0.35'/>",
            f"<path d='{line}' fill='none' stroke='{color}' stroke-width='2'/>",
        ]

    parts = [*path(full, INK, FAINT), *path(sweep, STORED, STORED)]
    parts.append(f"<path d='M{left},{top} V{bottom} H{right}' fill='none' stroke='{INK}' stroke-width='1.2'/>")
    for amount in (0, total // 2, total):
        x, y = point(amount, amount)
        parts += [
            text(left - 8, y + 4, f"{amount:,}", 12, INK, "end"),
            text(x, bottom + 18, f"{amount:,}", 12, INK, "middle"),
        ]
    parts.append(text((left + right) / 2, bottom + 40, "states explored →", 13, INK, "middle"))
    parts.append(text(left, top - 16, "states stored", 13, INK, "middle"))
    parts.append(text(330, 110, "full exploration keeps every state", 13, INK, "end"))
    parts.append(text(right - 8, bottom - 70, f"the sweep keeps at most {peak:,}", 13, STORED, "end", "bold"))
    return svg(740, 356, parts)


def regress_picture():
    """One edge that goes back over the sweep line."""
    points = [(70, 100), (170, 65), (170, 135), (290, 100), (400, 100)]
    arrow = (
        f"<defs><marker id='a' markerWidth='9' markerHeight='9' refX='15' refY='3.5' orient='auto'>"
        f"<path d='M0,0 L8,3.5 L0,7 Z' fill='{LINE}'/></marker></defs>"
    )
    parts = [arrow]
    parts += [curve(points[a], points[b], FAINT if a < 1 else INK) for a, b in ((0, 1), (0, 2), (1, 3), (2, 3), (3, 4))]
    back = curve(points[4], points[1], LINE, 0.0, 2).replace("/>", " stroke-dasharray='6 4' marker-end='url(#a)'/>")
    parts.append(back.replace("Q285.0,82.5", "Q300.0,10.0"))
    parts += [dot(*p, PAPER, FAINT, 8) for p in points[:3]]
    parts += [dot(*points[3], STORED, INK, 8), dot(*points[4], WAITING, INK, 8)]
    parts.append(f"<line x1='340' x2='340' y1='40' y2='175' stroke='{LINE}' stroke-width='2.5'/>")
    parts.append(text(20, 200, "Was the target of the red edge seen before? Nobody can tell any more."))
    return svg(470, 220, parts)


def main():
    """Write the pictures beside this file."""
    for name, picture in (("sweep", sweep_picture), ("stored", stored_picture), ("regress", regress_picture)):
        (FOLDER / f"{name}.svg").write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
