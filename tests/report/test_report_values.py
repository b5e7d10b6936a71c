"""Values as text: the same in every process, whatever the hash seed."""

import os
import subprocess
import sys
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import pytest

from sweepcheck import Array, Bag, Label, Queue, at, colours
from sweepcheck.errors import shown
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
