"""Misspelt events: one component does `sned` alone while its partner waits for `send`, and nothing else tells.

An event that one component alone knows is nothing unusual. It is worth a warning only if another component has an event
that differs by one slip of the fingers, and not in what people tell names apart by: a digit, a single letter at the
end (`send_a`, `send_b`), a whole word (`ping`, `pong`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sweepcheck.models.processes.network import Network

SHORTEST = 4  # letters: shorter words are near to too many others
SHORTEST_CHANGED = 6  # with one letter changed for another, a word is often just another word
MOST_PAIRS = 1_000_000  # of events: nobody typed as many names, and looking at all pairs would take too long


def near_misses(network: Network) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Events known to one component alone, that component, a near event of others, and these; each pair once."""
    parties: dict[str, set[str]] = {}
    for event, members in network.parties().items():
        parties.setdefault(event.partition(".")[0], set()).update(members)
    told: set[frozenset[str]] = set()
    single = [(event, members) for event, members in parties.items() if len(members) == 1]
    if len(single) * len(parties) > MOST_PAIRS:
        return
    for lonely, alone in single:
        for near, others in parties.items():
            if others - alone and frozenset((lonely, near)) not in told and slip(lonely, near):
                told.add(frozenset((lonely, near)))
                yield lonely, next(iter(alone)), near, tuple(one for one in network.variables if one in others - alone)


def slip(one: str, other: str) -> bool:
    """Whether two words differ by a slip: case, two letters swapped, one left out or doubled, one changed."""
    short, long = sorted((one, other), key=len)
    if short == long or len(long) < SHORTEST:
        return False
    if short.lower() == long.lower():
        return True
    start = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if start == 0:
        return False  # hardly ever is the first letter wrong
    if len(long) == len(short) + 1:
        return short[start:] == long[start + 1 :] and not long[start].isdigit()
    if len(long) != len(short):
        return False
    if short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]:
        return short[start : start + 2].isalpha()
    part = short[:start].rpartition("_")[2] + short[start + 1 :].partition("_")[0]  # of the word, without the letter
    changed = short[start] + long[start]
    return (
        short[start + 1 :] == long[start + 1 :]
        and len(long) >= SHORTEST_CHANGED
        and changed.isalpha()
        and changed.islower()
        and bool(part)
        and start < len(long) - 1
    )
