"""Models with sets and bags of which parts are asked for: how often functions run, and what they see."""

from typing import Any
from unittest.mock import patch

import pytest
from parts_of import Odd, figures

from sweepcheck import Array, Bag, Model, Record, Set, check, choose, explore, invariant, require
from sweepcheck.engines.native.parts import Parts


def test_later_tokens_are_met() -> None:
    """A token that nobody has asked about when a table was made is asked about when it comes."""
    for engine in ("native", "reference"):
        m = Model("later", held=Set(), n=0, large=0)

        @m.action
        def put(s):
            require(s.n < 3000)
            s.n += 1
            s.held.add((s.n * 7) % 50)
            s.held.discard((s.n * 11) % 50)

        @m.action
        def look(s):
            require(s.n % 100 == 0 and len([x for x in s.held if x > 45]) > s.large)
            s.large += 1

        m.invariant("few", lambda s: sum(x for x in s.held if x > 40) < 400)
        report = check(m, engine=engine, strategy="full")
        if engine == "native":
            found = figures(report)
        else:
            assert figures(report) == found


def test_one_run_for_each_part_and_not_for_each_content() -> None:
    """Twelve elements are 4,096 contents; two of them matter."""
    m = Model("few runs", held=Set())

    @m.action(i=range(12))
    def put(s, i):
        require(i not in s.held)
        s.held.add(i)

    m.invariant("asked", lambda s: len([x for x in s.held if x > 9]) < 3)
    runs = 0
    ask = Parts.part

    def counting(self: Any, *given: Any) -> Any:
        nonlocal runs
        runs += 1
        return ask(self, *given)

    with patch.object(Parts, "part", counting):
        assert check(m, engine="native", workers=1).statistics.states == 4096
    assert (
        0 < runs < 128
    )  # each token once, and each part; batches of few states meet more of them before that is found out


def test_arrays_of_sets_and_records_are_gone_through_as_ever() -> None:
    """What a variable is gone through by is told by what it is, not by the names that it has inside."""
    model = Model("sets", sets=Array(Set(), shape=2), node=Array(Record(x=0), shape=2))

    @model.action(i=range(2))
    def add(s: Any, i: int) -> None:
        require(not any(len(one) > 1 for one in s.sets))
        require(all(one.x < 2 for one in s.node))
        s.sets[i].add(s.node[i].x)
        s.node[i].x += 1

    found = [explore(model, engine=engine).statistics for engine in ("reference", "native")]
    assert (found[0].states, found[0].edges) == (found[1].states, found[1].edges)


@pytest.mark.parametrize("kind", [Set, Bag])
def test_choosing_from_all_that_is_there_looks_at_one(kind: type) -> None:
    """`choose(s.held)` is `s.held.peek()`: one run for each token, and not for each content and token."""
    found = []
    for engine in ("native", "reference"):
        m = Model("choice", held=kind(range(9)), last=None)

        @m.action
        def pick(s):
            x = choose(s.held)
            require(x % 4 != 3)
            s.last = x
            s.held.take(x)

        @m.action
        def pick_what_is_new(s):
            require(s.last == 8 and len(s.held) < 5)
            s.held.add(8)
            s.last = choose(s.held)

        report = explore(m, engine=engine, workers=1, strategy="full")
        found.append((report.statistics.states, report.statistics.edges))
        runs = {one.action: one.evaluations for one in report.actions}
        assert engine == "reference" or runs["pick"] < 40
        found.append([str(edge.label) for edge in m.edges(m.initial_states()[0])])
    assert found[:2] == found[2:]


def test_tokens_are_gone_through_in_the_order_of_values() -> None:
    """However they came in: sets of frozensets, of numbers and text, and of values that share a sort key."""
    tokens = [frozenset({9, 1}), "b", 3, frozenset({1, 2}), (2, "x"), None, 1.5, "a", (1, "y"), Odd(2), Odd(1)]
    found = []
    for engine in ("native", "reference"):
        m = Model("order", held=Set(), bag=Bag(), seen=())

        @m.action(i=range(len(tokens)))
        def put(s, i):
            require(len(s.held) < 2 and tokens[i] not in s.held)
            s.held.add(tokens[i])
            s.bag.add(tokens[i], 2)
            s.seen = (tuple(s.held), tuple(s.bag))

        found.append(figures(check(m, [invariant("few", lambda s: len(s.seen) < 9)], engine=engine, strategy="full")))
    assert found[0] == found[1]
