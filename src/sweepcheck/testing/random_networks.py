"""Random networks of small components, each with a plain description that another reading of CSP can start from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sweepcheck.models.processes.composition import Composition, component, parallel
from sweepcheck.models.processes.events import TAU
from sweepcheck.models.processes.lts import LTS
from sweepcheck.models.processes.network import Network
from sweepcheck.testing.drawing import st

EVENTS = ("a", "b", "c", "d")

# ("lts", locations, steps, alphabet), ("parallel", one, other), ("hide", part, event), ("rename", part, event, events)
Description = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class DrawnNetwork:
    """A network and what it was made from."""

    network: Network
    description: Description


@st.composite
def ltss(draw: Callable[..., Any], most: int = 3) -> tuple[LTS, Description]:
    """A component with numbered locations, and its description."""
    size = draw(st.integers(1, most))
    numbers = st.integers(0, size - 1)
    steps = draw(st.lists(st.tuples(numbers, st.sampled_from((*EVENTS, TAU)), numbers), max_size=2 * most))
    extra = draw(st.sets(st.sampled_from(EVENTS), max_size=1))
    final = draw(st.sets(numbers, max_size=1))
    lts = LTS.numbered(range(size), steps, 0, alphabet=extra, final=final)
    return lts, ("lts", size, tuple(steps), frozenset(lts.alphabet))


@st.composite
def networks(draw: Callable[..., Any], depth: int = 2) -> DrawnNetwork:
    """A tree of components, parallels, hidings and renamings, at most so deep."""
    names = iter(f"p{number}" for number in range(1 << (depth + 1)))

    def grow(left: int) -> tuple[Composition, Description]:
        kind = draw(st.sampled_from(["lts", "parallel", "parallel", "hide", "rename"])) if left else "lts"
        if kind == "lts":
            lts, described = draw(ltss())
            return component(next(names), lts), described
        if kind == "parallel":
            (one, described), (other, also) = grow(left - 1), grow(left - 1)
            return parallel(one, other), ("parallel", described, also)
        inside, described = grow(left - 1)
        visible = sorted({rule.event for rule in inside.flatten().rules} - {TAU})
        if not visible:
            return inside, described
        event = draw(st.sampled_from(visible))
        if kind == "hide":
            return inside.hide(event), ("hide", described, event)
        to = tuple(draw(st.lists(st.sampled_from(EVENTS), min_size=1, max_size=2, unique=True)))
        return inside.rename({event: to}), ("rename", described, event, to)

    composition, description = grow(depth)
    return DrawnNetwork(Network("random", composition), description)
