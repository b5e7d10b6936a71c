"""Inscriptions: tokens, multisets and times, guards that bind, code segments; the traps of CPN Tools."""

from typing import Any

import pytest

from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import Condition, Either, Inscription, Ml, Term, Where

HERE = Where("Top", "the arc from A to T", 7)
DECLARED = """
colset UNIT = unit; colset INT = int; colset STRING = string; colset BOOL = bool;
colset L = list INT; colset LL = list L; colset P = product INT * STRING; colset TP = product INT * STRING timed;
colset TL = list INT timed; colset U = union data:INT + ack; colset R = record b:INT * a:STRING; colset T = int timed;
colset PH = index ph with 1..3; colset E = with red | green;
var n, k: INT; var s: STRING; var xs: L; var p: P; var ok: BOOL; var u: U; var r: R; var x: PH;
fun both n = 1`n ++ 1`(n + 1);
"""


@pytest.fixture(scope="module")
def ml() -> Ml:
    made = Ml()
    made.declare(DECLARED, HERE)
    assert made.notes == []
    return made


def read(ml: Ml, text: str, colour: str | None, kind: str = "arc") -> Inscription:
    return ml.inscription(text, HERE, None if colour is None else ml.colours[colour], kind)


def term(token: str, count: str | None = None, delay: str | None = None) -> Term:
    return Term(count, token, delay)


@pytest.mark.parametrize(
    ("text", "colour", "terms"),
    [
        ("n", "INT", (term("n"),)),
        ("1`n", "INT", (term("n"),)),
        ("2`n ++ k`5", "INT", (term("n", "2"), term("5", "k"))),
        ("0`n", "INT", ()),
        ("empty", "INT", ()),
        ("[]", "L", (term("()"),)),  # one token, the empty list
        ("empty", "L", (term("()"),)),
        ("[]", "INT", ()),
        ("[]", "LL", (term("()"),)),
        ("[[]]", "LL", (term("((),)"),)),
        ("[n]", "L", (term("(n,)"),)),
        ("[n, k]", "INT", (term("n"), term("k"))),  # a multiset is a list
        ("1`[n]", "L", (term("(n,)"),)),
        ("n :: xs", "L", (term("(n, *xs)"),)),
        ("n :: k :: xs", "L", (term("(n, k, *xs)"),)),
        ("xs ^^ [n]", "L", (term("(xs + (n,))"),)),
        ("(n, s)", "P", (term("(n, s)"),)),
        ("{b = n, a = s}", "R", (term("(s, n)"),)),
        ("data n", "U", (term("('data', n)"),)),
        ("1`data(n + 1) ++ 1`ack", "U", (term("('data', (n + 1))"), term("'ack'"))),
        ("ph 2", "PH", (term("('ph', 2)"),)),
        ("red", "E", (term("'red'"),)),
        ("(n, s) @+ 5", "TP", (term("(n, s)", None, "5"),)),
        ("1`(n, s) @+ 5 ++ 2`(k, s)", "TP", (term("(n, s)", None, "5"), term("(k, s)", "2"))),
        ("(1`(n, s) ++ 1`(k, s)) @+ n", "TP", (term("(n, s)", None, "n"), term("(k, s)", None, "n"))),
        ("[n] @+ 3", "TL", (term("(n,)", None, "3"),)),
        ("n @ 7", "T", (term("n", None, "7 - clock"),)),
        ("n + 1 @+ 5", "T", (term("(n + 1)", None, "5"),)),
        ("n + 1 @+ k + 5", "T", (term("(n + 1)", None, "whole(k + 5)"),)),
        ("if ok then 1`n else empty", "INT", (Either("ok", (term("n"),), ()),)),
        ("if ok then 1`n @+ 2 else empty", "T", (Either("ok", (term("n", None, "2"),), ()),)),
        ("if ok then 1`n else 1`n @+ 2", "T", (Either("ok", (term("n"),), (term("n", None, "2"),)),)),
        ("if ok then n else k", "INT", (term("(n if ok else k)"),)),
        ("", "UNIT", (term("()"),)),
        ("3", "UNIT", (term("()", "3"),)),
        ("n", "UNIT", (term("()", "n"),)),
        ("2`()", "UNIT", (term("()", "2"),)),
        ("both n", "INT", None),
        ("List.map (fn n => n + 1) xs", "INT", None),
        ("case u of data n => 1`n | ack => empty", "INT", None),
        ("PH.all ()", "PH", None),
        ("xs", "INT", None),
        ("xs", "L", (term("xs"),)),
    ],
)
def test_terms(ml: Ml, text: str, colour: str, terms: Any) -> None:
    assert read(ml, text, colour).terms == terms


