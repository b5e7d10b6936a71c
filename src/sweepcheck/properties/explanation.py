"""Why a formula of CTL is true or false in a state, as far as one run shows it.

A run shows that E of something is true, and that A of something is false: it leads to a state where the next part of
the formula is to be explained, or ends in a loop. That E of something is false, or A true, is about all runs; so is
what several runs would have to show: then a sentence says which part it is, and of which state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from sweepcheck.core.temporal import Op, Temporal, is_state_formula
from sweepcheck.core.verdict import PartTruth
from sweepcheck.logic.normal import existential

At = TypeVar("At")  # a state, as an engine knows it
Claims = list[tuple[Temporal, bool]]  # formulas, and whether they are true


@dataclass(frozen=True)
class Way(Generic[At]):
    """A run from a state: where it leads, and the way from there back to the same state if it is a loop.

    `actions` are those of the loop, where fairness asks for them.
    """

    path: Sequence[At]
    cycle: Sequence[At] | None = None
    actions: Sequence[int] = ()


class Ways(Protocol[At]):
    """What an engine knows of states after a run. Formulas are in normal form."""

    def holds(self, node: Temporal, at: At) -> bool:
        """Whether a node of the formula is true of a state."""

    def way(self, node: Temporal, at: At) -> Way[At] | None:
        """A run that shows why a node which begins with E is true; None where that is known no more."""


class Explanation(Generic[At]):
    """A run from a state on, and what is true at positions of it."""

    def __init__(self, ways: Ways[At], given: Temporal, at: At) -> None:
        self.path: list[At] = []
        self.cycle: Sequence[At] | None = None
        self.actions: Sequence[int] = ()
        self._ways = ways
        self._said: list[tuple[Claims, bool, int]] = []  # whether for ever, with the position after the state
        self._explain(given, at)

    def remark(self, position: int | None) -> str:
        """What is true where, if the state has this position in the whole trace; None where there is no trace."""
        if position is None or (not self.path and self.cycle is None):
            return _text(self._said[0][0])
        said = ((_text(claims), position + at, for_ever) for claims, for_ever, at in self._said)
        return "; ".join(f"{text} from {at} on" if for_ever else f"{text} at {at}" for text, at, for_ever in said)

    def parts(self, position: int | None) -> tuple[PartTruth, ...]:
        """The same as data; nothing where there is no trace."""
        if position is None:
            return ()
        said = ((claim, position + at, for_ever) for claims, for_ever, at in self._said for claim in claims)
        return tuple(PartTruth(node, value, at, for_ever) for (node, value), at, for_ever in said)

    def _is_true(self, node: Temporal, at: At) -> bool:
        return self._ways.holds(existential(node), at)

    def _explain(self, given: Temporal, at: At) -> None:
        claims: Claims = [(given, self._is_true(given, at))]
        while True:
            claims = [one for claim in claims for one in self._parts(*claim, at)]
            about_runs = [one for one in claims if not is_state_formula(one[0])]
            self._said.append((about_runs or claims, False, len(self.path)))
            if len(about_runs) != 1:
                return
            ((node, value),) = about_runs
            if (node.op is Op.SOME_RUN) is not value:  # about all runs
                return
            shown = _shown(existential(node), at, self._ways)
            found = self._ways.way(shown, at)
            if found is None:
                return
            before = len(self.path)
            self.path += found.path
            at = found.path[-1] if found.path else at
            if found.cycle is not None:
                self.cycle, self.actions = found.cycle, found.actions
                self._said.append((_for_ever(node, value), True, before))
                return
            claims = _at_the_end(node, value)

    def _parts(self, node: Temporal, value: bool, at: At) -> Iterator[tuple[Temporal, bool]]:
        """What makes a formula true or false in a state: several things together, or one of those that would do."""
        match node.op:
            case Op.NOT:
                yield from self._parts(node.parts[0], not value, at)
            case Op.AND | Op.OR | Op.IMPLIES:
                left, right = node.parts
                parts = [(left, value is not (node.op is Op.IMPLIES)), (right, value)]
                together = value if node.op is Op.AND else not value
                true = [one for one in parts if self._is_true(one[0], at) is one[1]]
                true.sort(key=lambda one: not is_state_formula(one[0]))  # what the state itself shows comes first
                for one in true if together else true[:1]:
                    yield from self._parts(*one, at)
            case Op.IFF:
                for part in node.parts:
                    yield from self._parts(part, self._is_true(part, at), at)
            case _:
                yield node, value


def _text(claims: Claims) -> str:
    return " and ".join(f"{node} is {str(value).lower()}" for node, value in claims)


def _shown(node: Temporal, at: At, ways: Ways[At]) -> Temporal:
    """The node, beginning with E, of which one run shows that it is true: of A it is the opposite, which is."""
    node = node.parts[0] if node.op is Op.NOT else node
    return node if node.op is Op.SOME_RUN else next(part for part in node.parts if ways.holds(part, at))


def _at_the_end(node: Temporal, value: bool) -> Claims:
    """What is so at the end of the run that shows a node to be true, if it begins with E, or false."""
    run = node.parts[0]
    both = (Op.RELEASE, Op.STRONG_RELEASE) if value else (Op.UNTIL, Op.WEAK_UNTIL)
    return [(part, value) for part in (run.parts if run.op in both else run.parts[-1:])]


def _for_ever(node: Temporal, value: bool) -> Claims:
    """What is so all along the loop that shows it."""
    run = node.parts[0]
    # E(p W q) and A(p M q), which is false, are about p then; E(p R q) and A(p U q) about q.
    return [(run.parts[0] if run.op in (Op.WEAK_UNTIL, Op.STRONG_RELEASE) else run.parts[-1], value)]


def truth_of(node: Temporal, known: Mapping[Temporal, bool]) -> bool:
    """Whether a formula in normal form is true where that is known of some of them."""
    if node.op is Op.NOT and node not in known:
        return not truth_of(node.parts[0], known)
    if node.op is Op.OR and node not in known:
        return any(truth_of(part, known) for part in node.parts)
    return known[node]
