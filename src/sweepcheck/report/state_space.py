"""The state space report: what CPN Tools prints about a state space, in its layout, from one exploration.

Its words are kept in the text, because people know where to look: a node is a state, an arc an edge, a marking a state
and a transition instance an action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.model import State
from sweepcheck.core.survey import ActionBehaviour, Bounds, Fairness, Survey
from sweepcheck.errors import RequestError, closest, public, shown
from sweepcheck.folding import fold
from sweepcheck.report.bound import constraints_text, outside_text
from sweepcheck.report.classes import equivalence_text
from sweepcheck.report.report import Report
from sweepcheck.report.trace import WIDE, describe_state, state_text
from sweepcheck.report.values import count_text, parameters_text, seconds_text, workers_text
from sweepcheck.text import value_text, visible

RULE = "-" * 72
INDENT = " " * 5
FAIRNESS = {
    Fairness.IMPARTIAL: "Impartial Transition Instances",
    Fairness.FAIR: "Fair Transition Instances",
    Fairness.JUST: "Just Transition Instances",
    Fairness.NONE: "Transition Instances with No Fairness",
}


@dataclass(frozen=True, slots=True, repr=False)
class StateSpaceReport:
    """The result of `state_space_report`: the run with its counts, and what was found out."""

    run: Report

    @property
    def survey(self) -> Survey:
        """What was found out beyond counting."""
        assert self.run.outcome.survey is not None  # the plan asked for it
        return self.run.outcome.survey

    @property
    def complete(self) -> bool:
        """Whether every reachable state was processed; without that there are no components, and bounds may widen."""
        return self.run.complete

    @property
    def exit_code(self) -> int:
        """0 complete, 3 a limit was reached, 130 interrupted."""
        return self.run.exit_code

    def __bool__(self) -> bool:
        """No property is asked for: refused, as for any other report without one."""
        return bool(self.run)

    @public
    def bounds(self, variable: str) -> Bounds:
        """The bounds of a variable, or of an element of an array such as "fork[0]"."""
        for found in self.survey.bounds:
            if found.variable == variable:
                return found
        names = [found.variable for found in self.survey.bounds]
        raise RequestError("SC202", f"the model has no variable {shown(variable)}", suggestion=closest(variable, names))

    @public
    def action(self, name: str) -> ActionBehaviour:
        """What an action, such as "send" or "take(i=0)", does."""
        for found in self.survey.actions:
            if found.action == name:
                return found
        names = [found.action for found in self.survey.actions]
        raise RequestError("SC407", f"the model has no action {shown(name)}", suggestion=closest(name, names))

    def to_json(self) -> dict[str, Any]:
        """The report as plain JSON data."""
        from sweepcheck.report.json import state_space_to_json

        return state_space_to_json(self)

    def __repr__(self) -> str:
        return state_space_to_text(self)


def state_space_to_text(report: StateSpaceReport, width: int | None = None) -> str:
    """The whole report; lines are folded at `width` columns, None leaves them as they are.

    A model that comes from a file of CPN Tools has the layout of that tool, which no line is folded in.
    """
    if (layout := report.run.system.report_layout()) is not None:
        from sweepcheck.report.cpn_tools import cpn_tools_lines

        return "\n".join(visible(line).rstrip() for line in cpn_tools_lines(report, layout))
    parts = (_statistics, _boundedness, _home, _liveness, _fairness, _circumstances)
    return fold("\n".join(visible(line).rstrip() for part in parts for line in (*part(report), ""))[:-1], width)


def _heading(title: str) -> Iterator[str]:
    yield f" {title}"
    yield RULE


def _statistics(report: StateSpaceReport) -> Iterator[str]:
    numbers, found = report.run.statistics, report.survey.components
    yield from _heading("Statistics")
    yield "  State Space"
    of_classes = report.run.plan.classes is not None
    yield f"{INDENT}Nodes:  {count_text(numbers.states or 0)}{' classes of states' if of_classes else ''}"
    yield f"{INDENT}Arcs:   {count_text(numbers.edges)}{' between classes' if of_classes else ''}"
    yield f"{INDENT}Secs:   {seconds_text(numbers.seconds).removesuffix(' s')}"
    yield f"{INDENT}Status: {'Full' if report.complete else f'Partial ({report.run.stop})'}"
    if found is not None:
        yield ""
        yield "  Scc Graph"
        yield f"{INDENT}Nodes:  {count_text(found.nodes)}"
        yield f"{INDENT}Arcs:   {count_text(found.arcs)}"


def _boundedness(report: StateSpaceReport) -> Iterator[str]:
    yield from _heading("Boundedness Properties")
    bounds, unmarked = _marked(report.survey.bounds)
    if unmarked:
        yield f"  {count_text(unmarked)} places are never marked, and left out here"
        yield ""
    numbers = [(one.variable, value_text(one.upper), value_text(one.lower)) for one in bounds if one.upper is not None]
    others = [(one.variable, count_text(one.values or 0)) for one in bounds if one.upper is None]
    if numbers:
        yield "  Best Integer Bounds"
        yield from _table([("", "Upper", "Lower"), *numbers])
    if others:
        yield ""
        yield "  Distinct Values"
        yield from _table(others)
    if report.survey.differing:
        yield ""
        yield f"{INDENT}no {_missing(report)} where equivalent states differ: {', '.join(report.survey.differing)}"
    bags = [one for one in bounds if one.upper_bag is not None and one.lower_bag is not None]
    if bags:
        yield ""
        yield "  Best Upper Multi-set Bounds"
        yield from _table([(one.variable, value_text(one.upper_bag)) for one in bags], aligned="<")
        yield ""
        yield "  Best Lower Multi-set Bounds"
        yield from _table([(one.variable, value_text(one.lower_bag)) for one in bags], aligned="<")


def _missing(report: StateSpaceReport) -> str:
    """What is not known of variables that equivalent states differ in: of some how much they hold is."""
    known = {one.variable for one in report.survey.bounds} & set(report.survey.differing)
    if not known:
        return "bounds"
    return "multi-set bounds" if len(known) == len(report.survey.differing) else "further bounds"


def _marked(bounds: Sequence[Bounds]) -> tuple[Sequence[Bounds], int]:
    """The bounds to be shown; in a wide net, places that never hold a token are only counted."""
    if len(bounds) <= WIDE:
        return bounds, 0
    kept = [one for one in bounds if one.upper_bag is None or one.upper != 0]
    return kept, len(bounds) - len(kept)


def _table(rows: Sequence[tuple[str, ...]], aligned: str = ">") -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        yield f"{INDENT}{name:<{widths[0]}}" + "".join(
            f"   {cell:{aligned}{width}}" for cell, width in zip(cells, widths[1:], strict=True)
        )


def _home(report: StateSpaceReport) -> Iterator[str]:
    found = report.survey.components
    yield from _heading("Home Properties")
    yield "  Home Markings"
    if found is None:
        yield from _unknown()
    elif found.terminal != 1:
        yield f"{INDENT}None: there are {count_text(found.terminal)} terminal components"
    elif found.home_states == report.run.statistics.states:
        yield f"{INDENT}All"
    else:
        yield from _states(report, found.home_states, () if found.home is None else (found.home,))


def _states(report: StateSpaceReport, count: int, shown: Iterable[State]) -> Iterator[str]:
    """So many states, the first of them written out."""
    yield f"{INDENT}{count_text(count)}"
    for state in shown:
        yield f"{INDENT}[{state_text(describe_state(report.run.system, state))}]"


def _unknown() -> Iterator[str]:
    yield f"{INDENT}not known: the exploration ended early"


def _liveness(report: StateSpaceReport) -> Iterator[str]:
    actions, dead = report.survey.actions, report.run.statistics.dead_states
    yield from _heading("Liveness Properties")
    yield "  Dead Markings"
    yield from _states(report, dead, report.survey.dead) if dead else iter([f"{INDENT}None"])
    yield ""
    yield "  Dead Transition Instances"
    yield from _names([one for one in actions if one.dead], actions) if report.complete else _unknown()
    yield ""
    yield "  Live Transition Instances"
    yield from _names([one for one in actions if one.live], actions) if report.complete else _unknown()


def _names(chosen: Sequence[ActionBehaviour], among: Sequence[ActionBehaviour]) -> Iterator[str]:
    if not chosen or len(chosen) == len(among):
        yield f"{INDENT}{'All' if chosen else 'None'}"
    else:
        yield from (f"{INDENT}{one.action}" for one in chosen)


def _fairness(report: StateSpaceReport) -> Iterator[str]:
    found, actions = report.survey.components, report.survey.actions
    yield from _heading("Fairness Properties")
    if found is None:
        yield from _unknown()
    elif not found.infinite_runs:
        yield f"{INDENT}No infinite occurrence sequences."
    else:
        for position, (kind, title) in enumerate(FAIRNESS.items()):
            if position:
                yield ""
            yield f"  {title}"
            yield from _names([one for one in actions if one.fairness is kind], actions)


def _circumstances(report: StateSpaceReport) -> Iterator[str]:
    run = report.run
    given = parameters_text(run.parameters)
    yield from _heading("Exploration")
    yield f"{INDENT}model     {run.model}{f', {given}' if given else ''}"
    yield f"{INDENT}strategy  {run.strategy}{'' if run.measure is None else f' by {run.measure}'}"
    if (equivalence := equivalence_text(run.plan, run.outcome)) is not None:
        yield f"{INDENT}classes   {equivalence}"
    if run.given is not None:
        yield f"{INDENT}guarantee {run.guarantee}: {run.given}"
    if run.within:
        yield f"{INDENT}explored  {constraints_text(run.within)}: {outside_text(run.outcome)}"
    yield f"{INDENT}engine    {run.engine} ({run.engine_reason})"
    yield f"{INDENT}peak      {count_text(run.statistics.peak)} {run.noun} stored at once"
    if run.statistics.workers > 1:
        yield f"{INDENT}workers   {count_text(run.statistics.workers)}, {workers_text(run.statistics)}"
