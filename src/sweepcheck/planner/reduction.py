"""Which equivalence a run follows: as a reduction, as a cut-off, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sweepcheck.core.equivalence import CutOff, Equivalence
from sweepcheck.core.fairness import Fairness
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import System
from sweepcheck.core.plan import Strategy, Tally
from sweepcheck.core.property import Kind, Property
from sweepcheck.errors import RequestError
from sweepcheck.strategies import FULL, SWEEP


@dataclass(frozen=True, slots=True)
class Reduction:
    """What is declared, and what of it a strategy makes use of."""

    equivalence: Equivalence | None = None
    cutoff: CutOff | None = None

    def strategy(self, measure: Measure | None, demanding: str | None) -> tuple[Strategy, str | None] | None:
        """The default strategy where there is a cut-off."""
        if self.cutoff is None:
            return None
        if measure is None:
            return FULL, None
        if demanding is not None:
            return FULL, f"{demanding} needs every class to be stored"
        return SWEEP, "the model declares a cut-off"

    def under(self, strategy: Strategy, demanding: str | None) -> Reduction:
        """What is left to do under a strategy; an error where the two do not go together.

        Full exploration stores every class for ever: a cut-off is then a reduction like any other (paper 3, figure 2).
        """
        if self.cutoff is None:
            return self
        if strategy is FULL:
            return Reduction(_both(self.equivalence, self.cutoff.equivalence))
        if strategy is not SWEEP:
            raise RequestError(
                "SC404",
                f"the model declares a cut-off, which goes with a sweep, not with strategy {strategy.name!r}",
                suggestion='use strategy="sweep", which takes any measure where there is a cut-off, or\n'
                'strategy="full"; equivalence=False (--no-equivalence) explores without it',
            )
        if demanding is not None:
            raise RequestError(
                "SC404",
                f"{demanding} cannot be had with a cut-off,\nwhere a cycle of classes may span all layers",
                suggestion='use strategy="full", which stores every class and decides it',
            )
        return Reduction(None, replace(self.cutoff, equivalence=_both(self.equivalence, self.cutoff.equivalence)))


def check_reduction(
    reduction: Reduction, tallies: Sequence[Tally], fair: Sequence[Fairness], properties: Sequence[Property]
) -> None:
    """Refuse what classes do not show."""
    classes = reduction.equivalence if reduction.cutoff is None else reduction.cutoff.equivalence
    if classes is None:
        return
    if reduction.cutoff is not None and tallies:
        raise RequestError(
            "SC404",
            "with a cut-off a class may be met twice, so that counts and sums over states would be wrong",
            suggestion='use strategy="full", which meets every class once',
        )
    if any(tally.edges for tally in tallies):
        raise RequestError(
            "SC404",
            "a fold over edges sees those of one state of each class, and equivalent states may have others",
            suggestion="fold over states, or explore all of them: equivalence=False",
        )
    for asked in properties:
        if asked.kind.has_formula:
            raise RequestError(
                "SC415",
                f"{asked.kind} {asked.name!r} cannot be decided with {classes.origin}:\n"
                "it is about runs of all states, and one state of each class is explored",
                suggestion="explore all states: equivalence=False (--no-equivalence)",
            )
        if asked.kind in (Kind.STEP, Kind.LEADS_TO):
            about = "steps of all states" if asked.kind is Kind.STEP else "what a run has met before"
            raise RequestError(
                "SC404",
                f"{asked.kind} {asked.name!r} cannot be decided with {classes.origin}:\n"
                f"it is about {about}, and one state of each class is explored",
                suggestion="explore all states: equivalence=False (--no-equivalence)",
            )
    member = next((action for one in fair for action in one.actions if action.arguments), None)
    if classes.renames and member is not None:
        raise RequestError(
            "SC404",
            f"fairness to {member} cannot be had with {classes.origin}:\n"
            "equivalent states differ in which member of the family they can do",
            suggestion="leave the fairness out, or explore all states: equivalence=False (--no-equivalence)",
        )


def declared(system: System, wanted: bool) -> Reduction:
    """What a system declares; nothing where it is not wanted."""
    return Reduction(system.declared_equivalence(), system.declared_cutoff()) if wanted else Reduction()


def _both(fine: Equivalence | None, coarse: Equivalence) -> Equivalence:
    """The coarser equivalence, of the states that the finer one makes canonical."""
    if fine is None or fine.canonical is None or coarse.canonical is not None:
        return coarse
    return replace(fine, parts=coarse.parts, origin=f"{fine.origin} and {coarse.origin}")
