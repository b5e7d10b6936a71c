"""`sweepcheck draw`: a net as a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from sweepcheck.cli.options import FOLDER, ModelReference, file_options
from sweepcheck.cli.session import Session, session_of
from sweepcheck.cli.tracefile import read_trace, saved_parameters
from sweepcheck.core.model import System
from sweepcheck.errors import RequestError
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.report.dot import DIRECTIONS
from sweepcheck.report.drawing import Drawing, draw_all, draw_net
from sweepcheck.report.saved import SavedTrace, path_on


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """What `draw` was asked for."""

    reference: str
    parameters: tuple[str, ...]
    output: Path | None
    form: str | None
    module: str | None
    flat: bool
    folder: Path | None
    direction: str
    trace: Path | None
    step: int | None

    def check(self) -> None:
        """Refuse what contradicts itself."""
        pairs = [
            ("--output", self.output, "--format", self.form),
            ("--output", self.output, "--all", self.folder),
            ("--module", self.module, "--all", self.folder),
            ("--module", self.module, "--flat", self.flat or None),
            ("--flat", self.flat or None, "--all", self.folder),
        ]
        for one, first, other, second in pairs:
            if first is not None and second is not None:
                raise RequestError("SC404", f"{one} and {other} contradict each other", suggestion="give one of them")
        if self.step is not None and self.trace is None:
            raise RequestError("SC404", "--step counts the steps of a trace", suggestion="add --trace FILE.json")


@click.command("draw", short_help="Draw a coloured Petri net.")
@click.argument("reference", metavar="FILE.py[:factory]", type=ModelReference())
@click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the model; repeatable.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write this file, .svg or .dot.  [default: FILE.svg, in this folder]",
)
@click.option(
    "--format", "form", type=click.Choice(["svg", "dot"]), help="Print the drawing instead; with --all, what to write."
)
@click.option("--module", metavar="PATH", help="Draw one module: Sender, Sender.Network.")
@click.option("--flat", is_flag=True, help="Draw the net as it is explored, without modules.")
@click.option(
    "--all",
    "folder",
    type=FOLDER,
    metavar="FOLDER",
    help="Draw the net and each of its modules into files of their own.",
)
@click.option(
    "--direction",
    type=click.Choice(list(DIRECTIONS)),
    default="down",
    show_default=True,
    help="Where the arcs lead, as far as cycles allow.",
)
@click.option(
    "--trace", type=click.Path(path_type=Path), metavar="FILE.json", help="Show the tokens after a step of this trace."
)
@click.option(
    "--step", type=click.IntRange(min=0), metavar="N", help="Which step; 0 is the start.  [default: the last]"
)
@click.option("-q", "--quiet", is_flag=True, help="Do not say which files were written.")
@click.option("-v", "--verbose", is_flag=True, help="Tracebacks of internal errors.")
@file_options
@click.pass_context
def command(context: click.Context, /, quiet: bool, verbose: bool, **options: Any) -> int:
    """Draw the net in FILE.py: places, transitions, arcs with their inscriptions, and tokens.

    SVG needs the extra `draw` (pygraphviz); DOT text, for any Graphviz, needs nothing.

    \b
    Examples:
      sweepcheck draw net.py
      sweepcheck draw net.py -o net.dot
      sweepcheck draw net.py --module Sender.Network --format dot
      sweepcheck draw net.py --all pictures
      sweepcheck draw net.py --trace trace.json --step 3 -o step3.svg

    \b
    Exit codes: 0 drawn, 2 bad request or model, 70 internal, 130 interrupted.
    """
    session = session_of(context)
    asked = DrawOptions(**options)
    session.quiet, session.verbose, session.subject = quiet, verbose, asked.reference
    asked.check()
    saved = None if asked.trace is None else read_trace(asked.trace, session.files)
    parameters = {**({} if saved is None else saved_parameters(saved)), **parse_parameters(asked.parameters)}
    system = session.load(asked.reference, parameters)
    marking = None if saved is None else marking_at(system, saved, asked.step)
    if asked.folder is not None:
        drawings = draw_all(system, marking=marking, direction=asked.direction)
        for line in save_all(drawings, asked.folder, asked.form or "svg"):
            note(session, line)
        return 0
    drawn = draw_net(system, asked.module, flat=asked.flat, marking=marking, direction=asked.direction)
    if asked.form is not None:
        session.result(drawn.text(asked.form).rstrip("\n"))
        return 0
    filename = asked.reference.rpartition(":")[0] if ".py:" in asked.reference else asked.reference
    target = asked.output or Path(f"{file_name(Path(filename).stem, asked.module)}.svg")
    drawn.save(target)
    note(session, f"drawing written to {target}")
    return 0


def marking_at(system: System, saved: SavedTrace, step: int | None) -> dict[str, object]:
    """The tokens after a step of a trace, which is replayed on the model."""
    states = path_on(system, saved.trace).states
    if step is not None and step >= len(states):
        raise RequestError(
            "SC403", f"the trace has no step {step}", suggestion=f"it has {len(states) - 1}; 0 is the initial marking"
        )
    return system.describe(states[-1 if step is None else step])


def save_all(drawings: dict[tuple[str, ...], Drawing], folder: Path, form: str) -> Iterator[str]:
    """Write each drawing into the folder; what was written where, line by line."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise RequestError(
            "SC406", f"{folder} cannot be created: {error.strerror}", suggestion="choose another folder"
        ) from None
    top = next(iter(drawings.values())).name
    taken: set[str] = set()
    for paths, drawn in drawings.items():
        name = plain = file_name(top, paths[0] or None)
        while name.casefold() in taken:  # names that differ only in what a file's name cannot hold
            name = f"{plain}-{len(taken)}"
        taken.add(name.casefold())
        drawn.save(folder / f"{name}.{form}")
        others = f" (also {', '.join(paths[1:])})" if paths[1:] else ""
        yield f"{paths[0] or top}{others} written to {folder / name}.{form}"


def file_name(whole: str, module: str | None) -> str:
    """A name for the drawing of a net or of one of its modules, without a suffix."""
    return re.sub(r"[^\w.-]+", "_", whole if module is None else f"{whole}.{module}")


def note(session: Session, line: str) -> None:
    """Say what was written, unless nothing is to be said."""
    if not session.quiet:
        session.note(line)
