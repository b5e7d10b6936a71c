"""Sets, records, maps and arrays of any shape: what actions and predicates can do with them, on both engines."""

from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from sweepcheck import (
    Array,
    Bag,
    Map,
    Model,
    Queue,
    Record,
    Set,
    SweepcheckError,
    check,
    choose,
    explore,
    invariant,
    require,
)
from sweepcheck.core.values import alike, settled

ENGINES = ("reference", "native")


def once(start: Any, change: Callable[[Any], None], engine: str) -> dict[str, object]:
    """What one run of an action makes of a variable `v`."""
    m = Model("once", v=start, done=False)

    @m.action
    def run(s: Any) -> None:
        require(not s.done)
        s.done = True
        change(s)

    m.reachable("end", lambda s: s.done)
    trace = check(m, engine=engine)["end"].trace
    assert trace is not None
    return m.describe(trace.steps[-1].state)


def refused(start: Any, change: Callable[[Any], Any], engine: str) -> SweepcheckError:
    with pytest.raises(SweepcheckError) as caught:
        once(start, change, engine)
    return caught.value


# -- values -----------------------------------------------------------------------------------------------------------


def test_sets_are_values() -> None:
    assert Set([2, 1, 2]) == Set([1, 2]) == {1, 2}
    assert hash(Set([2, 1])) == hash(Set([1, 2]))
    assert repr(Set(["b", "a"])) == "{'a', 'b'}"
    assert Set([1, 2]) >= {1}
    assert Set([1]) < {1, 2}
    assert Set([1]) != Bag([1, 1])
    assert not alike(Set([1]), Bag([1]))
    assert type(settled(Set([frozenset({8, 0})]))) is Set
    assert Set([1]).including(1) == Set([1])


def test_records_and_maps_are_values() -> None:
    assert Record(a=1, b=2) == Record(Record(a=1, b=5), b=2)
    assert len({Record(a=1), Record(a=1), Map("ab", 0), Map({"a": 0, "b": 0})}) == 2
    assert Map(range(2), 5)[1] == 5
    with pytest.raises(AttributeError):
        Record(a=1).a = 2


# -- what actions do --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_a_set_holds_an_element_once(engine: str) -> None:
    def change(s: Any) -> None:
        s.v.add(1)
        s.v.add(2)
        s.v.add(2)
        s.v.discard(0)
        s.v.discard(7)
        assert 2 in s.v
        assert len(s.v) == 2

    assert once(Set([0, 1]), change, engine)["v"] == Set([1, 2])


