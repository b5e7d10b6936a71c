"""Formulas that the long run decides: loops of some kinds are looked for, and no automaton reads along."""

import os
import random
import re

import pytest
from graphs_with_actions import Drawn
from temporal_truth import ltl_holds, random_graph, random_long_run

from sweepcheck import Limits, Model, Status, SweepcheckError, always_eventually, check, ctl, deadlock, leads_to, ltl
from sweepcheck import require as only_if
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.temporal import TEMPORAL
from sweepcheck.planner import temporal
from sweepcheck.report.text import report_to_text

SLOW = bool(os.environ.get("SWEEPCHECK_SLOW"))
EXAMPLES = 10_000 if SLOW else 40
PARTS = 10
MOST_GUESSED = 5  # operators of which the truth is looked for in yet another way, whose work doubles with each
WAYS = [("reference", "full"), ("reference", "sweep"), ("native", "full"), ("native", "sweep")]


def decided(graph: Drawn, asked: list[Property], engine: str, strategy: str):
    m = graph.model()
    m.predicate("p", lambda s: s.at in graph.first)
    m.predicate("q", lambda s: s.at in graph.second)
    return check(
        m,
        asked,
        fair=list(map(str, graph.fair)),
        stuttering=graph.stuttering,
        engine=engine,
        strategy=strategy,
        measure=(lambda s: s.layer) if strategy == "sweep" else None,
        keep_going=True,
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_loops_decide_what_automata_would(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(part)
    drawn = [(random_graph(rng), random_long_run(rng, rng.choice((0, 1, 1, 2)))) for _ in range(EXAMPLES // PARTS)]
    alone = 0  # without an automaton
    for graph, formula in drawn:
        asked = [Property(Kind.LTL, "asked", formula=formula)]
        try:
            with monkeypatch.context() as patch:
                patch.setattr(temporal, "recurrence", lambda _: None)
                holds = bool(decided(graph, asked, "native", "sweep")["asked"])
        except SweepcheckError as error:
            if error.code != "SC414":  # too large an automaton
                raise
            holds = bool(decided(graph, asked, "reference", "full")["asked"])
        if sum(node.op in TEMPORAL for node in formula.walk()) <= MOST_GUESSED:
            assert ltl_holds(graph, formula) is holds
        for engine, strategy in WAYS:
            report = decided(graph, asked, engine, strategy)
            assert (report["asked"].status is Status.HOLDS) is holds, (graph, str(formula), engine, strategy)
        alone += report.plan.properties[0].reader is None
    assert alone > len(drawn) / 2


@pytest.mark.parametrize("seed", range(6))
def test_they_are_asked_together_with_others(seed: int) -> None:
    rng = random.Random(seed)
    graph = random_graph(rng)
    asked = [
        Property(Kind.LTL, "one", formula=random_long_run(rng, 1)),
        Property(Kind.LTL, "other", formula=random_long_run(rng, 2)),
        ltl("a guess", "X p | F G (p & X q)"),
        leads_to("then", lambda s: s.at in graph.first, lambda s: s.at in graph.second),
        always_eventually("again", lambda s: s.at in graph.second),
        ctl("tree", "AG (p -> EF AX q)"),
        deadlock(),
    ]
    for engine, strategy in WAYS:
        together = decided(graph, asked, engine, strategy)
        for one in asked:
            alone = decided(graph, [one, ltl("fair", "G F p")], engine, strategy)  # which fairness is about
            assert together[one.name].status is alone[one.name].status, (graph, str(one), engine, strategy)


def counter(steps: int = 3, stays: bool = True) -> Model:
    m = Model("counter", x=0)

    @m.action
    def up(s):
        only_if(s.x < steps)
        s.x += 1

    if stays:

        @m.action
        def stay(s):
            only_if(s.x == steps)
            s.x = steps

    m.progress(lambda s: s.x)
    return m


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_guess_that_ends_is_no_end_of_the_run(engine: str) -> None:
    """An automaton that guesses leaves states of the product without edges; runs do not end there."""
    guess = ltl("guess", "G F ({s.x == 0} & X X {s.x == 0}) -> G F ({s.x == 5} & X X {s.x == 5})")
    asked = [
        guess,
        always_eventually("up", lambda s: s.x == 3),
        leads_to("goes up", lambda s: s.x == 0, lambda s: s.x == 3),
        ltl("stays up", "F G {s.x == 3} & (G F {s.x == 0} -> G F {s.x == 1})"),
    ]
    report = check(counter(), asked, engine=engine, strategy="full", keep_going=True)
    assert [verdict.status for verdict in report.verdicts] == [Status.HOLDS] * 4


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("stays", [True, False])
def test_a_run_that_ends_stays_where_it_is(engine: str, stays: bool) -> None:
    asked = [
        ltl("up", "F G {s.x == 3}"),
        ltl("if low, then high", "G F {s.x < 2} -> G F {s.x == 3}"),
        ltl("if high, then low", "G F {s.x == 3} -> G F {s.x < 2}"),
    ]
    report = check(counter(stays=stays), asked, engine=engine, keep_going=True)
    assert [bool(verdict) for verdict in report.verdicts] == [True, True, False]
    trace = report["if high, then low"].trace
    assert trace is not None
    assert trace.loop == 3
    assert len(trace) == 3 + stays  # a state without successors is a loop of no steps
    assert report.statistics.explored == 4


def test_the_loop_meets_all_that_it_has_to() -> None:
    m = Model("ring", x=0)

    @m.action
    def on(s):
        s.x = (s.x + 1) % 6

    @m.action
    def over(s):
        only_if(s.x == 1)
        s.x = 4

    asked = ltl("not both", "!(G F {s.x == 2} & G F {s.x == 4} & F G {s.x != 7})")
    for engine in ("native", "reference"):
        (verdict,) = check(m, [asked], engine=engine).verdicts
        assert verdict.trace is not None
        loop = {state[0] for state in verdict.trace.states[verdict.trace.loop :]}
        assert loop >= {2, 4}


def test_the_report_says_how_formulas_were_decided() -> None:
    asked = [
        ltl("long", "F G {s.x == 3}"),
        ltl("steps", "G F ({s.x == 3} & X {s.x == 3}) | F G !last(up)"),
        ltl("guess", "G F ({s.x == 3} & X X {s.x == 3})"),
        ctl("tree", "AX {s.x < 9}"),
    ]
    text = report_to_text(check(counter(), asked))
    assert "ltl       'long': by the loops that runs end in, without an automaton" in text
    assert "ltl       'steps': by the loops that runs end in, without an automaton" in text
    assert re.search(r"ltl       'guess': by an automaton of \d stages that reads along", text)
    assert "ctl       'tree': by going back over all edges" in text


def test_time_that_is_up_decides_nothing() -> None:
    m = counter(2_000_000)
    report = check(m, [ltl("up", "F G {s.x == 2000000}")], limits=Limits(seconds=0.05))
    assert report["up"].status is Status.INCONCLUSIVE


def test_a_step_back_is_refused_as_ever() -> None:
    m = counter()

    @m.action
    def back(s):
        s.x = 0

    with pytest.raises(SweepcheckError) as caught:
        check(m, [ltl("up", "F G {s.x == 3} | G F {s.x == 0}")], strategy="sweep")
    assert caught.value.code == "SC301"


def test_what_fails_in_a_state_says_which() -> None:
    m = counter()
    for engine in ("native", "reference"):
        with pytest.raises(SweepcheckError) as caught:
            check(m, [ltl("fails", "F G {1 // (s.x - 2) > 0}")], engine=engine)
        assert caught.value.code == "SC209"
        assert "x=2" in str(caught.value)
        assert "{1 // (s.x - 2) > 0} of ltl 'fails'" in str(caught.value)
