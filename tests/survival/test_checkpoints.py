"""Runs that are broken off and gone on with: they come to what they would have come to."""

import json
import os
import shutil
import struct
import zlib
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Queue,
    Report,
    Stop,
    SweepcheckError,
    always_eventually,
    check,
    choose,
    explore,
    invariant,
    ltl,
    partial_order,
    product,
    progress,
    reachable,
    require,
    state_space_report,
)
from sweepcheck.engines import checkpoints
from sweepcheck.engines.native import description


class Killed(BaseException):
    """What a crash after a checkpoint looks like from inside."""


class Colour(Enum):
    RED = 1
    BLUE = 2


class Packet(NamedTuple):
    number: int
    colour: Colour


def protocol(measure: str = "number", most: int = 4) -> Model:
    """A sender, a bag of packets, a queue and an array: values of all kinds, that outgrow their fields."""
    m = Model("protocol", next=0, got=0, net=Bag(), line=Queue([], capacity=3), seen=Array([0] * 3), mode=Colour.RED)

    @m.action
    def send(s: Any) -> None:
        require(s.next < most)
        s.net.add(Packet(s.next, s.mode))
        s.next += 1

    @m.action
    def arrive(s: Any) -> None:
        packet = s.net.take()
        s.line.put(packet)

    @m.action
    def receive(s: Any) -> None:
        packet = s.line.get()
        s.seen[packet.number % 3] = s.got
        s.got = max(s.got, packet.number)

    @m.action
    def turn(s: Any) -> None:
        s.mode = choose(list(Colour))

    measures: dict[str, Any] = {
        "number": lambda s: s.next,
        "pair": lambda s: (s.next, s.got),
        "product": product(lambda s: s.next, lambda s: s.got),
        "partial": partial_order(lambda s: frozenset(range(s.next))),
        "down": lambda s: s.next - len(s.net),
    }
    m.progress(measures[measure])
    m.invariant("few", lambda s: len(s.net) < most)
    return m


def facts(report: Report) -> tuple[Any, ...]:
    """All that must not depend on whether a run was broken off."""
    found, numbers = report.outcome, report.outcome.statistics
    return (
        (numbers.states, numbers.edges, numbers.explored, numbers.peak, numbers.layers, numbers.sweeps),
        (numbers.dead_states, numbers.persistent, found.stop, found.profile),
        [(one.action, one.edges) for one in found.actions],
        [(one.property.name, one.status, one.witness, one.trace and one.trace.steps) for one in report.verdicts],
    )


