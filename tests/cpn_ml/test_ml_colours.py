"""Colour sets: their values, what they contain, how they print."""

from typing import Any

import pytest

from sweepcheck.models.cpn.ml import Colour, Ml, Where

HERE = Where("", "the declarations", 3)
DECLARED = """
val most = 4;
colset UNIT = unit; colset E = unit with e; colset INT = int; colset SMALL = int with ~1..most - 2;
colset BOOL = bool; colset SWITCH = bool with (off, on); colset BIG = intinf; colset TIME = time; colset REAL = real;
colset PART = real with 0.0..1.0; colset STRING = string; colset LOWER = string with "a".."z";
colset SHORT = string with "a".."c" and 1..2; colset NAME = with ann | bob; colset PH = index ph with 1..most;
colset P = product SMALL * NAME; colset R = record to:NAME * at:SMALL; colset L = list NAME;
colset L2 = list NAME with 0..2; colset U = union data:INT + pair:P + ack; colset FEW = union one:NAME + none;
colset ALIAS = NAME; colset EVEN = subset SMALL by (fn n => n mod 2 = 0); colset SOME = subset STRING with ["x", "y"];
colset WIDE = int with 1..150; colset LISTED = int with 1..150 declare all; colset LATE = int timed; colset C = char;
"""


@pytest.fixture(scope="module")
def colours() -> dict[str, Colour]:
    ml = Ml()
    ml.declare(DECLARED, HERE)
    assert ml.notes == []
    return ml.colours


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("UNIT", ((),)),
        ("SMALL", (-1, 0, 1, 2)),
        ("BOOL", (False, True)),
        ("NAME", ("ann", "bob")),
        ("PH", (("ph", 1), ("ph", 2), ("ph", 3), ("ph", 4))),
        ("L2", ((), ("ann",), ("bob",), ("ann", "ann"), ("ann", "bob"), ("bob", "ann"), ("bob", "bob"))),
        ("FEW", (("one", "ann"), ("one", "bob"), "none")),
        ("ALIAS", ("ann", "bob")),
        ("EVEN", (0, 2)),
        ("SOME", ("x", "y")),
        ("SHORT", ("a", "b", "c", "aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc")),
        ("INT", None),
        ("BIG", None),
        ("STRING", None),
        ("L", None),
        ("U", None),
        ("REAL", None),
        ("WIDE", None),
        ("LISTED", tuple(range(1, 151))),
    ],
)
def test_values(colours: dict[str, Colour], name: str, values: Any) -> None:
    assert colours[name].values() == values


def test_products_are_listed(colours: dict[str, Colour]) -> None:
    assert colours["P"].values() == tuple((number, name) for number in (-1, 0, 1, 2) for name in ("ann", "bob"))
    assert len(colours["R"].values() or ()) == 8


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("UNIT", [()], [0, "", ((),)]),
        ("INT", [0, -(2**30), 2**30 - 1], [2**30, -(2**30) - 1, True, 1.0, "1"]),
        ("SMALL", [-1, 2], [-2, 3, False]),
        ("BIG", [10**30], [1.0, True]),
        ("TIME", [10**10], ["x"]),
        ("REAL", [1.0, -1e300], [1, "x"]),
        ("PART", [0.0, 1.0], [1.1, -0.1, 1]),
        ("STRING", ["", "é"], [1, ("a",)]),
        ("LOWER", ["", "abc"], ["aB"]),
        ("SHORT", ["a", "cb"], ["", "abc", "d"]),
        ("NAME", ["ann"], ["cid", 0]),
        ("PH", [("ph", 4)], [("ph", 5), ("ph", 0), ("xx", 1), 1, ("ph", True), ("ph", 1, 2)]),
        ("P", [(0, "ann")], [(0,), (0, "ann", 1), ("ann", 0), (9, "ann")]),
        ("R", [(0, "ann")], [("ann", 0)]),  # in the order of labels: at, to
        ("L", [(), ("ann", "bob")], ["ann", ["ann"], ("cid",)]),
        ("L2", [("ann",)], [("ann", "ann", "ann")]),
        ("U", [("data", 1), "ack", ("pair", (0, "bob"))], ["data", ("ack", 1), ("pair", 1), 3, ("other", 1)]),
        ("EVEN", [0, 2], [1, 4]),
        ("SOME", ["x"], ["z"]),
        ("SWITCH", [True], [1, "on"]),
        ("C", ["a"], ["", "ab"]),
    ],
)
def test_membership(colours: dict[str, Colour], name: str, inside: list[Any], outside: list[Any]) -> None:
    assert [value for value in inside if not colours[name].contains(value)] == []
    assert [value for value in outside if colours[name].contains(value)] == []


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("UNIT", (), "()"),
        ("E", (), "e"),
        ("INT", -3, "(~3)"),
        ("BIG", -3, "~3"),
        ("BOOL", True, "true"),
        ("SWITCH", False, "off"),
        ("REAL", 2.0, "2.0"),
        ("STRING", 'a"b\\', '"a"b\\"'),
        ("C", "a", "a"),
        ("PH", ("ph", 2), "ph(2)"),
        ("P", (-1, "ann"), "((~1),ann)"),
        ("R", (0, "ann"), "{to=ann,at=0}"),
        ("L", ("ann", "bob"), "[ann,bob]"),
        ("U", ("data", 3), "data(3)"),
        ("U", ("pair", (1, "bob")), "pair((1,bob))"),
        ("U", "ack", "ack"),
    ],
)
def test_texts(colours: dict[str, Colour], name: str, value: Any, text: str) -> None:
    assert colours[name].text(value) == text


@pytest.mark.parametrize(
    ("name", "ordered"),
    [
        ("INT", [-5, 0, 3]),
        ("NAME", ["ann", "bob"]),
        ("R", [(2, "ann"), (-1, "bob")]),  # as declared: to, at
        ("L", [(), ("ann",), ("ann", "bob"), ("bob",)]),
        ("U", [("data", 1), ("data", 2), ("pair", (0, "ann")), "ack"]),
    ],
)
def test_order(colours: dict[str, Colour], name: str, ordered: list[Any]) -> None:
    mixed = [*ordered]
    mixed.reverse()
    assert sorted(mixed, key=colours[name].key) == ordered


def test_times_belong_to_the_declaration(colours: dict[str, Colour]) -> None:
    assert colours["LATE"].timed
    assert not colours["INT"].timed


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("colset X = int with 5..1;", "is empty"),
        ("colset X = int with 1..;", "was not expected"),
        ("colset X = product A * B;", "there is no colour set 'A'"),
        ("colset X = with a | a;", "'a' occurs twice"),
        ("colset X = union a + a;", "'a' occurs twice"),
        ("colset X = list X;", "there is no colour set 'X'"),
        ("colset X = int with 1..y;", "there is no 'y'"),
        ('colset X = int with 1.."a";', "this has type string, and int is needed"),
        ("colset I = int; colset X = subset I by (fn n => n);", "and int -> bool is needed"),
        ('colset X = string with "a".."zz";', "single letters"),
        ("var x: X;", "there is no colour set 'X'"),
        ("colset X = record a:INT * a:INT;", "'a' occurs twice"),
    ],
)
def test_declarations_that_are_wrong(text: str, why: str) -> None:
    ml = Ml()
    ml.declare(text, HERE)
    assert len(ml.notes) == 1
    assert why in ml.notes[0]
    assert "X" not in ml.colours
