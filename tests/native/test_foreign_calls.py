"""Random models that hand their values to functions which may notice a number in question: the truth all the same."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import assume, given

from sweepcheck.core.observer import Observer
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.engines import native
from sweepcheck.engines.native import description
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.conformance import check_engine
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.truth import TooLarge, survey


@pytest.fixture(params=["patterns", "comparing"])
def in_question(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "patterns":
            patch.setattr(description, "PATTERNS_AFTER", 0)
        else:
            patch.setattr(description, "COMPARE_ALWAYS", True)
        yield


@pytest.mark.usefixtures("in_question")
@pytest.mark.parametrize("workers", [1, 2])
@given(drawn=sources(foreign=True))
def test_random_models(drawn: Source, workers: int) -> None:
    case = drawn.case()
    try:
        truth = survey(adopt(case.model), most=150)
    except TooLarge:
        assume(False)
    kinds = frozenset(native.KINDS)

    def run(plan: Plan, observer: Observer) -> Outcome:
        return native.run(replace(plan, workers=workers), observer)

    check_engine(run, **case.kit, truth=truth, engine="native", kinds=kinds, strategy="full")
