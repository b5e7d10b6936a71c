"""Algorithms written as processes, and the same ones with a program counter by hand: each pair has one graph."""

from __future__ import annotations

from typing import Any

from sweepcheck import Array, Model, Queue, choose, require


def filter_lock(n: int) -> Model:
    """Peterson's algorithm for n processes: each passes n - 1 levels, and lets the last one to come wait."""
    m = Model("filter lock", level=Array([0] * n), last=Array([0] * n))

    @m.process(p=range(n))
    def worker(s, p):
        while True:
            for level in range(1, n):
                s.level[p] = level
                yield
                s.last[level] = p
                yield "waiting"
                require(s.last[level] != p or all(s.level[q] < level for q in range(n) if q != p))
            yield "critical"
            s.level[p] = 0
            yield

    return m


def filter_lock_by_hand(n: int) -> Model:
    """The same with a program counter."""
    m = Model("filter lock", level=Array([0] * n), last=Array([0] * n), at=Array(["idle"] * n), k=Array([0] * n))

    @m.action(p=range(n))
    def begin(s, p):
        require(s.at[p] == "idle")
        s.level[p] = s.k[p] = 1
        s.at[p] = "announcing"

    @m.action(p=range(n))
    def announce(s, p):
        require(s.at[p] == "announcing")
        s.last[s.k[p]] = p
        s.at[p] = "waiting"

    @m.action(p=range(n))
    def climb(s, p):
        require(s.at[p] == "waiting")
        k = s.k[p]
        require(s.last[k] != p or all(s.level[q] < k for q in range(n) if q != p))
        if k + 1 < n:
            s.level[p] = s.k[p] = k + 1
            s.at[p] = "announcing"
        else:
            s.k[p] = 0
            s.at[p] = "critical"

    @m.action(p=range(n))
    def leave(s, p):
        require(s.at[p] == "critical")
        s.level[p] = 0
        s.at[p] = "idle"

    return m


def bakery(n: int, most: int = 3) -> Model:
    """Lamport's bakery: who has the smallest number is next; a number is found by looking at the others one by one."""
    m = Model("bakery", choosing=Array([False] * n), number=Array([0] * n))

    @m.process(p=range(n))
    def customer(s, p):
        while True:
            s.choosing[p] = True
            highest = 0
            yield
            for q in range(n):
                highest = max(highest, s.number[q])
                yield
            require(highest < most)
            s.number[p] = highest + 1
            s.choosing[p] = False
            yield
            for q in range(n):
                require(not s.choosing[q])
                yield
                require(s.number[q] == 0 or (s.number[p], p) <= (s.number[q], q))
                yield
            yield "critical"
            s.number[p] = 0
            yield

    return m


def bakery_by_hand(n: int, most: int = 3) -> Model:
    """The same with a program counter, a loop counter and the highest number so far."""
    m = Model(
        "bakery",
        choosing=Array([False] * n),
        number=Array([0] * n),
        at=Array(["idle"] * n),
        q=Array([-1] * n),
        highest=Array([-1] * n),
    )

    @m.action(p=range(n))
    def begin(s, p):
        require(s.at[p] == "idle")
        s.choosing[p] = True
        s.highest[p] = s.q[p] = 0
        s.at[p] = "looking"

    @m.action(p=range(n))
    def look(s, p):
        require(s.at[p] == "looking" and s.q[p] < n)
        s.highest[p] = max(s.highest[p], s.number[s.q[p]])
        s.q[p] += 1

    @m.action(p=range(n))
    def take_number(s, p):
        require(s.at[p] == "looking" and s.q[p] == n)
        require(s.highest[p] < most)
        s.number[p] = s.highest[p] + 1
        s.choosing[p] = False
        s.highest[p], s.q[p] = -1, 0
        s.at[p] = "queueing"

    @m.action(p=range(n))
    def pass_door(s, p):
        require(s.at[p] == "queueing" and s.q[p] < n)
        require(not s.choosing[s.q[p]])
        s.at[p] = "comparing"

    @m.action(p=range(n))
    def compare(s, p):
        require(s.at[p] == "comparing")
        q = s.q[p]
        require(s.number[q] == 0 or (s.number[p], p) <= (s.number[q], q))
        s.q[p] += 1
        s.at[p] = "queueing"

    @m.action(p=range(n))
    def enter(s, p):
        require(s.at[p] == "queueing" and s.q[p] == n)
        s.q[p] = -1
        s.at[p] = "critical"

    @m.action(p=range(n))
    def leave(s, p):
        require(s.at[p] == "critical")
        s.number[p] = 0
        s.at[p] = "idle"

    return m


