"""Every error code, provoked as a user would provoke it: by a model file, or by a call of the public functions.

A line with `# HERE` in a file is where the error must point.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from sweepcheck import (
    Limits,
    Simulation,
    SweepcheckError,
    check,
    explore,
    invariant,
    load,
    state_graph,
    state_space_report,
)
from sweepcheck.cli.main import cli
from sweepcheck.cluster import driver
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.source import packed, unpacked
from sweepcheck.conformance import conform
from sweepcheck.core.observer import Silence
from sweepcheck.core.request import Request
from sweepcheck.errors import CODES, MeasureError, ModelError, RequestError, RequirementError, TraceError
from sweepcheck.histories import linearizable, read_history, register
from sweepcheck.histories.history import history_of
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.planner import plan
from sweepcheck.properties.expression import expression
from sweepcheck.report.graph_files import check_size

HEAD = "from sweepcheck import Array, Bag, Model, Queue, choose, observe, require, stay\n"
COUNTER = HEAD + (
    "m = Model('counter', n=0)\n"
    "@m.action\n"
    "def count(s):\n"
    "    require(s.n < 3)\n"
    "    s.n += 1\n"
    "m.invariant('small', lambda s: s.n <= 3)\n"
)


UNOBSERVED = "from sweepcheck import Net\nm = Net('net')\nm.transition('Go', m.place('P', initial=1).take())\n"
SET = HEAD + "from sweepcheck import Set\nm = Model('set', e=Set([1]))\n@m.action\ndef more(s):\n    s.e.add(2)\n"
ENDLESS = HEAD + (
    "m = Model('endless', n=0)\n@m.action\ndef count(s):\n    s.n += 1\nm.equivalence(lambda s: s.n % 4)\n"
)


MANY = " & ".join(f"F {{s.n == {number}}}" for number in range(30))


def run(path: Path) -> object:
    """What most users do with a file."""
    return check(str(path))


def run_in_python(path: Path) -> object:
    """On the engine that runs every action in every state, so that the words of the error are known."""
    return check(str(path), engine="reference")


def typed(*arguments: str) -> Callable[[Path], object]:
    """A command line, with FILE for the model."""
    return lambda path: cli.main([str(path) if one == "FILE" else one for one in arguments], standalone_mode=False)


UNWRITTEN = HEAD + (
    "def model():\n"
    "    class Card:\n"
    "        def __eq__(self, other): return isinstance(other, Card)\n"
    "        def __hash__(self): return 1\n"
    "        def __repr__(self): return 'Card()'\n"
    "    return Model('cards', c=Card())\n"
)


def resumed_otherwise(path: Path) -> object:
    """A run that is finished, and then another one in its folder."""
    explore(str(path), checkpoint="run")
    return explore(str(path), checkpoint="run", gc=5)


def given_a_function(path: Path) -> object:
    """A property that no other process knows."""
    return check(str(path), [invariant("few", lambda s: s.n < 9)], cluster="local")


def sent_from_elsewhere(path: Path) -> object:
    """A plan of another version."""
    decided = plan(load(str(path)), Request((), cluster="local"))
    return unpacked(replace(packed(decided), version="0.0.1"))


def with_a_dying_process(path: Path) -> object:
    """A run that loses a process."""
    decided = plan(load(str(path)), Request((), cluster="local"))
    return driver.run(decided, Silence(), Dying(decided, 2))


def beside(*events: object) -> Callable[[Path], object]:
    """The model beside a log."""
    return lambda path: conform(str(path), events, engine="reference")


def one_operation(path: Path) -> object:
    """A history whose only operation the register does not know."""
    events = [{"process": 0, "type": kind, "f": "pop"} for kind in ("invoke", "ok")]
    return linearizable(history_of(events), register())


def kept_in_no_folder(path: Path) -> object:
    """A shared run that is to keep its files below a file."""
    decided = plan(load(str(path)), Request((), cluster="local"))
    return driver.run(decided, Silence(), LocalSites(decided, 2), path / "x")


class Dying(LocalSites):
    """Sites that die at the first superstep."""

    def step(self, orders, inboxes):
        raise driver.LostError("it was killed")


def small_graph(path: Path) -> object:
    """A graph, in a file that may have three states."""
    graph = state_graph(str(path))
    return check_size(graph, "g.svg", most=3)


def read_as(suffix: str) -> Callable[..., object]:
    """The source as a file of another kind."""
    return lambda path, **options: load(str(path.rename(path.with_suffix(suffix))), **options)


def pnml(inside: str, kind: str = "ptnet") -> str:
    """A PNML file with these nodes."""
    return f'<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/{kind}">{inside}</net></pnml>'


def cpn(page: str, declared: str = "") -> str:
    """A file of CPN Tools with one page."""
    return (
        f'<workspaceElements><cpnet><globbox>{declared}</globbox><page id="p">{page}</page></cpnet></workspaceElements>'
    )


def unbound(inscription: str = "x") -> str:
    """A file of CPN Tools with a variable that no token binds."""
    ends = f"<transend idref='t'/><placeend idref='a'/><annot><text>{inscription}</text></annot>"
    return cpn(
        "<place id='a'><type><text>INT</text></type></place><trans id='t'/>"
        f"<arc id='x' orientation='TtoP'>{ends}</arc>",
        "<color><id>INT</id><int/></color><var><type><id>INT</id></type><id>x</id></var>",
    )


def subtraction() -> str:
    """A coloured net that only runs unfolded."""
    sort = "<structure><usersort declaration='C'/></structure>"
    value = "<subterm><useroperator declaration='c'/></subterm>"
    term = f"<structure><subtract>{value}{value}</subtract></structure>"
    declared = "<namedsort id='C'><finiteenumeration><feconstant id='c'/></finiteenumeration></namedsort>"
    return pnml(
        f"<declaration><structure>{declared}</structure></declaration><place id='a'><type>{sort}</type></place>"
        f"<transition id='t'/><arc id='x' source='a' target='t'><hlinscription>{term}</hlinscription></arc>",
        "symmetricnet",
    )


UNDECIDED = (
    "<property-set><property><id>f</id><formula><exists-path><next><finally><is-deadlock/></finally></next></exists-path>"
    "</formula></property></property-set>"
)


def with_formulas(text: str) -> Callable[[Path], object]:
    """The questions of a formula file about the model."""

    def ask(path: Path) -> object:
        path.with_name("formulas.xml").write_text(text, encoding="utf-8")
        return typed("check", "FILE", "--formulas", str(path.with_name("formulas.xml")))(path)

    return ask


def quietly_traced(path: Path) -> object:
    """A trace is saved, and then nobody says which model it is to be replayed on."""
    typed("check", "FILE", "--invariant", "n < 2", "--trace", "trace.json")(path)
    return typed("trace", "trace.json", "-q")(path)


@dataclass(frozen=True)
class Case:
    """A file, what is done with it, and words that the error must contain among its values or in what it says."""

    code: str
    source: str
    words: tuple[str, ...]
    provoke: Callable[[Path], object] = run


NET = (
    "from sweepcheck import Net, at, colours\n"
    "net = Net('net')\n"
    "a, b, t = net.place('A', int, [1, 2]), net.place('B', int), net.place('T', colours.timed(int), [3])\n"
)


def net(line: str) -> str:
    """A net whose last line is wrong."""
    return f"{NET}{line}  # HERE\n"


def action(body: str, declared: str = "n=0") -> str:
    """A model with one action."""
    return f"{HEAD}m = Model('m', {declared})\n@m.action\ndef act(s):\n    {body}\n"


def process(body: str) -> str:
    """A model with one process."""
    return f"{HEAD}m = Model('m', n=0)\n@m.process\ndef act(s):\n    {body}\n"


CASES = [
    Case("SC101", "", ("nowhere.py",), lambda path: load(str(path.with_name("nowhere.py")))),
    Case("SC101", "", ("Is a directory",), lambda path: load(str(path.parent))),
    Case("SC102", "x = (1,  # HERE\n", ("never closed", "x = (1,")),
    Case("SC103", "import nothing_like_this  # HERE\n", ("ModuleNotFoundError", "nothing_like_this")),
    Case("SC103", "def make(n=2):\n    return 1 // (n - 2)  # HERE\n", ("ZeroDivisionError", "n=2", "1 // (n - 2)")),
    Case("SC104", "x = 1\n", ("no model",)),
    Case("SC104", HEAD + "a = Model('a')\nb = Model('b')\n", ("which model",)),
    Case("SC105", "def make(packets=1): ...  # HERE\n", ("'packet'",), lambda path: load(str(path), {"packet": 2})),
    Case("SC105", "", ("'n:3'",), lambda _: parse_parameters(("n:3",))),
    Case("SC106", HEAD + "def make():  # HERE\n    m = Model('m')\n", ("returned None",)),
    Case("SC106", "", ("5",), lambda _: check(5)),
    Case(
        "SC107",
        "from sweepcheck import LTS\nclass Odd:\n    def __hash__(self):\n        return 1\n"
        "    def __eq__(self, other):\n        return self is other or 1 // 0  # HERE\n"
        "m = LTS([(Odd(), 'go', Odd())])\n",
        ("LTS", "ZeroDivisionError"),
    ),
    Case("SC110", HEAD + "m = Model('m', _hidden=1)  # HERE\n", ("'_hidden'",)),
    Case("SC111", HEAD + "m = Model('m', xs=[1])  # HERE\n", ("'xs'", "[1]")),
    Case("SC112", COUNTER + "m.invariant('small', lambda s: True)  # HERE\n", ("'small'",)),
    Case("SC113", HEAD + "m = Model('m', n=0)\nm.action(sorted)  # HERE\n", ("sorted",)),
    Case("SC114", HEAD + "m = Model('m', n=0)\ndef act(s):  # HERE\n    s.n = 1\n", ("'act'", "'n'")),
    Case(
        "SC115",
        "import random\n" + HEAD + "m = Model('m', n=0)\n@m.action  # HERE\ndef act(s):\n    s.n = random.random()\n",
        ("'random'",),
    ),
    Case(
        "SC151", HEAD + "m = Model('m', n=0)\n@m.action\ndef act(s):\n    s.n == 1  # HERE\n    s.n = 1\n", ("'act'",)
    ),
    Case("SC151", process("s.n not in (1, 2)  # HERE\n    yield"), ("process 'act'",)),
    Case(
        "SC152",
        COUNTER + "for k in range(2):\n    m.invariant(f'not {k}', lambda s: s.n != k)  # HERE\n",
        ("'not 0'", "'not 1'", "'k'"),
    ),
    Case(
        "SC153",
        HEAD + "m = Model('m', n=0)\n@m.action\ndef act(s):\n    try:\n        require(s.n < 3)\n"
        "    except:  # HERE\n        s.n = 1\n",
        ("'act'",),
    ),
    Case("SC116", HEAD + "m = Model('m', n=0)\nm.initial(k=[1])  # HERE\n", ("'k'",)),
    Case("SC117", HEAD + "m = Model('m', n=0)\nm.reachable('one', 1)  # HERE\n", ("'one'", "1")),
    Case("SC118", HEAD + "m = Model('m', n=0)\nm.symmetric(range(2), arrays=['n'])  # HERE\n", ("'n'", "no array")),
    Case("SC119", process("x = yield  # HERE"), ("'act'", "value of a yield")),
    Case("SC119", HEAD + "m = Model('m', n=0)\n@m.process  # HERE\ndef act(s):\n    s.n = 1\n", ("'act'", "no yield")),
    Case("SC120", net("net.place('C', [int])"), ("[<class 'int'>]",)),
    Case("SC121", net("net.place('C', int, capacity=0)"), ("'C'", "capacity 0")),
    Case("SC122", net("net.transition('Move', a)"), ("'Move'", "place 'A'")),
    Case("SC123", net("net.transition('Move', a.take('1`n'))"), ("'A'", "1`n")),
    Case("SC124", net("net.transition('Move', a.take('n'), b.put('m'))"), ("'Move'", "'m'")),
    Case("SC125", net("net.transition('Move', a.take('(n, m)'))"), ("'Move'", "'A'", "(n, m)", "int")),
    Case("SC126", net("net.place('C', int, ['x'])"), ("'C'", "'x'", "int")),
    Case("SC127", net("net.transition('Move', a.take('n'), b.put('m'), free={'m': int})"), ("'Move'", "'m'", "int")),
    Case("SC128", net("net.substitution('M', Net('m'), P=a)"), ("'M'", "'P'")),
    Case("SC129", net("net.substitution('M', net)"), ("'M'", "'net'")),
    Case(
        "SC130",
        NET + "net.place('C', int, [1], fusion='F')\n"
        "net.place('D', int, [2], fusion='F')  # HERE\n"
        "net.transition('Move', a.take('n'))\n",
        ("'C'", "'D'", "'F'", "1*1", "1*2"),
    ),
    Case("SC131", net("net.transition('Move', a.take('n'), b.put('n @+ 5'))"), ("'Move'", "'B'")),
    Case("SC132", "<pnml>", ("no element found",), read_as(".pnml")),
    Case("SC133", "<html/>", ("<html>",), read_as(".pnml")),
    Case(
        "SC134",
        pnml('<place id="a"/><transition id="t"/><arc id="x" source="b" target="t"/>'),
        ("'b'",),
        read_as(".pnml"),
    ),
    Case("SC135", pnml('<place id="a"><capacity/></place>'), ("<capacity>",), read_as(".pnml")),
    Case(
        "SC136",
        pnml('<place id="a"><initialMarking><text>x</text></initialMarking></place>'),
        ("'x'",),
        read_as(".pnml"),
    ),
    Case("SC137", pnml('<place id="a"/>', "symmetricnet"), ("'a'", "no type"), read_as(".pnml")),
    Case("SC138", NET + "net.transition('Move', a.take('n'))\n", ("'T'",), typed("convert", "FILE", "-o", "net.pnml")),
    Case("SC139", subtraction(), ("subtraction",), lambda path: read_as(".pnml")(path, unfold=False)),
    Case("SC140", unbound("2 +"), ("'+'", "2 +"), read_as(".cpn")),
    Case("SC141", unbound("5 ^ 3"), ("int", "string"), read_as(".cpn")),
    Case("SC142", unbound("hd (readFile ())"), ("'readFile'", "outside"), read_as(".cpn")),
    Case("SC143", cpn("<place id='a'><initmark><text>1 div 0</text></initmark></place>"), ("Div",), read_as(".cpn")),
    Case("SC144", "<workspaceElements>", ("no element found",), read_as(".cpn")),
    Case("SC145", "<html/>", ("<html>",), read_as(".cpn")),
    Case("SC146", cpn("<constraints><x/></constraints>"), ("constraints",), read_as(".cpn")),
    Case("SC147", cpn('<place id="a"><type><text>NO</text></type></place>'), ("'NO'",), read_as(".cpn")),
    Case("SC148", unbound(), ("'x'", "INT"), read_as(".cpn")),
    Case(
        "SC149",
        cpn('<place id="a"/><trans id="t"/>'),
        ("NoOfNodes",),
        lambda path: expression(read_as(".cpn")(path), "NoOfNodes() > 3"),
    ),
    Case("SC201", action("s.n = 1 // s.n  # HERE"), ("ZeroDivisionError", "n=0", "s.n = 1 // s.n")),
    Case("SC202", action("s.m = 1  # HERE"), ("'m'", "n=0")),
    Case("SC203", action("s.n = {1}  # HERE"), ("'n'", "{1}")),
    Case("SC204", action("s.b += Bag()  # HERE", "b=Bag()"), ("'b'", "b=empty")),
    Case(
        "SC205", action("act.kept.n if hasattr(act, 'kept') else setattr(act, 'kept', s); s.n += 1  # HERE"), ("n=0",)
    ),
    Case(
        "SC206", HEAD + "m = Model('m', n=0)\nm.invariant('p', lambda s: choose(1, 2))  # HERE\n", ("choose()", "n=0")
    ),
    Case("SC207", action("s.a[2] = 0  # HERE", "a=Array([1, 2])"), ("index 2", "a=[1, 2]")),
    Case("SC208", HEAD + "m = Model('m', n=7)\n@m.action  # HERE\ndef act(s):\n    return s.n\n", ("returned 7",)),
    Case("SC209", HEAD + "m = Model('m', n=0)\nm.invariant('p', lambda s: 1 / s.n)  # HERE\n", ("'p'", "n=0")),
    *(
        Case(
            "SC210",
            HEAD + f"m = Model('m', n=0)\n@m.action\ndef act(s):\n    require({given})  # HERE\n    s.n = 1\n",
            ("n=0",),
        )
        for given in ("lambda: s.n < 3", "(s.n < 3, 'small')", "s.n < k for k in range(3)", "str(s.n).isdigit")
    ),
    Case("SC210", HEAD + "m = Model('m', n=0)\nm.invariant('p', lambda s: None)  # HERE\n", ("'p'", "None", "n=0")),
    Case(
        "SC211",
        "class M:\n    def initial(self): return 0\n    def successors(self, s): return [4]  # HERE\n",
        ("yielded 4", "0"),
        lambda path: explore(str(path)),
    ),
    Case("SC212", action("s.n = choose(3)  # HERE"), ("3", "n=0")),
    Case(
        "SC213",
        "numbers = [iter(range(9))]\n" + action("s.n = choose([5, 6, next(numbers[0])])  # HERE"),
        ("(5, 6, 0)", "(5, 6, 1)"),
        run_in_python,
    ),
    Case("SC214", action("s.b.push(1)  # HERE", "b=Bag([1])"), ("'push'", "'b'", "b=1*1")),
    Case("SC215", action("s.n = choose(1, 2) / 1 if s.n == 1 else 1  # HERE"), ("'n'", "1.0", "1", "n=1")),
    Case("SC216", "while True:\n    pass\n", ("model.py",), typed("check", "FILE", "--time-limit", "0.2")),
    Case("SC219", process("yield\n    while s.n == 0:  # HERE\n        pass"), ("1,000,000", "n=0")),
    Case("SC219", process("for n in iter(int, 1):  # HERE\n        yield"), ("items", "n=0")),
    Case("SC220", net("net.transition('Move', a.take('n'), b.put('n / 2'))"), ("0.5", "'B'", "n=1", "n / 2", "A=1*1")),
    Case("SC221", net("net.transition('Move', a.take('n'), b.put('{n: n - 2}'))"), ("-1", "n=1", "n - 2", "A=1*1")),
    Case("SC222", net("net.transition('Move', t.take('n'), t.put('n @+ (n - 4)'))"), ("-1", "n=3", "n - 4", "T=1*3@0")),
    Case("SC223", net("net.transition('Move', a.take('n'), b.put('1 // (n - 2)'))"), ("ZeroDivision", "n=2", "A=1*1")),
    Case("SC230", COUNTER + "m.equivalence(lambda s: [s.n])  # HERE\n", ("[0]", "n=0", "cannot be hashed")),
    Case(
        "SC231",
        COUNTER + "m.progress(lambda s: s.n)  # HERE\nm.equivalence(lambda s: s.n % 2)\n",
        ("progress", "n=0", "n=2"),
    ),
    Case("SC232", ENDLESS + "m.invariant('small', lambda s: s.n <= 3)  # HERE\n", ("small", "n=0", "n=4", "False")),
    Case(
        "SC233",
        COUNTER + "m.equivalence(lambda s: s.n % 2)  # HERE\n",
        ("count", "n=1", "n=3", "n=2"),
        lambda path: check(str(path), verify_equivalence=True),
    ),
    Case("SC234", COUNTER + "m.fair(3)  # HERE\n", ("3",)),
    Case("SC239", SET + "m.invariant('none', lambda s: s.e == {})  # HERE\n", ("beside {}", "e={1}")),
    Case("SC239", SET + "m.invariant('one', lambda s: len(s.e | [2]) == 2)  # HERE\n", ("`|`", "e={1}")),
    Case(
        "SC301",
        HEAD + "m = Model('m', n=0)\n@m.action  # HERE\ndef act(s):\n    s.n = 1 - s.n\nm.progress(lambda s: s.n)\n",
        ("progress 1", "progress 0", "n=1"),
        lambda path: explore(str(path), strategy="sweep"),
    ),
    Case("SC302", COUNTER + "m.progress(lambda s: {s.n})  # HERE\n", ("{0}", "n=0")),
    Case("SC303", COUNTER, ("'sweep'",), lambda path: state_space_report(str(path), strategy="sweep")),
    Case("SC303", COUNTER, ("monotone",), lambda path: check(str(path), strategy="column", measure="n")),
    Case(
        "SC304",
        HEAD + "from sweepcheck import product, progress\n"
        "m = Model('m', n=0)\n@m.action  # HERE\ndef act(s):\n    s.n = 1 - s.n\n"
        "m.progress(product(progress(lambda s: s.n, monotone=True), lambda s: 0))\n",
        ("progress (1, 0)", "progress (0, 0)", "n=1"),
        lambda path: explore(str(path), strategy="column"),
    ),
    Case("SC401", COUNTER, ("'smal'",), lambda path: check(str(path), ["smal"])),
    Case("SC402", COUNTER, ("'k'",), lambda path: check(str(path), measure="k + 1")),
    Case("SC403", COUNTER, ("-1",), lambda path: check(str(path), limits=Limits(states=-1))),
    Case("SC403", COUNTER, ("check() has no option 'stratgy'",), lambda path: check(str(path), stratgy="full")),  # type: ignore[call-arg]
    Case("SC403", COUNTER, ("0 is no number of workers",), lambda path: check(str(path), workers=0)),
    Case("SC403", COUNTER, ("0 bytes",), lambda path: check(str(path), table_memory=0)),
    Case("SC403", COUNTER, ("-1",), lambda path: check(str(path), strategy="caching", cache_size=-1)),
    Case("SC404", COUNTER, ("'full'", "no cache"), lambda path: check(str(path), cache_size=5)),
    Case(
        "SC404",
        COUNTER + "m.always_possible('one', lambda s: s.n == 1)\n",
        ("always_possible 'one'", "'generalised'"),
        lambda path: check(str(path), strategy="generalised", measure="n"),
    ),
    Case("SC404", COUNTER, ("kept",), lambda path: check(str(path), trace=False, trace_dir="kept")),
    Case("SC405", COUNTER, ("matplotlib",), typed("explore", "FILE", "--plot", "plot.svg")),
    Case("SC406", COUNTER, ("model.py",), lambda path: check(str(path), trace_dir=path / "traces")),
    Case("SC407", COUNTER, ("'cont'",), typed("check", "FILE", "--always-eventually", "n == 3", "--fair", "cont")),
    Case("SC408", COUNTER, ("number 2",), typed("simulate", "FILE", "--initial", "2", "--random", "1")),
    Case("SC408", COUNTER, ("'discount'",), lambda path: Simulation(str(path)).step("discount")),
    Case("SC409", COUNTER.replace("<= 3", "<= 2"), ("not shown to hold", "'small'"), lambda path: run(path).require()),
    Case("SC409", COUNTER, ("neither true nor false",), lambda path: bool(explore(str(path)))),
    Case("SC410", COUNTER, ("model.py", "100 bytes"), typed("check", "FILE", "--max-file-size", "100")),
    Case("SC411", NET + "net.transition('Move', a.take('n'))\n", ("asks nothing",), with_formulas("<property-set/>")),
    Case("SC412", NET + "net.transition('Move', a.take('n'))\n", ("'f'", "not CTL"), with_formulas(UNDECIDED)),
    Case(
        "SC417",
        COUNTER,
        ("'sweep'",),
        lambda path: state_graph(str(path), strategy="sweep"),
    ),
    Case("SC413", COUNTER, ("enabled(3)",), typed("check", "FILE", "--invariant", "enabled(3)")),
    Case("SC235", COUNTER, ("never closed", "G (n"), typed("check", "FILE", "--ltl", "G (n")),
    Case("SC235", COUNTER, ("2000 operators",), typed("check", "FILE", "--ltl", "X " * 400 + "n")),
    Case("SC236", COUNTER, ("'m'",), typed("check", "FILE", "--ctl", "AG EX m")),
    Case("SC237", COUNTER, ("not CTL", "F has neither"), typed("check", "FILE", "--ctl", "AG F n")),
    Case("SC237", COUNTER + "m.predicate('G', lambda s: True)  # HERE\n", ("'G'",), run),
    Case("SC237", COUNTER + "m.ltl('p', 3)  # HERE\n", ("3 is no formula",), run),
    Case("SC238", COUNTER, ("was not expected",), typed("check", "FILE", "--never-hoa", "FILE")),
    Case("SC414", COUNTER, ("too large", "propositions"), typed("check", "FILE", "--ltl", MANY)),
    Case("SC415", COUNTER, ("'AG EX n'", "constraint"), typed("check", "FILE", "--ctl", "AG EX n", "--up-to", "1")),
    Case(
        "SC415",
        ENDLESS + "@m.action(i=range(2))\ndef skip(s, i):\n    s.n += 4\n",
        ("skip(i=1)", "declared key"),
        typed("check", "FILE", "--ltl", "F last(skip(i=1))"),
    ),
    Case("SC501", COUNTER, ("model.py",), typed("trace", "FILE")),
    Case(
        "SC502",
        "numbers = [iter(range(1, 99))]\n" + action("s.n = next(numbers[0])") + "m.invariant('p', lambda s: s.n < 1)\n",
        ("step 1", "n=0"),
        run_in_python,
    ),
    Case("SC503", COUNTER, ("no model was given",), quietly_traced),
    Case("SC601", "process P = a b\n", ("'b'", "process P = a b", "->"), read_as(".psl")),
    Case("SC602", "process P = a -> Q\nsystem = P\n", ("'Q'", "a -> Q"), read_as(".psl")),
    Case("SC603", "process P(k: 0..1) = a -> P(k + 1)\nsystem = P(0)\n", ("'k'", "2", "0..1"), read_as(".psl")),
    Case("SC604", "process P = a -> P [] P\nsystem = P\n", ("without any event",), read_as(".psl")),
    Case("SC605", "des (0, 1, 1)\n", ("1 steps", "des"), read_as(".aut")),
    Case("SC606", "name = 5\n", ("no component",), read_as(".network")),
    Case("SC607", "process P = a -> P\nsystem = all i in 1..100000: p(i) = P\n", ("10,000",), read_as(".psl")),
    Case("SC608", "[[component]]\nname = 'c'\nfile = '../c.aut'\n", ("'c'", "'../c.aut'"), read_as(".network")),
    Case("SC610", "from sweepcheck import LTS\nLTS([('a', 'b')])  # HERE\n", ("('a', 'b')",)),
    Case("SC611", "from sweepcheck import Network\nNetwork('n', {'a': 5})  # HERE\n", ("'a'", "5")),
    Case("SC613", COUNTER, ("4 states", "3"), small_graph),
    Case("SC614", COUNTER, ("'g.png'",), typed("explore", "FILE", "--graph", "g.png")),
    Case("SC612", "process P = a -> P\nsystem = P hide {b}\n", ("'b'",), read_as(".psl")),
    Case("SC419", COUNTER, ("'few'", "function"), given_a_function),
    Case("SC620", COUNTER, ("'here'",), typed("explore", "FILE", "--cluster", "here")),
    Case("SC621", COUNTER, ("0.0.1",), sent_from_elsewhere),
    Case("SC622", COUNTER, ("killed",), with_a_dying_process),
    Case("SC623", COUNTER, ("x",), kept_in_no_folder),
    Case("SC615", COUNTER, ("'communication_protocol.py'",), typed("reproduce", "paper4", "--models", ".")),
    Case("SC418", COUNTER, ("'caching'",), typed("explore", "FILE", "--checkpoint", "run", "--strategy", "caching")),
    Case("SC616", COUNTER, ("model.py/run",), typed("explore", "FILE", "--checkpoint", "model.py/run")),
    Case("SC617", UNWRITTEN, ("variable 'c'",), typed("explore", "FILE", "--checkpoint", "run")),
    Case("SC618", COUNTER, ("nowhere",), typed("resume", "nowhere")),
    Case("SC619", COUNTER, ("gc",), resumed_otherwise),
    Case("SC701", COUNTER + "m.observes(lambda s, event: event['x'])\n", ("'x'",), beside({"event": "count"})),
    Case("SC702", COUNTER.replace("s.n += 1", "s.n += 1; observe(); observe()"), ("twice",), beside({})),
    Case("SC703", COUNTER + "m.observed('counted', by='n')(count)\n", ("'by'",), run),
    Case("SC704", COUNTER, ("event 0",), beside(1)),
    Case("SC707", "{:process 0}", ("event of a history",), read_history),
    Case("SC708", "", ("register", "pop"), one_operation),
    Case("SC706", UNOBSERVED, ("compared",), beside()),
]
REQUESTS = dict.fromkeys(
    (
        "SC303",
        "SC613",
        "SC614",
        "SC616",
        "SC617",
        "SC618",
        "SC619",
        "SC620",
        "SC621",
        "SC623",
        "SC704",
        "SC706",
        "SC707",
    ),
    RequestError,
)
KINDS = {
    "1": ModelError,
    "2": ModelError,
    "3": MeasureError,
    "4": RequestError,
    "5": TraceError,
    "6": ModelError,
    "7": ModelError,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_the_error_has_its_four_parts(case, tmp_path, monkeypatch) -> None:
    path = tmp_path / "model.py"
    path.write_text(case.source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if case.code == "SC405":
        monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SweepcheckError) as raised:
        case.provoke(path)
    error = raised.value
    assert error.code == case.code
    assert isinstance(error, {**REQUESTS, "SC409": RequirementError}.get(case.code, KINDS[case.code[2]]))
    here = next((number for number, line in enumerate(case.source.splitlines(), 1) if "# HERE" in line), None)
    if here is not None:
        assert error.where is not None
        assert error.where.partition(",")[0] == f"model.py:{here}"
    told = "\n".join([error.what, *(text for _, text in error.values)])
    assert all(word in told for word in case.words), told
    assert error.suggestion
    assert f"error[{case.code}]" in str(error)
    assert str(Path(load.__code__.co_filename).parent) not in str(error), "our own frames are nobody's business"


@pytest.mark.parametrize("case", [case for case in CASES if case.provoke is run_in_python], ids=lambda case: case.code)
def test_what_is_impure_is_refused_natively_too(case, tmp_path) -> None:
    path = tmp_path / "model.py"
    path.write_text(case.source, encoding="utf-8")
    with pytest.raises(SweepcheckError) as raised:
        check(str(path), engine="native", verify_actions=True)
    assert raised.value.code in ("SC213", "SC502")


def test_every_code_is_provoked() -> None:
    assert {case.code for case in CASES} == set(CODES)


def test_a_code_that_is_not_in_the_table_cannot_be_raised() -> None:
    with pytest.raises(LookupError):
        SweepcheckError("SC999", "nothing")


def test_an_invariant_given_from_outside_is_looked_at_too() -> None:
    with pytest.raises(ModelError) as raised:
        invariant("p", lambda: True)
    assert raised.value.where is not None
    assert raised.value.where.startswith("test_codes.py:")
