"""Column sweeps over classes of states that differ in names alone."""

import pytest

from sweepcheck import Array, Model, Status, check, explore, product, progress, require


def jobs(n: int, most: int = 2) -> Model:
    """Workers that nobody can tell apart: each takes a job, may drop it again, and finishes `most` of them."""
    m = Model("jobs", done=Array([0] * n), busy=Array([False] * n))

    @m.action(i=range(n))
    def take(s, i):
        require(not s.busy[i] and s.done[i] < most)
        s.busy[i] = True

    @m.action(i=range(n))
    def drop(s, i):
        require(s.busy[i])
        s.busy[i] = False

    @m.action(i=range(n))
    def finish(s, i):
        require(s.busy[i])
        s.busy[i] = False
        s.done[i] += 1

    m.symmetric(range(n), arrays=["done", "busy"])
    m.invariant("few are busy", lambda s: sum(s.busy) < n)
    m.deadlock(final=lambda s: min(s.done) == most)
    m.reachable("all done", lambda s: min(s.done) == most)
    m.progress(product(progress(lambda s: sum(s.done), monotone=True), lambda s: sum(s.busy)))
    return m


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("gc", ["layer", 2])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_classes_are_explored_and_all_answers_are_those_of_a_full_run(n: int, gc: str | int, engine: str) -> None:
    full = check(jobs(n), strategy="full", engine=engine, keep_going=True)
    column = check(jobs(n), strategy="column", engine=engine, gc=gc, keep_going=True)
    assert [one.status for one in column.verdicts] == [one.status for one in full.verdicts]
    assert [one.status for one in column.verdicts] == [Status.VIOLATED, Status.HOLDS, Status.HOLDS]
    assert column["few are busy"].trace is not None  # replayed already, and a run of the model
    classes = explore(jobs(n), strategy="full", engine=engine).statistics.states
    numbers = explore(jobs(n), strategy="column", engine=engine, gc=gc).statistics
    assert numbers.explored >= classes
    assert numbers.states in (classes, None)
    assert numbers.peak < classes


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_component_that_tells_members_apart_is_refused(engine: str) -> None:
    with pytest.raises(Exception, match="SC231"):
        explore(
            jobs(3),
            measure=product(progress(lambda s: s.done[0], monotone=True), lambda s: sum(s.busy)),
            strategy="column",
            engine=engine,
        )
