"""Expressions of CPN ML and what they are worth, one by one."""

import math
from typing import Any

import pytest

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import Ml, Where

HERE = Where("Top", "an expression", 7)
DECLARED = """
colset INT = int; colset STRING = string; colset L = list INT; colset NAME = with ann | bob | cid;
colset PH = index ph with 1..4; colset P = product INT * STRING; colset R = record no:INT * data:STRING;
colset U = union data:INT + ack; colset BIG = int with 0..200000; colset B = bool with (off, on);
colset LEVEL = subset INT with [1, 5, 9]; colset EVEN = subset SMALL by isEven; colset UN = unit with e;
colset SMALL = int with 1..6; fun isEven n = n mod 2 = 0; colset EVEN = subset SMALL by isEven;
datatype 'a tree = Leaf | Node of 'a tree * 'a * 'a tree;
fun insert (x, Leaf) = Node (Leaf, x, Leaf)
  | insert (x : int, t as Node (l, y, r)) =
      if x < y then Node (insert (x, l), y, r) else if x > y then Node (l, y, insert (x, r)) else t;
fun flat Leaf = [] | flat (Node (l, x, r)) = flat l ^^ [x] ^^ flat r;
exception Wrong of string;
fun fails n = if n > 3 then raise Wrong (Int.toString n) else n;
val (first, second) = (1, "two");
infix 6 |>; fun x |> f = f x;
globref top = 12;
fun same (a, b) = a = b;
"""


@pytest.fixture(scope="module")
def ml() -> Ml:
    made = Ml()
    made.declare(DECLARED, HERE)
    assert [note for note in made.notes if "SMALL" not in note] == []
    return made


