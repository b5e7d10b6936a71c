"""Files of CPN Tools as they are read: all versions, structured elements, hierarchy, and what is refused."""

import random
from contextlib import suppress
from pathlib import Path

import pytest
from cpn_files import DOCTYPE, Page, Place, Transition, cpn_text, write_cpn

from sweepcheck import SweepcheckError, explore, load
from sweepcheck.core.limits import FileLimits
from sweepcheck.models.cpn.document import CpnDocument
from sweepcheck.models.cpn.instances import instances
from sweepcheck.models.cpn.reading import read_document

EXAMPLE = Path(__file__).parents[2] / "examples" / "protocol.cpn"


def read(path: Path, text: str | bytes) -> CpnDocument:
    file = path / "net.cpn"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("iso-8859-1"))
    return read_document(file, FileLimits())


def refused(path: Path, text: str | bytes) -> SweepcheckError:
    with pytest.raises(SweepcheckError) as caught:
        instances(read(path, text))
    return caught.value


STEP = Page("Top", [Place("A", "INT", "1`1")], [Transition("T")], ["A -> T : n"])


@pytest.mark.parametrize(
    "doctype",
    [
        "",
        DOCTYPE,
        *(
            f'<!DOCTYPE workspaceElements PUBLIC "-//CPN//DTD CPNXML 1.0//EN" '
            f'"http://www.daimi.au.dk/~cpntools/bin/DTD/{version}/cpn.dtd">'
            for version in range(2, 7)
        ),
    ],
)
def test_every_version_of_the_format_is_read_and_no_document_type_is_looked_at(tmp_path: Path, doctype: str) -> None:
    found = read(tmp_path, cpn_text("var n : INT;", STEP, doctype=doctype))
    (page,) = found.pages.values()
    assert [one.name for one in page.places.values()] == ["A"]
    assert [one.text for one in found.declarations][-1] == "var n : INT;"


def early(prime: int) -> str:
    """A net as the first versions have it: declarations as text, and how often each page is prime."""
    text = cpn_text("", STEP, doctype="")
    for tag in ("block", "instances"):
        text = text[: text.index(f"<{tag}")] + text[text.index(f"</{tag}>") + len(f"</{tag}>") :]
    declared = "<errordecl>color INT = int with 1..2;\n color PAIR = product INT * INT; var n : INT;</errordecl>"
    start = f'<mult insts="{prime}"/><modeattr siminc="false"/><winattr open="true"/><posattr x="0.0" y="0.0"/>'
    at = text.index("<place")
    return (text[:at] + start + text[at:]).replace("</globbox>", declared + "</globbox>")


@pytest.mark.parametrize("prime", [1, 3])
def test_files_of_the_first_versions(tmp_path: Path, prime: int) -> None:
    file = tmp_path / "net.cpn"
    file.write_text(early(prime), encoding="iso-8859-1")
    assert [str(one) for one in load(str(file)).variables] == [f"Top'A {n + 1}" for n in range(prime)]
    assert explore(load(str(file))).statistics.states == 2**prime


def test_letters_of_the_encoding_are_read(tmp_path: Path) -> None:
    page = Page("Größe", [Place("Straße", "INT")], [Transition("Übergang")], [])
    found = read(tmp_path, cpn_text("", page))
    assert next(iter(found.pages.values())).name == "Größe"
    assert [one.name for one in instances(found).places] == ["Größe'Straße 1"]


def test_orientations_and_ports_in_any_case(tmp_path: Path) -> None:
    text = cpn_text("", Page("Top", [Place("A", port="in")], [Transition("T")], ["A -> T", "T -> A"]))
    found = read(tmp_path, text.replace("PtoT", "ptot").replace("TtoP", "TTOP"))
    (page,) = found.pages.values()
    assert [arc.kind for arc in page.arcs] == ["ptot", "ttop"]
    assert [one.port for one in page.places.values()] == ["in"]


