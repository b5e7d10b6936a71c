"""Bad nets, as people write them who draw nets elsewhere: each has its code, names what is wrong, and ends with 2.

A case is the end of a file, and the error must point at its last line.
"""

import pytest

from sweepcheck.cli.main import main

HEAD = """
from dataclasses import dataclass
from enum import Enum
from sweepcheck import Bag, Net, at, colours

Hue = Enum("Hue", "RED GREEN")
Packet = colours.record("Packet", number=int, data=str)
Message = colours.union("Message", data=range(3), stop=None)

module = Net("module")
source, target = module.place("Source", int, port="in"), module.place("Target", int, port="out")
module.transition("Pass", source.take("n"), target.put("n"))

net = Net("net", Hue=Hue, Packet=Packet, Message=Message, limit=3)
a, b = net.place("A", int, [1, 2]), net.place("B", int)
pairs, packets = net.place("Pairs", (int, str), [(1, "x")]), net.place("Packets", Packet, [Packet(1, "x")])
messages, lists = net.place("Messages", Message, [Message.stop]), net.place("Lists", colours.lists(int), [(1, 2)])
light, lamp = net.place("Light", {"red", "green"}, ["red"]), net.place("Lamp", Hue, [Hue.RED])
idle, late = net.place("Idle", initial=2), net.place("Late", colours.timed(int), [1, at(5, 2)])
"""


def move(*arcs: str, **more: str) -> str:
    """The declaration of a transition; text is Python as it stands."""
    return f"net.transition('Move', {', '.join([*arcs, *(f'{word}={text}' for word, text in more.items())])})"


