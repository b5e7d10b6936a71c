"""Peterson's algorithm: two processes never enter the critical section together, and neither locks the other out.

Each process raises its flag, gives the other one the turn, and waits until the other has no flag or it is its own
turn. The algorithm is written as what it is, a *process*: each `yield` ends a step and says where the process is then,
so that the two can interleave between any two lines.

    sweepcheck check examples/peterson.py

prints that everything holds, over 20 states. `peterson_broken.py` is the same algorithm with two lines swapped.
"""

from sweepcheck import Array, Model, require


def peterson():
    """Two processes, each idle, asking, waiting or critical."""
    m = Model("Peterson's algorithm", flag=Array([False, False]), turn=0)

    @m.process(p=range(2), fair=True)
    def worker(s, p):
        while True:
            yield "idle"
            s.flag[p] = True
            yield "asking"
            s.turn = 1 - p
            yield "waiting"
            require(not s.flag[1 - p] or s.turn == p)
            yield "critical"
            s.flag[p] = False

    m.invariant("mutual exclusion", lambda s: s.worker.count("critical") <= 1)
    m.deadlock()
    m.leads_to("process 0 enters", lambda s: s.worker[0] == "waiting", lambda s: s.worker[0] == "critical")
    m.leads_to("process 1 enters", lambda s: s.worker[1] == "waiting", lambda s: s.worker[1] == "critical")
    return m
