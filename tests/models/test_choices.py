"""What can be chosen from in an action, and which edges come of it."""

from collections.abc import Callable
from itertools import count, cycle
from typing import Any

import pytest
from one_action import error_of, runs

from sweepcheck import Array, Bag, Model, choose, explore, require


def test_every_distinct_alternative_in_the_order_offered() -> None:
    def act(s):
        s.x = choose(3, 1, 3, 2, 1)

    assert runs(act, x=0) == [("act(3)", (3,)), ("act(1)", (1,)), ("act(2)", (2,))]


@pytest.mark.parametrize("empty", [(), [], {}, "", range(0), iter(()), Bag()])
def test_no_alternative_is_disabled(empty: Any) -> None:
    offers = [empty]

    def act(s):
        s.x = 1
        s.x = choose(offers[0])

    assert runs(act, x=0) == []


def test_choose_without_arguments_is_disabled() -> None:
    def act(s):
        s.x = choose()

    assert runs(act, x=0) == []


@pytest.mark.parametrize(
    "offered",
    [(1, 2), [1, 2], {2, 1}, frozenset({2, 1}), {1: "a", 2: "b"}, range(1, 3), Bag([2, 1, 2])],
)
def test_what_can_be_chosen_from(offered: Any) -> None:
    def act(s):
        s.x = choose(offered)

    assert runs(act, x=0) == [("act(1)", (1,)), ("act(2)", (2,))]


def test_choosing_from_generators_and_variables() -> None:
    def act(s):
        n = choose(n for n in range(5) if n % 2)
        t = choose(s.bag)
        e = choose(s.array)
        s.x = (n, t, e)

    labels = [label for label, _ in runs(act, x=0, bag=Bag("ab"), array=Array([7]))]
    assert labels == ["act(n=1, t='a', e=7)", "act(n=1, t='b', e=7)", "act(n=3, t='a', e=7)", "act(n=3, t='b', e=7)"]


def test_alternatives_may_depend_on_earlier_choices() -> None:
    def act(s):
        n = choose(range(3))
        k = choose(range(n))
        if k:
            last = choose("ab")
            s.x = last
        s.x = (s.x, n, k)

    assert runs(act, x=0) == [
        ("act(n=1, k=0)", ((0, 1, 0),)),
        ("act(n=2, k=0)", ((0, 2, 0),)),
        ("act(n=2, k=1, last='a')", (("a", 2, 1),)),
        ("act(n=2, k=1, last='b')", (("b", 2, 1),)),
    ]


def test_a_run_that_is_disabled_early_does_not_end_the_others() -> None:
    def act(s):
        n = choose(0, 1, 2)
        require(n != 1)
        k = choose(0, 1)
        require(n or k)
        s.x = (n, k)

    assert [target for _, target in runs(act, x=0)] == [((0, 1),), ((2, 0),), ((2, 1),)]


def test_choices_in_helper_functions_loops_and_comprehensions() -> None:
    def helper() -> int:
        inner = choose(0, 1)
        return inner  # noqa: RET504

    def act(s):
        s.x = (helper(), *(choose("ab") for _ in range(2)))

    edges = runs(act, x=0)
    assert len(edges) == 8
    assert edges[0] == ("act(inner=0, 'a', 'a')", ((0, "a", "a"),))


def test_names_of_choices() -> None:
    """Named after the variable they are assigned to where that is easy, else by position."""

    def act(s):
        plain = choose([1])
        annotated: int = choose([2])
        one, two = choose([(3, 4)])
        s.x = choose([5])
        inside = int(choose([6]))
        token = s.bag.take()
        seen = s.bag.peek()
        captured = choose([7])
        s.x = (plain, annotated, one, two, inside, token, seen, max("a", key=lambda _: captured))

    ((label, _),) = runs(act, x=0, bag=Bag("aa"))
    assert label == "act(plain=1, annotated=2, (3, 4), 5, 6, token='a', seen='a', captured=7)"


