"""Bag, Queue and Array as values: the algebra, the fixed order, equality and hashing."""

import copy
import pickle
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, Flag, IntEnum, StrEnum
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import Array, Bag, Queue, Set
from sweepcheck.core.values import alike, sort_key, unfit

tokens = st.one_of(
    st.integers(-2, 3),
    st.sampled_from("abc"),
    st.none(),
    st.tuples(st.integers(0, 1), st.sampled_from("ab")),
    st.frozensets(st.sampled_from("ab")),
    st.sampled_from([0.5, 2.5, Fraction(1, 3), b"b"]),
)
bags = st.lists(tokens, max_size=6)


@given(bags)
def test_a_bag_counts_like_a_counter(drawn: list[object]) -> None:
    bag, counter = Bag(drawn), Counter(drawn)
    assert dict(bag.items()) == dict(counter)
    assert len(bag) == counter.total()
    assert set(bag.distinct()) == set(counter)
    assert Counter(bag) == counter
    assert all(bag.count(token) == count and token in bag for token, count in counter.items())
    assert bag.count("nowhere") == 0
    assert "nowhere" not in bag
    assert bool(bag) is bool(drawn)


@given(bags, bags)
def test_algebra(one: list[object], other: list[object]) -> None:
    assert Bag(one) + Bag(other) == Bag(one + other)
    assert Bag(one) - Bag(other) == Bag(dict(Counter(one) - Counter(other)))
    assert (Bag(one) <= Bag(other)) is (Counter(one) <= Counter(other))
    assert (Bag(one) == Bag(other)) is (Counter(one) == Counter(other))


@given(bags, st.randoms())
def test_a_bag_does_not_depend_on_the_order_of_its_tokens(drawn: list[object], shuffled) -> None:
    bag = Bag(drawn)
    shuffled.shuffle(drawn)
    again = Bag()
    for token in drawn:
        again = again.including(token)
    assert bag == again
    assert hash(bag) == hash(again)
    assert list(bag) == list(again)
    assert sort_key(bag) == sort_key(again)


@given(bags, tokens, st.integers(0, 3))
def test_including_and_excluding(drawn: list[object], token: object, count: int) -> None:
    bag = Bag(drawn)
    more = bag.including(token, count)
    assert Counter(more) == Counter(drawn) + Counter({token: count})
    assert more.excluding(token, count) == bag
    if bag.count(token) < count:
        with pytest.raises(KeyError):
            bag.excluding(token, count)


@pytest.mark.parametrize("count", [-1, 1.5, None])
def test_counts_are_whole_numbers(count: object) -> None:
    for attempt in (
        lambda: Bag({"a": count}),
        lambda: Bag().including("a", count),
        lambda: Bag(["a"]).excluding("a", count),
    ):
        with pytest.raises(ValueError, match="'a'"):
            attempt()


def test_printed() -> None:
    assert repr(Bag(["b", "a", "b", 1])) == "1*1 + 1*'a' + 2*'b'"
    assert repr(Bag()) == repr(Bag({"a": 0})) == "empty"
    assert repr(Bag().including("a", True)) == "1*'a'"
    assert repr(Queue([1, "a"])) == "<1, 'a'>"
    assert repr(Array([1, "a"])) == "[1, 'a']"


def test_bags_mix_with_nothing_else() -> None:
    for wrong in ((1,), Counter([1]), None, 1):
        assert Bag([1]) != wrong
        with pytest.raises(TypeError):
            Bag([1]) + wrong
        with pytest.raises(TypeError):
            Bag([1]) - wrong
        with pytest.raises(TypeError):
            Bag([1]) <= wrong  # noqa: B015


