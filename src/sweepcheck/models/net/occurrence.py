"""From a transition to a function on drafts: the occurrence rule, in an order that fails early.

The function is written as Python text, one statement a line, and compiled once; both engines run it like any action.
Places that always hold one token are read and assigned like variables. A token whose variables are all bound is looked
up; only a pattern with something unknown in it runs through the tokens of its place. Conditions are tested as soon as
their variables are bound, and arcs that bind least go first.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.core.running import Disabled
from sweepcheck.core.stamps import Stamped
from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError, shown
from sweepcheck.models.actions.choice import choose, stay
from sweepcheck.models.net import pattern
from sweepcheck.models.net.colours import Colour
from sweepcheck.models.net.inscription import PURE, Computed, Either, Expression, Multiset, Tokens
from sweepcheck.models.net.names import check_names, definitions, expressions, given, names
from sweepcheck.models.net.structure import Arc, Place, Transition
from sweepcheck.models.net.time import delay


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a place is found in a state: the variable, how much it may hold, whether it always holds one token.

    Fused places share a slot, as do ports that are connected to the same place.
    """

    variable: str
    capacity: int | None = None
    single: bool = False


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A transition as functions on a draft: one that does it, and one that also returns the binding, for labels."""

    function: Callable[[Any], None]
    labelled: Callable[[Any], tuple[tuple[str | None, Any], ...]]
    source: str
    origins: tuple[str, ...]  # by line of the source: the inscription it comes from
    variables: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Input:
    """One term of an input or test arc that is still to be done."""

    arc: Arc
    term: Tokens | Either | Computed


@dataclass(slots=True)
class _Writer:
    """The function being written."""

    transition: Transition
    slots: Mapping[Place, Slot]
    namespace: dict[str, Any]
    lines: list[str] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    unnamed: list[str] = field(default_factory=list)
    taken: dict[Slot, str] = field(default_factory=dict)  # where tokens taken are written down, and in which list
    tested: dict[Arc, str] = field(default_factory=dict)  # the same for test arcs that are decided at the end
    names: int = 0
    given: frozenset[str] = frozenset()  # names that need no binding

    def line(self, text: str, origin: str, depth: int = 1) -> None:
        self.lines.append("    " * depth + text)
        self.origins.append(origin)

    def use(self, given: Expression) -> str:
        """The code of an expression, whose functions the source can then call."""
        self.namespace.update(given.functions)
        return given.code

    def fresh(self) -> int:
        self.names += 1
        return self.names

    def reference(self, place: Place) -> str:
        """The place in the draft; the variable's name, which need not be a Python name, is put in afterwards."""
        return f"_s.p{list(self.slots).index(place)}"

    def knows(self, names: frozenset[str]) -> bool:
        """Whether all variables among the names are bound."""
        return names <= self.bound | self.given

    def start_list(self, lists: dict[Any, str], key: Slot | Arc) -> None:
        """Write down, from here on, the tokens that are taken from a slot or tested by an arc."""
        lists[key] = f"_l{self.fresh()}"
        self.line(f"{lists[key]} = []", "the transition")

    def take(self, place: Place, token: str) -> str:
        """The statement that takes a known token."""
        statement = f"{self.reference(place)}.take({token})"
        written = self.taken.get(self.slots[place])
        return statement if written is None else f"{written}.append({statement})"

    def places(self) -> list[Place]:
        """One place for each slot."""
        first: dict[Slot, Place] = {}
        for place, slot in self.slots.items():
            first.setdefault(slot, place)
        return list(first.values())

    def arcs(self, kind: str, place: Place | None = None) -> list[Arc]:
        """The arcs of a kind, all of them or those with the slot of a place."""
        found = [arc for arc in self.transition.arcs if arc.kind == kind]
        return [arc for arc in found if place is None or self.slots[arc.place] == self.slots[place]]


