"""Random programs that draw: what is explored is what is drawn, no more and no less, whatever is made of the draws."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from cpn_files import Page, Place, Transition, write_cpn

from sweepcheck import explore, load
from sweepcheck.core.chance import drawing

SEEDS = range(2000 if os.environ.get("SWEEPCHECK_SLOW") else 40)
DRAWN = 1000  # runs; fewer outcomes than FEW are all met in so many
FEW = 6


class Drawing:
    """Random expressions over draws, some of which are asked several times."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def number(self, depth: int, names: tuple[str, ...] = ()) -> str:
        """A whole number."""
        kind = self.random.randrange(9) if depth else 0
        inner = depth - 1
        match kind:
            case 1:
                return f"discrete(0, {self.random.randint(0, 2)})"
            case 2:
                return "bernoulli(0.5)"
            case 3 | 4:
                return f"{'floor' if kind == 3 else 'round'}({self.real(names)})"
            case 5:
                return f"({self.number(inner, names)} + {self.number(inner, names)})"
            case 6:
                sides = f"then {self.number(inner, names)} else {self.number(inner, names)}"
                return f"(if {self.condition(inner, names)} {sides})"
            case 7:
                name = f"u{len(names)}"
                return f"(let val {name} = {self.draw()} in {self.number(inner, (*names, name))} end)"
        return str(self.random.randint(0, 3))

    def draw(self) -> str:
        """A real number, drawn."""
        return self.random.choice(["uniform(0.0, 4.0)", "uniform(~1.0, 1.0)", "uniform(1.0, 3.0)"])

    def real(self, names: tuple[str, ...]) -> str:
        """A real number that is made of a draw."""
        base = self.random.choice(names) if names and self.random.random() < 0.7 else self.draw()
        forms = ["{}", "({} * 2.0)", "({} * ~1.0)", "({} + 0.5)", "({} / 2.0)", "(1.0 - {})", "(abs ({}))"]
        return self.random.choice(forms).format(base)

    def condition(self, depth: int, names: tuple[str, ...]) -> str:
        """A comparison."""
        kind, limit = self.random.randrange(4), self.random.choice(["0.5", "1.0", "2.0", "0.25", "~0.5"])
        if kind == 0:
            return f"{self.number(min(depth, 1), names)} = {self.random.randint(0, 2)}"
        if kind == 1 and depth:
            return f"({self.condition(0, names)} andalso {self.condition(0, names)})"
        return f"{self.real(names)} {'<' if kind == 2 else '>='} {limit}"


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_explored_is_what_is_drawn(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    one, other = Drawing(random).number(4), Drawing(random).number(3)
    places = [Place("A", "INT", "1`1"), Place("B", "INT"), Place("C", "INT")]
    page = Page("Top", places, [Transition("T")], ["A -> T : 1", f"T -> B : {one}", f"T -> C : {other}"])
    model = load(str(write_cpn(tmp_path, "", page)))
    counts = [explore(model, engine=engine).statistics for engine in ("native", "reference")]
    assert len({(found.states, found.edges) for found in counts}) == 1
    (initial,) = model.initial_states()
    edges = model.edges(initial)
    assert len({str(edge.label) for edge in edges}) == len(edges)
    explored, met = {edge.target for edge in edges}, set()
    with drawing(Random(seed)):
        for _ in range(DRAWN):
            (edge,) = model.edges(initial)
            met.add(edge.target)
    assert met <= explored
    assert explored == met or len(edges) >= FEW
