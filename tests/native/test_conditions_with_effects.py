"""Conditions that do more than read: they are called for each element in turn, as the reference engine calls them."""

from typing import Any

import pytest

from sweepcheck import explore
from sweepcheck.errors import SweepcheckError
from sweepcheck.testing.random_models import Source

DECLARED = """
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from itertools import count, islice

m = Model('conditions', n=0, b=Bag([0, 1, 2]), e=Set([0, 1, 2]), q=Queue([0, 1], capacity=3), a=Array([1, 0, 2]),
    r=Array(Record(v=0, w=Set([1])), shape=2))

@m.action
def move(s):
    s.b.add((s.b.take() + 1) % 3)

@m.action
def send(s):
    s.q.put((s.q.get() + 1) % 3)

predicate = bool
"""
BUDGET = (
    "class Budget:\n    left = 2\n    {head}\n        self.left -= 1\n        return self.left >= 0\n"
    "budget = Budget()\n"
)
WRITES = "        s.n = (s.n + 1) % 3\n        return s.n != 1\n"
# What stands before, and the condition on `x`.
CONDITIONS = {
    "a counter": ("c = count()\n", "next(c) < 2"),
    "a variable of the action": (
        "left = 2\ndef good(x):\n    nonlocal left\n    left -= 1\n    return left >= 0\n",
        "good(x)",
    ),
    "a list": ("box = [2]\ndef good(x):\n    box[0] -= 1\n    return box[0] >= 0\n", "good(x)"),
    "a list under another name": ("l = []\ndef good(x):\n    y = l\n    y += [x]\n    return len(l) < 3\n", "good(x)"),
    "a list, as a method": ("box = [2, 1]\npop = box.pop\n", "(len(box) > 0 and pop() > 0)"),
    "a list, by its class": ("box = []\n", "list.append(box, x) or len(box) < 3"),
    "a default": ("def good(x, seen=[]):\n    seen.append(x)\n    return len(seen) < 3\n", "good(x)"),
    "a name in between": ("last = 0\n", "(last := last + 1) < 3"),
    "a dictionary": ("d = defaultdict(int)\n", "(d[x], len(d) < 3)[1]"),
    "a tally": ("d = Counter()\n", "(d.update([x]), len(d) < 3)[1]"),
    "a deque": ("d = deque([1, 1])\n", "d and d.pop()"),
    "an iterator": ("g = iter([0, 1, 2])\n", "x in g"),
    "an iterator, by zip": ("g = iter([0, 1, 2, 3])\n", "list(zip([1], g))"),
    "a generator": ("def some():\n    yield 1\n    yield 0\n    yield 1\ng = some()\n", "next(g, 0)"),
    "an iterator of the state": ("g = iter(s.q)\n", "next(g, 0) == 0"),
    "an iterator of places": ("g = iter(s.r)\n", "next(g, s.r[0]).v == 0"),
    "a method": (BUDGET.format(head="def use(self):"), "budget.use()"),
    "a property": (BUDGET.format(head="@property\n    def use(self):"), "budget.use"),
    "a truth value": (BUDGET.format(head="def __bool__(self):"), "budget"),
    "an equality": (BUDGET.format(head="def __eq__(self, other):"), "budget == x"),
    "a frozen dataclass": (
        f"@dataclass(frozen=True)\nclass F:\n    n: int\n    def __bool__(self):\n{WRITES}f = F(1)\n",
        "f",
    ),
    "a list in a frozen dataclass": (
        (
            "@dataclass(frozen=True)\nclass F:\n    l: list\n    def __bool__(self):\n        self.l.append(1)\n"
            "        return len(self.l) < 3\nf = F([])\n"
        ),
        "f",
    ),
    "a tuple of its own class": (f"class F(tuple):\n    def __bool__(self):\n{WRITES}f = F()\n", "f"),
    "a number of its own class": (f"class F(int):\n    def __bool__(self):\n{WRITES}f = F()\n", "f"),
    "an enumeration": (f"class F(Enum):\n    A = 1\n    def __bool__(self):\n{WRITES}f = F.A\n", "f"),
    "a class of a class": (
        f"class M(type):\n    def __contains__(c, x):\n{WRITES}class C(metaclass=M): ...\n",
        "x in C",
    ),
    "a class": ("class B:\n    left = 2\n    def __init__(self):\n        B.left -= 1\n", "(B() and B.left >= 0)"),
    "a partial": ("box = [2]\ndef h(b, x):\n    b[0] -= 1\n    return b[0] >= 0\ngood = partial(h, box)\n", "good(x)"),
    "a cache": ("@lru_cache\ndef good(x):\n    s.n = (s.n + 1) % 3\n    return s.n != 1\n", "good(x)"),
    "the state": ("def good(x):\n    s.n = (s.n + 1) % 3\n    return s.n != 1\n", "good(x)"),
    "the state, by setattr": ("def good(x):\n    setattr(s, 'n', (s.n + 1) % 3)\n    return s.n != 1\n", "good(x)"),
    "the state, by getattr": ("def good(x):\n    getattr(s.e, 'discard')(x)\n    return len(s.e) > 0\n", "good(x)"),
    "an array": ("def good(x):\n    s.a[x % 3] = (s.a[x % 3] + 1) % 3\n    return s.a[0] != 1\n", "good(x)"),
    "a set": ("def good(x):\n    x == 1 and s.e.discard(1)\n    return x != 0 or 1 in s.e\n", "good(x)"),
    "a field": ("def good(x):\n    s.r[0].v = (s.r[0].v + 1) % 3\n    return s.r[0].v != 1\n", "good(x)"),
    "a set of a record": ("def good(x):\n    s.r[0].w.discard(x)\n    return len(s.r[0].w) > 0\n", "good(x)"),
    "require": ("def good(x):\n    require(x != 0 or s.n < 1)\n    return True\n", "good(x)"),
    "stay": ("def good(x):\n    stay()\n    return x < 2\n", "good(x)"),
    "an exception": ("def good(x):\n    return 1 // x >= 0\n", "good(x)"),
}
# Where the condition stands.
PLACES = {
    "list": "x = choose([x for x in s.b if {c}])\ns.b.take(x)\ns.b.add((x + 1) % 3)",
    "generator": "x = choose(x for x in s.b if {c})\ns.n = x",
    "set": "x = choose({{x for x in s.e if {c}}})\ns.e.discard(x)\ns.e.add((x + 1) % 3)",
    "pairs": "x, y = choose([(x, y) for x in (0, 1, 2) for y in (0, 1) if s.n != y and {c}])\ns.n = x * y",
    "any": "require(any({c} for x in s.b))\ns.n = (s.n + 1) % 3",
    "elements": "require(any({c} and s.a[x] == 1 for x in range(3)))\ns.n = (s.n + 1) % 3",
    "sum": "s.n = sum(x for x in s.b if {c}) % 3",
    "loop": "z = 0\nfor x in s.b:\n    if {c}:\n        z += x\ns.n = z % 3",
    "max": "s.n = max((x for x in s.q if {c}), default=0)",
    "take": "s.n = s.b.take(where=lambda x: {c})",
    "list of a helper": "def found(s):\n    return [x for x in s.b if {c}]\ns.n = choose(found(s))",
    "loop of a helper": "def found(s):\n    out = []\n    for x in s.b:\n        if {c}:\n            out.append(x)\n"
    "    return out\ns.n = choose(found(s))",
    "caught": "try:\n    x = choose([x for x in s.b if {c}])\nexcept Exception:\n    x = 2\ns.n = x % 2 + 1",
    "taken and caught": "try:\n    x = s.b.take(where=lambda x: {c})\nexcept Exception:\n    x = 2\ns.n = x % 2 + 1",
}  # fmt: skip


