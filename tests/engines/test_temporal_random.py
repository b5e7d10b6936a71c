"""Random formulas on random graphs: both engines, full and sweep, with and without fairness, against the truth."""

import os
import random

import pytest
from graphs_with_actions import Drawn
from temporal_truth import ctl_holds, ltl_holds, random_ctl, random_graph, random_ltl

from sweepcheck import Status, check, deadlock, invariant
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.temporal import Temporal

SLOW = bool(os.environ.get("SWEEPCHECK_SLOW"))
EXAMPLES = 10_000 if SLOW else 40
PARTS = 10
WAYS = [("reference", "full"), ("reference", "sweep"), ("native", "full"), ("native", "sweep")]


def decided(graph: Drawn, asked: Property, engine: str, strategy: str, *others: Property):
    m = graph.model()
    m.predicate("p", lambda s: s.at in graph.first)
    m.predicate("q", lambda s: s.at in graph.second)
    return check(
        m,
        [asked, *others],
        fair=list(map(str, graph.fair)) if asked.kind.about_fair_runs else None,
        stuttering=graph.stuttering if asked.kind.about_fair_runs else None,
        engine=engine,
        strategy=strategy,
        measure=(lambda s: s.layer) if strategy == "sweep" else None,
        keep_going=True,
    )


def compare(graph: Drawn, kind: Kind, formula: Temporal, holds: bool) -> None:
    for engine, strategy in WAYS:
        report = decided(graph, Property(kind, "asked", formula=formula), engine, strategy)
        assert (report["asked"].status is Status.HOLDS) is holds, (graph, str(formula), engine, strategy)


@pytest.mark.parametrize("part", range(PARTS))
def test_ltl_says_of_runs_what_it_means(part: int) -> None:
    rng = random.Random(part)
    for _ in range(EXAMPLES // PARTS):
        graph, formula = random_graph(rng), random_ltl(rng, rng.choice((1, 2, 2, 3)))
        compare(graph, Kind.LTL, formula, ltl_holds(graph, formula))


@pytest.mark.parametrize("part", range(PARTS))
def test_ctl_says_of_states_what_it_means(part: int) -> None:
    rng = random.Random(1000 + part)
    for _ in range(EXAMPLES // PARTS):
        graph, formula = random_graph(rng), random_ctl(rng, rng.choice((1, 2, 3, 4)))
        compare(graph, Kind.CTL, formula, ctl_holds(graph, formula))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_asked_together_is_answered_as_alone(seed: int) -> None:
    rng = random.Random(seed)
    graph = random_graph(rng)
    asked = [
        Property(Kind.LTL, "one", formula=random_ltl(rng, 2)),
        Property(Kind.LTL, "other", formula=random_ltl(rng, 2)),
        Property(Kind.CTL, "tree", formula=random_ctl(rng, 3)),
        invariant("inside", lambda s: s.at in graph.first),
        deadlock(),
    ]
    for engine, strategy in WAYS:
        together = decided(graph, asked[0], engine, strategy, *asked[1:])
        for one in asked:
            assert together[one.name].status is decided(graph, one, engine, strategy)[one.name].status
