"""What a front-end may do for a run beyond giving states and edges. Every default does nothing.

The planner, reports, queries and commands ask any system for these and never which class it is: a new front-end
implements what it has, and none of them changes. A class that inherits from `Prepared` has the defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sweepcheck.errors import RequestError

if TYPE_CHECKING:
    from sweepcheck.core.counting import CountNet, TokenCounts
    from sweepcheck.core.equivalence import CutOff, Equivalence
    from sweepcheck.core.fairness import FairNames
    from sweepcheck.core.formula import Formula
    from sweepcheck.core.layout import DrawnPage, ReportLayout
    from sweepcheck.core.measure import Measure
    from sweepcheck.core.model import Edge, Label, State, System
    from sweepcheck.core.plan import Constraint, Source, Strategy
    from sweepcheck.core.property import Pattern, Property
    from sweepcheck.core.trace import Trace


class DeclaredAction(Protocol):
    """An action as its declaration names it; a member of a family has its parameters in the label."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> Label: ...


class Prepared(Protocol):
    """The capabilities of a system that not every system has."""

    action_word: str = "action"  # what its actions are called
    source: Source | None = None  # the file that it was loaded from

    # -- files of other tools ---------------------------------------------------------------------------------------

    @property
    def notes(self) -> Sequence[str]:
        """What a user should know about the file, though it makes no difference to the model."""
        return ()

    def report_layout(self) -> ReportLayout | None:
        """How the tool that the model comes from lays out its report."""
        return None

    def python_source(self, origin: str) -> str | None:
        """The model as the text of a Python file, where it came from a file of another kind, called `origin`."""
        del origin
        return None

    def drawn_pages(self, marking: Mapping[str, object] | None) -> Mapping[str, str] | None:
        """The pages that the model's file has drawn, as SVG by their names, with tokens: of the start, or these."""
        del marking
        return None

    def drawn_at(self) -> Sequence[DrawnPage]:
        """Where the model's file has drawn the nodes of a net, page by page."""
        return ()

    def own_expression(self, text: str) -> str | Callable[[Any], Any]:
        """An expression of the user's in Python over the state, or, in a language of the model's own, its meaning."""
        return text

    def variable_called(self, name: str) -> str:
        """The variable that a name of the user's means, where the model's file has shorter names; else the name."""
        return name

    # -- actions ----------------------------------------------------------------------------------------------------

    def declared_actions(self) -> Sequence[DeclaredAction] | None:
        """The actions, where they are known before any state is."""
        return None

    def action_functions(self) -> Mapping[str, Callable[..., Any]] | None:
        """The functions that make edges, by the names of the actions, where each action has one."""
        return None

    def runs_of(self, action: int, state: State) -> tuple[Sequence[Edge], frozenset[int]] | None:
        """The edges of one action, by its position, and which variables, by theirs, its runs have read or written.

        None where the edges of a state are not those of its actions one after the other.
        """
        del action, state
        return None

    def some_edges(self, state: State, most: int | None) -> Sequence[Edge]:
        """The first edges out of a state, at most so many; None: all of them. For people, who do not read millions."""
        edges: Sequence[Edge] = self.edges(state)  # type: ignore[attr-defined] # of the system that this is part of
        return edges[:most]

    def count_net(self) -> CountNet | None:
        """The transitions that only count black tokens, where there are such: engines may fire them directly."""
        return None

    def priorities(self) -> Sequence[int] | None:
        """A number for each action: of those that are enabled only the least occur. None where all do."""
        return None

    def names_of(self, action: DeclaredAction) -> Sequence[str]:
        """The names that stand for an action: its own, its family's."""
        return action.name, str(action)

    def family(self, label: Label) -> str:
        """What an action is a member of: warnings name families, not members."""
        return label.action

    def unit_of(self, action: DeclaredAction) -> Label:
        """What an action is a part of, where several are one: the process of a step."""
        return action.label

    def declared_fairness(self) -> Sequence[FairNames]:
        """What no run ignores for ever."""
        return ()

    def declared_stuttering(self) -> bool:
        """Whether runs may end in any state."""
        return False

    def enabled(self, action: str, *arguments: Hashable, **named: Hashable) -> Callable[[Any], object]:
        """The predicate that an action is enabled, or edges of it with these values of parameters and choices."""
        del arguments, named
        raise RequestError(
            "SC413",
            f"enabled({action!r}) is not known: the actions of this model are not known one by one",
            suggestion="write the condition itself",
        )

    def token_counts(self) -> TokenCounts | None:
        """What of a state counts tokens, where it does nothing else: a net without time."""
        return None

    def owner(self, label: Label) -> str | None:
        """Who makes the step of an edge: a process, a member of a family, a module; None where nobody is named."""
        del label
        return None

    def declared_predicates(self) -> Mapping[str, Callable[[Any], object]]:
        """The predicates that formulas know by their names."""
        return {}

    def with_log(self, events: Any) -> System | None:
        """The system beside a log, whose states say how much of it is explained; None where that cannot be had."""
        del events
        return None

    # -- what is asked ----------------------------------------------------------------------------------------------

    def completed(self, asked: Property) -> Property:
        """A property with what the system knows better than whoever asks: which states may be final."""
        return asked

    def condition(self, text: str) -> Formula | None:
        """The formula that a text means, if engines can look inside it; else it is an expression of Python."""
        del text
        return None

    def pattern(self, text: str) -> Pattern:
        """The pattern of events that a text means."""
        raise without_events(text)

    # -- what a run needs -------------------------------------------------------------------------------------------

    def prepared(self: Any, properties: Sequence[Property]) -> System:
        """The system in which single states decide the properties: with observers of events, where they are asked."""
        for one in properties:
            if one.pattern is not None:
                raise without_events(one.name)
        return self  # type: ignore[no-any-return]

    def measure_for(self: Any, asked: str | None, needed: bool) -> Measure | None:
        """The measure that a text asks for by its kind; None if the text is an expression.

        Without a text: the one that is declared, or computed if a strategy needs one.
        """
        del needed
        return self.measure if asked is None else None

    def default_strategy(self, measure: Measure | None, demanding: str | None) -> tuple[Strategy, str | None] | None:
        """The strategy for a measure and why, if the system knows a better one than the usual default.

        `demanding` is what needs each state to be processed once, if anything does.
        """
        del measure, demanding
        return None

    def declared_equivalence(self) -> Equivalence | None:
        """Which states are one class; None if every state is explored."""
        return None

    def declared_cutoff(self) -> CutOff | None:
        """Which classes a sweep need not enter twice; None if it goes on while there are new states."""
        return None

    def declared_constraints(self) -> Sequence[Constraint]:
        """The conditions that explored states satisfy."""
        return ()

    # -- traces -----------------------------------------------------------------------------------------------------

    def original(self: Any, trace: Trace) -> tuple[System, Trace]:
        """The system before it was prepared, and a trace of this one as a trace of that."""
        return self, trace

    def followed(self, trace: Trace) -> Trace:
        """A trace of the system before it was prepared as a trace of this one."""
        return trace

    def reads_along(self, trace: Trace) -> Sequence[frozenset[str] | None]:
        """For each step of a trace the variables, and elements of arrays, that it read, as people call them.

        None where nobody can tell.
        """
        return [None] * len(trace.steps)

    def sees(self, pattern: Pattern, trace: Trace) -> bool:
        """Whether a pattern of events comes in a trace."""
        del trace
        raise without_events(", ".join(pattern.events))

    # -- what else there is to say ----------------------------------------------------------------------------------

    def representation(self) -> str | None:
        """How engines see it, where that is not as it is written."""
        return None

    def surveyed(self: Any) -> System:
        """The system that a report on the whole state space is about: one whose variables people know."""
        return self  # type: ignore[no-any-return]

    def folded(self) -> Mapping[str, Mapping[Hashable, str]]:
        """The variables that people read as one that holds tokens: by its name, the variable that counts each token."""
        return {}

    def remarks(self) -> Iterator[str]:
        """What to know about an answer on this model, though nothing is wrong with it; a line each."""
        return iter(())


def without_events(name: str) -> RequestError:
    """The error for a question about events that is asked of a system without them."""
    return RequestError(
        "SC404",
        f"property {name!r} is about events, and only networks of processes have events",
        suggestion="keep in a variable what has happened, and ask for an invariant",
    )
