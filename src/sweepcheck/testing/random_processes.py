"""Random programs of processes, from a small syntax: models of them, and a Hypothesis strategy for the kit.

What such a program does is told by Python itself (`real_generators`): every process is a generator function.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

from sweepcheck.core.values import Array
from sweepcheck.measures import partial_order, product, progress
from sweepcheck.models.actions import Model, choose, require
from sweepcheck.testing.drawing import st
from sweepcheck.testing.random_graphs import Case
from sweepcheck.testing.random_models import ANY, MEASURES, num

NUMBERS = count()
VARIABLES = "a=0, b=0, c=Array([0, 0])"
MEASURING = {"num": num, "partial_order": partial_order, "product": product, "progress": progress}


@dataclass(repr=False)
class Program:
    """The text of a module: functions that are yielded from, and processes `p0`, `p1`, each for its members."""

    text: str
    members: tuple[int, ...]
    grown: str = ""  # variables that only grow, with their initial values
    measure: str = ""
    predicate: str = "s.a == 1"

    def variables(self) -> dict[str, Any]:
        """The variables that the processes share, with their initial values."""
        made: dict[str, Any] = eval(f"dict({VARIABLES}, {self.grown})", {"Array": Array})
        return made

    def model(self, fair: tuple[int, ...] = ()) -> Model:
        """The program as a model; the processes of these numbers are fair."""
        m = Model("program", **self.variables())
        self.run(process=lambda number, p: m.process(p=p, fair=number in fair), require=require, choose=choose, num=num)
        if self.measure:
            m.progress(eval(self.measure, dict(MEASURING)))
        return m

    def names(self) -> list[tuple[str, int]]:
        """Every process, by name and member."""
        return [(f"p{number}", p) for number, size in enumerate(self.members) for p in range(size)]

    def case(self) -> Case:
        """What the conformance kit wants."""
        model = self.model()
        return Case(model, model.measure, eval(f"lambda s: {self.predicate}", dict(MEASURING)), self)

    def __repr__(self) -> str:
        shown = f"variables: {VARIABLES}, {self.grown}\nmeasure: {self.measure}\npredicate: {self.predicate}"
        return f'Program("""\n{self.text}""")\n{shown}'

    def run(self, **names: Any) -> dict[str, Any]:
        """The names of the module, when these were there before it."""
        filename = f"<program {next(NUMBERS)}>"
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(True), filename)
        namespace = dict(names)
        exec(compile(self.text, filename, "exec"), namespace)
        return namespace


class Author:
    """Writes random programs. Every way round a loop either passes a yield or counts up to a small number."""

    def __init__(self, random: Random, growth: tuple[str, ...] = ()) -> None:
        self.random = random
        self.growth = growth
        self.lines: list[str] = []
        self.depth = 0
        self.fresh = count()
        self.labels = ("waiting", "busy", "here")
        self.helpers: list[str] = []
        self.helping = False  # at work on one of them

    def write(self, line: str) -> None:
        """One line, at the present depth."""
        self.lines.append("    " * self.depth + line)

    def expression(self) -> str:
        """Something with a value from 0 to 2."""
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
        """Something that is true or not."""
        r = self.random
        operator = r.choice(["==", "<", "!=", ">="])
        simple = (
            f"{r.choice(['x', 'y', 's.a', 's.b', 's.c[p % 2]'])} {operator} {r.choice(['0', '1', '2', 'x', 's.a'])}"
        )
        return r.choice(
            [simple, simple, f"(x := {self.expression()}) {operator} 1", f"{simple} and {self.expression()} > 0"]
        )

    def block(self, size: int, loop: str | None) -> None:
        """A few statements, one level deeper."""
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement(size - 1, loop)
        self.depth -= 1

    def pause(self) -> None:
        """The end of a step."""
        self.write(f'yield "{self.random.choice(self.labels)}"' if self.random.random() < 0.4 else "yield")

    def statement(self, size: int, loop: str | None) -> None:
        """Any statement."""
        r = self.random
        simple = [self.assign, self.assign, self.pause, self.pause, self.pick, self.wait, self.probe]
        if loop is not None:
            simple.append(lambda: self.jump(loop))
        if self.growth:
            simple += [self.grow, self.grow]
        structured = [self.branch, self.turns, self.spin, self.each, self.cases, self.call]
        if size > 0 and r.random() < 0.5:
            r.choice(structured)(size, loop)
        else:
            r.choice(simple)()

    def assign(self) -> None:
        """An assignment, or two at once."""
        targets = ["x", "y", "s.a", "s.b", "s.c[p % 2]", "s.c[0]"]
        first, second = self.random.sample(targets, 2)
        if self.random.random() < 0.2:
            self.write(f"{first}, {second} = {self.expression()}, {self.expression()}")
        elif self.random.random() < 0.2:
            self.write(f"{first} = -{first} % 3")
        else:
            self.write(f"{first} = {self.expression()}")

    def grow(self) -> None:
        """Let one of the variables grow that a measure counts."""
        number = self.random.choice(["x % 3", "y % 3", "s.a", "p", "1", "2"])
        for line in self.random.choice(self.growth).format(number=number).splitlines():
            self.write(line)

    def pick(self) -> None:
        """A choice."""
        self.write(
            f"{self.random.choice(['x', 'y', 's.a'])} = choose({self.random.choice(['0, 1', 'range(3)', '[2, 1]'])})"
        )

    def wait(self) -> None:
        """A step that may be disabled."""
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
        """A way out of a loop, or round it."""
        self.write(f"if {self.condition()}:")
        if self.random.random() < 0.2:
            self.write("    s.a = 1")
            self.write("    return 1" if self.helping else "    return")
        else:
            self.write(f"    {self.random.choice(['break', loop])}")

    def branch(self, size: int, loop: str | None) -> None:
        """An if."""
        self.write(f"if {self.condition()}:")
        self.block(size, loop)
        if self.random.random() < 0.4:
            self.write(f"elif {self.condition()}:")
            self.block(size, loop)
        if self.random.random() < 0.5:
            self.write("else:")
            self.block(size, loop)

    def otherwise(self, size: int, loop: str | None) -> None:
        """Perhaps an else of a loop."""
        if self.random.random() < 0.3:
            self.write("else:")
            self.block(size, loop)

    def turns(self, size: int, loop: str | None) -> None:
        """A loop that counts."""
        counter = f"n{next(self.fresh)}"
        self.write(f"{counter} = 0")
        self.write(f"while {counter} < {self.random.randint(1, 2)}:")
        self.write(f"    {counter} += 1")
        self.block(size, "continue")
        self.otherwise(size, loop)

    def spin(self, size: int, loop: str | None) -> None:
        """A loop that may go on for ever."""
        self.write(f"while {self.random.choice(['True', self.condition(), self.condition()])}:")
        self.depth += 1
        self.pause()
        self.depth -= 1
        self.block(size, "continue")
        self.otherwise(size, loop)

    def each(self, size: int, loop: str | None) -> None:
        """A for."""
        target = f"i{next(self.fresh)}"
        self.write(f"for {target} in {self.random.choice(['range(2)', '(2, 0)', '[1]', 'range(x)', '(0, 2, 1)'])}:")
        self.block(size, "continue")
        self.depth += 1
        self.write(f"x = {target}" if self.random.random() < 0.7 else "pass")
        self.depth -= 1
        self.otherwise(size, loop)

    def cases(self, size: int, loop: str | None) -> None:
        """A match."""
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

    def call(self, _size: int, _loop: str | None) -> None:
        """Steps of another function."""
        if not self.helpers:
            return self.assign()
        result = self.random.choice(["", "x = ", "s.b = "])
        arguments = self.random.choice(["p", "1", "x", "s.a", "q=y, p=x", "q=1, p=p"])
        return self.write(f"{result}yield from {self.random.choice(self.helpers)}(s, {arguments})")

    def function(self, head: str, last: str) -> None:
        """A generator function."""
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
        """Processes, and functions that they share."""
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


NUMBERS_READ = ("s.a", "s.b", "s.c[0]", "s.c[1]", "s.a + s.b")
PREDICATES = (
    "s.a == 1",
    "s.b != 0",
    "s.c[0] <= s.c[1]",
    "s.p0[0] == 'waiting'",
    "'ended' not in s.p0",
    "s.p0.count('busy') == 0 or s.a > 0",
)


def _measured_program(seed: int, order: str | None, monotone: bool) -> Program:
    random = Random(seed)
    grown, growth, measure = MEASURES[order] if order is not None else ("", (), "")
    author = Author(random, growth)
    program = author.endless_program() if random.random() < 0.9 else author.program()
    if order is not None:
        number, other = random.choice(NUMBERS_READ), random.choice(NUMBERS_READ)
        program.measure = (measure if monotone else ANY[order]).format(number=number, other=other)
    program.grown, program.predicate = grown, random.choice(PREDICATES)
    return program


def programs(order: str | None = None, monotone: bool = True) -> st.SearchStrategy[Program]:
    """Programs with a measure of this order, as `sources` has them: if `monotone`, progress goes down on no edge."""
    return st.integers(0, 2**32).map(lambda seed: _measured_program(seed, order, monotone))
