"""The driver of a run: supersteps, until nobody has work. A layer is left when nothing waits in it and nothing travels.

A superstep: every site takes in what others have found for it, and processes what waits in the layer at work. Whichever
site a state belongs to, it is processed while its layer is at work, as in a run of one process: numbers of states,
edges, layers and the peak are the same. Full exploration goes level by level, so that traces are shortest.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol

from sweepcheck.cluster.kept import file_of, remove_files, write_manifest
from sweepcheck.cluster.messages import At, Counted, Found, Order, Summary, Told
from sweepcheck.cluster.outcome import outcome
from sweepcheck.core.observer import Observer, Snapshot
from sweepcheck.core.plan import Layer, Outcome, Plan
from sweepcheck.core.value_texts import text_of, value_of
from sweepcheck.core.verdict import Decision, Status, Stop
from sweepcheck.engines.assertions import failed_assertion
from sweepcheck.engines.native.trees import NonlinearError
from sweepcheck.errors import StoppedError, SweepcheckError

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


def run(plan: Plan, observer: Observer, sites: Sites, folder: Path | None = None, every: float = 60.0) -> Outcome:
    """Carry out a plan on several sites. With a folder, what is needed to go on is kept there now and then."""
    driver = Driver(plan, observer, sites, folder, every)
    try:
        return driver.outcome()
    finally:
        sites.close()
        if folder is not None:
            remove_files(folder)


class Driver:
    """One run."""

    def __init__(self, plan: Plan, observer: Observer, sites: Sites, folder: Path | None, every: float) -> None:
        self.plan, self.sites = plan, sites
        self._observer, self._folder, self._every = observer, folder, every
        self._started = time.perf_counter()
        self._looked = self._kept_at = self._started
        self.ready: float | None = None  # when the sites were there for the first time
        self._count_natively = True
        self._serial = 0
        self._losses = 0
        self.lost_once = False
        self.assertion: tuple[Decision, ...] = ()  # the one that failed
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.told: list[Told] = []
        self._inboxes: list[list[Any]] = [[] for _ in range(self.sites.count)]
        self._base = Counted()
        self.profile: list[Layer] = []
        self.peak = self.sweeps = self.steps = 0
        self.sent_bytes = self.sent_states = 0
        self.busy = [0.0] * self.sites.count
        self.found: dict[int, tuple[int, Found]] = {}  # by property: the site, and what it found
        self._manifest: dict[str, Any] | None = None

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
            return outcome(self, stop, summaries)
        except LostError as error:
            raise lost(error, self._folder) from None

    def _explored(self) -> Stop | None:
        """Explore; why it stopped before the end, if it did. A site that dies costs what came since all was kept."""
        kept: dict[str, Any] | None = None
        while True:
            try:
                self._start(kept)
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
                kept = self._manifest
                if self._folder is None or self._losses > MOST_LOSSES:
                    raise lost(error, self._folder) from None
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
            self._go_on(kept)
        self._see()

    # -- supersteps -------------------------------------------------------------------------------------------------

    def _sweeps(self) -> Stop | None:
        while True:
            stop = self._layers()
            if stop is not None or not any(self.sites.all("end_sweep")):
                return stop
            self.sweeps += 1
            self.told = self.sites.all("begin_sweep")

    def _layers(self) -> Stop | None:
        """Process all layers, least first."""
        stop = self._stop()
        while stop is None and (at := self._least()) is not None:
            stop = self._layer(at)
            if stop is None:
                self._leave(at)
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

    def _layer(self, at: At) -> Stop | None:
        """Process a layer until nobody has work in it, and nothing travels."""
        while True:
            level = all(told.level == 0 for told in self.told)
            if level and self.plan.measure is None:
                self._keep_now_and_then()
            self._step(Order(at, level=level))
            stop = self._stop()
            if stop is not None or not (any(self._inboxes) or any(told.least == at for told in self.told)):
                return stop

    def _leave(self, at: At) -> None:
        stored, states = self.counted.stored, sum(told.here for told in self.told if told.entered == at)
        self.profile.append(Layer(at.value, states, stored))
        self._step(Order(None, leave=at))
        if self.plan.measure is not None:
            self._keep_now_and_then()

    def _step(self, order: Order) -> None:
        inboxes, self._inboxes = self._inboxes, [[] for _ in range(self.sites.count)]
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
                if known is None or (one.early and not known[1].early and known[1] in self._latest):
                    self.found[one.property] = (site, one)
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
    def _latest(self) -> list[Found]:
        """What was found in the last superstep: of these, those that came from others are nearer to the start."""
        return [one for told in self.told for one in told.found]

    def _stop(self) -> Stop | None:
        """Why to end now."""
        for told in self.told:
            if told.stop not in (None, Stop.DECIDED):
                return told.stop
        asked = self.plan.properties
        if asked and len(self.found) == len(asked):
            violated = any(not asked[one].kind.holds_by_witness for one in self.found)
            return Stop.VIOLATION if violated and not self.plan.keep_going else Stop.DECIDED
        limits = self.plan.limits
        if limits.states is not None and self.counted.states > limits.states:
            return Stop.STATES
        return (
            Stop.SECONDS
            if limits.seconds is not None and time.perf_counter() - self._started >= limits.seconds
            else None
        )

    # -- what is kept -----------------------------------------------------------------------------------------------

    def _keep_now_and_then(self) -> None:
        if self._folder is None or time.perf_counter() - self._kept_at < self._every:
            return
        if any(self._inboxes):
            self._step(Order(None))
        self._serial += 1
        self.sites.all("keep", [file_of(self._folder, self._serial, site) for site in range(self.sites.count)])
        manifest = {
            "serial": self._serial,
            "sites": self.sites.count,
            "counted": asdict(self.counted),
            "profile": [[text_of(layer.progress), layer.states, layer.stored] for layer in self.profile],
            "peak": self.peak,
            "sweeps": self.sweeps,
            "steps": self.steps,
            "sent": [self.sent_bytes, self.sent_states],
            "found": [[site, asdict(one)] for site, one in self.found.values()],
        }
        write_manifest(self._folder, manifest)
        remove_files(self._folder, but=self._serial)
        self._manifest, self._losses = manifest, 0
        self._kept_at = time.perf_counter()

    def _go_on(self, kept: dict[str, Any]) -> None:
        """Have what was kept, with the sites that there are now."""
        assert self._folder is not None
        files = [file_of(self._folder, kept["serial"], site) for site in range(kept["sites"])]
        self.told = self.sites.all("restore", [files] * self.sites.count)
        stored = sum(told.counted.stored for told in self.told)
        self._base = replace(Counted(**kept["counted"]), stored=0)
        self._manifest = kept
        self.profile = [Layer(value_of(progress), states, stored) for progress, states, stored in kept["profile"]]
        self.peak, self.sweeps, self.steps = max(kept["peak"], stored), kept["sweeps"], kept["steps"]
        self.sent_bytes, self.sent_states = kept["sent"]
        self.found = {one["property"]: (site, Found(**one)) for site, one in kept["found"]}
        self._kept_at = time.perf_counter()


def lost(error: LostError, folder: Path | None) -> StoppedError:
    """The error for a run that a process was lost from."""
    return StoppedError(
        "SC622",
        f"a process of the cluster died: {error}",
        suggestion="give a folder that all processes can write to, cluster_dir=..., and the run goes on from there"
        if folder is None
        else "see why it died: a machine that ran out of memory kills processes; use more of them, or a smaller model",
    )
