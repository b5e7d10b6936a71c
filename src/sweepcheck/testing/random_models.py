"""Hypothesis strategies for random models written as Python source, the way a person would write them.

A model is drawn as text: what fails can be read, pasted into a file and run. The statements cover everything an action
can do to a draft: scalars, bags, sets, queues, arrays of any shape, records and maps read and changed in any order;
`choose`, `take` and `peek` in all their forms, named and nameless, twice, after an add, inside helper functions;
`require` before and after changes; comprehensions and loops with conditions over all that holds something; families;
`stay`; initial states listed, or by a function; constraints. Every model is finite: numbers are taken modulo `size`,
bags and queues are bounded.

Some models have a part that only grows, and a measure on it: see `MEASURES`. Some hand their numbers and texts to
functions that could tell a number in question from an int: see `FOREIGN`.
"""

from __future__ import annotations

import copy
import decimal
import fractions
import functools
import itertools
import json
import linecache
import math
import operator
import pickle
import re
import statistics
import sys
import textwrap
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.structures import Map, Record, Set
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.measures import partial_order, product, progress
from sweepcheck.models.actions import Model, choose, require, stay
from sweepcheck.testing.drawing import st
from sweepcheck.testing.random_graphs import Case

Draw = st.DrawFn
INDENT = "    "

# For every order: the variables that only grow, the statements that let them, and the measure as source text.
MEASURES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "number": ("t=0", ("s.t = min(s.t + 1, 2)", "require(s.t < 2)\ns.t += 1"), "lambda s: s.t"),
    "lexicographic": (
        "t=0, u=0",
        ("require(s.t < 1)\ns.t += 1\ns.u = {number}", "s.u = max(s.u, {number})"),
        "lambda s: (s.t, s.u)",
    ),
    "product": (
        "t=0, u=0",
        ("s.t = max(s.t, {number})", "require(s.u < 2)\ns.u = s.u + 1"),
        "product(lambda s: s.t, lambda s: s.u)",
    ),
    "partial": (
        "f=frozenset()",
        ("s.f = s.f | {{{number}}}", "s.f |= frozenset(num(token) for token in (0, {number}))"),
        "partial_order(lambda s: s.f)",
    ),
    "columns": (
        "t=0",
        ("s.t = min(s.t + 1, 2)", "require(s.t < 2)\ns.t += 1"),
        "product(progress(lambda s: s.t, monotone=True), lambda s: {number})",
    ),
}
# Values that equal others and are not alike, that equal nothing, that cannot be hashed, and large ones.
ODD = (
    "1.0",
    "True",
    "(True, 'a')",
    "-0.0",
    "frozenset({1.0})",
    "float('nan')",
    "(object(),)",
    "[1]",
    "2**70",
    "Bag([1.0])",
)
# What functions of Python's, of its library and of the modeller's own make of a value: a number each.
FOREIGN = (
    "num(type({value}) is int)",
    "num(type({value}) in (int, str) and num({value}) > 0)",
    "num({value} is {other})",
    "num({value} is not {other} and {value} == {other})",
    "num(isinstance({value}, int))",
    "num(isinstance({value}, bool) or {value} == {other})",
    "num({value}.__class__ is int)",
    "num(any(one is {value} for one in (0, 1, 'b')))",
    "num({value} in {{0, 'b'}})",
    "num({value} in (1, {other}))",
    "{{0: 1, 1: 0}}.get({value}, 2)",
    "num(f'{{{value}}}' > '0')",
    "num('%s' % ({value},) > '0')",
    "len(repr({value}))",
    "len(str([{value}, {other}]))",
    "num(min({value}, {value}) == {other})",
    "num(max([{other}, {value}], key=num))",
    "sorted([num({value}), 1])[0]",
    "num(sorted([{value}, {other}], key=lambda one: (type(one).__name__, num(one)))[0])",
    "len({{num({value}), num({other})}})",
    "[1, 0, 2, 1][num({value}) % 4]",
    "functools.reduce(operator.add, [num({value}), 1])",
    "num(next(itertools.accumulate([{value}, 1], max)) if num({value}) else 0)",
    "num(functools.partial(type, {value})() is int)",
    "len([*filter(lambda one: type(one) is int and one, [{value}, {other}])])",
    "num(pairwise(({value}, {other})))",
    "num(Kept({value}) == Kept({other}))",
    "num(Kept({value}) == {other})",
    "num(Picky() == {value})",
    "num({value} == Picky())",
    "num(Picky() + num({value}))",
    "num(noted({value}))",
    "num(matched({value}))",
    "num(operator.is_({value}, {other}))",
    "num(operator.eq({value}, {other}))",
    "num(callable({value}) or {value} == {other})",
    "num(hasattr({value}, 'real') and {value} == {other})",
    "attempt(decimal.Decimal, {value})",
    "attempt(fractions.Fraction, {value})",
    "attempt(json.dumps, {value})",
    "attempt(json.dumps, [{value}, {other}])",
    "attempt(math.log2, {value})",
    "attempt(math.gcd, {value}, 2)",
    "attempt(statistics.mean, [{value}, {other}])",
    "attempt(re.escape, {value})",
    "attempt(''.join, [{value}, 'b'])",
    "attempt(copy.copy, {value})",
    "attempt(copy.deepcopy, [{value}])",
    "attempt(pickle.dumps, {value})",
    "attempt(operator.index, {value})",
    "attempt((1).__add__, {value})",
    "attempt(int.__mul__, {value}, 2)",
    "attempt(str.__len__, {value})",
    "attempt(getattr, {value}, 'real')",
    "attempt(divmod, 7, {value})",
    "attempt(round, {value})",
    "attempt(sum, [{value}, {other}])",
    "attempt(sum, [0.5, {value}, 0.25])",
    "attempt(sys.getsizeof, {value}) % 2",
    "attempt(range, {value})",
    "attempt(slice({value}).indices, 2)",
    "attempt(eval, 'type(given) is int', {{'given': {value}}})",
)
# Measures that may go down.
ANY: dict[str, str] = {
    "number": "lambda s: {number}",
    "lexicographic": "lambda s: ({number}, {other})",
    "product": "product(lambda s: {number}, lambda s: {other})",
    "partial": "partial_order(lambda s: frozenset(({number}, {other})))",
    "columns": "product(progress(lambda s: {number}, monotone=True), lambda s: {other})",
}


