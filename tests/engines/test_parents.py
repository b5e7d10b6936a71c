"""The parent file: what is appended can be followed back, and the format is the one its docstring gives."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import SweepcheckError
from sweepcheck.engines import parents
from sweepcheck.engines.parents import BLOCK, HEADER, MAGIC, RECORDS, VERSION, ParentFile, Parents


@st.composite
def origins(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Parents that come before their children (or are themselves), with edges of all sizes."""
    length = draw(st.integers(1, 60))
    edge = st.one_of(st.integers(0, 3), st.integers(0, 1 << 40))
    return [(draw(st.integers(0, number)), draw(edge)) for number in range(length)]


def way(origins: list[tuple[int, int]], number: int) -> list[int]:
    parent, edge = origins[number]
    return [edge] if parent == number else [*way(origins, parent), edge]


@given(origins())
def test_round_trip(drawn: list[tuple[int, int]]) -> None:
    with ParentFile(None) as parents:
        for parent, edge in drawn:
            parents.append(parent, edge)
        assert [parents.path_to(number) for number in range(len(drawn))] == [
            way(drawn, number) for number in range(len(drawn))
        ]


@given(origins(), st.integers(0, 59))
def test_reading_between_appends_changes_nothing(drawn: list[tuple[int, int]], at: int) -> None:
    with ParentFile(None) as parents:
        for number, (parent, edge) in enumerate(drawn):
            parents.append(parent, edge)
            if number == at:
                assert parents.path_to(number) == way(drawn, number)
        assert parents.path_to(len(drawn) - 1) == way(drawn, len(drawn) - 1)


def test_many_blocks(tmp_path: Path) -> None:
    """Every state but the first has the one half its number as parent: a binary tree over several blocks."""
    drawn = [(number // 2, number % 2) for number in range(5 * RECORDS + 7)]
    with ParentFile(tmp_path) as parents:
        for parent, edge in drawn:
            parents.append(parent, edge)
        for number in (0, 1, RECORDS - 1, RECORDS, RECORDS + 1, 4 * RECORDS, len(drawn) - 1):
            assert parents.path_to(number) == way(drawn, number)
    assert Parents.read(parents.path, len(drawn) - 1) == way(drawn, len(drawn) - 1)


def test_format(tmp_path: Path) -> None:
    with ParentFile(tmp_path / "deeper" / "still") as parents:
        for parent, edge in ((0, 0), (0, 5), (1, 300), (0, 1)):
            parents.append(parent, edge)
        path = parents.path
    data = path.read_bytes()
    assert struct.unpack_from("<8sII", data) == (MAGIC, VERSION, RECORDS)
    payload = bytes([0, 0, 0, 5, 2, 0xAC, 0x02, 1, 1])  # differences 0, 0, +1, -1 in zigzag; 300 in two bytes
    assert struct.unpack_from("<QII", data, HEADER.size) == (0, 4, len(payload))
    assert data[HEADER.size + BLOCK.size :] == payload
    assert parents.bytes == len(data)


def test_a_temporary_file_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with ParentFile(None) as parents:
        parents.append(0, 0)
        parents.flush()
        assert parents.path is None
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [-1, 3])
@pytest.mark.parametrize("count", [0, 3])
def test_a_state_that_is_not_there(count: int, number: int) -> None:
    with ParentFile(None) as parents:
        for _ in range(count):
            parents.append(0, 0)
        with pytest.raises(SweepcheckError) as caught:
            parents.path_to(number)
    assert caught.value.code == "SC501"


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SweepcheckError) as caught:
        ParentFile(tmp_path / "file" / "folder")
    assert caught.value.code == "SC406"


def test_after_an_error_nothing_is_written(tmp_path: Path) -> None:
    parents = ParentFile(tmp_path)
    parents.append(0, 0)
    parents.__exit__(ZeroDivisionError, ZeroDivisionError(), None)
    assert parents.path.read_bytes()[HEADER.size :] == b""


def test_a_long_path_reads_each_block_once(monkeypatch):
    read = []
    plain = parents._records
    monkeypatch.setattr(parents, "_records", lambda payload, wanted: read.append(wanted) or plain(payload, wanted))
    with parents.ParentFile(None) as file:
        file.append(0, 3)
        for number in range(3 * parents.RECORDS):
            file.append(number, number % 5)
        assert file.path_to(3 * parents.RECORDS) == [3, *(number % 5 for number in range(3 * parents.RECORDS))]
    assert len(read) == 4


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda whole: whole[:-1], "ends before"),
        (lambda whole: whole[:20], "cut off"),
        (lambda whole: whole[:16] + b"\x07" + whole[17:], "stands where"),
        (lambda whole: whole[:-2] + b"\x40" + whole[-1:], "is said to lead to"),
        (lambda whole: whole[:16], "holds no state"),
    ],
)
def test_a_file_that_is_damaged(spoil: Callable[[bytes], bytes], why: str, tmp_path: Path) -> None:
    with ParentFile(tmp_path) as parents:
        for number in range(5):
            parents.append(max(0, number - 1), 0)
    path = tmp_path / "parents.trc"
    assert Parents.read(path, 4) == [0] * 5
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(SweepcheckError, match=why) as caught:
        Parents.read(path, 4)
    assert caught.value.code == "SC501"
