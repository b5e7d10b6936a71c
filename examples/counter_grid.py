"""A grid of bounded counters: the state space whose every number can be worked out by hand.

Each action adds one to one counter, so the sum of all counters never goes down: the simplest progress measure there is.
With c counters from 0 to m there are (m+1)^c states and c·m·(m+1)^(c-1) edges. A sweep over the sum stores at most two
neighbouring layers at a time.

    sweepcheck explore examples/counter_grid.py
    sweepcheck explore examples/counter_grid.py -p counters=4 -p top=30

The second one has 923,521 states and 3,574,920 edges; the sweep never stores more than 39,711 states at once (4.3 %).
"""

from sweepcheck import Array, Model, require


def counter_grid(counters=3, top=10):
    """`counters` counters from 0 to `top`, each counted up one by one."""
    m = Model("counter grid", count=Array([0] * counters))

    @m.action(i=range(counters))
    def increment(s, i):
        require(s.count[i] < top)
        s.count[i] += 1

    m.progress(lambda s: sum(s.count), span=(0, counters * top))
    m.deadlock(final=lambda s: all(count == top for count in s.count))
    return m
