"""Parameters typed as text: what each means where the model's function says what it expects."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from enum import Enum, StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Optional

import pytest

from sweepcheck import Status, SweepcheckError, check, load
from sweepcheck.cli.main import main
from sweepcheck.models.parameters import Written, parse_parameters, read_parameters


class Mode(Enum):
    SLOW = 1
    FAST = 2


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Own:
    """A class of the user's."""


def read(factory: Callable[..., object], *texts: str) -> Any:
    """What the function is called with; of a single parameter, its value."""
    values = read_parameters(factory, parse_parameters(texts))
    return next(iter(values.values())) if len(values) == 1 else values


def refused(factory: Callable[..., object], *texts: str) -> SweepcheckError:
    with pytest.raises(SweepcheckError) as caught:
        read(factory, *texts)
    assert caught.value.code == "SC105"
    return caught.value


def f_truth(x=False): ...
def f_whole(x=3): ...
def f_number(x=0.5): ...
def f_text(x="a"): ...
def f_enum(x=Mode.SLOW): ...
def f_str_enum(x=Colour.RED): ...
def f_tuple(x=(1, 2)): ...
def f_modes(x=(Mode.SLOW,)): ...
def f_empty(x=()): ...
def f_list(x=[1, 2.5]): ...  # noqa: B006 - what is read is never changed
def f_set(x=frozenset({1})): ...
def f_fraction(x=Fraction(1, 2)): ...
def f_decimal(x=Decimal("0.1")): ...
def f_nothing(x=None): ...
def f_bare(x): ...
def f_any(**given): ...
def f_own(x=Own()): ...  # noqa: B008
def f_annotated(x: int): ...
def f_truth_annotated(x: bool): ...
def f_optional(x: int | None = None): ...
def f_old_optional(x: Optional[bool] = None): ...  # noqa: UP045 - models are written so, too
def f_wider(x: float = 1): ...
def f_either(x: int | str = "all"): ...
def f_word_or_truth(x: str | bool = "yes"): ...
def f_literal(x: Literal["up", "down", 3] = "up"): ...
def f_pair(x: tuple[int, Mode]): ...
def f_several(x: Sequence[int] = (1,)): ...
def f_words(x=("a",)): ...
def f_future(x: "int" = 3): ...
def f_unknown(x: "NotThere" = 3): ...  # type: ignore[name-defined]  # noqa: F821
def f_all(**sizes: int): ...


@pytest.mark.parametrize("text", ["true", "True", "TRUE", "yes", "on", "1", " true "])
def test_true(text: str) -> None:
    assert read(f_truth, f"x={text}") is True
    assert read(f_truth_annotated, f"x={text}") is True


@pytest.mark.parametrize("text", ["false", "False", "no", "off", "0", "OFF"])
def test_false(text: str) -> None:
    assert read(f_truth, f"x={text}") is False
    assert read(f_old_optional, f"x={text}") is False


