"""What a process file says, as a tree: expressions, processes, systems, properties. Nothing is evaluated here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sweepcheck.core.property import Kind


class Position(NamedTuple):
    """Line and column, from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of the file and where it begins."""

    at: Position


# -- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Value(Node):
    """A number, or true or false."""

    value: int


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A parameter, constant, argument or index."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation(Node):
    """An operator with its operands."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Range(Node):
    """All numbers from the first to the last."""

    first: Expression
    last: Expression


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`all i in 1..n: ...` or `some i in 1..n: ...`."""

    quantifier: str
    name: str
    range: Range
    body: Expression


@dataclass(frozen=True, slots=True)
class Standing(Node):
    """`voter(i) at Waiting`: a component is in a location."""

    component: Call
    location: Call


Expression = Value | Variable | Operation | Quantified | Standing

# -- processes --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word(Node):
    """An index that is a name: the value of a variable if there is one, else the name itself."""

    name: str


@dataclass(frozen=True, slots=True)
class EventName(Node):
    """`yes.i.(k + 1)`."""

    name: str
    indices: tuple[Expression | Word, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A name with arguments: a process, a component or a location."""

    name: str
    arguments: tuple[Expression, ...] | None


@dataclass(frozen=True, slots=True)
class Prefix(Node):
    """An event, and what follows it."""

    event: EventName
    then: Process


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """Any of the branches."""

    branches: tuple[Process, ...]


@dataclass(frozen=True, slots=True)
class When(Node):
    """A branch that is there only if the condition is true."""

    condition: Expression
    then: Process


@dataclass(frozen=True, slots=True)
class AnyOf(Node):
    """A branch for every value of an index."""

    name: str
    range: Range
    then: Process


@dataclass(frozen=True, slots=True)
class Stop(Node):
    """No step at all."""


@dataclass(frozen=True, slots=True)
class Skip(Node):
    """No step, because all is done."""


Process = Prefix | Choice | When | AnyOf | Stop | Skip | Call

# -- systems ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Instance(Node):
    """A component: its name, and the process it runs."""

    name: Call | None
    process: Call


@dataclass(frozen=True, slots=True)
class Parallel(Node):
    """Parts side by side."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class AllOf(Node):
    """A part for every value of an index, side by side."""

    name: str
    range: Range
    part: Part


@dataclass(frozen=True, slots=True)
class Hide(Node):
    """A part with events hidden."""

    part: Part
    events: tuple[EventName, ...]


@dataclass(frozen=True, slots=True)
class Rename(Node):
    """A part with events renamed."""

    part: Part
    pairs: tuple[tuple[EventName, EventName], ...]


@dataclass(frozen=True, slots=True)
class Alphabet(Node):
    """A component that takes part in further events."""

    part: Part
    events: tuple[EventName, ...]


Part = Instance | Parallel | AllOf | Hide | Rename | Alphabet

# -- items ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """A named value; a parameter is one that can be given from outside."""

    name: str
    value: Expression
    is_parameter: bool


@dataclass(frozen=True, slots=True)
class Formal(Node):
    """A parameter of a process, and the values it may have."""

    name: str
    range: Range | None


@dataclass(frozen=True, slots=True)
class Definition(Node):
    """A process with its name."""

    name: str
    formals: tuple[Formal, ...]
    body: Process


@dataclass(frozen=True, slots=True)
class System(Node):
    """What is checked."""

    name: str | None
    composition: Part


@dataclass(frozen=True, slots=True)
class Measuring(Node):
    """How progress is computed: for one component or family, or for all."""

    component: str | None
    kind: str


@dataclass(frozen=True, slots=True)
class StateProperty(Node):
    """A property of states; a deadlock check has no predicate."""

    kind: Kind
    name: str
    predicate: Expression | None


@dataclass(frozen=True, slots=True)
class EventProperty(Node):
    """A pattern of events that must not come."""

    name: str
    events: tuple[EventName, ...]
    after: tuple[EventName, ...] = ()
    before: tuple[EventName, ...] = ()
    without: tuple[EventName, ...] = ()


Item = Constant | Definition | System | Measuring | StateProperty | EventProperty
