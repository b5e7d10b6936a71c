"""Common mistakes are caught; what each message says is tested with the error codes."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from sweepcheck import Array, Bag, Model, Queue, SweepcheckError, load


def code_of(action: Any, **variables: Any) -> str:
    def attempt() -> None:
        model = Model("mistaken", **variables)
        model.action(action)
        model.edges(model.initial_states()[0])

    with pytest.raises(SweepcheckError) as caught:
        attempt()
    return caught.value.code


def test_unknown_variables() -> None:
    def read(s):
        s.x = s.z

    def write(s):
        s.z = 1

    def augmented(s):
        s.z += 1

    assert [code_of(action, x=0) for action in (read, write, augmented)] == ["SC202"] * 3


def test_unhashable_values() -> None:
    def scalar(s):
        s.x = [1]

    def token(s):
        s.bag.add([1])

    def taken(s):
        s.bag.take([1])

    def element(s):
        s.queue.put({})

    def draft(s):
        s.x = s

    def bag(s):
        s.x = s.bag

    for action in (scalar, token, taken, element, draft, bag):
        assert code_of(action, x=0, bag=Bag(), queue=Queue()) == "SC203", action.__name__
    with pytest.raises(SweepcheckError) as caught:
        Model("mistaken", x=[1])
    assert caught.value.code == "SC111"


def test_assigning_to_structures() -> None:
    def added(s):
        s.bag += [1]

    def bag(s):
        s.bag = [1]

    def queue(s):
        s.queue = Bag()

    def array(s):
        s.array = Array([1, 2])

    def another(s):
        s.bag = s.more

    codes = {
        one: code_of(one, bag=Bag(), more=Bag(), queue=Queue(), array=Array([0]))
        for one in (added, bag, queue, array, another)
    }
    assert list(codes.values()) == ["SC204", "SC111", "SC111", "SC111", "SC203"]


def test_a_kept_draft() -> None:
    class Keeper:
        pass

    def keep(s):
        setattr(Keeper, "draft", s)  # noqa: B010 - an assignment would be refused
        setattr(Keeper, "bag", s.bag)  # noqa: B010
        s.x = 1

    model = Model("keeper", x=0, bag=Bag([1]))
    model.action(keep)
    model.edges(model.initial_states()[0])
    for use in (
        lambda: Keeper.draft.x,
        lambda: setattr(Keeper.draft, "x", 2),
        lambda: Keeper.bag.add(1),
        lambda: len(Keeper.bag),
        Keeper.bag.take,
    ):
        with pytest.raises(SweepcheckError) as caught:
            use()
        assert caught.value.code == "SC205"


counter = 0


def test_global_state() -> None:
    import random
    from time import time

    total = 0
    log: list[int] = []

    def assigns_global(s):
        global counter  # noqa: PLW0603
        counter += 1
        s.x = 1

    def assigns_outer(s):
        nonlocal total
        total += 1
        s.x = 1

    def changes_outer(s):
        log.append(1)
        s.x = 1

    def rolls_dice(s):
        s.x = random.randint(0, 1)

    def looks_at_the_clock(s):
        s.x = int(time())

    for action in (assigns_global, assigns_outer, changes_outer, rolls_dice, looks_at_the_clock):
        assert code_of(action, x=0) == "SC115", action.__name__


def test_constants_outside_are_fine() -> None:
    table = {0: 1, 1: 0}
    limit = [1]

    def act(s):
        s.x = table[s.x] if s.x < limit[0] else 0

    model = Model("constants", x=0)
    model.action(act)
    assert [edge.target for edge in model.edges((0,))] == [(1,)]


FORGOTTEN = """
from sweepcheck import Model

def model():
    m = Model("forgotten", x=0)

    {decorator}
    def up(s):
        s.x += 1
    {use}
    return m
"""


@pytest.mark.parametrize(
    ("decorator", "use", "found"),
    [
        ("", "", True),
        ("@m.action", "", False),
        ("", "m.action(up)", False),
    ],
)
def test_a_forgotten_decorator(tmp_path: Path, decorator: str, use: str, found: bool) -> None:
    file = tmp_path / "forgotten_decorator.py"
    file.write_text(FORGOTTEN.format(decorator=decorator, use=use))
    model = load(str(file))
    if not found:
        assert len(model.initial_states()) == 1
        return
    with pytest.raises(SweepcheckError) as caught:
        model.initial_states()
    assert caught.value.code == "SC114"


def test_a_decorator_that_was_taken_away(tmp_path: Path) -> None:
    """What is known of a file is what it says now."""
    file = tmp_path / "edited_decorator.py"
    for decorator in ("@m.action", "", "@m.action"):
        file.write_text(FORGOTTEN.format(decorator=decorator, use=""))
        model = load(str(file))
        with nullcontext() if decorator else pytest.raises(SweepcheckError, match="SC114"):
            model.initial_states()


def test_a_predicate_is_no_forgotten_action(tmp_path: Path) -> None:
    """It returns a value, which an action never does; another file may be what uses it."""
    file = tmp_path / "with_predicate.py"
    file.write_text("from sweepcheck import Model\nmodel = Model('m', x=0)\ndef low(s):\n    return s.x < 3\n")
    assert load(str(file)).initial_states() == ((0,),)


def test_returning_a_value() -> None:
    def act(s):
        return s.x

    assert code_of(act, x=0) == "SC208"


@pytest.mark.parametrize("name", ["_x", "class", "__init__"])
def test_names_that_cannot_be_variables(name: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        Model("names", **{name: 0})
    assert caught.value.code == "SC110"


def test_names_declared_twice() -> None:
    model = Model("twice", x=0)
    model.invariant("p", lambda s: True)
    with pytest.raises(SweepcheckError) as caught:
        model.reachable("p", lambda s: True)
    assert caught.value.code == "SC112"

    def act(s):
        s.x = 1

    model.action(act)
    with pytest.raises(SweepcheckError) as caught:
        model.action(act)
    assert caught.value.code == "SC112"
