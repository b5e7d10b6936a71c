"""The names that the inscriptions of a transition use, and what binds them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sweepcheck.errors import caller_knows, closest
from sweepcheck.models.net import pattern
from sweepcheck.models.net.inscription import (
    PURE,
    Computed,
    Either,
    Expression,
    Multiset,
    Tokens,
    free_names,
    is_builtin,
)
from sweepcheck.models.net.structure import Arc, Transition

INPUTS = ("take", "test")  # arcs whose tokens bind variables
# Words for constants in the language of other tools, and how Python writes them.
_ELSEWHERE = {"true": "True", "false": "False", "empty": "{}", "nil": "()"}


def expressions(terms: Multiset) -> list[Expression]:
    """All expressions in a multiset."""
    found: list[Expression] = []
    for term in terms:
        if isinstance(term, Either):
            found += [term.condition, *expressions(term.then), *expressions(term.otherwise)]
        elif isinstance(term, Computed):
            found += [one for one in (term.value, term.delay) if one is not None]
        else:
            found += [one for one in (term.token, term.coefficient, term.delay) if one is not None]
    return found


def functions(transition: Transition) -> Iterator[Callable[..., Any]]:
    """The functions that stand for inscriptions of a transition."""
    beside = [*_beside_arcs(transition), *(arc.delay for arc in transition.arcs if arc.delay is not None)]
    computed = [one for arc in transition.arcs for one in arc.terms or () if isinstance(one, Computed)]
    for one in (*beside, *expressions(tuple(computed))):
        yield from one.functions.values()


def names(terms: Multiset) -> frozenset[str]:
    """All names that the expressions in a multiset use."""
    return frozenset().union(*(one.names for one in expressions(terms)))


@dataclass(frozen=True, slots=True)
class Definition:
    """A condition `pattern == value`, which binds the variables of the pattern once the other names are known."""

    pattern: Expression
    value: Expression
    binds: frozenset[str]
    needs: frozenset[str]


def definitions(condition: Expression, constants: Mapping[str, Any]) -> list[Definition]:
    """The ways to read a condition as the definition of variables."""
    node = condition.node
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
        return []
    found = []
    for left, right in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
        binds, needs = pattern.binds(left, constants), pattern.needs(left, constants) | free_names(right)
        if binds - needs and not pattern.is_open(left, constants):
            one, other = (Expression(ast.unparse(side), side, free_names(side)) for side in (left, right))
            found.append(Definition(one, other, binds - needs, needs))
    return found


def bindable(transition: Transition) -> frozenset[str]:
    """The variables that something in the transition can bind."""
    found = set(transition.let) | set(transition.free)
    for arc in transition.arcs:
        if arc.kind in INPUTS:
            for term in arc.terms or ():
                if isinstance(term, Tokens):
                    found |= pattern.binds(term.token.node, transition.constants)
    used = Counter(name for one in _everything(transition) for name in one.names) if transition.guard else Counter()
    for condition in transition.guard:  # a variable that only one guard mentions is more likely misspelt
        for one in definitions(condition, transition.constants):
            found |= {name for name in one.binds if used[name] > 1}
    return frozenset(found)


def given(transition: Transition) -> frozenset[str]:
    """The names that need no binding: constants, and those functions of Python that no variable is called like."""
    return (PURE - bindable(transition)) | set(transition.constants)


def _everything(transition: Transition) -> list[Expression]:
    return [*_beside_arcs(transition), *(one for arc in transition.arcs for one in _on_arc(arc))]


def _beside_arcs(transition: Transition) -> list[Expression]:
    delay = [] if transition.delay is None else [transition.delay]
    return [*transition.guard, *transition.let.values(), *delay]


def _on_arc(arc: Arc) -> list[Expression]:
    return expressions(arc.terms or ()) + ([] if arc.delay is None else [arc.delay])


def check_names(transition: Transition) -> None:
    """Refuse a transition with a name that nothing can bind."""
    known = bindable(transition)
    for one in _beside_arcs(transition):
        _check_bound(transition, one, known)
    for arc in transition.arcs:
        patterns = [term.token for term in arc.terms or () if isinstance(term, Tokens)] if arc.kind in INPUTS else []
        for one in _on_arc(arc):
            wild = one in patterns and pattern.WILDCARD not in pattern.needs(one.node, transition.constants)
            _check_bound(transition, one, known, wild)


def _check_bound(transition: Transition, one: Expression, known: frozenset[str], wild: bool = False) -> None:
    for name in sorted(one.names - known):
        if name in transition.constants or name in PURE or (wild and name == pattern.WILDCARD):
            continue
        raise transition.error("SC124", f"nothing binds {name!r} in {one.text!r}", _remedy(transition, name, known))


def _remedy(transition: Transition, name: str, known: frozenset[str]) -> str:
    if name == pattern.WILDCARD:
        return "_ stands for any token on an input arc and has no value: give the token a name"
    if name in _ELSEWHERE:
        return f"Python writes {_ELSEWHERE[name]}"
    for arc in transition.arcs:
        token = arc.place.colour.token_called(name)
        if token is not None:
            return f'the token of place {arc.place.name!r} is written "{token}"'
    if is_builtin(name):
        return "inscriptions only compute; give a function of your own as a constant: Net(..., f=f)"
    available = [*sorted(known), *transition.constants]
    if caller_knows(name):
        return f"inscriptions do not see the program around them; give it to the net: Net(..., {name}={name})"
    return closest(name, available) if available else "an input arc binds the variables it names"
