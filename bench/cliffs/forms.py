"""The models of the table of cliffs, each under a name, with its size and how it is explored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bench import building, models, wide
from bench.cliffs import bags, counting, growing, measured, nets, processes
from sweepcheck import Array, Limits, Model, choose, require

SWEEP = {"strategy": "sweep"}
PRODUCT = {**SWEEP, "measure": measured.rectangle}
TUPLES = {**SWEEP, "measure": measured.by_all}
ONE_STATE = {"limits": Limits(states=1)}
LIMIT = 60 * 2**20  # bytes
PROCESSES = {"filter lock": 6, "bakery": 4, "buffer": 2, "election": 10, "commit": 6}  # how many there are


@dataclass(frozen=True, slots=True)
class Form:
    """A model of a size, and the options of its exploration: fully by the native engine unless they say otherwise."""

    model: Callable[[int], Any]
    size: int
    options: Mapping[str, Any] = field(default_factory=dict)


def choice(alternatives: int) -> Model:
    """One action with so many alternatives."""
    m = Model("choice", x=-1)

    @m.action
    def pick(s):
        require(s.x == -1)
        s.x = choose(range(alternatives))

    return m


def choice_of_kept_pairs(alternatives: int) -> Model:
    """The same with pairs, which are kept."""
    m = Model("choice of pairs", x=(-1, 0))
    pairs = tuple((i, i + 1) for i in range(alternatives))

    @m.action
    def pick(s):
        require(s.x == (-1, 0))
        s.x = choose(pairs)

    return m


def choice_of_pairs(alternatives: int) -> Model:
    """The same, from a list that is written where it is chosen from."""
    m = Model("choice of pairs", x=(-1, 0))

    @m.action
    def pick(s):
        require(s.x == (-1, 0))
        s.x = choose([(i, i + 1) for i in range(alternatives)])

    return m


def addresses(actions: int, ticks: int = 50) -> Model:
    """Addresses in binary, a power of two of them, with an action for each, beside a clock hand. Two edges a state."""
    digits = range(actions.bit_length() - 1)
    m = Model("addresses", hand=0, digit=Array([0 for _ in digits]))

    @m.action
    def tick(s):
        s.hand = (s.hand + 1) % ticks

    @m.action(address=range(actions))
    def step(s, address):
        for j in digits:
            require(s.digit[j] == address >> j & 1)
        for j in digits:
            s.digit[j] = (address + 1) >> j & 1

    return m


def waiting(actions: int, name: Callable[[int], int | str] = int) -> Model:
    """A dispenser of numbers, or of texts, with an action for each, beside a switch. Two edges a state."""
    m = Model("waiting", called=name(0), closed=False)

    @m.action(i=range(actions))
    def serve(s, i):
        require(s.called == name(i))
        s.called = name((i + 1) % actions)

    @m.action
    def switch(s):
        s.closed = not s.closed

    return m


def plain_python(pieces: int) -> Model:
    """What Python itself takes for so many pieces: a tuple of each, put into a set. The model is not made of them."""
    found: set[tuple[int, ...]] = set()
    for piece in range(pieces):
        found.add((piece, piece + 1))
    return models.tiny()


FORMS = {
    "bag holding 60": Form(bags.holding, 60),
    "bag holding 61": Form(bags.holding, 61),
    "bag holding 240": Form(partial(bags.holding, missing=2), 240),
    "bag asked about 60": Form(partial(bags.asked, held=12), 48),
    "bag asked about 61": Form(partial(bags.asked, held=12), 49),
    "bag of repeated tokens": Form(bags.repeated, 11),
    "array of counts": Form(bags.repeated_as_array, 11),
    "bag that moves on, sweep": Form(bags.window, 400, SWEEP),
    "bag that moves on, full": Form(bags.window, 400),
    "array that moves on, sweep": Form(bags.window_as_array, 400, SWEEP),
    "queues that grow": Form(growing.pipeline, 10),
    "queues with capacity": Form(partial(growing.pipeline, bounded=True), 10),
    "queue lengths": Form(growing.pipeline_as_array, 10),
    "queues of messages": Form(growing.messages, 3),
    "messages as numbers": Form(growing.messages_as_array, 3),
    "200 variables, late": Form(growing.late, 200),
    "200 variables, early": Form(partial(growing.late, early=True), 200),
    "machines, 400 actions": Form(lambda n: wide.net(wide.machines(n, 3)), 400),
    "machines, 1,000 actions": Form(lambda n: wide.net(wide.machines(n, 2)), 1_000),
    "rings, 400 actions": Form(lambda n: wide.net(nets.two_rings(n)), 400),
    "rings, 1,000 actions": Form(lambda n: wide.net(nets.two_rings(n)), 1_000),
    "rings, 4,000 actions": Form(lambda n: wide.net(nets.two_rings(n)), 4_000),
    "4,096 addresses": Form(partial(addresses, ticks=100), 4_096),
    "64 addresses": Form(partial(addresses, ticks=6_400), 64),
    **{f"{n:,} actions, a number each": Form(waiting, n) for n in (1_000, 4_000)},
    **{f"{n:,} actions, a text each": Form(partial(waiting, name="no. {}".format), n) for n in (1_000, 4_000)},
    "grid, full": Form(measured.grid, 7),
    "grid, measure is a product": Form(measured.grid, 7, PRODUCT),
    "lengths, full": Form(measured.moving, 9),
    "lengths, sweep": Form(measured.moving, 9, SWEEP),
    "many lengths, full": Form(growing.pipeline, 8),
    "many lengths, sweep": Form(growing.pipeline, 8, SWEEP),
    "stages, full": Form(measured.stages, 8),
    "stages, sweep": Form(measured.stages, 8, SWEEP),
    "queens, full": Form(measured.queens, 8),
    "queens, sweep": Form(measured.queens, 8, SWEEP),
    "16,807 layers": Form(measured.one_by_one, 7, TUPLES),
    "59,049 layers": Form(measured.one_by_one, 9, TUPLES),
    "161,051 layers": Form(measured.one_by_one, 11, {**TUPLES, "limits": Limits(seconds=20)}),
    "59,049 layers, reference": Form(measured.one_by_one, 9, {**TUPLES, "engine": "reference"}),
    **{
        f"{n:,} layers {order.__name__}": Form(measured.layers(order), n, SWEEP)
        for order in (measured.ascending, measured.descending, measured.shuffled)
        for n in (2_000, 8_000)
    },
    "phil 13": Form(models.philosophers, 13),
    "phil 14, limited": Form(models.philosophers, 14, {"limits": Limits(memory=LIMIT)}),
    "pipeline, limited": Form(growing.pipeline, 11, {"limits": Limits(memory=LIMIT)}),
    "drawn net, black tokens": Form(lambda n: nets.drawn(n, 5).as_net(), 16),
    "drawn net, numbers": Form(lambda n: nets.drawn(n, 5).as_model(), 16),
    "wide net, black tokens": Form(lambda n: nets.drawn(n, 3).as_net(), 80),
    "wide net, numbers": Form(lambda n: nets.drawn(n, 3).as_model(), 80),
    "kanban, black tokens": Form(lambda n: nets.kanban(n, 4).as_net(), 4),
    "kanban, numbers": Form(lambda n: nets.kanban(n, 4).as_model(), 4),
    "exchange of 20": Form(counting.exchange, 20),
    "exchange of 40": Form(counting.exchange, 40),
    "distance, 2,000": Form(counting.distance, 2_000, SWEEP),
    "distance, 4,000": Form(counting.distance, 4_000, SWEEP),
    "buffers of 30": Form(counting.buffers, 30),
    "buffers of 60": Form(counting.buffers, 60),
    **{
        f"{name}, {how}": Form(make, size)
        for name, size in PROCESSES.items()
        for make, how in zip(processes.PAIRS[name], ("processes", "by hand"), strict=True)
    },
    "choice among 100,000": Form(choice, 100_000),
    "choice among 4,000 kept": Form(choice_of_kept_pairs, 4_000),
    "choice among 4,000 in a list": Form(choice_of_pairs, 4_000),
    "100,000 starting states": Form(building.starting, 100_000),
    "2,000 places, built": Form(building.ring, 2_000, ONE_STATE),
    "100,000 pieces in Python": Form(plain_python, 100_000),
    # Only for `bench.doubling`:
    "bag of repeated tokens, two kinds": Form(lambda most: bags.repeated(2, most), 300),
    "bag lending two": Form(partial(bags.holding, missing=2, turns=20), 240),
    "two counters, a layer each": Form(partial(measured.grid, counters=2), 100, TUPLES),
    "four counters, measure is a product": Form(partial(measured.grid, counters=4), 10, PRODUCT),
    "queues that fill late": Form(growing.late_queues, 20),
    "hub": Form(building.hub, 500),
    "declared variables": Form(building.variables, 2_000),
}
