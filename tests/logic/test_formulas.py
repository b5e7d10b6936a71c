"""Formulas as text and in Python: what is read is what is written, and mistakes are pointed at."""

import pytest

from sweepcheck import Model, SweepcheckError, ctl, ltl
from sweepcheck.core.temporal import Op, Temporal
from sweepcheck.logic import AF, AG, EF, EX, A, E, F, G, M, R, U, W, X, last
from sweepcheck.logic.parsing import is_name, parse

SAME = [
    ("G (waiting -> F served)", "[] (waiting => <> served)"),
    ("p U (q U r)", "p U q U r"),
    ("((a & b) | c) -> d", "a && b || c -> d"),
    ("G F p", "GF p"),
    ("X X X p", "XXX p"),
    ("X " * 12 + "p", "X" * 12 + " p"),
    ("!p W q", "not p W q"),
    ("E(p U q)", "E[p U q]"),
    ("AG EF p", "A G E F p"),
    ("a <-> (b <-> c)", "a <=> b <=> c"),
    ("p & (q | r)", "p and (q or r)"),
]


@pytest.mark.parametrize(("text", "other"), SAME)
def test_one_formula_in_two_ways(text: str, other: str) -> None:
    assert parse(text) == parse(other)
    assert str(parse(other)) == text
    assert parse(str(parse(text))) == parse(text)


def test_names_are_not_operators() -> None:
    assert parse("Gone").op is Op.PROPOSITION
    assert str(parse("G Gone & {s.x == {1: 2}[1]} & last(send(i=1))")) == (
        "(G Gone & {s.x == {1: 2}[1]}) & last(send(i=1))"
    )
    assert [
        name for name in ("p", "is_done", "a.b", "G", "GF", "true", "and", "a b", "", "1", "{p}") if is_name(name)
    ] == [
        "p",
        "is_done",
        "a.b",
    ]


@pytest.mark.parametrize(
    ("text", "column", "advice"),
    [("G (p ->", 7, ""), ("p = 3", 2, "braces"), ("G p)", 3, ""), ("{s.x", 0, "}"), ("p U", 3, ""), ("", 0, "")],
)
def test_a_caret_stands_where_it_stops_to_make_sense(text: str, column: int, advice: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        parse(text)
    assert caught.value.code == "SC235"
    (_, shown), *_ = caught.value.values
    assert shown.split("\n")[1] == " " * column + "^"
    assert advice in caught.value.suggestion


def test_hostile_texts_end_in_an_error() -> None:
    for text in (
        "(" * 3000,
        "!" * 5000 + "p",
        "p U " * 3000 + "p",
        "X " * 90000 + "p",
        "{" * 1000,
        "\x00",
        "p" * 200_000 + " q",
    ):
        with pytest.raises(SweepcheckError) as caught:
            parse(text)
        assert caught.value.code == "SC235"
        assert len(str(caught.value)) < 3000


def test_built_formulas_are_those_that_are_read() -> None:
    m = Model("lamp", on=False)
    p = m.predicate("p", lambda s: s.on)

    @m.predicate
    def q(s):
        return not s.on

    def text(given: Temporal) -> str:
        return str(given)

    assert text(G(p >> F(q))) == "G (p -> F q)"
    assert text(AG(p >> ((EF(q) & AF(~p)) | EX(q)))) == text(parse("AG (p -> ((EF q & AF !p) | EX q))"))
    assert text(U(p, q)) == "p U q"
    assert text(W(p, R(q, M(p, X(True))))) == "p W (q R (p M X true))"
    assert text(A(U(p, q)) & E(W(p, q))) == "A(p U q) & E(p W q)"
    assert text(F(last("switch"))) == "F last(switch)"
    assert str(G(lambda s: s.on)) == "G <lambda>"
    with pytest.raises(SweepcheckError, match="neither true nor false"):
        G(p) and F(q)


def test_each_logic_refuses_the_other() -> None:
    for make, wrong in (
        (ltl, "AG p"),
        (ltl, "E (F p)"),
        (ctl, "G p"),
        (ctl, "A (F p & G q)"),
        (ctl, "AG F p"),
        (ctl, "E p"),
    ):
        with pytest.raises(SweepcheckError) as caught:
            make("wrong", wrong)
        assert caught.value.code == "SC237"