COLOURS = {
    "a list as a colour": ("SC120", "net.place('C', list)", ["list"]),
    "a list of colours": ("SC120", "net.place('C', [int, str])", ["[<class 'int'>, <class 'str'>]"]),
    "lists in annotations": ("SC120", "net.place('C', list[int])", ["list[int]", "colours.lists"]),
    "a colour by its name": ("SC120", "net.place('C', 'INT')", ["'INT'"]),
    "an empty range": ("SC120", "net.place('C', range(5, 1))", ["range(5, 1)", "empty"]),
    "no values": ("SC120", "net.place('C', set())", ["empty set"]),
    "a product of one": ("SC120", "net.place('C', (int,))", ["two components"]),
    "a timed component": ("SC120", "net.place('C', (colours.timed(int), str))", ["timed colour int"]),
    "lists of odd length": ("SC120", "net.place('C', colours.lists(int, most=-1))", ["-1"]),
    "a subset that raises": ("SC120", "net.place('C', colours.subset(int, lambda x: 1 // x), [0])", ["ZeroDivision"]),
    "a mutable dataclass": ("SC120", "net.place('C', dataclass(type('P', (), {})))", ["P", "frozen"]),
    "a record without fields": ("SC120", "colours.record('Empty')", ["'Empty'"]),
    "a record of a keyword": ("SC120", "colours.record('Odd', **{'class': int})", ["'Odd'", "class"]),
    "a union without alternatives": ("SC120", "colours.union('Empty')", ["'Empty'"]),
    "tokens that cannot be hashed": ("SC120", "colours.values([1])", ["[1]"]),
}
PLACES = {
    "an empty name": ("SC121", "net.place('', int)", ["''"]),
    "a name with a full stop": ("SC121", "net.place('A.B', int)", ["'A.B'"]),
    "a hidden name": ("SC121", "net.place('_A', int)", ["'_A'"]),
    "two lines of name": ("SC121", "net.place('A\\nB', int)", ["'A\\nB'"]),
    "the name of the time": ("SC121", "net.place('clock', int)", ["'clock'"]),
    "a place twice": ("SC112", "net.place('A', int)", ["'A'", "'net'"]),
    "a place like a transition": ("SC112", move("a.take('n')") + "; net.place('Move')", ["'Move'"]),
    "a capacity of none": ("SC121", "net.place('C', int, capacity=0)", ["'C'", "0"]),
    "capacity exceeded at start": (
        "SC121",
        "net.place('C', int, [1, 2], capacity=1)",
        ["'C'", "capacity 1", "2 tokens"],
    ),
    "an odd port": ("SC121", "net.place('C', int, port='input')", ["'C'", "'input'", "inout"]),
    "a port with tokens": ("SC121", "net.place('C', int, [1], port='in')", ["'C'"]),
    "a fused port": ("SC121", "net.place('C', int, port='in', fusion='F')", ["'C'"]),
    "a fusion set without a name": ("SC121", "net.place('C', int, fusion=3)", ["3"]),
    "a fusion set named like the time": ("SC121", "net.place('C', int, fusion='clock')", ["'clock'"]),
    "a token outside the colour": ("SC126", "net.place('C', range(3), [1, 3])", ["'C'", "3", "0..2"]),
    "a tuple as a record": ("SC126", "net.place('C', Packet, [(1, 'a')])", ["'C'", "(1, 'a')", "Packet"]),
    "tokens without a colour": ("SC126", "net.place('C', initial=[1, 2])", ["'C'", "net.place('C', int, [...])"]),
    "one token without a list": ("SC126", "net.place('C', int, 5)", ["'C'", "5", "[5]"]),
    "one text without a list": ("SC126", "net.place('C', str, 'abc')", ["'C'", "['abc']"]),
    "a token that cannot be hashed": ("SC126", "net.place('C', int, [[1]])", ["'C'", "list"]),
    "fewer than no tokens": ("SC126", "net.place('C', initial=-1)", ["'C'", "-1"]),
    "a negative count": ("SC126", "net.place('C', int, {1: -2})", ["'C'", "-2"]),
    "a stamp on an untimed place": (
        "SC126",
        "net.place('C', int, [at(5, 1)])",
        ["'C'", "1@5", "net.place('C', colours.timed(int))"],
    ),
    "a negative stamp": ("SC131", "net.place('C', colours.timed(int), [at(-5, 1)])", ["-5"]),
    "a fractional stamp": ("SC131", "net.place('C', colours.timed(int), [at(0.5, 1)])", ["0.5"]),
    "stamp and token exchanged": ("SC131", "net.place('C', colours.timed(str), [at('x', 5)])", ["'x'", "at(5, token)"]),
    "a stamp beyond all time": ("SC131", "net.place('C', colours.timed(int), [at(10**30, 1)])", ["1,000,000,000,000"]),
}
TRANSITIONS = {
    "a transition twice": ("SC112", move("a.take('n')") + "\n" + move("a.take('n')"), ["'Move'"]),
    "a transition like a place": ("SC112", "net.transition('A', a.take('n'))", ["'A'"]),
    "no name": ("SC122", "net.transition('', a.take('n'))", ["''"]),
    "a place instead of an arc": ("SC122", move("a"), ["'Move'", "'A'", "a.take"]),
    "a number instead of an arc": ("SC122", move("a.take('n')", "5"), ["'Move'", "5"]),
    "a place of another net": ("SC122", move("source.take('n')"), ["'Move'", "'Source'", "'module'"]),
    "free variables in a list": ("SC122", move("a.take('n')", free="['k']"), ["'Move'", "['k']", "free={"]),
    "let as text": ("SC122", move("a.take('n')", let="'k = n'"), ["'Move'", "k = n", "let={"]),
    "a hidden variable": ("SC122", move("a.take('n')", let="{'_k': 'n'}"), ["'Move'", "'_k'"]),
    "a variable like a constant": ("SC122", move("a.take('n')", let="{'limit': 'n'}"), ["'Move'", "'limit'"]),
    "no transition at all": ("SC122", "net = Net('quiet'); net.place('A', int)", ["'quiet'"]),
    "a hidden constant": ("SC110", "Net('odd', _s=1)", ["'_s'"]),
}
INSCRIPTIONS = {
    "a syntax error": ("SC123", move("a.take('n +')"), ["'A'", "n +"]),
    "nothing": ("SC123", move("a.take('n')", guard="''"), ["'Move'"]),
    "a backtick": ("SC123", move("a.take('1`n')"), ["'A'", "1`n", "2*x"]),
    "a walrus": ("SC123", move("a.take('n')", "b.put('(k := n)')"), ["'B'", "(k := n)", "let="]),
    "one equals sign": ("SC123", move("a.take('n')", guard="'n = 1'"), ["'Move'", "n = 1", "=="]),
    "andalso": ("SC123", move("a.take('n')", guard="'n > 1 andalso n < 3'"), ["andalso", "and, or"]),
    "if then else": ("SC123", move("a.take('n')", "b.put('if n > 1 then 1 else 2')"), ["x if condition else y"]),
    "not equal elsewhere": ("SC123", move("a.take('n')", guard="'n <> 1'"), ["!="]),
    "cons": ("SC123", move("lists.take('h::t')"), ["h::t", "(head, *tail)"]),
    "minus elsewhere": ("SC123", move("a.take('n')", "b.put('~1')"), ["~1", "-1"]),
    "a set for a multiset": ("SC123", move("a.take('n')", "b.put('{n, 3}')"), ["'B'", "{n, 3}", "{x: 1, y: 1}"]),
    "one plus between multisets": ("SC123", move("a.take('n')", "b.put('{n: 1} + {3: 2}')"), ["'B'", "++"]),
    "a list as a token": ("SC123", move("a.take('n')", "lists.put('[n]')"), ["'Lists'", "[n]", "tuples"]),
    "a list as a pattern": ("SC123", move("lists.take('[h, *t]')"), ["'Lists'", "[h, *t]"]),
    "two stars": ("SC123", move("lists.take('(*x, *y)')"), ["'Move'", "(*x, *y)"]),
    "a negative coefficient": ("SC123", move("a.take('n')", "b.put('{n: -1}')"), ["'B'", "-1"]),
    "a negative factor": ("SC123", move("a.take('n')", "b.put('-2*n')"), ["'B'", "-2", "x * -2"]),
    "a fractional coefficient": ("SC123", move("a.take('n')", "b.put('{n: 1.5}')"), ["'B'", "1.5"]),
    "a delay inside a token": (
        "SC123",
        move("pairs.take('(n, k)')", "pairs.put('(n @+ 5, k)')"),
        ["'Pairs'", "(x, y)"],
    ),
    "two delays": ("SC123", move("a.take('n')", "late.put('n @+ 1 @+ 2')"), ["'Late'"]),
    "a hidden variable on an arc": ("SC123", move("a.take('_n')"), ["'A'", "'_n'"]),
    "an import": ("SC123", move("a.take('n')", guard="'__import__(\"os\")'"), ["__import__"]),
    "a tuple, not its text": ("SC123", move("pairs.take(('n', 'k'))"), ["'Pairs'", "('n', 'k')"]),
    "a function of anything": ("SC123", move("a.take('n')", guard="lambda *names: True"), ["'Move'"]),
    "a guard that is a function": ("SC123", move("a.take('n')", guard="'lambda: n'"), ["'Move'", "always true"]),
    "a guard with a star": ("SC123", move("a.take('n')", guard="'(n, *n)'"), ["'Move'", "star"]),
    "a guard that is text": ("SC123", move("a.take('n')", guard="\"'yes'\""), ["'Move'", "yes"]),
    "a very long one": ("SC123", move("a.take('n')", "b.put('n + ' * 5000 + 'n')"), ["'B'", "too long"]),
    "a random number": (
        "SC115",
        "import random\n" + move("a.take('n')", "b.put(lambda n: random.randrange(n))"),
        ["'B'", "random", "free="],
    ),
    "a constant that is random": ("SC115", "import random\nNet('odd', f=lambda n: random.random())", ["'f'", "random"]),
}
NAMES = {
    "an unbound variable": ("SC124", move("a.take('n')", "b.put('k')"), ["'Move'", "'k'"]),
    "a global of the program": (
        "SC124",
        "most = 3; " + move("a.take('n')", guard="'n < most'"),
        ["Net(..., most=most)"],
    ),
    "a misspelt variable": ("SC124", move("a.take('packet')", "b.put('paket')"), ["'paket'", "did you mean 'packet'"]),
    "a guard with an unknown": ("SC124", move("a.take('n')", guard="['n > 1', 'n < k']"), ["'Move'", "'k'", "n < k"]),
    "a builtin with effects": ("SC124", move("a.take('n')", guard="'print(n)'"), ["'print'", "only compute"]),
    "an expression on an input arc": ("SC124", move("a.take('n + 1')"), ["'Move'", "'n'"]),
    "variables in a circle": ("SC124", move("a.take('n')", let="{'x': 'y', 'y': 'x'}"), ["'Move'", "'x'", "'y'"]),
    "a function of an unknown": ("SC124", move("a.take('n')", "b.put(lambda k: k)"), ["'Move'", "'k'"]),
    "an unbound inhibitor": ("SC124", move("a.inhibit('n')", "b.put('1')"), ["'Move'", "'n'"]),
    "a wildcard that is put": ("SC124", move("a.take('_')", "b.put('_')"), ["'Move'", "'_'", "any token"]),
    "a wildcard that inhibits": ("SC124", move("pairs.inhibit('(1, _)')", "b.put('1')"), ["'Move'", "'_'"]),
    "a wildcard in a guard": ("SC124", move("a.take('_')", guard="'_ > 1'"), ["'Move'", "'_'"]),
    "the empty multiset elsewhere": ("SC124", move("a.take('n')", "b.put('empty')"), ["'empty'", "{}"]),
    "true elsewhere": ("SC124", move("a.take('n')", guard="'true'"), ["'true'", "True"]),
    "a token without quotes": ("SC124", move("a.take('n')", "light.put('green')"), ["'green'", "\"'green'\""]),
    "a member without its class": ("SC124", move("a.take('n')", "lamp.put('GREEN')"), ["'GREEN'", "Hue.GREEN"]),
    "a delay of an unknown": ("SC124", move("late.take('n')", "late.put('n')", delay="'k'"), ["'Move'", "'k'"]),
    "an infinite free variable": ("SC127", move("a.take('n')", "b.put('k')", free="{'k': int}"), ["'k'", "int"]),
    "a free variable without values": (
        "SC127",
        move("a.take('n')", "b.put('k')", free="{'k': colours.subset(range(3), lambda x: x > 5)}"),
        ["'k'", "no value"],
    ),
}
TYPES = {
    "a tuple on a place of numbers": ("SC125", move("a.take('(n, k)')"), ["'Move'", "'A'", "(n, k)", "int"]),
    "a number of black tokens": ("SC125", move("idle.take('2')"), ["'Idle'", '"2*()" is 2 of them']),
    "a number of black tokens put": ("SC125", move("a.take('n')", "idle.put(3)"), ["'Idle'", '"3*()" is 3 of them']),
    "a pattern too long": ("SC125", move("pairs.take('(n, k, m)')"), ["'Pairs'", "3 components", "has 2"]),
    "a constant outside the colour": ("SC125", move("light.take(\"'blue'\")"), ["'Light'", "'blue'", "green"]),
    "a constant in a pair": ("SC125", move("pairs.take('(n, 5)')"), ["'Pairs'", "5", "str"]),
    "a constant in a choice": ("SC125", move("a.take('n')", "light.put(\"'blue' if n else {}\")"), ["'blue'"]),
    "a computed constant": ("SC125", move("a.take('n')", "lamp.put('limit + 1')"), ["'Lamp'", "4", "Hue"]),
    "a constant that raises": ("SC125", move("a.take('n')", "b.put('1 // 0')"), ["'B'", "ZeroDivisionError"]),
    "no such member": ("SC125", move("lamp.take('Hue.PINK')"), ["'Lamp'", "PINK"]),
    "a variable of two colours": ("SC125", move("a.take('n')", "light.put('n')"), ["'n'", "int", "'A'", "'Light'"]),
    "a free variable of two colours": ("SC125", move("lamp.put('k')", free="{'k': range(2)}"), ["'k'", "0..1", "Hue"]),
    "a record on a place of numbers": ("SC125", move("a.take('Packet(n, d)')"), ["'A'", "Packet(n, d)", "int"]),
    "a tuple for a record": ("SC125", move("a.take('n')", "packets.put('(n, \"x\")')"), ["'Packets'", "Packet"]),
    "a record too long": ("SC125", move("packets.take('Packet(n, d, e)')"), ["3 components", "Packet"]),
    "an unknown field": ("SC125", move("packets.take('Packet(nummer=n)')"), ["'nummer'", "number, data"]),
    "an unknown alternative": ("SC125", move("messages.take('Message.dta(n)')"), ["'dta'", "data, stop"]),
    "an unknown alternative without value": ("SC125", move("messages.put('Message.stp')"), ["'Messages'", "'stp'"]),
    "a value outside the alternative": ("SC125", move("messages.put('Message.data(7)')"), ["7", "0..2"]),
    "a variable named like a token": ("SC125", move("light.take('red')"), ["'Light'", "'red'", "\"'red'\""]),
    "a variable named like a member": ("SC125", move("lamp.take('RED')"), ["'Lamp'", "'RED'", "Hue.RED"]),
    "an alternative without its value": ("SC125", move("messages.put('Message.data')"), ["'Messages'", "itself"]),
}
TIME = {
    "a negative delay": ("SC131", move("late.take('n')", "late.put('n @+ -1')"), ["'Move'", "-1"]),
    "a fractional delay": ("SC131", move("late.take('n')", "late.put('n')", delay="1.5"), ["'Move'", "1.5"]),
    "a delay that raises": ("SC131", move("late.take('n')", "late.put('n')", delay="'1 // 0'"), ["ZeroDivision"]),
    "a delay computed from constants": ("SC131", move("late.take('n')", "late.put('n @+ -limit')"), ["-3"]),
    "a delay without end": ("SC131", move("late.take('n')", "late.put('n')", delay="10**13"), ["1,000,000,000,000"]),
    "a delay on an untimed place": (
        "SC131",
        move("a.take('n')", "b.put('n @+ 3')"),
        ["'Move'", "'B', colours.timed(int)"],
    ),
    "a delay on a black place": ("SC131", move("a.take('n')", "idle.put(delay=3)"), ["colours.timed(None)"]),
    "a delay in a choice": ("SC131", move("a.take('n')", "b.put('n @+ 3 if n > 1 else {}')"), ["'B'"]),
    "a delay of a function": ("SC131", move("a.take('n')", "b.put(lambda n: n, delay=3)"), ["'B'"]),
    "a delay on an input arc": ("SC131", move("late.take('n @+ 3')"), ["'Late'", "output"]),
    "a delay without a timed place": ("SC131", move("a.take('n')", "b.put('n')", delay="3"), ["'Move'", "timed"]),
    "a timed inhibitor": ("SC131", move("late.inhibit('1')", "b.put('1')"), ["'Late'"]),
}
MODULES = {
    "a net within itself": ("SC129", "net.substitution('M', net)", ["'net'", "'M'"]),
    "a circle of two modules": (
        "SC129",
        (
            "one, two = Net('one'), Net('two'); net.substitution('One', one); one.substitution('Two', two)\n"
            "two.substitution('Net', net)"
        ),
        ["'two'", "'Net'"],
    ),
    "an unknown port": ("SC128", "net.substitution('M', module, Sorce=a, Target=b)", ["'Sorce'", "mean 'Source'"]),
    "an open port": ("SC128", "net.substitution('M', module, Source=a)", ["'Target'", "'M'"]),
    "a port of another colour": (
        "SC128",
        "net.substitution('M', module, Source=lamp, Target=b)",
        ["int", "Hue", "'Lamp'"],
    ),
    "a timed place for a port": ("SC128", "net.substitution('M', module, Source=late, Target=b)", ["timed int"]),
    "the name of a place": ("SC128", "net.substitution('M', module, Source='A', Target=b)", ["'Source'", "'A'"]),
    "a place of the module": ("SC128", "net.substitution('M', module, Source=source, Target=b)", ["'Source'"]),
    "no module": ("SC128", "net.substitution('M', 'module')", ["'M'", "'module'"]),
    "a module twice": (
        "SC112",
        "net.substitution('M', module, Source=a, Target=b)\nnet.substitution('M', module, Source=a, Target=b)",
        ["'M'"],
    ),
    "a module called like the time": ("SC128", "net.substitution('clock', Net('m'))", ["'clock'"]),
    "an arc against its port": ("SC128", "module.transition('Back', source.put('1'))", ["'Back'", "'Source'", "'in'"]),
    "an arc from an output": ("SC128", "module.transition('Back', target.take('n'))", ["'Back'", "'Target'", "'out'"]),
    "a socket against its port": (
        "SC128",
        (
            "outer = Net('outer'); o, i = outer.place('O', int, port='out'), outer.place('I', int)\n"
            "outer.substitution('M', module, Source=o, Target=i)"
        ),
        ["'Source'", "'O'", "'out'"],
    ),
    "capacities that differ": (
        "SC128",
        "m = Net('m'); m.place('P', int, port='out', capacity=2)\nnet.substitution('M', m, P=a)",
        ["'P'", "2", "'A'"],
    ),
    "a port declared too late": (
        "SC128",
        "net.substitution('M', module, Source=a, Target=b)\nmodule.place('Third', int, port='in')",
        ["'Third'", "'M'"],
    ),
}
FUSION = {
    "colours that differ": ("net.place('C', int, fusion='F')", "net.place('D', str, fusion='F')", ["int", "str"]),
    "tokens that differ": ("net.place('C', int, [1], fusion='F')", "net.place('D', int, fusion='F')", ["1*1", "empty"]),
    "capacities that differ": (
        "net.place('C', int, fusion='F')",
        "net.place('D', int, fusion='F', capacity=2)",
        ["capacity 2"],
    ),
    "time on one side": (
        "net.place('C', int, fusion='F')",
        "net.place('D', colours.timed(int), fusion='F')",
        ["timed int"],
    ),
}
DECLARED = {**COLOURS, **PLACES, **TRANSITIONS, **INSCRIPTIONS, **NAMES, **TYPES, **TIME, **MODULES}
RUNNING = {
    "a token outside the colour": (
        "SC220",
        "c = net.place('C', range(3))\n" + move("a.take('n')", "c.put('n + 1')"),
        ["3", "'C'", "0..2", "n=2", "n + 1", "A=1*1 + 1*2"],
    ),
    "a list for several tokens": ("SC220", move("a.take('n')", "b.put(lambda n: [n, n])"), ["[1, 1]", "'B'", "Bag"]),
    "a forgotten return": ("SC220", move("a.take('n')", "b.put(lambda n: None)"), ["None", "'B'", "n=1"]),
    "a negative coefficient": ("SC221", move("a.take('n')", "b.put('{n: n - 2}')"), ["-1", "n=1", "{n: n - 2}"]),
    "a fractional coefficient": ("SC221", move("a.take('n')", "b.put('{n: n / 2}')"), ["0.5", "n=1"]),
    "no token to bind": (
        "SC221",
        "c = net.place('C', int, [0])\n" + move("c.take('n')", "a.take('{k: n}')", "b.put('k')"),
        ["0 tokens", "n=0", "{k: n}"],
    ),
    "a negative delay": ("SC222", move("late.take('n')", "late.put('n @+ (n - 2)')"), ["-1", "n=1", "Late=1*1@0"]),
    "a fractional delay": (
        "SC222",
        move("late.take('n')", "late.put('n')", delay="'n / 2'"),
        ["0.5", "n=1", "clock=0"],
    ),
    "an inscription that raises": ("SC223", move("a.take('n')", "b.put('[1][n]')"), ["IndexError", "n=1", "[1][n]"]),
    "a guard that raises": ("SC223", move("a.take('n')", guard="'n.size > 1'"), ["AttributeError", "n=1", "n.size"]),
    "a function that raises": ("SC223", move("a.take('n')", "b.put(lambda n: n['x'])"), ["TypeError", "n=1", "n['x']"]),
    "a function that leaves": ("SC223", move("a.take('n')", "b.put(lambda n: exit(n))"), ["SystemExit", "n=1"]),
    "a coefficient that raises": ("SC223", move("a.take('n')", "b.put('{n: 1 // (n - 1)}')"), ["ZeroDivision", "n=1"]),
}
PREDICATES = {
    "the token of a place with two": ("SC209", "lambda m: m.A.token > 0", ["m.A.token", "2 tokens", "1*1 + 1*2"]),
    "the token of an empty place": ("SC209", "lambda m: m.B.token > 0", ["m.B.token", "0 tokens"]),
    "the token of a timed place with two": ("SC209", "lambda m: m.Late.token > 0", ["m.Late.token", "2 tokens"]),
    "an unknown place": ("SC202", "lambda m: len(m.Ligth) > 0", ["'Ligth'", "'Light'"]),
    "an unknown place in brackets": ("SC202", "lambda m: m['no such place']", ["'no such place'"]),
    "a number for a place": ("SC202", "lambda m: m[3]", ["'3'"]),
    "an unknown place of a module": ("SC202", "lambda m: m.M.Sorce", ["'M.Sorce'", "Inner"]),
    "an assignment": ("SC206", "lambda m: setattr(m, 'A', 3)", ["'A'"]),
    "an item that is assigned": ("SC206", "lambda m: m.__setitem__('A', 3)", ["'A'"]),
    "a deletion": ("SC206", "lambda m: delattr(m, 'A')", ["'A'"]),
    "a token that is taken": ("SC206", "lambda m: m.A.take()", ["take"]),
    "a token that is added": ("SC206", "lambda m: m.Lamp.add(1)", ["add"]),
    "a place compared with a number": ("SC209", "lambda m: m.A > 3", ["m.A > 3", "TypeError"]),
    "no truth value": ("SC210", "lambda m: None", ["None"]),
}


