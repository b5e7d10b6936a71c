"""Nets of CPN Tools: they have the states that CPN Tools counts, whatever they are made of."""

import os
import re
from pathlib import Path

import pytest
from cpn_files import Page, Place, Transition, write_cpn

from sweepcheck import Limits, Report, SweepcheckError, check, explore, invariant, load, reachable
from sweepcheck.core.model import System
from sweepcheck.properties.expression import expression

ROOT = Path(__file__).parents[2]
EXAMPLE = str(ROOT / "examples" / "protocol.cpn")
REAL = Path(os.environ.get("SWEEPCHECK_CPN_FILES", ROOT.parent / "cpn-files"))  # files of others lie beside the project


def net(folder: Path, declared: str, *pages: Page, **named: object) -> System:
    return load(str(write_cpn(folder, declared, *pages, **named)))


def one_page(
    folder: Path, declared: str, places: list[Place], transitions: list[Transition], arcs: list[str]
) -> System:
    return net(folder, declared, Page("Top", places, transitions, arcs))


def counts(system: System, **options: object) -> tuple[int, int]:
    """States and edges, the same in all engines."""
    found: list[Report] = [explore(system, engine="reference", **options), explore(system, **options)]  # type: ignore[arg-type]
    numbers = {(one.statistics.states, one.statistics.edges) for one in found}
    assert len(numbers) == 1
    assert found[0].complete
    return numbers.pop()  # type: ignore[return-value]


def refused(folder: Path, *arguments: object) -> SweepcheckError:
    with pytest.raises(SweepcheckError) as caught:
        explore(one_page(folder, *arguments))  # type: ignore[arg-type]
    return caught.value


def reached(system: System, text: str) -> bool:
    return bool(check(system, [reachable("it", expression(system, text))]))


# -- figures that were published -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "count", "states", "edges", "peak"),
    [(1, 4, 33, 44, 6), (2, 4, 293, 764, 92), (3, 4, 1829, 6860, 758), (4, 4, 9025, 43124, 4449)],
)
def test_the_protocol_has_the_published_figures(limit: int, count: int, states: int, edges: int, peak: int) -> None:
    system = load(EXAMPLE, {"Limit": limit, "Count": count})
    report = explore(system, measure="(NextSend, NextRec)")
    assert (report.statistics.states, report.statistics.edges, report.statistics.peak) == (states, edges, peak)
    if limit < 3:
        assert counts(system) == (states, edges)


@pytest.mark.skipif(not REAL.is_dir(), reason="files of CPN Tools do not lie beside the project")
def test_the_file_of_the_book_has_the_figures_of_the_book(tmp_path: Path) -> None:
    (path,) = REAL.rglob("7-2LimitProtocol.cpn")
    report = explore(load(str(path)))
    assert (report.statistics.states, report.statistics.edges) == (13215, 52784)


@pytest.mark.skipif(not REAL.is_dir(), reason="files of CPN Tools do not lie beside the project")
def test_the_file_of_the_book_where_the_sender_never_goes_back(tmp_path: Path) -> None:
    (path,) = REAL.rglob("7-2LimitProtocol.cpn")
    text = path.read_text(encoding="iso-8859-1")
    keeps = re.compile(
        r'(<annot id="ID93259">.*?<text[^>]*>)n(</text>)', re.DOTALL
    )  # what Receive Ack puts on NextSend
    changed, times = keeps.subn(r"\g<1>if n &gt; k then n else k\g<2>", text)
    assert times == 1
    for limit, count, states, edges in ((2, 4, 293, 764), (3, 4, 1829, 6860), (4, 5, 20016, 99355)):
        file = tmp_path / "limit.cpn"
        file.write_text(changed.replace("3`()", f"{limit}`()"), encoding="iso-8859-1")
        packets = " ++ ".join(f'1`({number},"p")' for number in range(1, count + 1))
        report = explore(load(str(file), {"AllPackets": packets}), measure="NextRec")
        assert (report.statistics.states, report.statistics.edges) == (states, edges)


