"""What the examples tell their readers to type: each command runs and ends with the right exit code."""

import ast
import shlex
from itertools import takewhile
from pathlib import Path

import pytest

from sweepcheck.cli.main import main
from sweepcheck.planner import ENGINES

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted([*(ROOT / "examples").rglob("*.py"), *(ROOT / "examples").rglob("*.psl")])
EXIT_CODES = {
    "sweepcheck check examples/communication_protocol.py --keep-going": 1,
    "sweepcheck check examples/communication_protocol_net.py --keep-going": 1,
    "sweepcheck check examples/atomic_commit.py -p hasty=True": 1,
    "sweepcheck check examples/cache_coherence.py -p n=3 -p hasty=True": 1,
    "sweepcheck check examples/dining_philosophers.py": 1,
    "sweepcheck check examples/dining_philosophers.py -p n=8 -p rotation=True": 1,
    "sweepcheck check examples/endless_stop_and_wait.py --no-equivalence --max-states 20000": 3,
    "sweepcheck check examples/kripke_structure.py --keep-going": 1,
    "sweepcheck check examples/dining_philosophers_net.py": 1,
    "sweepcheck check examples/peterson_broken.py": 1,
    "sweepcheck check examples/resource_allocation.py -p s=4": 1,
    'sweepcheck check examples/sliding_window.py -p modulus=4 --property "no failure"': 1,
    "sweepcheck check examples/stabilising_ring.py -p values=2": 1,
    "sweepcheck check examples/sliding_window.py -p packets=0 -p modulus=4": 1,
    "sweepcheck check examples/unreachable_goal.py": 1,
    "sweepcheck explore examples/timed_protocol.py -p limit=3 -p attempts=0 --max-states 2000": 3,
    "sweepcheck check examples/wrong_measure.py": 2,
    # conditional, on an equivalence that is not verified
    "sweepcheck check examples/atomic_commit.py -p n=6": 3,
    "sweepcheck check examples/cache_coherence.py": 3,
    "sweepcheck check examples/endless_stop_and_wait.py": 3,
    "sweepcheck check examples/sliding_window.py -p packets=0": 3,
    "sweepcheck check examples/timed_protocol.py -p packets=10 -p attempts=0 -p fixed=True -p relative=True": 3,
    "sweepcheck check examples/token_ring.py -p n=8 -p rotation=True": 3,
}
LARGE = {  # too slow for the reference engine
    "sweepcheck explore examples/communication_protocol.py -p packets=20 -p capacity=3",
    "sweepcheck explore examples/communication_protocol_net.py -p packets=20 -p capacity=3",
    "sweepcheck check examples/stop_and_wait.py -p packets=20 -p capacity=3",
    "sweepcheck explore examples/counter_grid.py -p counters=4 -p top=30",
}


def docstring(example: Path) -> str:
    """What a file says about itself: a docstring, or the comment at the top of a process file."""
    text = example.read_text(encoding="utf-8")
    if example.suffix == ".psl":
        lines = takewhile(lambda line: line.startswith("--"), text.splitlines())
        return "\n".join(line.removeprefix("--").removeprefix(" ") for line in lines)
    return ast.get_docstring(ast.parse(text)) or ""


COMMANDS = [
    line.strip()
    for example in EXAMPLES
    for line in docstring(example).splitlines()
    if line.startswith("    sweepcheck ")
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_says_what_to_type(example):
    assert example.relative_to(ROOT).as_posix() in docstring(example)


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command, monkeypatch):
    if command in LARGE and "native" not in ENGINES:
        pytest.skip("large")
    monkeypatch.chdir(ROOT)
    assert main([*shlex.split(command)[1:], "--quiet"]) == EXIT_CODES.get(command, 0)


def test_the_lists_above_name_real_commands():
    assert {*EXIT_CODES, *LARGE} <= set(COMMANDS)
