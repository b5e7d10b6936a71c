"""Compiled networks are the networks they were compiled from; hand-written ones mean what they say."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from naive_product import explicit, reachable_steps
from test_networks import found_steps

from sweepcheck import SweepcheckError, check, explore, load, never
from sweepcheck.models.processes.compilation import write_network
from sweepcheck.models.processes.measuring import kind_of
from sweepcheck.models.processes.networkfile import read_network
from sweepcheck.testing.random_networks import networks

CELL = 'des (0, 2, 2)\n(0, "put", 1)\n(1, "get", 0)\n'


@settings(max_examples=60, deadline=None)
@given(networks(3))
def test_a_compiled_network_is_the_same_network(drawn):
    with tempfile.TemporaryDirectory() as folder:
        *_, path = write_network(drawn.network, folder)
        again = read_network(path)
    assert found_steps(again) == reachable_steps(explicit(drawn.description))
    assert again.final == drawn.network.final


SOURCE = """
param n = 2
process Cell(k: 0..n) = when k < n: put -> Cell(k + 1) [] when k > 0: get -> Cell(k - 1)
process User = put -> got -> User
system "cells" = (cell = Cell(0) rename {get to mid} || last = Cell(0) rename {put to mid}) hide {mid} || User
measure tree
measure user: scc
check deadlock
check invariant "not both full": not (cell at Cell(2) and last at Cell(2))
check reachable full: all i in 1..1: cell at Cell(n) and (last at Cell(0) or user at User)
check never "two gets": get after get without put
"""


def test_everything_a_process_file_says_is_written_and_read(tmp_path):
    (tmp_path / "cells.psl").write_text(SOURCE)
    network = load(str(tmp_path / "cells.psl"), {"n": 3})
    *auts, path = write_network(network, tmp_path / "out", "cells")
    assert [one.name for one in auts] == ["cell.aut", "last.aut", "user.aut"]
    again = load(str(path))
    assert again.name == "cells"
    assert again.properties == network.properties
    assert dict(again.parameters) == {"n": 3}
    assert again.variables == network.variables
    assert [kind_of(again.measures, name) for name in again.variables] == ["tree", "tree", "scc"]
    one, other = (check(model, keep_going=True) for model in (network, again))
    assert [v.status for v in one.verdicts] == [v.status for v in other.verdicts]
    assert (one.statistics.states, one.statistics.edges) == (other.statistics.states, other.statistics.edges)


def test_a_network_written_by_hand(tmp_path):
    (tmp_path / "cell.aut").write_text(CELL)
    (tmp_path / "buffers.network").write_text(
        'name = "two buffers"\nhide = ["mid"]\n'
        '[[component]]\nname = "left"\nfile = "cell.aut"\nrename = { get = "mid" }\nlocations = ["empty", "full"]\n'
        '[[component]]\nname = "right"\nfile = "cell.aut"\nrename = { put = "mid" }\n'
        '[[property]]\nkind = "reachable"\nname = "full"\ncondition = "left == \'full\' and right == 1"\n'
        '[[property]]\nkind = "never"\nname = "empty"\nevents = ["get"]\nbefore = ["put"]\n'
    )
    network = load(str(tmp_path / "buffers.network"))
    assert explore(network).statistics.states == 4
    assert check(network).exit_code == 0
    assert [str(edge.label) for edge in network.edges(("full", 0))] == ["tau(mid)"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "not TOML"),
        ("nam = 'x'", "entry 'nam'"),
        ("name = 'x'", "no component"),
        ("component = 3", "`component` is 3"),
        ("[[component]]\nname = 'a'", "`file` of component 'a' is missing"),
        ("[[component]]\nname = 'a'\nfile = 'cell.aut'\nlocations = ['x']", "2 locations, and 1 names"),
        ("[[component]]\nname = 'a'\nfile = 'cell.aut'\nfinal = [2]", "`final`"),
        ("[[component]]\nname = 'a'\nfile = 'cell.aut'\nrename = { put = 3 }", "renamed to 3"),
        ("[[component]]\nname = 'a'\nfile = 'cell.aut'\n[[property]]\nkind = 'x'", "kind of property 'x'"),
        (
            "[[component]]\nname = 'a'\nfile = 'cell.aut'\n[[property]]\nkind = 'invariant'\ncondition = 'a < 3'",
            "cannot be understood",
        ),
    ],
)
def test_broken_network_files(tmp_path, text, words):
    (tmp_path / "cell.aut").write_text(CELL)
    (tmp_path / "broken.network").write_text(text)
    with pytest.raises(SweepcheckError) as raised:
        load(str(tmp_path / "broken.network"))
    assert raised.value.code == "SC606"
    assert words in raised.value.what
    assert raised.value.suggestion


def test_python_predicates_cannot_be_written(tmp_path):
    (tmp_path / "cells.psl").write_text(SOURCE)
    network = load(str(tmp_path / "cells.psl"))
    network.invariant("python", lambda s: True)
    with pytest.raises(SweepcheckError, match="Python function"):
        write_network(network, tmp_path / "out")
    network = load(str(tmp_path / "cells.psl"))
    network.declare(never("no put", "put"))
    assert Path(write_network(network, tmp_path / "out")[-1]).name == "cells.network"
