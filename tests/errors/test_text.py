"""How errors read: their layout, and what is left out of very long ones."""

import json
from importlib import metadata

import pytest

from sweepcheck.errors import (
    LONGEST,
    ModelError,
    caller,
    clip,
    closest,
    installation,
    own_traceback,
    place,
    shown,
    told,
)


def test_the_four_parts() -> None:
    error = ModelError(
        "SC202",
        "the model has no variable 'totl'",
        where="counter.py:10, action count",
        values=[("state", "total=0")],
        suggestion="did you mean 'total'?",
    )
    assert str(error).splitlines() == [
        "error[SC202]: the model has no variable 'totl'",
        "  at     counter.py:10, action count",
        "  state  total=0",
        "  help   did you mean 'total'?",
        "  docs   errors/SC202",
    ]
    assert json.loads(json.dumps(error.to_json()))["help"] == "did you mean 'total'?"


def test_lines_below_each_other_stay_below_each_other() -> None:
    error = ModelError("SC201", "one\ntwo", values=[("traceback", "three\n  four")])
    assert str(error).splitlines() == [
        "error[SC201]: one",
        "  two",
        "  traceback  three",
        "               four",
        "  docs       errors/SC201",
    ]


def test_an_error_alone() -> None:
    assert str(ModelError("SC201", "")) == "error[SC201]: \n  docs  errors/SC201"


def test_more_circumstances_come_first_and_the_first_place_counts() -> None:
    error = ModelError("SC201", "what", values=[("b", "2")]).add(("a", "1"), where="here").add(where="there")
    assert (error.values, error.where) == ((("a", "1"), ("b", "2")), "here")


def test_long_texts_lose_their_middle() -> None:
    text = "a" * 5000 + "z" * 5000
    clipped = clip(text)
    assert clipped.startswith("aaa")
    assert clipped.endswith("zzz")
    assert "8,000 characters left out" in clipped
    assert clip("a" * LONGEST) == "a" * LONGEST
    error = ModelError("SC201", text, values=[("state", text)]).add(("more", text))
    assert len(str(error)) < 4 * LONGEST


def test_values_that_cannot_be_printed() -> None:
    class Shy:
        def __repr__(self) -> str:
            raise ValueError("no")

    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError("no")

    assert shown(Shy()) == "<Shy whose repr raised ValueError>"
    assert told(Mute()) == "Mute"


def test_functions_are_shown_without_their_address() -> None:
    assert shown(test_the_four_parts) == "function test_the_four_parts"
    assert shown(lambda: None) == "a lambda"


def test_places() -> None:
    assert str(place(test_places)).startswith("test_text.py:")
    assert str(caller()).startswith("test_text.py:")
    assert place(len) is None
    assert place(place) is None


def test_a_traceback_without_our_frames() -> None:
    with pytest.raises(LookupError) as raised:
        ModelError("SC000", "")
    assert "errors.py" not in own_traceback(raised.value)
    assert "test_text.py" in own_traceback(raised.value)


def test_near_names() -> None:
    assert closest("sendr", ["sender", "receiver"]) == "did you mean 'sender'?"
    assert closest("x", ["sender", "receiver"]) == "available: sender, receiver"
    assert closest("x", []) == "none is declared"


def test_an_extra_is_named_where_the_package_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    assert "matplotlib" in installation("plot")
    monkeypatch.setattr(metadata, "requires", missing)
    assert installation("plot") == 'pip install "sweepcheck[plot]"'