@pytest.fixture
def killed_after(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let runs break off when so many checkpoints are written."""
    write = checkpoints.write

    def after(count: int) -> None:
        left = count

        def written(*arguments: Any) -> None:
            nonlocal left
            write(*arguments)
            left -= 1
            if left == 0:
                raise Killed

        monkeypatch.setattr(checkpoints, "write", written if count else write)

    return after


def broken_off(model: Any, folder: Path, killed_after: Any, counts: tuple[int, ...], **options: Any) -> Report:
    """A run that is killed again and again, and the report it ends with."""
    for count in counts:
        killed_after(count)
        try:
            return check(model, checkpoint=folder, checkpoint_every=0, **options)
        except Killed:
            pass
    killed_after(0)
    return check(model, checkpoint=folder, **options)


WAYS = [
    ("full", "number"),
    ("sweep", "number"),
    ("sweep", "pair"),
    ("sweep", "product"),
    ("sweep", "partial"),
    ("generalised", "down"),
    ("generalised", "partial"),
]


@pytest.mark.parametrize(("strategy", "measure"), WAYS)
def test_a_resumed_run_comes_to_the_same(strategy: str, measure: str, tmp_path: Path, killed_after: Any) -> None:
    model = protocol(measure)
    asked = [
        invariant("few", lambda s: len(s.net) < 4),
        reachable("got", lambda s: s.got == 3),
        reachable("never", lambda s: s.got == 99),  # so that all states are explored
    ]
    options: dict[str, Any] = {"properties": asked, "strategy": strategy, "keep_going": True}
    expected = facts(check(model, **options))
    for number, counts in enumerate([(2,), (3, 1)]):
        found = broken_off(model, tmp_path / str(number), killed_after, counts, **options)
        assert facts(found) == expected
    assert facts(check(model, checkpoint=tmp_path / "0", **options)) == expected  # a finished one says it again


def test_cycles_are_decided_layer_by_layer(tmp_path: Path, killed_after: Any) -> None:
    m = Model("cycles", t=0, x=0)

    @m.action
    def turn(s: Any) -> None:
        s.x = (s.x + 1) % 4

    @m.action
    def on(s: Any) -> None:
        require(s.t < 6)
        s.t += 1

    m.progress(lambda s: s.t)
    asked = [
        always_eventually("zero", lambda s: s.x == 0),
        always_eventually("far", lambda s: s.t == 6),
        ltl("turns", "G F {s.x == 1} -> G F {s.x == 2}"),
        ltl("ends", "G F {s.x == 1} -> F G {s.t == 6}"),
    ]
    options: dict[str, Any] = {"properties": asked, "strategy": "sweep", "keep_going": True}
    expected = facts(check(m, **options))
    for number, counts in enumerate([(1,), (2,), (4, 1)]):
        assert facts(broken_off(m, tmp_path / str(number), killed_after, counts, **options)) == expected


def test_a_report_is_gone_on_with(tmp_path: Path, killed_after: Any) -> None:
    expected = state_space_report(protocol(), strategy="sweep")
    killed_after(3)
    with pytest.raises(Killed):
        state_space_report(protocol(), strategy="sweep", checkpoint=tmp_path, checkpoint_every=0)
    killed_after(0)
    found = state_space_report(protocol(), strategy="sweep", checkpoint=tmp_path)
    assert found.survey == expected.survey


def test_a_bound_and_equivalent_states(tmp_path: Path, killed_after: Any) -> None:
    model = protocol()
    for number, options in enumerate([{"up_to": 7, "strategy": "full"}, {"up_to": "next < 3"}]):
        expected = facts(check(model, **options))
        assert facts(broken_off(model, tmp_path / str(number), killed_after, (2, 2), **options)) == expected
    alike = protocol()
    alike.equivalence(lambda s: (s.next, s.got, s.net, s.line, s.mode))
    expected = facts(check(alike, [], trace=False))
    assert facts(broken_off(alike, tmp_path / "classes", killed_after, (2, 3), properties=[], trace=False)) == expected


def test_limits_write_a_checkpoint(tmp_path: Path) -> None:
    asked = [reachable("never", lambda s: s.got == 99)]
    expected = facts(check(protocol(), asked, strategy="full"))
    for limits in (Limits(states=1), Limits(states=100), Limits(states=1000), Limits(seconds=1e-6)):
        try:
            stopped = check(protocol(), asked, strategy="full", limits=limits, checkpoint=tmp_path)
        except SweepcheckError as error:  # a busy machine: time was up before the run began
            if error.code != "SC216" or limits.seconds is None:
                raise
            continue
        assert stopped.outcome.stop in (Stop.STATES, Stop.SECONDS)
    found = check(protocol(), asked, strategy="full", checkpoint=tmp_path)
    assert facts(found) == expected
    assert sorted(os.listdir(tmp_path)) == ["checkpoint.swc", "lock", "parents.trc"]


@pytest.mark.parametrize("states", [300, 1000, 2000])
def test_workers_who_come_to_a_limit_write_states_alone(
    states: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they have claimed in the tables by then is no state."""
    for name in ("SHARE_AFTER", "SHARE_LEAST"):
        monkeypatch.setattr(description, name, 0)
    expected = facts(check(protocol(), [], strategy="full", workers=1))
    stopped = check(protocol(), [], strategy="full", workers=3, limits=Limits(states=states), checkpoint=tmp_path)
    assert stopped.outcome.stop is Stop.STATES
    assert facts(check(protocol(), [], strategy="full", workers=3, checkpoint=tmp_path)) == expected


def test_the_limit_on_states_leaves_most_of_the_work(tmp_path: Path) -> None:
    def wide() -> Model:
        m = Model("wide", x=0, y=0)

        @m.action(dx=range(2))
        def go(s: Any, dx: int) -> None:
            require(s.x + s.y < 2000)
            s.x += dx
            s.y += 1 - dx

        return m

    explore(wide(), limits=Limits(states=200_000), checkpoint=tmp_path)
    found = checkpoints.read(tmp_path)
    assert found is not None
    assert found.description["counters"]["states"] > 150_000


# -- folders and files that are not as they should be ----------------------------------------------------------------


def code_of(folder: Path, model: Model | None = None, **options: Any) -> str:
    with pytest.raises(SweepcheckError) as caught:
        check(model or protocol(), checkpoint=folder, **{"strategy": "full", **options})
    return caught.value.code


@pytest.fixture
def begun(tmp_path: Path, killed_after: Any) -> Path:
    """A folder with a checkpoint that can be gone on with."""
    killed_after(3)
    with pytest.raises(Killed):
        check(protocol(), strategy="full", checkpoint=tmp_path / "run", checkpoint_every=0)
    killed_after(0)
    return tmp_path / "run"


def test_every_cut_and_changed_byte_is_seen(begun: Path) -> None:
    path = begun / "checkpoint.swc"
    whole, parents = path.read_bytes(), (begun / "parents.trc").read_bytes()
    for length in (0, 5, 30, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert code_of(begun) == "SC618"
    for position in range(0, len(whole), max(1, len(whole) // 12)):
        changed = bytearray(whole)
        changed[position] ^= 0x10
        path.write_bytes(changed)
        assert code_of(begun) == "SC618", position
    path.write_bytes(whole + b"12345678")
    assert code_of(begun) == "SC618"
    path.write_bytes(whole)
    (begun / "parents.trc").write_bytes(parents[:20])
    assert code_of(begun) == "SC618"
    (begun / "parents.trc").write_bytes(parents)
    assert facts(check(protocol(), strategy="full", checkpoint=begun)) == facts(check(protocol(), strategy="full"))


def rewritten(path: Path, change: Any) -> None:
    """Edit the description by hand, with the right sum."""
    data = path.read_bytes()
    magic, version, _, length = struct.unpack_from("<8sIIQ", data)
    described = json.loads(data[24 : 24 + length])
    change(described)
    text = json.dumps(described).encode()
    path.write_bytes(struct.pack("<8sIIQ", magic, version, zlib.crc32(text), len(text)) + text + data[24 + length :])


EDITS = [
    (lambda d: d["identity"].update(sweepcheck="9.9"), "SC619"),
    (lambda d: d["identity"].update(parameters="n=3"), "SC619"),
    (lambda d: d.pop("identity"), "SC618"),
    (lambda d: d["variables"].pop(), "SC618"),
    (lambda d: d["variables"][0]["values"].append({"named": "subprocess:Popen", "parts": []}), "SC618"),
    (lambda d: d["variables"][0]["values"].append({"enum": "os:system", "value": 1}), "SC618"),
    (lambda d: d["variables"][0].update(asked=[10**9]), "SC618"),
    (lambda d: d.update(variables=7), "SC618"),
    (lambda d: d.update(learnt=[]), "SC618"),
]


@pytest.mark.parametrize("number", range(len(EDITS)))
def test_what_was_edited_by_hand_is_refused(number: int, begun: Path) -> None:
    change, code = EDITS[number]
    rewritten(begun / "checkpoint.swc", change)
    assert code_of(begun) == code


def test_another_model_is_refused_with_what_changed(begun: Path) -> None:
    other = protocol(most=5)
    with pytest.raises(SweepcheckError, match="code changed") as caught:
        check(other, strategy="full", checkpoint=begun)
    assert caught.value.code == "SC619"
    with pytest.raises(SweepcheckError, match="strategy"):
        check(protocol(), strategy="sweep", checkpoint=begun)


def test_a_folder_in_use_and_one_that_cannot_be_written(begun: Path, tmp_path: Path) -> None:
    with checkpoints.opened(begun):
        assert code_of(begun) == "SC616"
    (tmp_path / "file").write_text("")
    assert code_of(tmp_path / "file") == "SC616"
    assert code_of(tmp_path / "file" / "below") == "SC616"


def test_a_folder_that_vanishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = checkpoints.write

    def vanish(folder: Path, *rest: Any) -> None:
        shutil.rmtree(folder)
        write(folder, *rest)

    monkeypatch.setattr(checkpoints, "write", vanish)
    assert code_of(tmp_path / "run") == "SC616"


def test_a_disk_that_is_full_later_costs_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, written = checkpoints.write, []

    def full(folder: Path, *rest: Any) -> None:
        if written:
            raise checkpoints.unwritable(folder, "No space left on device")
        written.append(write(folder, *rest))

    monkeypatch.setattr(checkpoints, "write", full)
    whole = check(protocol(), strategy="full")
    report = check(protocol(), strategy="full", checkpoint=tmp_path / "run", checkpoint_every=0)
    assert facts(report) == facts(whole)
    (warning,) = set(report.warnings) - set(whole.warnings)
    assert "No space left on device; the run can be gone on with from the last one" in warning
    monkeypatch.undo()
    again = check(protocol(), strategy="full", checkpoint=tmp_path / "run")
    assert facts(again) == facts(whole)
    assert again.warnings == whole.warnings


def test_a_folder_that_vanishes_later_costs_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, times = checkpoints.write, []

    def vanish(folder: Path, *rest: Any) -> None:
        times.append(folder)
        if len(times) == 3:
            shutil.rmtree(folder)
        write(folder, *rest)

    monkeypatch.setattr(checkpoints, "write", vanish)
    found = check(protocol(), strategy="full", checkpoint=tmp_path / "run", checkpoint_every=0)
    assert len(times) > 3
    assert facts(found) == facts(check(protocol(), strategy="full"))
    assert any("no checkpoint can be written" in warning for warning in found.warnings)


def test_what_is_refused_before_the_run(tmp_path: Path) -> None:
    for options in (
        {"engine": "reference"},
        {"strategy": "caching"},
        {"trace_dir": tmp_path},
        {"properties": [always_eventually("far", lambda s: s.next == 4)]},
    ):
        assert code_of(tmp_path / "run", **options) == "SC418"
    columns = product(progress(lambda s: s.next, monotone=True), lambda s: s.got)
    assert code_of(tmp_path / "run", measure=columns, strategy="column") == "SC418"
    assert not (tmp_path / "run").exists()


class Odd:
    """A value that nobody can write down."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odd)

    def __hash__(self) -> int:
        return 1


def test_a_value_that_is_no_data_is_named(tmp_path: Path) -> None:
    m = Model("odd", x=Odd())
    with pytest.raises(SweepcheckError, match="variable 'x'") as caught:
        explore(m, checkpoint=tmp_path)
    assert caught.value.code == "SC617"
