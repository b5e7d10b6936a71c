"""Keys, cut-offs and bounds on models that are known: what is explored, what is refused, what traces look like."""

import pytest

from sweepcheck import (
    Array,
    Bag,
    Guarantee,
    Limits,
    Model,
    Net,
    Status,
    Stop,
    SweepcheckError,
    always_eventually,
    always_possible,
    check,
    colours,
    explore,
    invariant,
    queries,
    reachable,
    require,
    state_space_report,
)
from sweepcheck.core.equivalence import Equivalence
from sweepcheck.engines.replay import walk


def ring(n: int = 3) -> Model:
    """A token that goes round; all places are one class."""
    m = Model("ring", at=0)

    @m.action
    def pass_on(s):
        s.at = (s.at + 1) % n

    m.equivalence(lambda s: ())
    return m


def counter() -> Model:
    """Counts for ever."""
    m = Model("counter", n=0)

    @m.action
    def count(s):
        s.n += 1

    m.progress(lambda s: s.n)
    return m


def stop_and_wait(capacity: int = 3) -> Model:
    """Without an end: data and acknowledgements are forgotten up to their distance from the sender's number."""
    m = Model("endless stop-and-wait", sender=1, receiver=1, data=Bag(), acks=Bag())

    @m.action
    def send(s):
        require(len(s.data) + len(s.acks) < capacity)
        s.data.add(s.sender)

    @m.action
    def receive(s):
        if s.data.take() == s.receiver:
            s.receiver += 1
        s.acks.add(s.receiver)

    @m.action
    def receive_ack(s):
        s.sender = max(s.sender, s.acks.take())

    @m.action
    def lose(s):
        s.data.take()

    m.progress(lambda s: (s.sender, s.receiver))
    m.invariant("never ahead", lambda s: s.receiver - s.sender in (0, 1))
    return m


def distance(s):
    """What decides the future of stop-and-wait."""
    data = tuple(sorted(max(packet - s.sender, -1) for packet in s.data))
    return s.receiver - s.sender, data, tuple(sorted(max(ack - s.sender, 0) for ack in s.acks))


def code_of(run) -> str:
    with pytest.raises(SweepcheckError) as caught:
        run()
    return caught.value.code


# -- traces -----------------------------------------------------------------------------------------------------------


def test_a_loop_of_classes_is_followed_until_a_state_comes_back() -> None:
    m = ring(5)
    verdict = check(m, [always_eventually("never", lambda s: False)]).verdicts[0]
    assert verdict.status is Status.VIOLATED
    assert verdict.trace is not None
    assert len(verdict.trace) == 5
    assert verdict.trace.states[0] == verdict.trace.states[-1]
    walk(m, verdict.trace)


def test_a_loop_that_never_closes_ends_in_an_equivalent_state() -> None:
    m = Model("counter", n=0)

    @m.action
    def count(s):
        s.n += 1

    m.equivalence(lambda s: s.n % 3)
    report = check(m, [always_eventually("never", lambda s: False)])
    trace = report.verdicts[0].trace
    assert trace is not None
    assert [state[0] for state in trace.states] == [0, 1, 2, 3]
    assert trace.loop == 0
    assert "lead to an equivalent state" in repr(report)


def test_a_counter_example_is_a_real_run_of_the_first_states_met() -> None:
    m = stop_and_wait()
    m.cutoff(distance)
    verdict = check(m, [reachable("third", lambda s: s.receiver - s.sender == 1 and len(s.acks) == 2)]).verdicts[0]
    assert verdict.status is Status.HOLDS
    assert verdict.trace is not None
    walk(m, verdict.trace)


# -- cut-off ----------------------------------------------------------------------------------------------------------


def test_an_endless_protocol_is_decided() -> None:
    m = stop_and_wait()
    m.cutoff(distance, when=lambda s: s.sender == s.receiver)
    report = check(m)
    assert {(one.status, one.guarantee) for one in report.verdicts} == {(Status.HOLDS, Guarantee.CONDITIONAL)}
    assert report.strategy == "sweep"
    assert report.strategy_reason == "the model declares a cut-off"
    numbers = report.statistics
    assert 0 < numbers.remembered < numbers.explored
    assert numbers.skipped > 0
    full = explore(m, strategy="full").statistics
    assert full.states is not None
    assert full.states <= numbers.explored


