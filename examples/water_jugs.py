"""Two water jugs, as a plain object: no `Model`, only `initial()` and `successors(state)`.

A jug of 3 litres and one of 5, a tap and a drain. How does one measure out 4 litres?

    sweepcheck check examples/water_jugs.py --reachable "large == 4"

finds a shortest way of six steps among the 16 reachable states. States are any hashable values; the fields of a named
tuple can be used in expressions. Properties and a measure are given with the request, from the shell as above or from
Python: `check(WaterJugs(), [reachable("four litres", lambda s: s.large == 4)])`.
"""

from typing import NamedTuple


class Jugs(NamedTuple):
    """How many litres each jug holds."""

    small: int
    large: int


class WaterJugs:
    """Two jugs of `small_size` and `large_size` litres, both empty at first."""

    name = "water jugs"

    def __init__(self, small_size=3, large_size=5):
        self.small_size = small_size
        self.large_size = large_size

    def initial(self):
        """One state. A list would be several."""
        return Jugs(0, 0)

    def successors(self, jugs):
        """Every move, as (label, state)."""
        small, large = jugs
        yield "fill small", Jugs(self.small_size, large)
        yield "fill large", Jugs(small, self.large_size)
        yield "empty small", Jugs(0, large)
        yield "empty large", Jugs(small, 0)
        poured = min(small, self.large_size - large)
        yield "pour small into large", Jugs(small - poured, large + poured)
        poured = min(large, self.small_size - small)
        yield "pour large into small", Jugs(small + poured, large - poured)
