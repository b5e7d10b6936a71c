"""What `--profile` advises: for every cause a model that has it, whose advice names it, and one that has not."""

import pytest

from sweepcheck import Array, Bag, Model, Set, choose, explore, require
from sweepcheck.report.actions import actions_text
from sweepcheck.report.advice import advice


def odometer(*, whole):
    """A counter of four digits; `whole`: it is read as one number, which is another one in each state."""
    m = Model("odometer", digit=Array([0] * 4))

    @m.action
    def count(s):
        if whole:
            number = sum(10**i * digit for i, digit in enumerate(s.digit)) + 1
            for i in range(4):
                s.digit[i] = number // 10**i % 10
        else:
            s.digit[choose(range(4))] = choose(range(10))

    return m


def pool(tokens, missing, *, copies=1, looks_at_all=False):
    """A bag that holds all but a few of so many tokens."""
    m = Model("pool", bag=Bag(list(range(tokens)) * copies), out=Bag(), odd=False)

    @m.action
    def lend(s):
        require(len(s.out) < missing)
        s.out.add(s.bag.take())

    @m.action
    def give_back(s):
        if looks_at_all:
            s.odd = sum(s.bag) % 2 == 1
        s.bag.add(s.out.take())

    return m


def clock(*, compares):
    """A hand with very many places, beside a few lamps; it goes round by a comparison, or by arithmetic."""
    m = Model("clock", hand=0, lamp=Array([False] * 3))

    @m.action
    def tick(s):
        if not compares:
            s.hand = (s.hand + 1) % 20_000
        elif s.hand == 19_999:
            s.hand = 0
        else:
            s.hand += 1

    @m.action(i=range(3))
    def press(s, i):
        s.lamp[i] = not s.lamp[i]

    return m


def climb(*, parts):
    """Three counters; progress goes by so many of them."""
    m = Model("climb", at=Array([0] * 3))

    @m.action(i=range(3))
    def step(s, i):
        require(s.at[i] < 19)
        s.at[i] += 1

    m.progress(lambda s: tuple(s.at[:parts]))
    return m


def addresses(*, each):
    """Addresses in binary; `each`: there is an action for every one, which looks whether it is its own."""
    digits = range(11)
    m = Model("addresses", digit=Array([0] * 11))

    @m.action(address=range(2048) if each else (0,))
    def step(s, address):
        if each:
            for j in digits:
                require(s.digit[j] == address >> j & 1)
        else:
            address = sum(s.digit[j] << j for j in digits)
        for j in digits:
            s.digit[j] = (address + 1) >> j & 1

    return m


def grid(measure):
    """Counters that go up one by one, 8^5 states; progress is any function of them."""
    m = Model("grid", up=Array([0] * 3), on=Array([0] * 2))

    @m.action(i=range(5))
    def step(s, i):
        counter, at = (s.up, i) if i < 3 else (s.on, i - 3)
        require(counter[at] < 7)
        counter[at] += 1

    m.progress(measure)
    return m


def recent(keys, *, kept=4):
    """The keys asked for last, latest first: each action looks at all of them."""
    m = Model("recent", slot=Array([None] * kept))

    @m.action(key=range(keys))
    def get(s, key):
        carried = key
        for i in range(kept):
            found = s.slot[i]
            s.slot[i] = carried
            if found == key or found is None:
                break
            carried = found

    return m


def causes(model, **options):
    return [one.cause for one in advice(explore(model, engine="native", **options))]


CAUSES = [
    pytest.param(
        "the table of `tick` grows with the values of `hand`", clock(compares=False), clock(compares=True), id="values"
    ),
    pytest.param("there are very many layers, with few states each", climb(parts=3), climb(parts=1), id="layers"),
    pytest.param(
        "`step` is 2,048 actions, and each runs for every way to be disabled",
        addresses(each=True),
        addresses(each=False),
        id="members",
    ),
    pytest.param("`count` is not tabulated", odometer(whole=True), odometer(whole=False), id="runs"),
    pytest.param(
        "what `bag` holds does not fit into states", pool(800, 1, copies=40), pool(20, 4), id="contents of a bag"
    ),
    pytest.param(
        "the measure needs a run for every combination of up, on (it is one function of them together)",
        grid(lambda s: max(*s.up, *s.on)),
        grid(lambda s: sum(s.up) + sum(s.on)),
        id="measure",
    ),
    pytest.param(
        "a summand of the measure is a function of sums, which is looked up for every step",
        grid(lambda s: (sum(s.up) + 1) * (sum(s.on) + 1)),
        grid(lambda s: (sum(s.up), sum(s.on))),
        id="measure of sums",
    ),
    pytest.param("tables are larger than the stored states", recent(16), recent(16, kept=2), id="tables"),
    pytest.param(
        "functions look at all that `bag` holds", pool(22, 4, looks_at_all=True), pool(22, 4), id="contents looked at"
    ),
]


@pytest.mark.parametrize(("cause", "having", "lacking"), CAUSES)
def test_a_cause_is_named_where_it_is_and_only_there(cause, having, lacking):
    """With a figure and a remedy, and printed."""
    report = explore(having, engine="native")
    (found,) = (one for one in advice(report) if one.cause == cause)
    assert found.figure
    assert found.remedy
    assert str(found) == f"{cause}: {found.figure}; {found.remedy}"
    assert f"  - {found}" in actions_text(report)
    assert cause not in causes(lacking)


def test_functions_that_go_through_a_set_hear_of_a_better_way():
    """A condition that asks the set itself cannot be told in advance."""
    m = Model("sent", sent=Set(), last=0)

    @m.action(number=range(12))
    def send(s, number):
        s.sent.add(number)

    @m.action
    def look(s):
        require(any(one + 1 in s.sent for one in s.sent))
        s.last = 1

    (found,) = (one for one in advice(explore(m, engine="native")) if "`look`" in one.cause)
    assert "`s.sent.peek(where=...)`" in found.remedy