def occurrence(transition: Transition, slots: Mapping[Place, Slot]) -> Occurrence:
    """The functions of a transition whose places are found in these slots."""
    namespace: dict[str, Any] = {name: getattr(builtins, name) for name in PURE}
    namespace.update(transition.constants)
    namespace.update(_Disabled=Disabled, _choose=choose, _stay=stay, _Stamped=Stamped, _delay=delay)
    namespace.update(_tokens=_tokens, _number=_number, _some=_some, _holds=_holds, _is_below=_is_below)
    namespace["__builtins__"] = {}
    check_names(transition)
    writer = _Writer(transition, slots, namespace, given=given(transition))
    _early(writer)
    _bind(writer)
    _late(writer)
    _produce(writer)
    if not any(arc.kind == "reset" or (arc.kind in ("take", "put") and count_of(arc)) for arc in transition.arcs):
        writer.line("_stay()", "the transition")  # it may move no token at all, and occurs nevertheless
    binding = _binding(writer)
    filename = f"<transition {transition.name}>"
    head = "def _occur(_s):"
    functions = []
    for last in ("    pass", f"    return {binding}"):
        try:
            tree = ast.parse("\n".join([head, *writer.lines, last]))
            _name_variables(tree, [slot.variable for slot in slots.values()])
            code = compile(tree, filename, "exec")
        except SyntaxError as error:  # what is an expression need not be a pattern: (*x, *y)
            origin = ("", *writer.origins)[(error.lineno or 1) - 1]
            raise transition.error("SC123", f"{origin}: {error.msg}", "write another pattern") from None
        exec(code, namespace)
        functions.append(namespace.pop("_occur"))
    origins = ("", *writer.origins, "the binding")
    source = "\n".join([head, *writer.lines])
    return Occurrence(functions[0], functions[1], source, origins, frozenset(writer.bound))


def _name_variables(tree: ast.AST, names: list[str]) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "_s":
            node.attr = names[int(node.attr[1:])]


# -- what is known before any token is looked at ---------------------------------------------------------------------


def _early(writer: _Writer) -> None:
    """Inhibitor arcs without variables, and capacities where the numbers of tokens are plain."""
    for arc in writer.transition.arcs:
        if arc.kind == "inhibit" and writer.knows(names(arc.terms or ())):
            _inhibit(writer, arc)
    for place in writer.places():
        capacity = writer.slots[place].capacity
        if capacity is None or writer.slots[place].single:
            continue
        taken = [count_of(arc) for arc in writer.arcs("take", place)]
        added = [count_of(arc) for arc in writer.arcs("put", place)]
        if not added or None in added or None in taken or writer.arcs("reset", place):
            continue
        most = capacity - sum(n or 0 for n in added) + sum(n or 0 for n in taken)
        if most < capacity:
            writer.line(
                f"if len({writer.reference(place)}) > {most}: raise _Disabled", f"the capacity of {place.name!r}"
            )


def count_of(arc: Arc) -> int | None:
    """How many tokens an arc always moves; None when that depends."""
    total = 0
    for term in arc.terms or ():
        if not isinstance(term, Tokens):
            return None
        if term.coefficient is None:
            total += 1
        elif isinstance(term.coefficient.node, ast.Constant) and type(term.coefficient.node.value) is int:
            total += term.coefficient.node.value
        else:
            return None
    return None if arc.terms is None else total


# -- binding variables -----------------------------------------------------------------------------------------------


def _bind(writer: _Writer) -> None:
    """Take and test tokens, choose and compute, until every variable is bound and every condition tested."""
    transition = writer.transition
    inputs = [_Input(arc, term) for arc in transition.arcs if arc.kind in ("take", "test") for term in arc.terms or ()]
    guard, let, free = list(transition.guard), dict(transition.let), dict(transition.free)
    _start_lists(writer)
    while inputs or guard or let or free:
        for name in [name for name in free if name in writer.bound]:
            _check_free(writer, name, free.pop(name))
        if _condition(writer, guard) or _compute(writer, let) or _define(writer, guard):
            continue
        best = min((one for one in inputs if _is_ready(writer, one, inputs)), key=_cost(writer), default=None)
        if best is None:
            best = next((one for one in inputs if _is_readable(writer, one)), None)
            if best is not None:  # a test that binds what a take from its place needs: it is decided at the end
                writer.start_list(writer.tested, best.arc)
        if best is not None:
            inputs.remove(best)
            _consume(writer, best)
        elif not _choose_free(writer, free) and (inputs or guard or let):
            raise _stuck(writer, inputs, guard, let)


