"""A site dies: the run goes on from what was kept, with as many sites or fewer, and comes to the same numbers."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sweepcheck import Model, SweepcheckError, choose, deadlock, require
from sweepcheck.cluster import driver, kept
from sweepcheck.cluster.driver import LostError
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.messages import Order, Told
from sweepcheck.core.observer import Silence
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.request import Request
from sweepcheck.core.verdict import Status
from sweepcheck.engines import native
from sweepcheck.errors import RequestError
from sweepcheck.models.adoption import adopt
from sweepcheck.planner import plan

NUMBERS = ("states", "edges", "explored", "peak", "layers", "sweeps", "dead_states", "persistent", "regress_edges")


class Mortal(LocalSites):
    """Sites of which one dies in the supersteps with these numbers; then there are so many."""

    def __init__(self, decided: Plan, count: int, deaths: Sequence[int], then: int) -> None:
        super().__init__(decided, count)
        self.deaths, self.then, self.steps, self.started = set(deaths), then, 0, 0

    def start(self, *, count_natively: bool, resumes: bool) -> None:
        self.started += 1
        self.count = self.count if self.started == 1 else self.then
        super().start(count_natively=count_natively, resumes=resumes)

    def step(self, orders: Sequence[Order], inboxes: Sequence[Sequence[Any]]) -> tuple[list[Told], list[list[Any]]]:
        self.steps += 1
        if self.steps in self.deaths:
            raise LostError("killed")
        return super().step(orders, inboxes)


def machine(back: bool = False) -> Model:
    m = Model("machine", t=0, x=0, y="a")

    @m.action
    def go(s):
        require(s.t < 8)
        s.t += 1
        s.x = choose(s.x, (s.x + 1) % 5)

    @m.action
    def turn(s):
        s.y = "b" if s.y == "a" else "a"

    if back:

        @m.action
        def fall(s):
            require(s.t in (5, 8) and s.x == 3)
            s.t -= 3

    m.progress(lambda s: s.t)
    m.invariant("low", lambda s: not (s.t == 8 and s.x == 4 and s.y == "b"))
    return m


def decided(strategy: str, back: bool = False, **options: Any) -> Plan:
    return plan(adopt(machine(back)), Request(strategy=strategy, engine="native", **options))


def numbers(outcome: Outcome) -> dict[str, Any]:
    return {name: getattr(outcome.statistics, name) for name in NUMBERS}


@pytest.mark.parametrize("then", [3, 2, 1])
@pytest.mark.parametrize(("strategy", "back"), [("full", False), ("sweep", False), ("generalised", True)])
def test_the_run_goes_on(strategy: str, back: bool, then: int, tmp_path: Path) -> None:
    asked = decided(strategy, back, properties=(), trace=False)
    alone = native.run(asked, Silence())
    sites = Mortal(asked, 3, (3, 9, 14, 20), then)
    shared = driver.run(asked, Silence(), sites, tmp_path, every=0)
    assert sites.started >= 4  # with fewer sites there are fewer supersteps
    assert numbers(shared) == numbers(alone)
    assert [(one.progress, one.states, one.stored) for one in shared.profile] == [
        (one.progress, one.states, one.stored) for one in alone.profile
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_violation_is_found_and_its_trace_is_lost(tmp_path: Path) -> None:
    asked = decided("sweep")
    shared = driver.run(asked, Silence(), Mortal(asked, 2, (5,), 2), tmp_path, every=0)
    (low,) = shared.decisions
    assert (low.status, low.trace) == (Status.VIOLATED, None)
    assert shared.trace_lost is not None


def test_without_a_folder_the_run_ends(tmp_path: Path) -> None:
    asked = decided("sweep")
    with pytest.raises(SweepcheckError) as raised:
        driver.run(asked, Silence(), Mortal(asked, 2, (5,), 2))
    assert raised.value.code == "SC622"


def test_sites_that_die_again_and_again_end_the_run(tmp_path: Path) -> None:
    asked = decided("sweep")
    with pytest.raises(SweepcheckError) as raised:
        driver.run(asked, Silence(), Mortal(asked, 2, range(1, 9), 2), tmp_path, every=1000)
    assert raised.value.code == "SC622"


@pytest.mark.parametrize("spoil", ["cut", "edited", "gone"])
def test_a_file_that_is_not_as_it_was_is_refused(spoil: str, tmp_path: Path) -> None:
    path = tmp_path / "1-0.site"
    kept.write_kept(path, [(0, 1, '"a"')], b"\x00\x01")
    assert kept.read_kept(path) == ([(0, 1, '"a"')], b"\x00\x01")
    content = path.read_bytes()
    if spoil == "gone":
        path.unlink()
    else:
        path.write_bytes(content[:-3] if spoil == "cut" else content.replace(b'"a', b'"b'))
    with pytest.raises(RequestError) as raised:
        kept.read_kept(path)
    assert raised.value.code == "SC623"


def test_what_a_site_was_writing_when_it_died_is_removed(tmp_path: Path) -> None:
    for name in ("2-0.site", "3-0.site", ".3-1.site.17"):
        (tmp_path / name).write_bytes(b"")
    kept.remove_files(tmp_path, but=3)
    assert [path.name for path in tmp_path.iterdir()] == ["3-0.site"]
    (tmp_path / ".4-1.site.17").write_bytes(b"")
    kept.remove_files(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / kept.MANIFEST).write_text(json.dumps({}))
    with pytest.raises(RequestError) as raised:
        kept.prepare(tmp_path)
    assert raised.value.code == "SC623"


def test_the_way_to_a_state_goes_from_site_to_site() -> None:
    asked = plan(adopt(machine()), Request([deadlock(), "low"], strategy="full", engine="native", keep_going=True))
    alone, shared = (run(asked, Silence()) for run in (native.run, lambda p, o: driver.run(p, o, LocalSites(p, 3))))
    lengths = [[None if one.trace is None else len(one.trace) for one in run.decisions] for run in (alone, shared)]
    assert lengths[0] == lengths[1]
    assert lengths[0][1] is not None