@pytest.mark.skipif(not REAL.is_dir(), reason="files of CPN Tools do not lie beside the project")
@pytest.mark.parametrize(
    ("name", "states", "edges"),
    [
        ("DistributedDataBase.cpn", 109, 224),
        ("DistributedDataBase_OG.cpn", 28, 42),
        ("DiningPhilosophers.cpn", 11, 30),
        ("ResourceAllocation_OG.cpn", 13, 20),
        ("SimpleProtocol_OG.cpn", 428, 1130),
    ],
)
def test_samples_of_the_tool_have_the_published_figures(name: str, states: int, edges: int) -> None:
    path = next(REAL.rglob(name))
    assert counts(load(str(path))) == (states, edges)


PHILOSOPHERS = (
    (
        "val n = 5; colset PH = index ph with 1..n; colset CS = index cs with 1..n; var p : PH;"
        "fun Sticks (ph i) = 1`cs i ++ 1`cs (if i = n then 1 else i + 1);"
    ),
    Page(
        "Dining room",
        [Place("Think", "PH", "PH.all()"), Place("Eat", "PH"), Place("Unused Chopsticks", "CS", "CS.all()")],
        [Transition("Take"), Transition("Put Down")],
        [
            "Think -> Take : p",
            "Unused Chopsticks -> Take : Sticks(p)",
            "Take -> Eat : p",
            "Eat -> Put Down : p",
            "Put Down -> Think : p",
            "Put Down -> Unused Chopsticks : Sticks(p)",
        ],
    ),
)


def test_philosophers(tmp_path: Path) -> None:
    assert counts(net(tmp_path, *PHILOSOPHERS)) == (11, 30)
    assert counts(load(str(tmp_path / "net.cpn"), {"n": 3})) == (4, 6)


# -- tokens and inscriptions -----------------------------------------------------------------------------------------


def test_an_empty_list_is_one_token_where_tokens_are_lists(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        "colset L = list INT; var l : L; var i : INT;",
        [Place("Queue", "L", "[]"), Place("In", "INT", "1`1 ++ 1`2")],
        [Transition("Append")],
        ["Queue -> Append : l", "Append -> Queue : l ^^ [i]", "In -> Append : i"],
    )
    assert counts(system) == (5, 4)
    assert reached(system, "size(Queue) = 1 andalso hd Queue = [2,1]")


def test_a_multiset_is_a_list(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        "colset C = with a | b | c; colset P = product C * INT; var x : C;",
        [Place("Start", "UNIT", "1"), Place("All", "P")],
        [Transition("T")],
        ["Start -> T", "T -> All : List.map (fn x => (x, 1)) (C.all())"],
    )
    assert counts(system) == (2, 1)
    assert reached(system, "size(All) = 3")


def test_a_place_without_a_type_is_unit_and_numbers_are_tokens(tmp_path: Path) -> None:
    system = one_page(tmp_path, "", [Place("A", "", "5"), Place("B")], [Transition("T")], ["A -> T : 2", "T -> B"])
    assert counts(system) == (3, 2)
    assert reached(system, "len(A) == 1 and len(B) == 2")


def test_a_blank_arc_elsewhere_is_an_error(tmp_path: Path) -> None:
    error = refused(tmp_path, "", [Place("A", "INT", "1`1")], [Transition("T")], ["A -> T"])
    assert error.code == "SC141"
    assert "net.cpn:" in str(error.where)
    assert "page 'Top'" in str(error.where)


def test_an_ill_typed_inscription_is_an_error_with_its_place(tmp_path: Path) -> None:
    error = refused(tmp_path, "var n : INT;", [Place("A", "INT", "1`1")], [Transition("T")], ["A -> T : (n, 2)"])
    assert error.code == "SC141"
    assert "'A'" in str(error.where)
    assert "'T'" in str(error.where)


def test_an_equality_of_the_guard_binds(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        "var n, m : INT;",
        [Place("A", "INT", "1`3"), Place("B", "INT")],
        [Transition("T", guard="[m = n * 2]")],
        ["A -> T : n", "T -> B : m"],
    )
    assert counts(system) == (2, 1)
    assert reached(system, "6 in B")


def test_a_guard_is_a_list_with_or_without_brackets(tmp_path: Path) -> None:
    for number, guard in enumerate(("[n > 1, n < 4]", "n > 1, n < 4", "n > 1 andalso n < 4")):
        folder = tmp_path / str(number)
        folder.mkdir()
        system = one_page(
            folder,
            "var n : INT;",
            [Place("A", "INT", "1`1 ++ 1`2 ++ 1`3 ++ 1`4"), Place("B", "INT")],
            [Transition("T", guard=guard)],
            ["A -> T : n", "T -> B : n"],
        )
        assert counts(system) == (4, 4)