def _start_lists(writer: _Writer) -> None:
    """Write down tokens that cannot be counted as they come.

    An inhibitor arc looks at the marking before anything is taken; where it waits for variables, it needs to know what
    was. A test arc with several terms is about their sum.
    """
    for arc in writer.transition.arcs:
        slot = writer.slots[arc.place]
        if arc.kind == "inhibit" and not names(arc.terms or ()) <= writer.given:
            if slot not in writer.taken and writer.arcs("take", arc.place):
                writer.start_list(writer.taken, slot)
        elif arc.kind == "test" and arc.terms and not (len(arc.terms) == 1 and isinstance(arc.terms[0], Tokens)):
            writer.start_list(writer.tested, arc)


# What cannot raise on tokens that the author had in mind: such a condition may be tested before those it stands behind.
_HARMLESS = (
    ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.Compare, ast.cmpop, ast.Constant, ast.Name, ast.Load,
    ast.Tuple, ast.IfExp, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
)  # fmt: skip


def _condition(writer: _Writer, guard: list[Expression]) -> bool:
    """Test a condition whose variables are known; `n != 0 and 10 // n > 1` is read from left to right."""
    for position, one in enumerate(guard):
        harmless = all(isinstance(node, _HARMLESS) for node in ast.walk(one.node))
        if writer.knows(one.names) and (position == 0 or harmless):
            writer.line(f"if not {writer.use(one)}: raise _Disabled", f"the guard {one.text}")
            guard.remove(one)
            return True
    return False


def _compute(writer: _Writer, let: dict[str, Expression]) -> bool:
    for name, value in let.items():
        if writer.knows(value.names):
            code, origin = writer.use(value), f"let {name} = {value.text}"
            # A variable that an arc or the guard has bound already must agree.
            writer.line(f"if {name} != {code}: raise _Disabled" if name in writer.bound else f"{name} = {code}", origin)
            writer.bound.add(name)
            del let[name]
            return True
    return False


def _define(writer: _Writer, guard: list[Expression]) -> bool:
    """A condition `x == e` binds x when e is known, as in coloured nets of other tools."""
    for one in guard:
        for name, value in definitions(one):
            if name not in writer.bound and writer.knows(value.names) and not writer.knows(frozenset({name})):
                writer.line(f"{name} = {writer.use(value)}", f"the guard {one.text}")
                writer.bound.add(name)
                guard.remove(one)
                return True
    return False


def _is_ready(writer: _Writer, item: _Input, inputs: list[_Input]) -> bool:
    slot = writer.slots[item.arc.place]
    if (item.arc.kind == "test" and item.arc not in writer.tested) and any(
        one.arc.kind == "take" and writer.slots[one.arc.place] == slot for one in inputs
    ):
        return False  # a test looks at what the takes leave
    return _is_readable(writer, item)


def _is_readable(writer: _Writer, item: _Input) -> bool:
    """Whether everything is known that a term of an arc needs."""
    term = item.term
    if not isinstance(term, Tokens):
        return writer.knows(names((term,)))
    constants = writer.transition.constants
    needed = pattern.needs(term.token.node, constants)
    if term.coefficient is not None and not isinstance(term.coefficient.node, ast.Constant):
        # It may be zero, and then binds nothing: variables that run freely do so first.
        needed |= term.coefficient.names | (pattern.binds(term.token.node, constants) & set(writer.transition.free))
    return writer.knows(needed)


