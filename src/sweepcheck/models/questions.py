"""What is asked of a model and declared with it: a progress measure and properties, alike in all front-ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.core.property import Kind, Property
from sweepcheck.errors import ModelError, caller, public, shown

Predicate = Callable[[Any], object]


class Questions:
    """The properties of a model, each with a name of its own."""

    properties: tuple[Property, ...] = ()

    def invariant(self, name: str, predicate: Predicate) -> None:
        """Every reachable state satisfies the predicate."""
        self.declare(Property(Kind.INVARIANT, name, predicate))

    def reachable(self, name: str, predicate: Predicate) -> None:
        """Some reachable state satisfies the predicate."""
        self.declare(Property(Kind.REACHABLE, name, predicate))

    def deadlock(self, name: str = "deadlock", *, final: Predicate | None = None) -> None:
        """No reachable state is without successors, except those that `final` allows."""
        self.declare(Property(Kind.DEADLOCK, name, final))

    def always_possible(self, name: str, predicate: Predicate) -> None:
        """From every reachable state a state that satisfies the predicate can be reached (AG EF)."""
        self.declare(Property(Kind.ALWAYS_POSSIBLE, name, predicate))

    def always_eventually(self, name: str, predicate: Predicate) -> None:
        """From every reachable state every run meets a state that satisfies the predicate (AG AF)."""
        self.declare(Property(Kind.ALWAYS_EVENTUALLY, name, predicate))

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
        if any(other.name == declared.name for other in self.properties):
            raise ModelError(
                "SC112",
                f"two properties are called {declared.name!r}",
                where=caller(),
                suggestion="give each its own name",
            )
        self.properties += (declared,)


class Progress:
    """The progress measure of a model."""

    measure: Measure | None = None

    @public
    def progress(self, measure: Callable[[Any], Any] | Measure, *, span: tuple[Any, Any] | None = None) -> None:
        """Declare the progress measure: a function of the state, or a `Measure` with an order of its own.

        `span`, the first and the last value, lets a run say how far it is.
        """
        if self.measure is not None:
            raise ModelError(
                "SC112",
                "two progress measures are declared",
                where=caller(),
                suggestion="declare one; check(model, measure=...) tries another",
            )
        m = measure if isinstance(measure, Measure) else Measure(measure)
        self.measure = m if span is None else Measure(m.function, m.order, m.name, span, m.monotone, m.components)
