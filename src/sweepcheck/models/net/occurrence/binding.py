"""In which order tokens are looked at: until every variable is bound and every condition tested."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from sweepcheck.errors import ModelError
from sweepcheck.models.net.colours import Colour
from sweepcheck.models.net.inscription import Expression
from sweepcheck.models.net.names import check_names, definitions, given, names
from sweepcheck.models.net.occurrence.inputs import Input, consume, match_token, start_lists
from sweepcheck.models.net.occurrence.waiting import Waiting
from sweepcheck.models.net.occurrence.writer import Slot, Writer
from sweepcheck.models.net.structure import Place, Transition


def check(transition: Transition, slots: Mapping[Place, Slot]) -> None:
    """Refuse a transition that cannot be bound: a name or variable that nothing binds, a pattern that is none."""
    check_names(transition)
    writer = Writer(transition, slots, {}, given=given(transition))
    bind(writer)
    writer.compiled("pass")


def bind(writer: Writer) -> None:
    """Take and test tokens, choose and compute, until every variable is bound and every condition tested."""
    transition = writer.transition
    guard, let, free = list(transition.guard), dict(transition.let), dict(transition.free)
    start_lists(writer)
    waiting = Waiting(writer)
    while waiting or guard or let or free:
        for name in [name for name in free if name in writer.bound]:
            _check_free(writer, name, free.pop(name))
        if _condition(writer, guard) or _compute(writer, let) or _define(writer, guard):
            continue
        best = waiting.cheapest()
        if best is None and (best := waiting.readable()) is not None:
            writer.start_list(writer.tested, best.arc)  # a test that binds what a take from its place needs
        if best is not None:
            consume(writer, best)
        elif not _choose_free(writer, free) and (waiting or guard or let):
            raise _stuck(writer, waiting.inputs(), guard, let)


# -- conditions, and variables that are computed or chosen -----------------------------------------------------------

# What cannot raise on tokens that the author had in mind: such a condition may be tested before those it stands behind.
_HARMLESS = (
    ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.Compare, ast.cmpop, ast.Constant, ast.Name, ast.Load,
    ast.Tuple, ast.IfExp, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
)  # fmt: skip


def _condition(writer: Writer, guard: list[Expression]) -> bool:
    """Test a condition whose variables are known; `n != 0 and 10 // n > 1` is read from left to right."""
    for position, one in enumerate(guard):
        harmless = all(isinstance(node, _HARMLESS) for node in ast.walk(one.node))
        if writer.knows(one.names) and (position == 0 or harmless):
            writer.disabled_if(f"not {writer.use(one)}", f"the guard {one.text}")
            guard.remove(one)
            return True
    return False


def _compute(writer: Writer, let: dict[str, Expression]) -> bool:
    for name, value in let.items():
        if writer.knows(value.names):
            code, origin = writer.use(value), f"let {name} = {value.text}"
            # A variable that an arc or the guard has bound already must agree.
            writer.line(f"if {name} != {code}: raise _Disabled" if name in writer.bound else f"{name} = {code}", origin)
            writer.bound.add(name)
            del let[name]
            return True
    return False


def _define(writer: Writer, guard: list[Expression]) -> bool:
    """A condition `x == e` or `(x, y) == e` binds variables when e is known, as in coloured nets of other tools."""
    for one in guard:
        for found in definitions(one, writer.transition.constants):
            if not writer.knows(found.needs) or writer.knows(found.binds):
                continue
            code, origin = writer.use(found.value), f"the guard {one.text}"
            if isinstance(found.pattern.node, ast.Name):
                writer.line(f"{found.pattern.node.id} = {code}", origin)
                writer.bound.add(found.pattern.node.id)
            else:
                taken = f"_t{writer.fresh()}"
                writer.line(f"{taken} = {code}", origin)
                match_token(writer, found.pattern, taken, origin)
            guard.remove(one)
            return True
    return False


def _choose_free(writer: Writer, free: dict[str, Colour]) -> bool:
    for name, colour in free.items():
        if (listed := colour.values()) is None:  # of a file: a variable that the guard is to define
            continue
        values = f"_v{writer.fresh()}"
        writer.namespace[values] = listed
        writer.line(f"{name} = _choose({values})", f"the free variable {name}")
        writer.bound.add(name)
        del free[name]
        return True
    return False


def _check_free(writer: Writer, name: str, colour: Colour) -> None:
    """A free variable that something else bound after all must still be of its colour."""
    holder = f"_h{writer.fresh()}"
    writer.namespace[holder] = colour.contains
    writer.disabled_if(f"not {holder}({name})", f"the free variable {name}")


def _stuck(writer: Writer, inputs: list[Input], guard: list[Expression], let: dict[str, Expression]) -> ModelError:
    waiting = [one.arc.text for one in inputs] + [one.text for one in guard] + [one.text for one in let.values()]
    used: set[str] = set().union(*(names((one.term,)) for one in inputs), *(one.names for one in guard))
    used = used.union(*(one.names for one in let.values()))
    unbound = sorted(name for name in used if not writer.knows(frozenset({name})))
    return writer.transition.error(
        "SC124",
        f"nothing binds {', '.join(map(repr, unbound))}: each of {', '.join(map(repr, waiting))} needs it first",
        "let one arc have the variable by itself or in a tuple, or give its values: free={'x': range(3)}",
    )
