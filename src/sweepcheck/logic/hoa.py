"""The Hanoi Omega-Automata format (version 1): what Spot, Owl and ltl3ba write, and what they read of ours.

Read are Buechi and generalised Buechi automata (and those in which every run is accepted), with marks on states or
edges, with labels on edges, on states, or implicit ones. Propositions are texts of formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from sweepcheck.core.automaton import Automaton, AutomatonEdge
from sweepcheck.core.temporal import About, Op, Proposition, proposition
from sweepcheck.errors import ModelError, SweepcheckError, clip
from sweepcheck.logic.translation import MOST_EDGES, MOST_PROPOSITIONS, MOST_STATES

TOKEN = re.compile(
    r"""\s+|/\*.*?\*/|(?P<text>"(?:[^"\\]|\\.)*")|(?P<header>[A-Za-z_][\w-]*:)|(?P<alias>@[\w-]+)"""
    r"""|(?P<name>[A-Za-z_][\w-]*)|(?P<body>--\w+--)|(?P<number>\d+)|(?P<sign>[!&|()\[\]{}])""",
    re.DOTALL,
)
MOST_MARKS = 24
MOST_CUBES = 4096  # of one label


def hoa(given: Automaton, name: str) -> str:
    """An automaton as HOA."""
    texts = [_quoted(str(one)) for one in given.propositions]
    rows = ["HOA: v1", f"name: {_quoted(name)}", f"States: {given.size}"]
    rows += [f"Start: {state}" for state in given.initial]
    rows.append(" ".join(["AP:", str(len(texts)), *texts]))
    sets = "&".join(f"Inf({number})" for number in range(given.marks)) or "t"
    known = "all" if not given.marks else "Buchi" if given.marks == 1 else f"generalized-Buchi {given.marks}"
    rows += [f"acc-name: {known}", f"Acceptance: {given.marks} {sets}"]
    rows += ["properties: trans-labels explicit-labels trans-acc", "--BODY--"]
    for state, edges in enumerate(given.edges):
        rows.append(f"State: {state}")
        for edge in edges:
            marks = " ".join(str(number) for number in range(given.marks) if edge.marks >> number & 1)
            rows.append(f"[{label(edge)}] {edge.target}{f' {{{marks}}}' if marks else ''}")
    return "\n".join([*rows, "--END--"])


def label(edge: AutomatonEdge, names: tuple[str, ...] = ()) -> str:
    """What an edge reads, by the numbers of propositions or by names for them."""
    bits = range((edge.needs | edge.forbids).bit_length())
    words = [names[bit] if names else str(bit) for bit in bits]
    signs = [words[bit] if edge.needs >> bit & 1 else f"!{words[bit]}" for bit in bits if _says(edge, bit)]
    return "&".join(signs) or "t"


def _says(edge: AutomatonEdge, bit: int) -> bool:
    return bool((edge.needs | edge.forbids) >> bit & 1)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@dataclass
class _Head:
    start: list[int] = field(default_factory=list)
    propositions: tuple[Proposition, ...] = ()
    marks: int = 0
    states: int | None = None
    aliases: dict[str, list[tuple[int, int]]] = field(default_factory=dict)


Cubes = list[tuple[int, int]]  # needs and forbids: at least one of them


