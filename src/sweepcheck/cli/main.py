"""The entrance: finds the command, and turns however it ends into an exit code.

An uncaught Python exception would exit with 1 and read as "violated", so everything is caught here.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module

import click

from sweepcheck import __version__
from sweepcheck.cli.session import BAD_REQUEST, INCONCLUSIVE, INTERNAL, INTERRUPTED, Session
from sweepcheck.cli.streams import discard, results_apart, unwritten, write_result
from sweepcheck.core.survival import Command, typed_command
from sweepcheck.errors import RequestError, StoppedError, SweepcheckError, closest

COMMANDS = (
    "check", "explore", "report", "conform", "linearizable", "resume", "grid", "simulate", "trace", "serve", "draw",
    "convert", "compile", "progress", "tradeoff", "automaton", "reproduce", "plan-cluster", "explain", "completion",
)  # fmt: skip

EXIT_CODES = """\b
Exit codes:
  0    every property holds, exactly
  1    a property is violated
  2    the request, the model or its measure is wrong
  3    inconclusive: a limit was reached before every property was decided;
       or conditional, on an equivalence that was not verified
  70   an error of sweepcheck itself
  130  interrupted: Ctrl-C, SIGTERM or SIGHUP
"""


class LazyGroup(click.Group):
    """A group that imports a command only when it is used: `--version` need not wait for all of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """In the order a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of this name, from the module of this name."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"sweepcheck.cli.{cmd_name.replace('-', '_')}").command
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command meant by the first word; an unknown one is told what it is close to."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"there is no command {args[0]!r}; {closest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", prog_name="sweepcheck", message="%(prog)s %(version)s")
def cli() -> None:
    """Check models by exploring every reachable state, forgetting those that lie behind a progress measure.

    \b
    Examples:
      sweepcheck check examples/stop_and_wait.py
      sweepcheck check model.py:factory -p n=5 --invariant "x <= n" --deadlock
      sweepcheck explore model.py --strategy sweep --format json
      sweepcheck check system.psl -p n=5
      sweepcheck report model.py
      sweepcheck simulate model.py
      sweepcheck trace trace.json --model model.py
      sweepcheck draw net.py -o net.svg

    `sweepcheck COMMAND --help` explains a command.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    session = Session()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without these characters gets question marks
    with signals_as_interruptions(), results_apart(lambda: session.for_machines) as session.results:
        try:
            return _exit_code(arguments, session)
        except SweepcheckError as error:
            session.failed(error)
            return INCONCLUSIVE if isinstance(error, StoppedError) else BAD_REQUEST
        except (click.Abort, KeyboardInterrupt):
            _interrupted(session)
            return INTERRUPTED
        except MemoryError:
            suggestion = "make the model smaller, or see which of its functions makes large values"
            session.failed(StoppedError("SC216", "memory ran out", suggestion=suggestion))
            return INCONCLUSIVE
        except Exception as error:  # noqa: BLE001 - whatever it is, it is ours
            return _internal(error, session)


def _exit_code(arguments: Sequence[str] | None, session: Session) -> int:
    """The exit code of the command that the arguments name."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    with suppress(OSError):  # the folder may be gone
        typed_command.set(Command(tuple(given), os.getcwd()))
    try:
        _check_arguments(arguments or ())
        result = cli.main(given, prog_name="sweepcheck", standalone_mode=False, obj=session)
        write_result(session.results or sys.stdout, "")  # what click printed must have arrived as well
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return error.exit_code
    except OSError as error:
        if error.filename is not None:
            raise
        discard(session.results or sys.stdout)  # it was click that wrote
        raise unwritten(str(error.strerror)) from None


def _interrupted(session: Session) -> None:
    """Say that there is nothing to report, in the form asked for."""
    if session.for_machines:
        suggestion = "run it again, and let it come to its first states"
        session.failed(StoppedError("SC216", "interrupted before there was anything to report", suggestion=suggestion))
    else:
        session.note("interrupted")


@contextmanager
def signals_as_interruptions() -> Iterator[None]:
    """Within, what `timeout`, an ending session and continuous integration send is like Ctrl-C: there is a report."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    in_main = threading.current_thread() is threading.main_thread()
    taken = [getattr(signal, name) for name in names if in_main]
    taken = [number for number in taken if signal.getsignal(number) is signal.SIG_DFL]  # `nohup` ignores SIGHUP
    for number in taken:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _check_arguments(arguments: Sequence[str]) -> None:
    """Refuse what no shell can pass on: as the name of a file it would fail in a different way everywhere."""
    for text in arguments:
        try:
            possible = b"\0" not in os.fsencode(text)
        except UnicodeEncodeError:
            possible = False
        if not possible:
            raise RequestError("SC403", f"{text!r} cannot be typed", suggestion="give text without such characters")


def _internal(error: Exception, session: Session) -> int:
    """Our own fault: say so, and show the traceback only to those who want it."""
    session.note(f"internal error: {type(error).__name__}: {error}")
    if session.verbose or os.environ.get("SWEEPCHECK_DEBUG"):
        import traceback

        session.note("".join(traceback.format_exception(error)))
    else:
        session.note(
            "this is a fault of sweepcheck, not of your model; with SWEEPCHECK_DEBUG=1 in the environment it shows "
            "the traceback"
        )
    session.note("please report it, with the model if you can")
    return INTERNAL


if __name__ == "__main__":
    sys.exit(main())
