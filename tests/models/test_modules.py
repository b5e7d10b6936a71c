"""Modules and fusion: substitution transitions, instances of any depth, ports that become their sockets."""

from playing import Play, counts

from sweepcheck import Net, Status, check
from sweepcheck.models.adoption import adopt
from sweepcheck.models.loading import load
from sweepcheck.models.net.hierarchy import flatten


def relay(name: str = "relay") -> Net:
    """A module that passes numbers on, one more each time, through a buffer of its own."""
    module = Net(name)
    source, target = module.place("In", int, port="in"), module.place("Out", int, port="out")
    buffer = module.place("Buffer", int)
    module.transition("Get", source.take("n"), buffer.put("n"))
    module.transition("Put", buffer.take("n"), target.put("n + 1"))
    return module


def test_an_instance_has_places_and_transitions_of_its_own() -> None:
    net = Net("net")
    a, b = net.place("A", int, [1]), net.place("B", int)
    net.substitution("Relay", relay(), In=a, Out=b)
    model = adopt(net)
    assert model.variables == ("A", "B", "Relay.Buffer"), "a port is its socket"
    play = Play(net)
    assert play.labels == ["Relay.Get(n=1)"]
    assert play.occur("Relay.Get(n=1)").marking == {"Relay.Buffer": "1*1"}
    assert play.occur("Relay.Put(n=1)").marking == {"B": "1*2"}
    assert counts(net) == (3, 2, 1)


def test_one_module_several_instances() -> None:
    net, module = Net("net"), relay()
    places = [net.place(name, int, [1] if name == "A" else ()) for name in "ABC"]
    net.substitution("First", module, In=places[0], Out=places[1])
    net.substitution("Second", module, In=places[1], Out=places[2])
    net.substitution("Back", module, In=places[1], Out=places[0])
    play = Play(net).occur("First.Get(n=1)", "First.Put(n=1)")
    assert play.labels == ["Second.Get(n=2)", "Back.Get(n=2)"]
    assert play.occur("Second.Get(n=2)").marking == {"Second.Buffer": "1*2"}


def test_modules_within_modules() -> None:
    middle = Net("middle")
    i, o, between = middle.place("In", int, port="in"), middle.place("Out", int, port="out"), middle.place("M", int)
    middle.substitution("One", relay(), In=i, Out=between)
    middle.substitution("Two", relay(), In=between, Out=o)
    net = Net("net")
    a, b = net.place("A", int, [1]), net.place("B", int)
    net.substitution("Middle", middle, In=a, Out=b)
    net.invariant("small", lambda m: len(m.Middle.One.Buffer) + len(m["Middle.Two.Buffer"]) + len(m.Middle.M) <= 1)
    net.reachable("there", lambda m: 3 in m.B)
    assert adopt(net).variables == ("A", "B", "Middle.M", "Middle.One.Buffer", "Middle.Two.Buffer")
    assert [one.name for one in flatten(net).transitions] == [
        "Middle.One.Get",
        "Middle.One.Put",
        "Middle.Two.Get",
        "Middle.Two.Put",
    ]
    assert counts(net) == (5, 4, 1)
    for engine in ("reference", "native"):
        assert {verdict.status for verdict in check(net, engine=engine).verdicts} == {Status.HOLDS}


def test_a_module_by_itself_is_open() -> None:
    assert counts(relay()) == (1, 0, 1)
    assert adopt(relay()).variables == ("In", "Out", "Buffer")


def test_the_capacity_of_the_socket_holds_inside() -> None:
    net = Net("net")
    a, b = net.place("A", int, [1, 2, 3]), net.place("B", int, capacity=1)
    net.substitution("Relay", relay(), In=a, Out=b)
    play = Play(net).occur("Relay.Get(n=1)", "Relay.Get(n=2)", "Relay.Put(n=1)")
    assert play.labels == ["Relay.Get(n=3)"], "B is full"
    assert play.marking["B"] == "1*2"
    counts(net)


def test_two_ports_on_one_place_are_one_place() -> None:
    module = Net("module")
    one, two = module.place("One", int, port="inout"), module.place("Two", int, port="inout")
    done = module.place("Done", int)
    module.transition("Pair", two.test("k"), one.take("n"), done.put("10 * n + k"))
    net = Net("net")
    a = net.place("A", int, [1, 2], capacity=2)
    net.substitution("M", module, One=a, Two=a)
    play = Play(net)
    assert play.labels == ["M.Pair(k=2, n=1)", "M.Pair(k=1, n=2)"], "a test needs another token than the one taken"
    assert play.occur("M.Pair(k=2, n=1)").labels == []
    counts(net)


