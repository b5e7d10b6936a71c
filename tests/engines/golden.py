"""One golden table: model file, parameters, states, edges, peak of the sweep, source.

Smaller models and their verdicts are with the examples (tests/examples). SWEEPCHECK_SLOW=1 runs every row in
every way on the reference engine too.
"""

import os
from dataclasses import dataclass
from pathlib import Path

ENGINES = ["reference", "native"]
EXAMPLES = Path(__file__).parents[2] / "examples"
SLOW = os.environ.get("SWEEPCHECK_SLOW") == "1"


@dataclass(frozen=True)
class Row:
    """What must come out of one configuration."""

    example: str
    parameters: dict[str, object]
    states: int
    edges: int
    peak: int
    source: str

    def __str__(self) -> str:
        return "-".join([self.example, *map(str, self.parameters.values())])


def protocol(packets: int, capacity: int, states: int, edges: int, peak: int, source: str) -> Row:
    parameters = {"packets": packets, "capacity": capacity}
    return Row("communication_protocol", parameters, states, edges, peak, source)


PAPER_4 = "paper 4, table 1; peak: the published percentage"
TABLE = [
    protocol(22, 2, 7_944, 22_419, 524, PAPER_4),
    protocol(30, 2, 14_672, 41_611, 716, PAPER_4),
    protocol(10, 3, 24_052, 98_671, 4_766, PAPER_4),
    protocol(15, 3, 78_027, 326_906, 10_746, PAPER_4),
    protocol(16, 3, 94_226, 395_825, 12_230, PAPER_4),
    protocol(17, 3, 112_525, 473_808, 13_810, PAPER_4),
    protocol(18, 3, 133_052, 561_415, 15_486, PAPER_4),
    protocol(19, 3, 155_935, 659_206, 17_258, PAPER_4),
    protocol(20, 3, 181_302, 767_741, 19_126, PAPER_4),
]
PERCENTAGES = [6.6, 4.9, 19.8, 13.8, 13.0, 12.3, 11.6, 11.1, 10.5]

HELD_OUT = "closed form that meets all rows of paper 4"
TABLE += [protocol(n, 2, 16 * n**2 + 9 * n + 2, 46 * n**2 + 7 * n + 1, 24 * n - 4, HELD_OUT) for n in (1, 2, 9, 37)]
TABLE += [
    protocol(
        n,
        3,
        (64 * n**3 + 78 * n**2 + 35 * n + 6) // 3,
        (280 * n**3 + 156 * n**2 + 41 * n + 3) // 3,
        48 * n**2 - 4 * n + 6,
        HELD_OUT,
    )
    for n in (2, 7, 11)
]


def runs() -> list[tuple[str, str, Row]]:
    """Every engine with every strategy on every row, but for slow runs of a full search on the reference engine."""
    return [
        (engine, strategy, row)
        for row in TABLE
        for engine in ENGINES
        for strategy in ("sweep", "full")
        if SLOW or engine != "reference" or strategy == "sweep" or row.states < 20_000
    ]
