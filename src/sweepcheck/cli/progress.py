"""`sweepcheck progress`: measures that are found for a model, or computed for the components of a network."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from sweepcheck.api import discover
from sweepcheck.cli.options import FOLDER, SEARCH_OPTIONS, ModelReference, exploration_options
from sweepcheck.cli.session import Session, session_of
from sweepcheck.core.discovery import Candidate
from sweepcheck.core.request import Request
from sweepcheck.errors import RequestError, installation
from sweepcheck.measures.computed import AUTO, parse_kinds
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.models.processes.measuring import (
    ComponentProgress,
    check_kinds,
    chosen,
    component_progress,
    shape,
)
from sweepcheck.models.processes.network import Network, network_of
from sweepcheck.planner.automatic import check_automatic
from sweepcheck.report.discovery import candidates_text, discovery_to_json
from sweepcheck.report.graph import MOST_DRAWN, can_draw, dot_to_svg, graph_to_dot
from sweepcheck.report.values import parameters_text
from sweepcheck.text import visible

search_options = partial(exploration_options, options=SEARCH_OPTIONS)


@click.command("progress", short_help="Find progress measures of a model, and predict what they save.")
@click.argument("reference", metavar="FILE.py[:factory]", type=ModelReference())
@click.option("-p", "--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter; repeatable.")
@click.option(
    "--measure", "kinds", multiple=True, metavar="[COMPONENT=]KIND",
    help="Of a network: scc, tree, both or auto, for all components, or for one or a family (voter=scc); repeatable.",
)  # fmt: skip
@click.option(
    "--draw", "folder", type=FOLDER, metavar="DIR",
    help="Of a network: draw each component with its progress values, DIR/COMPONENT.dot, and .svg with the extra "
    "`draw`.",
)  # fmt: skip
@click.option(
    "--learn-on", "smaller", multiple=True, metavar="NAME=VALUE",
    help="Look for measures on the instance with this parameter, and predict what they store on the one asked about; "
    "repeatable.",
)  # fmt: skip
@search_options
@click.option("-q", "--quiet", is_flag=True, help="Say nothing about files written.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    context: click.Context, /, reference: str, kinds: tuple[str, ...], folder: Path | None, form: str, **options: Any
) -> int:
    """Look for progress measures of the model in FILE, and predict how many states a sweep by each would store.

    The measures are sums over the model's variables; the best one is printed as a line to paste. `check --progress
    auto` looks for one and uses it. Of a network of processes the measures are shown that can be computed for its
    components:

    \b
    scc    a location's strongly connected component, ordered by reachability: never goes back
    tree   the location's place in a spanning tree: steps that do not go down the tree go back
    both   scc, and a tree inside each component that has several locations

    What is taken without --measure is told, and why. The same option works with `check`, `explore` and `tradeoff`.

    \b
    Examples:
      sweepcheck progress model.py -p packets=40 --learn-on packets=4
      sweepcheck progress net.pnml --seed 2 --progress-budget 1m
      sweepcheck progress examples/two_phase_commit.psl
      sweepcheck progress examples/master_slave.psl --measure slave=tree --draw pictures

    \b
    Exit codes: 0 shown, 2 bad request or model, 70 internal.
    """
    session = session_of(context)
    session.format, session.subject, session.quiet = form, reference, options["quiet"]
    system = session.load(reference, parse_parameters(options["parameters"]))
    if kinds or folder is not None or isinstance(system, Network):
        of_network(session, network_of(system, "measured"), kinds, folder)
        return 0
    given = {name: options[name] for name in ("progress_budget", "seed") if options[name] is not None}
    request = Request((), trace=False, measure=AUTO, **given)
    check_automatic(request)
    found = discover(system, request, learned(session, reference, options, request))
    if form == "json":
        session.result(json.dumps({"model": system.name, "discovery": discovery_to_json(found)}, indent=2))
    else:
        parts = filter(None, (visible(system.name), parameters_text(system.parameters)))
        session.result(", ".join(parts) + "\n\n" + candidates_text(found, system))
    return 0


def learned(session: Session, reference: str, options: dict[str, Any], request: Request) -> tuple[Candidate, ...]:
    """What is found on a smaller instance, if one is to be learned on."""
    if not options["smaller"]:
        return ()
    changed = parse_parameters(options["parameters"]) | parse_parameters(options["smaller"])
    found = discover(session.load(reference, changed), request).candidates
    if not found:
        smaller = ", ".join(options["smaller"])
        raise RequestError(
            "SC404", f"no measure was found on the instance with {smaller}", suggestion="learn on a larger one"
        )
    return found


def of_network(session: Session, network: Network, kinds: tuple[str, ...], folder: Path | None) -> None:
    """The measures of a network's components."""
    asked = parse_kinds(kinds)
    check_kinds(network, asked)
    network.measures.update(asked)
    found = component_progress(network)
    if session.for_machines:
        session.result(json.dumps({"model": network.name, "components": [asdict(one) for one in found]}, indent=2))
    else:
        given = parameters_text(network.parameters)
        session.result(visible(network.name) + (f", {given}" if given else "") + "\n\n" + progress_text(found))
    if folder is not None:
        draw(session, network, folder)


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
