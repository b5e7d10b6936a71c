"""Reports for machines: JSON against its schema, JUnit, HTML."""

import json
from xml.etree import ElementTree

import jsonschema
import pytest
from report_models import changed, ferry_model

from sweepcheck import Limits, Model, Stop, check, explore, state_space_report
from sweepcheck.core.observer import Snapshot
from sweepcheck.errors import RequestError
from sweepcheck.report.html import report_to_html
from sweepcheck.report.json import json_schema, report_to_events, report_to_json, snapshot_to_json
from sweepcheck.report.junit import error_to_junit, report_to_junit
from sweepcheck.report.saved import saved_trace

REPORTS = ["ferry", "holding", "explored", "limited", "lasso", "stuttering", "native"]


def valid(data, kind="report"):
    """Check data, as it comes out of a JSON text, against a part of the schema."""
    schema = json_schema() | {"$ref": f"#/$defs/{kind}"}
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(data)))


class TestJson:
    def test_the_schema_is_one(self):
        jsonschema.Draft202012Validator.check_schema(json_schema())

    @pytest.mark.parametrize("name", REPORTS)
    def test_reports_are_valid(self, name, request):
        valid(request.getfixturevalue(name).to_json())

    @pytest.mark.parametrize("engine", ["native", "reference"])
    def test_state_space_reports_are_valid(self, engine):
        whole = state_space_report(ferry_model(), engine=engine).to_json()
        valid(whole, "state_space")
        far = next(bounds for bounds in whole["bounds"] if bounds["variable"] == "far")
        assert (far["lower"], far["upper"], far["lower_bag"]) == (0, 3, [])
        assert ["'goat'", 2] in far["upper_bag"]
        assert whole["components"]["nodes"] == whole["statistics"]["states"] == 7
        assert [action["fairness"] for action in whole["behaviour"]] == ["fair", "impartial"]
        part = state_space_report(ferry_model(), engine=engine, limits=Limits(states=2)).to_json()
        valid(part, "state_space")
        assert part["components"] is None

    @pytest.mark.parametrize("options", [{}, {"strategy": "full", "up_to": "n < 3"}, {"verify_equivalence": True}])
    def test_reports_over_classes_are_valid(self, options):
        m = Model("endless", n=0)

        @m.action
        def count(s):
            s.n += 1

        m.progress(lambda s: s.n)
        m.cutoff(lambda s: s.n % 4)
        report = explore(m, **options)
        data = report.to_json()
        valid(data)
        assert data["equivalence"] is not None
        assert data["statistics"]["classes"] == data["statistics"]["states"] == 4
        assert data["statistics"]["grows"] is (None if options.get("strategy") == "full" else True)
        assert "<th>classes" in report._repr_html_()

    def test_a_wrong_report_is_not_valid(self, ferry):
        data = report_to_json(ferry)
        del data["statistics"]["peak"]
        with pytest.raises(jsonschema.ValidationError):
            valid(data)

    def test_contents(self, ferry):
        data = report_to_json(ferry)
        assert data["schema"] == 2
        assert (data["model"], data["strategy"], data["gc"], data["measure"]) == (
            "ferry",
            "generalised",
            "layer",
            "progress",
        )
        assert (data["complete"], data["stop"]) == (True, None)
        numbers = data["statistics"]
        assert [numbers[key] for key in ("states", "edges", "explored", "peak")] == [7, 9, 7, 4]
        crowded, across, dead = data["verdicts"]
        assert crowded["status"] == "violated"
        assert [step["label"] for step in crowded["trace"]["steps"]][-1] == "cross(passenger='wolf')"
        assert crowded["witness"] == {
            "near": {"bag": []},
            "far": {"bag": [["goat", 2], ["wolf", 1]]},
            "seats": [3, 0],
        }
        assert across["status"] == "holds"
        assert dead["trace"] is None
        assert dead["witness"] is None

    def test_what_only_the_native_engine_counts(self, native, explored):
        data = report_to_json(native)
        numbers = data["statistics"]
        assert numbers["bytes_per_state"] == numbers["state_bytes"] / numbers["peak"]
        assert numbers["table_bytes"] > 0
        assert 0 <= numbers["model_seconds"] <= numbers["seconds"]
        assert numbers["workers"] == 1
        assert numbers["working"] + numbers["waiting"] + numbers["in_python"] == pytest.approx(1)
        assert numbers["scratch_bytes"] > 0
        assert [action["action"] for action in data["actions"]] == ["cross", "rest"]
        data = report_to_json(explored)
        assert data["actions"] == []
        for name in ("model_seconds", "state_bytes", "bytes_per_state", "table_bytes", "working", "scratch_bytes"):
            assert data["statistics"][name] is None

    def test_incomplete(self, limited):
        data = report_to_json(limited)
        assert (data["complete"], data["statistics"]["states"]) == (False, 3)
        assert data["stop"] == "the limit on states was reached"

    def test_parameters_that_json_cannot_hold(self, ferry):
        model = ferry_model()
        model.parameters = {"n": 3, "who": frozenset(["b", "a"]), "pair": (1, "x")}
        data = report_to_json(changed(ferry, system=model))
        assert data["parameters"] == {"n": 3, "who": "{'a', 'b'}", "pair": [1, "x"]}
        valid(data)

    @pytest.mark.parametrize("name", REPORTS)
    def test_events(self, name, request):
        report = request.getfixturevalue(name)
        events = list(report_to_events(report))
        for event in events:
            valid(event, "event")
        assert [event["event"] for event in events] == ["verdict"] * len(report.verdicts) + ["statistics"]

    def test_snapshots(self):
        event = snapshot_to_json(Snapshot((True, frozenset([2])), 1, 2, 3, 4, 5, 6, 0.5, 7))
        assert event["progress"] == [True, "{2}"]
        valid(event, "event")

    def test_saved_traces(self, ferry, lasso):
        for report in (ferry, lasso):
            valid(saved_trace(report, report.verdicts[0]).to_json(), "saved_trace")

    def test_failures(self):
        error = RequestError("SC401", "none", values=[("a", "b")], suggestion="ask")
        valid({"error": error.to_json()}, "failure")
        valid({"event": "error", "error": error.to_json()}, "event")


