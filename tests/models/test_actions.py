"""What an action means, point by point: the headings are those of the page on the semantics of actions."""

from collections.abc import Callable
from typing import Any

import pytest
from one_action import error_of, runs

from sweepcheck import Array, Bag, Model, Queue, SweepcheckError, check, choose, explore, invariant, require, stay

# -- a draft ----------------------------------------------------------------------------------------------------------


def test_reads_see_earlier_writes() -> None:
    def act(s):
        s.x = 5
        s.y = s.x + 1
        s.bag.add("a")
        s.y += len(s.bag)

    assert runs(act, x=0, y=0, bag=Bag()) == [("act", (5, 7, Bag(["a"])))]


def test_the_state_itself_is_immutable() -> None:
    model = Model("immutable", bag=Bag([1]), queue=Queue([1]), array=Array([1]), x=1)

    @model.action
    def act(s):
        s.bag.clear()
        s.queue.clear()
        s.array[0] = 2
        s.x = 2

    state = model.initial_states()[0]
    model.edges(state)
    assert state == (Bag([1]), (1,), (1,), 1)


def test_one_call_is_at_most_one_edge() -> None:
    def act(s):
        s.x = 1
        s.x = 2

    assert runs(act, x=0) == [("act", (2,))]


# -- disabled or edge -------------------------------------------------------------------------------------------------


def test_require_disables() -> None:
    assert runs(lambda_require(False), x=0) == []
    assert runs(lambda_require(True), x=0) == [("act", (1,))]


def lambda_require(condition: bool) -> Callable[..., None]:
    def act(s):
        require(condition)
        s.x = 1

    return act


def test_require_after_operations_disables() -> None:
    def act(s):
        s.x = 1
        s.bag.add(1)
        chosen = choose(0, 1)
        require(chosen)

    assert runs(act, x=0, bag=Bag()) == [("act(chosen=1)", (1, Bag([1])))]


def test_require_passes_through_an_except_of_the_action_s() -> None:
    def act(s):
        s.x = 1
        try:
            require(False)
        except Exception:  # noqa: BLE001
            s.x = 2

    assert runs(act, x=0) == []


def test_a_call_without_an_operation_is_disabled() -> None:
    def act(s):
        if s.x:
            s.x = 0

    assert runs(act, x=0) == []
    assert runs(act, x=1) == [("act", (0,))]


@pytest.mark.parametrize(
    "read",
    [
        lambda s: s.x,
        lambda s: len(s.bag),
        lambda s: 1 in s.bag,
        lambda s: list(s.bag),
        lambda s: s.bag.peek(),
        lambda s: s.queue.peek(),
        lambda s: s.array[0],
        lambda s: choose(1, 2),
    ],
)
def test_reading_and_choosing_are_no_operations(read: Callable[[Any], object]) -> None:
    def act(s):
        read(s)

    assert runs(act, x=0, bag=Bag([1]), queue=Queue([1]), array=Array([1])) == []


@pytest.mark.parametrize(
    "operation",
    [
        lambda s: setattr(s, "x", s.x),
        lambda s: s.bag.add(s.bag.take()),
        lambda s: s.bag.add(1, 0),
        lambda s: s.queue.put(s.queue.get()),
        lambda s: s.array.__setitem__(0, s.array[0]),
        lambda s: stay(),
    ],
)
def test_an_operation_that_changes_nothing_is_a_self_loop(operation: Callable[[Any], object]) -> None:
    def act(s):
        operation(s)

    values = {"x": 0, "bag": Bag([1]), "queue": Queue([1]), "array": Array([1])}
    edges = runs(act, **values)
    assert [target for _, target in edges] == [tuple(values.values())]


# -- families ---------------------------------------------------------------------------------------------------------


def test_families() -> None:
    def act(s, i, k):
        require(i != k)
        n = choose([7])
        s.x = (i, k, n)

    edges = runs(act, {"i": range(2), "k": "ab"}, x=0)
    assert edges == [
        ("act(i=0, k='a', n=7)", ((0, "a", 7),)),
        ("act(i=0, k='b', n=7)", ((0, "b", 7),)),
        ("act(i=1, k='a', n=7)", ((1, "a", 7),)),
        ("act(i=1, k='b', n=7)", ((1, "b", 7),)),
    ]


