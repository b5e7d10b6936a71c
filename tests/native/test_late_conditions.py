"""Helpers that give elements by `yield`, as a generator or by `filter`: as cheap as a list, and asked in their turn."""

import pytest

from sweepcheck import Model, Set, explore, require
from sweepcheck.testing.random_models import Source

DECLARED = """
m = Model('late', n=0, b=Bag([0, 1, 2]), e=Set([0, 1, 2]), q=Queue([0, 1], capacity=3))

@m.action
def move(s):
    s.b.add((s.b.take() + 1) % 3)

@m.action
def send(s):
    s.q.put((s.q.get() + 1) % 3)

predicate = bool
"""
# What an action does, by name.
ACTIONS = """
--- kept by a function
k = 1
g = (lambda g: g)(x for x in s.b if x < k)
k = 5
s.n = len(list(g)) % 3
--- alone
k = 1
g = (x for x in s.b if x < k)
k = 5
s.n = len(list(g)) % 3
--- in a loop
l = []
for k in range(3):
    l.append(x for x in s.b if x < k)
s.n = sum(len(list(g)) for g in l) % 3
--- of a function around
k = 0
def f():
    return (x for x in s.b if x < k)
g = f()
k = 2
s.n = len(list(g)) % 3
--- changed by another
k = 0
def up():
    nonlocal k
    k += 1
g = (x for x in s.b if x >= k)
up()
s.n = len(list(g))
--- swapped
k, j = 0, 1
g = (x for x in s.b if x >= k)
k, j = j, k
s.n = len(list(g)) % 3
--- in a list
k = [0]
g = (x for x in s.b if x >= k[0])
k[0] = 1
s.n = len(list(g)) % 3
--- reads the state
g = (x for x in s.b if x >= s.n)
s.n = (s.n + 1) % 3
s.n = len(list(g)) % 3
--- of a generator function
def late(k):
    for x in s.b:
        if x >= k:
            yield x
z = 0
for x in late(1):
    s.b.take(x)
    s.b.add(2)
    z += x
s.n = z % 3
--- of one around it
k = 1
def f():
    for x in s.b:
        if x >= k:
            yield x
g = f()
x = next(g, 0)
k = 2
s.n = (x + len(list(g))) % 3
--- its own
def f(k):
    for x in s.b:
        if x >= k:
            yield x
            k = 2
s.n = len(list(f(0))) % 3
--- sent to it
def f():
    k = 0
    for x in s.b:
        if x >= k:
            k = (yield x) or k
s.n = len(list(f())) % 3
--- reads the state, by yield
def f():
    for x in s.b:
        if x >= s.n:
            yield x
z = 0
for x in f():
    s.n = (s.n + 1) % 3
    z += x
s.n = z % 3
--- two at a time
def late(k):
    for x in s.b:
        if x >= k:
            yield x
s.n = sum(a * b for a in late(1) for b in late(0)) % 3
--- chosen from
def late(k):
    for x in s.b:
        if x >= k:
            yield x
x = choose(late(s.n))
s.b.take(x)
s.n = x
--- left early
def late(k):
    for x in s.b:
        if x >= k:
            yield x
s.n = next(late(1), 0)
s.b.take(s.n)
--- filter
k = 0
f = filter(lambda x: x < k, s.b)
k = 2
s.n = len(list(f)) % 3
--- filter by a function
k = 0
def f(x):
    return x >= k
g = filter(f, s.b)
k = 2
s.n = sum(g) % 3
--- filter reads the state
z = 0
for x in filter(lambda x: x >= s.n, s.e):
    s.n = (s.n + 1) % 3
    z += x
s.n = z % 3
--- filter at once
s.n = sum(filter(lambda x: x >= s.n, s.e)) % 3
--- filter that counts
c = iter(range(9))
s.n = len(list(filter(lambda x: next(c) < 2, s.b))) % 3
--- filter of nothing
s.n = len(list(filter(None, s.b))) % 3
--- another filter
filter = lambda f, l: [f(x) for x in l]
s.n = sum(filter(lambda x: x >= s.n, s.e)) % 3
--- compared by a key
def k(x):
    s.n = (s.n + 1) % 3
    return x
s.n = min((x for x in s.e if x != s.n), key=k, default=0)
--- a copy
z = 0
for x in list(s.e):
    if x != 1:
        s.e.discard((x + 1) % 3)
        z += x
s.n = z % 3
--- a copy of a queue
z = 0
for x in tuple(s.q):
    if x != 1:
        s.q.get()
        z += x
s.n = z % 3
--- a set of a bag
s.n = sum(x for x in set(s.b) if x != s.n) % 3
--- a set of a bag, any
s.n = int(any(x == s.n for x in set(s.b)))
--- a set that is added to
k = set()
z = 0
for x in s.b:
    if x not in k:
        k.add(x)
        z += 1
s.n = z % 3
--- an object that writes
class W:
    def __lt__(self, other):
        s.n = (s.n + 1) % 3
        return True
w = W()
z = 0
for x in s.b:
    if x >= s.n:
        z += w < x
s.n = z % 3
--- a generator that writes
def f():
    while True:
        s.n = (s.n + 1) % 3
        yield 1
g = f()
s.n = len([sum(a for a, _ in zip([1], g)) for x in s.b if x >= s.n]) % 3
--- suppressed
from contextlib import suppress
x = 0
with suppress(ZeroDivisionError):
    x = choose([x for x in s.b if 1 // x])
s.n = x
--- caught further out
def f():
    return choose([x for x in s.b if 1 // x])
try:
    x = f()
except ZeroDivisionError:
    x = 0
s.n = x
"""
BODIES = {name: body.strip() for name, _, body in (one.partition("\n") for one in ACTIONS.split("--- ")[1:])}


@pytest.mark.parametrize("body", BODIES)
def test_both_engines_agree(body: str) -> None:
    text = f"{DECLARED}\n@m.action\ndef go(s):\n    " + BODIES[body].replace("\n", "\n    ") + "\n"
    found = [explore(Source(text).case().model, engine=engine).statistics for engine in ("native", "reference")]
    assert len({(one.states, one.edges) for one in found}) == 1


def _as_list(s, kind):
    return [x for x in s.sent if x[0] == kind]


def _by_yield(s, kind):
    for x in s.sent:
        if x[0] == kind:
            yield x


def _as_generator(s, kind):
    return (x for x in s.sent if x[0] == kind)


def _by_filter(s, kind):
    return filter(lambda x: x[0] == kind, s.sent)


def _of_copy(s, kind):
    return [x for x in list(s.sent) if x[0] == kind]


def _runs(helper) -> int:
    """How often the actions of a model run that looks at the votes among other messages."""
    m = Model("votes", sent=Set(), done=False)

    @m.action(i=range(9))
    def talk(s, i):
        require(("talk", i) not in s.sent)
        s.sent.add(("talk", i))

    @m.action(i=range(3))
    def vote(s, i):
        require(("vote", i) not in s.sent)
        s.sent.add(("vote", i))

    @m.action
    def decide(s):
        require(not s.done and len({x[1] for x in helper(s, "vote")}) > 1)
        s.done = True

    report = explore(m)
    assert report.statistics.states == 2**12 + 2**9 * 4
    return sum(one.evaluations for one in report.actions)


@pytest.mark.parametrize("helper", [_by_yield, _as_generator, _by_filter, _of_copy])
def test_it_costs_what_a_list_costs(helper) -> None:
    assert _runs(helper) <= 2 * _runs(_as_list)
