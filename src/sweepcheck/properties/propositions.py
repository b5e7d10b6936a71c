"""What the propositions of formulas mean in a model, and formulas that say what another property says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from sweepcheck.core.fairness import named
from sweepcheck.core.model import System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.temporal import (
    About,
    Op,
    Place,
    Proposition,
    Temporal,
    is_state_formula,
    place_of,
    propositions,
)
from sweepcheck.errors import ModelError, SweepcheckError, closest
from sweepcheck.properties.always_eventually import always_eventually
from sweepcheck.properties.always_possible import always_possible
from sweepcheck.properties.expression import expression, spoken
from sweepcheck.properties.invariant import invariant
from sweepcheck.properties.leads_to import leads_to
from sweepcheck.properties.reachable import reachable

Predicate = Callable[[Any], object]

_OPENING = re.compile(r"(?:\{|last\s*\()\s*")  # what stands before an expression, or before the name of an action


def understood(system: System, asked: Property) -> Property:
    """A property whose propositions are predicates of the model's states and actions; others are left as they are.

    A formula that says what another kind of property says becomes one: that is decided with less.
    """
    if not asked.kind.has_formula:
        return asked
    if asked.automaton is not None:
        meant = tuple(_meant(system, one) for one in asked.automaton.propositions)
        return replace(asked, automaton=replace(asked.automaton, propositions=meant))
    assert asked.formula is not None
    meaning = {one: _meant_at(system, one, place_of(one, asked.formula)) for one in propositions(asked.formula)}
    made = _replaced(asked.formula, meaning)
    step = next((one for one in meaning if one.about is About.LAST), None)
    if asked.kind is Kind.CTL and step is not None:
        raise ModelError(
            "SC237",
            f"ctl {asked.name!r} uses last(...): a state does not know which step led to it",
            values=[place_of(step, asked.formula).shown()],
            suggestion="ask for it as LTL, which is about runs, or keep the action in a variable",
        )
    return _recognised(system, asked.name, made) or replace(asked, formula=made)


def _replaced(node: Temporal, meaning: dict[Proposition, Proposition]) -> Temporal:
    if isinstance(node, Proposition):
        return meaning[node]
    return Temporal(node.op, tuple(_replaced(part, meaning) for part in node.parts))


def _meant_at(system: System, one: Proposition, place: Place) -> Proposition:
    """What a proposition means; an error says where it stands."""
    if (opening := _OPENING.match(place.text, place.at)) is not None:
        place = place.moved(len(opening[0]))
    try:
        return _meant(system, one, place)
    except SweepcheckError as error:
        pointed = place.shown()
        if pointed[0] not in dict(error.values):
            error.add(pointed)
        raise


def _meant(system: System, one: Proposition, place: Place | None = None) -> Proposition:
    match one.about:
        case About.LAST:
            return replace(one, actions=tuple(label for _, label in named(system, one.text)))
        case About.EXPRESSION:
            return replace(one, function=system.condition(one.text) or expression(system, one.text, place=place))
        case About.FUNCTION:
            return one
    declared = system.declared_predicates()
    if one.text in declared:
        return replace(one, function=declared[one.text])
    if one.function is not None:  # a predicate of another model
        raise _unknown(one, list(declared))
    variables = spoken(system)
    if one.text in variables:
        return replace(one, function=expression(system, one.text))
    raise _unknown(one, [*declared, *sorted(variables)])


def _unknown(one: Proposition, known: list[str]) -> ModelError:
    return ModelError(
        "SC236",
        f"a formula speaks of {one.text!r}, which is no predicate of the model",
        suggestion=f"{closest(one.text, known) if known else 'the model declares none'}\n"
        "declare it with @m.predicate, or write the condition in braces: {s.x > 0}",
    )


def as_predicate(given: Temporal) -> Predicate:
    """A formula that single states decide, as a function of the state."""
    if isinstance(given, Proposition) and given.function is not None:
        return given.function
    parts = [as_predicate(part) for part in given.parts]
    match given.op:
        case Op.TRUE | Op.FALSE:
            value = given.op is Op.TRUE
            return lambda _: value
        case Op.NOT:
            (part,) = parts
            return lambda s: not part(s)
    one, other = parts
    match given.op:
        case Op.AND:
            return lambda s: bool(one(s)) and bool(other(s))
        case Op.OR:
            return lambda s: bool(one(s)) or bool(other(s))
        case Op.IMPLIES:
            return lambda s: not one(s) or bool(other(s))
        case Op.IFF:
            return lambda s: bool(one(s)) is bool(other(s))
        case _:
            raise TypeError(f"{given} is about more than a state")


def _is_of_states(given: Temporal) -> bool:
    return is_state_formula(given) and all(one.function is not None for one in propositions(given))


def _below(given: Temporal, *signs: str) -> Temporal | None:
    """What stands below these operators, one inside the other; None where others stand there."""
    for sign in "".join(signs):
        if given.op != sign or len(given.parts) != 1:
            return None
        given = given.parts[0]
    return given


def _recognised(system: System, name: str, given: Temporal) -> Property | None:
    """The property of another kind that says the same. LTL is about all runs, as if A stood before it."""
    for make, shapes in _SHAPES:
        for shape in shapes:
            found = _below(given, shape)
            if found is not None and _is_of_states(found) and (make is not reachable or _starts_once(system)):
                return make(name, as_predicate(found))
    for before, after in (("AG", "AF"), ("G", "F")):
        inner = _below(given, before)
        if inner is not None and inner.op is Op.IMPLIES:
            goal = _below(inner.parts[1], after)
            if goal is not None and _is_of_states(goal) and _is_of_states(inner.parts[0]):
                return leads_to(name, as_predicate(inner.parts[0]), as_predicate(goal))
    return None


def _starts_once(system: System) -> bool:
    """A formula of CTL is asked of every initial state, reachability of any."""
    return len(system.initial_states()) == 1


_SHAPES: tuple[tuple[Callable[[str, Predicate], Property], tuple[str, ...]], ...] = (
    (invariant, ("G", "AG")),
    (reachable, ("EF",)),
    (always_possible, ("AGEF",)),
    (always_eventually, ("GF", "AGAF")),
)


def propositions_of(asked: Property) -> tuple[Proposition, ...]:
    """What a formula or an automaton speaks of."""
    if asked.automaton is not None:
        return asked.automaton.propositions
    return () if asked.formula is None else propositions(asked.formula)


def functions(asked: Property) -> Iterator[Predicate]:
    """The predicates that a property asks of states."""
    return (function for _, function in named_functions(asked))


def named_functions(asked: Property) -> Iterator[tuple[str, Predicate]]:
    """The same, with what errors call them."""
    what = f"{asked.kind} {asked.name!r}"
    yield from ((what, one) for one in (asked.predicate, asked.goal) if one is not None)
    yield from ((f"{one} of {what}", one.function) for one in propositions_of(asked) if one.function is not None)
