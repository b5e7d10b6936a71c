"""Transitions of one shape share what was compiled for the first of them and nothing else; a weight is one question."""

import random
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest

from sweepcheck import Bag, Net, SweepcheckError, check, explore, invariant
from sweepcheck.engines.native import description

ENGINES = ("native", "reference")


def numbers(model: Any, engine: str) -> tuple[int | None, int]:
    found = explore(model, engine=engine).statistics
    return found.states, found.edges


def pipeline(places: int, tokens: int) -> Net:
    net = Net("pipeline")
    row = [net.place(f"p{i}", initial=tokens if i == 0 else 0) for i in range(places)]
    for i, (source, target) in enumerate(pairwise(row)):
        net.transition(f"t{i}", source.take(), target.put())
    return net


def test_transitions_of_one_shape_are_compiled_once() -> None:
    from sweepcheck.models.adoption import adopt

    functions = [action.function for action in adopt(pipeline(30, 1)).actions]
    assert len({id(one.__globals__) for one in functions}) == 1
    assert len({one.__code__.co_code for one in functions}) == 1
    assert functions[0].__code__.co_names != functions[1].__code__.co_names


@pytest.mark.parametrize("engine", ENGINES)
def test_each_has_its_own_places(engine: str) -> None:
    assert numbers(pipeline(5, 3), engine) == (35, 4 * 15)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_error_names_the_place_of_its_own_transition(engine: str) -> None:
    net = Net("adding")
    start, few = net.place("Start", range(9), [1]), range(4)
    for i, name in enumerate(("Left", "Right")):
        net.transition(f"t{i}", start.test("n"), net.place(name, few).put("n + 2"), guard=f"n == {i + 1}")
    net.transition("step", start.take("n"), start.put("n + 1"), guard="n < 2")
    with pytest.raises(SweepcheckError) as raised:
        explore(net, engine=engine)
    assert raised.value.code == "SC220"
    assert "'Right'" in raised.value.what
    assert any("'Right'" in text for key, text in raised.value.values if key == "in")


def test_a_name_like_that_of_a_place_in_the_code() -> None:
    class Pair(tuple):
        p0 = 5

    net = Net("names", pair=Pair((1, 2)), p0=7)
    a, b = net.place("a", range(20), [0]), net.place("b", range(20))
    net.transition("t", a.take("n"), b.put("n + pair.p0 + p0"))
    assert numbers(net, "native") == numbers(net, "reference") == (2, 1)
    assert check(net, properties=[invariant("sum", lambda m: m.b <= Bag([12]))])


def test_a_wildcard_is_no_token_though_the_input_arc_has_the_same_text() -> None:
    net = Net("wild")
    a, b = net.place("a", int, [1]), net.place("b", int)
    with pytest.raises(SweepcheckError) as raised:
        net.transition("t", a.take("_"), b.put("_"))
    assert raised.value.code == "SC124"


def test_the_same_inscriptions_on_places_of_other_colours() -> None:
    net = Net("colours")
    numbers_, words = net.place("numbers", int, [1]), net.place("words", str, ["x"])
    net.transition("fine", numbers_.take("n"), numbers_.put("n"))
    with pytest.raises(SweepcheckError) as raised:
        net.transition("wrong", numbers_.take("n"), words.put("n"))
    assert raised.value.code == "SC125"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_transition_with_very_many_arcs(engine: str) -> None:
    net = Net("hub")
    sources = [net.place(f"a{i}", initial=2) for i in range(300)]
    targets = [net.place(f"b{i}", int) for i in range(300)]
    arcs = [one.take() for one in sources] + [one.test() for one in sources]
    net.transition("all", *arcs, *(one.put(str(i)) for i, one in enumerate(targets)))
    assert numbers(net, engine) == (2, 1)


# -- weights ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["take", "test", "inhibit"])
@pytest.mark.parametrize("weight", [1, 2, 3])
def test_weights(kind: str, weight: int) -> None:
    net = Net("weights")
    here, there = net.place("here", initial=1, capacity=7), net.place("there", capacity=5)
    net.transition("come", here.put("2*()"))
    net.transition("go", here.take(), there.put())
    net.transition("leave", there.take("2*()"))
    arc = {"take": here.take, "test": here.test, "inhibit": here.inhibit}[kind](f"{weight}*()")
    net.transition("use", arc, there.put("2*()"))
    expected = numbers(net, "reference")
    assert numbers(net, "native") == expected
    with patch.object(description, "COUNT_DIRECTLY", False):
        native = explore(net, engine="native")
    assert expected == (native.statistics.states, native.statistics.edges)
    runs = {one.action: one.evaluations for one in native.actions}
    assert runs["leave"] == 2  # enabled and disabled: the number of tokens is never asked for
    assert runs["use"] <= 3
    assert runs["come"] == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_more_tokens_than_any_bag_can_hold(engine: str) -> None:
    net = Net("too many")
    here = net.place("here", initial=3)
    net.transition("never", here.take(f"{10**12}*()"))
    net.transition("nor", here.test(f"{10**30}*()"))
    net.transition("always", here.take(), here.inhibit(f"{10**12}*()"))
    assert numbers(net, engine) == (4, 3)


@pytest.mark.parametrize("seed", range(12))
def test_random_place_transition_nets(seed: int) -> None:
    draw = random.Random(seed)
    net = Net("random")
    places = [net.place(f"p{i}", initial=draw.randint(0, 3), capacity=draw.choice([None, 5])) for i in range(4)]
    for t in range(5):
        arcs = []
        for place in draw.sample(places, 3):
            kind = draw.choice(["take", "take", "test", "inhibit", "reset"])
            arcs.append(place.reset() if kind == "reset" else getattr(place, kind)(f"{draw.randint(1, 3)}*()"))
        taken = [arc.place for arc in arcs if arc.kind == "take"]
        net.transition(f"t{t}", *arcs, *(draw.choice(places).put() for _ in taken))
    assert numbers(net, "native") == numbers(net, "reference")
