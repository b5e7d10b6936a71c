"""Sites as actors of a Ray cluster: one that is there, or one that is started on this machine for this run."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sweepcheck import errors
from sweepcheck.cluster.driver import LostError
from sweepcheck.cluster.messages import Order, Refusal, Told
from sweepcheck.cluster.owners import Field
from sweepcheck.cluster.site import Site
from sweepcheck.cluster.source import Parcel, unpacked
from sweepcheck.engines.assertions import assertion_of
from sweepcheck.engines.native.trees import NonlinearError
from sweepcheck.errors import RequestError, SweepcheckError, installation, told
from sweepcheck.planner import processors

LOCAL = "local"  # a cluster on this machine, whatever others there are
ATTEMPTS, SLOW = 4, "timed out during startup"  # what Ray says then
CONFIGURATION = {"worker_niceness": 0}  # of such a cluster: its processes wait for others no more than this one does


class Worker:
    """What runs in a process of the cluster: a site, whose errors become data."""

    def __init__(self) -> None:
        self._site: Site | None = None

    def open(self, parcel: Parcel, me: int, sites: int, options: dict[str, Any]) -> Any:
        """Make the site; None, or why it cannot be made."""

        def make() -> None:
            self._site = Site(unpacked(parcel), me, sites, **options)

        return _answered(make)

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a method of the site."""
        return _answered(lambda: getattr(self._site, method)(*arguments))

    def step(self, sites: int, order: Order, *inbox: Any) -> Any:
        """A superstep: what the site tells, and a batch for each site, as one result each."""
        site = self._site
        assert site is not None
        answer = _answered(lambda: site.step(order, inbox))
        return (answer, *[None] * sites) if isinstance(answer, Refusal) else (answer[0], *answer[1])


def _answered(job: Any) -> Any:
    try:
        return job()
    except NonlinearError:
        return Refusal(NonlinearError.__name__)
    except SweepcheckError as error:
        asserted = assertion_of(error)
        state = getattr(error, "state", None)
        return Refusal(
            type(error).__name__,
            {**error.to_json(), "trace": None},
            None if asserted is None else str(error.__cause__),
            None if state is None else repr(state),
        )


def _checked(answer: Any) -> Any:
    """An answer; a refusal is raised as the error that it was."""
    if not isinstance(answer, Refusal):
        return answer
    if answer.kind == NonlinearError.__name__:
        raise NonlinearError
    made = answer.told
    kind: type[SweepcheckError] = getattr(errors, answer.kind)
    error = kind(
        made["code"],
        made["what"],
        where=made["where"],
        values=[(name, text) for name, text in made["values"]],
        suggestion=made["help"],
    )
    if answer.assertion is not None:
        raise error from AssertionError(answer.assertion)
    raise error


def remove_stale(folder: Path) -> None:
    """Remove what clusters of this user left behind whose driver was killed: it is named after that."""
    for path in folder.glob("sweep-*-*") if Path("/proc/self").exists() else ():
        process = path.name.split("-")[1]
        if process.isdigit() and path.stat().st_uid == os.getuid() and not Path("/proc", process).exists():
            shutil.rmtree(path, ignore_errors=True)


def patiently(start: Callable[[], Any], clear_away: Callable[[], Any]) -> Any:
    """Start something of Ray, which gives up after half a minute: on a busy machine it is tried again."""
    for left in reversed(range(ATTEMPTS)):
        try:
            return start()
        except Exception as error:
            if left == 0 or SLOW not in str(error):
                raise
            clear_away()
    raise AssertionError


