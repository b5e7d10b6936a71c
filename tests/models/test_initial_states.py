"""Several initial states: by variable, as a list, as a generator; each is a root of exploration and of traces."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest

from sweepcheck import Array, Bag, Model, Queue, Record, SweepcheckError, check, choose, explore, invariant, require
from sweepcheck.models.actions.words import Words


def model() -> Model:
    m = Model("initial", x=0, y=0, bag=Bag(), queue=Queue(capacity=2), array=Array([0, 0]))

    @m.action
    def up(s):
        if s.x < 2:
            s.x += 1

    return m


REST = (Bag(), (), (0, 0))


def test_one_by_default() -> None:
    assert model().initial_states() == ((0, 0, *REST),)


def test_every_combination() -> None:
    m = model()
    m.initial(x=[1, 0], y=range(2))
    assert [state[:2] for state in m.initial_states()] == [(1, 0), (1, 1), (0, 0), (0, 1)]


def test_a_list_and_a_generator_of_states() -> None:
    for states in ([{"x": 1}, {"y": 2, "x": 3}], ({"x": x, "y": x - 1} for x in (1, 3))):
        m = model()
        m.initial(states)
        assert len(m.initial_states()) == 2
        assert m.initial_states()[1] == (3, 2, *REST)


def test_equal_states_are_one() -> None:
    m = model()
    m.initial(x=[0, 0])
    assert len(m.initial_states()) == 1


def test_equal_states_that_are_not_alike() -> None:
    m = model()
    with pytest.raises(SweepcheckError) as raised:
        m.initial(x=[0, False])
    assert raised.value.code == "SC215"
    assert raised.value.where is not None
    m.initial(x=[True, False])  # 0, which is replaced, does not count
    assert m.initial_states()[0][0] is True


def test_structured_values() -> None:
    m = model()
    m.initial(bag=[Bag([1])], queue=[Queue([1])], array=[Array([1, 2])])
    assert m.initial_states() == ((0, 0, Bag([1]), (1,), (1, 2)),)


def test_declared_again_starts_from_the_declaration() -> None:
    m = model()
    m.initial(x=[1])
    m.initial(y=[1])
    assert m.initial_states() == ((0, 1, *REST),)


@pytest.mark.parametrize(
    ("listed", "named"),
    [
        (None, {"z": [1]}),
        (None, {"x": []}),
        (None, {"x": 5}),
        (None, {"x": "ab"}),
        (None, {"bag": [[1]]}),
        (None, {"queue": [Bag()]}),
        (None, {"queue": [Queue([1, 2, 3])]}),
        (None, {"array": [Array([1])]}),
        (None, {"array": [(1, 2)]}),
        ([], {}),
        ([{"z": 1}], {}),
        ([(0, 0)], {}),
        ({"x": 1}, {}),
        (5, {}),
        ([{"x": 1}], {"y": [1]}),
    ],
)
def test_wrong_initial_states(listed: Any, named: dict[str, Any]) -> None:
    with pytest.raises(SweepcheckError) as caught:
        model().initial(listed, **named)
    assert caught.value.code == "SC116"


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_each_is_a_root_of_exploration_and_of_traces(strategy: str) -> None:
    m = model()
    m.initial(y=[0, 1, 2])
    m.progress(lambda s: s.x)
    assert explore(m, strategy=strategy).statistics.states == 9
    verdict = check(m, [invariant("not there", lambda s: (s.x, s.y) != (2, 1))], strategy=strategy).verdicts[0]
    assert verdict.trace is not None
    assert verdict.trace.initial == (0, 1, *REST)
    assert len(verdict.trace) == 2


class Shelf:
    """Keeps what it is given, where no look at the code of a function finds it."""

    def __init__(self, kept: Any) -> None:
        self._kept = kept

    def __matmul__(self, new: Any) -> Any:
        self._kept, old = new, self._kept
        return old


def test_a_function_that_keeps_its_draft_gets_no_second_look_at_it() -> None:
    m, shelf = model(), Shelf(None)

    @m.start
    def keep(s):
        s.x = choose(range(3))
        before = shelf @ s
        s.y = 0 if before is None else before.x

    with pytest.raises(SweepcheckError) as caught:
        m.initial_states()
    assert caught.value.code == "SC205"


def test_a_function_whose_alternatives_depend_on_earlier_ones() -> None:
    m = model()

    @m.start
    def triangle(s):
        s.x = choose([2, 0, 1])
        s.y = choose(tuple(range(s.x + 1)))
        s.array[0] = choose(range(s.y, 2))
        require(s.array[0] >= s.x - s.y)

    found = [(x, y, array[0]) for x, y, _, _, array in m.initial_states()]
    pairs = [(x, y) for x in (2, 0, 1) for y in range(x + 1)]
    assert found == [(x, y, first) for x, y in pairs for first in range(y, 2) if first >= x - y]


def test_a_function_that_offers_something_else_the_next_time() -> None:
    m, shelf = model(), Shelf((5, 6))

    @m.start
    def fickle(s):
        s.x = choose(shelf @ (7, 8))

    with pytest.raises(SweepcheckError) as caught:
        m.initial_states()
    assert caught.value.code == "SC213"


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("on_its_way", [False, True])
def test_values_that_no_start_has_are_not_met(engine, on_its_way):
    """The random models found it: only the reference engine took the declared value for one that a state had."""
    m = Model("start", x=1, y=1)

    @m.start
    def begin(s):
        s.x = choose(0, 3)
        if on_its_way:
            s.y = 2
        s.y = 0

    @m.action
    def whole(s):
        s.y = 2.0 if on_its_way else 1.0

    assert explore(m, engine=engine).statistics.states == 4


@dataclass(frozen=True)
class Way:
    """A way to run starting functions: which of the two short cuts it may take."""

    at_once: bool
    by_steps: bool


def _levels(s):
    for i in range(2):
        s.array[i] = choose(range(3))
    s.x = choose(0, 1)


def _sum(s):
    for i in range(2):
        s.array[i] = choose((2, 0, 1))
    require(sum(s.array) % 2 == 0)
    s.y = choose(range(2))


def _named_first(s):
    x = choose(range(3))
    s.x = x
    s.y = choose(range(x + 1))


def _named_last(s):
    s.x = choose(range(3))
    y = choose(2, 0)
    s.y = y


def _overwritten(s):
    s.x = choose(range(3))
    s.x = 1
    s.y = choose(5, 4)


def _counted(s):
    for _ in range(6):
        s.x += choose(0, 1)


def _both_ways(s):
    if choose(True, False):
        s.x = choose(3, 4)
    else:
        for number in (1, 2, 3):
            if number == choose(range(3)):
                s.y = number
                break
            s.bag.add(number)
        else:
            s.x = 9


def _lists(s):
    left = [3, 1, 2]
    while left:
        one = choose(tuple(left))
        left.remove(one)
        s.queue.put(one)
        if one == 2:
            return


def _caught(s):
    s.x = choose(range(3))
    try:
        seen = s.x
    except BaseException:  # noqa: BLE001 - as bad as it can be
        seen = 7
    s.y = seen


def _alike(s):
    one = choose(1, 2)
    s.x = one
    one = choose(True, False)
    s.y = 1 if one else 0


def _lazy_loop(s):
    for x in (i for i in range(3) if i >= s.x):
        s.x = choose(x, 2)
        s.queue.put(x)


def _together(s):
    s.x = s.y = choose(range(2))
    s.array[0], s.array[1] = choose([(0, 1), (1, 0)])


def _apart(s):
    x = choose(range(4))
    y = choose(range(1, 4))
    require(x != y and 0 < x + y < 6 and not (x == 3 or y % 2 == x % 2))
    s.x, s.y = x, x - y


def _sorted(s):
    for i in range(2):
        s.array[i] = choose(range(4))
    require(len(set(s.array)) == 2 and max(s.array) > 1 and sum(s.array) not in (3, 9))
    s.x = max(s.array[0], 1) + abs(s.array[1] - 3)
    s.y = min(s.array)


def near(one, other):
    return abs(one - other) <= 1


def rising(s):
    return all(one < other for one, other in pairwise([s.x, *s.array]))


def _helped(s):
    s.x = choose(range(3))
    for i in range(2):
        s.array[i] = choose(range(5))
    require(near(s.x, s.array[0]) and rising(s))
    s.y = choose(7, 8) if near(s.array[0], s.array[1]) else 9


def _looked_at(s):
    s.x = choose(range(3))
    s.y = (4, 5, 6)[s.x]
    s.array[s.x % 2] = 1


def _tuples(s):
    s.x = (choose(range(2)), choose(range(3)))
    s.y = choose([(1, 2), (0,), ()])


def _either(s):
    s.x = choose(range(4))
    if s.x > 1:
        s.y = choose(range(2)) + s.x
        return
    while s.y < 2:
        s.y += 1
        if s.x == 0 and choose(True, False):
            break
    s.array[0] = s.y


def _members(s):
    x = choose("abc")
    require(x in ("a", "c", "z"))
    s.x = x
    s.y = "b" if x != "a" else choose(["d", None])
    require(s.y not in [x, "d"])


def _kinds(s):
    s.x = choose(2, None, "two", frozenset({1}))
    require(s.x != 2 or choose(False, True))


def _floats(s):
    s.x = choose(range(1, 4)) / 2
    s.y = choose(0.5, 1.5)


def _methods(s):
    left = []
    for one in range(3):
        if choose(True, False):
            left.append(one)  # noqa: PERF401 - a list that grows
    s.x = choose(range(2))
    require(left.count(s.x) == 1 or len(left) - s.x > 0)
    s.y = len(left)


STARTS = [
    _levels,
    _sum,
    _named_first,
    _named_last,
    _overwritten,
    _counted,
    _both_ways,
    _lists,
    _caught,
    _alike,
    _lazy_loop,
    _apart,
    _sorted,
    _helped,
    _looked_at,
    _tuples,
    _either,
    _members,
    _kinds,
    _floats,
    _methods,
]


@pytest.mark.parametrize("function", [*STARTS, _together], ids=lambda one: one.__name__)
def test_a_function_gives_the_same_states_however_it_is_run(function: Any, monkeypatch: Any) -> None:
    found = []
    for way in (Way(True, True), Way(False, True), Way(False, False)):
        with monkeypatch.context() as patched:
            if not way.at_once:
                patched.setattr("sweepcheck.models.generators.opening.opened", lambda _: None)
            if not way.by_steps:
                patched.setattr("sweepcheck.models.generators.starting.steps_of", lambda _: None)
            m = model()
            m.start(function)
            found.append(m.initial_states())
    assert found[0] == found[2]
    assert found[1] == found[2]


def test_choices_that_nobody_looks_at_cost_no_runs() -> None:
    m = Model("levels", level=Array([0] * 8), on=Array(Record(a=0), shape=2))

    @m.start
    def anything(s):
        for i in range(8):
            s.level[i] = choose(range(4))
        s.on[1].a = choose(range(2))

    with patch.object(Words, "choose", autospec=True, side_effect=Words.choose) as chosen:
        assert len(m.initial_states()) == 2 * 4**8
    assert chosen.call_count == 2 * 9  # in two runs, since the second must be as the first


def test_what_stands_before_a_choice_runs_once_for_what_was_chosen_before() -> None:
    runs = _Counted()
    m = Model("levels", level=Array([0] * 6))

    @m.start
    def even(s):
        for i in range(6):
            before = sum(s.level)
            _ = runs @ 1
            s.level[i] = choose(range(4))
            require(sum(s.level) - before < 4)

    assert len(m.initial_states()) == 4**6
    assert runs.number < 2 * 4**6  # as a whole it would be six times as many


class _Counted:
    """Counts what no look at the code of a function finds."""

    number = 0

    def __matmul__(self, by: int) -> None:
        self.number += by
