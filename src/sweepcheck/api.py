"""check() and explore(): load -> plan -> run -> replay -> Report. The only orchestrator."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from sweepcheck import cluster
from sweepcheck.core.deadline import TimeUp, within
from sweepcheck.core.discovery import Candidate, Discovery
from sweepcheck.core.limits import Limits
from sweepcheck.core.model import System
from sweepcheck.core.observer import Observer, Silence
from sweepcheck.core.plan import Outcome, Plan, Statistics, Tally
from sweepcheck.core.property import Kind
from sweepcheck.core.questions import Question
from sweepcheck.core.request import CheckOptions, Options, Request, WalkOptions, taking
from sweepcheck.core.verdict import Decision, Stop, Terms, Verdict, conclude
from sweepcheck.core.walking import Walked, Walking
from sweepcheck.discovery import Seen, search
from sweepcheck.engines import native, reference
from sweepcheck.engines.assertions import NOT_OF_A_PATH
from sweepcheck.engines.members import Compared, compare_members
from sweepcheck.engines.replay import replay
from sweepcheck.engines.switching import MOST_PAIRS, fewest_switches
from sweepcheck.errors import (
    CODES,
    MeasureError,
    ModelError,
    RequestError,
    StoppedError,
    SweepcheckError,
    public,
    raised_at,
    shown,
)
from sweepcheck.models.adoption import adopt
from sweepcheck.models.loading import load
from sweepcheck.planner import asked_measure, needs_once, plan
from sweepcheck.planner.automatic import (
    better,
    check_automatic,
    computed_requests,
    first_request,
    graph_request,
    is_automatic,
    seconds_to_search,
    was_enough,
    with_measure,
    without_search,
)
from sweepcheck.planner.walking import walk_request
from sweepcheck.report.bound import left_out_by, outside_text
from sweepcheck.report.classes import given
from sweepcheck.report.discovery import surprise
from sweepcheck.report.drawing import Drawing, Marking, draw_net
from sweepcheck.report.report import Report
from sweepcheck.report.state_graph import StateGraph
from sweepcheck.report.state_space import StateSpaceReport
from sweepcheck.report.walks import WalkReport, walks_text
from sweepcheck.report.warnings import NOTHING_ASKED, warnings_of
from sweepcheck.report.way import with_way


@public
@taking(CheckOptions)
def check(model: Any, **options: Any) -> Report:
    """Decide properties of a model: those given (or named), by default all that it declares.

    `model` is a Model, an object with `initial()` and `successors(state)`, or a path like "file.py:factory". With a
    progress measure (the model's, or `measure`: a function, an expression, kinds for a network) the default strategy is
    "generalised" ("sweep" where a property is about cycles), without one "full". `gc` is "layer", "auto" or a number of
    new states, `cache_size` how many states strategy "caching" keeps. The run ends at the first violation unless
    `keep_going`, and when one of the `limits` is reached. `fair` names the actions that no run ignores for ever while
    they stay enabled, instead of those that the model declares so; `[]` means none. With `stuttering` a run may end in
    any state, by default if the model declares it. `trace=False` keeps no traces, `trace_dir` keeps the file they are
    made from, and `shorten` explores again, breadth first, for the shortest one to a state that decides the same
    property; "switches" looks for the one with the fewest context switches. `engine` is "auto", "native" or
    "reference"; `workers` is how many threads may share the work of the native engine, "auto" as many as there are
    processors; what is found does not depend on it. `verify_actions` has the functions of the model run again to see
    that they do the same, `table_memory` is how many bytes the native engine's tables may take, and an `observer` sees
    the run go by. A model that declares an equivalence or a cut-off is explored by classes, unless `equivalence=False`;
    `verify_equivalence` compares all states of a class first. `up_to` (an expression, a function of the state, or a
    number of steps) says how far to go, and `constraints` (expressions, functions) stand in the place of those that the
    model declares; `[]` means none. In the folder `checkpoint` it is written down, every `checkpoint_every` seconds and
    when the run ends, how far it is: the same call goes on from there. In the folder `spill` lie states that the limit
    on memory has no room for.
    `cluster` ("auto", "local", an address) lets `processes` of a Ray cluster share the run; what they need to go on
    when one of them dies they keep in `cluster_dir`.
    """
    report = report_on(as_system(model), Request(**options))
    return report if report.verdicts else replace(report, warnings=(NOTHING_ASKED, *report.warnings))


@public
@taking(Options)
def explore(model: Any, **options: Any) -> Report:
    """Count the states and edges of a model without deciding any property. The options are those of `check`."""
    system, request = as_system(model), Request((), trace=False, **options)
    try:
        report = report_on(system, request)
    except ModelError as error:
        if error.code in OF_A_RUN:
            _explore_again(system, request, error.code)  # which raises it with the way there
        raise
    if any(verdict.trace is None for verdict in report.verdicts):  # an assertion failed
        again = _explore_again(system, request)
        return report if again is None else again
    return report


OF_A_RUN = tuple(code for code in CODES if code.startswith("SC2") and code not in (*NOT_OF_A_PATH, "SC216"))


def _explore_again(system: System, request: Request, code: str | None = None) -> Report | None:
    """The same exploration with traces, for the way to where the model failed; nothing if it ends in another way."""
    try:
        report = report_on(system, replace(request, trace=True, observer=None, checkpoint=None, spill=None))
    except SweepcheckError as error:
        if error.code == code and error.path is not None:
            raise
        return None
    return report if report.verdicts and all(verdict.trace is not None for verdict in report.verdicts) else None


@public
@taking(Options)
def state_space_report(model: Any, **options: Any) -> StateSpaceReport:
    """What CPN Tools reports about a state space, from one exploration: components, bounds, home states, dead states,
    and what every action does in the long run. The options are those of `check`.
    """
    system = as_system(model).surveyed()
    places = tuple(system.folded())
    sizes = tuple(Tally(partial(_held, place)) for place in places)
    request = Request((), trace=False, survey=True, tallies=sizes, **options)
    decided = _planned(system, request)
    outcome = run(decided, _watcher(request.observer))
    if outcome.survey is not None and places:
        counted = {place: [size for size, _ in one.values] for place, one in zip(places, outcome.tallies, strict=True)}
        outcome = replace(outcome, survey=outcome.survey.sized({name: of for name, of in counted.items() if of}))
    return StateSpaceReport(_report(decided, outcome))


def _held(place: str, marking: Any) -> int:
    """How many tokens a place holds."""
    return len(marking[place])


@public
@taking(Options)
def state_graph(model: Any, **options: Any) -> StateGraph:
    """The state space as a graph: `len(g)`, `for s in g`, `s in g`, `g.initial`, `g.successors(s)`, `g.edges()`.

    The options are those of `check`. All states are stored, packed, and made into values when they are asked for; a
    limit or a bound gives a part of the graph. Where the model declares an equivalence its states are classes.
    """
    system, request = as_system(model), Request((), trace=False, graph=True, **options)
    decided = _planned(system, request)
    report = _report(decided, run(decided, _watcher(request.observer)))
    return StateGraph(report, asked_measure(decided.system, request))


@public
@taking(WalkOptions)
def random_walks(model: Any, **options: Any) -> WalkReport:
    """Look for violations by random walks: `walks` of them, each of at most `depth` steps, from the initial states.

    Every edge is as likely as any other. Invariants, deadlocks, steps, reachable states and assertions can be found so;
    that nothing was found proves nothing. The same `seed` gives the same walks, whatever number of `workers` share
    them; without one a seed is drawn. They end at the first violation unless `keep_going`. The other options are those
    of `check`.
    """
    walking, asked = walk_request(as_system(model), WalkOptions(**options))
    decided = _planned(walking.system, walking.request)
    walked = _walked(decided, asked)
    for decision in walked.decisions:
        replay(decided.system, decision)
    sample = walks_text(asked, walked)
    decisions = (*walked.decisions, *map(Decision, walking.left_out))
    verdicts = tuple(conclude(decision, Stop.WALKS, Terms(outside=sample)) for decision in decisions)
    return WalkReport(decided, asked, walked, verdicts)


def _walked(decided: Plan, asked: Walking) -> Walked:
    try:
        return native.walk(decided, asked) if decided.engine == "native" else reference.walk(decided, asked)
    except TimeUp as broken_off:
        raise too_late("before the walks began", broken_off) from None


@public
def draw(
    net: Any,
    module: str | None = None,
    *,
    flat: bool = False,
    marking: Marking | None = None,
    direction: str = "down",
) -> Drawing:
    """Draw a net, or one of its modules by path ("Sender.Network"), or with `flat` all of it without modules.

    `net` is a Net, or a path like "file.py:factory". The tokens are those of the initial marking unless `marking`
    gives others, by the names of their places. Arcs lead "down" or "right", as far as cycles allow.
    """
    found = load(net) if isinstance(net, str) else net
    return draw_net(found, module, flat=flat, marking=marking, direction=direction)


def _watcher(asked: object) -> Observer:
    """Who watches the run; nobody, by default."""
    if asked is None:
        return Silence()
    if isinstance(asked, type) or not callable(getattr(asked, "snapshot", None)):
        suggestion = "give an object with a method snapshot(snapshot)"
        raise RequestError("SC403", f"{shown(asked)} is not an observer", suggestion=suggestion)
    return cast("Observer", asked)


def as_system(model: Any) -> System:
    """A model as the engines see it; text and paths are loaded from files."""
    return load(str(model)) if isinstance(model, str | Path) else adopt(model)


def questions_in(path: Path | str, system: System) -> tuple[Question, ...]:
    """The questions that a formula file asks about a net."""
    from sweepcheck.models.pnml.formulas import read_formulas  # few ask for it

    return read_formulas(path, system)


def report_on(system: System, request: Request) -> Report:
    """Plan a request, run it, replay its traces, and report. A measure that is to be found is found before."""
    if not is_automatic(system, request):
        return _report_on(system, _best_computed(system, request))
    check_automatic(request)
    started = time.perf_counter()
    first = _report_on(system, first_request(request))
    if was_enough(request, first.stop):
        return replace(first, discovery=without_search("the exploration was short enough without one"))
    found = discover(system, request)
    spent = time.perf_counter() - started
    report = replace(_report_on(system, with_measure(system, request, found, spent)), discovery=found)
    warning = surprise(report)
    return report if warning is None else replace(report, warnings=(*report.warnings, warning))


def _best_computed(system: System, request: Request) -> Request:
    """A request for `auto` where measures are computed: by the kind that does best, where short runs tell."""
    found: tuple[Request, Statistics] | None = None
    for one in computed_requests(system, request):
        report = _report_on(system, one)
        if report.complete and (found is None or better(report.statistics, found[1])):
            found = one, report.statistics
    return request if found is None else replace(request, measure=found[0].measure)


def discover(system: System, request: Request, learned: tuple[Candidate, ...] = ()) -> Discovery:
    """Look for a measure that suits a request; or see what those that were learned on another instance come to."""
    if system.declared_equivalence() is not None and request.equivalence:
        return without_search("the model declares which states are equivalent, and a measure has to agree on these")
    if system.declared_cutoff() is not None and request.equivalence:
        return without_search("the model declares a cut-off, which goes with the measure that it declares")
    decided = _planned(system, graph_request(request))
    seen = Seen(run(decided, Silence()).graph, learned)
    seconds, demanding = seconds_to_search(request), needs_once(system, request)
    return search(decided.system, seen, seed=request.seed, seconds=seconds, demanding=demanding)


def _report_on(system: System, request: Request) -> Report:
    unplanned, decided = system, _planned(system, request)
    system = decided.system  # a network may have got observers
    outcome = run(decided, _watcher(request.observer))
    for decision in outcome.decisions:
        replay(system, decision, decided.runs)
    report = _report(decided, outcome)
    if request.shorten == "switches":
        return _with_few_switches(report)
    if not request.shorten or decided.strategy.order == "found":  # breadth first, no trace is longer than it must be
        return report
    verdicts = tuple(_shortened(unplanned, request, verdict) for verdict in report.verdicts)
    return replace(report, verdicts=verdicts)


def _with_few_switches(report: Report) -> Report:
    """A report whose traces have the fewest context switches; a warning where that is not known."""
    verdicts, warnings = [], list(report.warnings)
    for verdict in report.verdicts:
        trace, asked, limits = verdict.trace, verdict.property, report.plan.limits
        if trace is not None and asked.kind.decided_by_states:
            most = MOST_PAIRS if limits.states is None else limits.states
            better = fewest_switches(report.system, asked, trace, most, limits.seconds)
            if better is None:
                warnings.append(f"whether fewer switches lead to {asked.kind} {asked.name!r} was not found out in time")
            elif better is not trace:
                end = better.states[-1]
                replay(report.system, Decision(asked, verdict.status, end, better))
                verdict = _shown_in(report.system, replace(verdict, witness=end, trace=better))  # noqa: PLW2901
        verdicts.append(verdict)
    return replace(report, verdicts=tuple(verdicts), warnings=tuple(warnings))


def _shortened(system: System, request: Request, verdict: Verdict) -> Verdict:
    """A verdict with the shortest trace to a state that decides it; the one it has where a limit forbids to look."""
    if verdict.trace is None or not verdict.property.kind.decided_by_states:
        return verdict
    asked = () if verdict.property.kind is Kind.ASSERTION else (verdict.property,)
    again = replace(
        request,
        properties=asked,
        strategy="full",
        cache_size=None,
        keep_going=False,
        trace_dir=None,
        shorten=False,
        checkpoint=None,
        spill=None,
    )
    for found in report_on(system, again).verdicts:
        if found.property.name == verdict.property.name and found.trace is not None:
            shorter = len(found.trace) < len(verdict.trace)
            return replace(verdict, witness=found.witness, trace=found.trace) if shorter else verdict
    return verdict


def _report(decided: Plan, outcome: Outcome) -> Report:
    terms = Terms(given(decided, outcome), left_out_by(decided, outcome), outside_text(outcome))
    verdicts = tuple(
        _shown_in(decided.system, conclude(decision, outcome.stop, terms)) for decision in outcome.decisions
    )
    return Report(decided, outcome, verdicts, warnings_of(decided, outcome, verdicts))


def _shown_in(system: System, verdict: Verdict) -> Verdict:
    """A verdict whose trace knows its model, so that it can be looked at by itself."""
    return verdict if verdict.trace is None else replace(verdict, trace=replace(verdict.trace, system=system))


def run(decided: Plan, observer: Observer) -> Outcome:
    """Hand a plan to its engine, after equivalent states were compared."""
    try:
        compare = native.compare if native.compares(decided) else compare_members
        compared = within(decided.limits.seconds, lambda: compare(decided))
        return with_comparison(_begun(decided, observer), compared)
    except SweepcheckError as error:
        raise with_way(decided.system, error) from error.__cause__
    except TimeUp as broken_off:
        raise too_late("before the exploration began", broken_off) from None


def _planned(system: System, request: Request) -> Plan:
    try:
        limit = request.limits.seconds if isinstance(request.limits, Limits) else None  # anything else will be refused
        return within(limit, lambda: plan(system, request))
    except TimeUp as broken_off:
        raise too_late("before the exploration began", broken_off) from None


def too_late(when: str, broken_off: TimeUp) -> StoppedError:
    """The error for a time limit that was reached before there was anything to report."""
    return StoppedError(
        "SC216",
        f"the time limit was reached {when}",
        where=raised_at(broken_off, too_late),
        suggestion="raise --time-limit (seconds=), or see what takes so long at this place",
    )


def with_comparison(outcome: Outcome, compared: Compared | None) -> Outcome:
    """An outcome with what was compared before the run."""
    if compared is None:
        return outcome
    numbers = outcome.statistics
    again = 0 if compared.verified else numbers.compared or 0  # where all states were compared, these were
    count = compared.states + again
    survey = None if outcome.survey is None else outcome.survey.without(compared.differing)
    return replace(outcome, survey=survey, statistics=replace(numbers, compared=count, verified=compared.verified))


def _begun(decided: Plan, observer: Observer) -> Outcome:
    try:
        if decided.cluster is not None:
            return cluster.run(decided, observer)
        return native.run(decided, observer) if decided.engine == "native" else reference.run(decided, observer)
    except MeasureError as error:
        once = decided.about_cycles or not all(one.idempotent for one in decided.tallies)
        if error.code == "SC301" and once:  # no other sweep can decide it
            error.suggestion = 'use strategy="full", or let the measure count what this step does not undo'
        raise
