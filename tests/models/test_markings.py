"""Markings as predicates, measures and expressions read them."""

import pytest
from playing import Play, counts

from sweepcheck import Bag, Net, Status, SweepcheckError, at, check, colours, explore, invariant, product, progress

ENGINES = ["reference", "native"]


def net_of_three() -> Net:
    """A place with several tokens, one with always one, and a timed one, at the top and in a module."""
    module = Net("module")
    inner = module.place("Inner", int, [7])
    module.transition("Keep", inner.take("n"), inner.put("n"))
    net = Net("net")
    several = net.place("Several", int, [1, 2, 2])
    one, late = net.place("One", str, ["x"]), net.place("Late", colours.timed(int), [at(3, 5), 6, 6])
    net.transition("Keep", one.take("v"), one.put("v"))
    net.transition("Use", several.take("n"), late.test("k"))
    net.substitution("Sub", module)
    return net


@pytest.fixture
def view():
    return Play(net_of_three()).view


def test_places_are_bags(view) -> None:
    assert view.Several == Bag([1, 2, 2])
    assert (len(view.Several), view.Several.count(2), 3 in view.Several) == (3, 2, False)
    assert list(view.Several) == [1, 2, 2]
    assert view.Several.items() == ((1, 1), (2, 2))
    assert view.Several.distinct() == (1, 2)


def test_a_place_with_one_token_is_a_bag_too(view) -> None:
    assert view.One == Bag(["x"])
    assert Bag(["x"]) == view.One
    assert view.One.token == "x"
    assert (len(view.One), view.One.count("x"), "y" in view.One, list(view.One)) == (1, 1, False, ["x"])
    assert view.One + Bag(["y"]) == Bag(["x", "y"])
    assert view.One <= Bag(["x", "y"])
    assert hash(view.One) == hash(Bag(["x"]))
    assert repr(view.One) == "1*'x'"
    assert view.One.distinct() == ("x",)


def test_a_timed_place_is_a_bag_of_values(view) -> None:
    assert view.Late == Bag([5, 6, 6])
    assert (len(view.Late), view.Late.count(6), 5 in view.Late, list(view.Late)) == (3, 2, True, [5, 6, 6])
    assert sorted(view.Late.times()) == [(5, 3), (6, 0), (6, 0)]
    assert view.clock == 0


def test_places_are_found_by_name_by_module_and_by_themselves(view) -> None:
    net = view._model.net
    assert view["Several"] == view.Several
    assert view[net.places["Several"]] == view.Several
    assert view.Sub.Inner.token == 7
    assert view["Sub.Inner"] == view["Sub"]["Inner"] == view.Sub.Inner
    inner = net.substitutions["Sub"].module.places["Inner"]
    assert view.Sub[inner].token == 7
    for wrong in (lambda: view[inner], lambda: view.Sub[net.places["Several"]]):
        with pytest.raises(SweepcheckError) as raised:
            wrong()
        assert (raised.value.code, "through its instances" in str(raised.value)) == ("SC202", True)
    assert repr(view.Sub) == "Inner=1*7"
    assert repr(view) == "Several=1*1 + 2*2 One=1*'x' Late=1*5 + 2*6 Sub.Inner=1*7 clock=0"


def test_a_fused_place_is_found_by_its_set_and_by_itself() -> None:
    net = Net("n")
    place = net.place("P", int, [3, 4], fusion="Shared")
    net.transition("T", place.take("n"))
    view = Play(net).view
    assert view.Shared == view[place] == Bag([3, 4])


@pytest.mark.parametrize("place", ["Several", "Empty", "Two"])
def test_the_token_of_a_place_without_exactly_one(place) -> None:
    net = Net("n")
    net.place("Empty", int)
    net.place("Several", int, [1, 2])
    two = net.place("Two", colours.timed(int), [1, at(4, 1)])
    net.transition("T", two.take("n"))
    with pytest.raises(ValueError, match="token is asked of a bag with"):
        _ = Play(net).view[place].token


def test_names_that_are_no_names_of_python() -> None:
    net = Net("n")
    for name in ("Next Send", "class", "Größe", "2nd", "token", "items", "+"):
        net.place(name, int, [1])
    net.transition("T", net.places["Next Send"].take("n"), net.places["class"].put("n"))
    view = Play(net).view
    assert {view[name].token for name in net.places} == {1}
    assert view.Größe.token == view.token.token == view.items.token == 1
    net.invariant("three", lambda m: sum(len(m[name]) for name in ("Next Send", "class", "2nd")) == 3)
    for engine in ENGINES:
        assert check(net, engine=engine)["three"].status is Status.HOLDS


