"""What actions cost: the table, the split of time, the advice."""

import re
from dataclasses import replace
from typing import NamedTuple

import pytest
from report_models import changed, clock_model, ferry_model

from sweepcheck import Array, Model, check, explore, invariant, require
from sweepcheck.core.plan import ActionStatistics
from sweepcheck.report.actions import actions_text
from sweepcheck.report.advice import advice
from sweepcheck.report.families import families
from sweepcheck.report.html import report_to_html
from sweepcheck.report.text import report_to_text

EVERYTHING = ("hour", "minute", "bells", "log")
TICK = ActionStatistics("tick", 9_000, 10_000, 1.5, False, EVERYTHING)
STRIKE = tuple(ActionStatistics(f"strike(bell={i})", 3, 500, 0.25, True, ("hour", "bells")) for i in range(3))


def clock(*actions):
    """A report on the clock with these costs, as if 10,000 states had been explored in 2.5 s, 2.3 s of it in Python."""
    report = explore(clock_model(), workers=1)
    numbers = replace(
        report.statistics, explored=10_000, seconds=2.5, model_seconds=2.3, rewrites=None, rewrite_seconds=None
    )
    return changed(report, statistics=numbers, actions=actions, engine="native", closed_edges=0)


def test_the_table():
    assert (
        actions_text(clock(STRIKE[0], TICK, *STRIKE[1:]))
        == """\
what the actions cost, most expensive first
  action                runs  from table   edges    time  table  observes
  tick                 9,000      10.0 %  10,000   1.5 s  no     hour, minute, bells, log
  strike (3)               9     100.0 %   1,500  0.75 s  yes    hour, bells
  measure, properties                             0.05 s

  2.5 s in all: 2.3 s in Python (92.0 %), 0.20 s in the engine

advice
  - `tick` is not tabulated: nearly every state needed a new run; it observes all 4 variables: split it or drop \
`len(s.log)` and `sum(s.bells)`; `log` is one value: `log=Queue(...)` is asked for its first element or for any, and \
changed by `put` and `get`"""
    )


def test_families_are_one_row_each():
    tick, strike = families(clock(*STRIKE, TICK))
    assert (tick.name, tick.members) == ("tick", 1)
    assert (strike.members, strike.evaluations, strike.edges, strike.seconds, strike.tabulated) == (3, 9, 1500, 0.75, 3)
    assert strike.answered(10_000) == 1 - 9 / 30_000


def test_a_family_of_which_some_are_tabulated():
    assert "2 of 3" in actions_text(clock(replace(STRIKE[0], tabulated=False), *STRIKE[1:]))


def test_variables_that_are_compared_are_named():
    text = actions_text(clock(*(replace(strike, compares=("hour",)) for strike in STRIKE)))
    assert "yes    hour, bells; compares hour\n" in text


def test_advice_on_a_table_that_hardly_pays():
    poor = replace(TICK, tabulated=True, evaluations=4_000, observes=("hour", "minute"))
    (line,) = advice(clock(poor))
    assert str(line) == (
        "`tick` finds little in its table: 4,000 runs, and 60 % of the answers from the table; "
        "it observes 2 of 4 variables: split it"
    )
    (line,) = advice(clock(replace(poor, observes=("minute",))))
    assert line.remedy == "the values of `minute` hardly ever repeat"


def test_advice_on_a_table_that_was_given_up_says_what_it_answered():
    text = actions_text(clock(replace(TICK, evaluations=1_300, edges=100_000)))
    assert "`tick` was given up in the course of the run: 1,300 runs, and 99 % of the answers from the table;" in text
    assert "nearly every state" not in text
    text = actions_text(clock(replace(TICK, evaluations=5_000)))
    assert "`tick` is not tabulated: 5,000 runs, and 50 % of the answers from the table;" in text
    assert "advice\n  none" in actions_text(clock(replace(TICK, evaluations=900)))


def test_no_advice_without_need():
    few = replace(TICK, tabulated=True, evaluations=900)
    many = replace(TICK, tabulated=True, evaluations=2_000)
    assert list(advice(clock(few, *STRIKE))) == list(advice(clock(many, *STRIKE))) == []
    assert "none: the tables did what they are for" in actions_text(clock(few))


