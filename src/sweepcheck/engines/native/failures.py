"""What a run that broke off means: its function runs once more in Python, whose errors have code, place and state."""

from __future__ import annotations

from sweepcheck._core import MOST_TOKENS, Failure
from sweepcheck.core.deadline import TimeUp
from sweepcheck.core.model import State
from sweepcheck.core.plan import Plan
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.tabulated import ActionFunction, ActionLike, Tabulated
from sweepcheck.core.verdict import Stop
from sweepcheck.engines.agreement import Agreement
from sweepcheck.engines.bound import is_inside
from sweepcheck.engines.breaking_off import running
from sweepcheck.engines.classes import class_of
from sweepcheck.engines.progress import broken_claim, progress_of, regress
from sweepcheck.engines.tallies import WHAT, value_in
from sweepcheck.engines.verification import impure
from sweepcheck.errors import RequestError, SweepcheckError
from sweepcheck.properties.evaluation import allows, evaluate, show, truth
from sweepcheck.properties.propositions import functions, named_functions

NOT_OF_ONE_STATE = ("SC215", "SC404")  # errors that an action run by itself, in Python, need not raise


def explain(plan: Plan, system: Tabulated, failure: Failure) -> tuple[Stop, str | None]:
    """Raise the error that a failure means.

    An interruption inside a model is an ordinary end: why the run stopped, and the function that was running.
    """
    raised = failure.error
    if isinstance(raised, KeyboardInterrupt | TimeUp):
        stop = Stop.INTERRUPTED if isinstance(raised, KeyboardInterrupt) else Stop.SECONDS
        return stop, running(raised, plan)
    if isinstance(raised, MemoryError):
        return Stop.MEMORY, None
    match failure.kind:
        case Failure.Kind.REGRESS:
            raise _step_back(plan, failure)
        case Failure.Kind.DISAGREEMENT:
            _compare_again(plan, failure)
        case Failure.Kind.CROWDED:
            raise crowded(str(failure.bag))
    if failure.of is Failure.Of.ACTION and getattr(raised, "code", None) in NOT_OF_ONE_STATE:
        told = system.tabulate().actions[failure.index]
        if raised is not None and isinstance(told, ActionFunction):
            raise told.blame(raised, system.variables).add(("state", show(system, failure.state)))
    _run_again(plan, failure)
    if isinstance(raised, SweepcheckError):
        raise raised
    raise impure(system, failure.state, _action(system, failure)) from raised


def _compare_again(plan: Plan, failure: Failure) -> None:
    """Compare two equivalent states in Python: it raises the error to show."""
    assert plan.classes is not None
    agreement = Agreement(plan, plan.classes)
    for state in (failure.state, failure.successor):
        first = agreement.see(class_of(plan.system, plan.classes, state), state)
        agreement.compare_steps(first, state)


def _action(system: Tabulated, failure: Failure) -> ActionLike | None:
    return system.actions[failure.index] if failure.of is Failure.Of.ACTION else None


def _step_back(plan: Plan, failure: Failure) -> SweepcheckError:
    """The error for a step that goes back."""
    system, measure = plan.system, plan.measure
    assert measure is not None  # without one there is no back
    edges = (edge for edge in system.edges(failure.state) if _is_met(plan, edge.target, failure.successor))
    if (edge := next(edges, None)) is None:
        return impure(system, failure.state, None)
    before, after = (progress_of(system, measure, one) for one in (failure.state, failure.successor))
    told = broken_claim if plan.strategy.order == "column" else regress
    return told(system, failure.state, before, edge, after)


def _is_met(plan: Plan, state: State, met: State) -> bool:
    """Whether the core has a state, or another one that stands for its class."""
    if plan.classes is None or plan.classes.canonical is None:
        return state == met
    return class_of(plan.system, plan.classes, state) == class_of(plan.system, plan.classes, met)


def _run_again(plan: Plan, failure: Failure) -> None:
    """Do in Python what failed in the core: it raises the error to show."""
    system, state = plan.system, failure.state
    match failure.of:
        case Failure.Of.ACTION:
            system.edges(state)
        case Failure.Of.MEASURE:
            if plan.measure is not None:
                progress_of(system, plan.measure, state)
        case Failure.Of.FUNCTION:
            tallies = [one for one in plan.tallies if not one.edges]
            value_in(system, tallies[failure.index].function, state)
        case Failure.Of.KEY:
            if plan.classes is not None:
                class_of(system, plan.classes, state)
        case Failure.Of.CHECK:
            _checks_again(plan, failure)
        case Failure.Of.STEP:
            steps = [one for one in plan.properties if one.kind is Kind.STEP]
            for edge in system.edges(state):
                if edge.target == failure.successor:
                    allows(system, steps[failure.index], state, edge)
        case Failure.Of.PREDICATE:
            _predicates_again(plan, failure)


def _predicates_again(plan: Plan, failure: Failure) -> None:
    system, state = plan.system, failure.state
    asked = [one for one in plan.properties if one.kind is not Kind.STEP]
    # In the order in which they were described: of what leads to what there are two, and a bit, which needs none.
    bits = {Kind.LEADS_TO: 1}
    positions = [one for one in asked for _ in range(len(list(functions(one))) + bits.get(one.kind, 0))]
    if failure.index < len(positions):
        _predicates_of(positions[failure.index], plan, state)
    if plan.bound is not None:
        is_inside(system, plan.bound, state)
    for tally in plan.tallies:
        for predicate, name in ((tally.predicate, WHAT[1]), (tally.store, WHAT[2])):
            if predicate is not None:
                evaluate(system, predicate, state, name)
    # A part of a predicate that was divided has a position after all others, and the whole raises what it did. What may
    # be asked of dead states alone comes last.
    for one in sorted(asked, key=lambda one: one.kind is Kind.DEADLOCK):
        _predicates_of(one, plan, state)


def _predicates_of(asked: Property, plan: Plan, state: State) -> None:
    for what, function in named_functions(asked):
        truth(plan.system, function, state, what)


def _checks_again(plan: Plan, failure: Failure) -> None:
    for tally in plan.tallies:
        if not tally.edges:
            value_in(plan.system, tally.function, failure.state)
    _predicates_again(plan, failure)


def crowded(bag: str) -> RequestError:
    """The error for a bag with more tokens than can be counted here."""
    return RequestError(
        "SC404",
        f"the native engine cannot do this: bag {bag!r} holds more than {MOST_TOKENS:,} tokens",
        suggestion='use engine="reference", or a variable that counts instead of tokens',
    )