def test_classes_are_remembered_as_when_says_and_count_in_the_peak() -> None:
    m = counter()
    m.cutoff(lambda s: s.n % 5, when=lambda s: s.n % 5 == 3)
    numbers = explore(m).statistics
    # 0 to 7 are processed: 8 is the first of a class that is remembered, 3's.
    assert (numbers.explored, numbers.remembered, numbers.skipped) == (8, 1, 1)
    assert numbers.peak == 3  # the layer at work, the one ahead, and the class that is remembered


def test_a_cut_off_that_remembers_nothing_may_have_no_end() -> None:
    m = counter()
    m.cutoff(lambda s: s.n % 5, when=lambda s: False)
    m.invariant("positive", lambda s: s.n >= 0)
    report = check(m, limits=Limits(states=200))
    assert report.stop is Stop.STATES
    assert report.verdicts[0].status is Status.INCONCLUSIVE
    assert report.statistics.grows
    assert any("progress still grows" in warning for warning in report.warnings)


def test_a_step_that_goes_back_costs_no_state_with_a_cut_off() -> None:
    m = Model("back", n=0)

    @m.action
    def forward(s):
        require(s.n < 9)
        s.n += 3

    @m.action
    def back(s):
        require(s.n > 0)
        s.n -= 1

    m.progress(lambda s: s.n)
    m.cutoff(lambda s: s.n)
    for gc in ("layer", 1, 3, 1000):
        numbers = explore(m, gc=gc).statistics
        assert (numbers.states, numbers.remembered) == (12, 12)
        assert numbers.regress_edges == 11


def test_an_equivalence_and_a_cut_off_go_together() -> None:
    m = Model("pair", n=0, left=0, right=1)

    @m.action
    def swap(s):
        s.left, s.right = s.right, s.left
        s.n += 1

    m.progress(lambda s: s.n)
    m.equivalence(lambda s: (s.n, frozenset((s.left, s.right))))
    m.cutoff(lambda s: (s.n % 4, frozenset((s.left, s.right))))
    assert explore(m).statistics.states == 4
    assert explore(m, equivalence=False, limits=Limits(states=50)).stop is Stop.STATES


# -- what is compared -------------------------------------------------------------------------------------------------


def test_progress_of_equivalent_states_is_compared() -> None:
    m = counter()
    m.equivalence(lambda s: s.n % 4)
    assert code_of(lambda: explore(m, limits=Limits(states=100))) == "SC231"
    assert explore(m, strategy="full").statistics.states == 4


@pytest.mark.parametrize("verify", [True, False])
def test_a_question_that_the_key_forgets_is_refused(verify) -> None:
    m = stop_and_wait()
    m.cutoff(distance)
    asked = [invariant("few", lambda s: s.receiver <= 5)]
    assert code_of(lambda: check(m, asked, verify_equivalence=verify)) == "SC232"


def test_final_states_and_folds_are_compared_too() -> None:
    m = Model("ends", left=2, colour=0)

    @m.action(colour=range(2))
    def end(s, colour):
        require(s.left)
        s.left -= 1
        s.colour = colour

    m.equivalence(lambda s: s.left)
    m.deadlock(final=lambda s: s.colour == 0)
    assert code_of(lambda: check(m)) == "SC232"
    assert code_of(lambda: queries.best_upper(queries.Sweep(m), lambda s: s.colour)) == "SC232"
    assert queries.best_upper(queries.Sweep(m), lambda s: s.left).value == 2


