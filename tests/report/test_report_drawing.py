"""Drawings: what is in the DOT text, that Graphviz reads it whatever the names are, and what is refused."""

import os
import re
import sys
import time
import xml.etree.ElementTree as ET

import pytest
from drawn_nets import channel, everything, protocol
from hypothesis import given, settings
from hypothesis import strategies as st
from pygraphviz import AGraph

from sweepcheck import Bag, Model, Net, colours, draw, load
from sweepcheck.errors import RequestError
from sweepcheck.report import drawing
from sweepcheck.report.dot import CLIPPED, TOKENS, tokens_lines, wrapped
from sweepcheck.report.drawing import draw_all
from sweepcheck.text import visible


def words(label):
    """The lines of a label in Graphviz' HTML."""
    root = ET.fromstring(f"<label>{label}</label>".replace("\\\\", "\\"))
    rows = root.iter("td") if root.find(".//td") is not None else [root]
    return [" ".join(row.itertext()) for row in rows if "".join(row.itertext())]


def read(drawing):
    """Nodes with the words on them, and arcs with everything about them, as Graphviz reads the text."""
    graph = AGraph(string=drawing.dot)
    nodes = {str(node): (node.attr["shape"], words(node.attr["label"])) for node in graph.nodes()}
    arcs = [
        (
            str(arc[0]),
            str(arc[1]),
            *(words(arc.attr["label"]) if arc.attr["label"] else [""]),
            arc.attr["arrowhead"] or "",
        )
        for arc in graph.edges()
    ]
    return nodes, sorted(arcs), graph


