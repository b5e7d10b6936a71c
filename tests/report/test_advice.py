"""What `--profile` advises: for every cause a model that has it, whose advice names it, and one that has not."""

import pytest

from sweepcheck import Array, Bag, Model, choose, explore, require
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


def causes(model, **options):
    return [one.cause for one in advice(explore(model, engine="native", **options))]


CAUSES = [
    pytest.param("`count` is not tabulated", odometer(whole=True), odometer(whole=False), id="runs"),
    pytest.param(
        "what `bag` holds does not fit into states", pool(800, 1, copies=40), pool(20, 4), id="contents of a bag"
    ),
    pytest.param(
        "functions look at all that `bag` holds", pool(22, 4, looks_at_all=True), pool(22, 4), id="contents looked at"
    ),
]


@pytest.mark.parametrize(("cause", "having", "lacking"), CAUSES)
def test_a_cause_is_named_where_it_is_and_only_there(cause, having, lacking):
    assert cause in causes(having)
    assert cause not in causes(lacking)


@pytest.mark.parametrize(("cause", "having", "lacking"), CAUSES)
def test_every_advice_has_a_figure_and_a_remedy_and_is_printed(cause, having, lacking):
    report = explore(having, engine="native")
    (found,) = (one for one in advice(report) if one.cause == cause)
    assert found.figure
    assert found.remedy
    assert str(found) == f"{cause}: {found.figure}; {found.remedy}"
    assert f"  - {found}" in actions_text(report)
