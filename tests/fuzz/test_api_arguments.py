"""Every argument of every public function, given odd values: an answer or an error with a code, nothing else."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from odd_values import Held, odd_values, refusing

import sweepcheck
from sweepcheck import (
    LTS,
    FileLimits,
    Limits,
    Measure,
    Model,
    Net,
    Network,
    Property,
    Simulation,
    SweepcheckError,
    always_eventually,
    always_possible,
    at,
    check,
    choose,
    colours,
    ctl,
    deadlock,
    draw,
    eventually,
    explore,
    invariant,
    leads_to,
    load,
    ltl,
    never,
    parallel,
    partial_order,
    product,
    progress,
    queries,
    random_walks,
    reachable,
    read_aut,
    require,
    state_graph,
    state_space_report,
    step,
    write_aut,
)
from sweepcheck.logic import G
from sweepcheck.report.graph_files import chosen_labels


def counter() -> Model:
    m = Model("counter", n=0)

    @m.action
    def count(s):
        require(s.n < 3)
        s.n += 1

    m.invariant("small", lambda s: s.n <= 3)
    m.progress(lambda s: s.n)
    return m


def net() -> Net:
    made = Net("net", limit=3)
    a, b = made.place("A", int, [1, 2]), made.place("B", int)
    made.transition("Move", a.take("n"), b.put("n"), guard="n < limit")
    return made


DOOR = LTS([("shut", "open", "ajar"), ("ajar", "close", "shut")])
SWEEP = queries.Sweep(counter())
FOLD = queries.Fold(init=0, comb=max, eval=lambda s: s.n)


def network() -> Network:
    return Network("door", {"door": DOOR})


def acting(statement: Callable[[Any, Any], object]) -> Callable[[Any], object]:
    """Something done inside an action."""

    def run(value: Any) -> object:
        m = Model("m", n=0)

        @m.action
        def act(s):
            require(s.n == 0)
            statement(s, value)
            s.n = 1

        return explore(m, engine="reference")

    return run


GRID = str(Path(__file__).parents[2] / "examples/counter_grid.py")


def reading(limit: str) -> Callable[[Any], object]:
    return lambda value: load(GRID, limits=FileLimits(**{limit: value}))


def stepping(method: str) -> Callable[[Any], object]:
    def step(value: Any) -> object:
        return getattr(Simulation(counter(), seed=1), method)(value)

    return step


def swept(**given: Any) -> object:
    return queries.dead_markings(queries.Sweep(counter(), **given))


def unwritable(path: str | Path) -> str:
    """A folder of this name where none can be made."""
    return "/proc/" + "".join(path if isinstance(path, str) else path.name)


def keyed(value: Any, item: object) -> dict[Any, object]:
    """A mapping with this key, if it can be one."""
    try:
        return {value: item, "other": item}
    except Exception:  # noqa: BLE001 - then nobody can hand it over
        return {}


def place(**given: Any) -> object:
    made = Net("net")
    return made.place(**{"name": "A", "colour": int, **given})


def transition(**given: Any) -> object:
    made = net()
    return made.transition(given.pop("name", "T"), made.places["A"].take("n"), *given.pop("arcs", ()), **given)


def asked(**given: Any) -> object:
    return check(counter(), **given)


def classed(key: Callable[[Any], Any]) -> Model:
    """A counter whose classes have these keys."""
    made = counter()
    made.equivalence(key)
    return made


def explore_with_constraint(predicate):
    made = counter()
    made.constraint(predicate)
    return explore(made)


Call = Callable[[Any], object]
OPTIONS = (
    "measure", "strategy", "gc", "cache_size", "limits", "engine", "workers", "verify_actions", "table_memory",
    "equivalence", "verify_equivalence", "up_to", "constraints", "cluster", "processes", "cluster_dir",
)  # fmt: skip
OPTIONS += ("observer",)


def option(function: Callable[..., object], name: str) -> Call:
    chosen = {"strategy": "caching"} if name == "cache_size" else {}
    return lambda value: function(counter(), **chosen, **{name: value})


WALKING = ("walks", "depth", "seed", "properties", "limits", "engine", "keep_going", "up_to", "constraints")


def walking(name: str) -> Call:
    # Very many walks are a request like any other: it ends when its time is up.
    return lambda value: random_walks(counter(), **{"walks": 2, "depth": 5, "limits": Limits(seconds=0.1), name: value})


CALLS: dict[str, Call] = {
    **{f"{f.__name__} {name}": option(f, name) for f in (check, explore, state_space_report) for name in OPTIONS},
    **{f"state_graph {name}": option(state_graph, name) for name in ("strategy", "limits", "up_to", "engine")},
    **{f"random_walks {name}": walking(name) for name in WALKING},
    "state_graph model": state_graph,
    "random_walks model": random_walks,
    "StateGraph contains": lambda value: value in state_graph(counter()),
    "StateGraph contains reference": lambda value: value in state_graph(counter(), engine="reference"),
    "StateGraph successors": lambda value: state_graph(counter()).successors(value),
    "StateGraph state": lambda value: state_graph(counter()).state(value),
    "StateGraph save": lambda value: state_graph(counter()).save(
        unwritable(value) if isinstance(value, str | Path) else value
    ),
    "StateGraph labels": lambda value: chosen_labels(state_graph(counter()), value),
    "WalkReport item": lambda value: random_walks(counter(), walks=1)[value],
    **{f"check {name}": option(check, name) for name in ("fair", "keep_going", "trace")},
    "fair actions": lambda value: counter().fair(value),
    "fair together": lambda value: counter().fair("count", together=value),
    "fair strong": lambda value: counter().fair("count", strong=value),
    "constraint name": lambda value: counter().constraint(value, lambda s: True),
    "constraint predicate": explore_with_constraint,
    "leads_to predicate": lambda value: check(counter(), [leads_to("p", value, lambda s: True)]),
    "leads_to goal": lambda value: check(counter(), [leads_to("p", lambda s: True, value)]),
    "ltl formula": lambda value: check(counter(), [ltl("p", value)]),
    "ctl formula": lambda value: check(counter(), [ctl("p", value)]),
    "ltl name": lambda value: check(counter(), [ltl(value, "G {s.n >= 0}")]),
    "predicate name": lambda value: counter().predicate(value, lambda s: True),
    "predicate function": lambda value: counter().predicate("p", value),
    "formula part": G,
    "disk limit": lambda value: explore(counter(), limits=Limits(disk=value)),
    "step predicate": lambda value: check(counter(), [step("p", value)]),
    "step value": lambda value: check(counter(), [step("p", lambda old, new: value)]),
    "equivalence key": lambda value: counter().equivalence(value),
    "equivalence value": lambda value: explore(classed(lambda _: value)),
    "cutoff key": lambda value: counter().cutoff(value),
    "cutoff when": lambda value: counter().cutoff(lambda s: s.n, when=value),
    "check model": check,
    "check trace_dir": lambda value: asked(trace_dir=unwritable(value) if isinstance(value, str | Path) else value),
    "check properties": lambda value: check(counter(), value),
    "check a property": lambda value: check(counter(), [value]),
    "check fair eventually": lambda value: check(counter(), [always_eventually("e", lambda s: s.n == 3)], fair=value),
    "explore model": explore,
    "explore network measure": lambda value: explore(network(), measure=value),
    "explore sweep gc": lambda value: explore(counter(), strategy="sweep", gc=value),
    "Limits states": lambda value: asked(limits=Limits(states=value)),
    "Limits seconds": lambda value: asked(limits=Limits(seconds=value)),
    "Limits memory": lambda value: asked(limits=Limits(memory=value)),
    "Limits states reference": lambda value: asked(limits=Limits(states=value), engine="reference"),
    "Limits seconds reference": lambda value: asked(limits=Limits(seconds=value), engine="reference"),
    "Limits memory reference": lambda value: asked(limits=Limits(memory=value), engine="reference"),
    "load reference": load,
    "load parameters": lambda value: load(GRID, value),
    **{f"FileLimits {name}": reading(name) for name in ("bytes", "components", "size", "outside")},
    "load limits": lambda value: load(GRID, limits=value),
    "load unfold": lambda value: load(GRID, unfold=value),
    "load time equivalence": lambda value: load(GRID, time_equivalence=value),
    "report item": lambda value: check(counter())[value],
    "report bounds": lambda value: state_space_report(counter()).bounds(value),
    "report action": lambda value: state_space_report(counter()).action(value),
    "Simulation model": Simulation,
    "Simulation seed": lambda value: Simulation(counter(), seed=value),
    **{f"Simulation {name}": stepping(name) for name in ("find", "step", "undo", "redo", "reset", "replay", "since")},
    "Simulation run": lambda value: Simulation(counter(), seed=1).run(value),
    "Simulation until": lambda value: Simulation(counter(), seed=1).run(3, value),
    "Model name": Model,
    "Model action": lambda value: counter().action(value),
    "Model action fair": lambda value: counter().action(fair=value)(lambda s: None),
    "Model family": lambda value: _family(i=value),
    "Model initial": lambda value: counter().initial(value),
    "Model initial of a variable": lambda value: counter().initial(n=value),
    "Model progress": lambda value: Model("m", n=0).progress(value),
    "Model span": lambda value: _spanning(span=value),
    **{
        f"Model {name}": (lambda value, name=name: getattr(counter(), name)(value, lambda s: True))
        for name in ("invariant", "reachable", "always_possible", "always_eventually")
    },
    "Model predicate": lambda value: counter().invariant("p", value),
    "Model deadlock": lambda value: counter().deadlock(value),
    "Model final": lambda value: counter().deadlock(final=value),
    "Model action name": lambda value: counter().action(lambda s: None, name=value),
    "Model fair of": lambda value: counter().fair("count", of=value),
    "check stuttering": lambda value: check(counter(), [eventually("p", lambda s: s.n == 3)], stuttering=value),
    "Model declare": lambda value: counter().declare(value),
    "choose": acting(lambda s, value: choose(value)),
    "choose one of two": acting(lambda s, value: choose(1, value)),
    "require": acting(lambda s, value: require(value)),
    "enabled action": lambda value: check(counter(), [invariant("p", counter().enabled(value))]),
    "enabled value": lambda value: check(counter(), [invariant("p", counter().enabled("count", value))]),
    "enabled name": lambda value: check(counter(), [invariant("p", counter().enabled("count", i=value))]),
    "invariant name": lambda value: check(counter(), [invariant(value, lambda s: True)]),
    "invariant predicate": lambda value: check(counter(), [invariant("p", value)]),
    "invariant value": lambda value: check(counter(), [invariant("p", lambda s: value)]),
    "reachable predicate": lambda value: check(counter(), [reachable("p", value)]),
    "always_possible predicate": lambda value: check(counter(), [always_possible("p", value)]),
    "always_eventually predicate": lambda value: check(counter(), [always_eventually("p", value)]),
    "eventually predicate": lambda value: check(counter(), [eventually("p", value)]),
    "deadlock name": lambda value: check(counter(), [deadlock(value)]),
    "deadlock final": lambda value: check(counter(), [deadlock(final=value)]),
    "never name": lambda value: check(network(), [never(value, "slam")]),
    "never events": lambda value: check(network(), [never("p", value)]),
    "never after": lambda value: check(network(), [never("p", "open", after=value)]),
    "never before": lambda value: check(network(), [never("p", "open", before=value)]),
    "never without": lambda value: check(network(), [never("p", "open", after="close", without=value)]),
    "Property kind": lambda value: check(counter(), [Property(value, "p", lambda s: True)]),
    "Property pattern": lambda value: check(counter(), [Property("invariant", "p", lambda s: True, value)]),  # type: ignore[arg-type]
    "Measure": lambda value: explore(counter(), measure=Measure(value)),
    "Measure order": lambda value: explore(counter(), measure=Measure(lambda s: s.n, value)),
    "Measure parts": lambda value: explore(counter(), measure=Measure(lambda s: s.n, parts=value)),
    "progress function": lambda value: explore(counter(), measure=progress(value)),
    "progress value": lambda value: explore(counter(), measure=lambda s: value),
    "progress value reference": lambda value: explore(counter(), measure=lambda s: value, engine="reference"),
    "progress span": lambda value: explore(counter(), measure=progress(lambda s: s.n, span=value)),
    "progress span bound": lambda value: explore(counter(), measure=progress(lambda s: s.n, span=(0, value))),
    "progress name": lambda value: explore(counter(), measure=progress(lambda s: s.n, name=value)),
    "progress monotone": lambda value: explore(counter(), measure=progress(lambda s: s.n, monotone=value)),
    "partial_order function": lambda value: explore(counter(), measure=partial_order(value)),
    "partial_order leq": lambda value: explore(counter(), measure=partial_order(lambda s: s.n, value)),
    "product": lambda value: explore(counter(), measure=product(lambda s: s.n, value)),
    "product name": lambda value: explore(counter(), measure=product(lambda s: s.n, name=value)),
    "Net name": Net,
    "Net constant": lambda value: Net("n", limit=value),
    "at time": lambda value: _timed(at(value, 3)),
    "at token": lambda value: _timed(at(3, value)),
    **{
        f"place {name}": (lambda value, name=name: place(**{name: value}))
        for name in ("name", "colour", "capacity", "port", "fusion")
    },
    **{
        f"transition {name}": (lambda value, name=name: transition(**{name: value}))
        for name in ("name", "guard", "let", "free", "delay", "fair")
    },
    "transition arc": lambda value: transition(arcs=(value,)),
    "transition take": lambda value: transition(arcs=(net().places["A"].take(value),)),
    "transition put": lambda value: transition(arcs=(net().places["A"].put(value),)),
    "substitution name": lambda value: net().substitution(value, Net("m")),
    "substitution module": lambda value: net().substitution("M", value),
    "substitution socket": lambda value: net().substitution("M", Net("m"), P=value),
    "draw net": draw,
    "draw module": lambda value: draw(net(), value),
    "draw flat": lambda value: draw(net(), flat=value),
    "draw marking": lambda value: draw(net(), marking=value),
    "draw marking of a place": lambda value: draw(net(), marking={"A": value}),
    "draw direction": lambda value: draw(net(), direction=value),
    "drawing text": lambda value: draw(net()).text(value),
    "colours.colour": colours.colour,
    "colours.values": colours.values,
    "colours.product": colours.product,
    "colours.record name": lambda value: colours.record(value, x=int),
    "colours.record part": lambda value: colours.record("r", x=value),
    "colours.union name": lambda value: colours.union(value, x=int),
    "colours.union part": lambda value: colours.union("u", x=value),
    "colours.ordered": colours.ordered,
    "colours.lists": colours.lists,
    "colours.lists most": lambda value: colours.lists(int, value),
    "colours.subset": lambda value: colours.subset(value, lambda x: True),
    "colours.subset allowed": lambda value: colours.subset(range(3), value),
    "colours.subset name": lambda value: colours.subset(range(3), lambda x: True, value),
    "colours.timed": colours.timed,
    "LTS steps": LTS,
    "LTS step": lambda value: LTS([value]),
    "LTS event": lambda value: LTS([("a", value, "b")]),
    "LTS location": lambda value: LTS([("a", "e", value)]),
    "LTS initial": lambda value: LTS([("a", "e", "b")], value),
    "LTS alphabet": lambda value: LTS([("a", "e", "b")], alphabet=value),
    "LTS final": lambda value: LTS([("a", "e", "b")], final=value),
    "LTS rename": DOOR.rename,
    "LTS rename to": lambda value: DOOR.rename(open=value),
    "LTS hide": DOOR.hide,
    "Network name": lambda value: explore(Network(value, {"door": DOOR})),
    "Network composition": lambda value: explore(Network("n", value)),
    "Network component": lambda value: explore(Network("n", {"door": value})),
    "Network component name": lambda value: explore(Network("n", keyed(value, DOOR))),
    "Network measures": lambda value: explore(Network("n", {"door": DOOR}, measures=value)),
    "Network measure of one": lambda value: explore(Network("n", {"door": DOOR}, measures={"door": value})),
    "Network measure of another": lambda value: explore(Network("n", {"door": DOOR}, measures=keyed(value, "scc"))),
    "parallel": lambda value: Network("n", parallel(value)),
    "composition hide": lambda value: Network("n", parallel(door=DOOR).hide(value)),
    "composition rename": lambda value: Network("n", parallel(door=DOOR).rename(value)),
    "composition rename to": lambda value: Network("n", parallel(door=DOOR).rename({"open": value})),
    "read_aut": read_aut,
    "write_aut": lambda value: write_aut(value, "/nowhere/at/all.aut"),
    "queries.Sweep model": lambda value: queries.dead_markings(queries.Sweep(value)),
    **{
        f"queries.Sweep {name}": (lambda value, name=name: swept(**{name: value}))
        for name in ("measure", "gc", "seconds", "engine")
    },
    "queries.dead_markings": queries.dead_markings,
    "queries.dead_transitions": queries.dead_transitions,
    "queries.reachable sweep": lambda value: queries.reachable(value, lambda s: True),
    "queries.reachable": lambda value: queries.reachable(SWEEP, value),
    "queries.reachable keep": lambda value: queries.reachable(SWEEP, lambda s: True, keep=value),
    "queries.best_upper": lambda value: queries.best_upper(SWEEP, value),
    "queries.best_lower": lambda value: queries.best_lower(SWEEP, value),
    "queries.home": lambda value: queries.home(SWEEP, value),
    "queries.explore_together": lambda value: queries.explore_together(SWEEP, value),
    "queries.explore_together sweep": lambda value: queries.explore_together(value, FOLD),
    "queries.Fold comb": lambda value: queries.explore_together(SWEEP, replace(FOLD, comb=value)),
    "queries.formula_answers sweep": lambda value: queries.formula_answers(value, "questions.xml"),
    "queries.formula_answers": lambda value: queries.formula_answers(queries.Sweep(net()), value),
    "queries.multiset_bounds": lambda value: queries.multiset_bounds(queries.Sweep(net()), value),
    "queries.explore_states init": lambda value: _fold(init=value),
    "queries.explore_states comb": lambda value: _fold(comb=value),
    "queries.explore_states eval": lambda value: _fold(eval=value),
    "queries.explore_states pred": lambda value: _fold(pred=value),
    "queries.explore_states store": lambda value: _fold(store=value),
    "queries.explore_edges eval": lambda value: _fold(queries.explore_edges, eval=value),
    "queries.explore_edges pred": lambda value: _fold(queries.explore_edges, pred=value),
    "queries.explore_dead eval": lambda value: _fold(queries.explore_dead, eval=value),
}  # fmt: skip


def _fold(fold: Callable[..., object] = queries.explore_states, **given: Any) -> object:
    return fold(SWEEP, **{"init": 0, "comb": lambda a, b: a, "eval": lambda s: 1, **given})


def _family(**given: Any) -> object:
    m = Model("m", n=0)

    @m.action(**given)
    def act(s, i):
        s.n = 1

    return explore(m)


def _spanning(**given: Any) -> object:
    m = Model("m", n=0)
    m.progress(lambda s: s.n, **given)
    return explore(m)


def _timed(token: Any) -> object:
    made = Net("net")
    a = made.place("A", colours.timed(int), [token])
    made.transition("T", a.take("n"))
    return explore(made)


def outcome(name: str, value: Any) -> str | None:
    """What went wrong with a call; None for an answer, or an error that says what to do."""
    try:
        CALLS[name](value)
    except SweepcheckError as error:
        return None if str(error) and error.suggestion else f"{error.code} does not say what to do: {error}"
    except Exception as error:  # noqa: BLE001 - which is what must not happen
        return f"{type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=settings.default.max_examples // 5)
@given(odd_values)
def test_an_answer_or_a_code(name: str, held: Held) -> None:
    assert outcome(name, held.value) is None


BROKE = [
    ("Limits states", 10**23),
    ("Limits states", 2**64),
    ("Limits seconds", 10**400),
    ("Limits memory", 10**23),
    ("Limits seconds", float("nan")),
    ("check gc", 2**64),
    ("check gc", "9" * 5000),
    ("check gc", "\N{ARABIC-INDIC DIGIT THREE}"),
    ("check cache_size", 10**23),
    ("check table_memory", 2**64),
    ("check workers", 2**64),
    ("check fair", 0),
    ("check observer", 5),
    ("check limits", 0),
    ("check trace_dir", "\x00"),
    ("check trace_dir", 3),
    ("check model", "x" * 10_000),
    ("load reference", None),
    ("load reference", "\x00.py"),
    ("load parameters", [1]),
    ("report item", refusing("__eq__")),
    ("Simulation find", 1),
    ("Simulation since", -1),
    ("Simulation replay", None),
    ("Simulation until", int),
    ("Model declare", None),
    ("Property kind", "invariant"),
    ("Measure order", None),
    ("Measure parts", [1]),
    ("never events", 3),
    ("never name", refusing("__str__")),
    ("place port", refusing("__eq__")),
    ("transition fair", "yes"),
    ("draw marking", 3),
    ("draw module", [1]),
    ("draw direction", []),
    ("LTS steps", 3),
    ("LTS initial", []),
    ("LTS alphabet", 3),
    ("LTS rename", 3),
    ("LTS rename to", 3),
    ("LTS hide", 3),
    ("Network composition", 3),
    ("Network component name", 3),
    ("Network measures", 3),
    ("read_aut", "\x00"),
    ("write_aut", None),
    ("queries.reachable sweep", None),
    ("queries.explore_states comb", None),
    ("queries.explore_states pred", []),
    ("queries.best_upper", type),
    ("queries.multiset_bounds", 3),
]


@pytest.mark.parametrize(("name", "value"), BROKE, ids=lambda one: one if isinstance(one, str) and one in CALLS else "")
def test_what_broke_before(name: str, value: Any) -> None:
    assert outcome(name, value) is None


@pytest.mark.parametrize("name", ["Limits states", "Limits seconds", "Limits memory", "check cache_size"])
@pytest.mark.parametrize("value", [0.5j, "3", True, -1, 10**23, 10**400, float("nan"), float("inf")], ids=repr)
def test_an_amount_that_is_none_is_refused(name: str, value: Any) -> None:
    with pytest.raises(SweepcheckError) as raised:
        CALLS[name](value)
    assert raised.value.code == "SC403"


def test_every_public_function_is_called() -> None:
    """A function that is new in the package belongs into the table."""
    records = {"Drawing", "End", "Guarantee", "Label", "Report", "StateSpaceReport", "Status", "Step", "Stop"}
    records |= {"SweepcheckError", "Trace", "Verdict"}  # what is handed back
    values = {"Array", "Bag", "Map", "Queue", "Record", "Set"}  # as Python's own collections: TypeError and ValueError
    called = {name.split()[0].split(".")[0] for name in CALLS} | {"stay", "observe", "deadlock"}
    assert set(sweepcheck.__all__) - records - values - called == set()
    assert {f"queries.{name}" for name in queries.__all__} - {name.split()[0] for name in CALLS} == {
        "queries.Answer",
        "queries.Bounds",
        "queries.EdgeView",
    }
