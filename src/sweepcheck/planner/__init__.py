"""From a request to a Plan. Every user mistake ends here, with its reason and the way out, before anything runs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sweepcheck.core.captured import refuse_rebound
from sweepcheck.core.catching import check_catching
from sweepcheck.core.declaration import MOST_AMOUNT, amount, check_flag
from sweepcheck.core.limits import Limits
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import System
from sweepcheck.core.plan import Bound, CollectionPolicy, Plan, Strategy
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.purity import check_purity
from sweepcheck.core.request import Request
from sweepcheck.engines import native
from sweepcheck.errors import RequestError, closest, shown
from sweepcheck.measures.computed import AUTO as AUTOMATIC
from sweepcheck.measures.computed import are_kinds
from sweepcheck.planner.bound import bound, check_bound
from sweepcheck.planner.fairness import fairness, stuttering
from sweepcheck.planner.folders import asked_folder
from sweepcheck.planner.reduction import Reduction, check_reduction, declared
from sweepcheck.planner.sharing import sharing
from sweepcheck.planner.survival import asked_checkpoint, asked_spill, surviving
from sweepcheck.planner.temporal import check_temporal, with_readers
from sweepcheck.properties.expression import expression
from sweepcheck.properties.product import product
from sweepcheck.properties.propositions import functions, understood
from sweepcheck.strategies import (
    AUTO,
    CACHING,
    COLUMN,
    DEFAULT_CACHE_SIZE,
    FULL,
    GENERALISED,
    LAYER,
    STRATEGIES,
    SWEEP,
    every,
)

ENGINES = ("auto", "native", "reference")
MOST_WORKERS = 256
ENOUGH_PROCESSORS = 4  # with fewer, two workers do it: one looks states up, one expands ahead of it
NUMBER = re.compile(r"\s*[0-9]{1,30}\s*")


def plan(system: System, request: Request) -> Plan:
    """The frozen decision: what is asked, how it is explored, by whom, and when it stops."""
    for flag in ("keep_going", "trace", "verify_actions", "equivalence", "verify_equivalence"):
        check_flag(getattr(request, flag), flag)
    given_system, properties = system, _properties(system, request.properties)
    system = system.prepared(properties)
    given, properties = properties, tuple(understood(system, one) for one in properties)
    measure = asked_measure(system, request)
    reduction, demanding = declared(system, request.equivalence), _demanding(properties, request)
    limited = bound(request, system, measure)
    strategy, reason = _strategy(system, _whole(request), measure, demanding, reduction)
    if request.strategy is None and limited is not None and limited.depth is not None and strategy.order != "found":
        strategy, reason = FULL, "a number of steps is counted on shortest ways"
    reduction = reduction.under(strategy, demanding)
    fair = fairness(system, request.fair, given, properties)
    check_temporal(properties, limited)
    properties = with_readers(properties, fair)
    system = product(system, properties)  # after expressions were read: nobody speaks of its memory
    check_bound(limited, strategy)
    limits = _limits(request.limits)
    trace_dir = asked_folder(request.trace_dir)
    if trace_dir is not None and not request.trace:
        raise RequestError(
            "SC404",
            f"the trace is to be kept in {str(trace_dir)!r}, but none is to be made",
            suggestion="leave out one of the two",
        )
    _check_shortening(request, limited)
    if not strategy.once and not all(one.idempotent for one in request.tallies):
        raise RequestError(
            "SC404",
            f"strategy {strategy.name!r} may meet a state twice, so that counts and sums over states would be wrong",
            suggestion='use strategy="sweep" with a measure that never goes down, or strategy="full"; largest and\n'
            "smallest values, bounds, reachable and dead markings can be had with every strategy",
        )
    check_reduction(system, reduction, request.tallies, fair, properties)
    decided = Plan(
        system=system,
        properties=properties,
        strategy=strategy,
        strategy_reason=reason,
        cache_size=_cache_size(request.cache_size, strategy),
        measure=measure if strategy.by_progress else None,
        gc=_policy(request.gc),
        limits=limits,
        keep_going=request.keep_going,
        trace=request.trace,
        trace_dir=trace_dir,
        engine="reference",
        engine_reason="asked for",
        verify_actions=request.verify_actions,
        table_memory=amount(request.table_memory, "a table memory of {} bytes"),
        workers=_workers(request.workers),
        tallies=request.tallies,
        fair=fair,
        stuttering=stuttering(system, request.stuttering, given, properties),
        survey=request.survey,
        graph=request.graph,
        equivalence=reduction.equivalence,
        cutoff=reduction.cutoff,
        verify_equivalence=request.verify_equivalence,
        bound=limited,
        checkpoint=asked_checkpoint(request),
        spill=asked_spill(request, limits),
    )
    refuse_rebound(_declared(decided))
    _check_purity(decided)
    decided = _with_engine(decided, request.engine)
    decided = surviving(decided, request.workers)
    return replace(decided, cluster=sharing(given_system, given, request, decided))


def _check_shortening(request: Request, limited: Bound | None) -> None:
    """Refuse traces that are to be shortened, where there are none or where a shorter one might leave the bound."""
    if request.shorten != "switches":
        check_flag(request.shorten, "shorten")
    elif limited is not None:
        what = "the fewest switches are looked for among all states, and not all are to be explored"
        raise RequestError("SC404", what, suggestion="use shorten=True, or leave out the bound")
    if request.shorten and not request.trace:
        raise RequestError(
            "SC404", "traces are to be shortened, and none is to be made", suggestion="leave out one of the two"
        )


def _declared(decided: Plan) -> Iterator[tuple[str, object]]:
    """All functions of which a model may have several that are alike, with what they are called."""
    for name, function in (decided.system.action_functions() or {}).items():
        yield f"action {name!r}", function
    for asked in decided.properties:
        for predicate in functions(asked):
            yield f"{asked.kind} {asked.name!r}", predicate
    for condition in () if decided.bound is None else decided.bound.conditions:
        yield f"constraint {condition.name!r}", condition.predicate


def _check_purity(decided: Plan) -> None:
    """Refuse functions that visibly do more than compute. Actions again: what they call may stand below them."""
    names: dict[object, str] = {}
    for name, function in (decided.system.action_functions() or {}).items():
        names.setdefault(function, name)  # the steps of a process are of one function
    for action, name in names.items():
        check_purity(action, f"action {name!r}")
        check_catching(action, f"action {name!r}")
    for asked in decided.properties:
        for predicate in functions(asked):
            check_purity(predicate, f"{asked.kind} {asked.name!r}", READS)
    if decided.measure is not None:
        for part in decided.measure.parts or (decided.measure,):
            check_purity(part.function, "the progress measure", READS)
    for key in () if decided.classes is None else decided.classes.parts:
        check_purity(key, "the key of the equivalence", READS)
    check_purity(decided.cutoff and decided.cutoff.when, "the predicate `when` of the cut-off", READS)
    for condition in () if decided.bound is None else decided.bound.conditions:
        check_purity(condition.predicate, f"constraint {condition.name!r}", READS)
    for tally in decided.tallies:
        for one in (tally.function, tally.predicate, tally.store):
            check_purity(one, "the query", READS)


READS = "predicates and measures only compute from the state they are given"
PROPERTIES = "give names of declared properties, or invariant(...), reachable(...), deadlock(...)"


def _properties(system: System, asked: Sequence[Property | str] | None) -> tuple[Property, ...]:
    declared = {one.name: one for one in system.properties}
    chosen: dict[str, Property] = {}
    if isinstance(asked, str | Property):
        asked = [asked]
    if asked is not None and not isinstance(asked, Iterable):
        raise RequestError("SC401", f"{shown(asked)} is not a list of properties", suggestion=PROPERTIES)
    for one in declared.values() if asked is None else asked:
        if isinstance(one, str):
            if one not in declared:
                raise RequestError("SC401", f"the model has no property {one!r}", suggestion=closest(one, declared))
            one = declared[one]  # noqa: PLW2901
        if not isinstance(one, Property):
            raise RequestError(
                "SC401",
                f"{shown(one)} is not a property",
                suggestion=PROPERTIES,
            )
        if one.kind is Kind.ASSERTION:
            raise RequestError(
                "SC401",
                f"{one.name!r} is an assertion, which cannot be asked for",
                suggestion="write `assert` in an action",
            )
        if one.name in chosen:
            raise RequestError("SC401", f"two properties are called {one.name!r}", suggestion="give each its own name")
        chosen[one.name] = system.completed(one)
    return tuple(chosen.values())


def asked_measure(system: System, request: Request) -> Measure | None:
    """The measure that is asked for, or the system's own; None where there is none."""
    asked = request.measure
    if isinstance(asked, Mapping):  # of components: as the command line writes it
        asked = ",".join(f"{name}={kind}" if name else str(kind) for name, kind in asked.items()) or None
    if asked is None or isinstance(asked, str):
        strategy = STRATEGIES.get(request.strategy) if isinstance(request.strategy, str) else None
        found = system.measure_for(asked, needed=strategy is not None and strategy.by_progress)
        return found if found is not None or asked is None else _from_text(system, asked)
    if isinstance(asked, Measure):
        return asked
    if callable(asked):
        return Measure(asked)
    raise RequestError(
        "SC403",
        f"{shown(asked)} is not a progress measure",
        suggestion="give a function of the state, or an expression as text",
    )


