"""A site dies: the run goes on from what was kept, with as many sites or fewer, and comes to the same numbers."""

import json
import os
import shutil
from collections.abc import Sequence
from errno import ENOSPC
from os import strerror
from pathlib import Path
from typing import Any

import pytest

from sweepcheck import Model, SweepcheckError, choose, deadlock, require
from sweepcheck.cluster import driver, kept
from sweepcheck.cluster.driver import LostError
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.messages import Order, Told
from sweepcheck.cluster.places import Folder, place_of
from sweepcheck.cluster.ray_sites import patiently, remove_stale
from sweepcheck.core.observer import Silence
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.request import Request
from sweepcheck.core.verdict import Status, Stop
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


@pytest.mark.parametrize("death", [4, 7, 10, 13])
@pytest.mark.parametrize(("strategy", "back"), [("sweep", False), ("generalised", True)])
def test_layers_are_left_together_or_when_the_next_one_begins(
    strategy: str, back: bool, death: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All wait at the end of a layer only where something is to be kept: here of every third one."""
    asked, layers = decided(strategy, back, properties=(), trace=False), []
    monkeypatch.setattr(driver.Driver, "_is_due", lambda run: len(run.profile) % 3 == 0 and not layers.append(run))
    sites = Mortal(asked, 3, (death,), 2)
    shared = driver.run(asked, Silence(), sites, tmp_path)
    alone = native.run(asked, Silence())
    assert layers
    assert sites.started == 2
    assert (numbers(shared), shared.profile) == (numbers(alone), alone.profile)
    monkeypatch.undo()
    seldom, often = (driver.run(asked, Silence(), LocalSites(asked, 3), tmp_path, every=every) for every in (1000, 0))
    assert seldom.statistics.shared.steps < often.statistics.shared.steps  # type: ignore[union-attr]


@pytest.mark.parametrize("before_the_end", range(4))
def test_sites_that_die_at_the_end(before_the_end: int, tmp_path: Path) -> None:
    """Some of those that go on then have nothing left to do."""
    asked = decided("full", properties=(), trace=False)
    whole = Mortal(asked, 3, (), 3)
    alone = driver.run(asked, Silence(), whole, tmp_path, every=0)
    sites = Mortal(asked, 3, (whole.steps - before_the_end,), 3)
    shared = driver.run(asked, Silence(), sites, tmp_path, every=0)
    assert sites.started == 2
    assert (numbers(shared), shared.profile) == (numbers(alone), alone.profile)


def test_the_way_to_a_violation_is_looked_for_again(tmp_path: Path) -> None:
    asked = decided("sweep")
    sites = Mortal(asked, 2, (5,), 2)
    shared = driver.run(asked, Silence(), sites, tmp_path, every=0)
    (low,) = shared.decisions
    assert sites.started == 3
    assert low.status is Status.VIOLATED
    assert low.trace is not None
    assert low.trace.steps[-1].state == (8, 4, "b")
    assert shared.trace_lost is None


def test_a_way_that_cannot_be_looked_for_is_lost(tmp_path: Path) -> None:
    asked = decided("sweep")
    whole = Mortal(asked, 2, (5,), 2)
    driver.run(asked, Silence(), whole, tmp_path, every=0)
    sites = Mortal(asked, 2, (5, whole.steps), 2)  # and again, when it is looked for
    shared = driver.run(asked, Silence(), sites, tmp_path, every=0)
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
    place, name = place_of(str(tmp_path)), "1-0.site"
    path = tmp_path / name
    kept.write_kept(place, name, [(0, 1, '"a"')], b"\x00\x01")
    assert kept.read_kept(place, name) == ([(0, 1, '"a"')], b"\x00\x01")
    content = path.read_bytes()
    if spoil == "gone":
        path.unlink()
    else:
        path.write_bytes(content[:-3] if spoil == "cut" else content.replace(b'"a', b'"b'))
    with pytest.raises(RequestError) as raised:
        kept.read_kept(place, name)
    assert raised.value.code == "SC623"


def test_what_a_site_was_writing_when_it_died_is_removed(tmp_path: Path) -> None:
    for name in ("2-0.site", "3-0.site", ".3-1.site.17"):
        (tmp_path / name).write_bytes(b"")
    kept.remove_files(place_of(str(tmp_path)), but=3)
    assert [path.name for path in tmp_path.iterdir()] == ["3-0.site"]
    (tmp_path / ".4-1.site.17").write_bytes(b"")
    kept.remove_files(place_of(str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [kept.MANIFEST, "1-0.site"])
def test_a_folder_of_another_run_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(json.dumps({}))
    asked = decided("sweep")
    with pytest.raises(RequestError) as raised:
        driver.run(asked, Silence(), LocalSites(asked, 2), tmp_path)
    assert raised.value.code == "SC623"
    assert [path.name for path in tmp_path.iterdir()] == [name]


class DriverDiedError(Exception):
    """The process of the driver was killed."""


class Ending(LocalSites):
    """The driver dies in a superstep."""

    left = 12

    def step(self, orders: Sequence[Order], inboxes: Sequence[Sequence[Any]]) -> tuple[list[Told], list[list[Any]]]:
        self.left -= 1
        if self.left == 0:
            raise DriverDiedError
        return super().step(orders, inboxes)


def killed(asked: Plan, folder: Path | str, about: dict[str, Any]) -> None:
    with pytest.raises(DriverDiedError):
        driver.run(asked, Silence(), Ending(asked, 3), folder, every=0, about=lambda: about)


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize(("strategy", "back"), [("full", False), ("sweep", False), ("generalised", True)])
def test_another_driver_goes_on_where_one_died(strategy: str, back: bool, remote: bool, tmp_path: Path) -> None:
    if remote:
        pytest.importorskip("fsspec")
    folder = f"file://{tmp_path}/run" if remote else tmp_path
    asked = decided(strategy, back, properties=(), trace=False)
    about = {"identity": {"model": "machine"}}
    killed(asked, folder, about)
    sites = Mortal(asked, 2, (), 2)
    shared = driver.run(asked, Silence(), sites, folder, every=0, about=lambda: about)
    alone = native.run(asked, Silence())
    assert numbers(shared) == numbers(alone)
    assert sites.steps < shared.statistics.shared.steps  # type: ignore[union-attr]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_another_run_does_not_go_on_there(tmp_path: Path) -> None:
    asked = decided("sweep")
    killed(asked, tmp_path, {"identity": {"parameters": "n=3"}})
    with pytest.raises(RequestError, match="parameters changed") as raised:
        driver.run(asked, Silence(), LocalSites(asked, 2), tmp_path, about=lambda: {"identity": {"parameters": "n=4"}})
    assert raised.value.code == "SC619"
    assert (tmp_path / kept.MANIFEST).exists()


def test_an_interrupted_run_can_be_gone_on_with(tmp_path: Path) -> None:
    class Interrupted(Ending):
        def step(self, *given: Any) -> Any:
            try:
                return super().step(*given)
            except DriverDiedError:
                raise KeyboardInterrupt from None

    asked = decided("full", properties=(), trace=False)
    first = driver.run(asked, Silence(), Interrupted(asked, 2), tmp_path, every=0)
    assert first.stop is Stop.INTERRUPTED
    assert (tmp_path / kept.MANIFEST).exists()
    again = driver.run(asked, Silence(), LocalSites(asked, 2), tmp_path, every=0)
    assert numbers(again) == numbers(native.run(asked, Silence()))


class FailingLater:
    """Files of a folder that can be written, and then no more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: int, only_once: bool = False) -> None:
        self.left, self.failed, as_ever = after, 0, Folder.write

        def write(place: Folder, name: str, content: bytes) -> None:
            self.left -= 1
            if self.left < 0 and not (only_once and self.failed):
                self.failed += 1
                raise OSError(ENOSPC, strerror(ENOSPC))
            as_ever(place, name, content)

        monkeypatch.setattr(Folder, "write", write)