READ = [
    (f_whole, "12", 12),
    (f_whole, "-1_000", -1000),
    (f_whole, "0x10", 16),
    (f_whole, "1e9", 10**9),
    (f_number, "2", 2.0),
    (f_number, "1e3", 1000.0),
    (f_number, "inf", float("inf")),
    (f_text, "12", "12"),
    (f_text, "false", "false"),
    (f_text, "None", "None"),
    (f_text, "", ""),
    (f_text, " a b ", " a b "),
    (f_text, "'12'", "12"),
    (f_text, "it's", "it's"),
    (f_enum, "FAST", Mode.FAST),
    (f_enum, "Mode.FAST", Mode.FAST),
    (f_enum, "<Mode.FAST: 2>", Mode.FAST),
    (f_enum, "2", Mode.FAST),
    (f_str_enum, "blue", Colour.BLUE),
    (f_str_enum, "BLUE", Colour.BLUE),
    (f_tuple, "(3,)", (3,)),
    (f_tuple, "3, 4, 5", (3, 4, 5)),
    (f_tuple, "[3]", (3,)),
    (f_tuple, "()", ()),
    (f_modes, "(FAST, Mode.SLOW)", (Mode.FAST, Mode.SLOW)),
    (f_empty, "(1, 'a', None)", (1, "a", None)),
    (f_list, "[1, 0.5]", [1, 0.5]),
    (f_set, "{3, 4}", frozenset({3, 4})),
    (f_set, "{}", frozenset()),
    (f_fraction, "1/3", Fraction(1, 3)),
    (f_fraction, "0.25", Fraction(1, 4)),
    (f_fraction, "Fraction(1, 3)", Fraction(1, 3)),
    (f_decimal, "0.3", Decimal("0.3")),
    (f_decimal, "Decimal('0.3')", Decimal("0.3")),
    (f_nothing, "3", 3),
    (f_nothing, "None", None),
    (f_nothing, "fast", "fast"),
    (f_bare, "(1, 2)", (1, 2)),
    (f_bare, "True", True),
    (f_bare, "'false'", "false"),
    (f_bare, "abc", "abc"),
    (f_any, "12", 12),
    (f_annotated, "3", 3),
    (f_optional, "none", None),
    (f_optional, "3", 3),
    (f_old_optional, "None", None),
    (f_wider, "0.5", 0.5),
    (f_either, "3", 3),
    (f_either, "all", "all"),
    (f_word_or_truth, "no", False),
    (f_word_or_truth, "maybe", "maybe"),
    (f_literal, "down", "down"),
    (f_literal, "3", 3),
    (f_words, "('é', b, 'ö')", ("é", "b", "ö")),
    (f_pair, "(1, FAST)", (1, Mode.FAST)),
    (f_several, "[1, 2]", (1, 2)),
    (f_several, "(" + "1," * 50_000 + ")", (1,) * 50_000),
    (f_several, "(1,\r\n 2,\n3)", (1, 2, 3)),
    (f_bare, "('é', 1)", ("é", 1)),
    (f_future, "4", 4),
    (f_unknown, "4", 4),
    (f_all, "4", 4),
]


@pytest.mark.parametrize(("factory", "text", "value"), READ, ids=lambda one: getattr(one, "__name__", str(one)[:9]))
def test_what_fits(factory, text, value) -> None:
    found = read(factory, f"x={text}")
    assert (type(found), found) == (type(value), value)


MISFITS = [
    (f_truth, "maybe", "truth value"),
    (f_truth, "2", "truth value"),
    (f_truth, "", "truth value"),
    (f_whole, "false", "whole number"),
    (f_whole, "True", "whole number"),
    (f_whole, "0.5", "whole number"),
    (f_whole, "abc", "whole number"),
    (f_whole, "", "whole number"),
    (f_whole, "٣", "whole number"),
    (f_whole, "9" * 5000, "whole number"),
    (f_whole, "None", "whole number"),
    (f_number, "fast", "number"),
    (f_number, "nan", "number"),
    (f_number, "1e999", "number"),
    (f_number, "٣", "number"),
    (f_enum, "FSAT", "SLOW, FAST"),
    (f_tuple, "3", "tuple"),
    (f_tuple, "(1, 'a')", "whole number"),
    (f_tuple, "{1}", "tuple"),
    (f_modes, "(FAST, FSAT)", "SLOW, FAST"),
    (f_set, "{[1]}", "whole number"),
    (f_fraction, "1/0", "fraction"),
    (f_fraction, "1e999999999", "fraction"),
    (f_fraction, "1e-99_999_999", "fraction"),
    (f_fraction, "Fraction('1e999999999')", "fraction"),
    (f_tuple, "(" + "1," * 100_000 + ")", "tuple"),
    (f_decimal, "much", "decimal"),
    (f_nothing, "true", "clear"),
    (f_bare, "false", "clear"),
    (f_bare, "off", "clear"),
    (f_bare, "none", "clear"),
    (f_any, "yes", "clear"),
    (f_annotated, "x", "whole number"),
    (f_optional, "x", "None or a whole number"),
    (f_wider, "x", "a whole number or a number"),
    (f_literal, "left", "up, down, 3"),
    (f_pair, "(1,)", "2 elements"),
    (f_own, "3", "type Own"),
    (f_all, "x", "whole number"),
]


@pytest.mark.parametrize(("factory", "text", "words"), MISFITS, ids=lambda one: getattr(one, "__name__", str(one)[:9]))
def test_what_does_not_fit_is_refused(factory, text, words) -> None:
    error = refused(factory, f"x={text}")
    assert "'x'" in error.what
    assert words in error.what
    assert error.suggestion