BOUND = """
colset SMALL = int with 0..5; colset L = list INT; colset P = product INT * INT; colset R = record a : INT * b : INT;
colset U = union one : INT + two; var n, x, y, z : INT; var s, t : SMALL; var l : L; var p : P; var r : R; var u : U;
"""


@pytest.mark.parametrize(
    ("guard", "put", "found"),
    [
        ("x = 3", "n", ["n=5,x=3", "n=6,x=3"]),
        ("[x = 3, y = x + 1]", "y", ["n=5,y=4,x=3", "n=6,y=4,x=3"]),
        ("y = x + 1 andalso x = n * 2", "y", ["n=5,y=11,x=10", "n=6,y=13,x=12"]),
        ("(x, y) = (n, n + 1)", "y", ["n=5,y=6,x=5", "n=6,y=7,x=6"]),
        ("p = (x, y) andalso p = (1, n)", "x", ["n=5,x=1,p=(1,5),y=5", "n=6,x=1,p=(1,6),y=6"]),
        ("{a = x, b = y} = r andalso r = {a = 1, b = n}", "y", ["n=5,y=5,r={a=1,b=5},x=1", "n=6,y=6,r={a=1,b=6},x=1"]),
        ("x :: l = [n, 7]", "x", ["n=5,x=5,l=[7]", "n=6,x=6,l=[7]"]),
        ("u = (if n = 5 then one 3 else two) andalso one x = u", "x", ["n=5,x=3,u=one(3)"]),
        ("(x, x) = (n, 5)", "x", ["n=5,x=5"]),
        ("s = n", "n", ["n=5,s=5"]),  # 6 is outside the colour set of s
        ("s > 3", "n", ["n=5,s=4", "n=5,s=5", "n=6,s=4", "n=6,s=5"]),
        ("s = t andalso n + t = 7", "s", ["n=5,s=2,t=2", "n=6,s=1,t=1"]),
        ("x = y * 2 andalso y = z + s andalso z = s andalso s > 4 andalso n = 5", "x", ["n=5,x=20,s=5,y=10,z=5"]),
    ],
)  # fmt: skip
def test_equalities_of_a_guard_bind_variables_that_no_arc_has(
    tmp_path: Path, guard: str, put: str, found: list[str]
) -> None:
    places = [Place("A", "INT", "1`5 ++ 1`6"), Place("B", "INT")]
    arcs = ["A -> T : n", f"T -> B : {put}"]
    system = one_page(tmp_path, BOUND, places, [Transition("T", guard=guard)], arcs)
    edges = system.edges(system.initial_states()[0])
    assert [str(edge.label) for edge in edges] == [f"Top'T 1: {{{one}}}" for one in found]
    counts(system)


def test_equalities_that_lead_in_a_circle_bind_nothing(tmp_path: Path) -> None:
    places = [Place("A", "INT", "1`5"), Place("B", "INT")]
    error = refused(tmp_path, BOUND, places, [Transition("T", guard="x = y")], ["A -> T : n", "T -> B : x"])
    assert error.code == "SC148"


def test_free_variables_run_through_small_colour_sets(tmp_path: Path) -> None:
    declared = "colset SMALL = int with 1..100; var s : SMALL; var b : BOOL;"
    places = [Place("A", "UNIT", "1"), Place("B", "SMALL"), Place("C", "BOOL")]
    system = one_page(tmp_path, declared, places, [Transition("T")], ["A -> T", "T -> B : s", "T -> C : b"])
    assert counts(system) == (201, 200)


@pytest.mark.parametrize("colour", ["int with 1..101", "int", "string"])
def test_variables_of_large_colour_sets_must_be_bound(tmp_path: Path, colour: str) -> None:
    declared = f"colset BIG = {colour}; var s : BIG;"
    error = refused(
        tmp_path, declared, [Place("A", "UNIT", "1"), Place("B", "BIG")], [Transition("T")], ["A -> T", "T -> B : s"]
    )
    assert error.code == "SC148"


