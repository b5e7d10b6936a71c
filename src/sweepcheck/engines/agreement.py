"""Whether equivalent states agree: in progress, in every predicate that is asked, and in what they can do.

A reduced run shows one state of each class. What it says of the others rests on their agreeing with it, so every two
equivalent states that are met are compared; `engines/members.py` goes and meets more of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.plan import Plan, Tally
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.values import Bag, Queue
from sweepcheck.engines.bound import satisfied
from sweepcheck.engines.classes import class_of
from sweepcheck.engines.progress import progress_of
from sweepcheck.engines.tallies import WHAT, value_in
from sweepcheck.errors import ModelError, clip, place, shown
from sweepcheck.properties.evaluation import allows, evaluate, satisfies, show, truth
from sweepcheck.properties.propositions import functions

FINER = "let the key tell these states apart, or ask only what equivalent states have in common"
LONGEST = 400  # characters of a state in an error
MOST_SHOWN = 3  # steps of one
NAMELESS = "ask what does not depend on the names of members: of all, of some, of how many"
FORGETS = "let the key tell these states apart: it forgets something that decides what they can do"
UNEVEN = (
    "the members are not symmetric: let every action treat all of them alike, with no first or last one;\n"
    "name every array that is indexed by them (arrays=) and every variable that holds some (values=)"
)


@dataclass(frozen=True, slots=True)
class Question:
    """Something that equivalent states must answer alike."""

    name: str
    answer: Callable[[State], Any]
    function: Callable[..., Any] | None
    is_progress: bool = False


class StepOfClass(NamedTuple):
    """What equivalent states have in common of a step: its action, where it leads, and whether it satisfies each of the
    properties of steps.
    """

    action: str
    target: Hashable
    allowed: tuple[bool, ...]


@dataclass(slots=True)
class First:
    """The state of a class that was met first, with its answers once they were needed."""

    state: State
    answers: list[Any] | None = None
    steps: frozenset[StepOfClass] | None = None
    members: int = 0  # that were compared in what they can do


class Agreement:
    """Compares equivalent states as they are met."""

    def __init__(self, plan: Plan, equivalence: Equivalence) -> None:
        self.compared = 0  # states, with the one that stands for their class
        self.differing: dict[str, bool] = {}  # variables that equivalent states differ in: whether in size as well
        self._plan = plan
        self._system = plan.system
        self.equivalence = equivalence
        self._questions = tuple(_questions(plan))
        self._of_steps = [asked for asked in plan.properties if asked.kind is Kind.STEP]
        self._first: dict[Hashable, First] = {}

    def see(self, key: Hashable, state: State) -> First:
        """A state of the class with this key: it is compared with the first one of its class."""
        first = self._first.setdefault(key, First(state))
        if first.state != state:
            self._compare(first, state)
        return first

    def forget(self, keys: Collection[Hashable]) -> None:
        """These classes are stored no more."""
        for key in keys:
            self._first.pop(key, None)

    def _compare(self, first: First, state: State) -> None:
        self.compared += 1
        if first.answers is None:
            first.answers = [question.answer(first.state) for question in self._questions]
        for question, expected in zip(self._questions, first.answers, strict=True):
            answer = question.answer(state)
            if answer != expected:
                raise self._disagreement(question, first.state, expected, state, answer)
        if self._plan.survey:
            one, other = self._system.describe(first.state), self._system.describe(state)
            for name in one:
                if one[name] != other.get(name):
                    self.differing[name] = self.differing.get(name, False) or self._differ_in_size(one[name])

    def _differ_in_size(self, value: Any) -> bool:
        """Whether equivalent states may hold more or less of something: not where only names differ."""
        renames = self.equivalence.renames and not self.equivalence.parts
        return not (renames and isinstance(value, Bag | Queue))

    def _disagreement(self, question: Question, first: State, expected: Any, other: State, answer: Any) -> ModelError:
        values = [
            ("state", f"{clip(show(self._system, first), LONGEST)}   {question.name}: {shown(expected)}"),
            ("other", f"{clip(show(self._system, other), LONGEST)}   {question.name}: {shown(answer)}"),
            *_key(self._system, self.equivalence, first),
        ]
        where = None if question.function is None else place(question.function)
        if question.is_progress:
            return ModelError(
                "SC231",
                "two equivalent states have different progress",
                where=where,
                values=values,
                suggestion="let the key keep what the measure counts, or declare a cut-off, m.cutoff(key, when=...),\n"
                'whose equivalent states may differ in progress; strategy="full" needs no measure',
            )
        return ModelError(
            "SC232",
            f"two equivalent states answer {question.name} differently",
            where=where,
            values=values,
            suggestion=self._mended(NAMELESS if self.equivalence.renames else FINER),
        )

    # -- what they can do -------------------------------------------------------------------------------------------

    def compare_steps(self, first: First, state: State) -> Sequence[Edge]:
        """Compare what a state can do with what the first one of its class can; its edges.

        Which classes they lead to is found out when there is a second state to compare with.
        """
        edges = self._system.edges(state)
        if first.state == state:
            return edges
        if first.steps is None:
            first.steps = self._steps(first.state, self._system.edges(first.state))
        found = self._steps(state, edges)
        if found != first.steps:
            raise self._different_steps(first, state, found)
        return edges

    def _steps(self, state: State, edges: Sequence[Edge]) -> frozenset[StepOfClass]:
        return frozenset(self._step(state, edge) for edge in edges)

    def _step(self, state: State, edge: Edge) -> StepOfClass:
        """What an edge does, as far as equivalent states have it in common: what tokens it takes is no part of it.

        Which member of a family does it is one only where runs are fair to each member.
        """
        fair = " and ".join(one.name for one in self._plan.fair if one.covers(edge.label))
        target = class_of(self._system, self.equivalence, edge.target)
        allowed = tuple(allows(self._system, asked, state, edge) for asked in self._of_steps)
        return StepOfClass(fair or edge.label.action, target, allowed)

    def _different_steps(self, first: First, state: State, found: frozenset[StepOfClass]) -> ModelError:
        assert first.steps is not None
        different = first.steps ^ found
        places = {one[:2] for one in first.steps} ^ {one[:2] for one in found}
        shown = {one for one in different if not places or one[:2] in places}
        values = [
            ("state", clip(show(self._system, first.state), LONGEST)),
            ("steps", self._shown(first.state, shown)),
            ("other", clip(show(self._system, state), LONGEST)),
            ("steps", self._shown(state, shown)),
            *_key(self._system, self.equivalence, state),
        ]
        if not places:
            asked = self._of_steps[_position(different)]
            return ModelError(
                "SC232",
                f"steps of two equivalent states answer {asked.kind} {asked.name!r} differently",
                where=None if asked.predicate is None else place(asked.predicate),
                values=values,
                suggestion=self._mended(NAMELESS if self.equivalence.renames else FINER),
            )
        actions = sorted({action for action, _ in places})
        lead = f"action {actions[0]!r} leads" if len(actions) == 1 else f"actions {', '.join(map(repr, actions))} lead"
        return ModelError(
            "SC233",
            f"two equivalent states differ in where {lead}",
            where=place(self.equivalence.parts[0]) if self.equivalence.parts else None,
            values=values,
            suggestion=self._mended(UNEVEN if self.equivalence.renames else FORGETS),
        )

    def _shown(self, state: State, only: Collection[StepOfClass]) -> str:
        """The edges of a state that an equivalent one does not have."""
        edges = [edge for edge in self._system.edges(state) if self._step(state, edge) in only]
        told = [f"{edge.label} -> {clip(show(self._system, edge.target), LONGEST)}" for edge in edges[:MOST_SHOWN]]
        more = [f"and {len(edges) - MOST_SHOWN:,} more"] if len(edges) > MOST_SHOWN else []
        return "\n".join(told + more) or "none of these"

    def _mended(self, suggestion: str) -> str:
        """What to do, and what the declaration may have meant instead."""
        return f"{suggestion}\n{self.equivalence.hint}" if self.equivalence.hint else suggestion


def _position(different: Collection[StepOfClass]) -> int:
    """The first property of steps that steps of one action into one class answer differently."""
    said: dict[tuple[str, Hashable], set[tuple[bool, ...]]] = {}
    for one in different:
        said.setdefault((one.action, one.target), set()).add(one.allowed)
    columns = (
        position
        for answers in said.values()
        for position, of in enumerate(zip(*answers, strict=True))
        if len(set(of)) > 1
    )
    return min(columns, default=0)


def _questions(plan: Plan) -> Iterator[Question]:
    """All that a plan asks of single states."""
    system, measure = plan.system, plan.measure
    if measure is not None and plan.equivalence is not None:
        yield Question("progress", lambda state: progress_of(system, measure, state), measure.function, True)
    for asked in plan.properties:
        name = f"{asked.kind} {asked.name!r}"
        if asked.predicate is not None and asked.kind is not Kind.STEP:
            yield Question(name, _asker(system, asked), asked.predicate)
        for predicate in functions(asked):
            if predicate is not asked.predicate:
                yield Question(name, partial(truth, system, predicate, what=name), predicate)
    for one in () if plan.bound is None else plan.bound.constraints:
        yield Question(f"constraint {one.name!r}", partial(satisfied, system, one), one.predicate)
    for tally in plan.tallies:
        yield Question("the fold", _counter(system, tally), tally.function)


def _asker(system: System, asked: Property) -> Callable[[State], Any]:
    def answer(state: State) -> Any:
        return satisfies(system, asked, state)

    return _leniently(answer) if asked.kind is Kind.DEADLOCK else answer


def _counter(system: System, tally: Tally) -> Callable[[State], Any]:
    def answer(state: State) -> Any:
        if tally.predicate is not None and not evaluate(system, tally.predicate, state, WHAT[1]):
            return "not counted"
        kept = tally.store is not None and bool(evaluate(system, tally.store, state, WHAT[2]))
        return value_in(system, tally.function, state), kept

    return _leniently(answer) if tally.dead else answer


def _leniently(answer: Callable[[State], Any]) -> Callable[[State], Any]:
    """For what is asked of states without successors alone, and need not have a value in others."""

    def lenient(state: State) -> Any:
        try:
            return answer(state)
        except ModelError:
            return "no value"

    return lenient


def _key(system: System, equivalence: Equivalence, state: State) -> list[tuple[str, str]]:
    """The key of a class as a row of an error; where it is a whole state, that says nothing new."""
    if not equivalence.parts:
        return []
    key: Any = class_of(system, equivalence, state)
    return [("key", shown(key[0] if len(key) == 1 else key))]
