"""Measures that are sums: found by running the measure once on unknown values, which write down what it computes.

Most measures are a number, or a tuple of numbers compared lexicographically, each a sum with whole coefficients:
`(s.sender, s.receiver)`, `sum(s.count)`, `len(m.Sent) + 2 * len(m.Done)`, `sum(rank(s.pc[i]) for i in range(n))`. The
native engine adds up such values itself: variables and lengths as they are, any other summand from a table of its own,
which is small where the summand looks at few variables, or at few sums of them: `(sum(s.a) + 1) * (sum(s.b) + 1)` is
run once for every two sums, not for every two arrays. Only a measure whose code shows that it does nothing behind the
variables' backs (`arithmetic`) is run this way: then what it made of unknown values is what it makes of any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any

from sweepcheck._core import MOST_TOKENS, TermKind
from sweepcheck.core.measure import Measure
from sweepcheck.engines.native.arithmetic import behind, is_arithmetic
from sweepcheck.engines.native.symbolic import Runner
from sweepcheck.engines.native.trees import Constant, NonlinearError, Size, Sum, Tree, Variable, sum_of
from sweepcheck.engines.native.unknowns import Paths, UnknownState, tree_of

MOST_SUMS = 4  # as in native/include/sweep/program/sum_map.hpp
MOST_SUM = (1 << 63) - 1  # what the core computes with

Reading = Callable[[Callable[[Any], Any]], Callable[[Any], Any]]


@dataclass(frozen=True, slots=True)
class Term:
    """A summand in the core's words: of which variable (and element), or which function, and how many of it."""

    kind: TermKind
    index: int
    element: int
    coefficient: int


class Summand:
    """A tree as a function of the core's views. Whatever goes wrong in it, the measure itself has to be asked."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def __call__(self, view: Any) -> Any:
        """Its value."""
        try:
            return self._tree.evaluate(view)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - the measure raises it again, or does not: then it did not look here
            raise NonlinearError from None


@dataclass(frozen=True, slots=True)
class LinearMeasure:
    """A measure as sums; `single` when its value is a number and not a tuple. `trees` are the summands with tables."""

    components: tuple[Sum, ...]
    single: bool
    trees: tuple[Tree, ...]

    @property
    def summands(self) -> tuple[Summand, ...]:
        """The summands with tables, as functions."""
        return tuple(map(Summand, self.trees))

    @property
    def terms(self) -> tuple[tuple[int, tuple[Term, ...]], ...]:
        """Each component as a constant and terms."""
        return self._in_terms(self.components)

    @property
    def arguments(self) -> tuple[tuple[tuple[int, tuple[Term, ...]], ...], ...]:
        """For each summand with a table the sums that it is a function of; none where variables are as few."""
        return tuple(self._in_terms(arguments_of(tree)) for tree in self.trees)

    def _in_terms(self, sums: tuple[Sum, ...]) -> tuple[tuple[int, tuple[Term, ...]], ...]:
        functions = {tree: number for number, tree in enumerate(self.trees)}
        return tuple((one.constant, tuple(_term(tree, c, functions) for tree, c in one.terms.items())) for one in sums)

    @property
    def most_number(self) -> int:
        """The largest number, and the least with a minus sign, whose sums are all within what the core computes with.

        It is negative when even the constants are not.
        """
        sums = [*self.components, *(one for tree in self.trees for one in arguments_of(tree))]
        return min((MOST_SUM - abs(one.constant)) // max(1, sum(map(abs, one.terms.values()))) for one in sums)

    @property
    def plain(self) -> tuple[Term | None, ...]:
        """Of each component the variable or function that it is, if it is one and nothing else."""
        return tuple(map(self._plain, self.components))

    def _plain(self, component: Sum) -> Term | None:
        if component.constant == 0 and list(component.terms.values()) == [1]:
            tree = next(iter(component.terms))
            return _term(tree, 1, {tree: self.trees.index(tree) if tree in self.trees else 0})
        return None


def _term(tree: Tree, coefficient: int, functions: Mapping[Tree, int]) -> Term:
    if isinstance(tree, Variable):
        return Term(TermKind.VALUE, tree.position, tree.element or 0, coefficient)
    if isinstance(tree, Size):
        return Term(TermKind.SIZE, tree.variable.position, 0, coefficient)
    return Term(TermKind.FUNCTION, functions[tree], 0, coefficient)


def linear(
    measure: Measure, names: tuple[str, ...], initial: tuple[Any, ...], reading: Reading = lambda function: function
) -> LinearMeasure | None:
    """The measure as sums; None when it is anything else. `reading` is as in `Model.reading`."""
    if not is_arithmetic(measure.function, names):
        return None
    try:
        found = _found(measure.function, UnknownState(names, initial, paths := Paths()), reading, paths)
    except Exception:  # noqa: BLE001 - whatever it tried to do with an unknown, it is not a sum
        return None
    return found if _pays(found) else None


def obstacle(
    measure: Measure, names: tuple[str, ...], initial: tuple[Any, ...], reading: Reading = lambda function: function
) -> str:
    """Why a measure is not computed as sums."""
    unknown = behind(measure.function, names)
    if unknown is not None:
        return f"what {unknown} does cannot be seen"
    try:
        found = _found(measure.function, UnknownState(names, initial, paths := Paths()), reading, paths)
    except Exception as error:  # noqa: BLE001 - as above
        line = _line(error, measure.function)
        return f"line {line} needs a value there and then" if line else "it needs a value there and then"
    if len(found.components) > MOST_SUMS:
        return f"it has more than {MOST_SUMS} parts"
    return "its numbers are too large, or no whole numbers" if _pays(found) else "it is one function of them together"


def _line(error: BaseException, function: Any) -> int | None:
    """The last line of the measure's own file that an error came from."""
    code = getattr(function, "__code__", None)
    frames = (
        []
        if code is None
        else [one for one in walk_tb(error.__traceback__) if one[0].f_code.co_filename == code.co_filename]
    )
    return frames[-1][1] if frames else None


