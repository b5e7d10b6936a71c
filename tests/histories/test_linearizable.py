"""Linearizability: against a search through all orders, on histories of every ready model; files of histories."""

import json
import random
from collections.abc import Hashable
from itertools import permutations
from typing import Any

import pytest

from sweepcheck import Status, SweepcheckError
from sweepcheck.cli.main import main
from sweepcheck.histories import (
    ANY,
    MODELS,
    History,
    Operation,
    Sequential,
    bank,
    cas_register,
    key_value,
    linearizable,
    queue,
    read_history,
    register,
)
from sweepcheck.histories.history import history_of
from sweepcheck.histories.sequential import answers

ACCOUNTS = {"a": 2, "b": 1}
CALLS: dict[str, list[tuple[str, Any]]] = {
    "register": [("read", None), ("write", 1), ("write", 2)],
    "cas-register": [("read", None), ("write", 1), ("cas", (1, 2)), ("cas", (2, 1)), ("write", 2)],
    "key-value": [("get", None), ("put", "x"), ("append", "y"), ("append", "z")],
    "queue": [("enqueue", 1), ("enqueue", 2), ("dequeue", None)],
    "set": [("add", 1), ("add", 2), ("remove", 1), ("read", None)],
    "lock": [("acquire", "p"), ("acquire", "q"), ("release", "p"), ("release", "q")],
    "append-list": [("append", 1), ("append", 2), ("read", None)],
    "bank": [("transfer", ("a", "b", 1)), ("transfer", ("b", "a", 2)), ("read", None)],
}
MAKERS = {**MODELS, "bank": lambda: bank(ACCOUNTS)}


def explained(operations: list[Operation], model: Sequential) -> bool:
    """Whether some order of some of the operations explains all answers, tried one by one."""
    certain = [one for one in operations if one.returned is not None]
    lost = [one for one in operations if one.returned is None]
    for mask in range(1 << len(lost)):
        chosen = certain + [one for at, one in enumerate(lost) if mask >> at & 1]
        for order in permutations(chosen):
            if any(
                later.returned is not None and later.returned < one.called
                for at, one in enumerate(order)
                for later in order[at + 1 :]
            ):
                continue
            state: Hashable = model.initial
            for one in order:
                result, state = model.step(state, one.name, one.argument)
                if not answers(one.result, result):
                    break
            else:
                return True
    return False


def drawn(chance: random.Random, name: str) -> list[Operation]:
    """A history of a real object that three clients use at once; now and then an answer is wrong, or never comes."""
    model, state = MAKERS[name](), MAKERS[name]().initial
    found: list[Operation] = []
    waiting: dict[int, list[Any]] = {}
    time = 0
    while time < 14 or waiting:
        client = chance.randrange(3)
        time += 1
        if client not in waiting:
            if time < 14 and len(found) + len(waiting) < 6:
                waiting[client] = [*chance.choice(CALLS[name]), time, None]
            continue
        asked = waiting[client]
        if asked[3] is None:
            result, state = model.step(state, asked[0], asked[1])
            asked[3] = (result,)
            continue
        answer = asked[3][0]
        if chance.random() < 0.15:
            answer = chance.choice([True, False, None, 1, 2, "x", "xy", (1,), (1, 2)])
        lost = chance.random() < 0.2
        found.append(
            Operation(client, asked[0], asked[1], ANY if lost else answer, None, asked[2], None if lost else time)
        )
        del waiting[client]
    return sorted(found, key=lambda one: one.called)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_as_by_a_search_through_all_orders(name):
    chance, model, verdicts = random.Random(name), MAKERS[name](), set()
    for _ in range(120):
        operations = drawn(chance, name)
        found = linearizable(History(operations), model)
        assert bool(found) == explained(operations, model), operations
        verdicts.add(found.status)
        if found:
            _check(found.order, model)
        else:
            assert found.refused in operations
    assert verdicts == {Status.HOLDS, Status.VIOLATED}


def _check(order: tuple[Operation, ...], model: Sequential) -> None:
    """An order that was found explains every answer, and keeps to time."""
    state: Hashable = model.initial
    latest = -1
    for one in order:
        assert one.returned is None or one.returned > latest
        latest = max(latest, one.called)
        result, state = model.step(state, one.name, one.argument)
        assert answers(one.result, result)


def test_nothing_but_the_model_is_needed():
    """A counter in five lines, without saying what reads."""

    def step(value, name, argument):
        return (value, value) if name == "read" else (value + argument, value + argument)

    counter = Sequential("counter", 0, step)
    events = [
        {"process": 0, "type": "invoke", "f": "add", "value": 1},
        {"process": 1, "type": "invoke", "f": "read"},
        {"process": 1, "type": "ok", "f": "read", "value": 1},
    ]
    assert linearizable(history_of(events), counter)
    events[2]["value"] = 2
    found = linearizable(history_of(events), counter)
    assert found.status is Status.VIOLATED
    assert found.refused.name == "read"
    assert set(found.states) == {0, 1}


