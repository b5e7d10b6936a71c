"""Models of a size, for what should cost twice as much when there is twice as much of it.

Every function of `MODELS` takes a size and gives what has to be done; what it returns is done once and timed:

python -m bench.building                       every row: seconds by size, and the exponent
python -m bench.building --only net --rounds 3
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from sweepcheck import LTS, Array, Limits, Model, Net, Network, Report, check, choose, explore, invariant, require

Task = Callable[[], object]


# -- choices ---------------------------------------------------------------------------------------------------------


def choosing(alternatives: Callable[[int], object], *, fresh: bool = False) -> Callable[[int], Task]:
    """One action that chooses once among so many; `fresh`, they are made anew in every run."""

    def sized(n: int) -> Task:
        m, given = Model("choice", x=-1), alternatives(n)

        @m.action
        def pick(s):
            require(s.x == -1)
            s.x = choose(alternatives(n) if fresh else given)

        return lambda: explore(m)

    return sized


# -- starting states -------------------------------------------------------------------------------------------------


def starting(n: int) -> Model:
    """So many starting states, given by the values of one variable, and a step from each to its half."""
    m = Model("starts", x=0)
    m.initial(x=range(n))

    @m.action
    def halve(s):
        require(s.x > 0)
        s.x //= 2

    return m


def starting_by_rows(n: int) -> Model:
    """The same, listed one by one; every state is listed twice."""
    m = Model("starts", x=0, y=0)
    m.initial([{"x": one % n, "y": one % 3} for one in range(n)] * 2)

    @m.action
    def halve(s):
        require(s.x > 0)
        s.x //= 2

    return m


# -- nets ------------------------------------------------------------------------------------------------------------


def ring(n: int, tokens: int = 1) -> Net:
    """So many places in a ring with a transition between any two neighbours."""
    net = Net("ring")
    places = [net.place(f"p{i}", initial=tokens if i == 0 else 0) for i in range(n)]
    for i, place in enumerate(places):
        net.transition(f"t{i}", place.take(), places[(i + 1) % n].put())
    return net


def counters(n: int) -> Net:
    """So many places that hold one number each, and a transition for each that counts up to two."""
    net = Net("counters", top=2)
    for i in range(n):
        place = net.place(f"p{i}", range(3), [0])
        net.transition(f"t{i}", place.take("x"), place.put("x + 1"), guard="x < top")
    return net


def hub(n: int) -> Net:
    """One transition with so many input and output places."""
    net = Net("hub")
    sources = [net.place(f"a{i}", initial=1) for i in range(n)]
    targets = [net.place(f"b{i}") for i in range(n)]
    net.transition("all", *(one.take() for one in sources), *(one.put() for one in targets))
    return net


def path(n: int) -> Net:
    """So many places in a row with a transition between any two neighbours, and a token that has three steps to go."""
    net = Net("path")
    places = [net.place(f"p{i}", initial=int(i == n - 4)) for i in range(n)]
    for i, (source, target) in enumerate(pairwise(places)):
        net.transition(f"t{i}", source.take(), target.put())
    return net


def modules(n: int) -> Net:
    """So many instances of one module, in a ring."""
    module = Net("station")
    enter, leave = module.place("In", port="in"), module.place("Out", port="out")
    inside = module.place("Inside")
    module.transition("Enter", enter.take(), inside.put())
    module.transition("Leave", inside.take(), leave.put())
    net = Net("stations")
    places = [net.place(f"p{i}", initial=int(i == 0)) for i in range(n)]
    for i, place in enumerate(places):
        net.substitution(f"m{i}", module, In=place, Out=places[(i + 1) % n])
    return net


@dataclass(frozen=True, slots=True)
class PlaceTransitionNet:
    """A place/transition net as numbers: what each transition takes and puts, by place, and the first marking."""

    marking: tuple[int, ...]
    takes: tuple[dict[int, int], ...]
    puts: tuple[dict[int, int], ...]

    def as_net(self) -> Net:
        """With black tokens."""
        net = Net("place/transition")
        places = [net.place(f"p{i}", initial=count) for i, count in enumerate(self.marking)]
        for t, (takes, puts) in enumerate(zip(self.takes, self.puts, strict=True)):
            arcs = [places[p].take(f"{weight}*()" if weight > 1 else "()") for p, weight in takes.items()]
            arcs += [places[p].put(f"{weight}*()" if weight > 1 else "()") for p, weight in puts.items()]
            net.transition(f"t{t}", *arcs)
        return net

    def as_model(self) -> Model:
        """With a number for each place."""
        m = Model("place/transition", **{f"p{i}": count for i, count in enumerate(self.marking)})
        for t, (takes, puts) in enumerate(zip(self.takes, self.puts, strict=True)):
            lines = [f"def t{t}(s):"]
            lines += [f"    require(s.p{p} >= {weight})" for p, weight in takes.items()]
            lines += [f"    s.p{p} -= {weight}" for p, weight in takes.items()]
            lines += [f"    s.p{p} += {weight}" for p, weight in puts.items()]
            made: dict[str, Callable[..., None]] = {}
            exec("\n".join(lines), {"require": require}, made)
            m.action(made[f"t{t}"])
        return m


def random_place_transition_net(places: int, seed: int = 0, weight: int = 3) -> PlaceTransitionNet:
    """A bounded one: tokens go round a ring of all places one by one, and by chance several at once to neighbours."""
    draw = random.Random(seed)
    takes = [{place: 1} for place in range(places)]
    puts = [{(place + 1) % places: 1} for place in range(places)]
    for first in range(0, places, 2):
        near = [(first + offset) % places for offset in range(min(places, 5))]
        amount = draw.randint(2, weight)
        takes.append(_split(draw, amount, near[:3]))
        puts.append(_split(draw, amount, near[2:]))
    marking = [0] * places
    for _ in range(3 * weight):
        marking[draw.randrange(min(places, 8))] += 1
    return PlaceTransitionNet(tuple(marking), tuple(takes), tuple(puts))


def _split(draw: random.Random, amount: int, among: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for _ in range(amount):
        place = draw.choice(among)
        found[place] = found.get(place, 0) + 1
    return found


# -- wide models -----------------------------------------------------------------------------------------------------


def variables(n: int) -> Model:
    """So many variables, and one action that changes the last of them."""
    m = Model("variables", **{f"v{i}": 0 for i in range(n)})
    name = f"v{n - 1}"

    @m.action
    def step(s):
        require(getattr(s, name) < 3)
        setattr(s, name, getattr(s, name) + 1)

    return m


def own_actions(n: int) -> Model:
    """So many variables, each with a function of its own; three of them are ever enabled."""
    m = Model("own actions", **{f"v{i}": i // 3 == 0 for i in range(n)})
    made: dict[str, Callable[..., None]] = {}
    text = (f"def a{i}(s):\n require(s.v{i})\n s.v{i} = False\n" for i in range(n))
    exec("".join(text), {"require": require}, made)
    for function in made.values():
        m.action(function)
    return m


def family(n: int) -> Model:
    """So many members of one action, and elements of an array; three of them are ever enabled."""
    m = Model("family", open=Array(i // 3 == 0 for i in range(n)))

    @m.action(i=range(n))
    def step(s, i):
        require(s.open[i])
        s.open[i] = False

    return m


def elements(n: int) -> Model:
    """An array whose elements are all different."""
    m = Model("elements", at=0, cells=Array(range(n)))

    @m.action
    def step(s):
        require(s.at < 3)
        s.cells[s.at] = s.cells[s.at + 1]
        s.at += 1

    return m


def properties(n: int) -> Model:
    """So many invariants."""
    m = Model("properties", x=0)

    @m.action
    def step(s):
        require(s.x < 3)
        s.x += 1

    for i in range(n):
        m.invariant(f"not {i}", lambda s, i=i: s.x != i + 4)
    return m


# -- networks --------------------------------------------------------------------------------------------------------


def events(n: int) -> Network:
    """Two components that share so many events; three of them can happen."""
    left = [(str(i), f"e{i}", str((i + 1) % n)) for i in range(n)]
    right = [("stop" if i == 3 else str(i), event, target) for i, (_, event, target) in enumerate(left)]
    return Network("events", {"left": LTS(left), "right": LTS(right)})


def components(n: int) -> Network:
    """So many components in a row, each of which shares an event with the next; three can happen."""
    return Network("components", {f"c{i}": LTS(_station(i)) for i in range(n)})


def _station(i: int) -> list[tuple[str, str, str]]:
    if i == 0:
        return [("busy", "e1", "idle")]
    return [("idle", f"e{i}", "busy"), ("stuck" if i == 3 else "busy", f"e{i + 1}", "idle")]


# -- the table -------------------------------------------------------------------------------------------------------


def checked(model: Callable[[int], object]) -> Callable[[int], Task]:
    """Building the model, and a check of it that shows a whole trace, as text."""

    def sized(n: int) -> Task:
        def run() -> Report:
            return check(model(n), properties=[invariant("a state", lambda s: True)])  # noqa: ARG005

        return run

    return sized


def built(model: Callable[[int], object]) -> Callable[[int], Task]:
    """Building the model alone."""
    return lambda n: lambda: model(n)


def explored(model: Callable[[int], object], **options: object) -> Callable[[int], Task]:
    """Exploring a model that is built already."""

    def sized(n: int) -> Task:
        made = model(n)
        return lambda: explore(made, **options)

    return sized


def by_half(s) -> int:
    """A measure of the starting states: never goes down while numbers are halved."""
    return -s.x.bit_length()


MODELS: dict[str, tuple[Callable[[int], Task], int]] = {
    "choose, range": (choosing(range), 50_000),
    "choose, list kept": (choosing(lambda n: list(range(n))), 50_000),
    "choose, tuple of pairs": (choosing(lambda n: tuple((i, str(i)) for i in range(n))), 50_000),
    "choose, list built in each run": (choosing(lambda n: list(range(n)), fresh=True), 1_000),
    "starts, declared": (built(starting), 100_000),
    "starts, listed": (built(starting_by_rows), 50_000),
    "starts, explored": (explored(starting), 100_000),
    "starts, sweep": (explored(starting, strategy="sweep", measure=by_half), 100_000),
    "starts, generalised": (explored(starting, strategy="generalised", measure=by_half), 100_000),
    "starts, caching": (explored(starting, strategy="caching"), 100_000),
    "net ring, built": (built(ring), 2_000),
    "net path, explored": (explored(path), 1_000),
    "net counters, built": (built(counters), 1_000),
    "net hub, built": (built(hub), 500),
    "net hub, explored": (explored(hub), 500),
    "net modules, built": (built(modules), 1_000),
    "net modules, explored": (explored(modules, limits=Limits(states=3)), 300),
    "variables": (checked(variables), 2_000),
    "actions, each a function": (checked(own_actions), 500),
    "actions, a family": (checked(family), 500),
    "array of different elements": (checked(elements), 2_000),
    "properties": (lambda n: lambda: check(properties(n)), 500),
    "network, events": (checked(events), 500),
    "network, components": (checked(components), 200),
}


def seconds(task: Callable[[int], Task], size: int, rounds: int) -> float:
    """CPU seconds, best of some rounds."""
    taken = []
    for _ in range(rounds):
        made = task(size)
        start = time.process_time()
        made()
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> None:
    """Print a row for each model."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--doublings", type=int, default=2)
    asked = parser.parse_args()
    for name, (task, size) in MODELS.items():
        if asked.only not in name:
            continue
        sizes = [size << i for i in range(asked.doublings + 1)]
        taken = [seconds(task, one, asked.rounds) for one in sizes]
        exponent = math.log2(taken[-1] / taken[-2])
        figures = "  ".join(f"{one:,}: {time_:.3f} s" for one, time_ in zip(sizes, taken, strict=True))
        print(f"{name:32} {figures}  exponent {exponent:.2f}, {1e6 * taken[-1] / sizes[-1]:.2f} us each", flush=True)


if __name__ == "__main__":
    main()