def test_initial_states_of_one_class_are_compared() -> None:
    m = Model("starts", n=0)
    m.initial(n=[0, 1, 2])

    @m.action
    def stay_put(s):
        s.n = s.n

    m.equivalence(lambda s: s.n // 2)
    assert explore(m).statistics.states == 2
    assert code_of(lambda: check(m, [invariant("even", lambda s: s.n % 2 == 0)])) == "SC232"


def test_a_report_has_no_bounds_where_equivalent_states_differ() -> None:
    report = state_space_report(ring(4), verify_equivalence=True)
    assert report.survey.bounds == ()
    assert report.survey.differing == ("at",)
    assert report.survey.components is not None
    assert report.survey.components.nodes == 1
    assert "no bounds where equivalent states differ: at" in repr(report)


@pytest.mark.parametrize("verify", [True, False])
def test_a_report_on_symmetric_states_has_bounds_of_how_many_there_are(verify: bool) -> None:
    people = colours.permutable(range(5))
    net = Net("meeting")
    alone = net.place("Alone", people, range(5))
    talking = net.place("Talking", (people, people))
    net.transition("Meet", alone.take("p ++ q"), talking.put("(p, q)"), guard="p != q")
    net.transition("Part", talking.take("(p, q)"), alone.put("p ++ q"))
    report, whole = (state_space_report(net, **{**one, "strategy": "full"}) for one in (
        {"verify_equivalence": verify}, {"equivalence": False}
    ))  # fmt: skip
    for place in ("Alone", "Talking"):
        found, known = report.bounds(place), whole.bounds(place)
        assert (found.lower, found.upper) == (known.lower, known.upper)
        assert found.upper_bag is None
    assert "3 classes of states" in repr(report)
    assert "no multi-set bounds where equivalent states differ: Alone, Talking" in repr(report)


def test_a_verdict_says_what_it_rests_on_unless_all_was_compared() -> None:
    m = ring(6)
    asked = [invariant("true", lambda s: s.at < 6)]
    assert "if the declared key is right" in str(check(m, asked).verdicts[0].reason)
    verified = check(m, asked, verify_equivalence=True)
    assert verified.verdicts[0].reason is None
    assert verified.statistics.verified
    assert verified.statistics.compared == 5
    endless = counter()
    endless.equivalence(lambda s: s.n % 2)
    numbers = explore(endless, strategy="full", verify_equivalence=True).statistics
    assert numbers.verified is False  # classes without end: some members of each


def test_a_fault_beyond_a_violation_does_not_hide_it() -> None:
    m = Model("breaks", n=0, loops=0)

    @m.action
    def count(s):
        s.n = 3 // (3 - s.n) if s.n == 3 else s.n + 1
        s.loops += 1

    m.equivalence(lambda s: s.n)
    verdict = check(m, [invariant("small", lambda s: s.n < 2)]).verdicts[0]
    assert verdict.status is Status.VIOLATED
    assert code_of(lambda: explore(m)) == "SC201"


# -- canonical forms --------------------------------------------------------------------------------------------------


class Symmetric(Model):
    """Processes that can be exchanged: the sorted array stands for all its permutations."""

    def declared_equivalence(self) -> Equivalence:
        return Equivalence(
            canonical=lambda state: (Array(sorted(state[0])),), form="sorted", origin="symmetry of p", renames=True
        )


def processes(n: int = 4) -> Symmetric:
    m = Symmetric("processes", at=Array([0] * n))

    @m.action(p=range(n), fair=True)
    def step(s, p):
        require(s.at[p] < 2)
        s.at[p] += 1

    return m


@pytest.mark.parametrize("measure", [None, lambda s: sum(s.at)])
def test_a_canonical_form_is_the_key_of_a_class(measure) -> None:
    m = processes()
    report = check(m, [reachable("all", lambda s: min(s.at) == 2)], measure=measure, verify_equivalence=True)
    assert report.verdicts[0].trace is not None
    walk(m, report.verdicts[0].trace)
    numbers = explore(m, measure=measure).statistics
    assert (numbers.states, numbers.edges) == (15, 20)  # multisets of four out of three, and their steps
    assert "symmetry of p (sorted)" in repr(report)
    assert explore(m, equivalence=False).statistics.states == 3**4
    assert [one.action for one in state_space_report(m).survey.actions] == ["step"]


def test_fairness_to_members_of_a_family_that_are_exchanged_is_refused() -> None:
    asked = [always_eventually("some", lambda s: sum(s.at) > 0)]
    assert code_of(lambda: check(processes(), asked)) == "SC404"
    assert check(processes(), asked, fair=[]).verdicts[0].status is Status.HOLDS
    assert check(processes(), asked, equivalence=False)


def test_a_question_about_one_of_them_is_refused() -> None:
    assert code_of(lambda: check(processes(), [invariant("first", lambda s: s.at[0] < 2)])) == "SC232"


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["generalised", "caching"])
def test_a_cut_off_goes_with_a_sweep(strategy) -> None:
    m = counter()
    m.cutoff(lambda s: s.n % 5)
    assert code_of(lambda: explore(m, strategy=strategy)) == "SC404"


@pytest.mark.parametrize("asked", [always_possible, always_eventually])
def test_cycles_need_every_class_to_be_stored(asked) -> None:
    m = counter()
    m.cutoff(lambda s: s.n % 5)
    cyclic = [asked("at 3", lambda s: s.n % 5 == 3)]
    assert code_of(lambda: check(m, cyclic, strategy="sweep")) == "SC404"
    report = check(m, cyclic)
    assert report.verdicts[0].guarantee is Guarantee.CONDITIONAL
    assert report.strategy == "full"
    assert code_of(lambda: state_space_report(m, strategy="sweep")) == "SC404"
    assert state_space_report(m).complete


