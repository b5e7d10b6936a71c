"""What the page shows, as JSON data: verdicts, traces as change points, lanes, layers, actions, the net.

Each distinct value is there once, with its text and its parts; a variable of a trace is a list of the steps at which
it changed and the values it got. So a trace of ten thousand steps takes some hundred kilobytes. `schema.json` describes
the form (`$defs/view`), `web/src/data.ts` is the other side of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sweepcheck.core.model import State, System
from sweepcheck.core.plan import Layer
from sweepcheck.core.trace import Trace
from sweepcheck.core.verdict import Status, Verdict
from sweepcheck.errors import SweepcheckError
from sweepcheck.properties.reads import looked_at
from sweepcheck.report.findings import Answer, findings
from sweepcheck.report.json import described_trace, report_to_json
from sweepcheck.report.messages import events
from sweepcheck.report.net_view import net_view
from sweepcheck.report.report import Report
from sweepcheck.report.saved import SavedTrace
from sweepcheck.report.state_space import StateSpaceReport
from sweepcheck.report.text import how_far, verdict_text
from sweepcheck.report.trace import DescribedTrace
from sweepcheck.report.typed import Typed, typed_key, typed_text
from sweepcheck.report.values import label_text, parameters_text, property_text
from sweepcheck.text import value_text, visible

VIEW = 1  # rises when a page of the version before would show something wrong
COLUMNS = 2000  # layers that are drawn; of more, neighbours are shown together
LOOKED = 400  # states of a trace for which is found out what else was possible


def view_of(answers: Sequence[Answer]) -> dict[str, Any]:
    """The document of a page about one or several model files."""
    return {"view": VIEW, "runs": [_run(answer) for answer in answers]}


def view_of_trace(saved: SavedTrace) -> dict[str, Any]:
    """The document of a page about a saved trace, whose model nobody has looked at."""
    values = Values()
    claim = saved.claim
    verdicts = [] if claim is None else [{**claim.to_json(), "view": 0, "text": _claim_text(claim)}]
    given = " ".join(f"{visible(name)}={visible(text)}" for name, text in saved.parameters.items())
    run = {
        "reference": saved.reference or saved.model,
        "model": visible(saved.model),
        "parameters": given,
        "verdicts": verdicts,
        "traces": [_trace(values, saved.trace)],
        "values": values.entries,
    }
    return {"view": VIEW, "runs": [run]}


def view_of_state_space(reference: str, report: StateSpaceReport) -> dict[str, Any]:
    """The document of a page about a state space report: the run, and which transitions are live or dead."""
    document = view_of([Answer(reference, report.run)])
    behaviour = {one.action: one for one in report.survey.actions}
    for action in document["runs"][0]["actions"]:
        known = behaviour.get(action["action"])
        action["behaviour"] = None if known is None else "dead" if known.dead else "live" if known.live else "neither"
    return document


def _claim_text(claim: Any) -> str:
    return f"{claim.status}  {property_text(claim.kind, claim.name)}"


@dataclass(slots=True)
class Values:
    """All values of a document, each once, by their position."""

    entries: list[list[Any]] = field(default_factory=list)
    known: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, value: Typed) -> int:
        """The position of a value: `[text]`, or `[text, kind, parts]` of one that has parts."""
        text = typed_text(value)
        kind = next(iter(value)) if isinstance(value, dict) else "list" if isinstance(value, list) else ""
        key = (kind, text)
        if key not in self.known:
            parts = self._parts(kind, value)
            self.known[key] = len(self.entries)
            self.entries.append([text] if parts is None else [text, kind, parts])
        return self.known[key]

    def _parts(self, kind: str, value: Typed) -> list[Any] | None:
        match kind:
            case "list":
                return [self.add(one) for one in value]
            case "tuple" | "queue" | "set":
                return [self.add(one) for one in value[kind]]
            case "bag":
                return [[self.add(token), count] for token, count in value[kind]]
            case "record":
                return [[visible(name), self.add(one)] for name, one in value[kind].items()]
            case "map":
                return [[visible(typed_key(name)), self.add(one)] for name, one in value[kind]]
        return None


def _run(answer: Answer) -> dict[str, Any]:
    reference, report = visible(answer.reference), answer.report
    if report is None:
        return {"reference": reference, "error": str(answer.error), "verdicts": [], "traces": [], "values": []}
    values = Values()
    traces: list[dict[str, Any]] = []
    places = [finding.place for finding in findings(Answer(answer.reference, report))]
    verdicts = []
    for verdict, place in zip(report.verdicts, places, strict=True):
        shown = _verdict(report, verdict, f"{visible(place.file)}:{place.line}" if place.line > 1 else "")
        if verdict.trace is not None:
            shown["view"] = len(traces)
            traces.append(_trace(values, described_trace(report, verdict.trace), report, verdict))
        verdicts.append(shown)
    data = report_to_json_without_traces(report)
    return {
        "reference": reference,
        "model": visible(report.model),
        "parameters": parameters_text(report.parameters),
        "verdicts": verdicts,
        "warnings": [visible(one) for one in report.warnings],
        "stopped": None if report.complete else how_far(report),
        "traces": traces,
        "values": values.entries,
        "profile": _profile(report.profile),
        "actions": [_action(report, one) for one in data["actions"]],
        "net": net_view(report.system),
        "report": data,
        **({} if answer.error is None else {"error": str(answer.error)}),
    }


def report_to_json_without_traces(report: Report) -> dict[str, Any]:
    """The report as `--format json` has it; its traces are apart."""
    bare = replace(report, verdicts=tuple(replace(one, trace=None) for one in report.verdicts))
    return report_to_json(bare)


def _verdict(report: Report, verdict: Verdict, where: str) -> dict[str, Any]:
    asked = verdict.property
    state = verdict.trace.states[-1] if verdict.trace is not None else verdict.witness
    read = sorted(looked_at(report.system, asked, state)) if state is not None else []
    described = report.system.describe(state) if read and state is not None else {}
    return {
        "kind": str(asked.kind),
        "name": visible(asked.name),
        "status": str(verdict.status),
        "guarantee": str(verdict.guarantee),
        "reason": visible(verdict.reason or ""),
        "text": verdict_text(verdict),
        "where": where,
        "looked_at": [[visible(name), value_text(described[name])] for name in read],
        "holds_by_witness": asked.kind.holds_by_witness,
    }


def _trace(
    values: Values, trace: DescribedTrace, report: Report | None = None, verdict: Verdict | None = None
) -> dict[str, Any]:
    labels: dict[tuple[str, str | None], int] = {}
    steps = [labels.setdefault((step.label, step.owner), len(labels)) for step in trace.steps]
    happened = events(trace)
    shown: dict[str, Any] = {
        "loop": trace.loop,
        "labels": [{"text": label, "action": label.partition("(")[0], "owner": owner} for label, owner in labels],
        "steps": steps,
        "columns": {visible(name): _change_points(values, trace, name) for name in _names(trace)},
        "holds": {visible(name): _points(map(int, truths)) for name, truths in trace.holds.items()},
        "progress": None if trace.progress is None else _points(values.add(one) for one in trace.progress),
        "messages": [
            [one.sent, event.number, visible(one.channel), visible(one.token), int(one.certain)]
            for event in happened
            for one in event.received
        ],
    }
    if report is not None and verdict is not None and verdict.trace is not None:
        shown["places"] = _places(report.system, verdict.trace, labels)
        shown["bad"] = None if verdict.status is not Status.VIOLATED else _first_bad(trace, verdict)
        shown["enabled"] = _enabled(report.system, verdict.trace)
    return shown


def _names(trace: DescribedTrace) -> Iterable[str]:
    return dict.fromkeys(name for state in trace.states for name in state)


def _change_points(values: Values, trace: DescribedTrace, name: str) -> list[int]:
    """Steps and the values that a variable has from them on; -1 where it is not there."""
    found: list[int] = []
    before: Any = Values  # no state has this for a value
    for number, state in enumerate(trace.states):
        value = state.get(name, Values)
        if value is before and number:
            continue
        position = -1 if value is Values else values.add(value)
        if not found or found[-1] != position:
            found += (number, position)
        before = value
    return found


def _points(values: Iterable[int]) -> list[int]:
    found: list[int] = []
    for number, value in enumerate(values):
        if not found or found[-1] != value:
            found += (number, value)
    return found


def _places(system: System, trace: Trace, labels: dict[tuple[str, str | None], int]) -> list[str | None]:
    """Where the action of each label is written."""
    found: list[str | None] = [None] * len(labels)
    for step in trace.steps:
        position = labels.get((label_text(step.label), system.owner(step.label)))
        if position is not None and found[position] is None:
            found[position] = system.locate(step.label)
    return found


def _first_bad(trace: DescribedTrace, verdict: Verdict) -> int | None:
    """The step since which the property's predicate is false to the end; None where no state tells."""
    truths = trace.holds.get(verdict.property.name)
    if not truths or truths[-1] or trace.loop is not None:
        return None
    first = len(truths) - 1
    while first and not truths[first - 1]:
        first -= 1
    return first


