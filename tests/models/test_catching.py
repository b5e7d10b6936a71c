"""Actions that catch everything: what disables them would get lost."""

from contextlib import suppress
from typing import Any

import pytest

from sweepcheck import Bag, Model, Queue, SweepcheckError, choose, explore, require


def bare(s: Any) -> None:
    try:
        require(s.n < 3)
        s.n += 1
    except:  # noqa: E722
        s.n = 9


def base(s: Any) -> None:
    try:
        s.n = choose(s.bag)
    except (KeyError, BaseException):  # noqa: BLE001
        s.n = 9


def suppressed(s: Any) -> None:
    with suppress(BaseException):
        s.bag.take()
    s.n = 9


def returns_at_last(s: Any) -> None:
    try:
        s.queue.get()
    finally:
        return  # noqa: B012


def one_less(s: Any) -> None:
    require(s.n > 0)
    s.n -= 1


def tries(function: Any, s: Any) -> None:
    try:
        function(s)
    except BaseException:  # noqa: BLE001
        s.n = 9


def by_a_helper(s: Any) -> None:
    tries(one_less, s)


def inside(s: Any) -> None:
    def attempt() -> int:
        try:
            return int(s.queue.peek())
        except:  # noqa: E722
            return 9

    s.n = attempt()


def named(s: Any) -> None:
    try:
        require(s.n < 3)
        s.n = {0: 1}[s.n]
    except KeyError:
        s.n = 9


def any_exception(s: Any) -> None:
    try:
        require(s.n < 3)
        s.n = 1 // s.n
    except Exception:  # noqa: BLE001
        s.n = 9


def raises_again(s: Any) -> None:
    try:
        require(s.n < 3)
        s.n += 1
    except:
        raise


def only_python(s: Any) -> None:
    try:
        s.n = int("12"[s.n])
    except:  # noqa: E722
        s.n = 9


def cleans_up(s: Any) -> None:
    try:
        require(s.n < 3)
        s.n += 1
    finally:
        pass


def model(action: Any) -> Model:
    m = Model("m", n=0, bag=Bag(), queue=Queue())
    m.action(action)
    return m


@pytest.mark.parametrize("action", [bare, base, suppressed, returns_at_last, by_a_helper, inside])
def test_refused(action: Any) -> None:
    with pytest.raises(SweepcheckError, match="SC153") as raised:
        model(action)
    assert action.__name__ in str(raised.value)


@pytest.mark.parametrize("action", [named, any_exception, raises_again, only_python, cleans_up])
def test_accepted(action: Any) -> None:
    found = [explore(model(action), engine=engine).statistics for engine in ("native", "reference")]
    assert found[0].states == found[1].states > 1
    assert found[0].edges == found[1].edges


def test_helpers_that_stand_below_the_action() -> None:
    m = Model("m", n=0)

    @m.action
    def up(s: Any) -> None:
        below(s)

    def below(s: Any) -> None:
        try:
            require(s.n < 3)
        except:  # noqa: E722
            s.n = 9

    with pytest.raises(SweepcheckError, match="calls 'below', which catches"):
        explore(m)


def test_processes_and_starting_functions() -> None:
    m = Model("m", n=0, bag=Bag(), queue=Queue())
    with pytest.raises(SweepcheckError, match="SC153"):
        m.start(bare)

    def waits(s: Any) -> Any:
        tries(one_less, s)
        yield

    with pytest.raises(SweepcheckError, match="SC153"):
        m.process(waits)
