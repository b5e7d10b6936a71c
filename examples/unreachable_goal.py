"""Three cups: a goal that no sequence of moves reaches, and the reason why.

One of three cups stands upside down. A move turns over exactly two of them. Can all three be made to stand upright?

    sweepcheck check examples/unreachable_goal.py

answers no: the goal is *violated*, exactly, after all four reachable states; the exit code is 1. There is no trace to
show, since a trace would have to show every run. The reason is a property of steps, and it holds: a move never changes
whether the number of upright cups is even.
"""

from sweepcheck import Array, Model, require


def unreachable_goal(cups=3):
    """`cups` cups in a row, the first one upside down."""
    m = Model("three cups", upright=Array([False] + [True] * (cups - 1)))

    @m.action(i=range(cups), j=range(cups))
    def turn_over(s, i, j):
        require(i < j)
        s.upright[i] = not s.upright[i]
        s.upright[j] = not s.upright[j]

    m.step("parity never changes", lambda old, new: sum(old.upright) % 2 == sum(new.upright) % 2)
    m.reachable("all upright", lambda s: all(s.upright))
    return m
