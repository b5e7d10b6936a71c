"""Texts that are broken, hostile or endless: an error with a code, never a traceback, never a hang."""

import os
from random import Random
from typing import Any

import pytest
from ml_programs import PRELUDE, programs

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import Ml, Where

HERE = Where("Top", "a text", 5)
CODES = {"SC140", "SC141", "SC142", "SC143"}
DECLARED = "colset INT = int; colset L = list INT; colset U = union data:INT + ack; var n: INT; var xs: L; var u: U;"
MUTANTS = 20_000 if os.environ.get("SWEEPCHECK_SLOW") else 400
PIECES = [
    "let", "in", "end", "fun", "val", "fn", "=>", "|", "case", "of", "(", ")", "[", "]", "{", "}", ",", ";", "::", "`",
    "++", "@", "@+", "=", "<>", "~", "~1", "1", "2.5", '"a"', '"', "#1", "#no", "op", "n", "xs", "data", "ack", "u",
    "handle", "raise", "if", "then", "else", "orelse", "andalso", "_", "...", "..", ":", "int", "list", "'a", "*", "(*",
    "*)", "colset", "with", "union", "timed", "var", "\\", "é", "\x00", "99999999999999999999", "1e999", "List.map",
    "local", "exception", "datatype", "use", "open", "structure", "infix", "INT", "INT.all ()", "'", "!", ":=", "ref",
]  # fmt: skip


@pytest.fixture
def ml() -> Ml:
    made = Ml()
    made.declare(PRELUDE + DECLARED, HERE)
    return made


def attempt(ml: Ml, text: str, kind: str) -> None:
    """Read a text and compute it, and see that whatever goes wrong has a code."""
    colour = ml.colours["INT"] if kind in ("arc", "marking") else None
    found: ModelError | None = None
    try:
        ml.inscription(text, HERE, colour, kind).evaluate({"n": 1, "xs": (1, 2), "u": "ack", "clock": 3})
    except ModelError as error:
        found = error
    assert found is None or (found.code in CODES and found.where is not None)


def broken(text: str, random: Random) -> str:
    for _ in range(random.randrange(1, 4)):
        place = random.randrange(len(text) + 1)
        match random.randrange(3):
            case 0:
                text = text[:place] + random.choice(PIECES) + text[place:]
            case 1:
                text = text[:place] + text[place + random.randrange(1, 6) :]
            case _:
                text = f"{text[:place]} {random.choice(PIECES)} {text[place + 1 :]}"
    return text


def test_broken_expressions(ml: Ml) -> None:
    random = Random(17)
    for text, _ in programs(17, MUTANTS // 2):
        attempt(ml, broken(text, random), random.choice(["arc", "marking", "guard", "time", "expression", "code"]))


def test_random_words(ml: Ml) -> None:
    random = Random(18)
    for _ in range(MUTANTS):
        text = " ".join(random.choices(PIECES, k=random.randrange(1, 12)))
        attempt(ml, text, random.choice(["arc", "guard", "time", "code", "expression", "priority"]))


def test_random_declarations() -> None:
    random = Random(19)
    lines = [line for line in (PRELUDE + DECLARED).replace(";", ";\n").splitlines() if line.strip()]
    for _ in range(MUTANTS // 20):
        ml = Ml()
        for line in lines:
            ml.declare(broken(line, random) if random.random() < 0.5 else line, HERE)
        attempt(ml, "fact 3", "expression")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(" * 90 + "1" + ")" * 90,
        "(" * 500 + "1" + ")" * 500,
        "[" * 99 + "1" + "]" * 99,
        "1 + " * 1_500 + "1",
        "1 :: " * 1_500 + "[]",
        "if true then 1 else " * 1_200 + "1",
        "fn x => " * 1_200 + "1",
        "not " * 1_500 + "true",
        "f " * 1_500,
        "let val x = 1 in " * 300 + "x" + " end" * 300,
        "case 1 of n => " * 300 + "1",
        "9" * 100_000,
        "~" * 10_000 + "1",
        '"' + "a" * 100_000 + '"',
        "(*" * 10_000,
        "(* (* *)",
        "1`1 ++ " * 300 + "1`1",
        "x" * 100_000,
        "#" * 1000,
    ],
)
def test_deep_and_long_texts(ml: Ml, text: str) -> None:
    attempt(ml, text, "expression")
    attempt(ml, text, "arc")


def test_a_long_sum_of_tokens_is_read(ml: Ml) -> None:
    text = " ++ ".join(f"1`{number}" for number in range(700))
    found = ml.inscription(text, HERE, ml.colours["INT"], "marking")
    assert len(found.evaluate({})) == 700
    assert found.terms is not None
    assert len(found.terms) == 700


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("fun f n = f (n + 1);", "f 1"),
        ("fun f n = 1 + f n;", "f 1"),
        ("fun f n = g n and g n = f n;", "f 1"),
        ("fun f n = if n = 0 then 0 else f (n - 1) + f (n - 1);", "f 60"),
        ("fun f xs = f (xs ^^ xs);", "f [1]"),
        ("fun f s = f (s ^ s);", 'f "ab"'),
        ("fun f xs = f (List.concat [xs, xs]);", "f [1]"),
        ("fun f (x : IntInf.int) = f (x * x);", "f 7"),
        ("fun f xs = f (xs ++ xs);", "f (1`1)"),
        ("fun f g = g (f g);", "f (fn x => x)"),
        ("fun f n = let fun g k = g (k + 1) in g n end;", "f 1"),
        ("fun f n = f n handle Overflow => f n;", "f 1"),
        ("", "999999999`1"),
        ("", "1000000 ** (1000000`1)"),
        ("", "IntInf.pow (10, 1000000000)"),
        ("", "List.tabulate (1000000000, fn n => n)"),
        ("val x = let fun f n = f n in f 1 end;", "x"),
        ("colset HUGE = int with 1..1000000000; colset BIG = list HUGE with 0..9;", "BIG.all ()"),
    ],
)
def test_endless_and_huge(ml: Ml, declared: str, text: str) -> None:
    ml.declare(declared, HERE)
    with pytest.raises(ModelError) as raised:
        ml.inscription(text, HERE, None, "expression").evaluate({})
    assert raised.value.code in {"SC142", "SC143"}


def test_data_runs_no_code_of_its_own(ml: Ml) -> None:
    odd: list[Any] = ["__import__", "open", "eval", "exec", "globals", "n.__class__", "'''", '"\\"+exit()+\\""']
    for word in odd:
        attempt(ml, f"{word} 1", "expression")
    assert ml.inscription('"\\"); exit(1) #"', HERE, None, "expression").evaluate({}) == '"); exit(1) #'
