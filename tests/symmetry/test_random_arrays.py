"""Random models with symmetric arrays of bags, sets, queues, records and rows: both engines find the quotient."""

import os
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest
from quotients import quotient, renamings

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Queue,
    Record,
    Report,
    Set,
    check,
    explore,
    invariant,
    reachable,
    require,
    step,
)
from sweepcheck.engines.native import description
from sweepcheck.models.adoption import adopt

RANDOM = 12 * int(os.environ.get("SWEEPCHECK_EXAMPLES", "1"))
LARGEST = 300  # states
WORKERS = (1, 3)
FIGURES = ("states", "edges", "labelled_edges", "dead_states", "classes")
each_seed = pytest.mark.parametrize("seed", range(RANDOM))


@pytest.fixture(autouse=True)
def shared_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small models have work for several workers too."""
    for name, value in {"SHARE_AFTER": 0, "SHARE_LEAST": 0, "BATCH_SIZE": 3}.items():
        monkeypatch.setattr(description, name, value)


class Drawn:
    """A model of `n` members with some of these arrays; all actions treat members alike."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.rotation = self.random.random() < 0.4
        self.n = self.random.randint(2, 4 if self.rotation else 3)
        n, pids = self.n, range(self.n)
        declared: dict[str, tuple[Any, Any]] = {  # with where members are, besides being its indices
            "net": (Array(Queue(capacity=1), shape=(n, n)), [(pids, None)]),
            "inbox": (Array(Queue(capacity=2), shape=n), self.random.choice([[(pids, None)], None])),
            "seen": (Array(Set(), shape=n), self.random.choice([[(pids, None)], None])),
            "held": (Array(Bag(), shape=n), self.random.choice([[(pids, None)], None])),
            "cost": (Array(0, shape=(n, n)), None),
            "node": (Array(Record(on=0, notes=Bag()), shape=n), None),
            "phase": (Array(0, shape=(n, 5)), None),
            "last": (Array([None, 0]), (pids, None)),
        }
        self.chosen = sorted(self.random.sample(sorted(declared), self.random.randint(2, 4)))
        self.named = {name: declared[name][1] is not None for name in self.chosen}
        self.model = Model("drawn", at=Array([0] * n), **{name: declared[name][0] for name in self.chosen})
        for number in range(self.random.randint(2, 4)):
            self.action(number)
        arrays = {name: [0, 1] if name in ("net", "cost") else 0 for name in ("at", *self.chosen) if name != "last"}
        values = {name: declared[name][1] for name in self.chosen if self.named[name]}
        self.model.symmetric(pids, arrays=arrays, values=values, rotation=self.rotation)

    def action(self, number: int) -> None:
        draw, n = self.random, self.n
        effects = [(draw.choice(self.chosen), draw.randrange(2)) for _ in range(draw.randint(1, 2))]
        level, distance, named = draw.randrange(2), draw.randint(0, 1), self.named

        def body(s: Any, i: int, j: int) -> None:
            require(s.at[i] == level and (i + distance) % n == j)
            s.at[i] = 1 - level
            for name, way in effects:
                change(s, name, way, i, j, named[name])

        def free(s: Any, i: int, j: int) -> None:
            require(s.at[i] == level and i != j)
            s.at[j] = (s.at[j] + 1) % 2
            for name, way in effects:
                change(s, name, way, i, j, named[name])

        chosen = body if self.rotation or draw.random() < 0.3 else free
        if chosen is body and not self.rotation:
            distance = 0  # members have no neighbours there
        chosen.__name__ = f"act{number}"
        self.model.action(i=range(n), j=range(n))(chosen)

    def orbit(self, state: Any) -> frozenset[Any]:
        return frozenset(self.renamed(state, names) for names in renamings(self.n, self.rotation))

    def renamed(self, state: Any, names: tuple[int, ...]) -> Any:
        """By the names of variables alone, without a shape."""
        n, old = self.n, dict(zip(self.model.variables, state, strict=True))
        new: dict[str, Any] = {}
        back = [names.index(p) for p in range(n)]
        for variable, value in old.items():
            base, *at = variable.replace("]", "").split("[")
            if at:
                source = base + "".join(f"[{back[int(one)]}]" for one in at)
                new[variable] = self.tokens(base, old[source], names)
            elif base == "cost":
                new[variable] = Array(value[back[p] * n + back[q]] for p in range(n) for q in range(n))
            elif base == "phase":
                new[variable] = Array(value[back[p] * 5 + k] for p in range(n) for k in range(5))
            elif base == "last":
                new[variable] = Array([None if value[0] is None else names[value[0]], value[1]])
            else:
                new[variable] = Array(value[back[p]] for p in range(n))
        return tuple(new[name] for name in self.model.variables)

    def tokens(self, base: str, held: Any, names: tuple[int, ...]) -> Any:
        if not self.named.get(base, False):
            return held
        if isinstance(held, Queue):
            return Queue([(names[pid], kind) for pid, kind in held], held.capacity)
        renamed = {(names[pid], kind): count for (pid, kind), count in held.items()}
        return Set(renamed) if isinstance(held, Set) else Bag(renamed)


