"""Predicates and measures about the places of a file, in Python or in CPN ML.

A place is `Protocol'Received 1`, `Protocol'Received` where its page has one instance, `Received` where no other place
has the name, and also `Mark.Protocol'Received 1 n`, as queries of CPN Tools have it: n is the state at hand. In Python
a place that always holds one token is that token wherever a number could be: `NextRec <= 5`.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from sweepcheck.errors import ModelError, RequestError, clip, closest
from sweepcheck.models.cpn.translation import Translated

QUALIFIED = re.compile(r"(?:\bMark\.)?\b(\w+'\w+)(?:\s+(\d+)\b)?(?:\s+n\b)?")
QUOTED = re.compile(r"""("(?:\\.|[^"\\])*")""")
WORD = re.compile(r"(?<![\w'.#\"])([A-Za-z_]\w*)(?![\w'\"])")
HOLDER = "s"  # what expressions call the whole state
# What queries of CPN Tools ask of a whole state space, and what answers it here.
INSTEAD = {
    "ListDeadMarkings": "sweepcheck report FILE counts them, sweepcheck check FILE --deadlock shows the way to one",
    "DeadMarking": "sweepcheck check FILE --deadlock",
    "ListHomeMarkings": "sweepcheck report FILE",
    "HomeSpace": "sweepcheck check FILE --always-possible EXPR",
    "ListDeadTIs": "sweepcheck report FILE",
    "ListLiveTIs": "sweepcheck report FILE",
    "NoOfNodes": "sweepcheck explore FILE",
    "NoOfArcs": "sweepcheck explore FILE",
    "PredAllNodes": "sweepcheck check FILE --reachable EXPR, or --invariant EXPR",
    "PredNodes": "sweepcheck check FILE --reachable EXPR",
    "SearchNodes": "sweepcheck check FILE --reachable EXPR",
    "SearchAllNodes": "sweepcheck check FILE --reachable EXPR",
    "Reachable": "sweepcheck check FILE --reachable EXPR",
    "AllReachable": "sweepcheck report FILE",
    "UpperInteger": "sweepcheck report FILE",
    "LowerInteger": "sweepcheck report FILE",
    "UpperMultiSet": "sweepcheck report FILE",
    "LowerMultiSet": "sweepcheck report FILE",
    "eval_node": "sweepcheck check FILE --always-possible EXPR, --always-eventually EXPR or --leads-to",
}  # fmt: skip