def test_a_large_colour_set_that_declares_all_is_run_through(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        "colset BIG = int with 1..150 declare all; var s : BIG;",
        [Place("A", "UNIT", "1"), Place("B", "BIG")],
        [Transition("T")],
        ["A -> T", "T -> B : s"],
    )
    assert counts(system) == (151, 150)


def test_patterns_bind_records_unions_and_lists(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        "colset R = record to_ : INT * from : INT; colset U = union data : R + stop; colset L = list U;"
        "var x, y : INT; var l : L;",
        [Place("In", "L", "[data {from = 1, to_ = 2}, stop]"), Place("Out", "INT")],
        [Transition("Data"), Transition("Stop")],
        [
            "In -> Data : data {from = x, to_ = y} :: l",
            "Data -> In : l",
            "Data -> Out : 1`x ++ 2`y",
            "In -> Stop : stop :: l",
            "Stop -> In : l",
        ],
    )
    assert counts(system) == (3, 2)
    assert reached(system, "Out == {1: 1, 2: 2}") or reached(system, "size(Out) = 3")


def test_tokens_outside_their_colour_set_are_errors(tmp_path: Path) -> None:
    declared = "colset DIGIT = int with 0..9; var n : DIGIT;"
    error = refused(tmp_path, declared, [Place("A", "DIGIT", "1`10")], [Transition("T")], ["A -> T : n"])
    assert (error.code, "DIGIT" in str(error)) == ("SC147", True)
    error = refused(
        tmp_path, declared, [Place("A", "DIGIT", "1`8")], [Transition("T")], ["A -> T : n", "T -> A : n + 1"]
    )
    assert error.code == "SC220"
    assert "'Top\\'A 1'" in str(error) or "Top'A 1" in str(error)


# -- arcs, priorities, code ------------------------------------------------------------------------------------------


def test_arcs_in_both_directions_inhibitors_and_resets(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        "var n : INT;",
        [Place("Key", "INT", "1`7"), Place("A", "INT", "1`1 ++ 1`2"), Place("B", "INT"), Place("Off", "INT")],
        [Transition("Move"), Transition("Clear")],
        [
            "Key <-> Move : 7",
            "A -> Move : n",
            "Move -> B : n",
            "B ->> Clear",
            "A -o Clear",
            "Off -o Clear",
            "Clear -> Off : 1",
        ],
    )
    assert counts(system) == (5, 5)
    assert reached(system, "len(B) == 0 and len(Off) == 1")


@pytest.mark.parametrize(
    ("first", "second", "edges"), [("", "", 2), ("", "P_LOW", 1), ("1 + 1", "", 1), ("P_LOW", "10000", 2)]
)
def test_lower_priorities_go_first(tmp_path: Path, first: str, second: str, edges: int) -> None:
    system = one_page(
        tmp_path,
        "val P_LOW = 10000;",
        [Place("A", "UNIT", "1"), Place("B"), Place("C")],
        [Transition("One", priority=first), Transition("Two", priority=second)],
        ["A -> One", "One -> B", "A -> Two", "Two -> C"],
    )
    assert counts(system)[1] == edges


def test_code_segments_run_before_the_tokens_move_and_their_outputs_bind(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        "var n, m, k : INT;",
        [Place("A", "INT", "1`3"), Place("B", "INT")],
        [Transition("T", code="input (n); output (m, k); action (n * n, let val x = n in x + 1 end);")],
        ["A -> T : n", "T -> B : 1`m ++ 1`k"],
    )
    assert counts(system) == (2, 1)
    assert reached(system, "9 in B and 4 in B")


# -- pages -----------------------------------------------------------------------------------------------------------

MOVER = Page(
    "Mover",
    [Place("In", "INT", "1`99", port="In"), Place("Out", "INT", port="Out"), Place("Seen", "INT")],
    [Transition("Move")],
    ["In -> Move : n", "Move -> Out : n", "Move -> Seen : n"],
)


def test_instances_have_their_own_places_and_markings_of_ports_are_ignored(tmp_path: Path) -> None:
    top = Page(
        "Top",
        [Place("A", "INT", "1`1 ++ 1`2"), Place("B", "INT"), Place("C", "INT")],
        [
            Transition("First", page="Mover", sockets={"In": "A", "Out": "B"}),
            Transition("Second", page="Mover", sockets={"In": "B", "Out": "C"}),
        ],
    )
    system = net(tmp_path, "var n : INT;", top, MOVER)
    assert counts(system) == (9, 12)
    assert {"Mover'Seen 1", "Mover'Seen 2"} <= set(system.variables)
    assert not reached(system, "99 in A or 99 in B")