@pytest.mark.parametrize(
    ("text", "colour", "binding", "tokens"),
    [
        ("2`n ++ 1`k", "INT", {"n": 1, "k": 2}, Bag([1, 1, 2])),
        ("both n", "INT", {"n": 4}, Bag([4, 5])),
        ("xs", "INT", {"xs": (1, 1)}, Bag([1, 1])),
        ("case u of data n => 1`n | ack => empty", "INT", {"u": ("data", 3)}, Bag([3])),
        ("let val m = n * n in 1`m ++ 1`(m + 1) end", "INT", {"n": 3}, Bag([9, 10])),
        ("PH.all () -- 1`x", "PH", {"x": ("ph", 2)}, Bag([("ph", 1), ("ph", 3)])),
        ("1`(n, s) @+ 5 ++ 1`(n, s)", "TP", {"n": 1, "s": ""}, (((1, ""), 5), ((1, ""), 0))),
        ("n @ 7", "T", {"n": 1, "clock": 5}, ((1, 2),)),
        ("n @+ 4 @+ 3", "T", {"n": 1}, ((1, 7),)),
        ("if ok then 1`n else 1`n @+ 2", "T", {"ok": True, "n": 1}, ((1, 0),)),
    ],
)
def test_multisets(ml: Ml, text: str, colour: str, binding: dict[str, Any], tokens: Any) -> None:
    assert read(ml, text, colour).evaluate(binding) == tokens


def test_times_of_an_initial_marking_are_absolute(ml: Ml) -> None:
    found = read(ml, "1`1 @ 5 ++ 1`2 @+ 3", "T", "marking")
    assert not found.uses_clock
    assert found.evaluate({}) == ((1, 5), (2, 3))
    assert found.terms == (term("1", None, "5"), term("2", None, "3"))


@pytest.mark.parametrize("text", ['[n > 3, s = "x"]', 'n > 3, s = "x"', 'n > 3 andalso s = "x"'])
def test_a_guard_is_a_list_of_conditions(ml: Ml, text: str) -> None:
    found = read(ml, text, None, "guard")
    assert [one.python for one in found.conditions] == ["(n > 3)", "s == 'x'"]
    assert found.names == {"n", "s"}
    assert found.evaluate({"n": 4, "s": "x"}) is True


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        ("n = k + 1", [(("n", "whole(k + 1)"),)]),
        ("k + 1 = n", [(("n", "whole(k + 1)"),)]),
        ("n = k", [(("n", "k"), ("k", "n"))]),
        ("n = n + 1", [()]),
        ("(n, s) = p", [(("n", "p[0]"), ("s", "p[1]"), ("p", "(n, s)"))]),
        ('(n, s) = (k, "a")', [(("n", "k"), ("k", "n")), (("s", "'a'"),)]),
        ("{a = s, b = n} = r", [(("s", "r[0]"), ("n", "r[1]"), ("r", "(s, n)"))]),
        ("n < k", [()]),
    ],
)
def test_equalities_bind(ml: Ml, text: str, defines: Any) -> None:
    found: tuple[Condition, ...] = read(ml, text, None, "guard").conditions
    assert [one.defines for one in found] == defines


@pytest.mark.parametrize(("text", "value"), [("@+5", 5), ("@+ n * 2", 6), ("@+", 0), ("  ", 0), ("@++3", 3)])
def test_delays(ml: Ml, text: str, value: int) -> None:
    assert read(ml, text, None, "time").evaluate({"n": 3}) == value


def test_a_priority_is_any_integer(ml: Ml) -> None:
    ml.declare("val P_HIGH = 100;", HERE)
    assert read(ml, "P_HIGH - 1", None, "priority").evaluate({}) == 99


def test_code_segments(ml: Ml) -> None:
    found = read(ml, "input (n, k);\noutput (s, ok);\naction\n  (Int.toString (n + k), n > k);", None, "code")
    assert found.code is not None
    assert (found.code.inputs, found.code.outputs) == (("n", "k"), ("s", "ok"))
    assert found.evaluate({"n": 2, "k": 1}) == ("3", True)
    one = read(ml, "output (n); action 5", None, "code")
    assert one.evaluate({}) == (5,)
    none = read(ml, "input (n); action ();", None, "code")
    assert (none.code and none.code.outputs, none.evaluate({"n": 1})) == ((), ())


def test_a_code_segment_that_only_shows_something_is_left_out() -> None:
    ml = Ml()
    ml.declare(DECLARED, HERE)
    found = read(ml, "input (n); action print (Int.toString n)", None, "code")
    assert found.evaluate({"n": 1}) == ()
    assert any("left out" in note for note in ml.notes)


@pytest.mark.parametrize("action", ["count ()", '(print "x"; total := 1)', "both ()", '(print "x"; broken ())'])
def test_a_code_segment_that_changes_a_reference_is_refused(action: str) -> None:
    ml = Ml()
    ml.declare(DECLARED + "globref total = 0; fun count () = total := !total + 1;", HERE)
    ml.declare('fun both () = (print "x"; count ());', HERE)
    ml.declare("fun broken () = (total := 1;;", HERE)
    assert read(ml, "!total", "INT").evaluate({}) == Bag([0])
    with pytest.raises(ModelError) as raised:
        read(ml, f"input (n); action {action}", None, "code")
    assert raised.value.code in ("SC140", "SC142")


def test_predicates_over_places(ml: Ml) -> None:
    holds = ml.predicate(
        "size Sent <= 2 andalso List.all (fn n => n > 0) Sent", "--invariant", {"Sent": ml.colours["INT"]}
    )
    assert holds({"Sent": (1, 2)}) is True
    assert holds({"Sent": (1, 0)}) is False


