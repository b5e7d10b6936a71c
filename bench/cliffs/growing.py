"""Models whose states get wider while they are explored: queues that fill up, variables that first change late."""

from __future__ import annotations

from math import isqrt

from sweepcheck import Array, Model, Queue, require


def pipeline(queues: int, tokens: int = 12, *, bounded: bool = False) -> Model:
    """Tokens move from queue to queue; the last queues fill up last. C(tokens + queues - 1, tokens) states."""
    names = [f"q{i}" for i in range(queues)]
    capacity = tokens if bounded else None
    first = {"q0": Queue([0] * tokens, capacity=capacity)}
    m = Model("pipeline", **{name: first.get(name, Queue(capacity=capacity)) for name in names})

    @m.action(i=range(queues - 1))
    def move(s, i):
        getattr(s, names[i + 1]).put(getattr(s, names[i]).get())

    m.progress(lambda s: sum(i * len(getattr(s, names[i])) for i in range(queues)))
    return m


def pipeline_as_array(queues: int, tokens: int = 12) -> Model:
    """The same graph: how many tokens are where."""
    m = Model("pipeline, as an array", count=Array([tokens] + [0] * (queues - 1)))

    @m.action(i=range(queues - 1))
    def move(s, i):
        require(s.count[i] > 0)
        s.count[i] -= 1
        s.count[i + 1] += 1

    return m


def messages(queues: int, length: int = 5) -> Model:
    """Queues side by side that hold any sequence of two messages. (2^(length + 1) - 1)^queues states."""
    m = Model("messages", **{f"q{i}": Queue() for i in range(queues)})

    @m.action(i=range(queues), bit=(0, 1))
    def put(s, i, bit):
        queue = getattr(s, f"q{i}")
        require(len(queue) < length)
        queue.put(bit)

    @m.action(i=range(queues))
    def get(s, i):
        getattr(s, f"q{i}").get()

    return m


def messages_as_array(queues: int, length: int = 5) -> Model:
    """The same graph: each sequence as a number, whose binary digits after the first are the messages."""
    m = Model("messages, as an array", code=Array([1] * queues))

    @m.action(i=range(queues), bit=(0, 1))
    def put(s, i, bit):
        require(s.code[i].bit_length() <= length)
        s.code[i] = 2 * s.code[i] + bit

    @m.action(i=range(queues))
    def get(s, i):
        code = s.code[i]
        require(code > 1)
        below = 1 << (code.bit_length() - 2)
        s.code[i] = code % below + below

    return m


def late(variables: int, states: int = 40_000, *, early: bool = False) -> Model:
    """Variables that change one after the other, the last one in the last states. About so many states.

    `early`: in two states at the very beginning all of them change: from then on their place in a state is known.
    """
    side = isqrt(states // variables)
    names = [f"v{i}" for i in range(variables)]
    m = Model("late", ready=not early, warm=False, at=0, x=0, y=0, **dict.fromkeys(names, 0))

    @m.action
    def warm_up(s):
        require(not s.ready)
        s.ready = s.warm
        s.warm = not s.warm
        for name in names:
            setattr(s, name, int(s.warm))

    _grid(m, side)

    @m.action
    def step(s):
        require(s.x == side and s.y == side and s.ready and s.at < variables)
        setattr(s, names[s.at], 1)
        s.at, s.x, s.y = s.at + 1, 0, 0

    return m


def late_queues(queues: int, states: int = 40_000, length: int = 6) -> Model:
    """Queues that fill up one after the other, the last one in the last states. About so many states."""
    side = isqrt(states // (queues * length))
    m = Model("late queues", ready=True, at=0, x=0, y=0, **{f"q{i}": Queue() for i in range(queues)})
    _grid(m, side)

    @m.action
    def step(s):
        require(s.x == side and s.y == side and s.at < queues)
        queue = getattr(s, f"q{s.at}")
        queue.put(s.at)
        s.at, s.x, s.y = s.at + (len(queue) == length), 0, 0

    return m


def _grid(m: Model, side: int) -> None:
    """States to store between one change and the next."""

    @m.action
    def right(s):
        require(s.ready and s.x < side)
        s.x += 1

    @m.action
    def up(s):
        require(s.ready and s.y < side)
        s.y += 1
