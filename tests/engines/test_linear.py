"""Measures that are sums: recognised, computed natively, and given up when a value is no number."""

import pytest

from sweepcheck import Array, Bag, Model, explore, require
from sweepcheck.engines.linear import NonlinearError, Sum, linear

NAMES = ("n", "flag", "cells", "bag")
INITIAL = (0, False, Array([0, 0, 0]), Bag())


def components(function):
    found = linear(function, NAMES, INITIAL)
    return None if found is None else [(one.constant, one.terms) for one in found.components]


@pytest.mark.parametrize(
    ("function", "sums"),
    [
        (lambda s: s.n, [(0, {(0, 0): 1})]),
        (lambda s: (s.flag, s.n), [(0, {(1, 0): 1}), (0, {(0, 0): 1})]),
        (lambda s: sum(s.cells), [(0, {(2, 0): 1, (2, 1): 1, (2, 2): 1})]),
        (lambda s: 3 - 2 * s.n + s.cells[-1], [(3, {(0, 0): -2, (2, 2): 1})]),
        (lambda s: -(s.n - s.cells[0]) + +s.n, [(0, {(0, 0): 0, (2, 0): 1})]),
        (lambda s: (7, s.n * len(s.cells)), [(7, {}), (0, {(0, 0): 3})]),
    ],
)
def test_sums_are_recognised(function, sums) -> None:
    assert components(function) == sums


@pytest.mark.parametrize(
    "function",
    [
        lambda s: s.n * s.n,
        lambda s: s.n // 2,
        lambda s: max(s.n, 3),
        lambda s: 1 if s.flag else 0,
        lambda s: s.n == 3,
        lambda s: {s.n: 1}[s.n],
        lambda s: len(s.bag),
        lambda s: s.cells[s.n],
        lambda s: f"{s.n}",
        lambda s: s.n + 0.5,
        lambda s: s.n * 10**9,
        lambda s: 300 * (300 * s.n),
        lambda s: s.missing,
        lambda s: (s.n,) * 5,
        lambda s: (),
        lambda s: None,
    ],
)
def test_anything_else_is_not(function) -> None:
    assert components(function) is None


def test_a_sum_refuses_what_only_numbers_can_do() -> None:
    with pytest.raises(NonlinearError):
        bool(Sum())


def counters(top: int = 3, last: object = None):
    """Two counters; the second one may end in something that is no number."""
    m = Model("counters", started=False, count=Array([0, 0]))

    @m.action
    def start(s):
        require(not s.started)
        s.started = True

    @m.action(i=range(2))
    def step(s, i):
        require(s.started and isinstance(s.count[i], int) and s.count[i] < top)
        s.count[i] += 1
        if last is not None and s.count[i] == top:
            s.count[i] = last

    return m


def same_as_reference(model, measure) -> None:
    native = explore(model, measure=measure, strategy="sweep", engine="native")
    reference = explore(model, measure=measure, strategy="sweep", engine="reference")
    for name in ("states", "edges", "peak", "layers"):
        assert getattr(native.statistics, name) == getattr(reference.statistics, name)
    assert list(map(repr, native.profile)) == list(map(repr, reference.profile))


def test_values_are_shown_as_the_measure_gives_them() -> None:
    same_as_reference(counters(), lambda s: (s.started, s.count[0] + s.count[1]))


def test_a_value_that_is_no_number_starts_the_run_again() -> None:
    same_as_reference(counters(last=3.5), lambda s: (s.started, sum(s.count)))
