"""The walk behind `sweepcheck simulate`: every move, every refusal, and the model's own edges on random models."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import Bag, End, Label, Limits, Model, Simulation, SweepcheckError, check, choose, require
from sweepcheck.core.model import Edge
from sweepcheck.core.property import Kind
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.verdict import Status
from sweepcheck.engines.replay import walk
from sweepcheck.testing.random_models import sources


def counter(top: int = 3) -> Model:
    m = Model("counter", n=0, seen=Bag())

    @m.action
    def tick(s):
        require(s.n < top)
        s.n += 1

    @m.action
    def note(s):
        require(len(s.seen) < 2)
        s.seen.add(choose(["a", "b"]))

    @m.action
    def notice(s):
        s.n -= s.n  # never disabled, goes back

    m.initial(n=[0, 1])
    m.progress(lambda s: s.n)
    m.invariant("small", lambda s: s.n < 2)
    m.reachable("two", lambda s: s.n == 2)
    return m


def line(top: int = 3) -> Model:
    m = Model("line", n=0)

    @m.action
    def tick(s):
        require(s.n < top)
        s.n += 1

    m.deadlock(final=lambda s: s.n != 3)
    return m


def labels(simulation: Simulation) -> list[str]:
    return [str(edge.label) for edge in simulation.enabled]


def refused(call, *words: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        call()
    assert caught.value.code == "SC408"
    for word in words:
        assert word in str(caught.value)


class TestMoves:
    def test_it_starts_in_the_first_initial_state(self):
        simulation = Simulation(counter())
        assert simulation.initial_states == ((0, Bag()), (1, Bag()))
        assert simulation.state == (0, Bag())
        assert simulation.position == 0
        assert simulation.trace == Trace((0, Bag()))
        assert labels(simulation) == ["tick", "note('a')", "note('b')", "notice"]

    def test_steps_by_edge_number_label_and_beginning(self):
        simulation = Simulation(counter())
        simulation.step(simulation.enabled[0])
        simulation.step("2")
        simulation.step("note('b')")
        simulation.step("noti")
        assert [str(step.label) for step in simulation.trace.steps] == ["tick", "note('a')", "note('b')", "notice"]
        assert simulation.state == (0, Bag(["a", "b"]))
        walk(simulation.system, simulation.trace)

    def test_a_label_wins_over_a_longer_one(self):
        m = Model("m", x=0)

        @m.action
        def go(s):
            s.x = 1

        @m.action
        def gone(s):
            s.x = 2

        assert Simulation(m).step("go").target == (1,)

    def test_what_cannot_be_chosen(self):
        simulation = Simulation(counter())
        refused(lambda: simulation.step("not"), "3 enabled edges", "2  note('a')", "4  notice")
        refused(lambda: simulation.step("5"), "from 1 to 4")
        refused(lambda: simulation.step("0"), "from 1 to 4")
        refused(lambda: simulation.step("tack"), "did you mean 'tick'")
        refused(lambda: simulation.step(Edge(Label("tick"), (7, Bag()))), "enabled: tick, note('a')")
        refused(lambda: simulation.step("9" * 5000), "no enabled edge")
        assert simulation.position == 0

    def test_edges_that_share_a_label_are_chosen_by_number(self):
        class Coin:
            def initial(self):
                return 0

            def successors(self, state):
                return [("toss", 1), ("toss", 2)]

        simulation = Simulation(Coin())
        refused(lambda: simulation.step("toss"), "1  toss", "2  toss")
        assert simulation.step("2").target == 2

    def test_many_candidates_are_not_all_told(self):
        m = Model("m", x=0)

        @m.action(i=range(300))
        def go(s, i):
            s.x = i

        refused(lambda: Simulation(m).step("go"), "300 enabled edges", "280 more")
        assert Simulation(m).step("go(i=299)").target == (299,)

    def test_undo_and_redo(self):
        simulation = Simulation(line())
        for _ in range(3):
            simulation.step("tick")
        simulation.undo(2)
        assert simulation.state == (1,)
        assert len(simulation.trace) == 1
        simulation.redo()
        assert simulation.state == (2,)
        refused(lambda: simulation.redo(2), "1 step undone")
        refused(lambda: simulation.undo(3), "2 steps made so far")
        assert simulation.state == (2,)

    @pytest.mark.parametrize("move", ["undo", "redo", "run"])
    @pytest.mark.parametrize("steps", [-1, "2", 1.5, None])
    def test_a_number_of_steps_is_whole(self, move, steps):
        with pytest.raises(SweepcheckError) as caught:
            getattr(Simulation(line()), move)(steps)
        assert caught.value.code == "SC403"

    def test_a_step_forgets_what_was_undone(self):
        simulation = Simulation(counter())
        for _ in range(3):
            simulation.step("tick")
        simulation.undo(3)
        simulation.step("notice")
        refused(simulation.redo, "0 steps undone")
        assert [str(step.label) for step in simulation.trace.steps] == ["notice"]

    def test_reset(self):
        simulation = Simulation(counter())
        simulation.step("tick")
        simulation.reset((1, Bag()))
        assert simulation.trace == Trace((1, Bag()))
        simulation.step("tick")
        simulation.reset()
        assert simulation.state == (1, Bag())
        refused(lambda: simulation.reset((9, Bag())), "not an initial state")

    def test_replay(self):
        found = check(counter(), ["small"], strategy="full")["small"].trace
        simulation = Simulation(counter())
        simulation.replay(found)
        assert simulation.trace == found
        with pytest.raises(SweepcheckError) as caught:
            simulation.replay(Trace((0, Bag()), (Step(Label("tick"), (5, Bag())),)))
        assert caught.value.code == "SC502"
        assert simulation.trace == found

    def test_a_seed_is_a_number(self):
        with pytest.raises(SweepcheckError) as caught:
            Simulation(line(), seed="seven")
        assert caught.value.code == "SC403"


class TestWhatAStateDecides:
    def test_invariants_and_goals(self):
        simulation = Simulation(counter())
        simulation.step("tick")
        assert simulation.decided == ()
        simulation.step("tick")
        assert [(one.name, status) for one, status in simulation.decided] == [
            ("small", Status.VIOLATED),
            ("two", Status.HOLDS),
        ]
        assert [one.name for one in simulation.violated] == ["small"]

    def test_deadlocks_that_may_not_be_final(self):
        for top, kinds in ((3, [Kind.DEADLOCK]), (4, [])):
            simulation = Simulation(line(top))
            assert simulation.run(10) is (End.VIOLATED if kinds else End.DEAD)
            assert [one.kind for one in simulation.violated] == kinds

    def test_progress(self):
        simulation = Simulation(counter())
        assert (simulation.progress, simulation.regressed) == (0, False)
        simulation.step("tick")
        assert (simulation.progress, simulation.regressed) == (1, False)
        simulation.step("notice")
        assert (simulation.progress, simulation.regressed) == (0, True)
        simulation.reset((1, Bag()))
        simulation.step("notice")
        assert (simulation.progress, simulation.regressed) == (0, True)
        assert Simulation(line()).progress is None
        assert not Simulation(line()).regressed


class TestRandomSteps:
    def test_why_they_end(self):
        assert Simulation(line(9)).run(4) is End.STEPS
        assert Simulation(line(5)).run(9) is End.DEAD
        assert Simulation(line(5)).run(5) is End.DEAD
        assert Simulation(line(9)).run(0) is End.STEPS
        simulation = Simulation(line(9))
        assert simulation.run(9, lambda state: state == (2,)) is End.MET
        assert simulation.state == (2,)

    def test_the_condition_is_for_states_after_a_step(self):
        simulation = Simulation(line(9))
        for wanted in (2, 4):
            assert simulation.run(9, lambda state: state[0] % 2 == 0) is End.MET
            assert simulation.state == (wanted,)

    def test_they_stop_at_each_new_violation(self):
        simulation = Simulation(counter(), seed=1)
        assert simulation.run(1000) is End.VIOLATED
        assert simulation.state[0] == 2
        made = simulation.position
        assert simulation.run(1000) is End.VIOLATED
        states = [state[0] for state in simulation.since(made).states]
        assert states[-1] == 2
        assert any(n < 2 for n in states)

    def test_a_property_that_is_violated_already_does_not_stop_them(self):
        m = line(9)
        m.invariant("low", lambda s: s.n < 2)
        simulation = Simulation(m)
        assert simulation.run(9) is End.VIOLATED
        assert simulation.run(3) is End.STEPS
        assert simulation.state == (5,)

    def test_a_seed_repeats_them(self):
        walks = [Simulation(counter(9), seed=seed) for seed in (7, 7, 8)]
        for simulation in walks:
            simulation.run(50)
        assert walks[0].trace == walks[1].trace != walks[2].trace
        drawn = Simulation(counter(9))
        drawn.run(50)
        again = Simulation(counter(9), seed=drawn.seed)
        again.run(50)
        assert again.trace == drawn.trace

    def test_every_edge_is_as_likely_as_another(self):
        m = Model("dice", face=0)

        @m.action(i=range(6))
        def roll(s, i):
            s.face = i

        simulation = Simulation(m, seed=1)
        simulation.run(6000)
        counts = [sum(step.state == (face,) for step in simulation.trace.steps) for face in range(6)]
        assert all(850 < count < 1150 for count in counts)

    def test_ctrl_c_keeps_the_steps(self):
        def interrupt(state):
            if state == (3,):
                raise KeyboardInterrupt
            return False

        simulation = Simulation(line(9))
        assert simulation.run(9, interrupt) is End.INTERRUPTED
        assert simulation.state == (3,)

    def test_a_model_that_fails_can_be_left(self):
        m = Model("m", n=0)

        @m.action
        def step(s):
            s.n += 1
            _ = 1 // (2 - s.n)

        simulation = Simulation(m)
        with pytest.raises(SweepcheckError) as caught:
            simulation.run(9)
        assert caught.value.code == "SC201"
        assert simulation.position > 0
        simulation.undo()
        assert simulation.enabled


@given(sources(), st.integers(0, 2**32))
def test_walks_on_random_models_are_paths(source, seed):
    simulation = Simulation(source.case().model, seed=seed)
    end = simulation.run(30)
    walk(simulation.system, simulation.trace)
    assert simulation.position == len(simulation.trace) <= 30
    assert (end is End.DEAD) == (not simulation.enabled)
    before = simulation.trace
    simulation.undo(simulation.position)
    assert simulation.state in simulation.initial_states
    simulation.redo(len(before))
    assert simulation.trace == before


@given(sources(), st.integers(0, 2**32))
def test_what_a_walk_meets_is_what_the_engine_decides(source, seed):
    case = source.case()
    case.model.invariant("p", case.predicate)
    report = check(case.model, limits=Limits(states=2000))
    simulation = Simulation(case.model, seed=seed)
    if report["p"].status is Status.VIOLATED:
        simulation.replay(report["p"].trace)
        assert [one.name for one in simulation.violated] == ["p"]
        simulation.reset()
    simulation.run(20)
    for position in range(simulation.position, -1, -1):
        simulation.undo(simulation.position - position)
        violated = not case.predicate(simulation.system.view(simulation.state))
        assert bool(simulation.violated) == violated
        assert not (violated and report["p"].status is Status.HOLDS)


MOVES = st.one_of(
    st.tuples(st.just("step"), st.integers(0, 9)),
    st.tuples(st.sampled_from(["undo", "redo"]), st.integers(0, 3)),
    st.tuples(st.just("reset"), st.integers(0, 1)),
    st.tuples(st.just("run"), st.integers(0, 3)),
)


@given(sources(), st.lists(MOVES, max_size=30))
def test_any_moves_against_lists_of_states(source, moves):
    """The same moves on two plain lists: the states up to here, and those that were undone, the next one last."""
    simulation = Simulation(source.case().model, seed=0)
    behind, undone = [simulation.initial_states[0]], []
    for move, number in moves:
        if move == "step":
            edges = simulation.system.edges(behind[-1])
            if number < len(edges):
                simulation.step(str(number + 1))
                behind, undone = [*behind, edges[number].target], []
        elif move == "reset":
            start = simulation.initial_states[number % len(simulation.initial_states)]
            simulation.reset(start)
            behind, undone = [start], []
        elif move == "run":
            simulation.run(number)
            made = simulation.since(len(behind) - 1)
            behind, undone = behind + [step.state for step in made.steps], [] if made.steps else undone
        else:
            there, back = (behind, undone) if move == "undo" else (undone, behind)
            if number > len(there) - (move == "undo"):
                refused(lambda move=move, number=number: getattr(simulation, move)(number))
            else:
                getattr(simulation, move)(number)
                back += [there.pop() for _ in range(number)]
        assert simulation.state == behind[-1]
        assert list(simulation.trace.states) == behind
        assert simulation.enabled == simulation.system.edges(behind[-1])
