"""Very many layers, of one state each, found in any order: both engines agree, and what is left behind is let go."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.native.comparing import same

from sweepcheck import Array, Model, choose, partial_order, require

JUMPS = 1500


def counters(measure: Callable[[Any], Any], top: int = 4, count: int = 4) -> Model:
    """Counters that go up: from every state on there are several layers that come later, some of them much later."""
    m = Model("counters", counter=Array([0] * count))

    @m.action(i=range(count))
    def up(s: Any, i: int) -> None:
        require(s.counter[i] < top)
        s.counter[i] += 1

    m.progress(measure)
    return m


def fan(place: Callable[[int], Any], steps: int = 0) -> Model:
    """One state, from which every number is reached at once, in ascending order; `place` is how far each of them is.

    With `steps`, the run goes on from there, back and forth.
    """
    m = Model("fan", number=-1, step=0)

    @m.action
    def jump(s: Any) -> None:
        require(s.number == -1)
        s.number = choose(range(JUMPS))

    @m.action
    def back(s: Any) -> None:
        require(s.number > 0 and s.step < steps)
        s.number, s.step = s.number - 1, s.step + 1

    m.progress(lambda s: place(s.number))
    return m


SHUFFLED = random.Random(5).sample(range(JUMPS), JUMPS)
PLACES: dict[str, Callable[[int], Any]] = {
    "ascending": lambda number: number,
    "descending": lambda number: -1 if number < 0 else JUMPS - number,
    "shuffled": lambda number: -1 if number < 0 else SHUFFLED[number],
    "texts": lambda number: "" if number < 0 else f"{SHUFFLED[number]}",
    "between two": lambda number: (-1, 0) if number < 0 else (number % 2, -number * (-1) ** number),
}


@pytest.mark.parametrize("strategy", ["sweep", "generalised"])
@pytest.mark.parametrize("gc", ["layer", 40])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_layers_found_in_any_order(place: Callable[[int], Any], gc: str | int, strategy: str) -> None:
    assert same(lambda: fan(place), strategy=strategy, gc=gc)[5] == JUMPS + 1


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_steps_back_to_layers_left_behind(place: Callable[[int], Any]) -> None:
    same(lambda: fan(place, steps=2), strategy="generalised")
    same(lambda: fan(place, steps=2), strategy="generalised", gc=40)


@pytest.mark.parametrize(
    "measure",
    [
        lambda s: tuple(s.counter),
        lambda s: tuple(s.counter)[::-1],
        lambda s: (s.counter[3], s.counter[1], s.counter[0], s.counter[2]),
        lambda s: s.counter[0] + 5 * s.counter[1] + 25 * s.counter[2] + 125 * s.counter[3],
        partial_order(lambda s: tuple(s.counter)[:2], leq=lambda a, b: all(x <= y for x, y in zip(a, b, strict=True))),
    ],
    ids=["tuple", "reversed", "sums", "one sum", "partial"],
)
def test_layers_of_counters(measure: Callable[[Any], Any]) -> None:
    same(lambda: counters(measure), strategy="sweep")
    same(lambda: counters(measure), strategy="generalised", gc=17)


@pytest.mark.parametrize("order", ["ascending", "shuffled", "texts", "between two"])
def test_a_step_back_to_a_layer_left_behind_is_an_error_of_the_measure(order: str) -> None:
    assert same(lambda: fan(PLACES[order], steps=1), strategy="sweep") == "SC301"
