"""Functions that pass over elements of sets and bags: both engines find the same, and the native one asks for parts."""

import linecache
import os
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parts_of import TOKENS, Odd, Token, figures, name_of, written

from sweepcheck import Array, Bag, Model, Set, check, choose, explore, invariant, require
from sweepcheck.engines.native import folds
from sweepcheck.engines.native.sifting import sifting

STEPS = 4 if os.environ.get("SWEEPCHECK_SLOW") else 3

# What is asked of sets and bags. True: the native engine is expected to look at a part alone.
PARTS = {
    "any(x.kind == 'a' for x in s.set)": True,
    "all(x.nr < 2 for x in s.bag)": True,
    "any(x.kind == 'a' and x.nr == s.x for x in s.set)": True,
    "any([x.nr == s.a[s.x] for x in s.set if x.kind == 'b'])": True,
    "len([x for x in s.bag if x.kind == 'a'])": True,
    "len([x.nr for x in s.bag if x.nr > LIMIT])": True,
    "len({x.nr for x in s.bag if x.kind != 'c'})": True,
    "{x.kind for x in s.set if x.nr} >= {'a', 'b'}": True,
    "1 in [x.nr for x in s.set if x.kind == 'a']": True,
    "sum(x.nr for x in s.bag if x.kind == 'b')": True,
    "sum(x.kind == 'b' for x in s.bag)": True,
    "max((x.nr for x in s.bag if x.kind == 'a'), default=-1)": True,
    "min([x.nr for x in s.set], default=7)": True,
    "max((x.nr for x in s.set if x.nr < 3), key=lambda nr: -nr, default=0)": True,
    "tuple(x for x in s.bag if x.kind == 'a')": True,
    "tuple([x.nr for x in s.set if x.kind in ('a', 'c')])": True,
    "tuple(sorted(x.nr for x in s.bag if x.kind == 'a'))": True,
    "tuple({x.nr: x for x in s.set if x.kind == 'b'}.values())": True,
    "tuple(nr for kind, nr in s.bag if kind == 'a')": True,
    "tuple([rest for kind, *rest in s.set if kind == 'a'] and [1])": True,
    "any(is_small(x) and x.kind == 'b' for x in s.set)": True,
    "any(is_small(x, s.x) for x in s.set if x.kind == 'b')": True,
    "any(NAMES[x.kind] == 1 for x in s.bag)": True,
    "any(all(has(s, nr) for nr in group) for group in GROUPS)": True,
    "any(x.kind.startswith('b') for x in s.set)": True,
    "any(x.kind == k for k in 'ab' for x in s.set if x.nr > 0)": True,
    "sum(len([y for y in s.bag if y.nr == x.nr]) for x in s.set if x.kind == 'a')": True,
    "any(isinstance(x, Token) and x.nr == 2 for x in s.set)": True,
    "any(str(x.nr) == '1' for x in s.set)": True,
    "len([x for x in s.rows[1] if x.kind == 'a'])": True,
    "any(x == Token('b', s.x) for x in s.bag)": True,
    # Conditions that fail for some elements, and what stops before it comes to them.
    "any(4 // (x.nr - 1) > 0 for x in s.set) if Token('a', 1) not in s.set and Token('c', 1) not in s.set else 0": None,
    "any(4 // x.nr > 9 for x in s.set if x.nr)": None,
    "next((x.nr for x in s.set if x.kind == 'b'), -1)": None,
    "[next(g, 0) for g in [(x for x in s.set if x.kind == 'a')]][0]": None,
    # What cannot be told in advance.
    "any(x.nr in s.a for x in s.set)": None,
    "any(x in s.bag for x in s.set)": None,
    "len([last := x for x in s.set if x.nr])": None,
    "tuple([x for x in s.set if (lambda y: y.nr > s.x)(x)])": None,
    "len([x for x in s.set])": None,
    "sum(x.nr / 2 for x in s.bag if x.kind == 'a')": None,
    "any(any(y.nr == x.nr and y.kind != x.kind for y in s.bag) for x in s.set)": None,
    "len({x for x in s.odd if x.nr != s.x}) + len([x for x in s.odd if x.nr == 1])": None,
    "max([x.nr for x in s.mixed if x.nr >= 0], default=0)": None,
    "len({x.nr for x in s.mixed if x.nr >= 0})": None,
}