def num(value: Any) -> int:
    """Any value of a random model as a number, so that values of all kinds can be compared and added."""
    if isinstance(value, tuple | frozenset | list | Bag):
        return sum(map(num, value))
    return len(value) if isinstance(value, str) else int(value or 0)


def attempt(function: Callable[..., Any], *arguments: Any) -> int:
    """What a function comes to as a number; 0 where it fails, or gives what is no number."""
    try:
        found = function(*arguments)
        return num(found) if isinstance(found, int | str | tuple | list) else int(found)
    except Exception:  # noqa: BLE001 - this is what is asked
        return 0


def noted(value: Any, known: dict[Any, Any] = {}) -> Any:  # noqa: B006 - a cache, which helpers may have
    """The value, as it was when it was first seen."""
    if value not in known:
        known[value] = value
    return known[value]


def matched(value: Any) -> int:
    """What kind of value it is, by `match`."""
    match value:
        case bool():
            return 0
        case int():
            return 1 if value else 2
        case (_, other):
            return num(other)
    return 0


def pairwise(values: tuple[Any, Any]) -> bool:
    """Whether two values are of one type and one is smaller, found by an exception."""
    try:
        return bool(values[0] < values[1]) and type(values[0]) is type(values[1])
    except TypeError:
        return False


@dataclass(frozen=True)
class Kept:
    """A value in an object."""

    value: Any


class Picky:
    """An object that asks what it is compared with, and added to."""

    def __eq__(self, other: object) -> bool:
        return type(other) is int and other > 0

    def __add__(self, other: Any) -> int:
        return 1 if type(other) is int and other else 0

    __hash__ = None  # type: ignore[assignment]


