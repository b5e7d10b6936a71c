"""Two-phase commit with voters that nobody can tell apart: what does not depend on their names is asked once.

A coordinator collects the votes of `n` voters, commits when all have said yes, and may give up before that. Shows a
symmetric set, `m.symmetric(range(n), arrays=[...])`: of all states that differ only in which voter is which, one is
explored.

    sweepcheck check examples/atomic_commit.py -p n=6
    sweepcheck explore examples/atomic_commit.py -p n=6 --no-equivalence

The first explores 301 classes, the second all 19,785 states.

    sweepcheck check examples/atomic_commit.py -p hasty=True

has a coordinator that commits when most have said yes, and finds a voter that aborts while others commit.
"""

from sweepcheck import Array, Model, require


def atomic_commit(n=5, hasty=False):
    """`n` voters; a `hasty` coordinator does not wait for the last vote."""
    m = Model("two-phase commit", decision=None, voter=Array(["working"] * n), heard=Array([False] * n))

    @m.action(i=range(n))
    def vote_yes(s, i):
        require(s.voter[i] == "working")
        s.voter[i] = "ready"

    @m.action(i=range(n))
    def vote_no(s, i):
        require(s.voter[i] == "working")
        s.voter[i] = "aborted"

    @m.action(i=range(n))
    def hear(s, i):
        require(s.decision is None and s.voter[i] == "ready" and not s.heard[i])
        s.heard[i] = True

    @m.action
    def commit(s):
        require(s.decision is None and sum(s.heard) >= n - hasty)
        s.decision = "committed"

    @m.action
    def give_up(s):
        require(s.decision is None)
        s.decision = "aborted"

    @m.action(i=range(n))
    def obey(s, i):
        require(s.voter[i] == "ready" and s.decision is not None)
        s.voter[i] = s.decision

    m.symmetric(range(n), arrays=["voter", "heard"])
    m.progress(lambda s: (s.decision is not None, sum(at != "working" for at in s.voter), sum(s.heard)))
    m.invariant("all or nothing", lambda s: not ("committed" in s.voter and "aborted" in s.voter))
    m.deadlock(final=lambda s: all(at in ("committed", "aborted") for at in s.voter))
    m.always_possible("everybody is done", lambda s: all(at in ("committed", "aborted") for at in s.voter))
    m.reachable("everybody commits", lambda s: all(at == "committed" for at in s.voter))
    return m
