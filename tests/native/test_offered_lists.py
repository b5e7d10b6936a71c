"""Choices from lists that are the same in every run: made once, and offered as they would be."""

from itertools import combinations, permutations, product
from typing import Any

import pytest

from sweepcheck import Array, Model, choose, explore, require
from sweepcheck.engines.native import offering
from sweepcheck.engines.native.offering import FEWEST, Offering

SIZE = 6


def subsets(items: Any) -> Any:
    return [frozenset(one) for size in range(len(items) + 1) for one in combinations(items, size)]


def some(items: Any) -> Any:
    """A list whose elements depend on a choice."""
    first = choose(0, 1)
    return [one for one in permutations(items) if one[0] == first]


def wanted(items: Any) -> Any:
    """A list that is offered under a condition, which is false."""
    require(len(items) > 9)
    return subsets(items)


def failing(items: Any) -> Any:
    return [1 // (len(one) - 1) for one in subsets(items)]


FORMS = {
    "iterator": "choose(permutations(range(5)))",
    "list": "choose([frozenset(one) for size in range(5) for one in combinations(range(6), size)])",
    "generator": "choose((a, b) for a, b in product(range(9), repeat=2) if a < b)",
    "set": "choose({a * b for a in range(15) for b in range(15)})",
    "by a function": "choose(subsets(range(SIZE)))",
    "of another size": "choose(subsets(range(SIZE + i)))",
    "of a list": "choose(subsets(names[1:]))",
    "of a local list": "choose(subsets([*names[2:], s.n]))",
    "few": "choose(subsets(range(2)))",
    "no list": "choose(str(10**70))",
    "with a choice inside": "choose(some(range(5)))",
    "with a condition inside": "choose(wanted(range(7)))",
    "twice": "(choose(subsets(range(SIZE))), choose([*'ab', *'c' * 70]))[1]",
    "from what is there": "choose(subsets(range(5 + s.n)))",
    "within a function": "picked(s)",
}


def model(expression: str) -> Model:
    names = ["a", "b", "c", "d", "e", "f", "g"]

    def picked(s: Any) -> Any:
        kept = list(range(4 + s.n))

        def one() -> Any:
            return choose(subsets(kept))

        first = one()
        kept.pop()
        return first, one()

    m = Model("offers", n=0, got=None, left=Array([2, 1]))
    known = {
        "choose": choose,
        "combinations": combinations,
        "permutations": permutations,
        "product": product,
        "subsets": subsets,
        "some": some,
        "wanted": wanted,
        "SIZE": SIZE,
        "names": names,
        "picked": picked,
    }
    chosen = eval(f"lambda s, i: {expression}", known)

    @m.action(i=range(2))
    def pick(s: Any, i: int) -> None:
        require(s.left[i] > 0 and s.n < 2 - i)
        s.got = chosen(s, i)
        s.left[i] -= 1
        s.n += 1
        s.got = len(str(s.got))  # few states are enough

    return m


@pytest.mark.parametrize("form", FORMS)
def test_both_engines_offer_the_same(form: str) -> None:
    found = [explore(model(FORMS[form]), engine=engine).statistics for engine in ("native", "reference")]
    assert (found[0].states, found[0].edges) == (found[1].states, found[1].edges)


def plain(n: int) -> Model:
    m = Model("plain", got=None, n=0)

    @m.action
    def pick(s: Any) -> None:
        require(s.n < 2)
        s.got = choose(subsets(range(n)))
        s.n += 1

    return m


@pytest.mark.parametrize("options", [{}, {"verify_actions": True}, {"workers": 2}])
def test_lists_are_made_a_few_times(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    alternatives = offering._alternatives
    monkeypatch.setattr(offering, "_alternatives", lambda make: made.append(alternatives(make)) or made[-1])
    found = explore(plain(6), engine="native", **options).statistics
    assert (found.states, found.edges) == (1 + 2 * 64, 64 + 64 * 64)
    assert 5 < len(made) < 25


class TestOffering:
    def test_one_that_changes_is_not_offered_again(self) -> None:
        count = [0]

        def make() -> Any:
            return list(range(FEWEST + count[0] // 3))

        def offers() -> Any:
            return make()

        def offered() -> Any:
            count[0] += 1
            return offering.once(offers)  # type: ignore[arg-type]

        offering = Offering()
        found = [offered() for _ in range(20)]
        assert found[0] == tuple(range(FEWEST))
        assert found[-1] is None

    def test_one_that_changes_something_is_not_offered_again(self) -> None:
        count = [0]

        def offers() -> Any:
            count[0] += 1
            return list(range(FEWEST))

        offering = Offering()
        assert [offering.once(offers) for _ in range(20)] == [None] * 20  # type: ignore[arg-type]
        assert count == [0]

    def test_what_it_reads_tells_lists_apart(self) -> None:
        offering = Offering()

        def asked(size: int, names: Any) -> Any:
            return offering.once(lambda: [(one, name) for one in range(size) for name in names])  # type: ignore[arg-type]

        names = ["a", "b"]
        first = asked(50, names)
        assert asked(50, ["a", "b"]) is first
        assert len(asked(60, names)) == 120
        names.append("c")
        assert len(asked(50, names)) == 150

    def test_objects_that_may_change_are_no_constants(self) -> None:
        class Anything:
            pass

        def reading(held: Any) -> Any:
            return lambda: list(range(100)) if held is not None else []

        offering = Offering()
        for read in (Anything(), (Anything(),), [[Anything()]], ([1],), {}):
            assert offering.once(reading(read)) is None
        assert offering.once(reading((1, "a", frozenset({2})))) == tuple(range(100))

    def test_places_that_always_read_something_new_are_left_alone(self) -> None:
        offering = Offering()
        place = lambda n: lambda: [n + one for one in range(100)]  # noqa: E731
        offered = [offering.once(place(n)) for n in range(200)]
        assert offered[0] == tuple(range(100))
        assert offered[-1] is None
