"""Values that are equal and not alike, that equal nothing, or that are too many: both engines say the same."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import given

from sweepcheck import LTS, Array, Bag, Model, Net, Queue, SweepcheckError, check, choose, require
from sweepcheck.engines import native
from sweepcheck.models.net import colours
from sweepcheck.models.net.colours import timed
from sweepcheck.models.net.time import at
from sweepcheck.testing.conformance import check_acceptance
from sweepcheck.testing.random_models import Source, sources

Make = Callable[[], Any]


def answer(make: Make, engine: str) -> object:
    """What an engine says of a model: the error's code, or its numbers and verdicts."""
    try:
        report = check(make(), engine=engine, keep_going=True)
    except SweepcheckError as error:
        return error.code
    verdicts = [(verdict.property.name, str(verdict.status)) for verdict in report.verdicts]
    return report.statistics.states, report.statistics.edges, verdicts


def agreed(make: Make) -> object:
    """The same, if the engines agree."""
    reference, native = answer(make, "reference"), answer(make, "native")
    assert native == reference
    return reference


# -- equal and not alike ----------------------------------------------------------------------


def mixture(first: Any, second: Any, declare: Any, write: Callable[[Any, Any], None]) -> Make:
    """A model that gives a variable one value after the other."""

    def make() -> Model:
        m = Model("mixture", x=declare, n=0)

        @m.action
        def give(s):
            require(s.n < 2)
            s.n += 1
            write(s, first if s.n == 1 else second)

        m.invariant("anything", lambda s: True)
        return m

    return make


PAIRS = [(2, 2.0), (1, True), (0, False), (Fraction(3), 3), (0.0, -0.0), ((1, "a"), (True, "a")), ("a", "b")]
WRITES: dict[str, tuple[Any, Callable[[Any, Any], None]]] = {
    "scalar": (None, lambda s, value: setattr(s, "x", value)),
    "element": (Array(["", ""]), lambda s, value: s.x.__setitem__(s.n - 1, value)),
    "token": (Bag(), lambda s, value: s.x.add(value)),
    "put": (Queue(), lambda s, value: s.x.put(value)),
    "put into a full queue": (Queue([""], capacity=1), lambda s, value: s.x.put(value)),
    "nested": (None, lambda s, value: setattr(s, "x", (0, frozenset({("n", value)})))),
}


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("way", [way for way in WRITES if "full" not in way])
def test_a_variable_never_gets_two_values_that_are_equal_and_not_alike(way: str, first: Any, second: Any) -> None:
    declare, write = WRITES[way]
    assert (agreed(mixture(first, second, declare, write)) == "SC215") == (first == second)


def test_a_value_that_is_overwritten_counts() -> None:
    def make() -> Model:
        m = Model("overwritten", x=0, y=0)

        @m.action
        def fleeting(s):
            s.x = 2.0
            s.x = 1

        @m.action
        def lasting(s):
            s.x = 2

        m.invariant("whole", lambda s: isinstance(s.x, int))
        return m

    assert agreed(make) == "SC215"


def test_a_value_that_is_only_asked_about_does_not_count() -> None:
    def make() -> Model:
        m = Model("asked", b=Bag([1]), n=0)

        @m.action
        def ask(s):
            require(s.n < 3 and 2.0 not in s.b and s.b.count(True) == 1)
            s.n += 1

        @m.action
        def give(s):
            require(s.n == 3 and s.b.take(1.0) == 1)
            s.b.add(2)

        m.invariant("whole numbers", lambda s: all(type(token) is int for token in s.b))
        return m

    assert agreed(make) == (5, 4, [("whole numbers", "holds")])


def test_what_was_asked_first_and_given_then_is_read_as_given() -> None:
    """The measure counts with the values given, natively too."""

    def make() -> Model:
        m = Model("then", b=Bag(), x=0)

        @m.action
        def ask(s):
            require(2.5 not in s.b and 2.0 not in s.b and s.x < 2)
            s.x += 1
            s.b.add(2)

        m.progress(lambda s: s.x)
        m.invariant("two", lambda s: all(repr(token) == "2" for token in s.b))
        return m

    assert agreed(make) == (2, 1, [("two", "holds")])


def test_two_parameters_of_a_family() -> None:
    m = Model("family", x=0)
    with pytest.raises(SweepcheckError) as raised:

        @m.action(i=[1, True])
        def act(s, i):
            s.x = i

    assert raised.value.code == "SC215"


def test_tokens_of_a_colour_and_locations_of_a_process() -> None:
    for declare in (lambda: colours.values(1, 2, True), lambda: LTS([(0, "go", 1), (True, "on", 2)])):
        with pytest.raises(SweepcheckError) as raised:
            declare()
        assert raised.value.code == "SC215"
        assert raised.value.where is not None


def test_parameters_given_twice_are_one() -> None:
    def make() -> Model:
        m = Model("family", x=0)

        @m.action(i=[1, 1, 2])
        def act(s, i):
            s.x = i

        return m

    assert agreed(make) == (3, 6, [])


