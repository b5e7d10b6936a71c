"""Several workers: the same numbers, verdicts and traces as one, on every model, whatever becomes of the run."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from tests.native.test_sweeps_again import MEASURES, lift

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Queue,
    Report,
    Status,
    SweepcheckError,
    always_eventually,
    always_possible,
    check,
    choose,
    deadlock,
    explore,
    invariant,
    leads_to,
    planner,
    reachable,
    require,
    state_space_report,
    step,
)
from sweepcheck.engines.native import description
from sweepcheck.testing.random_graphs import Case
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.random_nets import DrawnNet, nets
from sweepcheck.testing.random_networks import DrawnNetwork, networks

# What a run costs, and what several workers cost.
COSTS = ("seconds", "memory_bytes", "model_seconds", "state_bytes", "table_bytes", "rewrites", "rewrite_seconds")
COSTS += ("workers", "working", "waiting", "in_python", "scratch_bytes")
OF_COSTS = ("     Secs:", "     workers")  # lines of a state space report


BATCHES = (1, 3, 16)


@pytest.fixture(autouse=True)
def shared_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small models have work for several workers too."""
    monkeypatch.setattr(description, "SHARE_AFTER", 0)
    monkeypatch.setattr(description, "SHARE_LEAST", 0)


def by_all(run: Callable[[int], Any]) -> Iterator[list[Any]]:
    """What one, two and four workers answer, with batches of every size: where a run stops may depend on that."""
    for size in BATCHES:
        with patch.object(description, "BATCH_SIZE", size):
            yield [run(workers) for workers in (1, 2, 4)]


def findings(report: Report) -> Iterator[object]:
    """All that a run has found out."""
    numbers = asdict(report.statistics)
    yield {name: number for name, number in numbers.items() if name not in COSTS}
    yield report.stop
    yield report.outcome.profile
    yield report.outcome.regressing
    yield [(action.action, action.edges) for action in report.outcome.actions]
    for verdict in report.verdicts:
        yield verdict.property.name, verdict.status
        if verdict.trace is not None:
            yield [(str(step.label), step.state) for step in verdict.trace.steps]


def answer(run: Callable[[], Report]) -> list[object]:
    """What a run has found out, or its error."""
    try:
        return list(findings(run()))
    except SweepcheckError as error:
        return [error.code, str(error)]


def same(make: Callable[[], Any], properties: Callable[[], list[Any]] = list, **options: Any) -> list[object]:
    """The answer of one worker, which is that of several."""

    def run(workers: int) -> list[object]:
        return answer(lambda: check(make(), properties(), engine="native", workers=workers, **options))

    for expected, *found in by_all(run):
        assert found == [expected] * 2
    return expected


def grid(top: int = 12) -> Model:
    m = Model("grid", x=0, y=0, z=0, bag=Bag([1]), line=Queue(capacity=2))

    @m.action(name=["x", "y", "z"])
    def step(s: Any, name: str) -> None:
        require(getattr(s, name) < top)
        setattr(s, name, getattr(s, name) + 1)

    @m.action
    def move(s: Any) -> None:
        token = s.bag.take()
        s.bag.add(choose([token, 3 - token]))
        s.line.put(token)

    @m.action
    def drop(s: Any) -> None:
        s.bag.add(s.line.get())
        s.bag.take()

    m.progress(lambda s: s.x + s.y + s.z)
    return m


QUESTIONS = {
    "nothing": list,
    "holds": lambda: [
        invariant("low", lambda s: s.x + s.y + s.z < 1000),
        reachable("top", lambda s: s.x * s.y * s.z == 1728),
    ],
    "violated": lambda: [invariant("apart", lambda s: (s.x, s.y, s.z) != (7, 3, 8)), deadlock()],
    "cycles": lambda: [always_possible("home", lambda s: s.x == 12), always_eventually("up", lambda s: s.y == 12)],
}


@pytest.mark.parametrize("asked", QUESTIONS)
@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "column", "caching"])
@pytest.mark.parametrize("gc", ["layer", 100])
def test_strategies(strategy: str, asked: str, gc: str | int) -> None:
    measure = "(x, y)" if strategy == "column" else None
    found = same(grid, QUESTIONS[asked], strategy=strategy, gc=gc, **({"measure": measure} if measure else {}))
    assert len(found) > 2 or strategy in ("column", "caching", "generalised")


@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised"])
@pytest.mark.parametrize("limits", [None, Limits(states=700)])
def test_states_outside_of_constraints(strategy: str, limits: Limits | None) -> None:
    outside = [lambda s: s.x + s.y <= 3, lambda s: len(s.line) < 2 or s.z < 1]
    numbers = same(grid, QUESTIONS["holds"], strategy=strategy, constraints=outside, limits=limits)[0]
    assert isinstance(numbers, dict)
    assert numbers["beyond"] > 0
    assert numbers["outside_edges"] >= numbers["beyond"]


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_steps_and_what_leads_to_what(strategy: str) -> None:
    def asked() -> list[Any]:
        return [
            step("up", lambda old, new: new.x + new.y >= old.x + old.y),
            step("near", lambda old, new, action: action != "move" or (old.x, new.z) != (7, 3)),
            leads_to("fills", lambda s: s.x == 3, lambda s: s.x == 12),
            leads_to("drains", lambda s: len(s.line) == 2, lambda s: len(s.line) < 3),
        ]

    found = same(lambda: grid(7), asked, strategy=strategy, keep_going=True, fair=["step + drop", "strong move"])
    assert ("up", Status.HOLDS) in found
    assert ("near", Status.VIOLATED) in found
    assert ("drains", Status.HOLDS) in found


