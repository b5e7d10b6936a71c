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
from sweepcheck.papers.published import PROTOCOL

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
    numbers = [int(page.name[:4]) for page in pages]
    assert len(set(numbers)) == len(numbers)
    for number, page in zip(numbers, pages, strict=True):
        assert page.name[4] == "-"
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. ")
        assert "**Decision.**" in text
        assert len(text.splitlines()) <= 30


def test_the_table_of_paper_4_in_the_readme():
    """The published states, edges and percentages; the golden table asserts our peaks."""
    rows = re.findall(
        r"^\| (\d+)-(\d) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) %", read("../README.md"), re.MULTILINE
    )
    numbers = [[float(cell.replace(",", "")) for cell in row] for row in rows]
    assert {(n, c): (states, edges, share) for n, c, states, edges, _, share in numbers} == {
        key: (row.states, row.edges, row.peak) for key, row in PROTOCOL.items()
    }
    assert all(round(100 * peak / states, 1) == share for _, _, states, _, peak, share in numbers)