def _from_text(system: System, text: str) -> Measure:
    if text == AUTOMATIC:
        raise RequestError(
            "SC404",
            "a measure is found for check and explore alone",
            suggestion="find one with `sweepcheck progress`, and give it: measure=...",
        )
    if are_kinds(text):
        raise RequestError(
            "SC404",
            f"measure {text!r} is computed from the components of a network, and the model {system.name!r} has none",
            suggestion="declare m.progress(...), or give measure=...",
        )
    return Measure(expression(system, text), name=text)


def needs_once(system: System, request: Request) -> str | None:
    """What of a request, if anything, is decided by no measure but one that never goes down."""
    return _demanding(_properties(system, request.properties), request)


def _demanding(properties: Sequence[Property], request: Request) -> str | None:
    """What, if anything, needs each state to be processed once and every cycle to be stored whole at some moment."""
    if request.survey:
        return "a state space report"
    if request.strategy is None and not all(one.idempotent for one in request.tallies):
        return "a fold over all states"
    return next((f"{one.kind} {one.name!r}" for one in properties if not one.kind.decided_by_states), None)


def _whole(request: Request) -> str | None:
    """The strategy asked for. A graph has all states and edges, so that nothing may be forgotten."""
    if not request.graph or (isinstance(request.strategy, str) and request.strategy == FULL.name):
        return request.strategy
    if request.strategy is not None:
        raise RequestError(
            "SC417",
            f"a state graph cannot be had with strategy {shown(request.strategy)}, which forgets states",
            suggestion=f'leave the strategy out, or use strategy="{FULL.name}": a graph has every state and edge',
        )
    return FULL.name


