"""Dining philosophers as a coloured net: one net for any number of them, each philosopher and fork a token.

The same system as examples/dining_philosophers.py, with the same states and edges. There each philosopher has actions
of its own; here a transition occurs for a philosopher, and its arcs compute which forks those are.

    sweepcheck check examples/dining_philosophers_net.py

finds the deadlock after n steps: everybody holds one fork. With n = 5 there are 82 states.

    sweepcheck check examples/dining_philosophers_net.py -p n=8 -p left_handed=True

lets the last philosopher take the right fork first. All properties hold.
"""

from sweepcheck import Net


def dining_philosophers_net(n=5, left_handed=False):
    """`n` philosophers; with `left_handed` the last one takes the forks in the other order."""

    def first(i):
        return (i + 1) % n if left_handed and i == n - 1 else i

    def second(i):
        return i if left_handed and i == n - 1 else (i + 1) % n

    net = Net("dining philosophers", first=first, second=second)
    seats = range(n)
    thinking = net.place("Thinking", seats, seats)
    waiting = net.place("Waiting", seats)
    eating = net.place("Eating", seats)
    fork = net.place("Fork", seats, seats)

    net.transition("TakeFirst", thinking.take("i"), fork.take("first(i)"), waiting.put("i"))
    net.transition("TakeSecond", waiting.take("i"), fork.take("second(i)"), eating.put("i"))
    net.transition("Release", eating.take("i"), fork.put("first(i) ++ second(i)"), thinking.put("i"))

    net.invariant(
        "neighbours never eat together",
        lambda m: not any(i in m.Eating and (i + 1) % n in m.Eating for i in seats),
    )
    net.deadlock()
    net.always_possible("somebody eats", lambda m: len(m.Eating) > 0)
    return net
