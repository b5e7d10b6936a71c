"""Properties are made in one way, whoever declares them."""

import pytest

import sweepcheck
from sweepcheck import LTS, Model, Net, Network, Property, SweepcheckError, deadlock
from sweepcheck.core.property import Kind
from sweepcheck.properties import of_kind

BY_ONE_PREDICATE = [kind for kind in Kind if kind not in (Kind.STEP, Kind.LEADS_TO, Kind.ASSERTION, Kind.LTL, Kind.CTL)]
DOOR = LTS([("open", "close", "shut")], final=["shut"])


def always(s: object) -> bool:
    return True


def declared(front_end: type, kind: Kind) -> Property:
    """The property that a method of a model declares."""
    model = Network("n", {"door": DOOR}) if front_end is Network else front_end("m")
    if kind is not Kind.DEADLOCK:
        getattr(model, kind)("name", always)
    elif front_end is Network:
        model.declare(deadlock("name", final=always))
    else:
        model.deadlock("name", final=always)
    return model.properties[0]


@pytest.mark.parametrize("kind", BY_ONE_PREDICATE)
@pytest.mark.parametrize("front_end", [Model, Net, Network])
def test_methods_functions_and_files_agree(front_end: type, kind: Kind) -> None:
    made = of_kind(kind, "name", always)
    assert made == declared(front_end, kind) == Property(kind, "name", always)
    given = {"final": always} if kind is Kind.DEADLOCK else {"predicate": always}
    assert getattr(sweepcheck, kind)("name", **given) == made


@pytest.mark.parametrize("front_end", [Model, Net, Network])
def test_methods_and_functions_agree_on_steps_and_what_leads_to_what(front_end: type) -> None:
    model = Network("n", {"door": DOOR}) if front_end is Network else front_end("m")

    def grows(old: object, new: object) -> bool:
        return True

    model.step("grows", grows)
    model.leads_to("leads", always, goal=always)
    assert model.properties == (sweepcheck.step("grows", grows), sweepcheck.leads_to("leads", always, always))


@pytest.mark.parametrize("wrong", [always, lambda: True, lambda a, b, c, d: True, 3])
def test_a_step_has_two_ends(wrong: object) -> None:
    with pytest.raises(SweepcheckError, match="SC117"):
        Model("m").step("s", wrong)


def test_a_network_knows_its_final_states_however_it_is_asked() -> None:
    network = Network("n", {"door": DOOR})
    network.deadlock()
    network.declare(deadlock("again"))
    assert [one.predicate for one in network.properties] == [network.final, network.final]
    assert sweepcheck.check(network, [deadlock("third")])


def test_what_is_declared_as_a_property_must_be_one() -> None:
    for model in (Model("m"), Network("n", {"door": DOOR})):
        with pytest.raises(SweepcheckError, match="is not a property"):
            model.declare(3)
