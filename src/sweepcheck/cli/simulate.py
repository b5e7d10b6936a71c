"""`sweepcheck simulate`: step through a model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from sweepcheck.cli.console import COMMANDS, MOST_LISTED, Console, initial_state
from sweepcheck.cli.options import DURATION, WORKERS_OPTION, ModelReference, file_options
from sweepcheck.cli.session import INTERRUPTED, Session, session_of
from sweepcheck.cli.tracefile import TraceFile, read_trace, saved_parameters
from sweepcheck.cli.walks import check_walks, walk
from sweepcheck.cli.words import parameter_words, property_words
from sweepcheck.errors import RequestError
from sweepcheck.folding import fold
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.planner import ENGINES
from sweepcheck.report.saved import path_on, saved_run
from sweepcheck.report.text import run_title
from sweepcheck.report.values import json_value, label_text, parameters_text
from sweepcheck.simulation import End, Simulation
from sweepcheck.text import visible

PROMPT = "> "


@click.command("simulate", short_help="Step through a model.")
@click.argument("reference", metavar="FILE.py[:factory]", type=ModelReference())
@click.option(
    "-p", "--parameter", "parameters", multiple=True, metavar="NAME=VALUE", shell_complete=parameter_words,
    help="A parameter of the model; repeatable.",
)  # fmt: skip
@click.option("--initial", type=int, metavar="N", help="Start from initial state N, if there are several.")
@click.option(
    "--replay", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.json",
    help="Start at the end of a saved trace, with its parameters where -p gives no others.",
)  # fmt: skip
@click.option("--random", "most", type=click.IntRange(min=0), metavar="N", help="Make N random steps and end.")
@click.option(
    "--walks", type=click.IntRange(min=1), metavar="N",
    help="Look for violations by N random walks, and end: fast, and no proof.",
)  # fmt: skip
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Steps of a walk at most.  [default: 200]")
@click.option(
    "--property", "properties", multiple=True, metavar="NAME", shell_complete=property_words,
    help="What walks look for, by name; repeatable.  [default: all that states and steps decide]",
)  # fmt: skip
@click.option("--keep-going", is_flag=True, help="Let walks go on after a violation, for the other properties.")
@click.option("--time-limit", type=DURATION, metavar="TIME", help="Stop walking after this time: seconds, or 10m, 2h.")
@click.option("--engine", type=click.Choice(list(ENGINES)), help="Who walks.  [default: auto]")
@WORKERS_OPTION
@click.option("--seed", type=int, metavar="N", help="Seed of random steps.  [default: drawn, and printed]")
@click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Save the steps at the end: as .json (for `sweepcheck trace`), .itf.json or a Mermaid diagram (.mmd).",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Do not list what is enabled; with --random only say how it ended.")
@click.option("-v", "--verbose", is_flag=True, help="Tracebacks of internal errors.")
@file_options
@click.pass_context
def command(context: click.Context, /, form: str, quiet: bool, verbose: bool, **options: Any) -> int:
    """Step through the model in FILE.py: see what is enabled, choose, go back, let it run.

    Commands are typed at a prompt, or read from a pipe, one a line; `help` lists them. A command from a pipe
    that cannot be carried out ends the simulation.

    \b
    Examples:
      sweepcheck simulate examples/stop_and_wait.py -p packets=2
      sweepcheck simulate model.py:factory --random 1000 --seed 7 --save run.json
      sweepcheck simulate model.py --replay trace.json
      sweepcheck simulate model.py --walks 10000 --depth 200 --seed 1 --workers 4
      printf '1\\nrandom 3\\ntrace\\n' | sweepcheck simulate model.py -q

    \b
    Exit codes: 0 ended, which proves nothing; 1 without a prompt: ended in a state that violates a
    property, or walks that met one; 2 bad request, model or command; 3 walks that met none; 70 internal;
    130 interrupted.
    """
    session = session_of(context)
    session.format, session.quiet, session.verbose = form, quiet, verbose
    session.subject = options["reference"]
    check_walks(options)
    if options["walks"] is not None:
        return walk(session, options)
    attended = options["most"] is None and sys.stdin is not None and sys.stdin.isatty()
    if attended and form == "json":
        raise RequestError(
            "SC404",
            "JSON is printed at the end of a simulation that nobody attends to",
            suggestion="give --random N, or commands from a pipe; or `save FILE.json` at the prompt",
        )
    file = None if options["save"] is None else TraceFile(options["save"])
    console = Console(started(options, session), session, options["reference"], attended)
    end = go(console, options["most"])
    finish(console, end, file)
    if end is End.INTERRUPTED:
        return INTERRUPTED
    return 1 if not attended and console.simulation.violated else 0


def started(options: dict[str, Any], session: Session) -> Simulation:
    """The simulation where it is to begin."""
    if options["replay"] is not None and options["initial"] is not None:
        raise RequestError("SC404", "--replay and --initial contradict each other", suggestion="give one of them")
    given = parse_parameters(options["parameters"])
    saved = None if options["replay"] is None else read_trace(options["replay"], session.files)
    system = session.load(options["reference"], given if saved is None else saved_parameters(saved) | given)
    simulation = Simulation(system, seed=options["seed"])
    if saved is not None:
        simulation.replay(path_on(simulation.system, saved.trace))
    if options["initial"] is not None:
        simulation.reset(initial_state(simulation, options["initial"]))
    return simulation


def go(console: Console, most: int | None) -> End | None:
    """Make random steps, or follow commands; why they ended, None when there were no more commands."""
    greet(console)
    if most is not None:
        return run_at_random(console, most)
    try:
        console.follow(typed(console) if console.attended else piped())
    except KeyboardInterrupt:
        console.session.note("interrupted")
        return End.INTERRUPTED
    return None


def run_at_random(console: Console, most: int) -> End:
    """Make random steps; print them, what the last state decides, and why they ended."""
    try:
        end = console.simulation.run(most)
    finally:  # a model that fails on the way is shown with the way there
        if not console.session.quiet:
            console.trace("")
    console.show_decided()
    console.say(f"{run_title(console.simulation.position)}: {end}")
    return end


def greet(console: Console) -> None:
    """The model, the seed, and what to know before the first command."""
    simulation = console.simulation
    system, count = simulation.system, len(simulation.initial_states)
    parameters = f", {parameters_text(system.parameters)}" if system.parameters else ""
    console.say(fold(f"{visible(system.name)}{parameters}; seed {simulation.seed}", console.width))
    if count > 1 and console.attended:
        console.say(f"{count:,} initial states; `reset N` starts in one of them:")
        console.initial(str(MOST_LISTED))
        if count > MOST_LISTED:
            console.say(f"  ... {count - MOST_LISTED:,} more; `initial` shows all")
    if console.attended:
        console.say("type a number or a label; `help` lists the commands\n")


def finish(console: Console, end: End | None, file: TraceFile | None) -> None:
    """Print the whole simulation where a machine reads, and save it."""
    simulation, session = console.simulation, console.session
    saved = saved_run(simulation.system, simulation.trace, console.reference)
    if session.format == "json":
        session.result(json.dumps(saved.to_json() | outcome(simulation, end), indent=2))
    if file is not None:
        session.note(file.write(saved))


def outcome(simulation: Simulation, end: End | None) -> dict[str, Any]:
    """How a simulation went, as JSON data beside its trace."""
    return {
        "seed": simulation.seed,
        "end": None if end is None else str(end),
        "enabled": [label_text(edge.label) for edge in simulation.enabled],
        "progress": json_value(simulation.progress),
        "violated": [one.name for one in simulation.violated],
    }


def piped() -> Iterator[str]:
    """Lines from a pipe or a file; none if there is no standard input at all."""
    if sys.stdin is not None:
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # what is no text is no command either, and is told so
        yield from sys.stdin


def typed(console: Console) -> Iterator[str]:
    """Lines from a person at a terminal, who can edit them, get earlier ones back and complete words."""
    try:
        import readline
    except ImportError:  # not every Python has it; lines can be typed all the same
        pass
    else:
        readline.set_completer_delims("")
        readline.set_completer(completer(console))
        old = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if old else "tab: complete")
    while True:
        try:
            if not sys.stdout.isatty():  # then `input` would write the prompt among the results
                console.session.note(PROMPT)
            line = input(PROMPT if sys.stdout.isatty() else "")
        except EOFError:
            console.say("")
            return
        yield line


def completer(console: Console) -> Any:
    """For readline: commands and labels of enabled edges that start as the line does."""

    def complete(text: str, number: int) -> str | None:
        words = dict.fromkeys([*COMMANDS, *(label_text(edge.label) for edge in console.simulation.enabled)])
        return next((word for n, word in enumerate(w for w in words if w.startswith(text)) if n == number), None)

    return complete
