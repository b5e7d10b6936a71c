"""Lines within the width of a terminal: nothing is lost, nothing sticks out, elements begin lines."""

import random
from dataclasses import dataclass

import pytest

from sweepcheck import Array, Bag, Model, Queue, Record, check, require
from sweepcheck.errors import ModelError
from sweepcheck.folding import folded
from sweepcheck.report.changes import changes, said
from sweepcheck.report.json import described_trace
from sweepcheck.report.mermaid import trace_to_mermaid
from sweepcheck.report.trace import TraceRow, rows_to_text, trace_to_text


@dataclass(frozen=True)
class Request:
    client: int
    operation: str
    arguments: tuple


def office():
    m = Model("office", clerk=Array(Record(busy=False, done=0), shape=2), inbox=Bag(), out=Queue())

    @m.action(c=range(2))
    def ask(s, c):
        require(len(s.inbox) + len(s.out) < 2)
        s.inbox.add(Request(c, "transfer, - money + more", ("savings", "current", 100 + c)))

    @m.action(c=range(2))
    def serve(s, c):
        letter = s.inbox.take()
        s.out.put(letter)
        s.clerk[c].busy = True
        s.clerk[c].done += 1

    m.invariant("few", lambda s: len(s.out) < 2)
    return m


def trace():
    report = check(office())
    return described_trace(report, report.verdicts[0].trace)


def test_what_a_label_says_is_called_by_its_name():
    text = trace_to_text(trace(), looked_at=["out"])
    (line,) = (line for line in text.split("\n") if line.startswith("  4"))
    assert "inbox: - letter, out: + letter" in text.replace("\n", " ")
    assert "letter=Request(client=" in line
    assert "out: + letter" in trace_to_mermaid(trace())


def test_only_long_values_have_names_and_times_stay():
    assert said([("a", 3), (None, "x" * 40), ("b", "y" * 40)]) == {repr("y" * 40): "b"}
    was, now = ({"p": {"bag": [[{"token": "y" * 40, "time": time}, 1], ["z", 1]]}} for time in (1, 7))
    (change,) = changes(was, now)
    assert change.text(said={repr("y" * 40): "b"}) == "p: - b@1 + b@7"
    assert str(change) == f"p: - {'y' * 40!r}@1 + {'y' * 40!r}@7"


def test_fields_of_an_element_are_said_together():
    first = trace_to_text(trace()).split("\n")[0]
    assert "clerk[0]=(busy=False, done=0) clerk[1]=(busy=False, done=0) inbox=empty" in first


def test_elements_begin_lines():
    tokens = [Request(n, "transfer", ("savings", n)) for n in range(3)]
    word = "net: " + " ".join(f"+ {token!r}" for token in tokens)
    assert folded("  1  ", [word, "n: 0 -> 1"], ", ", 56, "     ") == [
        "  1  net: + Request(client=0, operation='transfer',",
        "         arguments=('savings', 0))",
        "       + Request(client=1, operation='transfer',",
        "         arguments=('savings', 1))",
        "       + Request(client=2, operation='transfer',",
        "         arguments=('savings', 2)),",
        "     n: 0 -> 1",
    ]


@pytest.mark.parametrize("width", [30, 57, 80, 120])
def test_nothing_is_lost_and_nothing_sticks_out(width):
    chosen = random.Random(width)
    alphabet = ["a", "bc", ", ", " + ", " - ", " -> ", "(", ")", "{", "}", "<", ">", "'", '"', "\\", "=", "x" * 90]
    for _ in range(300):
        words = ["".join(chosen.choices(alphabet, k=chosen.randrange(1, 30))) for _ in range(chosen.randrange(1, 5))]
        rows = [TraceRow(n, word, words) for n, word in enumerate(words)]
        text = rows_to_text(rows, width)
        assert max(map(len, text.split("\n"))) <= width
        shown = "".join(text.replace("...", "").split())
        wanted = "".join("".join(f"{n}{word}" + ", ".join(words) for n, word in enumerate(words)).split())
        assert shown == wanted


def test_no_line_begins_with_what_a_name_says():
    lie = "✓ holds everything"
    for before in range(60):
        label = f"go(a='{'x' * before}', {lie}, b={'y' * 40})"
        lines = rows_to_text([TraceRow(1, label, ["n: 0 -> 1"])], 60).split("\n")
        assert not any(line.strip().startswith("✓") for line in lines)


def test_a_long_text_is_broken_between_its_words():
    lines = folded("", ["'moved to 5,7, and that is the thirteenth place'"], " ", 30, "  ")
    assert lines == ["'moved to 5,7, and that is the", "  ... thirteenth place'"]
    assert folded("", ["x" * 50], " ", 30, "  ") == ["x" * 30, "  ..." + "x" * 20]


def test_errors_stay_within_the_width():
    state = " ".join(f"variable_{number}={[number] * 3}" for number in range(9))
    error = ModelError("SC214", "bag 'net' " + "has no operation " * 4, where="m.py:3", values=[("state", state)])
    told = error.text(60)
    assert all(len(line) <= 60 for line in told.split("\n"))
    assert "\n  state  variable_0=[0, 0, 0] variable_1=[1, 1, 1]\n         variable_2=" in told
    assert told.split() == str(error).split()
