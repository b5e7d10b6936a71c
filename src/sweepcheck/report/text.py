"""A report as plain text: the verdicts first, then what shows them, then the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sweepcheck.core.property import Kind, observer_name
from sweepcheck.core.verdict import Guarantee, Status, Stop, Verdict
from sweepcheck.errors import clip
from sweepcheck.folding import fold
from sweepcheck.properties.reads import looked_at
from sweepcheck.report.actions import actions_text
from sweepcheck.report.along import propositions_along
from sweepcheck.report.bound import bound_text, constraints_text
from sweepcheck.report.classes import equivalence_text
from sweepcheck.report.discovery import discovery_facts
from sweepcheck.report.picture import sweep_picture
from sweepcheck.report.report import Concluded, Report
from sweepcheck.report.trace import describe_state, describe_trace, state_text, trace_to_text, without
from sweepcheck.report.values import (
    bytes_text,
    count_text,
    parameters_text,
    percent_text,
    property_text,
    seconds_text,
    shared_text,
    steps_text,
    workers_text,
)
from sweepcheck.text import value_text, visible

MARKS = {Status.HOLDS: "✓", Status.VIOLATED: "✗", Status.INCONCLUSIVE: "?"}
SHOWN = {
    Kind.INVARIANT: "its last state does not satisfy it",
    Kind.REACHABLE: "its last state satisfies it",
    Kind.DEADLOCK: "its last state has no successor and is not a final one",
    Kind.STEP: "its last step does not satisfy it",
    Kind.ALWAYS_POSSIBLE: "from its last state on it is no longer possible",
    Kind.ALWAYS_EVENTUALLY: "its loop never meets it",
    Kind.LEADS_TO: "it is awaited for ever on its loop",
    Kind.LTL: "its loop, which can repeat for ever, makes it false",
    Kind.CTL: "as far as one run shows why",
    Kind.ASSERTION: "it fails in its last state",
}
COLLECTIONS = {"layer": "whenever a layer is done", "auto": "at intervals that adapt"}
LIKEWISE = "likewise"
LONG_TRACE = 20  # steps; below a longer trace the verdicts are said again
MOST_REGRESSING = 3  # actions named for their regress edges

MOST_OF_MEASURE = 160  # characters of its name
MOST_WAYS = 8  # formulas of which it is said how they were decided

Fact = tuple[str, str, str]


def report_to_text(
    report: Report, full: bool = False, *, width: int | None = None, picture: bool = False, profile: bool = False
) -> str:
    """The whole report. `full` prints whole states in traces, `picture` adds the sweep as a picture, `profile` what
    each action cost.

    Lines of traces are folded at `width` columns; None leaves them as they are.
    """
    parts = [fold(verdicts_text(report), width)]
    if report.warnings:
        parts.append(fold(warnings_text(report), width))
    parts += [text for verdict in report.verdicts if (text := evidence_text(report, verdict, full, width))]
    if picture and (drawn := sweep_picture(report, min(width or 78, 100))):
        parts.append(drawn)
    parts.append(fold(_rows(_statistics(report)), width))
    parts.append(fold(_rows(_circumstances(report)), width))
    if profile:
        parts.append(actions_text(report, width))
    if any(verdict.trace is not None and len(verdict.trace) > LONG_TRACE for verdict in report.verdicts):
        parts.append(fold("\n".join(_verdict_lines(report)), width))  # the first lines are out of sight by now
    return "\n\n".join(parts)


def brief_text(report: Report) -> str:
    """The verdicts and warnings alone; without any verdict, the counts on one line."""
    if report.verdicts:
        return "\n".join([*_verdict_lines(report), *filter(None, [warnings_text(report)])])
    numbers = report.statistics
    if numbers.states is None:
        found = f"{count_text(numbers.explored)} {report.noun} explored, {again_text(report)}"
    else:
        found = f"{count_text(numbers.states)} {report.noun}{' found so far' if report.cut_short else ''}"
    counts = f"{found}, {count_text(numbers.edges)} edges, peak {count_text(numbers.peak)}"
    return f"{verdicts_text(report).splitlines()[0]}: {counts}"


def quiet_text(report: Report, full: bool = False, width: int | None = None) -> str:
    """The verdicts and the traces of what is violated, without the numbers."""
    violated = (verdict for verdict in report.verdicts if verdict.status is Status.VIOLATED)
    shown = (evidence_text(report, verdict, full, width) for verdict in violated)
    return "\n\n".join([fold(brief_text(report), width), *filter(None, shown)])


def verdicts_text(report: Report) -> str:
    """One line per property, and why the run stopped where it did not see every state."""
    lines = _verdict_lines(report)
    if not lines:
        lines = [explored_text(report)]
    if report.stop is not None:
        lines.append(f"  {how_far(report)}")
        if report.stop in _WHAT_NEXT:
            lines.append(f"  what next: {_WHAT_NEXT[report.stop]}")
    return "\n".join(lines)


def warnings_text(report: Report) -> str:
    """What makes a verdict worth less than it seems, a line each."""
    return "\n".join(f"warning: {warning}" for warning in report.warnings)


def verdict_text(verdict: Verdict, column: int = 0) -> str:
    """The answer to one property on one line; its status is padded to `column`."""
    reason = f": {visible(verdict.reason)}" if verdict.reason else ""
    asked = property_text(verdict.property.kind, verdict.property.name)
    return f"{MARKS[verdict.status]} {verdict.status:<{column}}  {asked}  ({guarantee_text(verdict)}){reason}"


def guarantee_text(verdict: Verdict) -> str:
    """How far an answer can be trusted, and within which constraints it is one."""
    strength = "nothing can be said" if verdict.guarantee is Guarantee.NONE else str(verdict.guarantee)
    return f"{strength}, {constraints_text(verdict.within)}" if verdict.within else strength


def explored_text(report: Report) -> str:
    """How far an exploration without properties got."""
    if report.guarantee is Guarantee.BOUNDED:
        return f"? inconclusive: {report.stop}"
    inside = f" {constraints_text(report.within)}" if report.within else ""
    condition = "" if report.guarantee is Guarantee.EXACT else f" ({report.guarantee}): {report.given}"
    return f"✓ explored completely{inside}{condition}"


def _verdict_lines(report: Report) -> list[str]:
    """A line each; a reason that the line before has is not said again."""
    column = max((len(verdict.status) for verdict in report.verdicts), default=0)
    lines: list[str] = []
    before: str | None = None
    for verdict in report.verdicts:
        again = verdict.reason and verdict.reason == before and len(verdict.reason) > len(LIKEWISE)
        lines.append(verdict_text(replace(verdict, reason=LIKEWISE) if again else verdict, column))
        before = verdict.reason
    return lines


def evidence_title(kind: Kind, name: str, status: Status, steps: int) -> str:
    """What a trace of so many steps shows."""
    role = "a witness" if status is Status.HOLDS else "a counter-example"
    return f"{role} for {property_text(kind, name)}, {steps_text(steps)}: {SHOWN[kind]}"


def run_title(steps: int) -> str:
    """A run that was simulated, which shows nothing about a property."""
    return f"a simulated run, {steps_text(steps)}"


def evidence_text(report: Concluded, verdict: Verdict, full: bool = False, width: int | None = None) -> str:
    """What shows a verdict: its trace, else the state that decided it, else nothing."""
    asked = verdict.property
    if verdict.trace is not None:
        title = evidence_title(asked.kind, asked.name, verdict.status, len(verdict.trace))
        end = looked_at(report.system, asked, verdict.trace.states[-1])
        others = {observer_name(one.name) for one in report.plan.properties if one.pattern is not None and one != asked}
        described = describe_trace(report.system, verdict.trace, ends=not full)
        trace = without(described, others)  # what watches for them is of no interest
        shown = trace_to_text(trace, full, width, end)
        return "\n".join([fold(title, width), shown, *_where_true(report, verdict, width)])
    if verdict.witness is not None:
        shown = fold("  " + state_text(describe_state(report.system, verdict.witness)), width)
        return f"the state that decides {property_text(asked.kind, asked.name)} (no trace was kept)\n{shown}"
    return ""


def _where_true(report: Concluded, verdict: Verdict, width: int | None) -> Iterator[str]:
    """Where along its trace each proposition of a formula is true, a line each."""
    assert verdict.trace is not None
    along = propositions_along(report.system, verdict.property, verdict.trace)
    column = max(map(len, along), default=0)
    for name, truths in along.items():
        steps = [str(number) for number, is_true in enumerate(truths) if is_true]
        found = "nowhere" if not steps else "everywhere" if len(steps) == len(truths) else f"at {' '.join(steps)}"
        yield fold(f"  {visible(name):<{column}}  is true {found}", width)


_WHAT_NEXT = {
    Stop.STATES: "raise the limit (--max-states, Limits(states=...)), or make the model smaller",
    Stop.SECONDS: "raise the limit (--time-limit, Limits(seconds=...)), or make the model smaller",
    Stop.DISK: "make room, or choose another disk (--spill DIR; TMPDIR or --no-disk for CTL)",
    Stop.MEMORY: "raise the limit (--memory-limit, Limits(memory=...)), or give a progress measure to forget states by",
}


def how_far(report: Report) -> str:
    """Why a run ended early, and how far it had got."""
    numbers = report.statistics
    if report.stop is not None and report.stop.is_bound and (bound := report.plan.bound) is not None:
        counts = f"{count_text(numbers.explored)} {report.noun} explored, {count_text(numbers.beyond)} found beyond"
        return f"explored {bound_text(bound)}: {counts}"
    end = "interrupted" if report.stop is Stop.INTERRUPTED else f"stopped early ({report.stop})"
    where = f", done up to progress {value_text(report.profile[-1].progress)}" if _swept(report) else ""
    left = count_text(numbers.unprocessed)
    inside = f" in {report.stopped_in}" if report.stopped_in is not None else ""
    return (
        f"{end} after {seconds_text(numbers.seconds)}{inside}{where}: "
        f"{count_text(numbers.explored)} {report.noun} explored, {left} found and not yet explored"
    )


def _swept(report: Report) -> bool:
    return bool(report.profile) and report.profile[-1].progress is not None


def _statistics(report: Report) -> Iterator[Fact]:
    yield from _counts(report)
    yield from _going_back(report)
    yield from _costs(report)


def _counts(report: Report) -> Iterator[Fact]:
    numbers = report.statistics
    so_far = " so far" if report.cut_short else ""
    noun, labels = report.noun, _labels(report)
    if numbers.states is None:
        yield "explored", count_text(numbers.explored), f"{noun}, {again_text(report)}: distinct ones were not counted"
        yield f"edges{so_far}", count_text(numbers.edges), f"of the {noun} explored{labels and f', {labels}'}"
        yield "peak", count_text(numbers.peak), f"stored at once{so_far}"
    elif not report.cut_short:
        share = percent_text(numbers.peak, numbers.states)
        reached = f" {constraints_text(report.within)}, and those just outside" if report.within else ""
        yield noun, count_text(numbers.states), f"distinct, all that can be reached{reached}"
        yield "edges", count_text(numbers.edges), labels
        yield "explored", count_text(numbers.explored), "each once"
        yield "peak", count_text(numbers.peak), f"stored at once, {share} of the {noun}"
    else:
        yield f"{noun} found so far", count_text(numbers.states), "not necessarily all"
        yield "edges so far", count_text(numbers.edges), labels
        yield "explored", count_text(numbers.explored), ""
        yield "peak", count_text(numbers.peak), "stored at once so far"
    if numbers.beyond:
        to_them = f"; {count_text(numbers.outside_edges)} edges lead to them" if numbers.outside_edges else ""
        yield "beyond", count_text(numbers.beyond), f"{noun} found past the bound and not explored{to_them}"
    if report.plan.cutoff is not None:
        yield "remembered", count_text(numbers.remembered), "classes kept to the end; the peak has them too"
        yield "skipped", count_text(numbers.skipped), "edges to a class that was remembered and stored no more"
    yield "layers", count_text(numbers.layers), ""
    if numbers.columns:
        yield "columns", count_text(numbers.columns), ""
    yield "sweeps", count_text(numbers.sweeps), "in all columns together" if numbers.columns else ""
    again = ", with repetition" if numbers.states is None else ""
    yield "dead states", count_text(numbers.dead_states), f"without a successor{again}" if numbers.dead_states else ""


def again_text(report: Report) -> str:
    """Why a state may have been explored more than once."""
    if report.paired_with:
        return f"each with what was met on the way, for {' and '.join(report.paired_with)}"
    return "perhaps some more than once"


def _labels(report: Report) -> str:
    """Edges of classes are told apart by their actions: how many there are by their labels, where these are more."""
    numbers = report.statistics
    if numbers.labelled_edges is None or numbers.labelled_edges == numbers.edges:
        return ""
    return f"by action; {count_text(numbers.labelled_edges)} by label"


def _going_back(report: Report) -> Iterator[Fact]:
    """What made a run explore states again."""
    numbers = report.statistics
    if numbers.regress_edges:
        named = ", ".join(f"{count_text(edges)} by {action}" for action, edges in report.regressing[:MOST_REGRESSING])
        more = ", ..." if len(report.regressing) > MOST_REGRESSING else ""
        if report.plan.cutoff is not None:  # nothing is kept for them: that costs an end, not a state
            again = "; what they lead to is explored again, until its class is remembered"
            yield "regress edges", count_text(numbers.regress_edges), named + more + again
            return
        yield "regress edges", count_text(numbers.regress_edges), named + more
        until = "until their column was left" if numbers.columns else "to the end"
        yield "persistent", count_text(numbers.persistent), f"states kept {until}"
    if numbers.evicted:
        yield "evicted", count_text(numbers.evicted), "from the cache"


def _costs(report: Report) -> Iterator[Fact]:
    numbers = report.statistics
    yield "memory", bytes_text(numbers.memory_bytes), ""
    if numbers.state_bytes is not None and report.bytes_per_state is not None:
        yield "state memory", bytes_text(numbers.state_bytes), f"{report.bytes_per_state:.1f} B per stored state"
    if numbers.table_bytes is not None:
        yield "table memory", bytes_text(numbers.table_bytes), "of what the actions did"
    speed = f"{count_text(round(numbers.explored / numbers.seconds))} states/s" if numbers.seconds > 0 else ""
    yield "time", seconds_text(numbers.seconds), speed
    if numbers.model_seconds is not None:
        yield "model time", seconds_text(numbers.model_seconds), "in Python; the rest is the engine"
    if numbers.workers > 1:
        yield "workers", count_text(numbers.workers), workers_text(numbers)
    if numbers.shared is not None:
        yield "processes", count_text(numbers.shared.processes), shared_text(numbers.shared)
    if report.trace_lost is not None:
        yield "trace file", "given up", f"{report.trace_lost}; another --trace-dir or --checkpoint may have room"
    elif numbers.trace_bytes:
        kept = str(report.trace_file) if report.trace_file is not None else "temporary"
        yield "trace file", bytes_text(numbers.trace_bytes), kept
    if numbers.edge_bytes:
        yield "edges kept", bytes_text(numbers.edge_bytes), "for CTL, which needs them on its way back"


def _circumstances(report: Report) -> Iterator[Fact]:
    given = parameters_text(report.parameters)
    seen = report.system.representation()
    yield "model", ", ".join(filter(None, (report.model, given, seen))), ""
    if report.cache_size is not None:
        forgets = f"keeps the way to the state at work and {count_text(report.cache_size)} other states"
    elif report.gc == "none":
        forgets = "every state is kept"
    else:
        when = COLLECTIONS.get(report.gc, f"after every {report.gc} new states")
        forgets = f"forgets {when}"
    reason = f" ({report.strategy_reason})" if report.strategy_reason else ""
    yield "strategy", f"{report.strategy}, {forgets}{reason}", ""
    if report.measure is not None:
        yield "measure", clip(report.measure, MOST_OF_MEASURE), ""
    yield from discovery_facts(report)
    yield from _ways(report)
    if (equivalence := equivalence_text(report.plan, report.outcome)) is not None:
        yield "equivalence", equivalence, ""
    if (bound := report.plan.bound) is not None:
        if bound.constraints:
            yield "constraints", ", ".join(one.name for one in bound.constraints), ""
        if bound.up_to is not None:
            yield "up to", bound.up_to, ""
    if report.fair:
        kinds = [("weak", False), ("strong", True)]
        named = [(word, [one.name for one in report.fair if one.strong is strong]) for word, strong in kinds]
        yield "fairness", "; ".join(f"{word}, of {', '.join(names)}" for word, names in named if names), ""
    if report.plan.stuttering:
        yield "stuttering", "a run may end in any state, unless fairness forbids it", ""
    yield "engine", f"{report.engine} ({report.engine_reason})", ""


def _ways(report: Report) -> Iterator[Fact]:
    """How formulas were decided, a few of them."""
    formulas = [one for one in report.plan.properties if one.kind.has_formula]
    for one in formulas[:MOST_WAYS]:
        if one.recurrence is not None:
            way = "by the loops that runs end in, without an automaton"
        elif one.reader is not None:
            stages = len(one.reader.edges)
            way = f"by an automaton of {count_text(stages)} stage{'s' * (stages > 1)} that reads along"
        else:
            way = "by going back over all edges, layer by layer"
        yield str(one.kind), f"{clip(one.name, 50)!r}: {way}", ""
    if left := len(formulas[MOST_WAYS:]):
        yield "others", f"{count_text(left)} more, likewise", ""


def _rows(rows: Iterator[Fact]) -> str:
    """A table of three columns; numbers, which have something after them somewhere, are set to the right."""
    table = [tuple(map(visible, row)) for row in rows]
    first = max(len(name) for name, _, _ in table)
    second = max(len(value) for _, value, _ in table) if any(note for _, _, note in table) else 0
    return "\n".join(f"  {name:<{first}}  {value:>{second}}  {note}".rstrip() for name, value, note in table)
