"""Traces as text and as Mermaid, saved, read and replayed."""

import json
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from report_models import ferry_model, light_model

from sweepcheck import Array, Bag, Label, Queue
from sweepcheck.cli.tracefile import read_trace, saved_parameters
from sweepcheck.core.trace import Trace
from sweepcheck.errors import TraceError
from sweepcheck.models.parameters import Written
from sweepcheck.report.changes import changes
from sweepcheck.report.mermaid import trace_to_mermaid
from sweepcheck.report.saved import path_on, saved_trace
from sweepcheck.report.trace import (
    DescribedStep,
    DescribedTrace,
    describe_trace,
    state_text,
    trace_to_text,
)
from sweepcheck.report.values import bytes_text, json_value, label_text, percent_text, seconds_text
from sweepcheck.text import value_text


def described(report):
    return describe_trace(report.system, report.verdicts[0].trace)


def saved(report, tmp_path, reference="ferry.py"):
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(saved_trace(report, report.verdicts[0], reference).to_json()))
    return path


class TestText:
    def test_only_what_changes(self, ferry):
        rows = trace_to_text(described(ferry)).splitlines()
        assert len(rows) == 4
        assert rows[0].startswith("  0  initial state")
        assert rows[1].endswith("far: empty -> 1*'goat', seats[0]: 0 -> 1")
        assert "seats[1]" not in rows[1]

    def test_full_states(self, ferry):
        rows = trace_to_text(described(ferry), full=True).splitlines()
        assert len(rows) == 7
        assert rows[2].strip() == "near=1*'goat' + 1*'wolf' far=1*'goat' seats=[1, 0]"

    def test_lasso(self, lasso):
        rows = trace_to_text(described(lasso)).splitlines()
        assert rows[2].strip().startswith("loop starts at step 1: the steps below lead back here")
        assert len(rows) == 5

    def test_a_state_that_lasts_for_ever(self, stuttering):
        assert (
            trace_to_text(described(stuttering))
            .splitlines()[-1]
            .strip()
            .startswith("loop starts at step 1: the run ends here")
        )

    def test_a_step_that_changes_nothing(self):
        trace = DescribedTrace({"x": 1}, (DescribedStep("stay", {"x": 1}),), loop=0)
        rows = trace_to_text(trace).splitlines()
        assert rows[1].strip().startswith("loop starts at step 0")
        assert rows[2].endswith("  (nothing changes)")

    def test_long_labels_push_the_changes_to_the_next_line(self):
        label = "act(" + "x" * 60 + ")"
        trace = DescribedTrace({"x": 1}, (DescribedStep(label, {"x": 2}),))
        rows = trace_to_text(trace).splitlines()
        assert rows[1].strip() == f"1  {label}"
        assert rows[2].strip() == "x: 1 -> 2"

    def test_no_steps(self):
        assert trace_to_text(DescribedTrace({"x": 1}, ())) == "  0  initial state  x=1"

    def test_arrays_of_other_length_and_new_variables(self):
        found = changes({"a": [1], "b": 0}, {"a": [1, 2], "c": 3})
        assert [str(change) for change in found] == ["a: [1] -> [1, 2]", "b: 0 -> absent", "c: absent -> 3"]

    def test_equal_elements_of_a_state_are_told_together(self):
        boxes = {f"box[{row}][{at}]": {"queue": []} for row in range(3) for at in range(3)}
        server = {f"server[{at}].{name}": value for at in range(4) for name, value in (("term", 0), ("up", at < 3))}
        assert state_text({**boxes, **server, "few[0]": 1, "few[1]": 1}) == (
            "box[0..2][0..2]=<> server[0..2]=(term=0, up=True) server[3]=(term=0, up=False) few[0]=1 few[1]=1"
        )


class TestMermaid:
    def test_a_token_moves_from_giver_to_getter(self, ferry):
        text = trace_to_mermaid(described(ferry))
        rows = text.splitlines()
        assert rows[:4] == [
            "sequenceDiagram",
            "    participant v0 as near",
            "    participant v1 as far",
            "    participant v2 as seats[0]",
        ]
        assert "    v0->>v1: 1. cross(passenger='goat')" in rows
        assert text.endswith("\n")

    def test_lasso_is_a_loop(self, lasso, stuttering):
        rows = trace_to_mermaid(described(lasso)).splitlines()
        assert "    loop for ever, from step 1 on" in rows
        assert rows[-1] == "    end"
        assert "loop starts at step 1" in trace_to_mermaid(described(stuttering)).splitlines()[-1]

    def test_nothing_changes_and_special_characters(self):
        trace = DescribedTrace({"x": "<1; #2>"}, (DescribedStep("a;b", {"x": "<1; #2>"}),))
        text = trace_to_mermaid(trace)
        assert "participant v0 as model" in text
        assert "1. a#59;b" in text


