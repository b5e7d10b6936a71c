"""Models with hundreds or thousands of actions, few of them enabled at a time: place/transition nets, and families.

Every net is a list of transitions (places that a token is taken from, places that get one) over 1-safe places. The same
list is what `bench/cpp/wide.cpp` explores, built for WORDS = places // 64 + 1, from `as_text` on its standard input.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from sweepcheck import Array, Model, require


@dataclass(frozen=True, slots=True)
class Wiring:
    """A place/transition net: which places have a token at first, and what each transition takes and gives."""

    name: str
    places: int
    marked: frozenset[int]
    transitions: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


def rings(count=4, length=100) -> Wiring:
    """Rings side by side, a token in each: length^count states, count * length transitions, count of them enabled."""
    steps = [((r * length + i,), (r * length + (i + 1) % length,)) for r in range(count) for i in range(length)]
    return Wiring("rings", count * length, frozenset(r * length for r in range(count)), tuple(steps))


def pipeline(stages=400, tokens=3) -> Wiring:
    """Cells in a ring, each full or empty; a token moves on when the next cell is empty. C(stages, tokens) states."""
    full, empty = range(stages), range(stages, 2 * stages)
    after = [(i + 1) % stages for i in range(stages)]
    steps = [((full[i], empty[after[i]]), (full[after[i]], empty[i])) for i in range(stages)]
    marked = {*full[:tokens], *empty[tokens:]}
    return Wiring("pipeline", 2 * stages, frozenset(marked), tuple(steps))


def machines(transitions=400, count=4, seed=1) -> Wiring:
    """State machines that step alone or up to four together: transitions with one to four input places."""
    draw = random.Random(seed)
    size = max(transitions // (2 * count), 4)
    steps = [((m * size + i,), (m * size + (i + 1) % size,)) for m in range(count) for i in range(size)]
    while len(steps) < transitions:
        together = draw.sample(range(count), draw.randint(1, min(4, count)))
        takes = tuple(m * size + draw.randrange(size) for m in together)
        steps.append((takes, tuple(m * size + draw.randrange(size) for m in together)))
    return Wiring("machines", count * size, frozenset(m * size for m in range(count)), tuple(steps[:transitions]))


def as_text(wiring: Wiring) -> str:
    """A wiring as `bench/cpp/wide.cpp` reads it."""
    steps = (f"t {' '.join(map(str, takes))} > {' '.join(map(str, gives))}" for takes, gives in wiring.transitions)
    return "\n".join([str(wiring.places), f"m {' '.join(map(str, sorted(wiring.marked)))}", *steps, ""])


def net(wiring: Wiring) -> Model:
    """A wiring as a model: an integer for each place."""
    m = Model(wiring.name, place=Array([int(p in wiring.marked) for p in range(wiring.places)]))

    @m.action(t=range(len(wiring.transitions)))
    def fire(s, t):
        takes, gives = wiring.transitions[t]
        for place in takes:
            require(s.place[place])
        for place in takes:
            s.place[place] -= 1
        for place in gives:
            s.place[place] += 1

    return m


def lots(count=3, places=400) -> Model:
    """Cars that drive through numbered places one by one, an action for each place: each looks at all cars."""
    m = Model("lots", car=Array([0] * count))

    @m.action(c=range(count), p=range(places))
    def drive(s, c, p):
        require(s.car[c] == p)
        s.car[c] = (p + 1) % places

    return m
