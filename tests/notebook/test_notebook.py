"""Notebooks: what is shown, how mistakes look, and cells that are run again; in IPython's own shell too."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from sweepcheck import Array, Model, Net, Simulation, SweepcheckError, Trace, check, draw, explore, require
from sweepcheck.report import notebook

HOSTILE = "<script>alert(1)</script>\x1b[31m"


def counter(name: str = "counter", top: int = 3) -> Model:
    m = Model(name, n=0, where=Array(["a", "b"]))

    @m.action(step=range(1, 3))
    def tick(s, step):
        require(s.n < top)
        s.n += step

    m.progress(lambda s: s.n)
    m.invariant("small <b>", lambda s: s.n < top)
    return m


def trains(name: str = "trains") -> Net:
    net = Net(name)
    away, inside = net.place("Away", {"red", "blue"}, ["red", "blue"]), net.place("In", {"red", "blue"})
    net.transition("Enter", away.take("t"), inside.put("t"))
    net.invariant("few", lambda m: len(m.In) <= 2)
    return net


def test_a_model():
    html = counter()._repr_html_()
    assert "<td>n</td><td>0</td>" in html
    assert "tick (family of 2)" in html
    assert "invariant &#x27;small &lt;b&gt;&#x27;" in html
    assert "progress: progress" in html


def test_a_trace_knows_its_model():
    report = check(counter())
    trace = report.verdicts[0].trace
    assert "n: 0 -&gt; 1" in trace._repr_html_() or "n: 0 -&gt; 2" in trace._repr_html_()
    assert Trace(trace.initial, trace.steps) == trace
    assert "tick(step=" in Trace(trace.initial, trace.steps)._repr_html_()
    assert "system" not in repr(trace)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_trace_of_either_engine(engine):
    trace = check(counter(), engine=engine).verdicts[0].trace
    assert trace.system is not None
    assert "where=" in trace._repr_html_()


def test_a_simulation():
    simulation = Simulation(counter())
    assert "after 0 steps" in simulation._repr_html_()
    simulation.step("tick(step=2)")
    html = simulation._repr_html_()
    assert "after 1 step" in html
    assert "<td>n</td><td>2</td>" in html
    assert "n: 2 -&gt; 3" in html
    simulation.step("1")
    html = simulation._repr_html_()
    assert "violated: invariant" in html
    assert "nothing is enabled" in html
    assert repr(simulation) == "<Simulation of 'counter': 2 steps made>"


def test_a_net_is_drawn_where_graphviz_is(monkeypatch):
    monkeypatch.setattr(notebook, "find_spec", lambda _: None)
    html = trains()._repr_html_()
    assert "for a picture: pip install" in html
    assert "<td>Away</td>" in html
    assert "transitions: Enter" in html
    monkeypatch.setattr("sweepcheck.report.drawing.find_spec", lambda _: None)
    assert "for a picture: pip install" in draw(trains())._repr_html_()
    assert draw(trains())._repr_svg_() is None


def test_a_net_as_a_picture():
    pytest.importorskip("pygraphviz")
    html = trains()._repr_html_()
    assert html.count("<svg") == 1
    assert "<?xml" not in html
    assert draw(trains())._repr_html_() is None


def test_large_nets_wait_until_they_are_asked_for():
    net = Net("large")
    for number in range(notebook.MOST_DRAWN + 1):
        net.place(f"P{number}")
    html = net._repr_html_()
    assert "draw(net) draws it" in html
    assert "… 111 more" in html


def test_names_do_no_harm():
    model, net = counter(HOSTILE), trains(HOSTILE)
    shown = [model, net, check(model), check(model).verdicts[0].trace, Simulation(model), draw(net), Simulation(net)]
    for one in shown:
        html = one._repr_html_() or one._repr_svg_()
        assert "<script" not in html
        assert "\x1b" not in html


def test_mistakes_are_short():
    with pytest.raises(SweepcheckError) as raised:
        counter().invariant("x", 5)
    lines = raised.value._render_traceback_()
    assert lines[0].startswith("error[SC117]")
    assert len(lines) < 6


@pytest.fixture
def shell(monkeypatch):
    """As little of IPython as is asked for: the number of the cell."""
    running = SimpleNamespace(execution_count=1)
    ipython = ModuleType("IPython")
    ipython.get_ipython = lambda: running
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    return running


def declare(m: Model, top: int) -> None:
    @m.action
    def tick(s):
        require(s.n < top)
        s.n += 1

    m.invariant("small", lambda s: s.n <= top)
    m.progress(lambda s: s.n)
    m.constraint("few", lambda s: s.n < 100)
    m.equivalence(lambda s: s.n)


def test_a_cell_is_run_again(shell):
    m = Model("counter", n=0, x=0)
    declare(m, 3)
    shell.execution_count = 2

    @m.action
    def other(s):
        require(s.x == 0)
        s.x = 1

    assert explore(m, equivalence=False, constraints=[]).statistics.states == 8
    shell.execution_count = 3
    declare(m, 5)
    assert [one.name for one in m.actions] == ["tick", "other"]  # in the same order
    assert explore(m, equivalence=False, constraints=[]).statistics.states == 12
    assert check(m, equivalence=False, constraints=[])


def test_twice_in_one_run_is_a_mistake(shell):
    m = Model("counter", n=0)
    declare(m, 3)
    for again in (
        lambda: declare(m, 3),
        lambda: m.progress(lambda s: s.n),
        lambda: m.invariant("small", lambda s: True),
    ):
        with pytest.raises(SweepcheckError, match="SC112"):
            again()


def test_what_a_file_declares_is_not_replaced(monkeypatch, shell):
    m = Model("counter", n=0)
    shell.execution_count = None  # no cell is running
    declare(m, 3)
    shell.execution_count = 4
    with pytest.raises(SweepcheckError, match="SC112"):
        declare(m, 3)


def test_processes_and_starts_again(shell):
    m = Model("worker", n=0)

    def declare_process(first):
        @m.start
        def begin(s):
            s.n = first

        @m.process
        def worker(s):
            local = 1
            yield
            s.n += local
            yield

    declare_process(1)
    before = explore(m).statistics.states
    shell.execution_count = 2
    declare_process(7)
    report = check(m, invariant_of_seven(m))
    assert report.statistics.states == before
    assert report
    assert m.variables.count("worker") == 1


def invariant_of_seven(m: Model) -> list[object]:
    from sweepcheck import invariant

    return [invariant("seven", lambda s: s.n >= 7)]


def test_transitions_again_and_places_only_as_they_were(shell):
    net = Net("net")

    def declare_net(guard, tokens=1):
        place = net.place("P", range(3), {1: tokens, 2: 1})
        net.transition("T", place.take("n"), guard=guard)

    declare_net("n > 1")
    assert explore(net).statistics.states == 2
    shell.execution_count = 2
    declare_net("n > 0")
    assert explore(net).statistics.states == 4
    shell.execution_count = 3
    with pytest.raises(SweepcheckError, match="declared otherwise"):
        declare_net("n > 0", tokens=2)
    with pytest.raises(SweepcheckError, match="SC112"):
        net.transition("P")


CELLS = [
    "from sweepcheck import Model, check, require\nm = Model('counter', n=0)",
    "@m.action\ndef tick(s):\n    require(s.n < 3)\n    s.n += 1\nm.invariant('small', lambda s: s.n <= 3)",
    "@m.action\ndef tick(s):\n    require(s.n < 4)\n    s.n += 1\nm.invariant('small', lambda s: s.n <= 3)",
    "check(m)",
    "m.invariant('x', 5)",
    "@m.action\ndef bad(s):\n    s.n = 1 // 0\ncheck(m)",
    "@m.action\ndef one(s):\n    s.n = 1\n@m.action\ndef one(s):\n    s.n = 2",
]


def test_in_the_shell_of_ipython(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    monkeypatch.setattr("sys.excepthook", sys.excepthook)
    shell = InteractiveShell.instance(history_length=0)
    try:
        shell.history_manager.enabled = False
        results = [shell.run_cell(cell, store_history=True) for cell in CELLS[:4]]
        assert [result.success for result in results] == [True] * 4
        report = results[-1].result
        assert report.statistics.explored == 4
        formatted, _ = shell.display_formatter.format(report)
        assert "✗ violated" in formatted["text/html"]
        capsys.readouterr()
        told = []
        for cell in CELLS[4:]:
            assert not shell.run_cell(cell, store_history=True).success
            told.append("".join(capsys.readouterr()))
        assert "error[SC117]" in told[0]
        assert "at    In[5]:1" in told[0]
        assert "error[SC201]" in told[1]
        assert "In[6]:3, action bad" in told[1]
        assert "ipython-input" not in told[1]
        assert "error[SC112]" in told[2]
        assert all("Traceback" not in text and len(text.splitlines()) < 20 for text in told)
    finally:
        InteractiveShell.clear_instance()


def test_columns_stay_columns():
    """Notebooks give what they show their own letters, also where a `<pre>` is."""
    report = check(counter())
    for shown in (report, report.verdicts[0].trace, Simulation(counter())):
        html = shown._repr_html_()
        assert html.count("<pre") == html.count('<pre style="font-family:monospace;') > 0
