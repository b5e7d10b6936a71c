"""Expressions as text over variables and parameters."""

from types import MappingProxyType
from typing import Any

import pytest

from sweepcheck import Array, Bag, Model, Queue, SweepcheckError, explore
from sweepcheck.models.plain import PlainModel
from sweepcheck.properties.expression import expression

MODEL = Model("m", x=3, y=4, bag=Bag([1, 1, 5]), queue=Queue([7]), array=Array([1, 2]), limit=2)
MODEL.parameters = MappingProxyType({"packets": 10, "y": "hidden by the variable"})


def value(text: str) -> Any:
    return expression(MODEL, text)(MODEL.view(MODEL.initial_states()[0]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x + y", 7),
        ("  x < packets ", True),
        ("s.x", 3),
        ("state.x", 3),
        ("len(bag)", 3),
        ("bag.count(1)", 2),
        ("1 in bag and queue.peek() == 7", True),
        ("array[-1]", 2),
        ("(x, y)", (3, 4)),
        ("[n for n in range(x)]", [0, 1, 2]),
        ("sum(n * x for n in bag)", 21),
        ("all(n > 0 for n in bag)", True),
        ("[s for s in bag if s > limit]", [5]),
        ("[state + x for state in array]", [4, 5]),
        ("list(map(lambda s: s + x, array))", [4, 5]),
        ("[x for x in range(2)]", [0, 1]),
        ("(lambda y: y + x)(1)", 4),
        ("(n := x) + n", 6),
        ("max(x, y) if x else 0", 4),
        ("f'{x}'", "3"),
    ],
)
def test_values(text: str, expected: Any) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text", ["", "x +", "x = 3", "unknown", "x + unknown", "lambda s: s.x", "import os", "x; y", "(" * 500]
)
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        expression(MODEL, text)
    assert caught.value.code == "SC402"


def test_a_variable_called_s() -> None:
    model = Model("m", s=3, state=4)
    view = model.view(model.initial_states()[0])
    assert expression(model, "s + state")(view) == 7


def test_states_without_fields() -> None:
    class Counter:
        def initial(self) -> int:
            return 5

        def successors(self, state: int) -> list[tuple[str, int]]:
            return [("down", state - 1)] if state else []

    model = PlainModel(Counter())
    assert expression(model, "state * 2")(5) == 10
    assert explore(model, measure="-state").strategy == "generalised"