def test_tokens_of_nets() -> None:
    def make(timed_place: bool) -> Net:
        net = Net("n")
        colour = timed(object) if timed_place else object
        place, out = net.place("P", int, [1, 2]), net.place("Q", colour)
        net.transition("T", place.take("x"), out.put("x / 1 if x == 1 else x - 1"))
        return net

    assert agreed(lambda: make(False)) == "SC215"
    assert agreed(lambda: make(True)) == "SC215"


def test_a_token_taken_by_an_equal_one() -> None:
    net = Net("n")
    place = net.place("P", timed(int), [at(0, 1)])
    net.transition("T", place.take("1"), place.put("1 @+ 1"))
    net.invariant("one", lambda m: m.clock < 3)
    assert answer(lambda: net, "native") == answer(lambda: net, "reference")


# -- equal to nothing ----------------------------------------------------------------------


class Plain:
    pass


@dataclass(frozen=True)
class Boxed:
    content: Any


@pytest.mark.parametrize(
    "wrap", [lambda x: x, lambda x: (x,), lambda x: (0, (x, 1)), Boxed], ids=["bare", "held", "deep", "boxed"]
)
@pytest.mark.parametrize("value", [Plain, lambda: float("nan"), lambda: lambda: 0], ids=["object", "nan", "function"])
def test_a_value_that_equals_nothing_is_refused_however_deep(value: Make, wrap: Callable[[Any], Any]) -> None:
    for way, (declare, write) in WRITES.items():
        made = mixture(wrap(value()), wrap(value()), declare, write)
        assert agreed(made) == "SC203", way
    with pytest.raises(SweepcheckError) as raised:
        Model("m", x=Array([wrap(value())]))
    assert raised.value.code == "SC111"


@pytest.mark.parametrize("never", [(1, [2]), (1, Plain()), [1]], ids=["list held", "object held", "list"])
def test_a_question_about_a_value_that_no_bag_can_hold(never: Any) -> None:
    def make() -> Model:
        m = Model("asked", b=Bag([(1, 2)]), n=0)

        @m.action
        def ask(s):
            require(s.n < 2 and never not in s.b and s.b.count(never) == 0)
            s.n += 1

        m.invariant("not there", lambda s: never not in s.b and s.b.count(never) == 0)
        return m

    assert agreed(make) == (3, 2, [("not there", "holds")])


class Raising:
    def __init__(self, when: str) -> None:
        self.when = when

    def __hash__(self) -> int:
        if self.when == "hash":
            raise RuntimeError("no hash")
        return 1

    def __eq__(self, other: object) -> bool:
        if self.when == "eq":
            raise RuntimeError("no comparison")
        return self is other

    def __repr__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize("when", ["hash", "eq"])
@pytest.mark.parametrize("way", [way for way in WRITES if way != "nested"])  # Python itself refuses to nest it
def test_a_value_whose_methods_raise(way: str, when: str) -> None:
    declare, write = WRITES[way]
    assert agreed(mixture(Raising(when), Raising(when), declare, write)) == "SC203"


def test_a_choice_whose_methods_raise() -> None:
    def make() -> Model:
        m = Model("m", x=0)

        @m.action
        def act(s):
            s.x = choose([Raising("eq"), Raising("eq")])

        return m

    assert agreed(make) == "SC212"


# -- many ----------------------------------------------------------------------


def crowd(initial: int, added: int, times: int) -> Make:
    def make() -> Model:
        m = Model("crowd", b=Bag({"x": initial, "y": 1}), n=0)

        @m.action
        def add(s):
            require(s.n < times)
            s.n += 1
            s.b.add("x", added)

        @m.action
        def take(s):
            s.b.take()

        m.initial(n=[0])
        m.invariant("few", lambda s: len(s.b) < 2**32 and s.b.count("x") < 2**32)
        return m

    return make


@pytest.mark.parametrize(
    ("initial", "added", "times"),
    [
        (2**32, 0, 0),
        (2**32 - 1, 0, 0),
        (0, 2**32, 1),
        (2**31, 2**31, 1),
        (1, 2**30, 5),
        (2**32 - 2, 1, 1),
        (0, 2**40, 1),
    ],
)
def test_more_tokens_than_32_bits_count_are_refused_natively(initial: int, added: int, times: int) -> None:
    make = crowd(initial, added, times)
    report = check(make(), engine="reference")
    assert str(report.verdicts[0].status) == "violated"
    with pytest.raises(SweepcheckError) as raised:
        check(make(), engine="native")
    assert raised.value.code == "SC404"
    assert "'b'" in raised.value.what
    if initial >= 2**32 - 1:  # known before the run
        assert check(make()).engine == "reference"


def test_as_many_tokens_as_32_bits_count() -> None:
    def make() -> Model:
        m = Model("crowd", b=Bag({"x": 2**31 - 1}), n=0)

        @m.action
        def double(s):
            require(s.n < 1)
            s.n += 1
            s.b.add("x", 2**31)
            require(len(s.b) == 2**32 - 1)

        m.invariant("few", lambda s: len(s.b) <= 2**32 - 2)
        return m

    assert agreed(make) == (2, 1, [("few", "violated")])


