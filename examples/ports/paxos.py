"""Paxos (Lamport): acceptors agree on one value, although messages may be lost, late and received twice.

After the specification Paxos in the TLA+ examples (github.com/tlaplus/Examples, PaxosHowToWinATuringAward). Messages
are records in a set that only grows: one that nobody reads is one that was lost. Whether a message has been sent is
asked of the set; a proposer has to go through all of them.

    sweepcheck check examples/ports/paxos.py

finds 3,921 states, as TLC does for three acceptors, two values and the ballots 0 and 1, and that never two values are
chosen. The number of messages is a measure of progress, since none is ever taken back.
"""

from itertools import combinations

from sweepcheck import Map, Model, Record, Set, choose, require


def paxos(acceptors=("a1", "a2", "a3"), values=("v1", "v2"), ballots=2):
    """Quorums are the smallest majorities of the `acceptors`; ballots are numbered from 0."""
    quorums = list(combinations(acceptors, len(acceptors) // 2 + 1))
    m = Model("paxos", acceptor=Map(acceptors, Record(ballot=-1, voted=-1, value=None)), messages=Set())

    def prepared(ballot):
        return Record(kind="prepare", ballot=ballot)

    def proposed(ballot, value):
        return Record(kind="propose", ballot=ballot, value=value)

    def accepted(a, ballot, value):
        return Record(kind="accept", acceptor=a, ballot=ballot, value=value)

    @m.action(ballot=range(ballots))
    def prepare(s, ballot):
        s.messages.add(prepared(ballot))

    @m.action(a=acceptors, ballot=range(ballots))
    def promise(s, a, ballot):
        mine = s.acceptor[a]
        require(prepared(ballot) in s.messages and ballot > mine.ballot)
        mine.ballot = ballot
        s.messages.add(Record(kind="promise", acceptor=a, ballot=ballot, voted=mine.voted, value=mine.value))

    @m.action(ballot=range(ballots), value=values)
    def propose(s, ballot, value):
        require(not any(proposed(ballot, other) in s.messages for other in values))
        quorum = choose(quorums)
        promises = [
            one for one in s.messages if one.kind == "promise" and one.ballot == ballot and one.acceptor in quorum
        ]
        require({one.acceptor for one in promises} == set(quorum))
        latest = max(promises, key=lambda one: one.voted)
        require(latest.voted == -1 or latest.value == value)
        s.messages.add(proposed(ballot, value))

    @m.action(a=acceptors, ballot=range(ballots), value=values)
    def accept(s, a, ballot, value):
        require(proposed(ballot, value) in s.messages and ballot >= s.acceptor[a].ballot)
        s.acceptor[a] = Record(ballot=ballot, voted=ballot, value=value)
        s.messages.add(accepted(a, ballot, value))

    def is_chosen(s, value):
        """Whether all of a quorum have accepted the value in one ballot."""
        return any(
            all(accepted(a, ballot, value) in s.messages for a in quorum)
            for ballot in range(ballots)
            for quorum in quorums
        )

    @m.invariant("who accepted remembers")
    def remembered(s):
        return all(one.voted == -1 or accepted(a, one.voted, one.value) in s.messages for a, one in s.acceptor.items())

    m.progress(lambda s: len(s.messages))
    m.invariant("one value is chosen", lambda s: sum(is_chosen(s, value) for value in values) <= 1)
    m.invariant(
        "one proposal a ballot",
        lambda s: all(sum(proposed(b, value) in s.messages for value in values) <= 1 for b in range(ballots)),
    )
    m.invariant("promises are kept", lambda s: all(one.voted <= one.ballot for one in s.acceptor.values()))
    return m
