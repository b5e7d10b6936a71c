"""What the core reads of a PNML file is what the careful reader reads, or nothing at all."""

import os
import re
from pathlib import Path
from random import Random

import pytest
from symmetric_nets import plain_pnml, random_plain, random_symmetric

from sweepcheck import Limits, check, explore, load
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.property import Kind, Property
from sweepcheck.errors import ModelError
from sweepcheck.models.net.system import NetModel
from sweepcheck.models.pnml.document import read_document
from sweepcheck.models.pnml.naming import names
from sweepcheck.models.pnml.plain import PlainModel, read_plain
from sweepcheck.models.pnml.translation import translated

USUAL = """<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<p:pnml xmlns:p='http://www.pnml.org/version-2009/grammar/pnml'>
  <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <name><text> a
      net </text></name>
    <toolspecific tool='x' version="1"><anything a="b">text &amp; more</anything></toolspecific>
    <page id="page"><name><text>page</text></name>
      <place id="p1"><graphics><position x="1" y="2"/></graphics><name><text>First &lt;place&gt;</text></name>
        <initialMarking><text> 3 </text><graphics/></initialMarking></place>
      <page id="inner"><place id="p2"/><place id="p.3"><initialMarking><text>1</text></initialMarking></place>
        <place id="p4">
          <name><text>Gr\u00fc\u00dfe</text></name><initialMarking><text>1</text></initialMarking></place></page>
      <arc id="a1" source="p1" target="t1"><inscription><text>2</text></inscription></arc>
      <transition id="t1"><name><text>go</text></name></transition>
      <transition id="t2"/><transition id="t3"><name><text>go</text></name></transition>
      <arc id="a2" source="t1" target="p2"/>
      <arc id="a3" source="p2" target="t2"><type value="inhibitor"/></arc>
      <arc id="a4" source="p1" target="t2" type="test"/><arc id="a5" source="p.3" target="t2"/>
      <arc id="a6" source="t2" target="p.3"/><arc id="a7" source="p2" target="t3"><type value="reset"/></arc>
      <arc id="a8" source="p4" target="t3" type="read"/><arc id="a9" source="p2" target="t3"/>
    </page>
  </net>
</p:pnml>
"""


def careful(path: Path) -> NetModel:
    """The model by the reader that knows all of XML."""
    pnml = read_document(path, FileLimits())
    called = names({one: node.name for one, node in (*pnml.places.items(), *pnml.transitions.items())})
    made = NetModel(translated(pnml, called))
    made.ids = called
    return made


def written(model: NetModel) -> list[object]:
    """All that is told of a model."""
    net = model.net
    transitions = [(one.name, one.where, [(arc.kind, arc.place.name, arc.text) for arc in one.arcs])
                   for one in net.transitions.values()]  # fmt: skip
    places = [(one.name, one.where, one.initial) for one in net.places.values()]
    counted = model.count_net()
    return [
        model.name, net.name, places, transitions, dict(model.ids), model.variables, model.kinds,
        model.initial_states(), [(one.label, model.locate(one.label)) for one in model.actions],
        None if counted is None else (counted.places, counted.initial, list(counted.transitions)),
    ]  # fmt: skip


def agree(path: Path) -> bool:
    """Whether the core reads a file; then both read the same."""
    found = read_plain(path, FileLimits())
    if found is None:
        return False
    assert written(PlainModel(path, found)) == written(careful(path))
    return True


def test_what_tools_write(tmp_path: Path) -> None:
    path = tmp_path / "net.pnml"
    path.write_text(USUAL, encoding="utf-8")
    assert agree(path)
    model = load(path)
    assert isinstance(model, PlainModel)
    assert model.name == "a net"
    assert model.variables == ("First <place>", "p2", "p_3", "Gr\u00fc\u00dfe")
    assert [one.name for one in model.actions] == ["t1", "t2", "t3"]
    for engine in ("native", "reference"):
        report = explore(model, engine=engine)
        assert (report.statistics.states, report.statistics.edges) == (3, 4), engine


NAMES = ["p1 p2 t1", "p2 p1 t1", "a-1 1_a go", "a a go", "go b go", "clock b t1", "a b clock", "a.b b t1", "a _b t1",
         "a -b t1", "t1 b go", "p2 b t1"]  # fmt: skip


@pytest.mark.parametrize("called", NAMES)
def test_names_are_those_of_the_careful_reader(called: str, tmp_path: Path) -> None:
    labels = [f"<name><text>{one}</text></name>" for one in called.split()]
    places = "".join(f'<place id="p{number}">{label}</place>' for number, label in enumerate(labels[:2], 1))
    path = tmp_path / "net.pnml"
    path.write_text(f'<pnml><net id="n" type="ptnet">{places}<transition id="t1">{labels[2]}</transition></net></pnml>')
    assert agree(path)


