"""The conformance kit on random networks: every engine and strategy, with measures computed from the components."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck.core.formula import Among, Some
from sweepcheck.engines import native, reference
from sweepcheck.models.processes.measuring import network_measure
from sweepcheck.testing.conformance import check_engine
from sweepcheck.testing.random_networks import DrawnNetwork, networks
from sweepcheck.testing.truth import TooLarge, survey

ENGINES = {"reference": reference.run, "native": native.run}
WAYS = [
    ("full", None),
    ("sweep", "scc"),
    *((strategy, kind) for strategy in ("generalised", "column") for kind in ("scc", "tree", "both", "auto")),
    ("caching", None),
]
FEWER = settings(max_examples=settings.default.max_examples // 5)  # the kit runs an engine often for each


def conforms(engine: str, drawn: DrawnNetwork, strategy: str, kind: str | None, cache: int) -> None:
    network = drawn.network
    measure = None if kind is None else network_measure(network, {"": kind})
    if strategy == "column":
        assume(measure is not None and any(part.monotone for part in measure.parts))
    try:
        truth = survey(network, most=100)
    except TooLarge:
        assume(False)
    moved = Some(tuple(Among(name, frozenset({1})) for name in network.variables[:2]))
    check_engine(
        ENGINES[engine],
        network,
        measure=measure,
        predicate=moved,
        strategy=strategy,
        cache_size=cache if strategy == "caching" else None,
        engine=engine,
        truth=truth,
    )


@pytest.mark.parametrize(("strategy", "kind"), WAYS)
@pytest.mark.parametrize("engine", ENGINES)
def test_networks(engine: str, strategy: str, kind: str | None) -> None:
    @FEWER
    @given(networks(2), st.integers(0, 5))
    def examples(drawn: DrawnNetwork, cache: int) -> None:
        conforms(engine, drawn, strategy, kind, cache)

    examples()
