"""Which equivalence a run follows: as a reduction, as a cut-off, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sweepcheck.core.equivalence import CutOff, Equivalence
from sweepcheck.core.fairness import Fairness
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Label, System
from sweepcheck.core.plan import Strategy, Tally
from sweepcheck.core.property import Property
from sweepcheck.errors import RequestError
from sweepcheck.properties.propositions import propositions_of
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
    system: System,
    reduction: Reduction,
    tallies: Sequence[Tally],
    fair: Sequence[Fairness],
    properties: Sequence[Property],
) -> None:
    """Refuse what classes do not show."""
    classes = reduction.equivalence if reduction.cutoff is None else reduction.cutoff.equivalence
    if classes is None:
        return
    if reduction.cutoff is not None and not all(one.idempotent for one in tallies):
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
        _check_property(system, classes, asked)
    for one in fair:
        if one.of:
            raise RequestError(
                "SC404",
                f"fairness to {one.name} cannot be had with {classes.origin}:\n"
                "of a step between classes nobody knows which variables it changes",
                suggestion="leave `of` out, or explore all states: equivalence=False (--no-equivalence)",
            )
        if classes.renames and (member := _singled_out(system, one.actions)) is not None:
            raise RequestError(
                "SC404",
                f"fairness to {member} cannot be had with {classes.origin}:\n"
                "equivalent states differ in which member of the family they can do",
                suggestion=f"be fair to the whole family, m.fair({member.action!r}, together=True), leave it\n"
                "out, or explore all states: equivalence=False (--no-equivalence)",
            )


def _check_property(system: System, classes: Equivalence, asked: Property) -> None:
    """Refuse a property that equivalent states need not have in common."""
    for one in propositions_of(asked):
        if (member := _singled_out(system, one.actions)) is not None:
            raise RequestError(
                "SC415",
                f"{asked.kind} {asked.name!r} cannot be decided with {classes.origin}:\n"
                f"it asks for {member}, and equivalent states differ in which member of a family acts",
                suggestion=f"ask for last({member.action}), or explore all states: equivalence=False",
            )


def _singled_out(system: System, actions: Sequence[Label]) -> Label | None:
    """An action of a family, where another one of it is not among these."""
    families = {action.action for action in actions if action.arguments}
    members = (one.label for one in system.declared_actions() or ())
    missing = {label.action for label in members if label.action in families and label not in actions}
    return next((action for action in actions if action.action in missing), None)


def declared(system: System, wanted: bool) -> Reduction:
    """What a system declares; nothing where it is not wanted."""
    return Reduction(system.declared_equivalence(), system.declared_cutoff()) if wanted else Reduction()


def _both(fine: Equivalence | None, coarse: Equivalence) -> Equivalence:
    """The coarser equivalence, of the states that the finer one makes canonical."""
    if fine is None or fine.canonical is None or coarse.canonical is not None:
        return coarse
    return replace(fine, parts=coarse.parts, origin=f"{fine.origin} and {coarse.origin}")
