"""What a file of CPN Tools brings along: other files, structures, the library, and calls that only draw or write."""

from __future__ import annotations

from pathlib import Path

import pytest
from cpn_files import Page, Place, Transition, write_cpn

from sweepcheck import explore, load
from sweepcheck.cli.main import main
from sweepcheck.core.model import System
from sweepcheck.errors import SweepcheckError


def loaded(folder: Path, declarations: str, put: str, of: str = "INT", code: str = "") -> System:
    """A net with one transition, which takes 5 or 6 as n and puts what `put` says."""
    places = [Place("A", "INT", "1`5 ++ 1`6"), Place("B", of)]
    page = Page("Top", places, [Transition("T", code=code)], ["A -> T : n", f"T -> B : {put}"])
    return load(str(write_cpn(folder, "var n, x : INT; var s : STRING;" + declarations, page)))


def tokens(system: System) -> set[str]:
    """What place B may hold after one step, the same by both engines."""
    assert len({explore(system, engine=engine).statistics.states for engine in ("native", "reference")}) == 1
    edges = system.edges(system.initial_states()[0])
    return {str(token) for edge in edges for token, _ in system.describe(edge.target)["Top'B 1"].items()}  # type: ignore[attr-defined]


# -- files that are used ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "named",
    [
        '"/home/somebody/lib/more.sml"',
        '(base ^ "lib/more.sml")',
        '(base ^ folder ^ "more.sml")',
        '"C:\\\\work\\\\lib\\\\more.sml"',
        '("lib/more.sml")',
    ],
)
def test_a_path_may_be_put_together_and_lies_below_the_net(tmp_path: Path, named: str) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "more.sml").write_text("fun twice k = 2 * k;")
    declarations = f'val base = "/home/somebody/"; val folder = "lib/"; use {named};'
    assert tokens(loaded(tmp_path, declarations, "twice n")) == {"10", "12"}


def test_an_element_of_the_file_may_have_such_a_path(tmp_path: Path) -> None:
    (tmp_path / "more.sml").write_text("fun twice k = 2 * k;")
    use = "<use id='U'><ml>(base^&quot;more.sml&quot;)</ml><layout>use (base^&quot;more.sml&quot;);</layout></use>"
    page = Page("Top", [Place("A", "INT", "1`5")], [Transition("T")], ["A <-> T : n"])
    path = write_cpn(
        tmp_path, 'val base = "/x/"; var n : INT;', page, elements=f"{use}<ml id='D'>val k = twice 2;</ml>"
    )
    assert load(str(path)).notes == ()


def test_files_of_standard_ml_may_lie_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "more.sml").write_text("fun twice k = 2 * k;")
    (tmp_path / "secret.txt").write_text("fun twice k = 3 * k;")
    folder = tmp_path / "model"
    folder.mkdir()
    assert tokens(loaded(folder, 'val base = "../"; use (base ^ "more.sml");', "twice n")) == {"10", "12"}
    with pytest.raises(SweepcheckError):
        loaded(folder, 'use "../secret.txt";', "twice n")


def test_a_file_that_is_not_there_is_named_where_it_is_lacking(tmp_path: Path) -> None:
    with pytest.raises(SweepcheckError) as caught:
        loaded(tmp_path, '\nval base = "/x/";\nuse (base ^ "none.sml");', "twice n")
    assert caught.value.code == "SC142"
    assert caught.value.what == "there is no 'twice', and /x/none.sml, which may declare it, is not there"
    (used,) = [text for key, text in caught.value.values if key == "used by"]
    lines = (tmp_path / "net.cpn").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("use (base"))
    assert used == f"/x/none.sml: a declaration, line {line}"
    system = loaded(tmp_path, 'use "none.sml";', "n")
    assert any("none.sml is not beside the file" in note for note in system.notes)


# -- calls that only draw or write -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declarations", "put"),
    [
        ('fun f n = (print "x"; n + 1);', "f n"),
        ('fun log (a, b) = TextIO.output (a, b); fun f n = (log (TextIO.stdOut, "x"); n + 1);', "f n"),
        ("fun f n = let val t = Timer.startRealTimer (); val _ = print (show t) in n + 1 end;", "f n"),
        ('use "loggingFunctions.sml"; fun f n = let val _ = addATE (n, ["complete"]) in n + 1 end;', "f n"),
        ("fun f n = (if n > 5 then MSC.addEvent (chart, n) else (); n + 1);", "f n"),
        ("fun f n = (Visualize.ChangeColor (n); n + 1);", "f n"),
        ("val out = ref TextIO.stdOut; fun f n = (out := TextIO.stdErr; n + 1);", "f n"),
    ],
)
def test_what_has_no_use_is_left_out_with_a_note(tmp_path: Path, declarations: str, put: str) -> None:
    system = loaded(tmp_path, declarations, put)
    assert tokens(system) == {"6", "7"}
    assert any("left out, for nothing depends on it" in note for note in system.notes)


