"""The occurrence rule where it is easily got wrong, one small net for each case."""

from collections.abc import Callable

import pytest

from sweepcheck import Bag, Net, SweepcheckError, colours, explore
from sweepcheck.models.adoption import adopt

ENGINES = ("reference", "native")


def moves(net: Net) -> set[str]:
    """The labels of what is enabled at first."""
    model = adopt(net)
    (start,) = model.initial_states()
    return {str(edge.label) for edge in model.edges(start)}


def two_places(tokens: list[int]) -> tuple[Net, ...]:
    net = Net("rules")
    return net, net.place("A", range(4), tokens), net.place("B", range(4))


# -- test arcs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inscription",
    [
        "x ++ x",
        "{x: 1, x: 1}",
        "2*x if x >= 0 else {}",
        "x ++ x if x >= 0 else {}",
        lambda x: Bag([x, x]),
        "x ++ y",
    ],
    ids=lambda one: one if isinstance(one, str) else "function",
)
def test_a_test_arc_is_about_the_sum_of_its_terms(inscription: object) -> None:
    net, a, b = two_places([0, 0, 1])
    guard = "x == y" if inscription == "x ++ y" else None
    binder = net.place("X", range(4), [0, 1])
    net.transition("T", binder.test("x"), a.test(inscription), b.put("x"), guard=guard)
    assert {label.split("=")[1][0] for label in moves(net)} == {"0"}


def test_test_arcs_may_find_the_same_token() -> None:
    net, a, b = two_places([0])
    net.transition("T", a.test("x"), a.test("y"), b.put("x"))
    assert moves(net) == {"T(x=0, y=0)"}


def test_a_test_arc_finds_tokens_beside_those_taken() -> None:
    net, a, b = two_places([0, 1, 1])
    net.transition("T", a.test("x"), a.take("x"), b.put("x"))
    assert moves(net) == {"T(x=1)"}


def test_a_test_arc_may_bind_what_a_take_from_its_place_needs() -> None:
    net, a, b = two_places([0, 1, 1])
    net.transition("T", a.test("x"), a.take("2*x if x else x"), b.put("x"))
    assert moves(net) == set()
    net.transition("U", a.test("x"), a.take("(x + 1) % 2"), b.put("x"))
    assert moves(net) == {"U(x=0)", "U(x=1)"}


# -- inhibitor arcs --------------------------------------------------------------------------------------------------


def test_an_inhibitor_arc_looks_at_the_marking_before_anything_is_taken() -> None:
    net, a, b = two_places([0, 0, 1])
    net.transition("Last", a.take("x"), a.inhibit("2*x"), b.put("x"))
    assert moves(net) == {"Last(x=1)"}
    net.transition("Never", a.take("x"), a.inhibit("x"))
    net.transition("Others", a.take("0"), a.inhibit("{x: 2}"), b.put("x"), free={"x": range(3)})
    assert moves(net) == {"Last(x=1)", "Others(x=1)", "Others(x=2)"}


def test_an_inhibitor_arc_is_about_the_sum_of_its_terms() -> None:
    net, a, b = two_places([0, 1, 1])
    net.transition("T", b.put("x"), a.inhibit("x ++ y"), free={"x": range(2), "y": range(2)})
    assert moves(net) == {"T(x=0, y=0)"}  # fewer than two 0; with y=1 there are too many of either


def test_an_inhibitor_arc_that_names_no_token_forbids_nothing() -> None:
    net, a, b = two_places([0])
    net.transition("T", b.put("n"), a.inhibit("{0: n}"), free={"n": range(3)})
    assert moves(net) == {"T(n=0)", "T(n=2)"}


@pytest.mark.parametrize(
    "inscription", ["2*x if x else {}", lambda x: Bag([x] * min(x, 1) * 2)], ids=["choice", "function"]
)
def test_an_inhibitor_arc_may_be_computed(inscription: object) -> None:
    net, a, b = two_places([0, 0, 1, 2, 2])
    net.transition("T", b.put("x"), a.inhibit(inscription), free={"x": range(4)})
    assert moves(net) == {"T(x=0)", "T(x=1)", "T(x=3)"}  # no token is named for 0, and there are two of 2


# -- variables -------------------------------------------------------------------------------------------------------


def test_a_computed_variable_agrees_with_the_arcs_that_bind_it() -> None:
    net, a, b = two_places([0, 1, 2])
    c = net.place("C", range(4), [0, 1])
    net.transition("T", a.take("x"), c.take("y"), b.put("x"), let={"x": "y + 1"})
    assert moves(net) == {"T(y=0)", "T(y=1)"}
    model = adopt(net)
    for edge in model.edges(model.initial_states()[0]):
        after = model.describe(edge.target)
        assert after["A"] + after["B"] == Bag([0, 1, 2])  # what is put is what was taken


def test_a_computed_variable_agrees_with_the_guard_that_defines_it() -> None:
    net, a, b = two_places([0, 1, 2])
    c = net.place("C", range(4), [3])
    net.transition("T", a.take("y"), c.take("z"), b.put("x"), guard="x == z", let={"x": "y + 1"})
    assert moves(net) == {"T(y=2, z=3)"}