def texts(svg):
    """All words in an SVG picture."""
    return [element.text for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


# -- what is drawn ---------------------------------------------------------------------------------------------------


def test_every_kind_of_thing():
    nodes, arcs, graph = read(draw(everything()))
    assert nodes == {
        "A": ("ellipse", ["A", "0..4, at most 4", "2*1 + 1*2"]),
        "B": ("ellipse", ["B", "timed str", "1*'x'@0 + 1*'y'@3"]),
        "C": ("ellipse", ["C"]),
        "T": ("box", ["T", "[n < limit, m > 1]", "k in {'p', 'q'}", "let m = n + 1", "@+ 2"]),
        "U": ("box", ["U", "n in 0..1"]),
    }
    assert arcs == [
        ("A", "T", "n", ""),
        ("A", "U", "n", "odot"),
        ("B", "U", "", "normalnormal"),
        ("B", "U", "", "odot"),
        ("C", "T", "", ""),
        ("C", "U", "2", ""),
        ("T", "B", "k @+ n", ""),
    ]
    assert [str(arc) for arc in graph.edges() if arc.attr["dir"] == "both"] == ["('C', 'T')"]
    assert words(graph.graph_attr["label"]) == ["everything", "limit=3"]
    assert graph.graph_attr["rankdir"] == "TB"
    _, _, graph = read(draw(everything(), direction="right"))
    assert graph.graph_attr["rankdir"] == "LR"


def test_substitution_transitions_ports_and_fusion():
    nodes, arcs, graph = read(draw(protocol()))
    assert nodes["Network"] == ("box", ["Network", "network"])
    assert graph.get_node("Network").attr["peripheries"] == "2"
    assert [arc for arc in arcs if "Network" in arc] == [
        ("A", "Network", "Out", ""),
        ("C", "Network", "Back", ""),
        ("Losses", "Network", "Budget", ""),
        ("Network", "B", "There", ""),
        ("Network", "D", "In", ""),
    ]
    assert graph.get_edge("Losses", "Network").attr["dir"] == "both"
    nodes, _, _ = read(draw(protocol(), "Network.Packets"))
    assert nodes["From"][1] == ["From", "Packet", "In"]
    assert nodes["To"][1] == ["To", "Packet", "Out"]
    assert nodes["Budget"][1] == ["Budget", "● ●", "I/O"]  # the tokens of the place it stands for
    assert nodes["Lost"][1] == ["Lost", "Packet", "Waste"]


def test_the_flat_net_has_the_places_and_transitions_that_are_explored():
    net = protocol()
    nodes, _, _ = read(draw(net, flat=True))
    model = load_model(net)
    boxes = {name for name, (shape, _) in nodes.items() if shape == "box"}
    assert boxes == {action.name for action in model.actions}
    assert set(nodes) - boxes == set(model.variables)


def load_model(net):
    from sweepcheck.models.adoption import adopt

    return adopt(net)


def test_another_marking():
    net = everything()
    nodes, _, graph = read(draw(net, marking={"A": [4], "B": Bag(), "clock": 7}))
    assert nodes["A"][1][-1] == "1*4"
    assert nodes["B"][1] == ["B", "timed str"]
    assert words(graph.graph_attr["label"]) == ["everything, time 7", "limit=3"]
    model = load_model(net)
    state = model.initial_states()[0]
    assert read(draw(model, marking=model.describe(state)))[0] == read(draw(net))[0]


def test_a_net_that_is_not_finished_can_be_drawn():
    net = Net("")
    assert read(draw(net))[:2] == ({}, [])
    net.place("P")
    assert read(draw(net))[0] == {"P": ("ellipse", ["P"])}
    assert read(draw(channel()))[0]["From"][1] == ["From", "Packet", "In"]


def test_modules_that_look_the_same_share_a_drawing():
    drawings = draw_all(protocol())
    assert list(drawings) == [("",), ("Network",), ("Network.Packets", "Network.Acks")]
    assert [one.name for one in drawings.values()] == ["protocol", "network", "channel"]
    apart = draw_all(protocol(), marking={"B": ["here"]})
    assert list(apart) == [("",), ("Network",), ("Network.Packets",), ("Network.Acks",)]


def test_a_fusion_set_called_like_a_transition():
    net = Net("n")
    net.transition("T", net.place("P", fusion="T").put())
    nodes, arcs, _ = read(draw(net, flat=True))
    assert nodes == {"T": ("ellipse", ["T"]), "T'": ("box", ["T"])}
    assert arcs == [("T'", "T", "", "")]


def test_the_same_net_gives_the_same_text():
    assert draw(protocol()).dot == draw(protocol()).dot
    assert "0x" not in draw(everything()).dot


# -- long texts ------------------------------------------------------------------------------------------------------


def test_many_tokens_are_counted():
    assert tokens_lines(Bag([1, 1, 2])) == ["2*1 + 1*2"]
    many = tokens_lines(Bag(range(1000)))
    assert many[-1] == "(1,000 tokens)"
    assert " ".join(many).startswith("1*0 + 1*1 + 1*2 + ")
    assert len(Bag(range(TOKENS)).items()) == TOKENS
    assert CLIPPED.strip() not in " ".join(tokens_lines(Bag(range(TOKENS))))
    assert tokens_lines(Bag(["a" * 1000]))[-1].endswith(CLIPPED)


@given(st.text())
def test_wrapped_text_loses_nothing_but_its_end(text):
    lines = wrapped(text)
    shown = "".join(lines).removesuffix(CLIPPED.strip()).replace(" ", "")  # alone on a line, it has no space before it
    assert visible(text).replace(" ", "").startswith(shown)
    if not "".join(lines).endswith(CLIPPED.strip()):
        assert shown == visible(text).replace(" ", "")


# -- names that have a meaning elsewhere -----------------------------------------------------------------------------

NASTY = [
    "node",
    "graph",
    "a\\",
    'a"b',
    "<b>x</b>",
    "&amp;",
    "a\nb",
    "\\N\\G",
    "ü→🙂",
    "a;b//c",
    "{}",
    "\x00\x1b",
    "\ud800",
    "--",
    "%s {0}",
]
NAMES = st.one_of(st.sampled_from(NASTY), st.text(min_size=1)).filter(
    lambda name: (
        name.strip() and name.isprintable() and "." not in name and not name.startswith("_") and name != "clock"
    )
)


def nasty_net(names, text):
    """A net that uses the names for everything that has a name."""
    place, transition, substitution, other, fusion = names
    module = Net(text)
    port = module.place("Port", str, port="out")
    module.transition(transition, port.put(repr(text)))
    net = Net(text, constant=text)
    p = net.place(place, str, [text], fusion=fusion)
    q = net.place(other, colours.values(text, "x"))
    net.transition(transition, p.take("v"), q.put(repr(text)), guard=f"v == {text!r}")
    net.substitution(substitution, module, Port=p)
    return net


@settings(max_examples=60, deadline=None)
@given(st.lists(NAMES, min_size=5, max_size=5, unique=True), st.text())
def test_any_name_can_be_drawn(names, text):
    drawing = draw(nasty_net(names, text))
    nodes, arcs, graph = read(drawing)
    assert len(nodes) == 4
    assert len(arcs) == 3
    place, transition, substitution, other, _ = ([" ".join(wrapped(name))] for name in names)
    assert [found[1][:1] for found in nodes.values()] == [place, other, transition, substitution]
    # Labels are read only when the picture is made; a broken one would be left out of it.
    shown = texts(graph.draw(format="svg", prog="dot").decode())
    for name in names:
        assert set(wrapped(name)) <= set(shown)


# -- files and refusals ----------------------------------------------------------------------------------------------


def test_the_picture(tmp_path):
    drawing = draw(protocol())
    drawing.save(tmp_path / "net.svg")
    shown = texts((tmp_path / "net.svg").read_text(encoding="utf-8"))
    assert {"Send packet", "Packet(n, 'data')", "[n < 3]", "network"} <= set(shown)
    assert drawing._repr_svg_() == drawing.svg()
    for suffix in ("dot", "gv"):
        drawing.save(str(tmp_path / f"net.{suffix}"))
        assert (tmp_path / f"net.{suffix}").read_text(encoding="utf-8") == drawing.dot
    drawing.save(tmp_path / "net.svg")  # once more, over itself
    assert repr(drawing) == "<drawing of 'protocol'>"


def test_a_file_of_the_users_with_the_name_of_a_module_of_pythons_is_not_run(tmp_path, monkeypatch):
    (tmp_path / "pygraphviz.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert draw(channel()).svg().startswith("<?xml")


def refusal(function, *arguments, **options):
    with pytest.raises(RequestError) as caught:
        function(*arguments, **options)
    return caught.value


def test_refusals(tmp_path, monkeypatch):
    drawing = draw(channel())
    assert refusal(drawing.save, tmp_path / "net.png").code == "SC403"
    assert refusal(drawing.save, tmp_path / "missing" / "net.dot").code == "SC406"
    (tmp_path / "folder.dot").mkdir()
    assert refusal(drawing.save, tmp_path / "folder.dot").code == "SC406"
    for name in ("mine.svg", "mine.dot"):
        (tmp_path / name).write_text("<svg>by hand</svg>", encoding="utf-8")
        assert "not a drawing" in refusal(drawing.save, tmp_path / name).what
    error = refusal(draw, protocol(), "Network.Packet")
    assert (error.code, error.suggestion) == ("SC403", "did you mean 'Network.Packets'?")
    assert refusal(draw, protocol(), "Network", flat=True).code == "SC404"
    assert refusal(draw, protocol(), direction="up").code == "SC403"
    assert refusal(draw, protocol(), marking={"Sned": [1]}).suggestion == "did you mean 'Send'?"
    assert "cannot hold 5" in refusal(draw, protocol(), marking={"Send": 5}).what
    for other in (Model("m", n=0), 5):
        assert refusal(draw, other).code == "SC404"


def test_without_the_extra(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    drawing = draw(channel())
    error = refusal(drawing.save, tmp_path / "net.svg")
    assert error.code == "SC405"
    assert error.suggestion == 'pip install "pygraphviz>=2.0", or write DOT text: Drawing.dot'
    assert drawing._repr_svg_() is None
    drawing.save(tmp_path / "net.dot")


def test_a_graphviz_that_fails(monkeypatch):
    monkeypatch.setattr("sweepcheck.report.drawing.LAYOUT", "raise SystemExit('no plugin')")
    error = refusal(draw(channel()).svg)
    assert error.code == "SC405"
    assert error.values == (("stderr", "no plugin"),)


def test_from_a_file(tmp_path):
    path = tmp_path / "switch.py"
    path.write_text(
        "from sweepcheck import Net\nnet = Net('switch')\n"
        "net.transition('Press', net.place('Off', initial=1).take('()'), net.place('On').put('()'))\n",
        encoding="utf-8",
    )
    assert re.search(r'"Off" -> "Press"', draw(str(path)).dot)
    assert draw(load(str(path))) == draw(str(path))


def test_black_tokens_are_dots_and_their_arcs_bare():
    net = Net("dots")
    few, many, none = net.place("Few", initial=5), net.place("Many", initial=10), net.place("None", capacity=2)
    net.transition("T", few.take(), many.take(" 3 * () "), none.put("1*()"))
    nodes, arcs, _ = read(draw(net))
    assert nodes["Few"][1] == ["Few", "● ● ● ● ●"]
    assert nodes["Many"][1] == ["Many", "10"]
    assert nodes["None"][1] == ["None", "at most 2"]
    assert arcs == [("Few", "T", "", ""), ("Many", "T", "3", ""), ("T", "None", "", "")]


def test_a_layout_without_end_is_ended_with_all_that_it_has_started(monkeypatch, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    monkeypatch.setattr(drawing, "LAYOUT", f"import subprocess; subprocess.run('exec sleep 60 > {pipe}', shell=True)")
    monkeypatch.setattr(drawing, "LONGEST", 1.0)
    with pytest.raises(RequestError) as error:
        draw(Net("large")).svg()
    assert error.value.code == "SC405"
    assert "did not finish large in 1 seconds" in error.value.what

    def has_writer():
        try:
            return os.read(reader, 1) != b""  # nothing can be read from a pipe that nobody writes to
        except BlockingIOError:
            return True

    for _ in range(100):
        if not has_writer():
            break
        time.sleep(0.02)
    assert not has_writer()
    os.close(reader)
