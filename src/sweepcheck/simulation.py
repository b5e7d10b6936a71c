"""Simulation: a walk through a model, one step at a time, with the way back.

A simulation decides nothing; it shows what a model does. It computes edges and looks at properties as the reference
engine does, so what it shows of a state is what `check` would say about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from random import Random, SystemRandom
from typing import Any

from sweepcheck.api import as_system
from sweepcheck.core.chance import drawing
from sweepcheck.core.model import Edge, State
from sweepcheck.core.property import Property
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.verdict import Status
from sweepcheck.engines.assertions import assertion_of
from sweepcheck.engines.progress import leq, progress_of
from sweepcheck.engines.replay import walk
from sweepcheck.errors import (
    ModelError,
    RequestError,
    SweepcheckError,
    closest,
    own_traceback,
    public,
    raised_at,
    shown,
    told,
)
from sweepcheck.properties import MONITORS
from sweepcheck.properties.evaluation import show
from sweepcheck.report.notebook import simulation_to_html
from sweepcheck.report.values import label_text, steps_text

MOST_CANDIDATES = 20  # of an ambiguous label, in its error
MOST_DIGITS = 18  # of an edge's number; longer texts can only be labels


class End(StrEnum):
    """Why random steps came to an end."""

    STEPS = "all steps were made"
    DEAD = "no action is enabled"
    VIOLATED = "a property is violated"
    MET = "the condition is met"
    INTERRUPTED = "interrupted"


class Simulation:
    """A walk through a model. It starts in the first initial state; `reset` starts it anew from any of them.

    `model` is what `check` takes. `seed` makes random steps repeatable; without one a seed is drawn. Random functions
    of the model give one value each, drawn as it is distributed.

    >>> from sweepcheck import Model
    >>> m = Model("counter", n=0)
    >>> @m.action
    ... def tick(s):
    ...     if s.n < 3:
    ...         s.n += 1
    >>> simulation = Simulation(m)
    >>> simulation.step("tick").target
    (1,)
    >>> simulation.run(10), simulation.state
    (<End.DEAD: 'no action is enabled'>, (3,))
    """

    @public
    def __init__(self, model: Any, *, seed: int | None = None) -> None:
        if seed is not None and type(seed) is not int:
            raise RequestError("SC403", f"{shown(seed)} is not a seed", suggestion="give a whole number")
        self.system = as_system(model)
        self.seed = SystemRandom().randrange(2**32) if seed is None else seed
        self.initial_states: tuple[State, ...] = tuple(self.system.initial_states())
        self._random = Random(self.seed)
        self._initial = self.initial_states[0]
        self._steps: list[Step] = []  # those that were undone lie behind `_position`
        self._position = 0
        self._looked: tuple[State, tuple[Edge, ...], Property | None] | None = None

    # -- where it is ------------------------------------------------------------------------------------------------

    @property
    def position(self) -> int:
        """How many steps lie between the initial state and here."""
        return self._position

    @property
    def state(self) -> State:
        """The current state."""
        return self._at(self._position)

    @property
    def trace(self) -> Trace:
        """The steps from the initial state to here."""
        return self.since(0)

    def since(self, position: int) -> Trace:
        """The steps from an earlier position to here."""
        if _whole(position) > self._position:
            raise _impossible(f"there is no position {position} yet", f"{steps_text(self._position)} made so far")
        return Trace(self._at(position), tuple(self._steps[position : self._position]), system=self.system)

    @property
    def enabled(self) -> tuple[Edge, ...]:
        """The edges out of the current state, in the model's order; none where an assertion fails."""
        return self._look()[1]

    def _look(self) -> tuple[State, tuple[Edge, ...], Property | None]:
        """The current state, its edges, and the assertion that an action fails in it."""
        if self._looked is None or self._looked[0] is not self.state:
            edges: tuple[Edge, ...] = ()
            failed = None
            try:
                with drawing(self._random):
                    edges = tuple(self.system.edges(self.state))
            except SweepcheckError as error:
                failed = assertion_of(error)
                if failed is None:
                    raise
            self._looked = self.state, edges, failed
        return self._looked

    @property
    def decided(self) -> tuple[tuple[Property, Status], ...]:
        """The declared properties that the current state decides by itself: violated invariants, goals reached.

        Those about events are decided by the steps that led here.
        """
        failed = self._look()[2]
        found = [] if failed is None else [(failed, Status.VIOLATED)]
        for declared in self.system.properties:
            if declared.pattern is not None:
                if self.system.sees(declared.pattern, self.trace):
                    found.append((declared, Status.VIOLATED))
                continue
            monitor = MONITORS[declared.kind](declared, self.system)  # a new one: only this state counts
            sighting = monitor.on_found(self.state) or (
                None if self.enabled or failed is not None else monitor.on_dead(self.state)
            )
            if sighting is not None:
                found.append((declared, sighting.status))
        return tuple(found)

    @property
    def violated(self) -> tuple[Property, ...]:
        """The declared properties that the current state violates."""
        return tuple(declared for declared, status in self.decided if status is Status.VIOLATED)

    @property
    def progress(self) -> Any:
        """The progress value of the current state; None without a measure."""
        return self._progress(self.state)

    @property
    def regressed(self) -> bool:
        """Whether the last step led to a state whose progress is not at least that of the state before."""
        measure = self.system.measure
        if measure is None or self._position == 0:
            return False
        return not leq(measure, self._progress(self._at(self._position - 1)), self.progress)

    # -- moving -----------------------------------------------------------------------------------------------------

    def find(self, text: str) -> Edge:
        """The enabled edge that a text means: its number, from 1, or its label, or the only label that starts so."""
        if not isinstance(text, str):
            raise _impossible(f"{shown(text)} is not the text of an edge", "give its number or label as text")
        edges, wanted = self.enabled, text.strip()
        if wanted.isdecimal() and len(wanted) <= MOST_DIGITS:
            if not 1 <= int(wanted) <= len(edges):
                raise _impossible(f"there is no edge number {wanted}", _range(len(edges)))
            return edges[int(wanted) - 1]
        labels = [label_text(edge.label) for edge in edges]
        for fits in (str.__eq__, str.startswith):
            found = [position for position, label in enumerate(labels) if fits(label, wanted)]
            if len(found) == 1:
                return edges[found[0]]
            if found:
                raise _ambiguous(wanted, {position + 1: labels[position] for position in found})
        raise _impossible(f"no enabled edge is called {wanted!r}", closest(wanted, dict.fromkeys(labels)))

    @public
    def step(self, edge: Edge | str) -> Edge:
        """Take an enabled edge, or the one that a text means (see `find`); steps that were undone are forgotten."""
        taken = self.find(edge) if isinstance(edge, str) else edge
        if taken not in self.enabled:
            offered = ", ".join(dict.fromkeys(label_text(one.label) for one in self.enabled)) or "nothing"
            raise _impossible(f"{shown(edge)} is not an enabled edge", f"enabled: {offered}")
        self._take(taken)
        return taken

    def undo(self, steps: int = 1) -> None:
        """Go back by some steps; `redo` makes them again."""
        if not 0 <= _whole(steps) <= self._position:
            raise _impossible(f"{steps_text(steps)} cannot be undone", f"{steps_text(self._position)} made so far")
        self._position -= steps

    def redo(self, steps: int = 1) -> None:
        """Make steps again that were undone."""
        undone = len(self._steps) - self._position
        if not 0 <= _whole(steps) <= undone:
            raise _impossible(f"{steps_text(steps)} cannot be made again", f"{steps_text(undone)} undone")
        self._position += steps

    @public
    def reset(self, state: State | None = None) -> None:
        """Start anew from an initial state, by default the one it started from."""
        if state is not None and state not in self.initial_states:
            count = len(self.initial_states)
            raise _impossible(f"{shown(state)} is not an initial state", f"the model has {count}: see `initial_states`")
        self._initial = self._initial if state is None else state
        self._steps, self._position = [], 0

    def replay(self, trace: Trace) -> None:
        """Go to the end of a trace of the same model; the loop of a lasso is not followed."""
        if not isinstance(trace, Trace):
            raise _impossible(f"{shown(trace)} is not a trace", "give the trace of a verdict, or of another simulation")
        walk(self.system, trace)
        self._initial, self._steps, self._position = trace.initial, list(trace.steps), len(trace)

    @public
    def run(self, most: int, until: Callable[[State], bool] | None = None) -> End:
        """Make random steps, each edge as likely as any other, and say why they ended.

        At most so many; until a step leads to a state for which `until` is true; until nothing is enabled; or until a
        step violates a property that was not violated before. Ctrl-C ends them too, and keeps the steps made.
        """
        if until is not None and not callable(until):
            raise _impossible(f"{shown(until)} is not a condition", "give a function of the state: lambda s: ...")
        try:
            return self._run(_whole(most), until)
        except KeyboardInterrupt:
            return End.INTERRUPTED

    def _run(self, most: int, until: Callable[[State], bool] | None) -> End:
        known = set(self.violated)
        for _ in range(most):
            if not self.enabled:
                return End.DEAD if self._look()[2] is None else End.VIOLATED
            # Not `choice` or `randrange`: of all its methods, Python promises only for `random` that a seed gives the
            # same numbers in every version.
            self._take(self.enabled[int(self._random.random() * len(self.enabled))])
            violated = set(self.violated)
            if violated - known:
                return End.VIOLATED
            known = violated
            if until is not None and self._met(until):
                return End.MET
        return End.STEPS if self.enabled else End.DEAD

    def _met(self, until: Callable[[State], bool]) -> bool:
        """Whether the condition is true of the current state, which it gets as it is."""
        try:
            return bool(until(self.state))
        except SweepcheckError:
            raise
        except Exception as error:
            raise ModelError(
                "SC209",
                f"the condition of run() raised {told(error)}",
                where=raised_at(error, until),
                values=[("state", show(self.system, self.state)), ("traceback", own_traceback(error))],
                suggestion="it must be true or false of every state",
            ) from error

    def __repr__(self) -> str:
        return f"<Simulation of {self.system.name!r}: {steps_text(self._position)} made>"

    def _repr_html_(self) -> str:
        return simulation_to_html(self)

    def _take(self, edge: Edge) -> None:
        self._steps[self._position :] = [Step(edge.label, edge.target)]
        self._position += 1

    def _at(self, position: int) -> State:
        return self._steps[position - 1].state if position else self._initial

    def _progress(self, state: State) -> Any:
        measure = self.system.measure
        return None if measure is None else progress_of(self.system, measure, state)


def _whole(steps: object) -> int:
    if type(steps) is not int or steps < 0:
        raise RequestError(
            "SC403", f"{shown(steps)} is not a number of steps", suggestion="give a whole number, 0 or more"
        )
    return steps


def _impossible(what: str, suggestion: str) -> RequestError:
    return RequestError("SC408", what, suggestion=suggestion)


def _ambiguous(wanted: str, candidates: Mapping[int, str]) -> RequestError:
    digits = len(str(max(candidates)))
    listed = [f"{number:>{digits}}  {label}" for number, label in candidates.items()]
    if len(listed) > MOST_CANDIDATES:
        listed[MOST_CANDIDATES:] = [f"... {len(listed) - MOST_CANDIDATES:,} more"]
    return RequestError(
        "SC408",
        f"{wanted!r} may be any of {len(candidates):,} enabled edges",
        values=[("edges", "\n".join(listed))],
        suggestion="give more of the label, or the number",
    )


def _range(count: int) -> str:
    return f"give a number from 1 to {count}" if count else "nothing is enabled"