def buffer(n: int, capacity: int = 3, kinds: int = 3) -> Model:
    """n producers and n consumers around a queue; what was consumed is added up modulo 7."""
    m = Model("buffer", queue=Queue(capacity=capacity), total=0)

    @m.process(p=range(n))
    def producer(s, p):
        while True:
            item = choose(range(kinds))
            yield "full hands"
            s.queue.put((p, item))
            yield

    @m.process(p=range(n))
    def consumer(s, p):  # noqa: ARG001 - which one does not matter
        while True:
            _, item = s.queue.get()
            yield "full hands"
            s.total = (s.total + item) % 7
            yield

    return m


def buffer_by_hand(n: int, capacity: int = 3, kinds: int = 3) -> Model:
    """The same with what each has in its hands."""
    m = Model("buffer", queue=Queue(capacity=capacity), total=0, produced=Array([None] * n), consumed=Array([None] * n))

    @m.action(p=range(n))
    def produce(s, p):
        require(s.produced[p] is None)
        s.produced[p] = choose(range(kinds))

    @m.action(p=range(n))
    def put(s, p):
        require(s.produced[p] is not None)
        s.queue.put((p, s.produced[p]))
        s.produced[p] = None

    @m.action(p=range(n))
    def get(s, p):
        require(s.consumed[p] is None)
        _, item = s.queue.get()
        s.consumed[p] = item

    @m.action(p=range(n))
    def consume(s, p):
        require(s.consumed[p] is not None)
        s.total = (s.total + s.consumed[p]) % 7
        s.consumed[p] = None

    return m


def _ring(n: int, **more: Any) -> tuple[Model, tuple[int, ...], Any]:
    """A ring of n processes with identities in some order, and the inbox of each."""
    identities = tuple((5 * i + 3) % n if n % 5 else n - i for i in range(n))
    m = Model("election", leader=None, **{f"inbox{i}": Queue() for i in range(n)}, **more)
    return m, identities, lambda s, i: getattr(s, f"inbox{i % n}")


def election(n: int) -> Model:
    """Leader election on a ring (Chang and Roberts, 1979): who is asleep may start, who sees its own identity wins."""
    m, identities, inbox = _ring(n)

    def send(s, i, identity):
        inbox(s, i + 1).put(identity)

    @m.process(i=range(n))
    def node(s, i):
        yield "asleep"
        mine = identities[i]
        if choose("start", "hear") == "start":
            send(s, i, mine)
        else:
            heard = inbox(s, i).get()
            send(s, i, max(mine, heard))
        while True:
            yield "awake"
            heard = inbox(s, i).get()
            if heard == identities[i]:
                s.leader = heard
                return
            if heard > identities[i]:
                yield "passing on"
                send(s, i, heard)

    return m


def election_by_hand(n: int) -> Model:
    """The same with a program counter and what is passed on."""
    m, identities, inbox = _ring(n, at=Array(["asleep"] * n), heard=Array([None] * n))

    @m.action(i=range(n))
    def start(s, i):
        require(s.at[i] == "asleep")
        inbox(s, i + 1).put(identities[i])
        s.at[i] = "awake"

    @m.action(i=range(n))
    def wake(s, i):
        require(s.at[i] == "asleep")
        heard = inbox(s, i).get()
        inbox(s, i + 1).put(max(identities[i], heard))
        s.at[i] = "awake"

    @m.action(i=range(n))
    def hear(s, i):
        require(s.at[i] == "awake")
        heard = inbox(s, i).get()
        if heard == identities[i]:
            s.leader = heard
            s.at[i] = "ended"
        elif heard > identities[i]:
            s.heard[i] = heard
            s.at[i] = "passing on"
        else:
            s.at[i] = "awake"

    @m.action(i=range(n))
    def pass_on(s, i):
        require(s.at[i] == "passing on")
        inbox(s, i + 1).put(s.heard[i])
        s.heard[i] = None
        s.at[i] = "awake"

    return m