def _found(function: Callable[[Any], Any], state: UnknownState, reading: Reading, paths: Paths) -> LinearMeasure:
    shown = reading(lambda read: read)
    value = Runner(paths, shown(state), shown).run(function)
    single = type(value) is not tuple
    results = list(map(tree_of, (value,) if single else value))
    if not {tree for result in results for tree in result.reachable()}.issuperset(paths.made):
        raise NonlinearError  # something is computed and not used: only the measure knows whether it raises an error
    components = tuple(map(sum_of, results))
    if any(isinstance(tree, Variable) and not tree.is_scalar for one in components for tree in one.terms):
        raise NonlinearError  # a bag, say: no number
    trees = dict.fromkeys(tree for one in components for tree in one.terms if not _is_counted(tree))
    return LinearMeasure(components, single, tuple(trees))


def _is_counted(tree: Tree) -> bool:
    """Whether the core needs no table for it."""
    return isinstance(tree, Size | Variable)


def arguments_of(tree: Tree) -> tuple[Sum, ...]:
    """The sums that a tree is a function of; none where there is no sum among them, or where something else is."""
    found: dict[tuple[tuple[Tree, int], ...], Sum] = {}
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Constant):
            continue
        inner = sum_of(one)
        if all(map(_is_number, inner.terms)):
            found[tuple(inner.terms.items())] = Sum(0, inner.terms)
        elif one.parts:
            waiting.extend(reversed(one.parts))
        else:
            return ()  # the whole state, or a whole bag
    some_add_up = any(len(inner.terms) > 1 for inner in found.values())
    return tuple(found.values()) if some_add_up and len(found) <= MOST_SUMS else ()


def _is_number(tree: Tree) -> bool:
    return isinstance(tree, Size) or (isinstance(tree, Variable) and tree.is_scalar)


def _pays(found: LinearMeasure) -> bool:
    """Whether it can be computed as sums, and that is better than a table of the whole measure."""
    if not 1 <= len(found.components) <= MOST_SUMS or found.most_number <= 0:
        return False
    terms = [tree for one in found.components for tree in one.terms]
    added = [*terms, *(tree for one in found.trees for inner in arguments_of(one) for tree in inner.terms)]
    if any(isinstance(tree, Size) for tree in added) and found.most_number < MOST_TOKENS:
        return False
    return all(map(_is_counted, terms)) or len(set(terms)) > 1 or any(map(arguments_of, found.trees))
