"""What is known to only read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import pytest

from sweepcheck import Bag, Record, choose, require, stay
from sweepcheck.engines.native.effects import only_reads

NEIGHBOURS: dict[int, list[int]] = {1: [2, 3], 2: [1]}


@dataclass(frozen=True)
class Message:
    kind: str
    number: int


@dataclass(frozen=True)
class Counted:
    number: int

    def __post_init__(self) -> None:
        NEIGHBOURS.setdefault(self.number, [])


class Pair(NamedTuple):
    a: int
    b: int


def reading() -> Iterator[Callable[[Any], Any]]:
    s: Any = Bag()
    listed: list[int] = []

    def good(s: Any, x: Any) -> Any:
        return x.kind in s.kinds and Message("a", 1) in s.sent and Record(kind="a") in s.sent

    def built(s: Any, x: int) -> bool:
        out = []
        total = 0
        out.append(x)
        for y in s.bag:
            out.append(y)
            if y == x:
                break
        for y in NEIGHBOURS[x]:
            total += y
        return sum(out) == total

    def passed(s: Any) -> Iterator[int]:
        for x in s.bag:
            if x > 1:
                yield x

    def caught(x: int) -> int:
        try:
            return NEIGHBOURS[x][0]
        except KeyError:
            return 0

    yield lambda x: x < 2 and not listed
    yield lambda x: good(s, x)
    yield lambda x: built(s, x)
    yield lambda x, seen=listed: x in seen
    yield lambda x: NEIGHBOURS.get(x, 0) or Pair(x, 1).a or any(passed(s))
    yield caught
    yield lambda x: sorted([x], key=lambda y: -y)
    yield lambda x: max((y for y in s.bag if y != x), default=0)
    yield lambda x: {y: -y for y in s.bag}[x] + s.bag.count(x) + len({x, *listed})
    yield partial(good, s)


def changing() -> Iterator[Callable[[Any], Any]]:
    s: Any = Bag()
    listed: list[int] = []
    counter, calls = count(), 0

    def called() -> int:
        nonlocal calls
        calls += 1
        return calls

    def default(x: int, seen: list[int] = []) -> int:  # noqa: B006 - what this is about
        seen.append(x)
        return len(seen)

    def aliased(x: int) -> bool:
        other = listed
        other += [x]
        return True

    def either(x: int) -> bool:
        other = listed or []
        other.append(x)
        return True

    def handed(x: int) -> bool:
        def put(into: list[int]) -> None:
            into.append(x)

        put(listed)
        return True

    yield lambda x: next(counter) < 2
    yield lambda x: called() < 2
    yield default
    yield aliased
    yield either
    yield handed
    yield lambda x: listed.append(x) or x
    yield lambda x: list.append(listed, x)
    yield lambda x: [*map(listed.append, [x, x])]
    yield partial(listed.append)
    yield lambda x: NEIGHBOURS.setdefault(x, [])
    yield lambda x: NEIGHBOURS[1].append(x) or x
    yield Counted
    yield lambda x: setattr(s, "n", x)
    yield lambda x: getattr(s.bag, "take")(x) or x  # noqa: B009 - what this is about
    yield lambda x: s.bag.take(x) or x
    yield lambda x: [one.discard(x) for one in s.sets]
    yield lambda x: x.anything(s)
    yield print
    yield require
    yield lambda x: choose(x, 2)
    yield lambda x: stay() or x
    yield lambda x: exec("pass") or x
    yield listed.append


@pytest.mark.parametrize("number", range(len(list(reading()))))
def test_these_only_read(number: int) -> None:
    assert only_reads(list(reading())[number])


@pytest.mark.parametrize("number", range(len(list(changing()))))
def test_these_may_change_something(number: int) -> None:
    assert not only_reads(list(changing())[number])