def test_fused_places_are_one_place(tmp_path: Path) -> None:
    one = Page(
        "One", [Place("X", "INT", "1`1"), Place("Shared", "INT")], [Transition("S")], ["X -> S : n", "S -> Shared : n"]
    )
    two = Page("Two", [Place("Y", "INT"), Place("Shared", "INT")], [Transition("R")], ["Shared -> R : n", "R -> Y : n"])
    fusions = {"F": [("One", "Shared"), ("Two", "Shared")]}
    assert counts(net(tmp_path, "var n : INT;", one, two, fusions=fusions)) == (3, 2)


def test_fused_places_with_different_markings_are_refused(tmp_path: Path) -> None:
    one = Page("One", [Place("S", "INT", "1`1")], [Transition("T")], ["S -> T : n"])
    two = Page("Two", [Place("S", "INT", "1`2")], [Transition("T")], ["S -> T : n"])
    with pytest.raises(SweepcheckError, match="fused") as caught:
        net(tmp_path, "var n : INT;", one, two, fusions={"F": [("One", "S"), ("Two", "S")]})
    assert caught.value.code == "SC147"


def test_several_prime_pages_run_side_by_side(tmp_path: Path) -> None:
    pages = [Page(name, [Place("A", "UNIT", "2")], [Transition("T")], ["A -> T"]) for name in ("One", "Two")]
    assert counts(net(tmp_path, "", *pages)) == (9, 12)


# -- time ------------------------------------------------------------------------------------------------------------

TIMED = "colset T = int timed; var n : T;"


def test_delays_of_arcs_and_transitions_add_up(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        TIMED,
        [Place("A", "T", "1`1@2"), Place("B", "T"), Place("C", "T")],
        [Transition("One", time="@+3"), Transition("Two")],
        ["A -> One : n", "One -> B : n@+4", "B -> Two : n", "Two -> C : n"],
    )
    assert counts(system) == (3, 2)
    assert reached(system, "len(C) == 1 and clock == 9")


def test_the_clock_waits_until_nothing_is_enabled(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        TIMED,
        [Place("Now", "T", "1`1@0"), Place("Late", "T", "1`2@5"), Place("Done", "T")],
        [Transition("Go"), Transition("Wait")],
        ["Now -> Go : n", "Go -> Done : n", "Late -> Wait : n", "Wait -> Done : n"],
    )
    assert counts(system) == (3, 2)
    assert not reached(system, "len(Late) == 0 and len(Now) == 1")


def test_of_ready_tokens_the_youngest_is_taken(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        TIMED,
        [Place("A", "T", "1`1@0 ++ 1`1@3"), Place("Gate", "T", "1`0@5"), Place("B", "T")],
        [Transition("Take")],
        ["A -> Take : 1", "Gate -> Take : n", "Take -> B : n"],
    )
    assert counts(system) == (2, 1)
    assert reached(system, "len(B) == 1 and A.times() == ((1, 0),)")


def test_time_can_be_asked_for(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        TIMED + "colset N = int; var m : N; fun now () = IntInf.toInt (time ());",
        [Place("A", "T", "1`1@4"), Place("B", "N")],
        [Transition("Note", guard="[now () > 3]")],
        ["A -> Note : n", "Note -> B : now () * 10"],
    )
    assert counts(system) == (2, 1)
    assert reached(system, "40 in B")


def test_an_input_arc_with_a_time_takes_tokens_so_much_earlier(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        TIMED,
        [Place("A", "T", "1`1@8"), Place("B", "T"), Place("C", "T")],
        [Transition("Late"), Transition("Early")],
        ["A -> Late : n", "Late -> B : n", "A -> Early : n@+5", "Early -> C : n"],
    )
    assert counts(system) == (2, 1), "at time 3 only one of them is enabled, and time waits for it"
    assert reached(system, "len(C) == 1 and clock == 3 and C.times() == ((1, 3),)")


