"""Random models with random keys: the reduced graph is the quotient of the full one, and wrong keys are caught."""

import pytest
from bisimulation import Blocks, coarsest, is_consistent, key_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck import (
    Guarantee,
    Limits,
    Status,
    SweepcheckError,
    always_eventually,
    always_possible,
    check,
    deadlock,
    explore,
    invariant,
    reachable,
    state_space_report,
)
from sweepcheck.errors import ModelError
from sweepcheck.testing.random_models import sources
from sweepcheck.testing.truth import TooLarge, survey

LIMIT = 150  # states: blocks are found naively
STRATEGIES = [
    ("full", None),
    ("sweep", "number"),
    ("sweep", "lexicographic"),
    ("sweep", "partial"),
    ("generalised", "number"),
    ("generalised", "product"),
    ("column", "columns"),
    ("caching", None),
]


def about_states(predicate):
    return [
        invariant("invariant", predicate),
        invariant("negated", lambda s: not predicate(s)),
        reachable("reachable", predicate),
        deadlock("deadlock", final=predicate),
        deadlock("any deadlock"),
    ]


def about_cycles(predicate):
    return [always_possible("possible", predicate), always_eventually("eventually", predicate)]


def drawn(data, order=None, monotone=True):
    """A model with its truth; none that is too large or does not move."""
    case = data.draw(sources(order, monotone)).case()
    try:
        truth = survey(case.model, most=LIMIT)
    except TooLarge:
        assume(False)
    return case, truth


def truth_value(predicate):
    return lambda s: bool(predicate(s))


@settings(max_examples=20)
@given(data=st.data())
@pytest.mark.parametrize(("strategy", "order"), STRATEGIES)
def test_the_reduced_graph_is_the_quotient(strategy, order, data) -> None:
    case, truth = drawn(data, order, monotone=strategy in ("sweep", "column"))
    kept = [truth_value(case.predicate)] + ([case.measure.function] if case.measure is not None else [])
    block = coarsest(truth, *kept)
    blocks = Blocks(truth, block)
    case.model.equivalence(key_of(truth, block))
    asked = about_states(case.predicate) + (about_cycles(case.predicate) if strategy in ("full", "sweep") else [])
    options = {"strategy": strategy, "gc": data.draw(st.sampled_from(["layer", 3]))}
    if strategy == "caching":
        options = {"strategy": strategy, "cache_size": data.draw(st.integers(0, 5))}
    report = check(case.model, asked, keep_going=True, verify_equivalence=data.draw(st.booleans()), **options)
    for verdict in report.verdicts:  # traces have been replayed on the way
        assert verdict.status is truth.status(verdict.property), verdict.property.name
    numbers = explore(case.model, **options).statistics
    if numbers.states is not None:
        assert numbers.states == numbers.classes == len(blocks.arrows)
        assert numbers.edges == blocks.count_of_edges
        assert numbers.dead_states == sum(not arrows for arrows in blocks.arrows.values())
    assert numbers.explored >= len(blocks.arrows)
    assert numbers.labelled_edges >= numbers.edges


@settings(max_examples=25)
@given(data=st.data())
@pytest.mark.parametrize("order", [None, "number"])
def test_a_state_space_report_is_that_of_the_quotient(order, data) -> None:
    case, truth = drawn(data, order)
    kept = [truth_value(case.predicate)] + ([case.measure.function] if case.measure is not None else [])
    block = coarsest(truth, *kept)
    case.model.equivalence(key_of(truth, block))
    reduced = state_space_report(case.model, strategy="full" if order is None else "sweep")
    quotient = state_space_report(Blocks(truth, block), engine="reference")
    found, expected = reduced.survey.components, quotient.survey.components
    assert found is not None
    assert expected is not None
    for name in ("nodes", "arcs", "terminal", "infinite_runs"):
        assert getattr(found, name) == getattr(expected, name)
    if found.terminal == 1:
        assert found.home_states == expected.home_states
        assert found.home in truth.distance
    by_name = {one.action: one for one in quotient.survey.actions}
    assert {one.action for one in reduced.survey.actions if one.edges} == set(by_name)
    for one in reduced.survey.actions:
        if one.edges:
            assert one == by_name[one.action]
    assert set(reduced.survey.dead) <= truth.dead
    everywhere = state_space_report(case.model, equivalence=False)
    for bounds in reduced.survey.bounds:  # of variables in which no two equivalent states were seen to differ
        assert bounds.variable.partition("[")[0] not in reduced.survey.differing
        whole = everywhere.bounds(bounds.variable)
        assert whole.upper is None or bounds.upper is None or whole.lower <= bounds.lower <= bounds.upper <= whole.upper


