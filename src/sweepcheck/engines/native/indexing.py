"""Elements by their indices: `all(s.pc[j] != "in" for j in range(n) if j != i)`, written anew as a fold over elements.

Most people go through an array by its indices. Where an index stands for its element and nothing else, the generator is
written as one over elements, `all(@value != "in" for @value in @elements(range(n), lambda: s.pc, lambda j: j != i))`,
which `folds` knows how to ask for at once. Conditions on the index alone say which elements these are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

SAFE = frozenset({"abs", "bool", "int", "len", "str"})  # what a turn of a generator may call
ELEMENTS, VALUE = "@elements", "@value"
MOST_RUNS = 3  # of elements side by side: each is a question
NODES = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop, ast.Name, ast.Constant)
PLAIN = (*NODES, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Tuple, ast.List, ast.Set)
SCOPES = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda
Added = Callable[[list[str], ast.expr], ast.Lambda]


# -- writing anew -----------------------------------------------------------------------------------------------------


def by_elements(name: str, given: ast.GeneratorExp, local: set[str], added: Added) -> ast.GeneratorExp | None:
    """A generator over indices that is handed to a fold of this name, as one over elements; None where it is none.

    `local` are names that the function around gives values to: what lies there may be something else than indices.
    """
    if len(given.generators) != 1:
        return None
    turn = given.generators[0]
    if turn.is_async or not isinstance(turn.target, ast.Name) or not _lists_indices(turn.iter, local):
        return None
    index = turn.target.id
    result, ifs = _sorted_out(name, given.elt, [part for one in turn.ifs for part in _parts(one, ast.And)])
    if any(isinstance(inner, SCOPES) for one in (result, *ifs) for inner in ast.walk(one)):
        return None
    reading = Reading(index)
    result, *ifs = (reading.visit(one) for one in (result, *ifs))
    about_index = [one for one in ifs if index in _names(one)]
    if ifs[: len(about_index)] != about_index or not all(map(_is_plain, about_index)):
        return None
    first = [*ifs[len(about_index) :], result][0]
    if not _reads_at_once(first) or not all(map(_only_computes, (result, *ifs))):
        return None
    if index in _names(result) or len(reading.tables) != 1 or not _reads_state(reading.table, index):
        return None
    allowed = [added([index], ast.BoolOp(ast.And(), [ast.Constant(True), *about_index]))] if about_index else []
    source = ast.Call(ast.Name(ELEMENTS, ast.Load()), [turn.iter, added([], reading.table), *allowed], [])
    target = ast.Name(VALUE, ast.Store())
    made = ast.GeneratorExp(result, [ast.comprehension(target, source, ifs[len(about_index) :], 0)])
    return ast.fix_missing_locations(ast.copy_location(made, given))


class Reading(ast.NodeTransformer):
    """Put the value for elements that an index leads to, and note of which arrays they are."""

    def __init__(self, index: str) -> None:
        self._index = index
        self.tables: set[str] = set()
        self.table: ast.expr = ast.Constant(None)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """An element, or a piece of one."""
        if not isinstance(node.slice, ast.Name) or node.slice.id != self._index:
            return self.generic_visit(node)
        self.tables.add(ast.unparse(node.value))
        self.table = node.value
        return ast.copy_location(ast.Name(VALUE, ast.Load()), node)


def _lists_indices(source: ast.expr, local: set[str]) -> bool:
    match source:
        case ast.Call(func=ast.Name(id="range"), args=arguments, keywords=[]):
            return not any(isinstance(one, ast.Starred) for one in arguments)
        case ast.Name(id=name):
            return name not in local
    return False


def _sorted_out(name: str, result: ast.expr, ifs: list[ast.expr]) -> tuple[ast.expr, list[ast.expr]]:
    """What is asked of each element, and the conditions: `any(c and x ...)` is `any(x ... if c)`, and so on."""
    if name == "any" and isinstance(result, ast.BoolOp):
        *first, last = _parts(result, ast.And)
        return last, [*ifs, *first]
    if name == "all" and isinstance(result, ast.BoolOp):
        *first, last = _parts(result, ast.Or)
        return last, [*ifs, *(ast.copy_location(ast.UnaryOp(ast.Not(), one), one) for one in first)]
    return result, ifs


def _parts(condition: ast.expr, sign: type[ast.boolop]) -> list[ast.expr]:
    joined = isinstance(condition, ast.BoolOp) and isinstance(condition.op, sign)
    return condition.values if joined else [condition]  # type: ignore[attr-defined]


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _reads_at_once(node: ast.expr) -> bool:
    """Whether the element is looked at whatever else there is: the index may be one that there is only sometimes."""
    match node:
        case ast.Name(id=name):
            return name == VALUE
        case ast.BoolOp(values=[first, *_]) | ast.IfExp(test=first):
            return _reads_at_once(first)
        case ast.Compare(left=left, comparators=[right, *_]):
            return _reads_at_once(left) or _reads_at_once(right)
    return any(_reads_at_once(one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr))


def _only_computes(node: ast.expr) -> bool:
    """Whether it calls nothing that could change the array before the element is looked at."""
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return all(isinstance(one, ast.Name) and one.id in SAFE for one in calls)


def _is_plain(condition: ast.expr) -> bool:
    """Whether a condition reads nothing but names."""
    return VALUE not in _names(condition) and all(isinstance(one, PLAIN) for one in ast.walk(condition))


def _reads_state(table: ast.expr, index: str) -> bool:
    """Whether this may be an array of the state."""
    parts = list(ast.walk(table))
    known = (ast.Attribute, ast.Subscript, ast.Name, ast.Constant, ast.expr_context)
    if index in _names(table) or VALUE in _names(table) or not all(isinstance(one, known) for one in parts):
        return False
    return any(isinstance(one, ast.Attribute) for one in parts)


# -- when the function runs -------------------------------------------------------------------------------------------


def elements(
    wants_whole: Callable[[Any, int], bool],
    keys: Any,
    table: FunctionType,
    allowed: Callable[[Any], Any] | None = None,
) -> Any:
    """The elements of a table that some keys lead to: as one thing where that can be, else one after the other.

    `wants_whole` says whether so many are of use as one thing, by the place in the code where they are gone through.
    """
    if type(keys) in (range, tuple, list):
        try:
            chosen = [key for key in keys if allowed is None or allowed(key)]
            held: Any = table() if chosen else None
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - the function itself will come to it, or not so far
            return _one_by_one(iter(keys), table, allowed)
        if hasattr(type(held), "_fold") or hasattr(type(held), "_spans"):
            return Indexed(held, chosen) if wants_whole(table.__code__, len(chosen)) else map(held.__getitem__, chosen)
    return _one_by_one(iter(keys), table, allowed)


def _one_by_one(keys: Iterator[Any], table: Callable[[], Any], allowed: Callable[[Any], Any] | None) -> Iterator[Any]:
    for key in keys:
        if allowed is None or allowed(key):
            yield table()[key]


class Indexed:
    """Elements of an array or map of the state, by their keys."""

    __slots__ = ("_keys", "table")

    def __init__(self, table: Any, keys: list[Any]) -> None:
        self.table = table
        self._keys = keys

    def __iter__(self) -> Iterator[Any]:
        return IndexedIterator(self)

    def __len__(self) -> int:
        return len(self._keys)

    def element(self, position: int) -> Any:
        """One of them."""
        return self.table[self._keys[position]]

    def runs(self) -> list[tuple[int, int, int]] | None:
        """Where they lie in the array: first, distance and number of those at equal distances; None: anywhere."""
        found = self._positions()
        positions = None if found is None else sorted(found)  # in any order they come to the same
        runs: list[tuple[int, int, int]] = []
        at = 0
        while positions is not None and at < len(positions):
            if len(runs) == MOST_RUNS:
                return None
            stride = positions[at + 1] - positions[at] if at + 1 < len(positions) else 1
            count = 1
            while stride > 0 and at + count < len(positions):
                if positions[at + count] - positions[at + count - 1] != stride:
                    break
                count += 1
            runs.append((positions[at], max(stride, 1), count))
            at += count
        return None if positions is None else runs

    @property
    def first(self) -> int:
        """Where the one lies that is looked at first."""
        return (self._positions() or [0])[0]

    def _positions(self) -> Sequence[int] | None:
        part = getattr(type(self.table), "_positions", None)
        if part is not None:
            return part(self.table, self._keys)  # type: ignore[no-any-return]
        length = len(self.table)
        inside = all(type(key) is int and -length <= key < length for key in self._keys)
        return [key % length for key in self._keys] if inside else None


class IndexedIterator:
    """Goes through elements. Whoever meets it before it has begun may ask what it goes through."""

    __slots__ = ("_elements", "_next")

    def __init__(self, elements: Indexed) -> None:
        self._elements = elements
        self._next = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._next >= len(self._elements):
            raise StopIteration
        self._next += 1
        return self._elements.element(self._next - 1)

    def _source(self) -> Indexed | None:
        return None if self._next else self._elements
