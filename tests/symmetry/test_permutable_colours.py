"""Nets whose tokens nobody can tell apart, and time that nobody reads: against quotients of whole state spaces."""

from enum import Enum
from typing import Any

import pytest
from quotients import quotient, renamings

from sweepcheck import Bag, Net, SweepcheckError, at, check, colours, explore
from sweepcheck.core.stamps import Stamped
from sweepcheck.models.adoption import adopt
from sweepcheck.models.net.colours import Tagged

NAMES = ["p0", "p1", "p2"]  # no token is called so but members: wherever the text is, it is one


def everywhere(value: Any, new: dict[str, str]) -> Any:
    """The value with other names, without asking what it is."""
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, Bag):
        return Bag({everywhere(token, new): count for token, count in value.items()})
    if isinstance(value, frozenset):
        return frozenset(everywhere(one, new) for one in value)
    if isinstance(value, tuple):
        made = tuple(everywhere(one, new) for one in value)
        return type(value)(*made) if hasattr(value, "_fields") else made
    return value


def orbit(state: Any) -> frozenset[Any]:
    every = [dict(zip(NAMES, (NAMES[at] for at in to), strict=True)) for to in renamings(len(NAMES), False)]
    return frozenset(tuple(everywhere(one, new) for one in state) for new in every)


def pairs() -> Net:
    net, pid = Net("pairs"), colours.permutable(set(NAMES))
    idle, met = net.place("Idle", pid, NAMES), net.place("Met", (pid, pid))
    host = net.place("Host", pid, ["p0"])
    net.transition("Meet", idle.take("p ++ q"), met.put("(p, q)"), guard="p != q")
    net.transition("Part", met.take("(p, q)"), idle.put("p ++ q"), host.take("h"), host.put("q"))
    return net


def letters() -> Net:
    """Products, lists, records, unions, sets and optional members."""
    pid = colours.permutable(set(NAMES))
    letter = colours.record("Letter", sender=pid, text=int)
    message = colours.union("Message", one=letter, many=colours.lists(pid))
    net = Net("letters", Letter=letter, Message=message)
    ready, sent = net.place("Ready", pid, NAMES), net.place("Sent", message, capacity=2)
    last, seen = net.place("Last", pid | None, [None]), net.place("Seen", frozenset[pid], [frozenset()])
    net.transition("Write", ready.take("p"), sent.put("Message.one(Letter(p, t))"), free={"t": {0, 1}})
    copied = "Message.many((x.value.sender, x.value.sender))"
    net.transition("Copy", sent.take("x"), sent.put(copied), guard="x.tag == 'one'")
    net.transition("Read", sent.take("x"), last.take("_"), last.put("p"), ready.put("p"), let={"p": "x.value[0]"})
    net.transition("See", last.test("p"), seen.take("s"), seen.put("s | {p}"), guard="p is not None and p not in s")
    return net


def beats() -> Net:
    """Timed tokens of a permutable colour."""
    net, pid = Net("beats"), colours.permutable(set(NAMES))
    due, done = net.place("Due", colours.timed(pid), NAMES), net.place("Done", pid)
    net.transition("Beat", due.take("p"), done.put("p"), due.put("p @+ d"), done.inhibit(), free={"d": {2, 3}})
    net.transition("Forget", done.take("p"))
    net.time_equivalence()
    return net


@pytest.mark.parametrize("make", [pairs, letters])
def test_a_net_has_the_classes_of_its_quotient(make: Any) -> None:
    net = make()
    found = quotient(adopt(net), orbit)
    numbers = explore(net, verify_equivalence=True).statistics
    assert (numbers.states, numbers.edges, numbers.dead_states) == (found.classes, found.triples, found.dead)
    assert found.classes < found.states
    assert explore(net, equivalence=False).statistics.states == found.states


def without_time(state: Any) -> Any:
    *places, _ = state
    return tuple(
        Bag(Stamped(token.value, max(0, token.wait)) if isinstance(token, Stamped) else token for token in place)
        for place in places
    )


def test_time_equivalence_goes_with_permutable_colours() -> None:
    """Infinitely many states, finitely many classes: counted by classes of classes."""
    net = beats()
    model = adopt(net)
    key = {}

    def name(state: Any) -> Any:
        relative = without_time(state)
        return key.setdefault(relative, frozenset(orbit(relative)))

    waiting = list(model.initial_states())
    known, triples = {name(state) for state in waiting}, set()
    for state in waiting:
        for edge in model.edges(state):
            if name(edge.target) not in known:
                known.add(name(edge.target))
                waiting.append(edge.target)
            triples.add((name(state), edge.label.action, name(edge.target)))
    numbers = explore(net).statistics
    assert (numbers.states, numbers.edges) == (len(known), len(triples))