def test_a_marking_is_read_only(view) -> None:
    for change in (
        lambda: setattr(view, "Several", 1),
        lambda: view.__setitem__("Several", 1),
        lambda: delattr(view, "Several"),
        lambda: view.__delitem__("Several"),
    ):
        with pytest.raises(SweepcheckError) as raised:
            change()
        assert raised.value.code == "SC206"
    with pytest.raises(AttributeError):
        view.Several.add(1)


def test_unknown_places_are_told_with_what_there_is(view) -> None:
    with pytest.raises(SweepcheckError) as raised:
        _ = view.Sevral
    assert (raised.value.code, raised.value.suggestion) == ("SC202", "did you mean 'Several'?")
    with pytest.raises(SweepcheckError) as raised:
        _ = view.Sub.Several
    assert "'Sub.Several'" in raised.value.what
    assert raised.value.suggestion == "available: Inner"


@pytest.mark.parametrize("engine", ENGINES)
def test_measures_read_markings(engine) -> None:
    net = Net("n")
    done, todo = net.place("Done", int), net.place("Todo", int, [1, 2, 3])
    count = net.place("Count", range(4), [0])
    net.transition("Do", todo.take("n"), done.put("n"), count.take("k"), count.put("k + 1"))
    for measure in (lambda m: len(m.Done), lambda m: m.Count.token, lambda m: (m.Count.token, -len(m.Todo))):
        report = explore(net, engine=engine, measure=measure, strategy="sweep")
        assert (report.statistics.states, report.statistics.layers, report.statistics.peak) == (8, 4, 6)


@pytest.mark.parametrize("engine", ENGINES)
def test_predicates_depend_on_what_they_read(engine) -> None:
    net = net_of_three()
    asked = {
        "sizes": lambda m: len(m.Several) <= 3 and len(m.Late) == 3,
        "bags": lambda m: m.Several <= Bag([1, 2, 2]) and m.Late == Bag([5, 6, 6]),
        "tokens": lambda m: m.One.token == "x" and m.Sub.Inner.token == 7,
        "sums": lambda m: sum(m.Several) <= 5 and max(m.Late) == 6,
        "times": lambda m: {time for _, time in m.Late.times()} == {0, 3} and m.clock == 0,
    }
    report = check(net, [invariant(name, predicate) for name, predicate in asked.items()], engine=engine)
    assert {verdict.status for verdict in report.verdicts} == {Status.HOLDS}


@pytest.mark.parametrize("engine", ENGINES)
def test_expressions_name_places(engine, tmp_path, monkeypatch, capsys) -> None:
    from sweepcheck.cli.main import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(
        "from sweepcheck import Net\n"
        "module = Net('module')\n"
        "p = module.place('Inner Place', int, [1])\n"
        "module.transition('T', p.take('n'))\n"
        "net = Net('net')\n"
        "a = net.place('A', int, [1, 2])\n"
        "net.transition('T', a.take('n'))\n"
        "net.substitution('Sub', module)\n"
    )
    asked = ["len(A) <= 2", "Sub['Inner Place'].count(1) < 2", "len(s['Sub.Inner Place']) + len(s.A) <= 3"]
    assert (
        main(["check", "net.py:net", "--engine", engine, *(word for one in asked for word in ("--invariant", one))])
        == 0
    )
    assert main(["check", "net.py:net", "--engine", engine, "--invariant", "len(B) < 1"]) == 2
    assert "error[SC402]" in capsys.readouterr().err


def test_markings_are_described_with_absolute_times() -> None:
    play = Play(net_of_three())
    assert play.model.describe(play.state) == {
        "Several": Bag([1, 2, 2]),
        "One": Bag(["x"]),
        "Late": Bag([at(3, 5), at(0, 6), at(0, 6)]),
        "Sub.Inner": Bag([7]),
        "clock": 0,
    }
    counts(net_of_three())


def test_a_measure_with_a_span_keeps_all_it_is() -> None:
    net = Net("span")
    place = net.place("P", int, [0])
    net.transition("T", place.take("x"), place.put("x + 1"), guard="x < 3")
    rising = progress(lambda m: m.P.token, monotone=True)
    net.progress(product(rising, lambda m: -m.P.token), span=((0, 0), (3, 0)))
    assert net.measure is not None
    assert net.measure.parts is not None
    assert net.measure.span == ((0, 0), (3, 0))