@settings(max_examples=25)
@given(data=st.data())
@pytest.mark.parametrize("monotone", [True, False])
def test_a_cut_off_that_ended_is_exact(monotone, data) -> None:
    case, truth = drawn(data, data.draw(st.sampled_from(["number", "lexicographic", "partial"])), monotone)
    block = coarsest(truth, truth_value(case.predicate))  # progress is not kept
    blocks = Blocks(truth, block)
    chosen = data.draw(st.frozensets(st.sampled_from(sorted(set(block.values())))) | st.none())
    key = key_of(truth, block)
    case.model.cutoff(key, when=None if chosen is None else lambda s: key(s) in chosen)
    gc = data.draw(st.sampled_from(["layer", 3]))
    report = check(case.model, about_states(case.predicate), keep_going=True, gc=gc, limits=Limits(states=3000))
    for verdict in report.verdicts:
        if report.complete or verdict.status is not Status.INCONCLUSIVE:
            assert verdict.status is truth.status(verdict.property), verdict.property.name
    if monotone or chosen is None:
        run = explore(case.model, gc=gc)
        assert run.complete
        assert run.statistics.explored >= len(blocks.arrows)
        assert run.statistics.peak >= run.statistics.remembered
        assert run.strategy == "sweep"
    if chosen is None:  # figure 2: every class once
        assert run.statistics.states == run.statistics.remembered == len(blocks.arrows)
        assert run.statistics.edges == blocks.count_of_edges
        assert run.statistics.peak == len(blocks.arrows)
        full = explore(case.model, strategy="full").statistics
        assert (full.states, full.edges) == (len(blocks.arrows), blocks.count_of_edges)


@settings(max_examples=12)
@given(data=st.data())
@pytest.mark.parametrize(("strategy", "order"), STRATEGIES)
def test_with_the_identity_as_key_nothing_changes(strategy, order, data) -> None:
    case, truth = drawn(data, order, monotone=strategy in ("sweep", "column"))
    names = truth.system.variables
    case.model.equivalence(lambda s: tuple(getattr(s, name) for name in names))
    asked = about_states(case.predicate)
    options = {"strategy": strategy, "keep_going": True, "engine": "reference"}
    reduced, plain = check(case.model, asked, **options), check(case.model, asked, equivalence=False, **options)
    assert [(one.status, one.trace) for one in reduced.verdicts] == [(one.status, one.trace) for one in plain.verdicts]
    for name in ("states", "explored", "peak", "layers", "sweeps", "dead_states", "persistent", "evicted", "columns"):
        assert getattr(reduced.statistics, name) == getattr(plain.statistics, name), name
    assert reduced.statistics.labelled_edges == plain.statistics.edges
    assert reduced.statistics.compared == 0


@settings(max_examples=40)
@given(data=st.data())
def test_fairness_to_an_action_is_the_same_over_classes(data) -> None:
    case, truth = drawn(data)
    single = [action.name for action in case.model.actions if not action.label.arguments]
    assume(single)
    fair = data.draw(st.lists(st.sampled_from(single), min_size=1, unique=True))
    case.model.equivalence(key_of(truth, coarsest(truth, truth_value(case.predicate))))
    asked = [always_eventually("eventually", case.predicate)]
    reduced = check(case.model, asked, fair=fair, verify_equivalence=True)
    assert reduced.verdicts[0].status is check(case.model, asked, fair=fair, equivalence=False).verdicts[0].status