def _strategy(
    system: System, asked: str | None, measure: Measure | None, demanding: str | None, reduction: Reduction
) -> tuple[Strategy, str | None]:
    """The strategy asked for or the default one, and why, where it is not the usual default."""
    if asked is None:
        found = reduction.strategy(measure, demanding)
        return found or system.default_strategy(measure, demanding) or _default_strategy(measure, demanding)
    if not isinstance(asked, str) or asked not in STRATEGIES:
        raise RequestError("SC403", f"there is no strategy {shown(asked)}", suggestion=closest(asked, STRATEGIES))
    strategy = STRATEGIES[asked]
    if strategy.by_progress:
        _check_measure(strategy, measure)
    if demanding is not None and not strategy.shows_cycles:
        raise RequestError(
            "SC404",
            f"{demanding} cannot be had with strategy {asked!r},\n"
            "which may forget one part of a cycle before it has seen the other",
            suggestion='use strategy="full", or strategy="sweep" with a measure that never goes down;\n'
            "invariants, reachability and deadlock can be decided with every strategy",
        )
    return strategy, None


def _default_strategy(measure: Measure | None, demanding: str | None) -> tuple[Strategy, str | None]:
    """The usual default; `demanding` is what needs each state to be processed once, if anything does."""
    if measure is None:
        return FULL, None
    if demanding is None:
        return GENERALISED, None
    return SWEEP, f"{demanding} needs each state to be processed once"


