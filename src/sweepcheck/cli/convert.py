"""`sweepcheck convert`: a net as a file of another kind."""

from __future__ import annotations

from pathlib import Path

import click

from sweepcheck.cli.options import ModelReference, file_options
from sweepcheck.cli.session import session_of
from sweepcheck.errors import RequestError
from sweepcheck.models.net.source import net_source
from sweepcheck.models.net.system import net_of
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.models.pnml.writing import pnml_text

KINDS = (".py", ".pnml")


@click.command("convert", short_help="Write a net as a Python file or as PNML.")
@click.argument("reference", metavar="FILE.pnml|FILE.cpn|FILE.py[:factory]", type=ModelReference())
@click.option("-p", "--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter; repeatable.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", required=True,
    help="The file to write: FILE.py, or FILE.pnml.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Print nothing.")
@file_options
@click.pass_context
def command(context: click.Context, reference: str, parameters: tuple[str, ...], output: Path, quiet: bool) -> int:
    """Write the net in FILE.pnml, FILE.cpn or FILE.py as a Python file that declares it, or as PNML.

    Modules and pages are written out, instance by instance.

    PNML has place/transition nets and symmetric nets. A net that says more, with time, capacities or tokens that are
    computed, is refused.

    \b
    Examples:
      sweepcheck convert net.pnml -o net.py
      sweepcheck convert examples/protocol.cpn -p Limit=3 -o protocol.py
      sweepcheck convert examples/dining.py -p n=5 -o dining.pnml

    \b
    Exit codes: 0 written, 2 bad request or model, 70 internal.
    """
    session = session_of(context)
    session.quiet, session.subject = quiet, reference
    if output.suffix not in KINDS:
        raise RequestError("SC403", f"{output} is neither a .py nor a .pnml file", suggestion="give one: -o net.py")
    system = session.load(reference, parse_parameters(parameters))
    net, origin = net_of(system), Path(reference).name
    text = pnml_text(net) if output.suffix == ".pnml" else system.python_source(origin) or net_source(net, origin)
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RequestError(
            "SC406", f"{output} cannot be written: {error.strerror}", suggestion="give another path"
        ) from None
    if not quiet:
        session.note(f"{len(net.places)} places and {len(net.transitions)} transitions written to {output}")
    return 0
