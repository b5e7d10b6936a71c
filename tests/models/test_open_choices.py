"""Starting functions from random pieces: the same states, in the same order, with open choices and in whole runs."""

import linecache
from enum import Enum
from itertools import count, permutations, product
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import Array, Model, Record, Set, SweepcheckError, choose, require
from sweepcheck.models.actions import starts


class Colour(Enum):
    RED = 1
    BLUE = 2


def near(one: Any, other: Any) -> bool:
    return abs(one - other) < 2


def is_odd(s: Any) -> bool:
    return bool((s.x + s.v[1] + s.node[0].nr) % 2)


def holds(s: Any, number: int) -> bool:
    return number in s.held or len(s.held) > 1


def is_number(value: Any) -> bool:
    return type(value) is int and isinstance(value, int)


def is_within(s: Any) -> None:
    require(s.x < 2)


def is_even(number: Any) -> bool:
    require(number % 2 == 0)
    return True


def count_up(s: Any) -> None:
    s.x += 1


def put(values: Any) -> bool:
    values.append(1)
    return True


def are_numbers(values: Any) -> bool:
    return all(type(value) is int for value in values)


def those_of(values: Any) -> Any:
    return (value for value in values)


CHOICES = (
    "s.x = choose(range(3))",
    "s.v[{i}] = choose(range({n}))",
    "a = choose(0, 2, 1)",
    "s.node[{i}].on = choose(True, False)",
    "s.node[{i}].nr = choose((1, 0))",
    "s.v[{i}] += choose(0, 1)",
    "s.x = a + choose(range(2))",
    "setattr(s, 'x', choose(2, 5))",
    "s.tag = choose('ab', 'c')",
    "s.tag = choose(list(Colour))",
    "s.pair = (choose(range(2)), a)",
    "s.node[1].on = a = choose(range(2)) == 1",
    "s.held.add(choose(range(3)))",
    "s.x = s.v[0] and choose(range({i}))",
    "s.x = s.v[0] or choose(2, 4)",
    "if a: s.x = choose(True, False)",
    "s.tag = choose('a', 'b') or choose('c', 'd')",
    "if choose(True, False): s.held.add({i})",
    "if choose(True, False): s.held.discard({i})",
    "if choose(True, False): s.v[{i}] = s.x // s.v[0]",
    "if choose(True, False): s.x = put(made) + {i}",
    "if choose(True, False): require(is_even({i}) and is_even(s.x))",
    "if choose(0, 1): s.x += {n}; s.node[{i}].on = True",
    "if choose('yes', 'no') == 'yes' or s.x: s.held.add({n}); s.v[{i}] = s.x; require(s.x < 4)",
    "for z in choose((), (0,), (0, 1), (2, 1)): s.held.add(z)",
    "for z in choose((1,), (True, 0)): s.held.add(z)",
    "for z in choose(((0, 1), (2, 1), (0, 2))): s.x = z; s.v[z] = 5",
    "for z in choose([frozenset(), frozenset({{1}}), frozenset({{0, 1}})]): s.held.add(z); s.x += z",
    "p = choose((0, 1), (1, 2), (2, 0))",
    "p = choose((0, 1, 2), (2,), (1, 1))",
    "p = choose((0, True), (1, 1), (2, False))",
    "s.x, s.v[{i}] = choose((0, 1), (1, 2), (2, 0))",
    "s.x, s.node[{i}].on = choose((0, True), (1, False), (0, False))",
    "s.tag, s.x = choose(('a', 1), ('b', 2))",
    "for i, z in enumerate(choose([(0, 1, 2), (2, 1, 0), (1, 1, 0)])): s.v[i] = z",
    "for z in choose((2, 1), (1, 2)): s.x = 3 * s.x + z",
    "s.pair = choose((0, 1), (1, 1))",
    "s.pair = choose((), (1,))",
    "s.pair = ()",
)
CONDITIONS = (
    "s.x != s.v[{i}]",
    "s.v[{i}] < a or s.node[{i}].on",
    "not (s.x == {n} and s.v[0])",
    "0 <= s.x - s.v[{i}] < {n}",
    "sum(s.v) % 2 == {i}",
    "len(set(s.v)) > {i}",
    "a in s.v",
    "s.x not in (a, 1, s.v[0])",
    "all(one >= {i} for one in s.v)",
    "any(node.on and node.nr == {i} for node in s.node)",
    "max(s.v) - min(s.x, a) <= {n}",
    "s.v[{i}] is not None",
    "near(s.x, a)",
    "is_odd(s)",
    "is_number(s.x)",
    "type(s.x) is int",
    "s.tag != Colour.RED",
    "s.tag == 'c' or s.x > 0",
    "s.pair == (0, s.x) or {{0, 1, 2}} >= set(s.v)",
    "s.v[s.x % 3] == 0",
    "f'{{s.x}}' != '2'",
    "(s.x, a) < (s.v[0], {n})",
    "s.x & 1 | a ^ {i}",
    "-s.x // {n} + abs(a - 2) * 2 != ~{i}",
    "len(s.held) <= s.x",
    "{i} in s.held",
    "s.x in s.held or not s.held",
    "holds(s, {n})",
    "all(one in s.held for one in range({n}))",
    "s.v == Array([0, 1, 0]) or s.x",
    "s.x / {n} < 1",
    "s.x % s.v[{i}] == 0",
    "s.v[0] > 0 and s.x // s.v[0] == {i}",
    "are_numbers(s.v)",
    "those_of((a, s.x))",
    "are_numbers([a, s.x])",
    "are_numbers(one for one in (a, s.x))",
    "near(s.x, a) or is_even(s.x)",
    "s.x == 1 or is_even(a)",
    "a == 1 or is_even({i})",
    "[s.x // a, 1][1]",
    "a and [s.x // a, 1][1]",
    "near(s.x, s.v[0]) == near(a, s.v[{i}])",
    "any(put(made) for one in s.v if one)",
    "p[0] < p[-1]",
    "p[{i}] == s.x",
    "p[s.x % 2] == {i}",
    "len(p) > {n}",
    "s.x in p",
    "tuple(p) == (0, {n}) or p[1:] == ({n},)",
    "sum(p) != {n} and [x for x in p if x == s.x]",
    "near(*p[:2])",
)
OTHERS = (
    "s.x = 1",
    "s.v[{i}] = s.x",
    "a = s.v[{i}] * 2",
    "s.x = 3 if s.v[0] == a else s.x",
    "if s.v[{i}] > a: return",
    "if s.v[{i}] > a: s.x = 2; s.held.add({n}); s.pair = (s.x, 1)",
    "if not s.node[{i}].on: s.tag = 'd'; s.x = {n} == 1",
    "if a < s.x: s.held.discard({i}); require({i} not in s.held)",
    "if {i} in s.held: s.x = len(s.held)",
    "if a: s.held.clear()",
    "if near(s.x, a): s.held.add({n}); s.v[{i}] = 3",
    "if s.x and is_odd(s): s.held.discard({n}); require(s.x > {i})",
    "if s.v[0] == {i}: s.x = len([made.append(1)]) + len(made)",
    "for i in range(s.x): s.v[i % 3] = 4",
    "s.x = max(s.v[0], a)",
    "s.x = sum(node.on for node in s.node)",
    "is_within(s)",
    "is_even(a)",
    "count_up(s)",
    "put(made)",
    "put(other)",
    "other = [a, s.x]",
    "s.x = len(made) + sum(other)",
    "s.x == 1 or require(s.v[0] > 0)",
    "s.x == 1 and put(made)",
    "s.x == 1 and made.append(a)",
    "a == s.x and setattr(s, 'tag', 'd')",
    "near(s.x, a)",
    "b = s.x // a",
    "require(a > 0 and b == {i})",
    "s.x = near(a, s.x) + all(made.pop() for one in range(len(made)))",
)
numbers = count()


