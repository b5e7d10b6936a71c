"""Formula files: every answer is the one that all states of a naive token game give."""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from symmetric_nets import Spec, plain_net, plain_pnml, random_plain, random_symmetric

from sweepcheck import load
from sweepcheck.cli.main import main
from sweepcheck.errors import ModelError, RequestError
from sweepcheck.models.pnml.formulas import read_formulas
from sweepcheck.queries.formulas import answer_questions

SEEDS = range(1000 if os.environ.get("SWEEPCHECK_SLOW") else 25)


def file(tmp_path: Path, *formulas: str) -> Path:
    path = tmp_path / "formulas.xml"
    inside = "".join(
        f"<property><id>f-{number}</id><description>x</description><formula>{one}</formula></property>"
        for number, one in enumerate(formulas)
    )
    path.write_text(f'<?xml version="1.0"?><property-set xmlns="http://mcc.lip6.fr/">{inside}</property-set>')
    return path


# -- formulas, drawn and evaluated -------------------------------------------------------------------------------------


class Drawn:
    """Random formulas over a net, as text and as truth in the graph of its states."""

    def __init__(self, random: Random, spec: Spec, graph: dict[Any, list[tuple[str, Any]]]) -> None:
        self.random, self.spec, self.graph = random, spec, graph

    def number(self) -> tuple[str, Any]:
        kind = self.random.randrange(4)
        if kind == 0:
            value = self.random.randint(0, 4)
            return f"<integer-constant>{value}</integer-constant>", lambda state: value
        if kind == 1:
            parts = [self.number() for _ in range(2)]
            inside = "".join(text for text, _ in parts)
            return f"<integer-sum>{inside}</integer-sum>", lambda state: sum(value(state) for _, value in parts)
        names = self.random.sample(list(self.spec.places), self.random.randint(1, 2))
        indices = [list(self.spec.places).index(name) for name in names]
        inside = "".join(f"<place>{name}</place>" for name in names)
        return f"<tokens-count>{inside}</tokens-count>", lambda state: sum(n for i in indices for _, n in state[i])

    def statement(self, depth: int = 2) -> tuple[str, Any]:
        kind = self.random.randrange(7 if depth else 3)
        if kind == 0:
            names = self.random.sample(list(self.spec.transitions), self.random.randint(1, len(self.spec.transitions)))
            inside = "".join(f"<transition>{name}</transition>" for name in names)
            return f"<is-fireable>{inside}</is-fireable>", lambda s: any(name in names for name, _ in self.graph[s])
        if kind <= 2:
            (left, one), (right, other) = self.number(), self.number()
            tag, holds = self.random.choice(
                [("le", int.__le__), ("lt", int.__lt__), ("eq", int.__eq__), ("ge", int.__ge__)]
            )
            return f"<integer-{tag}>{left}{right}</integer-{tag}>", lambda s: holds(one(s), other(s))
        if kind == 3:
            text, inner = self.statement(depth - 1)
            return f"<negation>{text}</negation>", lambda s: not inner(s)
        (left, one), (right, other) = self.statement(depth - 1), self.statement(depth - 1)
        tag, joined = [
            ("conjunction", lambda s: one(s) and other(s)),
            ("disjunction", lambda s: one(s) or other(s)),
            ("implication", lambda s: not one(s) or other(s)),
        ][kind - 4]
        return f"<{tag}>{left}{right}</{tag}>", joined

    def formula(self) -> tuple[str, bool | int]:
        kind = self.random.randrange(8)
        if kind == 0:
            text, value = self.number()
            while "tokens-count" not in text[:20]:
                text, value = self.number()
            return text.replace("tokens-count", "place-bound"), max(map(value, self.graph))
        if kind == 1:
            dead = any(not edges for edges in self.graph.values())
            return "<exists-path><finally><is-deadlock/></finally></exists-path>", dead
        text, holds = self.statement()
        if kind in (2, 3):
            return f"<all-paths><globally>{text}</globally></all-paths>", all(map(holds, self.graph))
        if kind in (4, 5):
            return f"<exists-path><finally>{text}</finally></exists-path>", any(map(holds, self.graph))
        possible = self.reaching({state for state in self.graph if holds(state)})
        nested = f"<exists-path><finally>{text}</finally></exists-path>"
        found = f"<all-paths><globally>{nested}</globally></all-paths>"
        if kind == 6:
            return found, len(possible) == len(self.graph)
        return f"<negation>{found}</negation>", len(possible) != len(self.graph)

    def reaching(self, goal: set[Any]) -> set[Any]:
        while True:
            more = {state for state, edges in self.graph.items() if any(target in goal for _, target in edges)}
            if more <= goal:
                return goal
            goal = goal | more


def asked(random: Random, spec: Spec, text: str, tmp_path: Path, unfold: bool | None) -> None:
    graph, complete = spec.explored(most=300)
    if not complete:
        return
    (tmp_path / "net.pnml").write_text(text, encoding="utf-8")
    try:
        model = load(str(tmp_path / "net.pnml"), unfold=unfold)
    except ModelError:
        return
    drawn = Drawn(random, spec, graph)
    formulas = [drawn.formula() for _ in range(8)]
    questions = read_formulas(file(tmp_path, *(text for text, _ in formulas)), model)
    for engine in ("native", "reference"):
        found = answer_questions(model, questions, engine=engine)
        assert [one.value for one in found.answers] == [truth for _, truth in formulas]


