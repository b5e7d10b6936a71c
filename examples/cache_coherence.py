"""A directory of caches, after the protocol by Steven German: `n` clients, one may write, or several may read.

Each client has three channels: requests to the directory, what the directory tells it, and answers to that. The
directory serves one request at a time, and keeps whose it is. So the members of the symmetric set `range(n)`
are not only where arrays have elements, they are also values of the variable `client`.

    sweepcheck check examples/cache_coherence.py
    sweepcheck explore examples/cache_coherence.py --no-equivalence

The first explores 4,525 classes, the second all 25,110 states. With four clients it is 25,481 of 504,360.

    sweepcheck check examples/cache_coherence.py -p n=3 -p hasty=True

has a directory that lets a client write before all others have answered, and finds two writers.
"""

from sweepcheck import Array, Model, require


def cache_coherence(n=3, hasty=False):
    """`n` clients; a `hasty` directory does not wait for those whose copies are invalid now."""
    m = Model(
        "cache coherence",
        cache=Array(["invalid"] * n),
        request=Array([None] * n),  # from a client to the directory
        told=Array([None] * n),  # from the directory to a client
        answered=Array([False] * n),
        sharer=Array([False] * n),  # as the directory knows
        to_tell=Array([False] * n),  # sharers that have to be told that their copies are invalid
        serving=None,  # the request that is served, and the client it is from
        client=None,
        exclusive=False,
    )
    m.symmetric(range(n), arrays=["cache", "request", "told", "answered", "sharer", "to_tell"], values=["client"])
    clients(m, n)
    directory(m, n, hasty)

    def readers(s):
        return sum(copy != "invalid" for copy in s.cache)

    m.invariant("a writer is alone", lambda s: "exclusive" not in s.cache or readers(s) == 1)
    m.deadlock()
    m.always_possible("somebody can write", lambda s: "exclusive" in s.cache)
    return m


def clients(m, n):
    """What clients do."""

    @m.action(i=range(n))
    def ask_to_read(s, i):
        require(s.cache[i] == "invalid" and s.request[i] is None)
        s.request[i] = "read"

    @m.action(i=range(n))
    def ask_to_write(s, i):
        require(s.cache[i] != "exclusive" and s.request[i] is None)
        s.request[i] = "write"

    @m.action(i=range(n))
    def give_up_copy(s, i):
        require(s.told[i] == "invalidate" and not s.answered[i])
        s.told[i] = None
        s.answered[i] = True
        s.cache[i] = "invalid"

    @m.action(i=range(n))
    def get_copy(s, i):
        require(s.told[i] in ("shared", "exclusive"))
        s.cache[i] = s.told[i]
        s.told[i] = None


def directory(m, n, hasty):
    """What the directory does."""

    @m.action(i=range(n))
    def serve(s, i):
        require(s.serving is None and s.request[i] is not None)
        s.serving = s.request[i]
        s.client = i
        s.request[i] = None
        for j in range(n):
            s.to_tell[j] = s.sharer[j]

    @m.action(i=range(n))
    def invalidate(s, i):
        require(s.serving == "write" or (s.serving == "read" and s.exclusive))
        require(s.to_tell[i] and s.told[i] is None)
        s.to_tell[i] = False
        s.told[i] = "invalidate"

    @m.action(i=range(n))
    def get_answer(s, i):
        require(s.serving is not None and s.answered[i])
        s.answered[i] = False
        s.sharer[i] = False
        s.exclusive = False

    @m.action(i=range(n))
    def grant(s, i):
        require(s.serving is not None and s.client == i and s.told[i] is None and not s.exclusive)
        if s.serving == "write":
            require(not any(s.to_tell) if hasty else not any(s.sharer))
            s.exclusive = True
        s.told[i] = "exclusive" if s.serving == "write" else "shared"
        s.sharer[i] = True
        s.serving = None
        s.client = None
        for j in range(n):
            s.to_tell[j] = False
