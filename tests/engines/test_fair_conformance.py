"""The kit on random processes, and on what fair runs do: every engine, and the strategies that are sound for it."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck import Model, require
from sweepcheck.core.plan import CollectionPolicy, Outcome, Plan
from sweepcheck.core.property import Kind
from sweepcheck.engines import native, reference
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.conformance import Nonconformity, Run, check_engine
from sweepcheck.testing.fair_runs import Fair, check_fair_runs
from sweepcheck.testing.random_models import ACTIONS, MEASURES, Source, sources
from sweepcheck.testing.random_processes import Program, programs
from sweepcheck.testing.real_generators import check_program
from sweepcheck.testing.truth import TooLarge, Truth, survey

ENGINES: dict[str, tuple[Run, frozenset[Kind]]] = {
    "reference": (reference.run, frozenset(Kind)),
    "native": (native.run, frozenset(native.KINDS)),
}
POLICIES = ["layer", 1, 3, CollectionPolicy("auto", interval=2)]
FEW = settings(max_examples=settings.default.max_examples // 3)
VERY_FEW = settings(max_examples=settings.default.max_examples // 8)  # to cut a program into actions takes its time
MOST = {"caching": 10}  # states: with hardly any cache every path without repetition is gone along

Drawn = Source | Program


def known_of(drawn: Drawn, most: int = 100) -> Truth:
    try:
        return survey(adopt(drawn.case().model), most=most)
    except TooLarge:
        assume(False)
        raise


@st.composite
def measured(draw: st.DrawFn, kind: Any, strategy: str) -> tuple[Drawn, dict[str, Any]]:
    """A model that a strategy is sound for, and its options."""
    if strategy in ("full", "caching"):
        return draw(kind(None)), {"cache_size": draw(st.sampled_from([0, 2, None]))} if strategy == "caching" else {}
    orders = ["columns"] if strategy == "column" else [one for one in MEASURES if one != "columns"]
    monotone = strategy != "generalised" or draw(st.booleans())
    return draw(kind(draw(st.sampled_from(orders)), monotone=monotone)), {"gc": draw(st.sampled_from(POLICIES))}


@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "column", "caching"])
@pytest.mark.parametrize("engine", ENGINES)
def test_processes(engine: str, strategy: str) -> None:
    run, kinds = ENGINES[engine]

    @VERY_FEW
    @given(measured(programs, strategy))
    def examples(drawn: tuple[Program, dict[str, Any]]) -> None:
        program, options = drawn
        truth = known_of(program, MOST.get(strategy, 100))
        check_program(program, truth.system, 40)
        check_engine(run, **program.case().kit, truth=truth, engine=engine, kinds=kinds, strategy=strategy, **options)

    examples()


@st.composite
def asked(draw: st.DrawFn, kind: Any, names: tuple[str, ...]) -> tuple[Drawn, list[Fair], dict[str, Any]]:
    """A model with a monotone measure or without, and what runs are fair to."""
    drawn, options = draw(measured(kind, draw(st.sampled_from(["full", "sweep"]))))
    present = [one for one in names if one in drawn.text]
    group = st.lists(st.sampled_from(present), min_size=1, max_size=2, unique=True).map(tuple)
    of = st.sampled_from([(), (), ("*",), ("first",)])
    fair = draw(st.lists(st.builds(Fair, group, st.booleans(), of), max_size=3, unique=True))
    options = {"strategy": "sweep" if options else "full", "gc": draw(st.sampled_from(["layer", 2]))}
    options["stuttering"] = draw(st.booleans())
    return drawn, fair, options


QUESTIONS = {
    "models": asked(partial(sources, constrained=True), ACTIONS),
    "processes": asked(programs, ("p0", "p1")),
}


def conforms(run: Run, engine: str, drawn: Drawn, fair: list[Fair], options: dict[str, Any]) -> None:
    case, truth = drawn.case(), known_of(drawn, 80)
    names = {edge.label.action.partition(":")[0] for edges in truth.edges.values() for edge in edges}
    fair = [one for one in fair if set(one.names) <= names]  # those that can happen
    first = next(iter(truth.system.describe(truth.system.initial_states()[0])))
    fair = list(dict.fromkeys(replace(one, of=(first,)) if one.of == ("first",) else one for one in fair))
    goal = case.predicate
    check_fair_runs(
        run,
        case.model,
        predicate=lambda s: not goal(s),
        goal=goal,
        fair=fair,
        measure=case.measure,
        engine=engine,
        truth=truth,
        **options,
    )


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("engine", ENGINES)
def test_fair_runs(engine: str, kind: str) -> None:
    @FEW
    @given(QUESTIONS[kind])
    def examples(drawn: tuple[Drawn, list[Fair], dict[str, Any]]) -> None:
        conforms(ENGINES[engine][0], engine, *drawn)

    examples()


# -- a kit that accepts everything proves nothing ----------------------------------------------------------------------


def door() -> Model:
    """Serving is enabled again and again, and closing all the time: strong fairness to one, weak to the other."""
    m = Model("door", waiting=True, open=True)

    @m.action
    def serve(s):
        require(s.waiting and s.open)
        s.waiting = False

    @m.action
    def shutter(s):
        s.open = not s.open

    return m


def ignores_fairness(plan: Plan, observer: Any) -> Outcome:
    return reference.run(replace(plan, fair=()), observer)


def takes_strong_for_weak(plan: Plan, observer: Any) -> Outcome:
    return reference.run(replace(plan, fair=tuple(replace(one, strong=False) for one in plan.fair)), observer)


def takes_weak_for_strong(plan: Plan, observer: Any) -> Outcome:
    return reference.run(replace(plan, fair=tuple(replace(one, strong=True) for one in plan.fair)), observer)


def finds_nothing_awaited(plan: Plan, observer: Any) -> Outcome:
    outcome = reference.run(plan, observer)
    kept = [replace(one, status=None, trace=None) if one.property.name == "leads" else one for one in outcome.decisions]
    return replace(outcome, decisions=tuple(kept))


@pytest.mark.parametrize(
    ("fault", "fair"),
    [
        (ignores_fairness, Fair(("serve",), strong=True)),
        (takes_strong_for_weak, Fair(("serve",), strong=True)),
        (takes_weak_for_strong, Fair(("serve",))),
        (finds_nothing_awaited, Fair(("serve", "shutter"), strong=True)),
    ],
)
def test_an_engine_that_is_wrong_about_fair_runs_is_rejected(fault: Run, fair: Fair) -> None:
    questions: dict[str, Any] = {"predicate": lambda s: s.waiting, "goal": lambda s: not s.waiting, "fair": [fair]}
    check_fair_runs(reference.run, door(), **questions)
    with pytest.raises(Nonconformity):
        check_fair_runs(fault, door(), **questions)


def test_a_model_that_does_not_do_what_its_program_does_is_rejected() -> None:
    """A label less, a step more: whatever differs from the real generators is seen."""
    text = "@process(0, p=range(1))\ndef p0(s, p):\n    s.b = 2\n    yield {!r}\n    s.a = {}\n    yield\n    s.b = 1\n"
    model = Program(text.format("here", 1), (1,)).model()
    check_program(Program(text.format("here", 1), (1,)), model, 10)
    for other in (text.format("there", 1), text.format("here", 2), text.format("here", 1).replace("    yield\n", "")):
        with pytest.raises(Nonconformity):
            check_program(Program(other, (1,)), model, 10)