@pytest.mark.parametrize(
    ("element", "text"),
    [
        ("<unit/>", "unit"),
        ("<unit><with><id>e</id></with></unit>", "unit with e"),
        ("<bool><with><id>no</id><id>yes</id></with></bool>", "bool with (no, yes)"),
        ("<int><with><ml>1</ml><ml>N</ml></with></int>", "int with 1..N"),
        ("<timed/><int/>", "int timed"),
        ("<string><with><ml>\"a\"</ml><ml>\"z\"</ml><and><ml>1</ml><ml>3</ml></and></with></string>",
         'string with "a".."z" and 1..3'),
        ("<enum><id>red</id><id>green</id></enum>", "with red | green"),
        ("<index><ml>1</ml><ml>n</ml><id>ph</id></index>", "index ph with 1..n"),
        ("<product><id>A</id><id>B</id></product>", "product A * B"),
        ("<record><recordfield><id>a</id><id>A</id></recordfield><recordfield><id>b</id><id>B</id></recordfield></record>",
         "record a : A * b : B"),
        ("<list><id>A</id></list>", "list A"),
        ("<list><id>A</id><with><ml>1</ml><ml>3</ml></with></list>", "list A with 1..3"),
        ("<union><unionfield><id>a</id><type><id>A</id></type></unionfield><unionfield><id>b</id></unionfield></union>",
         "union a : A + b"),
        ("<subset><id>A</id><by><ml>even</ml></by></subset>", "subset A by even"),
        ("<subset><id>A</id><with><ml>[1,2]</ml></with></subset>", "subset A with [1,2]"),
        ("<alias><id>A</id></alias>", "A"),
        ("<int/><declare><id>all</id><id>ms</id></declare>", "int declare all, ms"),
    ],
)  # fmt: skip
def test_colour_sets_are_elements_not_the_text_on_the_screen(tmp_path: Path, element: str, text: str) -> None:
    colour = f"<color id='C'><id>C</id>{element}<layout>colset C = nothing;</layout></color>"
    found = read(tmp_path, cpn_text("", STEP, elements=colour))
    assert found.declarations[-1].text == f"colset C = {text};"


def test_variables_references_and_files_are_declarations(tmp_path: Path) -> None:
    elements = (
        "<var id='V'><type><id>INT</id></type><id>x</id><id>y</id><layout>var z : BOOL;</layout></var>"
        "<globref id='G'><id>count</id><ml>0</ml></globref><use id='U'><ml>\"more.sml\"</ml></use>"
    )
    found = read(tmp_path, cpn_text("", STEP, elements=elements))
    assert [one.text for one in found.declarations[-3:]] == [
        "var x, y : INT;",
        "globref count = 0;",
        'use "more.sml";',
    ]


def test_declarations_keep_their_line(tmp_path: Path) -> None:
    text = cpn_text("val x = 1;", STEP)
    found = read(tmp_path, text)
    line = next(number for number, line in enumerate(text.splitlines(), 1) if "val x = 1" in line)
    assert found.declarations[-1].line == line


HIERARCHY = (
    Page(
        "Top",
        [Place("Left", "INT", "1`1"), Place("Right", "INT")],
        [
            Transition("There", page="Sub", sockets={"In": "Left", "Out": "Right"}),
            Transition("Back", page="Sub", sockets={"In": "Right", "Out": "Left"}),
        ],
    ),
    Page(
        "Sub",
        [Place("In", "INT", "1`9", port="In"), Place("Out", "INT", port="Out"), Place("Own", "INT")],
        [Transition("Move")],
        ["In -> Move : n", "Move -> Out : n"],
    ),
)


def test_every_use_of_a_page_is_an_instance_and_ports_are_their_sockets(tmp_path: Path) -> None:
    found = instances(read(tmp_path, cpn_text("var n : INT;", *HIERARCHY)))
    assert [one.name for one in found.transitions] == ["Sub'Move 1", "Sub'Move 2"]
    roots = {one.name: one.root().name for one in found.places}
    assert roots == {
        "Top'Left 1": "Top'Left 1",
        "Top'Right 1": "Top'Right 1",
        "Sub'In 1": "Top'Left 1",
        "Sub'Out 1": "Top'Right 1",
        "Sub'Own 1": "Sub'Own 1",
        "Sub'In 2": "Top'Right 1",
        "Sub'Out 2": "Top'Left 1",
        "Sub'Own 2": "Sub'Own 2",
    }


def test_a_name_that_tells_apart_is_no_other_name_of_the_page(tmp_path: Path) -> None:
    page = Page("Top", [Place("A", "INT"), Place("B", "INT"), Place("A_2", "INT")], [Transition("T")], [])
    found = instances(read(tmp_path, cpn_text("", page).replace("<text>B</text>", "<text>A</text>")))
    assert [one.name for one in found.places] == ["Top'A 1", "Top'A_3 1", "Top'A_2 1"]


def test_a_fusion_set_is_one_place_in_all_instances(tmp_path: Path) -> None:
    text = cpn_text("var n : INT;", *HIERARCHY, fusions={"F": [("Sub", "Own"), ("Top", "Right")]})
    found = instances(read(tmp_path, text))
    assert len({one.root() for one in found.places if one.place.name in ("Own", "Right")}) == 1


