"""`sweepcheck reproduce`: the tables, their marks and forms, and the page that is made from them."""

import json
import os
import re
import runpy
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from sweepcheck.cli.main import main
from sweepcheck.papers import SMALL, TABLES, Bench, made, measuring, tables_of
from sweepcheck.papers.classes import CUT_OFF
from sweepcheck.papers.questions import ANSWERS, COSTS
from sweepcheck.papers.sweeps import DATA_LINK, STOP_AND_WAIT
from sweepcheck.papers.table import Column, Line, Made, Mark, Reason, Table
from sweepcheck.papers.writing import reasons, summary, table_to_markdown, table_to_text, to_json
from sweepcheck.serve.processes import data_of

DOCS = Path(__file__).parents[2] / "docs"
ROOT = DOCS.parent
SLOW = os.environ.get("SWEEPCHECK_SLOW") == "1"
NAMES = [table.full_name.lower() for table in TABLES]


@cache
def bench() -> Bench:
    return Bench(timed=False)


@cache
def small(table_name: str) -> Made:
    return made(TABLES[NAMES.index(table_name)], bench(), small=not SLOW)


@cache
def page() -> dict[str, str]:
    tool = runpy.run_path(str(DOCS / "papers.py"))
    return tool["blocks"](tool["PAGE"].read_text(encoding="utf-8"))


def cells(markdown: str, table: Table) -> list[list[str]]:
    """The rows of a table in Markdown, without times."""
    kept = [True] * len(table.heads)
    for column in table.columns:
        kept += [not column.is_time] * (1 + column.published)
    rows = [line[2:-2].split(" | ") for line in markdown.splitlines() if line.startswith("| ")]
    return [[cell for cell, keep in zip(row, kept, strict=True) if keep] for row in rows]


def test_the_page_has_every_table():
    assert sorted(page()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_what_is_measured(name):
    """All of it but times; rows that are large only with SWEEPCHECK_SLOW=1."""
    again = small(name)
    told, measured = cells(page()[name], again.table), cells(table_to_markdown(again), again.table)
    assert told[:2] == measured[:2]
    assert len(told) == len(measured)
    for row, line, expected in zip(again.rows, told[2:], measured[2:], strict=True):
        assert line == expected or row.left_out
        assert "left out" not in line
    if SLOW:
        assert page()[name].splitlines()[len(told) :] == table_to_markdown(again).splitlines()[len(told) :]


@pytest.mark.parametrize("name", NAMES)
def test_every_difference_has_a_reason(name):
    assert small(name).unexplained == 0


def test_what_is_small_is_made_and_what_is_not_is_said_to_be_left_out():
    for table in TABLES:
        for line, row in zip(table.lines, small(table.full_name.lower()).rows, strict=True):
            assert bool(row.left_out) == (line.size > SMALL and not SLOW)
            assert row.left_out or any(cell.measured is not None for cell in row.cells)


def test_engines_agree_on_small_rows():
    table = replace(DATA_LINK, lines=DATA_LINK.lines[:2])
    rows = [made(table, Bench(timed=False, engine=engine), small=True).rows for engine in ("reference", "native")]
    assert rows[0] == rows[1]


def invented(found: dict[str, object], reasons: dict[object, Reason] | None = None) -> Made:
    columns = (Column("states", "states"), Column("share", "share", "percent 1"), Column("time", "time", "ratio"))
    line = Line(("3",), {}, 10, {"states": 10, "share": 33.3, "time": 0.5})
    table = Table(9, "table 1", "an invention", "none", ("n",), columns, (line,), lambda *_: found, reasons or {})
    return made(table, Bench(), small=True)


def test_marks():
    equal = invented({"states": 10, "share": 100 / 3, "time": 7.0}).rows[0].cells
    assert [cell.mark for cell in equal] == [Mark.EQUAL, Mark.EQUAL, Mark.TIME]
    unknown = invented({"states": 11, "share": None})
    assert [cell.mark for cell in unknown.rows[0].cells] == [Mark.DIFFERS, None, None]
    assert unknown.unexplained == 1
    assert "UNEXPLAINED" in table_to_text(unknown)
    assert "1  figures differ for no reason that is known" in summary([unknown])
    own, one = Reason(Mark.OWN, "it is ours"), Reason(Mark.DIFFERS, "a misprint")
    known = invented({"states": 11, "share": 50.0}, {"states": own, ("share", "3"): one})
    assert known.unexplained == 0
    assert reasons(known) == ["○ states: it is ours", "≠ share: a misprint"]
    cell = to_json([known])["tables"][0]["rows"][0]["cells"]["states"]
    assert cell == {"published": 10, "measured": 11, "mark": "own model", "reason": "it is ours"}


def test_text_puts_both_figures_under_the_column_of_the_paper():
    lines = table_to_text(small("paper 0, table 2")).splitlines()
    head, row = next((a, b) for a, b in pairwise(lines) if b.lstrip().startswith("packets"))
    assert re.split(" {2,}", head.strip()) == [column.title for column in STOP_AND_WAIT.columns]
    first = next(line for line in lines if line.startswith("  10 "))
    assert re.fullmatch(r"  10 +2,576 +2,576 = +2,002 +2,001 ~ +22.3 % +22.3 % = +1.00 +–", first)
    assert row.split()[1:] == ["paper", "here"] * 4


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = main(["reproduce", *arguments])
        return code, *capsys.readouterr()

    return call


def test_json(run):
    code, out, err = run("paper4", "--rows", "small", "--no-times", "--format", "json")
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert data["unexplained"] == 0
    assert [table["name"] for table in data["tables"]] == ["table 1", "section 5"]
    marks = {cell["mark"] for table in data["tables"] for row in table["rows"] for cell in row["cells"].values()}
    assert marks == {"equal", None}
    assert data["tables"][0]["rows"][-1]["left_out"] == "large: --rows all"


def test_a_page(run, tmp_path):
    code, text, _ = run("paper4", "--rows", "small", "--no-times", "--html", str(tmp_path / "out.html"))
    found = data_of((tmp_path / "out.html").read_text("utf-8"))
    assert code == 0
    assert found["runs"] == []
    assert [table["paper"] for table in found["tables"]["tables"]] == [4] * len(tables_of("paper4"))
    assert found["tables"]["summary"] in text


def test_times_are_measured(monkeypatch):
    monkeypatch.setattr(measuring, "MOST_ROUNDS", 1)
    rows = made(replace(COSTS, lines=COSTS.lines[:1]), Bench(), small=True).rows
    marks = [cell.mark for cell in rows[0].cells]
    assert marks == [Mark.EQUAL] * 3 + [Mark.TIME] * 2
    (row,) = made(replace(STOP_AND_WAIT, lines=STOP_AND_WAIT.lines[:1]), Bench(), small=True).rows
    assert float(row.cells[-1].measured) > 0


@pytest.mark.parametrize(("ending", "begins"), [("md", "## Paper 3, figure 3"), ("json", "{"), ("txt", "Paper 3, fig")])
def test_files(run, ending, begins, monkeypatch):
    monkeypatch.setattr("sweepcheck.cli.reproduce.tables_of", lambda _: [replace(CUT_OFF, lines=CUT_OFF.lines[:1])])
    code, _, err = run("paper3", "-o", f"tables.{ending}", "-q")
    assert (code, err) == (0, "")
    assert Path(f"tables.{ending}").read_text(encoding="utf-8").startswith(begins)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["paper9"], "'paper9' is not one of"),
        (["--rows", "some"], "Invalid value for '--rows'"),
        (["paper4", "-o", "tables.pdf"], "error[SC403]"),
        (["paper4", "-o", "nowhere/tables.md"], "error[SC406]"),
        (["paper4", "--plot", "figure.svg"], "error[SC404]"),
        (["paper2", "--no-times", "--plot", "figure.svg"], "error[SC404]"),
        (["paper2", "--plot", "figure.doc"], "error[SC403]"),
        (["paper2", "--models", "nowhere"], "error[SC615]"),
    ],
)
def test_requests_that_are_refused(run, arguments, error):
    code, out, err = run(*arguments, "-q")
    assert (code, out) == (2, "")
    assert error in err


