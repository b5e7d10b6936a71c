"""The global questions of the contest: every answer is the one that all states of a naive token game give."""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from symmetric_nets import Spec, plain_net, plain_pnml, random_plain, random_symmetric

from sweepcheck import Net, load
from sweepcheck.cli.main import main
from sweepcheck.errors import ModelError, RequestError
from sweepcheck.models.adoption import adopt
from sweepcheck.models.pnml.examinations import EXAMINATIONS, global_questions
from sweepcheck.queries.formulas import answer_questions

SEEDS = range(1000 if os.environ.get("SWEEPCHECK_SLOW") else 25)
WORDS = "TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING"


def truth(spec: Spec, graph: dict[Any, list[tuple[str, Any]]]) -> dict[str, bool]:
    """The answers, from the graph of all states."""

    def able(name: str) -> set[Any]:
        """The states from which a transition can become enabled."""
        found = {state for state, edges in graph.items() if any(one == name for one, _ in edges)}
        while more := {s for s, edges in graph.items() if any(t in found for _, t in edges)} - found:
            found |= more
        return found

    first = next(iter(graph))
    counts = {state: [sum(count for _, count in place) for place in state] for state in graph}
    reach = {name: able(name) for name in spec.transitions}
    return {
        "ReachabilityDeadlock": any(not edges for edges in graph.values()),
        "QuasiLiveness": all(first in found for found in reach.values()),
        "StableMarking": any(len(set(column)) == 1 for column in zip(*counts.values(), strict=True)),
        "Liveness": all(len(found) == len(graph) for found in reach.values()),
        "OneSafe": all(count <= 1 for row in counts.values() for count in row),
    }


def compared(spec: Spec, text: str, folder: Path, unfold: bool | None) -> None:
    graph, complete = spec.explored(most=300)
    if not complete:
        return
    (folder / "net.pnml").write_text(text, encoding="utf-8")
    try:
        model = load(str(folder / "net.pnml"), unfold=unfold)
    except ModelError:
        return
    questions = global_questions(["GlobalProperties"], model)
    for engine in ("native", "reference"):
        found = answer_questions(model, questions, engine=engine)
        assert {one.name: one.value for one in found.answers} == truth(spec, graph)


@pytest.mark.parametrize("seed", SEEDS)
def test_plain_nets(seed: int, tmp_path: Path) -> None:
    places, transitions = random_plain(Random(seed))
    compared(plain_net(places, transitions), plain_pnml(places, transitions), tmp_path, None)


@pytest.mark.parametrize("seed", SEEDS)
def test_symmetric_nets(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    spec = random_symmetric(random)
    compared(spec, spec.pnml(), tmp_path, random.choice([True, False]))


@pytest.fixture
def net(tmp_path: Path) -> str:
    text = plain_pnml({"a": 2, "b": 0, "c": 1}, {"t": [("take", "a", 1), ("put", "b", 1)], "u": [("take", "b", 3)]})
    (tmp_path / "net.pnml").write_text(text, encoding="utf-8")
    return str(tmp_path / "net.pnml")


def test_the_lines_of_the_contest(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", net, "--examination", "GlobalProperties", "--format", "mcc"]) == 0
    answers = {"ReachabilityDeadlock": "TRUE", "QuasiLiveness": "FALSE", "StableMarking": "TRUE", "Liveness": "FALSE"}
    answers |= {"OneSafe": "FALSE"}
    assert capsys.readouterr().out.splitlines() == [f"FORMULA {one} {is_so} {WORDS}" for one, is_so in answers.items()]
    assert main(["check", net, "--examination", "OneSafe", "--format", "mcc"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"FORMULA OneSafe FALSE {WORDS}"]


def test_what_is_not_known_cannot_be_computed(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", net, "--examination", "Liveness", "--examination", "OneSafe", "--format", "mcc"]
    assert main([*arguments, "--max-states", "1"]) == 3
    # A marking with two tokens on a place is an answer, however many markings were not seen.
    assert capsys.readouterr().out.splitlines() == ["FORMULA Liveness CANNOT_COMPUTE", f"FORMULA OneSafe FALSE {WORDS}"]


def test_text_and_json_name_what_decides(net: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", net, "--examination", "QuasiLiveness", "--examination", "StableMarking"]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[:2] == ["QuasiLiveness  FALSE: u", "StableMarking  TRUE: c"]
    assert "reachable 'QuasiLiveness: t'" not in printed  # there may be thousands
    assert main(["check", net, "--examination", "Liveness", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["formulas"]
    assert found == {"name": "Liveness", "answer": False, "reason": "t"}


def test_only_nets_are_examined(net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.py").write_text(
        "from sweepcheck import Model\nm = Model('m', n=0)\n@m.action\ndef go(s):\n  s.n = 1"
    )
    assert main(["check", str(tmp_path / "model.py"), "--examination", "OneSafe"]) == 2
    assert "error[SC411]" in capsys.readouterr().err
    with pytest.raises(RequestError):
        global_questions(["OneSafe"], object())
    for wrong in (["--invariant", "True"], ["--formulas", "x.xml"], ["-o", "x.json"], ["--trace", "x.json"]):
        assert main(["check", net, "--examination", "OneSafe", *wrong]) == 2
        assert "error[SC404]" in capsys.readouterr().err
    assert main(["check", net, "--format", "mcc"]) == 2


def test_every_examination_is_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--help"]) == 0
    listed = "".join(capsys.readouterr().out.split())
    assert all(one in listed for one in (*EXAMINATIONS, "GlobalProperties"))


def test_a_net_in_python_is_examined_too() -> None:
    net = Net("ring")
    one, two = net.place("one", initial=1), net.place("two")
    net.transition("there", one.take(), two.put())
    net.transition("back", two.take(), one.put())
    found = answer_questions(adopt(net), global_questions(["GlobalProperties"], adopt(net)))
    assert [one.value for one in found.answers] == [False, True, False, True, True]


# -- PNML that is saved as .xml ----------------------------------------------------------------------------------------


def test_xml_is_opened_by_what_is_in_it(net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "net.xml"
    path.write_text(f"<?xml version='1.0'?>\n<!-- {'x' * 10_000} -->\n{Path(net).read_text()}")
    assert main(["explore", str(path), "-q"]) == 0
    assert "3 states" in capsys.readouterr().out
    example = Path(__file__).parents[2] / "examples" / "protocol.cpn"
    (tmp_path / "protocol.xml").write_bytes(example.read_bytes())
    assert main(["explore", str(tmp_path / "protocol.xml"), "-q"]) == 0
    assert "293 states" in capsys.readouterr().out
    for text, said in (("<html/>", "<html>"), ("no xml", "not a model file"), ("", "not a model file")):
        path.write_text(text)
        assert main(["explore", str(path)]) == 2
        error = capsys.readouterr().err
        assert "error[SC101]" in error
        assert said in error
    assert main(["explore", str(tmp_path / "none.xml")]) == 2
    assert "there is no file" in capsys.readouterr().err