def _check_measure(strategy: Strategy, measure: Measure | None) -> None:
    if measure is None:
        raise RequestError(
            "SC303",
            f"strategy {strategy.name!r} needs a progress measure, and the model declares none",
            suggestion='declare m.progress(...), give measure=..., or use strategy="full"',
        )
    if strategy is COLUMN and not any(part.monotone for part in measure.parts or (measure,)):
        raise RequestError(
            "SC303",
            "strategy 'column' needs a measure with a part that is declared to be monotone",
            suggestion='declare m.progress(product(progress(..., monotone=True), ...)), or use strategy="generalised"',
        )


def _cache_size(asked: int | None, strategy: Strategy) -> int | None:
    if strategy is not CACHING:
        if asked is None:
            return None
        raise RequestError(
            "SC404",
            f"a cache size was given, but strategy {strategy.name!r} has no cache",
            suggestion='use strategy="caching", or leave the cache size out',
        )
    if asked is None:
        return DEFAULT_CACHE_SIZE
    return amount(asked, "a cache of {} states", least=0)


def processors() -> int:
    """How many processors there are for this process."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return found or 1


def _workers(asked: int | str) -> int:
    """How many threads may share the work."""
    if asked == "auto":
        found = processors()
        return min(found, MOST_WORKERS if found >= ENOUGH_PROCESSORS else 2)
    if type(asked) is int and 1 <= asked <= MOST_WORKERS:
        return asked
    raise RequestError(
        "SC403",
        f"{shown(asked)} is no number of workers",
        suggestion=f'give "auto", or a whole number, 1 to {MOST_WORKERS}',
    )


def _policy(asked: str | int) -> CollectionPolicy:
    if isinstance(asked, str) and asked in ("layer", "auto"):
        return LAYER if asked == "layer" else AUTO
    interval = int(asked) if isinstance(asked, str) and NUMBER.fullmatch(asked) else asked
    if type(interval) is not int or not 1 <= interval <= MOST_AMOUNT:
        raise RequestError(
            "SC403",
            f"{shown(asked)} is not a collection policy",
            suggestion="use layer, auto, or a whole number of new states, 1 or more"
            + (f" and at most {MOST_AMOUNT}" if type(interval) is int and interval > MOST_AMOUNT else ""),
        )
    return every(interval)


def _limits(limits: Limits | None) -> Limits:
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise RequestError(
            "SC403",
            f"{shown(limits)} is not a set of limits",
            suggestion="write limits=Limits(states=1000, seconds=60)",
        )
    for name, unit in (("states", "states"), ("seconds", "seconds"), ("memory", "bytes of memory")):
        value = getattr(limits, name)
        if value is None or (name == "seconds" and type(value) is float and 0 < value <= MOST_AMOUNT):
            continue
        amount(value, f"a limit of {{}} {unit}", "number" if name == "seconds" else "whole number")
    if limits.disk is not None:
        amount(limits.disk, "a limit of {} bytes on disk", least=0)
    return limits


def _with_engine(decided: Plan, asked: str) -> Plan:
    if not isinstance(asked, str) or asked not in ENGINES:
        raise RequestError("SC403", f"there is no engine {shown(asked)}", suggestion=closest(asked, ENGINES))
    if asked == "reference":
        return decided
    obstacle = native.obstacle(decided)
    if obstacle is None:
        reason = "asked for" if asked == "native" else "the fastest engine that can do this"
        return replace(decided, engine="native", engine_reason=reason)
    if asked == "native":
        raise RequestError(
            "SC404",
            f"the native engine cannot do this: {obstacle}",
            suggestion='use engine="auto" or engine="reference"',
        )
    return replace(decided, engine_reason=f"the native engine cannot do this: {obstacle}")
