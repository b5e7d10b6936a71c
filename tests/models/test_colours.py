"""Colours: what a user may write for one, which tokens it has, and which of them can be listed."""

from dataclasses import dataclass
from enum import Enum, Flag, IntEnum
from typing import Any, Literal, Optional, Union

import pytest

from sweepcheck import Net, colours
from sweepcheck.models.net.colours import MOST_VALUES, colour

Hue = Enum("Hue", "RED GREEN")
Packet = colours.record("Packet", number=range(2), data=bool)
Message = colours.union("Message", data=range(2), stop=None)


@dataclass(frozen=True)
class Point:
    x: int


class Level(IntEnum):
    LOW = 0


class Bits(Flag):
    A = 1
    B = 2


MEMBERS = [
    # colour, tokens, no tokens
    (int, [0, -3, 10**30, Level.LOW], [True, 1.5, "1", None, ()]),
    (bool, [True, False], [0, 1, None]),
    (float, [1.5, 1, -2], [True, "1"]),
    (str, ["", "red"], [1, b"red", None]),
    (object, [1, "a", None, ()], []),
    (Any, [1, "a", None, ()], []),
    (None, [()], [None, 0, (1,)]),
    (range(1, 4), [1, 3], [0, 4, True, 1.0, "1"]),
    (range(0, 10, 3), [0, 9], [1, 10]),
    (range(9, 0, -2), [9, 1], [8, 0, 11, True]),
    ({"red", "green"}, ["red"], ["blue", 1, ["red"]]),
    (frozenset({1, "a"}), [1, "a"], [2]),
    (Literal["red", 3], ["red", 3], ["3"]),
    (Hue, [Hue.RED], ["RED", 1]),
    (Bits, [Bits.A, Bits.A | Bits.B], [1]),
    (Point, [Point(1)], [1, (1,)]),
    ((int, str), [(1, "a")], [(1,), (1, 2), ("a", 1), [1, "a"], 1, (1, "a", "b")]),
    (tuple[int, str], [(1, "a")], [(1, 2)]),
    (((int, int), bool), [((1, 2), True)], [(1, 2, True)]),
    (tuple[int, ...], [(), (1,), (1, 2, 3)], [("a",), 1, [1]]),
    (colours.lists(range(2), most=2), [(), (0,), (1, 0)], [(2,), (0, 0, 0)]),
    (frozenset[int], [frozenset(), frozenset({1})], [frozenset({"a"}), {1}]),
    (int | str, [1, "a"], [None, 1.5]),
    (int | None, [1, None], ["a", ()]),
    (Optional[int], [1, None], ["a", ()]),  # noqa: UP045 - people write it so
    (Union[int, str], [1, "a"], [None]),  # noqa: UP007 - people write it so
    (Packet, [Packet(1, True), Packet(number=0, data=False)], [(1, True), Packet(2, True), Packet(1, 1)]),
    (Message, [Message.data(1), Message.stop], [Message.data(2), 1, ("data", 1), ("stop", ())]),
    (colours.subset(range(9), lambda n: n % 2), [1, 7], [2, 9, "a"]),
    (colours.timed(range(3)), [0, 2], [3]),
    (colours.values(1, "a"), [1, "a"], [2, [1]]),
]


@pytest.mark.parametrize(("given", "tokens", "others"), MEMBERS, ids=[str(colour(row[0])) for row in MEMBERS])
def test_membership(given, tokens, others) -> None:
    of = colour(given)
    assert [token for token in tokens if token not in of] == []
    assert [token for token in others if token in of] == []


LISTED = [
    (bool, (False, True)),
    (None, ((),)),
    (range(3), (0, 1, 2)),
    ({"b", "a"}, ("a", "b")),
    (Hue, (Hue.RED, Hue.GREEN)),
    ((bool, range(2)), ((False, 0), (False, 1), (True, 0), (True, 1))),
    (Packet, (Packet(0, False), Packet(0, True), Packet(1, False), Packet(1, True))),
    (Message, (Message.data(0), Message.data(1), Message.stop)),
    (colours.lists(range(2), most=1), ((), (0,), (1,))),
    (colours.lists(bool, most=0), ((),)),
    (colours.subset(range(5), lambda n: n > 2), (3, 4)),
    (bool | None, (False, True, None)),
    (colours.timed(range(2)), (0, 1)),
    (range(MOST_VALUES), tuple(range(MOST_VALUES))),
]


@pytest.mark.parametrize(("given", "tokens"), LISTED, ids=[str(colour(row[0])) for row in LISTED])
def test_finite_colours_list_their_tokens_in_a_fixed_order(given, tokens) -> None:
    of = colour(given)
    assert of.values() == tokens
    assert all(token in of for token in tokens)


@pytest.mark.parametrize(
    "given", [int, str, (int, bool), colours.lists(bool), range(MOST_VALUES + 1), range(10**15), Bits, object]
)
def test_others_are_too_many_to_list(given) -> None:
    assert colour(given).values() is None


NAMES = [
    (range(1, 4), "1..3"),
    (range(0, 10, 3), "range(0, 10, 3)"),
    ((int, str), "(int, str)"),
    ({"red", 1}, "{1, 'red'}"),
    (int | None, "int | None"),
    (Packet, "Packet"),
    (Message, "Message"),
    (colours.lists(int), "lists of int"),
    (colours.lists(int, most=3), "lists of at most 3 int"),
    (colours.subset(int, bool), "part of int"),
    (colours.subset(int, bool, "nonzero"), "nonzero"),
    (None, "unit"),
]


@pytest.mark.parametrize(("given", "name"), NAMES)
def test_colours_are_called_as_they_are_written(given, name) -> None:
    assert str(colour(given)) == name


def test_what_has_no_token_in_common() -> None:
    assert colour(int).disjoint(colour(str))
    assert colour(Packet).disjoint(colour(Message))
    assert not colour(int).disjoint(colour(range(3)))
    assert not colour(int).disjoint(colour(float)), "1 == 1.0"
    assert not colour(bool).disjoint(colour(int)), "1 == True"
    assert not colour(object).disjoint(colour(int))
    assert not colour(int | str).disjoint(colour(str))


def test_time_is_kept_by_subsets() -> None:
    assert colours.subset(colours.timed(int), bool).timed
    assert colour(colours.timed(int)).timed
    assert not colour(int).timed


def test_records_read_like_records() -> None:
    packet = Packet(number=1, data=True)
    assert (packet.number, packet.data) == (1, True)
    assert repr(packet) == "Packet(number=1, data=True)"
    assert packet == Packet(1, True)
    assert repr(Packet) == "Packet"


def test_alternatives_read_like_constructors() -> None:
    assert (repr(Message.stop), repr(Message.data(1))) == ("stop", "data(1)")
    assert Message.stop == Message.stop
    assert Message.data(1) != Message.data(0)
    with pytest.raises(AttributeError, match="'stp'"):
        _ = Message.stp


def test_tokens_are_told_by_their_names() -> None:
    assert colour(Hue).token_called("RED") == "Hue.RED"
    assert colour({"red", 1}).token_called("red") == "'red'"
    assert colour({"red", 1}).token_called("blue") is None
    assert colour(str).token_called("red") is None, "any text is a token: it would forbid every name"
    assert colour(range(3)).token_called("n") is None


def test_the_order_of_a_set_does_not_depend_on_hashing() -> None:
    net = Net("n")
    place = net.place("P", {f"token {number}" for number in range(20)}, {f"token {number}" for number in range(20)})
    assert list(place.initial) == sorted(place.initial)
    assert colour({"b", "a", "c"}).values() == ("a", "b", "c")
