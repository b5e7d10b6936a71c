"""A network handed to the native core: locations, events and formulas are tables, so that no Python runs later."""

from __future__ import annotations

from collections.abc import Sequence

from sweepcheck._core import Explorer
from sweepcheck.core.formula import Formula, entries
from sweepcheck.models.processes.network import Event, Network


def add_network(explorer: Explorer, network: Network) -> None:
    """Tell the core about the components and events of a network."""
    for number, (name, lts) in enumerate(zip(network.variables, network.components, strict=True)):
        explorer.add_variable(name, "scalar", 0, -1)
        explorer.add_values(number, list(lts.locations))
    for event in network.actions:
        explorer.add_event([(member, _rows(network, event, at)) for at, (member, _) in enumerate(event.moves)])


def _rows(network: Network, event: Event, at: int) -> Sequence[Sequence[int]]:
    """For each location of a participant, by number, the numbers of the locations that the event leads to."""
    member, name = event.rule.participants[at]
    lts = network.components[member]
    rows: list[list[int]] = [[] for _ in range(len(lts))]
    for location, row in enumerate(rows):
        row += [target for does, target in lts.steps(location) if does == name]
    return rows


def add_formula(explorer: Explorer, network: Network, formula: Formula) -> None:
    """Tell the core about a predicate that it can decide by itself."""
    number = {name: position for position, name in enumerate(network.variables)}
    nodes = []
    for what, size, variable, values in entries(formula):
        ids: list[int] = []
        if what == "among":
            locations = network.components[number[variable]].locations
            ids = [position for position, location in enumerate(locations) if location in values]
        nodes.append((what, size, number.get(variable, 0), ids))
    explorer.add_formula(nodes)
