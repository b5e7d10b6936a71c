"""Measures that are sums: recognised, computed natively, and given up when a value is no number."""

from contextlib import suppress
from enum import Enum, IntEnum
from functools import partial
from operator import attrgetter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import Array, Bag, Model, Net, Queue, SweepcheckError, check, explore, invariant, progress, require
from sweepcheck.engines.native.linear import Summand, arguments_of, linear
from sweepcheck.engines.native.trees import NonlinearError, Size, State, Variable
from sweepcheck.models.net.colours import timed
from sweepcheck.models.processes.lts import LTS
from sweepcheck.models.processes.network import Network

NAMES = ("n", "flag", "cells", "bag")
INITIAL = (0, False, Array([0, 0, 0]), Bag())


def components(function):
    found = linear(progress(function), NAMES, INITIAL)
    if found is None:
        return None
    return [(one.constant, {named(tree): c for tree, c in one.terms.items()}) for one in found.components]


def named(tree):
    """A summand: a variable by position and element, a size by position, or the positions that a function looks at."""
    if isinstance(tree, Variable):
        return (tree.position, tree.element or 0)
    if isinstance(tree, Size):
        return ("size", tree.variable.position)
    return frozenset(named(one) for one in tree.reachable() if isinstance(one, Variable))


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
        lambda s: s.bag,
        lambda s: s.cells[s.n],
        lambda s: f"{s.n}",
        lambda s: s.n + 0.5,
        lambda s: s.missing,
        lambda s: (s.n,) * 5,
        lambda s: (),
        lambda s: None,
    ],
)
def test_anything_else_is_not(function) -> None:
    assert components(function) is None


def rank(place):
    if place == 3:
        return 2
    return 1 if place > 5 else 0


RANKS = {0: 5, 1: 7}


def of_cell(s, i):
    return {0: 1, 1: 3}[s.cells[i]]


CELLS = [frozenset({(2, i)}) for i in range(3)]


