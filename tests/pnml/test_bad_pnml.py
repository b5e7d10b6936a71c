"""Files that are wrong, hostile or broken: a code and a line, never a traceback, never a hang."""

import os
from pathlib import Path
from random import Random

import pytest
from symmetric_nets import GRAMMAR, plain_pnml, random_symmetric

from sweepcheck import FileLimits, SweepcheckError, explore, load
from sweepcheck.cli.main import main
from sweepcheck.errors import CODES
from sweepcheck.models.pnml.formulas import read_formulas
from sweepcheck.queries.formulas import answer_questions

PLACE, STEP = '<place id="a"/>', '<transition id="t"/>'
MUTANTS = 100_000 if os.environ.get("SWEEPCHECK_SLOW") else 300


def net(inside: str, kind: str = "ptnet") -> str:
    return f'<pnml>\n<net id="n" type="{GRAMMAR}{kind}">\n<page id="p">\n{inside}\n</page></net></pnml>'


def sorts(declared: str) -> str:
    return net(
        '<place id="a"><type><structure><usersort declaration="A"/></structure></type></place><transition id="t"/>',
        "symmetricnet",
    ).replace(
        "<page", f"<declaration><structure><declarations>{declared}</declarations></structure></declaration><page", 1
    )


def arc(inside: str = "", more: str = "") -> str:
    return net(f'{PLACE}{STEP}<arc id="x" source="a" target="t"{more}>{inside}</arc>')


