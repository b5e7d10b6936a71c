"""`sweepcheck progress`: the measures that can be computed for the components of a network."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path

import click

from sweepcheck.cli.options import FOLDER, ModelReference, file_options
from sweepcheck.cli.session import Session, session_of
from sweepcheck.errors import RequestError, installation
from sweepcheck.measures.computed import parse_kinds
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.models.processes.measuring import (
    ComponentProgress,
    check_kinds,
    chosen,
    component_progress,
    shape,
)
from sweepcheck.models.processes.network import Network, network_of
from sweepcheck.report.graph import MOST_DRAWN, can_draw, dot_to_svg, graph_to_dot
from sweepcheck.report.values import parameters_text
from sweepcheck.text import visible


@click.command("progress", short_help="Compute progress measures of a process file's components.")
@click.argument("reference", metavar="FILE.psl", type=ModelReference())
@click.option("-p", "--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter; repeatable.")
@click.option(
    "--measure", "kinds", multiple=True, metavar="[COMPONENT=]KIND",
    help="scc, tree, both or auto: for all components, or for one or a family (voter=scc); repeatable.",
)  # fmt: skip
@click.option(
    "--draw", "folder", type=FOLDER, metavar="DIR",
    help="Draw each component with its progress values: DIR/COMPONENT.dot, and .svg with the extra `draw`.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Say nothing about files written.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@file_options
@click.pass_context
def command(
    context: click.Context,
    reference: str,
    parameters: tuple[str, ...],
    kinds: tuple[str, ...],
    folder: Path | None,
    quiet: bool,
    form: str,
) -> int:
    """Show, for each component of FILE.psl, the progress measures that can be computed from its graph.

    \b
    scc    a location's strongly connected component, ordered by reachability: never goes back
    tree   the location's place in a spanning tree: steps that do not go down the tree go back
    both   scc, and a tree inside each component that has several locations

    What is taken without --measure is told, and why. The same option works with `check`, `explore` and `tradeoff`.

    \b
    Examples:
      sweepcheck progress examples/two_phase_commit.psl
      sweepcheck progress examples/master_slave.psl --measure slave=tree --draw pictures

    \b
    Exit codes: 0 shown, 2 bad request or model, 70 internal.
    """
    session = session_of(context)
    session.format, session.subject, session.quiet = form, reference, quiet
    network = network_of(session.load(reference, parse_parameters(parameters)), "measured")
    asked = parse_kinds(kinds)
    check_kinds(network, asked)
    network.measures.update(asked)
    found = component_progress(network)
    if form == "json":
        session.result(json.dumps({"model": network.name, "components": [asdict(one) for one in found]}, indent=2))
    else:
        given = parameters_text(network.parameters)
        session.result(visible(network.name) + (f", {given}" if given else "") + "\n\n" + progress_text(found))
    if folder is not None:
        draw(session, network, folder)
    return 0


def progress_text(found: Iterable[ComponentProgress]) -> str:
    """A table; components in a row that have all in common share a line."""
    head = ("component", "locations", "steps", "scc", "largest", "tree", "both", "takes")
    rows: list[tuple[str, ...]] = [("", "", "", "components", "", "go back", "go back", ""), head]
    reasons: dict[str, list[str]] = {}
    for _, group in groupby(found, lambda one: replace(one, component="")):
        members = list(group)
        first, last = members[0], members[-1]
        name = first.component if first is last else f"{first.component} ... {last.component}"
        numbers = (
            first.locations,
            first.steps,
            first.components,
            first.largest,
            first.tree_regress,
            first.both_regress,
        )
        rows.append((name, *(f"{number:,}" for number in numbers), first.kind))
        reasons.setdefault(f"{first.kind}, {first.reason}", []).append(name)
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:-1], widths[1:-1], strict=True))]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    notes = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    return "\n".join([*lines, "", *notes])


def draw(session: Session, network: Network, folder: Path) -> None:
    """Write a DOT file for each component, and a picture where that is possible."""
    drawn = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, lts in zip(network.variables, network.components, strict=True):
            graph = shape(lts)
            text = graph_to_dot(name, lts, graph, graph.rankings(chosen(network, name, graph)[0]))
            (folder / f"{name}.dot").write_text(text, encoding="utf-8")
            if can_draw() and len(lts) <= MOST_DRAWN:
                dot_to_svg(text, folder / f"{name}.svg")
                drawn += 1
    except OSError as error:
        raise RequestError(
            "SC406", f"{folder} cannot be written: {error.strerror}", suggestion="choose another folder"
        ) from None
    if session.quiet:
        return
    session.note(f"{len(network.variables)} graphs written to {folder}" + (f", {drawn} pictures" if drawn else ""))
    if not can_draw():
        session.note(f"for pictures (.svg): {installation('draw')}")
    elif drawn < len(network.variables):
        session.note(f"graphs of more than {MOST_DRAWN:,} locations are written as .dot only")
