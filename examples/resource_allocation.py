"""Resource allocation: Jensen's classic net of two kinds of processes that share three kinds of resources.

After K. Jensen, Coloured Petri Nets (1992). Processes of kind q go round A, B, C, D, E; those of kind p go round
B, C, D, E. On the way they take resources and give them back: what an arc moves depends on the kind of the process.

    sweepcheck check examples/resource_allocation.py

counts 13 markings and 20 edges. No marking is dead, and from each of them the first one can be reached again. (The
book's counters of rounds are left out: they make the net infinite.)

    sweepcheck check examples/resource_allocation.py -p s=4

gives the processes one resource more, and finds a deadlock: now two processes of kind p get as far as D, where each
holds one of the two resources of kind t and waits for the other.
"""

from sweepcheck import Net


def resource_allocation(p=2, q=3, r=1, s=3, t=2):
    """`p` and `q` processes of each kind; `r`, `s` and `t` resources of each kind."""
    net = Net("resource allocation")
    kind = {"p", "q"}
    a = net.place("A", kind, ["q"] * q)
    b = net.place("B", kind, ["p"] * p)
    c, d, e = (net.place(name, kind) for name in "CDE")
    free_r, free_s, free_t = net.place("R", initial=r), net.place("S", initial=s), net.place("T", initial=t)

    net.transition("T1", a.take("x"), free_r.take("()"), free_s.take("()"), b.put("x"))
    net.transition("T2", b.take("x"), free_s.take("2*() if x == 'p' else ()"), c.put("x"))
    net.transition("T3", c.take("x"), free_t.take("()"), d.put("x"), free_r.put("() if x == 'q' else {}"))
    net.transition("T4", d.take("x"), free_t.take("() if x == 'p' else {}"), e.put("x"))
    net.transition(
        "T5",
        e.take("x"), a.put("x if x == 'q' else {}"), b.put("x if x == 'p' else {}"),
        free_s.put("2*()"), free_t.put("2*() if x == 'p' else ()"),
    )  # fmt: skip

    def busy(m, *weights):
        """The resources that processes hold: pairs of a kind and what it holds at each place."""
        return sum(count * m[name].count(x) for x, held in weights for name, count in held.items())

    net.invariant("no r is lost", lambda m: len(m.R) + busy(m, ("q", {"B": 1, "C": 1})) == r)
    net.invariant(
        "no s is lost",
        lambda m: len(m.S) + busy(m, ("p", {"C": 2, "D": 2, "E": 2}), ("q", {"B": 1, "C": 2, "D": 2, "E": 2})) == s,
    )
    net.invariant("no t is lost", lambda m: len(m.T) + busy(m, ("p", {"D": 1, "E": 2}), ("q", {"D": 1, "E": 1})) == t)
    net.deadlock()
    net.always_possible("back to the start", lambda m: m.A.count("q") == q and m.B.count("p") == p)
    return net
