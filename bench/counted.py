"""Place/transition nets of the kinds that people exchange, as lists of arcs.

`as_text` writes one as `bench/cpp/petri.cpp` reads it, `from_text` makes a `Net` of that; this module needs nothing of
`bench`, so that any checkout can run it: python bench/counted.py < net.txt
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Counted:
    """A net: initial counts by name of a place, and for each transition the arcs, as `-3`, `+3`, `!3` with weights."""

    initial: dict[str, int] = field(default_factory=dict)
    transitions: list[list[tuple[str, str, int]]] = field(default_factory=list)

    def add(self, takes: Iterable[str], puts: Iterable[str], inhibits: Iterable[str] = ()) -> None:
        """One more transition; places that nobody has named before are empty at first."""
        arcs: dict[tuple[str, str], int] = {}
        for kind, places in (("-", takes), ("+", puts), ("!", inhibits)):
            for place in places:
                self.initial.setdefault(place, 0)
                arcs[kind, place] = arcs.get((kind, place), 0) + 1
        self.transitions.append([(kind, place, weight) for (kind, place), weight in arcs.items()])

    def as_text(self) -> str:
        """The net as the hand-written program reads it."""
        numbers = {place: number for number, place in enumerate(self.initial)}
        lines = [f"places {len(numbers)}"]
        lines += [f"m {numbers[place]} {count}" for place, count in self.initial.items() if count]
        for arcs in self.transitions:
            lines.append(" ".join(["t", *(f"{kind}{numbers[place]}*{weight}" for kind, place, weight in arcs)]))
        return "\n".join([*lines, ""])


def kanban(n: int = 4) -> Counted:
    """Four cells of a factory with n cards each."""
    net = Counted({f"card{i}": n for i in range(1, 5)})
    for i in range(1, 5):
        net.add([f"made{i}"], [f"redo{i}"])
        net.add([f"redo{i}"], [f"made{i}"])
        net.add([f"made{i}"], [f"out{i}"])
    net.add(["card1"], ["made1"])
    net.add(["out1", "card2", "card3"], ["made2", "made3", "card1"])
    net.add(["out2", "out3", "card4"], ["made4", "card2", "card3"])
    net.add(["out4"], ["card4"])
    return net


def fms(n: int = 4) -> Counted:
    """A flexible manufacturing system: three kinds of parts, three machines, n pallets of each kind."""
    net = Counted({"p1": n, "p2": n, "p3": n, "m1": 3, "m2": 1, "m3": 2})
    for kind, machine in (("p1", "m1"), ("p2", "m2")):
        net.add([kind], [f"{kind} waits"])
        net.add([f"{kind} waits", machine], [f"{kind} on"])
        net.add([f"{kind} on"], [f"{kind} done", machine])
        net.add([f"{kind} done"], [f"{kind} ships"])
        net.add([f"{kind} done"], [f"{kind} joins"])
        net.add([f"{kind} ships"], [kind])
    net.add(["p3", "m2"], ["p3 on"])
    net.add(["p3 on"], ["p3 ships", "m2"])
    net.add(["p3 ships"], ["p3"])
    net.add(["p1 joins", "p2 joins"], ["p12"])
    net.add(["p12", "m3"], ["p12 on"])
    net.add(["p12 on"], ["p12 ships", "m3"])
    net.add(["p12 ships"], ["p1", "p2"])
    return net


def philosophers(n: int = 11) -> Counted:
    """Philosophers who take one fork after the other, in any order."""
    net = Counted({f"{what}{i}": 1 for i in range(n) for what in ("thinks", "fork")})
    for i in range(n):
        j = (i + 1) % n
        net.add([f"thinks{i}", f"fork{i}"], [f"left{i}"])
        net.add([f"thinks{i}", f"fork{j}"], [f"right{i}"])
        net.add([f"left{i}", f"fork{j}"], [f"eats{i}"])
        net.add([f"right{i}", f"fork{i}"], [f"eats{i}"])
        net.add([f"eats{i}"], [f"thinks{i}", f"fork{i}", f"fork{j}"])
    return net


def rings(count: int = 4, length: int = 30) -> Counted:
    """Rings of places, a token in each."""
    net = Counted({f"{r}.0": 1 for r in range(count)})
    for r in range(count):
        for i in range(length):
            net.add([f"{r}.{i}"], [f"{r}.{(i + 1) % length}"])
    return net


def mutex(n: int = 3, values: int = 5, rest: int = 20) -> Counted:
    """Processes that look at the flags of all others one by one before each step, as Szymanski's algorithm does."""
    net = Counted({f"{i} at 0": 1 for i in range(n)} | {f"{i} flag 0": 1 for i in range(n)})
    for i in range(n):
        others = [j for j in range(n) if j != i]
        at = 0
        for value in range(values):
            for j in others:  # wait until its flag is one of these
                for seen in range(values):
                    if seen != (value + 2) % values:
                        net.add([f"{i} at {at}", f"{j} flag {seen}"], [f"{i} at {at + 1}", f"{j} flag {seen}"])
                at += 1
            after = (value + 1) % values
            net.add([f"{i} at {at}", f"{i} flag {value}"], [f"{i} at {at + 1}", f"{i} flag {after}"])
            at += 1
        for _ in range(rest):
            net.add([f"{i} at {at}"], [f"{i} at {at + 1}"])
            at += 1
        net.add([f"{i} at {at}"], [f"{i} at 0"])
    return net


