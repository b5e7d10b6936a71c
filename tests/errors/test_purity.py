"""Models that depend on more than their state, in ways that cannot be seen in their code: found by running it again."""

from itertools import count

import pytest

from sweepcheck import Bag, Model, SweepcheckError, check, choose, explore, require

ENGINES = ["native", "reference"]


def grid(step):
    """Two counters, so that the same value of one is met with many of the other; the first takes `step` at a time."""
    m = Model("grid", x=0, y=0)

    @m.action
    def right(s):
        require(s.x < 20)
        s.x += step()

    @m.action
    def up(s):
        require(s.y < 20)
        s.y += 1

    return m


def spoilt_by_a_predicate():
    """What an invariant writes down, an action reads."""
    seen = []
    m = grid(lambda: 1 if len(seen) < 60 else 2)

    def noted(s):
        list.append(seen, (s.x, s.y))
        return True

    m.invariant("noted", noted)
    return m


def counted_by_a_helper():
    """A function that the action calls counts its calls."""
    calls = {"so far": 0}

    def step():
        calls["so far"] = calls["so far"] + 1
        return 2 if calls["so far"] % 5 == 0 else 1

    return grid(step)


def other_tokens():
    """The token that is added depends on how many were added before."""
    tickets = [count()]
    m = Model("tickets", waiting=Bag(), served=0)

    @m.action
    def arrive(s):
        require(len(s.waiting) + s.served < 12)
        s.waiting.add(next(tickets[0]) % 3)

    @m.action
    def serve(s):
        s.waiting.take()
        s.served += 1

    return m


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", [spoilt_by_a_predicate, counted_by_a_helper, other_tokens])
def test_an_impure_action_is_found(make, engine):
    with pytest.raises(SweepcheckError) as raised:
        check(make(), engine=engine, verify_actions=True)
    error = raised.value
    assert error.code == "SC213"
    assert ("arrive" if make is other_tokens else "right") in error.what
    assert error.where.startswith("test_purity.py:")
    assert dict(error.values)["state"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", [counted_by_a_helper, other_tokens])
def test_an_impure_action_is_found_by_default(make, engine):
    for _ in range(3):
        with pytest.raises(SweepcheckError, match="SC213"):
            explore(make(), engine=engine)


@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "caching"])
def test_whatever_the_strategy(strategy):
    with pytest.raises(SweepcheckError, match="SC213"):
        explore(counted_by_a_helper(), strategy=strategy, measure=lambda s: s.y, engine="native")


def test_a_predicate_that_changes_its_mind():
    calls = [count()]
    m = grid(lambda: 1)
    m.invariant("settled", lambda s: next(calls[0]) < 30 or s.x < 0)
    with pytest.raises(SweepcheckError) as raised:
        check(m, engine="native", keep_going=True)
    assert raised.value.code in ("SC213", "SC502")


def test_a_measure_that_changes_its_mind():
    calls = [count()]

    def measure(s):
        return str(s.x) if next(calls[0]) < 20 else str(-s.x)

    with pytest.raises(SweepcheckError, match="SC213"):
        explore(grid(lambda: 1), engine="native", strategy="generalised", measure=measure)


@pytest.mark.parametrize("engine", ENGINES)
def test_it_is_found_when_only_counting(engine):
    with pytest.raises(SweepcheckError, match="SC213"):
        explore(counted_by_a_helper(), engine=engine, verify_actions=True)


def test_the_reference_engine_shows_both_answers():
    with pytest.raises(SweepcheckError) as raised:
        explore(counted_by_a_helper(), engine="reference", verify_actions=True)
    values = dict(raised.value.values)
    assert values["first"] == "right -> x=2 y=1"
    assert values["again"] == "right -> x=1 y=1"


def test_a_plain_object_is_verified_too():
    class Drifting:
        calls = 0

        def initial(self):
            return 0

        def successors(self, state):
            self.calls += 1
            if state < 5:
                yield "on", state + 1
                if self.calls == 6:
                    yield "off", 0

    with pytest.raises(SweepcheckError, match="SC213"):
        explore(Drifting(), verify_actions=True)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_a_pure_model_passes(engine, strategy):
    m = Model("pure", bag=Bag(["a", "b", "b"]), taken=())

    @m.action
    def take(s):
        token = s.bag.take()
        loud = choose(True, False)
        s.taken = (*s.taken, token.upper() if loud else token)

    @m.action
    def put(s):
        require(len(s.taken) == 3)
        s.bag.add(s.taken[0])
        s.taken = (*s.taken, None)

    m.progress(lambda s: len(s.taken))
    plain = explore(m, engine=engine, strategy=strategy).statistics
    verified = explore(m, engine=engine, strategy=strategy, verify_actions=True).statistics
    assert (verified.states, verified.edges, verified.peak) == (plain.states, plain.edges, plain.peak)