def value(ml: Ml, text: str) -> Any:
    return ml.inscription(text, HERE, None, "expression").evaluate({})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 - ~4", 11),
        ("7 div ~2 + 7 mod ~2", -5),
        ("Int.quot (7, ~2) + Int.rem (7, ~2)", -2),
        ("10 - 3 - 2", 5),
        ("0x10 + 1", 17),
        ("real 3 / 2.0", 1.5),
        ("round 2.5 + round 3.5 + floor ~0.5 + ceil 0.1 + trunc ~1.9", 5),
        ("IntInf.pow (2, 40)", 2**40),
        ('"a" ^ "b" ^ Int.toString ~5', "ab~5"),
        ('"tab\\tquote\\"\\065\\^A"', 'tab\tquote"A\x01'),
        ('size [1, 1, 2] + String.size "abc"', 6),
        ("[1, 2] ^^ 3 :: [4] ^^ nil", (1, 2, 3, 4)),
        ("hd [1, 2] :: tl [1, 2]", (1, 2)),
        ("if 1 < 2 andalso not (2 < 1) then ann else bob", "ann"),
        ("let val x = 1 val x = x + 1 in x * 10 end", 20),
        ("let fun f 0 = 1 | f n = n * f (n - 1) in f 6 end", 720),
        ("(fn (a, b) => a - b) (5, 3)", 2),
        ("case [1, 2, 3] of x :: y :: rest => (x, y, rest) | _ => (0, 0, [])", (1, 2, (3,))),
        ("case (1, [2]) of (_, []) => 0 | (n, [m]) => n + m | (n, _) => n", 3),
        ("#2 (1, true)", True),
        ('#data {no = 1, data = "x"}', "x"),
        ('(fn {no, ...} : R => no) {data = "x", no = 4}', 4),
        ("flat (foldl insert Leaf [3, 1, 2, 3])", (1, 2, 3)),
        ("fails 5 handle Wrong s => String.size s | Overflow => 0", 1),
        ("(hd [] handle Empty => 9) + (1 div 0 handle Div => 1)", 10),
        ("1073741823 + 1 handle Overflow => 5", 5),
        ("first + String.size second", 4),
        ("5 |> (fn n => n + 1)", 6),
        ("!top + 1", 13),
        ("map (fn n => n * n) [1, 2, 3]", (1, 4, 9)),
        ("foldr (op ::) [] [1, 2]", (1, 2)),
        ("foldr (op +) 0 [1, 2, 3] + foldl (op -) 0 [1, 2, 3]", 8),
        ("List.nth ([5, 6, 7], 2)", 7),
        ("List.exists (fn n => n = 2) [1, 2]", True),
        ("List.filter (fn n => n > 1) [1, 2, 3]", (2, 3)),
        ("List.partition (fn n => n > 1) [1, 2, 3]", ((2, 3), (1,))),
        ("List.mapPartial (fn n => if n > 1 then SOME (n * 2) else NONE) [1, 2]", (4,)),
        ("List.tabulate (3, fn n => n)", (0, 1, 2)),
        ('ListPair.zip ([1, 2], ["a", "b"])', ((1, "a"), (2, "b"))),
        ('String.tokens (fn c => c = #" ") "a  b"', ("a", "b")),
        ('String.fields (fn c => c = #",") "a,,b"', ("a", "", "b")),
        ('Option.getOpt (Int.fromString "~12x", 0)', -12),
        ('Int.fromString "x"', "NONE"),
        ("valOf (SOME 3)", 3),
        ("(op +) (1, 2)", 3),
        ("(not o null) [1]", True),
        ("same (ann, ann) andalso ann <> bob", True),
        ("Int.compare (1, 2)", "LESS"),
        ("mem [1, 2] 2", True),
        ("rm 1 [2, 1, 1]", (2, 1)),
        ("rmall 1 [2, 1, 1]", (2,)),
        ("remdupl [1, 2, 1, 3]", (2, 1, 3)),
        ("listsub [1, 2, 2, 3] [2, 3]", (1, 2)),
        ("intersect [1, 2, 2] [2, 3]", (2,)),
        ("union [1, 2] [2, 3]", (1, 2, 2, 3)),
        ("pos 5 [4, 5]", 1),
        ("~1`3 ++ 0`4 ++ (~2 ** [1])", ()),
        ("[true, 1 < 2] % 7 ++ [false] % 8 ++ [true] // [9, 9]", (7, 9, 9)),
        ("[1] != [2]", True),
        ("INT.mkstr_ms (1`3 ++ 2`1)", "2`1++\n1`3"),
        ("contains [1, 2] [2, 2]", True),
        ("contains_all [1, 2] [2, 2]", False),
        ("ins [1] 2 ^^ ins_new [1] 1", (1, 2, 1)),
        ("sort (fn (a, b) => a < b) [3, 1, 2]", (1, 2, 3)),
        ("sort INT.lt [3, 1, 2]", (1, 2, 3)),
        ("cf (1, [1, 2, 1])", 2),
        ("3`ann ++ 1`bob -- 2`ann", ("ann", "bob")),
        ("2 ** (1`1 ++ 1`2)", (1, 1, 2, 2)),
        ("1`1 ++ 1`2 == 1`2 ++ 1`1", True),
        ("1`1 <<= 2`1 ++ 1`2", True),
        ("list_to_ms [1, 1]", (1, 1)),
        ("ext_col (fn n => n + 1) (1`1 ++ 1`2)", (2, 3)),
        ("ms_to_col (1`7)", 7),
        ("PH.all ()", (("ph", 1), ("ph", 2), ("ph", 3), ("ph", 4))),
        ("(PH.size (), PH.ord (ph 3), PH.col 0)", (4, 2, ("ph", 1))),
        ("(NAME.all (), NAME.ord cid, NAME.mkstr bob)", (("ann", "bob", "cid"), 2, "bob")),
        ("EVEN.all () ^^ LEVEL.all ()", (2, 4, 6, 1, 5, 9)),
        ("PH.mkstr (ph 2) ^ INT.mkstr ~3 ^ U.mkstr (data 4) ^ L.mkstr [1, 2]", "ph(2)(~3)data(4)[1,2]"),
        (
            'P.mkstr (1, "x\\"") ^ R.mkstr {no = 1, data = "y"} ^ B.mkstr on ^ UN.mkstr e',
            '(1,"x""){no=1,data="y"}one',
        ),
        ('R.set_no {no = 1, data = "y"} 5', ("y", 5)),
        ("(U.of_data ack, U.of_ack ack)", (False, True)),
        ('P.mult ([1, 2], ["a"])', ((1, "a"), (2, "a"))),
        ("on andalso not off", True),
        ("Real.toString 1.0 ^ Real.toString 1e20 ^ Real.toString ~0.5", "1.01E20~0.5"),
        ("Real.== (0.1 + 0.2, 0.3)", False),
        ("Math.sqrt 4.0", 2.0),
        ("(Math.ln 0.0, Math.exp 1000.0, Math.pow (~10.0, 401.0))", (-math.inf, math.inf, -math.inf)),
        ("(Real.sign (0.0 / 0.0) handle Domain => 7, Real.sign (~1.0 / 0.0))", (7, -1)),
        ("Real.compare (0.0 / 0.0, 1.0) handle _ => Real.compare (1.0, 1.0 / 0.0)", "LESS"),
        (
            "(Real.== (Real.realFloor (0.0 / 0.0), 0.0), Real.realTrunc (~2.5), Real.realCeil (1.0 / 0.0))",
            (False, -2.0, math.inf),
        ),
        ("(Math.pow (0.0, ~1.0), Real.min (0.0 / 0.0, 1.0), Real.max (0.0 / 0.0, 1.0))", (math.inf, 1.0, 1.0)),
        (r'String.toString "a\nb\001\200\\x\"" ^ Char.toString #"\127"', r"a\nb\^A\200\\x\"\127"),
        (r'(Char.toUpper #"\228", Char.toLower #"A", Char.succ #"a", Char.isCntrl #"\t")', ("\xe4", "a", "b", True)),
        ("(Int.sameSign (0, 1), Int.sameSign (1, ~1))", (True, False)),
        ('StringCvt.padLeft #"0" 5 "42" ^ StringCvt.padRight #"." 1 "42"', "0004242"),
        ("Option.mapPartial (fn x => if x > 1 then SOME x else NONE) (SOME 1)", "NONE"),
        ("(1; 2)", 2),
    ],
)
def test_expressions(ml: Ml, text: str, expected: Any) -> None:
    found = value(ml, text)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("text", "exception"),
    [
        ("1073741823 + 1", "Overflow"),
        ("~1073741824 - 1", "Overflow"),
        ("~ ~1073741824", "Overflow"),
        ("~1073741824 div ~1", "Overflow"),
        ("abs ~1073741824", "Overflow"),
        ("40000 * 40000", "Overflow"),
        ("foldr (op *) 1 [40000, 40000]", "Overflow"),
        ("IntInf.toInt (IntInf.pow (2, 30))", "Overflow"),
        ("round 1e10", "Overflow"),
        ("1 div 0", "Div"),
        ("1 mod 0", "Div"),
        ("hd []", "Empty"),
        ("tl []", "Empty"),
        ("List.nth ([1], 1)", "Subscript"),
        ('String.sub ("a", ~1)', "Subscript"),
        ('substring ("abc", 2, 5)', "Subscript"),
        ("valOf NONE", "Option"),
        ("case 3 of 1 => 2", "Match"),
        ("(fn [] => 1) [2]", "Match"),
        ("let val [x] = [1, 2] in x end", "Bind"),
        ("fails 7", "Wrong"),
        ('raise Fail "no"', "Fail"),
        ("1`1 -- 1`2", "Subtract"),
        ("ms_to_col (2`1)", "no_singleton"),
        ("listsub [1] [2]", "Subtract"),
        ("pos 1 []", "Match"),
        ("List.tabulate (~1, fn n => n)", "Size"),
        ("chr 300", "Chr"),
    ],
)
def test_exceptions(ml: Ml, text: str, exception: str) -> None:
    with pytest.raises(ModelError) as raised:
        value(ml, text)
    assert raised.value.code == "SC143"
    assert raised.value.what.startswith(f"exception {exception}")
    assert raised.value.where == str(HERE)


