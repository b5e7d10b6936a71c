"""`.network` files: a composition of .aut files, in TOML that a person can write.

    name = "two buffers"
    hide = ["mid"]

    [[component]]
    name = "left"
    file = "cell.aut"
    rename = { get = "mid" }

`sweepcheck compile` writes such a file from a process file, together with one .aut file for each component.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sweepcheck.core.limits import FileLimits
from sweepcheck.core.property import Kind, Pattern, Property
from sweepcheck.errors import ModelError, closest, shown
from sweepcheck.models.processes.aut import parse_aut
from sweepcheck.models.processes.composition import Composition, component, parallel
from sweepcheck.models.processes.lts import LTS
from sweepcheck.models.processes.network import Network
from sweepcheck.models.processes.size import Size
from sweepcheck.models.reading import model_text
from sweepcheck.properties import deadlock, of_kind
from sweepcheck.properties.never import of_pattern

TOP = ("name", "hide", "rename", "measure", "component", "property", "parameters")
COMPONENT = ("name", "file", "rename", "hide", "alphabet", "locations", "final", "measure")
PROPERTY = ("kind", "name", "condition", "events", "after", "before", "without")
LARGEST = 1 << 63  # as TOML has it; a longer number could not even be printed
MOST_PARTS = 50  # of a key; the keys here have one
_QUOTED = re.compile("\"[^\"]*\"|'[^']*'")
NEVER = "never"  # the kind of property that a pattern of events makes


def read_network(path: Path | str, limits: FileLimits | None = None) -> Network:
    """The network that a .network file describes; its .aut files lie beside it, or in folders below."""
    path, limits = Path(path), limits or FileLimits()
    text = model_text(path, limits)
    Size(limits).check_text(text, path.name)
    try:
        _check_keys(text)
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not only TOML's own errors: a number may have too many digits
        raise ModelError(
            "SC606", f"{path.name} is not TOML: {error}", where=path.name, suggestion='values are written name = "text"'
        ) from None
    return _Reading(path, limits).network(data)


def _check_keys(text: str) -> None:
    """Refuse keys of very many parts, `a.a.a`: the reader of TOML takes the square of their number."""
    for line in text.split("\n"):
        if line.count(".") > MOST_PARTS and _QUOTED.sub("", line).count(".") > MOST_PARTS:
            raise ValueError(f"a key has more than {MOST_PARTS} parts")


class _Reading:
    """One file: every value is looked at before it is used."""

    def __init__(self, path: Path, limits: FileLimits) -> None:
        self._path = path
        self._limits = limits
        self._size = Size(limits)

    def network(self, data: Mapping[str, Any]) -> Network:
        """The network with its properties."""
        self._known(data, TOP, "the file")
        rows = self._tables(data, "component")
        if not rows:
            raise self._wrong("there is no component", "add [[component]] with name and file")
        composition = parallel(*(self._component(row) for row in rows))
        composition = self._refined(composition, data, "the file")
        kinds = {"": self._text(data, "measure", "the file")} if "measure" in data else {}
        kinds |= {row["name"]: self._text(row, "measure", row["name"]) for row in rows if "measure" in row}
        network = Network(self._text(data, "name", "the file", self._path.stem), composition, measures=kinds)
        network.parameters = MappingProxyType(self._parameters(data))
        for row in self._tables(data, "property"):
            network.declare(self._property(row, network))
        return network

    def _component(self, row: Mapping[str, Any]) -> Composition:
        name = self._text(row, "name", "a component")
        self._known(row, COMPONENT, f"component {name!r}")
        self._size.component(self._path.name)
        file = self._below(self._text(row, "file", f"component {name!r}"), name)
        lts = parse_aut(model_text(file, self._limits), file.name, self._size)
        locations = self._names(row, "locations", name) or lts.locations
        if len(set(locations)) != len(lts):
            what = f"component {name!r} has {len(lts)} locations, and {len(set(locations))} names for them"
            raise self._wrong(what, "give each location a name of its own, or leave out `locations`")
        final = row.get("final", [])
        if not isinstance(final, list) or not all(isinstance(one, int) and 0 <= one < len(lts) for one in final):
            raise self._wrong(f"`final` of component {name!r} is {shown(final)}", "list numbers of locations: [3]")
        lts = LTS.numbered(
            locations, lts.triples(), lts.initial, alphabet=self._names(row, "alphabet", name), final=final
        )
        return component(name, self._refined_lts(lts, row, name))

    def _below(self, file: str, name: str) -> Path:
        """The path of a component's file: somebody else may have written the network file, and chosen it."""
        path = self._path.parent / file
        try:
            below = path.resolve().is_relative_to(self._path.parent.resolve())
        except (OSError, ValueError, RuntimeError):  # a zero byte, or links that lead in a circle
            raise self._wrong(f"`file` of component {name!r} is {shown(file)}", "give the path of a file") from None
        if not below and not self._limits.outside:
            raise ModelError(
                "SC608",
                f"component {name!r} names {shown(file)}, which does not lie below the folder of {self._path.name}",
                where=self._path.name,
                suggestion="move the file there, or trust the network file: --allow-outside",
            )
        return path

    def _parameters(self, data: Mapping[str, Any]) -> dict[str, object]:
        found = dict(self._table(data, "parameters", "the file"))
        for name, value in found.items():
            whole = isinstance(value, int) and abs(value) > LARGEST
            if whole or not isinstance(value, str | int | float):
                what = "has too many digits" if whole else f"is {shown(value)}"
                raise self._wrong(f"parameter {name!r} {what}", "give text, a number, true or false")
        return found

    def _refined(self, composition: Composition, data: Mapping[str, Any], what: str) -> Composition:
        """Renaming first, then hiding."""
        renaming = self._renaming(data, what)
        if renaming:
            composition = composition.rename(renaming)
        hidden = self._names(data, "hide", what)
        return composition.hide(*hidden) if hidden else composition

    def _refined_lts(self, lts: LTS, row: Mapping[str, Any], name: str) -> LTS:
        alone = self._refined(component("component", lts), row, name)
        alone.flatten()  # which checks that the events are there
        renaming = self._renaming(row, name)
        self._size.work(lts.step_count * max(map(len, renaming.values()), default=1), self._path.name)
        return lts.rename(renaming).hide(*self._names(row, "hide", name))

    def _property(self, row: Mapping[str, Any], network: Network) -> Property:
        kind = self._text(row, "kind", "a property")
        name = self._text(row, "name", f"a property ({kind})", kind)
        self._known(row, PROPERTY, f"property {name!r}")
        if kind == NEVER:
            lists = (self._names(row, part, name) for part in ("events", "after", "before", "without"))
            return of_pattern(name, Pattern(*lists))
        if kind not in tuple(Kind):
            raise self._wrong(f"there is no kind of property {kind!r}", closest(kind, [*Kind, NEVER]))
        if kind == Kind.DEADLOCK:
            return deadlock(name)
        text = self._text(row, "condition", f"property {name!r}")
        condition = network.condition(text)
        if condition is None:
            suggestion = "compare components with locations: left == 'full' and right in ('full', 'empty')"
            raise self._wrong(f"the condition of property {name!r} cannot be understood: {text}", suggestion)
        return of_kind(Kind(kind), name, condition)

    # -- values -----------------------------------------------------------------------------------------------------

    def _known(self, row: Mapping[str, Any], keys: tuple[str, ...], what: str) -> None:
        for key in row:
            if key not in keys:
                raise self._wrong(f"{what} has an entry {key!r}", closest(key, keys))

    def _text(self, row: Mapping[str, Any], key: str, what: str, default: str | None = None) -> str:
        value = row.get(key, default)
        if not isinstance(value, str):
            found = "is missing" if value is None else f"is {shown(value)}"
            raise self._wrong(f"`{key}` of {what} {found}", f'write {key} = "..."')
        return value

    def _names(self, row: Mapping[str, Any], key: str, what: str) -> tuple[str, ...]:
        value = row.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._wrong(f"`{key}` of {what} is {shown(value)}", f'write {key} = ["one", "two"]')
        return tuple(value)

    def _renaming(self, row: Mapping[str, Any], what: str) -> dict[str, str | tuple[str, ...]]:
        renaming = {}
        for old, new in self._table(row, "rename", what).items():
            several = [new] if isinstance(new, str) else new
            if not isinstance(several, list) or not all(isinstance(one, str) for one in several):
                raise self._wrong(f"{old!r} of {what} is renamed to {shown(new)}", 'write rename = { old = "new" }')
            renaming[old] = tuple(several)
        return renaming  # type: ignore[return-value]

    def _table(self, row: Mapping[str, Any], key: str, what: str) -> Mapping[str, Any]:
        value = row.get(key, {})
        if not isinstance(value, dict):
            raise self._wrong(f"`{key}` of {what} is {shown(value)}", f"write {key} = {{ ... }}")
        return value

    def _tables(self, data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        value = data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self._wrong(f"`{key}` is {shown(value)}", f"write [[{key}]] above each of them")
        return value

    def _wrong(self, what: str, suggestion: str) -> ModelError:
        return ModelError("SC606", what, where=self._path.name, suggestion=suggestion)
