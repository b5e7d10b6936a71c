"""A trace in the Informal Trace Format (Apalache, ADR 15), which viewers and drivers of other checkers read.

The action of each step and its parameters are variables beside those of the model, named as Quint names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sweepcheck.report.changes import State as Described
from sweepcheck.report.saved import SavedTrace
from sweepcheck.report.trace import DescribedStep
from sweepcheck.report.typed import Typed, typed_text
from sweepcheck.text import visible

DESCRIPTION = "https://apalache-mc.org/docs/adr/015adr-trace.html"
ACTION, PICKS = "mbt::actionTaken", "mbt::nondetPicks"
# null is no value there; the value of a variant is a record or a text, and readers make a class of its tag.
NONE = {"tag": "Null", "value": "U_OF_UNIT"}


def saved_to_itf(saved: SavedTrace) -> dict[str, Any]:
    """A saved trace, with what it shows in its description."""
    trace, claim = saved.trace, saved.claim
    shown = "a run that was simulated" if claim is None else f"{claim.kind} '{visible(claim.name)}' is {claim.status}"
    variables = list(dict.fromkeys(name for state in trace.states for name in state))
    shown_values = [*trace.states, *(step.arguments for step in trace.steps)]
    writer = Writer(tagged=len(set(chain.from_iterable(map(_classes, shown_values)))) > 1)
    pairs = zip(trace.states, (None, *trace.steps), strict=True)
    states = [_state(writer, state, step, variables) for state, step in pairs]
    found: dict[str, Any] = {
        "#meta": {
            "format": "ITF",
            "format-description": DESCRIPTION,
            "source": saved.reference or saved.model,
            "description": f"made by sweepcheck: {shown}",
        },
        "params": [],
        "vars": [*map(_free, variables), ACTION, PICKS],
        "states": [{"#meta": {"index": number}, **state} for number, state in enumerate(states)],
    }
    if trace.loop is not None:
        # Our last state is the one that the loop starts in; there, `loop` says which state comes after the last.
        found["loop"] = trace.loop if trace.loop == len(trace.steps) else trace.loop + 1
    return found


@dataclass(frozen=True, slots=True)
class Writer:
    """Values as ITF has them. With `tagged` a record says of which class it is: where there are several, records with
    the same fields would be taken for one. A record with a field `tag` always does: it would be taken for a variant.
    """

    tagged: bool = False

    def value(self, value: Typed) -> Any:
        """A typed value."""
        if value is None:
            return NONE
        if isinstance(value, bool) or (isinstance(value, str) and _is_whole(value)):
            return value
        if isinstance(value, int):
            return {"#bigint": str(value)}
        if isinstance(value, list):
            return self._all(value)
        return self._composite(value) if isinstance(value, dict) else {"#unserializable": typed_text(value)}

    def _all(self, values: Iterable[Typed]) -> list[Any]:
        return [self.value(one) for one in values]

    def _composite(self, value: dict[str, Typed]) -> Any:
        match value:
            case {"int": str(digits)} if digits.lstrip("-").isdecimal():
                return {"#bigint": digits}
            case {"queue": parts}:
                return self._all(parts)
            case {"tuple": parts}:
                return {"#tup": self._all(parts)}
            case {"set": parts}:
                return {"#set": self._all(parts)}
            case {"bag": pairs} | {"map": pairs}:
                return {"#map": [self._all(pair) for pair in pairs]}
            case {"record": fields, "type": kind} if not any(name.startswith("#") for name in fields):
                record = {name: self.value(one) for name, one in fields.items()}
                return {"tag": kind, "value": record} if self.tagged or "tag" in record else record
            case {"tag": str(tag), "value": one}:
                return {"tag": tag, "value": self._of_variant(one)}
            case {"token": token, "time": time}:
                return {"token": self.value(token), "time": self.value(time)}
        return {"#unserializable": typed_text(value)}

    def _of_variant(self, value: Typed) -> Any:
        """What a variant has: readers expect a record or a text there."""
        written = self.value(value)
        plain = isinstance(written, str | bool) or (isinstance(written, dict) and not any(map(_is_mark, written)))
        return written if plain else {"value": written}


def _is_whole(text: str) -> bool:
    """Whether text is one that every reader takes: half a surrogate pair stands for no character."""
    return not any("\ud800" <= one <= "\udfff" for one in text)


def _free(name: str) -> str:
    """Names that begin with # are the format's own."""
    return f"_{name}" if name.startswith("#") else name


def _is_mark(name: str) -> bool:
    return name.startswith("#") or name == "tag"


def _classes(value: Any) -> Iterator[str]:
    """The classes of all records in a value."""
    if isinstance(value, dict):
        if "record" in value and isinstance(value.get("type"), str):
            yield value["type"]
        yield from chain.from_iterable(map(_classes, value.values()))
    elif isinstance(value, list | tuple):
        yield from chain.from_iterable(map(_classes, value))


def _state(writer: Writer, state: Described, step: DescribedStep | None, variables: list[str]) -> dict[str, Any]:
    given = {} if step is None else dict(_named(step))
    return {
        **{_free(name): writer.value(state.get(name)) for name in variables},
        ACTION: "init" if step is None else step.action,
        PICKS: {_free(name): writer.value(value) for name, value in given.items()},
    }


def _named(step: DescribedStep) -> list[tuple[str, Typed]]:
    return [(name or f"choice_{number}", value) for number, (name, value) in enumerate(step.arguments, start=1)]
