"""Drawings of nets: which part of a net, with which tokens, and as what kind of file.

DOT text needs nothing. For SVG, Graphviz runs in a process of its own: it cannot be interrupted from inside this one,
it prints warnings of its libraries wherever it likes, and large nets take their time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sweepcheck.core.declaration import check_flag
from sweepcheck.core.values import Bag
from sweepcheck.core.writing import write_text
from sweepcheck.errors import RequestError, closest, installation, public, shown
from sweepcheck.models.net.hierarchy import FlatNet, Instance, flatten
from sweepcheck.models.net.system import net_of
from sweepcheck.models.net.time import CLOCK, absolute
from sweepcheck.report.dot import DIRECTIONS, Look, flat_to_dot, instance_to_dot

Marking = Mapping[str, object]  # tokens by the name of their place, and the clock

SUFFIXES = {".svg": "svg", ".dot": "dot", ".gv": "dot"}
LONGEST = 120.0  # seconds that Graphviz may take: of thousands of nodes it would take hours
LAYOUT = """\
import sys
from pygraphviz import AGraph
graph = AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(graph.draw(format="svg", prog="dot"))
"""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing of a net. A notebook shows it as a picture, if the extra `draw` is installed."""

    name: str
    dot: str
    page: str | None = None  # the picture, where the file of the net has it drawn

    def svg(self) -> str:
        """The picture as SVG."""
        if self.page is not None:
            return self.page
        if find_spec("pygraphviz") is None:
            raise RequestError(
                "SC405",
                "SVG needs pygraphviz, which is not installed",
                suggestion=f"{installation('draw')}, or write DOT text: Drawing.dot",
            )
        return self._laid_out()

    def _laid_out(self) -> str:
        """What Graphviz makes of it. The processes that it starts end with it, in time or not."""
        import subprocess

        command = [sys.executable, "-P", "-c", LAYOUT]  # -P: no file of the user's is imported by accident
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True) as running:
            try:
                picture, words = running.communicate(self.dot.encode(), timeout=LONGEST)
            except subprocess.TimeoutExpired:
                _end(running.pid)
                raise RequestError(
                    "SC405",
                    f"Graphviz did not finish {self.name} in {LONGEST:g} seconds: the net is large",
                    suggestion="look at the net in a page (--html), or write DOT text for another program: Drawing.dot",
                ) from None
            except BaseException:
                _end(running.pid)
                raise
        if running.returncode:
            raise RequestError(
                "SC405",
                f"Graphviz could not draw {self.name}",
                values=[("stderr", words.decode(errors="replace").strip())],
                suggestion="write DOT text and give it to another Graphviz: Drawing.dot",
            )
        return picture.decode()

    @public
    def text(self, form: str) -> str:
        """The drawing as "dot" or "svg"."""
        if not isinstance(form, str) or form not in SUFFIXES.values():
            raise RequestError("SC403", f"a net cannot be drawn as {shown(form)}", suggestion="use dot or svg")
        return self.svg() if form == "svg" else self.dot

    def save(self, path: Path | str) -> None:
        """Write a file; its suffix, .svg or .dot, decides the form. What is no drawing is not overwritten."""
        target = Path(path)
        form = SUFFIXES.get(target.suffix.lower())
        if form is None:
            raise RequestError("SC403", f"a net cannot be drawn as {target.name!r}", suggestion="use .svg or .dot")
        if not target.parent.is_dir():
            raise _unwritable(target, f"there is no folder {target.parent}")
        if target.exists() and not _is_a_drawing(target):
            raise _unwritable(target, "it exists and is not a drawing made by Graphviz or sweepcheck")
        text = self.text(form)
        try:
            write_text(target, text)
        except OSError as error:
            raise _unwritable(target, str(error.strerror)) from None

    def _repr_svg_(self) -> str | None:
        return None if find_spec("pygraphviz") is None and self.page is None else self.svg()

    def _repr_html_(self) -> str | None:
        from sweepcheck.report.notebook import drawing_hint

        return drawing_hint() if find_spec("pygraphviz") is None else None

    def __repr__(self) -> str:
        return f"<drawing of {self.name!r}>"