class TestSaved:
    def test_round_trip_and_replay(self, ferry, tmp_path):
        back = read_trace(saved(ferry, tmp_path))
        assert back == saved_trace(ferry, ferry.verdicts[0], "ferry.py")
        assert path_on(ferry_model(), back.trace) == ferry.verdicts[0].trace

    def test_lasso_round_trip(self, lasso, tmp_path):
        back = read_trace(saved(lasso, tmp_path))
        assert back.trace.loop == 1
        assert path_on(light_model(), back.trace) == lasso.verdicts[0].trace

    def test_another_model(self, ferry, tmp_path):
        with pytest.raises(TraceError, match="does not start") as caught:
            path_on(ferry_model(wolf=False), read_trace(saved(ferry, tmp_path)).trace)
        assert caught.value.code == "SC502"

    def test_a_step_that_is_not_possible(self, lasso, tmp_path):
        with pytest.raises(TraceError, match="step 2, flicker, is not possible") as caught:
            path_on(light_model(stuck=True), read_trace(saved(lasso, tmp_path)).trace)
        assert caught.value.code == "SC502"
        assert ("possible", "no edge") in caught.value.values

    def test_parameters_are_left_to_the_model_to_read(self, ferry, tmp_path):
        path = saved(ferry, tmp_path)
        data = json.loads(path.read_text())
        data["parameters"] = {"n": "3", "names": "('a', 'b')", "colour": "Colour.RED"}
        path.write_text(json.dumps(data))
        assert saved_parameters(read_trace(path)) == {
            "n": Written("3", saved=True),
            "names": Written("('a', 'b')", saved=True),
            "colour": Written("Colour.RED", saved=True),
        }

    def test_a_verdict_without_trace(self, ferry):
        with pytest.raises(LookupError):
            saved_trace(ferry, ferry["deadlock"])

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda data: data.pop("trace"),
            lambda data: data.update(schema=3),
            lambda data: data["trace"].update(loop=99),
            lambda data: data["trace"].update(loop="1"),
            lambda data: data["trace"]["steps"][0].update(label=7),
            lambda data: data["trace"]["steps"][0].update(state=[]),
            lambda data: data["trace"].update(steps=None),
            lambda data: data["property"].update(kind="nonsense"),
            lambda data: data["property"].update(status="perhaps"),
        ],
    )
    def test_broken_files(self, ferry, tmp_path, spoil):
        path = saved(ferry, tmp_path)
        data = json.loads(path.read_text())
        spoil(data)
        path.write_text(json.dumps(data))
        with pytest.raises(TraceError) as caught:
            read_trace(path)
        assert caught.value.code == "SC501"

    @pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe\x00", b"null", b"[" * 100_000])
    def test_files_of_another_kind(self, tmp_path, content):
        path = tmp_path / "broken.json"
        path.write_bytes(content)
        with pytest.raises(TraceError) as caught:
            read_trace(path)
        assert caught.value.code == "SC501"

    def test_missing_file(self, tmp_path):
        with pytest.raises(TraceError, match="No such file"):
            read_trace(tmp_path / "none.json")


class TestValues:
    def test_sets_print_in_a_fixed_order_wherever_they_are(self):
        words = frozenset(["b", "a", "c"])

        @dataclass(frozen=True)
        class Box:
            content: frozenset

        expected = "{'a', 'b', 'c'}"
        assert value_text(words) == expected
        assert value_text((words,)) == f"({expected},)"
        assert value_text((1, 2)) == "(1, 2)"
        assert value_text(Bag([words])) == f"1*{expected}"
        assert value_text(Bag()) == "empty"
        assert value_text(Queue([words])) == f"<{expected}>"
        assert value_text(Array([words])) == f"[{expected}]"
        assert value_text(Box(words)) == f"Box(content={expected})"
        assert label_text(Label("go", (("who", words), (None, 1)))) == f"go(who={expected}, 1)"

    def test_other_values_print_as_python_does(self):
        class Point(NamedTuple):
            x: int
            y: int

        for value in (1, 1.5, "a'b", None, True, Point(1, 2), b"x", 3 + 4j):
            assert value_text(value) == repr(value)

    def test_json_values(self):
        assert json_value((1, [2.5, None], {"a": True})) == [1, [2.5, None], {"a": True}]
        assert json_value(float("inf")) == "inf"
        assert json_value({1: 2}) == "{1: 2}"
        assert json_value(frozenset([1])) == "{1}"

    def test_numbers(self):
        assert [bytes_text(size) for size in (0, 1023, 1536, 5 << 20, 3 << 30, 2 << 40)] == [
            "0 B", "1023 B", "1.5 KiB", "5.0 MiB", "3.0 GiB", "2.0 TiB",
        ]  # fmt: skip
        assert [seconds_text(time) for time in (0.416, 12.34, 245, 7384)] == [
            "0.42 s",
            "12.3 s",
            "4:05 min",
            "2:03:04 h",
        ]
        assert [percent_text(*pair) for pair in ((1, 8), (1, 1000), (0, 0))] == ["12.5 %", "0.1 %", "0.0 %"]


def test_a_described_trace_has_all_states(ferry):
    trace: Trace = ferry.verdicts[0].trace
    assert len(described(ferry).states) == len(trace) + 1
