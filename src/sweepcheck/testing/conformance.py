"""The conformance kit: any engine, strategy and collection policy against the truth about a model.

    check_engine(run, model, measure=..., predicate=..., strategy="sweep", gc="layer")

`run` is what an engine is: `run(plan, observer) -> Outcome`. The kit raises `Nonconformity`, which says what the engine
answered and what is true; use it with the random models beside it, or with models of your own.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from sweepcheck.core.limits import Limits
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, State
from sweepcheck.core.observer import Observer, Snapshot
from sweepcheck.core.plan import CollectionPolicy, Outcome, Plan
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.request import Request
from sweepcheck.core.trace import Trace
from sweepcheck.core.verdict import Decision, Guarantee, Status, Stop, Verdict, conclude
from sweepcheck.engines import reference
from sweepcheck.engines.replay import replay
from sweepcheck.errors import MeasureError, SweepcheckError
from sweepcheck.models.adoption import adopt
from sweepcheck.planner import plan
from sweepcheck.properties import always_eventually, always_possible, deadlock, invariant, reachable, step
from sweepcheck.strategies import STRATEGIES
from sweepcheck.testing.figure import Figure
from sweepcheck.testing.truth import Truth, survey

Run = Callable[[Plan, Observer], Outcome]

MOST_ACCEPTED = 5_000  # states of a model that is compared when it is only asked whether it is accepted


class Nonconformity(AssertionError):  # noqa: N818 - says more than "error"
    """An engine gave an answer that is not true."""


@dataclass
class Watcher:
    """An observer that keeps what it sees."""

    snapshots: list[Snapshot] = field(default_factory=list)

    def snapshot(self, snapshot: Snapshot) -> None:
        """See `Observer`."""
        self.snapshots.append(snapshot)


def properties_about(predicate: Callable[[Any], object]) -> tuple[Property, ...]:
    """Every question that can be asked with one predicate."""
    return (
        invariant("invariant", predicate),
        reachable("reachable", predicate),
        deadlock(),
        deadlock("deadlock unless final", final=predicate),
        step("step", lambda old, new: not predicate(old) or predicate(new)),
        always_possible("always possible", predicate),
        always_eventually("always eventually", predicate),
    )


def check_engine(  # noqa: PLR0913 - one call says it all
    run: Run,
    model: Any,
    *,
    measure: Measure | None = None,
    predicate: Callable[[Any], object] = bool,
    strategy: str = "full",
    gc: str | int | CollectionPolicy = "layer",
    cache_size: int | None = None,
    engine: str = "auto",
    kinds: Container[Kind] = frozenset(Kind),
    truth: Truth | None = None,
) -> None:
    """Raise `Nonconformity` unless the engine's every answer about the model is true.

    Runs the engine several times: to count, to decide all properties at once, each alone, without traces, under
    limits, and to meet every state. `gc` may be a policy that cannot be asked for by name. `engine` is the name the
    plan is made for, `kinds` the questions it can answer; `truth`, if the caller has surveyed the model already,
    saves doing it again.
    """
    system = adopt(model)
    known = truth if truth is not None else survey(system)
    once = STRATEGIES[strategy].once
    asked = tuple(
        one for one in properties_about(predicate) if one.kind in kinds and (once or one.kind.decided_by_states)
    )

    chosen: Any = {"measure": measure, "strategy": strategy, "cache_size": cache_size, "engine": engine}

    def plan_for(properties: Sequence[Property] = (), **options: Any) -> Plan:
        policy = "layer" if isinstance(gc, CollectionPolicy) else gc
        made = plan(system, Request(properties, **chosen, gc=policy, **options))
        return replace(made, gc=gc) if isinstance(gc, CollectionPolicy) else made

    counting = plan_for(trace=False)
    if (code := _rejected(known, counting)) is not None:
        _expect_rejection(run, counting, code)
        return
    _check_counts(known, counting, _answer(run, counting))
    together = plan_for(asked, keep_going=True)
    _check_outcome(known, together, _answer(run, together))
    for alone in (*(plan_for((one,)) for one in asked), plan_for(asked), plan_for(asked, trace=False)):
        _check_outcome(known, alone, _answer(run, alone))
    for most in sorted({1, len(known.distance) // 2, len(known.distance) - 1} - {0}):
        limited = plan_for(asked, keep_going=True, limits=Limits(states=most))
        _check_outcome(known, limited, _answer(run, limited))
    if once:
        exactly = plan_for(limits=Limits(states=len(known.distance)), trace=False)
        _check_counts(known, exactly, _answer(run, exactly))
    else:  # what was explored cannot be told from counts
        everything = plan_for([_meeting(known, i, state) for i, state in enumerate(known.distance)], keep_going=True)
        _check_outcome(known, everything, _answer(run, everything))


def check_acceptance(run: Run, model: Callable[[], Any], engine: str = "auto") -> None:
    """Raise `Nonconformity` unless the engine refuses what the reference engine refuses, for the same reason.

    `model` makes the model anew for each of them. What both accept they must count alike. A model with very many states
    is left alone, as it may have no end.
    """
    answers = []
    for runner, name in ((reference.run, "reference"), (run, engine)):
        request = Request((), engine=name, trace=False, limits=Limits(states=MOST_ACCEPTED))
        try:
            outcome = runner(plan(adopt(model()), request), Watcher())
            if outcome.stop is not None:
                return
            answers.append(f"{outcome.statistics.states} states, {outcome.statistics.edges} edges")
        except SweepcheckError as error:
            answers.append(error.code)
    if answers[0] != answers[1]:
        raise Nonconformity(f"the reference engine says {answers[0]}, this engine says {answers[1]}")


def _rejected(known: Truth, decided: Plan) -> str | None:
    """The code of the error that a run must end with because of what its measure promises; None for none."""
    if decided.measure is None:
        return None
    if decided.strategy.order == "column":
        return "SC304" if any(known.broken_claims(decided.measure)) else None
    return "SC301" if decided.strategy.once and any(known.regress_edges(decided.measure)) else None


def _meeting(known: Truth, number: int, state: State) -> Property:
    """The question whether one state is met."""
    if not known.system.variables:
        return reachable(f"state {number}", lambda s: s == state)
    values = known.system.describe(state)
    return reachable(f"state {number}", lambda s: all(getattr(s, n) == v for n, v in values.items()))


def _answer(run: Run, decided: Plan) -> Outcome:
    watcher = Watcher()
    try:
        outcome = run(decided, watcher)
    except SweepcheckError as error:
        raise Nonconformity(f"a sound request was refused: {error}") from error
    except Exception as error:
        raise Nonconformity(f"the engine raised {error!r}") from error
    for earlier, later in zip(watcher.snapshots, watcher.snapshots[1:], strict=False):
        _expect("snapshots explored", later.explored >= earlier.explored, True)
        _expect("snapshots peak", later.peak >= earlier.peak, True)
    for one in watcher.snapshots:
        _expect("snapshot's stored states are at most its peak", one.stored <= one.peak, True)
    return outcome


def _expect(what: str, given: object, true: object) -> None:
    if given != true:
        raise Nonconformity(f"{what}: the engine says {given!r}, the truth is {true!r}")


def _expect_rejection(run: Run, decided: Plan, code: str) -> None:
    try:
        outcome = run(decided, Watcher())
    except MeasureError as error:
        _expect("code of the rejected measure", error.code, code)
    else:
        raise Nonconformity(f"progress goes down on an edge, but the measure was accepted: {outcome.statistics}")


def _check_counts(known: Truth, decided: Plan, outcome: Outcome) -> None:
    """The numbers of a run that went to its end."""
    _expect("stop of a run to the end", outcome.stop, Stop.CONSTRAINT if known.outside else None)
    numbers, states = outcome.statistics, len(known.distance)
    in_layers = numbers.explored + (numbers.beyond if decided.strategy.order != "depth" else 0)
    _expect("states in the profile", sum(layer.states for layer in outcome.profile), in_layers)
    _expect("at most all states stored at once", numbers.peak <= states, True)
    _expect("states left unprocessed", numbers.unprocessed, numbers.beyond)
    _expect("some states are beyond the constraint", numbers.beyond > 0, bool(known.outside))
    if _may_repeat(known, decided):
        _check_repetition(known, decided, outcome)
        return
    _expect("states", numbers.states, states)
    _expect("edges", numbers.edges, known.count_of_edges)
    _expect("explored", numbers.explored, states - len(known.outside))
    _expect("beyond the constraint", numbers.beyond, len(known.outside))
    led = sum(edge.target in known.outside for edges in known.edges.values() for edge in edges)
    _expect("edges to states outside", numbers.outside_edges, led)
    _expect("dead states", numbers.dead_states, len(known.dead))
    _expect("regress edges", numbers.regress_edges, 0)
    measure = decided.measure
    if measure is None:
        _expect("peak of an exploration that keeps everything", numbers.peak, states)
        return
    _expect("layers", numbers.layers, len(set(known.progress(measure).values())))
    if not measure.order.total:
        _expect("the largest layer was stored", numbers.peak >= known.largest_layer(measure), True)
    elif decided.gc.policy == "layer":
        _expect("peak", numbers.peak, known.ideal_peak(measure))
    else:
        _expect("peak is at least the ideal one", numbers.peak >= known.ideal_peak(measure), True)


def _may_repeat(known: Truth, decided: Plan) -> bool:
    """Whether a sound run may process a state more than once."""
    if decided.strategy.once:
        return False
    if decided.strategy.order == "depth":
        return decided.cache_size is not None and decided.cache_size < len(known.distance)
    return decided.measure is not None and any(known.regress_edges(decided.measure))


def _check_repetition(known: Truth, decided: Plan, outcome: Outcome) -> None:
    """The numbers of a run that may have processed states more than once."""
    numbers, states, strategy = outcome.statistics, len(known.distance), decided.strategy
    had_their_turn = numbers.explored + numbers.beyond
    _expect("explored at least every state", had_their_turn >= states, True)
    if numbers.states is not None:
        _expect("states", numbers.states, states)
        _expect("explored each once", had_their_turn, states)
    elif not numbers.persistent and not numbers.evicted:
        _expect("states of a run that forgot none too early", numbers.states, states)
    _expect("persistent states are no more than regress edges", numbers.persistent <= numbers.regress_edges, True)
    _expect("regress edges by action", sum(edges for _, edges in outcome.regressing), numbers.regress_edges)
    if decided.measure is not None:
        most = known.most_explored(decided.measure, by_column=strategy.order == "column")
        _expect(f"explored at most {most} states", had_their_turn <= most, True)
        if decided.gc.policy == "layer":
            figure = _figure(known, decided.measure, strategy.order == "column")
            _expect("explored, as in the figure", had_their_turn, figure.explored)
            _expect("persistent, as in the figure", numbers.persistent, figure.persisted)
            _expect("sweeps, as in the figure", numbers.sweeps, figure.sweeps)
            _expect("peak, as in the figure", numbers.peak, figure.peak)


def _check_outcome(known: Truth, decided: Plan, outcome: Outcome) -> None:
    """Verdicts and traces; of a run to the end also its numbers."""
    _expect("properties answered", [d.property for d in outcome.decisions], list(decided.properties))
    verdicts = [conclude(decision, outcome.stop) for decision in outcome.decisions]
    limit = decided.limits.states
    if limit is not None:
        _expect("states within the limit", outcome.statistics.explored + outcome.statistics.unprocessed <= limit, True)
    if outcome.stop in (None, Stop.CONSTRAINT):
        _check_counts(known, decided, outcome)
    elif outcome.stop is Stop.STATES:
        too_low = limit is not None and (limit < len(known.distance) or _may_repeat(known, decided))
        _expect("a limit on states that is too low", too_low, True)
    elif outcome.stop is Stop.DECIDED:
        _expect("undecided properties of a run that decided all", [d for d in outcome.decisions if not d.status], [])
    else:
        _expect("stop", outcome.stop, Stop.VIOLATION)
        _expect("keep going after a violation", decided.keep_going, False)
        _expect("a violation", any(v.status is Status.VIOLATED for v in verdicts), True)
    for decision, verdict in zip(outcome.decisions, verdicts, strict=True):
        _check_verdict(known, verdict, cut_short=outcome.stop is not None)
        if decision.status is not None:
            _check_decision(known, decided, decision)


def _check_verdict(known: Truth, verdict: Verdict, cut_short: bool) -> None:
    name = verdict.property.name
    if verdict.status is Status.INCONCLUSIVE:
        _expect(f"{name!r} is inconclusive after a run to the end", cut_short, True)
        _expect(f"exact guarantee of inconclusive {name!r}", verdict.guarantee is Guarantee.EXACT, False)
    else:
        _expect(f"verdict on {name!r}", verdict.status, known.status(verdict.property))


def _check_decision(known: Truth, decided: Plan, decision: Decision) -> None:
    """A state that decides a property: it does, and its trace leads there."""
    asked, trace = decision.property, decision.trace
    deciding = known.deciding(asked)
    _expect(f"witness of {asked.name!r} decides it", decision.witness in deciding, True)
    _expect(f"trace of {asked.name!r} is there", trace is not None, decided.trace)
    if trace is None:
        return
    try:
        replay(known.system, decision)
    except SweepcheckError as error:
        raise Nonconformity(f"the trace of {asked.name!r} does not replay: {error}") from error
    _walk(known, trace)
    if asked.kind is Kind.ALWAYS_EVENTUALLY:
        _expect("the trace is a lasso", trace.loop is not None, True)
        loop = set(trace.states[trace.loop :])
        _expect("states of the loop that satisfy the predicate", loop & known.satisfying(asked.predicate), set())
        return
    _expect(f"the trace of {asked.name!r} ends in its witness", trace.states[-1], decision.witness)
    if decided.strategy.order == "found" and asked.kind is not Kind.ALWAYS_POSSIBLE:
        nearest = min(known.distance[state] for state in deciding)
        if asked.kind is Kind.STEP:
            nearest = 1 + min(known.distance[state] for state, _ in known.steps_against(asked.predicate))
        _expect(f"length of a shortest trace of {asked.name!r}", len(trace), nearest)


def _walk(known: Truth, trace: Trace) -> None:
    """Follow a trace on the explicit graph."""
    _expect("distance of the trace's first state", known.distance.get(trace.initial), 0)
    state = trace.initial
    for taken in trace.steps:
        _expect(f"edge {taken.label} of the trace", Edge(taken.label, taken.state) in known.edges[state], True)
        state = taken.state
    if trace.loop is None:
        return
    if trace.loop == len(trace.steps):
        _expect("a loop without steps stands in a dead state", state in known.dead, True)
    else:
        _expect("the loop closes", state, trace.states[trace.loop])


@lru_cache(maxsize=4)
def _figure(known: Truth, measure: Measure, by_column: bool) -> Figure:
    """Drawn once for all the runs on one model."""
    return Figure(known, measure, by_column)