def test_a_row_that_takes_too_long_is_left_out(run):
    code, out, _ = run("paper0", "--time-limit", "0.000001", "-q", "--rows", "small")
    assert code == 3
    assert "left out (not done after 1e-06 s)" in out


MODEL = """
from sweepcheck import Model, require

def protocol(packets=10, capacity=3, expected_only=False):
    m = Model("another protocol", sent=0)

    @m.action
    def send(s):
        require(s.sent < packets)
        s.sent += 1

    m.progress(lambda s: s.sent)
    m.always_possible("all received", lambda s: s.sent == packets)
    m.always_eventually("packet sent or all received", lambda s: True)
    m.always_eventually("acknowledgement sent", lambda s: s.sent == packets)
    return m
"""


def test_other_models_are_tried(run):
    Path("communication_protocol.py").write_text(MODEL, encoding="utf-8")
    code, out, _ = run("paper4", "--models", ".", "--rows", "small", "--no-times", "-q")
    assert code == 1
    assert re.search(r"22-2 +P1: AG EF allrcv +7,944 +23 ≠ +22,419 +22 ≠", out)
    assert re.search(r"P3: AG AF ack +every packet +violated +holds ≠", out)


def test_the_figure_is_drawn(run, monkeypatch):
    pytest.importorskip("matplotlib")
    from sweepcheck.papers.tradeoff import FIGURE

    few = replace(FIGURE, lines=FIGURE.lines[-4:])
    monkeypatch.setattr("sweepcheck.cli.reproduce.FIGURE", few)
    monkeypatch.setattr("sweepcheck.cli.reproduce.tables_of", lambda _: [few])
    code, _, err = run("paper2", "--plot", "figure.svg", "-q")
    assert (code, err) == (0, "plot written to figure.svg\n")
    assert "stop-and-wait, numbers to 50" in Path("figure.svg").read_text(encoding="utf-8")


def test_every_model_of_a_table_is_installed_with_the_package():
    """The wheel has those that CMake installs."""
    installed = set(re.findall(r"examples/(\w+\.\w+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")))
    named = {name for table in TABLES for name in re.findall(r"\w+\.(?:py|psl)", table.models)}
    assert installed == named
    assert all(measuring.shipped(name).is_file() for name in named)


def test_papers_by_name():
    assert tables_of("all") == list(TABLES)
    assert tables_of("paper4") == [COSTS, ANSWERS]
