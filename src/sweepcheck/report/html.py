"""A report as a piece of HTML for notebooks: self-contained, escaped, with the sweep as an inline SVG."""

from __future__ import annotations

from html import escape as escape_html

from sweepcheck.core.verdict import Status, Verdict
from sweepcheck.report.report import Report
from sweepcheck.report.text import MARKS, again_text, evidence_text, explored_text, guarantee_text, how_far
from sweepcheck.report.values import (
    bytes_text,
    count_text,
    parameters_text,
    percent_text,
    property_text,
    seconds_text,
    shared_text,
    workers_text,
)
from sweepcheck.text import value_text, visible, visible_lines

COLOURS = {Status.HOLDS: "#1a7f37", Status.VIOLATED: "#c62828", Status.INCONCLUSIVE: "#b26a00"}
WIDTH, HEIGHT = 480, 90


def escape(text: str) -> str:
    """Text of several lines, as HTML shows it."""
    return escape_html(visible_lines(text))


def report_to_html(report: Report) -> str:
    """The verdicts, the traces folded away, the picture and the numbers."""
    given = parameters_text(report.parameters)
    parts = [f"<div><strong>{escape(visible(report.model))}</strong> <span>{escape(given)}</span></div>"]
    parts += [_verdict(report, verdict) for verdict in report.verdicts]
    parts += [f"<div><strong>warning</strong>: {escape(warning)}</div>" for warning in report.warnings]
    if report.stop is not None or not report.verdicts:
        end = explored_text(report) if report.stop is None else how_far(report)
        parts.append(f"<div><em>{escape(end)}</em></div>")
    parts.append(profile_to_svg(report))
    parts.append(_numbers(report))
    body = "\n".join(part for part in parts if part)
    return f'<div style="font-family:sans-serif;line-height:1.5;max-width:60em">\n{body}\n</div>'


def profile_to_svg(report: Report) -> str:
    """Stored states over progress; empty with fewer than two layers."""
    layers = report.profile
    if len(layers) < 2:
        return ""
    top = max(layer.stored for layer in layers) or 1
    wide = WIDTH / len(layers)
    corners = [f"0,{HEIGHT}"]
    for index, layer in enumerate(layers):
        height = HEIGHT - (HEIGHT - 4) * layer.stored / top
        corners += [f"{index * wide:.1f},{height:.1f}", f"{(index + 1) * wide:.1f},{height:.1f}"]
    corners.append(f"{WIDTH},{HEIGHT}")
    first, last = (escape(value_text(layers[end].progress)) for end in (0, -1))
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT + 18}" width="{WIDTH}" height="{HEIGHT + 18}">'
        f"<title>stored states over progress, at most {count_text(report.statistics.peak)}</title>"
        f'<polygon points="{" ".join(corners)}" fill="#1f6f8b"/>'
        f'<line x1="0" y1="{HEIGHT}" x2="{WIDTH}" y2="{HEIGHT}" stroke="currentColor"/>'
        f'<g font-size="11" fill="currentColor"><text x="0" y="{HEIGHT + 14}">{first}</text>'
        f'<text x="{WIDTH / 2}" y="{HEIGHT + 14}" text-anchor="middle">progress →</text>'
        f'<text x="{WIDTH}" y="{HEIGHT + 14}" text-anchor="end">{last}</text></g></svg>'
    )


def _verdict(report: Report, verdict: Verdict) -> str:
    colour, reason = COLOURS[verdict.status], f": {verdict.reason}" if verdict.reason else ""
    asked = property_text(verdict.property.kind, verdict.property.name)
    line = (
        f'<span style="color:{colour};font-weight:bold">{MARKS[verdict.status]} {verdict.status}</span> '
        f"{escape(asked)} <small>({escape(visible(guarantee_text(verdict)))}{escape(reason)})</small>"
    )
    title, _, shown = evidence_text(report, verdict).partition("\n")
    if not title:
        return f"<div>{line}</div>"
    return (
        f"<div>{line}<details><summary>{escape(title)}</summary>"
        f'<pre style="font-family:monospace;overflow-x:auto">{escape(shown)}</pre></details></div>'
    )


def _counted(report: Report) -> dict[str, str]:
    """What not every engine counts."""
    numbers = report.statistics
    rows = {}
    if numbers.model_seconds is not None:
        rows["model time"] = seconds_text(numbers.model_seconds)
    if report.bytes_per_state is not None:
        rows["per stored state"] = f"{report.bytes_per_state:.1f} B"
    if numbers.table_bytes is not None:
        rows["table memory"] = bytes_text(numbers.table_bytes)
    if numbers.shared is not None:
        rows["processes"] = f"{count_text(numbers.shared.processes)} ({shared_text(numbers.shared)})"
    if numbers.edge_bytes:
        rows["edges kept"] = bytes_text(numbers.edge_bytes)
    if numbers.workers > 1:
        rows["workers"] = f"{count_text(numbers.workers)} ({workers_text(numbers)})"
    return rows


def _going_back(report: Report) -> dict[str, str]:
    """What made a run explore states again."""
    numbers = report.statistics
    rows = {"columns": numbers.columns, "regress edges": numbers.regress_edges, "persistent": numbers.persistent}
    return {name: count_text(count) for name, count in {**rows, "evicted": numbers.evicted}.items() if count}


def _numbers(report: Report) -> str:
    numbers = report.statistics
    known = {}
    if numbers.states is not None:
        known[f"{report.noun} found so far" if report.cut_short else report.noun] = count_text(numbers.states)
    share = f" ({percent_text(numbers.peak, numbers.states)})" if not report.cut_short and numbers.states else ""
    rows = {
        **known,
        "edges": count_text(numbers.edges),
        "explored": count_text(numbers.explored) + ("" if known else f", {again_text(report)}"),
        "peak": count_text(numbers.peak) + share,
        "layers": count_text(numbers.layers),
        "sweeps": count_text(numbers.sweeps),
        **_going_back(report),
        "memory": bytes_text(numbers.memory_bytes),
        "time": seconds_text(numbers.seconds),
        **_counted(report),
        "strategy": report.strategy,
        "engine": f"{report.engine} ({report.engine_reason})",
    }
    heads = "".join(f"<th>{escape(name)}</th>" for name in rows)
    cells = "".join(f"<td>{escape(value)}</td>" for value in rows.values())
    return f"<table><tr>{heads}</tr><tr>{cells}</tr></table>"
