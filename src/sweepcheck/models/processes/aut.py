"""`.aut` files (Aldebaran): one LTS, as many tools read and write it.

    des (0, 2, 2)
    (0, "put !1", 1)
    (1, i, 0)

The first line gives the initial location, the number of steps and the number of locations. Labels may be quoted; `i`
and `tau` are silent. Locations are numbers, and these are their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sweepcheck.core.limits import FileLimits
from sweepcheck.errors import ModelError, RequestError, clip, public, shown
from sweepcheck.models.processes.events import TAU
from sweepcheck.models.processes.lts import LTS, Triple
from sweepcheck.models.processes.size import Size
from sweepcheck.models.reading import model_text

_HEADER = re.compile(r"\s*des\s*\(\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\)\s*")
_NUMBER = re.compile(r"[0-9]{1,9}")
_SILENT = frozenset({"i", TAU, "", "τ"})


@public
def read_aut(path: Path | str, limits: FileLimits | None = None) -> LTS:
    """The LTS in an .aut file."""
    if not isinstance(path, str | Path):
        raise ModelError("SC101", f"{shown(path)} is not the path of an .aut file", suggestion="give it as text")
    limits = limits or FileLimits()
    return parse_aut(model_text(Path(path), limits), Path(path).name, Size(limits))


def parse_aut(text: str, filename: str = "text", size: Size | None = None) -> LTS:
    """The LTS that the text of an .aut file describes; `size` counts it together with others."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    header = _HEADER.fullmatch(lines[0][1]) if lines else None
    if header is None:
        # The line is shown only if it looks like a header: a network file may have named somebody's letters.
        line = lines[0] if lines and lines[0][1].lstrip().startswith("des") else (1, "")
        raise _broken("the first line is not a header", filename, *line, "begin with: des (initial, steps, locations)")
    initial, steps, locations = map(int, header.groups())
    if len(lines) - 1 != steps:
        what = f"the header promises {steps} steps, and there are {len(lines) - 1}"
        raise _broken(what, filename, *lines[0], "is the file complete? correct the second number")
    (size or Size()).add(locations + steps, filename)
    triples = list(_triples(lines[1:], filename, locations))
    if initial >= locations:
        what = f"the initial location {initial} is not among {locations} locations"
        raise _broken(what, filename, *lines[0], "locations are numbered from 0")
    return LTS.numbered(range(locations), triples, initial)


def _triples(lines: list[tuple[int, str]], filename: str, locations: int) -> Iterator[Triple]:
    for number, line in lines:
        step = _step(line.strip())
        if step is None:
            raise _broken("this is not a step", filename, number, line, 'write (source, "event", target)')
        source, label, target = step
        if max(source, target) >= locations:
            what = f"location {max(source, target)} is not among {locations} locations"
            raise _broken(what, filename, number, line, "locations are numbered from 0; correct the header")
        if label.startswith('"') and label.endswith('"') and len(label) > 1:
            label = re.sub(r"\\(.)", r"\1", label[1:-1])
        yield source, TAU if label in _SILENT else label, target


def _step(line: str) -> Triple | None:
    """The parts of a line: a label may hold commas and parentheses, so it is what lies between the outermost ones."""
    if not (line.startswith("(") and line.endswith(")")):
        return None
    source, first, rest = line[1:-1].partition(",")
    label, last, target = rest.rpartition(",")
    source, target = source.strip(), target.strip()
    if not (first and last and _NUMBER.fullmatch(source) and _NUMBER.fullmatch(target)):
        return None
    return int(source), label.strip(), int(target)


def _broken(what: str, filename: str, number: int, line: str, suggestion: str) -> ModelError:
    return ModelError(
        "SC605",
        what,
        where=f"{filename}:{number}",
        values=[("line", clip(line, 200))] if line else [],
        suggestion=suggestion,
    )


def write_aut(lts: LTS, path: Path | str) -> None:
    """Write an LTS as an .aut file; names of locations are lost."""
    if not isinstance(lts, LTS) or not isinstance(path, str | Path):
        raise RequestError(
            "SC403",
            f"{shown(lts)} cannot be written to {shown(path)}",
            suggestion='give an LTS and a path: write_aut(lts, "file.aut")',
        )
    try:
        Path(path).write_text(aut_text(lts), encoding="utf-8")
    except OSError as error:
        raise RequestError(
            "SC406", f"{path} cannot be written: {error.strerror}", suggestion="choose another file"
        ) from None


def aut_text(lts: LTS) -> str:
    """An LTS as the text of an .aut file."""
    rows = [f"des ({lts.initial}, {lts.step_count}, {len(lts)})"]
    rows += [f"({source}, {_label(event)}, {target})" for source, event, target in lts.triples()]
    return "\n".join(rows) + "\n"


def _label(event: str) -> str:
    if event == TAU:
        return TAU
    if event in _SILENT or any(sign in event for sign in "\n\r"):
        raise ModelError(
            "SC610",
            f"event {shown(event)} cannot be written to an .aut file: it would be read as something else",
            suggestion="rename it first: lts.rename({...})",
        )
    return '"' + event.replace("\\", "\\\\").replace('"', '\\"') + '"'
