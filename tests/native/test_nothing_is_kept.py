"""A run that is over keeps nothing of its model: what the core holds refers to no function any more."""

import gc
import weakref

import pytest

from sweepcheck import Bag, Model, check, choose, require


def model() -> Model:
    m = Model("draws", x=0, b=Bag([0, 1]))

    @m.start
    def begin(s):
        s.x = choose(range(5))

    @m.action
    def draw(s):
        require(s.x < 8)
        s.x += choose([z for z in s.b if z < 2]) + 1

    m.progress(lambda s: s.x)
    m.invariant("small", lambda s: s.x < 99)
    return m


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_a_model_goes_when_nobody_has_it(strategy: str) -> None:
    made = model()
    gone = weakref.ref(made)
    assert check(made, strategy=strategy, engine="native")
    del made
    gc.collect()
    assert gone() is None
