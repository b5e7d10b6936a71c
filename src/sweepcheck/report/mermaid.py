"""A trace as a Mermaid sequence diagram.

The lifelines are whoever makes the steps: processes, members of families, modules. A step is a note on the lifeline of
its owner, and a token that one puts into a bag or queue and another one takes is an arrow. Where nobody is named, as in
a network whose components do their steps together, the lifelines are the variables that change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sweepcheck.folding import folded
from sweepcheck.report.changes import ABSENT, Change, cut
from sweepcheck.report.messages import Event, events
from sweepcheck.report.trace import DescribedTrace, loop_text
from sweepcheck.report.typed import Typed, typed_text
from sweepcheck.text import visible

WIDTH, LONGEST = 60, 600  # characters of a line, and of what is told in several
MOST = 12  # lifelines of parts of variables: instead of more, there is one for each variable
NOTHING = ("empty", "<>", "{}", "()", "None", "False", "0")

# Characters that end a message or start an entity or a directive (%%{...}%%), and the entities that stand for them.
_ESCAPES = str.maketrans({"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;", "%": "#37;"})


def trace_to_mermaid(trace: DescribedTrace) -> str:
    """The text of a `sequenceDiagram`; paste it where Mermaid is rendered."""
    happened = events(trace)
    owned = any(step.owner for step in trace.steps)
    if owned:
        names = list(dict.fromkeys(event.owner for event in happened))
    else:
        names = list(dict.fromkeys(change.name for event in happened for change in event.changes)) or ["model"]
    lifeline = {name: f"v{position}" for position, name in enumerate(names)}
    if len(names) > MOST and not owned:
        names = list(dict.fromkeys(map(_variable, names)))
        lifeline = {part: f"v{names.index(_variable(part))}" for part in lifeline}
    everyone = _over([*lifeline.values()])
    rows = ["sequenceDiagram", *(f"    participant v{key} as {_text(name)}" for key, name in enumerate(names))]
    rows.append(f"    Note over {everyone}: {_lines(_start(trace, happened))}")
    indent = "    "
    for event in happened:
        if trace.loop == event.number - 1:
            rows.append(f"    loop for ever, from step {trace.loop} on")
            indent = "        "
        step = _event(event, lifeline) if owned else _exchange(event, lifeline, everyone)
        rows += (f"{indent}{row}" for row in step)
    if trace.loop == len(trace.steps):
        rows.append(f"    Note over {everyone}: {_text(loop_text(trace))}")
    elif trace.loop is not None:
        rows.append("    end")
    return "\n".join(rows) + "\n"


def _variable(name: str) -> str:
    """`at` of the element `at[3]`."""
    return name.partition("[")[0] or name


def _event(event: Event, lifeline: dict[str, str]) -> Iterator[str]:
    """What the owner of a step received, and what it did."""
    me = lifeline[event.owner]
    for message in event.received:
        arrow = "-)" if message.certain else "--)"
        sent = f"{message.token} (sent in step {message.sent})"
        yield f"{lifeline[message.sender]}{arrow}{me}: {_lines([sent])}"
    yield f"Note over {me}: {_lines([_label(event), *event.words])}"


def _exchange(event: Event, lifeline: dict[str, str], everyone: str) -> Iterator[str]:
    """A step as an arrow from the variable that gives to the variable that gets."""
    label = _label(event)
    if not event.changes:
        yield f"Note over {everyone}: {_lines([label])}"
        return
    giver, getter = _ends(event.changes)
    touched = _over([lifeline[change.name] for change in event.changes])
    yield f"{lifeline[giver]}->>{lifeline[getter]}: {_lines([label])}"
    yield f"Note over {touched}: {_lines(event.words)}"


def _label(event: Event) -> str:
    return f"{event.number}. {event.label}"


def _lines(texts: Iterable[str]) -> str:
    """Texts in lines that are not too wide: a note is as wide as the longest of them."""
    cut_short = (visible(cut(text, LONGEST)) for text in texts)
    return "<br/>".join(_text(line.strip()) for text in cut_short for line in folded("", [text], "", WIDTH, "  "))


def _start(trace: DescribedTrace, happened: Sequence[Event]) -> list[str]:
    """What will change, as it is at the start, in lines."""
    named = {change.name for event in happened for change in event.changes}
    shown = [(name, typed_text(value)) for name, value in _flat(trace) if name in named or not named]
    return folded("", [f"{name}={text}" for name, text in shown], " ", WIDTH, "")


def _flat(trace: DescribedTrace) -> Iterator[tuple[str, Typed]]:
    for name, value in trace.initial.items():
        yield name, value
        if isinstance(value, list):
            yield from ((f"{name}[{index}]", element) for index, element in enumerate(value))


def _ends(changed: Sequence[Change]) -> tuple[str, str]:
    """Which variable gives and which gets: one that holds less afterwards gives, one that holds more gets."""
    growth = [(_amount(change.new) - _amount(change.old), change.name) for change in changed]
    giver = next((name for grown, name in growth if grown < 0), changed[0].name)
    others = [(grown, name) for grown, name in growth if name != giver]
    getter = next((name for grown, name in others if grown > 0), others[-1][1] if others else giver)
    return giver, getter


def _amount(value: Typed) -> int:
    """How much a value holds, as far as its text tells: nothing, or something the longer the more."""
    text = "None" if value is ABSENT else typed_text(value)
    return 0 if text in NOTHING else len(text)


def _over(keys: list[str]) -> str:
    """The first and the last lifeline of a note: Mermaid takes at most two."""
    ordered = sorted(set(keys), key=lambda key: int(key[1:]))
    return ordered[0] if len(ordered) == 1 else f"{ordered[0]},{ordered[-1]}"


def _text(text: str) -> str:
    return visible(text).translate(_ESCAPES)
