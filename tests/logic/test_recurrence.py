"""Which formulas the long run decides, and by which loops."""

import random
from itertools import product

import pytest

from sweepcheck import ltl
from sweepcheck.core.recurrence import Recurrence
from sweepcheck.core.temporal import About, Op, Proposition, Temporal, proposition
from sweepcheck.logic.lassos import holds
from sweepcheck.logic.recurrence import MOST_LOOPS, recurrence
from sweepcheck.properties.propositions import _replaced as replaced

NAMES = "abcd"


def known(given: str | Temporal) -> Temporal:
    """A formula whose propositions are predicates of states, but for `last(...)`."""
    made = ltl("asked", given).formula
    assert made is not None
    meaning = {
        one: one if one.about is About.LAST else proposition(About.NAME, one.text, lambda s, name=one.text: name in s)
        for one in made.walk()
        if isinstance(one, Proposition)
    }
    by_name = {one.text: meant for one, meant in meaning.items()}
    return replaced(made, {one: by_name[one.text] for one in meaning})


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("G F a -> G F b", 1),
        ("[]<>a -> []<>b", 1),
        ("!(G F a & F G !b)", 1),
        ("F G a | G F b | G F c", 1),
        ("F G a", 1),
        ("G F a & G F b & G F c", 3),
        ("(G F a -> G F b) & (G F c -> G F d)", 2),
        ("G F a <-> G F b", 2),
        ("G F G F a", 1),
        ("F G F a", 1),
        ("G F G a", 1),
        ("G F (a | F b)", 1),
        ("G F (a U b)", 1),
        ("G F (a & X F b)", 2),
        ("F (G a & G b)", 2),
        ("F (G a & G F b)", 2),
        ("X G F X a", 1),
        ("G F a U G F b", 1),
        ("true", 0),
        ("G F (a | !a)", 1),
        ("F G a -> G F a", 1),
        ("F G last(act)", 1),
        ("G F last(act) -> G F last(other)", 1),
        ("G F (a & X b)", 1),
        ("F G (a -> X b)", 1),
        ("G F (a & X last(act))", 1),
        ("G F (X a & X X b & X X last(act))", 1),
        ("G F (X a & X last(act))", 1),
    ],
)
def test_shapes(text: str, loops: int) -> None:
    found = recurrence(known(text))
    assert found is not None
    assert len(found.loops) <= loops


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "F a",
        "G (a -> F b)",
        "X a",
        "a U b",
        "G F a -> G b",
        "a U (G F b & c)",
        "G F (a & X X b)",
        "G F (last(act) & X b)",
        "G F (a & (b U c))",
        "F G (a -> X (b U c))",
        "G F (last(a) | last(b) | last(c) | last(d) | last(e) | last(f) | last(g))",
    ],
)
def test_what_depends_on_more_is_left_to_automata(text: str) -> None:
    assert recurrence(known(text)) is None


def test_too_many_kinds_of_loops_are_left_to_automata() -> None:
    def all_of(count: int) -> Temporal:
        return known(" & ".join(f"G F p{number}" for number in range(count)))

    found = recurrence(all_of(MOST_LOOPS))
    assert found is not None
    assert len(found.loops) == MOST_LOOPS
    assert recurrence(all_of(MOST_LOOPS + 1)) is None
    assert recurrence(known(" | ".join(f"G F (a{n} & b{n})" for n in range(9)))) is not None
    assert recurrence(known(" | ".join(f"G F p{n}" for n in range(25)))) is None


def test_long_formulas_are_read_in_time() -> None:
    """Parts are looked at in several ways, by each of what they are parts of."""
    nested = "a"
    for _ in range(60):
        nested = f"F (b & {nested})"
    assert recurrence(known(nested)) is None
    assert recurrence(known("F G " * 70 + "a")) is not None


def violates(found: Recurrence, loop: list[int]) -> bool:
    letters = [letter | found.entering(loop[position - 1]) for position, letter in enumerate(loop)]
    return any(
        all(map(loop.admits, letters))
        and all(any(one.have(letter) for one in met for letter in letters) for met in loop.meets)
        for loop in found.loops
    )


@pytest.mark.parametrize("seed", range(300))
def test_loops_are_those_of_runs_that_violate_the_formula(seed: int) -> None:
    """By the meaning of formulas, on short words: the way to a loop changes nothing."""
    rng = random.Random(seed)

    def drawn(depth: int) -> Temporal:
        if depth == 0 or rng.random() < 0.1:
            return proposition(rng.choice((About.NAME, About.NAME, About.NAME, About.LAST)), rng.choice("ab"))
        op = rng.choice([Op.NOT, *[Op.NEXT] * 3, *[Op.ALWAYS, Op.EVENTUALLY] * 3, Op.AND, Op.OR, Op.UNTIL,
                         Op.RELEASE, Op.IFF, Op.WEAK_UNTIL, Op.STRONG_RELEASE])  # fmt: skip
        unary = op in (Op.NOT, Op.NEXT, Op.ALWAYS, Op.EVENTUALLY)
        return Temporal(op, tuple(drawn(depth - 1) for _ in range(1 if unary else 2)))

    found = None
    while found is None:
        formula = known(drawn(rng.choice((3, 4))))
        found = recurrence(formula)
    every = range(2 ** len(found.propositions))
    letters = [frozenset(one for i, one in enumerate(found.propositions) if bits >> i & 1) for bits in every]
    words = list(product(every, repeat=3))
    for word in words if len(words) <= 64 else rng.sample(words, 64):
        for loop in range(3):
            said = holds(formula, [letters[one] for one in word], loop)
            assert said is not violates(found, list(word[loop:])), (str(formula), word, loop)
