"""Peterson's algorithm: two processes never enter the critical section together, and neither locks the other out.

Each process raises its flag, gives the other one the turn, and waits until the other has no flag or it is its own
turn. Every line of the algorithm is an action of its own, so that the processes can interleave between any two lines.

    sweepcheck check examples/peterson.py

prints that everything holds, over 20 states. `peterson_broken.py` is the same algorithm with two lines swapped.
"""

from sweepcheck import Array, Model, require


def peterson():
    """Two processes, each idle, asking, waiting or critical."""
    m = Model("Peterson's algorithm", flag=Array([False, False]), turn=0, at=Array(["idle", "idle"]))

    @m.action(p=range(2))
    def raise_flag(s, p):
        require(s.at[p] == "idle")
        s.flag[p] = True
        s.at[p] = "asking"

    @m.action(p=range(2))
    def give_turn(s, p):
        require(s.at[p] == "asking")
        s.turn = 1 - p
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
    m.always_possible("process 0 can enter", lambda s: s.at[0] == "critical")
    m.always_possible("process 1 can enter", lambda s: s.at[1] == "critical")
    return m
