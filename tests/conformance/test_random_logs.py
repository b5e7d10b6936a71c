"""Logs of random runs are explained; changed ones are judged as by a search through all explanations."""

import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sweepcheck import Model
from sweepcheck.conformance import conform
from sweepcheck.testing.random_models import sources

Event = Mapping[str, Any]
MOST_STATES = 400  # of a model: the naive search looks at all of them for each event
LENGTH = 12


def event_of(label: Any) -> dict[str, Any]:
    return {"event": label.action, **{name: value for name, value in label.arguments if name == "i"}}


def matches(event: Event, label: Any) -> bool:
    seen = event_of(label)
    return event["event"] == seen["event"] and all(event.get(name, value) == value for name, value in seen.items())


class Graph:
    """All states of a model, and its edges."""

    def __init__(self, model: Model) -> None:
        self.starts = set(model.initial_states())
        self.edges: dict[Any, list[Any]] = {}
        waiting = list(self.starts)
        while waiting and len(self.edges) <= MOST_STATES:
            state = waiting.pop()
            if state not in self.edges:
                self.edges[state] = [(edge.label, edge.target) for edge in model.edges(state)]
                waiting += [target for _, target in self.edges[state]]
        self.small = not waiting

    def closure(self, states: set[Any], hidden: set[str]) -> set[Any]:
        found, waiting = set(states), list(states)
        while waiting:
            for label, target in self.edges[waiting.pop()]:
                if label.action in hidden and target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    def explained(self, log: list[Event], hidden: set[str]) -> tuple[int, set[Any]]:
        """How many events have an explanation, and all states that the model may be in then."""
        states = self.closure(self.starts, hidden)
        for count, event in enumerate(log):
            following = {
                target
                for state in states
                for label, target in self.edges[state]
                if label.action not in hidden and matches(event, label)
            }
            if not following:
                return count, states
            states = self.closure(following, hidden)
        return len(log), states


def walked(graph: Graph, hidden: set[str], seed: int) -> list[Event]:
    chance = random.Random(seed)
    state, log = chance.choice(sorted(graph.starts, key=repr)), []
    for _ in range(4 * LENGTH):
        if not graph.edges[state] or len(log) == LENGTH:
            break
        label, state = chance.choice(graph.edges[state])
        if label.action not in hidden:
            log.append(event_of(label))
    return log


def mutated(log: list[Event], actions: list[str], seed: int) -> list[Event]:
    """One event dropped, doubled, swapped with the next, of another kind, or with a field less."""
    chance, changed = random.Random(seed), list(log)
    at = chance.randrange(len(log))
    kind = chance.choice(["drop", "double", "swap", "kind", "field"])
    if kind == "drop":
        del changed[at]
    elif kind == "double":
        changed.insert(at, changed[at])
    elif kind == "swap":
        changed[at : at + 2] = reversed(changed[at : at + 2])
    elif kind == "kind":
        changed[at] = {**changed[at], "event": chance.choice(actions)}
    else:
        changed[at] = {"event": changed[at]["event"]}
    return changed


@settings(suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(st.data())
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_logs_of_random_models(engine: str, data: st.DataObject) -> None:
    model = data.draw(sources()).case().model
    graph = Graph(model)
    actions = sorted({action.name for action in model.actions})
    hidden = set(data.draw(st.lists(st.sampled_from(actions), unique=True, max_size=len(actions) - 1)))
    for action in {one.name: one for one in model.actions}.values():
        if action.name not in hidden:
            model.observed(action.name, **{name: name for name, _ in action.arguments})(action.function)
    seed = data.draw(st.integers(0, 10**6))
    if not graph.small:
        return
    log = walked(graph, hidden, seed)
    assert conform(model, log, engine=engine)
    if not log:
        return
    changed = mutated(log, actions, seed)
    explained, states = graph.explained(changed, hidden)
    found = conform(model, changed, engine=engine, trace=True)
    assert bool(found) == (explained == len(changed))
    assert found.explained == explained
    if found:
        assert found.run is not None
        steps = [step.label for step in found.run.steps if step.label.action not in hidden]
        assert len(steps) == len(changed)
        assert all(map(matches, changed, steps))
    else:
        own = len(model.variables)
        assert {state[:own] for state in found.states} == states
