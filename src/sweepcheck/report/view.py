"""What the page shows, as JSON data: verdicts, traces as change points, lanes, layers, actions, the net.

Each distinct value is there once, with its text and its parts; a variable of a trace is a list of the steps at which
it changed and the values it got. So a trace of ten thousand steps takes some hundred kilobytes. `schema.json` describes
the form (`$defs/view`), `web/src/data.ts` is the other side of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from inspect import getsource, unwrap
from textwrap import dedent
from types import FunctionType
from typing import Any

from sweepcheck.core.plan import Layer
from sweepcheck.core.property import Kind
from sweepcheck.core.verdict import Guarantee, Verdict
from sweepcheck.properties.reads import looked_at
from sweepcheck.report.findings import Answer, place_of
from sweepcheck.report.graph_view import graph_view
from sweepcheck.report.json import described_trace, report_to_json
from sweepcheck.report.net_view import net_view
from sweepcheck.report.report import Report
from sweepcheck.report.saved import SavedTrace
from sweepcheck.report.state_space import StateSpaceReport
from sweepcheck.report.text import explored_text, guarantee_text, how_far, verdict_text
from sweepcheck.report.trace_view import Values, trace_view
from sweepcheck.report.tradeoff import Tradeoff, way_text
from sweepcheck.report.values import parameters_text, property_text
from sweepcheck.text import value_text, visible

VIEW = 1  # rises when a page of the version before would show something wrong
SOURCE_LINES = 12  # of a predicate
COLUMNS = 2000  # layers that are drawn; of more, neighbours are shown together


def view_of(answers: Sequence[Answer]) -> dict[str, Any]:
    """The document of a page about one or several model files."""
    return {"view": VIEW, "runs": [_run(answer) for answer in answers]}


def view_of_trace(saved: SavedTrace) -> dict[str, Any]:
    """The document of a page about a saved trace, whose model nobody has looked at."""
    values = Values()
    claim = saved.claim
    verdicts = [] if claim is None else [{**claim.to_json(), "view": 0, "text": _claim_text(claim)}]
    invariants = [] if claim is None or claim.kind != Kind.INVARIANT else [visible(claim.name)]
    given = " ".join(f"{visible(name)}={visible(text)}" for name, text in saved.parameters.items())
    run = {
        "reference": saved.reference or saved.model,
        "model": visible(saved.model),
        "parameters": given,
        "verdicts": verdicts,
        "traces": [{**trace_view(values, saved.trace), "invariants": invariants}],
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


def view_of_tradeoff(reference: str, found: Tradeoff) -> dict[str, Any]:
    """The document of a page about one model explored in several ways: all runs, and how they compare."""
    document = view_of([Answer(f"{reference}, {way_text(one)}", one) for one in found.runs])
    rows = [
        {
            "way": way_text(run),
            "strategy": run.strategy,
            "cached": run.cache_size is not None,
            "explored": run.statistics.explored,
            "peak": run.statistics.peak,
            "bytes": run.statistics.state_bytes,
            "seconds": run.statistics.seconds,
            "by_full": found.slowdown(run),
            "complete": run.complete,
        }
        for run in found.runs
    ]
    return {**document, "tradeoff": {"states": found.states, "rows": rows}}


def view_of_tables(tables: dict[str, Any], summary: str) -> dict[str, Any]:
    """The document of a page about tables of papers that were made again, as `reproduce --format json` has them."""
    return {"view": VIEW, "runs": [], "tables": {**tables, "summary": summary}}


def _claim_text(claim: Any) -> str:
    return f"{claim.status}  {property_text(claim.kind, claim.name)}"


def _run(answer: Answer) -> dict[str, Any]:
    reference, report = visible(answer.reference), answer.report
    if report is None:
        return {"reference": reference, "error": str(answer.error), "verdicts": [], "traces": [], "values": []}
    values = Values()
    traces: list[dict[str, Any]] = []
    verdicts = []
    for verdict in report.verdicts:
        place = place_of(answer, verdict.property)
        shown = _verdict(report, verdict, f"{visible(place.file)}:{place.line}" if place.line > 1 else "")
        if verdict.trace is not None:
            shown["view"] = len(traces)
            traces.append(trace_view(values, described_trace(report, verdict.trace), report, verdict))
        verdicts.append(shown)
    data = report_to_json_without_traces(report)
    return {
        "reference": reference,
        "model": visible(report.model),
        "parameters": parameters_text(report.parameters),
        "verdicts": verdicts,
        "warnings": [visible(one) for one in report.warnings],
        "stopped": _stopped(report),
        "traces": traces,
        "values": values.entries,
        "profile": _profile(report.profile),
        "actions": [_action(report, one) for one in data["actions"]],
        "net": net_view(report.system),
        "graph": graph_view(report, values, [one.trace for one in report.verdicts if one.trace is not None]),
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
        "guarantee": visible(guarantee_text(verdict)),
        "reason": visible(verdict.reason or ""),
        "text": verdict_text(verdict),
        "where": where,
        "source": _source(asked.predicate),
        "looked_at": [[visible(name), value_text(described[name])] for name in read],
        "holds_by_witness": asked.kind.holds_by_witness,
    }


def _stopped(report: Report) -> str | None:
    """Why a run is less than it seems: it ended early, or it counted classes that nobody proved to be some."""
    if not report.complete:
        return how_far(report)
    return None if report.guarantee is Guarantee.EXACT else explored_text(report)


def _source(predicate: object) -> str:
    """How a predicate is written, where it is Python of a file; of a long one the first lines."""
    function = unwrap(predicate) if callable(predicate) else predicate
    if not isinstance(function, FunctionType) or function.__code__.co_filename.startswith("<"):
        return ""
    try:
        lines = dedent(getsource(function)).rstrip().splitlines()
    except (OSError, TypeError, SyntaxError):  # the file is gone, or another one by now
        return ""
    return "\n".join(map(visible, [*lines[:SOURCE_LINES], *["..."] * (len(lines) > SOURCE_LINES)]))


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
    name = counted["action"]
    function = functions.get(name, functions.get(name.partition("(")[0]))  # members of a family have one
    code = getattr(function, "__code__", None)
    where = None
    if code is not None and not code.co_filename.startswith("<"):  # that is written in no file: a net's transition
        where = f"{visible(code.co_filename.rpartition('/')[2])}:{code.co_firstlineno}"
    return {**counted, "action": visible(name), "where": where}
