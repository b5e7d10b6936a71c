"""Smaller automata that accept the same runs, and automata as models carry them along."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sweepcheck.core.automaton import Automaton, AutomatonEdge, Reader

MOST_LETTERS = 1 << 10  # so many are tried one by one


def reduced(given: Automaton) -> Automaton:
    """Without states from which nothing is accepted; marks only where they matter; states that do the same are one."""
    component = _components(given)
    accepting = _accepting(given, component)
    edges = [
        [
            edge._replace(marks=edge.marks if component[edge.target] == component[state] in accepting else 0)
            for edge in of
        ]
        for state, of in enumerate(given.edges)
    ]
    alive = _leading_to(edges, {state for state in range(given.size) if component[state] in accepting})
    edges = [[edge for edge in of if edge.target in alive] if state in alive else [] for state, of in enumerate(edges)]
    block = _blocks([frozenset(of) for of in edges])
    return _merged(given, edges, block, alive)


def _apart(edges: list[AutomatonEdge]) -> list[AutomatonEdge]:
    """Edges between two states, without what another one reads too and marks as well: then there is less to choose."""
    kept = []
    for edge in dict.fromkeys(edges):
        left: AutomatonEdge | None = edge
        for other in edges:
            if other != edge and other.target == edge.target and other.marks | edge.marks == other.marks:
                left = left and _without(left, other)
        if left is not None:
            kept.append(left)
    return kept


def _without(edge: AutomatonEdge, better: AutomatonEdge) -> AutomatonEdge | None:
    """An edge without the letters that a better one reads too, where that is an edge; None where nothing is left."""
    needs, forbids = better.needs & ~edge.needs, better.forbids & ~edge.forbids
    if needs | forbids == 0:
        return None
    comparable = better.needs & edge.needs == edge.needs and better.forbids & edge.forbids == edge.forbids
    if comparable and (needs | forbids).bit_count() == 1 and better.marks != edge.marks:
        return edge._replace(needs=edge.needs | forbids, forbids=edge.forbids | needs)
    return edge


def _merged(given: Automaton, edges: list[list[AutomatonEdge]], block: list[int], alive: set[int]) -> Automaton:
    """One state for each block that is left, numbered as they are found from the initial ones."""
    numbers: dict[int, int] = {}
    member = {block[state]: state for state in reversed(range(given.size))}
    waiting: list[int] = []

    def number(state: int) -> int:
        if block[state] not in numbers:
            numbers[block[state]] = len(numbers)
            waiting.append(block[state])
        return numbers[block[state]]

    initial = tuple(dict.fromkeys(number(state) for state in given.initial if state in alive))
    made = []
    for one in waiting:
        merged = dict.fromkeys(edge._replace(target=number(edge.target)) for edge in edges[member[one]])
        made.append(tuple(_apart(list(merged))))
    return Automaton(given.propositions, initial, tuple(made), given.marks)


def _blocks(edges: Sequence[frozenset[AutomatonEdge]]) -> list[int]:
    """Numbers of states, equal where their edges lead to equal ones by the same letters and marks."""
    block = [0] * len(edges)
    while True:
        seen: dict[frozenset[AutomatonEdge], int] = {}
        now = [seen.setdefault(frozenset(e._replace(target=block[e.target]) for e in of), len(seen)) for of in edges]
        if len(seen) == len(set(block)):
            return now
        block = now


def _components(given: Automaton) -> list[int]:
    """For each state the number of its strongly connected component (Tarjan's algorithm, without recursion)."""
    order: list[int | None] = [None] * given.size
    low = [0] * given.size
    component = [-1] * given.size
    stack: list[int] = []
    count = components = 0
    for root in range(given.size):
        path: list[tuple[int, int]] = [(root, 0)] if order[root] is None else []
        while path:
            state, position = path.pop()
            if position == 0:
                order[state] = low[state] = count
                count += 1
                stack.append(state)
            for at in range(position, len(given.edges[state])):
                target = given.edges[state][at].target
                if order[target] is None:
                    path += [(state, at + 1), (target, 0)]
                    break
                if component[target] < 0:
                    low[state] = min(low[state], low[target])
            else:
                if low[state] == order[state]:
                    while component[state] < 0:
                        component[stack.pop()] = components
                    components += 1
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[state])
    return component


def _accepting(given: Automaton, component: list[int]) -> set[int]:
    """The components with a loop that meets every mark."""
    marks: dict[int, int] = {}
    for state, of in enumerate(given.edges):
        for edge in of:
            if component[edge.target] == component[state]:
                marks[component[state]] = marks.get(component[state], 0) | edge.marks
    return {one for one, met in marks.items() if met == given.all_marks}


