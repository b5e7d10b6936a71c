"""Automata against the meaning of formulas on lassos, their reductions, and HOA in and out."""

import random

import pytest

from sweepcheck import SweepcheckError
from sweepcheck.core.automaton import Automaton, Reader
from sweepcheck.core.temporal import FALSE, TRUE, About, Op, Temporal, proposition
from sweepcheck.logic.hoa import hoa, read_hoa
from sweepcheck.logic.lassos import accepts, holds
from sweepcheck.logic.parsing import parse
from sweepcheck.logic.reduction import reader, reduced
from sweepcheck.logic.translation import translated

NAMES = [proposition(About.NAME, name) for name in "pqr"]
ONE = (Op.NOT, Op.NEXT, Op.EVENTUALLY, Op.ALWAYS)
TWO = (Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.UNTIL, Op.WEAK_UNTIL, Op.RELEASE, Op.STRONG_RELEASE)


def drawn(rng: random.Random, depth: int) -> Temporal:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*NAMES, *NAMES, TRUE, FALSE])
    op = rng.choice((*ONE, *TWO))
    return Temporal(op, tuple(drawn(rng, depth - 1) for _ in range(1 if op in ONE else 2)))


def word(rng: random.Random):
    size = rng.randint(1, 5)
    return [frozenset(one for one in NAMES if rng.random() < 0.5) for _ in range(size)], rng.randrange(size)


def as_automaton(given: Reader) -> Automaton:
    """A reader, with the marks of a stage on the edges that lead to it."""
    edges = tuple(tuple(e._replace(marks=given.marked[e.target]) for e in of) for of in given.edges)
    return Automaton(given.propositions, (0,), edges, given.all_marks.bit_length())


@pytest.mark.parametrize("seed", range(5))
def test_automata_accept_what_formulas_are_true_of(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        formula = drawn(rng, rng.choice((2, 3, 3)))
        made = translated(formula)
        again = read_hoa(hoa(made, str(formula)), "it")
        for _ in range(4):
            letters, loop = word(rng)
            wanted = holds(formula, letters, loop)
            assert accepts(made, letters, loop) is wanted, (str(formula), letters, loop)
            assert accepts(again, letters, loop) is wanted
            assert accepts(reduced(again), letters, loop) is wanted
            assert accepts(as_automaton(reader(made, complete=False)), letters, loop) is wanted
        letter = rng.randrange(1 << len(made.propositions))
        for_ever = [frozenset(one for bit, one in enumerate(made.propositions) if letter >> bit & 1)]
        for complete in (False, True):
            assert reader(made, complete).accepts_for_ever(0, letter) is holds(formula, for_ever, 0)


def test_a_formula_and_its_opposite_are_never_both_true() -> None:
    rng = random.Random(1)
    for _ in range(200):
        formula = drawn(rng, 3)
        letters, loop = word(rng)
        assert holds(formula, letters, loop) is not holds(Temporal(Op.NOT, (formula,)), letters, loop)


@pytest.mark.parametrize(
    ("text", "states", "marks"),
    [
        ("G (p -> F q)", 2, 1),
        ("!G (p -> F q)", 2, 1),
        ("G F p", 1, 1),
        ("F G p", 2, 1),
        ("G F p & G F q", 1, 2),
        ("G p", 1, 0),
        ("false", 0, 0),
    ],
)
def test_automata_are_small(text: str, states: int, marks: int) -> None:
    made = translated(parse(text))
    assert (made.size, made.marks) == (states, marks)


def test_a_reader_goes_on_whatever_comes_or_notes_that_it_cannot() -> None:
    for text in ("F (p & G !q)", "G p", "p U q", "X X p", "false", "true"):
        for complete in (False, True):
            made = reader(translated(parse(text)), complete)
            letters = range(1 << len(made.propositions))
            if made.otherwise is not None:
                assert all(made.next(stage, letter) for stage in range(len(made.edges)) for letter in letters)
                assert not any(made.accepts_for_ever(made.otherwise, letter) for letter in letters)
            else:
                assert not complete
                alive = {0}
                for _ in range(10):
                    assert all(any(made.next(stage, letter) for stage in alive) for letter in letters)
                    alive = {to for stage in alive for letter in letters for to in made.next(stage, letter)}


OTHERS = """HOA: v1
tool: "somebody else"
States: 2
Start: 0
AP: 2 "p" "x == 1"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: state-acc
Alias: @a 0 & !1
--BODY--
State: 0 "here" /* a comment */
[t] 0
[@a | (!0 & !1)] 1
State: 1 {0}
[!1] 1
--END--
"""


def test_automata_of_others_are_read() -> None:
    made = read_hoa(OTHERS, "theirs.hoa")
    assert [str(one) for one in made.propositions] == ["p", "{x == 1}"]
    assert made.size == 2
    assert made.edges[1] == ((0, 2, 1, 1),)
    assert {edge[:3] for edge in made.edges[0]} == {(0, 0, 0), (1, 2, 1), (0, 3, 1)}


def test_implicit_labels_and_labels_of_states() -> None:
    text = 'HOA: v1 States: 2 Start: 0 AP: 1 "p" Acceptance: 0 t --BODY-- State: 0 0 1 State: [0] 1 1 --END--'
    made = read_hoa(text, "it")
    assert made.edges == (((0, 1, 0, 0), (1, 0, 1, 0)), ((1, 0, 1, 0),))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "HOA: v2",
        OTHERS.replace("Inf(0)", "Fin(0)"),
        OTHERS.replace("Acceptance: 1 Inf(0)", "Acceptance: 2 Inf(0)|Inf(1)"),
        OTHERS.replace("Start: 0", "Start: 7"),
        OTHERS.replace("Start: 0", "Start: 0&1"),
        OTHERS.replace("[!1] 1", "[!7] 1"),
        OTHERS.replace("[!1] 1", "[!1] 9"),
        OTHERS.replace("{0}", "{3}"),
        OTHERS.replace("--END--", ""),
        OTHERS.replace("States: 2", "States: 999999999999"),
        OTHERS.replace("Alias: @a 0", "Alias: @a " + "(" * 5000 + "0"),
        OTHERS.replace('"p"', '"p U q"'),
        OTHERS + OTHERS,
        OTHERS.replace("properties:", "Properties:"),
    ],
)
def test_what_is_no_such_automaton_is_refused(text: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        read_hoa(text, "theirs.hoa")
    assert caught.value.code == "SC238"


def test_large_formulas_are_refused_in_time() -> None:
    many = " & ".join(f"(p{i} U (q{i} U r{i}))" for i in range(8))
    for text in (many, " & ".join(f"F p{i}" for i in range(20))):
        with pytest.raises(SweepcheckError) as caught:
            translated(parse(text))
        assert caught.value.code == "SC414"


def test_what_comes_to_the_same_in_many_ways_is_one_way() -> None:
    """Each part is true in two ways that ask for the same: 2^18 together."""
    found = translated(parse(" & ".join(f"((a & p{i}) | (p{i} & a))" for i in range(18))))
    assert [len(edges) for edges in found.edges] == [1, 1]
