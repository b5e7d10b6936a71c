"""`sweepcheck explain`: the page of an error, which comes with the package."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from sweepcheck.cli.session import session_of
from sweepcheck.errors import CODES, RequestError, closest


class ErrorCode(click.ParamType):  # type: ignore[type-arg]  # takes one from click 8.4 on only
    """The code of an error, in capitals or not, with or without its letters; shells complete it."""

    name = "CODE"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """As the table of codes has it."""
        code = value.strip().upper()
        return f"SC{code}" if code.isdecimal() else code

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Every code that begins so, with what it means."""
        return [CompletionItem(code, help=CODES[code]) for code in CODES if code.startswith(incomplete.upper())]


@click.command("explain", short_help="Explain the code of an error.")
@click.argument("code", type=ErrorCode(), required=False)
@click.pass_context
def command(context: click.Context, code: str | None) -> int:
    """Print the page about an error: an example, why it is one, and what to do. Without CODE, list all codes.

    \b
    Examples:
      sweepcheck explain SC301
      sweepcheck explain
    """
    session = session_of(context)
    if code is None:
        session.painted("\n".join(f"{name}  {meaning}" for name, meaning in CODES.items()))
        return 0
    if code not in CODES:
        raise RequestError("SC403", f"there is no error code {code!r}", suggestion=closest(code, CODES))
    session.painted(plain(page_of(code)))
    return 0


def page_of(code: str) -> str:
    """The page about an error, as it was written."""
    shipped = files("sweepcheck").joinpath("pages", f"{code}.md")
    if shipped.is_file():
        return shipped.read_text("utf-8")
    return (Path(__file__).parents[3] / "docs" / "errors" / f"{code}.md").read_text("utf-8")  # the sources themselves


def plain(page: str) -> str:
    """A page as it reads on a terminal: blocks are indented, links are their words, emphasis is left out."""
    rows: list[str] = []
    inside = False
    for line in page.rstrip("\n").split("\n"):
        if line.startswith("```"):
            inside = not inside
        elif inside:
            rows.append(f"    {line}".rstrip())
        elif line.startswith("#"):
            rows.append(line.lstrip("# "))
        else:
            rows.append(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line))
    return "\n".join(rows)
