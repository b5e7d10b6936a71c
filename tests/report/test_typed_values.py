"""Values as JSON data: the text is that of the value, whatever it is made of."""

import json
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import Array, Bag, Map, Queue, Record, Set, at
from sweepcheck.models.net.colours import Tagged
from sweepcheck.report.json import json_schema
from sweepcheck.report.typed import checked, typed, typed_text
from sweepcheck.text import value_text

Point = namedtuple("Point", "x y")  # noqa: PYI024 - people use both


@dataclass(frozen=True)
class Vote:
    term: int
    voter: str


class Colour(Enum):
    RED = 1


def back(value):
    """What a reader of the JSON text has."""
    data = json.loads(json.dumps(typed(value)))
    schema = json_schema() | {"$ref": "#/$defs/value"}
    jsonschema.Draft202012Validator(schema).validate(data)
    return checked(data)


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=4)
    | st.sampled_from([2**70, -(2**53), Fraction(1, 3), b"x", Colour.RED, at(3, "t"), Tagged("stop", ()), "\x1b[2J"])
)


def made_of(inner):
    several = st.lists(inner, max_size=3)
    return st.one_of(
        several.map(tuple),
        several.map(Array),
        several.map(Queue),
        several.map(frozenset),
        st.lists(st.text(max_size=2), max_size=3).map(Bag),
        st.lists(st.integers(), max_size=3).map(Set),
        st.builds(Point, inner, inner),
        st.builds(Vote, inner, inner),
        st.builds(lambda one: Record(pc="start", held=one), inner),
        st.builds(lambda one: Map(["a", "b c", 3], one), inner),
        st.builds(lambda one: Tagged("data", one), inner),
    )


VALUES = st.recursive(LEAVES, made_of, max_leaves=6)


@given(VALUES)
def test_the_text_of_the_data_is_the_text_of_the_value(value):
    assert typed_text(back(value)) == value_text(value)


def test_what_machines_read():
    assert typed(Array([0, 1])) == [0, 1]
    assert typed(Bag(["a", "a"])) == {"bag": [["a", 2]]}
    assert typed(Queue([1])) == {"queue": [1]}
    assert typed(frozenset("ba")) == typed(Set("ab")) == {"set": ["a", "b"]}
    assert typed(Vote(1, "Ann")) == {"record": {"term": 1, "voter": "Ann"}, "type": "Vote"}
    assert typed(Point(1, (2,))) == {"record": {"x": 1, "y": {"tuple": [2]}}, "type": "Point"}
    assert typed(Map({"k": 1})) == {"map": [["k", 1]]}
    assert typed(at(5, "x")) == {"token": "x", "time": 5}
    assert typed(2**60) == {"int": str(2**60)}
    assert typed(float("inf")) == {"text": "inf"}
    assert typed(Colour.RED) == {"text": "<Colour.RED: 1>"}


@pytest.mark.parametrize(
    "data",
    [{}, {"bag": [1]}, {"bag": [["a", "2"]]}, {"bag": [["a", 1, 2]]}, {"queue": "ab"}, {"record": {}}, {"nothing": 1},
     {"tag": 1, "value": 2}, {"token": 1, "time": 1.5}, {"text": 1}, {"map": [[1]]}, {"set": {"a": 1}},
     {"record": [], "type": ""}],
)  # fmt: skip
def test_what_is_no_value(data):
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        checked(data)
