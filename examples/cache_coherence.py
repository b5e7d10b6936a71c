"""A directory of caches, after the protocol by Steven German: `n` clients, one may write, or several may read.

Each client has three channels: requests to the directory, what the directory tells it, and answers to that. The
directory serves one request at a time, and keeps whose it is. So the members of the symmetric set `range(n)`
are not only where the array of clients has records, they are also values of the variable `served`.

    sweepcheck check examples/cache_coherence.py
    sweepcheck explore examples/cache_coherence.py --no-equivalence

The first explores 4,525 classes, the second all 25,110 states. With four clients it is 25,481 of 504,360.

    sweepcheck check examples/cache_coherence.py -p n=3 -p hasty=True

has a directory that lets a client write before all others have answered, and finds two writers.
"""

from sweepcheck import Array, Model, Record, require


def cache_coherence(n=3, hasty=False):
    """`n` clients; a `hasty` directory does not wait for those whose copies are invalid now."""
    client = Record(
        copy="invalid",
        request=None,  # to the directory
        told=None,  # by the directory
        answered=False,
        sharer=False,  # as the directory knows
        to_tell=False,  # a sharer that has to be told that its copy is invalid
    )
    m = Model(
        "cache coherence",
        client=Array(client, shape=n),
        serving=None,  # the request that is served, and whose it is
        served=None,
        exclusive=False,
    )
    m.symmetric(range(n), arrays=["client"], values=["served"])
    clients(m, n)
    directory(m, n, hasty)

    def writing(s):
        return any(client.copy == "exclusive" for client in s.client)

    def readers(s):
        return sum(client.copy != "invalid" for client in s.client)

    m.invariant("a writer is alone", lambda s: not writing(s) or readers(s) == 1)
    m.deadlock()
    m.always_possible("somebody can write", writing)
    return m


def clients(m, n):
    """What clients do."""

    @m.action(i=range(n))
    def ask_to_read(s, i):
        require(s.client[i].copy == "invalid" and s.client[i].request is None)
        s.client[i].request = "read"

    @m.action(i=range(n))
    def ask_to_write(s, i):
        require(s.client[i].copy != "exclusive" and s.client[i].request is None)
        s.client[i].request = "write"

    @m.action(i=range(n))
    def give_up_copy(s, i):
        me = s.client[i]
        require(me.told == "invalidate" and not me.answered)
        me.told, me.answered, me.copy = None, True, "invalid"

    @m.action(i=range(n))
    def get_copy(s, i):
        me = s.client[i]
        require(me.told in ("shared", "exclusive"))
        me.copy, me.told = me.told, None


def directory(m, n, hasty):
    """What the directory does."""

    @m.action(i=range(n))
    def serve(s, i):
        require(s.serving is None and s.client[i].request is not None)
        s.serving, s.served = s.client[i].request, i
        s.client[i].request = None
        for client in s.client:
            client.to_tell = client.sharer

    @m.action(i=range(n))
    def invalidate(s, i):
        require(s.serving == "write" or (s.serving == "read" and s.exclusive))
        require(s.client[i].to_tell and s.client[i].told is None)
        s.client[i].to_tell = False
        s.client[i].told = "invalidate"

    @m.action(i=range(n))
    def get_answer(s, i):
        require(s.serving is not None and s.client[i].answered)
        s.client[i].answered = False
        s.client[i].sharer = False
        s.exclusive = False

    @m.action(i=range(n))
    def grant(s, i):
        require(s.serving is not None and s.served == i and s.client[i].told is None and not s.exclusive)
        if s.serving == "write":
            require(not any(client.to_tell if hasty else client.sharer for client in s.client))
            s.exclusive = True
        s.client[i].told = "exclusive" if s.serving == "write" else "shared"
        s.client[i].sharer = True
        s.serving = s.served = None
        for client in s.client:
            client.to_tell = False
