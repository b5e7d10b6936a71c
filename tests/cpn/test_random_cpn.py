"""Random files of CPN Tools: both engines count the same, and so does the net that is written as Python."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from cpn_files import Page, Place, Transition, write_cpn

from sweepcheck import Limits, SweepcheckError, check, explore, load
from sweepcheck.cli.main import main
from sweepcheck.core.model import System
from sweepcheck.core.property import Kind, Property
from sweepcheck.engines.native import description

SEEDS = range(300 if os.environ.get("SWEEPCHECK_SLOW") else 12)
DECLARED = """colset D = int with 0..3;
colset E = with a | b | c;
colset P = product D * E;
colset L = list D;
colset U = union data : D + stop;
colset T = int timed;
var x, y, z : D; var e, f : E; var l : L; var u : U; var t : T;
fun up x = (x + 1) mod 4;
fun turn a = b | turn b = c | turn c = a;
fun short l = List.length l < 3;
"""
# Per colour set: what a place may start with, patterns of input arcs, and what output arcs may put, by their variables.
KINDS = {
    "D": (
        ["1`0", "1`1 ++ 1`3", "D.all()"],
        ["x", "1`y", "1`x ++ 1`y"],
        ["x", "up x", "1`x ++ 1`up y", "if x > y then 1`x else empty"],
    ),
    "E": (["1`a", "2`b ++ 1`c", "E.all()"], ["e", "1`f", "b"], ["e", "turn e", "if e = f then 1`e else 1`f"]),
    "P": (["1`(0, a)", "1`(1,b) ++ 1`(2,c)"], ["(x, e)", "(y, b)"], ["(x, e)", "(up x, turn e)"]),
    "L": (["[]", "[1,2]"], ["l", "x::l"], ["if short l then l^^[x] else l", "[x, y]", "l"]),
    "U": (["stop", "1`data 2 ++ 1`stop"], ["data x", "u"], ["data x", "stop", "data (up y)"]),
    "T": (["1`0@1", "1`1@0 ++ 1`2@3"], ["t"], ["t@+1", "1`(up x)@+2", "(t + 1) mod 4"]),
    "UNIT": (["2", "1"], ["", "2"], ["", "()"]),
}  # fmt: skip


def random_page(dice: Random, name: str) -> Page:
    chosen = dice.choices(list(KINDS), k=dice.randint(2, 4))
    places = [Place(f"P{number}", colour, dice.choice([*KINDS[colour][0], ""])) for number, colour in enumerate(chosen)]
    transitions, arcs = [], []
    for number in range(dice.randint(1, 3)):
        guard = dice.choice(["", "", "[x < 3]", "x <> y, e = f", "[y = up x]"])
        time = dice.choice(["", "", "@+1"])
        transitions.append(Transition(f"T{number}", guard, time, priority=dice.choice([""] * 6 + ["5"])))
        for place in places:
            _, taken, put = KINDS[place.colour]
            if dice.random() < 0.6:
                arcs.append(f"{place.name} -> T{number} : {dice.choice(taken)}")
            if dice.random() < 0.5:
                arcs.append(f"T{number} -> {place.name} : {dice.choice(put)}")
            if dice.random() < 0.1 and place.colour != "T":
                arcs.append(f"{place.name} {dice.choice(['-o', '->>'])} T{number}")
    return Page(name, places, transitions, arcs)


def loaded(path: Path) -> System | None:
    """The model; None where nothing binds a variable whose colour set has no end."""
    try:
        return load(str(path))
    except SweepcheckError as error:
        if error.code not in ("SC124", "SC148"):
            raise
        return None


@pytest.mark.parametrize("seed", SEEDS)
def test_engines_and_python_agree(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    path = write_cpn(tmp_path, DECLARED, *(random_page(dice, f"Page{number}") for number in range(dice.randint(1, 2))))
    system = loaded(path)
    if system is None:
        return
    limits = Limits(states=300)
    counted = {}
    for engine in ("reference", "auto"):
        report = explore(system, engine=engine, limits=limits)
        counted[engine] = report.complete and (report.statistics.states, report.statistics.edges)
    assert counted["reference"] == counted["auto"]
    target = tmp_path / "net.py"
    if len(set(system.made.priorities.values())) == 1:  # type: ignore[attr-defined]
        assert main(["convert", str(path), "-o", str(target), "-q"]) == 0
        report = explore(load(str(target)), limits=limits)
        assert counted["auto"] == (report.complete and (report.statistics.states, report.statistics.edges))


@pytest.mark.parametrize("seed", SEEDS)
def test_priorities_are_obeyed_natively(seed: int, tmp_path: Path) -> None:
    """Which of those enabled occur: timed or not, by tables or counted, by several workers, in every strategy."""
    dice = Random(seed)
    pages = [random_page(dice, f"Page{number}") for number in range(dice.randint(1, 2))]
    for page in pages:
        page.transitions[:] = [replace(one, priority=dice.choice(["", "5", "2000", "~3"])) for one in page.transitions]
    system = loaded(write_cpn(tmp_path, DECLARED, *pages))
    if system is None:
        return
    whole = explore(system, engine="reference", limits=Limits(states=400))
    if not whole.complete:
        return
    expected = whole.statistics.states, whole.statistics.edges, whole.statistics.dead_states
    with patch.object(description, "SHARE_AFTER", 0), patch.object(description, "SHARE_LEAST", 0):
        for options in ({}, {"workers": 2}, {"strategy": "full"}, {"verify_actions": True}):
            found = explore(system, engine="native", **options).statistics
            assert (found.states, found.edges, found.dead_states) == expected, options
    asked = [Property(Kind.DEADLOCK, "deadlock")]
    reports = [check(system, properties=asked, engine=engine) for engine in ("reference", "native")]
    assert len({report.verdicts[0].status for report in reports}) == 1


def test_random_priorities_matter(tmp_path: Path) -> None:
    """Else the test above could not fail."""
    page = Page(
        "Top",
        [Place("A", "UNIT", "3"), Place("B"), Place("C")],
        [Transition("One", priority="2"), Transition("Two", priority="1")],
        ["A -> One", "One -> B", "A -> Two : 2", "Two -> C"],
    )
    found = explore(load(str(write_cpn(tmp_path, "", page))), engine="native").statistics
    assert (found.states, found.edges) == (3, 2)  # Two while there are two tokens, One with the last


@pytest.mark.parametrize("seed", range(200 if os.environ.get("SWEEPCHECK_SLOW") else 25))
def test_damaged_files_end_in_an_error_or_a_net(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    whole = (Path(__file__).parents[2] / "examples" / "protocol.cpn").read_text(encoding="iso-8859-1")
    for _ in range(dice.randint(1, 3)):
        start = dice.randrange(len(whole))
        cut = start + dice.choice([0, 1, 2, 5])
        whole = (
            whole[:start] + dice.choice(["", "(", "`", "1`", "x", " fn ", "]", "@+", '"', "~", "andalso"]) + whole[cut:]
        )
    path = tmp_path / "net.cpn"
    path.write_text(whole, encoding="iso-8859-1")
    with suppress(SweepcheckError):  # anything else is a fault
        explore(load(str(path)), limits=Limits(states=200, seconds=5))
