"""Timed nets: when tokens are ready, which of them are taken, and how the clock moves."""

import pytest
from playing import LIMIT, Play, counts

from sweepcheck import Bag, Net, Status, at, check, explore
from sweepcheck.core.stamps import At, Stamped
from sweepcheck.models.adoption import adopt
from sweepcheck.models.net.colours import timed
from sweepcheck.models.net.time import absolute, later, next_time, ready


def job(delay: object = 5, **more: object) -> Net:
    net = Net("job", **more)
    waiting, done = net.place("Waiting", timed(int), [1, 2]), net.place("Done", timed(int))
    net.transition("Work", waiting.take("n"), done.put("n"), delay=delay)
    net.transition("Away", done.take("n"))
    return net


class TestTheParts:
    def test_values_are_ready_when_they_need_not_wait(self) -> None:
        tokens = Bag([Stamped("a", 0), Stamped("a", -3), Stamped("a", 2), Stamped("b", 1), Stamped("c", -1)])
        assert ready(tokens) == [("a", 0, 2), ("c", -1, 1)], "value, youngest stamp, how many"

    def test_the_next_time_is_the_earliest_future_stamp(self) -> None:
        ready_alone = (0,)
        late = Bag([Stamped("a", 4), Stamped("b", 0)]), Bag([Stamped("c", 7)])
        assert next_time([(late[0], ready_alone), (late[1], ready_alone)]) == 4
        assert next_time([(late[0], ready_alone), (late[1], (0, 5))]) == 2, "some arc takes its tokens 5 early"
        assert next_time([(Bag([Stamped("a", 0), Stamped("b", -2)]), ready_alone)]) is None
        assert next_time([]) is None

    def test_time_passes_for_all_tokens(self) -> None:
        assert later(Bag([Stamped("a", 4), Stamped("b", -1)]), 3) == Bag([Stamped("a", 1), Stamped("b", -4)])

    def test_people_read_absolute_times(self) -> None:
        assert absolute(Bag([Stamped("a", 4), Stamped("a", 4), Stamped("b", -1)]), 10) == Bag(
            {At("a", 14): 2, At("b", 9): 1}
        )
        assert repr(at(5, "x")) == "'x'@5"
        assert repr(at(5)) == "()@5"


def test_stamps_are_relative_in_states_and_absolute_for_people() -> None:
    net = Net("n")
    place, out = net.place("P", timed(str), ["a", at(7, "b")]), net.place("Q", timed(str))
    net.transition("Move", place.take("x"), out.put("x @+ 3"))
    play = Play(net)
    assert play.state == (Bag([Stamped("a", 0), Stamped("b", 7)]), Bag(), 0)
    assert play.marking == {"P": "1*'a'@0 + 1*'b'@7", "clock": "0"}
    play.occur("Move(x='a')", "Move(x='b')")
    assert play.state == (Bag(), Bag([Stamped("a", -4), Stamped("b", 3)]), 7)
    assert play.marking == {"Q": "1*'a'@3 + 1*'b'@10", "clock": "7"}
    assert play.view.Q.times() == (("a", 3), ("b", 10))
    assert play.view.clock == 7


def test_the_clock_moves_only_when_nothing_is_enabled() -> None:
    play = Play(job())
    assert play.labels == ["Work(n=1)", "Work(n=2)"]
    play.occur("Work(n=1)")
    assert play.marking == {"Waiting": "1*2@0", "Done": "1*1@5", "clock": "0"}
    assert play.labels == ["Work(n=2)"], "Away must wait: something is still enabled now"
    play.occur("Work(n=2)")
    assert play.marking["clock"] == "0", "the clock stands until something occurs later"
    assert play.labels == ["Away(n=1)", "Away(n=2)"]
    assert play.occur("Away(n=1)").marking == {"Done": "1*2@5", "clock": "5"}


def test_the_clock_jumps_over_times_at_which_nothing_is_enabled() -> None:
    net = Net("n")
    key, door, out = net.place("Key", timed(None), [at(9)]), net.place("Door", timed(None), [at(4)]), net.place("Out")
    net.transition("Open", key.take(), door.take(), out.put())
    play = Play(net)
    assert play.labels == ["Open"]
    assert play.occur("Open").marking == {"Out": "1*()", "clock": "9"}
    assert counts(net) == (2, 1, 1)