@pytest.mark.parametrize("seed", range(1000 if os.environ.get("SWEEPCHECK_SLOW") else 30))
def test_random_nets(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "net.pnml"
    path.write_text(plain_pnml(*random_plain(Random(seed))), encoding="utf-8")
    assert agree(path)


UNUSUAL = [
    ("<p:pnml", "<!DOCTYPE pnml><p:pnml"), ("<p:pnml", "<?pi?><p:pnml"), ("<p:pnml", "text<p:pnml"),
    ("<text>1</text>", "<text><![CDATA[1]]></text>"), ("<text>1</text>", "<text>&#49;</text>"),
    ("<text>1</text>", "<value>1</value>"), ("<text>1</text>", "1"), ("<text>1</text>", "<text>+1</text>"),
    ("<text>1</text>", "<text>1000000000</text>"), ("<text>1</text>", "<text>1</text><text>2</text>"),
    ("<text>1</text>", "<text>]]></text>"), ("<text>1</text>", "<text>\r1</text>"),
    ("<text>1</text>", "<text>\x01</text>"),
    ("<text>1</text>", "<text>-1</text>"), ("<text>2</text>", "<text>0</text>"), ('id="p2"', 'id="p1"'),
    ('id="p2"', 'id="p&amp;2"'), ('id="p2"', "id='p\n2'"), ('id="p2"', 'id="p2" id="p2"'), ('id="p2"', 'id=p2'),
    ('id="p2"', ""), ('source="t1"', 'source="t0"'), ('source="t1"', 'source="p1"'), ('"inhibitor"', '"no"'),
    ('<transition id="t2"/>', '<transition id="t2"><condition/></transition>'), ("</page>", "</pages>"),
    ("<page", "<part"), ("</p:pnml>", ""), ("</p:pnml>", "</p:pnml><more/>"), ("comment -->", "comment -- -->"),
    ('<place id="p2"/>', '<referencePlace id="p2" ref="p1"/>'), ("grammar/ptnet", "grammar/other"),
    ('id="p2"', 'id="p2" initialMarking="1"'), ('id="a2"', 'id="a2" weight="2"'), ('id="t2"', 'id="t2" priority="1"'),
    ("UTF-8", "ISO-8859-1"), ("UTF-8", "UTF-16"), ("UTF-8", "EBCDIC"), ("\u00fc", "\uffff"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), UNUSUAL, ids=range(len(UNUSUAL)))
def test_what_is_unusual_is_left_to_the_careful_reader(old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "net.pnml"
    assert old in USUAL
    path.write_bytes(USUAL.replace(old, new).encode("utf-8"))
    assert read_plain(path, FileLimits()) is None


def test_wrong_files_are_never_read(tmp_path: Path) -> None:
    """Whatever is cut out, doubled or put in: what the core reads, the careful reader reads likewise."""
    random, path, read = Random(1), tmp_path / "net.pnml", 0
    pieces = re.findall(r"<[^<]*", USUAL)
    scraps = [*pieces, "<", ">", "/", '"', "&", "]]>", "--", " ", "\n", "\u00e9", "=", "p1", "t1", "0", "-->", "<!--"]
    for _ in range(20_000 if os.environ.get("SWEEPCHECK_SLOW") else 200):
        text = USUAL
        for _ in range(random.randint(1, 3)):
            begin = random.randrange(len(text))
            end = begin + random.choice((0, 0, 1, 2, 5, 30))
            text = text[:begin] + random.choice(("", random.choice(scraps))) + text[end:]
        path.write_text(text, encoding="utf-8", newline="")
        read += agree(path)
    assert read > 10


def test_questions_about_a_net_that_was_not_made_yet(tmp_path: Path) -> None:
    path = tmp_path / "net.pnml"
    path.write_text(USUAL, encoding="utf-8")
    for engine in ("native", "reference"):
        few = Property(Kind.INVARIANT, "few", lambda m: len(m.p2) < 1)
        report = check(load(path), properties=[few], engine=engine)
        verdict = report.verdicts[0]
        assert verdict.trace is not None
        assert [str(step.label) for step in verdict.trace.steps] == ["t1"], engine
    model = load(path)
    place = model.net.places["p2"]
    assert explore(model, measure=lambda m: len(m[place])).statistics.explored == 3


def test_unfolded_nets_count_directly(tmp_path: Path) -> None:
    """Their actions are called as in the coloured net, and are the unfolded transitions all the same."""
    counted = 0
    for seed in range(12):
        path = tmp_path / f"net{seed}.pnml"
        path.write_text(random_symmetric(Random(seed)).pnml(), encoding="utf-8")
        try:
            model = load(str(path), unfold=True)
        except ModelError:
            continue
        report = explore(model, engine="native", limits=Limits(states=2_000))
        assert sum(one.evaluations for one in report.actions) == 0
        counted += 1
    assert counted > 5
