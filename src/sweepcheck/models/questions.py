"""What is asked of a model and declared with it, alike in all front-ends: progress, properties, equivalence."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from functools import cached_property
from inspect import isfunction
from itertools import count
from types import EllipsisType
from typing import Any, Protocol

from sweepcheck.core.cell import Redeclared
from sweepcheck.core.declaration import check_flag, check_function, check_name, check_predicate, texts
from sweepcheck.core.display import Displayed
from sweepcheck.core.equivalence import CutOff, Equivalence
from sweepcheck.core.fairness import FairNames
from sweepcheck.core.measure import Measure
from sweepcheck.core.plan import Constraint
from sweepcheck.core.property import Property
from sweepcheck.core.temporal import About, Temporal, proposition
from sweepcheck.errors import ModelError, caller, public, shown
from sweepcheck.properties import (
    always_eventually,
    always_possible,
    ctl,
    deadlock,
    eventually,
    invariant,
    leads_to,
    ltl,
    reachable,
    step,
)

Predicate = Callable[[Any], object]


class Maker(Protocol):
    """A function that makes a property, such as `invariant`."""

    __name__: str

    def __call__(self, name: str, predicate: Predicate, /) -> Property: ...


class Questions(Redeclared, Displayed):
    """The properties of a model, each with a name of its own.

    All but `deadlock` can also stand above a function, as `action` does: `@m.invariant("name")`, or `@m.invariant`,
    which calls the property what the function is called.
    """

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties, in the order of their declaration."""
        return tuple(self._asked.values())

    @cached_property
    def _asked(self) -> dict[str, Property]:
        return {}

    def invariant(self, name: str | Predicate, predicate: Predicate | EllipsisType = ...) -> Any:
        """Every reachable state satisfies the predicate."""
        return self._declare(invariant, name, predicate)

    def reachable(self, name: str | Predicate, predicate: Predicate | EllipsisType = ...) -> Any:
        """Some reachable state satisfies the predicate."""
        return self._declare(reachable, name, predicate)

    def deadlock(self, name: str = "deadlock", *, final: Predicate | None = None) -> None:
        """No reachable state is without successors, except those that `final` allows."""
        self.declare(deadlock(name, final=final))

    def always_possible(self, name: str | Predicate, predicate: Predicate | EllipsisType = ...) -> Any:
        """From every reachable state a state that satisfies the predicate can be reached (AG EF)."""
        return self._declare(always_possible, name, predicate)

    def always_eventually(self, name: str | Predicate, predicate: Predicate | EllipsisType = ...) -> Any:
        """From every reachable state every run meets a state that satisfies the predicate (AG AF)."""
        return self._declare(always_eventually, name, predicate)

    def eventually(self, name: str | Predicate, predicate: Predicate | EllipsisType = ...) -> Any:
        """Every run meets a state that satisfies the predicate at least once: the LTL formula F of it."""
        return self._declare(eventually, name, predicate)

    def step(self, name: str | Predicate, predicate: Predicate | EllipsisType = ...) -> Any:
        """Every step satisfies the predicate, a function of the state before and the state after it.

        `lambda old, new: new.clock >= old.clock`; with a third parameter it gets the name of the action too.
        """
        return self._declare(step, name, predicate)

    def leads_to(self, name: str, predicate: Predicate, goal: Predicate) -> None:
        """Every state that satisfies the predicate is followed, on every run, by one that satisfies the goal.

        It may be the state itself: AG(predicate -> AF goal).
        """
        self.declare(leads_to(name, predicate, goal))

    def ltl(self, name: str, formula: str | Temporal) -> None:
        """Every run satisfies an LTL formula, `"G (waiting -> F served)"`, of declared predicates and {expressions}."""
        self.declare(ltl(name, formula))

    def ctl(self, name: str, formula: str | Temporal) -> None:
        """Every initial state satisfies a CTL formula, `"AG (sent -> EF received)"`."""
        self.declare(ctl(name, formula))

    # -- what formulas speak of ---------------------------------------------------------------------------------------

    @cached_property
    def _predicates(self) -> dict[str, Predicate]:
        return {}

    def declared_predicates(self) -> Mapping[str, Predicate]:
        """See `Prepared`."""
        return dict(self._predicates)

    @public
    def predicate(self, name: str | Predicate, predicate: Predicate | EllipsisType = ...) -> Any:
        """Give a predicate a name, by which formulas know it: `m.predicate("served", lambda s: s.turn == 0)`.

        `@m.predicate` can stand above a function, which formulas are then built from: `G(waiting >> F(served))`.
        """
        if isinstance(predicate, EllipsisType):
            if isinstance(name, str):
                return lambda function: self.predicate(name, function)
            return self.predicate(getattr(name, "__name__", ""), name)
        from sweepcheck.logic.parsing import is_name  # needs the grammar

        if not isinstance(name, str) or not is_name(name):
            raise ModelError(
                "SC237",
                f"a predicate is called {shown(name)}, which formulas cannot speak of",
                where=caller(),
                suggestion="give it a name of letters, digits and _, and none of the operators G F X U W R M E A",
            )
        check_predicate(predicate, f"predicate {name!r}")
        if name in self._predicates:
            raise ModelError(
                "SC112", f"two predicates are called {name!r}", where=caller(), suggestion="give each its own name"
            )
        self._predicates[name] = predicate
        return proposition(About.NAME, name, predicate)

    # -- which runs count ---------------------------------------------------------------------------------------------

    @cached_property
    def _fair(self) -> list[FairNames]:
        return []

    def declared_fairness(self) -> tuple[FairNames, ...]:
        """See `Prepared`."""
        return tuple(self._fair)

    def names_given(self, action: Any) -> tuple[str, ...]:
        """What the actions are called that were made of a function; nothing of what is none."""
        name = getattr(action, "__name__", None)
        return (name,) if isinstance(name, str) else ()

    _stutters = False

    def stuttering(self) -> None:
        """Declare that a run may end in any state: it then stays there for ever, unless fairness forbids that.

        Deadlocks are what they were. *Always eventually*, *leads to*, LTL and CTL look at these runs too.
        """
        self._stutters = True

    def declared_stuttering(self) -> bool:
        """See `Prepared`."""
        return self._stutters

    @public
    def fair(
        self,
        *actions: str | Callable[..., Any],
        together: bool = False,
        strong: bool = False,
        of: str | Iterable[str] = (),
    ) -> None:
        """Declare what no run ignores for ever while it stays enabled, or if it is `strong`, again and again.

        `m.fair(send, receive)` is fairness to each of them, by name or by function. With `together=True` it is to
        all as one, the members of a family too: a run that takes one of them again and again is fair. `of` names
        variables, `of="*"` all: a step that changes none of them does not count as one of these actions.
        """
        check_flag(together, "together", "SC234")
        check_flag(strong, "strong", "SC234")
        names: list[str] = []
        for given in actions:
            found = (given,) if isinstance(given, str) else self.names_given(given)
            if not found:
                raise ModelError(
                    "SC234",
                    f"fair was given {shown(given)}, which is no action",
                    where=caller(),
                    suggestion='give actions by function or by name: m.fair(send, "receive", together=True)',
                )
            names += found
        if not names:
            raise ModelError(
                "SC234", "fair was given no action", where=caller(), suggestion="name those that no run ignores"
            )
        self._fair.append(FairNames(tuple(names), strong, together, texts(of, "of", "SC234")))

    # -- what is explored ---------------------------------------------------------------------------------------------

    @cached_property
    def _constraints(self) -> dict[str, Constraint]:
        return {}

    def declared_constraints(self) -> tuple[Constraint, ...]:
        """See `Prepared`."""
        return tuple(self._constraints.values())

    @public
    def constraint(self, name: str | Predicate, predicate: Predicate | EllipsisType = ...) -> Any:
        """Explore only states that satisfy the predicate: `m.constraint(lambda s: s.clock <= 6)`. It may have a name.

        A state outside is found and judged, and its steps are not followed. Verdicts are about the system within, and
        name the constraint. There may be several. `@m.constraint` can stand above a function.
        """
        if isinstance(predicate, EllipsisType):
            if isinstance(name, str):
                return lambda function: self.constraint(name, function)
            return self.constraint(_constraint_name(name, self._constraints), name)
        check_name(name, "a constraint")
        check_predicate(predicate, f"constraint {name!r}")
        if not self._again("constraint", name) and name in self._constraints:
            raise ModelError(
                "SC112", f"two constraints are called {name!r}", where=caller(), suggestion="give each its own name"
            )
        self._constraints[str(name)] = Constraint(str(name), predicate)
        return predicate if isfunction(predicate) else None

    def _declare(self, make: Maker, name: Any, predicate: Predicate | EllipsisType) -> Any:
        """Declare a property by name and predicate; without a predicate, give back the decorator of one."""
        if not isinstance(predicate, EllipsisType):
            return self.declare(make(name, predicate))
        if isfunction(name) and name.__name__ != "<lambda>":
            self.declare(make(name.__name__, name))
            return name
        awaited = make(name, _still_missing(make.__name__, name))  # so that none is forgotten without a word
        self.declare(awaited)

        def decorate(function: Predicate) -> Predicate:
            self._asked[awaited.name] = make(name, function)
            return function

        return decorate

    @public
    def declare(self, declared: Property) -> None:
        """Declare a property."""
        if not isinstance(declared, Property):
            raise ModelError(
                "SC117",
                f"{shown(declared)} is not a property",
                where=caller(),
                suggestion='write m.invariant("name", lambda s: ...)',
            )
        if not self._again("property", declared.name) and declared.name in self._asked:
            raise ModelError(
                "SC112",
                f"two properties are called {declared.name!r}",
                where=caller(),
                suggestion="give each its own name",
            )
        self._asked[declared.name] = declared