@settings(max_examples=60)
@given(data=st.data())
def test_a_wrong_key_is_always_caught(data) -> None:
    case, truth = drawn(data)
    predicate = truth_value(case.predicate)
    block = coarsest(truth, *([predicate] if data.draw(st.booleans()) else []))
    numbers = sorted(set(block.values()))
    assume(len(numbers) > 1)
    merged = dict(zip(numbers, data.draw(st.permutations(numbers)), strict=True))
    one, other = data.draw(st.sampled_from(numbers[:-1])), data.draw(st.sampled_from(numbers[1:]))
    merged[one] = merged[other]
    wrong = {state: merged[number] for state, number in block.items()}
    case.model.equivalence(key_of(truth, wrong))
    if is_consistent(truth, wrong, predicate):
        assert check(case.model, [invariant("asked", case.predicate)], verify_equivalence=True).statistics.verified
    else:
        with pytest.raises(ModelError) as caught:
            check(case.model, [invariant("asked", case.predicate)], verify_equivalence=True)
        assert caught.value.code in ("SC232", "SC233")


@settings(max_examples=40)
@given(data=st.data())
def test_what_is_found_without_verification_is_an_error_or_said_to_rest_on_the_key(data) -> None:
    case, truth = drawn(data)
    numbers = {state: data.draw(st.integers(0, 3)) for state in truth.distance}
    case.model.equivalence(key_of(truth, numbers))
    try:
        report = check(case.model, about_states(case.predicate), keep_going=True)
    except SweepcheckError:
        return  # of which kind, the other tests say
    for verdict in report.verdicts:
        if verdict.status is not truth.status(verdict.property):  # only what no state showed can be wrong
            assert verdict.guarantee is Guarantee.CONDITIONAL
            assert verdict.reason is not None
            assert "if the declared key is right" in verdict.reason


@settings(max_examples=15)
@given(data=st.data())
@pytest.mark.parametrize(("strategy", "order"), [("full", None), ("sweep", "number"), ("generalised", "product")])
def test_a_bounded_prefix_is_what_can_be_reached_inside_the_bound(strategy, order, data) -> None:
    case, truth = drawn(data, order, monotone=strategy == "sweep")
    inside = truth.satisfying(case.predicate)
    reached = set(truth.system.initial_states())
    waiting = list(reached)
    while waiting:
        state = waiting.pop()
        new = {edge.target for edge in truth.edges[state]} - reached if state in inside else set()
        reached |= new
        waiting += new
    report = check(case.model, [invariant("always", case.predicate)], strategy=strategy, up_to=case.predicate)
    numbers = report.statistics
    violated = bool(reached - inside)
    assert report.verdicts[0].status is (Status.VIOLATED if violated else Status.HOLDS)
    whole = explore(case.model, strategy=strategy, up_to=case.predicate)
    assert whole.complete is not violated
    if numbers.states is not None and whole.statistics.states is not None:
        assert whole.statistics.states == len(reached)
        assert whole.statistics.beyond == len(reached - inside)
        assert whole.statistics.explored == len(reached & inside)
        assert whole.statistics.dead_states == len(reached & inside & truth.dead)


@settings(max_examples=40)
@given(data=st.data())
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_no_wrong_answer_about_runs_is_exact(engine, data) -> None:
    """Under a key that is mostly wrong: that something can be reached no more, or never comes, may be an artefact."""
    case, truth = drawn(data)
    numbers = {state: data.draw(st.integers(0, 3)) for state in truth.distance}
    case.model.equivalence(key_of(truth, numbers))
    asked = [always_possible("possible", case.predicate), always_eventually("comes", case.predicate)]
    try:
        report = check(case.model, asked, strategy="full", keep_going=True, engine=engine)
    except SweepcheckError:
        return  # equivalent states that were met differ
    for verdict in report.verdicts:
        if verdict.status is not truth.status(verdict.property):
            assert verdict.guarantee is Guarantee.CONDITIONAL
