"""A cluster of Ray on this machine, where it is installed: the numbers of one process, and one that is killed."""

import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sweepcheck import check, ctl, deadlock, explore, load
from sweepcheck.cluster import driver
from sweepcheck.cluster.messages import Order, Told
from sweepcheck.cluster.ray_sites import CONFIGURATION, RaySites, patiently
from sweepcheck.cluster.source import packed
from sweepcheck.core.observer import Silence
from sweepcheck.core.request import Request
from sweepcheck.errors import RequestError
from sweepcheck.planner import plan

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of a failed start
EXAMPLE = str(Path(__file__).parents[2] / "examples" / "communication_protocol.py")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    quiet: Any = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    patiently(lambda: ray.init(address="local", num_cpus=2, _system_config=CONFIGURATION, **quiet), ray.shutdown)
    yield
    ray.shutdown()


class Killing(RaySites):
    """Kills the process of its first actor, as a machine without memory does, after so many supersteps."""

    after = 12

    def step(self, orders: Sequence[Order], inboxes: Sequence[Sequence[Any]]) -> tuple[list[Told], list[list[Any]]]:
        self.after -= 1
        if self.after == 0:
            os.kill(ray.get(self._actors[0].__ray_call__.remote(lambda self: os.getpid())), signal.SIGKILL)
        return super().step(orders, inboxes)


def test_two_processes_find_what_one_does() -> None:
    alone = explore(EXAMPLE).statistics
    shared = explore(EXAMPLE, cluster="auto", processes=2).statistics
    assert (shared.states, shared.edges, shared.peak, shared.layers) == (
        alone.states, alone.edges, alone.peak, alone.layers,
    )  # fmt: skip
    assert shared.shared is not None
    assert shared.shared.processes == 2
    assert shared.shared.sent_states > 0


def test_traces_replay() -> None:
    model = load(EXAMPLE, {"packets": 2})
    alone = check(model, [deadlock("stuck")], strategy="full").verdicts[0]
    shared = check(model, [deadlock("stuck")], strategy="full", cluster="auto", processes=2).verdicts[0]
    assert alone.trace is not None
    assert shared.trace is not None
    assert (shared.status, len(shared.trace)) == (alone.status, len(alone.trace))


def test_layers_are_decided_where_they_are_sent() -> None:
    asked = ["AG EF {len(a) == 0}", "AG AF {len(a) == 0}"]
    answers = []
    for options in ({}, {"cluster": "auto", "processes": 2}):
        report = check(load(EXAMPLE, {"packets": 2}), [ctl(text, text) for text in asked], keep_going=True, **options)
        answers.append([(one.status, one.trace is None) for one in report.verdicts])
    assert answers[0] == answers[1]


def test_a_killed_process_costs_what_came_since_all_was_kept(tmp_path: Path) -> None:
    asked = plan(load(EXAMPLE), Request((), cluster="auto", processes=2, trace=False))
    outcome = driver.run(asked, Silence(), Killing(packed(asked)), tmp_path, every=0)
    alone = explore(EXAMPLE).statistics
    assert (outcome.statistics.states, outcome.statistics.peak) == (alone.states, alone.peak)
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_a_killed_process_ends_the_run() -> None:
    asked = plan(load(EXAMPLE), Request((), cluster="auto", processes=2, trace=False))
    with pytest.raises(Exception, match="died") as raised:
        driver.run(asked, Silence(), Killing(packed(asked)))
    assert getattr(raised.value, "code", None) == "SC622"


def test_an_error_of_the_model_comes_from_where_it_happened(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(
        "from sweepcheck import Model\nm = Model('wrong', n=0)\n@m.action\ndef go(s):\n    s.n += 1 // (3 - s.n) or 1\n"
    )
    with pytest.raises(Exception, match="ZeroDivisionError") as raised:
        explore(str(path), cluster="auto", processes=2)
    assert getattr(raised.value, "code", None) == "SC201"


def test_a_file_that_has_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(Path(EXAMPLE).read_text())
    parcel = packed(plan(load(str(path)), Request((), cluster="auto", processes=2)))
    path.write_text(path.read_text() + "\n")
    with pytest.raises(RequestError, match="another text"):
        RaySites(parcel).start(count_natively=True, resumes=False)
