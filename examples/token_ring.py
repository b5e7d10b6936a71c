"""A token ring: whoever holds the token may use the resource, and hands the token on when there is nothing to do.

Shows families of actions over arrays. With n processes there are 3n·2^(n-1) states: n places for the token, three
situations for its holder, two for everybody else.

    sweepcheck check examples/token_ring.py -p n=8

prints that everything holds, over 3,072 states. The ring runs in circles: no progress measure, strategy `full`.

    sweepcheck check examples/token_ring.py -p n=8 -p rotation=True

takes rings that differ only in where one begins to count for one: 384 classes, an eighth of the states.
"""

from sweepcheck import Array, Model, require


def token_ring(n=5, rotation=False):
    """`n` processes, each idle, waiting for the token, or using the resource; by `rotation` none of them is first."""
    m = Model("token ring", token=Array([i == 0 for i in range(n)]), at=Array(["idle"] * n))

    @m.action(i=range(n))
    def want(s, i):
        require(s.at[i] == "idle")
        s.at[i] = "waiting"

    @m.action(i=range(n))
    def use(s, i):
        require(s.at[i] == "waiting" and s.token[i])
        s.at[i] = "using"

    @m.action(i=range(n))
    def release(s, i):
        require(s.at[i] == "using")
        s.at[i] = "idle"

    @m.action(i=range(n))
    def pass_on(s, i):
        require(s.token[i] and s.at[i] == "idle")
        s.token[i] = False
        s.token[(i + 1) % n] = True

    m.invariant("one token", lambda s: sum(s.token) == 1)
    m.invariant("one user", lambda s: sum(at == "using" for at in s.at) <= 1)
    m.deadlock()
    if rotation:
        m.symmetric(range(n), arrays=["token", "at"], rotation=True)
        m.always_possible("somebody can use it", lambda s: "using" in s.at)
    else:
        m.always_possible("the last process can use it", lambda s: s.at[n - 1] == "using")
    return m
