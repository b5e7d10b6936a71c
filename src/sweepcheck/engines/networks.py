"""A network handed to the native core: locations, events, formulas and measures are tables; no Python runs later."""

from __future__ import annotations

from sweepcheck._core import Explorer
from sweepcheck.core.formula import Formula, entries
from sweepcheck.models.processes.lts import LTS
from sweepcheck.models.processes.measuring import LocationProgress
from sweepcheck.models.processes.network import Network


def add_network(explorer: Explorer, network: Network) -> None:
    """Tell the core about the components and events of a network."""
    for number, (name, lts) in enumerate(zip(network.variables, network.components, strict=True)):
        explorer.add_variable(name, "scalar", 0, -1)
        explorer.add_values(number, list(lts.locations))
    moves = [_moves(lts) for lts in network.components]
    for event in network.actions:
        explorer.add_event([(member, moves[member][name]) for member, name in event.rule.participants])


def _moves(lts: LTS) -> dict[str, list[tuple[int, int]]]:
    """For each event the steps by it, from location to location, by number."""
    found: dict[str, list[tuple[int, int]]] = {event: [] for event in lts.events}
    for source, event, target in lts.triples():
        found[event].append((source, target))
    return found


def add_measure(explorer: Explorer, network: Network, part: LocationProgress, monotone: bool) -> int:
    """Tell the core about a component's measure; how many values it has, which are the numbers from 0 on."""
    member = network.variables.index(part.component)
    values = [part.values[location] for location in network.components[member].locations]
    count = max(values) + 1
    above = part.ranking.above
    rows = [] if above is None else [bits.to_bytes((count + 7) // 8, "little") for bits in above]
    explorer.add_table_part(member, values, rows, monotone)
    return count


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