def test_a_net_is_dead_when_no_time_helps() -> None:
    net = Net("n")
    place, never = net.place("P", timed(int), [at(3, 1)]), net.place("Never", int)
    net.transition("T", place.take("n"), never.take("n"))
    play = Play(net)
    assert play.labels == []
    assert play.marking == {"P": "1*1@3", "clock": "0"}, "the clock does not run on for nothing"
    assert counts(net) == (1, 0, 1)


def test_delays_of_transition_arc_and_inscription_add_up() -> None:
    net = Net("n", base=100)
    place = net.place("P", timed(int), [1])
    one, two, plain = net.place("One", timed(int)), net.place("Two", timed(int)), net.place("Plain", int)
    net.transition(
        "T", place.take("n"), one.put("n @+ 20", delay="n + 2"), two.put("2*n ++ 5 @+ 7"), plain.put("n"), delay="base"
    )
    play = Play(net).occur("T(n=1)")
    assert play.marking == {"One": "1*1@123", "Two": "2*1@100 + 1*5@107", "Plain": "1*1", "clock": "0"}
    counts(net)


def test_delays_start_at_the_time_of_the_occurrence() -> None:
    net = Net("n")
    place, out = net.place("P", timed(int), [at(10, 1)]), net.place("Q", timed(int))
    net.transition("T", place.take("n"), out.put("n"), delay=5)
    assert Play(net).occur("T(n=1)").marking == {"Q": "1*1@15", "clock": "10"}


def test_a_delay_may_depend_on_the_binding() -> None:
    net = Net("n")
    place, out = net.place("P", timed(int), [1, 4]), net.place("Q", timed(int))
    net.transition("T", place.take("n"), out.put("n @+ (2 * n if n > 3 else 0)"))
    assert Play(net).occur("T(n=1)").occur("T(n=4)").marking == {"Q": "1*1@0 + 1*4@8", "clock": "0"}


def test_a_choice_of_delays() -> None:
    net = Net("n")
    place, out = net.place("P", timed(int), [1]), net.place("Q", timed(int))
    net.transition("T", place.take("n"), out.put("n"), delay="d", free={"d": range(1, 4)})
    assert Play(net).labels == ["T(n=1, d=1)", "T(n=1, d=2)", "T(n=1, d=3)"]
    assert counts(net) == (4, 3, 3)


def test_the_youngest_ready_token_of_a_value_is_taken() -> None:
    net = Net("n")
    place = net.place("P", timed(str), ["x", at(2, "x"), at(4, "x"), at(9, "x"), at(4, "y")])
    start = net.place("Start", timed(None), [at(5)])
    net.transition("T", start.take(), place.take("v"))
    play = Play(net)
    assert play.labels == ["T(v='x')", "T(v='y')"], "equal values are one binding, whatever their stamps"
    assert play.occur("T(v='x')").marking == {"P": "1*'x'@0 + 1*'x'@2 + 1*'x'@9 + 1*'y'@4", "clock": "5"}
    assert counts(net) == (3, 2, 2)


def test_coefficients_take_the_youngest_first() -> None:
    net = Net("n")
    place, go = net.place("P", timed(int), [1, at(1, 1), at(2, 1), at(9, 1)]), net.place("Go", timed(None), [at(3)])
    net.transition("T", go.take(), place.take("2*n"))
    assert Play(net).occur("T(n=1)").marking == {"P": "1*1@0 + 1*1@9", "clock": "3"}
    counts(net)


def test_too_few_ready_tokens_wait_for_more() -> None:
    net = Net("n")
    place, out = net.place("P", timed(int), [1, at(6, 1)]), net.place("Q", int)
    net.transition("T", place.take("2*n"), out.put("n"))
    assert Play(net).occur("T(n=1)").marking == {"Q": "1*1", "clock": "6"}
    assert counts(net) == (2, 1, 1)


def test_a_test_arc_needs_a_ready_token_and_leaves_its_stamp() -> None:
    net = Net("n")
    place, out = net.place("P", timed(int), [at(3, 1)]), net.place("Q", int)
    net.transition("Look", place.test("n"), out.inhibit(), out.put("n"))
    assert Play(net).occur("Look(n=1)").marking == {"P": "1*1@3", "Q": "1*1", "clock": "3"}
    assert counts(net) == (2, 1, 1)


def test_an_inhibitor_sees_tokens_that_are_not_ready() -> None:
    net = Net("n")
    place, out = net.place("P", timed(int), [at(3, 1)]), net.place("Q", int)
    net.transition("Empty", place.inhibit(), out.inhibit(), out.put("1"))
    net.transition("Take", place.take("n"))
    play = Play(net)
    assert play.labels == ["Take(n=1)"]
    assert play.occur("Take(n=1)").labels == ["Empty"]
    assert counts(net) == (3, 2, 1)