def test_the_error_tells_what_was_given_and_what_is_expected() -> None:
    error = refused(f_truth, "x=maybe")
    assert error.what == "parameter 'x' was given 'maybe', which is not a truth value"
    assert error.values == (("default", "False"),)
    assert str(error.where).startswith("test_parameters.py:")
    assert "-p x=true" in str(error.suggestion)


def test_a_parameter_given_twice() -> None:
    error = refused(f_whole, "x=1", "x=2")
    assert "twice" in error.what
    assert error.values == (("first", "1"), ("then", "2"))


def test_values_of_a_program_stay_as_they_are() -> None:
    assert read_parameters(f_truth, {"x": "false"}) == {"x": "false"}


def test_saved_parameters_that_cannot_be_read_back_keep_their_default() -> None:
    saved = {"x": Written("<Own object>", saved=True)}
    assert read_parameters(f_own, saved) == {}
    assert read_parameters(f_whole, {"x": Written("2.5", saved=True)}) == {"x": 2.5}
    assert read_parameters(f_fraction, {"x": Written("1e999999999", saved=True)}) == {"x": float("inf")}
    assert read_parameters(f_tuple, {"x": Written("(" + "1," * 1_000_000 + ")", saved=True)}) == {}
    assert read_parameters(f_set, {"x": Written("{1, 2}", saved=True)}) == {"x": frozenset({1, 2})}


BUGGY = """
from enum import Enum
from sweepcheck import Model, require

class Mode(Enum):
    SLOW = 1
    FAST = 2

def counter(bug=False, mode=Mode.SLOW, top=3):
    m = Model("counter", n=0)

    @m.action
    def up(s):
        require(s.n < top)
        s.n += 2 if bug else 1

    m.invariant("small", lambda s: s.n <= top - (mode is Mode.FAST))
    return m
"""


@pytest.fixture
def buggy(tmp_path: Path) -> str:
    (tmp_path / "counter.py").write_text(BUGGY)
    return str(tmp_path / "counter.py")


def test_a_switched_off_bug_is_off(buggy: str) -> None:
    for word, status in (("false", Status.HOLDS), ("true", Status.VIOLATED), ("off", Status.HOLDS)):
        assert check(load(buggy, parse_parameters((f"bug={word}",))))["small"].status is status


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["check"], 0),
        (["explore"], 0),
        (["report"], 0),
        (["tradeoff"], 0),
        (["simulate", "--random", "5", "--seed", "1"], 0),
    ],
    ids=lambda one: one[0] if isinstance(one, list) else "",
)
def test_every_command_reads_parameters_so(command, code, buggy, capsys) -> None:
    assert main([command[0], buggy, *command[1:], "-p", "bug=false"]) == code
    assert main([command[0], buggy, *command[1:], "-p", "bug=maybe"]) == 2
    assert "error[SC105]" in capsys.readouterr().err


def test_a_saved_trace_is_replayed_with_its_parameters(buggy, tmp_path, capsys) -> None:
    file = str(tmp_path / "trace.json")
    assert main(["check", buggy, "-p", "mode=FAST", "--trace", file]) == 1
    assert main(["trace", file, "--model", buggy]) == 0
    assert "invariant 'small' is violated" in capsys.readouterr().err
    assert main(["simulate", buggy, "--replay", file, "--random", "0"]) == 1


PROCESSES = """
param n = 2
param eager = false
process P(k) = when eager: go.k -> P(k) [] when not eager: wait.k -> P(k)
system = all k in 1..n: P(k)
"""


def test_process_files(tmp_path: Path) -> None:
    (tmp_path / "p.psl").write_text(PROCESSES)
    file = str(tmp_path / "p.psl")
    system = load(file, parse_parameters(("eager=yes", "n=3")))
    assert dict(system.parameters) == {"n": 3, "eager": True}
    for wrong in ("n=true", "n=None", "n=x", "eager=3", "n=0.5"):
        with pytest.raises(SweepcheckError) as caught:
            load(file, parse_parameters((wrong,)))
        assert caught.value.code == "SC105"
    for values in ({"n": None}, {"n": True}, {"eager": 1}, {"n": "2"}):
        with pytest.raises(SweepcheckError) as caught:
            load(file, values)
        assert caught.value.code == "SC105"


@pytest.mark.parametrize("text", ["2..8", "1,2,4", "-1, 2"])
def test_several_numbers_are_a_grid(text: str) -> None:
    assert "sweepcheck grid" in str(refused(f_whole, f"x={text}"))
