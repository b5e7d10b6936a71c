"""Wrong formulas, as text, in Python and on the command line: a code, a caret at the place, and what was meant."""

from typing import Any

import pytest

from sweepcheck import Model, SweepcheckError, check, ctl, ltl
from sweepcheck.cli.main import main
from sweepcheck.logic import AG, F, G, last

DESK = """
from sweepcheck import Model, require

m = Model("desk", waiting=False, served=0)


@m.action
def arrive(s):
    require(not s.waiting)
    s.waiting = True


@m.action
def serve(s):
    require(s.waiting and s.served < 3)
    s.waiting, s.served = False, s.served + 1
"""

# a formula of LTL or CTL, what stands at the caret (and what comes after it), the code, and what the error says
WRONG = [
    ("ltl", "G (waiting -> ", "", "SC235", "the end was not expected"),
    ("ltl", "G (waiting", "(waiting", "SC235", "'(' is never closed"),
    ("ltl", "G [(waiting | {(}) & served", "[(", "SC235", "'[' is never closed"),
    ("ltl", "G waiting) & served", ") &", "SC235", "')' closes nothing"),
    ("ltl", "G (waiting]", "]", "SC235", "']' cannot close '('"),
    ("ltl", "waiting served", "served", "SC235", "'served' was not expected"),
    ("ltl", "served == 3", "== 3", "SC235", "inside braces"),
    ("ltl", "G {served > 0", "{served", "SC235", "ends with }"),
    ("ltl", "F count(served)", "(served", "SC235", "no arguments"),
    ("ltl", 'F "served"', '"served', "SC235", "names stand by themselves"),
    ("ltl", "last(serve", "(serve", "SC235", "last(action)"),
    ("ctl", "AG EX (", "", "SC235", "the end"),
    ("ltl", "G (wating -> F served)", "wating", "SC236", "did you mean 'waiting'?"),
    ("ctl", "AG (waiting -> EX E[served U srved])", "srved", "SC236", "did you mean 'served'?"),
    ("ltl", "waiting U\n (served U served_)", "served_", "SC236", "did you mean 'served'?"),
    ("ltl", "AG waiting", "AG", "SC237", "not LTL"),
    ("ltl", "G F EF waiting", "EF", "SC237", "no E"),
    ("ctl", "AG F waiting", "F waiting", "SC237", "F has neither"),
    ("ctl", "AG (waiting U served)", "U served", "SC237", "U has neither"),
    ("ctl", "AG EX (waiting & GF served)", "GF", "SC237", "G has neither"),
    ("ctl", "AG E (waiting & served)", "E (", "SC237", "followed by"),
    ("ctl", "AG (waiting -> EX last( serve))", "last", "SC237", "uses last"),
    ("ltl", "G (waiting -> F {servd > 0})", "servd", "SC402", "did you mean 'served'?"),
    ("ltl", "G (waiting -> F { 'é' != served + srved})", "srved", "SC402", "did you mean 'served'?"),
    ("ltl", "F {s.served > 0 and s.wating}", "wating", "SC202", "did you mean 'waiting'?"),
    ("ctl", "AG EX {served >}", "}", "SC402", "invalid syntax"),
    ("ctl", "AG EX {served > (}", "(}", "SC402", "never closed"),
    ("ctl", "AG EX {served = 3}", "= 3", "SC402", "equality is =="),
    ("ltl", "F {lambda: 3}", "lambda", "SC402", "what follows the colon"),
    ("ltl", "F {}", "}", "SC402", "not an expression"),
    ("ltl", "G F last(srve)", "srve", "SC407", "did you mean 'serve'?"),
    ("ltl", "G F {enabled('srve')}", "enabled", "SC407", "did you mean 'serve'?"),
    ("ltl", "X " * 400 + "waiting", "X ", "SC235", "150 inside one another"),
    ("ctl", "(" * 400 + "waiting" + ")" * 399, "(", "SC235", "never closed"),
    ("ltl", " & ".join(["waiting"] * 3000), "waiting", "SC235", "2000 operators"),
]


def desk() -> Model:
    names: dict[str, Model] = {}
    exec(DESK, names)
    return names["m"]


def at_caret(shown: str) -> str:
    line, caret = shown.split("\n")
    assert caret.strip() == "^"
    return line[len(caret) - 1 :]


