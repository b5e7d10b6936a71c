"""What a search for a progress measure found: candidates, what is predicted of each, and which one is used."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Monotone(Enum):
    """Whether no edge lowers a measure.

    PROVEN: every edge that there can be was looked at. OBSERVED: no edge that was met lowers it. NO: some do.
    """

    PROVEN = "proven"
    OBSERVED = "observed"
    NO = "no"


@dataclass(frozen=True, slots=True)
class ActionProgress:
    """What an action does to a measure: the share of its ways of changing a state that raise and lower it."""

    action: str
    raises: float
    lowers: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A measure as an expression over the model's variables.

    `peak` is the predicted share of states stored at once, `error` how far off that may be, `work` how often a state is
    expected to be explored. `going_back` are the actions that lower it.
    """

    expression: str
    found_by: str
    monotone: Monotone
    peak: float
    error: float
    work: float
    going_back: tuple[ActionProgress, ...] = ()
    curve: tuple[float, ...] = ()  # predicted stored share at equal steps of progress
    terms: tuple[tuple[str, int], ...] = ()  # the features that are summed up, each with its weight,
    band: int = 1  # and what the sum is divided by

    @property
    def pays(self) -> bool:
        """Whether sweeping by it is expected to be better than storing everything."""
        return self.peak <= (MOST_MONOTONE if self.monotone is not Monotone.NO else MOST_GOING_BACK)


MOST_MONOTONE = 0.95  # predicted shares up to which a sweep pays: one that explores each state once,
MOST_GOING_BACK = 0.70  # and one that is likely to explore them twice


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found in so many seconds, best candidate first; `chosen` is the one that is used.

    `sampled` states were looked at, and `explored` by a short plain exploration before. `reason` says why none is used.
    """

    candidates: tuple[Candidate, ...]
    chosen: Candidate | None
    seed: int
    seconds: float
    sampled: int
    features: int
    classes: int
    reason: str | None = None
