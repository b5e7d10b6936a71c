"""Nets of tools that say in attributes what others say in elements: read, or refused, and never passed over."""

from pathlib import Path

import pytest

from sweepcheck import explore, load
from sweepcheck.errors import ModelError

TAPAAL = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<pnml xmlns="http://www.informatik.hu-berlin.de/top/pnml/ptNetb">
  <net active="true" id="N" type="P/T net">
    <place displayName="true" id="a" initialMarking="3" invariant="&lt; inf" name="a" positionX="1" positionY="2"/>
    <place id="b" initialMarking="0" invariant="&lt; inf" name="b"/>
    <transition angle="0" id="t" infiniteServer="false" name="t" player="0" priority="0" urgent="false"/>
    <arc id="A0" inscription="[0,inf)" source="a" target="t" type="timed" weight="1"/>
    <arc id="A1" inscription="1" source="t" target="b" type="normal" weight="2"/>
    <arc id="A2" inscription="[0,inf)" source="b" target="t" type="tapnInhibitor" weight="3"/>
  </net>
</pnml>
"""


PUT = 'inscription="1" source="t" target="b" type="normal" weight="2"'


def counts(text: str, tmp_path: Path, **options: str) -> tuple[int | None, int]:
    """States and edges."""
    path = tmp_path / "net.pnml"
    path.write_text(text)
    found = explore(load(str(path)), **options).statistics
    return found.states, found.edges


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_markings_and_weights_in_attributes(engine: str, tmp_path: Path) -> None:
    assert counts(TAPAAL, tmp_path, engine=engine) == (3, 2)  # b: 0, 2, 4, and four are three or more


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('initialMarking="3"', 'tokens="1"', (2, 1)),
        ('initialMarking="3"', "", (1, 0)),
        ('type="normal" weight="2"', 'type="normal" multiplicity="1"', (4, 3)),
        (
            'inscription="1" source="t" target="b" type="normal" weight="2"',
            'source="t" target="b" inscription="3"',
            (2, 1),
        ),
        ('weight="2"/>', 'weight="2"><inscription><text>2</text></inscription></arc>', (3, 2)),
    ],
)
def test_other_ways_to_say_it(old: str, new: str, found: tuple[int, int], tmp_path: Path) -> None:
    assert old in TAPAAL
    assert counts(TAPAAL.replace(old, new, 1), tmp_path) == found


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('invariant="&lt; inf"', 'invariant="&lt;= 5"', "SC135"),
        ('inscription="[0,inf)" source="a"', 'inscription="[2,7]" source="a"', "SC135"),
        ('priority="0"', 'priority="2"', "SC135"),
        ('name="b"', 'name="b" capacity="1"', "SC135"),
        ('type="tapnInhibitor"', 'type="transport"', "SC135"),
        ('initialMarking="3"', 'initialMarking="x"', "SC136"),
        ('weight="2"', 'weight="0"', "SC136"),
        (
            'inscription="1" source="t" target="b" type="normal" weight="2"',
            'inscription="0" source="t" target="b"',
            "SC136",
        ),
        ('weight="2"/>', 'weight="2"><inscription><text>1</text></inscription></arc>', "SC136"),
    ],
)
def test_what_cannot_be_meant_is_refused(old: str, new: str, code: str, tmp_path: Path) -> None:
    assert old in TAPAAL
    with pytest.raises(ModelError) as error:
        counts(TAPAAL.replace(old, new, 1), tmp_path)
    assert error.value.code == code
    assert error.value.where is not None
    assert error.value.suggestion