def _constraint_name(function: object, taken: Container[str]) -> str:
    """What a constraint is called that was given no name: as its function, or by a number."""
    own = getattr(function, "__name__", "<lambda>")
    if own != "<lambda>":
        return str(own)
    return next(name for name in (f"constraint {number}" for number in count(1)) if name not in taken)


def _still_missing(kind: str, name: object) -> Predicate:
    """The predicate of a property that was declared without one, until a function is decorated with it."""
    where = caller()

    def missing(*_: object) -> bool:
        raise ModelError(
            "SC117",
            f"{kind} {name!r} has no predicate",
            where=where,
            suggestion=f"give it, m.{kind}({name!r}, lambda s: ...), or write @m.{kind}({name!r}) above a function",
        )

    return missing


class Progress(Redeclared):
    """The progress measure of a model."""

    measure: Measure | None = None

    @public
    def progress(self, measure: Callable[[Any], Any] | Measure, *, span: tuple[Any, Any] | None = None) -> Any:
        """Declare the progress measure: a function of the state, or a `Measure` with an order of its own.

        `span`, the first and the last value, lets a run say how far it is. `@m.progress` can stand above a function.
        """
        if not self._again("progress") and self.measure is not None:
            raise ModelError(
                "SC112",
                "two progress measures are declared",
                where=caller(),
                suggestion="declare one; check(model, measure=...) tries another",
            )
        m = measure if isinstance(measure, Measure) else Measure(measure)
        self.measure = m if span is None else Measure(m.function, m.order, m.name, span, m.monotone, m.parts)
        return measure if isfunction(measure) else None  # as a decorator it leaves the function what it is