def commit(n: int) -> Model:
    """Two-phase commit: the coordinator asks all n, each votes, and all do what it decides. Anybody may say no."""
    m = Model("commit", asked=Array([False] * n), vote=Array([None] * n), told=Array([None] * n))

    @m.process
    def coordinator(s):
        for p in range(n):
            s.asked[p] = True
            yield
        agreed = True
        for p in range(n):
            require(s.vote[p] is not None)
            if s.vote[p] == "no":
                agreed = False
                break
            yield
        for p in range(n):
            s.told[p] = "commit" if agreed else "abort"
            yield

    @m.process(p=range(n))
    def member(s, p):
        require(s.asked[p])
        yield
        s.vote[p] = choose("yes", "no")
        if s.vote[p] == "no":
            yield "aborted"
            return
        yield "prepared"
        require(s.told[p] is not None)
        if s.told[p] == "commit":
            yield "committed"
        else:
            yield "aborted"

    return m


def commit_by_hand(n: int) -> Model:
    """The same with a program counter, a loop counter and what is agreed."""
    m = Model(
        "commit",
        asked=Array([False] * n),
        vote=Array([None] * n),
        told=Array([None] * n),
        coordinator="asking",
        p=0,
        agreed=None,
        at=Array(["begin"] * n),
    )

    def tell(s, agreed):
        """The first is told in the step that decides."""
        s.told[0] = "commit" if agreed else "abort"
        s.coordinator, s.p, s.agreed = "telling", 1, agreed

    @m.action
    def ask(s):
        require(s.coordinator == "asking" and s.p < n)
        s.asked[s.p] = True
        s.p += 1

    @m.action
    def first_vote(s):
        require(s.coordinator == "asking" and s.p == n)
        collect(s, 0)

    @m.action
    def next_vote(s):
        require(s.coordinator == "collecting" and s.p < n)
        collect(s, s.p)

    def collect(s, p):
        require(s.vote[p] is not None)
        if s.vote[p] == "no":
            tell(s, False)
        else:
            s.coordinator, s.p, s.agreed = "collecting", p + 1, True

    @m.action
    def decide(s):
        require(s.coordinator == "collecting" and s.p == n)
        tell(s, True)

    @m.action
    def inform(s):
        require(s.coordinator == "telling" and s.p < n)
        s.told[s.p] = "commit" if s.agreed else "abort"
        s.p += 1

    @m.action
    def end(s):
        require(s.coordinator == "telling" and s.p == n)
        s.coordinator, s.p, s.agreed = "ended", 0, None

    @m.action(p=range(n))
    def receive(s, p):
        require(s.at[p] == "begin" and s.asked[p])
        s.at[p] = "asked"

    @m.action(p=range(n))
    def vote(s, p):
        require(s.at[p] == "asked")
        s.vote[p] = choose("yes", "no")
        s.at[p] = "aborted" if s.vote[p] == "no" else "prepared"

    @m.action(p=range(n))
    def obey(s, p):
        require(s.at[p] == "prepared")
        require(s.told[p] is not None)
        s.at[p] = "committed" if s.told[p] == "commit" else "aborted"

    @m.action(p=range(n))
    def leave(s, p):
        require(s.at[p] in ("committed", "aborted"))
        s.at[p] = "ended"

    return m


PAIRS = {
    "filter lock": (filter_lock, filter_lock_by_hand),
    "bakery": (bakery, bakery_by_hand),
    "buffer": (buffer, buffer_by_hand),
    "election": (election, election_by_hand),
    "commit": (commit, commit_by_hand),
}