@pytest.mark.parametrize("seed", SEEDS)
def test_plain_nets(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    places, transitions = random_plain(random)
    asked(random, plain_net(places, transitions), plain_pnml(places, transitions), tmp_path, None)


@pytest.mark.parametrize("seed", SEEDS)
def test_symmetric_nets(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    spec = random_symmetric(random)
    asked(random, spec, spec.pnml(), tmp_path, random.choice([True, False]))


# -- the command -------------------------------------------------------------------------------------------------------

NET = plain_pnml({"a": 2, "b": 0}, {"t": [("take", "a", 1), ("put", "b", 1)]})
BOUND = "<place-bound><place>b</place></place-bound>"
NEXT = (
    "<exists-path><next><finally><is-fireable><transition>t</transition></is-fireable></finally></next></exists-path>"
)
STUCK = "<exists-path><finally><is-deadlock/></finally></exists-path>"
LIVELY = "<all-paths><globally><negation><is-deadlock/></negation></globally></all-paths>"
FIRST = "<is-fireable><transition>t</transition></is-fireable>"
AGAF = "<all-paths><globally><all-paths><finally><is-deadlock/></finally></all-paths></globally></all-paths>"


@pytest.fixture
def net(tmp_path: Path) -> str:
    (tmp_path / "net.pnml").write_text(NET, encoding="utf-8")
    return str(tmp_path / "net.pnml")


def test_the_lines_of_the_contest(net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(file(tmp_path, BOUND, STUCK, LIVELY, FIRST, AGAF, "<place-bound/>"))
    assert main(["check", net, "--formulas", path, "--format", "mcc"]) == 0
    words = "TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING"
    answers = ["2", "TRUE", "FALSE", "TRUE", "TRUE", "0"]
    assert capsys.readouterr().out.splitlines() == [f"FORMULA f-{i} {one} {words}" for i, one in enumerate(answers)]
    assert main(["check", net, "--formulas", str(file(tmp_path, NEXT, STUCK)), "--format", "mcc"]) == 3
    assert capsys.readouterr().out.splitlines()[0] == "FORMULA f-0 CANNOT_COMPUTE"
    assert main(["check", net, "--formulas", path, "--format", "mcc", "--max-states", "1"]) == 3
    assert "FORMULA f-0 CANNOT_COMPUTE" in capsys.readouterr().out
    assert main(["explore", net, "--format", "mcc"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1:3] for line in lines] == [
        ["STATES", "3"], ["TRANSITIONS", "2"], ["MAX_TOKEN_IN_PLACE", "2"], ["MAX_TOKEN_PER_MARKING", "2"],
    ]  # fmt: skip


def test_text_and_json(net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(file(tmp_path, BOUND, STUCK, NEXT))
    assert main(["check", net, "--formulas", path]) == 3
    assert capsys.readouterr().out.splitlines()[:2] == ["f-0  2", "f-1  TRUE"]
    assert main(["check", net, "--formulas", path, "--format", "json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert [one["answer"] for one in found["formulas"]] == [2, True, None]
    assert found["report"]["statistics"]["states"] == 3


def temporal(tag: str, *inside: str) -> str:
    return f"<{tag}>{''.join(inside)}</{tag}>"


def test_ctl_and_ltl(net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dead = "<is-deadlock/>"
    until = temporal("until", temporal("before", FIRST), temporal("reach", dead))
    asked = {
        AGAF.replace("<is-deadlock/>", STUCK): "TRUE",
        temporal("exists-path", until): "TRUE",
        temporal("all-paths", until): "TRUE",
        temporal("negation", temporal("exists-path", temporal("next", dead))): "TRUE",
        temporal("exists-path", temporal("next", temporal("exists-path", temporal("next", dead)))): "TRUE",
        temporal("all-paths", temporal("finally", temporal("globally", FIRST))): "FALSE",
        temporal("all-paths", temporal("next", temporal("next", temporal("globally", dead)))): "TRUE",
        # For the contest a dead marking has no next one.
        temporal(
            "exists-path",
            temporal("finally", temporal("conjunction", dead, temporal("all-paths", temporal("next", FIRST)))),
        ): "TRUE",
        temporal(
            "exists-path",
            temporal("finally", temporal("conjunction", dead, temporal("exists-path", temporal("next", dead)))),
        ): "FALSE",
    }
    assert main(["check", net, "--formulas", str(file(tmp_path, *asked)), "--format", "mcc"]) == 0
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()] == list(asked.values())


WRONG = {
    "no formulas": ("SC411", "<html/>"),
    "nothing asked": ("SC411", "<property-set/>"),
    "an unknown place": ("SC411", BOUND.replace("b<", "c<")),
    "an unknown transition": ("SC411", FIRST.replace("t<", "a<")),
    "an unknown statement": ("SC411", "<all-paths><globally><is-nice/></globally></all-paths>"),
    "an unknown number": ("SC411", "<integer-le><pi/><pi/></integer-le>"),
    "one side": ("SC411", "<integer-le><integer-constant>1</integer-constant></integer-le>"),
    "no XML": ("SC411", "<property-set>"),
    "a document type": ("SC411", "<!DOCTYPE x><property-set/>"),
    "only what cannot be decided": ("SC412", NEXT),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_formulas(name: str, net: str, tmp_path: Path) -> None:
    code, text = WRONG[name]
    path = file(tmp_path, text)
    if "property-set" in text or "html" in text:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(RequestError) as caught:
        read_formulas(path, load(net))
    assert caught.value.code == code
    assert main(["check", net, "--formulas", str(path), "--format", "mcc"]) == 2


def test_a_place_is_listed_once_that_is_called_by_its_id(net: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError) as caught:
        read_formulas(file(tmp_path, BOUND.replace("b<", "zz<")), load(net))
    assert caught.value.suggestion == "available: a, b"


def test_only_nets_are_asked(tmp_path: Path) -> None:
    with pytest.raises(RequestError) as caught:
        read_formulas(file(tmp_path, STUCK), object())
    assert caught.value.code == "SC411"
