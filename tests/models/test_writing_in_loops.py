"""Loops that write to what they go through: the same in both engines, and what the pages say."""

from typing import Any

import pytest

from sweepcheck import Array, Bag, Map, Model, Queue, Record, Set, Status, check, choose, explore, require
from sweepcheck.testing.random_models import Source

DECLARED = """
m = Model('loops', n=0, t=(0, 1, 2), b=Bag([0, 1, 2]), e=Set([0, 1, 2]), q=Queue([0, 1], capacity=3),
    a=Array([1, 0, 2]), g=Array(1, shape=(2, 2)), k=Map(['p', 'r'], 0),
    r=Array(Record(v=0, w=Set([1]), c=Queue([2], capacity=2)), shape=2))

@m.action
def move(s):
    s.b.add((s.b.take() + 1) % 3)

@m.action
def send(s):
    s.q.put((s.q.get() + 1) % 3)

@m.action
def turn(s):
    s.a[0], s.a[1], s.a[2] = s.a[1], s.a[2], s.a[0]

predicate = bool
"""
# By kind of variable: what is gone through, and what is written meanwhile.
HOLDERS = {
    "bag": ("s.b", ("s.b.add((x + 1) % 3) if len(s.b) < 6 else None", "s.b.take(x)", "s.b.clear()", "s.b.take()")),
    "set": ("s.e", ("s.e.add((x + 1) % 3)", "s.e.discard((x + 1) % 3)", "s.e.clear()")),
    "queue": ("s.q", ("s.q.put((x + 1) % 3)", "s.q.get()", "s.q.clear()", "(s.q.clear(), s.q.put(2))")),
    "array": ("s.a", ("s.a.__setitem__((x + 1) % 3, x)", "s.a.__setitem__(x % 3, (x + 1) % 3)")),
    "row": ("s.g[0]", ("s.g[0].__setitem__((x + 1) % 2, (x + 1) % 3)",)),
    "records": ("(one.v for one in s.r)", ("setattr(s.r[(x + 1) % 2], 'v', (x + 1) % 3)",)),
    "set of a record": ("s.r[0].w", ("s.r[0].w.add((x + 1) % 3)", "setattr(s.r[0], 'w', Set([x]))")),
    "queue of a record": ("s.r[0].c", ("s.r[0].c.put((x + 1) % 3)", "s.r[0].c.get()")),
    "map": ("s.k.values()", ("s.k.__setitem__('r', (x + 1) % 3)", "s.k.__setitem__('p', (x + 1) % 3)")),
    "items of a map": ("(v for _, v in s.k.items())", ("s.k.__setitem__('r', (x + 1) % 3)",)),
    "tuple": ("s.t", ("setattr(s, 't', (x,) * 3)",)),
}
LOOPS = {
    "for": "z = 0\nfor x in {h}:\n    {w}\n    z += x\ns.n = z % 3",
    "enumerate": "z = 0\nfor i, x in enumerate({h}):\n    {w}\n    z += x * i\ns.n = z % 3",
    "zip": "z = 0\nfor x, y in zip({h}, {h}):\n    {w}\n    z += x * 2 + y\ns.n = z % 3",
    "filter": "z = 0\nfor x in filter(lambda v: v < 2, {h}):\n    {w}\n    z += x\ns.n = z % 3",
    "comprehension": "s.n = sum([({w}, x)[1] for x in {h} if x < 2]) % 3",
    "condition": "s.n = sum([x for x in {h} if ({w}, x < 2)[1]]) % 3",
    "any": "require(any(({w}, x == 2)[1] for x in {h}))\ns.n = (s.n + 1) % 3",
    "nested": "z = 0\nfor x in {h}:\n    for y in {h}:\n        {w}\n        z += x * y\ns.n = z % 3",
    "break": "z = 0\nfor x in {h}:\n    {w}\n    if x == 1:\n        break\n    z += x\nelse:\n    z += 1\ns.n = z % 3",
    "late": "g = (v for v in {h} if v < 2)\nx = 1\n{w}\ns.n = sum(g) % 3",
    "late any": "g = (v == 2 for v in {h})\nx = 0\n{w}\nrequire(any(g))\ns.n = (s.n + 1) % 3",
    "late map": "g = map(lambda v: v, {h})\nx = 1\n{w}\ns.n = sum(g) % 3",
    "late zip": "g = zip({h}, {h})\nx = 1\n{w}\ns.n = sum(a * b for a, b in g) % 3",
    "late iter": "g = iter({h})\nx = next(g, 0)\n{w}\ns.n = (x + 2 * next(g, 0)) % 3",
    "late generator": "def late():\n    for v in {h}:\n        if v != s.n:\n            yield v\n"
    "g = late()\nx = next(g, 0)\ns.n = (s.n + 1) % 3\n{w}\ns.n = sum(g) % 3",
    "reads the state": "z = 0\nfor x in {h}:\n    if x != s.n:\n        {w}\n        s.n = 2 - s.n\n        z += x\n"
    "s.n = z % 3",
    "chosen from": "x = choose([x for x in {h} if ({w}, True)[1]])\ns.n = x",
    "chosen from late": "g = (v for v in {h})\nx = 1\n{w}\nx = choose(g)\ns.n = x % 3",
}  # fmt: skip
REVERSIBLE = ("array", "queue", "tuple", "row")