class _Reader:
    """One automaton, token by token."""

    def __init__(self, text: str, filename: str) -> None:
        self._filename = filename
        self._text = text
        self._tokens = list(self._split())
        self._at = 0
        self._head = _Head()

    def _split(self) -> Iterator[tuple[str, str, int]]:
        place = 0
        while place < len(self._text):
            found = TOKEN.match(self._text, place)
            if found is None:
                raise self._error(f"{self._text[place]!r} was not expected", place)
            if found.lastgroup is not None:
                yield found.lastgroup, found.group(), place
            place = found.end()

    def _error(self, what: str, place: int | None = None) -> ModelError:
        if place is None:
            place = self._tokens[self._at][2] if self._at < len(self._tokens) else len(self._text)
        line = self._text.count("\n", 0, place) + 1
        return ModelError(
            "SC238",
            what,
            where=f"{self._filename}:{line}",
            suggestion="give an automaton in HOA version 1, Buechi or generalised Buechi: ltl2tgba -B 'F(p & G !q)'",
        )

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at][:2] if self._at < len(self._tokens) else ("end", "the end of the file")

    def _take(self, kind: str, what: str = "") -> str:
        found, text = self._peek()
        if found != kind or (what and text != what):
            raise self._error(f"{text!r} stands where {what or kind!r} should")
        self._at += 1
        return text

    def _number(self, most: int) -> int:
        text = self._take("number")
        if len(text) > 9 or int(text) > most:
            self._at -= 1
            raise self._error(f"{clip(text, 20)} is more than is read here: {most:,}")
        return int(text)

    def automaton(self) -> Automaton:
        self._take("header", "HOA:")
        self._take("name", "v1")
        while self._peek()[0] == "header":
            self._header(self._take("header"))
        self._take("body", "--BODY--")
        edges = self._body()
        if self._peek()[0] != "end":
            raise self._error("a second automaton follows; one is read")
        size = len(edges)
        for state in (*self._head.start, *(edge.target for of in edges for edge in of)):
            if state >= size:
                raise self._error(f"there is no state {state}")
        initial = tuple(dict.fromkeys(self._head.start))
        return Automaton(self._head.propositions, initial, tuple(edges), self._head.marks)

    # -- the head -----------------------------------------------------------------------------------------------------

    def _header(self, name: str) -> None:
        match name:
            case "States:":
                self._head.states = self._number(MOST_STATES)
            case "Start:":
                self._head.start.append(self._number(MOST_STATES))
                if self._peek()[1] == "&":
                    raise self._error("alternating automata are not read")
            case "AP:":
                count = self._number(MOST_PROPOSITIONS)
                self._head.propositions = tuple(self._proposition() for _ in range(count))
            case "Alias:":
                alias = self._take("alias")
                self._head.aliases[alias] = self._either()
            case "Acceptance:":
                self._acceptance()
            case _:
                if name[0].isupper():
                    self._at -= 1
                    raise self._error(f"the header {name} is not known, and changes what the automaton means")
                while self._peek()[0] not in ("header", "body", "end"):
                    self._at += 1

    def _proposition(self) -> Proposition:
        text = re.sub(r"\\(.)", r"\1", self._take("text")[1:-1])
        from sweepcheck.logic.parsing import parse  # needs the grammar

        try:
            found = parse(text)
        except SweepcheckError:
            found = None
        if isinstance(found, Proposition):
            return found
        if found is not None and found.op is not Op.PROPOSITION:
            self._at -= 1
            raise self._error(f"the proposition {clip(text, 100)!r} is a formula")
        return proposition(About.EXPRESSION, text)  # as other tools allow it: "x == 1"

    def _acceptance(self) -> None:
        self._head.marks = self._number(MOST_MARKS)
        text = ""
        while self._peek()[0] not in ("header", "body", "end"):
            text += self._peek()[1]
            self._at += 1
        wanted = {f"Inf({number})" for number in range(self._head.marks)}
        if set(text.replace("(Inf", "Inf").replace("))", ")").split("&")) != (wanted or {"t"}):
            raise self._error(f"the acceptance condition {clip(text, 100)!r} is neither Buechi nor generalised Buechi")

    # -- labels -------------------------------------------------------------------------------------------------------

    def _either(self) -> Cubes:
        found = self._both()
        while self._peek()[1] == "|":
            self._at += 1
            found = self._small(found + self._both())
        return found

    def _both(self) -> Cubes:
        found = self._one()
        while self._peek()[1] == "&":
            self._at += 1
            found = self._small(list(_joined(found, self._one())))
        return found

    def _one(self) -> Cubes:
        kind, text = self._peek()
        self._at += 1
        if text == "!":
            return self._small(self._opposite(self._one()))
        if text == "(":
            found = self._either()
            self._take("sign", ")")
            return found
        if kind == "name" and text in ("t", "f"):
            return [(0, 0)] if text == "t" else []
        if kind == "alias" and text in self._head.aliases:
            return self._head.aliases[text]
        if kind == "number" and len(text) < 4 and int(text) < len(self._head.propositions):
            return [(1 << int(text), 0)]
        self._at -= 1
        raise self._error(f"{text!r} is no part of a label")

    def _opposite(self, cubes: Cubes) -> Cubes:
        result: Cubes = [(0, 0)]
        for needs, forbids in cubes:
            literals = [(0, 1 << b) for b in _bits(needs)] + [(1 << b, 0) for b in _bits(forbids)]
            result = self._small(list(_joined(result, literals)))
        return result

    def _small(self, cubes: Cubes) -> Cubes:
        distinct = list(dict.fromkeys(cubes))
        if len(distinct) > MOST_CUBES:
            raise self._error("a label is too large")
        return distinct

    # -- the body -----------------------------------------------------------------------------------------------------

    def _marks(self) -> int:
        marks = 0
        if self._peek()[1] == "{":
            self._at += 1
            while self._peek()[1] != "}":
                number = self._number(MOST_MARKS)
                if number >= self._head.marks:
                    raise self._error(f"there is no acceptance set {number}")
                marks |= 1 << number
            self._at += 1
        return marks

    def _label(self) -> Cubes | None:
        if self._peek()[1] != "[":
            return None
        self._at += 1
        found = self._either()
        self._take("sign", "]")
        return found

    def _body(self) -> list[tuple[AutomatonEdge, ...]]:
        states: dict[int, tuple[AutomatonEdge, ...]] = {}
        while self._peek()[1] == "State:":
            self._at += 1
            of_state = self._label()
            state = self._number(MOST_STATES)
            if state in states:
                raise self._error(f"state {state} is described twice")
            if self._peek()[0] == "text":
                self._at += 1
            marks = self._marks()
            states[state] = tuple(self._edges(of_state, marks))
            if sum(map(len, states.values())) > MOST_EDGES:
                raise self._error(f"there are more than {MOST_EDGES:,} edges")
        self._take("body", "--END--")
        size = self._head.states
        if size is None:
            size = max([*states, *self._head.start], default=-1) + 1
        elif states and max(states) >= size:
            raise self._error(f"state {max(states)} is one more than there are")
        return [states.get(state, ()) for state in range(size)]

    def _edges(self, of_state: Cubes | None, marks: int) -> Iterator[AutomatonEdge]:
        implicit = 0
        while self._peek()[1] == "[" or self._peek()[0] == "number":
            cubes = self._label() if of_state is None else of_state
            if cubes is None:  # the edges of all letters, one after the other
                every = (1 << len(self._head.propositions)) - 1
                if implicit > every:
                    raise self._error("a state has more edges than there are letters")
                cubes = [(implicit, every & ~implicit)]
                implicit += 1
            target = self._number(MOST_STATES)
            if self._peek()[1] == "&":
                raise self._error("alternating automata are not read")
            whole = marks | self._marks()
            for needs, forbids in cubes:
                yield AutomatonEdge(needs, forbids, target, whole)


def _bits(mask: int) -> Iterator[int]:
    return (bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _joined(one: Cubes, other: Cubes) -> Iterator[tuple[int, int]]:
    for (needs, forbids), (more, less) in product(one, other):
        if not (needs | more) & (forbids | less):
            yield needs | more, forbids | less


def read_hoa(text: str, filename: str) -> Automaton:
    """The automaton that a text describes."""
    try:
        return _Reader(text, filename).automaton()
    except RecursionError:
        raise ModelError(
            "SC238", "a label is nested too deeply", where=filename, suggestion="write it without parentheses"
        ) from None