FUNCTIONS = """
def votes(s):
    kinds = {x.kind for x in s.bag if x.nr}
    return len(kinds) + 5 * ("a" in kinds)
----
def largest(s):
    best = 0
    for x in s.set:
        if x.nr > best:
            best = x.nr
    return best
----
def counted(s):
    number = 0
    for x in s.bag:
        if x.kind == "a":
            number += x.nr + 1
    for x in s.set:
        if x.kind != "b":
            continue
        number += 100
    return number
----
def last_one(s):
    x = None
    for x in s.set:
        if x.kind == "a":
            pass
    return x
----
def first_one(s):
    for x in s.set:
        if x.kind == "a" and x.nr >= s.x:
            return x.nr
    else:
        return -1
----
def seen(s):
    seen = []
    for x in s.bag:
        if x.nr not in seen:
            seen.append(x.nr)
    return tuple(seen)
----
def distinct(s):
    seen = set()
    return len([x for x in s.bag if not (x.nr in seen or seen.add(x.nr))])
----
def order(s):
    return tuple({8 * x.nr for x in s.set if x.kind != "c"})
----
def kept(s):
    found = [x for x in s.set if x.kind == "a"]
    return tuple(x.nr for x in found if x.nr < 5)
----
def shadowed(s):
    def any(values):
        return [*values]
    return len(any(x.nr for x in s.set if x.kind == "a"))
----
def later(s):
    limit = 0
    found = (x.nr for x in s.set if x.nr > limit)
    limit = 1
    return tuple(found)
----
def filled(s):
    wanted = [0]
    wanted.append(2)
    return len([x for x in s.set if x.nr in wanted])
----
def generated(s):
    def large():
        for x in s.set:
            if x.nr > 0:
                yield x.nr
    return tuple(large())
----
def outward(s):
    limit = 0
    def next_limit(x):
        nonlocal limit
        limit = x.nr
        return limit
    return tuple([next_limit(x) for x in s.set if x.nr >= limit])
----
def alias(s):
    held = s.bag
    return sum(1 for x in held if x.kind == "a" and x.nr < len(s.set))
----
def failing(s):
    try:
        return len([x for x in s.set if 1 // x.nr])
    except ZeroDivisionError:
        return -1
----
def missing(s):
    if len(s.set) > 90:
        limit = 1
    try:
        return any(x.kind == "c" and x.nr > limit for x in s.set)
    except UnboundLocalError:
        return "unbound"
----
def outside(s):
    return any(x.kind == "c" and x.nr == s.a[7 + x.nr] for x in s.set if x.nr > 90) or any(
        x.nr > 90 and x.nr == s.a[s.x + 3] for x in s.set)
"""


def model(asked: Any, tokens: list[Token], most: int = 3) -> Model:
    """Sets and bags of all that can be put in with so many steps, and questions about them before and after changes."""
    m = Model(
        "parts",
        set=Set(),
        bag=Bag(),
        rows=Array(Set(), shape=2),
        odd=Set([Odd(1)]),
        mixed=Bag([Token("a", 1)]),
        a=Array([1, 0, 2]),
        x=0,
        steps=0,
        found=None,
    )

    @m.action
    def put(s):
        require(s.steps < most)
        x = choose(tokens)
        s.set.add(x)
        s.steps += 1

    @m.action
    def put_into_bag(s):
        require(s.steps < most)
        x = choose(tokens)
        s.bag.add(x)
        s.rows[1].add(x)
        s.mixed.add(Token("b", x.nr / 1))
        s.odd.add(Odd(x.nr))
        s.steps += 1

    @m.action
    def drop(s):
        s.set.take(where=lambda x: x.nr == 0)
        s.x = 1 - s.x

    @m.action
    def look(s):
        require(s.found is None)
        s.found = repr(asked(s))

    @m.action
    def look_after_changes(s):
        require(s.found is None)
        s.set.add(Token("a", 3))
        s.bag.add(Token("b", 1), 2)
        s.set.discard(Token("a", 1))
        s.bag.take(where=lambda x: x.nr == 0)
        s.found = repr(asked(s)), "changed"

    @m.action
    def look_after_clearing(s):
        require(s.found is None)
        s.set.clear()
        s.set.add(Token("b", 2))
        s.found = repr(asked(s)), "cleared"

    m.invariant("asked", lambda s: s.found is None or repr(asked(s)) == s.found or s.steps < most - 1)
    return m


def compare(asked: Any, tokens: list[Token], most: int = STEPS) -> None:
    options: dict[str, Any] = {"keep_going": True, "strategy": "full"}
    questions = ["asked", invariant("open to the end", lambda s: True)]
    native, reference = (
        check(model(asked, tokens, most), questions, engine=engine, **options) for engine in ("native", "reference")
    )
    assert figures(native) == figures(reference)


@pytest.mark.parametrize("expression", PARTS)
def test_both_engines_find_the_same(expression: str) -> None:
    compare(written(f"def asked(s):\n    return {expression}\n", "asked"), TOKENS[:4])


