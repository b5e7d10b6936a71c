"""Nets that look odd and are right: both engines run them, and find the same."""

from enum import Enum

import pytest
from playing import LIMIT, Play, counts

from sweepcheck import Bag, Net, Status, check, colours, explore

NAMES = [
    "a b",
    "class",
    "Größe",
    "名前",
    "2",
    "p0",
    "s",
    "state",
    "self",
    "None",
    "add",
    "take",
    "-",
    "a'b",
    'a"b',
    "{x}",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_line_of_text_is_a_name(name) -> None:
    net = Net(name)
    place, other = net.place(name, int, [1, 2]), net.place(f"{name} too", int)
    net.transition(f"T {name}", place.take("n"), other.put("n"), guard="n < 2")
    net.invariant(name, lambda m: len(m[name]) + len(m[f"{name} too"]) == 2)
    assert Play(net).labels == [f"T {name}(n=1)"]
    assert counts(net) == (2, 1, 1)
    for engine in ("reference", "native"):
        assert check(net, engine=engine)[name].status is Status.HOLDS


def test_a_transition_without_arcs_is_a_loop() -> None:
    net = Net("n")
    net.place("P", int, [1])
    net.transition("Idle")
    assert Play(net).labels == ["Idle"]
    assert counts(net) == (1, 1, 0)


def test_a_transition_without_arcs_may_choose() -> None:
    net = Net("n")
    net.place("P", int, [1])
    net.transition("Choose", free={"x": range(3), "ok": bool}, guard="x > 0 or ok")
    assert counts(net) == (1, 5, 0)


def test_only_test_arcs_are_a_loop() -> None:
    net = Net("n")
    place = net.place("P", int, [1, 2, 3])
    net.transition("Look", place.test("n"), guard="n > 1")
    assert Play(net).labels == ["Look(n=2)", "Look(n=3)"]
    assert counts(net) == (1, 2, 0)


def test_only_inhibitors() -> None:
    net = Net("n")
    full, empty = net.place("Full", int, [1]), net.place("Empty", int)
    net.transition("Never", full.inhibit())
    net.transition("Always", empty.inhibit())
    assert counts(net) == (1, 1, 0)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_source_never_ends(engine) -> None:
    net = Net("n")
    net.transition("Make", net.place("P", int).put("1"))
    report = explore(net, engine=engine, limits=LIMIT)
    assert not report.complete
    assert report.statistics.states >= LIMIT.states


def test_a_source_with_a_capacity_ends() -> None:
    net = Net("n")
    net.transition("Make", net.place("P", range(2), capacity=3).put("x"), free={"x": range(2)})
    assert counts(net) == (10, 12, 4)


def test_a_net_without_tokens() -> None:
    net = Net("n")
    a, b = net.place("A", int), net.place("B", int, [])
    net.transition("T", a.take("n"), b.put("n"))
    assert counts(net) == (1, 0, 1)


def test_a_net_without_places() -> None:
    net = Net("n")
    net.transition("T")
    assert counts(net) == (1, 1, 0)


def test_many_tokens_on_a_place() -> None:
    net = Net("n")
    place, black = net.place("P", int, range(200)), net.place("Black", initial=300)
    net.transition("T", place.take("n"), guard="n < 5")
    net.transition("B", black.take("100*()"))
    assert counts(net) == (32 * 4, 32 * 3 + 5 * 16 * 4, 1)


def test_large_coefficients() -> None:
    net = Net("n")
    place, out = net.place("P", int, {7: 3000}), net.place("Q", int)
    net.transition("T", place.take("1000*n"), out.put("2000*n"))
    assert Play(net).occur("T(n=7)").marking == {"P": "2000*7", "Q": "2000*7"}
    assert counts(net) == (4, 3, 1)


def test_large_numbers() -> None:
    net = Net("n", big=2**200)
    place, out = net.place("P", int, [2**63, -(2**70), 10**100]), net.place("Q", int)
    net.transition("T", place.take("n"), out.put("n * big"))
    assert counts(net) == (8, 12, 1)


def test_arcs_that_move_nothing() -> None:
    net = Net("n")
    a, b = net.place("A", int, [1]), net.place("B", int)
    net.transition("T", a.take("n"), a.take("{}"), b.put("0*n"), b.put("{}"), a.test("0*5"), b.put("n ++ 0*n"))
    assert Play(net).occur("T(n=1)").marking == {"B": "1*1"}
    assert counts(net) == (2, 1, 1)


def test_a_transition_occurs_even_when_it_moves_nothing() -> None:
    net = Net("n")
    place, out = net.place("P", range(2), [0, 1]), net.place("Q", int)
    net.transition("Nothing", out.put("{}"))
    net.transition("Maybe", place.test("n"), out.put("{} if n < 5 else n"))
    net.transition("Computed", place.test("n"), out.put(lambda n: Bag()), out.take(lambda n: Bag()))
    net.transition("Counted", place.test("n"), out.put("{5: 0 * n}"), out.take("{5: 0 * n}"))
    assert counts(net) == (1, 7, 0)


def test_no_tokens_to_move_leave_a_place_of_one_token_alone() -> None:
    net = Net("n")
    one = net.place("One", int, [1])
    net.transition("Up", one.take("0*9 ++ n"), one.put("0*n ++ n + 1 ++ 0*n"), guard="n < 3")
    assert Play(net).occur("Up(n=1)").marking == {"One": "1*2"}
    assert counts(net) == (3, 2, 1)


def test_a_token_that_comes_back() -> None:
    net = Net("n")
    place = net.place("P", int, [1, 2])
    net.transition("Same", place.take("n"), place.put("n"))
    assert counts(net) == (1, 2, 0)


def test_the_same_place_many_times() -> None:
    net = Net("n")
    place, out = net.place("P", int, [1, 2, 3]), net.place("Q", (int, int, int))
    net.transition("T", place.take("a"), place.take("b"), place.take("c"), out.put("(a, b, c)"), guard="a < b < c")
    assert Play(net).labels == ["T(a=1, b=2, c=3)"]
    assert counts(net) == (2, 1, 1)


def test_tokens_of_many_kinds_on_one_place() -> None:
    hue = Enum("Hue", "RED")
    net = Net("n")
    tokens = [1, "1", None, (), (1,), 2.5, hue.RED, frozenset({1}), b"x"]
    place, out = net.place("P", object, tokens), net.place("Q", object)
    net.transition("T", place.take("x"), out.put("(x, x)"))
    assert len(Play(net).labels) == len(set(tokens))
    places = net.place("R", object, [(1, 2)])
    net.transition("U", places.take("(x, *y)"), out.put("y"))
    assert Play(net).labels[-1] == "U(x=1, y=(2,))"


def test_constants_of_any_kind() -> None:
    net = Net("n", table={1: "one", 2: "two"}, names=("zero", "one"), Hue=Enum("Hue", "RED"), none=None)
    place, out = net.place("P", int, [1, 2]), net.place("Q", str)
    net.transition("T", place.take("n"), out.put("table[n]"), guard="n in table and none is None and names[0] != 'x'")
    assert counts(net) == (4, 4, 1)


def test_comprehensions_and_functions_in_inscriptions() -> None:
    net = Net("n")
    place, out = net.place("P", colours.lists(int), [(3, 1, 2)]), net.place("Q", colours.lists(int))
    net.transition(
        "Sort", place.take("xs"), out.put("tuple(sorted(x * y for x in xs for y in (1, k)))"), let={"k": "len(xs)"}
    )
    assert Play(net).occur("Sort(xs=(3, 1, 2))").marking == {"Q": "1*(1, 2, 3, 3, 6, 9)"}
    counts(net)


def test_a_function_defined_in_a_loop_keeps_its_value() -> None:
    net = Net("n")
    place, out = net.place("P", int, [0]), net.place("Q", int)
    for step in (1, 10):
        net.transition(f"Add {step}", place.take("n"), out.put(lambda n, step=step: n + step))
    assert {repr(Play(net).occur(label).view.Q) for label in Play(net).labels} == {"1*1", "1*10"}
    assert counts(net) == (3, 2, 2)


def test_two_hundred_places_and_transitions() -> None:
    net = Net("ring")
    places = [net.place(f"P{index}", initial=int(index == 0)) for index in range(200)]
    for index, place in enumerate(places):
        net.transition(f"T{index}", place.take(), places[(index + 1) % 200].put())
    assert counts(net) == (200, 200, 0)


def test_the_same_net_can_be_run_again_and_grow() -> None:
    net = Net("n")
    a, b = net.place("A", int, [1]), net.place("B", int)
    net.transition("T", a.take("n"), b.put("n"))
    assert counts(net) == (2, 1, 1)
    assert counts(net) == (2, 1, 1)
    net.transition("Back", b.take("n"), a.put("n"))
    assert counts(net) == (2, 2, 0)
