"""The pages are complete: every public name, every printed number, every picture, every decision."""

import re
import runpy
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import sweepcheck
from sweepcheck.core.plan import Statistics
from sweepcheck.core.property import Kind
from sweepcheck.core.verdict import Stop

DOCS = Path(__file__).parents[2] / "docs"


def read(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sweepcheck.__all__)
def test_every_public_name_is_in_the_reference(name):
    assert re.search(rf"^\.\. auto\w+:: {name}$", read("reference/api.md"), re.MULTILINE)


@pytest.mark.parametrize("name", [field.name for field in fields(Statistics)])
def test_every_number_is_in_the_glossary(name):
    assert f"`{name}`" in read("reference/glossary.md")


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_property_is_explained(kind):
    assert f"`m.{kind}(" in read("how-to/properties.md")


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