@pytest.mark.parametrize("states", [1, 2, 63, 64, 65, 500, 2_000, 2_001])
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_a_limit_of_states(states: int, strategy: str) -> None:
    numbers = same(grid, limits=Limits(states=states), strategy=strategy)[0]
    assert isinstance(numbers, dict)
    assert numbers["states"] == states


def test_steps_back() -> None:
    def ring() -> Model:
        m = Model("ring", at=Array([0, 0, 0]), lap=0)

        @m.action(i=range(3))
        def step(s: Any, i: int) -> None:
            s.at[i] = (s.at[i] + 1) % 9
            s.lap = (s.lap + (s.at[i] == 0)) % 4

        m.progress(lambda s: s.lap)
        return m

    numbers = same(ring)[0]
    assert isinstance(numbers, dict)
    assert numbers["persistent"]
    assert numbers["sweeps"] > 1
    assert same(ring, strategy="sweep")[0] == "SC301"


@pytest.mark.parametrize("where", [(3, 3, 3), (12, 12, 12), (5, 0, 0)])
@pytest.mark.parametrize("violated", [(3, 3, 4), (1, 1, 1), (12, 12, 11)])
def test_what_comes_first_an_error_or_a_violation(where: tuple[int, ...], violated: tuple[int, ...]) -> None:
    """An error in an action is met with the states around it; those before it are seen all the same."""

    def broken() -> Model:
        m = grid()

        @m.action
        def fail(s: Any) -> None:
            require((s.x, s.y, s.z) == where)
            raise ValueError("broken")

        return m

    found = same(broken, lambda: [invariant("apart", lambda s: (s.x, s.y, s.z) != violated)], strategy="full")
    assert (found[0] == "SC201") == (sum(where) < sum(violated)) or sum(where) == sum(violated)


@pytest.mark.parametrize("violated", [(3, 3, 3), (1, 1, 1), (12, 12, 11)])
@pytest.mark.parametrize("strategy", ["sweep", "generalised"])
def test_what_comes_first_an_error_of_the_measure_or_a_violation(strategy: str, violated: tuple[int, ...]) -> None:
    def measure(s: Any) -> int:
        return (s.x + s.y + s.z) // (10 - s.x) if s.x > 8 else s.x + s.y + s.z

    properties = [invariant("apart", lambda s: (s.x, s.y, s.z) != violated)]
    found = same(grid, lambda: properties, strategy=strategy, measure=measure)
    assert isinstance(found[0], str) == (violated == (12, 12, 11))


def test_values_and_contents_that_nobody_has_met() -> None:
    def growing() -> Model:
        m = Model("growing", n=0, bag=Bag(), line=Queue())

        @m.action
        def put(s: Any) -> None:
            require(s.n < 300)
            s.n += 1
            s.bag.add(("token", s.n * s.n))
            s.line.put(s.n)

        @m.action
        def take(s: Any) -> None:
            s.bag.take()

        @m.action
        def get(s: Any) -> None:
            s.line.get()
            require(s.n % 50 == 0 or len(s.line) > 2)

        return m

    same(growing, limits=Limits(states=20_000))


@dataclass(frozen=True)
class Seen:
    """A value that can be noted when a function makes it."""

    x: int
    y: int

    def __post_init__(self) -> None:
        """Nothing, as long as nobody notes it."""


def news(top: int = 5) -> Model:
    """Each layer has values of its own: most states of a round need what nobody knows, and many of them the same."""
    m = Model("news", x=0, y=0, seen=Bag())

    @m.action(step=[1, 2])
    def go(s: Any, step: int) -> None:
        require(s.x < top)
        s.x += step
        s.y = (s.y * 3 + step) % 11
        if len(s.seen) < 2:
            s.seen.add(Seen(s.x, s.y))

    @m.action
    def forget(s: Any) -> None:
        require(len(s.seen) > 1)
        gone = s.seen.take()
        s.y = (s.y + gone.x) % 11

    m.progress(lambda s: s.x)
    return m


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_what_many_do_not_know_is_asked_for_in_the_order_of_one(strategy: str) -> None:
    def run(workers: int) -> tuple[list[object], list[Seen]]:
        model, asked = news(), [invariant("small", lambda s: s.x + s.y < 60)]
        made: dict[Seen, None] = {}

        def note(value: Seen) -> None:
            made[value] = None

        with patch.object(Seen, "__post_init__", note):
            report = check(model, asked, strategy=strategy, workers=workers)
        return list(findings(report)), list(made)

    for expected, *found in by_all(run):
        assert len(expected[1]) > 10
        assert found == [expected] * 2