def _end(group: int) -> None:
    """End a process and those that it has started."""
    import signal

    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def draw_net(
    net: Any,
    module: str | None = None,
    *,
    flat: bool = False,
    marking: Marking | None = None,
    direction: str = "down",
) -> Drawing:
    """What `sweepcheck.draw` says, of a net that is loaded already."""
    check_flag(flat, "flat")
    if not isinstance(module, str | None):
        raise RequestError("SC403", f"{shown(module)} is not the path of a module", suggestion='write "Sender.Network"')
    chosen = net_of(net)
    whole = flatten(chosen)
    look = _look(whole, marking, direction)
    if not flat and (pages := _pages(net, marking)) is not None:
        name = next(iter(pages), "") if module is None else module
        if name not in pages:
            raise RequestError("SC403", f"net {chosen.name!r} has no page {name!r}", suggestion=closest(name, pages))
        return Drawing(name, flat_to_dot(chosen.name, whole, look), pages[name])
    if flat:
        if module is not None:
            raise RequestError("SC404", "one module of the flat net was asked for", suggestion="give one of the two")
        return Drawing(chosen.name, flat_to_dot(chosen.name, whole, look))
    path = module or ""
    if path not in whole.instances:
        suggestion = closest(path, [one for one in whole.instances if one])
        raise RequestError("SC403", f"net {chosen.name!r} has no module {path!r}", suggestion=suggestion)
    return _drawing(whole.instances[path], look)


def draw_all(net: Any, *, marking: Marking | None = None, direction: str = "down") -> dict[tuple[str, ...], Drawing]:
    """The net and all its modules. Instances that look the same share a drawing; its key is the paths of them all."""
    whole = flatten(net_of(net))
    look = _look(whole, marking, direction)
    if (pages := _pages(net, marking)) is not None:
        dot = flat_to_dot(whole.instances[""].net.name, whole, look)
        return {(name,): Drawing(name, dot, page) for name, page in pages.items()}
    paths: dict[Drawing, tuple[str, ...]] = {}
    for path, instance in whole.instances.items():
        drawn = _drawing(instance, look)
        paths[drawn] = (*paths.get(drawn, ()), path)
    return {shared: drawn for drawn, shared in paths.items()}


def _pages(net: Any, marking: Marking | None) -> Mapping[str, str] | None:
    """The pages of a net as its file has them drawn, in SVG by their names; None where no file does."""
    drawn = getattr(net, "drawn_pages", None)  # a net that is declared in Python is no system yet
    return None if drawn is None else drawn(marking)


def _drawing(instance: Instance, look: Look) -> Drawing:
    return Drawing(instance.net.name, instance_to_dot(instance, look))


def _look(whole: FlatNet, marking: Marking | None, direction: str) -> Look:
    if not isinstance(marking, Mapping | None):
        raise RequestError("SC403", f"{shown(marking)} is not a marking", suggestion="write {'A': [1, 2], ...}")
    if not isinstance(direction, str) or direction not in DIRECTIONS:
        raise RequestError(
            "SC403", f"{shown(direction)} is not a direction", suggestion=f"use one of {', '.join(DIRECTIONS)}"
        )
    if marking is None:
        initial = {place: absolute(place.initial, 0) if place.colour.timed else place.initial for place in whole.places}
        return Look(initial.__getitem__, None, direction)
    names = {place.name for place in whole.places}
    for name in marking:
        if name not in names and name != CLOCK:
            raise RequestError("SC403", f"the net has no place {name!r}", suggestion=closest(name, sorted(names)))
    held = {name: _bag(name, tokens) for name, tokens in marking.items() if name != CLOCK}
    return Look(lambda place: held.get(place.name, Bag()), marking.get(CLOCK), direction)


def _bag(name: str, tokens: Any) -> Bag:
    try:
        return tokens if isinstance(tokens, Bag) else Bag(tokens)
    except (TypeError, ValueError):
        raise RequestError(
            "SC403", f"place {name!r} cannot hold {shown(tokens)}", suggestion="give a list of tokens, or a Bag"
        ) from None


def _is_a_drawing(path: Path) -> bool:
    try:
        if not path.is_file():  # a pipe would be waited for
            return False
        with path.open(encoding="utf-8") as file:
            start = file.read(1000)
    except (OSError, UnicodeDecodeError):
        return False
    return not start or (
        start.startswith("digraph") if path.suffix.lower() != ".svg" else "graphviz" in start or "sweepcheck" in start
    )


def _unwritable(path: Path, reason: str) -> RequestError:
    return RequestError("SC406", f"{path} cannot be written: {reason}", suggestion="choose another file")
