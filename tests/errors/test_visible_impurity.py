"""Functions that visibly do more than compute, or call one that does, are refused before anything runs."""

import datetime
import functools
import itertools
import os
import random
import sys
from datetime import datetime as moment
from random import randint as throw
from types import SimpleNamespace
from typing import Any

import pytest

from sweepcheck import Model, check, explore, invariant, progress
from sweepcheck.errors import ModelError

TABLE = [3, 1, 2]
LOG: list[int] = []
CACHE: dict[int, int] = {}
TICKETS = itertools.count()
DICE = random.Random(1)
LATER: list[Any] = []


class Counter:
    """Counts the calls of a method."""

    made = 0

    def __init__(self) -> None:
        self.calls = 0
        self.seen: list[int] = []

    def bump(self) -> int:
        self.calls += 1
        return self.calls

    def note(self) -> int:
        self.seen.append(1)
        return len(self.seen)

    @property
    def next(self) -> int:
        return self.bump()

    def read(self) -> int:
        return self.calls


class Numbered:
    """Counts its instances."""

    made = 0

    def __init__(self) -> None:
        Numbered.made += 1


COUNTER, SPACE = Counter(), SimpleNamespace(n=0)


def thrown() -> int:
    return throw(0, 3)


def logged() -> int:
    LOG.append(1)
    return len(LOG)


def remembered(x: int, seen: list[int] = []) -> int:  # noqa: B006 - the mistake
    seen.append(x)
    return len(seen)


def imported() -> int:
    import secrets

    return secrets.randbelow(3)


def imported_name() -> str | None:
    from os import getenv

    return getenv("HOME")


def read() -> int:
    with open("numbers.txt") as file:
        return len(file.read())


def set_space() -> int:
    SPACE.n += 1
    return int(SPACE.n)


@functools.lru_cache
def cached_throw(x: int) -> int:
    return throw(0, x)


IMPURE = {
    "randint under another name": lambda: throw(0, 3),
    "randint in a helper": thrown,
    "two calls away": lambda: max(thrown(), 1),
    "in a comprehension": lambda: sum(thrown() for _ in range(3)),
    "a generator of numbers": lambda: DICE.randrange(3),
    "an iterator": lambda: next(TICKETS),
    "a global list": logged,
    "a default": lambda: remembered(1),
    "an import": imported,
    "an imported name": imported_name,
    "a file": read,
    "the environment": lambda: len(os.environ["HOME"]),
    "a clock": lambda: datetime.datetime.now().second,
    "a clock under another name": lambda: moment.today().day,
    "a method that counts": lambda: COUNTER.bump() + 1,
    "a bound method that counts": COUNTER.bump,
    "a method that notes": lambda: COUNTER.note() + 1,
    "a property that counts": lambda: COUNTER.next,
    "an object that is set": set_space,
    "a class that counts": lambda: Numbered() is None,
    "part of a call": functools.partial(remembered, 1),
    "behind a cache": lambda: cached_throw(3),
}


def memoised(x: int) -> int:
    if x not in CACHE:
        CACHE[x] = x + 1
    return CACHE[x]


@functools.lru_cache
def cached(x: int) -> int:
    return TABLE[x]


def local() -> int:
    found, counter = [1], Counter()
    found.append(counter.bump())
    counter.calls = 4
    counter.seen.append(3)
    return len(found)


def one_after_the_other() -> int:
    numbers = itertools.count()
    return next(numbers) + next(numbers)


PURE = {
    "a constant list": lambda: TABLE[1],
    "a cache by hand": lambda: memoised(2),
    "a cache of Python's": lambda: cached(2),
    "its own objects": local,
    "its own iterator": one_after_the_other,
    "an object that is read": lambda: COUNTER.read() + 1,
    "a fixed date": lambda: datetime.date(2020, 1, 1).year,
    "sorting a copy": lambda: sorted(TABLE)[1],
    "a line printed for debugging": lambda: sys.stderr.write("here"),
}


def acting(step: Any) -> Model:
    m = Model("m", x=0)

    @m.action
    def act(s: Any) -> None:
        s.x = step()

    return m


@pytest.mark.parametrize("step", IMPURE.values(), ids=IMPURE.keys())
def test_an_action_is_refused(step: Any) -> None:
    with pytest.raises(ModelError, match=r"'act' .*(uses|changes)") as raised:
        acting(step)
    assert raised.value.code == "SC115"
    assert raised.value.where is not None
    assert raised.value.where.startswith("test_visible_impurity.py:")


@pytest.mark.parametrize("step", PURE.values(), ids=PURE.keys())
def test_an_action_is_let_pass(step: Any) -> None:
    assert explore(acting(step)).complete


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("step", IMPURE.values(), ids=IMPURE.keys())
def test_a_predicate_or_measure_is_refused(step: Any, engine: str) -> None:
    with pytest.raises(ModelError, match=r"SC115.*invariant 'p'"):
        check(Model("m", x=0), [invariant("p", lambda s: step() >= s.x)], engine=engine)
    with pytest.raises(ModelError, match=r"SC115.*the progress measure"):
        explore(Model("m", x=0), measure=progress(lambda s: step()), engine=engine)


def test_a_helper_that_stands_below_the_action() -> None:
    def caller() -> int:
        return late()

    m = acting(caller)

    def late() -> int:
        return thrown()

    with pytest.raises(ModelError, match="calls 'step', which calls 'late', which calls 'thrown', which uses 'throw'"):
        explore(m)