def _cost(writer: _Writer) -> Callable[[_Input], tuple[int, int]]:
    def cost(item: _Input) -> tuple[int, int]:
        if writer.slots[item.arc.place].single:
            return 0, 0
        if not isinstance(item.term, Tokens) or _is_known(writer, item.term):
            return 1, 0
        unknown = pattern.binds(item.term.token.node, writer.transition.constants) - writer.bound
        return 2, len(unknown)

    return cost


def _is_known(writer: _Writer, term: Tokens) -> bool:
    """Whether the token can be computed, and need not be looked for."""
    constants = writer.transition.constants
    return not pattern.is_open(term.token.node, constants) and pattern.binds(term.token.node, constants) <= writer.bound


def _consume(writer: _Writer, item: _Input) -> None:
    arc, term = item.arc, item.term
    if isinstance(term, Tokens):
        _consume_tokens(writer, arc, term, f"{arc}: {arc.text}")
    else:
        _consume_computed(writer, arc, term)


def _consume_computed(writer: _Writer, arc: Arc, term: Tokens | Either | Computed) -> None:
    """Tokens that can be computed, but perhaps not how many they are."""
    tokens, origin = _listed(writer, (term,)), f"{arc}: {arc.text}"
    if arc.kind == "test":
        writer.line(f"{writer.tested[arc]} += {tokens}", origin)
    else:
        writer.line(f"for _t in {tokens}: {writer.take(arc.place, '_t')}", origin)


def _listed(writer: _Writer, terms: Multiset) -> str:
    """The expression whose value is a list of all tokens that the terms stand for."""
    parts = []
    for term in terms:
        if isinstance(term, Either):
            then, otherwise = (_listed(writer, side) for side in (term.then, term.otherwise))
            parts.append(f"({then} if {writer.use(term.condition)} else {otherwise})")
        elif isinstance(term, Computed):
            parts.append(f"_tokens({writer.use(term.value)})")
        else:
            parts.append(f"_tokens({writer.use(term.token)}, {_coefficient(writer, term)})")
    return " + ".join(parts) or "[]"


def _coefficient(writer: _Writer, term: Tokens, check: str = "_number") -> str:
    if term.coefficient is None:
        return "1"
    constant = isinstance(term.coefficient.node, ast.Constant)
    code = writer.use(term.coefficient)
    return code if constant else f"{check}({code})"


def _consume_tokens(writer: _Writer, arc: Arc, term: Tokens, origin: str) -> None:
    place, single = writer.reference(arc.place), writer.slots[arc.place].single
    if _is_known(writer, term):
        if single:
            writer.line(f"if {place} != {writer.use(term.token)}: raise _Disabled", origin)
        elif arc in writer.tested:
            _consume_computed(writer, arc, term)
        else:
            _consume_known(writer, arc, writer.use(term.token), _coefficient(writer, term))
        return
    count = _coefficient(writer, term, "_some")
    if not (count.isdigit() or single):  # whether or not a token is found: of none at all nothing could be bound
        writer.line(f"_n{writer.fresh()} = {count}", origin)
        count = f"_n{writer.names}"
    looked = place if single else f"{place}.{'take' if arc.kind == 'take' else 'peek'}()"
    name = f"_t{writer.fresh()}"
    if isinstance(term.token.node, ast.Name) and term.token.node.id != pattern.WILDCARD:
        name = term.token.node.id
        writer.bound.add(name)
        writer.line(f"{name} = {looked}", origin)
    else:
        writer.line(f"{name} = {looked}", origin)
        _match(writer, term.token, name, origin)
    if arc in writer.tested:
        writer.line(f"{writer.tested[arc]} += _tokens({name}, {count})", origin)
        return
    if arc.kind == "take" and (written := writer.taken.get(writer.slots[arc.place])) is not None:
        writer.line(f"{written}.append({name})", origin)
    if term.coefficient is not None:
        _consume_known(writer, arc, name, count if arc.kind == "test" else f"{count} - 1")


