"""What is measured: families of systems, their sizes, their known counts, and the targets of the native engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench import models, nets, promela

Size = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """What every yardstick must find; None is not known in advance."""

    states: int | None = None
    edges: int | None = None
    peak: int | None = None


@dataclass(frozen=True, slots=True)
class Family:
    """One system in every form that there is of it.

    `small` is a size that the reference engine manages. `untabulated`: the actions observe everything, so the
    reference engine itself is the yardstick and takes turns with the one that is measured.
    """

    name: str
    model: Callable[..., Any]
    sizes: tuple[Size, ...]
    small: Size
    counts: Callable[..., Counts]
    source: str | None = None
    macros: tuple[str, ...] = ()
    promela: Callable[..., str] | None = None
    sweeps: bool = False
    protocol: bool = False
    untabulated: bool = False
    net: Callable[..., Any] | None = None


@dataclass(frozen=True, slots=True)
class Workload:
    """A family at one size."""

    family: Family
    size: Size

    @property
    def name(self) -> str:
        """For example `saw 20/5`."""
        return f"{self.family.name} {'/'.join(map(str, self.size))}"

    @property
    def strategies(self) -> tuple[str, ...]:
        """How it is explored."""
        return ("full", "sweep") if self.family.sweeps else ("full",)

    @property
    def counts(self) -> Counts:
        """What is known of it."""
        return self.family.counts(*self.size)

    def ratio_target(self, states: int) -> float | None:
        """At most so many times the CPU time of hand-written C++."""
        if self.family.source is None:
            return None
        if not self.family.protocol:
            return 1.5
        return 2.5 if states >= 1_000_000 else 5.0

    def spin_target(self, states: int) -> float | None:
        """At least so many times SPIN's edges per second."""
        if self.family.promela is None:
            return None
        if not self.family.protocol:
            return 5.0
        return 3.0 if states >= 1_000_000 else 1.0

    def reference_target(self) -> float | None:
        """At least so many times the reference engine's edges per second."""
        return 1.0 if self.family.untabulated else None

    def bytes_target(self) -> int:
        """At most so many bytes per stored state, tables apart."""
        return 32 if self.family.protocol else 24


def _philosophers(n: int) -> Counts:
    return Counts(3**n - 1, 2 * n * 3 ** (n - 1) - n)


def _ring(n: int) -> Counts:
    return Counts(3 * n * 2 ** (n - 1), n * 2 ** (n - 2) * (3 * n + 7))


def _grid(counters: int, top: int) -> Counts:
    layers = [1]
    for _ in range(counters):
        layers = [sum(layers[max(0, k - top) : k + 1]) for k in range(len(layers) + top)]
    peak = max(map(sum, zip(layers, [*layers[1:], 0], strict=True)))
    return Counts((top + 1) ** counters, counters * top * (top + 1) ** (counters - 1), peak)


def _saw(packets: int, capacity: int) -> Counts:
    measured = {
        (20, 4): Counts(330_231, 2_300_150, 46_822),
        (20, 5): Counts(2_954_181, 25_406_702, 506_842),
        (50, 3): Counts(438_276, 2_391_300, 20_302),
        (100, 3): Counts(3_419_051, 18_897_600, 80_602),
        (200, 2): Counts(201_201, 721_400, 1_601),
    }
    return measured.get((packets, capacity), Counts())


def _comm(packets: int, capacity: int) -> Counts:
    n = packets
    if capacity == 2:
        return Counts(16 * n**2 + 9 * n + 2, 46 * n**2 + 7 * n + 1, 24 * n - 4)
    if capacity == 3:
        states = (64 * n**3 + 78 * n**2 + 35 * n + 6) // 3
        return Counts(states, (280 * n**3 + 156 * n**2 + 41 * n + 3) // 3, 48 * n**2 - 4 * n + 6)
    return Counts()


def _unknown(*_: int) -> Counts:
    return Counts()


FAMILIES = {
    family.name: family
    for family in (
        Family(
            "phil",
            models.philosophers,
            sizes=((12,), (13,), (14,)),
            small=(8,),
            counts=_philosophers,
            source="philosophers",
            macros=("SIZE",),
            promela=promela.philosophers,
            net=nets.philosophers,
        ),
        Family(
            "ring",
            models.token_ring,
            sizes=((14,), (16,)),
            small=(9,),
            counts=_ring,
            source="ring",
            macros=("SIZE",),
            promela=promela.token_ring,
        ),
        Family(
            "grid",
            models.counter_grid,
            sizes=((4, 30),),
            small=(3, 20),
            counts=_grid,
            source="grid",
            macros=("COUNTERS", "TOP"),
            promela=promela.counter_grid,
            sweeps=True,
        ),
        Family(
            "saw",
            models.stop_and_wait,
            sizes=((20, 5), (100, 3), (20, 4), (50, 3), (200, 2)),
            small=(12, 3),
            counts=_saw,
            source="stop_and_wait",
            macros=("PACKETS", "CAPACITY"),
            promela=promela.stop_and_wait,
            net=nets.stop_and_wait,
            sweeps=True,
            protocol=True,
        ),
        Family(
            "comm",
            models.communication_protocol,
            sizes=((15, 4), (40, 3), (20, 3), (112, 2)),
            small=(8, 3),
            counts=_comm,
            source="communication_protocol",
            macros=("PACKETS", "CAPACITY"),
            promela=promela.communication_protocol,
            net=nets.communication_protocol,
            sweeps=True,
            protocol=True,
        ),
        Family("chaos", models.chaos, sizes=((8, 4),), small=(7, 4), counts=_unknown, untabulated=True),
        Family("peterson", models.peterson, sizes=((5,),), small=(4,), counts=_unknown),
    )
}


def selection(only: list[str], sizes: list[str], *, small: bool) -> list[Workload]:
    """The workloads asked for. `sizes` are texts like `saw=64/3,30/4` and replace a family's own.

    `only` names families (`saw`) or workloads (`saw 20/5`, also written `saw=20/5`).
    """
    replaced = {}
    for text in sizes:
        name, _, listed = text.partition("=")
        replaced[name] = tuple(parse_size(one) for one in listed.split(","))
    for name in (*replaced, *(text.replace("=", " ").split()[0] for text in only)):
        if name not in FAMILIES:
            raise SystemExit(f"bench: there is no family {name!r}; there are {', '.join(FAMILIES)}")
    chosen = []
    for family in FAMILIES.values():
        for size in replaced.get(family.name, (family.small,) if small else family.sizes):
            workload = Workload(family, size)
            wanted = {text.replace("=", " ") for text in only}
            if (not wanted and not (replaced and family.name not in replaced)) or wanted & {family.name, workload.name}:
                chosen.append(workload)
    return chosen


def parse_size(text: str) -> Size:
    """`20/5` as a tuple."""
    return tuple(int(part) for part in text.split("/"))
