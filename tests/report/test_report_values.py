"""Values as text: the same in every process, whatever the hash seed."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

import pytest

from sweepcheck import Array, Bag, Label, Model, Queue, at, check, colours, require
from sweepcheck.errors import shown
from sweepcheck.report.junit import report_to_junit
from sweepcheck.report.values import json_value
from sweepcheck.text import value_text

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


@dataclass(frozen=True)
class Plain:
    x: object


@dataclass(frozen=True)
class Spoken:
    x: object

    def __repr__(self):
        return "spoken"


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
    assert shown(value) == text  # errors use the same words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Array([LETTERS]), f"[{SORTED}]"),
        (Queue([LETTERS]), f"<{SORTED}>"),
        ([{LETTERS}], f"[{{{SORTED}}}]"),
        ({1: LETTERS}, f"{{1: {SORTED}}}"),
        (Plain(Plain(LETTERS)), f"Plain(x=Plain(x={SORTED}))"),
        (Spoken(LETTERS), "spoken"),
        (frozenset({10, 9, 2.5}), "{2.5, 9, 10}"),
        (frozenset({(0, 10), (0, 9), "b", 3, None}), "{3, 'b', (0, 9), (0, 10), None}"),
        (frozenset({frozenset({1, 2}), frozenset({3}), frozenset()}), "{{1, 2}, {3}, {}}"),
    ],
)
def test_sets_in_other_values(value, text):
    assert value_text(value) == shown(value) == text


def test_labels():
    assert str(Label("send", (("what", LETTERS), (None, LETTERS)))) == f"send(what={SORTED}, {SORTED})"


PRINTING = """
from dataclasses import dataclass
from sweepcheck import Array, Bag, Model, SweepcheckError, check, require
from sweepcheck.report.text import evidence_text

@dataclass(frozen=True)
class Box:
    inside: frozenset

names = frozenset("abcdefgh")
m = Model("m", n=0, names=names, box=Box(names), deep=((names,),), bag=Bag([names]), row=Array([names]))

@m.action(who=[names])
def step(s, who):
    require(s.n < 1)
    s.n += 1

m.invariant("p", lambda s: s.n < 1)
report = check(m, keep_going=True)
print(evidence_text(report, report["p"]))
m.invariant("q", lambda s: s.names < s.n)
try:
    check(m, ["q"])
except SweepcheckError as error:
    print(error)
"""


def test_a_state_is_printed_alike_in_every_process():
    def printed(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(
            [sys.executable, "-c", PRINTING], env=environment, capture_output=True, text=True, check=True
        ).stdout

    first, *others = [printed(seed) for seed in "123"]
    assert "frozenset(" not in first
    assert "SC209" in first
    assert others == [first, first]


@pytest.mark.parametrize("value", [(), (1,), Point(1, 2), Packet(1, frozenset()), at(2), Colour.RED, "a", None])
def test_without_sets_it_is_repr(value):
    assert value_text(value) == repr(value).replace("frozenset()", "{}")


HUGE = 10**5000  # more digits than Python writes


@pytest.mark.parametrize(
    "value",
    [HUGE, -HUGE, (1, HUGE), Fraction(1, HUGE), frozenset({HUGE, 1}), {"a": HUGE}],
    ids=lambda one: type(one).__name__,
)
def test_integers_of_any_size_are_written(value):
    assert "0x" in value_text(value)
    assert "0x" in json.dumps(json_value(value))


def test_integers_that_can_be_written_as_decimals_are():
    assert value_text(10**3000) == repr(10**3000)
    assert json.loads(json.dumps(json_value(10**3000))) == 10**3000


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_state_with_a_huge_integer_is_reported(engine):
    m = Model("huge", x=1)

    @m.action
    def grow(s):
        require(s.x < HUGE)
        s.x *= 10**1000

    m.progress(lambda s: s.x)
    m.invariant("small", lambda s: s.x < HUGE)
    report = check(m, engine=engine)
    assert not report
    assert report["small"].trace is not None
    assert "0x" in repr(report)
    assert "0x" in json.dumps(report.to_json())
    assert "0x" in report_to_junit(report)
