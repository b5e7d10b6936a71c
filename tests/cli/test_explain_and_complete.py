"""`sweepcheck explain`, and the words that shells complete."""

import pytest

from sweepcheck.cli.explain import page_of
from sweepcheck.cli.main import main
from sweepcheck.errors import CODES

PROCESS = """
param n = 2
param hasty = false
process P = a -> P
system "s" = p = P
check deadlock
check invariant "all or nothing": p at P
check never again: a
"""


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_its_page(run, code):
    ended = run("explain", code.lower())
    assert ended.code == 0
    assert ended.out.startswith(f"{code}: ")
    assert {"Why", "What to do"} <= set(ended.out.splitlines())
    assert "```" not in ended.out
    assert "](" not in ended.out


def test_numbers_will_do_and_all_are_listed(run):
    assert run("explain", "301").out == run("explain", "SC301").out
    assert len(run("explain").out.splitlines()) == len(CODES)
    assert page_of("SC301").startswith("# SC301")


def test_codes_that_are_none(run):
    ended = run("explain", "SC999")
    assert ended.code == 2
    assert ended.err.startswith("error[SC403]")


@pytest.fixture
def completed(folder, monkeypatch, capsys):
    (folder / "system.psl").write_text(PROCESS)

    def complete(line):
        monkeypatch.setenv("_SWEEPCHECK_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        monkeypatch.setattr("sys.argv", ["sweepcheck"])
        with pytest.raises(SystemExit):
            main_of_click()
        return [row.partition(",")[2] for row in capsys.readouterr().out.splitlines() if row]

    return complete


def main_of_click():
    from sweepcheck.cli.main import cli

    cli.main(prog_name="sweepcheck", complete_var="_SWEEPCHECK_COMPLETE")


def test_parameters(completed):
    assert completed("sweepcheck check counter.py:counter -p ") == ["top=", "bad=", "endless="]
    assert completed("sweepcheck check counter.py:counter -p t") == ["top="]
    assert completed("sweepcheck check counter.py:counter -p endless=") == ["endless=true", "endless=false"]
    assert completed("sweepcheck explore counter.py:light -p ") == ["stuck="]
    assert completed("sweepcheck simulate system.psl -p ") == ["n=", "hasty="]


def test_properties(completed):
    assert completed("sweepcheck check counter.py:counter --property s") == ["small"]
    assert completed("sweepcheck check counter.py --property ") == ["small", "top", "deadlock", "green"]
    assert completed("sweepcheck check system.psl --property ") == ["deadlock", "all or nothing", "again"]


def test_codes(completed):
    assert completed("sweepcheck explain SC50") == ["SC501", "SC502", "SC503"]


def test_a_file_is_read_and_never_run(completed, folder):
    (folder / "acting.py").write_text("open('acted', 'w')\ndef f(n=1): ...\n")
    (folder / "broken.py").write_text("def f(:\n")
    assert completed("sweepcheck check acting.py -p ") == ["n="]
    assert not (folder / "acted").exists()
    assert completed("sweepcheck check broken.py missing.py -p ") == []


def test_the_command_line_itself(monkeypatch, capsys):
    assert main(["explain", "SC101"]) == 0
    assert capsys.readouterr().out.startswith("SC101: ")