def test_an_empty_family_has_no_actions() -> None:
    def act(s, i):
        s.x = i

    assert runs(act, {"i": ()}, x=0) == []


@pytest.mark.parametrize("values", [3, [[1]]])
def test_families_that_are_none(values: Any) -> None:
    def act(s, i):
        s.x = 1

    model = Model("family", x=0)
    with pytest.raises(SweepcheckError) as caught:
        model.action(i=values)(act)
    assert caught.value.code == "SC113"


# -- order ------------------------------------------------------------------------------------------------------------


def test_actions_in_the_order_of_declaration() -> None:
    model = Model("order", x=0)

    @model.action
    def zebra(s):
        s.x = 1

    @model.action(i=[2, 1])
    def ant(s, i):
        s.x = i

    assert [str(edge.label) for edge in model.edges((0,))] == ["zebra", "ant(i=2)", "ant(i=1)"]


# -- variables may be called anything ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["close", "pick", "touch", "s", "values", "names", "choices", "add", "take", "index", "name", "self", "i"]
)
def test_any_name(name: str) -> None:
    model = Model("names", **{name: 0})

    @model.action
    def act(s):
        setattr(s, name, (getattr(s, name) + choose(1, 2)) % 5)

    model.progress(lambda s: getattr(s, name) * 0)
    assert explore(model, engine="reference").statistics.states == 5


# -- predicates and measures ------------------------------------------------------------------------------------------


def test_views_read_the_same_way() -> None:
    model = Model("view", x=1, bag=Bag("aab"), queue=Queue([1, 2]), array=Array([5, 6]))
    view = model.view(model.initial_states()[0])
    assert (view.x, len(view.bag), view.bag.count("a"), "b" in view.bag) == (1, 3, 2, True)
    assert list(view.bag) == ["a", "a", "b"]
    assert (view.queue.peek(), len(view.queue), list(view.queue)) == (1, 2, [1, 2])
    assert (view.array[0], view.array[-1], len(view.array)) == (5, 6, 2)
    assert repr(view) == "x=1 bag=2*'a' + 1*'b' queue=<1, 2> array=[5, 6]"


@pytest.mark.parametrize(
    "predicate",
    [
        lambda s: choose(1, 2),
        lambda s: stay(),
        lambda s: require(False),
        lambda s: s.bag.take(),
        lambda s: s.bag.add(1),
        lambda s: s.bag.peek(),
        lambda s: s.queue.put(1),
        lambda s: setattr(s, "x", 1),
        lambda s: s.array.__setitem__(0, 1),
    ],
)
def test_predicates_only_read(predicate: Callable[[Any], object]) -> None:
    model = Model("view", x=1, bag=Bag("a"), queue=Queue([1]), array=Array([5]))
    with pytest.raises(SweepcheckError) as caught:
        check(model, [invariant("reads", predicate)], engine="reference")
    assert caught.value.code == "SC206"


def test_a_predicate_that_raises_is_an_error_of_the_model_with_the_state() -> None:
    with pytest.raises(SweepcheckError) as caught:
        check(Model("raises", x=7), [invariant("bad", lambda s: 1 / 0)], engine="reference")
    assert caught.value.code == "SC209"
    assert ("state", "x=7") in caught.value.values


def test_an_exception_in_an_action_is_reported_with_state_and_action() -> None:
    def act(s):
        s.x = 1 // s.x

    error = error_of(act, x=0)
    assert error.code == "SC201"
    assert "action 'act' raised ZeroDivisionError" in error.what
    assert ("state", "x=0") in error.values
    assert "act" in (error.where or "")


def test_nothing_is_running_between_two_edges() -> None:
    """An action has ended when its edge is handed over: `choose` is an error then."""
    model = Model("between", x=0)

    @model.action
    def act(s):
        s.x = 1

    for _ in model.actions[0].runs((0,), model._draft):
        with pytest.raises(SweepcheckError) as caught:
            choose(1, 2)
        assert caught.value.code == "SC206"