def test_a_free_variable_runs_through_its_colour_where_no_token_is_named() -> None:
    net, a, b = two_places([0, 1])
    n = net.place("N", range(2), [0, 1])
    net.transition("T", n.take("n"), a.take("{x: n}"), b.put("x"), free={"x": range(1, 3)})
    assert moves(net) == {"T(n=0, x=1)", "T(n=0, x=2)", "T(n=1, x=1)"}


@pytest.mark.parametrize("tokens", [[0, 1], []], ids=["found", "not found"])
def test_no_token_binds_no_variable_whether_or_not_one_is_found(tokens: list[int]) -> None:
    net, a, b = two_places(tokens)
    n = net.place("N", range(2), [0])
    net.transition("T", n.take("n"), a.take("{x: n}"), b.put("x"))
    with pytest.raises(SweepcheckError) as caught:
        moves(net)
    assert caught.value.code == "SC221"


def test_the_rest_of_a_list_may_be_known() -> None:
    net = Net("lists")
    row = colours.lists(range(2), 2)
    a, b = net.place("A", row, [(0, 1), (1, 0), (1,)]), net.place("B", row, [(1,)])
    net.transition("T", a.take("(h, *rest)"), b.take("rest"))
    assert moves(net) == {"T(h=0, rest=(1,))"}
    net.transition("Same", a.test("(h, *_)"), b.test("(h, *_)"), guard="h == 1")
    assert moves(net) == {"T(h=0, rest=(1,))", "Same(h=1, (0,), ())", "Same(h=1, (), ())"}


def test_the_rest_of_a_list_twice_in_one_pattern() -> None:
    net = Net("lists")
    row = colours.lists(range(2), 2)
    a, b = net.place("A", (row, row), [((0, 1), (1,)), ((1, 0), (1,)), ((1, 1), (0, 1))]), net.place("B", row)
    net.transition("Whole", a.take("((h, *rest), rest)"), b.put("rest"))
    net.transition("Star", a.take("((h, *rest), (k, *rest))"), b.put("rest"))
    assert moves(net) == {"Whole(h=0, rest=(1,))", "Star(h=1, rest=(1,), k=0)"}


# -- capacities and fusion -------------------------------------------------------------------------------------------


def alias(kind: str) -> Net:
    """A place of capacity 2 under two names inside one transition, by fusion or because two ports are one place."""
    module = Net("module")
    if kind == "fusion":
        x, y = (module.place(name, range(2), [0], capacity=2, fusion="F") for name in "XY")
    else:
        x, y = (module.place(name, range(2), port="inout") for name in "XY")
    module.transition("Both", x.put("1"), y.put("1"))
    module.transition("Test", x.take("0"), y.test("0"))
    module.transition("Swap", x.take("a"), y.put("1 - a"))
    if kind == "fusion":
        return module
    net = Net("net")
    place = net.place("F", range(2), [0], capacity=2)
    net.substitution("M", module, X=place, Y=place)
    return net


@pytest.mark.parametrize("kind", ["fusion", "ports"])
def test_two_names_of_a_place_are_one_place(kind: str) -> None:
    prefix = "" if kind == "fusion" else "M."
    assert moves(alias(kind)) == {f"{prefix}Swap(a=0)"}


# -- nothing taken, nothing put --------------------------------------------------------------------------------------


def nothing_put(net: Net) -> None:
    a, b = net.place("A", range(3), [0, 1, 2]), net.place("B", range(3), capacity=2)
    net.transition("T", a.test("x"), b.put("x if x > 1 else {}"))


def nothing_taken(net: Net) -> None:
    a, b = net.place("A", range(3), [0, 1, 2]), net.place("B", range(3), [0, 0])
    net.transition("T", a.test("x"), b.take("{0: x}"))


def nothing_computed(net: Net) -> None:
    a, b = net.place("A", range(3), [0, 1, 2]), net.place("B", range(3), capacity=4)
    net.transition("T", a.test("x"), b.put(lambda x: Bag([x] * x)))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("build", "states", "edges"), [(nothing_put, 3, 8), (nothing_taken, 3, 6), (nothing_computed, 9, 19)]
)
def test_an_occurrence_that_moves_no_token_is_an_edge(
    build: Callable[[Net], None], states: int, edges: int, engine: str
) -> None:
    net = Net("nothing")
    build(net)
    found = explore(net, engine=engine).statistics
    assert (found.states, found.edges) == (states, edges)


# -- places with one token -------------------------------------------------------------------------------------------


def test_a_place_with_one_token_and_a_term_of_no_token() -> None:
    net, a, b = two_places([1])
    net.transition("T", a.take("{0: 0, x: 1}"), a.put("(x + 1) % 4"))
    net.transition("U", a.test("{3: 0, x: 1}"), b.inhibit())
    assert moves(net) == {"T(x=1)", "U(x=1)"}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_condition_that_may_fail_waits_for_those_before_it(engine: str) -> None:
    net, a, b = two_places([0, 1, 3])
    ok = net.place("Ok", {(0, False), (1, True), (3, True)}, [(0, False), (1, True), (3, True)])
    net.transition("T", a.take("n"), ok.test("(n, ok)"), b.put("n"), guard="ok and 6 // n > 2")
    assert moves(net) == {"T(n=1, ok=True)"}
    assert explore(net, engine=engine).statistics.states == 2