@pytest.mark.parametrize(("logic", "text", "place", "code", "said"), WRONG)
def test_in_python(logic: str, text: str, place: str, code: str, said: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        check(desk(), [{"ltl": ltl, "ctl": ctl}[logic]("wrong", text)])
    error = caught.value
    assert error.code == code
    assert said in str(error)
    shown = at_caret(dict(error.values)["formula"])
    assert shown.startswith(place)
    assert bool(shown) is bool(place)
    if code == "SC235":
        assert error.where is not None
        assert error.where.startswith("test_wrong_formulas.py")


def test_on_the_command_line(tmp_path, capsys) -> None:
    file = tmp_path / "desk.py"
    file.write_text(DESK)
    for logic, text, place, code, said in WRONG:
        assert main(["check", str(file), f"--{logic}", text]) == 2
        printed = capsys.readouterr().err
        lines = printed.split("\n")
        assert lines[0].startswith(f"error[{code}]"), text
        assert said in printed
        caret = next(number for number, line in enumerate(lines) if line.strip() == "^")
        assert lines[caret - 1][len(lines[caret]) - 1 :].startswith(place)
        assert "  at " not in printed  # nothing is declared in a file


def test_what_is_built_is_pointed_at_as_it_is_shown() -> None:
    m = desk()
    waiting = m.predicate("waiting_now", lambda s: s.waiting)
    other = Model("other", x=0).predicate("x", lambda s: s.x)
    for make, built, place, code in (
        (ltl, G(waiting >> F(last("srve"))), "srve))", "SC407"),
        (ltl, G(waiting >> F(other)), "x)", "SC236"),
        (ltl, F(waiting & AG(waiting)), "AG waiting", "SC237"),
        (ctl, AG(waiting & G(waiting)), "G waiting", "SC237"),
        (ctl, AG(waiting >> last("serve")), "last(serve)", "SC237"),
    ):
        with pytest.raises(SweepcheckError) as caught:
            check(m, [make("wrong", built)])
        assert caught.value.code == code
        assert at_caret(dict(caught.value.values)["formula"]).startswith(place)


def test_expressions_may_have_several_lines() -> None:
    assert check(desk(), [ltl("in lines", "G {served\n >= 0}\n& G {s.served\n< 4}")])


def test_names_that_an_expression_binds_are_its_own() -> None:
    assert check(desk(), [ltl("bound", "G {all(s.real >= 0 for s in (served, 1))}")])


def test_what_goes_wrong_in_a_state_is_told_with_the_state() -> None:
    """An expression that has a value in most states is not refused before the run."""
    with pytest.raises(SweepcheckError) as caught:
        check(desk(), [ltl("wrong", "G {s.waiting.real >= 0 and 1 / (2 - s.served) < 3}")])
    assert caught.value.code == "SC209"
    assert "served=2" in dict(caught.value.values)["state"]


def nested(before: str, after: str, times: int) -> str:
    return before * times + "on" + after * times


@pytest.mark.parametrize(
    ("make", "before", "after"),
    [
        (ltl, "(on <-> ", ")"),
        (ltl, "(on W ", ")"),
        (ltl, "(on M ", ")"),
        (ctl, "(on <-> ", ")"),
        (ctl, "E[on R ", "]"),
        (ctl, "E[", " W on]"),
        (ctl, "A[on U ", "]"),
        (ctl, "A[", " M on]"),
    ],
)
def test_what_normal_forms_repeat_is_counted(make: Any, before: str, after: str) -> None:
    """Each doubles or trebles what it joins: seventy of them inside one another were never written out."""
    assert make("a few", nested(before, after, 5)).formula is not None
    with pytest.raises(SweepcheckError) as caught:
        make("many", nested(before, after, 70))
    assert caught.value.code == "SC235"
    assert "normal form" in str(caught.value)


def test_what_normal_forms_do_not_repeat_may_be_deep() -> None:
    for make, before, after in [
        (ltl, "(on U ", ")"),
        (ctl, "E[on U ", "]"),
        (ctl, "E[", " U on]"),
        (ctl, "A[on R ", "]"),
    ]:
        assert make("deep", nested(before, after, 70)).formula is not None
