"""Time: stamps on tokens, and a clock that jumps.

In a state a stamp is kept relative to the clock: how long until the token may be taken, or, zero or less, for how long
it could have been. What a transition does then depends on no absolute time. People, predicates and measures see
absolute times.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any

from sweepcheck.core.stamps import At, Stamped
from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError, caller, shown

CLOCK = "clock"
LONGEST = 10**12  # the longest time that a token waits: stamps, and the ages of tokens, are kept in 64 bits


def at(time: int, token: Hashable = ()) -> At:
    """An initial token that may be taken from a time on: `net.place("Due", colours.timed(str), [at(5, "x")])`."""
    if (why := impossible(time)) is not None:
        raise ModelError(
            "SC131",
            f"the time stamp {shown(time)} is not possible: {why}",
            where=caller(),
            suggestion="choose another unit of time; the time stands first: at(5, token)",
        )
    return At(token, time)


def delay(amount: object) -> int:
    """A delay, if it is one."""
    if (why := impossible(amount)) is not None:
        raise ModelError(
            "SC222",
            f"a delay of {shown(amount)} is not possible: {why}",
            suggestion="mend the delay, or choose another unit of time",
        )
    assert isinstance(amount, int)
    return amount


def impossible(time: object) -> str | None:
    """Why something cannot be a time; None when it can."""
    if type(time) is not int:
        return "time is a whole number"
    if time < 0:
        return "time never goes back"
    return f"the longest time is {LONGEST:,}" if time > LONGEST else None


def absolute(tokens: Bag, clock: int) -> Bag:
    """The tokens of a timed place with their absolute stamps."""
    return Bag({At(token.value, clock + token.wait): count for token, count in _items(tokens)})


def _items(tokens: Bag) -> list[tuple[Any, int]]:
    return list(tokens.items())


def ready(tokens: Bag, early: int = 0) -> list[tuple[Hashable, int, int]]:
    """The values that can be taken now: value, the stamp of the youngest such token, how many; in a fixed order.

    `early`: so long before they are ready they can be taken.
    """
    found: dict[Hashable, tuple[int, int]] = {}
    for (value, wait), count in _items(tokens):
        if wait <= early:
            youngest, number = found.get(value, (wait, 0))
            found[value] = max(youngest, wait), number + count
    return [(value, *rest) for value, rest in found.items()]


def next_time(places: Iterable[tuple[Bag, Collection[int]]]) -> int | None:
    """How long until a token can be taken that cannot be now; None when all can.

    Beside each place: how early its tokens are taken, by some arc each.
    """
    waits = [token.wait - early for tokens, by in places for token, _ in _items(tokens) for early in by]
    return min((wait for wait in waits if wait > 0), default=None)


def later(tokens: Bag, passed: int) -> Bag:
    """The same tokens when time has passed."""
    return Bag({Stamped(token.value, token.wait - passed): count for token, count in _items(tokens)})


def without_past(tokens: Bag) -> Bag:
    """The same tokens when nobody asks for how long they have been ready."""
    counts: dict[Hashable, int] = {}
    for (value, wait), count in _items(tokens):
        token = Stamped(value, max(wait, 0))
        counts[token] = counts.get(token, 0) + count
    return Bag(counts)
