"""What a run of very many states would need of every process, from the figures of a small one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import log

from sweepcheck.core.plan import Outcome

SENT_LATELY = 0.5  # bytes of states that were sent lately, and are remembered for that, for each byte of stored ones
FEWEST, MOST = 2, 16  # sites that the small run is shared by: what is sent between more of them follows from it
WORK = 200  # states for each of them in a superstep: with fewer, it is their messages that are measured


@dataclass(frozen=True, slots=True)
class Figures:
    """Of a small run that so many sites shared, each for one state."""

    states: int
    sites: int
    stored: float  # share of the states that were stored at once
    bytes: float  # of a stored state
    edges: float
    sent: float  # times that a state was sent
    sent_bytes: float  # of a state that is sent
    trace_bytes: float
    seconds: float  # of a processor


@dataclass(frozen=True, slots=True)
class Forecast:
    """What each of so many processes needs: bytes, and seconds of its processor."""

    states: int
    processes: int
    sent: float  # times that a state is sent
    memory: float
    disk: float
    network: float
    seconds: float

    def to_json(self) -> dict[str, float]:
        """As plain JSON data."""
        return asdict(self)


def figures(outcome: Outcome) -> Figures:
    """The figures of a run that several sites shared."""
    numbers, shared = outcome.statistics, outcome.statistics.shared
    assert shared is not None
    states = max(1, numbers.states if numbers.states is not None else numbers.explored)
    return Figures(
        states=states,
        sites=shared.processes,
        stored=numbers.peak / states,
        bytes=(numbers.state_bytes or 0) / max(1, numbers.peak),
        edges=numbers.edges / states,
        sent=shared.sent_states / states,
        sent_bytes=shared.sent_bytes / max(1, shared.sent_states),
        trace_bytes=numbers.trace_bytes / states,
        seconds=shared.efficiency * shared.processes * numbers.seconds / states,
    )


def sites_for(outcome: Outcome, processes: int) -> int:
    """How many sites a run like this one has work for, if so many processes are planned for."""
    numbers, shared = outcome.statistics, outcome.statistics.shared
    assert shared is not None
    work = numbers.explored // (max(1, shared.steps) * WORK)
    return max(shared.processes, min(work, processes, MOST))


def times_sent(small: Figures, processes: int) -> float:
    """How often a state is sent: once by every site but its owner that one of the edges to it begins at.

    Of s sites, (1 - 1/s) ** e have none of the edges to a state, if these begin anywhere: so many edges, e, count.
    """
    if processes == small.sites:
        return small.sent
    others, e = small.sites - 1, small.edges
    if small.sent < others:
        e = min(e, log(1 - small.sent / others) / log(1 - 1 / small.sites))
    elsewhere: float = (1 - 1 / processes) ** e
    return (processes - 1) * (1 - elsewhere)


def forecast(small: Figures, states: int, processes: int) -> Forecast:
    """The same shares and costs, for more states and processes."""
    sent = times_sent(small, processes)
    stored = states * small.stored / processes
    return Forecast(
        states=states,
        processes=processes,
        sent=sent,
        memory=stored * small.bytes * (1 + (SENT_LATELY if processes > 1 else 0)),
        disk=stored * small.sent_bytes + states * small.trace_bytes / processes,
        network=states * sent * small.sent_bytes / processes,
        seconds=states * small.seconds / processes,
    )