def test_operations_that_never_return_do_not_explode():
    """Thirty writes of three values that nobody heard of, and reads of what they may have left."""
    events: list[dict[str, Any]] = [{"process": n, "type": "invoke", "f": "write", "value": n % 3} for n in range(30)]
    for number in range(60):
        events.append({"process": "reader", "type": "invoke", "f": "read"})
        events.append({"process": "reader", "type": "ok", "f": "read", "value": number % 3})
    found = linearizable(history_of(events[:30] + events[30:80]), register())
    assert found
    assert found.configurations < 2_000
    assert not linearizable(history_of(events), register())  # 60 changes need 60 writes


def test_a_limit_is_inconclusive():
    events = [{"process": n, "type": "invoke", "f": "enqueue", "value": n} for n in range(8)]
    events += [{"process": n, "type": "ok", "f": "enqueue", "value": n} for n in range(8)]
    events += [
        {"process": 9, "type": "invoke", "f": "dequeue"},
        {"process": 9, "type": "ok", "f": "dequeue", "value": 9},
    ]
    found = linearizable(history_of(events), queue(), most=50)
    assert found.status is Status.INCONCLUSIVE
    assert not found
    assert not linearizable(history_of(events), queue())


def test_keys_are_looked_at_by_themselves():
    events = [{"process": n, "type": "invoke", "f": "put", "value": "v", "key": f"k{n}"} for n in range(40)]
    events += [{"process": n, "type": "ok", "f": "put", "value": "v", "key": f"k{n}"} for n in range(40)]
    found = linearizable(history_of(events), key_value())
    assert found
    assert (found.parts, len(found.order)) == (40, 40)


EDN = """
; a comment
[{:process 0, :type :invoke, :f :write, :value 3}
 {:process 1, :type :invoke, :f :read, :value nil}
 #jepsen.history.Op{:index 2, :process 0, :type :ok, :f :write, :value 3, :extra #{1 2}}
 {:process :nemesis, :type :info, :f :kill, :value "n\\"1"}
 {:process 1, :type :ok, :f :read, :value 3}]
"""
LOG = """INFO  jepsen.util - 0\t:invoke\t:cas\t[3 4]
INFO  jepsen.util - 0\t:fail\t:cas\t[3 4]
INFO  jepsen.util - 1\t:invoke\t:write\t3
INFO  jepsen.util - 1\t:info\t:write\t:timed-out
INFO  jepsen.util - 0\t:invoke\t:cas\t[3 4]
INFO  jepsen.util - 0\t:ok\t:cas\t[3 4]
"""


def test_edn_and_jepsen_logs(tmp_path):
    edn = tmp_path / "history.edn"
    edn.write_text(EDN)
    history = read_history(edn)
    assert [(one.name, one.argument, one.result) for one in history.operations] == [
        ("write", 3, True),
        ("read", None, 3),
    ]
    assert [one.line for one in history.operations] == [3, 4]
    assert linearizable(history, register())
    log = tmp_path / "etcd.log"
    log.write_text(LOG)
    assert len(read_history(log)) == 2
    history = read_history(log, answers=["cas"])
    assert [one.result for one in history.operations] == [False, ANY, True]
    assert linearizable(history, cas_register())


@pytest.mark.parametrize(
    "text",
    [
        "[{:process 0, :type :invoke, :f :read",
        "{:process 0}",
        "{:process 0, :type :ok, :f :read, :value 1}",
        "{:process 0 :type}",
        "}",
        '{:process 0, :type :invoke, :f "read}',
        "[1 2]",
    ],
)
def test_histories_that_cannot_be_read(tmp_path, text):
    path = tmp_path / "history.edn"
    path.write_text(text)
    with pytest.raises(SweepcheckError) as raised:
        read_history(path)
    assert raised.value.code == "SC707"
    assert raised.value.where is not None


def test_a_model_that_fails():
    events = [
        {"process": 0, "type": "invoke", "f": "unknown"},
        {"process": 0, "type": "ok", "f": "unknown", "value": 1},
    ]
    with pytest.raises(SweepcheckError) as raised:
        linearizable(history_of(events), register())
    assert raised.value.code == "SC708"


def test_command(tmp_path, capsys):
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    events = [
        {"process": 0, "type": "invoke", "f": "write", "value": 1},
        {"process": 0, "type": "ok", "f": "write", "value": 1},
        {"process": 1, "type": "invoke", "f": "read"},
        {"process": 1, "type": "ok", "f": "read", "value": 1},
    ]
    good.write_text("\n".join(map(json.dumps, events)))
    events[3]["value"] = 2
    bad.write_text("\n".join(map(json.dumps, events)))
    assert main(["linearizable", "register", str(good)]) == 0
    assert main(["linearizable", "register", str(good), str(bad)]) == 1
    out = capsys.readouterr().out
    assert "not linearizable" in out
    assert "read() -> 2" in out
    assert main(["linearizable", "register", str(good), str(bad), "--format", "json"]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["status"], first["guarantee"]) == ("linearizable", "exact")
    assert (second["status"], second["refused"]["line"], second["states"]) == ("not_linearizable", 3, ["1"])
    assert main(["linearizable", "register", str(good), "--max-states", "1"]) == 3
    assert main(["linearizable", "no-such", str(good)]) == 2
