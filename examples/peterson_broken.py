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
    m = Model("broken Peterson", flag=Array([False, False]), turn=0, at=Array(["idle", "idle"]))

    @m.action(p=range(2))
    def give_turn(s, p):
        require(s.at[p] == "idle")
        s.turn = 1 - p
        s.at[p] = "polite"

    @m.action(p=range(2))
    def raise_flag(s, p):
        require(s.at[p] == "polite")
        s.flag[p] = True
        s.at[p] = "waiting"

    @m.action(p=range(2))
    def enter(s, p):
        require(s.at[p] == "waiting" and (not s.flag[1 - p] or s.turn == p))
        s.at[p] = "critical"

    @m.action(p=range(2))
    def leave(s, p):
        require(s.at[p] == "critical")
        s.flag[p] = False
        s.at[p] = "idle"

    m.invariant("mutual exclusion", lambda s: s.at != ("critical", "critical"))
    m.deadlock()
    return m
