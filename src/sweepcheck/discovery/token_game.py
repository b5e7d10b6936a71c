"""Firing transitions of a net forwards and backwards on tuples of counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sweepcheck.core.counting import CountNet, Weights

Counts = tuple[int, ...]
Delta = tuple[tuple[int, int], ...]  # (feature, change), by feature

SEEN_ENOUGH = 30  # times that a place was seen marked before it is believed which others never are along with it


class TokenGame:
    """The transitions of a net whose actions only count, and what was seen of its markings so far."""

    def __init__(self, net: CountNet) -> None:
        self.initial: Counts = net.initial
        transitions = list(net.transitions)
        self.actions = [one.action for one in transitions]
        self.resets = any(one.resets for one in transitions)
        self.deltas: list[Delta] = []
        for one in transitions:
            change: dict[int, int] = {}
            for place, count in one.takes:
                change[place] = change.get(place, 0) - count
            for place, count in one.puts:
                change[place] = change.get(place, 0) + count
            self.deltas.append(tuple(sorted((place, d) for place, d in change.items() if d)))
        numbers: dict[Delta, int] = {}
        self.kinds = [numbers.setdefault(delta, len(numbers)) for delta in self.deltas]  # alike: from the same marking
        self._from = [tuple(place for place, _ in one.takes) for one in transitions]
        self._taken = [sum(1 << place for place in places) for places in self._from]
        taken = map(frozenset, self._from)
        self._put = [  # what was empty before, where there is no more now
            tuple((place, d) for place, d in delta if d > 0 and place not in places)
            for delta, places in zip(self.deltas, taken, strict=True)
        ]
        self._forwards = _enabled([(one.takes, one.inhibits) for one in transitions])
        # Before it fired there were as many tokens fewer as its delta says: it may have, where it put what is there.
        least = [(one.puts, _shifted(one.inhibits, delta)) for one, delta in zip(transitions, self.deltas, strict=True)]
        self._backwards = _enabled(least)
        self._seen_with = [0] * len(net.places)  # per place the places seen marked along with it, as bits
        self._times = [0] * len(net.places)

    def successors(self, counts: Counts) -> Iterator[tuple[int, Counts]]:
        """The enabled transitions and the markings that they lead to."""
        for number in self._forwards(counts):
            changed = list(counts)
            for place, d in self.deltas[number]:
                changed[place] += d
            yield number, tuple(changed)

    def see(self, counts: Counts) -> None:
        """Remember which places are marked together in a reachable marking."""
        marked = [place for place, count in enumerate(counts) if count]
        bits = sum(1 << place for place in marked)
        for place in marked:
            self._seen_with[place] |= bits
            self._times[place] += 1

    def well_known(self) -> int:
        """The places seen marked often enough, as bits."""
        return sum(1 << place for place, times in enumerate(self._times) if times >= SEEN_ENOUGH)

    def predecessors(self, counts: Counts, known: int) -> list[int]:
        """The transitions that may have led here.

        Not all markings before them are reachable. Where two `known` places are marked that were never seen marked
        together, the transition is left out.
        """
        marked = sum([1 << place for place, count in enumerate(counts) if count])
        found = []
        for number in self._backwards(counts):
            now = marked | self._taken[number]
            for place, d in self._put[number]:
                if counts[place] == d:
                    now &= ~(1 << place)
            now &= known
            for place in self._from[number]:
                if now & ~self._seen_with[place] and known >> place & 1:
                    break
            else:
                found.append(number)
        return found


def _shifted(inhibits: Weights, delta: Delta) -> Weights:
    """Fewer tokens than so many before a change, said of the tokens after it."""
    changes = dict(delta)
    return tuple((place, most + changes.get(place, 0)) for place, most in inhibits)


def _enabled(conditions: Sequence[tuple[Weights, Weights]]) -> Callable[[Counts], list[int]]:
    """The function that gives the numbers of those conditions (at least, fewer than) that counts satisfy.

    It is made as code, a line each: it runs millions of times.
    """
    lines = ["def enabled(c):", " found = []"]
    for number, (least, fewer) in enumerate(conditions):
        said = [f"c[{place}] >= {count}" for place, count in least] + [f"c[{place}] < {most}" for place, most in fewer]
        lines.append(f" if {' and '.join(said) or 'True'}: found.append({number})")
    namespace: dict[str, Any] = {}
    exec("\n".join([*lines, " return found"]), namespace)
    return namespace["enabled"]  # type: ignore[no-any-return]