class Classes(Redeclared):
    """Which states of a model are equivalent."""

    _equivalence: Equivalence | None = None
    _cutoff: CutOff | None = None

    @public
    def equivalence(self, key: Callable[[Any], Hashable]) -> Any:
        """Declare which states are equivalent: those for which the function has the same value, the key of a class.

        One state of each class is explored. Equivalent states must be able to do the same, action by action, and have
        equal progress. `@m.equivalence` can stand above a function.
        """
        if not self._again("equivalence") and self._equivalence is not None:
            raise _twice("equivalences")
        check_function(key, "the key of the equivalence")
        self._equivalence = Equivalence((key,))
        return key if isfunction(key) else None

    @public
    def cutoff(self, key: Callable[[Any], Hashable], *, when: Predicate | None = None) -> None:
        """Declare where a sweep through a system without end may stop: at states that are equivalent to an earlier one.

        The key is that of an equivalence, except that equivalent states need not have equal progress. The classes of
        states that satisfy `when` (by default all) are remembered for ever, the others while they are stored: fewer
        need less memory, too few and a run does not end.
        """
        if not self._again("cutoff") and self._cutoff is not None:
            raise _twice("cut-offs")
        check_function(key, "the key of the cut-off")
        if when is not None:
            check_predicate(when, "the predicate `when` of the cut-off")
        self._cutoff = CutOff(Equivalence((key,)), when)

    def declared_equivalence(self) -> Equivalence | None:
        """See `Prepared`."""
        return self._equivalence

    def declared_cutoff(self) -> CutOff | None:
        """See `Prepared`."""
        return self._cutoff


def _twice(what: str) -> ModelError:
    return ModelError("SC112", f"two {what} are declared", where=caller(), suggestion="declare one")
