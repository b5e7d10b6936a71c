"""Patterns of events: observers against a search that remembers what has happened."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck import LTS, Model, Network, Simulation, SweepcheckError, check, explore, never
from sweepcheck.cli.main import main
from sweepcheck.testing.random_networks import EVENTS, networks

SETS = st.sets(st.sampled_from(EVENTS), max_size=2).map(sorted)


def comes(network, events, after, before, without):
    """Whether the pattern comes on some run: a plain search over states and what was seen last."""
    name = {action.name: action.rule.event for action in network.actions}
    start = (network.initial_states()[0], not after)
    seen, unseen = {start}, [start]
    while unseen:
        state, armed = unseen.pop()
        for label, target in network.edges(state):
            event, now = name[label.action], armed
            if armed and event in events:
                return True
            if armed and event in before:
                continue
            if armed and event in without:
                now = False
            elif not armed and event in after:
                now = True
            if (target, now) not in seen:
                seen.add((target, now))
                unseen.append((target, now))
    return False


@settings(max_examples=60, deadline=None)
@given(networks(2), SETS, SETS, SETS, st.sampled_from(["reference", "native"]))
def test_an_observer_sees_exactly_the_pattern(drawn, events, others, without, engine):
    network = drawn.network
    assume(events)
    assume({*events, *others, *without} <= set(network.alphabet))
    for after, before, between in ((others, (), without if others else ()), ((), others, ())):
        asked = never("pattern", events, after=after, before=before, without=between)
        report = check(network, [asked], engine=engine, strategy="full")
        assert (report.exit_code == 1) == comes(network, events, after, before, between)
        trace = report.verdicts[0].trace
        if trace is not None:
            plain, bare = report.system.original(trace)
            assert plain is network
            assert report.system.followed(bare) == trace


@settings(max_examples=30, deadline=None)
@given(networks(2), SETS)
def test_observers_hold_up_nothing(drawn, events):
    network = drawn.network
    assume(events)
    assume(set(events) <= set(network.alphabet))
    watching = network.prepared([never("x", events, after=events)])
    before = {state for state, *_ in _edges(network)}
    after = {state[: len(network.variables)] for state, *_ in _edges(watching)}
    assert before == after


def _edges(network):
    seen, unseen = set(network.initial_states()), list(network.initial_states())
    while unseen:
        state = unseen.pop()
        for label, target in network.edges(state):
            yield state, label, target
            if target not in seen:
                seen.add(target)
                unseen.append(target)


TOGGLE = Network("toggle", {"switch": LTS([("off", "on", "lit"), ("lit", "off", "off")])})


def test_observers_are_there_only_when_asked_for():
    TOGGLE_STATES = explore(TOGGLE).statistics.states
    assert TOGGLE_STATES == 2
    report = check(TOGGLE, [never("no light", "on", after="off")], keep_going=True)
    assert report.system.variables == ("switch", "observer_no_light")
    steps = [str(step.label) for step in report["no light"].trace.steps]
    assert steps == ["on", "off", "on"]


def test_only_networks_have_events():
    with pytest.raises(SweepcheckError) as raised:
        check(Model("m", x=0), [never("a", "a")])
    assert raised.value.code == "SC404"


def test_unknown_events_are_refused():
    with pytest.raises(SweepcheckError) as raised:
        check(TOGGLE, [never("a", "onn")])
    assert raised.value.code == "SC612"
    assert raised.value.suggestion == "did you mean 'on'?"


def test_a_simulation_watches_events_too():
    network = Network("toggle", {"switch": LTS([("off", "on", "lit"), ("lit", "off", "off")])})
    network.declare(never("no light", "on", after="off"))
    simulation = Simulation(network, seed=1)
    for event, violated in (("on", 0), ("off", 0), ("on", 1), ("off", 1)):
        simulation.step(event)
        assert len(simulation.violated) == violated


def test_saved_traces_are_replayed_with_and_without_observers(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toggle.psl").write_text(
        'process Off = on -> Lit process Lit = off -> Off system = Off check never "again": on after off\n'
    )
    assert main(["check", "toggle.psl", "--trace", "trace.json", "-q"]) == 1
    assert main(["trace", "trace.json", "--model", "toggle.psl"]) == 0
    assert "replayed on toggle.psl: invariant 'again' is violated" in capsys.readouterr().err
    assert main(["simulate", "toggle.psl", "--replay", "trace.json", "--random", "0"]) == 1
    assert main(["check", "toggle.psl", "--never", "off after on", "--trace", "other.json", "-q"]) == 1
    assert main(["trace", "other.json", "--model", "toggle.psl"]) == 0
    assert "'off after on' is violated" in capsys.readouterr().err
