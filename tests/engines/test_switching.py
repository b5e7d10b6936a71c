"""Traces with the fewest context switches: against a search that tries all lengths, and the ways it ends."""

from itertools import pairwise
from random import Random

import pytest

from sweepcheck import Array, Limits, Model, SweepcheckError, check, require
from sweepcheck.engines.switching import fewest_switches, owner_of, switches

LOCATIONS = 4


def drawn(seed: int) -> Model:
    """Two processes, each with random steps that depend on where the other is."""
    random = Random(seed)
    m = Model("drawn", at=Array([0, 0]))
    moves = {
        (p, here, other): [there for there in range(LOCATIONS) if random.random() < 0.3]
        for p in range(2)
        for here in range(LOCATIONS)
        for other in range(LOCATIONS)
    }
    for target in range(LOCATIONS):
        declare_move(m, moves, target)
    bad = (random.randrange(1, LOCATIONS), random.randrange(1, LOCATIONS))
    m.invariant("good", lambda s: s.at != bad)
    return m


def declare_move(m: Model, moves: dict, target: int) -> None:
    def move(s, p):
        require(s.at[p] != target and target in moves[p, s.at[p], s.at[1 - p]])
        s.at[p] = target

    move.__name__ = f"to_{target}"
    m.action(p=range(2))(move)


def fewest(m: Model, bad: object) -> tuple[int, int] | None:
    """The least cost of any way to a violation, relaxed until nothing changes."""
    costs = {(state, None): (0, 0) for state in m.initial_states()}
    changed = True
    while changed:
        changed = False
        for (state, owner), (switched, steps) in list(costs.items()):
            for edge in m.edges(state):
                by = owner_of(m, edge.label)
                cost = switched + (owner is not None and by != owner), steps + 1
                if cost < costs.get((edge.target, by), (99, 99)):
                    costs[edge.target, by] = cost
                    changed = True
    return min((cost for (state, _), cost in costs.items() if not bad(m.view(state))), default=None)


@pytest.mark.parametrize("seed", range(40))
def test_no_way_has_fewer(seed):
    m = drawn(seed)
    report = check(m, shorten="switches")
    best = fewest(m, m.properties[0].predicate)
    trace = report.verdicts[0].trace
    assert (trace is None) == (best is None)
    if trace is not None:
        assert (switches(m, trace), len(trace)) == best


def test_some_are_worth_it():
    """Else the test above would compare the same traces."""
    gained = 0
    for seed in range(40):
        plain, fewer = (check(drawn(seed), shorten=how).verdicts[0].trace for how in (False, "switches"))
        if plain is not None:
            gained += switches(drawn(seed), fewer) < switches(drawn(seed), plain)
    assert gained >= 3


def baton(kind: str = "invariant") -> Model:
    m = Model("baton", tasks=Array([2, 2]), door=0)

    @m.action(p=range(2))
    def work(s, p):
        require(s.tasks[p] > 0 and s.door == p)
        assert kind != "assertion" or s.tasks != (0, 1)
        s.tasks[p] -= 1
        s.door = 1 - p

    @m.action(p=range(2))
    def knock(s, p):
        require(s.door != p and (kind != "deadlock" or s.tasks != (0, 0)))
        s.door = p

    match kind:
        case "invariant":
            m.invariant("not both done", lambda s: s.tasks != (0, 0))
        case "reachable":
            m.reachable("both done", lambda s: s.tasks == (0, 0))
        case "deadlock":
            m.deadlock()
        case "step":
            m.step("never both done", lambda old, new: new.tasks != (0, 0) or old.tasks == (0, 0))
    return m


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("kind", ["invariant", "reachable", "deadlock", "step"])
def test_every_kind_that_states_and_steps_decide(kind, engine):
    (verdict,) = check(baton(kind), engine=engine, shorten="switches").verdicts
    assert switches(baton(kind), verdict.trace) == 1
    assert verdict.trace.states[-1] == verdict.witness
    assert verdict.trace.system is not None


def test_assertions():
    (verdict,) = check(baton("assertion"), [], shorten="switches").verdicts
    owners = [owner_of(baton(), step.label) for step in verdict.trace.steps]
    assert sum(one != other for one, other in pairwise(owners)) == 1


def test_what_is_not_found_in_time_is_said():
    report = check(baton(), shorten="switches", limits=Limits(states=100))
    assert not report.warnings
    m = baton()
    trace = check(m).verdicts[0].trace
    assert fewest_switches(m, m.properties[0], trace, most=3) is None
    assert fewest_switches(m, m.properties[0], trace, seconds=-1.0) is None


@pytest.mark.parametrize(
    "options", [{"shorten": "switches", "trace": False}, {"shorten": "switches", "up_to": 3}, {"shorten": "most"}]
)
def test_requests_that_are_refused(options):
    with pytest.raises(SweepcheckError) as caught:
        check(baton(), **options)
    assert caught.value.code in ("SC403", "SC404")
