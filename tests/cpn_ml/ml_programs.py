"""Random well-typed expressions in the common core of CPN ML and Standard ML, and how SML/NJ computes them.

Types are "int", "bool", "string", "real", "intinf", ("list", t), ("pair", t, u) and ("option", t).
"""

from __future__ import annotations

import shutil
import subprocess
from random import Random
from typing import Any

Type = Any

PRELUDE = """
datatype shape = Dot | Box of int | Pair of shape * shape;
fun area Dot = 0 | area (Box n) = n | area (Pair (a, b)) = area a + area b;
fun fact 0 = 1 | fact n = n * fact (n - 1);
fun even 0 = true | even n = odd (n - 1) and odd 0 = false | odd n = even (n - 1);
fun zip (x :: xs, y :: ys) = (x, y) :: zip (xs, ys) | zip _ = [];
fun take 0 _ = [] | take n (x :: xs) = x :: take (n - 1) xs | take _ [] = [];
fun swap (a, b) = (b, a);
fun total ({a, b, ...} : {a : int, b : int, c : bool}) = a + b;
local fun helper x = x * 3 in fun triple x = helper x end;
fun pairs (x :: (rest as y :: _)) = (x, y) :: pairs rest | pairs _ = [];
fun upto (a, b) = if a > b then [] else a :: upto (a + 1, b);
exception Low of int;
fun check n = if n < 0 then raise Low n else n;
fun rescue n = check n handle Low k => ~k | Overflow => 0;
val limit = 7;
fun classify n = case (n mod 3, n > limit) of (0, true) => "big" | (0, _) => "zero" | (k, _) => Int.toString k;
fun curried a b c = a * b - c;
val plus = curried 1;
fun twice f x = f (f x);
"""
SML_PRELUDE = r"""
infixr 5 ^^;
fun a ^^ b = List.@ (a, b);
fun showList f xs = "[" ^ String.concatWith "," (map f xs) ^ "]";
fun showOption f NONE = "NONE" | showOption f (SOME x) = "SOME " ^ f x;
fun tell f = print ("#" ^ ((f ()) handle Overflow => "!Overflow" | Div => "!Div" | Empty => "!Empty"
  | Subscript => "!Subscript" | Size => "!Size" | Option => "!Option" | Match => "!Match" | Domain => "!Domain"
  | Chr => "!Chr") ^ "\n");
"""


