"""Functions that pass over elements of sets and bags: both engines find the same, and the native one asks for parts."""

import linecache
from itertools import count
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import Array, Bag, Model, Queue, Record, Set, check, choose, explore, invariant, require
from sweepcheck.engines.native import folds
from sweepcheck.engines.native.parts import Parts
from sweepcheck.engines.native.sifting import sifting


class Token(NamedTuple):
    kind: str
    nr: int


class Odd:
    """Equal by what it holds; asked whether it is larger than others, it fails for some."""

    def __init__(self, nr: int) -> None:
        self.nr = nr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odd) and other.nr == self.nr

    def __hash__(self) -> int:
        return hash(self.nr)

    def __repr__(self) -> str:
        return f"Odd({self.nr})"


TOKENS = [Token("a", 0), Token("a", 1), Token("b", 0), Token("b", 2), Token("c", 1), Token("a", 9)]
LIMIT = 1
GROUPS = [(0, 1), (1, 2)]
NAMES = {"a": 0, "b": 1, "c": 2}


def is_small(x: Token, most: int = LIMIT) -> bool:
    return x.nr <= most


def has(s: Any, nr: int) -> bool:
    return any(x.nr == nr for x in s.set)


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

numbers = count()


def name_of(text: str) -> str:
    return text.strip().removeprefix("def ").partition("(")[0]


def written(text: str, name: str) -> Any:
    """A function from a text that can be looked up, as one in a file can."""
    filename = f"<parts {next(numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    known = {
        "Token": Token,
        "LIMIT": LIMIT,
        "GROUPS": GROUPS,
        "NAMES": NAMES,
        "is_small": is_small,
        "__name__": "parts",
    }
    helper = "def has(s, nr):\n    return any(x.nr == nr for x in s.set)\n"
    linecache.cache[filename] = (len(text), None, (helper + text).splitlines(True), filename)
    exec(compile(helper + text, filename, "exec", dont_inherit=True), known)
    return known[name]


def model(asked: Any, tokens: list[Token]) -> Model:
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
        require(s.steps < 4)
        x = choose(tokens)
        s.set.add(x)
        s.steps += 1

    @m.action
    def put_into_bag(s):
        require(s.steps < 4)
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

    m.invariant("asked", lambda s: s.found is None or repr(asked(s)) == s.found or s.steps < 3)
    return m


def figures(report: Any) -> Any:
    n = report.statistics
    return n.states, n.edges, n.explored, [(one.status, one.witness) for one in report.verdicts]


