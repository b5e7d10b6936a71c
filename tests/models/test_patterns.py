"""Patterns: which tokens an input arc takes, and what its variables are then."""

import ast
from dataclasses import dataclass
from enum import Enum

import pytest
from playing import Play, counts

from sweepcheck import Net, colours
from sweepcheck.models.net.colours import colour
from sweepcheck.models.net.pattern import Mismatch, binds, is_open, needs, typed

Hue = Enum("Hue", "RED GREEN")
Packet = colours.record("Packet", number=int, data=str)
Message = colours.union("Message", data=int, pair=(int, int), stop=None)


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


CONSTANTS = {"Packet": Packet, "Message": Message, "Hue": Hue, "Point": Point, "limit": 3}


def node(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


NAMES = [
    # pattern, what it binds, what it only reads
    ("n", "n", ""),
    ("_", "", ""),
    ("limit", "", ""),
    ("5", "", ""),
    ("(n, k)", "n k", ""),
    ("(n, n)", "n", ""),
    ("(n, k + 1)", "n", "k"),
    ("(n, (k, _))", "n k", ""),
    ("(h, *t)", "h t", ""),
    ("n + 1", "", "n"),
    ("f(n)", "", "f n"),
    ("Packet(n, d)", "n d", ""),
    ("Packet(number=n, data=_)", "n", ""),
    ("Packet(n, str(k))", "n", "k str"),
    ("Point(n)", "n", ""),
    ("Message.data(n)", "n", ""),
    ("Message.pair((n, k))", "n k", ""),
    ("Message.stop", "", "Message"),
    ("Hue.RED", "", "Hue"),
]


@pytest.mark.parametrize(("text", "bound", "read"), NAMES)
def test_names(text, bound, read) -> None:
    assert binds(node(text), CONSTANTS) == set(bound.split())
    assert needs(node(text), CONSTANTS) == set(read.split())


@pytest.mark.parametrize(
    "text", ["_", "(n, _)", "Packet(n, _)", "Packet(number=n)", "Point(n)", "(h, *_)", "((_,), 1)"]
)
def test_what_is_open_cannot_be_computed(text) -> None:
    assert is_open(node(text), CONSTANTS)


@pytest.mark.parametrize("text", ["n", "(n, k)", "Packet(n, d)", "Point(n, k)", "Message.data(n)", "sum(1 for _ in n)"])
def test_what_is_closed_can(text) -> None:
    assert not is_open(node(text), CONSTANTS)


TYPED = [
    ("n", int, {"n": "int"}),
    ("_", int, {}),
    ("limit", int, {}),
    ("(n, k)", (int, str), {"n": "int", "k": "str"}),
    ("(n, (k, m))", (int, (bool, str)), {"n": "int", "k": "bool", "m": "str"}),
    ("(h, *t)", colours.lists(int), {}),
    ("(n, k)", colours.lists(int), {}),
    ("Packet(n, d)", Packet, {"n": "int", "d": "str"}),
    ("(n, d)", Packet, {"n": "int", "d": "str"}),
    ("Message.data(n)", Message, {"n": "int"}),
    ("Message.pair((n, k))", Message, {"n": "int", "k": "int"}),
    ("Point(n)", Point, {}),
    ("Point(n)", object, {}),
    ("(n, k)", object, {}),
    ("()", None, {}),
    ("5", range(9), {}),
    ("n + 1", int, {}),
]


@pytest.mark.parametrize(("text", "of", "expected"), TYPED)
def test_variables_get_the_colours_of_their_parts(text, of, expected) -> None:
    assert {name: str(one) for name, one in typed(node(text), colour(of), CONSTANTS).items()} == expected


MISMATCHES = [
    ("(n, k)", int),
    ("(n, k, m)", (int, str)),
    ("(n, 5)", (int, str)),
    ("5", range(3)),
    ("'a'", int),
    ("None", int),
    ("Packet(n, d)", int),
    ("Packet(n)", Packet),
    ("Packet(n, d, e)", Packet),
    ("Packet(nummer=n)", Packet),
    ("Packet(n, 5)", Packet),
    ("Message.data(n)", int),
    ("Message.dat(n)", Message),
    ("Message.data('x')", Message),
    ("Message.pair((n, k, m))", Message),
    ("Point(1, 2, 3)", Point),
    ("Point(n)", str),
    ("(n, k)", None),
    ("()", int),
]


@pytest.mark.parametrize(("text", "of"), MISMATCHES)
def test_what_can_never_match(text, of) -> None:
    with pytest.raises(Mismatch):
        typed(node(text), colour(of), CONSTANTS)


# -- which tokens are taken ------------------------------------------------------------------------------------------


def taken(of: object, tokens: list[object], inscription: str, **more: object) -> list[str]:
    """The bindings of a transition that takes from one place."""
    net = Net("n", **CONSTANTS)
    place = net.place("P", of, tokens)
    net.transition("T", place.take(inscription), **more)
    counts(net)
    return [label.removeprefix("T") for label in Play(net).labels]


PAIRS = [(1, 1), (1, 2), (2, 2), (3, 1)]
TAKEN = [
    ((int, int), PAIRS, "(n, k)", ["(n=1, k=1)", "(n=1, k=2)", "(n=2, k=2)", "(n=3, k=1)"]),
    ((int, int), PAIRS, "p", ["(p=(1, 1))", "(p=(1, 2))", "(p=(2, 2))", "(p=(3, 1))"]),
    ((int, int), PAIRS, "(n, n)", ["(n=1)", "(n=2)"]),
    ((int, int), PAIRS, "(1, k)", ["(k=1)", "(k=2)"]),
    ((int, int), PAIRS, "(limit, k)", ["(k=1)"]),
    ((int, int), PAIRS, "(limit - 1, k)", ["(k=2)"]),
    ((int, int), PAIRS, "(n, _)", ["(n=1, 1)", "(n=1, 2)", "(n=2, 2)", "(n=3, 1)"]),
    ((int, int), PAIRS, "(_, _)", ["(1, 1)", "(1, 2)", "(2, 2)", "(3, 1)"]),
    ((int, int), PAIRS, "_", ["((1, 1))", "((1, 2))", "((2, 2))", "((3, 1))"]),
    ((int, int), PAIRS, "(1, 2)", [""]),
    ((int, int), PAIRS, "(9, 9)", []),
    (colours.lists(int), [(), (1,), (1, 2), (2, 3, 4)], "(h, *t)", ["(h=1, t=())", "(h=1, t=(2,))", "(h=2, t=(3, 4))"]),
    (colours.lists(int), [(), (1,), (1, 2), (2, 3, 4)], "(*front, 2)", ["(front=(1,))"]),
    (colours.lists(int), [(), (1,), (1, 2), (2, 3, 4)], "(n, k)", ["(n=1, k=2)"]),
    (colours.lists(int), [(), (1,), (1, 2), (2, 3, 4)], "(n,)", ["(n=1)"]),
    (colours.lists(int), [(), (1,), (1, 2), (2, 3, 4)], "()", [""]),
    (Packet, [Packet(1, "a"), Packet(2, "b")], "Packet(n, 'a')", ["(n=1)"]),
    (Packet, [Packet(1, "a"), Packet(2, "b")], "Packet(data=d, number=2)", ["(d='b')"]),
    (Packet, [Packet(1, "a"), Packet(2, "b")], "Packet(number=n)", ["(n=1, 'a')", "(n=2, 'b')"]),
    (Packet, [Packet(1, "a"), Packet(2, "b")], "(n, d)", ["(n=1, d='a')", "(n=2, d='b')"]),
    (Message, [Message.data(1), Message.pair((1, 2)), Message.stop], "Message.data(n)", ["(n=1)"]),
    (Message, [Message.data(1), Message.pair((1, 2)), Message.stop], "Message.pair((n, k))", ["(n=1, k=2)"]),
    (Message, [Message.data(1), Message.pair((1, 2)), Message.stop], "Message.stop", [""]),
    (Message, [Message.data(1), Message.stop], "m", ["(m=data(1))", "(m=stop)"]),
    (Point, [Point(1), Point(1, 2), Point(2, 2)], "Point(n, 2)", ["(n=1)", "(n=2)"]),
    (Point, [Point(1), Point(1, 2)], "Point(x=n, y=k)", ["(n=1, k=0)", "(n=1, k=2)"]),
    (Hue, [Hue.RED, Hue.GREEN], "Hue.RED", [""]),
    (int | Packet.type, [1, Packet(1, "a")], "Packet(n, d)", ["(n=1, d='a')"]),
    (object, [1, (1, 2), "a"], "(n, k)", ["(n=1, k=2)"]),
    (object, ["ab", (1, 2)], "(n, k)", ["(n=1, k=2)"]),
    (None, [(), ()], "()", [""]),
    (None, [()], "u", ["(u=())"]),
]


@pytest.mark.parametrize(("of", "tokens", "inscription", "expected"), TAKEN)
def test_the_tokens_that_match(of, tokens, inscription, expected) -> None:
    assert taken(of, tokens, inscription) == expected


def test_tokens_that_differ_only_in_what_is_left_open_are_different_bindings() -> None:
    net = Net("n")
    place, out = net.place("P", (int, int), [(1, 1), (1, 2)]), net.place("Q", int)
    net.transition("T", place.take("(n, _)"), out.put("n"))
    assert counts(net) == (4, 4, 1)


def test_a_variable_joins_places() -> None:
    net = Net("n")
    left = net.place("L", (int, str), [(1, "a"), (2, "b"), (3, "c")])
    right, out = net.place("R", (str, int), [("a", 10), ("c", 30), ("d", 40)]), net.place("O", int)
    net.transition("Join", left.take("(n, key)"), right.take("(key, k)"), out.put("n + k"))
    assert Play(net).labels == ["Join(n=1, key='a', k=10)", "Join(n=3, key='c', k=30)"]
    assert counts(net) == (4, 4, 1)


def test_two_variables_take_two_tokens() -> None:
    net = Net("n")
    place, out = net.place("P", int, [1, 1, 2]), net.place("Q", int)
    net.transition("Two", place.take("a ++ b"), out.put("a - b"), guard="a <= b")
    net.transition("Same", place.take("a"), place.take("a"), out.put("0"))
    assert Play(net).labels == ["Two(a=1, b=1)", "Two(a=1, b=2)", "Same(a=1)"]
    counts(net)


def test_an_open_pattern_with_everything_bound_is_still_looked_for() -> None:
    net = Net("n", **CONSTANTS)
    key, packets = net.place("K", int, [2]), net.place("P", Packet, [Packet(1, "a"), Packet(2, "b"), Packet(2, "c")])
    points = net.place("X", Point, [Point(2, 5)])
    net.transition("Find", key.test("n"), packets.take("Packet(number=n)"))
    net.transition("Point", key.test("n"), points.take("Point(n)"))
    play = Play(net)
    assert play.labels == ["Find(n=2, 'b')", "Find(n=2, 'c')", "Point(n=2, 5)"]
    assert counts(net)[0] == 8


def test_a_test_arc_binds_and_leaves_the_token() -> None:
    net = Net("n")
    place, out = net.place("P", (int, int), [(1, 5), (2, 6)]), net.place("Q", int)
    net.transition("Look", place.test("(2, k)"), out.put("k"), out.inhibit())
    assert Play(net).occur("Look(k=6)").marking == {"P": "1*(1, 5) + 1*(2, 6)", "Q": "1*6"}
    assert counts(net) == (2, 1, 1)
