"""Dining philosophers: everybody picks up one fork, and nobody ever eats again.

`n` philosophers sit around a table with one fork between each two of them. A hungry philosopher takes the left fork,
then the right one, eats, and puts both back. Shows families of actions (`i=range(n)`), arrays, and a deadlock.

    sweepcheck check examples/dining_philosophers.py

finds the deadlock after n steps: everybody holds the left fork. With n = 5 there are 82 states.

    sweepcheck check examples/dining_philosophers.py -p n=8 -p left_handed=True

lets the last philosopher take the right fork first. All properties hold.

    sweepcheck check examples/dining_philosophers.py -p n=8 -p rotation=True

takes tables that differ only in where one begins to count for one, and finds the same deadlock. (With a left-handed
philosopher this is refused: the table has a last one then.)

The system runs in circles, so there is no progress measure, and the default strategy is `full`.
"""

from sweepcheck import Array, Model, require


def dining_philosophers(n=5, left_handed=False, rotation=False):
    """`n` philosophers; with `left_handed` the last one takes its forks the other way; by `rotation` none is last."""
    m = Model("dining philosophers", fork=Array([True] * n), at=Array(["thinking"] * n))

    def forks(i):
        """The forks of philosopher i in the order in which they are taken."""
        left, right = i, (i + 1) % n
        return (right, left) if left_handed and i == n - 1 else (left, right)

    @m.action(i=range(n))
    def take_first(s, i):
        first, _ = forks(i)
        require(s.at[i] == "thinking" and s.fork[first])
        s.fork[first] = False
        s.at[i] = "waiting"

    @m.action(i=range(n))
    def take_second(s, i):
        _, second = forks(i)
        require(s.at[i] == "waiting" and s.fork[second])
        s.fork[second] = False
        s.at[i] = "eating"

    @m.action(i=range(n))
    def release(s, i):
        require(s.at[i] == "eating")
        for fork in forks(i):
            s.fork[fork] = True
        s.at[i] = "thinking"

    if rotation:
        m.symmetric(range(n), arrays=["fork", "at"], rotation=True)
    m.invariant(
        "neighbours never eat together",
        lambda s: not any(s.at[i] == s.at[(i + 1) % n] == "eating" for i in range(n)),
    )
    m.deadlock()
    m.always_possible("somebody eats", lambda s: "eating" in s.at)
    return m
