"""The conformance kit on random models: every engine, strategy, order and collection policy."""

from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sweepcheck.core.plan import Collection
from sweepcheck.engines import reference
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.conformance import Run, check_engine
from sweepcheck.testing.random_graphs import ORDERS, Case, graph_cases
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.truth import TooLarge, survey

ENGINES: dict[str, Run] = {"reference": reference.run}

# An adaptive interval that starts low enough to matter on small models.
EAGER = Collection("auto", interval=2)
POLICIES = ["layer", 1, 3, EAGER]
DRAWN: dict[str, Callable[..., st.SearchStrategy[Case | Source]]] = {"graphs": graph_cases, "models": sources}


def conforms(engine: str, drawn: Case | Source, **options: object) -> None:
    case = drawn.case() if isinstance(drawn, Source) else drawn
    try:
        truth = survey(adopt(case.model), most=150)
    except TooLarge:
        assume(False)
    check_engine(ENGINES[engine], **case.kit, truth=truth, engine=engine, **options)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", DRAWN)
def test_full(kind: str, engine: str) -> None:
    @given(DRAWN[kind]())
    def examples(drawn: Case | Source) -> None:
        conforms(engine, drawn, strategy="full")

    examples()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("gc", POLICIES, ids=["layer", "every-1", "every-3", "auto"])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", DRAWN)
def test_sweep(kind: str, order: str, gc: str | int | Collection, engine: str) -> None:
    @given(DRAWN[kind](order))
    def examples(drawn: Case | Source) -> None:
        conforms(engine, drawn, strategy="sweep", gc=gc)

    examples()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", DRAWN)
def test_sweep_with_any_measure(kind: str, order: str, engine: str) -> None:
    """Progress goes down on some edges of some of these: exactly then the measure is rejected."""

    @given(DRAWN[kind](order, monotone=False))
    def examples(drawn: Case | Source) -> None:
        conforms(engine, drawn, strategy="sweep")

    examples()