@st.composite
def lines(draw: Any) -> str:
    made = ["a = b = 1", "p = (0, 1)", "made, other = [], []"]
    for _ in range(draw(st.integers(2, 7))):
        kind = draw(st.sampled_from((CHOICES, CHOICES, CONDITIONS, CONDITIONS, OTHERS)))
        line = draw(st.sampled_from(kind)).format(i=draw(st.integers(0, 1)), n=draw(st.integers(1, 3)))
        line = f"require({line})" if kind is CONDITIONS else line
        if not line.startswith(("if", "for")) and draw(st.integers(0, 5)) == 0:
            line = f"if s.x < 2 and not s.v[0]: {line}"
        made.append(line)
    return "def begin(s):\n" + "".join(f"    {line}\n" for line in made)


def found(text: str) -> Any:
    """The states that a function gives, or how it fails."""
    variables = {"v": Array([0] * 3), "node": Array(Record(on=False, nr=0), shape=2), "held": Set()}
    m = Model("starts", x=0, tag="", pair=None, **variables)
    filename = f"<open {next(numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    functions = (
        choose,
        require,
        near,
        is_odd,
        holds,
        is_number,
        is_within,
        is_even,
        count_up,
        put,
        are_numbers,
        those_of,
    )
    known: dict[str, Any] = {one.__name__: one for one in functions}
    known |= {"Colour": Colour, "Array": Array, "permutations": permutations, "product": product, "__name__": "open"}
    exec(compile(text, filename, "exec", dont_inherit=True), known)
    m.start(known["begin"])
    try:
        return m.initial_states()
    except SweepcheckError as error:
        return error.code