@pytest.fixture
def fails(tmp_path, monkeypatch, capsys):
    """Run a file that is wrong; its message."""

    def run(code, source, command, *options) -> str:
        path = tmp_path / "bad.py"
        path.write_text(source, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        assert main([command, "bad.py:net", *options]) == 2
        printed = capsys.readouterr().err
        assert printed.startswith(f"error[{code}]"), printed
        assert "Traceback" not in printed
        assert "sweepcheck/" not in printed, "our own frames are nobody's business"
        assert "  help  " in printed
        return printed

    return run


def last(source: str) -> str:
    """Where the last line of a source is."""
    return f"bad.py:{len(source.splitlines())}"


@pytest.mark.parametrize("name", DECLARED)
def test_a_wrong_declaration(name, fails) -> None:
    code, line, words = DECLARED[name]
    source = f"{HEAD}{line}\n"
    printed = fails(code, source, "explore")
    assert all(word in printed for word in words), printed
    if name != "no transition at all":
        assert last(source) in printed


@pytest.mark.parametrize("name", FUSION)
def test_fused_places_that_do_not_agree(name, fails) -> None:
    first, second, words = FUSION[name]
    source = f"{HEAD}{first}\n{second}\n"
    printed = fails("SC130", source + move("a.take('n')") + "\n", "explore")
    assert all(word in printed for word in ["'C'", "'D'", "'F'", last(source), *words]), printed


def test_a_fusion_set_like_a_place(fails) -> None:
    printed = fails("SC112", f"{HEAD}c = net.place('C', int, fusion='A')\n{move('a.take(1)')}\n", "explore")
    assert "'A'" in printed


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("name", RUNNING)
def test_a_transition_that_goes_wrong(name, engine, fails) -> None:
    code, line, words = RUNNING[name]
    source = f"{HEAD}{line}\n"
    printed = fails(code, source, "explore", "--engine", engine)
    assert all(word in printed for word in [last(source), "transition Move", "binding", *words]), printed


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("name", PREDICATES)
def test_a_predicate_that_goes_wrong(name, engine, fails) -> None:
    code, predicate, words = PREDICATES[name]
    source = (
        f"{HEAD}module.place('Inner', int)\nnet.substitution('M', module, Source=a, Target=b)\n"
        f"net.invariant('p', {predicate})\n"
    )
    printed = fails(code, source, "check", "--engine", engine)
    assert all(word in printed for word in [last(source), "invariant 'p'", "A=1*1 + 1*2", *words]), printed


def test_there_are_many() -> None:
    parts = (COLOURS, PLACES, TRANSITIONS, INSCRIPTIONS, NAMES, TYPES, TIME, MODULES)
    assert len(DECLARED) == sum(map(len, parts)), "two cases have one name"
    assert len({*DECLARED, *RUNNING}) >= 25
