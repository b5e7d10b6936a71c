"""The console of `sweepcheck simulate`: one command a line, typed at a prompt or read from a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sweepcheck.cli.colour import terminal_width
from sweepcheck.cli.session import Session
from sweepcheck.cli.tracefile import TraceFile, read_trace
from sweepcheck.core.model import Edge, State
from sweepcheck.core.property import Kind
from sweepcheck.core.verdict import Status
from sweepcheck.errors import RequestError, SweepcheckError, clip, closest
from sweepcheck.folding import fold
from sweepcheck.properties import reachable
from sweepcheck.properties.evaluation import satisfies
from sweepcheck.properties.expression import expression
from sweepcheck.report.saved import path_on, saved_run
from sweepcheck.report.stepping import (
    edges_to_text,
    initial_states_to_text,
    moment_text,
    steps_to_text,
    variables_to_text,
)
from sweepcheck.report.trace import describe_trace, trace_to_text
from sweepcheck.report.values import label_text, property_text, steps_text
from sweepcheck.simulation import MOST_DIGITS, End, Simulation
from sweepcheck.text import value_text

MOST_LISTED = 20  # edges, initial states or steps, unless more are asked for
MOST_STEPS = 100_000  # of one `run until`


@dataclass(slots=True)
class Console:
    """Carries out commands on a simulation and prints what comes of them."""

    simulation: Simulation
    session: Session
    reference: str  # of the model's file, for saved traces
    attended: bool  # by a person at a prompt

    def follow(self, lines: Iterator[str]) -> None:
        """Carry out commands until there are no more. A mistake ends a script, but not a session at a prompt."""
        self.show_moment()
        for line in lines:
            words = line.strip()
            if words == "quit":
                return
            try:
                self.obey(words)
            except SweepcheckError as error:
                if not self.attended:
                    raise
                self.session.failed(error)
            except KeyboardInterrupt:
                if not self.attended:
                    raise
                self.session.note("interrupted")

    def obey(self, line: str) -> None:
        """One command; what is none is the number or label of an edge. Lines that start with # are remarks."""
        word, *rest = line.split(None, 1) or [""]
        if not word:
            self.list_enabled("")
        elif word in COMMANDS:
            COMMANDS[word].act(self, "".join(rest))
        elif not line.startswith("#"):
            self.step(line)

    # -- what is printed --------------------------------------------------------------------------------------------

    def show_moment(self, since: int | None = None) -> None:
        """The steps since a position, then the state, what it decides, its progress, and what is enabled."""
        simulation, width = self.simulation, self.width
        if since is not None:
            first = max(since, simulation.position - MOST_LISTED)
            if first > since:
                self.say(f"  ... {steps_text(first - since)} before; `trace` shows all")
            if first < simulation.position:
                self.say(steps_to_text(simulation.system, simulation.since(first), first + 1, width))
        self.say(fold(f"state {simulation.position}: {moment_text(simulation.system, simulation.state)}", width))
        if simulation.system.measure is not None:
            warning = ", which is not at least that of the state before" if simulation.regressed else ""
            self.say(f"progress: {value_text(simulation.progress)}{warning}")
        self.show_decided()
        if not self.session.quiet:
            self.list_enabled("")
            self.say("")

    def show_decided(self) -> None:
        """The properties that the state decides by itself."""
        for declared, status in self.simulation.decided:
            mark, word = ("✗", "violated") if status is Status.VIOLATED else ("✓", "reached")
            self.say(f"{mark} {word}  {property_text(declared.kind, declared.name)}")

    def list_enabled(self, text: str, most: int = MOST_LISTED) -> None:
        """The enabled edges whose labels contain a text, numbered."""
        edges = self.simulation.enabled
        if not edges:
            failed = any(one.kind is Kind.ASSERTION for one in self.simulation.violated)
            self.say(f"enabled: nothing, {'an assertion fails here' if failed else 'this is a dead state'}")
            return
        found = [(n, edge) for n, edge in enumerate(edges, start=1) if text in label_text(edge.label)]
        if not found:
            raise _wrong(f"no enabled edge has {text!r} in its label", "`list` shows all that are enabled")
        self.say("enabled:")
        self.say(edges_to_text(self.simulation.system, self.simulation.state, found[:most], self.width))
        if len(found) > most:
            self.say(f"  ... {len(found) - most:,} more; `list` shows all, `list TEXT` those with TEXT in their label")

    @property
    def width(self) -> int | None:
        """Columns to fold at; None when nobody looks."""
        return terminal_width() if sys.stdout.isatty() else None

    def say(self, text: str) -> None:
        """Print, unless the result is wanted in a form for machines."""
        if self.session.format == "text":
            self.session.painted(text)

    # -- the commands -----------------------------------------------------------------------------------------------

    def step(self, text: str) -> None:
        """Take an edge."""
        self.simulation.step(self._edge(text))
        self.show_moment(self.simulation.position - 1)

    def _edge(self, text: str) -> Edge:
        try:
            return self.simulation.find(text)
        except RequestError as error:
            if text.isdecimal() or error.values:  # a number, or several labels fit: it was meant to be an edge
                raise
            known = [*COMMANDS, *(label_text(edge.label) for edge in self.simulation.enabled)]
            near = closest(text, dict.fromkeys(known)).replace("available: ", "or a command: ")
            raise _wrong(f"{text!r} is neither a command nor an enabled edge", near) from None

    def undo(self, text: str) -> None:
        """Go back by some steps."""
        self.simulation.undo(_number(text, 1))
        self.show_moment()

    def redo(self, text: str) -> None:
        """Make undone steps again."""
        count = _number(text, 1)
        self.simulation.redo(count)
        self.show_moment(self.simulation.position - count)

    def back(self, text: str) -> None:
        """Go back to a step."""
        number, position = _number(text), self.simulation.position
        if number > position:
            raise _wrong(f"step {number} does not lie behind", f"{steps_text(position)} made so far; see `redo`")
        self.simulation.undo(position - number)
        self.show_moment()

    def reset(self, text: str) -> None:
        """Start anew, from the same initial state or another."""
        self.simulation.reset(initial_state(self.simulation, _number(text)) if text else None)
        self.show_moment()

    def initial(self, text: str) -> None:
        """List the initial states, or the first few."""
        states = self.simulation.initial_states[: _number(text, len(self.simulation.initial_states))]
        self.say(initial_states_to_text(self.simulation.system, states, self.width))

    def random(self, text: str) -> None:
        """Make random steps."""
        most, start = _number(text, 1), self.simulation.position
        self._tell(self.simulation.run(most), start, most)

    def run(self, text: str) -> None:
        """Make random steps until something is the case."""
        word, _, condition = text.partition(" ")
        if word != "until" or not condition.strip():
            raise _wrong(f"`run {text}` is not a command", "write `run until EXPR` or `run until deadlock`")
        start, system = self.simulation.position, self.simulation.system
        if condition.strip() == "deadlock":
            end = self.simulation.run(MOST_STEPS)
        else:
            asked = reachable(condition.strip(), expression(system, condition))
            end = self.simulation.run(MOST_STEPS, lambda state: satisfies(system, asked, state))
        self._tell(end, start)

    def _tell(self, end: End, start: int, most: int | None = None) -> None:
        """The steps made since a position, and why they ended where not all that were asked for were made."""
        if end is End.INTERRUPTED and not self.attended:
            raise KeyboardInterrupt
        made = self.simulation.position - start
        self.show_moment(start)
        if made != most:
            self.say(f"{steps_text(made)}: {end}")

    def trace(self, text: str) -> None:
        """Show the steps so far, or the last few."""
        simulation, width = self.simulation, self.width
        last = _number(text, simulation.position)
        if last < simulation.position:
            first = simulation.position - last
            self.say(steps_to_text(simulation.system, simulation.since(first), first + 1, width))
        else:
            self.say(trace_to_text(describe_trace(simulation.system, simulation.trace), width=width))

    def show(self, _: str) -> None:
        """Show the state, one variable on each line."""
        self.say(variables_to_text(self.simulation.system, self.simulation.state, self.width))

    def save(self, text: str) -> None:
        """Save the steps so far."""
        if not text:
            raise _wrong("`save` needs a file", "write `save run.json`")
        saved = saved_run(self.simulation.system, self.simulation.trace, self.reference)
        self.say(TraceFile(_path(text)).write(saved))

    def load(self, text: str) -> None:
        """Go to the end of a saved trace."""
        if not text:
            raise _wrong("`load` needs a file", "write `load run.json`")
        self.simulation.replay(path_on(self.simulation.system, read_trace(_path(text), self.session.files).trace))
        self.say(f"{text} replayed, {steps_text(self.simulation.position)}")
        self.show_moment()

    def help(self, _: str) -> None:
        """List the commands."""
        rows = [("NUMBER or LABEL", "take that edge; the beginning of a label will do if it is the only one")]
        rows += [(f"{word} {command.takes}".strip(), command.does) for word, command in COMMANDS.items()]
        column = max(len(usage) for usage, _ in rows)
        self.say("\n".join(f"  {usage:<{column}}  {does}" for usage, does in rows))


