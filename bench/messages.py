"""What it costs to go through a set or queue of messages, as in TLA+: `python -m bench.messages`.

Each model is written twice: naturally, with comprehensions over all messages, and by hand, with questions about one
message at a time. CPU seconds, the least of some rounds: natural, the same without parts of sets (as it was once), and
by hand.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from sweepcheck import Array, Model, Queue, Set, check, choose, require
from sweepcheck.engines.native import folds

ROUNDS = 3


class Message(NamedTuple):
    """What is sent: to nobody in particular, and never taken away."""

    kind: str
    nr: int
    source: int = -1
    number: int = -1
    value: int = -1


# -- Paxos ------------------------------------------------------------------------------------------------------------

ACCEPTORS, VALUES = range(3), (0, 1)
QUORUMS = [(0, 1), (0, 2), (1, 2)]


def paxos(by_hand: bool, ballots: int) -> Model:  # noqa: PLR0915 - every action twice
    """One decree, three acceptors."""
    m = Model("paxos", sent=Set(), promised=Array([-1] * 3), voted=Array([-1] * 3), value=Array([-1] * 3))

    @m.action(b=range(ballots))
    def prepare(s: Any, b: int) -> None:
        require(Message("1a", b) not in s.sent)
        s.sent.add(Message("1a", b))

    def promise(s: Any, a: int) -> None:
        x = choose([x for x in s.sent if x.kind == "1a" and x.nr > s.promised[a]])
        s.promised[a] = x.nr
        s.sent.add(Message("1b", x.nr, a, s.voted[a], s.value[a]))

    def promise_by_hand(s: Any, a: int, b: int) -> None:
        require(b > s.promised[a])
        require(Message("1a", b) in s.sent)
        s.promised[a] = b
        s.sent.add(Message("1b", b, a, s.voted[a], s.value[a]))

    def propose(s: Any, b: int, v: int) -> None:
        require(not any(x.kind == "2a" and x.nr == b for x in s.sent))
        quorum = choose(QUORUMS)
        promises = [x for x in s.sent if x.kind == "1b" and x.nr == b and x.source in quorum]
        require({x.source for x in promises} == set(quorum))
        last = max(x.number for x in promises)
        require(last == -1 or any(x.number == last and x.value == v for x in promises))
        s.sent.add(Message("2a", b, value=v))

    def propose_by_hand(s: Any, b: int, v: int) -> None:
        require(not any(Message("2a", b, value=one) in s.sent for one in VALUES))
        quorum = choose(QUORUMS)
        voted = [(-1, -1), *((n, one) for n in range(b) for one in VALUES)]
        promises = []
        for a in quorum:
            found = [(n, one) for n, one in voted if Message("1b", b, a, n, one) in s.sent]
            require(found)
            promises += found
        last = max(n for n, _ in promises)
        require(last == -1 or (last, v) in promises)
        s.sent.add(Message("2a", b, value=v))

    def accept(s: Any, a: int) -> None:
        x = choose([x for x in s.sent if x.kind == "2a" and x.nr >= s.promised[a]])
        require(Message("2b", x.nr, a, value=x.value) not in s.sent)
        s.promised[a] = s.voted[a] = x.nr
        s.value[a] = x.value
        s.sent.add(Message("2b", x.nr, a, value=x.value))

    def accept_by_hand(s: Any, a: int, b: int, v: int) -> None:
        require(b >= s.promised[a])
        require(Message("2a", b, value=v) in s.sent)
        require(Message("2b", b, a, value=v) not in s.sent)
        s.promised[a] = s.voted[a] = b
        s.value[a] = v
        s.sent.add(Message("2b", b, a, value=v))

    if by_hand:
        m.action(a=ACCEPTORS, b=range(ballots))(promise_by_hand)
        m.action(b=range(ballots), v=VALUES)(propose_by_hand)
        m.action(a=ACCEPTORS, b=range(ballots), v=VALUES)(accept_by_hand)
    else:
        m.action(a=ACCEPTORS)(promise)
        m.action(b=range(ballots), v=VALUES)(propose)
        m.action(a=ACCEPTORS)(accept)

    def voted(s: Any, a: int, b: int, v: int) -> bool:
        if by_hand:
            return Message("2b", b, a, value=v) in s.sent
        return any(x.kind == "2b" and x.source == a and x.nr == b and x.value == v for x in s.sent)

    def chosen(s: Any, v: int) -> bool:
        return any(all(voted(s, a, b, v) for a in q) for b in range(ballots) for q in QUORUMS)

    m.invariant("agreement", lambda s: not (chosen(s, 0) and chosen(s, 1)))
    return m


# -- two-phase commit -------------------------------------------------------------------------------------------------


def commit(by_hand: bool, n: int) -> Model:
    """Resource managers that prepare or abort, and one who decides."""
    m = Model("commit", at=Array(["working"] * n), sent=Set(), decided="no")

    @m.action(i=range(n))
    def get_ready(s: Any, i: int) -> None:
        require(s.at[i] == "working")
        s.at[i] = "prepared"
        s.sent.add(("prepared", i))

    @m.action(i=range(n))
    def give_up(s: Any, i: int) -> None:
        require(s.at[i] == "working")
        s.at[i] = "aborted"
        s.sent.add(("aborted", i))

    @m.action
    def decide(s: Any) -> None:
        require(s.decided == "no")
        if by_hand:
            require(all(("prepared", i) in s.sent for i in range(n)))
        else:
            require(len({who for kind, who in s.sent if kind == "prepared"}) == n)
        s.decided = "commit"
        s.sent.add(("commit", -1))

    @m.action
    def cancel(s: Any) -> None:
        require(s.decided == "no")
        s.decided = "abort"
        s.sent.add(("abort", -1))

    @m.action(i=range(n))
    def learn(s: Any, i: int) -> None:
        require(s.at[i] in ("working", "prepared"))
        if by_hand:
            kind = choose([kind for kind in ("abort", "commit") if (kind, -1) in s.sent])
        else:
            kind = choose([kind for kind, _ in s.sent if kind in ("commit", "abort")])
        s.at[i] = "committed" if kind == "commit" else "aborted"

    m.invariant("consistent", lambda s: not ("committed" in s.at and "aborted" in s.at))
    return m


# -- an election ------------------------------------------------------------------------------------------------------


def election(by_hand: bool, n: int) -> Model:
    """Terms, requests for votes, and votes: the first half of Raft."""
    terms = range(1, 3)
    m = Model("election", term=Array([0] * n), leads=Array([False] * n), sent=Set())

    @m.action(i=range(n))
    def stand(s: Any, i: int) -> None:
        require(s.term[i] < terms[-1])
        s.term[i] += 1
        s.leads[i] = False
        s.sent.add(Message("request", s.term[i], i))
        s.sent.add(Message("vote", s.term[i], i, i))

    def vote(s: Any, i: int) -> None:
        x = choose([x for x in s.sent if x.kind == "request" and x.nr >= s.term[i] and x.source != i])
        require(not any(y.kind == "vote" and y.nr == x.nr and y.source == i for y in s.sent))
        s.term[i] = x.nr
        s.sent.add(Message("vote", x.nr, i, x.source))

    def vote_by_hand(s: Any, i: int, j: int, t: int) -> None:
        require(i != j and t >= s.term[i])
        require(Message("request", t, j) in s.sent)
        require(not any(Message("vote", t, i, k) in s.sent for k in range(n)))
        s.term[i] = t
        s.sent.add(Message("vote", t, i, j))

    def lead(s: Any, i: int) -> None:
        require(not s.leads[i] and s.term[i] > 0)
        t = s.term[i]
        votes = len([x for x in s.sent if x.kind == "vote" and x.nr == t and x.number == i])
        require(2 * votes > n)
        s.leads[i] = True

    def lead_by_hand(s: Any, i: int) -> None:
        require(not s.leads[i] and s.term[i] > 0)
        votes = sum(Message("vote", s.term[i], j, i) in s.sent for j in range(n))
        require(2 * votes > n)
        s.leads[i] = True

    if by_hand:
        m.action(i=range(n), j=range(n), t=terms)(vote_by_hand)
    else:
        m.action(i=range(n))(vote)
    m.action(i=range(n))(lead_by_hand if by_hand else lead)
    m.invariant(
        "one leader",
        lambda s: all(not (s.leads[i] and s.leads[j]) or s.term[i] != s.term[j] for i in range(n) for j in range(i)),
    )
    return m


# -- gossip -----------------------------------------------------------------------------------------------------------


def gossip(by_hand: bool, n: int) -> Model:
    """Everybody tells others all that he knows."""
    m = Model("gossip", told=Set((i, i) for i in range(n)), calls=0)

    @m.action(i=range(n), j=range(n))
    def tell(s: Any, i: int, j: int) -> None:
        require(i != j)
        if by_hand:
            news = [what for what in range(n) if (i, what) in s.told and (j, what) not in s.told]
            require(news)
            for what in news:
                s.told.add((j, what))
        else:
            known = [what for who, what in s.told if who == i]
            news = [what for what in known if (j, what) not in s.told]
            require(news)
            for what in news:
                s.told.add((j, what))

    def informed(s: Any, i: int) -> bool:
        if by_hand:
            return all((i, what) in s.told for what in range(n))
        return len([1 for who, _ in s.told if who == i]) == n

    m.invariant("known", lambda s: all(informed(s, i) for i in range(n)) or not all(informed(s, i) for i in range(n)))
    return m


# -- mutual exclusion -------------------------------------------------------------------------------------------------


def exclusion(by_hand: bool, n: int) -> Model:
    """Requests with times, acknowledged by all others: the earliest one enters."""
    most = 3
    m = Model("exclusion", clock=Array([0] * n), asked=Array([0] * n), inside=Array([False] * n), sent=Set(), done=0)

    @m.action(i=range(n))
    def ask(s: Any, i: int) -> None:
        require(s.asked[i] == 0 and s.clock[i] < most)
        s.clock[i] += 1
        s.asked[i] = s.clock[i]
        s.sent.add(Message("ask", s.clock[i], i))

    def answer(s: Any, i: int) -> None:
        x = choose([x for x in s.sent if x.kind == "ask" and x.source != i])
        require(Message("ack", x.nr, i, x.source) not in s.sent)
        s.clock[i] = max(s.clock[i], x.nr)
        s.sent.add(Message("ack", x.nr, i, x.source))

    def answer_by_hand(s: Any, i: int) -> None:
        x = s.sent.peek(where=lambda x: x.kind == "ask" and x.source != i)
        require(Message("ack", x.nr, i, x.source) not in s.sent)
        s.clock[i] = max(s.clock[i], x.nr)
        s.sent.add(Message("ack", x.nr, i, x.source))

    m.action(i=range(n))(answer_by_hand if by_hand else answer)

    @m.action(i=range(n))
    def enter(s: Any, i: int) -> None:
        t = s.asked[i]
        require(t and not s.inside[i])
        if by_hand:
            require(all(Message("ack", t, j, i) in s.sent for j in range(n) if j != i))
            earlier = (Message("ask", u, j) for u in range(1, t + 1) for j in range(n) if (u, j) < (t, i))
            require(not any(one in s.sent for one in earlier))
        else:
            require(len({x.source for x in s.sent if x.kind == "ack" and x.nr == t and x.number == i}) == n - 1)
            require(all((x.nr, x.source) >= (t, i) for x in s.sent if x.kind == "ask"))
        s.inside[i] = True

    @m.action(i=range(n))
    def leave(s: Any, i: int) -> None:
        require(s.inside[i])
        s.inside[i] = False
        s.sent.discard(Message("ask", s.asked[i], i))
        s.asked[i] = 0

    m.invariant("exclusive", lambda s: sum(s.inside) <= 1)
    return m


# -- readers and writers ----------------------------------------------------------------------------------------------


def readers_writers(by_hand: bool, n: int) -> Model:
    """Who wants to read or write waits in a line. By hand it is noted beside the line who does."""
    m = Model(
        "readers and writers",
        readers=Set(),
        writers=Set(),
        line=Queue(),
        waits=Array([False] * (2 * n if by_hand else 0)),
    )

    def join(s: Any, who: int, kind: str) -> None:
        if by_hand:
            place = who + n * (kind == "write")
            require(not s.waits[place])
            s.waits[place] = True
        else:
            require(who not in {one for wanted, one in s.line if wanted == kind})
        s.line.put((kind, who))

    m.action(who=range(n), kind=("read", "write"))(join)

    @m.action
    def serve(s: Any) -> None:
        kind, who = s.line.get()
        require(not s.writers and (kind == "read" or not s.readers))
        (s.readers if kind == "read" else s.writers).add(who)
        if by_hand:
            s.waits[who + n * (kind == "write")] = False

    def stop(s: Any) -> None:
        who = choose(s.readers)
        s.readers.discard(who)

    def stop_by_hand(s: Any) -> None:
        s.readers.take()

    m.action(stop_by_hand if by_hand else stop)

    @m.action
    def stop_writing(s: Any) -> None:
        s.writers.take()

    m.invariant("safe", lambda s: len(s.writers) <= 1 and not (len(s.readers) and len(s.writers)))
    return m


# -- an election on a ring --------------------------------------------------------------------------------------------


def ring(by_hand: bool, n: int) -> Model:
    """Chang and Roberts: numbers go round, and a node passes on those below its own."""
    m = Model("ring", to=Array(Set(), shape=n), begun=Array([False] * n), state=Array(["candidate"] * n))

    @m.action(i=range(n))
    def begin(s: Any, i: int) -> None:
        require(not s.begun[i])
        s.begun[i] = True
        s.to[(i + 1) % n].add(i)

    @m.action(i=range(n))
    def handle(s: Any, i: int) -> None:
        require(s.begun[i])
        if by_hand:
            nr = s.to[i].take()
        else:
            nr = choose(s.to[i])
            s.to[i].discard(nr)
        if nr == i:
            s.state[i] = "leader"
        elif s.state[i] == "lost" or nr < i:
            s.state[i] = "lost"
            s.to[(i + 1) % n].add(nr)

    m.invariant("one leader", lambda s: s.state.count("leader") <= 1)
    return m


MODELS: dict[str, tuple[Callable[[bool, int], Model], int]] = {
    "Paxos": (paxos, 2),
    "two-phase commit": (commit, 6),
    "election": (election, 3),
    "gossip": (gossip, 4),
    "mutual exclusion": (exclusion, 2),
    "readers, writers": (readers_writers, 3),
    "ring": (ring, 7),
}


def seconds(model: Model, parts: bool) -> tuple[float, Any]:
    """CPU time of one run, and its states."""
    before, folds.SIFT = folds.SIFT, parts
    try:
        started = time.process_time()
        states = check(model, engine="native", workers=1).statistics.states
        return time.process_time() - started, states
    finally:
        folds.SIFT = before


def main() -> None:
    """Print a row for each model."""
    print(f"{'':18}{'states':>10}{'natural':>12}{'no parts':>12}{'by hand':>12}")
    for name, (make, size) in MODELS.items():
        ways = ((False, True), (False, False), (True, True))
        runs = [[seconds(make(by_hand, size), parts) for by_hand, parts in ways] for _ in range(ROUNDS)]
        states = {found for run in runs for _, found in run}
        times = [min(run[way][0] for run in runs) for way in range(len(ways))]
        print(f"{name:18}{'/'.join(map(str, states)):>10}" + "".join(f"{one:>11.3f}s" for one in times))


if __name__ == "__main__":
    main()