def accepting_states(given: Automaton) -> set[int]:
    """The states on loops that meet every mark, or in a component with one."""
    component = _components(given)
    accepting = _accepting(given, component)
    return {state for state in range(given.size) if component[state] in accepting}


def _leading_to(edges: Sequence[Iterable[AutomatonEdge]], goal: set[int]) -> set[int]:
    """The states from which one of the goal can be reached."""
    before: list[list[int]] = [[] for _ in edges]
    for state, of in enumerate(edges):
        for edge in of:
            before[edge.target].append(state)
    found, waiting = set(goal), list(goal)
    while waiting:
        for state in before[waiting.pop()]:
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found


def reader(given: Automaton, complete: bool) -> Reader:
    """An automaton as a model carries it along. `complete`: every step of the model can be taken in every stage.

    Else that is so of some stage of every run, which is enough to meet all states of the model.
    """
    component = _components(given)
    accepting = _accepting(given, component)
    within: dict[int, set[int]] = {}  # the marks on edges to a state that stay in its component

    def stays(state: int, edge: AutomatonEdge) -> bool:
        return component[edge.target] == component[state] in accepting

    for state, of in enumerate(given.edges):
        for edge in of:
            if stays(state, edge):
                within.setdefault(edge.target, set()).add(edge.marks)
    stages: dict[tuple[int, int], int] = {}
    waiting: list[tuple[int, int]] = []

    def stage(state: int, marks: int | None) -> int:
        """Where marks do not matter, those that the state has anyhow are as good as any."""
        key = state, min(within.get(state, {0})) if marks is None else marks
        if key not in stages:
            stages[key] = len(stages) + 1
            waiting.append(key)
        return stages[key]

    def moved(state: int) -> list[AutomatonEdge]:
        return [
            AutomatonEdge(e.needs, e.forbids, stage(e.target, e.marks if stays(state, e) else None))
            for e in given.edges[state]
        ]

    table = [[edge for state in given.initial for edge in moved(state)]]
    for state, _ in waiting:
        table.append(moved(state))
    marked = [0, *(marks for _, marks in stages)]
    return _numbered(given, table, marked, complete)


def _numbered(given: Automaton, table: list[list[AutomatonEdge]], marked: list[int], complete: bool) -> Reader:
    """The stages, with those that do the same as one, and another one for whatever none of them reads."""
    block = _blocks_of_stages(table, marked)
    first = {one: stage for stage, one in reversed(list(enumerate(block)))}
    kept = sorted(first.values())
    number = {block[stage]: new for new, stage in enumerate(kept)}
    edges = [
        tuple(dict.fromkeys(edge._replace(target=number[block[edge.target]]) for edge in table[stage]))
        for stage in kept
    ]
    marks = [marked[stage] for stage in kept]
    every = given.all_marks
    if not complete and _goes_on(edges, len(given.propositions)):
        return Reader(given.propositions, tuple(edges), tuple(marks), every, None)
    if every == 0:  # the stage beyond must not be accepted
        every, marks = 1, [1] * len(marks)
    return Reader(given.propositions, (*edges, ()), (*marks, 0), every, len(edges))


def _blocks_of_stages(table: list[list[AutomatonEdge]], marked: list[int]) -> list[int]:
    """As `_blocks`, of stages: those with other marks are never the same, nor is any the one before all letters."""
    keyed = [
        frozenset((*of, AutomatonEdge(0, 0, stage, -1 - marked[stage] if stage else -1 << 60)))
        for stage, of in enumerate(table)
    ]
    block = [0] * len(table)
    while True:
        seen: dict[frozenset[AutomatonEdge], int] = {}
        now = []
        for of in keyed:
            moved = frozenset(e._replace(target=0 if e.marks < 0 else block[e.target]) for e in of)
            now.append(seen.setdefault(moved, len(seen)))
        if len(seen) == len(set(block)):
            return now
        block = now


def _goes_on(edges: Sequence[Sequence[AutomatonEdge]], propositions: int) -> bool:
    """Whether some run of the automaton goes on whatever is read: a set of stages that no letter leads out of."""
    letters = range(1 << propositions) if 1 << propositions <= MOST_LETTERS else None
    inside = set(range(len(edges)))
    while True:
        left = {stage for stage in inside if _reads_all([e for e in edges[stage] if e.target in inside], letters)}
        if left == inside:
            return 0 in inside
        inside = left


def _reads_all(edges: Sequence[AutomatonEdge], letters: range | None) -> bool:
    if any(not edge.needs and not edge.forbids for edge in edges):
        return True
    return letters is not None and all(any(edge.reads(letter) for edge in edges) for letter in letters)