def test_several_prime_pages_stand_for_themselves(tmp_path: Path) -> None:
    other = Page("Other", [Place("A", "INT")], [Transition("T")], [])
    found = instances(read(tmp_path, cpn_text("var n : INT;", STEP, other)))
    assert [one.name for one in found.transitions] == ["Top'T 1", "Other'T 1"]


def test_equal_names_on_a_page_are_told_apart(tmp_path: Path) -> None:
    page = Page("Top", [Place("A b", "INT"), Place("A c", "INT")], [Transition("T")], [])
    text = cpn_text("", page).replace("<text>A c</text>", "<text>A b</text>")
    found = instances(read(tmp_path, text))
    assert [one.name for one in found.places] == ["Top'A_b 1", "Top'A_b_2 1"]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "SC144", "no element found"),
        ("<workspaceElements>", "SC144", "no element found"),
        ("<html/>", "SC145", "<html>"),
        ("<workspaceElements/>", "SC145", "<cpnet>"),
        ("<workspaceElements><cpnet/><cpnet/></workspaceElements>", "SC145", "more than one"),
        ("<workspaceElements><cpnet><surprise/></cpnet></workspaceElements>", "SC145", "surprise"),
        ('<!DOCTYPE workspaceElements [<!ENTITY a "b">]><workspaceElements/>', "SC144", "document type"),
        ("<!DOCTYPE workspaceElements SYSTEM 'x.dtd'><workspaceElements>&who;</workspaceElements>", "SC144", "who"),
        ("<workspaceElements><cpnet>" + "<globbox>" * 500, "SC144", "within each other"),
        ("<?xml version='1.0' encoding='klingon'?><workspaceElements/>", "SC144", "encoding"),
        (cpn_text("", STEP).replace("PtoT", "sideways"), "SC145", "sideways"),
        (cpn_text("", STEP).replace("idref=\"IDTop_A\"", "idref='nowhere'"), "SC145", "nowhere"),
        (cpn_text("", STEP).replace("<placeend idref=\"IDTop_A\"/>", ""), "SC145", "<placeend>"),
        (cpn_text("", STEP).replace("id=\"IDTop_T\"", "id=\"IDTop_A\""), "SC145", "two nodes"),
        (cpn_text("", STEP, elements="<color id='C'><id>C</id><cloud/></color>"), "SC145", "cloud"),
        (cpn_text("", STEP, elements="<color id='C'><id></id><int/></color>"), "SC145", "no name"),
        (cpn_text("", STEP).replace("</page>", "<constraints><must/></constraints></page>"), "SC146", "constraints"),
        (cpn_text("", *HIERARCHY).replace("subpage=\"PSub\"", "subpage='PNone'"), "SC145", "PNone"),
        (cpn_text("", *HIERARCHY).replace("IDSub_In,", "IDSub_Own,"), "SC147", "no port"),
        (cpn_text("", *HIERARCHY).replace(",IDTop_Left)", ",IDSub_Own)"), "SC147", "no place of its page"),
        (cpn_text("", *HIERARCHY).replace("subpage=\"PSub\"", "subpage='PTop'"), "SC147", "contains itself"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(tmp_path: Path, text: str, code: str, words: str) -> None:
    error = refused(tmp_path, text)
    assert error.code == code
    assert words in str(error)
    assert error.suggestion


def test_an_entity_bomb_is_not_read(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "boom" * 10}">' for n in range(12))
    text = f"<!DOCTYPE workspaceElements [{entities}]><workspaceElements>&e11;</workspaceElements>"
    assert refused(tmp_path, text).code == "SC144"


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = write_cpn(tmp_path, "val x = 1;" * 1000, STEP)
    with pytest.raises(SweepcheckError) as caught:
        read_document(path, FileLimits(bytes=5000))
    assert caught.value.code == "SC410"


def test_many_instances_are_refused(tmp_path: Path) -> None:
    pages = [
        Page(f"L{n}", [], [Transition(f"T{i}", page=f"L{n + 1}") for i in range(10)] if n < 6 else [Transition("T")])
        for n in range(7)
    ]
    error = refused(tmp_path, cpn_text("", *pages))
    assert error.code == "SC147"
    assert "instances" in str(error)


def test_damaged_files_are_errors_and_nothing_else(tmp_path: Path) -> None:
    whole, dice = EXAMPLE.read_bytes(), random.Random(17)
    for _ in range(60):
        start = dice.randrange(len(whole))
        length = dice.choice([1, 3, 20, 300])
        middle = dice.choice([b"", b"<x/>", b"&", b"\x00", bytes(dice.randrange(256) for _ in range(5))])
        with suppress(SweepcheckError):  # anything else is a fault
            instances(read(tmp_path, whole[:start] + middle + whole[start + length :]))
