"""Traces in the Informal Trace Format: read back by its rules, they have the values of the model."""

import json
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from itf_rules import keeps_to_itf

from sweepcheck import Array, Bag, Map, Model, Queue, Record, Set, always_eventually, at, check, require
from sweepcheck.report.itf import NONE, Writer, saved_to_itf
from sweepcheck.report.saved import saved_trace
from sweepcheck.report.typed import typed


@dataclass(frozen=True)
class Ask:
    term: int


class Vote(NamedTuple):
    term: int


def read(value):
    """A value of ITF as a plain one of Python: what a reader of the format makes of it."""
    if isinstance(value, list):
        return [read(one) for one in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"#bigint": digits}:
            return int(digits)
        case {"#tup": parts}:
            return tuple(map(read, parts))
        case {"#set": parts}:
            return frozenset(map(read, parts))
        case {"#map": pairs}:
            keys = [read(key) for key, _ in pairs]
            assert len(set(map(repr, keys))) == len(keys)
            return {repr(key): read(one) for key, (_, one) in zip(keys, pairs, strict=True)}
    return {name: read(one) for name, one in value.items()}


def saved(report):
    data = json.loads(json.dumps(saved_to_itf(saved_trace(report, report.verdicts[0], "model.py"))))
    keeps_to_itf(data)
    return data


def model(*, lasso=False):
    m = Model("m", n=0, net=Bag(), box=Queue(), seen=Set(), who=Array([None, None]), pair=(1, "a"), rec=Map({"k": 0}))

    @m.action(i=range(2))
    def go(s, i):
        require(s.n < 2)
        s.n += 1
        s.net.add(Ask(s.n))
        s.net.add(Vote(s.n))
        s.box.put("x")
        s.seen.add(i)
        s.who[i] = "me"
        s.rec["k"] += 1

    @m.action
    def turn(s):
        require(lasso and s.n == 2)
        s.pair = (2, "a") if s.pair[0] == 1 else (1, "a")

    return m


def test_values_and_actions():
    m = model()
    m.invariant("low", lambda s: s.n < 2)
    data = saved(check(m))
    first, _, last = data["states"]
    assert (first["mbt::actionTaken"], last["mbt::actionTaken"]) == ("init", "go")
    assert read(last["mbt::nondetPicks"]) == {"i": 0}
    assert first["mbt::nondetPicks"] == {}
    assert read(last["n"]) == 2
    assert read(last["net"]) == {
        repr({"tag": kind, "value": {"term": term}}): 1 for term in (1, 2) for kind in ("Ask", "Vote")
    }
    assert (read(last["box"]), read(last["seen"]), read(last["pair"])) == (["x", "x"], {0}, (1, "a"))
    assert last["who"] == ["me", NONE]
    assert read(last["rec[k]"]) == 2
    assert "loop" not in data
    assert data["#meta"]["format"] == "ITF"


def test_a_lasso_leads_to_the_state_after_the_one_that_is_repeated():
    report = check(model(lasso=True), [always_eventually("never", lambda s: s.n > 5)])
    trace, data = report.verdicts[0].trace, saved(report)
    plain = [{name: read(value) for name, value in state.items() if name != "#meta"} for state in data["states"]]
    assert data["loop"] == trace.loop + 1
    states = [{name: one for name, one in state.items() if not name.startswith("mbt")} for state in plain]
    assert states[-1] == states[data["loop"] - 1]
    dead = saved(check(model(), [always_eventually("never", lambda s: s.n > 5)]))
    assert dead["loop"] == len(dead["states"]) - 1


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, True),
        (2**80, {"#bigint": str(2**80)}),
        (-3, {"#bigint": "-3"}),
        (0.5, {"#unserializable": "0.5"}),
        (b"x", {"#unserializable": "b'x'"}),
        (Record(x=1), {"x": {"#bigint": "1"}}),
        (at(4, "t"), {"token": "t", "time": {"#bigint": "4"}}),
        ((), {"#tup": []}),
        ("\ud800", {"#unserializable": "'\\ud800'"}),
        (Record(tag="a", value=1), {"tag": "Record", "value": {"tag": "a", "value": {"#bigint": "1"}}}),
    ],
)
def test_single_values(value, written):
    assert Writer().value(typed(value)) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("x", "x"),
        (3, {"value": {"#bigint": "3"}}),
        (None, {"value": NONE}),
        ([1], {"value": [{"#bigint": "1"}]}),
        ({"record": {"a": "b"}, "type": "K"}, {"a": "b"}),
    ],
)
def test_what_a_tagged_value_has_is_a_record_or_text(value, written):
    assert Writer().value({"tag": "data", "value": value}) == {"tag": "data", "value": written}