def test_folds_that_would_count_wrongly_are_refused() -> None:
    m = counter()
    m.cutoff(lambda s: s.n % 5)
    swept, kept = queries.Sweep(m, strategy="sweep"), queries.Sweep(m)
    count = {"init": 0, "comb": lambda total, one: total + one, "eval": lambda _: 1}
    assert code_of(lambda: queries.explore_states(swept, **count)) == "SC404"
    assert queries.best_upper(swept, lambda s: s.n % 5).value == 4
    assert queries.best_upper(kept, lambda s: s.n % 5).value == 4
    assert code_of(lambda: queries.explore_edges(kept, **count)) == "SC404"


def test_fairness_to_an_action_is_kept() -> None:
    m = Model("worker", done=0, idle=0)

    @m.action
    def wait(s):
        s.idle = (s.idle + 1) % 2

    @m.action(fair=True)
    def work(s):
        require(not s.done)
        s.done = 1

    m.equivalence(lambda s: s.done)
    asked = [always_eventually("done", lambda s: s.done == 1)]
    assert check(m, asked, verify_equivalence=True)
    violated = check(m, asked, fair=[])
    assert violated.verdicts[0].status is Status.VIOLATED
    assert len(violated.verdicts[0].trace) == 2  # one class, two states


@pytest.mark.parametrize(
    ("declare", "code"),
    [
        (lambda m: m.equivalence(3), "SC117"),
        (lambda m: m.equivalence(lambda: 3), "SC117"),
        (lambda m: m.cutoff(lambda s: 0, when=True), "SC117"),
        (lambda m: (m.equivalence(lambda s: 0), m.equivalence(lambda s: 1)), "SC112"),
        (lambda m: (m.cutoff(lambda s: 0), m.cutoff(lambda s: 1)), "SC112"),
        (lambda m: (m.equivalence(lambda s: s.m), explore(m)), "SC202"),
        (lambda m: (m.equivalence(lambda s: 1 // s.n), explore(m)), "SC209"),
        (lambda m: explore(m, equivalence="no"), "SC403"),
        (lambda m: explore(m, verify_equivalence=1), "SC403"),
        (lambda m: explore(m, up_to=[3]), "SC403"),
        (lambda m: explore(m, up_to=-1), "SC403"),
        (lambda m: explore(m, up_to="m < 3"), "SC402"),
        (lambda m: explore(m, up_to=3, strategy="sweep"), "SC404"),
    ],
)
def test_mistakes(declare, code) -> None:
    assert code_of(lambda: declare(counter())) == code


# -- bounds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("up_to", ["n < 5", "progress < 5", lambda s: s.n < 5, "s.n < 5"])
@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "caching"])
def test_a_bounded_prefix(strategy, up_to) -> None:
    report = check(
        counter(), [invariant("small", lambda s: s.n < 6), reachable("six", lambda s: s.n == 6)],
        strategy=strategy, up_to=up_to,
    )  # fmt: skip
    assert report.stop is Stop.BOUND
    assert [str(one.guarantee) for one in report.verdicts] == ["bounded", "bounded"]
    assert (report.statistics.explored, report.statistics.beyond, report.statistics.dead_states) == (5, 1, 0)
    assert report.exit_code == 3
    violated = check(counter(), [invariant("small", lambda s: s.n < 5)], strategy=strategy, up_to=up_to)
    assert violated.verdicts[0].status is Status.VIOLATED  # what lies beyond is judged


def test_a_bound_on_steps() -> None:
    numbers = explore(counter(), strategy="full", up_to=4).statistics
    assert (numbers.states, numbers.explored, numbers.beyond) == (5, 4, 1)
    assert explore(counter(), strategy="full", up_to="4").statistics.states == 5
    assert explore(counter(), strategy="full", up_to=0).statistics.states == 1
    for wrong in (-3, "-3", "2.5", "-.5", "."):
        assert code_of(lambda wrong=wrong: explore(counter(), strategy="full", up_to=wrong)) == "SC403"


def test_a_bound_that_nothing_lies_beyond_changes_nothing() -> None:
    m = ring(4)
    report = check(m, [invariant("true", lambda s: True)], up_to="at < 4", equivalence=False)
    assert report
    assert report.complete
    assert report.statistics.states == 4


def test_verification_stops_at_the_bound() -> None:
    m = counter()
    m.equivalence(lambda s: s.n % 5)
    verified = explore(m, strategy="full", verify_equivalence=True, up_to=100).statistics
    assert verified.verified is False  # there are more
    assert verified.compared is not None
    assert verified.compared >= 95


def test_equivalent_states_lie_on_the_same_side_of_a_constraint() -> None:
    m = counter()
    m.cutoff(lambda s: s.n % 5)
    assert code_of(lambda: explore(m, verify_equivalence=True, constraints=["n < 100"])) == "SC232"
    assert explore(m, verify_equivalence=True, up_to="n < 100").statistics.verified is False


# -- nets -------------------------------------------------------------------------------------------------------------


def test_a_net_declares_both_in_the_same_words() -> None:
    net = Net("endless")
    number = net.place("Number", int, [0])
    net.transition("Count", number.take("n"), number.put("n + 1"))
    net.progress(lambda m: m.Number.token)
    net.cutoff(lambda m: m.Number.token % 7)
    assert explore(net).statistics.states == 7
    net.equivalence(lambda m: m.Number.token % 7)
    assert code_of(lambda: net.equivalence(lambda m: 0)) == "SC112"


def test_labels_that_tell_what_the_key_forgets_are_one_edge() -> None:
    m = Model("bag", b=Bag(range(4)))

    @m.action
    def take(s):
        s.b.take()

    m.equivalence(lambda s: len(s.b))
    report = explore(m)
    numbers = report.statistics
    assert (numbers.states, numbers.edges, numbers.labelled_edges) == (5, 4, 10)
    assert "by action; 10 by label" in repr(report)
    assert report.to_json()["statistics"]["classes"] == 5


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_key_that_is_verified_up_to_some_steps_is_taken_for_granted_beyond(engine: str) -> None:
    """All classes are met within the bound, and the states that show the key to be wrong lie beyond it."""
    m = Model("late", n=0)

    @m.action
    def tick(s):
        require(s.n < 50)
        s.n += 1

    m.equivalence(lambda s: s.n % 2)
    m.deadlock()
    options = {"engine": engine, "strategy": "full", "verify_equivalence": True}
    report = check(m, up_to=8, **options)
    assert report.complete
    assert report.statistics.verified is False
    assert "if the declared key is right" in report.verdicts[0].reason
    assert "those up to the bound" in repr(report)
    with pytest.raises(SweepcheckError, match="SC233"):
        check(m, up_to=60, **options)


def lift(cut: bool) -> Model:
    m = Model("lift", floor=0, trips=0)

    @m.action
    def up(s):
        require(s.floor < 3)
        s.floor += 1

    @m.action
    def down(s):
        require(s.floor == 3)
        s.floor = 0
        s.trips += 1

    m.progress(lambda s: (s.trips, s.floor) if cut else 0)
    m.invariant("below the roof", lambda s: s.floor <= 3)
    if cut:
        m.cutoff(lambda s: s.floor, when=lambda s: s.floor == 0)
    else:
        m.equivalence(lambda s: s.floor)
    return m


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("up_to", [12, 2, "trips < 4", "floor < 2"])
def test_a_key_is_verified_as_far_as_a_bound(engine: str, cut: bool, up_to) -> None:
    """The bound says how far to look, and nothing of the system: equivalent states need not agree on it."""
    report = check(lift(cut), up_to=up_to, verify_equivalence=True, engine=engine)
    seen = up_to in (2, "floor < 2")
    guarantee = Guarantee.BOUNDED if seen else Guarantee.CONDITIONAL
    assert report.verdicts[0].guarantee is guarantee
    assert report.statistics.verified is False
    assert (report.strategy == "full") is (type(up_to) is int)
    wrong = lift(cut)
    wrong._equivalence = wrong._cutoff = None
    wrong.equivalence(lambda s: s.floor // 2)
    with pytest.raises(SweepcheckError, match="SC233"):
        check(wrong, up_to=12, verify_equivalence=True, engine=engine, strategy="full")


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_equivalent_states_have_to_agree_on_constraints_by_name(engine: str) -> None:
    with pytest.raises(SweepcheckError, match=r"SC232.*constraint 'trips < 4'"):
        check(lift(False), constraints=["trips < 4"], engine=engine)
