"""States that go to the disk: what is found is what is found in memory."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import Array, Limits, Model, Report, always_eventually, check, invariant, require
from sweepcheck.core.verdict import Stop
from sweepcheck.engines.native import description

ROOM = Limits(memory=2**40)


def drawn(numbers: list[int], violated: bool) -> Model:
    """A system of three counters whose steps are drawn: several edges between the same states, dead ends, cycles."""
    top = 7
    m = Model("drawn", turn=0, c=Array([0, 0, 0]))

    @m.action(i=range(3), k=range(len(numbers)))
    def step(s: Any, i: int, k: int) -> None:
        require((s.c[i] + s.turn) % 5 != numbers[k] % 5)
        s.c[i] = (s.c[i] * (k + 1) + numbers[k]) % top

    @m.action
    def advance(s: Any) -> None:
        require(s.turn < 3 and s.c[0] % 2 == numbers[0] % 2)
        s.turn += 1

    m.progress(lambda s: s.turn)
    m.invariant("far", lambda s: not violated or s.turn + s.c[2] < 7)
    return m


def facts(report: Report) -> tuple[Any, ...]:
    found, numbers = report.outcome, report.outcome.statistics
    return (
        (numbers.states, numbers.edges, numbers.explored, numbers.peak, numbers.layers, numbers.dead_states),
        (found.stop, found.profile),
        [(one.action, one.edges) for one in found.actions],
        [(one.property.name, one.status, one.witness, one.trace and one.trace.steps) for one in report.verdicts],
    )


@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=3),
    st.booleans(),
    st.sampled_from(["full", "sweep", "generalised"]),
    st.sampled_from([1, 3]),
)
@settings(max_examples=12, deadline=None)
def test_rounds_that_look_far_find_the_same(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int], violated: bool, strategy: str, size: int
) -> None:
    model = drawn(numbers, violated)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"SPILL_AT_ONCE": True, "SHARE_AFTER": 0, "BATCH_SIZE": size}.items():
            patch.setattr(description, name, value)
        expected = facts(check(model, strategy=strategy, engine="native", workers=1))
        folder = tmp_path_factory.mktemp("spill")
        assert facts(check(model, strategy=strategy, limits=ROOM, spill=folder)) == expected
        assert list(folder.iterdir()) == []
    if not violated:  # else they stop at different states
        reference = check(model, strategy=strategy, engine="reference").outcome.statistics
        assert (reference.states, reference.edges) == expected[0][:2]


def test_a_limit_on_states_is_kept_in_a_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, few = drawn([3, 4], violated=False), 100
    for name, value in {"SPILL_AT_ONCE": True, "SHARE_AFTER": 0, "BATCH_SIZE": 1}.items():
        monkeypatch.setattr(description, name, value)
    expected = facts(check(model, strategy="full", engine="native", workers=1, limits=Limits(states=few)))
    spilled = check(model, strategy="full", limits=Limits(states=few, memory=2**40), spill=tmp_path)
    assert facts(spilled) == expected
    assert spilled.outcome.stop is not None


LARGE = """
import json, re, sys
from pathlib import Path
from sweepcheck import Array, Limits, Model, explore

m = Model("rings", c=Array([0] * 6), a=Array([0] * 6), b=Array([0] * 6))

@m.action(i=range(6))
def step(s, i):
    s.c[i] = (s.c[i] + 1) % 11
    s.a[i] = s.c[i] * 5 % 97
    s.b[i] = s.c[i] * 7 % 89

def memory(field):
    return int(re.search(field + r":\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024

explore(Model("nothing", x=0), workers=1)  # all that a run loads is there
limit = memory("VmRSS") + (12 << 20)
options = {"limits": Limits(memory=limit), "spill": sys.argv[1]} if len(sys.argv) > 1 else {}
outcome = explore(m, strategy="full", workers=1, **options).outcome
numbers = outcome.statistics
print(json.dumps([str(outcome.stop), numbers.states, numbers.edges, numbers.peak]))
print(memory("VmHWM") / limit, numbers.state_bytes)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="states go to the disk on Linux only")
def test_more_states_than_memory(tmp_path: Path) -> None:
    """In processes of their own: what others hold counts too. The limit is that of all that the process holds."""
    script = tmp_path / "large.py"
    script.write_text(LARGE, encoding="utf-8")

    def run(*arguments: str) -> list[str]:
        command = [sys.executable, str(script), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    in_memory, on_disk = run(), run(str(tmp_path))
    assert int(in_memory[1].split()[1]) > 3 * 12 << 20  # three times what there is room for
    assert on_disk[0] == in_memory[0]
    assert json.loads(on_disk[0])[0] == "None"
    assert float(on_disk[1].split()[0]) < 1.05
    assert [path.name for path in tmp_path.iterdir()] == ["large.py"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="states go to the disk on Linux only")
def test_a_full_disk_is_an_end_by_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was decided by then is kept."""
    monkeypatch.setattr(description, "SPILL_AT_ONCE", True)
    asked = [invariant("low", lambda s: s.n < 3), invariant("in", lambda s: s.n <= 10**6)]
    m = Model("counter", n=0)

    @m.action
    def count(s: Any) -> None:
        s.n += 1

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    try:
        report = check(m, asked, strategy="full", limits=ROOM, spill=tmp_path, keep_going=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert report.stop is Stop.DISK
    assert [str(one.status) for one in report.verdicts] == ["violated", "inconclusive"]
    assert report.exit_code == 1
    assert any("states could not be written" in one and "File too large" in one for one in report.warnings)
    assert not list(tmp_path.iterdir())


def test_cycles_are_looked_up_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = drawn([2, 5], violated=False)
    asked = [always_eventually("home", lambda s: s.c[0] == 0)]
    expected = facts(check(model, asked, strategy="sweep", engine="native", workers=1))
    monkeypatch.setattr(description, "SPILL_AT_ONCE", True)
    assert facts(check(model, asked, strategy="sweep", limits=ROOM, spill=tmp_path)) == expected