@dataclass(frozen=True, slots=True)
class Command:
    """What a command takes, what it does, and how."""

    takes: str
    does: str
    act: Callable[[Console, str], None]


COMMANDS = {
    "step": Command("NUMBER|LABEL", "the same, for a label that is also a command", Console.step),
    "list": Command(
        "[TEXT]",
        "all enabled edges, or those with TEXT in their label",
        lambda c, text: c.list_enabled(text, sys.maxsize),
    ),
    "show": Command("", "the state, one variable on each line", Console.show),
    "trace": Command("[N]", "the steps so far, or the last N of them", Console.trace),
    "undo": Command("[N]", "take back one step, or N", Console.undo),
    "redo": Command("[N]", "make one undone step again, or N", Console.redo),
    "back": Command("N", "go back to step N; 0 is the initial state", Console.back),
    "reset": Command("[N]", "start anew, from initial state N if there are several", Console.reset),
    "initial": Command("[N]", "the initial states, or the first N of them", Console.initial),
    "random": Command("[N]", "make one random step, or N, or until something is violated", Console.random),
    "run": Command("until EXPR", "random steps until EXPR holds; `run until deadlock`", Console.run),
    "save": Command("FILE", "save the steps so far, as .json, .itf.json or .mmd", Console.save),
    "load": Command("FILE", "go to the end of a saved trace", Console.load),
    "help": Command("", "this list", Console.help),
    "quit": Command("", "leave; so does Ctrl-D", lambda *_: None),
}


def initial_state(simulation: Simulation, number: int) -> State:
    """An initial state by its number, from 1."""
    count = len(simulation.initial_states)
    if not 1 <= number <= count:
        raise _wrong(f"there is no initial state number {number}", f"the model has {count}; `initial` lists them")
    return simulation.initial_states[number - 1]


def _path(text: str) -> Path:
    return Path(os.path.expanduser(text))  # no shell has done it


def _number(text: str, default: int | None = None) -> int:
    if not text and default is not None:
        return default
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise _wrong(f"{clip(text)!r} is not a number", f"give a whole number of at most {MOST_DIGITS} digits")
    return int(text)


def _wrong(what: str, suggestion: str) -> RequestError:
    return RequestError("SC408", what, suggestion=suggestion)
