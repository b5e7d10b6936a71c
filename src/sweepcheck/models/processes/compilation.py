"""From a network to files: one .aut file for each component, and a .network file that puts them together.

A network file renames and hides at the top only. So every rule gets an event of its own, and each component does that
event where it did its part of the rule; renaming at the top gives the rules the names they had, hiding hides them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sweepcheck.core.formula import Formula
from sweepcheck.core.property import Kind, Property
from sweepcheck.errors import RequestError
from sweepcheck.models.processes.aut import aut_text
from sweepcheck.models.processes.composition import Rule
from sweepcheck.models.processes.events import TAU, covers
from sweepcheck.models.processes.lts import LTS
from sweepcheck.models.processes.measuring import kind_of
from sweepcheck.models.processes.network import Network
from sweepcheck.models.processes.networkfile import NEVER


def write_network(network: Network, folder: Path | str, stem: str | None = None) -> list[Path]:
    """Write a network into a folder; the files written, the .network file last."""
    folder, flat = Path(folder), flattened(network)
    stem = stem or re.sub(r"\W+", "-", network.name).strip("-") or "system"
    texts = {f"{name}.aut": aut_text(lts) for name, lts in zip(network.variables, flat.components, strict=True)}
    texts[f"{stem}.network"] = network_text(network, flat)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for filename, text in texts.items():
            (folder / filename).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RequestError(
            "SC406", f"{folder} cannot be written: {error.strerror}", suggestion="choose another folder"
        ) from None
    return [folder / filename for filename in texts]


@dataclass(frozen=True, slots=True)
class Flattened:
    """Components whose events are the network's, up to renaming and hiding at the top."""

    components: tuple[LTS, ...]
    rename: dict[str, str]
    hide: tuple[str, ...]


def flattened(network: Network) -> Flattened:
    """The network as components that are put together without any nesting."""
    names = _names(network)
    does: list[dict[str, list[str]]] = [{} for _ in network.components]
    rename: dict[str, str] = {}
    hide: list[str] = []
    for action, name in zip(network.actions, names, strict=True):
        for member, event in action.rule.participants:
            does[member].setdefault(event, []).append(name)
        if name == TAU:
            continue
        if action.rule.event == TAU:
            hide.append(name)
        elif action.rule.event != name:
            rename[name] = action.rule.event
    components = tuple(
        LTS.numbered(
            lts.locations,
            [(source, to, target) for source, event, target in lts.triples() for to in events.get(event, ())],
            lts.initial,
            final=lts.final,
        )
        for lts, events in zip(network.components, does, strict=True)
    )
    return Flattened(components, rename, tuple(hide))


def _names(network: Network) -> list[str]:
    """An event for each rule: the network's own where that is no other's, else the rule's label."""
    rules = [action.rule for action in network.actions]
    wanted = [_wanted(rule) for rule in rules]
    count = Counter(wanted)

    def stands_alone(name: str, rule: Rule) -> bool:
        hides_others = rule.event == TAU and any(covers(name, other) and other != name for other in count)
        return count[name] == 1 and name not in ("", "i") and not hides_others

    return [
        name if name == TAU or stands_alone(name, rule) else action.name
        for name, rule, action in zip(wanted, rules, network.actions, strict=True)
    ]


def _wanted(rule: Rule) -> str:
    if rule.event != TAU:
        return rule.event
    alone = len(rule.participants) == 1 and rule.participants[0][1] == TAU
    return TAU if alone else rule.origin


def network_text(network: Network, flat: Flattened) -> str:
    """The text of the .network file."""
    rows = [f"name = {_quoted(network.name)}"]
    rows += [f"measure = {_quoted(network.measures[''])}"] if "" in network.measures else []
    rows += [f"hide = {_list(flat.hide)}"] if flat.hide else []
    rows += ["", "[parameters]"] if network.parameters else []
    rows += [f"{_quoted(name)} = {_scalar(value)}" for name, value in network.parameters.items()]
    if flat.rename:
        rows += ["", "[rename]", *(f"{_quoted(old)} = {_quoted(new)}" for old, new in flat.rename.items())]
    for name, lts in zip(network.variables, flat.components, strict=True):
        rows += ["", "[[component]]", f"name = {_quoted(name)}", f'file = "{name}.aut"']
        kind = kind_of(network.measures, name)
        rows += [f"measure = {_quoted(kind)}"] if kind is not None and kind != network.measures.get("") else []
        if lts.locations != tuple(range(len(lts))):
            rows.append(f"locations = {_list(map(str, lts.locations))}")
        rows += [f"final = {sorted(lts.final)}"] if lts.final else []
    for declared in network.properties:
        rows += ["", "[[property]]", *_property(declared)]
    return "\n".join(rows) + "\n"


def _property(declared: Property) -> list[str]:
    kind = str(declared.kind) if declared.pattern is None else NEVER
    rows = [f"kind = {_quoted(kind)}", f"name = {_quoted(declared.name)}"]
    if declared.pattern is not None:
        parts = ((part, getattr(declared.pattern, part)) for part in ("events", "after", "before", "without"))
        return rows + [f"{part} = {_list(events)}" for part, events in parts if events]
    if declared.kind is Kind.DEADLOCK:
        return rows
    if not isinstance(declared.predicate, Formula):
        raise RequestError(
            "SC404",
            f"property {declared.name!r} is a Python function, which cannot be written to a file",
            suggestion="declare it in a process file, or leave it out",
        )
    return [*rows, f"condition = {_quoted(str(declared.predicate))}"]


def _quoted(text: str) -> str:
    # A basic string of TOML is written like one of JSON, but for one character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _scalar(value: object) -> str:
    return str(value).lower() if isinstance(value, int) else _quoted(str(value))


def _list(names: object) -> str:
    return "[" + ", ".join(map(_quoted, names)) + "]"  # type: ignore[call-overload]