class RaySites:
    """See `Sites`."""

    def __init__(self, parcel: Parcel, owner: Callable[[int], Sequence[Field]] = lambda _: ()) -> None:
        """`owner` gives the fields that decide who of so many sites owns a state."""
        if importlib.util.find_spec("ray") is None:
            raise RequestError(
                "SC405", "a cluster needs Ray, which is not installed", suggestion=installation("cluster")
            )
        ray: Any = importlib.import_module("ray")
        self._ray = ray
        self._parcel, self._owner = parcel, owner
        self._actors: list[Any] = []
        self._folder: Path | None = None
        self._connected = ray.is_initialized()
        self._own = not self._connected
        if self._own:
            self._connect(parcel.cluster.address)
        self.count = parcel.cluster.processes or self._processors()

    def _connect(self, address: str) -> None:
        options: Any = {"logging_level": logging.ERROR, "log_to_driver": False, "configure_logging": False}
        try:
            if address not in ("auto", LOCAL):
                self._ray.init(address=address, **options)
                return
            if address == "auto":
                with suppress(ConnectionError):
                    self._ray.init(address="auto", **options)
                    return
            remove_stale(Path(tempfile.gettempdir()))
            self._folder = Path(tempfile.mkdtemp(prefix=f"sweep-{os.getpid()}-"))
            cpus = max(self._parcel.cluster.processes or 1, processors())
            options |= {"num_cpus": cpus, "include_dashboard": False, "_temp_dir": str(self._folder)}
            patiently(
                lambda: self._ray.init(address=LOCAL, _system_config=CONFIGURATION, **options), self._ray.shutdown
            )
        except Exception as error:  # noqa: BLE001 - whatever Ray raises when it cannot be reached
            self.close()
            raise RequestError(
                "SC620",
                f"there is no cluster at {address!r}, or none can be started: {told(error)}",
                suggestion='start one with `ray start --head`, give its address, or use cluster="local"',
            ) from None

    def _processors(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def start(self, *, count_natively: bool, resumes: bool) -> None:
        """See `Sites`."""
        self._drop()
        self.count = self._parcel.cluster.processes or self._processors()  # nodes may have joined
        share = min(1.0, self._processors() / self.count)
        made = self._ray.remote(Worker).options(num_cpus=share, scheduling_strategy="SPREAD", max_restarts=0)
        self._actors = [made.remote() for _ in range(self.count)]
        options = {"count_natively": count_natively, "resumes": resumes, "owner": self._owner(self.count)}
        self._get([actor.open.remote(self._parcel, me, self.count, options) for me, actor in enumerate(self._actors)])

    def all(self, method: str, *arguments: Sequence[Any]) -> list[Any]:
        """See `Sites`."""
        each = zip(*arguments, strict=True) if arguments else [()] * self.count
        calls = zip(self._actors, each, strict=True)
        return self._get([actor.call.remote(method, *given) for actor, given in calls])

    def one(self, site: int, method: str, *arguments: Any) -> Any:
        """See `Sites`."""
        return self._get([self._actors[site].call.remote(method, *arguments)])[0]

    def step(self, orders: Sequence[Order], inboxes: Sequence[Sequence[Any]]) -> tuple[list[Told], list[list[Any]]]:
        """See `Sites`. Batches stay where they are, and go from site to site without coming here."""
        calls = [
            actor.step.options(num_returns=1 + self.count).remote(self.count, order, *inbox)
            for actor, order, inbox in zip(self._actors, orders, inboxes, strict=True)
        ]
        return self._get([told for told, *_ in calls]), [batches for _, *batches in calls]

    def _get(self, calls: list[Any]) -> list[Any]:
        failures = self._ray.exceptions
        try:
            answers = self._ray.get(calls)
        except failures.RayTaskError as error:
            if isinstance(error.cause, failures.RayError):
                raise LostError(told(error.cause)) from None
            raise
        except failures.RayError as error:
            raise LostError(told(error)) from None
        return [_checked(answer) for answer in answers]

    def _drop(self) -> None:
        for actor in self._actors:
            with suppress(Exception):
                self._ray.kill(actor)
        self._actors = []

    def close(self) -> None:
        """See `Sites`."""
        self._drop()
        if self._own:
            with suppress(Exception):
                self._ray.shutdown()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