def test_a_capacity_counts_what_all_ports_of_a_place_do() -> None:
    module = Net("module")
    one, two = module.place("One", int, port="inout"), module.place("Two", int, port="inout")
    module.transition("Exchange", one.take("n"), two.put("n + 2 ++ n + 3"), guard="n < 3")
    net = Net("net")
    a = net.place("A", int, [1], capacity=2)
    net.substitution("M", module, One=a, Two=a)
    assert Play(net).occur("M.Exchange(n=1)").marking == {"A": "1*3 + 1*4"}
    assert counts(net) == (2, 1, 1)


def test_sockets_of_a_single_token() -> None:
    module = Net("module")
    count = module.place("Count", range(3), port="inout")
    module.transition("Up", count.take("n"), count.put("n + 1"), guard="n < 2")
    net = Net("net")
    first, second = net.place("First", range(3), [0]), net.place("Second", range(3), [0])
    net.substitution("A", module, Count=first)
    net.substitution("B", module, Count=second)
    assert adopt(net).initial_states()[0] == (0, 0), "no bag is needed for a token that is always there"
    assert counts(net) == (9, 12, 1)


def test_ports_may_have_names_of_parameters() -> None:
    module = Net("module")
    name, self_ = module.place("name", int, port="in"), module.place("self", int, port="out")
    module.transition("T", name.take("n"), self_.put("n"))
    net = Net("net")
    a, b = net.place("A", int, [1]), net.place("B", int)
    net.substitution("M", module, name=a, self=b)
    assert counts(net) == (2, 1, 1)


def test_a_port_with_spaces() -> None:
    module = Net("module")
    port = module.place("Data In", int, port="in")
    module.transition("T", port.take("n"))
    net = Net("net")
    net.substitution("My module", module, **{"Data In": net.place("A", int, [1])})
    assert Play(net).labels == ["My module.T(n=1)"]


# -- fusion ----------------------------------------------------------------------------------------------------------


def counting(limit: int = 2) -> Net:
    module = Net("counting")
    total = module.place("Total", int, [0], fusion="Total")
    module.transition("Up", total.take("n"), total.put("n + 1"), guard=f"n < {limit}")
    return module


def test_fused_places_are_one_across_modules() -> None:
    net = Net("net")
    shown = net.place("Shown", int, [0], fusion="Total")
    net.transition("Read", shown.test("n"), guard="n == 2")
    net.substitution("A", counting())
    net.substitution("B", counting())
    net.invariant("at most 2", lambda m: m.Total.token <= 2)
    assert adopt(net).variables == ("Total",)
    assert Play(net).labels == ["A.Up(n=0)", "B.Up(n=0)"]
    assert counts(net) == (3, 5, 0)
    assert check(net)["at most 2"].status is Status.HOLDS


def test_fused_places_of_one_transition() -> None:
    net = Net("net")
    one, two = net.place("One", int, [1, 2], fusion="F"), net.place("Two", int, [1, 2], fusion="F")
    out = net.place("Out", (int, int))
    net.transition("Pair", one.take("n"), two.take("k"), out.put("(n, k)"))
    assert Play(net).labels == ["Pair(n=1, k=2)", "Pair(n=2, k=1)"]
    assert counts(net) == (3, 2, 2)


def test_a_fused_capacity() -> None:
    net = Net("net")
    one, two = (net.place(name, int, [1], fusion="F", capacity=2) for name in ("One", "Two"))
    net.transition("Double", one.take("n"), two.put("2*n"))
    assert Play(net).occur("Double(n=1)").marking == {"F": "2*1"}
    assert counts(net) == (2, 1, 1)


def test_modules_do_not_disturb_each_other() -> None:
    """Two instances side by side have the product of their states."""
    net, alone = Net("net"), Net("alone")
    for index in range(2):
        net.substitution(f"M{index}", counting_to(3))
    alone.substitution("M", counting_to(3))
    assert counts(net)[0] == counts(alone)[0] ** 2


def counting_to(limit: int) -> Net:
    module = Net("module")
    place = module.place("P", range(limit + 1), [0])
    module.transition("Up", place.take("n"), place.put("n + 1"), guard=f"n < {limit}")
    return module


def test_a_file_with_a_module_and_a_net_has_one_model(tmp_path) -> None:
    path = tmp_path / "protocol.py"
    path.write_text(
        "from sweepcheck import Net\n"
        "channel = Net('channel')\n"
        "i, o = channel.place('I', int, port='in'), channel.place('O', int, port='out')\n"
        "channel.transition('Pass', i.take('n'), o.put('n'))\n"
        "whole = Net('whole')\n"
        "a, b = whole.place('A', int, [1]), whole.place('B', int)\n"
        "whole.substitution('Channel', channel, I=a, O=b)\n"
    )
    assert load(str(path)).name == "whole"
    assert load(f"{path}:channel").name == "channel"
