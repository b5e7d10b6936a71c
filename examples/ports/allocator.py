"""A scheduling allocator (Merz): clients ask for sets of resources, and get them in the order of a schedule.

After the specification SchedulingAllocator in the TLA+ examples (github.com/tlaplus/Examples). A client may ask when it
holds nothing and waits for nothing. Now and then the allocator appends all clients that wait to its schedule, in any
order. A resource goes to a client when nobody earlier in the schedule waits for it; parts of a request may be granted.
Clients may give back what they hold at any time, and do so in the end once they wait for nothing more.

    sweepcheck check examples/ports/allocator.py

finds 1,690 states, as TLC does for three clients and two resources, and that every client is satisfied in the end.
"""

from itertools import combinations, permutations

from sweepcheck import Map, Model, Queue, Set, choose, require


def subsets(elements):
    """All but the empty one, as tuples."""
    elements = sorted(elements)
    return [some for size in range(1, len(elements) + 1) for some in combinations(elements, size)]


def allocator(clients=("c1", "c2", "c3"), resources=("r1", "r2")):
    """Clients that share these resources."""
    m = Model("allocator", waits=Map(clients, Set()), holds=Map(clients, Set()), schedule=Queue())

    @m.action(c=clients)
    def request(s, c):
        require(not s.waits[c] and not s.holds[c])
        wanted = choose(subsets(resources))
        s.waits[c] = Set(wanted)

    @m.action(c=clients, fair=True)
    def allocate(s, c):
        require(c in s.schedule)
        before = list(s.schedule)[: list(s.schedule).index(c)]
        free = [r for r in s.waits[c] if not any(r in s.holds[other] for other in clients)]
        granted = choose(subsets(r for r in free if not any(r in s.waits[other] for other in before)))
        for r in granted:
            s.waits[c].discard(r)
            s.holds[c].add(r)
        if not s.waits[c]:
            after = [other for other in s.schedule if other != c]
            s.schedule.clear()
            for other in after:
                s.schedule.put(other)

    @m.action(c=clients)
    def give_some_back(s, c):
        returned = choose(subsets(s.holds[c]))
        require(s.waits[c] or len(returned) < len(s.holds[c]))
        for r in returned:
            s.holds[c].discard(r)

    @m.action(c=clients, fair=True)
    def give_all_back(s, c):
        require(s.holds[c] and not s.waits[c])
        s.holds[c].clear()

    @m.action(fair=True)
    def extend_schedule(s):
        new = [c for c in clients if s.waits[c] and c not in s.schedule]
        require(new)
        order = choose(permutations(new))
        for c in order:
            s.schedule.put(c)

    m.invariant("one holder", lambda s: all(sum(r in s.holds[c] for c in clients) <= 1 for r in resources))
    m.invariant("who is scheduled waits", lambda s: all(s.waits[c] for c in s.schedule))

    @m.invariant
    def nobody_holds_what_an_earlier_one_waits_for(s):
        order = list(s.schedule)
        return not any(r in s.waits[a] for a, b in combinations(order, 2) for r in s.holds[b])

    for c in clients:
        m.always_eventually(f"{c} waits for nothing", lambda s, c=c: not s.waits[c])
    return m
