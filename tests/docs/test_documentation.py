"""The pages are complete: every public name, every printed number, every picture, every decision."""

import re
import runpy
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import sweepcheck
import sweepcheck.queries
from sweepcheck.core.plan import Statistics
from sweepcheck.core.property import Kind
from sweepcheck.core.request import CheckOptions
from sweepcheck.core.verdict import Stop
from sweepcheck.engines.native import KINDS

DOCS = Path(__file__).parents[2] / "docs"


def read(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sweepcheck.__all__)
def test_every_public_name_is_in_the_reference(name):
    assert re.search(rf"^\.\. auto\w+:: ([\w.]+\.)?{name}$", read("reference/api.md"), re.MULTILINE)


@pytest.mark.parametrize("name", sweepcheck.queries.__all__)
def test_every_query_is_in_the_reference(name):
    assert re.search(rf"^\.\. auto\w+:: sweepcheck\.queries\.{name}$", read("reference/api.md"), re.MULTILINE)
    assert name in read("how-to/queries.md")


@pytest.mark.parametrize("name", [field.name for field in fields(CheckOptions)])
def test_every_option_is_in_the_reference_once(name):
    assert len(re.findall(rf"^\| `{name}` \|", read("reference/api.md"), re.MULTILINE)) == 1


NET_WORDS = ["place", "transition", "binding", "marking", "colour", "module", "port", "socket", "fusion set", "clock"]


@pytest.mark.parametrize(
    "word", [*NET_WORDS, "substitution transition", "time stamp", "fold", "tally", "collection log"]
)
def test_the_words_of_nets_and_queries_are_in_the_glossary(word):
    assert f"\n{word}\n  " in read("reference/glossary.md")


@pytest.mark.parametrize("name", [field.name for field in fields(Statistics)])
def test_every_number_is_in_the_glossary(name):
    assert f"`{name}`" in read("reference/glossary.md")


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_property_is_explained(kind):
    asked = "`assert`" if kind is Kind.ASSERTION else f"`m.{kind}("
    assert asked in read("how-to/properties.md")


def test_what_is_decided_natively_is_told():
    page = read("explanation/why-python-models-run-at-native-speed.md")
    (line,) = re.findall(r"^Decided natively: (.*?)\.", page, re.MULTILINE)
    assert re.findall(r"`(\w+)`", line) == sorted(KINDS)


def test_every_exit_code_is_explained():
    page = read("how-to/limits-and-exit-codes.md")
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == ["0", "1", "2", "3", "70", "130"]
    assert str(Stop.STATES) in page


def test_pictures_are_those_that_the_code_draws(monkeypatch):
    folder = DOCS / "explanation"
    monkeypatch.syspath_prepend(str(folder))
    drawn = runpy.run_path(str(folder / "figures.py"))
    sys.modules.pop("toy_sweep", None)
    for name in ("sweep", "stored", "regress"):
        assert drawn[f"{name}_picture"]() == read(f"explanation/{name}.svg")


def test_decisions_are_short_and_numbered():
    pages = sorted((DOCS / "decisions").glob("0*.md"))
    for number, page in enumerate(pages, start=1):
        assert page.name.startswith(f"{number:04}-")
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. ")
        assert "**Decision.**" in text
        assert len(text.splitlines()) <= 30


PAPER_4 = {  # packets-capacity: states, edges, peak; the closed forms behind them are in tests/examples
    "22-2": (7_944, 22_419, 524),
    "30-2": (14_672, 41_611, 716),
    "10-3": (24_052, 98_671, 4_766),
    "15-3": (78_027, 326_906, 10_746),
    "16-3": (94_226, 395_825, 12_230),
    "17-3": (112_525, 473_808, 13_810),
    "18-3": (133_052, 561_415, 15_486),
    "19-3": (155_935, 659_206, 17_258),
    "20-3": (181_302, 767_741, 19_126),
}


@pytest.mark.parametrize("page", ["../README.md", "papers.md"])
def test_the_table_of_paper_4(page):
    rows = re.findall(r"^\| (\d+-3|\d+-2) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+)", read(page), re.MULTILINE)
    table = {row[0]: tuple(int(number.replace(",", "")) for number in row[1:4]) for row in rows}
    assert table == PAPER_4
    for _, states, _, peak, percent in rows:
        share = 100 * int(peak.replace(",", "")) / int(states.replace(",", ""))
        assert f"{share:.1f}" == percent


BEOLINK = {  # master, devices: states and peak of our own net (tests/examples asserts them), then those of paper 0
    ("video", 3): (1_327, 1_327, 1_130, 1_130),
    ("audio", 3): (1_976, 1_976, 1_839, 1_839),
    ("video", 4): (8_887, 3_270, 13_421, 5_170),
    ("audio", 4): (13_041, 3_999, 22_675, 5_170),
    ("video", 5): (58_573, 11_033, 164_170, 35_048),
    ("audio", 5): (84_684, 15_560, 282_399, 35_048),
}


def test_the_table_of_beolink():
    row = r"^\| (video|audio) master, (\d) devices \|" + 2 * r" ([\d,]+) \| ([\d,]+) \| ([\d.]+) % \|" + "$"
    table = {}
    for master, devices, *columns in re.findall(row, read("papers.md"), re.MULTILINE):
        states, peak, reduction, *published = (float(one.replace(",", "")) for one in columns)
        assert [reduction, published[2]] == [
            round(100 * (1 - stored / total), 1) for total, stored in ((states, peak), published[:2])
        ]
        table[master, int(devices)] = (states, peak, *published[:2])
    assert table == BEOLINK
