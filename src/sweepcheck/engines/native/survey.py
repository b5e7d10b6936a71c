"""The findings of a state space report as the core counted them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sweepcheck._core import Behaviour, BoundsResult, Explorer
from sweepcheck.core.survey import ActionBehaviour, Bounds, Components, Fairness, Survey, parts, value_bounds
from sweepcheck.core.tabulated import Tabulated, Variable, VariableKind
from sweepcheck.core.values import Bag


def findings(system: Tabulated, variables: Iterable[Variable], core: Explorer, whole: bool) -> Survey:
    """What the core found out; `whole` says that every reachable state was processed."""
    found = core.survey()
    components = None
    if whole:
        arcs = core.counters.edges - found.edges_inside
        count, home = (found.home_states, found.home) if found.terminal == 1 else (0, None)
        components = Components(found.components, arcs, found.terminal, count, home, found.infinite_runs)
    rows = zip(system.actions, core.actions(), found.actions, strict=True)
    return Survey(
        bounds=tuple(sorted(_folded(system, _bounds(variables, found.bounds)), key=_order(system))),
        components=components,
        dead=tuple(found.dead),
        actions=tuple(
            ActionBehaviour(
                str(action),
                counted.edges,
                behaviour.live if whole else None,
                _fairness(behaviour) if whole and found.infinite_runs else None,
            )
            for action, counted, behaviour in rows
        ),
    )


def _fairness(behaviour: Behaviour) -> Fairness:
    if behaviour.impartial:
        return Fairness.IMPARTIAL
    if behaviour.fair:
        return Fairness.FAIR
    return Fairness.JUST if behaviour.just else Fairness.NONE


def _order(system: Tabulated) -> Callable[[Bounds], int]:
    """As a state is described."""
    positions = {name: position for position, (name, _) in enumerate(parts(system, system.initial_states()[0]))}
    return lambda bounds: positions[bounds.variable]


def _folded(system: Tabulated, bounds: Iterable[Bounds]) -> Iterator[Bounds]:
    """The same of variables that people know. How much there is of all tokens together, bounds of each do not tell."""
    by_variable = {one.variable: one for one in bounds}
    for name, tokens in system.folded().items():
        each = {token: by_variable.pop(variable) for token, variable in tokens.items()}
        least, most = (
            Bag({token: count for token, one in each.items() if (count := getattr(one, end))})
            for end in ("lower", "upper")
        )
        yield Bounds(name, lower_bag=least, upper_bag=most)
    yield from by_variable.values()


def _bounds(variables: Iterable[Variable], counted: Iterable[BoundsResult | None]) -> Iterator[Bounds]:
    rows = iter(counted)
    for variable in variables:
        if variable.kind is VariableKind.ARRAY:
            for name in variable.names:
                element = next(rows)
                yield value_bounds(name, () if element is None else element.values)
        else:
            yield _bounds_of(variable, next(rows))


def _bounds_of(variable: Variable, found: BoundsResult | None) -> Bounds:
    (name,) = variable.names
    if found is None:  # no state was processed
        return Bounds(name)
    if variable.kind is VariableKind.QUEUE:
        return Bounds(name, found.least, found.most)
    if variable.kind.is_bag:
        least = Bag({one.token: one.least for one in found.tokens if one.least})
        return Bounds(name, found.least, found.most, least, Bag({one.token: one.most for one in found.tokens}))
    if variable.kind is VariableKind.SINGLE:
        return Bounds(name, 1, 1, Bag(found.values if len(found.values) == 1 else ()), Bag(found.values))
    return value_bounds(name, found.values)
