"""What came of a log, as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

from sweepcheck.conformance.conforming import Conformance
from sweepcheck.core.verdict import Status
from sweepcheck.report.text import MARKS
from sweepcheck.report.trace import describe_trace, trace_to_text
from sweepcheck.report.values import count_text, json_value, label_text
from sweepcheck.text import value_text

MOST_STATES = 3  # shown whole
WORDS = {Status.HOLDS: "explained", Status.VIOLATED: "not explained", Status.INCONCLUSIVE: "inconclusive"}
MEANING = {
    Status.HOLDS: "some run of the model has these events, in this order",
    Status.VIOLATED: "no run of the model has these events: hidden steps, any number between two events, were tried",
}


def headline(found: Conformance) -> str:
    """The verdict on one line."""
    verdict, events = found.verdict, count_text(len(found.log))
    far = f"{events} events" if verdict.status is Status.HOLDS else f"{count_text(found.explained)} of {events} events"
    return f"{MARKS[verdict.status]} {WORDS[verdict.status]}  {found.log.name}  ({verdict.guarantee}): {far}"


def conformance_to_text(found: Conformance, brief: bool = False, width: int | None = None) -> str:
    """The verdict; where a log is not explained, the event, the states before it, and what refused it."""
    lines = [headline(found)]
    if found.verdict.status is Status.INCONCLUSIVE and found.verdict.reason:
        lines.append(f"  {found.verdict.reason}")
    if found.event is not None:
        lines += _difference(found)
    if brief:
        return "\n".join(lines)
    numbers = found.report.statistics
    lines += ["", f"  {'states':<9}{count_text(numbers.states or numbers.explored)}  pairs of a state and a position"]
    lines.append(f"  {'peak':<9}{count_text(numbers.peak)}  stored at once")
    lines.append(f"  {'time':<9}{numbers.seconds:.2f} s")
    if found.verdict.status in MEANING:
        lines.append(f"  {'means':<9}{MEANING[found.verdict.status]}")
    if found.run is not None:
        lines += [
            "",
            f"a run that explains it, {len(found.run)} steps",
            trace_to_text(describe_trace(found.report.system, found.run), width=width),
        ]
    return "\n".join(lines)


def _difference(found: Conformance) -> list[str]:
    assert found.event is not None
    place = found.log.place(found.explained)
    lines = ["", f"the first event without an explanation, {place}", f"  {json.dumps(found.event, default=str)}"]
    count = len(found.states)
    lines += ["", f"before it the model is in {'one state' if count == 1 else f'one of {count_text(count)} states'}"]
    common = found.common()
    if count > 1:
        lines.append(f"  in all of them  {_state(common) or 'no variable has one value'}")
    for state in found.states[:MOST_STATES]:
        known = found.described(state)
        own = known if count == 1 else {name: value for name, value in known.items() if name not in common}
        lines.append(f"  {_state(own)}")
    if count > MOST_STATES:
        lines.append(f"  and {count_text(count - MOST_STATES)} more")
    lines += ["", "what refused it" if found.refusals else "no action of the model is ever seen as such an event"]
    for one in found.refusals:
        where = f"  ({one.where})" if one.where else ""
        values = ", ".join(f"{name}: {value}" if " " in value else f"{name}={value}" for name, value in one.values)
        lines.append(f"  {label_text(one.action)}  {one.condition}{where}{'  ' + values if values else ''}")
    return lines


def _state(state: dict[str, object]) -> str:
    return " ".join(f"{name}={value_text(value)}" for name, value in state.items())


def conformance_to_json(found: Conformance) -> dict[str, Any]:
    """The same for machines."""
    verdict, numbers = found.verdict, found.report.statistics
    return {
        "log": found.log.name,
        "status": WORDS[verdict.status].replace(" ", "_"),
        "guarantee": str(verdict.guarantee),
        "reason": verdict.reason,
        "events": len(found.log),
        "explained": found.explained,
        "event": None if found.event is None else json_value(dict(found.event)),
        "place": None if found.event is None else found.log.place(found.explained),
        "possible_states": len(found.states),
        "common": {name: json_value(value) for name, value in found.common().items()},
        "refusals": [
            {
                "action": label_text(one.action),
                "condition": one.condition,
                "where": one.where,
                "values": dict(one.values),
            }
            for one in found.refusals
        ],
        "states": numbers.states,
        "explored": numbers.explored,
        "peak": numbers.peak,
        "seconds": numbers.seconds,
        "run": None if found.run is None else [label_text(step.label) for step in found.run.steps],
    }
