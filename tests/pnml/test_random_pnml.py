"""Random PNML nets against a naive token game: the same states, the same edges, however the net is run."""

import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from symmetric_nets import Spec, plain_net, plain_pnml, random_plain, random_symmetric

from sweepcheck import explore, load
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.model import System
from sweepcheck.errors import ModelError
from sweepcheck.models.pnml.system import read_pnml

SEEDS = range(3000 if os.environ.get("SWEEPCHECK_SLOW") else 40)


def held(model: System, state: object, spec: Spec) -> tuple[frozenset[tuple[object, int]], ...]:
    """A state as the game writes it; pages may have changed the order of places."""
    described = model.describe(state)
    return tuple(frozenset(described[name].items()) for name in spec.places)


def play_along(model: System, spec: Spec) -> None:
    """The model does in every state what the game does, as often."""
    found, complete = spec.explored(most=300)
    states = {held(model, state, spec): state for state in model.initial_states()}
    assert set(states) == {spec.initial()}
    waiting = list(states.values())
    while waiting:
        state = waiting.pop()
        if held(model, state, spec) not in found:
            assert not complete
            continue
        edges = model.edges(state)
        mine = Counter((edge.label.action, held(model, edge.target, spec)) for edge in edges)
        assert mine == Counter(found[held(model, state, spec)])
        for edge in edges:
            if held(model, edge.target, spec) not in states:
                states[held(model, edge.target, spec)] = edge.target
                waiting.append(edge.target)
    assert set(found) <= set(states)
    if complete:
        for engine in ("native", "reference"):
            report = explore(model, engine=engine)
            assert (report.statistics.states, report.statistics.edges) == (len(found), sum(map(len, found.values())))


@pytest.mark.parametrize("seed", SEEDS)
def test_plain_nets(seed: int, tmp_path: Path) -> None:
    places, transitions = random_plain(Random(seed))
    path = tmp_path / "net.pnml"
    path.write_text(plain_pnml(places, transitions), encoding="utf-8")
    play_along(load(str(path)), plain_net(places, transitions))


@pytest.mark.parametrize("seed", SEEDS)
def test_symmetric_nets(seed: int, tmp_path: Path) -> None:
    spec = random_symmetric(Random(seed))
    path = tmp_path / "net.pnml"
    path.write_text(spec.pnml(), encoding="utf-8")
    for unfold in (False, True):
        try:
            model = load(str(path), unfold=unfold)
        except ModelError as error:
            assert error.code == "SC139", error  # noqa: PT017 - what no inscription says
            continue
        play_along(model, spec)


def test_random_nets_are_not_all_refused(tmp_path: Path) -> None:
    run = 0
    for seed in range(40):
        path = tmp_path / f"net{seed}.pnml"
        path.write_text(random_symmetric(Random(seed)).pnml(), encoding="utf-8")
        for unfolded in (False, True):
            try:
                read_pnml(path, FileLimits(), unfolded)
                run += 1
            except ModelError:
                pass
    assert run > 50
