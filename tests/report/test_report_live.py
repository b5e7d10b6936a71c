"""Watching a run: what the lines say, when they are written, and how they fit."""

import io
import json

import pytest

from sweepcheck import progress
from sweepcheck.core.observer import Snapshot
from sweepcheck.report.live import Estimate, EventLines, LiveLine, PlainLines, clock_text, fields, fit

MEASURE = progress(lambda s: s.n, span=(0, 99))


def at(seconds, value=None, explored=1000):
    return Snapshot(value, explored, 4000, 300, 400, 50, 7, seconds, 5 << 20)


def texts(snapshot, measure=None):
    estimate = Estimate(measure)
    estimate.update(snapshot)
    return [field.text for field in fields(snapshot, estimate)]


def test_fields_without_progress():
    assert texts(at(2.0)) == [
        "1,000 explored", "300 stored", "peak 400", "50 to do", "500/s", "5.0 MiB", "0:02",
    ]  # fmt: skip
    assert "0/s" in texts(at(0.0))


def test_percent_only_where_the_range_is_known():
    assert texts(at(2.0, 25), MEASURE)[:2] == [" 25 %", "at 25"]
    assert texts(at(2.0, 25))[0] == "at 25"
    assert texts(at(2.0, "b"), MEASURE)[0] == "at 'b'"


def test_the_estimate_follows_the_recent_pace():
    estimate = Estimate(MEASURE)
    for second in range(11):
        estimate.update(at(float(second), 5 * second))
    assert estimate.fraction == pytest.approx(0.5)
    assert estimate.seconds_left == pytest.approx(10.0)
    for second in range(11, 61):
        estimate.update(at(float(second), 50 + 0.5 * (second - 10)))
    assert estimate.seconds_left == pytest.approx(50.0)
    assert any(field.text == "ETA ~0:50" for field in fields(at(60.0, 75), estimate))


def test_no_estimate_at_the_very_start():
    estimate = Estimate(MEASURE)
    estimate.update(at(0.0, 0))
    estimate.update(at(0.5, 10))
    assert estimate.seconds_left is None


def test_clock():
    assert [clock_text(time) for time in (7, 754, 3723)] == ["0:07", "12:34", "1:02:03"]


@pytest.mark.parametrize("width", [5, 20, 40, 60, 80, 200])
def test_fields_fit(width):
    estimate = Estimate(MEASURE)
    estimate.update(at(2.0, 25))
    every = fields(at(2.0, 25), estimate)
    kept = fit(every, width)
    assert len(kept) == 1 or len("  ".join(field.text for field in kept)) <= width
    assert "1,000 explored" in [field.text for field in kept]
    assert [field for field in every if field in kept] == kept


def test_a_plain_line_every_ten_seconds():
    stream = io.StringIO()
    lines = PlainLines(stream, MEASURE)
    for tenth in range(350):
        lines.snapshot(at(tenth / 10, tenth / 10))
    written = stream.getvalue().splitlines()
    assert len(written) == 3
    assert written[0].startswith("10 %  at 10.0  1,000 explored  300 stored")
    assert "\x1b" not in stream.getvalue()


def test_events_come_often_at_first_and_then_once_a_second():
    written = []
    lines = EventLines(written.append)
    for twentieth in range(21):
        lines.snapshot(at(twentieth / 20, (True, 1)))
    assert [json.loads(line)["seconds"] for line in written] == [0, 0.25, 0.5, 0.75, 1.0]
    for tenth in range(35):
        lines.snapshot(at(100 + tenth / 10, (True, 1)))
    assert len(written) == 5 + 4
    assert json.loads(written[0])["progress"] == [True, 1]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("columns", ["30", "120"])
def test_the_live_line_is_gone_at_the_end(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    with LiveLine(stream, MEASURE) as live:
        live.snapshot(at(1.0, 10))
        live.snapshot(at(2.0, 50))
    text = stream.getvalue()
    assert "explored" in text
    assert ("━" in text) is (columns == "120")
    assert "\x1b[2K" in text[text.rindex("explored") :]