def _figures(text: str, engine: str) -> tuple[Any, Any]:
    found = explore(Source(text).case().model, engine=engine).statistics
    return found.states, found.edges


def _action(loop: str, holder: str, write: str) -> str:
    body = loop.format(h=holder, w=write).replace("\n", "\n    ")
    return f"{DECLARED}\n@m.action\ndef go(s):\n    {body}\n"


@pytest.mark.parametrize("held", HOLDERS)
@pytest.mark.parametrize("loop", LOOPS)
def test_both_engines_agree(held: str, loop: str) -> None:
    holder, writes = HOLDERS[held]
    for write in writes:
        text = _action(LOOPS[loop], holder, write)
        assert _figures(text, "native") == _figures(text, "reference"), text


@pytest.mark.parametrize("held", REVERSIBLE)
def test_both_engines_agree_on_what_is_reversed(held: str) -> None:
    holder, writes = HOLDERS[held]
    for write in writes:
        for loop in (
            "z = 0\nfor i, x in enumerate(reversed({h})):\n    {w}\n    z += x * i\ns.n = z % 3",
            "g = reversed({h})\nx = 1\n{w}\ns.n = next(g, 0)",
        ):
            text = _action(loop, holder, write)
            assert _figures(text, "native") == _figures(text, "reference"), text


def _ends(act: Any, **variables: Any) -> set[Any]:
    """What the actions of a model with one function leave behind, as both engines say."""
    model = Model("one action", ended=False, **variables)

    @model.action
    def go(s):
        require(not s.ended)
        act(s)
        s.ended = True

    ends = [edge.target for edge in model.edges(model.initial_states()[0])]
    texts = {repr(model.view(end)) for end in ends}
    model.invariant("as it ends", lambda s: not s.ended or repr(s) in texts)
    assert check(model, engine="native")["as it ends"].status is Status.HOLDS
    assert explore(model, engine="native").statistics.edges == len(ends)
    return {end[1:] for end in ends}


def _shift(row: Any) -> None:
    for i, one in enumerate(row):
        row[(i + 1) % 3] = one


def test_arrays_are_gone_through_as_lists() -> None:
    plain = [1, 0, 2]
    _shift(plain)
    assert plain == [1, 1, 1]
    assert _ends(lambda s: _shift(s.row), row=Array([1, 0, 2])) == {(Array(plain),)}
    assert _ends(lambda s: _shift(s.rows[0]), rows=Array([[1, 0, 2], [0, 0, 0]], shape=(2, 3))) == {
        (Array([*plain, 0, 0, 0]),)
    }


def test_contents_are_gone_through_as_they_were() -> None:
    def put(s):
        for one in s.queue:
            s.queue.put(one + 1)

    def exchange(s):
        for one in s.bag:
            s.bag.take(one)
            s.bag.add(one + 1)

    def drop(s):
        for one in s.set:
            s.set.discard(one)

    assert _ends(put, queue=Queue([1, 2])) == {(Queue([1, 2, 2, 3]),)}
    assert _ends(exchange, bag=Bag([1, 1, 2])) == {(Bag([2, 2, 3]),)}
    assert _ends(drop, set=Set([1, 2, 3])) == {(Set(),)}


def test_a_queue_that_is_emptied_meanwhile() -> None:
    def serve(s):
        s.seen = tuple(s.queue.get() * 10 + one for one in s.queue)

    def backwards(s):
        s.seen = tuple((s.queue.get(), one) for one in reversed(s.queue))

    assert _ends(serve, queue=Queue([1, 2, 3]), seen=()) == {(Queue(), (11, 22, 33))}
    assert _ends(backwards, queue=Queue([1, 2, 3]), seen=()) == {(Queue(), ((1, 3), (2, 2), (3, 1)))}


def test_values_of_a_map_are_read_in_turn() -> None:
    def act(s):
        for key, one in s.map.items():
            s.map["b"] = one + 1
            s.seen = (*s.seen, (key, one))

    assert _ends(act, map=Map(["a", "b"], 1), seen=()) == {(Array([1, 3]), (("a", 1), ("b", 2)))}


def test_what_is_chosen_from_late() -> None:
    def act(s):
        late = (one for one in s.row)
        s.row[0] = 5
        s.n = choose(late)

    assert _ends(act, row=Array([1, 2]), n=0) == {(Array([5, 2]), 5), (Array([5, 2]), 2)}


def test_records_are_places() -> None:
    def act(s):
        for one in s.nodes:
            one.v = sum(other.v for other in s.nodes)

    assert _ends(act, nodes=Array(Record(v=1), shape=3)) == {(Array([3, 5, 9]),)}
