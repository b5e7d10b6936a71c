"""The rooms of the core: each includes only those before it, and none of them knows Python."""

import re
from pathlib import Path

import pytest

NATIVE = Path(__file__).parent.parent.parent / "native"
ROOMS = ("read", "state", "program", "progress", "store", "ask", "explore")
INCLUDED = re.compile(r'^#include [<"]([^>"]+)[>"]', re.MULTILINE)


def files(room: str) -> list[Path]:
    return sorted([*(NATIVE / "include" / "sweep" / room).iterdir(), *(NATIVE / "src" / room).iterdir()])


def test_there_are_no_other_rooms() -> None:
    assert {path.name for path in (NATIVE / "include" / "sweep").iterdir()} == set(ROOMS)
    assert {path.name for path in (NATIVE / "src").iterdir()} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_includes_only_those_before_it(room: str) -> None:
    allowed = ROOMS[: ROOMS.index(room) + 1]
    for path in files(room):
        for included in INCLUDED.findall(path.read_text(encoding="utf-8")):
            parts = included.split("/")
            assert parts[0] != "sweep" or parts[1] in allowed, f"{path.name} includes {included}"
            assert "Python.h" not in included
            assert "nanobind" not in included
