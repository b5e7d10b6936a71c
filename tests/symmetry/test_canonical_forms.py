"""Canonical forms against all renamings: one form for an orbit, and a member of it."""

from collections import namedtuple
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.models.symmetry.canonical import Canonical
from sweepcheck.models.symmetry.shape import NOWHERE, Anywhere, Either, Elements, Indexed, IndexSet, Parts

Packet = namedtuple("Packet", "source number")  # noqa: PYI024 - any named tuple will do


def group(sets: tuple[IndexSet, ...]) -> list[dict[IndexSet, list[int]]]:
    """All renamings, written down again without the generators of the form's own."""
    each = []
    for one in sets:
        size = len(one)
        if one.rotation:
            each.append([[(at + shift) % size for at in range(size)] for shift in range(size)])
        else:
            each.append([list(order) for order in permutations(range(size))])
    return [dict(zip(sets, chosen, strict=True)) for chosen in product(*each)]


class Drawn:
    """Random shapes, and random values that fit them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        # Equal values of two types are not alike, and no variable of a model has both.
        self.collection, self.pair = (
            self.random.choice([Bag, Queue, tuple, frozenset]),
            self.random.choice([Packet, None]),
        )
        self.sets = [self.index_set(number) for number in range(self.random.choice([1, 1, 2]))]
        self.shapes = [self.variable() for _ in range(self.random.randint(1, 4))]

    def index_set(self, number: int) -> IndexSet:
        size = self.random.randint(1, 4)
        members = range(size) if number == 0 else [f"m{one}" for one in range(size)]
        return IndexSet(tuple(members), rotation=self.random.random() < 0.4)

    def shape(self, depth: int = 2) -> Any:
        one = self.random.choice(self.sets)
        if depth == 0:
            return self.random.choice([Anywhere((one,)), NOWHERE])
        inner = self.shape(depth - 1)
        kinds = [Anywhere((one,)), Elements(inner), Indexed(one, inner), Parts((inner, NOWHERE))]
        kinds.append(Either(((lambda value: value is None, NOWHERE), (lambda value: value is not None, inner))))
        return self.random.choice(kinds)

    def variable(self) -> Any:
        one = self.random.choice(self.sets)
        named = [Anywhere((one,)), Anywhere(tuple(self.sets))]
        return self.random.choice([Indexed(one, NOWHERE), Indexed(one, NOWHERE), *named, self.shape()])

    def value(self, shape: Any) -> Any:
        draw = self.random
        if isinstance(shape, Anywhere):
            members = [member for one in shape.of for member in one.members]
            member = draw.choice(members)
            return draw.choice([member, None, "x", (member, draw.choice(members)), frozenset({member})])
        if isinstance(shape, Elements):
            held = [self.value(shape.shape) for _ in range(draw.randint(0, 3))]
            return self.collection(held)
        if isinstance(shape, Parts):
            held = [self.value(one) for one in shape.shapes]
            return tuple(held) if self.pair is None else self.pair(*held)
        if isinstance(shape, Either):
            return None if draw.random() < 0.3 else self.value(shape.alternatives[1][1])
        if isinstance(shape, Indexed):
            return Array(self.value(shape.element) for _ in shape.by.members)
        return draw.choice([0, 1, "a"])

    def state(self) -> tuple[Any, ...]:
        return tuple(self.value(shape) for shape in self.shapes)


@pytest.mark.parametrize("seed", range(300))
def test_an_orbit_has_one_form(seed: int) -> None:
    drawn = Drawn(seed)
    canonical = Canonical(drawn.shapes)
    for _ in range(4):
        state = drawn.state()
        orbit = {canonical.renamed(state, renaming) for renaming in group(canonical.sets)}
        forms = {canonical(member) for member in orbit}
        assert len(forms) == 1
        assert forms <= orbit


@pytest.mark.parametrize("seed", range(60))
def test_a_few_renamings_generate_all(seed: int) -> None:
    drawn = Drawn(seed)
    canonical = Canonical(drawn.shapes)
    state = drawn.state()
    met, waiting = {state}, [state]
    for one in waiting:
        for renaming in canonical.renamings():
            other = canonical.renamed(one, renaming)
            if other not in met:
                met.add(other)
                waiting.append(other)
    assert met == {canonical.renamed(state, renaming) for renaming in group(canonical.sets)}


class Same:
    """Values with one sort key that differ: only the order in which they were met tells them apart."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.number == other.number

    def __hash__(self) -> int:
        return hash(self.number)

    def __repr__(self) -> str:
        return "same"


@pytest.mark.parametrize("related", [False, True])
@pytest.mark.parametrize("rotation", [False, True])
def test_values_that_only_equality_tells_apart(related: bool, rotation: bool) -> None:
    of = IndexSet((0, 1, 2), rotation)
    canonical = Canonical([Indexed(of, NOWHERE), Anywhere((of,)) if related else NOWHERE])
    states = [(Array(map(Same, numbers)), 0) for numbers in ((0, 1, 2), (2, 1, 0), (0, 0, 1), (1, 1, 0))]
    forms = {canonical(state) for state in states}
    orbits = {frozenset(canonical.renamed(state, one) for one in group(canonical.sets)) for state in states}
    assert len(forms) == len(orbits)
    for state in states:
        assert {canonical(canonical.renamed(state, one)) for one in group(canonical.sets)} == {canonical(state)}


def test_the_form_says_how_it_is_found() -> None:
    of, ring = IndexSet((0, 1, 2)), IndexSet((0, 1, 2), rotation=True)
    assert Canonical([Indexed(of, NOWHERE), NOWHERE]).form == "sorted"
    assert Canonical([Indexed(of, NOWHERE), Anywhere((of,))]).form == "refined and tried"
    assert Canonical([Indexed(ring, NOWHERE)]).form == "the least rotation"


def test_interchangeable_members_are_not_all_tried() -> None:
    """Twelve members, of which two are named: 12! orders would never end."""
    of = IndexSet(tuple(range(12)))
    canonical = Canonical([Indexed(of, NOWHERE), Anywhere((of,))])
    form = canonical((Array(["idle"] * 12), (7, 3)))
    assert form == canonical((Array(["idle"] * 12), (0, 11)))
    assert form != canonical((Array(["idle"] * 12), (4, 4)))


def test_what_only_equals_a_member_is_none() -> None:
    of = IndexSet((0, 1))
    assert Anywhere((of,)).renamed((1, True, 1.0, None), {of: [1, 0]}) == (0, True, 1.0, None)
    assert repr(Anywhere((of,)).renamed((1, True, 1.0, None), {of: [1, 0]})) == "(0, True, 1.0, None)"