def test_reset_and_capacity_count_tokens_that_are_not_ready() -> None:
    net = Net("n")
    place = net.place("P", timed(int), [at(3, 1), at(4, 2)], capacity=3)
    once = net.place("Once", int, [1])
    net.transition("Reset", once.take("1"), place.reset(), place.put("7 @+ 1"))
    net.transition("Fill", once.take("1"), place.put("2*8"))
    assert Play(net).labels == ["Reset"]
    assert Play(net).occur("Reset").marking == {"P": "1*7@1", "clock": "0"}
    counts(net)


def test_untimed_places_know_no_time() -> None:
    net = Net("n")
    plain, clocked = net.place("Plain", int, [1]), net.place("Clocked", timed(int))
    net.transition("Out", plain.take("n"), clocked.put("n @+ 4"))
    net.transition("Back", clocked.take("n"), plain.put("n"))
    play = Play(net).occur("Out(n=1)", "Back(n=1)", "Out(n=1)")
    assert play.marking == {"Clocked": "1*1@8", "clock": "4"}


def test_guards_may_wait_for_another_token() -> None:
    net = Net("n")
    place = net.place("P", timed(int), [1, at(5, 2)])
    net.transition("Even", place.take("n"), guard="n % 2 == 0")
    play = Play(net)
    assert play.labels == ["Even(n=2)"]
    assert play.occur("Even(n=2)").marking == {"P": "1*1@0", "clock": "5"}


def test_the_clock_is_the_measure_of_a_timed_net() -> None:
    model = adopt(job())
    assert model.measure is not None
    assert model.measure.name == "clock"
    for engine in ("reference", "native"):
        report = explore(job(), engine=engine)
        assert (report.statistics.layers, report.statistics.states) == (2, 7)
    plain = Net("plain")
    plain.transition("T", plain.place("P", int, [1]).take("n"))
    assert adopt(plain).measure is None
    assert "clock" not in adopt(plain).variables


def test_predicates_see_absolute_times() -> None:
    net = job()
    net.invariant("in time", lambda m: m.clock <= 5)
    net.invariant("stamps", lambda m: all(time in (0, 5) for _, time in (*m.Waiting.times(), *m.Done.times())))
    net.reachable("both done at once", lambda m: m.Done.times() == ((1, 5), (2, 5)))
    net.reachable("late", lambda m: m.clock > 5)
    for engine in ("reference", "native"):
        report = check(net, engine=engine)
        assert [verdict.status for verdict in report.verdicts] == [*[Status.HOLDS] * 3, Status.VIOLATED]


def test_a_clock_that_runs_for_ever_can_be_stopped() -> None:
    net = Net("n")
    place = net.place("P", timed(int), [1])
    net.transition("Tick", place.take("n"), place.put("n"), delay=10**12)
    for engine in ("reference", "native"):
        report = explore(net, engine=engine, limits=LIMIT)
        assert not report.complete
        assert report.statistics.states >= LIMIT.states


def test_no_delay_at_all_is_a_loop_in_no_time() -> None:
    net = Net("n")
    place = net.place("P", timed(int), [1])
    net.transition("Tick", place.take("n"), place.put("n"))
    assert counts(net) == (1, 1, 0)


@pytest.mark.parametrize("initial", [{at(2, 1): 3, 1: 2}, [1, 1, *[at(2, 1)] * 3], Bag([1, 1, *[at(2, 1)] * 3])])
def test_initial_tokens_with_counts(initial) -> None:
    net = Net("n")
    place = net.place("P", timed(int), initial)
    net.transition("T", place.take("n"))
    assert Play(net).marking == {"P": "2*1@0 + 3*1@2", "clock": "0"}
    assert counts(net) == (6, 5, 1)


def test_modules_share_the_clock() -> None:
    module = Net("module")
    port = module.place("P", timed(int), port="inout")
    module.transition("T", port.take("n"), port.put("n + 1"), guard="n < 2", delay="n + 1")
    net = Net("net")
    for index in range(2):
        net.substitution(f"M{index}", module, P=net.place(f"P{index}", timed(int), [index]))
    play = Play(net).occur("M0.T(n=0)", "M1.T(n=1)", "M0.T(n=1)")
    assert play.marking == {"P0": "1*2@3", "P1": "1*2@2", "clock": "1"}
    counts(net)
