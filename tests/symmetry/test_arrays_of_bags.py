"""Symmetric arrays of rows, bags, sets, queues and records: classes are what trying every renaming finds."""

from typing import Any

import pytest
from quotients import quotient, renamings

from sweepcheck import (
    Array,
    Bag,
    Map,
    Model,
    Queue,
    Record,
    Set,
    SweepcheckError,
    check,
    explore,
    leads_to,
    require,
)
from sweepcheck.models.adoption import adopt

N = 3


def channels(rotation: bool) -> tuple[Model, Any]:
    """A queue for each pair, a set of names for each member, a table of numbers, and records."""
    m = Model(
        "channels",
        net=Array(Queue(capacity=1), shape=(N, N)),
        seen=Array(Set(), shape=N),
        cost=Array(0, shape=(N, N)),
        node=Array(Record(on=False, bag=Bag()), shape=N),
    )
    pairs = [(p, (p + 1) % N) for p in range(N)] if rotation else [(p, q) for p in range(N) for q in range(N) if p != q]

    @m.action(pair=pairs)
    def ask(s, pair):
        p, q = pair
        require(s.cost[p, q] == 0 and sum(map(sum, s.cost)) < 2)
        s.cost[p, q] = 1
        s.net[p, q].put(p)

    @m.action(pair=pairs)
    def hear(s, pair):
        p, q = pair
        s.seen[q].add(s.net[p, q].get())
        s.node[q].bag.add("note")

    @m.action(p=range(N))
    def switch(s, p):
        require(not s.node[p].on and len(s.node[p].bag) > 0 and p not in s.seen[p])
        s.node[p].on = True

    pids = range(N)
    arrays = {"net": [0, 1], "seen": 0, "cost": [0, 1], "node": 0}
    m.symmetric(pids, arrays=arrays, values={"net": [pids], "seen": pids}, rotation=rotation)

    def renamed(state: Any, names: tuple[int, ...]) -> Any:
        old = [names.index(p) for p in range(N)]
        net = [[Queue((names[x] for x in state[old[p] * N + old[q]]), 1) for q in range(N)] for p in range(N)]
        seen = [Set(names[x] for x in state[N * N + old[p]]) for p in range(N)]
        rest = state[N * N + N :]
        cost = Array(rest[0][old[p] * N + old[q]] for p in range(N) for q in range(N))
        on = Array(rest[1][old[p]] for p in range(N))
        return (*(one for row in net for one in row), *seen, cost, on, *(rest[2 + old[p]] for p in range(N)))

    def orbit(state: Any) -> frozenset[Any]:
        return frozenset(renamed(state, names) for names in renamings(N, rotation))

    return m, orbit


@pytest.mark.parametrize("rotation", [False, True])
def test_classes_are_those_of_the_whole_graph(rotation: bool) -> None:
    m, orbit = channels(rotation)
    system = adopt(m)
    found = quotient(system, orbit)
    numbers = explore(m, verify_equivalence=True).statistics
    assert (numbers.states, numbers.edges, numbers.dead_states) == (found.classes, found.triples, found.dead)
    assert found.states > found.classes
    asked = [leads_to("heard", lambda s: any(map(any, s.cost)), lambda s: any(len(one) > 0 for one in s.seen))]
    assert check(m, asked).verdicts[0].status is check(m, asked, equivalence=False).verdicts[0].status


def test_a_map_is_indexed_by_its_keys() -> None:
    def model(names: tuple[str, ...], held: Any) -> Model:
        m = Model("map", held=Map(names, held))

        @m.action(p=["a", "b", "c"])
        def put(s, p):
            require(len(s.held[p]) == 0)
            s.held[p].add("x")

        m.symmetric(["a", "b", "c"], arrays=["held"])
        return m

    assert explore(model(("a", "b", "c"), Set())).statistics.states == 4
    with pytest.raises(SweepcheckError) as caught:
        model(("a", "b", "d"), Set())
    assert caught.value.code == "SC118"


@pytest.mark.parametrize("shape", [2, (2, 4), (4, 4)])
def test_an_array_that_does_not_fit_is_refused(shape: Any) -> None:
    m = Model("odd", held=Array(Bag(), shape=shape))
    with pytest.raises(SweepcheckError) as caught:
        m.symmetric(range(3), arrays=["held"])
    assert caught.value.code == "SC118"


def test_one_dimension_alone_may_be_symmetric() -> None:
    """Three members go through three phases, in order: the second dimension is as long, and no member's."""
    n = 3
    m = Model("phases", done=Array(False, shape=(n, n)))

    @m.action(p=range(n))
    def go_on(s, p):
        phase = sum(s.done[p])
        require(phase < n)
        s.done[p, phase] = True

    pids = range(n)
    m.symmetric(pids, values={"done": {pids: None}})
    assert explore(m, verify_equivalence=True).statistics.states == 20  # multisets of three out of four
