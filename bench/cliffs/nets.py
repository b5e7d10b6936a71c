"""Place/transition nets: with black tokens or a number for each place, and with many transitions."""

from __future__ import annotations

import random

from bench.building import PlaceTransitionNet
from bench.wide import Wiring


def drawn(places: int, tokens: int, seed: int = 1) -> PlaceTransitionNet:
    """A net drawn at random: a ring, and as many transitions again that move one to three tokens anywhere.

    C(places + tokens - 1, tokens) states.
    """
    draw = random.Random(seed)
    takes: list[dict[int, int]] = [{i: 1} for i in range(places)]
    puts: list[dict[int, int]] = [{(i + 1) % places: 1} for i in range(places)]
    for _ in range(places):
        moved = draw.randint(1, 3)
        for side in (takes, puts):
            arcs: dict[int, int] = {}
            for place in draw.choices(range(places), k=moved):
                arcs[place] = arcs.get(place, 0) + 1
            side.append(arcs)
    return PlaceTransitionNet((tokens, *[0] * (places - 1)), tuple(takes), tuple(puts))


def kanban(cards: int, stations: int = 3) -> PlaceTransitionNet:
    """Stations in a row, each with so many cards: a part comes in, is worked on, waits, goes on."""
    free, busy, ready = (range(i * stations, (i + 1) * stations) for i in range(3))
    takes: list[dict[int, int]] = [{free[0]: 1}]
    puts: list[dict[int, int]] = [{busy[0]: 1}]
    for i in range(stations):
        takes += [{busy[i]: 1}, {ready[i]: 1}]
        puts += [{ready[i]: 1}, {free[i]: 1}]
        if i + 1 < stations:
            takes[-1][free[i + 1]] = 1
            puts[-1][busy[i + 1]] = 1
    return PlaceTransitionNet((*[cards] * stations, *[0] * (2 * stations)), tuple(takes), tuple(puts))


def two_rings(transitions: int, short: int = 40) -> Wiring:
    """A long ring and a short one with a token each. short * (transitions - short) states, two edges from each."""
    long = transitions - short
    steps = [((i,), ((i + 1) % long,)) for i in range(long)]
    steps += [((long + i,), (long + (i + 1) % short,)) for i in range(short)]
    return Wiring("two rings", transitions, frozenset({0, long}), tuple(steps))