def test_counts_beyond_what_is_stored_are_exact_inside_an_action() -> None:
    def make() -> Model:
        m = Model("crowd", b=Bag(), n=0)

        @m.action
        def come_and_go(s):
            require(s.n < 1)
            for _ in range(8):
                s.b.add("x", 2**30)
            s.n = s.b.count("x") == 2**33 and len(s.b) == 2**33 and 1
            s.b.clear()

        m.invariant("counted", lambda s: s.n < 1)
        return m

    assert agreed(make) == (2, 1, [("counted", "violated")])


def test_a_capacity_beyond_64_bits() -> None:
    def make() -> Model:
        m = Model("wide", q=Queue(capacity=2**70))

        @m.action
        def put(s):
            require(len(s.q) < 2)
            s.q.put(1)

        return m

    assert agreed(make) == (3, 2, [])


def test_a_place_with_more_tokens_than_fit_in_memory() -> None:
    net = Net("n")
    place, out = net.place("P", initial=2**32), net.place("Q")
    net.transition("T", place.take(), out.put())
    net.invariant("few", lambda m: len(m.Q) < 3)
    report = check(net)
    assert (report.engine, str(report.verdicts[0].status)) == ("reference", "violated")
    with pytest.raises(SweepcheckError) as raised:
        net.place("R", initial=2**64)
    assert raised.value.code == "SC126"


# -- what engines accept ----------------------------------------------------------------------


def test_comparisons_in_an_action() -> None:
    def make() -> Model:
        m = Model("compared", b=Bag([1, 1]), q=Queue([1]), a=Array([1, 2]), n=0)

        @m.action
        def act(s):
            require(s.b >= Bag([1]) and s.b <= Bag([1, 1, 2]) and not s.b <= Bag([1]))
            require(s.q < (2,) and s.q >= (0,) and s.a > (1, 1) and s.a >= (1, 2) and s.b == Bag([1, 1]) and s.q != s.a)
            require(s.n < 1)
            s.n += 1

        return m

    assert agreed(make) == (2, 1, [])


@pytest.mark.parametrize("count", [True, 1.5, -1, None, "1", Fraction(2)])
def test_odd_numbers_of_tokens(count: Any) -> None:
    def make() -> Model:
        m = Model("odd", b=Bag())

        @m.action
        def add(s):
            require(len(s.b) == 0)
            s.b.add("x", count)

        return m

    assert agreed(make) == ((2, 1, []) if count is True else "SC214")


@given(sources(odd=True))
def test_random_models_with_odd_values(source: Source) -> None:
    check_acceptance(native.run, lambda: source.case().model, engine="native")


# -- sets -----------------------------------------------------------------------------------


class Named(NamedTuple):
    members: frozenset[int]


@dataclass(frozen=True, slots=True)
class Slotted:
    content: Any
    note: str = dataclasses.field(default="", compare=False)


HOLDERS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "bare": (lambda members: members, lambda value: value),
    "in a tuple": (lambda members: ("s", members), lambda value: value[1]),
    "in a named tuple": (Named, lambda value: value.members),
    "in a dataclass": (Boxed, lambda value: value.content),
    "in a dataclass with slots": (Slotted, lambda value: value.content),
    "in a set": (lambda members: frozenset({members}), lambda value: next(iter(value))),
    "in a bag": (lambda members: Bag([members]), lambda value: value.token),
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("way", [way for way in WRITES if "full" not in way and way != "nested"])
def test_equal_sets_give_their_elements_in_one_order(way: str, holder: str) -> None:
    """{0, 8} and {8, 0} are equal, and Python iterates over them in different orders."""
    (declare, write), (hold, held) = WRITES[way], HOLDERS[holder]
    read: Callable[[Any], Any] = {"scalar": lambda x: x, "token": lambda x: next(iter(x))}.get(way, lambda x: x[0])

    def make() -> Model:
        m = Model("orders", x=declare, n=0, first=-1)

        @m.action(i=[1, 2])
        def give(s, i):
            require(s.n == 0)
            s.n = 1
            write(s, hold(frozenset([0, 8] if i == 1 else [8, 0])))
            s.n = i

        @m.action
        def look(s):
            require(s.n > 0)
            s.first = next(iter(held(read(s.x))))

        m.invariant("the same", lambda s: s.first in (-1, 0))
        return m

    assert list(frozenset([8, 0])) == [8, 0], "else this test shows nothing"
    assert agreed(make) == (5, 6, [("the same", "holds")])


def test_sets_of_initial_states_have_one_order() -> None:
    def make() -> Model:
        m = Model("orders", x=frozenset([8, 0]), n=0)
        m.initial(x=[frozenset([8, 0])], n=[0, 1])
        m.invariant("the same", lambda s: next(iter(s.x)) == 0)
        return m

    assert agreed(make) == (2, 0, [("the same", "holds")])
