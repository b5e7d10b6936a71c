"""Random process programs, and a naive explorer for them: it runs real generators of Python.

A generator cannot be copied, so every state is kept as the choices that led to it, and all generators are run again
from the beginning along them. What tells states apart is read from the frames of the generators.
"""

import linecache
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from types import GeneratorType, SimpleNamespace
from typing import Any

NUMBERS = count()


class NotPossible(Exception):
    """A step that is disabled."""


@dataclass
class Program:
    """The text of a module: functions that are yielded from, and processes `p0`, `p1`, each for its members."""

    text: str
    members: tuple[int, ...]

    def run(self, **names: Any) -> dict[str, Any]:
        """The names of the module, when these were there before it."""
        filename = f"<program {next(NUMBERS)}>"
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(True), filename)
        namespace = dict(names)
        exec(compile(self.text, filename, "exec"), namespace)
        return namespace


class Author:
    """Writes random programs. Every way round a loop either passes a yield or counts up to a small number."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.depth = 0
        self.fresh = count()
        self.labels = ("waiting", "busy", "here")
        self.helpers: list[str] = []
        self.helping = False  # at work on one of them

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def expression(self) -> str:
        r = self.random
        atom = r.choice(["x", "y", "s.a", "s.b", "s.c[0]", "s.c[p % 2]", "p", "0", "1", "2"])
        other = r.choice(["x", "y", "s.a", "1", "2"])
        forms = [
            atom,
            atom,
            f"({atom} + {other}) % 3",
            f"({atom} if {other} > 1 else 1)",
            f"sum([{atom} for x in range(2)]) % 3",
            f"(lambda x: (x + {other}) % 3)({atom})",
            f"(y := {atom})",
        ]
        return r.choice(forms)

    def condition(self) -> str:
        r = self.random
        operator = r.choice(["==", "<", "!=", ">="])
        simple = (
            f"{r.choice(['x', 'y', 's.a', 's.b', 's.c[p % 2]'])} {operator} {r.choice(['0', '1', '2', 'x', 's.a'])}"
        )
        return r.choice(
            [simple, simple, f"(x := {self.expression()}) {operator} 1", f"{simple} and {self.expression()} > 0"]
        )

    def block(self, size: int, loop: str | None) -> None:
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement(size - 1, loop)
        self.depth -= 1

    def pause(self) -> None:
        self.write(f'yield "{self.random.choice(self.labels)}"' if self.random.random() < 0.4 else "yield")

    def statement(self, size: int, loop: str | None) -> None:
        r = self.random
        simple = [self.assign, self.assign, self.pause, self.pause, self.pick, self.wait, self.probe]
        if loop is not None:
            simple.append(lambda: self.jump(loop))
        structured = [self.branch, self.turns, self.spin, self.each, self.cases, self.call]
        if size > 0 and r.random() < 0.5:
            r.choice(structured)(size, loop)
        else:
            r.choice(simple)()

    def assign(self) -> None:
        targets = ["x", "y", "s.a", "s.b", "s.c[p % 2]", "s.c[0]"]
        first, second = self.random.sample(targets, 2)
        if self.random.random() < 0.2:
            self.write(f"{first}, {second} = {self.expression()}, {self.expression()}")
        elif self.random.random() < 0.2:
            self.write(f"{first} = -{first} % 3")
        else:
            self.write(f"{first} = {self.expression()}")

    def pick(self) -> None:
        self.write(
            f"{self.random.choice(['x', 'y', 's.a'])} = choose({self.random.choice(['0, 1', 'range(3)', '[2, 1]'])})"
        )

    def wait(self) -> None:
        self.write(f"require({self.condition()})")

    def probe(self) -> None:
        """Something with a variable that may have no value."""
        kind = self.random.randrange(3)
        if kind == 0:
            self.write("z = x")
            return
        self.write("try:")
        self.write("    y = z" if kind == 1 else "    del z")
        self.write("except NameError:")
        self.write(f"    {self.random.choice(['x', 's.b'])} = 2")

    def jump(self, loop: str) -> None:
        self.write(f"if {self.condition()}:")
        if self.random.random() < 0.2:
            self.write("    s.a = 1")
            self.write("    return 1" if self.helping else "    return")
        else:
            self.write(f"    {self.random.choice(['break', loop])}")

    def branch(self, size: int, loop: str | None) -> None:
        self.write(f"if {self.condition()}:")
        self.block(size, loop)
        if self.random.random() < 0.4:
            self.write(f"elif {self.condition()}:")
            self.block(size, loop)
        if self.random.random() < 0.5:
            self.write("else:")
            self.block(size, loop)

    def otherwise(self, size: int, loop: str | None) -> None:
        if self.random.random() < 0.3:
            self.write("else:")
            self.block(size, loop)

    def turns(self, size: int, loop: str | None) -> None:
        counter = f"n{next(self.fresh)}"
        self.write(f"{counter} = 0")
        self.write(f"while {counter} < {self.random.randint(1, 2)}:")
        self.write(f"    {counter} += 1")
        self.block(size, "continue")
        self.otherwise(size, loop)

    def spin(self, size: int, loop: str | None) -> None:
        self.write(f"while {self.random.choice(['True', self.condition(), self.condition()])}:")
        self.depth += 1
        self.pause()
        self.depth -= 1
        self.block(size, "continue")
        self.otherwise(size, loop)

    def each(self, size: int, loop: str | None) -> None:
        target = f"i{next(self.fresh)}"
        self.write(f"for {target} in {self.random.choice(['range(2)', '(2, 0)', '[1]', 'range(x)', '(0, 2, 1)'])}:")
        self.block(size, "continue")
        self.depth += 1
        self.write(f"x = {target}" if self.random.random() < 0.7 else "pass")
        self.depth -= 1
        self.otherwise(size, loop)

    def cases(self, size: int, loop: str | None) -> None:
        self.write(f"match ({self.expression()}, {self.expression()}):")
        self.write(f"    case (0, x){self.random.choice(['', ' if s.a > 0'])}:")
        self.depth += 1
        self.block(size, loop)
        self.write("case (1, _) | (_, 2):")
        self.block(size, loop)
        if self.random.random() < 0.5:
            self.write("case _:")
            self.block(size, loop)
        self.depth -= 1

    def call(self, size: int, loop: str | None) -> None:
        if not self.helpers:
            return self.assign()
        result = self.random.choice(["", "x = ", "s.b = "])
        arguments = self.random.choice(["p", "1", "x", "s.a", "q=y, p=x", "q=1, p=p"])
        return self.write(f"{result}yield from {self.random.choice(self.helpers)}(s, {arguments})")

    def function(self, head: str, last: str) -> None:
        self.helping = "q" in head
        self.write(head)
        self.depth += 1
        self.write("x, y = 0, 0" if self.helping else "s.a = x = y = 0")
        self.depth -= 1
        self.block(3, None)
        self.block(3, None)
        self.depth += 1
        self.pause()
        self.write(last)
        self.depth -= 1

    def program(self) -> Program:
        for number in range(self.random.randint(0, 2)):
            made = f"helper{number}"
            self.function(f"def {made}(s, p, q=2):", self.random.choice(["return (x + q) % 3", "return q"]))
            self.helpers.append(made)
        members = tuple(self.random.choice([(2,), (1, 1), (2, 1), (1,)]))
        for number, size in enumerate(members):
            self.write(f"@process({number}, p=range({size}))")
            self.function(f"def p{number}(s, p):", "s.c[0] = (s.c[0] + 1) % 3")
        return Program("\n".join(self.lines) + "\n", members)

    def endless_program(self) -> Program:
        """Processes that go round for ever, most of them."""
        members = tuple(self.random.choice([(2,), (1, 1), (1, 1), (2, 1)]))
        for number, size in enumerate(members):
            self.write(f"@process({number}, p=range({size}))")
            self.write(f"def p{number}(s, p):")
            self.write("    s.b = x = y = 0")
            self.write("    while True:")
            self.depth += 1
            self.block(self.random.choice([0, 0, 1]), None)
            self.depth += 1
            self.pause()
            self.write(f"s.a = {self.random.choice([0, 1, 1])}")
            self.pause()
            self.depth -= 2
        return Program("\n".join(self.lines) + "\n", members)


def endless_program(seed: int) -> Program:
    """The endless program of a seed."""
    return Author(Random(seed)).endless_program()


def random_program(seed: int) -> Program:
    """The program of a seed."""
    return Author(Random(seed)).program()


# -- the naive explorer -----------------------------------------------------------------------------------------------

Moves = tuple[tuple[int, tuple[int, ...]], ...]  # which process moved, and which alternatives it chose


@dataclass
class Run:
    """The generators after some moves."""

    shared: SimpleNamespace
    generators: list[Any]
    told: list[str | None]  # what each has yielded last
    script: list[int] = field(default_factory=list)
    chosen: list[tuple[int, int, Any]] = field(default_factory=list)  # which, of how many, the value

    def choose(self, *alternatives: Any) -> Any:
        offered = list(alternatives[0] if len(alternatives) == 1 else alternatives)
        index = self.script[len(self.chosen)] if len(self.chosen) < len(self.script) else 0
        if not offered:
            raise NotPossible
        self.chosen.append((index, len(offered), offered[index]))
        return offered[index]

    def move(self, process: int, script: tuple[int, ...]) -> None:
        self.script, self.chosen = list(script), []
        try:
            self.told[process] = next(self.generators[process])
        except StopIteration:
            self.told[process] = "ended"

    def key(self) -> Any:
        """What tells this state apart from others."""
        return self.values(), tuple(map(_frames, self.generators)), tuple(self.told)

    def values(self) -> tuple[int, int, tuple[int, ...]]:
        return self.shared.a, self.shared.b, tuple(self.shared.c)


def _frames(generator: GeneratorType | None) -> Any:
    if not isinstance(generator, GeneratorType) or generator.gi_frame is None:
        return None
    frame = generator.gi_frame
    local = tuple(sorted((name, value) for name, value in frame.f_locals.items() if name != "s"))
    return frame.f_lasti, local, _frames(generator.gi_yieldfrom)


class Naive:
    """A program as a graph of states and labelled edges."""

    def __init__(self, program: Program) -> None:
        self._current: Run | None = None
        self._functions: list[tuple[Any, int]] = []

        def process(number: int, p: range) -> Any:
            return lambda function: self._functions.extend((function, one) for one in p)

        def require(condition: object) -> None:
            if not condition:
                raise NotPossible

        def choose(*alternatives: Any) -> Any:
            assert self._current is not None
            return self._current.choose(*alternatives)

        program.run(process=process, require=require, choose=choose)

    def run(self, moves: Moves) -> Run:
        """All generators, run from the beginning."""
        shared = SimpleNamespace(a=0, b=0, c=[0, 0])
        made = Run(shared, [function(shared, p) for function, p in self._functions], [None] * len(self._functions))
        self._current = made
        for process, script in moves:
            made.move(process, script)
        return made

    def edges(self, moves: Moves) -> Iterator[tuple[int, tuple[Any, ...], Moves, Run]]:
        """Each step that is possible: the process, what it chose, the moves that lead there."""
        for process in range(len(self._functions)):
            script: tuple[int, ...] | None = ()
            while script is not None:
                run = self.run(moves)
                if run.told[process] == "ended":
                    break
                try:
                    run.move(process, script)
                    indices = tuple(one for one, _, _ in run.chosen)
                    yield process, tuple(one for _, _, one in run.chosen), (*moves, (process, indices)), run
                except NotPossible:
                    pass
                script = _next(run.chosen)


def _next(chosen: list[tuple[int, int, Any]]) -> tuple[int, ...] | None:
    taken = list(chosen)
    while taken:
        index, many, _ = taken.pop()
        if index + 1 < many:
            return (*(one for one, _, _ in taken), index + 1)
    return None


def pairs(program: Program, system: Any, most: int) -> Iterator[tuple[Any, Run]]:
    """Every state of the naive explorer, up to so many, with the state of the system that the same moves lead to.

    Both must offer the same steps; that they do is asserted on the way.
    """
    naive = Naive(program)
    names = [(f"p{number}", p) for number, size in enumerate(program.members) for p in range(size)]
    (initial,) = system.initial_states()
    first = naive.run(())
    waiting: deque[tuple[Moves, Any]] = deque([((), initial)])
    seen = {first.key(): initial}
    yield initial, first
    while waiting and len(seen) < most:
        moves, state = waiting.popleft()
        ours: dict[Any, Any] = {}
        for label, target in system.edges(state):
            process, _, _ = label.action.partition(":")
            (_, p), *chosen = label.arguments
            move = names.index((process, p)), tuple(value for _, value in chosen)
            assert move not in ours, "two edges by the same choices"
            ours[move] = target
        theirs = {(process, values): (after, run) for process, values, after, run in naive.edges(moves)}
        assert set(ours) == set(theirs), f"{system.describe(state)}: {sorted(ours)} instead of {sorted(theirs)}"
        for move, (after, run) in theirs.items():
            met = run.key()
            if met not in seen:
                seen[met] = ours[move]
                waiting.append((after, ours[move]))
                yield ours[move], run
            assert seen[met] == ours[move], f"{system.describe(seen[met])} and {system.describe(ours[move])}"
