"""Small nets with every construct of PNML, each with the states and edges that it must have."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from symmetric_nets import GRAMMAR, Spec, plain_net, plain_pnml

from sweepcheck import Bag, check, explore, invariant, load, reachable, state_space_report

BLACK = "<structure><dotconstant/></structure>"


def file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "net.pnml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def counts(model: object) -> tuple[int | None, int]:
    found = {
        (r.statistics.states, r.statistics.edges) for r in (explore(model, engine=e) for e in ("native", "reference"))
    }
    assert len(found) == 1
    return found.pop()


# -- place/transition nets ---------------------------------------------------------------------------------------------

PLAIN = {
    "one step": ({"a": 1, "b": 0}, {"t": [("take", "a", 1), ("put", "b", 1)]}),
    "many tokens": ({"a": 7, "b": 0}, {"t": [("take", "a", 1), ("put", "b", 1)]}),
    "weights": ({"a": 7, "b": 0}, {"t": [("take", "a", 2), ("put", "b", 3)]}),
    "a cycle": ({"a": 2, "b": 0}, {"t": [("take", "a", 1), ("put", "b", 1)], "u": [("take", "b", 1), ("put", "a", 1)]}),
    "a loop arc": ({"a": 1, "b": 0}, {"t": [("take", "a", 1), ("put", "a", 1)]}),
    "dead from the start": ({"a": 0, "b": 0}, {"t": [("take", "a", 1), ("put", "b", 1)]}),
    "a sink": ({"a": 3}, {"t": [("take", "a", 1)]}),
    "two arcs between two nodes": ({"a": 5, "b": 0}, {"t": [("take", "a", 1), ("take", "a", 1), ("put", "b", 1)]}),
    "inhibited": ({"a": 3, "b": 0}, {"t": [("take", "a", 1), ("put", "b", 1), ("inhibitor", "b", 2)]}),
    "inhibited by any": ({"a": 3, "b": 0}, {"t": [("take", "a", 1), ("put", "b", 1), ("inhibitor", "b", 1)]}),
    "reset": ({"a": 2, "b": 3}, {"t": [("take", "a", 1), ("reset", "b", 1)]}),
    "reset and put": ({"a": 2, "b": 3}, {"t": [("take", "a", 1), ("reset", "b", 1), ("put", "b", 1)]}),
    "a fork and a join": (
        {"a": 1, "b": 0, "c": 0, "d": 0},
        {
            "fork": [("take", "a", 1), ("put", "b", 1), ("put", "c", 1)],
            "join": [("take", "b", 1), ("take", "c", 1), ("put", "d", 1)],
            "back": [("take", "d", 1), ("put", "a", 1)],
        },
    ),
    "a mutex": (
        {"m": 1, "i": 2, "c": 0},
        {
            "enter": [("take", "m", 1), ("take", "i", 1), ("put", "c", 1)],
            "leave": [("take", "c", 1), ("put", "m", 1), ("put", "i", 1)],
        },
    ),
}


@pytest.mark.parametrize("name", PLAIN)
def test_plain(name: str, tmp_path: Path) -> None:
    states, complete = plain_net(*PLAIN[name]).explored()
    assert complete
    model = load(file(tmp_path, plain_pnml(*PLAIN[name])))
    assert counts(model) == (len(states), sum(map(len, states.values())))


# -- symmetric nets ----------------------------------------------------------------------------------------------------

SORTS = {"C": ("cyclic", 3), "F": ("finite", 3), "R": ("range", 2, 4), "CF": ("product", "C", "F"), "Dot": ("dot",)}
SORTS |= {"N": ("product", "CF", "R")}
VARIABLES = {"x": "C", "y": "C", "f": "F", "r": "R", "s": "R"}
X, Y, F, R = ("var", "x"), ("var", "y"), ("var", "f"), ("var", "r")
C0, C1, DOT = ("value", "C", "C0"), ("value", "C", "C1"), ("value", "Dot", ())


def sym(places: dict, *transitions: tuple) -> Spec:
    return Spec(SORTS, VARIABLES, places, {f"t{number}": one for number, one in enumerate(transitions)})


A, B = ("C", ("all", "C")), ("C", None)
SYMMETRIC = {
    "a variable": sym({"a": A, "b": B}, (None, [("take", "a", X), ("put", "b", X)])),
    "a constant": sym({"a": A, "b": B}, (None, [("take", "a", C1), ("put", "b", C0)])),
    "all at once": sym({"a": A, "b": B}, (None, [("take", "a", ("all", "C")), ("put", "b", ("all", "C"))])),
    "the successor": sym({"a": ("C", C0)}, (None, [("take", "a", X), ("put", "a", ("succ", X, "C"))])),
    "the predecessor": sym({"a": ("C", C0)}, (None, [("take", "a", X), ("put", "a", ("pred", X, "C"))])),
    "a successor taken": sym({"a": A, "b": B}, (None, [("take", "a", ("succ", X, "C")), ("put", "b", X)])),
    "two of one": sym(
        {"a": ("C", ("times", 3, C0)), "b": B}, (None, [("take", "a", ("times", 2, X)), ("put", "b", X)])
    ),
    "a sum": sym({"a": A, "b": B}, (None, [("take", "a", ("add", X, Y)), ("put", "b", X)])),
    "a sum with a successor": sym(
        {"a": A, "b": B}, (None, [("take", "a", ("add", X, ("succ", X, "C"))), ("put", "b", X)])
    ),
    "all but one": sym({"a": A, "b": B}, (None, [("take", "a", ("minus", ("all", "C"), X)), ("put", "b", X)])),
    "all but two": sym(
        {"a": A, "b": B},
        (("ne", X, Y, "C"), [("take", "a", ("minus", ("minus", ("all", "C"), X), Y)), ("put", "b", ("add", X, Y))]),
    ),
    "a difference of a sum": sym(
        {"a": A, "b": B}, (None, [("take", "a", ("minus", ("add", X, C1), C1)), ("put", "b", X)])
    ),
    "equality": sym({"a": A, "b": B}, (("eq", X, C1, "C"), [("take", "a", X), ("put", "b", X)])),
    "inequality": sym({"a": A, "b": B}, (("ne", X, C1, "C"), [("take", "a", X), ("put", "b", X)])),
    "less in an enumeration": sym({"a": A, "b": B}, (("lt", X, C1, "C"), [("take", "a", X), ("put", "b", X)])),
    "at most in an enumeration": sym(
        {"a": A, "b": B}, (("le", X, Y, "C"), [("take", "a", ("add", X, Y)), ("put", "b", X)])
    ),
    "greater numbers": sym({"a": ("R", ("all", "R"))}, (("gt", R, ("value", "R", 2), "R"), [("take", "a", R)])),
    "numbers at least": sym({"a": ("R", ("all", "R"))}, (("ge", R, ("value", "R", 3), "R"), [("take", "a", R)])),
    "and, or, not": sym(
        {"a": A, "b": B},
        (
            ("or", ("and", ("eq", X, C0, "C"), ("not", ("eq", Y, C0, "C"))), ("eq", Y, C1, "C")),
            [("take", "a", ("add", X, Y)), ("put", "b", X)],
        ),
    ),
    "tuples": sym({"a": A, "p": ("CF", None)}, (None, [("take", "a", X), ("put", "p", ("tuple", X, F))])),
    "tuples taken apart": sym(
        {"p": ("CF", ("all", "CF")), "a": B}, (None, [("take", "p", ("tuple", X, F)), ("put", "a", X)])
    ),
    "all inside a tuple": sym(
        {"a": A, "p": ("CF", None)}, (None, [("take", "a", X), ("put", "p", ("tuple", X, ("all", "F")))])
    ),
    "tuples of tuples": sym(
        {"n": ("N", ("value", "N", (("C0", "F1"), 3))), "a": B},
        (None, [("take", "n", ("tuple", ("tuple", X, F), R)), ("put", "a", X)]),
    ),
    "a free variable": sym({"d": ("Dot", DOT), "a": B}, (None, [("take", "d", DOT), ("put", "a", X)])),
    "black tokens": sym({"d": ("Dot", ("times", 2, DOT)), "a": B}, (None, [("take", "d", DOT), ("put", "a", C0)])),
    "an inhibitor": sym({"a": A, "b": B}, (None, [("take", "a", X), ("put", "b", C0), ("inhibitor", "b", X)])),
    "a reset": sym({"a": A, "b": A}, (None, [("take", "a", X), ("reset", "b", X)])),
    "a place that is only read": sym(
        {"a": A, "b": B, "k": ("C", C1)}, (None, [("take", "k", X), ("put", "k", X), ("take", "a", X), ("put", "b", X)])
    ),
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric(name: str, tmp_path: Path) -> None:
    states, complete = SYMMETRIC[name].explored()
    assert complete
    expected = len(states), sum(map(len, states.values()))
    path = file(tmp_path, SYMMETRIC[name].pnml())
    assert counts(load(path)) == expected
    assert counts(load(path, unfold=True)) == expected
    if name != "a difference of a sum":  # which only an unfolded net says
        assert counts(load(path, unfold=False)) == expected


# -- what else a file may say ------------------------------------------------------------------------------------------


def test_pages_and_references(tmp_path: Path) -> None:
    text = f"""<pnml><net id="n" type="{GRAMMAR}ptnet"><name><text>two pages</text></name>
    <page id="one"><place id="a"><initialMarking><text>2</text></initialMarking></place><transition id="t"/>
      <arc id="x" source="a" target="t"/><page id="inner"><referencePlace id="rb" ref="rb2"/>
      <arc id="y" source="rt" target="rb"/></page></page>
    <page id="two"><referencePlace id="rb2" ref="b"/><place id="b"/><referenceTransition id="rt" ref="t"/></page>
    </net></pnml>"""
    model = load(file(tmp_path, text))
    assert (model.name, set(model.variables)) == ("two pages", {"a", "b"})
    assert counts(model) == (3, 2)


def test_names_are_used_where_they_are_unique(tmp_path: Path) -> None:
    nodes = "".join(
        f'<place id="{identity}"><name><text>{name}</text></name></place>'
        for identity, name in [
            ("p1", "same"),
            ("p2", "same"),
            ("p3", "P-1"),
            ("p4", "a.b"),
            ("p5", "_x"),
            ("p6", "clock"),
        ]
    )
    text = f'<pnml><net id="n" type="{GRAMMAR}ptnet"><page id="p">{nodes}<transition id="t"/></page></net></pnml>'
    model = load(file(tmp_path, text))
    assert model.variables == ("p1", "p2", "P-1", "a_b", "node_x", "nodeclock")
    assert check(model, [invariant("none", lambda m: len(m["P-1"]) == 0)])


def test_what_tools_add_is_passed_over(tmp_path: Path) -> None:
    more = '<toolspecific tool="x" version="1"><arc/><structure><anything/></structure></toolspecific>'
    text = plain_pnml({"a": 1}, {"t": [("take", "a", 1)]}, more)
    assert counts(load(file(tmp_path, text))) == (2, 1)


def test_arcs_that_test(tmp_path: Path) -> None:
    more = '<arc id="x" source="b" target="t" type="test"/><arc id="y" source="b" target="t"><type value="read"/></arc>'
    text = plain_pnml({"a": 2, "b": 1}, {"t": [("take", "a", 1)]}, more)
    assert counts(load(file(tmp_path, text))) == (3, 2)


DECLARED = (
    '<namedsort id="C" name="C"><cyclicenumeration><feconstant id="c0" name="zero"/><feconstant id="c1" name="one"/>'
    '<feconstant id="c2" name="two"/></cyclicenumeration></namedsort>'
    '<variabledecl id="v" name="lambda"><usersort declaration="C"/></variabledecl>'
)


def coloured(tmp_path: Path, declared: str, guard: str, put: str, marking: str = "") -> object:
    """A net that moves a token from one place to another under a guard."""
    held = marking or '<all><usersort declaration="C"/></all>'
    kind = '<type><structure><usersort declaration="C"/></structure></type>'
    condition = f"<condition><structure>{guard}</structure></condition>" if guard else ""
    return load(
        file(
            tmp_path,
            f'<pnml><net id="n" type="{GRAMMAR}symmetricnet"><declaration><structure><declarations>{DECLARED}{declared}'
            f'</declarations></structure></declaration><page id="p"><place id="a">{kind}<hlinitialMarking><structure>'
            f'{held}</structure></hlinitialMarking></place><place id="b">{kind}</place><transition id="t">{condition}'
            '</transition><arc id="x" source="a" target="t"><hlinscription><structure><variable refvariable="v"/>'
            f'</structure></hlinscription></arc><arc id="y" source="t" target="b"><hlinscription><structure>{put}'
            "</structure></hlinscription></arc></page></net></pnml>",
        )
    )


V = '<variable refvariable="v"/>'
PARTITION = (
    '<partition id="P" name="P"><usersort declaration="C"/><partitionelement id="low" name="low">'
    '<useroperator declaration="c0"/></partitionelement><partitionelement id="high" name="high">'
    '<useroperator declaration="c1"/><useroperator declaration="c2"/></partitionelement></partition>'
)
OPERATOR = (
    '<namedoperator id="after" name="after"><parameter><variabledecl id="q" name="q"><usersort declaration="C"/>'
    '</variabledecl></parameter><def><successor><subterm><variable refvariable="q"/></subterm></successor></def>'
    "</namedoperator>"
)
HIGH = '<useroperator declaration="high"/>'


def pair(tag: str, left: str, right: str) -> str:
    return f"<{tag}><subterm>{left}</subterm><subterm>{right}</subterm></{tag}>"


SPECIAL = {
    "a variable called as a keyword": ("", "", V, "", (8, 12)),
    "the element of a partition": (
        PARTITION,
        pair("equality", f'<partitionelementof refpartition="P"><subterm>{V}</subterm></partitionelementof>', HIGH),
        V,
        "",
        (4, 4),
    ),
    "an element that stands for its values": (PARTITION, "", V, '<useroperator declaration="high"/>', (4, 4)),
    "an operator with a parameter": (
        OPERATOR,
        "",
        f'<useroperator declaration="after"><subterm>{V}</subterm></useroperator>',
        "",
        (8, 12),
    ),
    "no token": ("", "", '<empty><usersort declaration="C"/></empty>', "", (8, 12)),
    "a scalar product": (
        "",
        "",
        pair("scalarproduct", '<numberconstant value="2"><natural/></numberconstant>', V),
        "",
        (8, 12),
    ),
    "a condition that is false": ("", '<booleanconstant value="false"/>', V, "", (1, 0)),
    "an implication": (
        "",
        pair("imply", pair("equality", V, '<useroperator declaration="c1"/>'), pair("inequality", V, V)),
        V,
        "",
        (4, 4),
    ),
    "a tuple of one": ("", "", f"<tuple><subterm>{V}</subterm></tuple>", "", (8, 12)),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special(name: str, tmp_path: Path) -> None:
    declared, guard, put, marking, expected = SPECIAL[name]
    assert counts(coloured(tmp_path, declared, guard, put, marking)) == expected


def test_the_sort_of_black_tokens_stands_for_its_only_value(tmp_path: Path) -> None:
    held = '<structure><useroperator declaration="dot"/></structure>'
    text = (
        f'<pnml><net id="n" type="{GRAMMAR}symmetricnet"><declaration><structure><declarations><namedsort id="dot" '
        'name="dot"><dot/></namedsort></declarations></structure></declaration><page id="p"><place id="a"><type>'
        '<structure><usersort declaration="dot"/></structure></type><hlinitialMarking>' + held + "</hlinitialMarking>"
        '</place><transition id="t"/><arc id="x" source="a" target="t"><hlinscription>' + held + "</hlinscription>"
        "</arc></page></net></pnml>"
    )
    assert counts(load(file(tmp_path, text))) == (2, 1)


def possible(can: Callable[[object], object], m: Any) -> bool:
    return bool(can(m)) == (len(m.a) > 0)


def test_places_and_transitions_in_predicates(tmp_path: Path) -> None:
    path = file(tmp_path, SYMMETRIC["a variable"].pnml())
    for unfold in (False, True):
        model = load(path, unfold=unfold)
        asked = [
            invariant("all are somewhere", lambda m: len(m.a) + len(m["b"]) == 3),
            reachable("one has moved", lambda m: m.b.count("C1") == 1 and "C1" not in m.a and m.a <= m.a),
            invariant("possible", partial(possible, model.enabled("t0"))),
            reachable("only one", model.enabled("t0", x="C2")),
        ]
        for engine in ("native", "reference"):
            assert check(model, asked, engine=engine)


def test_a_large_net_is_read_at_once(tmp_path: Path) -> None:
    size = 3000
    places = {f"p{number}": int(number % 100 == 0) for number in range(size)}
    transitions = {
        f"t{number}": [
            ("take", f"p{number}", 1),
            ("take", f"p{(number + 7) % size}", 1),
            ("put", f"p{(number + 1) % size}", 1),
        ]
        for number in range(size)
    }
    model = load(file(tmp_path, plain_pnml(places, transitions)))
    assert (len(model.variables), len(model.actions)) == (size, size)
    assert counts(model) == (1, 0)


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("name", ["the element of a partition", "a variable called as a keyword"])
def test_a_state_space_report_is_about_coloured_places(name: str, engine: str, tmp_path: Path) -> None:
    """Also of a net that can only run unfolded: its places are those of the file, with all their tokens."""
    declared, guard, put, marking, _ = SPECIAL[name]
    report = state_space_report(coloured(tmp_path, declared, guard, put, marking), engine=engine)
    assert [one.variable for one in report.survey.bounds] == ["a", "b"]
    initial, moved = report.bounds("a"), report.bounds("b")
    assert initial.upper_bag is not None
    assert initial.upper == len(initial.upper_bag) == 3
    assert (moved.lower, moved.lower_bag) == (0, Bag())
    assert moved.upper == (2 if "partition" in name else 3)