def pick(*alternatives: Any) -> Any:
    """A choice made inside a helper function."""
    inner = choose(*alternatives)
    return inner  # noqa: RET504 - the name is part of the label


NAMES: dict[str, Any] = {
    function.__name__: function
    for function in (Array, Bag, Map, Model, Queue, Record, Set, choose, num, partial_order, pick, product, progress)
} | {"require": require, "stay": stay}
NAMES |= {"ONE": 1} | {one.__name__: one for one in (attempt, noted, matched, pairwise, Kept, Picky)}
NAMES |= {
    one.__name__: one
    for one in (copy, decimal, fractions, functools, itertools, json, math, operator, pickle, re, statistics, sys)
}


class Source:
    """A model as source text that defines `m`, a Model, and `predicate`, a function of its state."""

    def __init__(self, text: str) -> None:
        self.text = text

    def case(self) -> Case:
        """The model, freshly built."""
        namespace = dict(NAMES)
        name = f"<random model {zlib.crc32(self.text.encode()):08x}>"
        # Functions are read as well as run; what has no time of change stays in the cache.
        linecache.cache[name] = len(self.text), None, self.text.splitlines(keepends=True), name
        exec(compile(self.text, name, "exec"), namespace)
        model = namespace["m"]
        return Case(model, model.measure, namespace["predicate"], self)

    def __repr__(self) -> str:
        return f'Source("""\n{self.text}""")'