@pytest.mark.parametrize("strategy", ["sweep", "full"])
@pytest.mark.parametrize("after", [5, 6, 7])  # one for the probe, four for each time: a site, another one, the manifest
def test_a_disk_that_is_full_later_costs_no_verdict(
    strategy: str, after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FailingLater(monkeypatch, after)
    asked = decided(strategy)
    shared = driver.run(asked, Silence(), LocalSites(asked, 3), tmp_path, every=0)
    assert disk.failed > 1  # it is tried again
    assert [one.status for one in shared.decisions] == [Status.VIOLATED]
    assert "No space left" in shared.unwritten[0]
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_has_room_again_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = FailingLater(monkeypatch, 6, only_once=True)
    asked = decided("sweep", properties=(), trace=False)
    sites = Mortal(asked, 3, (9,), 2)  # long after it failed
    shared = driver.run(asked, Silence(), sites, tmp_path, every=0)
    assert (disk.failed, sites.started, shared.unwritten) == (1, 2, ())
    assert numbers(shared) == numbers(native.run(asked, Silence()))


def test_a_disk_that_is_full_from_the_start_is_told_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for after in (0, 1, 2):
        FailingLater(monkeypatch, after)
        asked = decided("sweep")
        with pytest.raises(RequestError, match="No space left") as raised:
            driver.run(asked, Silence(), LocalSites(asked, 3), tmp_path, every=0)
        assert raised.value.code == "SC623"
        assert list(tmp_path.iterdir()) == []
        monkeypatch.undo()


def test_a_folder_that_vanishes_later_costs_no_verdict(tmp_path: Path) -> None:
    class Vanishing(Ending):
        def step(self, *given: Any) -> Any:
            try:
                return super().step(*given)
            except DriverDiedError:
                shutil.rmtree(tmp_path / "run")
                return super().step(*given)

    asked = decided("sweep")
    sites = Vanishing(asked, 2)
    shared = driver.run(asked, Silence(), sites, tmp_path / "run", every=0)
    assert sites.left < 0
    assert [one.status for one in shared.decisions] == [Status.VIOLATED]
    assert "run" in shared.unwritten[0]
    assert list(tmp_path.iterdir()) == []


def edited_manifest(tmp_path: Path, change: dict[str, Any]) -> str:
    """Goes on with a manifest that was edited, with its digest made anew; the code of the error."""
    asked = decided("sweep")
    killed(asked, tmp_path, {})
    place = place_of(str(tmp_path))
    manifest = kept.read_manifest(place)
    del manifest["version"]
    kept.write_manifest(place, {**manifest, **change})
    with pytest.raises(RequestError) as raised:
        driver.run(asked, Silence(), LocalSites(asked, 2), tmp_path)
    return raised.value.code


@pytest.mark.parametrize(
    "change",
    [
        {"serial": 99}, {"sites": 1}, {"sites": "x"}, {"counted": {"states": 3}}, {"counted": {"stored": 1 << 40}},
        {"profile": [1]}, {"profile": [["[", 1, 1]]}, {"found": [[0, {}]]}, {"sent": []}, {"peak": "much"},
        {"identity": {"model": "other"}},
    ],
)  # fmt: skip
def test_a_manifest_that_makes_no_sense_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    assert edited_manifest(tmp_path, change) in ("SC623", "SC619")


def test_a_folder_that_another_run_uses_is_refused(tmp_path: Path) -> None:
    asked = decided("sweep")
    place = place_of(str(tmp_path))
    with kept.opened(place), pytest.raises(RequestError, match="another run uses it"):
        driver.run(asked, Silence(), LocalSites(asked, 2), tmp_path)


def test_the_way_to_a_state_goes_from_site_to_site() -> None:
    asked = plan(adopt(machine()), Request([deadlock(), "low"], strategy="full", engine="native", keep_going=True))
    alone, shared = (run(asked, Silence()) for run in (native.run, lambda p, o: driver.run(p, o, LocalSites(p, 3))))
    lengths = [[None if one.trace is None else len(one.trace) for one in run.decisions] for run in (alone, shared)]
    assert lengths[0] == lengths[1]
    assert lengths[0][1] is not None


@pytest.mark.parametrize("times", [0, 1, 3, 4])
def test_a_busy_machine_is_given_time_to_start(times: int) -> None:
    tried, cleared = [], []

    def start() -> str:
        tried.append(1)
        if len(tried) <= times:
            raise RuntimeError("The current node timed out during startup. This could happen because")
        return "started"

    if times == 4:
        with pytest.raises(RuntimeError, match="timed out"):
            patiently(start, lambda: cleared.append(1))
    else:
        assert patiently(start, lambda: cleared.append(1)) == "started"
    assert (len(tried), len(cleared)) == (min(times + 1, 4), min(times, 3))


def test_what_a_killed_driver_left_behind_is_removed(tmp_path: Path) -> None:
    for name in (f"sweep-{os.getpid()}-alive", "sweep-999999999-dead", "sweep-other", "sweep-my-notes"):
        (tmp_path / name).mkdir()
    remove_stale(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {f"sweep-{os.getpid()}-alive", "sweep-other", "sweep-my-notes"} | (
        set() if Path("/proc/self").exists() else {"sweep-999999999-dead"}
    )
