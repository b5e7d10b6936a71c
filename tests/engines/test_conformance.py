"""The conformance kit on random models: every engine, strategy, order and collection policy."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck.core.plan import CollectionPolicy
from sweepcheck.core.property import Kind
from sweepcheck.engines import native, reference
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.conformance import Run, check_engine
from sweepcheck.testing.random_graphs import ORDERS, Case, graph_cases
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.truth import TooLarge, survey


@dataclass(frozen=True)
class Engine:
    """An engine, the questions it answers, and whether it takes models that are not written as actions."""

    run: Run
    kinds: frozenset[Kind] = frozenset(Kind)
    any_model: bool = True


ENGINES = {
    "reference": Engine(reference.run),
    "native": Engine(native.run, frozenset(native.KINDS), any_model=False),
}
CONSTRAINED = partial(sources, constrained=True)
DRAWN: dict[str, Callable[..., st.SearchStrategy[Case | Source]]] = {"graphs": graph_cases, "models": CONSTRAINED}
PAIRS = [(kind, name) for kind in DRAWN for name, engine in ENGINES.items() if engine.any_model or kind == "models"]
# One kind of model for each engine is enough for strategies that process states more than once.
AGAIN = [("graphs", "reference"), ("models", "native")]

# An adaptive interval that starts low enough to matter on small models.
POLICIES = {"layer": "layer", "every-1": 1, "every-3": 3, "auto": CollectionPolicy("auto", interval=2)}

MANY = settings.default
FEW = settings(max_examples=MANY.max_examples // 4)


def conforms(name: str, drawn: Case | Source, most: int = 150, **options: Any) -> None:
    case = drawn.case() if isinstance(drawn, Source) else drawn
    engine = ENGINES[name]
    try:
        truth = survey(adopt(case.model), most=most)
    except TooLarge:
        assume(False)
    check_engine(engine.run, **case.kit, truth=truth, engine=name, kinds=engine.kinds, **options)


@pytest.mark.parametrize(("kind", "engine"), PAIRS)
def test_full(kind: str, engine: str) -> None:
    @given(DRAWN[kind]())
    def examples(drawn: Case | Source) -> None:
        conforms(engine, drawn, strategy="full")

    examples()


@pytest.mark.parametrize("gc", POLICIES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("kind", "engine"), PAIRS)
def test_sweep(kind: str, order: str, gc: str, engine: str) -> None:
    """Few examples where only the policy differs, or how a model for the reference engine is written."""

    @(MANY if gc == "layer" and (kind, engine) in AGAIN else FEW)
    @given(DRAWN[kind](order))
    def examples(drawn: Case | Source) -> None:
        conforms(engine, drawn, strategy="sweep", gc=POLICIES[gc])

    examples()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("kind", "engine"), PAIRS)
def test_sweep_with_any_measure(kind: str, order: str, engine: str) -> None:
    """Progress goes down on some edges of some of these: exactly then the measure is rejected."""

    @(MANY if (kind, engine) in AGAIN else FEW)
    @given(DRAWN[kind](order, monotone=False))
    def examples(drawn: Case | Source) -> None:
        conforms(engine, drawn, strategy="sweep")

    examples()


@pytest.mark.parametrize(
    ("order", "gc"), [*((order, "layer") for order in (*ORDERS, "columns")), ("partial", "every-3")]
)
@pytest.mark.parametrize(("kind", "engine"), AGAIN)
def test_generalised(kind: str, order: str, gc: str, engine: str) -> None:
    """Any measure will do."""

    @given(st.booleans().flatmap(lambda monotone: DRAWN[kind](order, monotone=monotone)))
    def examples(drawn: Case | Source) -> None:
        conforms(engine, drawn, strategy="generalised", gc=POLICIES[gc])

    examples()


@pytest.mark.parametrize(("claims", "gc"), [("kept", "layer"), ("kept", "every-3"), ("broken", "layer")])
@pytest.mark.parametrize(("kind", "engine"), AGAIN)
def test_column(kind: str, claims: str, gc: str, engine: str) -> None:
    @given(DRAWN[kind]("columns", monotone=claims == "kept"))
    def examples(drawn: Case | Source) -> None:
        conforms(engine, drawn, strategy="column", gc=POLICIES[gc])

    examples()


# The states that a model may have: with hardly any cache every path without repetition is gone along.
MOST = {0: 7, 1: 7, 5: 10, None: 150}


@pytest.mark.parametrize("cache_size", MOST)
@pytest.mark.parametrize(("kind", "engine"), AGAIN)
def test_caching(kind: str, cache_size: int | None, engine: str) -> None:
    """Complete at any size of the cache, though a state may be explored many times."""

    @given(DRAWN[kind]())
    def examples(drawn: Case | Source) -> None:
        conforms(engine, drawn, MOST[cache_size], strategy="caching", cache_size=cache_size)

    examples()