def _outcome(text: str, engine: str) -> Any:
    try:
        found = explore(Source(text).case().model, engine=engine).statistics
    except SweepcheckError as error:
        return error.code
    return found.states, found.edges


@pytest.mark.parametrize("condition", CONDITIONS)
def test_both_engines_agree(condition: str) -> None:
    before, asked = CONDITIONS[condition]
    for place in PLACES.values():
        body = (before + place.format(c=asked)).replace("\n", "\n    ")
        text = f"{DECLARED}\n@m.action\ndef go(s):\n    {body}\n"
        assert _outcome(text, "native") == _outcome(text, "reference"), text


def test_a_decorated_helper_is_no_list() -> None:
    text = f"""{DECLARED}
@lru_cache
def pairs(size):
    return [(x, y) for x in range(size) for y in range(size) if x < size - y]

@m.action
def go(s):
    x, y = choose(pairs(2))
    s.n = (x + y + len(pairs(2))) % 3
"""
    assert _outcome(text, "native") == _outcome(text, "reference")


LISTED_IN_LOOPS = {
    "added to under another name": "seen = out = []\n    for x in s.b:\n        if x not in seen:\n"
    "            out += [x]",
    "called for each": "out = []\n    for x in s.b:\n        if x != s.n:\n"
    "            out = sorted([*out, x], key=tell)",
    "gone through late": "g = (tell(y) for y in range(9))\n    out = []\n    for x in s.b:\n        if x != s.n:\n"
    "            out = [*out, next(g)]",
}


@pytest.mark.parametrize("loop", LISTED_IN_LOOPS)
def test_loops_that_change_what_their_condition_reads(loop: str) -> None:
    text = f"""{DECLARED}
m.initial(b=[Bag([0, 0, 1]), Bag([1, 1, 1])])

@m.action
def go(s):
    def tell(x):
        s.n = (s.n + 1) % 3
        return x
    {LISTED_IN_LOOPS[loop]}
    s.n = len(out) % 3
"""
    assert _outcome(text, "native") == _outcome(text, "reference")
