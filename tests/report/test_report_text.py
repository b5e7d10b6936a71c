"""The report as text: snapshots of a few, and the rules that hold for all."""

from dataclasses import replace
from pathlib import Path

import pytest
from report_models import changed

from sweepcheck import Model, Stop, check
from sweepcheck.core.plan import Layer
from sweepcheck.report.picture import sweep_picture
from sweepcheck.report.text import brief_text, report_to_text, verdicts_text
from sweepcheck.strategies import AUTO, CACHING, every

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", ["ferry", "limited", "explored", "lasso"])
def test_golden(name, request):
    report = request.getfixturevalue(name)
    assert report_to_text(report, picture=name == "explored") + "\n" == (GOLDEN / f"{name}.txt").read_text("utf-8")


def test_repr_is_the_text(ferry):
    assert repr(ferry) == report_to_text(ferry)


def test_verdicts_come_first(ferry):
    assert report_to_text(ferry).startswith("✗ violated  invariant 'not crowded'  (exact)")


def test_an_incomplete_run_never_claims_the_number_of_states(limited):
    text = report_to_text(limited, picture=True)
    assert "states found so far" in text
    assert "\n  states  " not in text
    assert "%" not in text
    assert text.startswith("? inconclusive")
    assert "the limit on states was reached" in text


def test_interruption_says_how_far_it_got(limited):
    text = verdicts_text(changed(limited, stop=Stop.INTERRUPTED))
    assert "interrupted after 2.5 s, done up to progress 0: 2 states explored, 1 found" in text


def test_exploration_that_was_cut_short_is_inconclusive(explored):
    text = verdicts_text(changed(explored, stop=Stop.SECONDS))
    assert text.startswith("? inconclusive: the time limit was reached")


def test_brief(ferry, explored):
    assert len(brief_text(ferry).splitlines()) == 3
    assert brief_text(explored) == "✓ explored completely: 7 states, 9 edges, peak 4"
    short = brief_text(changed(explored, stop=Stop.STATES))
    assert short == "? inconclusive: the limit on states was reached: 7 states found so far, 9 edges, peak 4"


def test_without_trace_the_deciding_state_is_shown():
    m = Model("two", x=0)

    @m.action
    def step(s):
        s.x = 1

    m.invariant("zero", lambda s: s.x == 0)
    text = report_to_text(check(m, trace=False))
    assert "the state that decides invariant 'zero' (no trace was kept)\n  x=1" in text
    assert "trace file" not in text


def test_the_place_of_a_kept_trace_file_is_shown(tmp_path, lasso):
    assert str(tmp_path) in report_to_text(changed(lasso, trace_file=tmp_path / "parents.trc"))


def test_collection_and_repetition_are_told(ferry):
    assert "forgets after every 500 new states" in report_to_text(changed(ferry, gc=every(500)))
    assert "forgets at intervals that adapt" in report_to_text(changed(ferry, gc=AUTO))
    numbers = replace(ferry.statistics, states=None, explored=9, regress_edges=5, persistent=2)
    again = report_to_text(changed(ferry, statistics=numbers, regressing=(("row", 4), ("sink", 1))))
    assert "perhaps some more than once" in again
    assert "4 by row, 1 by sink" in again
    assert "states kept to the end" in again
    assert "\n  states " not in again, "nobody knows how many there are"
    cached = changed(ferry, strategy=CACHING, cache_size=3, statistics=replace(numbers, evicted=7))
    assert "and 3 other states" in report_to_text(cached)
    assert "from the cache" in report_to_text(cached)
    assert "(a reason)" in report_to_text(changed(ferry, strategy_reason="a reason"))


def test_a_run_of_no_time_has_no_speed(ferry):
    assert "states/s" not in report_to_text(changed(ferry, statistics=replace(ferry.statistics, seconds=0.0)))


@pytest.mark.parametrize("width", [50, 64, 80])
def test_lines_are_folded(lasso, limited, width):
    for report in (lasso, limited):
        lines = report_to_text(report, full=True, width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert "".join("".join(lines).split()) == "".join(report_to_text(report, full=True).split())


def test_a_picture_of_many_layers_is_as_wide_as_asked(explored):
    many = changed(explored, profile=tuple(Layer((n, n), 5, n % 7) for n in range(1000)))
    rows = sweep_picture(many, width=60).splitlines()
    assert max(map(len, rows)) <= 60
    assert "(0, 0)" in rows[-1]
    assert "(999, 999)" in rows[-1]
    assert "until the run stopped" in sweep_picture(changed(many, stop=Stop.SECONDS))


def test_a_narrow_picture_names_the_range(explored):
    wide = changed(explored, profile=(Layer("a" * 20, 1, 1), Layer("b" * 20, 1, 2)))
    assert f"progress '{'a' * 20}' to '{'b' * 20}'" in sweep_picture(wide, width=40)


def test_there_is_no_picture_of_a_full_search(lasso):
    assert sweep_picture(lasso) == ""
