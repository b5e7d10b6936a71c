"""Whatever a function does to a draft or a view: both engines find the same numbers, or give the same code."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from comparing import answer, same

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Queue,
    Stop,
    check,
    choose,
    explore,
    invariant,
    partial_order,
    require,
    stay,
)
from sweepcheck.core.observer import Silence
from sweepcheck.core.request import Request
from sweepcheck.engines import native
from sweepcheck.planner import plan

Body = Callable[[Any], object]


def model(body: Body) -> Model:
    """A few states, and whatever the body does in each of them."""
    m = Model("tried", x=0, a=Array([1, 2]), b=Bag([1, 1, 2]), q=Queue([1, 2]), o=Queue([], capacity=1))

    @m.action
    def step(s: Any) -> None:
        require(s.x < 2)
        s.x += 1

    @m.action
    def tried(s: Any) -> object:
        return body(s)

    return m


def changed(read: Body) -> Body:
    """Read something, then change something else, so that the run is an edge."""

    def body(s: Any) -> None:
        read(s)
        s.x = 0

    return body


def assigned(s: Any) -> None:
    s.a[0:1] = (3,)


def deleted(s: Any) -> None:
    del s.x


def deleted_element(s: Any) -> None:
    del s.a[0]


def augmented(s: Any) -> None:
    s.b += Bag([1])


def added_nothing(s: Any) -> None:
    s.b.add(1, 0)


def endless(s: Any) -> None:
    endless(s)


def swallowed(s: Any) -> None:
    try:
        s.nothing  # noqa: B018
    except AttributeError:
        s.x = 1


def raising(error: type[BaseException], *words: str) -> Body:
    def body(s: Any) -> None:
        raise error(*words)

    return body


def setting(name: str, value: object) -> Body:
    return lambda s: setattr(s, name, value)


BODIES: dict[str, Body] = {
    # what an action may do
    "in": changed(lambda s: 1 in s.b),
    "not in": changed(lambda s: 7 in s.b),
    "unhashable in": changed(lambda s: [1] in s.b),
    "an object in": changed(lambda s: object() in s.b),
    "unhashable counted": changed(lambda s: s.b.count([1])),
    "unhashable in a queue": changed(lambda s: [1] in s.q),
    "unhashable in an array": changed(lambda s: [1] in s.a),
    "a type taken": changed(lambda s: s.b.take(int)),
    "add by name": lambda s: s.b.add(token=1) if len(s.b) < 5 else None,
    "add many by name": lambda s: s.b.add(1, count=2) if len(s.b) < 5 else None,
    "add by names": lambda s: s.b.add(count=2, token=1) if len(s.b) < 5 else None,
    "add nothing": added_nothing,
    "add True times": lambda s: s.b.add(1, True) if len(s.b) < 5 else None,
    "put by name": lambda s: s.o.put(element=1),
    "put into a full queue": lambda s: (s.o.put(1), s.o.put(2))[0],
    "peek at any": changed(lambda s: s.b.peek(None)),
    "peek at some": changed(lambda s: s.b.peek(lambda token: token > 1)),
    "take where": changed(lambda s: s.b.take(where=lambda token: token > 1)),
    "take where nothing is asked": changed(lambda s: s.b.take(where=None)),
    "index by a truth value": changed(lambda s: s.a[True]),
    "count from the end": changed(lambda s: (s.a[-1], s.q[-1])),
    "slices": changed(lambda s: (s.a[0:2], s.q[0:1])),
    "walks": changed(
        lambda s: (list(reversed(s.a)), sorted(s.b), max(s.q), sum(s.a), list(zip(s.a, s.q, strict=True)))
    ),
    "truth": changed(lambda s: (bool(s.a), bool(s.b), bool(s.o))),
    "text": changed(lambda s: (repr(s), str(s.b), f"{s.q}", repr(s.a))),
    "comparisons": changed(lambda s: (s.b == s.b, s.b == Bag([1]), s.q != (1, 2), s.a == 3)),
    "stay": lambda s: stay(),
    "nothing": lambda s: None,
    "choose nothing": lambda s: choose([]),
    "choose a bag": lambda s: setattr(s, "x", choose(s.b)),
    "choose a set": lambda s: setattr(s, "x", choose({"a", "bb", 3})),
    "choose twice the same": lambda s: setattr(s, "x", choose(1, True, 1.0)),
    # what it may not
    "unknown read": lambda s: s.nothing,
    "unknown read, swallowed": swallowed,
    "unknown read with a default": lambda s: getattr(s, "nothing", 0),
    "unknown written": setting("y", 3),
    "deleted": deleted,
    "deleted element": deleted_element,
    "returned": lambda s: 3,
    "list assigned": setting("x", [1]),
    "function assigned": setting("x", lambda: 1),
    "bag assigned": setting("b", Bag([1])),
    "array assigned": setting("a", Array([1])),
    "editor assigned": lambda s: setattr(s, "x", s.b),
    "editor inside": lambda s: setattr(s, "x", (s.q,)),
    "draft assigned": lambda s: setattr(s, "x", s),
    "slice assigned": assigned,
    "bag augmented": augmented,
    "bag plus bag": lambda s: s.b + Bag([1]),
    "queue plus tuple": lambda s: s.q + (1,),  # noqa: RUF005
    "array times two": lambda s: s.a * 2,
    "list added": lambda s: s.b.add([1]),
    "list put": lambda s: s.q.put([1]),
    "list stored": lambda s: s.a.__setitem__(0, [1]),
    "added a fraction of times": lambda s: s.b.add(1, 1.5),
    "added fewer than no times": lambda s: s.b.add(1, -1),
    "added without a token": lambda s: s.b.add(),
    "added too much": lambda s: s.b.add(1, 2, 3),
    "added by a wrong name": lambda s: s.b.add(1, times=2),
    "taken by a number": lambda s: s.b.take(where=3),
    "taken two at once": lambda s: s.b.take(1, 2),
    "taken by a function": lambda s: s.b.take(lambda token: True),
    "taken unhashable": lambda s: s.b.take([1]),
    "index beyond": lambda s: s.a[5],
    "index far below": lambda s: s.a[-3],
    "huge index": lambda s: s.a[10**30],
    "text as index": lambda s: s.a["a"],
    "text as index of a queue": lambda s: s.q["a"],
    "index beyond a queue": lambda s: s.q[5],
    "index far below a queue": lambda s: s.q[-3],
    "bag indexed": lambda s: s.b[0],
    "queue element assigned": lambda s: s.q.__setitem__(0, 1),
    "unknown operation": lambda s: s.b.remove(1),
    "unknown operation of an array": lambda s: s.a.append(1),
    "method of the value": lambda s: s.b.distinct(),
    "method of a queue's value": lambda s: s.q.index(1),
    "hash of an editor": lambda s: hash(s.a),
    "hash of a draft": hash,
    "order of bags": lambda s: s.b < s.b,
    "choose from one value": lambda s: choose(3),
    "choose unhashable": lambda s: choose([[1], [2]]),
    "where chooses": lambda s: s.b.take(where=lambda token: token > choose(0, 1)),
    "where changes a queue": lambda s: s.b.take(where=lambda token: s.q.put(token) is None),
    "where stays": lambda s: s.b.peek(where=lambda token: stay() is None),
    "where requires": changed(lambda s: s.b.take(where=lambda token: require(token > 1) is None)),
    "where is disabled for some": changed(lambda s: s.b.peek(where=lambda token: token == 2 or s.o.peek())),
    "where raises": lambda s: s.b.take(where=lambda token: token.nothing),
    "raises": raising(ZeroDivisionError),
    "raises with words": raising(RuntimeError, "impure"),
    "exits": raising(SystemExit),
    "stops an iteration": raising(StopIteration),
    "raises as an attribute": raising(AttributeError, "x"),
    "too deep": endless,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_actions(body: Body) -> None:
    same(lambda: model(body))


def always(read: Body) -> Body:
    def predicate(s: Any) -> bool:
        read(s)
        return True

    return predicate


PREDICATES: dict[str, Body] = {
    "items": lambda s: dict(s.b.items()) == {1: 2, 2: 1},
    "distinct": lambda s: s.b.distinct() == (1, 2),
    "bag below": lambda s: s.b <= Bag([1, 1, 2, 3]),
    "bag above": lambda s: Bag([1]) <= s.b,
    "peek of a queue": lambda s: s.q.peek() == 1,
    "in a queue": lambda s: 2 in s.q,
    "index": lambda s: s.a.index(2) == 1,
    "hash": always(lambda s: hash((s.b, s.q, s.a))),
    "as keys": always(lambda s: {s.b: 1, s.q: 2, s.a: 3}),
    "unhashable in": lambda s: [1] not in s.b,
    "unhashable counted": lambda s: s.b.count([1]) == 0,
    "instances": lambda s: isinstance(s.b, Bag) and isinstance(s.q, Queue) and isinstance(s.a, Array),
    "instances of others": lambda s: not isinstance(s.b, Queue | int) and isinstance(s.q, tuple),
    "inside a tuple": lambda s: (s.b, s.q) == (Bag([1, 1, 2]), Queue([1, 2])),
    "bag plus bag": lambda s: s.b + Bag([2]) == Bag([1, 1, 2, 2]),
    "bag before bag": lambda s: Bag([2]) + s.b == Bag([1, 1, 2, 2]),
    "bag minus bag": lambda s: len(s.b - Bag([1])) == 2,
    "queue plus tuple": lambda s: s.q + (1,) == (1, 2, 1),  # noqa: RUF005
    "tuple plus queue": lambda s: (1,) + s.q == (1, 1, 2),  # noqa: RUF005
    "array times two": lambda s: s.a * 2 == (1, 2, 1, 2),
    "two times array": lambda s: 2 * s.a == (1, 2, 1, 2),
    "order of queues": lambda s: s.q > (0,),
    "a bag as truth": lambda s: s.b,
    "an empty queue as truth": lambda s: s.o,
    "not a number": lambda s: float("nan"),
    "all": lambda s: all(token > 0 for token in s.b),
    "nothing": lambda s: None,
    "a function": lambda s: s.b.count,
    "a generator": lambda s: (token for token in s.b),
    "raises": lambda s: 1 / 0,
    "unknown": lambda s: s.nothing,
    "unknown with a default": lambda s: getattr(s, "nothing", True),
    "assigned": lambda s: setattr(s, "x", 1),
    "taken": lambda s: s.b.take(),
    "taken from a queue": lambda s: s.q.get(),
    "choose": lambda s: choose(1, 2),
    "stay": lambda s: stay(),
    "require": lambda s: require(False),
    "index beyond": lambda s: s.a[9],
    "peek at nothing": lambda s: s.o.peek(),
}


@pytest.mark.parametrize("predicate", PREDICATES.values(), ids=PREDICATES)
def test_predicates(predicate: Body) -> None:
    same(lambda: model(lambda s: None), [invariant("asked", predicate)])


MEASURES: dict[str, Body] = {
    "nothing": lambda s: None,
    "raises": lambda s: 1 / 0,
    "mixed": lambda s: s.x if s.x < 1 else "a",
    "list": lambda s: [s.x],
    "complex": lambda s: complex(s.x),
    "not a number": lambda s: float("nan"),
    "bag": lambda s: s.b,
    "queue": lambda s: s.q,
    "array": lambda s: s.a,
    "tuple": lambda s: (s.x, s.q),
    "nested": lambda s: (s.x, (s.q, (s.a,))),
    "fraction": lambda s: s.x / 2,
    "down": lambda s: -s.x,
    "truth": lambda s: s.x > 0,
    "text": lambda s: str(s.x),
    "set": lambda s: frozenset(range(s.x)),
    "choose": lambda s: choose(1, 2),
    "unknown": lambda s: s.nothing,
    "sums": lambda s: (2 * s.x + len(s.q), s.x + s.a[0] - 1),
    "large": lambda s: s.x * 10**30,
    "large constant": lambda s: s.x + 2**62,
    "products": lambda s: s.x * s.x,
    "absolute": lambda s: abs(s.x),
    "largest": lambda s: max(s.x, 1),
    "halves": lambda s: s.x // 2,
    "shifted": lambda s: s.x << 1,
    "branches": lambda s: s.x or 0,
    "as index": lambda s: [0, 1, 2, 3][s.x],
    "as key": lambda s: {0: 0, 1: 1, 2: 2}[s.x],
    "range": lambda s: sum(range(s.x)),
    "by kind": lambda s: s.x if isinstance(s.x, int) else "a",
    "rest": lambda s: s.x % 5,
    "float": lambda s: s.x * 1.0,
    "method": lambda s: s.x.bit_length(),
}


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_measures(measure: Body) -> None:
    same(lambda: model(lambda s: None), measure=measure)


def test_impure_actions_are_blamed() -> None:
    calls = [iter(range(10**9))]

    def body(s: Any) -> None:
        if next(calls[0]) % 2:
            s.x = choose(range(next(calls[0])))
        else:
            s.q.put(s.x)

    assert answer(model(body), limits=Limits(states=100)) == "SC213"


def interrupted(make: Callable[[], Model], **options: Any) -> None:
    for engine in ("reference", "native"):
        report = explore(make(), engine=engine, **options)
        assert report.stop is Stop.INTERRUPTED, engine
        assert not report.complete


def test_interruption_inside_an_action() -> None:
    def body(s: Any) -> None:
        if s.x == 1:
            raise KeyboardInterrupt

    interrupted(lambda: model(body))


def test_interruption_inside_a_measure() -> None:
    def measure(s: Any) -> int:
        if s.x == 1:
            raise KeyboardInterrupt
        return int(s.x)

    interrupted(lambda: model(lambda s: None), measure=measure)


def test_what_was_decided_before_an_interruption_has_its_trace() -> None:
    def make() -> Model:
        m = Model("counter", x=0)

        @m.action
        def step(s: Any) -> None:
            if s.x == 90:
                raise KeyboardInterrupt
            s.x += 1

        return m

    asked = [invariant("small", lambda s: s.x < 5), invariant("large", lambda s: s.x < 1000)]
    for engine in ("reference", "native"):
        report = check(make(), asked, engine=engine, keep_going=True)
        assert report.stop is Stop.INTERRUPTED
        assert report.verdicts[0].trace is not None
        assert len(report.verdicts[0].trace) == 5


@pytest.mark.parametrize("where", ["action", "predicate", "measure", "order", "successors"])
def test_memory_that_runs_out_inside_a_model_is_the_end_of_the_run(where: str) -> None:
    def work(here: str) -> int:
        if here == where:
            raise MemoryError
        return 0

    def make() -> Any:
        m = Model("large", x=0)

        @m.action
        def step(s: Any) -> None:
            require(s.x < 3)
            s.x += 1 + work("action")

        m.invariant("small", lambda s: s.x + work("predicate") < 9)
        m.progress(partial_order(lambda s: s.x + work("measure"), lambda one, other: one + work("order") <= other))
        return m

    class Large:
        def initial(self) -> list[int]:
            return [0]

        def successors(self, state: int) -> list[tuple[str, int]]:
            return [("step", state + 1 + work("successors"))]

    if where == "successors":
        report = check(Large(), [invariant("small", lambda x: x < 9)])
        assert report.stop is Stop.MEMORY
        return
    for engine in ("reference", "native"):
        report = check(make(), engine=engine)
        assert report.stop is Stop.MEMORY
        assert report.exit_code == 3


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_interruption_while_initial_states_are_packed(error: type[BaseException]) -> None:
    @dataclasses.dataclass(frozen=True)
    class Value:
        number: int

        def __hash__(self) -> int:
            if calls and calls.pop() == 0:
                raise error
            return hash(self.number)

    calls: list[int] = []
    m = Model("many", x=Value(0))
    m.initial(x=[Value(number) for number in range(20)])

    @m.action
    def stuck(s: Any) -> None:
        require(s.x is None)

    decided = plan(m, Request((), engine="native"))
    m.initial_states()
    calls.extend(range(5))
    report = native.run(decided, Silence())
    assert report.stop is (Stop.INTERRUPTED if error is KeyboardInterrupt else Stop.MEMORY)
