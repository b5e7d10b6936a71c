"""The parent file that the native engine writes, read by the Python reader."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sweepcheck import Model, SweepcheckError, check, choose, invariant, require
from sweepcheck.engines.parents import BLOCK, HEADER, MAGIC, RECORDS, VERSION, Parents


def grid(top: int) -> Model:
    m = Model("grid", x=0, y=0)
    m.initial(x=[0, 1], y=[0, 2])

    @m.action(name=["x", "y"])
    def up(s: Any, name: str) -> None:
        step = choose(1, 2)
        require(getattr(s, name) + step <= top)
        setattr(s, name, getattr(s, name) + step)

    return m


@pytest.mark.parametrize("strategy", ["full", "sweep"])
@pytest.mark.parametrize("top", [2, 31, 60])
def test_every_state_has_a_way_back(tmp_path: Path, top: int, strategy: str) -> None:
    far = invariant("not at the end", lambda s: (s.x, s.y) != (top, top))
    report = check(
        grid(top), [far], engine="native", strategy=strategy, measure=lambda s: s.x, trace_dir=tmp_path, keep_going=True
    )
    path = report.trace_file
    assert path == tmp_path / "parents.trc"
    data = path.read_bytes()
    assert HEADER.unpack_from(data) == (MAGIC, VERSION, RECORDS)
    assert report.statistics.trace_bytes == len(data)
    offset, first = HEADER.size, 0
    while offset < len(data):
        number, records, size = BLOCK.unpack_from(data, offset)
        assert number == first
        assert 0 < records <= RECORDS
        first, offset = first + records, offset + BLOCK.size + size
    assert (first, offset) == (report.statistics.states, len(data))

    ways = [Parents.read(path, number) for number in range(0, first, max(1, first // 50))]
    assert Counter(way[0] for way in ways).keys() <= set(range(4))
    lengths = [len(way) for way in ways]
    if strategy == "full":
        assert lengths == sorted(lengths)  # breadth first
    trace = report.verdicts[0].trace
    assert trace is not None
    assert trace.states[-1] == (top, top)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SweepcheckError) as caught:
        check(grid(2), [invariant("any", lambda s: True)], engine="native", trace_dir=tmp_path / "file" / "folder")
    assert caught.value.code == "SC406"
