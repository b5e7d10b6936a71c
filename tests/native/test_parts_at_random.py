"""Random models that go through sets, bags and queues as users of TLA+ do: both engines find the same."""

import os
import random
from pathlib import Path

import pytest

from sweepcheck import Limits, explore, load
from sweepcheck.errors import SweepcheckError

MODELS = 2500 if os.environ.get("SWEEPCHECK_SLOW") else 60
EACH = 20  # models in a test
HEADER = """\
from typing import NamedTuple
from sweepcheck import Array, Bag, Model, Queue, Set, choose, require

class Token(NamedTuple):
    kind: str
    nr: int

ODD = [0, 2]
QUORUMS = ((0, 1), (1, 2))

def is_new(x):
    return x.nr > 0 and x.kind != "c"

def fits(x, t):
    return x.nr == t or x.kind == "b"

m = Model("at random", set=Set(), bag=Bag(), queue=Queue(), t=0, a=Array([0, 1]), out=0)
"""


class Writer:
    """Writes a model."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def holder(self) -> str:
        return self.draw.choice(["s.set", "s.bag", "s.queue"])

    def token(self) -> str:
        return f"Token({self.draw.choice('abc')!r}, {self.draw.choice(['p', 's.t', '0', '1', '2'])})"

    def condition(self, depth: int = 0) -> str:
        nr = self.draw.randrange(3)
        one = self.draw.choice(
            [
                f"x.kind == {self.draw.choice('abc')!r}",
                f"x.kind in {tuple(self.draw.sample('abc', 2))}",
                f"x.nr {self.draw.choice(['<', '==', '>=', '!='])} {nr}",
                "x.nr == s.t",
                f"x.nr <= s.a[{nr % 2}]",
                "x.nr == p",
                "x.nr + s.t > 1",
                "x.nr in ODD",
                "is_new(x)",
                "fits(x, s.t)",
                "x != Token('a', 1)",
                "not (x.nr or s.t)",
            ]
        )
        if depth == 2 or self.draw.random() < 0.6:
            return one
        return f"({one} {self.draw.choice(['and', 'or'])} {self.condition(depth + 1)})"

    def question(self) -> str:
        held, told, nr = self.holder(), self.condition(), self.draw.randrange(3)
        return self.draw.choice(
            [
                f"any({told} for x in {held})",
                f"all({told} for x in {held})",
                f"bool([x for x in {held} if {told}])",
                f"len([x for x in {held} if {told}]) >= {nr}",
                f"len({{x.nr for x in {held} if {told}}}) > {nr}",
                f"sum(x.nr for x in {held} if {told}) % 2 == {nr % 2}",
                f"max((x.nr for x in {held} if {told}), default=-1) < {nr}",
                f"min([x.nr for x in {held} if {told}] or [9]) == {nr}",
                f"{{x.kind for x in {held} if {told}}} <= {{'a', 'b'}}",
                f"{nr} in [x.nr for x in {held} if {told}]",
                f"sorted(x.nr for x in {held} if {told}) == [{nr}]",
                f"len([1 for x in {held} for y in s.bag if {told} and y.nr == x.nr]) == {nr}",
                f"any(all(any(x.nr == y for x in {held} if {told}) for y in q) for q in QUORUMS)",
                f"{self.token()} in {held}",
                f"len({held}) > {nr}",
                "loop(s, p)",
            ]
        )

    def change(self) -> str:
        held, told, other = self.holder(), self.condition(), self.holder()
        add = f"{other}.{'put' if other == 's.queue' else 'add'}({self.token()})"
        take = {"s.set": "s.set.discard", "s.bag": "s.bag.take", "s.queue": "s.queue.put"}[held]
        return self.draw.choice(
            [
                add,
                add,
                "s.t = (s.t + 1) % 3",
                f"s.a[p] = len([x for x in {held} if {told}]) % 3",
                f"s.a[0] = max([x.nr for x in {held} if {told}], default=0)",
                f"s.out = int({self.question()})",
                f"{take}(choose([x for x in {held} if {told}]))",
                f"{take}(choose({held}))",
                f"x = choose({held}); require({told}); s.t = x.nr",
                "s.queue.get()",
                "s.t = s.queue.get().nr",
            ]
        )

    def model(self) -> str:
        counted = self.draw.choice(["1", "x.nr"])
        lines = [
            HEADER,
            "def loop(s, p):",
            "    n = 0",
            f"    for x in {self.holder()}:",
            f"        if {self.condition()}:",
        ]
        lines += [f"            n += {counted}", "    return n > 0"]
        for action in range(self.draw.randrange(3, 6)):
            lines += [
                "@m.action(p=range(2))",
                f"def action{action}(s, p):",
                "    require(len(s.bag) < 3 and len(s.queue) < 3)",
            ]
            lines += [f"    require({self.question()})"] if self.draw.random() < 0.7 else []
            lines += [f"    {self.change()}" for _ in range(self.draw.randrange(1, 3))]
        return "\n".join(lines) + "\n"


def found(path: Path, engine: str) -> tuple[object, ...]:
    try:
        statistics = explore(load(path), engine=engine, strategy="full", limits=Limits(states=3000)).statistics
    except SweepcheckError as error:
        return type(error), error.code
    return (statistics.states, statistics.edges) if statistics.states < 3000 else ("too many",)


@pytest.mark.parametrize("first", range(0, MODELS, EACH))
def test_engines_agree(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + EACH):
        path = tmp_path / f"model{seed}.py"
        path.write_text(Writer(seed).model())
        assert found(path, "native") == found(path, "reference"), path.read_text()
