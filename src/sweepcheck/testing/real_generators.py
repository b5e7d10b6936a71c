"""What a random program of processes does, by real generators of Python.

A generator cannot be copied, so every state is kept as the choices that led to it, and all generators are run again
from the beginning along them. What tells states apart is read from the frames of the generators.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import GeneratorType, SimpleNamespace
from typing import Any

from sweepcheck.core.values import Array
from sweepcheck.testing.conformance import Nonconformity
from sweepcheck.testing.random_models import num
from sweepcheck.testing.random_processes import Program


class NotPossible(Exception):  # noqa: N818 - no error: a step that is disabled
    """A step that is disabled."""


Moves = tuple[tuple[int, tuple[int, ...]], ...]  # which process moved, and which alternatives it chose


@dataclass
class Run:
    """The generators after some moves."""

    shared: SimpleNamespace
    generators: list[Any]
    told: list[str | None]  # what each has yielded last
    script: list[int] = field(default_factory=list)
    chosen: list[tuple[int, int, Any]] = field(default_factory=list)  # which, of how many, the value

    def choose(self, *alternatives: Any) -> Any:
        """The alternative that the script says, or the first."""
        offered = list(alternatives[0] if len(alternatives) == 1 else alternatives)
        index = self.script[len(self.chosen)] if len(self.chosen) < len(self.script) else 0
        if not offered:
            raise NotPossible
        self.chosen.append((index, len(offered), offered[index]))
        return offered[index]

    def move(self, process: int, script: tuple[int, ...]) -> None:
        """Let one generator go on."""
        self.script, self.chosen = list(script), []
        try:
            self.told[process] = next(self.generators[process])
        except StopIteration:
            self.told[process] = "ended"

    def key(self) -> Any:
        """What tells this state apart from others."""
        return self.values(), tuple(map(_frames, self.generators)), tuple(self.told)

    def values(self) -> tuple[Any, ...]:
        """The variables that all processes share."""
        return tuple(tuple(one) if isinstance(one, list) else one for one in vars(self.shared).values())


def _frames(generator: object) -> Any:
    if not isinstance(generator, GeneratorType) or generator.gi_frame is None:
        return None
    frame = generator.gi_frame
    local = tuple(sorted((name, value) for name, value in frame.f_locals.items() if name != "s"))
    return frame.f_lasti, local, _frames(generator.gi_yieldfrom)


class Naive:
    """A program as a graph of states and labelled edges."""

    def __init__(self, program: Program) -> None:
        self._current: Run
        self._functions: list[tuple[Any, int]] = []

        def process(_: int, p: range) -> Any:
            return lambda function: self._functions.extend((function, one) for one in p)

        def require(condition: object) -> None:
            if not condition:
                raise NotPossible

        def choose(*alternatives: Any) -> Any:
            return self._current.choose(*alternatives)

        self._variables = program.variables()
        program.run(process=process, require=require, choose=choose, num=num)

    def run(self, moves: Moves) -> Run:
        """All generators, run from the beginning."""
        started = {name: list(one) if isinstance(one, Array) else one for name, one in self._variables.items()}
        shared = SimpleNamespace(**started)
        made = Run(shared, [function(shared, p) for function, p in self._functions], [None] * len(self._functions))
        self._current = made
        for process, script in moves:
            made.move(process, script)
        return made

    def edges(self, moves: Moves) -> Iterator[tuple[int, tuple[Any, ...], Moves, Run]]:
        """Each step that is possible: the process, what it chose, the moves that lead there."""
        for process in range(len(self._functions)):
            script: tuple[int, ...] | None = ()
            while script is not None:
                run = self.run(moves)
                if run.told[process] == "ended":
                    break
                try:
                    run.move(process, script)
                    indices = tuple(one for one, _, _ in run.chosen)
                    yield process, tuple(one for _, _, one in run.chosen), (*moves, (process, indices)), run
                except NotPossible:
                    pass
                script = _next(run.chosen)


def _next(chosen: list[tuple[int, int, Any]]) -> tuple[int, ...] | None:
    taken = list(chosen)
    while taken:
        index, many, _ = taken.pop()
        if index + 1 < many:
            return (*(one for one, _, _ in taken), index + 1)
    return None


def check_program(program: Program, system: Any, most: int) -> None:
    """Raise `Nonconformity` unless a model does what its program does, in up to so many states.

    Both must offer the same steps, by process and choices, lead to the same values, and say the same of where each
    process is.
    """
    naive, names = Naive(program), program.names()
    (initial,) = system.initial_states()
    first = naive.run(())
    waiting: deque[tuple[Moves, Any]] = deque([((), initial)])
    seen = {first.key(): initial}
    _compare(system, names, initial, first)
    while waiting and len(seen) < most:
        moves, state = waiting.popleft()
        ours = dict(_moves(system, names, state))
        theirs = {(process, values): (after, run) for process, values, after, run in naive.edges(moves)}
        if set(ours) != set(theirs):
            raise Nonconformity(f"{system.describe(state)}: {sorted(ours)} instead of {sorted(theirs)}")
        for move, (after, run) in theirs.items():
            met = run.key()
            if met not in seen:
                seen[met] = ours[move]
                waiting.append((after, ours[move]))
                _compare(system, names, ours[move], run)
            if seen[met] != ours[move]:
                raise Nonconformity(f"{system.describe(seen[met])} and {system.describe(ours[move])}, which are one")


def _moves(system: Any, names: list[tuple[str, int]], state: Any) -> Iterator[tuple[Any, Any]]:
    """The steps of a model by process and choices, with where they lead."""
    met = set()
    for label, target in system.edges(state):
        process, _, _ = label.action.partition(":")
        (_, p), *chosen = label.arguments
        move = names.index((process, p)), tuple(value for _, value in chosen)
        if move in met:
            raise Nonconformity(f"{system.describe(state)}: two edges by the same choices {move}")
        met.add(move)
        yield move, target


def _compare(system: Any, names: list[tuple[str, int]], state: Any, run: Run) -> None:
    view = system.view(state)
    values = tuple(getattr(view, name) for name in vars(run.shared))
    if tuple(tuple(one) if isinstance(one, Array) else one for one in values) != run.values():
        raise Nonconformity(f"{system.describe(state)}, where the generators have {run.values()}")
    for (name, p), told in zip(names, run.told, strict=True):
        place = getattr(view, name)[p]
        if place != told and not (told is None and place.startswith("line ")):
            raise Nonconformity(f"{name}(p={p}) is at {place!r}, and its generator has yielded {told!r}")
