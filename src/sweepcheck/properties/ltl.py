"""LTL: every run satisfies a formula. An automaton of its opposite reads along (`product.py`): a run that it accepts
is a violation. Where the loop of a run decides alone, nobody reads: cycles of certain kinds are violations.

Accepted is a fair cycle of the product whose states have all marks (paper 4's components per layer carry that), or a
state without successors, which stutters, if the automaton accepts to read it for ever.
"""

from __future__ import annotations

from collections.abc import Sequence

from sweepcheck.core.automaton import Automaton, Reader
from sweepcheck.core.fairness import Fairness
from sweepcheck.core.model import State, System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.recurrence import Condition, Loop, satisfied
from sweepcheck.core.temporal import Temporal, check_size, formula
from sweepcheck.core.trace import Trace
from sweepcheck.core.verdict import Status
from sweepcheck.errors import public
from sweepcheck.logic.lassos import Letter, accepts, holds
from sweepcheck.logic.normal import refuse_quantifiers
from sweepcheck.logic.parsing import parse
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
    made = parse(asked) if isinstance(asked, str) else formula(asked)
    check_size(made)
    refuse_quantifiers(made)
    return Property(Kind.LTL, name, formula=made)


def never_accepted(name: str, automaton: Automaton) -> Property:
    """No run is accepted by an automaton."""
    return Property(Kind.LTL, name, automaton=automaton)


def ltl_monitor(watched: Property, system: System, fair: Sequence[Fairness] = ()) -> Monitor:
    """The monitor of a formula, by what it needs."""
    return (ReaderMonitor if watched.recurrence is None else RecurrenceMonitor)(watched, system, fair)


class RecurrenceMonitor(AlwaysEventuallyMonitor):
    """Violated by a fair cycle of certain kinds, be it a state that lasts for ever."""

    def sought(self) -> Sequence[Sought]:
        """See `AlwaysEventuallyMonitor`."""
        assert self.property.recurrence is not None
        known: dict[State, int] = {}
        propositions = self.property.recurrence.propositions

        def letter(state: State) -> int:
            if state not in known:
                known[state] = letter_of(self.system, self.property, propositions, state, None)
            return known[state]

        def within(loop: Loop) -> Test:
            return lambda state: loop.admits(letter(state))

        def met(condition: Condition) -> Test:
            return lambda state: satisfied(condition, letter(state))

        return [Sought(within(loop), [met(one) for one in loop.meets]) for loop in self.property.recurrence.loops]


class ReaderMonitor(AlwaysEventuallyMonitor):
    """Violated by a fair cycle with all marks, or by a state that lasts for ever and is accepted."""

    @property
    def _reader(self) -> Reader:
        assert self.property.reader is not None
        return self.property.reader

    def stutters(self, state: State) -> bool:  # noqa: ARG002
        """See `AlwaysEventuallyMonitor`: such states are decided when they are found to be dead."""
        return False

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