def test_interned_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> Model:
        m = Model("full", n=0, bag=Bag((i % 7, i) for i in range(500)))

        @m.action
        def swap(s: Any) -> None:
            require(s.n < 2)
            s.n += 1
            kind, number = s.bag.take()
            s.bag.add((kind, -number - 1))

        return m

    same(full, limits=Limits(states=3_000))


def test_functions_whose_tables_do_not_pay() -> None:
    def wide() -> Model:
        m = Model("wide", row=Array([0] * 8))

        @m.action
        def shift(s: Any) -> None:
            total = sum((i + 1) * s.row[i] for i in range(8))
            i = choose(range(8))
            s.row[i] = (s.row[i] + total + 1) % 3

        return m

    same(wide)


def test_a_state_space_report() -> None:
    def text(workers: int) -> str:
        return str(state_space_report(grid(), workers=workers))

    for reports in by_all(text):
        texts = [[line for line in report.splitlines() if not line.startswith(OF_COSTS)] for report in reports]
        assert texts[1:] == texts[:1] * 2
        assert ["     workers   2, " in report for report in reports] == [False, True, False]


def test_how_many_worked() -> None:
    numbers = explore(grid(), workers=3).statistics
    assert numbers.workers == 3
    shares = [share for share in (numbers.working, numbers.waiting, numbers.in_python) if share is not None]
    assert len(shares) == 3
    assert sum(shares) == pytest.approx(1)
    assert numbers.scratch_bytes
    assert explore(grid(), workers=1).statistics.workers == 1
    assert explore(grid(2), workers=3, engine="reference").statistics.workers == 1


def test_what_was_stored_when_a_state_was_expanded_may_be_deleted_before_it_comes_again() -> None:
    measure = MEASURES["lift"]["conditional columns"]
    with patch.object(description, "BATCH_SIZE", 1):
        runs = [answer(lambda n=n: explore(lift(), measure=measure, strategy="column", workers=n)) for n in (1, 2, 3)]
    assert runs[1:] == [runs[0]] * 2


@pytest.mark.parametrize(("processors", "workers"), [(1, 1), (2, 2), (3, 2), (4, 4), (64, 64), (1000, 256)])
def test_as_many_as_there_are_processors(processors: int, workers: int) -> None:
    with patch.object(planner, "processors", lambda: processors), patch.object(planner, "ENOUGH_PROCESSORS", 4):
        assert planner._workers("auto") == workers


@pytest.mark.parametrize("workers", [0, -1, 257, 2.0, "two", None, True])
def test_no_number_of_workers(workers: Any) -> None:
    with pytest.raises(SweepcheckError, match="SC403"):
        explore(grid(), workers=workers)


def agree(case: Case, **options: Any) -> None:
    kit = case.kit
    same(
        lambda: kit["model"],
        lambda: [invariant("true", kit["predicate"]), deadlock()],
        measure=kit["measure"],
        **options,
    )


# Strategy, order of the measure, and whether steps never go back.
WAYS = (
    ("full", None, True),
    ("sweep", "number", True),
    ("sweep", "partial", True),
    ("sweep", "product", True),
    ("generalised", "lexicographic", False),
    ("generalised", "product", False),
    ("column", "columns", True),
)


@pytest.mark.parametrize(("strategy", "order", "monotone"), WAYS)
def test_random_models(strategy: str, order: str | None, monotone: bool) -> None:
    @settings(max_examples=settings.default.max_examples // 2)
    @given(sources(order, monotone))
    def examples(source: Source) -> None:
        agree(source.case(), strategy=strategy, limits=Limits(states=2_000))

    examples()


@pytest.mark.parametrize("timed", [False, True])
def test_random_nets(timed: bool) -> None:
    @settings(max_examples=settings.default.max_examples // 2)  # these take long to draw
    @given(nets(timed=timed))
    def examples(drawn: DrawnNet) -> None:
        agree(drawn.case(), limits=Limits(states=1_000))

    examples()


@given(networks())
def test_random_networks(drawn: DrawnNetwork) -> None:
    same(lambda: drawn.network, lambda: [deadlock()], limits=Limits(states=1_000))


def test_large_tables_are_moved_by_several() -> None:
    # Several hundred thousand states are stored when they become wider for the last time; tables grow all the while.

    def late() -> Model:
        m = Model("late", x=0, y=0, z=0)
        most = {"x": 40, "y": 40, "z": 300}

        @m.action(name=list(most))
        def step(s: Any, name: str) -> None:
            require(getattr(s, name) < most[name])
            setattr(s, name, getattr(s, name) + 1)

        return m

    def run(workers: int) -> Report:
        return check(late(), [invariant("apart", lambda s: s.x + s.y + s.z < 379)], engine="native", workers=workers)

    reports = [run(workers) for workers in (1, 2, 4)]
    assert {report.statistics.workers for report in reports} == {1, 2, 4}
    assert all(report.statistics.rewrites > 0 for report in reports)
    expected, *found = [list(findings(report)) for report in reports]
    assert found == [expected] * 2
    assert reports[0].verdicts[0].status is Status.VIOLATED
    assert reports[0].statistics.states > 500_000