def compare(asked: Any, tokens: list[Token]) -> None:
    options: dict[str, Any] = {"keep_going": True, "strategy": "full"}
    questions = ["asked", invariant("open to the end", lambda s: True)]
    native, reference = (
        check(model(asked, tokens), questions, engine=engine, **options) for engine in ("native", "reference")
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
    compare(written(f"def asked(s):\n{lines}    return {expressions[0]}\n", "asked"), tokens[:4])


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


def test_later_tokens_are_met() -> None:
    """A token that nobody has asked about when a table was made is asked about when it comes."""
    for engine in ("native", "reference"):
        m = Model("later", held=Set(), n=0, large=0)

        @m.action
        def put(s):
            require(s.n < 3000)
            s.n += 1
            s.held.add((s.n * 7) % 50)
            s.held.discard((s.n * 11) % 50)

        @m.action
        def look(s):
            require(s.n % 100 == 0 and len([x for x in s.held if x > 45]) > s.large)
            s.large += 1

        m.invariant("few", lambda s: sum(x for x in s.held if x > 40) < 400)
        report = check(m, engine=engine, strategy="full")
        if engine == "native":
            found = figures(report)
        else:
            assert figures(report) == found


def test_one_run_for_each_part_and_not_for_each_content() -> None:
    """Twelve elements are 4,096 contents; two of them matter."""
    m = Model("few runs", held=Set())

    @m.action(i=range(12))
    def put(s, i):
        require(i not in s.held)
        s.held.add(i)

    m.invariant("asked", lambda s: len([x for x in s.held if x > 9]) < 3)
    runs = 0
    ask = Parts.part

    def counting(self: Any, *given: Any) -> Any:
        nonlocal runs
        runs += 1
        return ask(self, *given)

    with patch.object(Parts, "part", counting):
        assert check(m, engine="native", workers=1).statistics.states == 4096
    assert 0 < runs < 40  # each token once, and each part


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


def test_arrays_of_sets_and_records_are_gone_through_as_ever() -> None:
    """What a variable is gone through by is told by what it is, not by the names that it has inside."""
    model = Model("sets", sets=Array(Set(), shape=2), node=Array(Record(x=0), shape=2))

    @model.action(i=range(2))
    def add(s: Any, i: int) -> None:
        require(not any(len(one) > 1 for one in s.sets))
        require(all(one.x < 2 for one in s.node))
        s.sets[i].add(s.node[i].x)
        s.node[i].x += 1

    found = [explore(model, engine=engine).statistics for engine in ("reference", "native")]
    assert (found[0].states, found[0].edges) == (found[1].states, found[1].edges)


QUEUED = {
    "who not in {one for kind, one in s.line if kind == 'read'}": 40,
    "('read', who) not in s.line": 40,
    "not any(one == ('read', who) for one in s.line)": 40,
    "len([1 for kind, one in s.line if one == who]) < 2 and ('read', who) not in s.line": 90,
    "[kind for kind, one in s.line if one == who] in ([], ['write'])": 90,
}


@pytest.mark.parametrize("condition", QUEUED)
def test_queues_are_asked_for_parts(condition: str) -> None:
    """Up to six wait, in any order: hundreds of contents, of which a few elements matter."""
    found = []
    for engine in ("native", "reference"):
        m = Model("line", line=Queue(), steps=0)
        text = f"def read(s, who):\n    require({condition})\n    s.line.put(('read', who))\n"
        m.action(who=range(3))(written("from sweepcheck import require\n" + text, "read"))

        @m.action(who=range(3))
        def write(s, who):
            require(("write", who) not in s.line)
            s.line.put(("write", who))

        @m.action
        def serve(s):
            s.line.get()

        report = explore(m, engine=engine, workers=1, strategy="full")
        found.append((report.statistics.states, report.statistics.edges))
        if engine == "native":
            runs = sum(one.evaluations for one in report.actions if one.action.startswith("read"))
            assert found[0][0] > 1000
            assert runs <= QUEUED[condition]
    assert found[0] == found[1]


def test_what_an_action_has_done_to_a_queue_is_seen() -> None:
    found = []
    for engine in ("native", "reference"):
        m = Model("line", line=Queue(), n=0, seen=False)

        @m.action(x=range(3))
        def put(s, x):
            require(len(s.line) < 4)
            before = x in s.line
            s.line.put(x)
            require(x in s.line and any(one == x for one in s.line))
            s.seen = before

        @m.action
        def rotate(s):
            first = s.line.get()
            s.n = len([one for one in s.line if one == first])
            s.line.put(first)
            s.seen = [] in s.line or {} in s.line  # what cannot be hashed equals no element

        @m.action
        def clear(s):
            require(2 in s.line)
            s.line.clear()
            s.seen = 2 in s.line

        m.invariant("asked", lambda s: 3 not in s.line and not any(one > 2 for one in s.line))
        found.append(figures(check(m, engine=engine, strategy="full")))
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", [Set, Bag])
def test_choosing_from_all_that_is_there_looks_at_one(kind: type) -> None:
    """`choose(s.held)` is `s.held.peek()`: one run for each token, and not for each content and token."""
    found = []
    for engine in ("native", "reference"):
        m = Model("choice", held=kind(range(9)), last=None)

        @m.action
        def pick(s):
            x = choose(s.held)
            require(x % 4 != 3)
            s.last = x
            s.held.take(x)

        @m.action
        def pick_what_is_new(s):
            require(s.last == 8 and len(s.held) < 5)
            s.held.add(8)
            s.last = choose(s.held)

        report = explore(m, engine=engine, workers=1, strategy="full")
        found.append((report.statistics.states, report.statistics.edges))
        runs = {one.action: one.evaluations for one in report.actions}
        assert engine == "reference" or runs["pick"] < 40
        found.append([str(edge.label) for edge in m.edges(m.initial_states()[0])])
    assert found[:2] == found[2:]


def test_tokens_are_gone_through_in_the_order_of_values() -> None:
    """However they came in: sets of frozensets, of numbers and text, and of values that share a sort key."""
    tokens = [frozenset({9, 1}), "b", 3, frozenset({1, 2}), (2, "x"), None, 1.5, "a", (1, "y"), Odd(2), Odd(1)]
    found = []
    for engine in ("native", "reference"):
        m = Model("order", held=Set(), bag=Bag(), seen=())

        @m.action(i=range(len(tokens)))
        def put(s, i):
            require(len(s.held) < 2 and tokens[i] not in s.held)
            s.held.add(tokens[i])
            s.bag.add(tokens[i], 2)
            s.seen = (tuple(s.held), tuple(s.bag))

        found.append(figures(check(m, [invariant("few", lambda s: len(s.seen) < 9)], engine=engine, strategy="full")))
    assert found[0] == found[1]