def test_a_code_segment_goes_on_behind_it(tmp_path: Path) -> None:
    code = 'input (n); output (x); action (print "working"; acceptConnection ("c", 9000); n + 1);'
    assert tokens(loaded(tmp_path, "", "x", code=code)) == {"6", "7"}


@pytest.mark.parametrize(
    "declarations",
    [
        "globref r = 0; fun f n = (r := n; n + !r);",  # others read it
        'fun f n = (if n > 5 then raise Fail "large" else print "x"; n);',  # the exception is the net's
        "fun f n = let val t = Timer.startRealTimer () in t end;",  # it is needed
        'fun f n = size (readFile "x");',
    ],
)
def test_what_has_a_use_is_not_left_out(tmp_path: Path, declarations: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        loaded(tmp_path, declarations, "f n")
    assert caught.value.code == "SC142"


# -- structures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declarations", "put", "found"),
    [
        ("structure M = struct val k = 2; fun twice m = k * m end;", "M.twice n", {"10", "12"}),
        ("structure M = struct val k = 2; fun twice m = k * m end; open M;", "twice n", {"10", "12"}),
        ("structure M = struct structure N = struct val k = 7 end end;", "n - n + M.N.k", {"7"}),
        ("structure M = struct datatype d = X | Y of int end;", "case M.Y n of M.Y k => k | M.X => 0", {"5", "6"}),
        ('structure M = struct fun log m = print m; fun f m = (log "x"; m) end;', "M.f n", {"5", "6"}),
    ],
)
def test_structures_of_ones_own(tmp_path: Path, declarations: str, put: str, found: set[str]) -> None:
    assert tokens(loaded(tmp_path, declarations, put)) == found


def test_what_changes_a_reference_in_a_structure_is_known_outside(tmp_path: Path) -> None:
    declarations = "structure M = struct val r = ref 0; fun set m = (r := m) end; fun f n = (M.set n; !M.r);"
    with pytest.raises(SweepcheckError) as caught:
        loaded(tmp_path, declarations, "f n")
    assert caught.value.code == "SC142"


# -- the library -------------------------------------------------------------------------------------------------------

START = (
    "val start = Date.date {day = 31, hour = 23, minute = 59, month = Date.Dec, offset = NONE, second = 55,"
    "year = 1999};"
    "fun later n = Date.date {day = Date.day start, hour = Date.hour start, minute = Date.minute start, "
    "month = Date.month start, offset = Date.offset start, second = Date.second start + n, year = Date.year start};"
)


@pytest.mark.parametrize(
    ("put", "of", "found"),
    [
        ("hd (ListMergeSort.sort (fn (a, b) => a > b) [n, 9, 3])", "INT", {"3"}),
        ("hd (ListMergeSort.sort (fn (a, b) => a < b) [n, 9, 3])", "INT", {"9"}),
        ("length (ListMergeSort.uniqueSort Int.compare [n, 5, 6])", "INT", {"2"}),
        ("if ListMergeSort.sorted (fn (a, b) => a > b) [n, 5] then 1`n else empty", "INT", {"5"}),
        ('Date.fmt "%Y-%m-%dT%H:%M:%S" (later n)', "STRING", {'"2000-01-01T00:00:00"', '"2000-01-01T00:00:01"'}),
        ("Date.toString start", "STRING", {'"Fri Dec 31 23:59:55 1999"'}),
        ("if Date.compare (later n, start) = GREATER then Date.yearDay start else 0", "INT", {"364"}),
        ("if Date.weekDay (later n) = Date.Sat then 1 else 0", "INT", {"1"}),
        ("Date.year (Date.fromTimeUniv (Date.toTime start))", "INT", {"1999"}),
    ],
)
def test_sorting_and_calendars(tmp_path: Path, put: str, of: str, found: set[str]) -> None:
    assert tokens(loaded(tmp_path, START, put, of)) == found


def test_a_date_beyond_all_years_is_an_exception(tmp_path: Path) -> None:
    far = START.replace("year = Date.year start", "year = 9999 + n")
    assert tokens(loaded(tmp_path, far + "fun f n = Date.year (later n) handle Date.Date => n;", "f n")) == {"5", "6"}


def test_the_notes_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loaded(tmp_path, 'fun f n = (print "x"; n);', "f n")
    assert main(["explore", str(tmp_path / "net.cpn")]) == 0
    assert "left out, for nothing depends on it: 'print' cannot be used" in capsys.readouterr().err
