"""Progress values of states: computed, admitted to the order, compared; and the error for a step that goes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sweepcheck.core.measure import Measure, Order
from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.values import sort_key
from sweepcheck.errors import MeasureError, place, shown, told
from sweepcheck.properties.evaluation import evaluate, show


def parts_of(measure: Measure) -> tuple[Measure, ...]:
    """The parts of a measure; one that is no product has itself as its only part."""
    return measure.parts or (measure,)


def progress_of(system: System, measure: Measure, state: State) -> Any:
    """The progress value of a state; an error if the measure's order has no place for it."""
    value = evaluate(system, measure.function, state, "the progress measure")
    try:
        hash(value)
        admitted = measure.order.admits(value)
    except TypeError:
        admitted = False
    if not admitted:
        raise MeasureError(
            "SC302",
            f"the progress value {shown(value)} has no place in a {measure.order.name} order",
            where=place(measure.function),
            values=[("state", show(system, state))],
            suggestion=_what_to_return(value),
        )
    if irreflexive(measure, value):
        raise MeasureError(
            "SC302",
            f"the progress value {shown(value)} is not at most itself",
            where=place(measure.function),
            values=[("state", show(system, state))],
            suggestion="an order is reflexive: compare with <=, not with <",
        )
    return value


def _what_to_return(value: Any) -> str:
    if value is None:
        return "return a value in every state"
    if hasattr(value, "distinct"):  # a bag, or the place of a net
        return "return how many there are, len(s.x), or the token of a place that holds one, m.P.token"
    return "return numbers, text or tuples of these; for sets and the like use partial_order(...)"


def irreflexive(measure: Measure, value: Any) -> bool:
    """Whether a value is not at most itself in an order of the user's."""
    return measure.order.rank is None and not leq(measure, value, value)


def leq(measure: Measure, one: Any, other: Any, order: Order | None = None) -> bool:
    """Whether one progress value is at most another, in the measure's order or one made from it.

    Two values that are at most each other would let a cycle leave its layer unseen, so that is checked.
    """
    order = measure.order if order is None else order
    try:
        below = bool(order.leq(one, other))
        undecided = below and not order.total and one != other and order.leq(other, one)
    except MemoryError:  # the end of a run, and not the order's fault
        raise
    except Exception as error:
        raise MeasureError(
            "SC302",
            f"the progress values {shown(one)} and {shown(other)} cannot be compared: {told(error)}",
            where=place(measure.function),
            suggestion="give all states progress values of one shape",
        ) from error
    if undecided:
        raise MeasureError(
            "SC302",
            f"the different progress values {shown(one)} and {shown(other)} are each at most the other",
            where=place(measure.function),
            suggestion="an order is antisymmetric: let states of equal progress have equal values",
        )
    return below


def guarded(measure: Measure, order: Order | None = None) -> Order:
    """The measure's order, or one made from it, with comparisons that fail as an error of the measure."""
    order = measure.order if order is None else order
    return replace(order, leq=lambda one, other: leq(measure, one, other, order))


def disorder(measure: Measure, order: Order, last: Any, values: Iterable[Any]) -> MeasureError:
    """The error for an order that is not transitive, with three values that show it.

    `last` is at the end of a chain of values, each at most the next, that begins with one that is not at most `last`.
    """
    met = sorted(values, key=sort_key)
    below = [value for value in met if value != last and order.leq(value, last)]
    others = [value for value in met if value != last and value not in below]
    found = next(((one, other) for other in below for one in others if order.leq(one, other)), None)
    if found is None:
        return MeasureError(
            "SC302",
            f"progress values that are at most {shown(last)} were not when they were compared before",
            where=place(measure.function),
            suggestion="an order gives the same answer every time: compare the two values and nothing else",
        )
    one, other = found
    return MeasureError(
        "SC302",
        f"progress {shown(one)} is at most {shown(other)}, which is at most {shown(last)}, "
        f"but {shown(one)} is not at most {shown(last)}",
        where=place(measure.function),
        suggestion="an order is transitive: what is at most something is at most all that this is at most",
    )


@contextmanager
def ordering() -> Iterator[None]:
    """Progress values are put in order within; that two of them cannot be compared is an error of the measure."""
    try:
        yield
    except TypeError as error:
        raise MeasureError(
            "SC302",
            f"the progress values of two states cannot be compared: {error}",
            suggestion="give all states progress values of one shape",
        ) from error


def regress(system: System, state: State, value: Any, edge: Edge, next_value: Any) -> MeasureError:
    """The error for an edge that goes back where none may."""
    return MeasureError(
        "SC301",
        'progress went down on a step, but strategy "sweep" needs it never to',
        where=_where(system, edge),
        values=_sides(system, state, value, edge, next_value),
        suggestion='use strategy="generalised", or let the measure count what this step does not undo',
    )


def broken_claim(system: System, state: State, value: Any, edge: Edge, next_value: Any) -> MeasureError:
    """The error for an edge that lowers a part declared to be monotone."""
    return MeasureError(
        "SC304",
        "a part of the progress measure that is declared to be monotone went down on a step",
        where=_where(system, edge),
        values=_sides(system, state, value, edge, next_value),
        suggestion='declare this part without monotone=True, or use strategy="generalised"',
    )


def _where(system: System, edge: Edge) -> str:
    place_of_action = system.locate(edge.label)
    return f"{place_of_action}, action {edge.label}" if place_of_action else f"action {edge.label}"


def _sides(system: System, state: State, value: Any, edge: Edge, next_value: Any) -> list[tuple[str, str]]:
    """Both sides of a step with their progress values and what it changed, and the whole state before."""
    before, after = system.describe(state), system.describe(edge.target)
    changed = [name for name in before if before[name] != after.get(name)]

    def side(progress: Any, described: dict[str, object]) -> str:
        return f"progress {shown(progress)}   " + " ".join(f"{name}={shown(described[name])}" for name in changed)

    return [("before", side(value, before)), ("after", side(next_value, after)), ("state", show(system, state))]