def change(s: Any, name: str, way: int, i: int, j: int, named: bool) -> None:
    """Something done to one of the arrays by two members."""
    token = (i, way) if named else ("x", way)
    if name in ("net", "inbox", "seen", "held"):
        change_held(s, name, token, i, j)
    elif name == "cost":
        s.cost[i, j] = (s.cost[i, j] + 1) % 2
    elif name == "node":
        s.node[j].on = way
        if way and len(s.node[i].notes) < 1:
            s.node[i].notes.add("note")
    elif name == "phase":
        s.phase[i, way] = 1 - s.phase[i, way]
    else:
        s.last[0] = j if way else None
        s.last[1] = way


def change_held(s: Any, name: str, token: Any, i: int, j: int) -> None:
    """The same with what holds tokens."""
    if name == "net":
        if len(s.net[i, j]) == 0:
            s.net[i, j].put(token)
        else:
            s.net[i, j].get()
    elif name == "inbox":
        if len(s.inbox[j]) < 2:
            s.inbox[j].put(token)
        else:
            s.inbox[j].get()
    elif name == "seen":
        if token in s.seen[j]:
            s.seen[j].discard(token)
        else:
            s.seen[j].add(token)
    else:
        require(len(s.held[j]) < 2)
        s.held[j].add(token)


def drawn_model(seed: int) -> Drawn:
    """One with enough states to tell something, and few enough to try all renamings of each."""
    while True:
        drawn = Drawn(seed)
        report = explore(drawn.model, equivalence=False, limits=Limits(states=LARGEST))
        if report.statistics.states >= 10 and report.complete:
            return drawn
        seed += 1000


def figures(report: Report) -> tuple[Any, ...]:
    return tuple(getattr(report.statistics, name) for name in FIGURES)


@each_seed
def test_both_engines_find_the_quotient(seed: int) -> None:
    drawn = drawn_model(seed)
    found = quotient(adopt(drawn.model), drawn.orbit)
    reference = explore(drawn.model, engine="reference", verify_equivalence=True)
    numbers = reference.statistics
    assert (numbers.states, numbers.edges, numbers.dead_states) == (found.classes, found.triples, found.dead)
    hows: list[dict[str, Any]] = [{"strategy": "full"}, {"strategy": "generalised", "measure": lambda s: sum(s.at)}]
    for how, workers in product(hows, WORKERS):
        native = explore(drawn.model, engine="native", workers=workers, **how)
        if native.statistics.states is not None:
            assert figures(native) == figures(reference)
    inside = [explore(drawn.model, engine=one, up_to=lambda s: sum(s.at) < 2) for one in ("native", "reference")]
    assert figures(inside[0]) == figures(inside[1])
    assert native.plan.equivalence is not None
    assert reference.plan.equivalence is not None
    assert native.plan.equivalence.form == reference.plan.equivalence.form


@each_seed
def test_verdicts_are_those_of_the_whole_graph(seed: int) -> None:
    drawn = drawn_model(seed + 100)
    ask: Callable[[Any], bool] = {
        "net": lambda s: any(len(one) for row in s.net for one in row),
        "inbox": lambda s: all(len(one) < 2 for one in s.inbox),
        "seen": lambda s: sum(len(one) for one in s.seen) < 2,
        "held": lambda s: sum(len(one) for one in s.held) < 2,
        "cost": lambda s: sum(map(sum, s.cost)) < 2,
        "node": lambda s: all(one.on == 0 for one in s.node),
        "phase": lambda s: sum(map(sum, s.phase)) < 2,
        "last": lambda s: s.last[0] is None,
    }[drawn.chosen[0]]
    asked = [
        invariant("asked", ask),
        reachable("other", lambda s: not ask(s) and sum(s.at) == 0),
        step("stays", lambda old, new: ask(new) or not ask(old)),
        step("few", lambda old, new: abs(sum(new.at) - sum(old.at)) < 1),
    ]
    whole = check(drawn.model, asked, keep_going=True, equivalence=False)
    for engine, workers in (*(("native", number) for number in WORKERS), ("reference", 1)):
        reduced = check(drawn.model, asked, keep_going=True, engine=engine, workers=workers)
        assert reduced.plan.engine == engine
        assert [one.status for one in reduced.verdicts] == [one.status for one in whole.verdicts]
        for one, expected in zip(reduced.verdicts, whole.verdicts, strict=True):  # which have been replayed
            assert (one.trace is None) == (expected.trace is None)
            if one.trace is not None and expected.trace is not None:
                assert len(one.trace) == len(expected.trace)
