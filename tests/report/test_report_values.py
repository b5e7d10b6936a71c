"""Values as text: the same in every process, whatever the hash seed."""

from enum import Enum
from typing import NamedTuple

import pytest

from sweepcheck import Bag, at, colours
from sweepcheck.report.values import value_text

LETTERS = frozenset("fbdeca")
SORTED = "{'a', 'b', 'c', 'd', 'e', 'f'}"
Packet = colours.record("Packet", number=int, parts=frozenset)
Message = colours.union("Message", data=frozenset, stop=None)


class Point(NamedTuple):
    x: object
    y: int = 0


class Own(NamedTuple):
    x: object

    def __repr__(self):
        return "<own>"


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (LETTERS, SORTED),
        ((LETTERS, 1), f"({SORTED}, 1)"),
        (Packet(1, LETTERS), f"Packet(number=1, parts={SORTED})"),
        (Point(LETTERS), f"Point(x={SORTED}, y=0)"),
        (Own(LETTERS), "<own>"),
        (Message.data(LETTERS), f"data({SORTED})"),
        (Message.stop, "stop"),
        (at(3, LETTERS), f"{SORTED}@3"),
        (Bag([Packet(1, LETTERS)] * 2), f"2*Packet(number=1, parts={SORTED})"),
    ],
)
def test_sets_inside_values_are_sorted(value, text):
    assert value_text(value) == text


@pytest.mark.parametrize("value", [(), (1,), Point(1, 2), Packet(1, frozenset()), at(2), Colour.RED, "a", None])
def test_without_sets_it_is_repr(value):
    assert value_text(value) == repr(value).replace("frozenset()", "{}")
