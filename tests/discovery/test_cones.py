"""Rays against brute force: each is monotone, and together they raise every class that some monotone sum raises."""

from itertools import product
from random import Random

import pytest

from sweepcheck.discovery.rays import MOST_RAYS, is_monotone, rays, value

SEEDS = range(120)


def drawn(random: Random) -> list[tuple[tuple[int, int], ...]]:
    """Some classes over three features."""
    found = []
    for _ in range(random.randint(1, 7)):
        changes = [(at, random.choice([-2, -1, -1, 0, 1, 1, 2])) for at in range(3)]
        found.append(tuple((at, d) for at, d in changes if d))
    return [delta for delta in found if delta] or [((0, 1),)]


def raised(weights: dict[int, int], deltas: list[tuple[tuple[int, int], ...]]) -> set[int]:
    return {number for number, delta in enumerate(deltas) if value(weights, delta) > 0}


@pytest.mark.parametrize("seed", SEEDS)
def test_rays_raise_what_any_monotone_sum_raises(seed: int) -> None:
    deltas = drawn(Random(seed))
    found = rays(deltas)
    assert all(is_monotone(one, deltas) for one in found)
    possible: set[int] = set()
    for weights in product(range(-5, 6), repeat=3):
        chosen = dict(enumerate(weights))
        if is_monotone(chosen, deltas):
            possible |= raised(chosen, deltas)
    assert possible <= set().union(*(raised(one, deltas) for one in found), set())


@pytest.mark.parametrize("seed", SEEDS)
def test_only_a_freed_class_is_lowered(seed: int) -> None:
    random = Random(seed)
    deltas = drawn(random)
    freed = random.randrange(len(deltas))
    others = [delta for number, delta in enumerate(deltas) if number != freed]
    assert all(is_monotone(one, others) for one in rays(deltas, [freed]))


def test_many_classes_over_few_features_take_no_time() -> None:
    random = Random(1)
    deltas = [tuple((at, random.randint(1, 20) - 3 * (at > 3)) for at in range(6)) for _ in range(300)]
    found = rays(deltas)
    assert found
    assert len(found) <= MOST_RAYS
    assert all(is_monotone(one, deltas) for one in found)
