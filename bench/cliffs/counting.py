"""Models that compare numbers with many values: nets with high counts, counters that keep a distance."""

from __future__ import annotations

from sweepcheck import Array, Model, require

EXCHANGES = (({0: 1}, {1: 1}), ({1: 2}, {2: 1, 3: 1}), ({2: 1}, {4: 1}), ({3: 2, 4: 1}, {0: 3}), ({4: 3}, {1: 3}))


def exchange(tokens: int) -> Model:
    """A place/transition net with weights on five places, which looks only whether there are enough tokens."""
    m = Model("exchange", place=Array([tokens, 0, 0, 0, 0]))

    @m.action(t=range(len(EXCHANGES)))
    def fire(s, t):
        takes, gives = EXCHANGES[t]
        for place, weight in takes.items():
            require(s.place[place] >= weight)
        for place, weight in takes.items():
            s.place[place] -= weight
        for place, weight in gives.items():
            s.place[place] += weight

    return m


def distance(top: int, window: int = 5) -> Model:
    """Counters that follow one another at most so far behind, and are compared with each other alone."""
    m = Model("distance", sent=0, received=0, acknowledged=0)

    @m.action
    def send(s):
        require(s.sent < top and s.sent < s.acknowledged + window)
        s.sent += 1

    @m.action
    def receive(s):
        require(s.received < s.sent)
        s.received += 1

    @m.action
    def acknowledge(s):
        require(s.acknowledged < s.received)
        s.acknowledged += 1

    m.progress(lambda s: s.sent + s.received + s.acknowledged)
    return m


def buffers(size: int) -> Model:
    """Three buffers between producer and consumer, which look only whether there is room or something."""
    m = Model("buffers", level=Array([0, 0, 0]))

    @m.action
    def produce(s):
        require(s.level[0] < size)
        s.level[0] += 1

    @m.action(i=range(2))
    def pass_on(s, i):
        require(s.level[i] > 0 and s.level[i + 1] < size)
        s.level[i] -= 1
        s.level[i + 1] += 1

    @m.action
    def consume(s):
        require(s.level[2] > 0)
        s.level[2] -= 1

    return m
