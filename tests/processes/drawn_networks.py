"""Random networks for hypothesis: the package's composition, and the naive one of the same tree."""

from __future__ import annotations

from hypothesis import strategies as st
from naive_product import TAU, Explicit, both, hiding, renaming

from sweepcheck import LTS, Network, parallel
from sweepcheck.models.processes.composition import Composition, component

EVENTS = ("a", "b", "c", "d")


@st.composite
def lts_and_explicit(draw) -> tuple[LTS, Explicit]:
    size = draw(st.integers(1, 3))
    numbers = st.integers(0, size - 1)
    steps = draw(st.lists(st.tuples(numbers, st.sampled_from((*EVENTS, TAU)), numbers), max_size=6))
    extra = draw(st.sets(st.sampled_from(EVENTS), max_size=1))
    lts = LTS.numbered(range(size), steps, 0, alphabet=extra)
    alphabet = frozenset(e for _, e, _ in steps if e != TAU) | extra
    return lts, Explicit(0, alphabet, frozenset(steps))


@st.composite
def compositions(draw, depth: int = 2) -> tuple[Composition, Explicit]:
    """A tree of components, parallels, hidings and renamings."""
    counter = [0]

    def grow(depth: int) -> tuple[Composition, Explicit]:
        kind = "leaf" if depth == 0 else draw(st.sampled_from(["leaf", "parallel", "parallel", "hide", "rename"]))
        if kind == "leaf":
            counter[0] += 1
            lts, explicit = draw(lts_and_explicit())
            return component(f"p{counter[0]}", lts), explicit
        if kind == "parallel":
            (one, naive_one), (other, naive_other) = grow(depth - 1), grow(depth - 1)
            return parallel(one, other), both(naive_one, naive_other)
        inside, naive = grow(depth - 1)
        if not naive.alphabet:
            return inside, naive
        event = draw(st.sampled_from(sorted(naive.alphabet)))
        if kind == "hide":
            return inside.hide(event), hiding(naive, {event})
        to = draw(st.lists(st.sampled_from(EVENTS), min_size=1, max_size=2, unique=True))
        return inside.rename({event: tuple(to)}), renaming(naive, {event: tuple(to)})

    return grow(depth)


@st.composite
def networks(draw, depth: int = 2) -> Network:
    return Network("random", draw(compositions(depth))[0])
