"""Mutual exclusion by logical clocks (Lamport, 1978): whoever asked first, by the clocks, goes first.

After the specification LamportMutex in the TLA+ examples (github.com/tlaplus/Examples). Every process tells all others
when it asks and when it leaves; each keeps the requests it knows of. A process enters when all have answered and its
request is the oldest it knows. Channels between two processes keep the order. Clocks stop at a limit, to have an end.

    sweepcheck check examples/ports/lamport_mutex.py -p top=3

checks that two are never inside and that channels hold at most three messages. With three processes and clocks up to 6
there are 724,274 states, as TLC finds.
"""

from sweepcheck import Array, Model, Queue, Record, Set, require


def lamport_mutex(n=3, top=6):
    """`n` processes whose clocks go up to `top`."""
    others = [[q for q in range(n) if q != p] for p in range(n)]
    m = Model(
        "lamport mutex",
        process=Array(Record(clock=1, requests=Array(0, shape=n), acknowledged=Set()), shape=n),
        channel=Array(Queue(), shape=(n, n)),
        inside=Set(),
    )

    @m.action(p=range(n))
    def ask(s, p):
        me = s.process[p]
        require(me.requests[p] == 0)
        me.requests[p] = me.clock
        me.acknowledged = Set([p])
        for q in others[p]:
            s.channel[p, q].put(("request", me.clock))

    @m.action(p=range(n), q=range(n))
    def receive(s, p, q):
        require(p != q)
        kind, clock = s.channel[q, p].get()
        me = s.process[p]
        if kind == "request":
            me.requests[q] = clock
            me.clock = max(clock, me.clock) + 1
            require(me.clock <= top)
            s.channel[p, q].put(("answer", 0))
        elif kind == "answer":
            me.acknowledged.add(q)
        else:
            me.requests[q] = 0

    @m.action(p=range(n))
    def enter(s, p):
        known = s.process[p].requests
        require(len(s.process[p].acknowledged) == n)
        require(all(known[q] == 0 or (known[p], p) < (known[q], q) for q in others[p]))
        s.inside.add(p)

    @m.action(p=range(n))
    def leave(s, p):
        s.inside.take(p)
        s.process[p].requests[p] = 0
        s.process[p].acknowledged.clear()
        for q in others[p]:
            s.channel[p, q].put(("release", 0))

    m.progress(lambda s: sum(one.clock for one in s.process))
    m.invariant("mutual exclusion", lambda s: len(s.inside) <= 1)
    m.invariant("channels are short", lambda s: all(len(queue) <= 3 for row in s.channel for queue in row))
    return m
