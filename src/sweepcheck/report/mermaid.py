"""A trace as a Mermaid sequence diagram.

The lifelines are the variables (and array elements) that change. A step is an arrow from the variable that gives to
the variable that gets: a token that moves from one bag to another is drawn as the message it models.
"""

from __future__ import annotations

from itertools import pairwise

from sweepcheck.report.trace import Change, DescribedTrace, changes, loop_text
from sweepcheck.text import visible

NOTHING = ("empty", "<>", "{}", "()", "None", "False", "0")

# Characters that end a message or start an entity or a directive (%%{...}%%), and the entities that stand for them.
_ESCAPES = str.maketrans({"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;", "%": "#37;"})


def trace_to_mermaid(trace: DescribedTrace) -> str:
    """The text of a `sequenceDiagram`; paste it where Mermaid is rendered."""
    states = trace.states
    changed = [changes(before, after) for before, after in pairwise(states)]
    names = list(dict.fromkeys(change.name for step in changed for change in step)) or ["model"]
    lifeline = {name: f"v{position}" for position, name in enumerate(names)}
    rows = ["sequenceDiagram", *(f"    participant {key} as {_text(name)}" for name, key in lifeline.items())]
    everyone = _over([*lifeline.values()])
    start = {name: value for name, value in _flat(trace).items() if name in lifeline}
    rows.append(f"    Note over {everyone}: " + _text(" ".join(f"{name}={value}" for name, value in start.items())))
    indent = "    "
    for number, step in enumerate(trace.steps, start=1):
        if trace.loop == number - 1:
            rows.append(f"    loop for ever, from step {trace.loop} on")
            indent = "        "
        moved = changed[number - 1]
        label = _text(f"{number}. {step.label}")
        if not moved:
            rows.append(f"{indent}Note over {everyone}: {label}")
            continue
        giver, getter = _ends(moved)
        rows.append(f"{indent}{lifeline[giver]}->>{lifeline[getter]}: {label}")
        touched = _over([lifeline[change.name] for change in moved])
        rows.append(f"{indent}Note over {touched}: " + _text(", ".join(f"{c.name}: {c.old} → {c.new}" for c in moved)))
    if trace.loop == len(trace.steps):
        rows.append(f"    Note over {everyone}: {_text(loop_text(trace))}")
    elif trace.loop is not None:
        rows.append("    end")
    return "\n".join(rows) + "\n"


def _ends(moved: list[Change]) -> tuple[str, str]:
    """Which variable gives and which gets: one that holds less afterwards gives, one that holds more gets."""
    growth = [(_amount(change.new) - _amount(change.old), change.name) for change in moved]
    giver = next((name for grown, name in growth if grown < 0), moved[0].name)
    others = [(grown, name) for grown, name in growth if name != giver]
    getter = next((name for grown, name in others if grown > 0), others[-1][1] if others else giver)
    return giver, getter


def _amount(text: str) -> int:
    """How much a value holds, as far as its text tells: nothing, or something the longer the more."""
    return 0 if text in NOTHING else len(text)


def _flat(trace: DescribedTrace) -> dict[str, str]:
    flat: dict[str, str] = {}
    for name, value in trace.initial.items():
        if isinstance(value, str):
            flat[name] = value
        else:
            flat |= {f"{name}[{index}]": element for index, element in enumerate(value)}
    return flat


def _over(keys: list[str]) -> str:
    """The first and the last lifeline of a note: Mermaid takes at most two."""
    ordered = sorted(set(keys), key=lambda key: int(key[1:]))
    return ordered[0] if len(ordered) == 1 else f"{ordered[0]},{ordered[-1]}"


def _text(text: str) -> str:
    return visible(text).translate(_ESCAPES)
