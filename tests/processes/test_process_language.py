"""The process language: what each form means, where errors point, and that no text crashes the reader."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import SweepcheckError, check, explore, load
from sweepcheck.core.limits import FileLimits
from sweepcheck.models.processes.elaboration import network_from_text
from sweepcheck.models.processes.parsing import parse_pattern

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.psl"))


def network(text, **parameters):
    return network_from_text(text, "model.psl", parameters)


def only(process, **parameters):
    """The LTS of a system with one process called P."""
    (lts,) = network(f"{process}\nsystem = P", **parameters).components
    return lts


def steps(lts):
    return [(lts.locations[s], event, lts.locations[t]) for s, event, t in lts.triples()]


def test_prefix_choice_and_recursion():
    lts = only("process P = a -> b -> P [] c -> STOP")
    assert steps(lts) == [("P", "a", "P after a"), ("P", "c", "STOP"), ("P after a", "b", "P")]
    assert not lts.final


def test_guards_indices_and_bounded_data():
    lts = only("param n = 2 process P = Q(0) process Q(k: 0..n) = when k < n: up.k.(k+1) -> Q(k+1) [] when k==n: SKIP")
    assert steps(lts) == [("P", "up.0.1", "Q(1)"), ("Q(1)", "up.1.2", "Q(2)")]
    assert [lts.locations[location] for location in lts.final] == ["Q(2)"]


def test_choice_over_a_range_and_words_in_events():
    lts = only("process P = any i in 1..3: when i != 2: send.i.hello -> P")
    assert steps(lts) == [("P", "send.1.hello", "P"), ("P", "send.3.hello", "P")]


def test_equal_continuations_are_one_location():
    lts = only("process P = any i in 1..3: go.i -> back -> P")
    assert len(lts) == 2
    lts = only("process P = any i in 1..3: go.i -> back.i -> P")
    assert lts.locations == ("P", "P after go.1", "P after go.2", "P after go.3")


def test_names_of_locations_are_never_shared():
    lts = only("process P = a -> b -> P [] a -> c -> d -> P")
    assert lts.locations == ("P", "P after a", "P after a (2)", "P after a (2), c")


def test_a_branch_may_be_a_process():
    lts = only("process P = a -> P [] Q process Q = b -> P [] SKIP")
    assert steps(lts) == [("P", "a", "P"), ("P", "b", "P")]
    assert lts.final == {0}


def test_arithmetic_and_conditions():
    source = "const a = 7 / 2 * 10 % 8 - -3  process P = when a == 9 and not (a < 9 or false): yes -> STOP"
    assert steps(only(source)) == [("P", "yes", "STOP")]
    assert steps(only("process P = when all i in 1..0: false: yes -> STOP")) == [("P", "yes", "STOP")]
    assert steps(only("process P = when some i in 1..3: i == 2: yes -> STOP")) == [("P", "yes", "STOP")]


def test_systems():
    made = network(
        "param n = 2\nprocess P(i) = a.i -> b -> P(i)\nprocess Q = b -> c -> Q\n"
        "system 'x' = ((all i in 1..n: P(i)) || last = Q rename {c to d.1, c to d.2}) hide {a}".replace("'", '"')
    )
    assert made.name == "x"
    assert made.variables == ("p_1", "p_2", "last")
    assert [action.name for action in made.actions] == ["tau(a.1)", "b", "tau(a.2)", "d.1", "d.2"]
    assert network("process P = a -> P system = one = P || two = P alphabet {b}").alphabet == ("a", "b")
    assert explore(made).statistics.states == explore(made, engine="reference").statistics.states


def test_hiding_belongs_to_the_part_it_follows():
    text = "process P = a -> P system = {}"
    assert [a.name for a in network(text.format("x = P || y = P hide {a}")).actions] == ["a", "tau(y)"]
    assert [a.name for a in network(text.format("(x = P || y = P) hide {a}")).actions] == ["tau(a)"]


def test_parameters_are_given_from_outside():
    text = "param n = 1 const m = n + 1 process P(k) = when k < m: a -> P(k + 1) system = P(0)"
    assert len(network(text).components[0]) == 3
    made = network(text, n=4)
    assert len(made.components[0]) == 6
    assert dict(made.parameters) == {"n": 4}


def test_properties_of_states_and_events():
    made = network(
        "process P(k: 0..3) = when k < 3: up -> P(k + 1) [] when k > 0: reset -> P(0)\n"
        "system = c(1) = P(0) || c(2) = P(1)\n"
        'check deadlock\ncheck invariant "low": all i in 1..2: not c(i) at P(3)\n'
        "check reachable top: c(1) at P(3) and (c(2) at P(3) or 1 == 2)\n"
        "check always possible back: c(1) at P(0)\ncheck always eventually home: c(1) at P\n"
        "check never nr: reset\ncheck never late: up after reset\ncheck never early: reset before up\n"
        "check never twice: up after up without reset"
    )
    verdicts = check(made, keep_going=True, engine="reference").verdicts
    assert [(v.property.name, str(v.status)) for v in verdicts] == [
        ("deadlock", "holds"),
        ("low", "violated"),
        ("top", "holds"),
        ("back", "holds"),
        ("home", "holds"),
        ("nr", "violated"),
        ("late", "violated"),
        ("early", "holds"),
        ("twice", "violated"),
    ]


def test_a_location_without_arguments_stands_for_all():
    made = network(
        "process P(k: 0..1) = when k < 1: up -> P(k + 1) system = P(0)\n"
        "check invariant any_k: p(0) at P\ncheck invariant one: p(0) at P(0)"
    )
    assert [p.predicate.values for p in made.properties] == [{"P(0)", "P(1)"}, {"P(0)"}]


@pytest.mark.parametrize(
    ("text", "code", "where", "words"),
    [
        ("process P = ", "SC601", "1:13", "end of the file"),
        ("process P = a => P", "SC601", "1:15", "'='"),
        ("process P = a -> P\nsystem = P |\n", "SC601", "2:12", "'|'"),
        ("process P = when k = 1: a -> P", "SC601", "1:20", "'='"),
        ("param n = 1234567890123456", "SC601", "1:26", "'6'"),
        ("process P = a -> Q system = P", "SC602", "1:18", "process 'Q'"),
        ("process P = a.(k) -> P system = P", "SC602", "1:16", "value 'k'"),
        ("process P = a -> P process P = b -> P system = P", "SC602", "1:20", "two processes"),
        ("param n = 1 const n = 2", "SC602", "1:13", "two values"),
        ("process P = a -> P", "SC602", "", "no system"),
        ("process P = a -> P system = P system = P", "SC602", "", "2 systems"),
        ("process P = a -> P system = P || P", "SC602", "1:34", "two components are called 'p'"),
        ("process P = a -> P system = P check invariant x: q at P", "SC602", "1:50", "component 'q'"),
        ("process P = a -> P system = P check invariant x: p at Q", "SC602", "1:55", "location of p 'Q'"),
        ("process P = a -> P system = P measure q: scc", "SC602", "1:31", "component 'q'"),
        ("process P(k: 0..1) = a -> P(k + 1) system = P(0)", "SC603", "1:27", "'k' of P is 2, outside 0..1"),
        ("process P(k) = a -> P system = P(0)", "SC603", "1:21", "0 arguments"),
        ("process P = when 1: a -> P system = P", "SC603", "1:18", "a condition is wanted"),
        ("process P = a.(1 / 0) -> P system = P", "SC603", "1:16", "1 / 0"),
        ("process P = a.(1 + (1 == 1)) -> P system = P", "SC603", "1:21", "a number is wanted"),
        ("process P = any i in 0..9999999: a.i -> P system = P", "SC603", "1:22", "more than 1,000,000"),
        ("process P = when p at P: a -> P system = P", "SC603", "1:18", "in properties only"),
        ("process P = a -> P system = (P || q = P) alphabet {b}", "SC603", "1:29", "single component"),
        ("process P = P system = P", "SC604", "1:13", "leads to itself"),
        ("process P(k) = P(k + 1) system = P(0)", "SC604", "1:16", "more than 100 calls"),
        ("process P = a -> P system = P hide {b}", "SC612", "1:29", "'b' is hidden"),
        ("process P = a -> P system = P rename {b to c}", "SC612", "1:29", "'b'"),
        ("process P = a -> P system = P check never x: b", "SC612", "1:31", "'b'"),
        ("process P = a -> P system = P check deadlock check deadlock", "SC112", "1:46", "two properties"),
    ],
)
def test_mistakes_are_shown_where_they_are(text, code, where, words):
    with pytest.raises(SweepcheckError) as raised:
        network(text)
    assert raised.value.code == code
    assert raised.value.where == (f"model.psl:{where}" if where else "model.psl")
    assert words in raised.value.what
    assert raised.value.suggestion


def test_parameters_must_be_there_and_be_numbers():
    for given_value, words in (({"m": 1}, "no parameter 'm'"), ({"n": "x"}, "'x'")):
        with pytest.raises(SweepcheckError) as raised:
            network("param n = 1 process P = a -> P system = P", **given_value)
        assert raised.value.code == "SC105"
        assert words in raised.value.what


def test_an_endless_process_is_stopped():
    endless = "process P = Q(0) process Q(k) = up -> Q(k + 1) system = P"
    with pytest.raises(SweepcheckError) as raised:
        network_from_text(endless, "test.psl", limits=FileLimits(size=1000))
    assert raised.value.code == "SC607"
    assert "bound the data" in raised.value.suggestion


def test_patterns_on_the_command_line():
    pattern = parse_pattern("{commit, done.3} after abort without request")
    assert pattern.events == ("commit", "done.3")
    assert (pattern.after, pattern.without, pattern.before) == (("abort",), ("request",), ())


FORMS = """process P Q system = -> [] when any in all some 1 .. 3 : a b . ( ) , || hide rename { } to check never
after deadlock invariant at measure scc tree param const n k STOP SKIP tau -- + - / == and not alphabet é"""
WORDS = st.sampled_from([*FORMS.split(), '"', "\n", "\x00"])


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, max_size=40).map(" ".join))
def test_no_text_crashes_the_reader(text):
    for source in (text, f"process P = a -> P\nsystem = P\n{text}", f"process P = {text}\nsystem = P"):
        with suppress(SweepcheckError):  # and nothing else
            network(source)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_damaged_example_crashes_the_reader(data):
    text = data.draw(st.sampled_from(EXAMPLES)).read_text(encoding="utf-8")
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(len(text), begin + 20)))
    with suppress(SweepcheckError):
        network(text[:begin] + data.draw(st.text(max_size=3)) + text[end:])


@pytest.mark.parametrize("depth", [50, 3000])
def test_deep_nesting_is_no_crash(depth):
    text = f"process P = {'(' * depth}a -> P{')' * depth}\nsystem = P"
    with suppress(SweepcheckError):
        network(text)
    with suppress(SweepcheckError):
        network(f"process P = {'a -> ' * depth}P\nsystem = P")


def test_files_are_found_by_their_suffix(tmp_path):
    (tmp_path / "model.psl").write_text("process P = a -> P system = P")
    assert load(str(tmp_path / "model.psl")).name == "model"
    with pytest.raises(SweepcheckError, match=r"did you mean 'model.psl'"):
        load(str(tmp_path / "modle.psl"))
