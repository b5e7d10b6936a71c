"""Inscriptions by their kinds: what each must be, and what it becomes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.colours import Colour
from sweepcheck.models.cpn.ml.inference import Inference
from sweepcheck.models.cpn.ml.inscriptions import Code, Inscription, Reading
from sweepcheck.models.cpn.ml.parsing import Parser
from sweepcheck.models.cpn.ml.source import Text
from sweepcheck.models.cpn.ml.spelling import CLOCK
from sweepcheck.models.cpn.ml.syntax import Expr
from sweepcheck.models.cpn.ml.types import BOOL, Applied, record
from sweepcheck.models.cpn.ml.writing import Writer


class Desk(Protocol):
    """What reading an inscription asks of its document."""

    notes: list[str]
    parser: Parser
    space: dict[str, Any]

    def changes(self, node: syntax.Node) -> bool: ...

    def execute(self, lines: list[str], source: Text) -> None: ...

    def global_name(self, name: str) -> str: ...


class Inscriber:
    """Reads one inscription."""

    def __init__(self, desk: Desk, inference: Inference, writer: Writer, kind: str) -> None:
        self.desk = desk
        self.source = inference.source
        self.kind = kind
        self.inference = inference
        self.reading = Reading(inference, writer, self._extract, kind == "marking")
        self.weak_times = False

    def read(self, colour: Colour | None) -> Inscription:
        """The inscription, at a place of a colour where it belongs to one."""
        with self.source.deeply(0):
            return self._read(colour)

    def _read(self, colour: Colour | None) -> Inscription:
        if self.kind in ("arc", "marking"):
            assert colour is not None
            return self._multiset(colour)
        if self.kind == "guard":
            return self._guard()
        return self._code() if self.kind == "code" else self._plain(colour)

    def _extract(self, lines: list[str], found: str, names: list[str]) -> str:
        """The call of a new function, for what an expression cannot hold."""
        name = self.desk.global_name(f"{self.kind}_value")
        inner = [f"    {line}" for line in [*lines, f"return {found}"]]
        self.desk.execute([f"def {name}({', '.join(names)}):", *inner], self.source)
        return f"{name}({', '.join(names)})"

    def _finish(self, python: str, nodes: Iterable[Expr], **more: Any) -> Inscription:
        parts = list(nodes)
        names = frozenset[str]().union(*map(self.reading.names, parts))
        clocked = any(map(self.reading.is_clocked, parts))
        python = ast.unparse(ast.parse(python, mode="eval"))
        return Inscription(
            self.source.text,
            self.source.where,
            self.kind,
            python,
            names,
            self.inference.draws,
            uses_clock=clocked,
            run=self._runner(python, sorted(names) + [CLOCK] * clocked),
            **more,
        )

    def _runner(self, python: str, names: list[str]) -> Callable[[Mapping[str, Any]], Any]:
        made: list[Callable[..., Any]] = []

        def run(binding: Mapping[str, Any]) -> Any:
            with self.source.running():
                if not made:
                    made.append(eval(f"lambda {', '.join(names)}: {python}", self.desk.space))
                return made[0](*(binding[name] for name in names))

        return run

    def _multiset(self, colour: Colour) -> Inscription:
        node = self.desk.parser.expression(self.source, weak_times=self.weak_times)
        mode = self.reading.mode(node, colour)
        self.inference.settle()
        if self.inference.draws and self.kind == "marking":
            raise self.source.error("SC142", "an initial marking is one, and not random", node.at)
        terms = self.reading.terms(node, mode)
        return self._finish(self.reading.whole(node, mode, colour), [node], terms=terms)

    def _guard(self) -> Inscription:
        nodes = self.desk.parser.guard(self.source)
        for node in nodes:
            self.inference.unify(self.inference.infer(node), Applied(BOOL), node.at, "a condition")
        self.inference.settle()
        conditions = tuple(one for node in nodes for one in self.reading.conditions(node))
        python = " and ".join(f"({one.python})" for one in conditions) or "True"
        return self._finish(python, nodes, conditions=conditions)

    def _plain(self, colour: Colour | None) -> Inscription:
        node = self.desk.parser.expression(self.source)
        found = self.inference.infer(node)
        if self.kind in ("time", "priority"):
            self.inference.whole_number(node, found, self.kind)
        elif colour is not None:
            self.inference.unify(found, colour.type, node.at)
        self.inference.settle()
        return self._finish(self.reading.inline(node), [node])

    def _code(self) -> Inscription:
        segment = self.desk.parser.code(self.source)
        outputs = [self.inference.variable(name) for name in segment.outputs]
        inputs = [self.inference.variable(name) for name in segment.inputs]
        if segment.action is None:
            return self._finish("()", [], code=Code((), (), "()"))
        try:
            found = self.inference.infer(segment.action)
        except ModelError as error:
            if outputs or error.code != "SC142" or self.desk.changes(segment.action):
                raise
            self.desk.notes.append(f"{self.source.where}: left out, for nothing depends on it: {error.what}")
            return self._finish("()", [], code=Code((), (), "()"))
        wanted = [binding.scheme.type for binding in outputs]
        if len(wanted) == 1:
            self.inference.unify(found, wanted[0], segment.action.at, "the action")
        elif wanted:
            parts = record((str(number), one) for number, one in enumerate(wanted, 1))
            self.inference.unify(found, parts, segment.action.at, "the action")
        self.inference.settle()
        text = self.reading.inline(segment.action)
        python = f"({text},)" if len(outputs) == 1 else text if outputs else f"({text}, ())[1]"
        code = Code(tuple(one.python for one in inputs), tuple(one.python for one in outputs), python)
        return self._finish(python, [segment.action], code=code)