class Expressions:
    """Makes expressions of a type, with the variables that are in scope."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = 0

    def type(self, depth: int = 2) -> Type:
        kinds = ["int", "int", "int", "bool", "string", "real", "intinf"]
        if depth:
            kinds += ["list", "list", "pair", "option"]
        kind = self.random.choice(kinds)
        if kind in ("list", "option"):
            return (kind, self.type(depth - 1))
        return (kind, self.type(depth - 1), self.type(depth - 1)) if kind == "pair" else kind

    def make(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        fitting = [name for name, given in scope.items() if given == of]
        if fitting and self.random.random() < 0.35:
            return self.random.choice(fitting)
        if depth <= 0:
            return self.leaf(of)
        if self.random.random() < 0.4:
            return self.shared(of, depth - 1, scope)
        name = of if isinstance(of, str) else of[0]
        return str(getattr(self, name)(of, depth - 1, scope))

    def leaf(self, of: Type) -> str:
        pick = self.random
        match of:
            case "int":
                return pick.choice(["0", "1", "2", "7", "~1", "~3", "13", "1073741823", "~1073741824", "limit", "0x1F"])
            case "bool":
                return pick.choice(["true", "false"])
            case "string":
                return pick.choice(['""', '"a"', '"ab c"', '"x,y"', '"12"', '"~5z"'])
            case "real":
                return pick.choice(["0.0", "1.5", "~2.25", "1e3", "0.1", "1E~4"])
            case "intinf":
                return pick.choice(
                    ["(0 : IntInf.int)", "(5 : IntInf.int)", "(~7 : IntInf.int)", "(12345678901 : IntInf.int)"]
                )
            case ("list", inner):
                count = pick.randrange(3)
                return "[" + ", ".join(self.leaf(inner) for _ in range(count)) + "]" if count else f"([] : {sml(of)})"
            case ("pair", one, other):
                return f"({self.leaf(one)}, {self.leaf(other)})"
            case ("option", inner):
                return f"(NONE : {sml(of)})" if pick.random() < 0.5 else f"(SOME {self.leaf(inner)})"
        raise AssertionError(of)

    def shared(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        """Forms that there are for every type."""
        make, pick = self.make, self.random
        match pick.randrange(11):
            case 0:
                return f"(if {make('bool', depth, scope)} then {make(of, depth, scope)} else {make(of, depth, scope)})"
            case 1:
                given, name = self.type(1), self.fresh()
                inner = make(of, depth, {**scope, name: given})
                return f"(let val {name} = {make(given, depth, scope)} in {inner} end)"
            case 2:
                one, other = self.type(1), self.type(0)
                left, right = self.fresh(), self.fresh()
                inner = make(of, depth, {**scope, left: one, right: other})
                return f"(case {make(('pair', one, other), depth, scope)} of ({left}, {right}) => {inner})"
            case 3:
                item = self.type(0)
                head, tail = self.fresh(), self.fresh()
                inner = make(of, depth, {**scope, head: item, tail: ("list", item)})
                other = make(of, depth, scope)
                return f"(case {make(('list', item), depth, scope)} of {head} :: {tail} => {inner} | nil => {other})"
            case 4:
                return f"(hd {make(('list', of), depth, scope)})"
            case 5:
                given, name = self.type(1), self.fresh()
                inner = make(of, depth, {**scope, name: given})
                return f"((fn {name} => {inner}) {make(given, depth, scope)})"
            case 6:
                return f"(#1 {make(('pair', of, self.type(0)), depth, scope)})"
            case 7:
                caught = pick.choice(["Overflow", "Div", "Empty", "_"])
                return f"({make(of, depth, scope)} handle {caught} => {make(of, depth, scope)})"
            case 8:
                return f"(valOf {make(('option', of), depth, scope)})"
            case 9:
                name, argument, given = self.fresh(), self.fresh(), self.type(0)
                inner = make(of, depth, {**scope, argument: given})
                return f"(let fun {name} {argument} = {inner} in {name} {make(given, depth, scope)} end)"
            case _:
                name = self.fresh()
                record = f"{{size = {make('int', depth, scope)}, body = {make(of, depth, scope)}}}"
                return f"(let val {name} = {record} in #body {name} end)"

    def fresh(self) -> str:
        self.names += 1
        return (
            self.random.choice(["x", "y", "z", "acc"]) + ("'" if self.random.random() < 0.2 else "") + str(self.names)
        )

    def int(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        del of
        make, pick = self.make, self.random

        def some(given: Type = "int") -> str:
            return make(given, depth, scope)

        forms = [
            lambda: f"({some()} {pick.choice(['+', '-', '*', 'div', 'mod'])} {some()})",
            lambda: f"(~ {some()})",
            lambda: f"(abs {some()})",
            lambda: f"(length {some(('list', self.type(0)))})",
            lambda: f"(String.size {some('string')})",
            lambda: f"(foldr (op +) 0 {some(('list', 'int'))})",
            lambda: f"(List.foldl (fn (a, b) => a - b) {some()} {some(('list', 'int'))})",
            lambda: f"(List.nth ({some(('list', 'int'))}, {pick.choice(['0', '1', '~1', some()])}))",
            lambda: f"(Int.max ({some()}, {some()}))",
            lambda: f"(Int.quot ({some()}, {some()}) + Int.rem ({some()}, {some()}))",
            lambda: f"(round {some('real')})",
            lambda: f"(floor {some('real')} + trunc {some('real')})",
            lambda: f"(IntInf.toInt {some('intinf')})",
            lambda: f"(Option.getOpt (Int.fromString {some('string')}, {some()}))",
            lambda: f"(fact ({some()} mod 15))",
            lambda: f"(rescue {some()})",
            lambda: f"(total {{c = {some('bool')}, b = {some()}, a = {some()}}})",
            lambda: f"(triple {some()})",
            lambda: f"(plus {some()} {some()})",
            lambda: f"(twice (fn k => k + {some()}) {some()})",
            lambda: f"(area (Pair (Box {some()}, if {some('bool')} then Dot else Box 2)))",
            lambda: f"(Char.ord (String.sub ({some('string')}, {pick.choice(['0', some()])})))",
        ]
        return pick.choice(forms)()

    def intinf(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        del of
        one, other = self.make("intinf", depth, scope), self.make("intinf", depth, scope)
        return self.random.choice(
            [
                f"({one} {self.random.choice(['+', '-', '*'])} {other})",
                f"({one} {self.random.choice(['div', 'mod'])} ~3)",  # SML/NJ has a bug: 0 mod 0 is 0 there
                f"(IntInf.fromInt {self.make('int', depth, scope)})",
                f"(IntInf.max ({one}, {other}))",
            ]
        )

    def real(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        del of
        one, other = self.make("real", depth, scope), self.make("real", depth, scope)
        return self.random.choice(
            [
                f"({one} {self.random.choice(['+', '-', '*', '/'])} {other})",
                f"(real {self.make('int', depth, scope)})",
                f"(~ {one})",
                f"(Real.fromInt {self.make('int', depth, scope)} / 4.0)",
            ]
        )

    def bool(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        del of
        make, pick = self.make, self.random
        kind = pick.choice(["int", "string", "real", "intinf"])
        compared = pick.choice(["int", "string", "bool", ("list", "int"), ("pair", "int", "string"), ("option", "int")])
        one, other = make("bool", depth, scope), make("bool", depth, scope)
        numbers = make(("list", "int"), depth, scope)
        return pick.choice(
            [
                f"({make(kind, depth, scope)} {pick.choice(['<', '>', '<=', '>='])} {make(kind, depth, scope)})",
                f"({make(compared, depth, scope)} {pick.choice(['=', '<>'])} {make(compared, depth, scope)})",
                f"({one} {pick.choice(['andalso', 'orelse'])} {other})",
                f"(not {one})",
                f"(List.exists (fn k => k > {make('int', depth, scope)}) {numbers})",
                f"(List.all even (List.filter (fn k => k >= 0 andalso k < 50) {numbers}))",
                f"(null {numbers})",
                f"(isSome {make(('option', 'int'), depth, scope)})",
            ]
        )

    def string(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        del of
        make, pick = self.make, self.random
        one = make("string", depth, scope)
        return pick.choice(
            [
                f"({one} ^ {make('string', depth, scope)})",
                f"(Int.toString {make('int', depth, scope)})",
                f"(Bool.toString {make('bool', depth, scope)})",
                f"(classify {make('int', depth, scope)})",
                f"(implode (rev (explode {one})))",
                f"(String.concat {make(('list', 'string'), depth, scope)})",
                f"(substring ({one}, 0, {pick.choice(['0', '1', make('int', depth, scope)])}))",
            ]
        )

    def list(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        make, pick, inner = self.make, self.random, of[1]
        one, other = make(of, depth, scope), make(of, depth, scope)
        name, given = self.fresh(), self.type(0)
        changed = make(inner, depth, {**scope, name: given})
        forms = [
            f"({make(inner, depth, scope)} :: {one})",
            f"({one} ^^ {other})",
            f"(rev {one})",
            f"(tl {one})",
            f"(List.take ({one}, {pick.choice(['0', '1', make('int', depth, scope)])}))",
            f"(take 2 {one})",
            f"[{make(inner, depth, scope)}, {make(inner, depth, scope)}]",
            f"(List.map (fn {name} => {changed}) {make(('list', given), depth, scope)})",
            f"(List.filter (fn {name} => {make('bool', depth, {**scope, name: inner})}) {one})",
            f"(List.concat [{one}, {other}])",
        ]
        if inner == "int":
            forms += ["(upto (1, 5))", f"(List.tabulate (4, fn k => k * {make('int', depth, scope)}))"]
        if inner == "string":
            forms.append(f'(String.tokens (fn c => c = #"," orelse c = #" ") {make("string", depth, scope)})')
        if isinstance(inner, tuple) and inner[0] == "pair" and inner[1] == inner[2]:
            forms.append(f"(pairs {make(('list', inner[1]), depth, scope)})")
        if isinstance(inner, tuple) and inner[0] == "pair":
            forms.append(f"(zip ({make(('list', inner[1]), depth, scope)}, {make(('list', inner[2]), depth, scope)}))")
        return pick.choice(forms)

    def pair(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        one, other = self.make(of[1], depth, scope), self.make(of[2], depth, scope)
        swapped = f"(swap {self.make(('pair', of[2], of[1]), depth, scope)})"
        return self.random.choice([f"({one}, {other})", swapped])

    def option(self, of: Type, depth: int, scope: dict[str, Type]) -> str:
        name = self.fresh()
        items = self.make(("list", of[1]), depth, scope)
        holds = self.make("bool", depth, {**scope, name: of[1]})
        return self.random.choice(
            [f"(SOME {self.make(of[1], depth, scope)})", f"(List.find (fn {name} => {holds}) {items})"]
        )


def sml(of: Type) -> str:
    """A type as ML writes it."""
    match of:
        case (("list" | "option") as word, inner):
            return f"({sml(inner)}) {word}"
        case ("pair", one, other):
            return f"({sml(one)} * {sml(other)})"
    return "IntInf.int" if of == "intinf" else str(of)


def printer(of: Type) -> str:
    """The function of ML that shows a value of a type."""
    match of:
        case ("list", inner):
            return f"(showList {printer(inner)})"
        case ("option", inner):
            return f"(showOption {printer(inner)})"
        case ("pair", one, other):
            return f'(fn (a, b) => "(" ^ {printer(one)} a ^ "," ^ {printer(other)} b ^ ")")'
    names = {"int": "Int.toString", "bool": "Bool.toString", "real": "Real.toString", "intinf": "IntInf.toString"}
    return names.get(of, '(fn s => "\\"" ^ s ^ "\\"")')


def shown(value: Any, of: Type, real_text: Any) -> str:
    """A value of ours as `printer` shows it."""
    match of:
        case ("list", inner):
            return "[" + ",".join(shown(one, inner, real_text) for one in value) + "]"
        case ("option", inner):
            return "NONE" if value == "NONE" else f"SOME {shown(value[1], inner, real_text)}"
        case ("pair", one, other):
            return f"({shown(value[0], one, real_text)},{shown(value[1], other, real_text)})"
        case "bool":
            return "true" if value else "false"
        case "real":
            return str(real_text(value))
        case "string":
            return f'"{value}"'
    return str(value).replace("-", "~")


def programs(seed: int, count: int) -> list[tuple[str, Type]]:
    """Random expressions with their types."""
    made = []
    for number in range(count):
        expressions = Expressions(Random(f"{seed}/{number}"))
        of = expressions.type()
        made.append((expressions.make(of, 4, {}), of))
    return made


def by_sml(given: list[tuple[str, Type]]) -> list[str] | None:
    """What SML/NJ computes; None where it is not installed."""
    if shutil.which("sml") is None:
        return None
    lines = [SML_PRELUDE, PRELUDE]
    lines += [f"val _ = tell (fn () => {printer(of)} ({text} : {sml(of)}));" for text, of in given]
    ran = subprocess.run(["sml"], input="\n".join(lines), capture_output=True, text=True, timeout=300, check=False)
    return [line.partition("#")[2] for line in ran.stdout.splitlines() if "#" in line]
