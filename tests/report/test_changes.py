"""What a step changed: what came and went in bags, queues and sets, fields of records, elements of arrays."""

from collections import namedtuple
from dataclasses import dataclass

import pytest

from sweepcheck import Array, Bag, Map, Queue, Record, Set
from sweepcheck.report.changes import changes, moved, numbers_text
from sweepcheck.report.changes import told as all_told
from sweepcheck.report.typed import typed, typed_text


@dataclass(frozen=True)
class Vote:
    term: int


@dataclass(frozen=True)
class Ack:
    term: int


Job = namedtuple("Job", "name owner")  # noqa: PYI024 - people use both


def told(old, new):
    return [str(one) for one in changes({"v": typed(old)}, {"v": typed(new)})]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (Bag([Vote(1), Vote(2)]), Bag([Ack(2), Vote(2)]), "v: - Vote(term=1) + Ack(term=2)"),
        (Bag([7, 7, 8]), Bag([8, 9, 9]), "v: - 2*7 + 2*9"),
        (Bag([1, 2]), Bag([2]), "v: - 1*1"),
        (Bag(["a"]), Bag(["b"]), "v: 1*'a' -> 1*'b'"),
        (Bag(), Bag(["x" * 50]), "v: + '" + "x" * 50 + "'"),
        (Queue("ab"), Queue("bc"), "v: - 'a' + 'c'"),
        (Queue("abc"), Queue("bc"), "v: - 'a'"),
        (Queue("abc"), Queue("ac"), "v: - 'b'"),
        (Queue("aa"), Queue("aaa"), "v: + 'a'"),
        (Queue("ab"), Queue("cab"), "v: <'a', 'b'> -> <'c', 'a', 'b'>"),
        (Queue("abc"), Queue(), "v: - 'a' - 'b' - 'c'"),
        (frozenset("ab"), frozenset("bc"), "v: - 'a' + 'c'"),
        (Set("ab"), Set("abd"), "v: + 'd'"),
        (Set([1, 2]), Set([2, 3]), "v: - 1 + 3"),
        (Job("print", 1), Job("print", 2), "v.owner: 1 -> 2"),
        (Record(pc="a", nr=0), Record(pc="b", nr=0), "v.pc: 'a' -> 'b'"),
        (Vote(1), Ack(1), "v: Vote(term=1) -> Ack(term=1)"),
        (Map({"k": 1, "l": 2}), Map({"k": 1, "l": 3}), "v[l]: 2 -> 3"),
        (Map({"k": 1}), Map({"l": 1}), "v: Map(k: 1) -> Map(l: 1)"),
        (Array([Bag("ab"), 1]), Array([Bag("abc"), 1]), "v[0]: + 'c'"),
        ((1, 2), (2, 3), "v: (1, 2) -> (2, 3)"),
        (tuple(range(30)), (*range(7), 0, *range(8, 30)), "v[7]: 7 -> 0"),
        (tuple(range(30)), tuple(range(1, 31)), "v: - 0 + 30"),
        (1, True, "v: 1 -> True"),
        (1, 1.0, "v: 1 -> 1.0"),
    ],
)
def test_in_few_words(old, new, words):
    assert told(old, new) == [words]


def test_what_did_not_change_is_not_told():
    for value in (Bag("ab"), Queue([1]), Record(x=Set([1])), (1, 2), None):
        assert told(value, value) == []


def test_what_goes_and_comes_makes_the_new_of_the_old():
    for old, new in ((Bag("aab"), Bag("bcc")), (Queue("abcd"), Queue("bdd")), (Set("abc"), Set("cd"))):
        (change,) = changes({"v": typed(old)}, {"v": typed(new)})
        gone, came = moved(change)
        left = Bag(old) - Bag([token for token, count in gone for _ in range(count)])
        assert left + Bag([token for token, count in came for _ in range(count)]) == Bag(new)


def test_as_data():
    (net,) = changes({"v": typed(Bag([1, 2]))}, {"v": typed(Bag([2, 3]))})
    assert net.to_json() == {"name": "v", "gone": [[1, 1]], "came": [[3, 1]]}
    lost, new = changes({"a": 1}, {"b": 2})
    assert (lost.to_json(), new.to_json()) == ({"name": "a", "old": 1}, {"name": "b", "new": 2})


def test_very_long_queues_are_not_compared_for_ever():
    assert told(Queue(range(3000)), Queue(range(1, 3001)))[0].startswith("v: <0, 1, 2")
    assert typed_text(typed(Queue([1]))) == "<1>"


def test_many_elements_that_change_alike_are_told_together():
    before = {"cells": Array([0] * 12), "n": 0, "row": Array([1, 1, 1])}
    after = {"cells": Array([1, 1, 1, 0, 5, 0, 0, 1, 0, 1, 0, 0]), "n": 1, "row": Array([2, 2, 2])}
    found = changes(*({name: typed(value) for name, value in state.items()} for state in (before, after)))
    few = ["row[0]: 1 -> 2", "row[1]: 1 -> 2", "row[2]: 1 -> 2"]
    assert all_told(found) == ["cells[0..2, 7, 9]: 0 -> 1", "cells[4]: 0 -> 5", "n: 0 -> 1", *few]


def described(**state):
    return {name: typed(value) for name, value in state.items()}


def test_many_elements_that_change_each_in_its_own_way_are_told_together():
    few, many = Array([0] * 7), Array([0] * 20)
    found = changes(described(few=few, many=many), described(few=Array(range(1, 8)), many=Array(range(0, 40, 2))))
    assert all_told(found) == [
        *(f"few[{at}]: 0 -> {at + 1}" for at in range(7)),
        f"many[1..19]: [0 x 19] -> [{', '.join(str(2 * at) for at in range(1, 20))}]",
    ]
    rows = changes(described(m=Array(0, shape=(9, 5))), described(m=Array(1, shape=(9, 5))))
    assert all_told(rows) == ["m[0..8][0..4]: 0 -> 1"]


def test_numbers_at_even_distances():
    assert numbers_text([0, 1, 3, 5, 7, 9]) == "0, 1, 3 .. 9"
    assert numbers_text([0, 1, 2, 10, 20, 30, 40, 7]) == "0..2, 10, 20 .. 40, 7"
    assert numbers_text([4, 9, 14]) == "4, 9, 14"


def test_a_long_value_that_moves_is_written_once():
    job = ("compile", "with all the warnings", 3)
    before = described(todo=Queue([job, 1, 2]), running=Array([None, None]))
    after = described(todo=Queue([1, 2]), running=Array([job, None]))
    found = changes(before, after)
    assert all_told(found, once=True) == [f"todo: - {job}", "running[0]: None -> the same"]
    assert all_told(found) == [f"todo: - {job}", f"running[0]: None -> {job}"]
    assert all_told(found, said={str(job): "job"}, once=True) == ["todo: - job", "running[0]: None -> job"]
    other = ("test", "with all the examples there are", 4)  # of two of them nobody could tell which
    both = changes(
        described(todo=Queue([job, other, 1]), running=Array([None, None])),
        described(todo=Queue([1]), running=Array([job, other])),
    )
    assert not any("the same" in text for text in all_told(both, once=True))


def test_a_tuple_of_which_nothing_is_left_is_told_whole():
    old, new = tuple(range(12)), tuple(range(20, 32))
    (found,) = changes({"t": typed(old)}, {"t": typed(new)})
    assert found.text() == f"t: {old} -> {new}"