def test_a_timer_strikes_when_the_task_was_not_done_in_time(tmp_path: Path) -> None:
    system = one_page(
        tmp_path,
        TIMED + "val Limit = 20; colset U = unit timed; var u : U;",
        [Place("Running", "T", "1`1@0"), Place("Open", "T"), Place("Busy", "U", "1`()@30"), Place("Done", "T")],
        [Transition("Begin"), Transition("Finish"), Transition("Strike")],
        [
            "Running -> Begin : n",
            "Begin -> Open : n@+Limit",
            "Open -> Finish : n@+Limit",
            "Busy -> Finish : u",
            "Finish -> Done : n",
            "Open -> Strike : n",
            "Strike -> Done : n+1",
        ],
    )
    assert counts(system) == (3, 2)
    assert reached(system, "2 in Done and clock == 20")
    assert not reached(system, "1 in Done")


def test_the_time_of_an_input_arc_is_one_number(tmp_path: Path) -> None:
    places = [Place("A", "T", "1`1"), Place("B", "T")]
    declared = TIMED + "fun f (0, x) = [] | f (k, x) = (1`x) ^^ f (k - 1, x);"
    for text in ("n@+n", "1`n@+1 +++ 1`2@+2", "1`n@+(~1)"):
        error = refused(tmp_path, declared, places, [Transition("X")], [f"A -> X : {text}", "X -> B : 1"])
        assert error.code == "SC146"
        assert "'A' and 'X'" in str(error)
    error = refused(tmp_path, declared, places, [Transition("X")], ["A -> X : f(1, 1)@+2", "X -> B : 1"])
    assert error.code == "SC146"


def test_inhibitors_of_timed_places_are_refused(tmp_path: Path) -> None:
    places = [Place("A", "T", "1`1"), Place("B", "T")]
    assert refused(tmp_path, TIMED, places, [Transition("X")], ["A -o X", "X -> B : 1"]).code == "SC146"


# -- questions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "size(Protocol'A) <= 2",
        "size(Mark.Protocol'A 1 n) <= 2",
        "size Protocol'A <= 2 andalso size B <= 2",
        "len(A) <= 2",
        'len(s["Protocol\'A 1"]) <= 2',
        "NextRec <= 5",
        "NextRec <= NextSend + 4",
        "List.all (fn (n, d) => n < 6) A",
        'not enabled("Sender\'Send_Packet 1", n=5)',
        "all(n <= 4 for n, d in A)",
        "Count = 4 orelse false",
    ],
)
def test_predicates_are_python_or_cpn_ml(text: str) -> None:
    system = load(EXAMPLE)
    assert check(system, [invariant("it", expression(system, text))])


def test_predicates_can_fail_too() -> None:
    system = load(EXAMPLE)
    for text in ("size(A) <= 1", "len(A) <= 1", "NextRec <= 4", "hd NextRec < 5"):
        assert not check(system, [invariant("it", expression(system, text))])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("size(Protocol'Z) < 1", "SC402"),
        ("Protocol'A 7 == 1", "SC402"),
        ("size(A", "SC140"),
        ("size(A) + true", "SC141"),
        ("nothing > 3", "SC141"),
        ("NoOfNodes() > 3", "SC149"),
        ("PredAllNodes (fn n => true)", "SC149"),
    ],
)
def test_predicates_that_cannot_be_understood_are_errors(text: str, code: str) -> None:
    system = load(EXAMPLE)
    with pytest.raises(SweepcheckError) as caught:
        expression(system, text)
    assert caught.value.code == code


def test_parameters_replace_values(tmp_path: Path) -> None:
    with pytest.raises(SweepcheckError) as caught:
        load(EXAMPLE, {"Limmit": 3})
    assert caught.value.code == "SC105"
    assert "Limit" in str(caught.value.suggestion)


def test_labels_and_states_are_printed_as_cpn_ml(tmp_path: Path) -> None:
    system = load(EXAMPLE)
    (edge,) = system.edges(system.initial_states()[0])
    assert str(edge.label) == 'Sender\'Send_Packet 1: {n=1,d="p1"}'
    assert repr(system.describe(edge.target)["Protocol'A 1"]) == '1*(1,"p1")'


def test_a_run_without_end_stops_at_its_limits(tmp_path: Path) -> None:
    system = one_page(
        tmp_path, "var n : INT;", [Place("A", "INT", "1`1")], [Transition("T")], ["A -> T : n", "T -> A : n + 1"]
    )
    assert not explore(system, limits=Limits(states=100)).complete
