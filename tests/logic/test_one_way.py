"""Automata with one way for each run, against those they are made of; and all of ours against Spot's, where it is
installed (`pip install "sweepcheck[spot]"`)."""

import os
import random

import pytest
from test_automata import NAMES, drawn, word

from sweepcheck.core.automaton import Automaton
from sweepcheck.core.temporal import Op, Temporal, propositions
from sweepcheck.logic.hoa import hoa, read_hoa
from sweepcheck.logic.lassos import accepts, holds
from sweepcheck.logic.parsing import parse
from sweepcheck.logic.terminal import with_one_way
from sweepcheck.logic.translation import translated

EXAMPLES = 10_000 if os.environ.get("SWEEPCHECK_SLOW") else 60
SAFE = ["G (p -> X q)", "p W q", "G p", "X X p", "G (p -> X (q R r))", "G (p -> X q) & G (q -> X r)", "false"]


def opposite(formula: Temporal) -> Automaton:
    return translated(Temporal(Op.NOT, (formula,)))


def ways(automaton: Automaton, state: int, letter: int) -> int:
    return sum(edge.reads(letter) for edge in automaton.edges[state])


@pytest.mark.parametrize("text", SAFE)
def test_what_a_finite_run_can_break_has_one_way(text):
    formula = parse(text)
    given = opposite(formula)
    made = with_one_way(given)
    assert made.size <= given.size
    letters = range(1 << len(made.propositions))
    assert all(ways(made, state, letter) <= 1 for state in range(made.size) for letter in letters)
    rng = random.Random(text)
    for _ in range(200):
        run, loop = word(rng)
        assert accepts(made, run, loop) is not holds(formula, run, loop)


@pytest.mark.parametrize("text", ["true", "F p", "G F p", "G (p -> F q)", "G (p -> X X X q)", "F G p"])
def test_others_stay_as_they_are(text):
    given = opposite(parse(text))
    assert with_one_way(given) is given


def test_nothing_else_is_accepted():
    rng = random.Random(7)
    changed = 0
    for _ in range(300):
        given = translated(drawn(rng, 3))
        made = with_one_way(given)
        changed += made is not given
        for _ in range(5):
            run, loop = word(rng)
            assert accepts(made, run, loop) is accepts(given, run, loop)
    assert changed > 30


def test_automata_are_those_of_spot():
    spot = pytest.importorskip("spot")
    rng = random.Random(1)
    for _ in range(EXAMPLES):
        formula = drawn(rng, rng.choice((1, 2, 3)))
        ours = translated(formula)
        for one in (ours, with_one_way(ours)):
            assert spot.are_equivalent(spot.automaton(hoa(one, "ours")), spot.formula(str(formula))), str(formula)


def test_automata_of_spot_are_read():
    spot = pytest.importorskip("spot")
    rng = random.Random(2)
    for _ in range(EXAMPLES // 10):
        formula = drawn(rng, 2)
        theirs = read_hoa(spot.translate(str(formula), "GeneralizedBuchi").to_str("hoa"), "spot.hoa")
        assert set(propositions(formula)) <= set(NAMES)
        for _ in range(10):
            run, loop = word(rng)
            assert accepts(theirs, run, loop) is holds(formula, run, loop), str(formula)
