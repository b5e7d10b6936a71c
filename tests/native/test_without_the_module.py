"""Where the compiled module cannot be loaded, everything but the native engine works, and that one says what to do."""

import subprocess
import sys

import pytest

BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name == "sweepcheck._core":
            raise ModuleNotFoundError("No module named 'sweepcheck._core'", name=name)

sys.meta_path.insert(0, Blocked())
from sweepcheck import Model, SweepcheckError, check, explore, require

m = Model("counter", n=0)

@m.action
def count(s):
    require(s.n < 3)
    s.n += 1

m.progress(lambda s: s.n)
m.invariant("small", lambda s: s.n <= 2)
"""


def answer(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", BLOCKED + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_reference_engine_is_taken() -> None:
    found = answer(
        """
report = check(m)
print(report.engine, report.engine_reason)
print(report.statistics.explored, report.statistics.memory_bytes > 1_000_000, report.verdicts[0].status)
print(report.verdicts[0].trace.steps[-1].state)
"""
    )
    engine, numbers, state = found.splitlines()
    assert engine.startswith(
        "reference the native engine cannot do this: its compiled module cannot be loaded (No module"
    )
    assert numbers == "3 True violated"  # the state that violates it is found when the one before it is processed
    assert state == "(3,)"


def test_the_native_engine_says_what_to_do() -> None:
    found = answer(
        """
try:
    check(m, engine="native")
except SweepcheckError as error:
    print(error.code)
    print(error)
"""
    )
    code, *text = found.splitlines()
    assert code == "SC404"
    assert "its compiled module cannot be loaded" in "".join(text)
    assert "install a wheel of sweepcheck" in "".join(text)


@pytest.mark.parametrize("command", ["check", "explore", "simulate"])
def test_the_command_line_works(tmp_path, command) -> None:
    model = tmp_path / "counter.py"
    model.write_text(BLOCKED)
    found = answer(
        f"""
from sweepcheck.cli.main import main
print("exit", main([{command!r}, {str(model)!r}]))
"""
    )
    assert found.splitlines()[-1] == ("exit 1" if command == "check" else "exit 0")


def test_an_error_inside_the_engine_is_not_taken_for_a_missing_module() -> None:
    code = "import sys\nsys.modules['sweepcheck.engines.tallies'] = None\nimport sweepcheck\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "sweepcheck.engines.tallies" in done.stderr.splitlines()[-1]
