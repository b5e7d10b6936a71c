"""The figures that the papers print: the one place where they are written down. Times are in seconds."""

from __future__ import annotations

from typing import NamedTuple


class Swept(NamedTuple):
    """A row of papers 0 and 1: the full state space, the sweep, and the reduction in per cent, as printed."""

    states: int
    full_seconds: int
    peak: int
    sweep_seconds: int
    reduction: float


class Composed(NamedTuple):
    """A row of paper 2: states, then what the sweep processed and stored, in per cent of them."""

    states: int
    full_seconds: int
    total: float
    peak: float
    sweep_seconds: int


class Asked(NamedTuple):
    """A configuration of paper 4: its state space, and for P1 and P2 the extra time of checking, and with a trace."""

    states: int
    edges: int
    peak: float
    check: tuple[float, float]
    trace: tuple[float, float]


SLIDING_WINDOW = {  # paper 0, table 1: packets; a collection for each 2000 new states
    5: Swept(28_438, 159, 8_622, 86, 69.7),
    10: Swept(60_013, 528, 8_622, 206, 85.6),
    15: Swept(91_588, 1_275, 8_622, 326, 90.6),
    20: Swept(123_163, 1_996, 8_622, 456, 93.0),
    25: Swept(154_738, 3_070, 8_622, 562, 94.4),
}
STOP_AND_WAIT = {  # paper 0, table 2: packets; a collection for each 2000 new states
    10: Swept(2_576, 4, 2_002, 4, 22.3),
    50: Swept(13_416, 29, 2_278, 21, 83.0),
    100: Swept(26_966, 80, 2_278, 43, 91.6),
    200: Swept(54_066, 244, 2_281, 89, 95.8),
    300: Swept(81_166, 516, 2_282, 137, 97.2),
    400: Swept(108_266, 863, 2_282, 185, 97.9),
    500: Swept(135_366, 1_317, 2_282, 238, 98.4),
    1000: Swept(270_866, 4_870, 2_284, 531, 99.2),
}
BEOLINK = {  # paper 0, table 3: master and devices; a collection for each 3000 new states
    ("video", 3): Swept(1_130, 6, 1_130, 6, 0.0),
    ("audio", 3): Swept(1_839, 11, 1_839, 11, 0.0),
    ("video", 4): Swept(13_421, 160, 5_170, 170, 61.5),
    ("audio", 4): Swept(22_675, 332, 5_170, 279, 77.2),
    ("video", 5): Swept(164_170, 9_027, 35_048, 4_108, 78.7),
    ("audio", 5): Swept(282_399, 18_233, 35_048, 7_179, 87.6),
}
SWEEP_CPN = {  # paper 1: packets of the stop-and-wait protocol; a collection for each 2000 states
    10: Swept(2_576, 1, 2_001, 1, 22.3),
    50: Swept(13_416, 5, 2_280, 4, 83.0),
    100: Swept(26_966, 14, 2_280, 7, 91.5),
    200: Swept(54_066, 42, 2_280, 14, 95.8),
    500: Swept(135_366, 191, 2_287, 38, 98.3),
    1000: Swept(270_866, 681, 2_287, 81, 99.2),
    2000: Swept(541_866, 2_830, 2_287, 185, 99.6),
}
MASTER_AND_SLAVES = {  # paper 2, table 1: jobs; 12 slaves
    20: Composed(126_976, 14, 200, 6.45, 24),
    24: Composed(159_744, 18, 200, 5.13, 30),
    28: Composed(192_512, 23, 200, 4.26, 36),
    34: Composed(241_664, 29, 200, 3.39, 46),
    40: Composed(290_816, 36, 200, 2.82, 55),
}
TWO_PHASE_COMMIT = {  # paper 2, table 2: voters
    6: Composed(18_478, 1, 100, 21.16, 2),
    7: Composed(87_475, 8, 100, 22.33, 10),
    8: Composed(420_988, 68, 100, 23.19, 80),
    9: Composed(2_051_029, 946, 100, 23.81, 1_246),
}
DATA_LINK = {  # paper 2, table 3: the largest sequence number of a stop-and-wait protocol
    20: Composed(3_640, 1, 103.84, 61.73, 1),
    30: Composed(5_460, 1, 103.84, 61.48, 1),
    40: Composed(7_280, 2, 103.84, 61.36, 2),
    50: Composed(9_100, 4, 103.84, 61.29, 4),
}
PROTOCOL = {  # paper 4, table 1: packets and capacity
    (22, 2): Asked(7_944, 22_419, 6.6, (42.9, 42.9), (485.7, 471.4)),
    (30, 2): Asked(14_672, 41_611, 4.9, (42.9, 40.0), (464.3, 420.0)),
    (10, 3): Asked(24_052, 98_671, 19.8, (31.4, 34.3), (285.7, 308.6)),
    (15, 3): Asked(78_027, 326_906, 13.8, (27.0, 32.0), (241.4, 240.8)),
    (16, 3): Asked(94_226, 395_825, 13.0, (55.5, 37.4), (178.4, 240.7)),
    (17, 3): Asked(112_525, 473_808, 12.3, (46.4, 33.3), (229.4, 219.4)),
    (18, 3): Asked(133_052, 561_415, 11.6, (45.6, 38.4), (231.0, 221.1)),
    (19, 3): Asked(155_935, 659_206, 11.1, (38.8, 47.3), (215.8, 250.1)),
    (20, 3): Asked(181_302, 767_741, 10.5, (38.0, 33.2), (200.7, 186.4)),
}
PROTOCOL_ANSWERS = {  # paper 4, section 5: property, whether only the expected packet is acknowledged
    ("P1", False): "holds",
    ("P2", False): "holds",
    ("P3", False): "violated",
    ("P1", True): "violated",
    ("P3", True): "violated",
}
