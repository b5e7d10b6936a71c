"""Random symmetric models: a reduced run finds the quotient of the whole graph, by whichever strategy."""

import os
from random import Random
from typing import Any

import pytest
from quotients import quotient, renamings

from sweepcheck import Array, Bag, Limits, Model, Queue, check, choose, explore, invariant, reachable, require
from sweepcheck.models.adoption import adopt

RANDOM = 20 * int(os.environ.get("SWEEPCHECK_EXAMPLES", "1"))
LARGEST = 400  # states


class Drawn:
    """A model of `n` members whose actions have the same body for each; by rotation they know their neighbours too."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.rotation = self.random.random() < 0.4
        self.n = self.random.randint(2, 4 if self.rotation else 3)
        self.with_values = self.random.random() < 0.6
        self.model = Model(
            "drawn",
            at=Array([0] * self.n),
            next=Array([None] * self.n),
            owner=None,
            waiting=Queue(capacity=2),
            messages=Bag(),
            spare=0,
        )
        for number in range(self.random.randint(2, 4)):
            self.action(number)
        if self.random.random() < 0.5:  # initial states that the group does not map to each other
            self.model.initial(at=[Array([0] * self.n), Array([1] + [0] * (self.n - 1))])
        pids = range(self.n)
        values = {"next": pids, "owner": pids, "waiting": pids, "messages": [(pids, None)]}
        self.model.symmetric(pids, arrays=["at", "next"], values=values, rotation=self.rotation)

    def action(self, number: int) -> None:
        n, draw = self.n, self.random
        step = 1 if self.rotation else 0  # a neighbour, where there is one
        guard, effects = draw.randrange(5), draw.sample(range(7), draw.randint(1, 3))
        level, named = draw.randrange(2), self.with_values

        def body(s: Any, i: int) -> None:
            other = (i + step) % n
            require(s.at[i] == level if guard < 3 else s.at[other] == level)
            require(guard != 1 or s.owner in (None, i))
            for effect in effects:
                if effect == 0:
                    s.at[i] = 1 - level
                elif effect == 1:
                    s.at[other] = (s.at[other] + 1) % 3
                elif effect == 2:
                    s.spare = (s.spare + 1) % 3
                elif effect == 3 and named:
                    s.owner = i if s.owner is None else None
                elif effect == 4 and named:
                    s.next[i] = s.owner
                elif effect == 5 and named:
                    if len(s.messages) < 2:
                        s.messages.add((i, level))
                    else:
                        sender, kind = s.messages.take()
                        s.at[sender] = kind
                elif effect == 6 and named:
                    if len(s.waiting) == 2:
                        s.at[s.waiting.get()] = 0
                    else:
                        s.waiting.put(choose(i, other))

        body.__name__ = f"act{number}"
        self.model.action(i=range(n))(body)

    def orbit(self, state: Any) -> frozenset[Any]:
        return frozenset(self.renamed(state, names) for names in renamings(self.n, self.rotation))

    def renamed(self, state: Any, names: tuple[int, ...]) -> Any:
        """Written for this model, and without a shape."""
        at, following, owner, waiting, messages, spare = state

        def new(pid: int | None) -> int | None:
            return None if pid is None else names[pid]

        def moved(array: Any) -> Array:
            return Array(array[names.index(position)] for position in range(self.n))

        return (
            moved(at),
            moved(Array(map(new, following))),
            new(owner),
            Queue(map(new, waiting), 2),
            Bag({(new(pid), kind): count for (pid, kind), count in messages.items()}),
            spare,
        )


def drawn_model(seed: int) -> Drawn:
    """One with enough states to tell something, and few enough to try all renamings of each."""
    while True:
        drawn = Drawn(seed)
        report = explore(drawn.model, equivalence=False, limits=Limits(states=LARGEST))
        if report.statistics.states >= 8 and report.complete:
            return drawn
        seed += 1000


@pytest.mark.parametrize("seed", range(RANDOM))
def test_a_reduced_run_finds_the_quotient(seed: int) -> None:
    drawn = drawn_model(seed)
    found = quotient(adopt(drawn.model), drawn.orbit)
    for strategy in ("full", "sweep", "generalised"):
        report = explore(drawn.model, strategy=strategy, measure=lambda s: 0, verify_equivalence=strategy == "full")
        numbers = report.statistics
        assert (numbers.states, numbers.edges, numbers.dead_states) == (found.classes, found.triples, found.dead)
    assert explore(drawn.model, equivalence=False).statistics.states == found.states


@pytest.mark.parametrize("seed", range(RANDOM, RANDOM + 15))
def test_verdicts_are_those_of_the_whole_graph(seed: int) -> None:
    drawn = drawn_model(seed)
    asked = [
        invariant("few", lambda s: sum(s.at) < 3),
        invariant("no owner waits", lambda s: s.owner not in s.waiting),
        reachable("all named", lambda s: None not in s.next),
        reachable("full", lambda s: len(s.messages) == 2),
    ]
    reduced = check(drawn.model, asked, keep_going=True)
    whole = check(drawn.model, asked, keep_going=True, equivalence=False)
    assert [one.status for one in reduced.verdicts] == [one.status for one in whole.verdicts]


def test_two_sets_are_renamed_independently() -> None:
    """Clients ask servers: 3! renamings of the ones times 2! of the others."""
    clients, servers = range(3), ("a", "b")
    m = Model("two sets", asks=Array([None] * 3), busy=Array([False] * 2), done=Bag())

    @m.action(c=clients, k=range(2))
    def ask(s: Any, c: int, k: int) -> None:
        require(s.asks[c] is None and not s.busy[k] and len(s.done) < 2)
        s.asks[c] = servers[k]
        s.busy[k] = True

    @m.action(c=clients, k=range(2))
    def serve(s: Any, c: int, k: int) -> None:
        require(s.asks[c] == servers[k])
        s.busy[k] = False
        s.asks[c] = None
        s.done.add((c, servers[k]))

    m.symmetric(clients, arrays=["asks"], values=["done"])
    m.symmetric(servers, arrays=["busy"], values=["asks", "done"])
    names = [(c, s) for c in renamings(3, False) for s in renamings(2, False)]

    def renamed(state: Any, to: Any) -> Any:
        asks, busy, done = state
        (cs, ks) = to
        new = {None: None, **{one: servers[ks[at]] for at, one in enumerate(servers)}}
        return (
            Array(new[asks[cs.index(at)]] for at in range(3)),
            Array(busy[ks.index(at)] for at in range(2)),
            Bag({(cs[c], new[k]): count for (c, k), count in done.items()}),
        )

    found = quotient(adopt(m), lambda state: frozenset(renamed(state, to) for to in names))
    numbers = explore(m, verify_equivalence=True).statistics
    assert (numbers.states, numbers.edges) == (found.classes, found.triples)
    assert found.classes < found.states
