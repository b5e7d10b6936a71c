"""What the driver and the sites tell one another: plain data, and no objects of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sweepcheck.core.verdict import Stop

Values = list[tuple[int, int, str]]  # the variable, the id that the sender has for a value of it, the value as text


class At(NamedTuple):
    """A layer, by its progress value; full exploration has one, whose value is None."""

    value: Any


@dataclass(frozen=True, slots=True)
class Batch:
    """States that one site found and another owns, and what the ids in them mean that were not told before.

    `open` are its own states of a layer that is left: cycles may go through them, and whoever gets this looks at them.
    """

    sender: int
    values: Values
    states: bytes
    open: bytes = b""

    @property
    def bytes(self) -> int:
        """What it takes to send it."""
        return len(self.states) + len(self.open) + sum(8 + len(text) for _, _, text in self.values)


@dataclass(frozen=True, slots=True)
class Order:
    """What a site is to do in a superstep: leave a layer, take in batches, process what waits in another layer.

    `judge` is the site that looks at the cycles of the layer that is left, where any are asked about.
    `level`: a new level of a breadth-first exploration begins.
    `decided` are the properties, by position, that some site has decided: no site notes open states for these any more,
    so no other site may look for their cycles.
    """

    at: At | None
    leave: At | None = None
    judge: int | None = None
    level: bool = False
    decided: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A state that decides a property, by its position: whose it is, its number there, itself, and what follows.

    That is where a step leads, or a cycle back to it, with the actions, where these matter.
    `early`: it came from another site, and was found before those of this superstep.
    """

    property: int
    site: int
    number: int
    state: str
    cycle: Sequence[str]
    actions: Sequence[int]
    early: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """Numbers of one site, or sums of those of all."""

    states: int = 0
    edges: int = 0
    explored: int = 0
    stored: int = 0
    dead_states: int = 0
    persistent: int = 0
    beyond: int = 0
    outside_edges: int = 0
    regress_edges: int = 0

    def __add__(self, other: Counted) -> Counted:
        return Counted(*(getattr(self, name) + getattr(other, name) for name in Counted.__slots__))


@dataclass(frozen=True, slots=True)
class Told:
    """How a site stands after a superstep.

    `least` is the least layer in which states wait, `waiting` how many, `level` how many of these belong to the level
    at work. `entered` is the least layer that it has not left, `here` how many states that has had. `sent` are bytes
    for each site, and `seconds` those of its processor.
    """

    least: At | None
    waiting: int
    level: int
    entered: At | None
    here: int
    counted: Counted
    stop: Stop | None
    found: tuple[Found, ...]
    sent: tuple[int, ...]
    sent_states: int
    seconds: float
    memory_bytes: int
    state_bytes: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a site knows at the end of a run, by action."""

    edges: tuple[int, ...]
    regress_edges: tuple[int, ...]
    evaluations: tuple[int, ...]
    action_seconds: tuple[float, ...]
    tabulated: tuple[bool, ...]
    model_seconds: float
    table_bytes: int
    trace_bytes: int
    trace_lost: str | None


@dataclass(frozen=True, slots=True)
class Way:
    """The last edges of the way to a state, as far as they were found here; before them, a state of another site."""

    edges: tuple[int, ...]
    site: int | None
    number: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error of a model or request that a site met, as data; an assertion that failed has its message beside it."""

    kind: str
    told: dict[str, Any] = field(default_factory=dict)
    assertion: str | None = None
    state: str | None = None