def _consume_known(writer: _Writer, arc: Arc, token: str, count: str) -> None:
    """So many of a token that is known."""
    origin = f"{arc}: {arc.text}"
    if arc.kind == "test":
        writer.line(f"if {writer.reference(arc.place)}.count({token}) < {count}: raise _Disabled", origin)
    elif count == "1":
        writer.line(writer.take(arc.place, token), origin)
    else:
        writer.line(f"for _i in range({count}): {writer.take(arc.place, token)}", origin)


def _match(writer: _Writer, token: Expression, name: str, origin: str) -> None:
    constants = writer.transition.constants
    text, found = pattern.match(token, frozenset(writer.bound), constants, writer.fresh())
    writer.namespace.update(found.classes)
    writer.line(f"match {name}:", origin)
    condition = f" if {' and '.join(found.conditions)}" if found.conditions else ""
    writer.line(f"case {text}{condition}: pass", origin, 2)
    if condition or not text.isidentifier():
        writer.line("case _: raise _Disabled", origin, 2)
    for one in found.lists:
        writer.line(f"{one} = tuple({one})", origin)
    writer.bound.update(found.binds)
    writer.unnamed += found.unnamed


def _choose_free(writer: _Writer, free: dict[str, Colour]) -> bool:
    for name, colour in free.items():
        values = f"_v{writer.fresh()}"
        writer.namespace[values] = colour.values()
        writer.line(f"{name} = _choose({values})", f"the free variable {name}")
        writer.bound.add(name)
        del free[name]
        return True
    return False


def _check_free(writer: _Writer, name: str, colour: Colour) -> None:
    """A free variable that something else bound after all must still be of its colour."""
    holder = f"_h{writer.fresh()}"
    writer.namespace[holder] = colour.contains
    writer.line(f"if not {holder}({name}): raise _Disabled", f"the free variable {name}")


# -- after binding: inhibitors with variables, then the tokens produced ----------------------------------------------


def _late(writer: _Writer) -> None:
    for arc, tokens in writer.tested.items():
        writer.line(f"if not _holds({writer.reference(arc.place)}, {tokens}): raise _Disabled", f"{arc}: {arc.text}")
    for arc in writer.transition.arcs:
        if arc.kind == "inhibit" and not names(arc.terms or ()) <= writer.given:
            _inhibit(writer, arc)
    for arc in writer.arcs("reset"):
        writer.line(f"{writer.reference(arc.place)}.clear()", str(arc))


def _inhibit(writer: _Writer, arc: Arc) -> None:
    place, origin = writer.reference(arc.place), f"{arc}: {arc.text}"
    if arc.terms is None:
        writer.line(f"if len({place}): raise _Disabled", origin)
        return
    taken = writer.taken.get(writer.slots[arc.place], "()")
    writer.line(f"if not _is_below({place}, {taken}, {_listed(writer, arc.terms)}): raise _Disabled", origin)


def _produce(writer: _Writer) -> None:
    for arc in writer.arcs("put"):
        for term in arc.terms or ():
            _put(writer, arc, term, 1)
    for place in writer.places():
        capacity = writer.slots[place].capacity
        added = [count_of(arc) for arc in writer.arcs("put", place)]
        taken = [count_of(arc) for arc in writer.arcs("take", place)]
        unclear = None in added or None in taken or bool(writer.arcs("reset", place))
        if capacity is not None and added and unclear:
            line = f"if len({writer.reference(place)}) > {capacity}: raise _Disabled"
            writer.line(line, f"the capacity of {place.name!r}")


