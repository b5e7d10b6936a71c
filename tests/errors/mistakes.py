"""What the tests of mistakes share: models with one mistake, and the error that they end in."""

import pytest

from sweepcheck import LTS, Model, Net, Network, SweepcheckError, check, explore, invariant, parallel, require


def failure(function, *arguments, **keywords) -> SweepcheckError:
    """The error that a call ends in."""
    with pytest.raises(SweepcheckError) as raised:
        function(*arguments, **keywords)
    assert raised.value.suggestion
    return raised.value


def model_with(action, **variables) -> Model:
    m = Model("m", **variables)
    m.action(action)
    return m


def acting(action, **variables) -> SweepcheckError:
    """The error of a model with one action, which both engines must give."""
    errors = [
        failure(lambda engine: explore(model_with(action, **(variables or {"n": 0})), engine=engine), engine)
        for engine in ("native", "reference")
    ]
    first, second = errors
    assert (first.code, first.what, first.where, first.suggestion) == (
        second.code,
        second.what,
        second.where,
        second.suggestion,
    )
    assert first.where is not None
    assert first.where.startswith("test_")
    return first


def judging(predicate, **variables) -> SweepcheckError:
    """The error of a model with one invariant."""
    m = Model("m", **(variables or {"n": 0}))
    return failure(lambda: check(m, [invariant("p", predicate)]))


def counter() -> Model:
    def tick(s):
        require(s.n < 2)
        s.n += 1

    return model_with(tick, n=0)


def one_place() -> Net:
    net = Net("net")
    place = net.place("P", int, [1, 2])
    net.transition("T", place.take("n"))
    return net


def one_process() -> Network:
    return Network("network", parallel(only=LTS([(0, "go", 1)])))
