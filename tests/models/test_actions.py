"""What an action means, point by point: the headings are those of the page on the semantics of actions."""

from collections.abc import Callable
from itertools import count, cycle
from typing import Any

import pytest

from sweepcheck import (
    Array,
    Bag,
    Label,
    Limits,
    Model,
    Queue,
    SweepcheckError,
    check,
    choose,
    explore,
    invariant,
    require,
    stay,
)


def runs(action: Callable[..., None], /, family: dict[str, Any] | None = None, **variables: Any) -> list[tuple]:
    """The edges of a one-action model out of its initial state: (label, values of the variables)."""
    model = Model("one action", **variables)
    (model.action(**family) if family else model.action)(action)
    return [(str(edge.label), edge.target) for edge in model.edges(model.initial_states()[0])]


def error_of(action: Callable[..., None], /, **variables: Any) -> SweepcheckError:
    with pytest.raises(SweepcheckError) as caught:
        runs(action, **variables)
    return caught.value


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


# -- choice -----------------------------------------------------------------------------------------------------------


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


# -- scalars ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, 1.5, "a", (1, (2,)), frozenset({1}), Bag([1]), Label("x")])
def test_any_hashable_value(value: Any) -> None:
    def act(s):
        s.x = value

    assert runs(act, x=0) == [("act", (value,))]


@pytest.mark.parametrize("value", [[], {}, set(), ([],), lambda: 0, object()])
def test_values_that_are_none(value: Any) -> None:
    def act(s):
        s.total = value

    error = error_of(act, total=0)
    assert error.code == "SC203"
    assert "total" in error.what


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


# -- bags -------------------------------------------------------------------------------------------------------------


def test_bag_operations() -> None:
    def act(s):
        s.bag.add("b")
        s.bag.add("c", 2)
        s.x = (len(s.bag), s.bag.count("c"), s.bag.count("z"), "b" in s.bag, "z" in s.bag, tuple(s.bag))

    ((_, (bag, x)),) = runs(act, bag=Bag("a"), x=0)
    assert bag == Bag("abcc")
    assert x == (4, 2, 0, True, False, ("a", "b", "c", "c"))


def test_take_is_any_distinct_token() -> None:
    def act(s):
        s.x = s.bag.take()

    assert runs(act, bag=Bag("bab"), x=0) == [("act('a')", (Bag("bb"), "a")), ("act('b')", (Bag("ab"), "b"))]
    assert runs(act, bag=Bag(), x=0) == []


def test_take_this_token() -> None:
    def act(s):
        s.x = s.bag.take("a")

    assert runs(act, bag=Bag("aab"), x=0) == [("act", (Bag("ab"), "a"))]
    assert runs(act, bag=Bag("b"), x=0) == []


def test_take_where() -> None:
    def act(s):
        n = s.bag.take(where=lambda token: token > s.x)
        s.x = n

    assert runs(act, bag=Bag([1, 2, 3]), x=1) == [("act(n=2)", (Bag([1, 3]), 2)), ("act(n=3)", (Bag([1, 2]), 3))]
    assert runs(act, bag=Bag([1, 1]), x=1) == []


def test_peek_does_not_remove() -> None:
    def act(s):
        s.x = s.bag.peek()

    assert runs(act, bag=Bag("ab"), x=0) == [("act('a')", (Bag("ab"), "a")), ("act('b')", (Bag("ab"), "b"))]
    assert runs(act, bag=Bag(), x=0) == []


def test_peek_where() -> None:
    def act(s):
        s.x = s.bag.peek(where=lambda token: token != "a")

    assert [x for _, (_, x) in runs(act, bag=Bag("ab"), x=0)] == ["b"]


def test_take_twice() -> None:
    def act(s):
        one = s.bag.take()
        two = s.bag.take()
        s.x = (one, two)

    assert [x for _, (_, x) in runs(act, bag=Bag("aab"), x=0)] == [("a", "a"), ("a", "b"), ("b", "a")]
    assert runs(act, bag=Bag("a"), x=0) == []


def test_take_after_add_and_add_after_take() -> None:
    def act(s):
        s.bag.add("z")
        taken = s.bag.take()
        s.bag.add(taken + taken)

    assert runs(act, bag=Bag("a")) == [
        ("act(taken='a')", (Bag(["aa", "z"]),)),
        ("act(taken='z')", (Bag(["a", "zz"]),)),
    ]


def test_clear() -> None:
    def act(s):
        s.bag.clear()
        s.queue.clear()

    assert runs(act, bag=Bag("a"), queue=Queue("ab", capacity=2)) == [("act", (Bag(), ()))]


# -- queues -----------------------------------------------------------------------------------------------------------


def test_queue_operations() -> None:
    def act(s):
        s.queue.put(3)
        s.x = (s.queue.get(), s.queue.peek(), len(s.queue), tuple(s.queue), 3 in s.queue, s.queue[-1])

    assert runs(act, queue=Queue([1, 2]), x=0) == [("act", ((2, 3), (1, 2, 2, (2, 3), True, 3)))]


@pytest.mark.parametrize("operation", ["get", "peek"])
def test_an_empty_queue_disables(operation: str) -> None:
    def act(s):
        s.x = 1
        getattr(s.queue, operation)()

    assert runs(act, queue=Queue(), x=0) == []


def test_a_full_queue_disables() -> None:
    def act(s):
        s.queue.put(9)

    assert runs(act, queue=Queue([1], capacity=2)) == [("act", ((1, 9),))]
    assert runs(act, queue=Queue([1, 2], capacity=2)) == []
    assert runs(act, queue=Queue(capacity=0)) == []


def test_the_capacity_lasts() -> None:
    """It belongs to the variable: it outlives get, clear, and initial states written without it."""
    model = Model("channel", queue=Queue(capacity=2))
    model.initial(queue=[Queue(), Queue([1])])

    @model.action
    def put(s):
        s.queue.put(choose(0, 1))

    @model.action
    def get(s):
        s.queue.get()

    @model.action
    def clear(s):
        s.queue.clear()

    report = explore(model, engine="reference", limits=Limits(states=20))
    assert report.complete
    assert report.statistics.states == 1 + 2 + 4


# -- arrays -----------------------------------------------------------------------------------------------------------


def test_array_elements() -> None:
    def act(s):
        s.array[0] = s.array[1] + s.array[-1]
        s.array[-1] += 1
        s.x = (len(s.array), tuple(s.array), s.array[1:], 8 in s.array)

    assert runs(act, array=Array([1, 2, 3]), x=0) == [("act", ((5, 2, 4), (3, (5, 2, 4), (2, 4), False)))]


@pytest.mark.parametrize("index", [3, -4, "a", None])
def test_array_indices(index: Any) -> None:
    def read(s):
        s.x = s.array[index]

    def write(s):
        s.array[index] = 1

    for action in (read, write):
        assert error_of(action, array=Array([1, 2, 3]), x=0).code == "SC207"


def test_an_array_element_must_be_hashable() -> None:
    def act(s):
        s.array[0] = []

    assert error_of(act, array=Array([1])).code == "SC203"


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
