"""Which dimension of an array the members of a symmetric set index: the first that fits, or those that are said."""

from typing import Any

import pytest

from sweepcheck import Array, Map, Model, Record, SweepcheckError, check, choose, explore, require

ENGINES = ["reference", "native"]


def nodes(slots: int, n: int = 3, **declared: Any) -> Model:
    """Each node fills its slots from the first to the last: slots are no nodes, however many there are."""
    m = Model("nodes", node=Array(Record(slot=Array(False, shape=slots), done=False), shape=n))

    @m.action(i=range(n))
    def fill(s: Any, i: int) -> None:
        free = [k for k in range(slots) if not s.node[i].slot[k]]
        require(free)
        s.node[i].slot[free[0]] = True
        s.node[i].done = len(free) == 1

    m.symmetric(range(n), **(declared or {"arrays": ["node"]}))
    m.invariant("in order", lambda s: all(tuple(one.slot) == tuple(sorted(one.slot, reverse=True)) for one in s.node))
    return m


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("slots", [2, 3, 4])
def test_an_inner_dimension_of_the_same_length_stays_as_it_is(slots: int, engine: str) -> None:
    n = 3
    report = explore(nodes(slots), engine=engine, verify_equivalence=True)
    fillings = slots + 1
    assert report.statistics.states == fillings * (fillings + 1) * (fillings + 2) // 6  # multisets of n fillings
    assert check(nodes(slots), engine=engine, verify_equivalence=True)
    assert explore(nodes(slots), engine=engine, equivalence=False).statistics.states == fillings**n


def votes(**declared: Any) -> Model:
    """Who has voted for whom: both dimensions are members."""
    n = 3
    m = Model("votes", votes=Array(False, shape=(n, n)), leader=Array(False, shape=n))

    @m.action(i=range(n))
    def vote(s: Any, i: int) -> None:
        require(not any(s.votes[i]))
        s.votes[i, choose(range(n))] = True

    @m.action(i=range(n))
    def lead(s: Any, i: int) -> None:
        require(sum(row[i] for row in s.votes) == 2 and not any(s.leader))
        s.leader[i] = True

    m.symmetric(range(n), **declared)
    return m


@pytest.mark.parametrize("engine", ENGINES)
def test_both_dimensions_are_said(engine: str) -> None:
    both = {"arrays": {"votes": [0, 1], "leader": 0}}
    found = explore(votes(**both), engine=engine, verify_equivalence=True).statistics.states
    assert found < explore(votes(**both), engine=engine, equivalence=False).statistics.states / 4
    pids = range(3)
    spelt = {"arrays": ["leader"], "values": {"votes": {pids: {pids: None}}}}
    assert explore(votes(**spelt), engine=engine).statistics.states == found


@pytest.mark.parametrize("engine", ENGINES)
def test_the_error_names_variable_and_dimension(engine: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        explore(votes(arrays=["votes", "leader"]), engine=engine)
    text = str(caught.value)
    assert caught.value.code == "SC233"
    assert "only dimension 0 of 'votes' is renamed, and dimension 1 has as many elements" in text
    assert "arrays={'votes': [0, 1]}" in text
    with pytest.raises(SweepcheckError) as caught:
        explore(nodes(3, arrays={"node": [0, 1]}), engine=engine)
    assert caught.value.code == "SC118"
    assert "dimension 1 of array 'node.done'" in str(caught.value)


def test_an_error_is_short_however_large_a_state_is() -> None:
    n = 3
    m = Model("large", at=Array([0] * n), rest=Array([0] * 2000), order=0)

    @m.action(i=range(n))
    def go(s: Any, i: int) -> None:
        require(s.at[i] == 0)
        s.at[i] = 1

    @m.action
    def first(s: Any) -> None:
        require(s.at[0] == 1 and s.at[1] == 0)
        s.order = 1

    m.symmetric(range(n), arrays=["at"])
    with pytest.raises(SweepcheckError) as caught:
        explore(m)
    assert caught.value.code in ("SC232", "SC233")
    assert len(str(caught.value)) < 5000


@pytest.mark.parametrize("engine", ENGINES)
def test_values_of_a_structured_variable_are_in_all_its_parts(engine: str) -> None:
    n = 3
    m = Model("pairs", node=Array(Record(next=None, seen=frozenset()), shape=n))

    @m.action(i=range(n), j=range(n))
    def point(s: Any, i: int, j: int) -> None:
        require(s.node[i].next is None)
        s.node[i].next = j
        s.node[j].seen = s.node[j].seen | {i}

    m.symmetric(range(n), arrays=["node"], values=["node"])
    report = explore(m, engine=engine, verify_equivalence=True)
    assert report.statistics.states == 16 < explore(m, engine=engine, equivalence=False).statistics.states


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"votes": [0, 2]}, "dimension 2 of array 'votes'"),
        ({"votes": []}, "no dimension of array 'votes'"),
        ({"votes": "both"}, "no dimension of array 'votes'"),
        ({"votes": 1.5}, "SC118"),
        ({"leader": 1}, "dimension 1 of array 'leader'"),
        ({"others": 0}, "no variable 'others'"),
    ],
)
def test_dimensions_that_are_none(arrays: Any, words: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        votes(arrays=arrays)
    assert caught.value.code == "SC118"
    assert words in str(caught.value)


def test_a_map_by_members_inside_an_array() -> None:
    names = ("a", "b")
    m = Model("map", held=Array(Map(names, 0), shape=2))

    @m.action(p=list(names), i=range(2))
    def put(s: Any, p: str, i: int) -> None:
        require(s.held[i][p] == 0)
        s.held[i][p] = i + 1

    m.symmetric(names, arrays=["held"])
    assert explore(m, verify_equivalence=True).statistics.states == 10


@pytest.mark.parametrize("members", [["a", "b", "c"], ("a", "b", "c")])
def test_members_that_are_a_list_are_a_key_as_a_tuple(members: Any) -> None:
    def ring(described: Any) -> Model:
        m = Model("m", by=(0, 0, 0), last="a")

        @m.action(i=range(3))
        def go(s: Any, i: int) -> None:
            require(s.by[i] == 0)
            s.by = (*s.by[:i], 1, *s.by[i + 1 :])
            s.last = "abc"[i]

        m.symmetric(members, values={"by": {tuple(members): None}, "last": described})
        return m

    for described in (members, tuple(members), list(members)):
        assert explore(ring(described), verify_equivalence=True).statistics.states == 4
