"""The pages of the error codes: one for each code, and each tells the truth.

The blocks of a page are files, named by their first lines, which are comments of the language (or left out, where the
language has none); the `console` block is a command that fails on them, and the message it prints.
"""

import re
import shlex
import sys
from pathlib import Path

import pytest

from sweepcheck import explore
from sweepcheck.cli.main import main
from sweepcheck.cluster.driver import LostError
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.source import packed, unpacked
from sweepcheck.errors import CODES

FOLDER = Path(__file__).parents[2] / "docs" / "errors"
PAGES = sorted(FOLDER.glob("SC*.md"))
SECTIONS = ["Why", "What to do"]
LANGUAGES = ("python", "psl", "aut", "toml", "trace", "xml", "json")
WITHOUT_COMMENTS = ("aut", "trace", "json")


class Dying(LocalSites):
    """Sites that die at the first superstep."""

    def step(self, orders, inboxes):
        raise LostError("the actor was killed")


# What happens in other processes is made to happen here.
FAULTY = {
    "SC621": lambda plan: LocalSites(unpacked(packed(plan)), 2),
    "SC622": lambda plan: Dying(plan, 2),
    "SC623": lambda plan: LocalSites(plan, 2),
}


def block(page: str, language: str) -> str:
    """The only block of a page in a language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return str(found)


def save(page: str, folder: Path) -> None:
    """Write the files that a page is about."""
    found = re.findall(rf"^```({'|'.join(LANGUAGES)})\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert found
    for language, source in found:
        first, _, rest = source.partition("\n")
        name = first.strip("#-<!> ")
        (folder / name).write_text(rest if language in WITHOUT_COMMENTS else source, encoding="utf-8")


def comparable(text: str) -> str:
    """A message without what differs between versions of Python: the marks under a line of a traceback."""
    return "\n".join(line.rstrip() for line in text.splitlines() if not re.fullmatch(r"\s*[~^]+\s*", line))


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert [page.stem for page in PAGES] == sorted(CODES)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_example_fails_as_the_page_says(path, tmp_path, monkeypatch, capsys) -> None:
    page, code = path.read_text(encoding="utf-8"), path.stem
    save(page, tmp_path)
    command, _, message = block(page, "console").removeprefix("$ ").partition("\n")
    program, *arguments = shlex.split(command)
    monkeypatch.chdir(tmp_path)
    if code == "SC405":
        monkeypatch.setitem(sys.modules, "matplotlib", None)
    if code == "SC619":  # a run that was there before
        explore("stairs.py", checkpoint="run")
    if code in FAULTY:
        monkeypatch.setattr("sweepcheck.cluster.sites_for", FAULTY[code])
    assert program == "sweepcheck"
    assert main(arguments) == (3 if code in ("SC216", "SC622") else 2)
    printed = capsys.readouterr().err
    assert printed.startswith(f"error[{code}]")
    assert comparable(printed) == comparable(message)


@pytest.mark.parametrize("code", ["SC213", "SC502"])
@pytest.mark.parametrize("options", [[], ["--verify-actions"]], ids=["plain", "verified"])
def test_an_impure_example_fails_natively_too(code, options, tmp_path, monkeypatch, capsys) -> None:
    """An action runs less often there, so the words may be others, or another code of the two."""
    page = (FOLDER / f"{code}.md").read_text(encoding="utf-8")
    save(page, tmp_path)
    command = block(page, "console").partition("\n")[0]
    assert command.endswith(" --engine reference")
    monkeypatch.chdir(tmp_path)
    assert main([*shlex.split(command.removesuffix(" --engine reference"))[2:], "--engine", "native", *options]) == 2
    assert capsys.readouterr().err.startswith(("error[SC213]", "error[SC502]"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_short_and_has_its_sections(path) -> None:
    page = path.read_text(encoding="utf-8")
    assert page.splitlines()[0] == f"# {path.stem}: {CODES[path.stem]}"
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == SECTIONS
    assert len(page.splitlines()) <= 70


def test_the_index_lists_every_code() -> None:
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[(SC\d+)\]\(\1\.md\) \| (.*) \|$", index, re.MULTILINE) == list(CODES.items())
