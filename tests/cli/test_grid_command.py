"""`sweepcheck grid`: combinations of parameters as a table, kept in a file and gone on with."""

import csv
import json

import pytest

from sweepcheck.cli.grid import exceeds, spread
from sweepcheck.errors import ModelError


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("n=2..5", ["2", "3", "4", "5"]),
        ("n=1,2,4", ["1", "2", "4"]),
        ("n=-1..1,7,7", ["-1", "0", "1", "7"]),
        ("n=(1, 2),(3,)", ["(1, 2)", "(3,)"]),
        ("n='a,b',c", ["'a,b'", "c"]),
        ("n= 3", ["3"]),
    ],
)
def test_values(typed, values):
    assert spread(typed) == ("n", values)


@pytest.mark.parametrize("typed", ["n", "n=", "2=3", "n=5..2", "n=0..999999999"])
def test_values_that_are_none(typed):
    with pytest.raises(ModelError) as caught:
        spread(typed)
    assert caught.value.code == "SC105"


def test_larger_combinations():
    assert exceeds({"n": "3", "m": "2"}, {"n": "2", "m": "2"})
    assert not exceeds({"n": "3", "m": "1"}, {"n": "2", "m": "2"})
    assert not exceeds({"n": "3", "k": "a"}, {"n": "2", "k": "b"})


def test_a_table(run):
    ended = run("grid", "counter.py:counter", "-p", "top=2..4", "-p", "endless=false")
    assert ended.code == 0
    head, *rows = (line.split() for line in ended.out.splitlines())
    assert head == ["top", "endless", "states", "edges", "peak", "memory", "time", "answer"]
    assert [(row[0], row[2], row[3], row[-1]) for row in rows] == [
        (str(top), str(top + 1), str(top), "holds") for top in (2, 3, 4)
    ]


def test_what_is_larger_than_what_reached_a_limit_is_not_tried(run):
    ended = run("grid", "counter.py:counter", "-p", "top=2..6", "--max-states", "4", "--format", "json")
    assert ended.code == 3
    rows = json.loads(ended.out)["rows"]
    assert [row["answer"] for row in rows] == ["holds", "holds", "inconclusive", "inconclusive", "inconclusive"]
    assert [row["states"] for row in rows] == [3, 4, 4, None, None]
    assert "smaller one" in rows[-1]["stop"]


def test_what_is_missing_is_gone_on_with(run, folder):
    first = run("grid", "counter.py:counter", "-p", "top=2..6", "--max-states", "4", "--csv", "g.csv")
    assert first.code == 3
    rows = list(csv.DictReader((folder / "g.csv").read_text().splitlines()))
    assert [row["answer"] for row in rows].count("holds") == 2
    text = (folder / "g.csv").read_text().replace("3,4,3,4,", "3,99,3,4,")  # to see that it is not run again
    (folder / "g.csv").write_text(text)
    ended = run("grid", "counter.py:counter", "-p", "top=2..7", "--csv", "g.csv", "--format", "csv")
    assert ended.code == 0
    rows = list(csv.DictReader(ended.out.splitlines()))
    assert [row["top"] for row in rows] == ["2", "3", "4", "5", "6", "7"]
    assert [row["states"] for row in rows] == ["3", "99", "5", "6", "7", "8"]
    assert list(csv.DictReader((folder / "g.csv").read_text().splitlines())) == rows


@pytest.mark.parametrize(
    "text", ["a,b\n1,2\n", "top,states\n", "\0", "top,states,edges,explored,peak,memory_bytes,seconds,answer,stop\n1\n"]
)
def test_a_file_that_is_no_table_is_left_alone(run, folder, text):
    (folder / "g.csv").write_text(text)
    ended = run("grid", "counter.py:counter", "-p", "top=2..3", "--csv", "g.csv")
    assert ended.code == 2
    assert ended.err.startswith("error[SC406]")
    assert (folder / "g.csv").read_text() == text


def test_violations_models_without_properties_and_mistakes(run):
    ended = run("grid", "counter.py:counter", "-p", "top=2,3", "-p", "bad=None", "--format", "csv")
    assert ended.code == 0
    assert run("grid", "counter.py:light", "-p", "stuck=false,true").code == 1
    assert run("grid", "counter.py:bare").out.split()[-1] == "complete"
    assert run("grid", "counter.py:counter", "-p", "nothing=1,2").err.startswith("error[SC105]")
    assert run("grid", "counter.py:counter", "-p", "top=1..999", "-p", "bad=1..99").err.startswith("error[SC404]")
    assert run("grid", "counter.py:counter", "-p", "top=1", "-p", "top=2").err.startswith("error[SC105]")


def test_plot(run, folder):
    pytest.importorskip("matplotlib")
    ended = run("grid", "counter.py:counter", "-p", "top=2..5", "-p", "endless=false", "--plot", "g.svg")
    assert ended.code == 0
    assert "<svg" in (folder / "g.svg").read_text()
    assert run("grid", "counter.py:counter", "-p", "top=2", "--plot", "g.doc").err.startswith("error[SC403]")
