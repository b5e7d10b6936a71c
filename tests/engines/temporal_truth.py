"""What temporal formulas say of small graphs, found in other ways than the engines do.

LTL: every position of a run guesses what is true at the next one (the classical tableau of maximal sets), and a run is
right if the guesses come true. CTL: sets of states, by the definitions. Nothing here is shared with `sweepcheck.logic`
beside the trees of formulas.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import product

from graphs_with_actions import ACTIONS, MOST, VARIABLES, Drawn, Fair

from sweepcheck.core.temporal import FALSE, TRUE, About, Op, Proposition, Temporal, proposition

STATE_NAMES = ("p", "q")
UNARY = (Op.NOT, Op.NEXT, Op.EVENTUALLY, Op.ALWAYS)
BINARY = (Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.UNTIL, Op.WEAK_UNTIL, Op.RELEASE, Op.STRONG_RELEASE)


# -- random examples ------------------------------------------------------------------------------------------------


def random_graph(rng: random.Random) -> Drawn:
    edges = {(rng.randrange(MOST), rng.choice(ACTIONS), rng.randrange(MOST)) for _ in range(rng.randint(1, 12))} | {
        (0, rng.choice(ACTIONS), rng.randrange(MOST))
    }
    fair = {
        Fair(
            tuple(rng.sample(ACTIONS, rng.randint(1, 2))), rng.random() < 0.5, rng.choice((*[()] * 6, *zip(VARIABLES)))
        )
        for _ in range(rng.choice((0, 0, 1, 2)))
    }
    some = [frozenset(state for state in range(MOST) if rng.random() < 0.5) for _ in range(2)]
    return Drawn(tuple(sorted(edges)), some[0], some[1], frozenset(), tuple(sorted(fair, key=str)), rng.random() < 0.4)


def random_ltl(rng: random.Random, depth: int, with_last: bool = True) -> Temporal:
    if depth == 0 or rng.random() < 0.15:
        if with_last and rng.random() < 0.2:
            return proposition(About.LAST, rng.choice(ACTIONS))
        return rng.choice((TRUE, FALSE)) if rng.random() < 0.05 else proposition(About.NAME, rng.choice(STATE_NAMES))
    op = rng.choice((*UNARY, *UNARY, *BINARY))
    return Temporal(op, tuple(random_ltl(rng, depth - 1, with_last) for _ in range(1 if op in UNARY else 2)))


def random_long_run(rng: random.Random, depth: int, with_last: bool = True) -> Temporal:
    """A Boolean combination of G F and F G, most of them of what states or steps decide."""
    if depth == 0:
        outer = rng.choice(((Op.ALWAYS, Op.EVENTUALLY), (Op.EVENTUALLY, Op.ALWAYS)))
        inner = random_ltl(rng, rng.choice((0, 0, 0, 1, 2)), with_last)
        if rng.random() < 0.3:  # of both ends of a step
            after = Temporal(Op.NEXT, (random_ltl(rng, 0, with_last),))
            inner = Temporal(rng.choice((Op.AND, Op.OR, Op.IMPLIES)), (random_ltl(rng, 0, with_last=False), after))
        return Temporal(outer[0], (Temporal(outer[1], (inner,)),))
    op = rng.choice((Op.NOT, Op.NEXT, *BINARY))
    parts = (random_long_run(rng, depth - 1, with_last) for _ in range(1 if op in UNARY else 2))
    return Temporal(op, tuple(parts))


def random_ctl(rng: random.Random, depth: int) -> Temporal:
    if depth == 0 or rng.random() < 0.1:
        return rng.choice((TRUE, FALSE)) if rng.random() < 0.05 else proposition(About.NAME, rng.choice(STATE_NAMES))
    op = rng.choice((*UNARY, *BINARY[:4], *UNARY[1:], *BINARY[4:]))
    made = Temporal(op, tuple(random_ctl(rng, depth - 1) for _ in range(1 if op in UNARY else 2)))
    temporal = op in UNARY[1:] or op in BINARY[4:]
    return Temporal(rng.choice((Op.SOME_RUN, Op.EVERY_RUN)), (made,)) if temporal else made


def true_in(graph: Drawn, one: Proposition, state: int, last: str | None) -> bool:
    if one.about is About.LAST:
        return one.text == last
    return state in (graph.first if one.text == "p" else graph.second)


# -- LTL ------------------------------------------------------------------------------------------------------------


def plain(node: Temporal) -> Temporal:
    """The same by !, &, X and U alone."""
    parts = [plain(part) for part in node.parts]

    def no(part: Temporal) -> Temporal:
        return Temporal(Op.NOT, (part,))

    def both(a: Temporal, b: Temporal) -> Temporal:
        return Temporal(Op.AND, (a, b))

    def until(a: Temporal, b: Temporal) -> Temporal:
        return Temporal(Op.UNTIL, (a, b))

    match node.op:
        case Op.FALSE:
            return no(TRUE)
        case Op.TRUE | Op.PROPOSITION:
            return node
        case Op.NOT | Op.NEXT | Op.AND | Op.UNTIL:
            return Temporal(node.op, tuple(parts))
        case Op.EVENTUALLY:
            return until(TRUE, parts[0])
        case Op.ALWAYS:
            return no(until(TRUE, no(parts[0])))
    a, b = parts
    match node.op:
        case Op.OR:
            return no(both(no(a), no(b)))
        case Op.IMPLIES:
            return no(both(a, no(b)))
        case Op.IFF:
            return both(no(both(a, no(b))), no(both(b, no(a))))
        case Op.WEAK_UNTIL:
            return no(until(no(b), both(no(a), no(b))))
        case Op.RELEASE:
            return no(until(no(a), no(b)))
        case _:
            return until(b, both(a, b))


# A state, the action that led there, what is guessed of the next, and whether the run has ended.
Node = tuple[int, str | None, tuple[bool, ...], bool]


class Runs:
    """The runs of a graph with their guesses."""

    def __init__(self, graph: Drawn, asked: Temporal) -> None:
        self.graph = graph
        self.asked = plain(asked)
        nodes = list(dict.fromkeys(self.asked.walk()))
        self.untils = [node for node in nodes if node.op is Op.UNTIL]
        self.guessed = [node.parts[0] for node in nodes if node.op is Op.NEXT] + self.untils
        self.guessed = list(dict.fromkeys(self.guessed))
        self.values: dict[tuple[Temporal, Node], bool] = {}

    def value(self, node: Temporal, at: Node) -> bool:
        if (node, at) not in self.values:
            self.values[node, at] = self._value(node, at)
        return self.values[node, at]

    def _value(self, node: Temporal, at: Node) -> bool:
        match node.op:
            case Op.TRUE:
                return True
            case Op.PROPOSITION:
                return true_in(self.graph, node, at[0], at[1])
            case Op.NOT:
                return not self.value(node.parts[0], at)
            case Op.AND:
                return all(self.value(part, at) for part in node.parts)
            case Op.NEXT:
                return at[2][self.guessed.index(node.parts[0])]
            case _:
                left, right = node.parts
                later = at[2][self.guessed.index(node)]
                return self.value(right, at) or (self.value(left, at) and later)

    def guesses(self) -> list[tuple[bool, ...]]:
        return list(product((False, True), repeat=len(self.guessed)))

    def steps(self, at: Node) -> list[tuple[str | None, Node]]:
        out = [(action, target, False) for _, action, target in self.graph.out(at[0]) if not at[3]]
        out += [(None, at[0], True)] if at[3] or self.graph.ends(at[0]) else []
        found = []
        for action, target, ended in out:
            for guess in self.guesses():
                to = (target, action, guess, ended)
                if all(self.value(node, to) is at[2][i] for i, node in enumerate(self.guessed)):
                    found.append((action, to))
        return found

    def some_run_violates(self) -> bool:
        roots = [(0, None, guess, False) for guess in self.guesses()]
        roots = [root for root in roots if not self.value(self.asked, root)]
        edges: dict[Node, list[tuple[str | None, Node]]] = {}
        waiting = list(roots)
        while waiting:
            at = waiting.pop()
            if at not in edges:
                edges[at] = self.steps(at)
                waiting += [to for _, to in edges[at]]
        return self._lasting(set(edges), edges)

    def _lasting(self, inside: set[Node], edges: dict[Node, list[tuple[str | None, Node]]]) -> bool:
        for scc in components(inside, edges):
            taken = {
                one
                for one in self.graph.fair
                for at in scc
                for action, to in edges[at]
                if to in scc and action is not None and self.graph.takes(one, (at[0], action, to[0]))
            }
            if not any(to in scc for at in scc for _, to in edges[at]):
                continue
            fulfilled = all(
                any(self.value(node.parts[1], at) or not self.value(node, at) for at in scc) for node in self.untils
            )
            if not fulfilled:
                continue
            enabled = {one: [at for at in scc if self.graph.enables(one, at[0])] for one in self.graph.fair}
            unfair = [one for one in self.graph.fair if one not in taken and enabled[one]]
            if any(not one.strong and len(enabled[one]) == len(scc) for one in unfair):
                continue
            avoided = {at for one in unfair if one.strong for at in enabled[one]}
            if not avoided or self._lasting(scc - avoided, edges):
                return True
        return False


def components(inside: set[Node], edges: dict[Node, list[tuple[str | None, Node]]]) -> Iterable[set[Node]]:
    """By who reaches whom."""

    def reached(start: Node) -> set[Node]:
        found: set[Node] = set()
        waiting = [start]
        while waiting:
            for _, to in edges[waiting.pop()]:
                if to in inside and to not in found:
                    found.add(to)
                    waiting.append(to)
        return found

    reach = {at: reached(at) for at in inside}
    left = set(inside)
    while left:
        at = next(iter(left))
        scc = {other for other in reach[at] if at in reach[other]} | {at}
        left -= scc
        yield scc


def ltl_holds(graph: Drawn, asked: Temporal) -> bool:
    return not Runs(graph, asked).some_run_violates()


# -- CTL ------------------------------------------------------------------------------------------------------------


def ctl_states(graph: Drawn, node: Temporal) -> set[int]:
    """The states in which a formula is true, of those that there are."""
    everything = set(range(MOST))
    if node.op in (Op.SOME_RUN, Op.EVERY_RUN):
        run = node.parts[0]
        sets = [ctl_states(graph, part) for part in run.parts]
        if node.op is Op.SOME_RUN:
            return some_run(graph, run.op, sets)
        return everything - some_run(graph, OPPOSITE[run.op], [everything - one for one in sets])
    sets = [ctl_states(graph, part) for part in node.parts]
    match node.op:
        case Op.TRUE:
            return everything
        case Op.FALSE:
            return set()
        case Op.PROPOSITION:
            return {state for state in everything if true_in(graph, node, state, None)}
        case Op.NOT:
            return everything - sets[0]
        case Op.AND:
            return sets[0] & sets[1]
        case Op.OR:
            return sets[0] | sets[1]
        case Op.IMPLIES:
            return (everything - sets[0]) | sets[1]
        case _:
            return everything - (sets[0] ^ sets[1])


OPPOSITE = {
    Op.NEXT: Op.NEXT,
    Op.EVENTUALLY: Op.ALWAYS,
    Op.ALWAYS: Op.EVENTUALLY,
    Op.UNTIL: Op.RELEASE,
    Op.RELEASE: Op.UNTIL,
    Op.WEAK_UNTIL: "opposite of W",
    Op.STRONG_RELEASE: "opposite of M",
}


def some_run(graph: Drawn, op: object, sets: Sequence[set[int]]) -> set[int]:
    """The states from which a fair run has something."""

    def targets(state: int) -> set[int]:
        return {t for _, _, t in graph.out(state)} | ({state} if graph.ends(state) else set())

    def until(through: set[int], goal: set[int]) -> set[int]:
        found = set(goal)
        while more := {s for s in through - found if targets(s) & found}:
            found |= more
        return found

    def always(inside: set[int]) -> set[int]:
        return until(inside, graph.lasting(inside, graph.fair))

    everything = set(range(MOST))
    match op:
        case Op.NEXT:
            return {state for state in everything if targets(state) & sets[0]}
        case Op.EVENTUALLY:
            return until(everything, sets[0])
        case Op.ALWAYS:
            return always(sets[0])
        case Op.UNTIL:
            return until(*sets)
        case Op.WEAK_UNTIL:
            return until(*sets) | always(sets[0])
        case Op.RELEASE:
            return until(sets[1], sets[0] & sets[1]) | always(sets[1])
        case Op.STRONG_RELEASE:
            return until(sets[1], sets[0] & sets[1])
        case "opposite of W":  # of a W b, with the opposites of a and b: not b until neither
            return until(sets[1], sets[0] & sets[1])
        case _:  # of a M b = b U (a and b): not a until not b, or not a for ever
            return until(sets[0], sets[1]) | always(sets[0])


def ctl_holds(graph: Drawn, asked: Temporal) -> bool:
    return 0 in ctl_states(graph, asked)
