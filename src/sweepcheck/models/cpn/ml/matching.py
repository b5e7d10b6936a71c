"""Patterns of ML as Python writes them behind `case`, or on the left of an equals sign."""

from __future__ import annotations

from collections.abc import Callable

from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.source import Text
from sweepcheck.models.cpn.ml.syntax import Pattern
from sweepcheck.models.cpn.ml.types import Applied, actual


class Matching:
    """One pattern. Python makes a list of what a star matches: `after` are lines that make it a tuple again."""

    def __init__(self, source: Text, fresh: Callable[[str], str]) -> None:
        self.source = source
        self._fresh = fresh
        self.after: list[str] = []

    def text(self, node: Pattern) -> str:
        """The pattern in Python."""
        if isinstance(node, syntax.Wild):
            return "_"
        if isinstance(node, syntax.Bind):
            return self._bind(node)
        if isinstance(node, syntax.Constant):
            return repr(node.value)
        if isinstance(node, syntax.TypedPattern):
            return self.text(node.inner)
        if isinstance(node, syntax.Built):
            assert node.binding is not None
            return f"({node.binding.value!r}, {self.text(node.argument)})"
        if isinstance(node, syntax.ListPattern):
            return self._list(node)
        return self._record(node)

    def _bind(self, node: syntax.Bind) -> str:
        assert node.binding is not None
        if node.binding.kind in ("constructor", "exception"):
            return repr(node.binding.value)
        if node.inner is None:
            return node.binding.python
        return f"({self.text(node.inner)} as {node.binding.python})"

    def _record(self, node: syntax.RecordPattern) -> str:
        fields = dict(node.fields)
        whole = None if node.type is None else actual(node.type)
        assert isinstance(whole, Applied)
        parts = [self.text(fields[label]) if label in fields else "_" for label in whole.labels]
        return "(" + ", ".join(parts) + "," * (len(parts) == 1) + ")"

    def _list(self, node: syntax.ListPattern) -> str:
        parts = [self.text(item) for item in node.items]
        rest = node.rest
        while rest is not None:
            while isinstance(rest, syntax.TypedPattern):
                rest = rest.inner
            if isinstance(rest, syntax.ListPattern):
                parts += [self.text(item) for item in rest.items]
                rest = rest.rest
                continue
            parts += self._rest(rest)
            break
        return "(" + ", ".join(parts) + "," * (len(parts) == 1) + ")"

    def _rest(self, rest: Pattern) -> list[str]:
        if isinstance(rest, syntax.Wild):
            return ["*_"]
        if isinstance(rest, syntax.Bind) and rest.binding is not None:
            if rest.binding.kind == "constructor":  # nil
                return []
            if rest.inner is None:
                name = rest.binding.python
                self.after.append(f"{name} = tuple({name})")
                return [f"*{name}"]
            return self._named_rest(rest)
        raise self.source.error("SC142", "this pattern for the rest of a list is not supported", rest.at)

    def _named_rest(self, rest: syntax.Bind) -> list[str]:
        """`x :: (all as y :: more)`: the parts are matched, and `all` is put together from them."""
        assert rest.binding is not None
        parts: list[str] = []
        names: list[str] = []
        inner: Pattern | None = rest.inner
        while isinstance(inner, syntax.ListPattern):
            for item in inner.items:
                names.append(self._fresh("item"))
                parts.append(f"({self.text(item)} as {names[-1]})" if not isinstance(item, syntax.Wild) else names[-1])
            inner = inner.rest
        if inner is not None:
            names.append(f"*{self._fresh('more')}")
            parts.append(names[-1])
            if isinstance(inner, syntax.Bind) and inner.inner is None and inner.binding is not None:
                self.after.append(f"{inner.binding.python} = tuple({names[-1][1:]})")
            elif not isinstance(inner, syntax.Wild):
                raise self.source.error("SC142", "this pattern for the rest of a list is not supported", rest.at)
        self.after.append(f"{rest.binding.python} = ({', '.join(names)},)")
        return parts


def always_matches(node: Pattern) -> bool:
    """Whether every value has the form of the pattern, so that it can stand on the left of an equals sign."""
    if isinstance(node, syntax.Wild):
        return True
    if isinstance(node, syntax.Bind):
        return node.inner is None and node.binding is not None and node.binding.kind == "value"
    if isinstance(node, syntax.TypedPattern):
        return always_matches(node.inner)
    return isinstance(node, syntax.RecordPattern) and all(always_matches(part) for _, part in node.fields)