@pytest.mark.parametrize("text", FUNCTIONS.split("----"), ids=name_of)
def test_both_engines_find_the_same_with_functions(text: str) -> None:
    compare(written(text, name_of(text)), TOKENS[:4])


@settings(max_examples=10)
@given(
    st.lists(st.sampled_from([*PARTS]), min_size=2, max_size=3),
    st.lists(st.sampled_from(TOKENS), min_size=2, unique=True),
)
def test_several_questions_in_one_function(expressions: list[str], tokens: list[Token]) -> None:
    lines = "".join(f"    if {one}:\n        return {n}\n" for n, one in enumerate(expressions))
    compare(written(f"def asked(s):\n{lines}    return {expressions[0]}\n", "asked"), tokens[:4], 4)


@pytest.mark.parametrize("expression", [text for text, expected in PARTS.items() if expected])
def test_parts_are_asked_for(expression: str) -> None:
    """No function looks at all that a set or bag holds."""
    asked = written(f"def asked(s):\n    return {expression}\n", "asked")
    m = Model("parts", set=Set(), bag=Bag(), rows=Array(Set(), shape=2), a=Array([1, 0, 2]), x=0)

    @m.action(x=TOKENS)
    def put(s, x):
        require(x not in s.set)
        s.set.add(x)
        s.rows[1].add(x)
        s.bag.add(x)
        s.bag.add(TOKENS[0])
        s.x = x.nr % 3

    @m.action
    def look(s):
        require(asked(s) == "never")
        s.x = 0

    report = explore(m, engine="native", workers=1)
    assert not [one.variable for one in report.contents if not one.in_states]


MOVING = """
def climb(s):
    for x in s.held:
        if x > s.at:
            s.at = x
            s.steps += 1
----
def spend(s):
    for x in s.held:
        if x <= s.at:
            s.held.discard(x)
            s.at -= 1
            s.steps += 1
----
def call(s):
    def raised(x):
        s.at = x
        s.steps += 1
        return x
    [raised(x) for x in s.held if x > s.at]
----
def grow(s):
    for x in s.held:
        if x < 3:
            s.held.add(x + 3)
            s.steps += len([y for y in s.held if y > 2])
----
def all_the_same(s):
    def passed(x):
        s.at += 1
        return x < 9
    require(all(passed(x) for x in s.held if x > s.at))
    s.steps += 1
"""


@pytest.mark.parametrize("text", MOVING.split("----"), ids=name_of)
def test_what_is_changed_on_the_way_is_seen(text: str) -> None:
    """A condition that reads what the loop changes is not told in advance."""
    seen = []
    for engine in ("native", "reference"):
        m = Model("moving", held=Set(), at=2, steps=0)

        @m.action(x=range(5))
        def put(s, x):
            require(x not in s.held and s.steps < 6)
            s.held.add(x)

        action = written("from sweepcheck import require\n" + text, name_of(text))
        m.action(action)
        m.constraint(lambda s: s.steps < 7 and s.at >= 0)
        seen.append(figures(check(m, [invariant("all", lambda s: True)], engine=engine, strategy="full")))
    assert seen[0] == seen[1]


def test_without_a_source_all_is_looked_at() -> None:
    known: dict[str, Any] = {}
    exec("def asked(s):\n    return any(x.kind == 'a' for x in s.set)\n", known)
    compare(known["asked"], TOKENS[:3])
    assert sifting("<string>", 0) == {}


def test_a_source_that_has_changed_is_not_believed() -> None:
    asked = written("def asked(s):\n    return any(x.kind == 'a' for x in s.set)\n", "asked")
    filename = asked.__code__.co_filename
    assert asked.__code__ in sifting(filename, 0)
    text = "def asked(s):\n    return any(x.kind == 'b' for x in s.set)\n"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    assert asked.__code__ not in sifting(filename, 0)
    compare(asked, TOKENS[:3])


def test_the_switch_for_comparisons() -> None:
    asked = written("def asked(s):\n    return len([x for x in s.set if x.kind == 'a'])\n", "asked")
    with patch.object(folds, "SIFT", False):
        whole = explore(model(asked, TOKENS[:3]), engine="native", workers=1)
    part = explore(model(asked, TOKENS[:3]), engine="native", workers=1)
    assert (whole.statistics.states, whole.statistics.edges) == (part.statistics.states, part.statistics.edges)
    assert [one.variable for one in whole.contents if not one.in_states] == ["set", "bag"]
    assert "set" not in [one.variable for one in part.contents if not one.in_states]
