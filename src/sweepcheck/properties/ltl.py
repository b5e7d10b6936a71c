"""LTL: every run satisfies a formula. An automaton of its opposite reads along (`product.py`): a run that it accepts
is a violation. Where the loop of a run decides alone, nobody reads: cycles of certain kinds are violations.

Accepted is a fair cycle of the product whose states have all marks (paper 4's components per layer carry that), or a
state without successors, which stutters, if the automaton accepts to read it for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from sweepcheck.core.automaton import Automaton, Reader
from sweepcheck.core.declaration import check_name, check_predicate
from sweepcheck.core.fairness import ALL_RUNS, Runs
from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.recurrence import Condition, Loop, satisfied
from sweepcheck.core.temporal import About, Op, Temporal, check_size, formula, proposition
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.verdict import Status
from sweepcheck.errors import public
from sweepcheck.logic.lassos import Letter, accepts, holds
from sweepcheck.logic.normal import refuse_quantifiers
from sweepcheck.properties.always_eventually import AlwaysEventuallyMonitor, Sought, Test
from sweepcheck.properties.monitor import Monitor, Sighting
from sweepcheck.properties.product import letter_of, remembered, true_of
from sweepcheck.properties.propositions import propositions_of


@public
def ltl(name: str, asked: str | Temporal) -> Property:
    """Every run satisfies an LTL formula: a text, `"G (waiting -> F served)"`, or one that was built.

    Propositions are names of declared predicates (or variables), `{expressions}` and `last(action)`. A run that ends
    stays in its last state for ever.
    """
    from sweepcheck.logic.parsing import parse  # needs the grammar

    made = parse(asked) if isinstance(asked, str) else formula(asked)
    check_size(made)
    refuse_quantifiers(made)
    return Property(Kind.LTL, name, formula=made)


def eventually(name: str, predicate: Callable[[Any], object]) -> Property:
    """Every run meets a state that satisfies the predicate, once at least: LTL's `F` of it."""
    check_name(name, "a property")
    check_predicate(predicate, f"eventually {name!r}")
    return Property(Kind.LTL, name, formula=Temporal(Op.EVENTUALLY, (proposition(About.FUNCTION, name, predicate),)))


def never_accepted(name: str, automaton: Automaton) -> Property:
    """No run is accepted by an automaton."""
    return Property(Kind.LTL, name, automaton=automaton)


def ltl_monitor(watched: Property, system: System, runs: Runs = ALL_RUNS) -> Monitor:
    """The monitor of a formula, by what it needs."""
    if watched.recurrence is None:
        return ReaderMonitor(watched, system, runs)
    return (StepRecurrenceMonitor if watched.recurrence.about_steps else RecurrenceMonitor)(watched, system, runs)


class RecurrenceMonitor(AlwaysEventuallyMonitor):
    """Violated by a fair cycle of certain kinds, be it a state that lasts for ever."""

    def __init__(self, watched: Property, system: System, runs: Runs = ALL_RUNS) -> None:
        super().__init__(watched, system, runs)
        assert watched.recurrence is not None
        self.recurrence = watched.recurrence
        self._letters: dict[State, int] = {}

    def letter(self, state: State) -> int:
        """What is true of what cycles are made of, as bits."""
        if state not in self._letters:
            propositions = self.recurrence.propositions
            self._letters[state] = letter_of(self.system, self.property, propositions, state, None)
        return self._letters[state]

    def sought(self) -> Sequence[Sought]:
        """See `AlwaysEventuallyMonitor`."""

        def within(loop: Loop) -> Test:
            return lambda state: loop.admits(self.letter(state))

        def met(condition: Condition) -> Test:
            return lambda state: satisfied(condition, self.letter(state))

        return [Sought(within(loop), [met(one) for one in loop.meets]) for loop in self.recurrence.loops]


class Entered(NamedTuple):
    """A state, and what is true of how it was entered, as bits of its letter."""

    state: State
    bits: int