def test_advice_where_disabled_actions_keep_the_engine_busy():
    busy = changed(clock(*STRIKE), vain_walks=4_000_000)  # 0.12 of 0.20 s
    (line,) = map(str, advice(busy))
    found = "actions are looked for and found disabled: 400 in each state, with the tokens and alternatives of 3"
    assert line.startswith(f"{found}; `require` first")
    assert list(advice(changed(busy, vain_walks=1_000_000))) == []


def test_edges_that_were_not_looked_up_are_told():
    report = clock(*STRIKE)
    numbers = replace(report.statistics, edges=1_000)
    told = "\n  25.0 % of the edges not looked up: another order of the same steps had led there\n"
    assert told in actions_text(changed(report, statistics=numbers, closed_edges=250))
    assert "looked up" not in actions_text(report)


def test_rewriting_is_told_and_advised_on():
    report = clock(*STRIKE)
    numbers = replace(report.statistics, rewrites=3, rewrite_seconds=0.02)
    cheap = changed(report, statistics=numbers)
    assert "\n  stored states rewritten 3 times for variables that had grown: 0.02 s\n" in actions_text(cheap)
    assert list(advice(cheap)) == []
    (line,) = map(str, advice(changed(report, statistics=replace(numbers, rewrites=1, rewrite_seconds=0.5))))
    assert line.startswith(
        "stored states were rewritten for variables that had grown: 1 times, 20 % of the time; give queues"
    )
    short = replace(numbers, seconds=0.05, rewrite_seconds=0.04)
    (line,) = map(str, advice(changed(report, statistics=short)))
    assert "3 times, 80 % of the time" in line
    assert list(advice(changed(report, statistics=replace(short, rewrite_seconds=0.009)))) == []


def test_what_workers_did_with_their_time():
    report = clock(*STRIKE)
    numbers = replace(report.statistics, workers=4, working=0.81, waiting=0.12, in_python=0.07, scratch_bytes=3 << 20)
    shared = changed(report, statistics=numbers)
    assert "\n  4 workers: 81 % working, 12 % waiting, 7 % in Python; scratch memory 3.0 MiB\n" in actions_text(shared)
    assert re.search(r"\n  workers +4  81 % working, 12 % waiting, 7 % in Python\n", report_to_text(shared))
    assert "4 (81 % working, 12 % waiting, 7 % in Python)" in report_to_html(shared)
    alone = changed(report, statistics=replace(numbers, workers=1, working=0.93, waiting=0.0))
    for form in (actions_text, report_to_text, report_to_html):
        assert "workers" not in form(alone)


def test_lines_are_no_longer_than_asked():
    text = actions_text(clock(*STRIKE, TICK), width=60)
    assert max(map(len, text.splitlines())) <= 60


def test_the_reference_engine_counts_nothing(explored):
    assert "by the native engine only; this run took the reference engine (asked for)" in actions_text(explored)


@pytest.mark.parametrize("form", [report_to_text, report_to_html])
def test_numbers_of_the_native_engine_are_in_reports(form, explored):
    native = form(explore(ferry_model(), engine="native"))
    assert "table memory" in native
    assert "model time" in native
    for word in ("table memory", "model time", "per stored state"):
        assert word not in form(explored)


def test_a_real_run():
    report = check(ferry_model(), ["a wolf across", "deadlock"], engine="native", keep_going=True)
    cross, rest = report.actions
    assert (cross.action, cross.tabulated, rest.action) == ("cross", True, "rest")
    assert cross.edges + rest.edges == report.statistics.edges == 9
    assert set(cross.observes) == {"near", "seats"}
    assert set(rest.observes) == {"near", "seats"}
    assert cross.evaluations + rest.evaluations > 0
    assert report_to_text(report, profile=True).count("most expensive first") == 1
    assert "most expensive first" not in report_to_text(report)
    assert report.bytes_per_state == report.statistics.state_bytes / 4