class Places:
    """The places of a file by all names that expressions have for them."""

    def __init__(self, made: Translated, singles: frozenset[str]) -> None:
        self._made, self._singles = made, singles
        self._roots = {one.name: one.root().name for one in made.instances.places}
        self._pages = {name.partition("'")[0] for name in self._roots}
        shorter: defaultdict[str, set[str]] = defaultdict(set)
        for name, root in self._roots.items():
            page_place = name.rpartition(" ")[0]
            shorter[page_place].add(root)
            shorter[page_place.partition("'")[2]].add(root)
        self._shorter = shorter

    def expression(self, text: str) -> str | Callable[[Any], Any]:
        """The text as Python over the state `s`, or what it means in CPN ML as a function of the state."""
        for name, suggestion in INSTEAD.items():
            if re.search(rf"\b{name}\b", text):
                raise ModelError("SC149", f"{name} asks about a whole state space", suggestion=suggestion)
        used: dict[str, str] = {}  # places by the identifiers that stand for them
        parts = QUOTED.split(text)  # every second one is a text in quotation marks, which stays
        parts[::2] = [self._plain(part, used) for part in parts[::2]]
        plain = "".join(parts)
        python = self._python(plain, used)
        return self._ml(plain, used, text) if python is None else python

    def called(self, name: str) -> str:
        """The place that has this name, or whose it is a shorter name; else the name."""
        roots = {self._roots[name]} if name in self._roots else self._shorter.get(name, set())
        return next(iter(roots)) if len(roots) == 1 else name

    def _plain(self, text: str, used: dict[str, str]) -> str:
        """The text with identifiers for places."""
        text = QUALIFIED.sub(lambda one: self._qualified(one, used), text)
        return WORD.sub(lambda one: self._short(one, used), text)

    def _qualified(self, found: re.Match[str], used: dict[str, str]) -> str:
        name, number = found.groups()
        if name.partition("'")[0] not in self._pages:  # a name of CPN ML may have a prime too
            return found.group(0)
        if number is not None:
            full = f"{name} {number}"
            if full not in self._roots:
                raise self._unknown(full)
            return _identifier(self._roots[full], used) + " "
        roots = self._shorter.get(name, set())
        if len(roots) != 1:
            raise self._unknown(name)
        return _identifier(next(iter(roots)), used) + " "

    def _short(self, found: re.Match[str], used: dict[str, str]) -> str:
        name = found.group(1)
        roots = self._shorter.get(name, set())
        return _identifier(next(iter(roots)), used) if len(roots) == 1 else name

    def _unknown(self, name: str) -> RequestError:
        several = sorted(one for one in self._roots if one.rpartition(" ")[0] == name)
        suggestion = f"name one: {', '.join(several)}" if several else closest(name, list(self._roots))
        return RequestError("SC402", f"the net has no place {name!r}", suggestion=suggestion)

    # -- Python ------------------------------------------------------------------------------------------------------

    def _python(self, plain: str, used: Mapping[str, str]) -> str | None:
        """The expression in Python; None where it is none, or uses names that only CPN ML may know."""
        try:
            tree = ast.parse(plain.strip(), mode="eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return None
        bound = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        known = {*used, *bound, *dir(builtins), HOLDER, "state", "enabled", "clock", "progress"}
        known |= {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
        if any(isinstance(one, ast.Name) and one.id not in known for one in ast.walk(tree)):
            return None
        return ast.unparse(_Tokens(used, self._singles).visit(tree))

    # -- CPN ML ------------------------------------------------------------------------------------------------------

    def _ml(self, plain: str, used: Mapping[str, str], text: str) -> Callable[[Any], Any]:
        colours = {name: self._made.colours[place] for name, place in used.items()}
        function = self._made.ml.predicate(plain, f"the expression {clip(text)!r}", colours)

        def read(state: Any) -> Any:
            return function({name: tuple(sorted(state[place], key=colours[name].key)) for name, place in used.items()})

        return read


def _identifier(root: str, used: dict[str, str]) -> str:
    for name, place in used.items():
        if place == root:
            return name
    short = root.partition("'")[2].rpartition(" ")[0]
    plain = short.isascii() and short.isidentifier() and not keyword.iskeyword(short)
    name = short if plain and short not in used else f"place_{len(used)}"
    used[name] = root
    return name


class _Tokens(ast.NodeTransformer):
    """Places become places of the state, and those of one token that token, where a value is wanted."""

    def __init__(self, used: Mapping[str, str], singles: frozenset[str]) -> None:
        self._used, self._singles = used, singles

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._used:
            return node
        place = ast.Subscript(ast.Name(HOLDER, ast.Load()), ast.Constant(self._used[node.id]), ast.Load())
        return ast.Attribute(place, "token", ast.Load()) if self._used[node.id] in self._singles else place

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node.args = [self._whole(one) for one in node.args]
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        node.value = self._whole(node.value)
        self.generic_visit(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        asks = [isinstance(one, ast.In | ast.NotIn) for one in node.ops]
        node.comparators = [self._whole(one) if ask else one for ask, one in zip(asks, node.comparators, strict=True)]
        self.generic_visit(node)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = self._whole(node.iter)
        self.generic_visit(node)
        return node

    def _whole(self, node: ast.expr) -> ast.expr:
        """A place as the multiset that it is."""
        if isinstance(node, ast.Name) and node.id in self._used:
            return ast.Subscript(ast.Name(HOLDER, ast.Load()), ast.Constant(self._used[node.id]), ast.Load())
        return node
