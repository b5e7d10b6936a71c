"""What ADR 15 of Apalache says of a trace, rule by rule, and what its readers take for granted beside it."""

import re

MARKS = {"#bigint", "#tup", "#set", "#map", "#unserializable"}


def keeps_to_itf(trace: dict) -> None:
    """Fails at the first rule that a trace breaks."""
    assert set(trace) <= {"#meta", "params", "vars", "states", "loop"}
    assert isinstance(trace.get("#meta", {}), dict)
    names = trace.get("params", []) + trace["vars"]
    assert all(isinstance(name, str) and not name.startswith("#") for name in names)
    assert len(set(names)) == len(names)
    assert trace["states"]
    for number, state in enumerate(trace["states"]):
        assert isinstance(state.get("#meta", {}), dict)
        assert set(state) - {"#meta"} >= set(trace["vars"]), f"state {number} lacks variables"
        assert set(state) - {"#meta"} <= set(names), f"state {number} has variables of its own"
        for name, value in state.items():
            if name != "#meta":
                is_expression(value, name)
    loop = trace.get("loop", 0)
    assert type(loop) is int
    assert 0 <= loop < len(trace["states"])


def is_expression(value: object, where: str) -> None:
    """Fails if a value, or a part of it, is no expression."""
    if isinstance(value, str):
        value.encode()  # there is text that no other language has
    elif isinstance(value, list):
        for one in value:
            is_expression(one, where)
    elif isinstance(value, dict):
        if MARKS & set(value):
            _is_marked(value, where)
        else:
            assert not any(name.startswith("#") for name in value), where
            for name, one in value.items():
                is_expression(one, f"{where}.{name}")
    else:
        assert type(value) is bool or (type(value) is int and abs(value) < 2**53), (where, value)


def _is_marked(value: dict, where: str) -> None:
    ((mark, inside),) = value.items()
    if mark == "#bigint":
        assert re.fullmatch("-?[0-9]+", inside), where
    elif mark == "#unserializable":
        assert isinstance(inside, str), where
    else:
        is_expression(inside, where)
        assert isinstance(inside, list), where
        if mark == "#map":
            assert all(isinstance(pair, list) and len(pair) == 2 for pair in inside), where
            keys = [repr(key) for key, _ in inside]
            assert len(set(keys)) == len(keys), where