def servers(clients: int = 4, count: int = 14) -> Counted:
    """Clients that ask any free server and are served by it."""
    net = Counted({f"client{c}": 1 for c in range(clients)} | {f"server{s}": 1 for s in range(count)})
    for c in range(clients):
        for s in range(count):
            net.add([f"client{c}", f"server{s}"], [f"{c} asks {s}"])
            net.add([f"{c} asks {s}"], [f"{s} serves {c}"])
            net.add([f"{s} serves {c}"], [f"client{c}", f"server{s}"])
    return net


def views(nodes: int = 5, count: int = 11) -> Counted:
    """Nodes with a view each; whoever meets another takes over the larger one: many transitions."""
    net = Counted({f"{i} has 0": 1 for i in range(nodes)})
    for i in range(nodes):
        for view in range(count - 1):
            net.add([f"{i} has {view}"], [f"{i} has {view + 1}"])
        for j in range(nodes):
            for mine in range(count):
                for other in range(mine + 1, count if i != j else 0):
                    net.add([f"{i} has {mine}", f"{j} has {other}"], [f"{i} has {other}", f"{j} has {other}"])
    return net


def workflow(blocks: int = 40, branches: int = 3, steps: int = 4, cases: int = 2) -> Counted:
    """Cases that go through blocks of parallel branches: a wide net in which few places are marked."""
    net = Counted()
    for c in range(cases):
        length = blocks if c == 0 else 1
        net.initial[f"{c}: 0"] = 1
        for b in range(length):
            name = f"{c}: {b}"
            net.add([name], [f"{name} {i} 0" for i in range(branches)])
            for i in range(branches):
                for s in range(steps):
                    net.add([f"{name} {i} {s}"], [f"{name} {i} {s + 1}"])
            net.add([f"{name} {i} {steps}" for i in range(branches)], [f"{c}: {b + 1}"])
        if c:
            net.add([f"{c}: {length}"], [f"{c}: 0"])
    return net


NETS = {one.__name__: one for one in (kanban, fms, philosophers, rings, mutex, servers, views, workflow)}


def from_text(text: str) -> object:
    """A `Net` of our own, by its public names alone."""
    from sweepcheck import Net

    net, lines = Net("counted"), text.splitlines()
    marked = {int(line.split()[1]): int(line.split()[2]) for line in lines if line.startswith("m ")}
    places = [net.place(f"p{i}", initial=marked.get(i, 0)) for i in range(int(lines[0].split()[1]))]
    for number, line in enumerate(line for line in lines if line.startswith("t ")):
        arcs = []
        for arc in line.split()[1:]:
            place, _, weight = arc[1:].partition("*")
            make = {"-": "take", "+": "put", "!": "inhibit"}[arc[0]]
            arcs.append(getattr(places[int(place)], make)(f"{weight}*()" if weight != "1" else "()"))
        net.transition(f"t{number}", *arcs)
    return net


def main() -> None:
    """Explore the net on standard input, or load and explore that of a file; one line of JSON."""
    from sweepcheck import explore, load
    from sweepcheck.models.adoption import adopt

    given = sys.argv[1:]
    model = None if given else adopt(from_text(sys.stdin.read()))
    start = time.process_time()
    model = load(given[0]) if model is None else model
    loaded = time.process_time()
    report = explore(model, workers=1)
    spent, found = time.process_time() - start, report.statistics
    print(
        json.dumps(
            {
                "states": found.states,
                "edges": found.edges,
                "cpu_seconds": spent,
                "loading": loaded - start,
                "bytes": report.bytes_per_state * found.states if report.bytes_per_state else 0,
            }
        )
    )


if __name__ == "__main__":
    main()