@given(lines())
def test_the_same_states_in_the_same_order(text: str) -> None:
    opened = found(text)
    with patch.object(starts, "_at_once", lambda *_: None), patch.object(starts, "_by_steps", lambda *_: None):
        whole = found(text)
    assert opened == whole
    assert repr(opened) == repr(whole)  # True is not 1


@pytest.mark.parametrize(
    "last",
    [
        "is_within(s)",
        "is_even(s.x)",
        "count_up(s)",
        "s.x == 1 or require(s.v[0] > 0)",
        "b = s.x // s.v[0]",
        "s.tag = choose('a', 'b') and choose(())",
        "s.v[0] == 1 and made.append(1); s.x = len(made)",
        "s.v[0] == 1 and put(made); s.x = len(made)",
        "made.append(s.x); put(made); s.x = sum(made)",
        "require(are_numbers(s.v))",
        "if s.v[0]: s.x = choose(True, False)",
        "if s.v[0]: s.x = s.x // (s.x - 1)",
        "if s.v[0]: s.x = 4 // s.v[0]",
        "if s.v[0]: s.x = put(made) + 1\n    s.v[1] = len(made)",
        "if s.v[0]: s.x = len([made.append(1)])\n    s.v[1] = len(made)",
        "if s.v[0]: require(is_even(1))",
        "require((s.x > 0, 'x'))",
        "require(those_of((s.x, 1)))",
        "b = those_of((s.x, 1))\n    require(b)",
        "b = those_of((s.x, 1))\n    if s.x: require(b)",
        "if s.v[0]: require((s.x > 0, 'x'))",
        "if s.v[0]: require((True, 'x'))",
        "if s.v[0]: count_up(s)",
        "if s.v[0]: s.v[1] = is_even(s.x) + 1",
        "if s.v[0]: s.held.add(s.x)",
        "if is_even(s.x): s.held.add(1)",
        "for z in choose((), (1,), (1, 2)): s.v[z] = 4 // s.x",
    ],
)
def test_what_does_more_than_compute(last: str) -> None:
    text = f"def begin(s):\n    made = []\n    s.x = choose(0, 1, 2)\n    s.v[0] = choose(0, 1)\n    {last}\n"
    opened = found(text)
    with patch.object(starts, "_at_once", lambda *_: None), patch.object(starts, "_by_steps", lambda *_: None):
        assert repr(opened) == repr(found(text))


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ("for i in range(9):\n        if choose(True, False): s.held.add(i)", 2**9),
        ("for i in range(9):\n        if choose(0, 1) == 1: s.held.add(i)\n        else: s.v[0] = i", 2**9),
        ("for i in range(9):\n        if choose(True, False): s.held.add(i)\n    require(len(s.held) == 2)", 36),
        ("for i in range(9):\n        if i > 5 and choose(True, False): s.held.add(i)\n    require(holds(s, 7))", 5),
        ("for i in choose([(), (1,), (1, 2), (2,)]): s.held.add(i)", 4),
        ("s.pair = choose(permutations(range(4)))", 24),
        ("for i, z in enumerate(choose(permutations(range(3)))): s.v[i] = z", 6),
        ("p = choose(list(permutations(range(3))))\n    for i in range(3): s.v[i] = p[i]\n    require(p[0] < p[2])", 3),
        (
            "s.x, s.tag = choose(product('12', 'ab'))\n    s.pair = choose(permutations(range(7)))",
            20160,
        ),
    ],
)
def test_one_run_does_for_all_choices(lines: str, count: int) -> None:
    with patch.object(starts, "_by_steps", side_effect=AssertionError), patch.object(starts, "_Runs", None):
        assert len(found(f"def begin(s):\n    {lines}\n")) == count


@pytest.mark.parametrize("line", ["s.x = choose(range(300))", "x = choose(range(300)); s.x = x"])
def test_states_are_listed_without_runs(line: str) -> None:
    text = f"def begin(s):\n    {line}\n    s.v[0] = choose(range(50))\n    require(near(s.x, s.v[0]))\n"
    with patch.object(starts, "_by_steps", side_effect=AssertionError), patch.object(starts, "_Runs", None):
        assert len(found(text)) == 149


@pytest.mark.parametrize("more", ["pass", "s.held.add(choose(1, 2))"])
def test_declared_values_and_chosen_ones_are_alike(more: str) -> None:
    assert found(f"def begin(s):\n    s.x = choose(True, False)\n    {more}\n") == "SC215"  # it is declared as 0