class Twin:
    """Two of them look the same and are not equal."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Twin) and self.number == other.number

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return "twin"


def test_tokens_that_look_the_same() -> None:
    one, two = Twin(1), Twin(2)
    assert Bag([one, two]) == Bag([two, one])
    assert hash(Bag([one, two])) == hash(Bag([two, one]))
    assert Bag([one, one, two]) != Bag([one, two, two])
    assert Bag([one]).count(two) == 0


class Colour(Enum):
    RED = "r"
    BLUE = "b"


@dataclass(frozen=True)
class Boxed:
    content: Any
    note: Any = field(default="", compare=False)


class Nameless:
    """Equal to nothing but itself, and hashed by something else."""

    def __hash__(self) -> int:
        return 1


class Refusing:
    """Cannot be compared."""

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")


UNLIKE = [
    (1, True),
    (2, 2.0),
    (0.0, -0.0),
    (2, Fraction(2)),
    (2, Decimal(2)),
    (Decimal(1), Decimal("1.0")),
    (1, 1 + 0j),
    (1, IntEnum("Level", "LOW")(1)),
    ("a", StrEnum("Word", "A").A),
    ((1, 2), Queue((1, 2))),
    (range(0), range(1, 1)),
    ((1, "a"), (True, "a")),
]


def test_equal_tokens_that_are_not_alike_do_not_mix() -> None:
    for one, other in UNLIKE:
        assert one == other, "else they may well mix"
        with pytest.raises(ValueError, match="equal and not alike"):
            Bag([one, other])
        with pytest.raises(ValueError, match="equal and not alike"):
            Bag([one]).including(other)
        with pytest.raises(ValueError, match="equal and not alike"):
            Bag([one]) + Bag([other])
        assert Bag([one]) == Bag([other]), "equality is Python's"
        assert Bag([one]).count(other) == 1
        assert not Bag([one]) - Bag([other])


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_unlike_values(one: Any, other: Any) -> None:
    assert alike(one, one)
    assert not alike(one, other)
    assert not alike((0, (one,)), (0, (other,)))
    assert not alike(frozenset({one, "a"}), frozenset({other, "a"}))
    assert not alike(Array([one]), Array([other]))
    assert not alike(Bag([one]), Bag([other]))
    assert not alike(Boxed(one), Boxed(other))
    assert alike(Boxed("a", one), Boxed("a", other)), "its equality does not look at the note"


@given(st.lists(tokens, max_size=4))
def test_values_made_twice_are_alike(drawn: list[Any]) -> None:
    for make in (tuple, frozenset, Bag, Queue, Array):
        assert alike(make(drawn), make(list(drawn)))


@pytest.mark.parametrize("value", [float("nan"), Decimal("nan"), object(), lambda: 0, Nameless(), Refusing()])
def test_what_is_never_equal_is_unfit_however_deep(value: Any) -> None:
    for whole in (value, (value,), (0, ((value,), 1)), Array([value]), Boxed(value)):
        assert unfit(whole) is not None
    if not isinstance(value, Refusing):
        assert unfit(frozenset({value})) is not None
        assert unfit(Bag([value])) is not None
    assert unfit(Boxed("a", value)) is None


@pytest.mark.parametrize("value", [None, ..., int, Colour.RED, (1, "a", (None, 2.5)), frozenset({1, "a"}), Bag([1])])
def test_what_is_fit(value: Any) -> None:
    assert unfit(value) is None


def test_a_token_that_does_not_equal_itself() -> None:
    nan = float("nan")
    assert Bag([nan]).count(nan) == 1
    assert Bag([nan, 1]).excluding(nan) == Bag([1])


class Level(IntEnum):
    LOW = 1


class Word(StrEnum):
    A = "a"


class Right(Flag):
    READ = 1
    WRITE = 2


@dataclass(frozen=True)
class Message:
    to: int
    text: str


def test_the_fixed_order() -> None:
    """Numbers, text, None, tuples, enumerations in the order written, sets, dataclasses, bags, everything else."""
    ordered = [
        -1,
        False,
        Fraction(1, 2),
        Level.LOW,
        2.5,
        "",
        Word.A,
        "b",
        None,
        (),
        (0, 2),
        (1,),
        ("a",),
        Colour.RED,
        Colour.BLUE,
        Right.READ,
        Right.WRITE,
        Right.READ | Right.WRITE,
        frozenset(),
        frozenset({1}),
        frozenset({1, "a"}),
        frozenset({2}),
        Message(1, "a"),
        Message(1, "b"),
        Message(2, "a"),
        Bag(),
        Bag([1]),
        Bag([1, 1]),
        b"a",
        range(2),
    ]
    backwards = ordered[::-1]
    assert sorted(backwards, key=sort_key) == ordered
    assert list(Bag(backwards)) == ordered


def test_a_bag_survives_pickling_without_its_hash() -> None:
    bag = Bag(["a", "b", "a"])
    hash(bag)
    again = pickle.loads(pickle.dumps(bag))
    assert again == bag
    assert again._hash is None


def test_a_queue_survives_pickling_with_its_capacity() -> None:
    assert pickle.loads(pickle.dumps(Queue([1], capacity=2))).capacity == 2


def test_queues() -> None:
    queue = Queue([1, 2], capacity=3)
    assert queue.peek() == 1
    assert queue == (1, 2)
    assert hash(queue) == hash((1, 2))
    assert queue == Queue([1, 2])  # the capacity belongs to the declaration, not to the value
    with pytest.raises(IndexError):
        Queue().peek()
    for capacity in (-1, 1.5, "2"):
        with pytest.raises(ValueError, match="capacity"):
            Queue(capacity=capacity)
    with pytest.raises(ValueError, match="3 elements"):
        Queue([1, 2, 3], capacity=2)


def test_values_that_cannot_be_part_of_a_state() -> None:
    assert unfit([]) is not None
    assert unfit((1, [])) is not None
    assert unfit(lambda: 0) is not None
    assert unfit(object()) is not None
    for fit in (1, None, ..., "a", (1,), int, Colour.RED, Message(1, "a"), Bag(), Twin(1)):
        assert unfit(fit) is None


def test_large_bags_are_not_quadratic() -> None:
    """Ten thousand distinct tokens: each of these would take minutes if it compared all pairs."""
    one, other = Bag(range(10_000)), Bag(range(5_000, 15_000))
    assert len(one + other) == 20_000
    assert len(one - other) == 5_000
    assert one - other <= one
    assert not other <= one


@pytest.mark.parametrize(("value", "change"), [(Bag(["a"]), "add"), (Set(["a"]), "discard"), (Queue(["a"]), "put")])
def test_a_value_that_is_asked_to_change_says_what_it_is(value, change):
    with pytest.raises(AttributeError, match=rf"no operation '{change}': this \w+ is a value; a variable can be"):
        getattr(value, change)
    with pytest.raises(AttributeError, match=r"has no operation 'colour'$"):
        _ = value.colour
    assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)