class StepRecurrenceMonitor(RecurrenceMonitor):
    """The same where it matters how a state is entered: cycles are made of states that were entered in some way."""

    def on_complete(self, states: Sequence[State]) -> Sighting | None:
        """See `Monitor`."""
        inside = set(states)
        ways: dict[State, dict[Entered, None]] = {state: {} for state in states}
        for state in states:
            steps: list[tuple[Label | None, State]] = [*self.system.edges(state)]
            if super().may_end(state):
                steps.append((None, state))
            for label, target in steps:
                if target in inside:
                    ways[target][self._entered(state, label, target)] = None
        found = super().on_complete([one for state in states for one in ways[state]])
        if found is None:
            return None
        cycle = tuple(Step(step.label, self.own(step.state)) for step in found.cycle or ())
        return Sighting(found.status, self.own(found.state), cycle)

    def _entered(self, source: State, label: Label | None, target: State) -> Entered:
        bits = self.recurrence.entering(super().letter(source))
        for number, one in enumerate(self.recurrence.propositions):
            if one.function is None and true_of(self.system, self.property, one, target, label):
                bits |= 1 << number
        return Entered(target, bits)

    def letter(self, state: State) -> int:
        """See `RecurrenceMonitor`."""
        own, bits = cast("Entered", state)
        return super().letter(own) | bits

    def edges(self, state: State) -> Sequence[Edge]:
        """See `AlwaysEventuallyMonitor`."""
        own = self.own(state)
        return [Edge(label, self._entered(own, label, target)) for label, target in self.system.edges(own)]

    def own(self, state: State) -> State:
        """See `AlwaysEventuallyMonitor`."""
        return cast("Entered", state).state

    def may_end(self, state: State) -> bool:
        """See `AlwaysEventuallyMonitor`: it stays as it is once its last step is no more."""
        own = self.own(state)
        return super().may_end(own) and state == self._entered(own, None, own)


class ReaderMonitor(AlwaysEventuallyMonitor):
    """Violated by a fair cycle with all marks, or by a state that lasts for ever and is accepted."""

    @property
    def _reader(self) -> Reader:
        assert self.property.reader is not None
        return self.property.reader

    def may_end(self, state: State) -> bool:  # noqa: ARG002
        """See `AlwaysEventuallyMonitor`: what is accepted there is looked at state by state."""
        return False

    def on_complete(self, states: Sequence[State]) -> Sighting | None:
        """See `Monitor`."""
        ends = (state for state in states if self.runs.stuttering and super(ReaderMonitor, self).may_end(state))
        return next(filter(None, map(self.on_dead, ends)), None) or super().on_complete(states)

    def sought(self) -> Sequence[Sought]:
        """See `AlwaysEventuallyMonitor`: where the automaton has not lost interest, and each of the marks is met."""

        def stage(state: State) -> int:
            return remembered(self.system, self.property, state)

        def marked(bit: int) -> Test:
            return lambda state: bool(self._reader.marked[stage(state)] & bit)

        marks = [marked(1 << number) for number in range(self._reader.all_marks.bit_length())]
        return [Sought(lambda state: stage(state) != self._reader.otherwise, marks)]

    def on_dead(self, state: State) -> Sighting | None:
        """See `Monitor`."""
        letter = letter_of(self.system, self.property, self._reader.propositions, state, None)
        if self._reader.accepts_for_ever(remembered(self.system, self.property, state), letter):
            return Sighting(Status.VIOLATED, state, ())
        return None


def violates(system: System, asked: Property, trace: Trace) -> bool:
    """Whether the run that a lasso stands for is a violation: by the meaning of the formula, not by the automaton.

    `system` is the one that the trace is a path of, or one that it is the product of.
    """
    if trace.loop is None:
        return False
    of = propositions_of(asked)
    labels = [None, *(step.label for step in trace.steps)]
    states = list(trace.states)
    if trace.loop == len(trace.steps):  # what comes after the end is no step
        labels.append(None)
        states.append(states[-1])
    word: list[Letter] = [
        frozenset(one for one in of if true_of(system, asked, one, state, label))
        for state, label in zip(states, labels, strict=True)
    ]
    # The last state is the one at which the loop begins, met by the loop's last step.
    loop = trace.loop + 1
    if asked.formula is not None:
        return not holds(asked.formula, word, loop)
    return asked.automaton is not None and accepts(asked.automaton, word, loop)