@pytest.mark.parametrize("engine", ENGINES)
def test_adding_what_is_there_is_a_step_all_the_same(engine: str) -> None:
    m = Model("again", v=Set([1]))

    @m.action
    def add(s: Any) -> None:
        s.v.add(1)

    @m.action
    def discard(s: Any) -> None:
        s.v.discard(2)

    numbers = explore(m, engine=engine).statistics
    assert (numbers.states, numbers.edges, numbers.dead_states) == (1, 2, 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_taking_from_a_set_names_what_was_taken(engine: str) -> None:
    m = Model("take", v=Set(["a", "b"]))

    @m.action
    def take(s: Any) -> None:
        one = s.v.take()
        require(one == "b")

    m.reachable("gone", lambda s: "b" not in s.v)
    trace = check(m, engine=engine)["gone"].trace
    assert trace is not None
    assert [str(step.label) for step in trace.steps] == ["take(one='b')"]


@pytest.mark.parametrize("engine", ENGINES)
def test_shaped_arrays(engine: str) -> None:
    def change(s: Any) -> None:
        s.v[0, 1] = 5
        s.v[1][2] += s.v[0, 1] + s.v[-2, 1]
        assert s.v[1].count(0) == 2
        assert s.v[1].index(10) == 2
        assert list(s.v[0]) == [0, 5, 0]
        assert s.v[0][1:] == (5, 0)
        assert max(s.v[1]) == sum(s.v[1]) == 10
        assert 5 in s.v[0]
        assert len(s.v) == 2
        assert s.v[0] == [0, 5, 0] or s.v[0] == Array([0, 5, 0])

    described = once(Array(0, shape=(2, 3)), change, engine)
    assert described == {"v[0]": Array([0, 5, 0]), "v[1]": Array([0, 0, 10]), "done": True}


@pytest.mark.parametrize("engine", ENGINES)
def test_arrays_of_queues_bags_and_sets(engine: str) -> None:
    def change(s: Any) -> None:
        s.v[0, 1].queue.put("x")
        s.v[1, 0].queue.put(s.v[0, 1].queue.get())
        s.v[1, 1].bag.add("t", 2)
        s.v[1, 1].set.add("t")
        s.v[0, 0] = Record(s.v[1, 1])

    start = Array(Record(queue=Queue(capacity=2), bag=Bag(), set=Set()), shape=(2, 2))
    described = once(start, change, engine)
    assert described["v[1][0].queue"] == Queue(["x"])
    assert described["v[0][0].bag"] == described["v[1][1].bag"] == Bag(["t", "t"])
    assert described["v[0][0].set"] == {"t"}
    assert described["v[0][1].queue"] == Queue()


@pytest.mark.parametrize("engine", ENGINES)
def test_maps(engine: str) -> None:
    def change(s: Any) -> None:
        s.v["north"].cars += 1
        s.v[1, 2].cars = 7
        assert list(s.v) == ["north", (1, 2)]
        assert [one.cars for one in s.v.values()] == [1, 7]
        assert "north" in s.v
        assert "south" not in s.v

    described = once(Map(["north", (1, 2)], Record(cars=0)), change, engine)
    assert described == {"v[north].cars": 1, "v[(1, 2)].cars": 7, "done": True}


@dataclass
class Node:
    pc: str = "start"
    nr: int = 0


@pytest.mark.parametrize("engine", ENGINES)
def test_objects_of_a_dataclass_are_records_if_their_fields_can_be_assigned(engine: str) -> None:
    def change(s: Any) -> None:
        s.v.pc = "end"
        s.v.nr += 2
        assert s.v == Record(pc="end", nr=2)

    assert once(Node(), change, engine) == {"v.pc": "end", "v.nr": 2, "done": True}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_part_of_a_state_becomes_a_value(engine: str) -> None:
    m = Model("value", node=Record(a=1, b=Set([2])), sent=Set())

    @m.action
    def send(s: Any) -> None:
        s.sent.add(Record(s.node))
        s.node.a = choose(1, 2)

    m.reachable("both", lambda s: len(s.sent) == 2 and Record(a=2, b=Set([2])) in s.sent)
    assert check(m, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_parts_change_places_by_copies(engine: str) -> None:
    def change(s: Any) -> None:
        s.v["a"][0].nr = 7
        s.v["a"][0], s.v["a"][1] = Record(s.v["a"][1]), Record(s.v["a"][0])
        s.v["b"] = [Record(one) for one in s.v["a"]]
        s.v = Map(s.v)
        s.v = deepcopy(s.v)
        s.v["b"][1] = copy(s.v["a"][1])

    described = once(Map("ab", Array(Record(nr=0), shape=2)), change, engine)
    assert described == {"v[a][0].nr": 0, "v[a][1].nr": 7, "v[b][0].nr": 0, "v[b][1].nr": 7, "done": True}


@pytest.mark.parametrize("engine", ENGINES)
def test_what_parts_are_equal_to(engine: str) -> None:
    """Rows may be written as lists, as where they are assigned; objects of a dataclass are records."""
    m = Model("equal", grid=Array(0, shape=(2, 2)), node=Array(Node(), shape=2), lamp=Map("ab", 0), seen=Set([1, 2]))

    @m.action
    def nothing(s: Any) -> None:
        require(s.grid != [[0, 0], [0, 0]] or s.node[0] != Node() or s.lamp != {"a": 0, "b": 0})
        s.grid[0, 0] = 1

    m.invariant("rows", lambda s: s.grid[0] == [0, 0] == s.grid[1] and s.grid == [(0, 0), [0, 0]] != [[0, 0], [0, 1]])
    m.invariant("records", lambda s: s.node[0] == Node() == s.node[1] and s.node[0] != Node("end") and Node() in s.node)
    m.invariant(
        "sets", lambda s: s.seen - {1} == {2} and len({1, 2, 3} - s.seen) == 1 and isinstance(s.seen - s.seen, Set)
    )
    report = check(m, engine=engine)
    assert report
    assert report.statistics.edges == 0


def test_equal_values_have_one_hash() -> None:
    assert len({Record(a=1, b=2), Record(b=2, a=1), Record(Record(a=1), b=2)}) == 1
    assert len({Map({1: 2, 3: 4}), Map({3: 4, 1: 2})}) == 1
    assert len({Set([1, 2]), Set([2, 1]), frozenset([1, 2])}) == 1
    assert Set([1]) != Bag([1])
    assert repr(Set([1, 2]) - {2}) == "{1}"
    with pytest.raises(TypeError):
        Set([1]) + Set([2])


def test_a_record_that_is_a_value_says_what_it_has() -> None:
    record = Record(kind="a", nr=1)
    with pytest.raises(AttributeError, match="no field 'n', only kind, nr"):
        record.n  # noqa: B018
    with pytest.raises(AttributeError, match="a value, and replaced"):
        record.nr = 2


def test_one_field_is_all_that_a_step_touches() -> None:
    """What an action reads and writes is one field of one element: its table does not grow with the others."""
    m = Model("touch", node=Array(Record(a=0, b=0), shape=6))

    @m.action(i=range(6))
    def up(s: Any, i: int) -> None:
        require(s.node[i].a < 3)
        s.node[i].a += 1

    report = explore(m, engine="native")
    assert report.statistics.states == 4**6
    assert max(one.evaluations for one in report.actions) <= 8


# -- what is asked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_measures_and_properties_read_parts(engine: str) -> None:
    m = Model("measured", node=Array(Record(step=0, box=Queue()), shape=2))

    @m.action(i=range(2))
    def go(s: Any, i: int) -> None:
        require(s.node[i].step < 3)
        s.node[i].step += 1
        s.node[1 - i].box.put(i)

    m.progress(lambda s: sum(one.step for one in s.node))
    m.invariant("boxes", lambda s: all(len(one.box) <= 3 for one in s.node))
    report = check(m, engine=engine, strategy="sweep")
    assert report
    assert (report.statistics.states, report.statistics.layers) == (16, 7)


@pytest.mark.parametrize("engine", ENGINES)
def test_initial_states_of_structured_variables(engine: str) -> None:
    m = Model("starts", node=Record(a=0, b=Set()), x=0)
    m.initial(node=[Record(a=1, b=Set()), Record(a=2, b={1})], x=[0, 1])

    @m.action
    def nothing(s: Any) -> None:
        require(s.node.a == 3)
        s.x = 5

    assert explore(m, engine=engine).statistics.states == 4


@pytest.mark.parametrize("engine", ENGINES)
def test_initial_states_by_a_function(engine: str) -> None:
    m = Model("starts", grid=Array(0, shape=(2, 2)), x=0)

    @m.start
    def anywhere(s: Any) -> None:
        s.grid[choose(range(2)), choose(range(2))] = 1
        s.x = choose(0, 1)
        require(s.grid[0, 0] == 0 or s.x == 0)

    @m.action
    def nothing(s: Any) -> None:
        require(s.x == 3)
        s.x = 5

    assert explore(m, engine=engine).statistics.states == 7


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("start", "change", "code", "words"),
    [
        (Array(0, shape=(2, 2)), lambda s: s.v[2, 0], "SC207", "outside array 'v' of length 2"),
        (Array(0, shape=(2, 2)), lambda s: s.v["a"], "SC207", "'a' is no index of array 'v'"),
        (Array(0, shape=(2, 2)), lambda s: s.v[:, 0], "SC207", "no index of array 'v'"),
        (Array(0, shape=(2, 2)), lambda s: s.v.__delitem__(0), "SC204", "element 0 of array 'v' cannot be deleted"),
        (Array(0, shape=(2, 2)), lambda s: s.v[0, 0, 0], "SC214", "fewer dimensions"),
        (Array(0, shape=(2, 2)), lambda s: s.v.__setitem__(0, [1]), "SC111", "an array of 2 elements"),
        (Array(0, shape=(2, 2)), lambda s: s.v.add(1), "SC214", "no operation 'add'"),
        (Array(Queue(), shape=2), lambda s: s.v.__setitem__(0, 3), "SC111", "not a queue"),
        (Map("ab", 0), lambda s: s.v["c"], "SC207", "no key of map 'v'"),
        (Record(a=1), lambda s: s.v.c, "SC202", "no field 'c'"),
        (Record(a=1), lambda s: setattr(s, "v", Record(b=1)), "SC111", "a record with the fields a"),
        (Record(a=1), lambda s: setattr(s.v, "a", [1]), "SC203", "cannot be hashed"),
        (Set(), lambda s: s.v.add([1]), "SC203", "cannot be hashed"),
        (Set(), lambda s: s.v.add(1, 2), "SC201", "add"),
        (Set(), lambda s: setattr(s, "v", [1]), "SC111", "not a set"),
        (Bag(), lambda s: s.v.discard(1), "SC214", "no operation 'discard'"),
        (Record(a=1), lambda s: s.w, "SC202", "no variable 'w'"),
        (Record(a=1), lambda s: s.v["a"], "SC214", "has no element 'a'"),
        (Record(a=1), lambda s: list(s.v), "SC214", "has no element 0"),
        (Set([frozenset([1])]), lambda s: s.v.add(Set([1])), "SC215", "equal and not alike"),
        (Record(a=1), lambda s: delattr(s, "v"), "SC204", "variable 'v' cannot be deleted"),
        (Record(a=1), lambda s: delattr(s.v, "a"), "SC204", "field 'a' of record 'v' cannot be deleted"),
        (Array(Record(a=1), shape=2), lambda s: s.v.__setitem__(0, s.v[1]), "SC203", "is a part of the state"),
        (Array(Queue(), shape=2), lambda s: s.v.__setitem__(0, s.v[1]), "SC203", "is a part of the state"),
        (Map("ab", Set()), lambda s: s.v.__setitem__("a", s.v["b"]), "SC203", "is a part of the state"),
        (Map("ab", Array(0, shape=2)), lambda s: s.v.__setitem__("a", s.v["b"]), "SC203", "is a part of the state"),
    ],
)
def test_what_cannot_be_done(engine: str, start: Any, change: Any, code: str, words: str) -> None:
    def run(s: Any) -> None:
        change(s)

    error = refused(start, run, engine)
    assert error.code == code
    assert words in error.what
    assert str(error.where).endswith("action run")


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ({"v": Record(_a=1)}, "cannot be called '_a'"),
        ({"v": Record(**{"in": 1})}, "cannot be called 'in'"),
        ({"v": Set}, "the class Set itself"),
        ({"v": Map([], 0)}, "no elements"),
        ({"v": Array([Bag(), Queue()], shape=2)}, "not a bag"),
        ({"v": Record(a=[1])}, "cannot be hashed"),
    ],
)
def test_what_cannot_be_declared(declared: dict[str, Any], words: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        Model("bad", **declared)
    assert words in caught.value.what


def test_starts_that_are_none() -> None:
    m = Model("none", x=0)

    @m.start
    def never(s: Any) -> None:
        require(s.x == 1)

    with pytest.raises(SweepcheckError, match="no initial state"):
        m.initial_states()
    with pytest.raises(SweepcheckError, match="declared twice"):
        m.initial(x=[1])
    with pytest.raises(SweepcheckError, match="declared twice"):
        m.start(never)


@pytest.mark.parametrize("shape", [0.5, (), (2, -1), True, "2"])
def test_shapes_that_are_none(shape: Any) -> None:
    with pytest.raises(SweepcheckError, match="shape"):
        Array(0, shape=shape)
    with pytest.raises(SweepcheckError, match="2 elements"):
        Array([1, 2], shape=3)


ALGEBRA = {
    "s.e | {9}": {0, 1, 9},
    "{9} | s.e": {0, 1, 9},
    "s.e & {1, 9}": {1},
    "{1, 9} & s.e": {1},
    "s.e & s.f": {1},
    "s.e - {0}": {1},
    "{0, 9} - s.e": {9},
    "s.e ^ {1, 2}": {0, 2},
    "frozenset({9}) ^ s.e": {0, 1, 9},
    "s.e | s.f | s.r[0].w": {0, 1, 4},
    "s.e <= {0, 1, 2}": True,
    "s.e < s.f": False,
    "s.e >= {1}": True,
    "s.e >= {1, 5}": False,
    "{0} <= s.e": True,
    "s.f <= s.e": True,
    "s.e.isdisjoint({7, 8})": True,
    "s.e.isdisjoint(s.f)": False,
    "s.b - Bag([7])": Bag([7]),
    "Bag([7]) + s.b": Bag([7, 7, 7]),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("expression", ALGEBRA)
def test_what_is_computed_from_sets(expression: str, engine: str) -> None:
    """In an action, after changes of the same run, and in a predicate."""
    computed = eval(f"lambda s: {expression}", {"Bag": Bag})
    m = Model("m", e=Set([0]), f=Set([0, 1]), b=Bag([7, 7]), r=Array(Record(w=Set([4])), shape=1), found=None)

    @m.action
    def compute(s):
        require(s.found is None)
        s.e.add(1)
        s.f.discard(0)
        result = computed(s)
        s.found = frozenset(result) if isinstance(result, Set) else result

    wanted = ALGEBRA[expression]
    m.reachable("found", lambda s: s.found == wanted and computed(s) == wanted)
    assert check(m, engine=engine)["found"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("asked", "code", "advice"),
    [
        (lambda s: s.e == {}, "SC239", "{} is an empty dict"),
        (lambda s: s.e != [1], "SC239", "write {1}"),
        (lambda s: s.e & [1], "SC239", "write {1}"),
        (lambda s: s.e.union({1}), "SC209", "write s.x | other"),
        (lambda s: s.e + {1}, "SC209", "joined by |"),
    ],
)
def test_what_sets_do_not_know(engine: str, asked: Any, code: str, advice: str) -> None:
    m = Model("m", e=Set([1]))

    @m.action
    def more(s):
        s.e.add(2)

    with pytest.raises(SweepcheckError) as caught:
        check(m, [invariant("asked", lambda s: bool(asked(s)))], engine=engine)
    assert caught.value.code == code
    assert advice in str(caught.value.suggestion)


@pytest.mark.parametrize("word", ["union", "pop", "update", "issubset"])
def test_words_of_pythons_sets_are_translated(word: str) -> None:
    m = Model("m", e=Set([1]))

    @m.action
    def act(s):
        getattr(s.e, word)({1})

    with pytest.raises(SweepcheckError, match=r"SC214.*'e' has no operation") as caught:
        explore(m)
    assert "s.e" in str(caught.value.suggestion)