class TestJunit:
    def test_one_case_per_property(self, ferry):
        suite = ElementTree.fromstring(report_to_junit(ferry)).find("testsuite")
        assert {key: suite.get(key) for key in ("name", "tests", "failures", "skipped", "errors")} == {
            "name": "ferry", "tests": "3", "failures": "1", "skipped": "0", "errors": "0",
        }  # fmt: skip
        cases = suite.findall("testcase")
        assert [case.get("name") for case in cases] == [
            "invariant 'not crowded'", "reachable 'a wolf across'", "deadlock",
        ]  # fmt: skip
        failure = cases[0].find("failure")
        assert failure.get("type") == "invariant"
        assert "cross(passenger='wolf')" in failure.text
        assert cases[1].find("failure") is None

    def test_inconclusive_is_an_error(self, limited):
        suite = ElementTree.fromstring(report_to_junit(limited)).find("testsuite")
        assert (suite.get("errors"), suite.get("skipped")) == ("2", "0")
        assert "the limit on states was reached" in suite.find("testcase/error").get("message")
        assert suite.find("testcase/skipped") is None

    def test_an_unreachable_goal_has_no_trace(self):
        m = Model("still\x00", x=0)
        m.reachable("one", lambda s: s.x == 1)
        suite = ElementTree.fromstring(report_to_junit(check(m))).find("testsuite")
        assert suite.get("name") == "still\\x00"
        assert suite.find("testcase/failure").text == "no reachable state satisfies it"

    def test_errors(self):
        suite = ElementTree.fromstring(error_to_junit(RequestError("SC401", "no <such> thing"), "m.py"))
        assert suite.find("testsuite/testcase/error").get("type") == "SC401"
        assert "no <such> thing" in suite.find("testsuite/testcase/error").text


class TestHtml:
    @pytest.mark.parametrize("name", REPORTS)
    def test_it_is_well_formed_and_complete_in_itself(self, name, request):
        report = request.getfixturevalue(name)
        html = report._repr_html_()
        assert html == report_to_html(report)
        ElementTree.fromstring(html)
        assert "src=" not in html
        assert "href=" not in html

    def test_contents(self, ferry, limited, explored):
        assert "<svg" in report_to_html(ferry)
        assert "cross(passenger=&#x27;goat&#x27;)" in report_to_html(ferry)
        assert "states found so far" in report_to_html(limited)
        assert "stopped early" in report_to_html(limited)
        assert "explored completely" in report_to_html(explored)

    def test_everything_is_escaped(self):
        m = Model("<script>alert(1)</script>", x="<b>&")

        @m.action
        def step(s):
            s.x = "</pre>"

        m.progress(lambda s: s.x == "</pre>")
        m.invariant("<i>", lambda s: s.x == "<b>&")
        html = report_to_html(check(m))
        assert not {"<script>", "<b>&", "</pre>'", "'<i>'"} & set(html.split())
        assert "<script>" not in html
        ElementTree.fromstring(html)

    def test_interrupted(self, explored):
        assert "interrupted after" in report_to_html(changed(explored, stop=Stop.INTERRUPTED))
