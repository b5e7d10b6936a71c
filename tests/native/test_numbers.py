"""Functions that compare numbers instead of looking at their values: the answers stay the same, and runs become few."""

from collections.abc import Callable, Iterator
from itertools import count, pairwise
from math import floor
from typing import Any

import pytest
from comparing import same
from hypothesis import assume, given

from sweepcheck import Array, Bag, Model, SweepcheckError, check, require
from sweepcheck.engines import native
from sweepcheck.engines.native import description
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.conformance import check_engine
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.truth import TooLarge, survey

Make = Callable[[], Model]


@pytest.fixture(autouse=True)
def compare_always() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(description, "COMPARE_ALWAYS", True)
        yield


def runs(make: Make) -> dict[str, int]:
    return {action.action: action.evaluations for action in check(make(), engine="native").actions}


@given(sources())
def test_random_models(drawn: Source) -> None:
    case = drawn.case()
    try:
        truth = survey(adopt(case.model), most=150)
    except TooLarge:
        assume(False)
    check_engine(native.run, **case.kit, truth=truth, engine="native", kinds=frozenset(native.KINDS), strategy="full")


@given(sources("number"))
def test_random_models_swept(drawn: Source) -> None:
    case = drawn.case()
    try:
        truth = survey(adopt(case.model), most=150)
    except TooLarge:
        assume(False)
    check_engine(native.run, **case.kit, truth=truth, engine="native", kinds=frozenset(native.KINDS), strategy="sweep")


def places(tokens: int, **more: Any) -> Model:
    """Tokens that are only counted: three places, from each of which two go on at once."""
    m = Model("places", p=Array([tokens, 0, 0]), **more)

    @m.action(i=range(3))
    def move(s, i):
        require(s.p[i] >= 2)
        s.p[i] -= 2
        s.p[(i + 1) % 3] += 1
        s.p[(i + 2) % 3] += 1

    m.invariant("conserved", lambda s: sum(s.p) == tokens)
    m.invariant("not all gone", lambda s: not (s.p[0] == s.p[1] == 0 and s.p[2] < tokens - 1))
    return m


def test_runs_do_not_grow_with_the_numbers() -> None:
    same(lambda: places(20))
    few, many = runs(lambda: places(10)), runs(lambda: places(80))
    assert few == many
    assert max(many.values()) < 10


