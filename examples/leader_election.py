"""Leader election in a ring (Chang and Roberts, 1979): the process with the greatest identity wins.

Each process may wake up and send its identity to its right neighbour. A process passes greater identities on, swallows
smaller ones (but sends its own if it was still asleep), and is the leader when its own identity comes back. Channels
are first-in-first-out queues, one for each process.

    sweepcheck check examples/leader_election.py

prints that the right leader, and no other, is always elected in the end: 71 states, of which the sweep stores at most
27 at once.

Progress is how far the identities have travelled, summed up: every step carries one of them on or ends its journey.
"""

from sweepcheck import Array, Model, Queue, require


def leader_election(identities=(2, 4, 1, 3)):
    """A ring of processes with these distinct identities; each sends to the one after it."""
    n = len(identities)
    m = Model("leader election", awake=Array([False] * n), inbox=Array(Queue(), shape=n), leader=None)

    @m.action(i=range(n))
    def wake_up(s, i):
        require(not s.awake[i])
        s.awake[i] = True
        s.inbox[(i + 1) % n].put(identities[i])

    @m.action(i=range(n))
    def receive(s, i):
        identity = s.inbox[i].get()
        if identity == identities[i]:
            s.leader = identity
        elif identity > identities[i]:
            s.inbox[(i + 1) % n].put(identity)
        elif not s.awake[i]:
            s.inbox[(i + 1) % n].put(identities[i])
        s.awake[i] = True

    def travelled(s, i):
        """How many hops the identity of process i has made; n + 1 once it was swallowed or came home."""
        hops = (hop for hop in range(1, n + 1) if identities[i] in s.inbox[(i + hop) % n])
        return next(hops, n + 1) if s.awake[i] else 0

    m.progress(lambda s: sum(travelled(s, i) for i in range(n)), span=(0, n * (n + 1)))
    m.invariant("only the greatest is elected", lambda s: s.leader in (None, max(identities)))
    m.deadlock(final=lambda s: s.leader is not None)
    m.always_eventually("a leader is elected", lambda s: s.leader is not None)
    m.step("a leader stays", lambda old, new: old.leader is None or new.leader == old.leader)
    return m
