"""The golden table: what every engine must find in every system whose numbers are known, in every way to explore it.

A source is a published figure (paper, table), a closed form, `counted` (a search written again in `counted.py`), or
`our own`: what was found once, where a paper has other figures and docs/papers.md says why.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import counted

from sweepcheck import Net, load
from sweepcheck.papers import published

EXAMPLES = Path(__file__).parents[2] / "examples"
Verdicts = Mapping[str, str]


@dataclass(frozen=True)
class Found:
    """What one strategy finds: states explored, and the most stored at once; None where nobody says."""

    explored: int
    peak: int | None = None
    layers: int | None = None


@dataclass(frozen=True)
class Row:
    """One system: its numbers, their source, and what the strategies find. `default` is the one chosen by itself.

    `percent` is the published share of the states that are stored, and how exactly it is met; `near` are published
    peaks that ours come close to.
    """

    model: str
    parameters: Mapping[str, object]
    source: str
    states: int
    edges: int | None
    ways: Mapping[str, Found]
    default: str
    verdicts: Verdicts | None = None
    dead_states: int | None = None
    measure: str | None = None
    gc: int | None = None
    percent: tuple[float, float] | None = None
    near: tuple[int, ...] = ()
    engines: tuple[str, ...] = ("reference", "native")
    factory: Callable[..., Any] | None = field(default=None, repr=False)

    def build(self) -> Any:
        """The model; of a file in examples/ unless there is a factory."""
        if self.factory is not None:
            return self.factory(**self.parameters)
        return load(str(EXAMPLES / self.model), dict(self.parameters))

    def __str__(self) -> str:
        words = ",".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.model}({words})" + ("" if self.gc is None else f"-gc={self.gc}")


def kept(states: int) -> dict[str, Found]:
    """A system without a progress measure."""
    return {"full": Found(states, states, 1), "caching": Found(states, states)}


def swept(states: int, peak: int | None, layers: int | None = None) -> dict[str, Found]:
    """A system with a measure that never goes back: every sweep is the same."""
    once = Found(states, peak, layers)
    return {**kept(states), "sweep": once, "generalised": once}


# -- paper 4 ---------------------------------------------------------------------------------------------------------

HELD_OUT = [(n, 2) for n in (1, 2, 8, 9, 37)] + [(n, 3) for n in (2, 4, 5, 7, 11)]


def closed_form(n: int, capacity: int) -> tuple[int, int, int]:
    """States, edges and peak of the communication protocol."""
    if capacity == 2:
        return 16 * n**2 + 9 * n + 2, 46 * n**2 + 7 * n + 1, 24 * n - 4
    states = (64 * n**3 + 78 * n**2 + 35 * n + 6) // 3
    return states, (280 * n**3 + 156 * n**2 + 41 * n + 3) // 3, 48 * n**2 - 4 * n + 6


def protocol_rows(model: str) -> Iterator[Row]:
    for (n, capacity), (states, edges, percent, *_) in published.PROTOCOL.items():
        peak = closed_form(n, capacity)[2]
        ways, source = swept(states, peak, 2 * n + 2), "paper 4, table 1; the peak is the published percentage"
        asked = {"packets": n, "capacity": capacity}
        yield Row(model, asked, source, states, edges, ways, "generalised", dead_states=1, percent=(percent, 0.1))
    for n, capacity in HELD_OUT:
        states, edges, peak = closed_form(n, capacity)
        ways, source = swept(states, peak, 2 * n + 2), "closed form that meets all rows of paper 4"
        asked = {"packets": n, "capacity": capacity}
        yield Row(model, asked, source, states, edges, ways, "generalised", PROTOCOL if n == 2 else None, 1)


PROTOCOL = {  # paper 4, section 5
    "receiver never behind sender": "holds",
    "deadlock": "holds",
    "all received": "holds",
    "packet sent or all received": "holds",
    "acknowledgement sent": "violated",
}

# -- papers 0 and 1 --------------------------------------------------------------------------------------------------

OWN_PEAKS = {10: 2_001, 200: 2_286}  # of the net of papers 0 and 1, by packets; others have the same
OWN_PEAK = 2_284


def buffered_rows() -> Iterator[Row]:
    """Close to the peaks that the papers print: which states a layer finds first decides when it is collected."""
    model, source = "stop_and_wait_net.py", "paper 0, table 2, and paper 1: states; the peak is our own"
    tables = (published.STOP_AND_WAIT, published.SWEEP_CPN)
    for packets in sorted({*tables[0], *tables[1]}):
        rows = [table[packets] for table in tables if packets in table]
        states, near = 271 * packets - 134, tuple(row.peak for row in rows)
        assert {row.states for row in rows} == {states}
        ways = {"full": Found(states, states, 1), **swept(states, OWN_PEAKS.get(packets, OWN_PEAK))}
        yield Row(model, {"packets": packets}, source, states, None, ways, "generalised", gc=2000, near=near)
    for packets, holds in ((5, ("never ahead", "deadlock", "all received")), (10, ())):
        found = counted.stop_and_wait_net(packets)
        verdicts = dict.fromkeys(holds, "holds") if holds else None
        ways = swept(found.states, found.peak(lambda state: state[2]), packets + 1)
        yield Row(model, {"packets": packets}, "counted", found.states, found.edges, ways, "generalised", verdicts)


BEOLINK = [  # master, devices, states, edges, peak with a collection for each 3000 new states
    ("video", 3, 1_327, 2_188, 1_327),
    ("audio", 3, 1_976, 3_389, 1_976),
    ("video", 4, 8_887, 17_767, 3_270),
    ("audio", 4, 13_041, 26_890, 3_999),
    ("video", 5, 58_573, 139_106, 11_033),
    ("audio", 5, 84_684, 206_571, 15_560),
]


def beolink_rows() -> Iterator[Row]:
    source = "our own, in the layout of paper 0, table 3"
    holds = dict.fromkeys(("a key is made", "one at a time", "everybody is served"), "holds")
    for master, devices, states, edges, peak in BEOLINK:
        asked = {"devices": devices, "master": master}
        yield Row("beolink.py", asked, source, states, edges, swept(states, peak), "generalised", gc=3000)
        if devices == 3:  # forgotten after every layer
            ways = swept(states, *{"video": (264, 27), "audio": (285, 30)}[master])
            yield Row("beolink.py", asked, source, states, edges, ways, "generalised", holds, 6)


def window_rows() -> Iterator[Row]:
    """Paper 0, table 1, has the shape: the peak stays as it is while the states grow."""
    model = "sliding_window.py"
    for packets in (10, 15, 20, 25):
        states, source = 2_590 * packets - 4_536, "our own, in the shape of paper 0, table 1"
        for gc, peak in ((2000, 4_678), (None, 2_679)):
            yield Row(model, {"packets": packets}, source, states, None, swept(states, peak), "generalised", gc=gc)
    for asked in ((3, 2, 5, 1), (4, 1, 4, 2), (6, 2, 3, 0)):
        parameters = dict(zip(("packets", "window", "modulus", "overtaking"), asked, strict=True))
        found = counted.sliding_window(*asked)
        ways = swept(found.states, found.peak(lambda state: state[2]))
        yield Row(model, parameters, "counted", found.states, found.edges, ways, "generalised")


# -- paper 2 ---------------------------------------------------------------------------------------------------------

COMMIT_PEAKS = {6: 3_910, 7: 19_535, 8: 97_660, 9: 488_285}  # our own, by voters
STOP_AND_WAIT = {
    20: (1_134, 1_444, 950),
    30: (1_674, 2_134, 1_400),
    40: (2_214, 2_824, 1_850),
    50: (2_754, 3_514, 2_300),
}


def network_rows() -> Iterator[Row]:
    file, closed = "two_phase_commit.psl", {n: 5**n + n * 3 ** (n - 1) + 2 * 3**n - 2**n + 1 for n in range(10)}
    for n, row in published.TWO_PHASE_COMMIT.items():
        states, percent = row.states, row.peak  # which is cut off now and then
        assert states == closed[n]
        ways, source = swept(states, COMMIT_PEAKS[n]), "paper 2, table 2; the peak is the published percentage"
        ways["column"] = ways["sweep"]
        yield Row(file, {"n": n}, source, states, None, ways, "sweep", percent=(percent, 0.011))
    for n in (2, 4):
        ways, source = swept(closed[n], None), "closed form that meets all rows of paper 2, table 2"
        ways["column"] = ways["sweep"]
        yield Row(file, {"n": n}, source, closed[n], None, ways, "sweep")
    for jobs, (states, *_) in published.MASTER_AND_SLAVES.items():
        assert states == (2 * jobs - 9) * 2**12
        free = {**kept(states), "column": Found(2 * states, 8_192)}  # 200 %
        source = "paper 2, table 1"
        yield Row("master_slave_free.psl", {"jobs": jobs}, source, states, None, free, "column")
        handed = {**kept(states), "column": Found(2 * states - 3 * jobs - 8_170, 8_191)}
        source = "paper 2, table 1: states; explored and peak are our own, the paper has 200 % and 8,192"
        yield Row("master_slave.psl", {"jobs": jobs}, source, states, None, handed, "column")
    for slaves in (1, 3, 5):
        states, source = (2 * 8 - 9) * 2**slaves, "closed form: each column is swept twice, and two are stored"
        ways = {**kept(states), "column": Found(2 * states, 2 * 2**slaves)}
        yield Row("master_slave_free.psl", {"jobs": 8, "slaves": slaves}, source, states, None, ways, "column")
    for top, (states, explored, peak) in STOP_AND_WAIT.items():
        assert states == 54 * (top + 1)
        ways = {**kept(states), "generalised": Found(explored, peak)}
        source = "our own; no model that we know has the paper's 182 states per number, 103.84 % and 61 %"
        yield Row("stop_and_wait.psl", {"top": top}, source, states, None, ways, "generalised")


# -- Jensen and Kristensen's book ------------------------------------------------------------------------------------


def limited_protocol(limit: int, packets: int, acknowledged: str = "max(n, k)") -> Net:
    """The simple protocol with a limit on what the network holds (chapter 7); an acknowledgement never makes the sender
    go back, unless `acknowledged` is "n".
    """
    net = Net("limited protocol")
    number = range(1, packets + 2)
    packets_to_send = net.place("PacketsToSend", number, range(1, packets + 1))
    next_send, next_rec = net.place("NextSend", number, [1]), net.place("NextRec", number, [1])
    a, b, c, d = (net.place(name, number) for name in "ABCD")
    room = net.place("Limit", initial=limit)
    net.transition("SendPacket", packets_to_send.test("n"), next_send.test("n"), room.take(), a.put("n"))
    for name, source, target in (("TransmitPacket", a, b), ("TransmitAck", c, d)):
        net.transition(
            name, source.take("n"), target.put("n if ok else {}"), room.put("{} if ok else ()"), free={"ok": bool}
        )
    net.transition(
        "ReceivePacket", b.take("n"), next_rec.take("k"), next_rec.put("m"), c.put("m"), let={"m": "k + (n == k)"}
    )
    net.transition("ReceiveAck", d.take("n"), next_send.take("k"), next_send.put(acknowledged), room.put())
    goes_back = acknowledged == "n"
    net.progress(lambda m: m.NextRec.token if goes_back else (m.NextSend.token, m.NextRec.token))
    return net


# limit, packets: states, edges, and the peak of a sweep by (NextSend, NextRec). Peaks are published for limits of 3 and
# more; for 1 and 2 the published runs collected too seldom to show less than 33 and 134.
LIMITED = {
    (1, 4): (33, 44, 6),
    (2, 4): (293, 764, 92),
    (3, 4): (1_829, 6_860, 758),
    (4, 4): (9_025, 43_124, 4_449),
    (4, 5): (20_016, 99_355, 8_521),
}


def book_rows() -> Iterator[Row]:
    for (limit, packets), (states, edges, peak) in LIMITED.items():
        parameters, source = {"limit": limit, "packets": packets}, "Jensen and Kristensen, chapter 7"
        ways = swept(states, peak, 2 * packets + 1)
        yield Row("limited", parameters, source, states, edges, ways, "generalised", factory=limited_protocol)
    holds = dict.fromkeys(("never ahead", "all acknowledged"), "holds")
    yield Row("timed_protocol.py", {}, "our own", 5_755, 7_783, swept(5_755, 917, 116), "generalised", holds)


# -- examples with numbers by hand, closed form or counting ----------------------------------------------------------


def philosopher_rows() -> Iterator[Row]:
    for n in (2, 3, 5, 7):
        for left_handed in (False, True):
            states, edges = counted.philosophers(n, left_handed)
            assert left_handed or states == round((1 + 2**0.5) ** n + (1 - 2**0.5) ** n)
            end = "holds" if left_handed else "violated"
            verdicts = {"neighbours never eat together": "holds", "deadlock": end, "somebody eats": end}
            source = "closed form (1+√2)^n + (1-√2)^n for states; edges over all words"
            parameters = {"n": n, "left_handed": left_handed}
            for model in ("dining_philosophers.py", "dining_philosophers_net.py"):
                yield Row(model, parameters, source, states, edges, kept(states), "full", verdicts)


def grid_row(counters: int, top: int) -> Row:
    states, sizes = (top + 1) ** counters, counted.layer_sizes(counters, top)
    ways = swept(states, max(map(sum, pairwise(sizes))), counters * top + 1)
    parameters, edges = {"counters": counters, "top": top}, counters * top * (top + 1) ** (counters - 1)
    verdicts = {"deadlock": "holds"}
    return Row("counter_grid.py", parameters, "closed form", states, edges, ways, "generalised", verdicts, 1)


def ring_row(n: int) -> Row:
    states, edges = 3 * n * 2 ** (n - 1), n * (3 * (n - 1) * 2 ** (n - 2) + 4 * 2 ** (n - 1))
    verdicts = dict.fromkeys(("one token", "one user", "deadlock", "the last process can use it"), "holds")
    return Row("token_ring.py", {"n": n}, "closed form", states, edges, kept(states), "full", verdicts, 0)


def stop_and_wait_row(packets: int, capacity: int) -> Row:
    found = counted.stop_and_wait(packets, capacity)
    ways = swept(found.states, found.peak(lambda state: state[:2]), 2 * packets + 1)
    verdicts = {"never ahead": "holds", "all received": "holds"}
    asked = {"packets": packets, "capacity": capacity}
    return Row("stop_and_wait.py", asked, "counted", found.states, found.edges, ways, "generalised", verdicts)


def election_row(identities: tuple[int, ...]) -> Row:
    found = counted.leader_election(identities)
    ways = swept(found.states, found.peak(counted.journeys(identities)))
    verdicts = dict.fromkeys(
        ("only the greatest is elected", "deadlock", "a leader is elected", "a leader stays"), "holds"
    )
    asked = {"identities": identities}
    return Row("leader_election.py", asked, "counted", found.states, found.edges, ways, "generalised", verdicts, 1)


def job_row(jobs: int) -> Row:
    """By `done`: the measure that the example declares is wrong."""
    states, edges = comb(jobs + 2, 2), 3 * comb(jobs + 1, 2)
    ways = swept(states, 2 * jobs + 1, jobs + 1)
    verdicts = dict.fromkeys(("no job is lost", "deadlock", "all done"), "holds")
    model, source = "wrong_measure.py", "closed form"
    return Row(model, {"jobs": jobs}, source, states, edges, ways, "generalised", verdicts, 1, measure="done")


def cups_row(cups: int) -> Row:
    states, source = 2 ** (cups - 1), "closed form: every word of one parity"
    verdicts = {"parity never changes": "holds", "all upright": "violated"}
    edges = comb(cups, 2) * states
    return Row("unreachable_goal.py", {"cups": cups}, source, states, edges, kept(states), "full", verdicts)


def allocation_row(s: int) -> Row:
    found = counted.resource_allocation(1, s, 2)
    assert s != 3 or (found.states, found.edges) == (13, 20)
    names = ("no r is lost", "no s is lost", "no t is lost", "deadlock", "back to the start")
    verdicts = dict.fromkeys(names, "holds") | (
        {"deadlock": "violated", "back to the start": "violated"} if s == 4 else {}
    )
    model, ways = "resource_allocation.py", kept(found.states)
    return Row(model, {"s": s}, "counted", found.states, found.edges, ways, "full", verdicts, int(s == 4))


# By hand: with I idle, A asking, W waiting, C critical and the turn as an index, the states are {I,A}x{I,A}x{0,1},
# WI1 WA1 IW0 AW0, WW0 WW1, CI1 CA1 CW0, IC0 AC0 WC1.
PETERSON = Row(
    "peterson.py",
    {},
    "states listed by hand; every process not blocked in W has one edge: 40 less WA1 AW0 WW0 WW1 CW0 WC1",
    20,
    34,
    kept(20),
    "full",
    dict.fromkeys(("mutual exclusion", "deadlock", "process 0 enters", "process 1 enters"), "holds"),
    0,
)
BROKEN = Row(
    "peterson_broken.py",
    {},
    "all 4x4x2 states are reachable; 64 less the four states with one process blocked: WW0 WW1 WC1 CW0",
    32,
    60,
    kept(32),
    "full",
    {"mutual exclusion": "violated", "deadlock": "holds"},
    0,
)
JUGS = Row(
    "water_jugs.py",
    {},
    "3 and 5 litres: the 16 states in which some jug is empty or full, six edges each",
    16,
    96,
    kept(16),
    "full",
    engines=("reference",),  # a plain object: nothing to tabulate
)

TABLE = [
    *protocol_rows("communication_protocol.py"),
    *protocol_rows("communication_protocol_net.py"),
    *buffered_rows(),
    *beolink_rows(),
    *window_rows(),
    *network_rows(),
    *book_rows(),
    *philosopher_rows(),
    *(grid_row(counters, top) for counters, top in ((1, 9), (2, 30), (4, 5), (4, 30))),
    *(ring_row(n) for n in (2, 5, 8)),
    *(stop_and_wait_row(packets, capacity) for packets, capacity in ((1, 1), (4, 3), (12, 2))),
    *(election_row(ring) for ring in ((1,), (2, 4, 1, 3), (1, 2, 3, 4), (5, 3, 4, 1, 2))),
    *(job_row(jobs) for jobs in (1, 5, 20)),
    *(cups_row(cups) for cups in (2, 3, 6)),
    *(allocation_row(s) for s in (3, 4)),
    PETERSON,
    BROKEN,
    JUGS,
]
