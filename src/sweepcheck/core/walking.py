"""Random walks: what is asked of an engine, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass

from sweepcheck.core.verdict import Decision, Stop

TOGETHER = 1024  # walks that go on at once
MOST_STEPS_KEPT = 1 << 26  # of all walks that go on together
LEAST_TOGETHER = 64
MOST_DISTINCT = 1 << 20  # states that are told apart
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Walking:
    """So many walks, each of at most `depth` steps. What is found depends on the seed alone."""

    walks: int
    depth: int
    seed: int

    @property
    def together(self) -> int:
        """How many walks go on at once, so that one of the shortest among them is what is found."""
        return min(TOGETHER, max(LEAST_TOGETHER, MOST_STEPS_KEPT // max(1, self.depth)))


@dataclass(frozen=True, slots=True)
class Walked:
    """What walks came to. `dead_ends` ended in a state without successors, `left` in one that a bound leaves out.

    Of `distinct` states there are more where `counts_all` is false. `stop` says why not all walks were made.
    """

    decisions: tuple[Decision, ...]
    walks: int
    steps: int
    longest: int
    dead_ends: int
    left: int
    distinct: int
    counts_all: bool
    seconds: float
    stop: Stop | None


class WalkRandom:
    """Random numbers of one walk: they depend on the seed and on the number of the walk alone, in both engines."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, walk: int) -> None:
        self._state = (_mixed(seed & _MASK) + _mixed(~walk & _MASK)) & _MASK

    def below(self, count: int) -> int:
        """One of so many, each as likely as any other."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        return _mixed(self._state) * count >> 64


def _mixed(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)