@dataclass
class Writer:
    """Draws the pieces of a model; `locals` are the names that can be read at this point of an action."""

    draw: Draw
    kinds: frozenset[str]
    size: int
    growth: tuple[str, ...]
    locals: tuple[str, ...] = ()
    named: int = 0
    inside: int = 0  # comprehensions around what is being written
    odd: bool = False  # whether values may be such that a model is refused
    foreign: bool = False  # whether values are handed to functions that may notice what they are

    def one_of(self, *options: str | Callable[[], str]) -> str:
        """One of several texts, some of which are only written when drawn."""
        option = self.draw(st.sampled_from(options))
        return option if isinstance(option, str) else option()

    def number(self) -> str:
        """An expression with a value from 0 to size - 1 that reads whatever there is to read."""
        options: list[str | Callable[[], str]] = [str(n) for n in range(self.size)]
        options += [f"num({name})" for name in self.locals]
        if "x" in self.kinds:
            options += ["s.x", "s.x", "s.y"]
        if "b" in self.kinds:
            options += ["len(s.b)", lambda: f"s.b.count({self.simple()})", "sum(map(num, s.b))"]
        if "q" in self.kinds:
            options += ["len(s.q)", "num(tuple(s.q))", "(num(s.q[0]) if s.q else 0)"]
        if "a" in self.kinds:
            options += ["num(s.a[0])", "num(s.a[-1])", lambda: f"num(s.a[{self.simple()} % 2])", "num(tuple(s.a))"]
        for kind in sorted(self.kinds & set(STRUCTURES)):
            options += STRUCTURES[kind].numbers
        if self.holders and not self.inside:
            options.append(self.gathered)
        if self.foreign:
            options += [self.handed_on] * (len(options) // 2 + 1)
        drawn = self.one_of(*options)
        return drawn if drawn.isdigit() or drawn in ("s.x", "s.y") else f"{drawn} % {self.size}"

    def handed_on(self) -> str:
        """A number that a function makes of a value, which it gets as it is."""
        raw = ["ONE", *self.locals, *(["s.x", "s.x", "s.y"] if "x" in self.kinds else [])]
        raw += ["s.a[0]", "s.a[-1]"] if "a" in self.kinds else []
        raw += ["s.g[0, 1]"] if "g" in self.kinds else []
        value, other = self.one_of(*raw), self.one_of(*raw)
        return self.one_of(*FOREIGN).format(value=value, other=other)

    def simple(self) -> str:
        """A short expression with a number as its value."""
        options = [str(n) for n in range(self.size)] + [f"num({name})" for name in self.locals[-1:]]
        return self.one_of(*options, *(["s.x"] if "x" in self.kinds else []))

    def value(self) -> str:
        """An expression with a value of any kind."""
        odd = ODD if self.odd else ()
        return self.one_of(self.number, self.number, lambda: f"({self.simple()}, 'a')", "'b'", *self.locals[-1:], *odd)

    def test(self) -> str:
        """A condition."""
        options: list[str | Callable[[], str]] = [
            lambda: f"{self.number()} == {self.number()}",
            lambda: f"{self.number()} <= {self.number()}",
            lambda: f"not {self.number()}",
            lambda: f"({self.number()} != {self.simple()} and {self.number()} < {self.number()})",
        ]
        if "b" in self.kinds:
            options += [lambda: f"{self.value()} in s.b", "s.b", lambda: f"s.b == Bag([{self.simple()}])"]
        if "q" in self.kinds:
            options += [lambda: f"{self.value()} in s.q", "not s.q", lambda: f"s.q == ({self.simple()},)"]
        if "a" in self.kinds:
            options += [lambda: f"s.a[0] == {self.value()}", lambda: f"{self.value()} in s.a"]
        for kind in sorted(self.kinds & set(STRUCTURES)):
            options += map(self.filled, STRUCTURES[kind].tests)
        if self.holders and not self.inside:
            options += [self.asked] * 2
        return self.one_of(*options)

    @property
    def holders(self) -> list[str]:
        """What can be gone through."""
        return [holder for kind in sorted(self.kinds & set(HOLDERS)) for holder in HOLDERS[kind]]

    def condition(self) -> str:
        """A condition on an element `z` of what is gone through."""
        self.inside += 1
        drawn = self.one_of(
            lambda: f"num(z) {self.one_of('==', '!=', '<', '>=')} {self.number()}",
            lambda: f"z == {self.value()}",
            lambda: f"num(z) in (0, {self.simple()})",
            lambda: f"(num(z) > {self.simple()} or {self.test()})",
            "num(z)",
        )
        self.inside -= 1
        return drawn

    def gone_through(self, element: str) -> str:
        """The inside of a comprehension."""
        condition = self.condition()
        return f"{element} for z in {self.one_of(*self.holders)} if {condition}"

    def gathered(self) -> str:
        """A number made of the elements that satisfy a condition."""
        return self.one_of(
            lambda: f"len([{self.gone_through('z')}])",
            lambda: f"len({{{self.gone_through('num(z)')}}})",
            lambda: f"sum({self.gone_through('num(z)')})",
            lambda: f"sum([{self.gone_through('1')}])",
            lambda: f"max(({self.gone_through('num(z)')}), default=0)",
            lambda: f"min([{self.gone_through('num(z)')}] or [1])",
        )

    def asked(self) -> str:
        """A question about elements."""
        return self.one_of(
            lambda: f"any({self.condition()} for z in {self.one_of(*self.holders)})",
            lambda: f"all({self.condition()} for z in {self.one_of(*self.holders)})",
            lambda: f"not [{self.gone_through('z')}]",
            lambda: f"{self.value()} in [{self.gone_through('z')}]",
            lambda: f"{{{self.gone_through('num(z)')}}} <= {{0, {self.simple()}}}",
            lambda: f"sorted({self.gone_through('num(z)')}) == [{self.simple()}]",
            lambda: (
                f"len([1 for z in {self.one_of(*self.holders)} for w in {self.one_of(*self.holders)} if z == w]) < 2"
            ),
        )

    def loop(self) -> str:
        """A loop that passes over elements, and counts, changes or leaves."""
        name, holder, condition = self.name(), self.one_of(*self.holders), self.condition()
        inner = self.one_of(f"{name} += 1", f"{name} = z", f"{name} = z\nbreak", f"{name} += num(z)\n{self.brief()}")
        head = f"{name} = 0\nfor z in {holder}:\n"
        if self.draw(st.booleans()):
            return head + textwrap.indent(f"if not ({condition}):\n    continue\n{inner}", INDENT)
        return head + textwrap.indent(f"if {condition}:\n{textwrap.indent(inner, INDENT)}", INDENT)

    def brief(self) -> str:
        """A change that can be made for each element `z`, be it to what is gone through."""
        changes = [change for kind in sorted(self.kinds & set(BRIEF)) for change in BRIEF[kind]]
        return self.one_of("pass", *(change.format(number=f"num(z) % {self.size}") for change in changes))

    def late(self) -> str:
        """Something to go through that is made, and used after a change, or between two."""
        holder, condition, change = self.one_of(*self.holders), self.condition(), self.brief()
        change, name = change.replace("num(z)", self.simple()), self.name()
        made = self.one_of(
            f"(z for z in {holder} if {condition})",
            f"(num(z) for z in {holder})",
            f"filter(lambda z: {condition}, {holder})",
            f"map(num, {holder})",
            f"zip({holder}, {self.one_of(*self.holders)})",
            f"iter({holder})",
            f"enumerate({holder})",
            f"list({holder})",
            "gen()",
        )
        given = (
            f"def gen():\n    for z in {holder}:\n        if {condition}:\n            yield z\n"
            if made == "gen()"
            else ""
        )
        used = self.one_of(
            f"sum(map(num, {name}))",
            f"next(iter({name}), 0)",
            f"len(list({name}))",
            f"num(list({name})[:1])",
            f"num(any({name}))",
        )
        begun = self.one_of("z = 0", f"z = num(next(iter({name}), 0))")
        return f"{given}{name} = {made}\n{begun}\n{change}\n{name} = {used}"

    def counting(self) -> str:
        """A condition that does more than read: it counts its calls, keeps a budget, or changes the state."""
        holder, condition, change = self.one_of(*self.holders), self.condition(), self.brief()
        name = self.name()
        made, test = self.one_of(
            lambda: f"{name} = iter((0, 1, 2, 3))|(next({name}, 9) < 2 and {condition})",
            lambda: f"{name} = [2]|({condition} and ({name}.append({name}.pop() - 1) or {name}[0] >= 0))",
            lambda: f"def good(z):\n    {change}\n    return {condition}|good(z)",
            lambda: f"{name} = [1]\ndef good(z):\n    {name}[0] -= 1\n    return {name}[0] >= 0|good(z)",
            lambda: f"def good(z):\n    require({condition})\n    return num(z) < 2|good(z)",
        ).split("|")
        only_reads = change == "pass" or change not in made  # as conditions on tokens have to
        used = self.one_of(
            lambda: f"{name} = choose([z for z in {holder} if {test}])",
            lambda: f"{name} = choose({{z for z in {holder} if {test}}})",
            lambda: f"{name} = choose([(z, w) for z in {holder} for w in range(2) if {test}])",
            lambda: f"{name} = sum(num(z) for z in {holder} if {test})",
            lambda: f"{name} = any({test} for z in {holder})",
            lambda: f"{name} = next((z for z in {holder} if {test}), 0)",
            lambda: f"{name} = len({{num(z) for z in {holder} if {test}}})",
            lambda: f"require([z for z in {holder} if {test}])\n{name} = 1",
            *([lambda: f"{name} = s.b.take(where=lambda z: {test})"] if "b" in self.kinds and only_reads else []),
            *(
                [lambda: f"{name} = choose([z for z in range(3) if s.a[0] != z and {test}])"]
                if "a" in self.kinds
                else []
            ),
        )
        return f"{made}\n{used}\n{name} = num({name})"

    def filled(self, template: str) -> Callable[[], str]:
        """A text with values drawn for the words in it: `value`, `number`, an `index`, a choice `kept` or dropped."""

        def fill() -> str:
            text, head, kept = template.partition("KEPT ")
            if head:
                text += self.bound(kept.format(value=self.value(), index=f"{self.simple()} % 2", number=self.number()))
                return text
            return text.format(value=self.value(), index=f"{self.simple()} % 2", number=self.number())

        return fill

    def name(self) -> str:
        """A new local variable."""
        self.named += 1
        self.locals = (*self.locals, f"v{self.named}")
        return self.locals[-1]

    def bound(self, expression: str) -> str:
        """A choice whose result is kept, dropped, or used at once."""
        return self.one_of(
            lambda: f"{self.name()} = {expression}",
            expression,
            *([f"s.x = num({expression}) % {self.size}"] if "x" in self.kinds else []),
        )

    def choice(self) -> str:
        """A statement that chooses."""
        alternatives = self.one_of(
            "0, 1",
            "range(2)",
            "{'a', 'bb'}",
            lambda: f"[{self.number()}, {self.value()}, {self.number()}]",
            lambda: f"n for n in range(3) if n != {self.number()}",
            lambda: f"range({self.number()})",
            *(["s.b"] if "b" in self.kinds else []),
            *(["s.a"] if "a" in self.kinds else []),
            *([lambda: f"[{self.gone_through('z')}]", lambda: self.gone_through("num(z)")] if self.holders else []),
            *([lambda: f"{{{self.gone_through('z')}}}"] if self.holders else []),
        )
        return self.bound(f"{self.one_of('choose', 'pick')}({alternatives})")

    def where(self) -> str:
        """A filter of tokens."""
        return f"where=lambda token: num(token) % 3 <= {self.number()}"

    def bag_statement(self) -> str:
        """A statement about the bag, which never holds more than three tokens."""
        return self.one_of(
            lambda: f"require(len(s.b) < 3)\ns.b.add({self.value()})",
            lambda: f"if len(s.b) < 3:\n    s.b.add({self.value()})",
            lambda: f"require(len(s.b) < 2)\ns.b.add({self.value()}, 2)",
            lambda: self.bound("s.b.take()"),
            lambda: self.bound("s.b.take()"),
            lambda: self.bound(f"s.b.take({self.value()})"),
            lambda: self.bound(f"s.b.take({self.where()})"),
            lambda: self.bound("s.b.peek()"),
            lambda: self.bound(f"s.b.peek({self.where()})"),
            lambda: f"s.b.add({self.value()})\n{self.bound('s.b.take()')}",
            lambda: f"{self.bound('s.b.take()')}\ns.b.add({self.value()})",
            lambda: f"{self.name()} = s.b.take()\n{self.name()} = s.b.take()",
            "s.b.clear()",
        )

    def queue_statement(self) -> str:
        """A statement about the queue, which never holds more than two elements."""
        return self.one_of(
            lambda: f"require(len(s.q) < 2)\ns.q.put({self.value()})",
            lambda: f"s.q.put({self.value()})" if "capacity" in self.kinds else f"s.q.get()\ns.q.put({self.value()})",
            lambda: self.bound("s.q.get()"),
            lambda: self.bound("s.q.get()"),
            lambda: self.bound("s.q.peek()"),
            "s.q.clear()",
        )

    def statement(self) -> str:
        """Any statement."""
        return self.one_of(
            self.effect,
            self.effect,
            self.choice,
            lambda: f"require({self.test()})",
            lambda: f"if {self.test()}:\n    return",
            "stay()",
            *([self.loop, self.late, self.counting] if self.holders else []),
        )

    def effect(self) -> str:
        """A statement that changes something."""
        options: list[str | Callable[[], str]] = []
        if "x" in self.kinds:
            options += [lambda: f"s.x = {self.number()}", f"s.x = (s.x + 1) % {self.size}"]
            options += [lambda: f"s.y = {self.value() if self.odd else self.number()}"]
        if "b" in self.kinds:
            options += [self.bag_statement] * 3
        if "q" in self.kinds:
            options += [self.queue_statement] * 3
        if "a" in self.kinds:
            options += [lambda: f"s.a[{self.simple()} % 2] = {self.number()}", lambda: f"s.a[-1] = {self.value()}"]
        for kind in sorted(self.kinds & set(STRUCTURES)):
            options += map(self.filled, STRUCTURES[kind].effects)
        if self.growth:
            options += [lambda: self.draw(st.sampled_from(self.growth)).format(number=self.number())] * 2
        return self.one_of(*options)

    def branches(self) -> str:
        """A condition with a statement in one or both of its branches; what they bind is not read afterwards."""
        before, test = self.locals, self.test()
        text = f"if {test}:\n{textwrap.indent(self.statement(), INDENT)}"
        self.locals = before
        if self.draw(st.booleans()):
            text += f"\nelse:\n{textwrap.indent(self.statement(), INDENT)}"
            self.locals = before
        return text

    def action(self, name: str) -> str:
        """A function with its decorator: a few statements, an effect among them."""
        family = self.draw(st.booleans())
        self.locals = ("i",) if family else ()
        shape = self.draw(st.sampled_from(("e", "se", "es", "ee", "see", "ces", "sce", "eees", "ssse", "sese")))
        written = {"e": self.effect, "s": self.statement, "c": self.branches}
        body = "\n".join([written[part]() for part in shape])
        head = f"@m.action(i=range(2))\ndef {name}(s, i):" if family else f"@m.action\ndef {name}(s):"
        return f"{head}\n{textwrap.indent(body, INDENT)}"


@dataclass(frozen=True)
class Structure:
    """A variable that is made of others, and what can be asked of it and done to it."""

    declared: str
    numbers: tuple[str, ...]
    tests: tuple[str, ...]
    effects: tuple[str, ...]


STRUCTURES = {
    "e": Structure(
        "e=Set([0])",
        ("len(s.e)", "sum(map(num, s.e))", "num(0 in s.e)"),
        ("{value} in s.e", "s.e", "s.e >= {{0, {number}}}", "s.e == {{{number}}}"),
        (
            "s.e.add({value})",
            "s.e.add({number})\ns.e.add({number})",
            "s.e.discard({value})",
            "s.e.discard({number})\ns.e.add({number})",
            "KEPT s.e.take()",
            "KEPT s.e.take({value})",
            "KEPT s.e.peek()",
            "s.e.clear()",
        ),
    ),
    "g": Structure(
        "g=Array(0, shape=(2, 2))",
        ("s.g[0, 1]", "s.g[1][0]", "sum(s.g[0])", "max(s.g[1])", "s.g[0].count(1)", "num(s.g[-1, 0])"),
        ("s.g[0] == s.g[1]", "1 in s.g[0]", "s.g[{index}, {index}] == {number}"),
        ("s.g[{index}, 1] = {number}", "s.g[0][{index}] = {number}", "s.g[1] = [{number}, 0]", "s.g[0] = list(s.g[1])"),
    ),
    "r": Structure(
        "r=Array(Record(v=0, w=Set(), c=Queue(capacity=1)), shape=2)",
        ("num(s.r[0].v)", "len(s.r[1].w)", "sum(num(one.v) for one in s.r)", "len(s.r[0].c)"),
        ("s.r[0] == s.r[1]", "s.r[0].v == {value}", "{value} in s.r[1].w", "any(one.w for one in s.r)"),
        (
            "s.r[{index}].v = {number}",
            "s.r[0].w.add({number})",
            "s.r[{index}].w.discard({number})",
            "KEPT s.r[1].w.take()",
            "s.r[{index}].c.put({number})",
            "KEPT s.r[0].c.get()",
            "s.r[0] = Record(v=s.r[1].v, w=Set(), c=Queue())",
        ),
    ),
    "k": Structure(
        "k=Map(['p', (1, 2)], Bag())",
        ("len(s.k['p'])", "s.k[1, 2].count(0)", "sum(len(one) for one in s.k.values())"),
        ("s.k['p']", "{value} in s.k[1, 2]", "s.k['p'] == s.k[1, 2]"),
        (
            "require(len(s.k['p']) < 2)\ns.k['p'].add({number})",
            "require(len(s.k[1, 2]) < 2)\ns.k[1, 2].add({number})",
            "KEPT s.k['p'].take()",
            "KEPT s.k[1, 2].take()",
            "s.k['p'].clear()",
        ),
    ),
}
# By kind of variable: what can be gone through.
HOLDERS = {
    "b": ("s.b",),
    "q": ("s.q",),
    "a": ("s.a",),
    "e": ("s.e",),
    "g": ("s.g[0]",),
    "r": ("s.r[0].w", "s.r[1].c"),
    "k": ("s.k['p']",),
}
# By kind of variable: what can be done for each element of something, with a `number` that depends on it.
BRIEF = {
    "x": ("s.x = {number}",),
    "b": ("len(s.b) < 3 and s.b.add({number})", "{number} in s.b and s.b.take({number})", "s.b.clear()"),
    "q": ("len(s.q) < 2 and s.q.put({number})", "s.q.clear()", "s.q and s.q.get()"),
    "a": ("s.a[{number} % 2] = {number}", "s.a[0] = s.a[1]"),
    "e": ("s.e.discard({number})", "s.e.add({number})", "s.e.clear()"),
    "g": ("s.g[0, {number} % 2] = {number}", "s.g[0] = [{number}, 1]"),
    "r": ("s.r[0].w.add({number})", "s.r[1].c.clear()", "s.r[0].w = Set([{number}])"),
    "k": ("s.k['p'].clear()", "len(s.k['p']) < 2 and s.k['p'].add({number})"),
}
ACTIONS = ("one", "two", "three", "four", "five")
DECLARED = {
    "x": "x=0, y=1",
    "b": "b=Bag([0, 1])",
    "q": "q=Queue([0])",
    "a": "a=Array([0, 'a'])",
}


@st.composite
def sources(
    draw: Draw,
    order: str | None = None,
    monotone: bool = True,
    odd: bool = False,
    constrained: bool = False,
    foreign: bool = False,
) -> Source:
    """Models with up to five actions, and a measure of this order; if `monotone`, progress goes down on no edge.

    Order "columns" is a product; if `monotone`, the first of its components goes down on no edge. If `odd`, there may
    be values for which a model is refused: see `check_acceptance`. If `constrained`, there may be a constraint. If
    `foreign`, values are handed to functions of Python's, of its library and of other kinds: see `FOREIGN`.
    """
    kinds = draw(st.frozensets(st.sampled_from(sorted([*DECLARED, *STRUCTURES])), min_size=1, max_size=3))
    if "q" in kinds and draw(st.booleans()):
        kinds |= {"capacity"}
    declared, growth, measure = MEASURES[order] if order is not None else ("", (), "")
    writer = Writer(draw, kinds, draw(st.integers(2, 3)), growth, odd=odd, foreign=foreign)
    variables = [DECLARED[kind] for kind in sorted(kinds & set(DECLARED))] + ([declared] if declared else [])
    variables += [STRUCTURES[kind].declared for kind in sorted(kinds & set(STRUCTURES))]
    head = f"m = Model('random', {', '.join(variables)})"
    if "capacity" in kinds:
        head = head.replace("Queue([0])", "Queue([0], capacity=2)")
    parts = [head, *(writer.action(name) for name in ACTIONS[: draw(st.integers(3, len(ACTIONS)))])]
    writer.locals = ()
    if "x" in kinds:
        listed = "m.initial(x=[0, 1])"
        chosen = f"@m.start\ndef begin(s):\n{INDENT}s.x = choose(0, 1)\n{INDENT}s.y = {writer.number()}"
        strict = f"{chosen}\n{INDENT}require(s.x <= s.y)\n{INDENT}stay()"
        parts += draw(st.sampled_from([[], [], [listed], [chosen], [strict]]))
    elif "e" in kinds:
        each = f"for z in range({writer.size}):\n{INDENT * 2}if choose(True, False):\n{INDENT * 3}s.e.add(z)"
        parts += draw(st.sampled_from([[], [f"@m.start\ndef begin(s):\n{INDENT}{each}"]]))
    if constrained and draw(st.integers(0, 3)) == 0:
        parts.append(f"@m.constraint\ndef inside(s):\n{INDENT}return {writer.test()}")
    if measure:
        template = measure if monotone or order is None else ANY[order]
        parts.append(f"m.progress({template.format(number=writer.number(), other=writer.number())})")
    parts.append(f"def predicate(s):\n    return {writer.test()}")
    return Source("\n\n".join(parts) + "\n")
