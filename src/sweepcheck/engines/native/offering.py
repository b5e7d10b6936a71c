"""Alternatives that are the same in every run of a function: made once, and not again for each of them.

`s.down = choose(subsets(NODES))` runs once for each subset, and makes all of them in every run: a thousand take a
million. Where nothing of the state or of the run stands in the list, it is written as
`choose(@once(lambda: subsets(NODES)) or subsets(NODES))`, and made again only now and then, to see that it is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import islice
from math import inf
from types import BuiltinFunctionType, FunctionType
from typing import Any

from sweepcheck.core.running import current
from sweepcheck.engines.native.effects import only_reads

ONCE = "@once"
FEWEST, MOST = 64, 1_000_000  # alternatives: fewer are made as fast as recognised, and no choice has more
MOST_KEPT = 64  # lists: each may be large
MOST_COMPARED = 64  # elements of a list that may change, of which the alternatives are made
CHANGING = (list, set)
PLAIN = (bool, bytes, float, int, str, type(None), Enum, range)


class Offered:
    """What one place offers, how often it was asked for, and when it is made the next time."""

    __slots__ = ("alternatives", "asked", "kept", "next")

    def __init__(self, kept: object) -> None:
        self.kept = kept  # what it is made of, so that no other object gets the same identity
        self.alternatives: Any = None
        self.asked = 0
        self.next: float = 1

    def ask(self, make: Callable[[], Any]) -> Any:
        """The alternatives; None where they had better be made where they are offered."""
        self.asked += 1
        if self.asked >= self.next:
            made, before = _alternatives(make), self.alternatives
            same = made is not None and len(made) >= FEWEST and before in (None, made)
            self.next = 2 * self.next if same else inf
            self.alternatives = (before or made) if same else None
        return self.alternatives


class Offering:
    """The alternatives of all places in the functions of a run."""

    def __init__(self) -> None:
        self._offered: dict[Any, Offered] = {}
        self._missed: Counter[int] = Counter()  # how often a place was met with something new

    def once(self, make: FunctionType) -> Any:
        """The alternatives that a function makes, which reads nothing but constants; None where that is not sure."""
        place = id(make.__code__)
        if self._missed[place] >= MOST_KEPT:
            return None
        try:
            read = [cell.cell_contents for cell in make.__closure__ or ()]
            key = place, *map(_told, read)
            offered = self._offered.get(key)
            if offered is None:
                self._missed[place] += 1
                if not all(_is_constant(one, set()) for one in read) or not only_reads(make):
                    return None
                if len(self._offered) >= MOST_KEPT:
                    self._offered.clear()
                offered = self._offered[key] = Offered((make.__code__, *read))
        except (TypeError, ValueError):  # something that may change, or that has no value yet
            return None
        return offered.ask(make)


def _alternatives(make: Callable[[], Any]) -> Any:
    """What a function makes, if that can be offered again. Whoever chooses or requires something there fails."""
    token = current.set(None)
    try:
        made = make()
        found = list(islice(made, MOST + 1)) if isinstance(made, Iterator) else made
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - the function itself will come to it
        return None
    finally:
        current.reset(token)
    if type(found) in (set, frozenset):
        return frozenset(found)
    return tuple(found) if type(found) in (tuple, list) and len(found) <= MOST else None


def _told(value: Any) -> Any:
    """What tells a constant from others."""
    if isinstance(value, PLAIN):
        return type(value), value
    if type(value) not in CHANGING:
        return id(value)
    if len(value) > MOST_COMPARED:
        raise TypeError
    return type(value), tuple(map(_told, value))


def _is_constant(value: Any, met: set[int]) -> bool:
    """Whether nothing of a run can be reached by it."""
    if isinstance(value, (*PLAIN, BuiltinFunctionType, type)) or id(value) in met:
        return True
    if type(value) in (tuple, frozenset):  # which are told by their identity
        return all(type(one) not in CHANGING and _is_constant(one, met) for one in value)
    if type(value) in CHANGING:
        return all(_is_constant(one, met) for one in value)
    met.add(id(value))
    return type(value) is FunctionType and all(_is_constant(one.cell_contents, met) for one in value.__closure__ or ())
