"""Where a PNML file has drawn its nodes. Only who wants to draw them asks, so that all others read less."""

from __future__ import annotations

import math
from pathlib import Path

from sweepcheck.core.limits import FileLimits
from sweepcheck.models.markup import Element, Source, Stream

NODES = ("place", "transition")
PASSED_OVER = (
    "arc", "condition", "declaration", "hlinitialMarking", "initialMarking", "name", "toolspecific", "type",
)  # fmt: skip


def positions(path: Path, limits: FileLimits) -> dict[str, tuple[float, float]]:
    """The positions of nodes, by their ids; of those that have one."""
    found: dict[str, tuple[float, float]] = {}

    def end(element: Element, _around: list[Element]) -> None:
        graphics = next((one for one in element if one.tag == "graphics"), ())
        for one in graphics:
            if one.tag == "position" and (at := _point(one)) is not None:
                found[element.attributes.get("id", "")] = at

    Stream(Source(path), NODES, PASSED_OVER).read(limits, lambda *_: None, end)
    return found


def _point(element: Element) -> tuple[float, float] | None:
    try:
        x, y = (float(element.attributes[name]) for name in ("x", "y"))
    except (KeyError, ValueError):
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None
