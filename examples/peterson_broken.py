"""Peterson's algorithm with two lines swapped: both processes end up in the critical section.

Here a process gives the turn away *before* it raises its flag. The difference looks harmless, and tests will hardly
ever meet it.

    sweepcheck check examples/peterson_broken.py

finds the interleaving and prints it as a trace of six steps: process 0 gives its turn away, process 1 does
the same and enters (it sees no flag), then process 0 raises its flag and enters as well (it is its turn).
"""

from sweepcheck import Array, Model, require


def peterson_broken():
    """Two processes, each idle, polite, waiting or critical."""
    m = Model("broken Peterson", flag=Array([False, False]), turn=0)

    @m.process(p=range(2))
    def worker(s, p):
        while True:
            yield "idle"
            s.turn = 1 - p
            yield "polite"
            s.flag[p] = True
            yield "waiting"
            require(not s.flag[1 - p] or s.turn == p)
            yield "critical"
            s.flag[p] = False

    m.invariant("mutual exclusion", lambda s: s.worker.count("critical") <= 1)
    m.deadlock()
    return m