def test_values_may_be_overridden() -> None:
    ml = Ml({"Limit": "-4", "Names": '["a"]'})
    ml.declare('val Limit = 3; val Names = ["x", "y"]; val Other = 5; fun f n = n + Limit;', HERE)
    assert (value(ml, "f 1"), value(ml, "Names"), value(ml, "Other")) == (-3, ("a",), 5)
    assert set(ml.overridable) == {"Limit", "Names", "Other"}


def test_an_override_has_the_type_of_its_value() -> None:
    ml = Ml({"Limit": '"x"'})
    ml.declare("val Limit = 3; fun f n = n + Limit;", HERE)
    assert any("f cannot be used" in note for note in ml.notes)


def test_a_file_beside_the_net_is_used(tmp_path: Any) -> None:
    (tmp_path / "more.sml").write_text("fun twice n = 2 * n;")
    ml = Ml(folder=tmp_path)
    ml.declare('use "C:\\\\old\\\\more.sml"; use "none.sml"; fun four n = twice (twice n);', HERE)
    assert value(ml, "four 3") == 12
    assert [note for note in ml.notes if "none.sml" in note] == ml.notes


def test_a_later_name_hides_an_earlier_one() -> None:
    ml = Ml()
    ml.declare("val x = 1; fun f () = x; val x = 2; fun g () = x; fun h () = f () + 10;", HERE)
    assert (value(ml, "h ()"), value(ml, "g ()"), value(ml, "x")) == (11, 2, 2)


def test_names_that_python_has_are_spelt_otherwise() -> None:
    ml = Ml()
    ml.declare("colset INT = int; var class, sum, n', n'': INT; fun lambda whole = whole + 1;", HERE)
    found = ml.inscription("lambda class + sum + n' - n''", HERE, ml.colours["INT"], "arc")
    assert found.names == {"class_", "sum_", "n", "n_2"}
    assert {ml.spelling[name] for name in found.names} == {"class", "sum", "n'", "n''"}
    assert list(found.evaluate({"class_": 1, "sum_": 2, "n": 3, "n_2": 4})) == [3]


def test_the_time_is_asked_for_through_functions() -> None:
    ml = Ml()
    ml.declare(
        "fun now () = IntInf.toInt (time ()); fun late n = n + now (); fun lazy f = f 1; val start = now ();", HERE
    )
    found = ml.inscription("late 5 + lazy late + start", HERE, None, "expression")
    assert found.uses_clock
    assert found.evaluate({"clock": 100}) == 206
