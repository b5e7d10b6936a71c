"""A front-end that engines have never heard of: whoever is `Tabulated` is explored natively."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pytest

from sweepcheck import Status, invariant, progress
from sweepcheck.core.formula import Among
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.observer import Silence
from sweepcheck.core.plan import Outcome
from sweepcheck.core.prepared import Prepared
from sweepcheck.core.tabulated import ActionFunction, Synchronisation, TableMeasure, Tables, Variable, is_tabulated
from sweepcheck.core.view import view_class
from sweepcheck.engines import native, reference
from sweepcheck.errors import SweepcheckError
from sweepcheck.planner import Request, plan

COLOURS = ("red", "green", "amber")


@dataclass(frozen=True)
class Step:
    name: str
    function: Callable[..., object] | None = None

    @property
    def label(self) -> Label:
        return Label(self.name)

    def __str__(self) -> str:
        return self.name


def wait(s: Any) -> None:
    if s.cars < 4:
        s.cars = s.cars + 1


class Crossing(Prepared):
    """A light whose colours are known in advance, and cars that a function counts."""

    name = "crossing"
    parameters = MappingProxyType[str, object]({})
    variables = ("light", "cars")
    measure: Measure | None = None
    properties = ()
    fair = ()
    actions = (Step("turn"), Step("wait", wait))

    def initial_states(self) -> Sequence[State]:
        return (("red", 0),)

    def edges(self, state: State) -> Sequence[Edge]:
        light, cars = state  # type: ignore[misc]
        turned = (COLOURS[(COLOURS.index(light) + 1) % 3], cars)  # type: ignore[has-type]
        waiting = [Edge(Label("wait"), (light, cars + 1))] if cars < 4 else []  # type: ignore[has-type]
        return (Edge(Label("turn"), turned), *waiting)

    def view(self, state: State) -> Any:
        return view_class(self.variables)(state)  # type: ignore[arg-type]

    def describe(self, state: State) -> dict[str, object]:
        return dict(zip(self.variables, state, strict=True))  # type: ignore[call-overload]

    def locate(self, label: Label) -> str | None:
        return None

    def tabulate(self) -> Tables:
        turns = Synchronisation([(0, [(number, (number + 1) % 3) for number in range(3)])])
        return Tables((Variable("light", values=COLOURS), Variable("cars")), (turns, ActionFunction(wait, {}, blame)))

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return function


def blame(error: BaseException, variables: Sequence[str]) -> SweepcheckError:
    raise AssertionError from error


class Colour(TableMeasure):
    variable = "light"
    table = MappingProxyType({colour: number for number, colour in enumerate(COLOURS)})
    above = None


def outcomes(request: Request) -> list[Outcome]:
    system = Crossing()
    decided = plan(system, request)
    assert decided.engine == "native", decided.engine_reason
    return [engine.run(decided, Silence()) for engine in (native, reference)]


def test_it_is_tabulated() -> None:
    assert is_tabulated(Crossing())


@pytest.mark.parametrize(
    "request_",
    [
        Request(()),
        Request((), measure=lambda s: s.cars, strategy="sweep"),
        Request((), measure=progress(Colour()), strategy="generalised"),
    ],
)
def test_both_engines_agree(request_: Request) -> None:
    natively, referred = (outcome.statistics for outcome in outcomes(request_))
    for name in ("states", "edges", "explored", "peak", "layers", "sweeps", "regress_edges", "persistent"):
        assert getattr(natively, name) == getattr(referred, name), name
    assert natively.edges >= 27


def test_formulas_on_known_values_need_no_python() -> None:
    for values, status in ((frozenset(COLOURS), None), (frozenset({"red", "green"}), Status.VIOLATED)):
        found = [one.decisions[0] for one in outcomes(Request((invariant("fine", Among("light", values)),)))]
        assert [one.status for one in found] == [status, status]
        assert found[0].trace == found[1].trace


def test_formulas_on_other_values_are_called() -> None:
    found = outcomes(Request((invariant("few", Among("cars", frozenset(range(4)))),)))
    assert [one.decisions[0].status for one in found] == [Status.VIOLATED] * 2
