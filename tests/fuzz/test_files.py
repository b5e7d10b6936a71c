"""Any file ends in a model or in an error with a code: never in an exception of Python's, and never in a long wait.

Small valid files and the examples are changed, byte by byte and word by word, and read with small limits. What broke
once is kept as an explicit example (`BROKE`).
"""

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sweepcheck import FileLimits, SweepcheckError, load
from sweepcheck.cli.tracefile import read_trace, saved_parameters
from sweepcheck.errors import CODES
from sweepcheck.models.processes.aut import parse_aut
from sweepcheck.models.processes.elaboration import network_from_text
from sweepcheck.models.processes.networkfile import read_network
from sweepcheck.report.mermaid import trace_to_mermaid
from sweepcheck.report.saved import parse_trace, path_on
from sweepcheck.report.trace import trace_to_text

LIMITS = FileLimits(bytes=1 << 20, components=20, size=3000)
EXAMPLES = Path(__file__).parents[2] / "examples"
CELL = 'des (0, 2, 2)\n(0, "put", 1)\n(1, "get", 0)\n'
AUT = [CELL, 'des (1, 4, 3)\n(0, i, 1)\n(1, "a !1, (2)", 2)\n(2,tau,0)\n(2, "say \\"hi\\"", 2)\n', "des (0, 0, 1)"]
NETWORKS = [
    '[[component]]\nname = "c"\nfile = "cell.aut"\n',
    (
        'name = "two"\nhide = ["mid"]\nmeasure = "scc"\n[parameters]\nn = 2\n'
        '[[component]]\nname = "left"\nfile = "cell.aut"\nrename = { get = "mid" }\nlocations = ["empty", "full"]\n'
        '[[component]]\nname = "right"\nfile = "cell.aut"\nrename = { put = ["mid", "other"] }\nfinal = [0]\n'
        "alphabet = ['x']\n"
        "[[property]]\nkind = 'reachable'\nname = 'both'\ncondition = \"left == 'full' and right == 1\"\n"
        "[[property]]\nkind = 'never'\nname = 'n'\nevents = ['put']\nbefore = ['other']\n"
    ),
]
PSL = [
    (
        "param n = 2\nconst m = n * 2 - 1\nprocess P(k: 0..m) = when k < m: up.k -> P(k + 1) [] down -> P(0) [] SKIP\n"
        'system "s" = (all i in 1..n: p(i) = P(0) rename {up to go}) hide {down} || q = P(1) alphabet {x}\n'
        "measure p: scc\ncheck invariant low: all i in 1..n: p(i) at P(0) or not some j in 1..2: j == i\n"
        "check never again: go after {go.1} without x\ncheck deadlock\n"
    ),
    *(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.psl"))),
]
TRACE = {
    "schema": 2,
    "model": "network",
    "reference": "model.aut",
    "parameters": {"n": "(1, 'two')"},
    "property": {"kind": "invariant", "name": "model == 0", "status": "violated"},
    "trace": {
        "initial": {"model": 0, "net": {"bag": [["a", 1], [{"tuple": [1, {"text": "b'x'"}]}, 2]]}},
        "steps": [
            {"label": "put", "owner": "p=1", "state": {"model": {"int": "9" * 20}, "net": {"queue": [None, 0.5]}}},
            {"label": "get", "state": {"model": [{"set": [True]}, {"map": [["k", 1]]}], "net": {"bag": []}}},
            {"label": "end", "state": {"model": {"record": {"x": 1}, "type": "R"}, "net": {"token": 1, "time": 2}}},
            {"label": "all", "state": {"model": {"tag": "data", "value": 3}}},
        ],
        "loop": 0,
        "holds": {"model == 0": [True, False, True, False, True]},
        "progress": [0, 1, 2, 3, 4],
    },
}
OLD_TRACE = {  # all values are text
    **TRACE,
    "schema": 1,
    "trace": {"initial": {"model": "0"}, "steps": [{"label": "put", "state": {"model": ["1"]}}], "loop": None},
}
WORDS = [
    "des", "(", ")", ",", '"', "\\", "0", "1", "2", "9", "99999999", "-1", "\n", " ", "\t", "\0", "\x1b", "\u2028", "é",
    "\ud7ff", "process", "system", "all", "any", "in", "..", ":", "->", "[]", "||", "hide", "rename", "to", "check",
    "never", "at", "when", "not", "{", "}", "=", "==", "P", "a", ".", "[[", "]]", "component", "name", "file", "true",
    "null", "NaN", "1e999", "cell.aut", "n.network", "..", "/", "/dev/zero", "__import__('os')", "tau", "i", "'",
]  # fmt: skip


@st.composite
def changed(draw, texts):
    """One of the texts, with a few pieces left out, doubled, put elsewhere or replaced by a word."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 6))):
        first, second = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        second = min(second, first + draw(st.sampled_from([0, 1, 5, 40])))
        piece = text[first:second]
        new = draw(st.sampled_from(["", piece * 2, piece * 30, *WORDS]) | st.text(max_size=5))
        text = text[:first] + new + text[second:]
        if draw(st.booleans()):
            text = text[:second] + piece + text[second:]
    return text.encode("utf-8", "replace").decode()  # no half characters: files hold bytes


def ends_well(read, *arguments):
    """What was read, or None for an error that has all its parts."""
    try:
        return read(*arguments)
    except SweepcheckError as error:
        refused = error
    assert refused.code in CODES
    assert refused.suggestion
    assert str(refused).startswith(f"error[{refused.code}]")
    assert json.dumps(refused.to_json())
    return None


OFTEN = settings(max_examples=6 * settings().max_examples)


@OFTEN
@given(text=changed(AUT))
@example(text="des (0,1,1)\n(0," + " " * 20_000 + "x")
@example(text="des (0, 0, 20000000)")
@example(text="des (0, 1, 1)\n(0, \x85, 0)")
@example(text="")
def test_aut(text):
    lts = ends_well(parse_aut, text)
    assert lts is None or len(lts) <= len(text) or lts.step_count < len(lts)


@OFTEN
@given(text=changed(PSL))
@example(text="process P = a -> P system = all i in 1..1000000: x(i) = P")
@example(text="".join(f"process P{i} = P{i + 1} [] P{i + 1} " for i in range(90)) + "process P90 = STOP system = P0")
@example(text="const n = " + "(" * 20_000)
@example(text="process P = a.\u0660 -> P system = P")
def test_process_files(text):
    ends_well(lambda: network_from_text(text, "x.psl", limits=LIMITS))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("fuzz")
    (made / "cell.aut").write_text(CELL)
    (made / "model.aut").write_text(CELL)
    return made


@OFTEN
@given(text=changed(NETWORKS))
@example(text="x = " + "9" * 5000)
@example(text="[parameters]\nn = 0x" + "f" * 5000 + "\n" + NETWORKS[0])
@example(text="x" + ".x" * 50_000 + " = 1")
@example(text='[[component]]\nname = "c"\nfile = "a\\u0000b"')
@example(text='[[component]]\nname = "c"\nfile = "."')
@example(text='[[component]]\nname = "c"\nfile = "/dev/zero"')
def test_network_files(folder, text):
    (folder / "n.network").write_text(text, encoding="utf-8")
    ends_well(lambda: read_network(folder / "n.network", LIMITS))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def changed_trace(draw):
    """The trace with some of its values replaced by others."""

    def visit(value):
        if draw(st.integers(0, 15)) == 0:
            return draw(JSON)
        if isinstance(value, dict):
            return {key: visit(one) for key, one in value.items()}
        return [visit(one) for one in value] if isinstance(value, list) else value

    return json.dumps(visit(draw(st.sampled_from([TRACE, OLD_TRACE]))))


@OFTEN
@given(text=changed([json.dumps(TRACE), json.dumps(OLD_TRACE)]) | changed_trace())
@example(text=json.dumps(TRACE))
@example(text=json.dumps(OLD_TRACE))
@example(text=json.dumps(TRACE).replace('{"bag": []}', "{}"))
@example(text=json.dumps(TRACE).replace("0}", "9" * 5000 + "}"))
@example(text="[" * 100_000)
@example(text=json.dumps(TRACE | {"parameters": {"n": "[" * 9000, "m": "'\\z'", "k": "9" * 9000}}))
@example(text=json.dumps(TRACE | {"schema": True}))
@example(text=json.dumps(TRACE | {"trace": TRACE["trace"] | {"steps": {}, "loop": 0}}))
@example(text=json.dumps(TRACE | {"model": "\ud800"}))
def test_traces(folder, text):
    path = folder / "trace.json"
    path.write_text(text, encoding="utf-8")
    saved = ends_well(read_trace, path, LIMITS)
    if saved is not None:
        saved_parameters(saved)
        assert all(line.isprintable() for line in trace_to_text(saved.trace, full=True, width=40).split("\n"))
        assert parse_trace(json.dumps(saved.to_json())) == saved
        trace_to_mermaid(saved.trace)
        ends_well(lambda: path_on(load(str(folder / "model.aut")), saved.trace))


@OFTEN
@given(data=st.binary(max_size=200), suffix=st.sampled_from(["aut", "psl", "network", "json"]))
@example(data=b"\xff\xfe", suffix="psl")
@example(data=b"\xef\xbb\xbfprocess P = a -> P system = P", suffix="psl")
def test_any_bytes(folder, data, suffix):
    path = folder / f"bytes.{suffix}"
    path.write_bytes(data)
    ends_well(read_trace if suffix == "json" else lambda *_: load(str(path), limits=LIMITS), path, LIMITS)