def _put(writer: _Writer, arc: Arc, term: Tokens | Either | Computed, depth: int) -> None:
    origin, place = f"{arc}: {arc.text}", writer.reference(arc.place)
    if isinstance(term, Either):
        for head, side in ((f"if {writer.use(term.condition)}:", term.then), ("else:", term.otherwise)):
            writer.line(head, origin, depth)
            for one in side:
                _put(writer, arc, one, depth + 1)
            writer.line("pass", origin, depth + 1)
        return
    delays = [one for one in (writer.transition.delay, arc.delay, term.delay) if one is not None]
    wait = " + ".join(f"_delay({writer.use(one)})" for one in delays) or "0"
    checked = f"_c{list(writer.slots).index(arc.place)}"
    writer.namespace[checked] = _checker(arc.place)

    def made(token: str) -> str:
        return f"_Stamped({checked}({token}), {wait})" if arc.place.colour.timed else f"{checked}({token})"

    if isinstance(term, Computed):
        writer.line(f"for _t in _tokens({writer.use(term.value)}): {place}.add({made('_t')})", origin, depth)
    elif writer.slots[arc.place].single:
        writer.line(f"{place} = {made(writer.use(term.token))}", origin, depth)
    else:
        count = "" if term.coefficient is None else f", {_coefficient(writer, term)}"
        writer.line(f"{place}.add({made(writer.use(term.token))}{count})", origin, depth)


def _checker(place: Place) -> Callable[[Any], Any]:
    contains = place.colour.contains

    def checked(token: Any) -> Any:
        if contains(token):
            return token
        suggestion = "mend the inscription, or widen the colour"
        if isinstance(token, list | set | dict):
            suggestion = "several tokens are a Bag, Bag([1, 2]); one token that is a list is a tuple"
        raise ModelError(
            "SC220",
            f"the token {shown(token)} does not belong on place {place.name!r} of colour {place.colour}",
            suggestion=suggestion,
        )

    return checked


def _tokens(value: Any, times: int = 1) -> list[Any]:
    """The tokens that a value stands for: those of a bag, else itself."""
    return [*value] * times if isinstance(value, Bag) else [value] * times


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ModelError(
            "SC221",
            f"{shown(value)} is not a number of tokens",
            suggestion="a coefficient is a whole number, 0 or more",
        )
    return value


def _some(value: Any) -> int:
    number = _number(value)
    if number == 0:
        raise ModelError(
            "SC221",
            "0 tokens cannot bind the variables of their inscription",
            suggestion="bind the variables on another arc, or let the guard demand 1 or more",
        )
    return number


def _holds(place: Any, tokens: list[Any]) -> bool:
    """Whether a place holds all these tokens at once."""
    return all(place.count(token) >= tokens.count(token) for token in tokens)


def _is_below(place: Any, taken: Sequence[Any], tokens: list[Any]) -> bool:
    """Whether a place, before some tokens were taken, held fewer of each token than are named."""
    return all(place.count(token) + taken.count(token) < tokens.count(token) for token in tokens)


def _binding(writer: _Writer) -> str:
    """The binding as the label shows it: variables in the order in which the arcs name them."""
    order: dict[str, None] = {}
    for arc in writer.transition.arcs:
        for one in expressions(arc.terms or ()):
            order.update(dict.fromkeys(_mentioned(one.node)))
    shown_ = [name for name in order if name in writer.bound and name not in writer.transition.let]
    shown_ += sorted(writer.bound - set(order) - set(writer.transition.let))
    pairs = [f"({name!r}, {name})" for name in shown_] + [f"(None, {name})" for name in writer.unnamed]
    return "(" + "".join(f"{pair}, " for pair in pairs) + ")"


def _mentioned(node: ast.AST) -> Iterator[str]:
    """The names in an expression from left to right."""
    if isinstance(node, ast.Name):
        yield node.id
    for inner in ast.iter_child_nodes(node):
        yield from _mentioned(inner)


def _stuck(writer: _Writer, inputs: list[_Input], guard: list[Expression], let: dict[str, Expression]) -> ModelError:
    waiting = [one.arc.text for one in inputs] + [one.text for one in guard] + [one.text for one in let.values()]
    used: set[str] = set().union(*(names((one.term,)) for one in inputs), *(one.names for one in guard))
    used = used.union(*(one.names for one in let.values()))
    unbound = sorted(name for name in used if not writer.knows(frozenset({name})))
    return writer.transition.error(
        "SC124",
        f"nothing binds {', '.join(map(repr, unbound))}: each of {', '.join(map(repr, waiting))} needs it first",
        "let one arc have the variable by itself or in a tuple, or give its values: free={'x': range(3)}",
    )
