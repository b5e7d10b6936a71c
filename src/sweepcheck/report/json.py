"""A report as plain JSON data. The contract with machines: versioned, and described by `schema.json` beside this file.

Values inside states and traces are as `report.typed` writes them; parameters are JSON values where JSON has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from importlib.resources import files
from typing import Any

from sweepcheck.core.observer import Snapshot
from sweepcheck.core.survey import Bounds
from sweepcheck.core.trace import Trace
from sweepcheck.core.values import Bag
from sweepcheck.core.verdict import Verdict
from sweepcheck.report.along import with_truths
from sweepcheck.report.changes import changes
from sweepcheck.report.classes import equivalence_text
from sweepcheck.report.discovery import came_true, discovery_to_json
from sweepcheck.report.report import Concluded, Report
from sweepcheck.report.state_space import StateSpaceReport
from sweepcheck.report.trace import DescribedTrace, describe_state, describe_trace
from sweepcheck.report.typed import typed
from sweepcheck.report.values import json_value
from sweepcheck.text import value_text

SCHEMA = 2  # rises when a reader of the previous version could be misled


def report_to_json(report: Report) -> dict[str, Any]:
    """The report as one object. `states` counts the distinct states found: all there are only when `complete`.

    It is null when states may have been found more than once. Numbers that the engine does not count are null;
    `actions` is empty then.
    """
    return {
        "schema": SCHEMA,
        "model": report.model,
        "parameters": {name: json_value(value) for name, value in report.parameters.items()},
        "strategy": report.strategy,
        "strategy_reason": report.strategy_reason,
        "gc": report.gc,
        "cache_size": report.cache_size,
        "measure": report.measure,
        "discovery": discovery_to_json(report.discovery, came_true(report)),
        "engine": report.engine,
        "engine_reason": report.engine_reason,
        "equivalence": equivalence_text(report.plan, report.outcome),
        "up_to": None if report.plan.bound is None else report.plan.bound.up_to,
        "constraints": [] if report.plan.bound is None else [one.name for one in report.plan.bound.constraints],
        "fair": [str(one) for one in report.fair],
        "stuttering": report.plan.stuttering,
        "paired_with": list(report.paired_with),
        "complete": report.complete,
        "guarantee": str(report.guarantee),
        "stop": None if report.stop is None else str(report.stop),
        "warnings": list(report.warnings),
        "stopped_in": report.stopped_in,
        "trace_lost": report.trace_lost,
        "verdicts": [verdict_to_json(report, verdict) for verdict in report.verdicts],
        "statistics": {**asdict(report.statistics), "bytes_per_state": report.bytes_per_state},
        "actions": [asdict(action) for action in report.actions],
        "regressing": dict(report.regressing),
        "profile": [
            {"progress": typed(layer.progress), "states": layer.states, "stored": layer.stored}
            for layer in report.profile
        ],
    }


def state_space_to_json(report: StateSpaceReport) -> dict[str, Any]:
    """A state space report: the run without verdicts, and what was found out. States are as in traces."""
    run, found = report_to_json(report.run), report.survey
    del run["verdicts"]
    components = None
    if found.components is not None:
        home = found.components.home
        shown = None if home is None else describe_state(report.run.system, home)
        components = {**asdict(replace(found.components, home=None)), "home": shown}
    return {
        **run,
        "bounds": [_bounds_to_json(bounds) for bounds in found.bounds],
        "components": components,
        "dead": [describe_state(report.run.system, state) for state in found.dead],
        "differing": list(found.differing),
        "behaviour": [{**asdict(action), "dead": action.dead} for action in found.actions],
    }


def _bounds_to_json(bounds: Bounds) -> dict[str, Any]:
    """Multi-sets as lists of a token's text and its count."""

    def pairs(bag: Bag | None) -> list[list[Any]] | None:
        return None if bag is None else [[value_text(token), count] for token, count in bag.items()]

    return {
        "variable": bounds.variable,
        "lower": bounds.lower,
        "upper": bounds.upper,
        "lower_bag": pairs(bounds.lower_bag),
        "upper_bag": pairs(bounds.upper_bag),
        "values": bounds.values,
    }


def verdict_to_json(report: Concluded, verdict: Verdict) -> dict[str, Any]:
    """One verdict, with its trace and the state that decided it where there are any."""
    return {
        "name": verdict.property.name,
        "kind": str(verdict.property.kind),
        "status": str(verdict.status),
        "guarantee": str(verdict.guarantee),
        "within": list(verdict.within),
        "reason": verdict.reason,
        "trace": None if verdict.trace is None else described_to_json(described_trace(report, verdict.trace)),
        "witness": None if verdict.witness is None else describe_state(report.system, verdict.witness),
    }


def described_trace(report: Concluded, trace: Trace) -> DescribedTrace:
    """A trace of a report with what properties and the measure say along it."""
    system, decided = report.system, report.plan
    measure = decided.measure or system.measure
    return with_truths(describe_trace(system, trace), system, trace, decided.properties, measure)


def described_to_json(trace: DescribedTrace) -> dict[str, Any]:
    """A described trace: states, labels, what each step changed, and what else was looked at along the way."""
    return {
        "initial": dict(trace.initial),
        "steps": [
            {
                "label": step.label,
                "action": step.action,
                "arguments": [list(one) for one in step.arguments],
                "owner": step.owner,
                "state": dict(step.state),
                "changes": [change.to_json() for change in changes(before, step.state)],
            }
            for before, step in zip(trace.states[:-1], trace.steps, strict=True)
        ],
        "loop": trace.loop,
        "holds": {name: list(truths) for name, truths in trace.holds.items()},
        "progress": None if trace.progress is None else list(trace.progress),
    }


def snapshot_to_json(snapshot: Snapshot) -> dict[str, Any]:
    """A moment of a run, as one event of the jsonl format."""
    return {"event": "snapshot", **asdict(snapshot), "progress": json_value(snapshot.progress)}


def report_to_events(report: Report) -> Iterator[dict[str, Any]]:
    """The events that end the jsonl format: each verdict, then the statistics with everything else."""
    summary = report_to_json(report)
    for verdict in summary.pop("verdicts"):
        yield {"event": "verdict", **verdict}
    yield {"event": "statistics", **summary}


def json_schema() -> dict[str, Any]:
    """The JSON Schema of everything this package writes as JSON; `$defs` has `report`, `state_space`, `event`,
    `saved_trace`, `simulation`, `walks` and `graph`.
    """
    schema: dict[str, Any] = json.loads(files("sweepcheck.report").joinpath("schema.json").read_text("utf-8"))
    return schema