class TestTimeEquivalence:
    def net(self) -> Net:
        net = Net("heartbeat")
        due = net.place("Due", colours.timed(range(3)), [0, 1, at(2, 2)])
        net.transition("Beat", due.take("n"), due.put("n @+ (4 + n)"))
        return net

    def test_a_net_without_end_is_explored_completely(self) -> None:
        net = self.net()
        net.time_equivalence()
        net.invariant("all alive", lambda m: len(m.Due) == 3)
        report = check(net)
        assert report.verdicts[0].status == "holds"
        assert report.plan.measure is None
        assert report.plan.strategy.name == "full"

    def test_stamps_of_the_past_make_no_difference_and_others_do(self) -> None:
        net = self.net()
        net.time_equivalence()
        model = adopt(net)
        found = model.declared_equivalence()
        assert found is not None
        assert found.canonical is not None
        early, late = Bag([Stamped(0, -5), Stamped(1, 3)]), Bag([Stamped(0, 0), Stamped(1, 3)])
        assert found.canonical((early, 9)) == found.canonical((late, 2)) == (late, 0)
        assert found.canonical((Bag([Stamped(0, 0), Stamped(1, 4)]), 2)) != (late, 0)

    def test_the_clock_is_no_question_about_classes(self) -> None:
        net = self.net()
        net.time_equivalence()
        net.invariant("soon", lambda m: m.clock < 50)
        with pytest.raises(SweepcheckError) as caught:
            check(net)
        assert caught.value.code == "SC232"

    def test_a_declared_measure_may_not_count_time(self) -> None:
        net = self.net()
        net.progress(lambda m: m.clock)
        net.time_equivalence()
        with pytest.raises(SweepcheckError) as caught:
            explore(net)
        assert caught.value.code == "SC231"

    def test_a_net_without_time_has_none(self) -> None:
        net = pairs()
        net.time_equivalence()
        with pytest.raises(SweepcheckError) as caught:
            explore(net)
        assert caught.value.code == "SC131"


class Site(Enum):
    NORTH = 1
    EAST = 2
    SOUTH = 3


def test_a_ring_of_sites_by_rotation() -> None:
    """Where the token is makes no difference, who has passed it on does: by rotation, not in any order."""

    def ring(**how: Any) -> Net:
        site = colours.permutable(Site, **how)
        net = Net("ring", Site=Site, after={one: Site(one.value % 3 + 1) for one in Site}.__getitem__)
        token, busy = net.place("Token", site, [Site.NORTH]), net.place("Busy", site, capacity=2)
        net.transition("Pass", token.take("s"), token.put("after(s)"))
        net.transition("Work", token.test("s"), busy.put("s"))
        net.transition("Rest", busy.take("s"))
        return net

    whole = explore(ring(rotation=True), equivalence=False).statistics.states
    assert explore(ring(rotation=True), verify_equivalence=True).statistics.states * 3 == whole
    with pytest.raises(SweepcheckError) as caught:
        explore(ring())
    assert caught.value.code == "SC233"


def test_a_token_that_is_treated_differently_is_found() -> None:
    net, pid = Net("first"), colours.permutable(range(3))
    idle, done = net.place("Idle", pid, range(3)), net.place("Done", pid)
    net.transition("Go", idle.take("p"), done.put("p"), guard="p > 0")
    with pytest.raises(SweepcheckError) as caught:
        explore(net)
    assert caught.value.code == "SC233"


def test_a_permutable_colour_has_finitely_many_tokens() -> None:
    for given in (int, (colours.permutable(range(2)), bool), colours.timed(range(2))):
        with pytest.raises(SweepcheckError) as caught:
            colours.permutable(given)
        assert caught.value.code == "SC120"
    with pytest.raises(SweepcheckError) as caught:
        colours.colour(colours.permutable(range(2)) | int)  # 1 could be both
    assert caught.value.code == "SC120"


def test_ports_of_another_permutable_colour_do_not_fit() -> None:
    one, other = colours.permutable(range(2)), colours.permutable(range(2))
    module = Net("module")
    module.transition("Away", module.place("In", one, port="in").take("p"))
    net = Net("net")
    with pytest.raises(SweepcheckError) as caught:
        net.substitution("M", module, In=net.place("P", other))
    assert caught.value.code == "SC128"


def test_tags_are_no_members() -> None:
    """A tag that is called like a member stays what it is."""
    pid = colours.permutable({"a", "b"})
    shape = colours.union("U", a=pid, b=int).colour.shape
    (of,) = shape.sets()
    assert shape.renamed(Tagged("a", "a"), {of: [1, 0]}) == Tagged("a", "b")
    assert shape.renamed(Tagged("b", 3), {of: [1, 0]}) == Tagged("b", 3)
