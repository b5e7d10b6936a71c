"""Termination detection in a ring (Dijkstra, Feijen and van Gasteren, EWD 840): has everybody stopped working?

After the specification EWD840 in the TLA+ examples (github.com/tlaplus/Examples). Active nodes wake others up and may
stop at any time. A token goes round; nodes that woke up one with a higher number stain it. When it comes back white to
node 0, which is itself white and passive, all are passive. Everything but the token's colour is arbitrary at first.

    sweepcheck check examples/ports/termination_detection.py

finds 302 states, as TLC does for three nodes, in which detection is never wrong, and certain once all are passive.
"""

from sweepcheck import Array, Model, Record, choose, require


def termination_detection(n=3):
    """A ring of `n` nodes; the token goes from each to the one before it."""
    m = Model(
        "termination detection",
        node=Array(Record(active=False, colour="white"), shape=n),
        token=Record(at=0, colour="black"),
    )

    @m.start
    def anything(s):
        s.token.at = choose(range(n))
        for i in range(n):
            s.node[i].active = choose(False, True)
            s.node[i].colour = choose("white", "black")

    @m.action(fair=True)
    def initiate_probe(s):
        require(s.token.at == 0 and "black" in (s.token.colour, s.node[0].colour))
        s.token = Record(at=n - 1, colour="white")
        s.node[0].colour = "white"

    @m.action(i=range(1, n), fair=True)
    def pass_token(s, i):
        require(s.token.at == i)
        require(not s.node[i].active or "black" in (s.node[i].colour, s.token.colour))
        s.token.at = i - 1
        if s.node[i].colour == "black":
            s.token.colour = "black"
        s.node[i].colour = "white"

    @m.action(i=range(n), j=range(n))
    def send(s, i, j):
        require(i != j and s.node[i].active)
        s.node[j].active = True
        if j > i:
            s.node[i].colour = "black"

    @m.action(i=range(n))
    def deactivate(s, i):
        require(s.node[i].active)
        s.node[i].active = False

    def terminated(s):
        return not any(node.active for node in s.node)

    def detected(s):
        return s.token == Record(at=0, colour="white") and s.node[0] == Record(active=False, colour="white")

    @m.invariant("Dijkstra's invariant")
    def inductive(s):
        return (
            not any(s.node[i].active for i in range(s.token.at + 1, n))
            or any(s.node[i].colour == "black" for i in range(s.token.at + 1))
            or s.token.colour == "black"
        )

    m.invariant("detection is right", lambda s: terminated(s) or not detected(s))
    m.always_eventually("detected or still working", lambda s: detected(s) or not terminated(s))
    m.always_possible("detection", detected)
    return m
