"""`sweepcheck compile`: a process file as LTSs and a network that other tools can read."""

from __future__ import annotations

from pathlib import Path

import click

from sweepcheck.cli.options import FOLDER, ModelReference, file_options
from sweepcheck.cli.session import session_of
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.models.processes.compilation import write_network
from sweepcheck.models.processes.events import TAU
from sweepcheck.models.processes.network import Network, network_of
from sweepcheck.text import visible


@click.command("compile", short_help="Write the components of a process file as .aut files.")
@click.argument("reference", metavar="FILE.psl", type=ModelReference())
@click.option("-p", "--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter; repeatable.")
@click.option(
    "-o", "--output", "folder", type=FOLDER, metavar="DIR", required=True,
    help="The folder to write to; it is made if it is not there.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Print nothing.")
@file_options
@click.pass_context
def command(context: click.Context, reference: str, parameters: tuple[str, ...], folder: Path, quiet: bool) -> int:
    """Write one .aut file for each component of FILE.psl, and a .network file that puts them together.

    The .network file can be checked in place of FILE.psl. What is printed is each component with its size, and each
    event with the components that do it together: an event that only one component does may be misspelt in another.

    \b
    Examples:
      sweepcheck compile examples/two_phase_commit.psl -p n=3 -o compiled
      sweepcheck check compiled/two_phase_commit.network

    \b
    Exit codes: 0 written, 2 bad request or model, 70 internal.
    """
    session = session_of(context)
    session.quiet, session.subject = quiet, reference
    network = network_of(session.load(reference, parse_parameters(parameters)), "compiled")
    written = write_network(network, folder, Path(reference).stem)
    if not quiet:
        session.result(compiled_text(network))
        session.note(f"{len(written)} files written to {folder}; check {written[-1]}")
    return 0


def compiled_text(network: Network) -> str:
    """The components and who does which event."""
    rows = [f"{'component':<24} {'locations':>9} {'steps':>9} {'events':>9}"]
    for name, lts in zip(network.variables, network.components, strict=True):
        rows.append(f"{name:<24} {len(lts):>9,} {lts.step_count:>9,} {len(lts.alphabet):>9,}")
    rows += ["", f"{'event':<24} done by"]
    for action in network.actions:
        if action.rule.event != TAU or len(action.rule.participants) > 1:
            members = ", ".join(network.variables[m] for m, _ in action.rule.participants)
            rows.append(f"{visible(action.name):<24} {members}")
    possible = {action.rule.event for action in network.actions}
    refused = [event for event in network.alphabet if event not in possible]
    if refused:
        rows += ["", f"never possible, because a component refuses it for ever: {visible(', '.join(refused))}"]
    return "\n".join(rows)
