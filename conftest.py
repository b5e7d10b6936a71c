"""README and docs as tests: every Markdown page is one test, its blocks are run in order, in a folder of its own.

- A `python` block is run; with `>>>` it is a doctest. If its first line is `# name.py`, it is also saved as that file.
- A `psl`, `toml`, `aut`, `xml` or `json` block whose first line names a file (`-- name.psl`, `# name.network`,
  `<!-- name.pnml -->`) is saved as that file.
- A `console` block is typed: lines that start with `$ sweepcheck` are run in this process, what follows is what they
  print. Times, memory, the engine and how many workers there were may differ; a line `...` stands for any lines. Lines
  that start with `> ` are what is typed at the command's prompt. `$ echo $?` prints the last exit code.

One test for each page, and not for each block, because the blocks of a page belong together and parallel runs share
tests out. Pages under docs/errors have their own tests.
"""

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from io import BytesIO, TextIOWrapper
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from sweepcheck.cli.main import main
from sweepcheck.report import live

ROOT = Path(__file__).parent
FLAGS = ELLIPSIS | NORMALIZE_WHITESPACE
MEASURED = re.compile(r"\d[\d,.]* (?:B|[KMG]iB)\b|\d[\d,.]*(?= (?:s|ms|states/s)\b)|(?<=  engine ).*")
WORKERS = re.compile(r"^ +workers +\d.*\n", re.MULTILINE)


def save(block: object) -> None:
    """Keep a block as a file where its first line names one."""
    named = re.match(r"# (\w+\.py)\n", block) if isinstance(block, str) else None
    if named:
        Path(named[1]).write_text(str(block), encoding="utf-8")


def save_file(example: Example) -> None:
    """Keep a block of another language as the file that its first line names; some kinds have no comments."""
    first, _, rest = example.parsed.partition("\n")
    named = re.fullmatch(r"(?:--|#|<!--) (\w+\.(?:psl|network|aut|pnml|xml|ndjson))(?: -->)?", first)
    if named:
        Path(named[1]).write_text(rest if named[1].endswith((".aut", ".ndjson")) else example.parsed, encoding="utf-8")


def without_measurements(text: str) -> str:
    """What is the same on every machine."""
    return MEASURED.sub("#", WORKERS.sub("", text))


def run_command(arguments: list[str], typed: str) -> tuple[str, int]:
    """What a command prints, results and messages together, and its exit code."""
    printed = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
    with (
        patch.dict(os.environ, COLUMNS="120", NO_COLOR="1"),
        patch.object(live, "PLAIN_EVERY", inf),  # a busy machine has nothing more to say than a fast one
        patch("sys.stdin", TextIOWrapper(BytesIO(typed.encode()), encoding="utf-8")),
        redirect_stdout(printed),
        redirect_stderr(printed),
    ):
        code = main(arguments)
    printed.seek(0)
    return printed.read(), code


def run_console(example: Example) -> str | None:
    """Type the commands of a block and compare what they print."""
    last = example.namespace.setdefault("last_exit_code", 0)
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n?)*)", example.parsed, re.MULTILINE):
        if command == "echo $?":
            printed = f"{last}\n"
        else:
            program, *arguments = shlex.split(command)
            typed = "".join(re.findall(r"^> (.*\n)", expected, re.MULTILINE))
            assert program == "sweepcheck", f"only sweepcheck can be typed here, not {program}"
            printed, last = run_command(arguments, typed)
            example.namespace["last_exit_code"] = last
        wanted = re.sub(r"^> .*\n", "", expected, flags=re.MULTILINE) if expected.strip() else ""
        if not OutputChecker().check_output(without_measurements(wanted), without_measurements(printed), FLAGS):
            return f"$ {command}\nexpected:\n{wanted}\ngot:\n{printed}"
    return None


PAGES = Sybil(
    [
        PythonCodeBlockParser(doctest_optionflags=FLAGS),
        CodeBlockParser("console", run_console),
        *(CodeBlockParser(language, save_file) for language in ("psl", "toml", "aut", "xml", "json")),
    ]
)


class Page(pytest.File):
    """A Markdown page."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test, if there is anything to run."""
        document = PAGES.parse(self.path)
        if list(document.examples()):
            yield Blocks.from_parent(self, name="blocks")


class Blocks(pytest.Item):
    """All blocks of a page."""

    def runtest(self) -> None:
        """Run them in order in an empty folder that sees the examples."""
        home = Path.cwd()
        with TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                Path("examples").symlink_to(ROOT / "examples", target_is_directory=True)
                for example in PAGES.parse(self.path).examples():
                    save(example.parsed)
                    example.evaluate()
            finally:
                os.chdir(home)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None) -> str:
        """The words of the failure, without the machinery's traceback."""
        return str(excinfo.getrepr(style="short")) if style else str(excinfo.value)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Markdown pages, except those of the error codes."""
    if file_path.suffix == ".md" and "errors" not in file_path.parts and "_build" not in file_path.parts:
        return Page.from_parent(parent, path=file_path)
    return None
