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
    return value


def _what_to_return(value: Any) -> str:
    if value is None:
        return "return a value in every state"
    if hasattr(value, "distinct"):  # a bag, or the place of a net
        return "return how many there are, len(s.x), or the token of a place that holds one, m.P.token"
    return "return numbers, text or tuples of these; for sets and the like use partial_order(...)"


def leq(measure: Measure, one: Any, other: Any, order: Order | None = None) -> bool:
    """Whether one progress value is at most another, in the measure's order or one made from it.

    Two values that are at most each other would let a cycle leave its layer unseen, so that is checked.
    """
    order = measure.order if order is None else order
    try:
        below = bool(order.leq(one, other))
        undecided = below and not order.total and one != other and order.leq(other, one)
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


def first_minimal(order: Order, values: Iterable[Any]) -> Any:
    """Of the values that have none of the others strictly below them the first in the fixed order of all values.

    For orders without a rank. That it does not depend on which value was found first makes runs repeatable.
    """
    candidates = sorted(values, key=sort_key)
    return next(v for v in candidates if not any(order.leq(u, v) for u in candidates if u != v))


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
    """The error for an edge that lowers a component declared to be monotone."""
    return MeasureError(
        "SC304",
        "a component of the progress measure that is declared to be monotone went down on a step",
        where=_where(system, edge),
        values=_sides(system, state, value, edge, next_value),
        suggestion='declare this component without monotone=True, or use strategy="generalised"',
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
