"""The driver of a run: supersteps, until nobody has work. A layer is left when nothing waits in it and nothing travels.

A superstep: every site takes in what others have found for it, and processes what waits in the layer at work. Whichever
site a state belongs to, it is processed while its layer is at work, as in a run of one process: numbers of states,
edges, layers and the peak are the same. Full exploration goes level by level, so that traces are shortest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from sweepcheck.cluster.kept import MANIFEST, broken, name_of, opened, read_manifest, remove_files, write_manifest
from sweepcheck.cluster.messages import At, Counted, Found, Order, Summary, Told
from sweepcheck.cluster.outcome import outcome
from sweepcheck.cluster.places import Place, place_of
from sweepcheck.core.observer import Observer, Snapshot
from sweepcheck.core.plan import Layer, Outcome, Plan
from sweepcheck.core.value_texts import text_of, value_of
from sweepcheck.core.verdict import Decision, Status, Stop
from sweepcheck.engines.assertions import failed_assertion
from sweepcheck.engines.identity import refuse_changed
from sweepcheck.engines.native.saving import LASTING
from sweepcheck.engines.native.trees import NonlinearError
from sweepcheck.errors import RequestError, StoppedError, SweepcheckError

SNAPSHOT_EVERY = 0.2  # seconds
MOST_LOSSES = 3  # one after the other, without anything kept in between


class LostError(Exception):
    """A site died, or cannot be reached any more."""


class Sites(Protocol):
    """A way to reach the sites of a run."""

    count: int

    def start(self, *, count_natively: bool, resumes: bool) -> None:
        """Have fresh sites, whatever was there before."""

    def all(self, method: str, *arguments: Sequence[Any]) -> list[Any]:
        """Call a method of every site at once, each with its own arguments."""

    def one(self, site: int, method: str, *arguments: Any) -> Any:
        """Call a method of one site."""

    def step(self, orders: Sequence[Order], inboxes: Sequence[Sequence[Any]]) -> tuple[list[Told], list[list[Any]]]:
        """A superstep: what the sites tell, and for each of them the batches for all others, wherever these lie."""

    def close(self) -> None:
        """Let the sites go."""


def run(
    plan: Plan,
    observer: Observer,
    sites: Sites,
    folder: Path | str | None = None,
    every: float = 60.0,
    about: Callable[[], dict[str, Any]] = dict,
) -> Outcome:
    """Carry out a plan on several sites. With a folder, what is needed to go on is kept there now and then, with what
    the run is about; a run that was kept there, and is about the same, is gone on with.
    """
    try:
        if folder is None:
            return Driver(plan, observer, sites, None, every, {}).outcome()
        place = place_of(str(folder))
        with opened(place):
            driver = Driver(plan, observer, sites, place, every, about())
            driver.kept = driver.found_there()
            try:
                return driver.outcome()
            finally:
                driver.tidy_up()
    finally:
        sites.close()


class Driver:
    """One run."""

    def __init__(
        self, plan: Plan, observer: Observer, sites: Sites, place: Place | None, every: float, about: dict[str, Any]
    ) -> None:
        self.plan, self.sites = plan, sites
        self._observer, self._place, self._every, self._about = observer, place, every, about
        self._started = time.perf_counter()
        self._looked = self._kept_at = self._started
        self.ready: float | None = None  # when the sites were there for the first time
        self._count_natively = True
        self._serial = 0
        self._losses = 0
        self.lost_once = False
        self.assertion: tuple[Decision, ...] = ()  # the one that failed
        self.unwritten: str | None = None  # why what was to be kept last was not
        self._over = False
        self.kept: dict[str, Any] | None = None  # the last manifest
        self._wanted = len(plan.properties)  # that are to be decided
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.told: list[Told] = []
        self._inboxes: list[list[Any]] = [[] for _ in range(self.sites.count)]
        self._base = Counted()
        self.profile: list[Layer] = []
        self.peak = self.sweeps = self.steps = 0
        self.sent_bytes = self.sent_states = 0
        self.busy = [0.0] * self.sites.count
        self.found: dict[int, Found] = {}  # by property

    @property
    def counted(self) -> Counted:
        """The numbers of all sites together."""
        return sum((one.counted for one in self.told), self._base)

    @property
    def seconds(self) -> float:
        """Since the sites were there: to start them takes a while."""
        return time.perf_counter() - (self.ready or self._started)

    def outcome(self) -> Outcome:
        """The result of the run."""
        stop: Stop | None
        try:
            stop = self._explored()
        except KeyboardInterrupt:
            stop = Stop.INTERRUPTED
        if stop is None:
            stop = self.plan.cut_short(self.counted.beyond)
        try:
            summaries: list[Summary] = self.sites.all("summary")
            found = outcome(self, stop, summaries, self._again() if self.lost_once and self.plan.trace else None)
        except LostError as error:
            raise lost(error, self._place) from None
        self._over = stop in LASTING
        return found

    def tidy_up(self) -> None:
        """Leave behind only what the run can be gone on from."""
        assert self._place is not None
        with suppress(RequestError):  # what was found is told all the same; the same command finds it again from there
            remove_files(self._place, but=None if self._over or self.kept is None else int(self.kept["serial"]))

    def _again(self) -> Driver | None:
        """The way to what was found was lost with a process: look for it once more, and stop when it is found."""
        if not self.found:
            return None
        limits, seconds = self.plan.limits, None
        if self.plan.limits.seconds is not None:
            seconds = max(0.0, self.plan.limits.seconds - (time.perf_counter() - self._started))
        plan = replace(self.plan, limits=replace(limits, seconds=seconds))
        again = Driver(plan, self._observer, self.sites, None, self._every, {})
        again._count_natively = self._count_natively
        again._wanted = len(self.found)
        try:
            again._explored()
        except (StoppedError, KeyboardInterrupt):
            return None
        return again

    def _explored(self) -> Stop | None:
        """Explore; why it stopped before the end, if it did. A site that dies costs what came since all was kept."""
        self.lost_once = self.kept is not None
        while True:
            try:
                self._start(self.kept)
                return self._sweeps()
            except NonlinearError:  # the measure is no sum after all: begin again, and ask it
                self._count_natively = False
                self._begin_anew()
            except SweepcheckError as error:
                asked = failed_assertion(self.plan, error)
                if asked is None:
                    raise
                self.assertion = (Decision(asked, Status.VIOLATED, getattr(error, "state", None)),)
                return Stop.ASSERTION
            except LostError as error:
                self._losses += 1
                if self._place is None or self._losses > MOST_LOSSES:
                    raise lost(error, self._place) from None
                self.lost_once = True
                self._begin_anew()

    def _start(self, kept: dict[str, Any] | None) -> None:
        resumes = kept is not None
        self.sites.start(count_natively=self._count_natively, resumes=resumes)
        self._inboxes = [[] for _ in range(self.sites.count)]
        self.busy = [0.0] * self.sites.count
        self.told = self.sites.all("begin")
        self.ready = self.ready or time.perf_counter()
        self.sweeps = int(self.plan.measure is not None)
        if kept is not None:
            try:
                self._go_on(kept)
            except (LookupError, TypeError, ValueError, AttributeError):
                raise broken(MANIFEST, "it does not tell how far the run is") from None
        self._see()

    # -- supersteps -------------------------------------------------------------------------------------------------

    def _sweeps(self) -> Stop | None:
        while True:
            stop = self._layers()
            if stop is not None or not any(self.sites.all("end_sweep")):
                return stop
            if self._violated:
                return Stop.VIOLATION
            self.sweeps += 1
            self.told = self.sites.all("begin_sweep")

    def _layers(self) -> Stop | None:
        """Process all layers, least first."""
        stop = self._stop()
        done: At | None = None  # a layer that is left when the next one is begun
        while stop is None and (at := self._least()) is not None:
            stop, done = self._layer(at, done), at
            if stop is None:
                self._note_layer(at)
                if self._waits():
                    self._leave(at)
                    stop, done = self._stop(), None
        if stop is None and any(self._inboxes):  # what is open in the last layer
            self._step(Order(None))
            stop = self._stop()
        return stop

    def _least(self) -> At | None:
        """The least layer in which states wait."""
        open_layers = [told.least for told in self.told if told.least is not None]
        measure = self.plan.measure
        if measure is None or not open_layers:
            return next(iter(open_layers), None)
        rank = measure.order.rank
        assert rank is not None  # a total order has one
        return min(open_layers, key=lambda layer: rank(layer.value))

    def _layer(self, at: At, left: At | None) -> Stop | None:
        """Process a layer until nobody has work in it, and nothing travels. The one before is left when it begins."""
        while True:
            level = all(told.level == 0 for told in self.told)
            if level and self.plan.measure is None:
                self._keep_now_and_then()
            self._step(Order(at, leave=left, level=level))
            left, stop = None, self._stop()
            if stop is not None or not (any(self._inboxes) or any(told.least == at for told in self.told)):
                return stop

    def _waits(self) -> bool:
        """Whether all wait for each other before the next layer: it is decided on, or written down, or the last one."""
        return self.plan.about_cycles or self.plan.measure is None or self._is_due() or self._least() is None

    def _note_layer(self, at: At) -> None:
        states = sum(told.here for told in self.told if told.entered == at)
        if (
            self.plan.measure is None
        ):  # there is one layer, which a site that began with processed states has not entered
            states = self.counted.states
        self.profile.append(Layer(at.value, states, self.counted.stored))

    def _leave(self, at: At) -> None:
        judge = len(self.profile) % self.sites.count if self.plan.about_cycles else None  # one after the other
        self._step(Order(None, leave=at, judge=judge))
        if self.plan.measure is not None:
            self._keep_now_and_then()

    def _step(self, order: Order) -> None:
        inboxes, self._inboxes = self._inboxes, [[] for _ in range(self.sites.count)]
        order = replace(order, decided=tuple(self.found))
        self.told, batches = self.sites.step([order] * self.sites.count, inboxes)
        self.steps += 1
        for told, boxes in zip(self.told, batches, strict=True):
            self.sent_bytes += sum(told.sent)
            self.sent_states += told.sent_states
            for site, box in enumerate(boxes):
                if told.sent[site]:
                    self._inboxes[site].append(box)
        self._see()

    def _see(self) -> None:
        """Take note of what the sites tell."""
        counted = self.counted
        self.peak = max(self.peak, counted.stored)
        for site, told in enumerate(self.told):
            self.busy[site] += told.seconds
            for one in told.found:
                known = self.found.get(one.property)
                if known is None or (one.early and not known.early and known in self._latest):
                    self.found[one.property] = one
        now = time.perf_counter()
        if now - self._looked >= SNAPSHOT_EVERY:
            self._looked = now
            least = self._least()
            self._observer.snapshot(
                Snapshot(
                    progress=None if least is None else least.value,
                    explored=counted.explored,
                    edges=counted.edges,
                    stored=counted.stored,
                    peak=self.peak,
                    unprocessed=counted.states - counted.explored,
                    layers=len(self.profile),
                    seconds=self.seconds,
                    memory_bytes=sum(told.memory_bytes for told in self.told),
                    sweeps=self.sweeps,
                )
            )

    @property
    def _violated(self) -> bool:
        """Whether a violation was found that ends the run, unless no state waits."""
        asked = self.plan.properties
        return not self.plan.keep_going and any(not asked[one].kind.holds_by_witness for one in self.found)

    @property
    def _latest(self) -> list[Found]:
        """What was found in the last superstep: of these, those that came from others are nearer to the start."""
        return [one for told in self.told for one in told.found]

    def _stop(self) -> Stop | None:
        """Why to end now."""
        for told in self.told:
            if told.stop not in (None, Stop.DECIDED):
                return told.stop
        decided = bool(self.plan.properties) and len(self.found) >= self._wanted
        if self._violated and (decided or any(self._inboxes) or self._least() is not None):
            return Stop.VIOLATION
        if decided:
            return Stop.DECIDED
        limits = self.plan.limits
        if limits.states is not None and self.counted.states > limits.states:
            return Stop.STATES
        return (
            Stop.SECONDS
            if limits.seconds is not None and time.perf_counter() - self._started >= limits.seconds
            else None
        )

    # -- what is kept -----------------------------------------------------------------------------------------------

    def _is_due(self) -> bool:
        """Whether it is time to write down how far the run is."""
        return self._place is not None and time.perf_counter() - self._kept_at >= self._every

    def _keep_now_and_then(self) -> None:
        if self._place is None or not self._is_due():
            return
        if any(self._inboxes):
            self._step(Order(None))
        if self.plan.measure is None and self._least() is None:
            return  # the only layer is done, and about to be left
        self._serial += 1
        try:
            self._keep()
            self.unwritten = None
        except RequestError as error:  # the disk is full, or the folder gone: what was kept before is still good
            if error.code != "SC623" or self.kept is None:
                raise
            self.unwritten = f"{error.what}; the run can be gone on with from what was kept before, if that is there"
            with suppress(RequestError):
                remove_files(self._place, but=int(self.kept["serial"]))
        self._kept_at = time.perf_counter()

    def _keep(self) -> None:
        assert self._place is not None
        count = self.sites.count
        self.sites.all("keep", [self._place.where] * count, [name_of(self._serial, site) for site in range(count)])
        manifest = {
            **self._about,
            "written": datetime.now(UTC).isoformat(timespec="seconds"),
            "serial": self._serial,
            "sites": self.sites.count,
            "counted": asdict(self.counted),
            "profile": [[text_of(layer.progress), layer.states, layer.stored] for layer in self.profile],
            "peak": self.peak,
            "sweeps": self.sweeps,
            "steps": self.steps,
            "sent": [self.sent_bytes, self.sent_states],
            "found": [asdict(one) for one in self.found.values()],
        }
        write_manifest(self._place, manifest)
        self.kept, self._losses = manifest, 0
        remove_files(self._place, but=self._serial)

    def found_there(self) -> dict[str, Any] | None:
        """What another driver kept of this run before it died; another run is refused."""
        if self._place is None or MANIFEST not in self._place.names():
            return None
        kept = read_manifest(self._place)
        refuse_changed(kept.get("identity", {}), self._about.get("identity", {}), self._place.name)
        return kept

    def _go_on(self, kept: dict[str, Any]) -> None:
        """Have what was kept, with the sites that there are now."""
        files = [name_of(kept["serial"], site) for site in range(kept["sites"])]
        assert self._place is not None
        self.told = self.sites.all("restore", [self._place.where] * self.sites.count, [files] * self.sites.count)
        stored = sum(told.counted.stored for told in self.told)
        counted = Counted(**kept["counted"])
        if counted.stored != stored:
            raise broken(MANIFEST, f"it tells of {counted.stored:,} states, and {stored:,} are there")
        self._base = replace(counted, stored=0)
        self._serial = kept["serial"]
        self.profile = [Layer(value_of(progress), states, stored) for progress, states, stored in kept["profile"]]
        self.peak, self.sweeps, self.steps = max(kept["peak"], stored), kept["sweeps"], kept["steps"]
        self.sent_bytes, self.sent_states = kept["sent"]
        self.found = {one["property"]: Found(**one) for one in kept["found"]}
        self._kept_at = time.perf_counter()


def lost(error: LostError, place: Place | None) -> StoppedError:
    """The error for a run that a process was lost from."""
    return StoppedError(
        "SC622",
        f"a process of the cluster died: {error}",
        suggestion="give a folder that all processes can write to, cluster_dir=..., and the run goes on from there"
        if place is None
        else "see why it died: a machine that ran out of memory kills processes; use more of them, or a smaller model",
    )
