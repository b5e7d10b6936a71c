"""What temporal formulas need: an automaton that reads along, and what is refused because it would not be sound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sweepcheck.core.fairness import Fairness
from sweepcheck.core.plan import Bound
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.temporal import Op, Temporal
from sweepcheck.errors import RequestError
from sweepcheck.logic.recurrence import recurrence
from sweepcheck.logic.reduction import reader, reduced
from sweepcheck.logic.terminal import with_one_way
from sweepcheck.logic.translation import translated


def with_readers(properties: Sequence[Property], fair: Sequence[Fairness]) -> tuple[Property, ...]:
    """The properties, those of LTL with what reads runs or, where their loops alone decide, with what these are.

    Where it matters which steps a state has (fairness, what is still possible, CTL), none is left out.
    """
    complete = bool(fair) or any(one.kind in (Kind.ALWAYS_POSSIBLE, Kind.CTL) for one in properties)
    return tuple(_with_reader(one, complete) if one.kind is Kind.LTL else one for one in properties)


def _with_reader(asked: Property, complete: bool) -> Property:
    if asked.formula is not None and (loops := recurrence(asked.formula)) is not None:
        return replace(asked, recurrence=loops)
    if asked.formula is not None:
        automaton = translated(Temporal(Op.NOT, (asked.formula,)))
    else:
        assert asked.automaton is not None
        automaton = reduced(asked.automaton)
    return replace(asked, reader=reader(with_one_way(automaton), complete))


def check_temporal(properties: Sequence[Property], bound: Bound | None) -> None:
    """Refuse CTL of a part of the states: what is true of the tree of runs is not known where it is cut."""
    for asked in properties:
        if asked.kind is Kind.CTL and bound is not None:
            raise RequestError(
                "SC415",
                f"ctl {asked.name!r} cannot be decided under a constraint or up to a bound:\n"
                "nobody knows what runs do beyond it",
                suggestion="explore all states: constraints=[] (--no-constraints), without up_to;\n"
                "LTL, AG AF and invariants are decided of what lies within it",
            )
