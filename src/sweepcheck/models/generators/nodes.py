"""The nodes of a process's graph: statements, conditions, pauses (the yields), and its end."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from sweepcheck.models.generators.usage import Usage, usage


class Node:
    """A place in the code. Nodes are told apart by identity."""

    line: int
    called: tuple[int, ...] = ()  # the lines of the calls that it was put in by, the outermost first

    @property
    def next_nodes(self) -> tuple[Node, ...]:
        """What may come next."""
        return ()

    @cached_property
    def usage(self) -> Usage:
        """What it does with names."""
        return Usage()


@dataclass(eq=False)
class Statement(Node):
    """A statement without a pause inside."""

    tree: ast.stmt
    then: Node

    def __post_init__(self) -> None:
        self.line = self.tree.lineno

    @property
    def next_nodes(self) -> tuple[Node, ...]:
        """See `Node`."""
        return (resolved(self.then),)

    @cached_property
    def usage(self) -> Usage:
        """See `Node`."""
        return usage(self.tree)


@dataclass(eq=False)
class Condition(Node):
    """Two ways to go on. `binds` are names that have surely been written where it holds."""

    test: ast.expr
    then: Node
    otherwise: Node
    binds: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.line = self.test.lineno

    @property
    def next_nodes(self) -> tuple[Node, ...]:
        """See `Node`."""
        return resolved(self.then), resolved(self.otherwise)

    @cached_property
    def usage(self) -> Usage:
        """See `Node`."""
        return usage(self.test)


@dataclass(eq=False)
class Forgetting(Node):
    """Local variables of a function that is entered again: it knows nothing of the last time.

    `idle`: nobody reads them before they are written, as it should be.
    """

    names: frozenset[str]
    then: Node
    line: int
    idle: bool = False

    @property
    def next_nodes(self) -> tuple[Node, ...]:
        """See `Node`."""
        return (resolved(self.then),)

    @cached_property
    def usage(self) -> Usage:
        """See `Node`."""
        return Usage(writes=self.names, changes=self.names, deletes=self.names)


@dataclass(eq=False)
class Pause(Node):
    """A yield: the step ends here, and the next one begins."""

    label: str | None
    then: Node
    line: int

    @property
    def next_nodes(self) -> tuple[Node, ...]:
        """See `Node`."""
        return (resolved(self.then),)


@dataclass(eq=False)
class End(Node):
    """The process has ended."""

    line: int


@dataclass(eq=False)
class Join(Node):
    """Stands for a node that is not made yet: the head of a loop while its body is built."""

    line: int
    target: Node | None = None


def resolved(node: Node) -> Node:
    """The node itself, behind those that only stand for it."""
    while True:
        if isinstance(node, Join):
            assert node.target is not None
            node = node.target
        elif isinstance(node, Forgetting) and node.idle:
            node = node.then
        else:
            return node
