"""`sweepcheck serve`: the page, live."""

from __future__ import annotations

import socket
import webbrowser
from importlib.util import find_spec
from typing import Any

import click

from sweepcheck.cli.options import ModelReference
from sweepcheck.cli.session import session_of
from sweepcheck.errors import RequestError, installation


@click.command(
    "serve", short_help="Look into a model in the browser.", context_settings={"ignore_unknown_options": True}
)
@click.argument("reference", metavar="FILE.py[:factory]", type=ModelReference())
@click.option("-p", "--param", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter; repeatable.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port.  [default: any that is free]")
@click.option("--no-open", is_flag=True, help="Only print the address.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF check]")
@click.pass_context
def command(
    context: click.Context, /, reference: str, parameters: tuple[str, ...], port: int, no_open: bool, words: Any
) -> int:
    """Serve a page that explores the model in FILE.py: check it, walk through its states, watch a sweep.

    Any step of a trace can be gone on from, by hand or at random. When the file changes the page says so, runs again
    on a click, and keeps the way that was walked. It is for this machine alone: from another one, use
    `ssh -L PORT:127.0.0.1:PORT`.

    \b
    Examples:
      sweepcheck serve model.py
      sweepcheck serve model.py -p n=3 --strategy sweep --time-limit 1m

    Ends with Ctrl-C.
    """
    session = session_of(context)
    session.subject = reference
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise RequestError(
            "SC405",
            "serve needs starlette and uvicorn, which are not installed",
            suggestion=f"{installation('web')}, or write a page: sweepcheck check FILE.py --html FILE",
        )
    import uvicorn

    from sweepcheck.serve.server import LivePage, application

    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
            listening.listen()  # before anybody knows the address: who comes early waits
        except OSError as error:
            raise RequestError(
                "SC403", f"port {port} cannot be used: {error.strerror}", suggestion="leave out --port"
            ) from None
        live = LivePage(reference, list(parameters), list(words), listening.getsockname()[1])
        address = f"http://127.0.0.1:{live.port}/#token={live.token}"
        session.note(f"serving {reference} at {address}")
        if not no_open:
            webbrowser.open(address)
        server = uvicorn.Server(uvicorn.Config(application(live), log_level="error", lifespan="on"))
        try:
            server.run(sockets=[listening])
        finally:
            live.close()
    return 0
