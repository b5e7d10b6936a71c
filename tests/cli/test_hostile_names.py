"""Names that would act: every name, label, value and repr of a model hides control characters and a false verdict.

None of them may reach a terminal, a browser or a log raw, through any command and in any form; and no name may begin
a line of its own.
"""

import io
import json
import re
from xml.etree import ElementTree

import pytest

from sweepcheck import LTS, Model, Network, Simulation, check, explore, load, never, state_space_report
from sweepcheck.core.observer import Snapshot
from sweepcheck.errors import RequestError
from sweepcheck.report.live import LiveLine, PlainLines
from sweepcheck.text import visible, visible_lines

LIE = "✓ holds everything"
# Colour and title of a terminal; back over the line; C1 control; bidi overrides and isolates; zero width; separators.
HOSTILE = f"\x1b[2J\x1b]0;own\x07\r\b\x7f\x9b\u202e\u2066\u200b\ufeff\u2028\x85\n{LIE}\n[red]<b>&$a$%%{{init}}%%`\t"
MODEL = f"""
from sweepcheck import Bag, Label, Model, choose, product, progress

HOSTILE = {HOSTILE!r}

class Odd:
    def __init__(self, number): self.number = number
    def __eq__(self, other): return isinstance(other, Odd) and self.number == other.number
    def __hash__(self): return hash(self.number)
    def __lt__(self, other): return self.number < other.number
    def __repr__(self): return HOSTILE

def actions(word=HOSTILE, odd=Odd(7)):
    m = Model("actions " + HOSTILE, x=Odd(0), text="", bag=Bag())

    def step(s):
        s.x = Odd(choose((s.x.number + 1) % 3, other=1)) if False else Odd((s.x.number + 1) % 3)
        s.text = HOSTILE + str(choose([1, 2]))
        if len(s.bag) == 0:
            s.bag.add(HOSTILE)
    step.__name__ = step.__qualname__ = "step" + HOSTILE
    m.action(step)

    m.invariant("never two " + HOSTILE, lambda s: s.x.number != 2)
    m.reachable("two " + HOSTILE, lambda s: s.x.number == 2)
    m.always_eventually("zero " + HOSTILE, lambda s: s.x.number == 5)
    return m

class Plain:
    name = "plain " + HOSTILE
    def initial(self): return HOSTILE
    def successors(self, state):
        yield Label("go " + HOSTILE, ((HOSTILE, HOSTILE),)), HOSTILE * 2
        yield HOSTILE, HOSTILE

plain = Plain()

def fails():
    m = Model("fails", x=0)
    @m.action
    def act(s):
        raise ValueError(HOSTILE)
    return m
"""
FORMS = {
    "check": ["text", "json", "jsonl", "junit"],
    "explore": ["text", "json", "jsonl"],
    "report": ["text", "json"],
    "tradeoff": ["text", "json"],
}


def harmless(text):
    """Printable lines, none of which a name began. An error may have several, but they are set in."""
    for line in text.split("\n"):
        assert line.isprintable(), ascii(line)
        assert not (line if "error[SC" in text else line.lstrip()).startswith(LIE), line
    return True


@pytest.fixture
def models(folder):
    (folder / "models.py").write_text(MODEL, encoding="utf-8")
    return folder


def calls():
    for factory in ("actions", "plain"):
        for command, forms in FORMS.items():
            for form in forms:
                asked = ["--keep-going"] if command == "check" and factory == "actions" else []
                asked += ["--deadlock", "--invariant", "True"] if command == "check" and factory == "plain" else []
                yield [command, f"models.py:{factory}", "--format", form, *asked]
        yield ["explore", f"models.py:{factory}", "--profile", "-v"]
        yield ["simulate", f"models.py:{factory}", "--random", "3", "--seed", "1"]
        yield ["simulate", f"models.py:{factory}", "--random", "3", "--seed", "1", "--format", "json"]
    yield ["check", "models.py:fails", "--deadlock"]
    yield ["check", "models.py:fails", "--deadlock", "--format", "junit"]
    yield ["check", f"models.py:{HOSTILE}"]
    yield ["check", "models.py:actions", "--property", HOSTILE]
    yield ["check", "models.py:actions", "--invariant", HOSTILE]
    yield ["check", "models.py:actions", "--fair", HOSTILE, "--always-eventually", "True"]
    yield ["check", "models.py:actions", "-p", f"{HOSTILE}=1"]
    yield ["check", f"{HOSTILE.replace('/', '')}.py"]
    yield ["trace", f"{HOSTILE.replace('/', '')}.json"]


