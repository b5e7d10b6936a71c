"""`sweepcheck tradeoff`: the table, the JSON, the picture, and the ways it ends."""

import json
import re
from pathlib import Path

import pytest

from sweepcheck.cli.main import main
from sweepcheck.serve.processes import data_of

MODEL = """
from sweepcheck import Model, product, progress, require

m = Model("rounds", round=0, step=0)

@m.action
def work(s):
    require(s.step < 20)
    s.step += 1

@m.action
def rest(s):
    require(s.step == 10)
    s.step = 5

@m.action
def turn(s):
    require(s.step == 20 and s.round < 9)
    s.round, s.step = s.round + 1, 0

m.progress(product(progress(lambda s: s.round, monotone=True), lambda s: s.step))
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "rounds.py").write_text(MODEL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "rounds.py"


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_the_table(model: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tradeoff", model, "--cache-size", "100", "--cache-size", "5", "--engine", engine]) == 0
    found = capsys.readouterr()
    rows = re.findall(r"^  (\w+(?: [\d,]+)?) +([\d,]+) +([\d,]+) +([\d.]+ %)", found.out, re.MULTILINE)
    assert [row[0] for row in rows] == ["full", "generalised", "column", "caching 100", "caching 5"]
    assert rows[0][1:] == ("210", "210", "100.0 %")
    assert int(rows[2][2]) < int(rows[1][2]) < 210  # a column forgets what the generalised sweep keeps
    assert "210 states" in found.out
    assert "column: 0." in found.err


def test_as_json(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tradeoff", model, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["states"] == 210
    assert [run["strategy"] for run in found["runs"]] == ["full", "generalised", "column", *["caching"] * 5]
    assert [run["cache_size"] for run in found["runs"]][3:] == [210, 157, 105, 52, 21]
    assert found["runs"][0]["by_full"] == 1.0
    assert all(run["complete"] for run in found["runs"])


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_picture(model: str, suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tradeoff", model, "-q", "--plot", f"picture.{suffix}"]) == 0
    assert Path(f"picture.{suffix}").stat().st_size > 5000
    assert f"picture.{suffix}" in capsys.readouterr().err


def test_without_a_measure_there_is_no_sweep(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(model)
    path.write_text(MODEL.rpartition("m.progress")[0], encoding="utf-8")
    assert main(["tradeoff", model, "-q", "--cache-size", "10"]) == 0
    assert "generalised" not in capsys.readouterr().out
    assert main(["tradeoff", model, "-q", "--cache-size", "10", "--measure", "round"]) == 0
    assert "generalised" in capsys.readouterr().out


def test_what_cannot_be_done_is_refused(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tradeoff", model, "--plot", "picture.txt"]) == 2
    assert main(["tradeoff", "nowhere.py"]) == 2
    assert main(["tradeoff", model, "--progress", "round", "--measure", "scc"]) == 2
    assert main(["tradeoff", model, "--progress", "nothing"]) == 2
    assert capsys.readouterr().err.count("error[") == 4


def test_a_page(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tradeoff", model, "--cache-size", "50", "-q", "--html", "out.html"]) == 0
    assert "page written to out.html" in capsys.readouterr().err
    found = data_of(Path("out.html").read_text("utf-8"))
    assert [row["way"] for row in found["tradeoff"]["rows"]] == [
        one["reference"].removeprefix("rounds.py, ") for one in found["runs"]
    ]
    assert found["tradeoff"]["rows"][-1]["way"] == "caching 50"
    assert main(["tradeoff", model, "--html", "nowhere/out.html"]) == 2
