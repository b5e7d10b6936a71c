"""A ring that mends itself (Dijkstra, 1974): wherever it begins, in the end one process at a time has the privilege.

Each process has a counter and sees that of the one before it. Process 0 has the privilege when the two are equal, and
moves by counting on; any other has it when they differ, and moves by copying. Nobody knows in which state a fault
leaves the counters, so that every state is an initial one: `@m.start`.

    sweepcheck check examples/stabilising_ring.py

prints that a move never makes privileges more, and that one alone is left in the end, from all 256 states. Three values
are enough for four processes, two are not:

    sweepcheck check examples/stabilising_ring.py -p values=2

finds a run on which several privileges go round for ever.
"""

from sweepcheck import Array, Model, choose, require


def stabilising_ring(n=4, values=4):
    """`n` processes whose counters have so many `values`."""
    m = Model("stabilising ring", counter=Array([0] * n))

    def privileged(s, i):
        return (s.counter[i] == s.counter[i - 1]) == (i == 0)

    def privileges(s):
        return sum(privileged(s, i) for i in range(n))

    @m.start
    def anything(s):
        for i in range(n):
            s.counter[i] = choose(range(values))

    @m.action(i=range(n))
    def move(s, i):
        require(privileged(s, i))
        s.counter[i] = (s.counter[i] + 1) % values if i == 0 else s.counter[i - 1]

    m.invariant("somebody has the privilege", lambda s: privileges(s) > 0)
    m.step("privileges never become more", lambda old, new: privileges(new) <= privileges(old))
    m.leads_to("one is left", lambda s: privileges(s) > 1, lambda s: privileges(s) == 1)
    return m