def _enabled(system: System, trace: Trace) -> dict[str, list[str]]:
    """What was possible in the states of a trace, the last ones if it is long."""
    states: Sequence[State] = trace.states
    found: dict[str, list[str]] = {}
    for number in range(max(0, len(states) - LOOKED), len(states)):
        try:
            edges = system.edges(states[number])
        except SweepcheckError:
            continue
        found[str(number)] = list(dict.fromkeys(label_text(edge.label) for edge in edges))
    return found


def _profile(layers: Sequence[Layer]) -> dict[str, Any] | None:
    """The layers in the order they were left; of very many, neighbours together, with the largest numbers of each."""
    if len(layers) < 2:
        return None
    wide = -(-len(layers) // COLUMNS)
    groups = [layers[start : start + wide] for start in range(0, len(layers), wide)]
    return {
        "of": len(layers),
        "wide": wide,
        "progress": [value_text(group[0].progress) for group in groups],
        "states": [max(layer.states for layer in group) for group in groups],
        "stored": [max(layer.stored for layer in group) for group in groups],
    }


def _action(report: Report, counted: dict[str, Any]) -> dict[str, Any]:
    functions = report.system.action_functions() or {}
    code = getattr(functions.get(counted["action"]), "__code__", None)
    where = None if code is None else f"{visible(code.co_filename.rpartition('/')[2])}:{code.co_firstlineno}"
    return {**counted, "action": visible(counted["action"]), "where": where}
