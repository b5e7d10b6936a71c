"""`sweepcheck resume`: go on with a run that was written down."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import click

from sweepcheck.cli.session import Session, session_of
from sweepcheck.cluster.kept import MANIFEST, manifest_in
from sweepcheck.cluster.places import is_address
from sweepcheck.core.survival import Command, typed_command
from sweepcheck.engines.checkpoints import NAME, damaged, read
from sweepcheck.errors import RequestError

RESUMED = ("check", "explore", "report")  # commands that write checkpoints


class Kept(NamedTuple):
    """What is in a folder. That of a shared run has no size: its files may lie elsewhere."""

    name: str
    description: dict[str, Any]
    size: int | None = None

    @property
    def shared(self) -> bool:
        """Whether several processes shared the run."""
        return self.size is None


@click.command(
    "resume",
    short_help="Go on with a run that was written down.",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": True},
)
@click.argument("folder", metavar="DIR")
@click.option("--show", is_flag=True, help="Print what is in DIR, and do nothing else.")
@click.argument("more", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF THE COMMAND]")
@click.pass_context
def command(context: click.Context, /, folder: str, show: bool, more: tuple[str, ...]) -> int:
    """Go on with the run whose checkpoint is in DIR, as the command that began it would.

    Options that are added count as if they had been typed then, so that a limit can be raised. The model, its
    parameters and what is asked must be as they were. The command is run in the folder where it was typed: look at a
    folder that somebody else gave you with --show first.

    \b
    Examples:
      sweepcheck check model.py --checkpoint run --time-limit 8h
      sweepcheck resume run --show
      sweepcheck resume run --time-limit 2d

    \b
    Exit codes: those of the command; 2 if there is nothing to go on with.
    """
    session = session_of(context)
    found, where = _found(folder)
    if show:
        session.result("\n".join(described(found)))
        return 0
    return go_on(session, found, (*more, "--cluster-dir" if found.shared else "--checkpoint", where))


def _without(option: Sequence[str], arguments: Sequence[str], where: str) -> list[str]:
    """What was typed, without a folder that will be named again: a run may be gone on with many times."""
    name, folder = option
    twice = {
        position + more
        for position, (word, value) in enumerate(pairwise(arguments))
        if word == name and folder in (value, os.path.realpath(os.path.join(where, value)))
        for more in (0, 1)
    }
    return [word for position, word in enumerate(arguments) if position not in twice]


def _found(folder: str) -> tuple[Kept, str]:
    """What is in a folder, and the folder wherever a command is run."""
    alone = None if is_address(folder) else read(Path(folder))
    if alone is not None:
        return Kept(str(alone.path), alone.description, alone.path.stat().st_size), str(Path(folder).resolve())
    manifest = manifest_in(folder)
    if manifest is None:
        raise RequestError(
            "SC618",
            f"there is no checkpoint in {folder}",
            suggestion=f"give the folder of --checkpoint, with a {NAME}, or that of --cluster-dir, with a {MANIFEST}",
        )
    return Kept(folder, manifest), folder if is_address(folder) else str(Path(folder).resolve())


def described(found: Kept) -> list[str]:
    """What is in a checkpoint, in lines for people."""
    try:
        saved, identity = found.description["counted" if found.shared else "counters"], found.description["identity"]
        over, stop = found.description.get("over", False), found.description.get("stop")
        state = "finished" if over else "can be gone on with"
        typed = found.description["command"]
        layers = len(found.description["profile"]) if found.shared else saved["layers"]
        rows = {
            "model": identity["model"],
            "parameters": identity["parameters"],
            "asked": identity["properties"],
            "strategy": identity["strategy"],
            "command": "none: it was begun in Python"
            if typed is None
            else " ".join(map(shell_word, typed["arguments"])),
            "written": found.description["written"],
            "state": state if stop is None else f"{state} (stopped: {stop.lower()})",
            "states": f"{saved['states']:,} found, {saved['explored']:,} explored, {saved['stored']:,} stored",
            "edges": f"{saved['edges']:,}",
            "layers": f"{layers:,} done",
        }
        if found.shared:
            rows["processes"] = f"{found.description['sites']:,}"
        else:
            rows |= {"time": f"{saved['seconds']:.1f} s", "size": f"{found.size:,} bytes"}
    except (LookupError, TypeError, ValueError, AttributeError):
        raise damaged(found.name, "it does not say what it is of") from None
    width = max(map(len, rows))
    return [f"{name:<{width}}  {text}" for name, text in rows.items()]


def shell_word(word: Any) -> str:
    """A word as it is typed."""
    return shlex.quote(str(word))


def go_on(session: Session, found: Kept, more: Sequence[str]) -> int:
    """Run the command that the checkpoint names, in the folder where it was typed."""
    from sweepcheck.cli.main import cli

    typed = found.description.get("command")
    if typed is None:
        raise RequestError(
            "SC618",
            f"the run of {found.name} was begun in Python",
            suggestion="call the same function again, with the same folder",
        )
    try:
        arguments, where = [str(one) for one in typed["arguments"]], str(typed["folder"])
    except (LookupError, TypeError):
        raise damaged(found.name, "it names no command") from None
    if not arguments or arguments[0] not in RESUMED:
        raise damaged(found.name, f"it names no command of {', '.join(RESUMED)}")
    arguments = [*_without(more[-2:], arguments, where), *more]  # the folder once more: it may have been moved
    try:
        os.chdir(where)
    except OSError as error:
        raise RequestError(
            "SC618", f"the run was begun in {where}: {error.strerror}", suggestion="give the command itself again"
        ) from None
    session.note(f"going on with: sweepcheck {' '.join(map(shell_word, arguments))}")
    typed_command.set(Command(tuple(arguments), where))
    result = cli.main(arguments, prog_name="sweepcheck", standalone_mode=False, obj=session)
    return result if isinstance(result, int) else 0