@pytest.mark.parametrize("call", list(calls()), ids=lambda call: " ".join(map(ascii, call))[:60])
def test_every_command_in_every_form(run, models, call):
    ended = run(*call)
    assert ended.code in (0, 1, 2), ended.err
    assert harmless(ended.out)
    assert harmless(ended.err)
    if "junit" in call:
        ElementTree.fromstring(ended.out)
    if "json" in call and ended.code < 2:
        assert json.loads(ended.out)


def test_console_of_a_simulation(run, models, monkeypatch):
    typed = "list\nshow\n1\ntrace\ninitial\nundo\nrun until x.number == 2\nsave run.json\nload run.json\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    ended = run("simulate", "models.py:actions")
    assert ended.code in (0, 1), ended.err
    assert harmless(ended.out)
    assert harmless(ended.err)


def test_colour_is_ours_alone(run, models, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    ended = run("check", "models.py:actions", "--keep-going")
    assert "\x1b[" in ended.out
    assert harmless(re.sub(r"\x1b\[[0-9;]*m", "", ended.out))


class TestSavedTraces:
    @pytest.fixture
    def hostile(self, run, models):
        """A trace whose every text is hostile, whoever wrote it."""
        run("check", "models.py:actions", "--keep-going", "--trace", "trace.json")

        def spoilt(value):
            if isinstance(value, dict):
                keys = {"schema", "property", "trace", "initial", "steps", "loop", "label", "state", "kind", "status"}
                keys |= {"model", "reference", "parameters", "name", "owner", "changes", "holds", "progress"}
                keys |= {"bag", "queue", "set", "tuple", "record", "type", "map", "tag", "value", "text", "int"}
                return {key if key in keys else key + HOSTILE: spoilt(one) for key, one in value.items()}
            if isinstance(value, list):
                return [spoilt(one) for one in value]
            return value if value in ("invariant", "violated") or not isinstance(value, str) else value + HOSTILE

        data = spoilt(json.loads((models / "trace.json").read_text()))
        (models / "trace.json").write_text(json.dumps(data))

    @pytest.mark.parametrize("options", [[], ["--trace-full"], ["--format", "json"], ["--format", "mermaid"]])
    def test_shown(self, run, models, hostile, options):
        ended = run("trace", "trace.json", *options)
        assert ended.code == 0
        assert harmless(ended.out)
        assert harmless(ended.err)
        assert "mermaid" not in options or "%%" not in ended.out

    def test_refused(self, run, models, hostile):
        ended = run("trace", "trace.json", "--model", "models.py:actions")
        assert ended.code == 2
        assert harmless(ended.err)

    def test_replayed(self, run, models):
        assert run("check", "models.py:actions", "--keep-going", "--trace", "trace.json").code == 1
        ended = run("trace", "trace.json", "--model", "models.py:actions")
        assert ended.code == 0, ended.err
        assert harmless(ended.out + ended.err)

    def test_mermaid_files(self, run, models):
        run("check", "models.py:actions", "--keep-going", "--trace", "trace.mmd")
        text = (models / "trace.mmd").read_text()
        assert harmless(text)
        assert "%%" not in text


class TestNetworks:
    @pytest.fixture(autouse=True)
    def files(self, folder):
        label = HOSTILE.replace("\n", "").replace("\r", "").replace('"', "")
        (folder / "cell.aut").write_text(f'des (0, 2, 2)\n(0, "{label}", 1)\n(1, "back", 0)\n', encoding="utf-8")
        text = json.dumps(HOSTILE).replace("\x7f", "\\u007f")
        (folder / "net.network").write_text(
            f'name = {text}\n[parameters]\n{text} = {text}\n[[component]]\nname = "c"\nfile = "cell.aut"\n'
            f"locations = [{text}, 'b']\n[[property]]\nkind = 'never'\nname = {text}\nevents = ['back']\n",
            encoding="utf-8",
        )

    @pytest.mark.parametrize(
        "call",
        [
            ["check", "net.network"],
            ["check", "net.network", "--format", "junit"],
            ["explore", "net.network", "--measure", "auto", "--profile"],
            ["report", "net.network"],
            ["progress", "net.network", "--draw", "drawn"],
            ["compile", "net.network", "-o", "compiled"],
            ["simulate", "net.network", "--random", "4"],
            ["check", "net.network", "--never", HOSTILE],
            ["explore", "cell.aut"],
        ],
        ids=lambda call: call[0],
    )
    def test_commands(self, run, folder, call):
        ended = run(*call)
        assert ended.code in (0, 1, 2), ended.err
        assert harmless(ended.out)
        assert harmless(ended.err)
        for drawn in (folder / "drawn").glob("*.dot"):
            assert harmless(drawn.read_text(encoding="utf-8"))

    def test_what_is_compiled_reads_back(self, run, folder):
        assert run("compile", "net.network", "-o", "compiled").code == 0
        again, first = load("compiled/net.network"), load("net.network")
        assert again.components == first.components
        assert again.name == first.name

    @pytest.mark.parametrize("name", ["bad.aut", "bad.network", "bad.psl", "bad.json"])
    def test_broken_files(self, run, folder, name):
        (folder / name).write_text(f"des ({HOSTILE}\n{HOSTILE}", encoding="utf-8")
        ended = run("trace" if name.endswith("json") else "explore", name)
        assert ended.code == 2
        assert harmless(ended.err)


def test_a_library_s_texts(models):
    system = load("models.py:actions")
    report = check(system, keep_going=True)
    assert harmless(repr(report))
    assert harmless(report._repr_html_())
    assert "<b>" not in report._repr_html_()
    assert harmless(repr(state_space_report(load("models.py:plain"))))
    assert harmless(str(RequestError("SC401", HOSTILE, where=HOSTILE, values=[("line", HOSTILE)], suggestion=HOSTILE)))
    simulation = Simulation(load("models.py:actions"), seed=1)
    simulation.run(3)
    assert harmless(str(simulation))


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_plots(run, models, suffix):
    """Also one whose name matplotlib would take for a formula, in a folder whose settings would run LaTeX."""
    (models / "matplotlibrc").write_text("text.usetex: True\n")
    ended = run("explore", "models.py:actions", "--plot", f"plot.{suffix}", "--measure", "str(text)[:0] + '$\\\\x$'")
    assert ended.code == 0, ended.err
    if suffix == "svg":
        assert harmless((models / "plot.svg").read_text(encoding="utf-8"))


def test_what_is_visible():
    assert visible("plain ✓ é 日本 😀") == "plain ✓ é 日本 😀"
    assert visible("a\x1b\n\u202e\ud800\U000e0001") == "a\\x1b\\n\\u202e\\ud800\\U000e0001"
    assert visible_lines("a\r\nb\t") == "a\\r\nb\\t"
    assert visible(visible(HOSTILE)) == visible(HOSTILE)


def test_an_observer_takes_its_name_from_a_property():
    network = Network("n", {"c": LTS([(HOSTILE, HOSTILE, HOSTILE)])})
    assert harmless(repr(check(network, [never(HOSTILE, HOSTILE)])))
    assert harmless(repr(explore(Model(HOSTILE, x=0))))


@pytest.mark.parametrize("form", ["dot", "svg"])
def test_drawings(run, folder, form):
    (folder / "net.py").write_text(
        f"from sweepcheck import Net\nnet = Net('net', word={HOSTILE!r})\n"
        f"a = net.place('A', str, [{HOSTILE!r}])\n"
        "net.transition('[red] <b>%%{', a.take('x'), a.put('x'), guard='x != \"\\x1b[2J\\u202e\"')\n",
        encoding="utf-8",
    )
    ended = run("draw", "net.py", "--format", form)
    assert ended.code == 0, ended.err
    assert harmless(ended.out)


def test_lines_while_it_runs():
    class Odd:
        def __repr__(self):
            return HOSTILE

    stream, snapshot = io.StringIO(), Snapshot(Odd(), 1, 1, 1, 1, 1, 1, 11.0, 1)
    PlainLines(stream).snapshot(snapshot)
    assert "1 explored" in stream.getvalue()
    assert harmless(stream.getvalue())
    assert harmless(LiveLine(stream)._line(snapshot).plain)