RANDOM = """
colset DELAY = int with 2..4; fun wait () = DELAY.ran (); fun twice n = n + wait () + wait ();
fun toss () = bernoulli 0.5 = 1; fun dice (0, sum) = sum | dice (n, sum) = dice (n - 1, sum + discrete (1, 6));
val spin = fn n => uniform (0.0, 1.0) < n;
"""


@pytest.mark.parametrize(
    ("text", "draws"),
    [
        ("DELAY.ran ()", {"DELAY.ran"}),
        ("twice n", {"DELAY.ran"}),
        ("dice (n, 0) + wait ()", {"discrete", "DELAY.ran"}),
        ("if toss () orelse spin 0.5 then 1`n else empty", {"bernoulli", "uniform"}),
        ("hd (List.map (fn n => n + wait ()) [n])", {"DELAY.ran"}),
        ("n + 1", set()),
    ],
)
def test_what_an_inscription_draws_from_is_known(text: str, draws: set[str]) -> None:
    ml = Ml()
    ml.declare(DECLARED + RANDOM, HERE)
    assert ml.notes == []
    assert read(ml, text, "INT").draws == draws


def test_nothing_is_drawn_where_no_transition_occurs() -> None:
    ml = Ml()
    ml.declare(DECLARED + RANDOM + "val once = wait ();", HERE)
    assert [note.split(": ")[1] for note in ml.notes] == ["once cannot be used"]
    with pytest.raises(ModelError, match="where no transition occurs") as raised:
        read(ml, "wait ()", "INT").evaluate({})
    assert raised.value.code == "SC142"
    with pytest.raises(ModelError, match="not random") as raised:
        read(ml, "wait ()", "INT", "marking")
    assert raised.value.code == "SC142"


def test_names_are_those_of_python(ml: Ml) -> None:
    found = read(ml, "(n, s)", "P")
    assert found.names == {"n", "s"}
    assert set(found.names) <= set(ml.spelling)
    exec(compile(f"lambda n, s: {found.python}", "text", "eval"), ml.namespace)


@pytest.mark.parametrize(
    ("text", "colour", "message"),
    [
        ("", "INT", "needs a place of colour set UNIT"),
        ("s", "INT", "this has type string, and tokens of colour set INT have type int"),
        ("n + s", "INT", "this has type string, and int is needed"),
        ("n @+ 5", "INT", "a token of colour set INT gets a time"),
        ("[n] @ [k]", "L", "a time is needed"),
        ("n @+ 1.5", "T", "a time is a real number"),
        ("n + s @+ 5", "T", "this has type string, and int is needed"),
        ("if ok then 1`n else n", "INT", "behind else has type int, and int list is needed"),
        ("(n, s, k)", "P", "tokens of colour set P have type int * string"),
        ("red", "U", "this has type E, and tokens of colour set U have type U"),
        ("data s", "U", "the argument of data has type string, and int is needed"),
        ("m", "INT", "there is no 'm'"),
        ("#c r", "INT", "there is no field 'c', but a, b"),
        ("1.0 = 2.0", "BOOL", "values of type real have no equality; use Real.=="),
        ("(fn f => f f) n", "INT", "the type would contain itself"),
        ("n s", "INT", "this has type int and is no function"),
        ("99999999999", "INT", "too large for an int"),
        ("case u of data m => m | wrong => 1 | red => 2", "INT", "this pattern has type E, and U is needed"),
    ],
)
def test_types_that_do_not_fit(ml: Ml, text: str, colour: str, message: str) -> None:
    with pytest.raises(ModelError) as raised:
        read(ml, text, colour)
    assert raised.value.code == ("SC142" if "real number" in message else "SC141")
    assert message in raised.value.what
    assert raised.value.where == str(HERE)


def test_an_error_points_at_its_place(ml: Ml) -> None:
    with pytest.raises(ModelError) as raised:
        read(ml, "if ok\nthen 1`n\nelse 1`(n ^ s)", "INT")
    assert raised.value.values == (("3:9", "else 1`(n ^ s)\n        ^"),)
    assert str(raised.value).splitlines()[0] == "error[SC141]: this has type int, and string is needed"


def test_what_is_not_needed_is_only_a_note() -> None:
    ml = Ml()
    ml.declare("colset INT = int; var n: INT; fun delay () = inc (ref 1);\nfun slow n = n + delay ();", HERE)
    ml.declare("fun broken x = x +; fun fine n = n + 1;", HERE)
    ml.declare("fun fine n = n + 1;", HERE)
    assert [note.split(": ")[1] for note in ml.notes] == [
        "delay cannot be used",
        "slow cannot be used",
        "broken, fine cannot be used",
    ]
    assert read(ml, "fine n", "INT").names == {"n"}
    with pytest.raises(ModelError, match="changes a reference") as raised:
        read(ml, "slow n", "INT")
    assert raised.value.code == "SC142"
    assert [key for key, _ in raised.value.values] == ["1:1", "because of", "2:18", "because of", "1:46"]