BOMB = '<!DOCTYPE pnml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
WRONG = {
    "not XML": ("SC132", "this is no XML"),
    "nothing": ("SC132", ""),
    "cut off": ("SC132", net(PLACE)[:-20]),
    "an entity bomb": ("SC132", BOMB + net(PLACE)),
    "an external entity": ("SC132", '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + net(PLACE)),
    "an external document type": ("SC132", '<!DOCTYPE pnml SYSTEM "http://localhost/x.dtd">' + net(PLACE)),
    "an unknown entity": ("SC132", net("&e;")),
    "too deep": ("SC132", net("<page id='q'>" * 1000 + "</page>" * 1000)),
    "too deep where it is ignored": ("SC132", net("<graphics>" * 1000 + "</graphics>" * 1000)),
    "an unknown encoding": ("SC132", '<?xml version="1.0" encoding="x-none"?>' + net(PLACE)),
    "another root": ("SC133", "<html/>"),
    "no net": ("SC133", "<pnml/>"),
    "two nets": ("SC133", net(PLACE).replace("</pnml>", net(PLACE).partition("<pnml>")[2])),
    "another kind of net": ("SC133", net(PLACE, "timednet")),
    "a node outside": ("SC133", f"<pnml>{PLACE}</pnml>"),
    "a node without an id": ("SC134", net("<place/>")),
    "two nodes with one id": ("SC134", net(f"{PLACE}{PLACE}")),
    "an arc from nowhere": ("SC134", net(f'{PLACE}{STEP}<arc id="x" source="b" target="t"/>')),
    "an arc between places": ("SC134", net('<place id="a"/><place id="b"/><arc id="x" source="a" target="b"/>')),
    "an arc between transitions": ("SC134", net(f'{STEP}<transition id="u"/><arc id="x" source="t" target="u"/>')),
    "an inhibitor arc to a place": ("SC134", net(f'{PLACE}{STEP}<arc id="x" source="t" target="a" type="inhibitor"/>')),
    "a reference to itself": ("SC134", net('<referencePlace id="r" ref="r"/>' + STEP)),
    "references in a circle": (
        "SC134",
        net('<referencePlace id="r" ref="s"/><referencePlace id="s" ref="u"/><referencePlace id="u" ref="r"/>'),
    ),
    "a reference to a transition": ("SC134", net(STEP + '<referencePlace id="r" ref="t"/>')),
    "sorts in a circle": (
        "SC134",
        sorts(
            '<namedsort id="A"><productsort><usersort declaration="B"/></productsort></namedsort>'
            '<namedsort id="B"><productsort><usersort declaration="A"/></productsort></namedsort>'
        ),
    ),
    "an unknown element": ("SC135", net("<port id='x'/>")),
    "an unknown part of a place": ("SC135", net('<place id="a"><capacity/></place>')),
    "an unknown kind of arc": ("SC135", arc(more=' type="magic"')),
    "an unknown sort": ("SC135", sorts('<namedsort id="A"><string/></namedsort>')),
    "an unknown declaration": ("SC135", sorts("<unparsed/>")),
    "a marking that is no number": (
        "SC136",
        net('<place id="a"><initialMarking><text>x</text></initialMarking></place>'),
    ),
    "a negative marking": ("SC136", net('<place id="a"><initialMarking><text>-1</text></initialMarking></place>')),
    "an endless number": (
        "SC136",
        net(f'<place id="a"><initialMarking><text>{"9" * 5000}</text></initialMarking></place>'),
    ),
    "a weight of nothing": ("SC136", arc("<inscription><text>0</text></inscription>")),
    "an undeclared sort": ("SC137", sorts("")),
    "an empty range": ("SC137", sorts('<namedsort id="A"><finiteintrange start="3" end="1"/></namedsort>')),
    "an enormous range": (
        "SC137",
        sorts('<namedsort id="A"><finiteintrange start="0" end="99999999999"/></namedsort>'),
    ),
    "an empty enumeration": ("SC137", sorts('<namedsort id="A"><cyclicenumeration/></namedsort>')),
    "a place without a sort": ("SC137", net('<place id="a"/>', "symmetricnet")),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = WRONG[name]
    path = tmp_path / "net.pnml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SweepcheckError) as caught:
        load(str(path))
    assert caught.value.code == code
    assert caught.value.where is not None
    assert caught.value.where.startswith("net.pnml:")
    assert main(["explore", str(path)]) == 2
    printed = capsys.readouterr().err
    assert code in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_net_without_transitions_has_one_state(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "net.pnml"
    path.write_text(net(PLACE), encoding="utf-8")
    report = explore(load(str(path)), engine=engine)
    assert (report.statistics.states, report.statistics.edges) == (1, 0)
    assert report.warnings == ("the model has no transitions: only the initial state was looked at",)


def test_files_beyond_their_limits(tmp_path: Path) -> None:
    path = tmp_path / "net.pnml"
    path.write_text(plain_pnml({"a": 1}, {"t": [("take", "a", 1)]}), encoding="utf-8")
    assert load(str(path), limits=FileLimits(bytes=path.stat().st_size))
    with pytest.raises(SweepcheckError) as caught:
        load(str(path), limits=FileLimits(bytes=100))
    assert caught.value.code == "SC410"


def test_a_file_of_a_hundred_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "net.pnml"
    with path.open("wb") as out:
        out.write(b"<pnml>" + b" " * 1000)
        for _ in range(100):
            out.write(b" " * (1 << 20))
    with pytest.raises(SweepcheckError) as caught:
        load(str(path))
    assert caught.value.code == "SC410"
    with pytest.raises(SweepcheckError) as caught:
        load(str(path), limits=FileLimits(bytes=1 << 30))
    assert caught.value.code == "SC132"


def test_no_file(tmp_path: Path) -> None:
    (tmp_path / "there.pnml").write_text("<pnml/>")
    with pytest.raises(SweepcheckError, match=r"there\.pnml") as caught:
        load(str(tmp_path / "their.pnml"))
    assert caught.value.code == "SC101"
    with pytest.raises(SweepcheckError) as caught:
        load(str(tmp_path / "there.pnml"), {"n": 3})
    assert caught.value.code == "SC105"


PIECES = [
    "<", ">", "/", '"', "&", "&lt;", "<subterm>", "</subterm>", "<all>", "<add>", "</place>", "<page id='z'>", "\x00",
    "é", "<numberof>", "id=", "ref=", "99999999999999999999", "-1", "<!DOCTYPE x>", "<tuple>",
    "<referencePlace id='q' ref='q'/>",
]  # fmt: skip


def mutated(random: Random, text: str) -> str:
    """A text with a few pieces taken away, doubled, moved or put in."""
    for _ in range(random.randint(1, 4)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.randint(0, 60))
        match random.randrange(4):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:end] + text[start:]
            case 2:
                text = text[:start] + random.choice(PIECES) + text[start:]
            case _:
                words = text.split('"')
                one, other = random.randrange(len(words)), random.randrange(len(words))
                words[one], words[other] = words[other], words[one]
                text = '"'.join(words)
    return text


def test_mutants(tmp_path: Path) -> None:
    """Whatever is done to a file, it is a net or an error with a code."""
    path = tmp_path / "net.pnml"
    whole = [random_symmetric(Random(seed)).pnml() for seed in range(20)]
    whole += [plain_pnml({"a": 1, "b": 2}, {"t": [("take", "a", 1), ("put", "b", 2), ("inhibitor", "b", 3)]})] * 5
    read = 0
    for seed in range(MUTANTS):
        random = Random(seed)
        path.write_text(mutated(random, random.choice(whole)), encoding="utf-8")
        try:
            load(str(path), unfold=random.choice([None, None, True, False]))
            read += 1
        except SweepcheckError as error:
            assert error.code in CODES  # noqa: PT017 - or it is a net
    assert 0 < read < MUTANTS


FORMULAS = """<?xml version="1.0"?><property-set xmlns="http://mcc.lip6.fr/">
<property><id>f-0</id><description>x</description><formula><all-paths><globally><disjunction><integer-le>
<tokens-count><place>a</place><place>b</place></tokens-count><integer-constant>3</integer-constant></integer-le><negation>
<is-fireable><transition>t</transition></is-fireable></negation></disjunction></globally></all-paths></formula></property>
<property><id>f-1</id><formula><place-bound><place>b</place></place-bound></formula></property>
<property><id>f-2</id><formula><exists-path><finally><conjunction><is-deadlock/><integer-eq><integer-sum><tokens-count>
<place>a</place></tokens-count><integer-constant>2</integer-constant></integer-sum><integer-product><integer-constant>2
</integer-constant><tokens-count><place>b</place></tokens-count></integer-product></integer-eq><true/></conjunction>
</finally></exists-path></formula></property></property-set>
"""


def test_mutants_of_formulas(tmp_path: Path) -> None:
    """Whatever is done to a formula file, it is questions with answers, or an error with a code."""
    net, path = tmp_path / "net.pnml", tmp_path / "formulas.xml"
    net.write_text(plain_pnml({"a": 1, "b": 2}, {"t": [("take", "a", 1), ("put", "b", 2)]}), encoding="utf-8")
    model = load(str(net))
    answered = 0
    for seed in range(MUTANTS // 2):
        path.write_text(mutated(Random(seed), FORMULAS), encoding="utf-8")
        try:
            answered += len(answer_questions(model, read_formulas(path, model)).answers)
        except SweepcheckError as error:
            assert error.code in CODES  # noqa: PT017 - or it is answered
    assert answered > 0
