"""`.aut` files: what is written is read back, files of other tools are understood, broken ones are refused."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import LTS, SweepcheckError, explore, load, read_aut, write_aut
from sweepcheck.models.processes.aut import aut_text, parse_aut
from sweepcheck.testing.random_networks import ltss

LABELS = st.text(
    st.characters(exclude_characters="\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", exclude_categories=["Cs"])
)


@settings(deadline=None)
@given(ltss())
def test_round_trip(drawn):
    lts = LTS.numbered(drawn[0].locations, drawn[0].triples(), 0)  # alphabets are not in the format
    assert parse_aut(aut_text(lts)) == lts


@settings(deadline=None)
@given(LABELS)
def test_any_label_survives_or_is_refused(label):
    lts = LTS.numbered(range(2), [(0, label, 1)]) if label else LTS.numbered(range(2), [(0, "tau", 1)])
    if label in ("i", "τ"):
        with pytest.raises(SweepcheckError, match="read as something else"):
            aut_text(lts)
    else:
        assert parse_aut(aut_text(lts)) == lts


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from('des (0,1)\n"i\\taupt'), max_size=60))
def test_no_text_crashes_the_reader(text):
    for source in (text, "des (0, 1, 2)\n" + text):
        with suppress(SweepcheckError):  # and nothing else
            parse_aut(source)


def test_files_of_other_tools(tmp_path):
    path = tmp_path / "other.aut"
    path.write_text(
        'des (1,5,3)\n(0,PUT !1 !"x",1)\n(1,"GET (1, 2)",2)\n\n(2,i,0)\n (2, "tau" , 1) \n(0,"say \\"hi\\"",0)\n'
    )
    lts = read_aut(path)
    assert lts.initial == 1
    assert list(lts.triples()) == [
        (0, 'PUT !1 !"x"', 1),
        (0, 'say "hi"', 0),
        (1, "GET (1, 2)", 2),
        (2, "tau", 0),
        (2, "tau", 1),
    ]
    write_aut(lts, tmp_path / "again.aut")
    assert read_aut(tmp_path / "again.aut") == lts
    assert explore(load(str(path))).statistics.states == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "header"),
        ("dse (0, 0, 1)", "header"),
        ("des (0, 2, 2)\n(0, a, 1)", "promises 2 steps"),
        ("des (5, 0, 2)", "initial location 5"),
        ("des (0, 1, 2)\n(0, a, 2)", "location 2"),
        ("des (0, 1, 2)\n0 a 1", "not a step"),
    ],
)
def test_broken_files(text, words):
    with pytest.raises(SweepcheckError) as raised:
        parse_aut(text, "broken.aut")
    assert raised.value.code == "SC605"
    assert words in raised.value.what
    assert raised.value.where.startswith("broken.aut:")


def test_a_missing_file(tmp_path):
    with pytest.raises(SweepcheckError) as raised:
        read_aut(tmp_path / "nothing.aut")
    assert raised.value.code == "SC101"