def test_functions_turn_to_comparing_when_they_run_often(monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> Model:
        m = Model("four", p=40, q=0, r=0, t=0)

        @m.action
        def split(s):
            require(s.p >= 3)
            s.p -= 3
            s.q += 1
            s.r += 1
            s.t += 1

        @m.action
        def join(s):
            require(s.q >= 1 and s.r >= 1 and s.t >= 1)
            s.p, s.q, s.r, s.t = s.p + 3, s.q - 1, s.r - 1, s.t - 1

        @m.action
        def turn(s):
            require(s.q >= 1 and s.r < s.p + s.t)
            s.q -= 1
            s.t += 1

        @m.action
        def turn_back(s):
            require(s.t >= 2 and s.q <= s.r + 20)
            s.t -= 1
            s.q += 1

        @m.action
        def go_round(s):
            require(s.r >= 1 and s.t >= 1)
            s.r -= 1
            s.p += 1

        return m

    always = runs(make)
    monkeypatch.setattr(description, "COMPARE_ALWAYS", False)
    found = check(make(), engine="native")
    assert max(always.values()) < 40
    assert any(action.compares for action in found.actions)
    assert all(action.evaluations < 6000 for action in found.actions)
    assert all(action.tabulated for action in found.actions)


def test_functions_that_look_anyway_keep_their_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(description, "COMPARE_ALWAYS", False)

    def make() -> Model:
        m = Model("grid", x=0, y=0, z=0)

        @m.action(i=range(3))
        def step(s, i):
            n = [s.x, s.y, s.z][i]
            require(n % 31 < 24 and (s.x * s.y + s.z) % 7 != 5)
            setattr(s, "xyz"[i], n + 1)

        return m

    found = check(make(), engine="native")
    assert not any(action.compares for action in found.actions)
    assert found.statistics.states == check(make(), engine="reference").statistics.states


# -- what a number in question can do ---------------------------------------------------------


def with_test(test: Callable[[Any], Any], last: int = 24) -> Make:
    """Two numbers that go up, one of them only where a test says so."""

    def make() -> Model:
        m = Model("tested", x=0, y=3, n=Array([0, 7, 2]), seen=Bag())

        @m.action
        def first(s):
            require(s.x < last)
            s.x += 1

        @m.action
        def second(s):
            require(s.y < last and test(s))
            s.y += 1

        m.invariant("asked", lambda s: test(s) or s.x != 11)
        return m

    return make


TESTS: dict[str, Callable[[Any], Any]] = {
    "order": lambda s: s.x > s.y or s.x + 5 <= s.y or 3 < s.x <= 9,
    "equality": lambda s: s.x == s.y or s.x != 2 * s.y - 4 or s.y == 7.0,
    "sums": lambda s: 2 * s.x - s.y * 3 + 7 >= s.n[1] - s.x and -s.x < +s.y,
    "truth": lambda s: (s.x and not (s.x - 4)) or s.y - s.x,
    "the largest": lambda s: max(s.x, s.y, 9) - min(s.y, s.x) < 6 and sorted([s.y, s.x, 5])[1] > 3,
    "arithmetic": lambda s: (s.x // 2 + s.y % 3) ** 2 % 5 < 3 and divmod(s.y, 4)[1] != s.x & 1,
    "bits": lambda s: abs(s.x - s.y) >> 1 < 6 and ~s.x < s.y | 4 and s.x ^ s.y and s.x << 1 != 12,
    "division": lambda s: s.x / (s.y + 1) < 1.5 and float(s.x) < 20.5 and round(s.x, -1) < 20 and floor(s.y) > 2,
    "texts": lambda s: len(f"{s.x:>4}{s.y}" + str(s.x) + repr(s.y) + "%d" % s.x) > 5,  # noqa: UP031
    "classes": lambda s: isinstance(s.x, int) and not isinstance(s.y, bool | str) and s.x.bit_length() < 4,
    "exact class": lambda s: type(s.x) is int and s.x < 9,
    "containers": lambda s: s.x in (1, 2, 5, 9) or s.y in {4, 6, s.x} or s.x in range(s.y) or {s.x: 1}.get(4),
    "indices": lambda s: s.n[s.x % 3] < 7 and "abcdefgh"[s.y % 8] > "b" and list(range(s.x))[:2] != [0],
    "loops": lambda s: sum(i % 2 for i in range(s.x)) < s.y and all(a <= b for a, b in pairwise([0, s.x, s.x + 1])),
    "large": lambda s: s.x * 2**70 < s.y * 2**69 or s.x + 2**62 > s.y + 2**62 or s.x > 2**40,
    "branches": lambda s: (s.x > 5) if s.y > s.x else s.y < 8,
    "matching": lambda s: _matched(s.x) < s.y,
    "caught": lambda s: _caught(s.x) or s.y > 4,
}


def _matched(number: int) -> int:
    match number:
        case 0 | 7:
            return 4
        case int() if number < 5:
            return 9
        case _:
            return 12


def _caught(number: int) -> bool:
    try:
        return bytes([number])[0] > 3
    except TypeError:
        return False


@pytest.mark.parametrize("name", TESTS)
def test_what_functions_do_with_numbers(name: str) -> None:
    same(with_test(TESTS[name]))


def with_step(step: Callable[[Any], None], **variables: Any) -> Make:
    def make() -> Model:
        m = Model("stepping", **{"x": 0, "y": 6, "n": Array([4, 0, 5]), "seen": Bag(), **variables})

        @m.action
        def up(s):
            require(s.x < 14)
            s.x += 1

        @m.action
        def other(s):
            require(s.y < 14)
            step(s)

        return m

    return make


def swap(s: Any) -> None:
    s.x, s.y = s.y, s.x


def twice(s: Any) -> None:
    before = s.y
    s.y = 0
    s.y = before + 3
    s.y -= 2
    s.n[1] = s.y if s.x > 4 else 1


def copies(s: Any) -> None:
    s.y = s.x + 1
    s.n[0] = max(s.n[0], s.y)
    s.seen.add(s.x) if not s.seen else s.seen.clear()


def whole_array(s: Any) -> None:
    require(s.n[2] > 0)
    s.n[2] -= 1
    s.n[1] = len([n for n in s.n if n > 2]) + (2 in s.n)
    s.y += s.n[:2] == (4, 1)


def chosen(s: Any) -> None:
    s.y = s.pair[0] + 1
    s.pair = (s.y, s.x % 2)


def in_sets(s: Any) -> None:
    s.y += 1
    s.pair = frozenset({s.y, s.x, 3})


STEPS: dict[str, tuple[Callable[[Any], None], dict[str, Any]]] = {
    "swap": (swap, {}),
    "twice": (twice, {}),
    "copies": (copies, {}),
    "whole array": (whole_array, {}),
    "tuples": (chosen, {"pair": (0, 0)}),
    "sets": (in_sets, {"pair": frozenset()}),
}


@pytest.mark.parametrize("name", STEPS)
def test_what_functions_write(name: str) -> None:
    step, variables = STEPS[name]
    same(with_step(step, **variables))


# -- values that are no numbers, or not at first ----------------------------------------------


@pytest.mark.parametrize("other", [None, "gone", True, 2.5, 2**50, (1, 2)])
def test_a_variable_that_gets_something_else(other: Any) -> None:
    def make() -> Model:
        m = Model("something else", x=5, y=0)

        @m.action
        def count(s):
            require(type(s.x) is int and s.x < 9)
            s.x += 1

        @m.action
        def compare(s):
            require(s.x in (other, 7, 2))
            s.y = (s.y + 1) % 4

        @m.action
        def change(s):
            require(s.x == 9)
            s.x = other

        @m.action
        def change_back(s):
            require(s.x == other)
            s.x = 2

        m.invariant("one of these", lambda s: s.x == other or s.x <= 9)
        return m

    same(make)


def test_numbers_that_become_too_large() -> None:
    def make() -> Model:
        m = Model("growing", x=2**40 - 40, n=0)

        @m.action
        def grow(s):
            require(s.x < 2**40 + 40)
            s.x += 9
            s.n += 1

        m.invariant("below", lambda s: s.x <= 2**40 + 60)
        return m

    same(make)


def test_equal_values_that_are_not_alike_are_refused() -> None:
    def make() -> Model:
        m = Model("mixed", x=0, y=1)

        @m.action
        def up(s):
            require(s.x < 9)
            s.x += 1

        @m.action
        def mix(s):
            require(s.x > 4)
            s.y = True

        return m

    assert same(make) == "SC215"


def test_an_error_is_that_of_the_function() -> None:
    def make() -> Model:
        m = Model("raising", x=0)

        @m.action
        def up(s):
            require(s.x < 30)
            s.x += 1
            if s.x == 25:
                raise ValueError(f"{type(s.x).__name__} {s.x!r}")

        return m

    texts = []
    for engine in ("reference", "native"):
        with pytest.raises(SweepcheckError) as caught:
            check(make(), engine=engine)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
    assert "int 25" in texts[0]


def test_a_number_that_was_kept_cannot_be_used_later() -> None:
    kept: list[Any] = []
    keep = kept.append

    def make() -> Model:
        m = Model("keeping", x=0)

        @m.action
        def up(s):
            require(s.x < 9)
            keep(s.x)
            s.x += 1

        return m

    check(make(), engine="native")
    questions = [number for number in kept if type(number) is not int]
    assert questions
    for number in questions:
        with pytest.raises(SweepcheckError):
            int(number)


def test_impure_functions_are_found() -> None:
    tick = count().__next__

    def make() -> Model:
        m = Model("impure", x=0, y=0)

        @m.action
        def up(s):
            require(s.x < 400 and tick() % 97 != 50)
            s.x += 1

        @m.action
        def across(s):
            require(s.y < 400)
            s.y += 1

        return m

    with pytest.raises(SweepcheckError) as caught:
        check(make(), engine="native", verify_actions=True)
    assert caught.value.code == "SC213"


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_traces_are_the_same(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def trace() -> str:
        m = places(12, n=0)

        @m.action
        def lose(s):
            require(s.p[1] >= 2 and s.p[2] > s.p[1])
            s.n += 1

        m.progress(lambda s: s.n)
        m.invariant("few lost", lambda s: s.n < 4)
        return str(next(v.trace for v in check(m, engine="native", strategy=strategy).verdicts if v.trace))

    compared = trace()
    monkeypatch.setattr(description, "COMPARE_ALWAYS", False)
    assert trace() == compared