def test_equal_label_and_successor_are_one_edge() -> None:
    def act(s):
        s.x = s.x + 1

    model = Model("twice", x=0)
    model.action(i=[0, 0])(lambda_family())
    assert len(model.edges((0,))) == 1
    assert runs(act, x=0) == [("act", (1,))]


def lambda_family() -> Callable[..., None]:
    def act(s, i):
        s.x = 1

    return act


def test_equal_successors_with_different_labels_are_two_edges() -> None:
    def act(s):
        n = choose(1, 2)
        s.x = min(n, 1)

    assert runs(act, x=0) == [("act(n=1)", (1,)), ("act(n=2)", (1,))]


@pytest.mark.parametrize("endless", [count(), cycle([1, 2])])
def test_endless_alternatives_are_an_error(endless: Any) -> None:
    assert error_of(choosing(endless), x=0).code == "SC212"


def choosing(offered: Any) -> Callable[..., None]:
    offers = [offered]

    def act(s):
        s.x = choose(offers[0])

    return act


@pytest.mark.parametrize("offered", [5, None, [[1]], [{}]])
def test_what_cannot_be_chosen_from(offered: Any) -> None:
    assert error_of(choosing(offered), x=0).code == "SC212"


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("kind", [range, tuple, list, frozenset])
def test_many_alternatives_are_looked_at_once(kind: Any, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To look at all of them in each of so many runs would take hours."""
    from sweepcheck import explore
    from sweepcheck.models.actions import choice

    looked: list[int] = []
    distinct = choice.distinct

    def counted(offered: Any) -> Any:
        looked.append(1)
        return distinct(offered)

    monkeypatch.setattr(choice, "distinct", counted)
    many = range(2000) if kind is range else kind(range(2000))
    m = Model("many", x=-1)

    @m.action
    def pick(s: Any) -> None:
        require(s.x < 0)
        s.x = choose(many)

    assert explore(m, engine=engine).statistics.states == 2001
    assert len(looked) <= 1


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_many_alternatives_that_differ_from_state_to_state(engine: str) -> None:
    from sweepcheck import explore

    m = Model("many", x=0, y=0)

    @m.action
    def pick(s: Any) -> None:
        require(s.y == 0)
        s.y = choose(range(s.x, s.x + 100)) + choose([s.x + i for i in range(70)])

    @m.action
    def step(s: Any) -> None:
        require(s.x < 2 and s.y == 0)
        s.x += 1

    assert explore(m, engine=engine).statistics.states == sum(
        1 + len({a + b for a in range(x, x + 100) for b in range(x, x + 70)} - {0}) for x in range(3)
    )


def test_alternatives_that_change_when_the_action_is_run_again() -> None:
    class Box:
        left = 3

    def act(s):
        setattr(Box, "left", Box.left - 1)  # noqa: B010 - an assignment would be refused
        s.x = choose(range(Box.left))

    assert error_of(act, x=0).code == "SC213"


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_list_that_changes_while_it_is_chosen_from(engine: str) -> None:
    """Many alternatives are looked at once for all runs, but a list of the action's own may change in between."""
    model = Model("changing", x=0, y=0)

    @model.action
    def act(s):
        require(s.x == 0)
        offered = list(range(1, 71))
        chosen = []
        for _ in range(2):
            chosen.append(choose(offered))
            offered[0] = 100
        s.x, s.y = chosen

    seconds = {y for x, y in [(edge.target) for edge in model.edges((0, 0))]}
    assert 100 in seconds
    assert 1 not in seconds
    assert explore(model, engine=engine).statistics.states == 1 + 70 * 70


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_list_outside_is_the_same_in_every_run(engine: str) -> None:
    offered = list(range(1, 200))
    model = Model("many", x=0)

    @model.action
    def act(s):
        require(s.x == 0)
        s.x = choose(offered)

    assert explore(model, engine=engine).statistics.states == 200


def test_alternatives_that_are_equal_and_not_alike() -> None:
    def act(s):
        s.x = choose(3, 1, 1.0)

    assert error_of(act, x=0).code == "SC215"
