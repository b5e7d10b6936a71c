"""`++` and `@+` on arcs bind weaker than arithmetic, whatever Python makes of them."""

import pytest

from sweepcheck import Net, check, colours
from sweepcheck.errors import ModelError
from sweepcheck.models.net.inscription import Tokens, multiset


def read(text):
    """Token, coefficient and delay of each term."""
    terms = multiset(text, "the inscription", {})
    assert all(isinstance(term, Tokens) for term in terms)
    parts = [(term.token, term.coefficient, term.delay) for term in terms]
    return [tuple(None if part is None else part.text for part in term) for term in parts]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("n + k", [("n + k", None, None)]),
        ("n ++ k + 1", [("n", None, None), ("k + 1", None, None)]),
        ("n - 1 ++ k - 1 ++ 3*m", [("n - 1", None, None), ("k - 1", None, None), ("m", "3", None)]),
        ("2*x ++ y // 2 ++ -k", [("x", "2", None), ("y // 2", None, None), ("-k", None, None)]),
        ("x @+ 2", [("x", None, "2")]),
        ("x @+ 2 * n", [("x", None, "2 * n")]),
        ("x @+ k - 1", [("x", None, "k - 1")]),
        ("x + 1 @+ 3", [("x + 1", None, "3")]),
        ("x + 1 @+ 2 * n + 1 ++ 2*y @+ n // 2", [("x + 1", None, "2 * n + 1"), ("y", "2", "n // 2")]),
        ("(x ++ y) @+ 3", [("x", None, "3"), ("y", None, "3")]),
    ],
)
def test_arithmetic_binds_stronger(text, terms):
    assert read(text) == terms


@pytest.mark.parametrize("text", ["2*(x ++ y)", "x @+ 1 @+ 2"])
def test_what_has_no_one_meaning_is_refused(text):
    with pytest.raises(ModelError) as caught:
        multiset(text, "the inscription", {})
    assert caught.value.code == "SC123"


def test_sums_and_delays_in_a_run():
    net = Net("sums")
    a, b, c = net.place("A", int, [1]), net.place("B", int), net.place("C", colours.timed(int))
    net.transition("Go", a.take("n"), b.put("n ++ n + 1"), c.put("n + 1 @+ n + 2 * 3"))
    net.invariant("before", lambda m: not m.B or list(m.B) == [1, 2])
    net.invariant("stamp", lambda m: not m.C or m.C.times() == ((2, 7),))
    for engine in ("reference", "native"):
        report = check(net, engine=engine)
        assert report.statistics.states == 2
        assert [verdict.status for verdict in report.verdicts] == ["holds", "holds"]