@pytest.mark.parametrize("disabled", [0, 3])
def test_disabled_actions_that_were_looked_for_are_counted(disabled):
    m = Model("round", n=0)

    @m.action
    def turn(s):
        s.n = (s.n + 1) % 50

    if disabled:

        @m.action(i=range(disabled))
        def never(s, i):
            require(s.n > 50 + i)

    walks = explore(m, engine="native").outcome.vain_walks
    assert disabled * 50 <= walks <= disabled * 150  # a state of which not everything is known is looked at twice


def test_of_very_many_actions_the_cheap_ones_share_a_line():
    many = [ActionStatistics(f"t{i:03}", 2, 10, 0.001 * i, True, ("hour",)) for i in range(4200)]
    lines = actions_text(clock(*many)).splitlines()
    assert lines[2].startswith("  t4199 ")
    assert [line.split()[:4] for line in lines if "others" in line] == [["4,170", "others", "8,340", "41,700"]]
    assert len(lines) < 50


class Pair(NamedTuple):
    left: int
    right: int


def raised(board, i):
    return (*board[:i], board[i] + 1, *board[i + 1 :])


@pytest.mark.parametrize(
    ("board", "change", "advised"),
    [
        ((0, 0, 0), lambda board, i: raised(board, i) if board[i] < 12 else None, "`board=Array(...)`"),
        (
            Pair(0, 0),
            lambda board, i: Pair(*raised(board, i % 2)) if sum(board) < 40 else None,
            "`board=Record(...)`",
        ),
        (frozenset(), lambda board, i: board ^ {i}, "`board=Set(...)`"),
    ],
)
def test_a_value_in_one_piece_is_advised_to_be_several(board, change, advised):
    m = Model("pieces", board=board)

    @m.action(i=range(11))
    def play(s, i):
        after = change(s.board, i % 3 if type(board) is tuple else i)
        require(after is not None)
        s.board = after

    found = [one.remedy for one in advice(explore(m, engine="native"))]
    assert [one for one in found if one.startswith("the values of `board` hardly ever repeat") and advised in one]


def test_a_value_in_one_piece_among_others():
    m = Model("line", waiting=(), inside=None, times=Array([0] * 6))

    @m.action(i=range(6))
    def ask(s, i):
        require(i not in s.waiting and s.inside != i and s.times[i] < 1)
        s.waiting = (*s.waiting, i)

    @m.action
    def enter(s):
        require(s.inside is None and s.waiting)
        s.inside, *rest = s.waiting
        s.waiting = tuple(rest)

    @m.action
    def leave(s):
        require(s.inside is not None)
        s.times[s.inside] += 1
        s.inside = None

    assert any("`waiting=Queue(...)`" in one.remedy for one in advice(explore(m, engine="native")))


def test_a_table_that_grows_with_values_in_one_piece():
    report = clock(*(replace(one, evaluations=30_000, observes=("hour", "log")) for one in STRIKE))
    many = replace(report.statistics, explored=1_000_000)
    (line,) = (one for one in advice(changed(report, statistics=many)) if "table of" in one.cause)
    assert line.cause == "the table of `strike` grows with the values of `log`"
    assert line.remedy.startswith("each is one value: `log=Queue(...)`")


def test_properties_that_take_most_of_the_time():
    asked = [invariant("fine", lambda s: True)]
    report = check(clock_model(), asked, workers=1)
    numbers = replace(report.statistics, explored=10_000, seconds=2.5, model_seconds=2.3)
    slow = changed(report, statistics=numbers, actions=(replace(TICK, tabulated=True, evaluations=9),), engine="native")
    assert TICK.seconds == 1.5
    assert not any("takes most" in one.cause for one in advice(slow))
    quick = changed(slow, actions=(replace(slow.actions[0], seconds=0.3),))
    (line,) = (one for one in advice(quick) if "takes most" in one.cause)
    assert (line.cause, line.figure) == ("'fine' takes most of the time", "2.0 s of 2.5 s")


def test_an_array_that_is_looked_at_as_a_whole():
    m = Model("pieces", board=Array([0, 0, 0]))

    @m.action(i=range(3))
    def play(s, i):
        require(list(s.board)[i] < 12)
        s.board[i] += 1

    assert any("looks at every element" in one.remedy for one in advice(explore(m, engine="native")))