@pytest.mark.parametrize(
    ("function", "sums"),
    [
        (lambda s: len(s.bag), [(0, {("size", 3): 1})]),
        (lambda s: 2 * len(s.bag) + s.n - 1, [(-1, {("size", 3): 2, (0, 0): 1})]),
        (lambda s: (s.flag, len(s.bag)), [(0, {(1, 0): 1}), (0, {("size", 3): 1})]),
        (lambda s: s.n + (s.cells[0] == 3), [(0, {(0, 0): 1, CELLS[0]: 1})]),
        (lambda s: s.n + max(s.cells[0], 3), [(0, {(0, 0): 1, CELLS[0]: 1})]),
        (lambda s: sum(rank(x) for x in s.cells), [(0, dict.fromkeys(CELLS, 1))]),
        (lambda s: sum(map(rank, s.cells)), [(0, dict.fromkeys(CELLS, 1))]),
        (lambda s: sum(rank(s.cells[i]) for i in range(3)), [(0, dict.fromkeys(CELLS, 1))]),
        (lambda s: sum(2 for x in s.cells if x > 4), [(0, dict.fromkeys(CELLS, 1))]),
        (lambda s: sum(x in {1, 2} for x in s.cells), [(0, dict.fromkeys(CELLS, 1))]),
        (lambda s: sum(RANKS[x] for x in s.cells), [(0, dict.fromkeys(CELLS, 1))]),
        (lambda s: sum(RANKS.get(x, 9) for x in s.cells), [(0, dict.fromkeys(CELLS, 1))]),
        (
            lambda s: WEIGHTS[s.n] + s.cells[0] * s.cells[1],
            [(0, {frozenset({(0, 0)}): 1, frozenset({(2, 0), (2, 1)}): 1})],
        ),
        (lambda s: (1 if s.flag else 0) + s.n, [(0, {(0, 0): 1, frozenset({(1, 0)}): 1})]),
        (lambda s: (3 in s.bag) + s.bag.count(4) - s.n, [(0, {frozenset({(3, 0)}): 1, (0, 0): -1})]),
        (lambda s: any(x > 3 for x in s.cells) + s.n, [(0, {(0, 0): 1, frozenset({(2, 0), (2, 1), (2, 2)}): 1})]),
        (lambda s: (s.n // 2, s.n % 2), [(0, {frozenset({(0, 0)}): 1}), (0, {frozenset({(0, 0)}): 1})]),
    ],
)
def test_summands_that_are_functions(function, sums) -> None:
    found = components(function)
    assert found is not None
    assert [constant for constant, _ in found] == [constant for constant, _ in sums]
    assert [set(terms.items()) for _, terms in found] == [set(terms.items()) for _, terms in sums]


@pytest.mark.parametrize(
    ("function", "sums"),
    [
        (lambda s: (s.n + s.cells[0]) * (2 + len(s.bag)), [{(0, 0): 1, (2, 0): 1}, {("size", 3): 1}]),
        (lambda s: s.flag + max(sum(s.cells), 3, sum(s.cells) - 1), [{(2, 0): 1, (2, 1): 1, (2, 2): 1}]),
        (lambda s: rank(s.n - s.cells[1]), [{(0, 0): 1, (2, 1): -1}]),
        (lambda s: 7 + s.n * s.cells[1], []),  # a table by variables is as small
        (lambda s: (s.n + s.flag) * s.bag.count(3), []),  # it looks at what a bag holds
        (lambda s: s.n + max(s.n + 2 * i * s.cells[0] for i in range(5)), []),  # too many
    ],
)
def test_functions_of_few_sums(function, sums) -> None:
    found = linear(progress(function), NAMES, INITIAL)
    if found is None:
        assert not sums
        return
    (arguments,) = map(arguments_of, found.trees)
    assert [{named(tree): c for tree, c in one.terms.items()} for one in arguments] == sums


def test_a_summand_that_needs_the_whole_state_is_written_down_as_a_whole() -> None:
    found = linear(progress(lambda s: sum(of_cell(s, i) for i in range(3))), NAMES, INITIAL)
    assert found is not None
    assert len(found.trees) == 3
    assert all(any(isinstance(one, State) for one in tree.reachable()) for tree in found.trees)


class Mode(Enum):
    IDLE = 0
    BUSY = 1


def weight(s, i, factor=2):
    return factor * s.cells[i]


def reads_by_name(s, name):
    return getattr(s, name)


def looks_closer(n):
    return 1 if isinstance(n, int) else 0


WEIGHTS = [3, 5, 7]
LAST = 0
looks_closer_too = partial(looks_closer)


class Counting:
    def __call__(self, s):
        return s.n

    def measure(self, s):
        return s.n


@pytest.mark.parametrize(
    ("function", "sums"),
    [
        (lambda s: sum(WEIGHTS[i] * x for i, x in enumerate(s.cells)), [(0, {(2, 0): 3, (2, 1): 5, (2, 2): 7})]),
        (lambda s: sum([weight(s, i) for i in range(3) if i != 1]), [(0, {(2, 0): 2, (2, 2): 2})]),
        (lambda s: tuple(x for x in s.cells), [(0, {(2, i): 1}) for i in range(3)]),
        (lambda s: sum(-x for x in reversed(s.cells)), [(0, {(2, 2): -1, (2, 1): -1, (2, 0): -1})]),
        (partial(weight, i=1, factor=4), [(0, {(2, 1): 4})]),
        (lambda s: sum(s.cells[1:]) - sum(s.cells[:-2]), [(0, {(2, 1): 1, (2, 2): 1, (2, 0): -1})]),
        (lambda s: 2 * getattr(s, "n"), [(0, {(0, 0): 2})]),  # noqa: B009
        (lambda s: sum(len(getattr(s, f"{name}g")) for name in ("ba",)), [(0, {("size", 3): 1})]),
        (lambda s: s.n * 10**15 - 3 * 10**12, [(-3 * 10**12, {(0, 0): 10**15})]),
    ],
)
def test_helpers_and_constants_are_followed(function, sums) -> None:
    assert components(function) == sums


@pytest.mark.parametrize(
    "function",
    [
        lambda s: s.n if s.flag is False else 10,
        lambda s: s.n if s.flag is not None else 10,
        lambda s: s.n if isinstance(s.n, int) else 10,
        lambda s: s.n if type(s.n) is int else 10,
        lambda s: s.n + looks_closer(s.n),
        lambda s: s.n + looks_closer_too(s.n),
        lambda s: sum(map(looks_closer, s.cells)),
        lambda s: id(s.n),
        lambda s: 1 if s.cells == [0, 0, 0] else 0,
        lambda s: 1 if 0 in s.cells else 0,
        lambda s: s.n if s.cells else 0,
        lambda s: s.n or 3,
        lambda s: getattr(s, "bag", 3),
        lambda s: s.n + len([getattr(WEIGHTS, name) for name in ("copy",)]),
        lambda s: s.n + len([getattr(s, "pop")() for s in (WEIGHTS,)]),  # noqa: B009
        lambda s: s.n + (lambda s: getattr(s, "real"))(3),  # noqa: B009, PLC3002
        lambda s: s.n + len(list(map(getattr, [s, WEIGHTS], ["n", "pop"]))),
        lambda s: s.n + len(getattr(s and WEIGHTS, "copy")()),  # noqa: B009
        lambda s: reads_by_name(s, "n"),
        lambda s: s.n + hasattr(s, "bag"),
        lambda s: s.n.constant,
        lambda s: s.n.real,
        lambda s: s.cells.__len__(),
        lambda s: s.n if s == s else 0,  # noqa: PLR0124
        Counting(),
        Counting().measure,
        attrgetter("n"),
        print,
    ],
)
def test_what_goes_behind_a_variable_is_no_sum(function) -> None:
    assert components(function) is None


def caught(s):
    try:
        return s.n if s.n > 3 else 0
    except Exception:  # noqa: BLE001
        return 1


def matched(s):
    match s.n:
        case int():
            return s.n
        case _:
            return 1


def left_out(s):
    global LAST  # noqa: PLW0603
    LAST = 3
    return s.n


def ends_it(s):
    with suppress(BaseException):
        return s.n or 0
    return 1


@pytest.mark.parametrize("function", [caught, matched, left_out, ends_it])
def test_statements_that_are_no_arithmetic(function) -> None:
    assert components(function) is None


def test_no_function_that_is_not_proven_meets_an_unknown() -> None:
    met = []

    def curious(s):
        met.append(type(s))
        return s.n

    assert components(curious) is None
    assert not met


LEAVES = ["s.n", "s.flag", "s.cells[0]", "s.cells[-1]", "sum(s.cells)", "len(s.cells)", "2", "-7", "10**9"]
LEAVES += [
    "len(s.bag)",
    "s.bag.count(2)",
    "(2 in s.bag)",
    "sum(map(rank, s.cells))",
    "RANKS.get(s.n, 3)",
    "max(s.cells)",
]
EXPRESSIONS = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "==", "<", "and", "or", "is", "in"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        inner.map("(-{})".format),
        inner.map("abs({})".format),
        inner.map("sum([{}, 1])".format),
        inner.map("({0} if isinstance({0}, int) else 5)".format),
        inner.map("({0} if {0} else 5)".format),
        inner.map("sum({} + x for x in s.cells)".format),
        inner.map("sum(1 for x in s.cells if x > {})".format),
        inner.map("sum({}, 3)".format),
        inner.map("max({}, s.n)".format),
        inner.map("rank({})".format),
        inner.map("WEIGHTS[{} % 3]".format),
        st.tuples(inner, inner, inner).map(lambda parts: "({} if {} else {})".format(*parts)),
    ),
    max_leaves=6,
)
NUMBERS = st.integers(-(10**6), 10**6)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@given(EXPRESSIONS, st.lists(st.tuples(NUMBERS, st.booleans(), NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=5))
def test_a_sum_is_what_the_function_computes(text, states) -> None:
    function = eval(f"lambda s: {text}")
    found = linear(progress(function), NAMES, INITIAL)
    for n, flag, *cells in states:
        if found is not None:
            state = SimpleNamespace(n=n, flag=flag, cells=cells, bag=Bag([n % 3, 2, 2]))
            (one,) = found.components
            with suppress(NonlinearError):  # then the measure itself is asked
                values = [(c, Summand(tree)(state)) for tree, c in one.terms.items()]
                if all(isinstance(value, int) for _, value in values):
                    assert one.constant + sum(c * value for c, value in values) == function(state), text


def test_the_largest_number_that_can_be_summed() -> None:
    found = linear(progress(lambda s: (s.n * 3 - 4, sum(s.cells))), NAMES, INITIAL)
    most = (2**63 - 1 - 4) // 3
    assert found is not None
    assert found.most_number == min(most, (2**63 - 1) // 3)
    assert linear(progress(lambda s: s.n + 2**63), NAMES, INITIAL) is None
    assert linear(progress(lambda s: s.n * 2**64), NAMES, INITIAL) is None


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


def explored_by(engine, model, measure, strategy):
    try:
        return explore(model, measure=measure, strategy=strategy, engine=engine)
    except SweepcheckError as error:
        return error


def same_as_reference(model, measure, strategy="sweep") -> None:
    native, reference = (explored_by(engine, model, measure, strategy) for engine in ("native", "reference"))
    if isinstance(reference, SweepcheckError):
        assert isinstance(native, SweepcheckError)
        assert native.code == reference.code
        return
    for name in ("states", "edges", "peak", "layers", "regress_edges", "sweeps"):
        assert getattr(native.statistics, name) == getattr(reference.statistics, name)
    assert list(map(repr, native.profile)) == list(map(repr, reference.profile))


def test_values_are_shown_as_the_measure_gives_them() -> None:
    same_as_reference(counters(), lambda s: (s.started, s.count[0] + s.count[1]))


def office(most: int = 3):
    """Letters wait in a bag and a queue, are read in any order, and are filed; a shelf is cleared at times."""
    m = Model("office", post=Bag(), desk=Queue(), shelf=Bag(), written=0, mood=Array(["calm"] * 2))

    @m.action(kind=["red", "blue"])
    def write(s, kind):
        require(s.written < most)
        s.written += 1
        s.post.add(kind)

    @m.action
    def deliver(s):
        s.desk.put(s.post.take())

    @m.action
    def file(s):
        require(len(s.desk))
        s.shelf.add(s.desk.get())

    @m.action
    def clear(s):
        require(len(s.shelf) > 1)
        s.shelf.clear()

    @m.action(i=range(2))
    def fret(s, i):
        s.mood[i] = "angry" if s.mood[i] == "calm" and len(s.desk) > 1 else "calm"

    @m.action
    def relax(s):
        require(s.written > 1)
        s.mood[0] = "calm"

    return m


ANGER = {"calm": 0, "angry": 2}


@pytest.mark.parametrize(
    "measure",
    [
        lambda s: len(s.shelf) - len(s.post),
        lambda s: (s.written, len(s.desk), len(s.shelf)),
        lambda s: 3 * len(s.post) + 2 * len(s.desk) + s.shelf.count("red"),
        lambda s: sum(ANGER[mood] for mood in s.mood) + len(s.desk),
        lambda s: sum(1 for mood in s.mood if mood == "angry"),
        lambda s: (len(s.desk) == 2, s.written),
        lambda s: ("red" in s.post) + ("blue" in s.shelf) + s.written,
        lambda s: (s.written if s.mood[0] == "calm" else 7) + len(s.shelf),
        lambda s: (s.written * len(s.desk), -len(s.post)),
        lambda s: len(s.desk) + (s.desk[0] == "red" if s.desk else 0),
        lambda s: (s.mood[0] == "calm", s.mood[1] == "calm"),
        lambda s: s.written / 2 + len(s.desk),
        lambda s: (s.written + len(s.desk)) * (len(s.shelf) + 2),
        lambda s: (max(s.written + len(s.desk), len(s.shelf) - s.written), s.written),
        lambda s: (s.written + len(s.desk)) / 2,
        lambda s: (s.written + len(s.desk) > 2, -s.written),
        lambda s: -1 if s.written + len(s.post) > 3 else len(s.desk) + len(s.shelf),
    ],
)
@pytest.mark.parametrize("strategy", ["generalised", "sweep"])
def test_sums_of_sizes_and_functions(measure, strategy) -> None:
    same_as_reference(office(), measure, strategy)


def test_a_function_of_sums_is_run_once_for_each_combination_of_them() -> None:
    def product(s):
        return (sum(s.count[:2]) + 1) * (sum(s.count[2:]) + 1)

    m = Model("grid", count=Array([0] * 4))

    @m.action(i=range(4))
    def step(s, i):
        require(s.count[i] < 5)
        s.count[i] += 1

    report = explore(m, engine="native", strategy="sweep", measure=product)
    assert report.statistics.states == 6**4
    assert report.measure_cost.evaluations == 11 * 11


@pytest.mark.parametrize(
    "measure",
    [
        lambda s: (sum(s.count) + 1) * (len(s.line) + 2),
        lambda s: max(s.count[0] - s.count[1], 2 * len(s.pool) - len(s.line)),
        lambda s: 3 * ((s.count[0] + s.count[1]) * (s.count[2] + len(s.pool))) - 7,
        lambda s: abs(s.count[0] + s.count[1] - 3) + 0 * len(s.line),
    ],
)
def test_steps_take_a_function_of_sums_as_far_as_they_take_the_sums(measure) -> None:
    """Numbers go up, down and to what was not looked at; lines are emptied; layers are left and found again."""
    m = Model("steps", count=Array([0] * 3), line=Queue(capacity=2), pool=Bag(), up=False)

    @m.action(i=range(3))
    def step(s, i):
        require(s.count[i] < 3)
        s.count[i] += 1
        s.up = True

    @m.action(i=range(3))
    def leap(s, i):
        require(s.up)
        s.count[i] = 2  # whatever it was
        s.up = False

    @m.action
    def back(s):
        require(s.count[0] == 3)
        s.count[0], s.count[1] = 0, 0
        s.line.clear()

    @m.action(x=("a", "b"))
    def queue(s, x):
        s.line.put(x)

    @m.action
    def serve(s):
        require(len(s.pool) < 2)
        s.pool.add(s.line.get())

    @m.action
    def leave(s):
        s.pool.take()

    same_as_reference(m, measure, "generalised")


def test_a_summand_that_fails_is_told_by_the_measure() -> None:
    def fails(s):
        return s.written + {"calm": 0}[s.mood[0]]

    for engine in ("native", "reference"):
        with pytest.raises(SweepcheckError, match="'angry'"):
            explore(office(), measure=fails, strategy="generalised", engine=engine)


def test_places_of_a_net_are_counted() -> None:
    net = Net("counted")
    here, there = net.place("Here", int, initial=[1, 1, 2, 5]), net.place("There", int)
    net.transition("go", here.take("n"), there.put("n"))
    net.transition("grow", there.take("n"), there.put("n + 1"), guard="n < 4")
    for measure in (
        lambda m: len(m.There) - len(m.Here),
        lambda m: len(m.There) + (2 in m.There),
        lambda m: (len(m.There), m.There.count(4)),
    ):
        same_as_reference(net, measure, "generalised")


def test_a_value_that_is_no_number_starts_the_run_again() -> None:
    same_as_reference(counters(last=3.5), lambda s: (s.started, sum(s.count)))


def test_values_as_they_are_decide_and_not_those_of_a_stand_in() -> None:
    m = Model("modes", n=0, mode=Mode.IDLE)

    @m.action
    def step(s):
        require(s.n < 10)
        s.n += 1
        s.mode = Mode.IDLE if s.n < 6 else Mode.BUSY

    same_as_reference(m, lambda s: s.n if s.mode is Mode.IDLE else 10 + s.n)


def test_whole_numbers_of_a_type_of_their_own() -> None:
    class Phase(IntEnum):
        END = 8

    class Backwards(int):
        def __neg__(self):
            return 0

        def __add__(self, other):
            return -int(self)

    for last in (Phase.END, Backwards(8)):
        same_as_reference(counters(last=last), lambda s: (s.started, -s.count[0], s.count[1]), "generalised")


def test_an_action_does_not_notice_that_its_value_cannot_be_counted_with() -> None:
    m = Model("halves", n=4, caught=False)

    @m.action
    def halve(s):
        require(s.n > 0.25)
        try:
            s.n = s.n / 2 if s.n <= 1 else s.n - 1
        except BaseException:
            s.caught = True
            raise

    same_as_reference(m, lambda s: -s.n)
    never = invariant("never caught", lambda s: not s.caught)
    assert check(m, [never], engine="native", strategy="sweep", measure="-n").verdicts[0].status == "holds"


@pytest.mark.parametrize("big", [0.5, 2**41, 2**63, 2**200, -(2**63)])
@pytest.mark.parametrize("kind", ["always_possible", "always_eventually"])
def test_a_violation_with_values_that_cannot_be_counted_with(big, kind) -> None:
    m = Model("escapes", n=0, left=False)

    @m.action
    def go(s):
        require(not s.left)
        s.n = big if s.n == 3 else s.n + 1
        s.left = s.n == big

    getattr(m, kind)("back at zero", lambda s: s.n == 0 and s.left)
    m.progress(lambda s: (s.left, s.n))
    native, reference = (check(m, strategy="sweep", engine=engine) for engine in ("native", "reference"))
    for report in (native, reference):
        (verdict,) = report.verdicts
        assert verdict.status == "violated"
        assert verdict.trace is not None
    assert native.verdicts[0].trace.steps[-1].state == reference.verdicts[0].trace.steps[-1].state


@pytest.mark.parametrize("length", [1, 300])
@pytest.mark.parametrize("factor", [1, 2**16, 2**40, 2**62, 2**70])
@pytest.mark.parametrize("top", [2**40, 2**62, 2**64])
def test_no_sum_overflows(length, factor, top) -> None:
    m = Model("large", cells=Array([0] * length), step=0)

    @m.action
    def grow(s):
        require(s.step < 3)
        s.step += 1
        for i in range(length):
            s.cells[i] = top * s.step // 3

    same_as_reference(m, lambda s: (factor * sum(s.cells) - factor, s.step))


def test_a_net_that_runs_longer_than_numbers_go() -> None:
    net = Net("long")
    waiting = net.place("Waiting", timed(int), initial=[0])
    net.transition("wait", waiting.take("n"), waiting.put("n + 1"), guard="n < 12", delay=10**12)
    for engine in ("native", "reference"):
        report = explore(net, measure=lambda m: m.clock * 10**6, strategy="sweep", engine=engine)
        assert report.statistics.states == 13


def test_locations_of_a_network_are_counted_with() -> None:
    network = Network("numbers", {"p": LTS([(5, "a", 9), (9, "b", 3), (3, "a", 70)])})
    same_as_reference(network, lambda s: s.p, "generalised")
