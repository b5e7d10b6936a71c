"""Arcs that take tokens before they are ready, against a token game that is written down once more."""

from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import Net, SweepcheckError, at, check, explore, invariant, load
from sweepcheck.models.adoption import adopt
from sweepcheck.models.net.colours import timed
from sweepcheck.models.net.source import net_source

PLACES = "AB"
# A transition: from where it takes and how early, where to it puts and after how long.
Move = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
arcs = st.tuples(st.sampled_from(PLACES), st.integers(0, 3))
moves = st.tuples(
    st.lists(arcs, min_size=1, max_size=2, unique_by=lambda arc: arc[0]).map(tuple),
    st.lists(arcs, max_size=1).map(tuple),
)
tokens = st.lists(st.tuples(st.sampled_from(PLACES), st.integers(0, 6)), min_size=1, max_size=4)


def net_of(first: list[tuple[str, int]], given_moves: list[Move]) -> Net:
    net = Net("early")
    places = {name: net.place(name, timed(None), [at(time) for at_, time in first if at_ == name]) for name in PLACES}
    for number, (takes, puts) in enumerate(given_moves):
        inputs = [places[name].take(early=early) for name, early in takes]
        net.transition(f"t{number}", *inputs, *(places[name].put(delay=delay) for name, delay in puts))
    return net


def successors(marking: Counter, clock: int, given_moves: list[Move]) -> list[tuple[frozenset, int]]:
    """What can happen next: at the first time, from now on, when anything can."""
    stamps = {time for _, time in marking}
    times = {clock} | {time - early for time, early in product(stamps, range(4)) if time - early > clock}
    for now in sorted(times):
        found = []
        for takes, puts in given_moves:
            after = marking.copy()
            for place, early in takes:
                fit = [time for name, time in after if name == place and time <= now + early]
                if not fit:
                    break
                after[place, max(fit)] -= 1
                after = +after
            else:
                after.update((place, now + delay) for place, delay in puts)
                found.append((frozenset(after.items()), now))
        if found:
            return found
    return []


@given(tokens, st.lists(moves, min_size=1, max_size=3))
def test_the_same_markings_at_the_same_times(first: list[tuple[str, int]], given_moves: list[Move]) -> None:
    given_moves = [(takes, puts if len(puts) < len(takes) else ()) for takes, puts in given_moves]  # so that it ends
    start = frozenset(Counter(first).items()), 0
    seen, waiting, edges = {start}, [start], 0
    while waiting:
        held, clock = waiting.pop()
        for one in successors(Counter(dict(held)), clock, given_moves):
            edges += 1
            if one not in seen:
                seen.add(one)
                waiting.append(one)
    report = explore(net_of(first, given_moves))
    assert (report.statistics.states, report.statistics.edges) == (len(seen), edges)


def test_predicates_and_traces_know_the_time() -> None:
    net = net_of([("A", 8)], [((("A", 5),), (("B", 2),))])
    report = check(net, [invariant("soon", lambda m: m.clock < 3)])
    trace = report["soon"].trace
    assert trace is not None
    assert [step.label.action for step in trace.steps] == ["t0"]
    model = adopt(net)
    (edge,) = model.edges(model.initial_states()[0])
    assert model.view(edge.target).B.times() == (((), 5),)


def test_the_net_can_be_written_down(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(net_source(net_of([("A", 8)], [((("A", 5),), (("B", 2),))]), "a test"))
    assert "take(early=5)" in path.read_text()
    report = explore(load(path))
    assert (report.statistics.states, report.statistics.edges) == (2, 1)


def test_only_some_engines_know_it() -> None:
    net = net_of([("A", 8)], [((("A", 5),), ())])
    assert explore(net).engine == "reference"
    with pytest.raises(SweepcheckError) as caught:
        explore(net, engine="native")
    assert "before they are ready" in str(caught.value)


@pytest.mark.parametrize("early", [-1, 1.5, True, "n"])
def test_how_early_is_a_number(early: object) -> None:
    net = Net("early")
    place = net.place("A", timed(int), [1])
    with pytest.raises(SweepcheckError) as caught:
        net.transition("t", place.take("n", early=early))  # type: ignore[arg-type]
    assert caught.value.code == "SC131"


def test_tokens_without_time_are_not_early() -> None:
    net = Net("early")
    with pytest.raises(SweepcheckError) as caught:
        net.transition("t", net.place("A", int, [1]).take("n", early=1))
    assert caught.value.code == "SC131"
