"""`sweepcheck automaton`: the automaton of an LTL formula."""

from __future__ import annotations

import click

from sweepcheck.cli.session import session_of
from sweepcheck.core.automaton import Automaton
from sweepcheck.core.temporal import Op, Temporal
from sweepcheck.logic.hoa import hoa, label
from sweepcheck.logic.parsing import parse
from sweepcheck.logic.translation import translated


@click.command("automaton", short_help="Show the automaton of an LTL formula.")
@click.argument("formula", metavar="FORMULA")
@click.option("--never", is_flag=True, help="Of the opposite: what reads along when the formula is checked.")
@click.option("--format", "form", type=click.Choice(["hoa", "dot"]), default="hoa", show_default=True)
@click.pass_context
def command(context: click.Context, formula: str, never: bool, form: str) -> int:
    """Print the automaton that accepts the runs of which FORMULA is true: as HOA, or as a drawing for Graphviz.

    It is a generalised Buechi automaton with marks on its edges; `check --never-hoa` reads such files.

    \b
    Examples:
      sweepcheck automaton "G (p -> F q)"
      sweepcheck automaton --never "G (p -> F q)" > never.hoa
      sweepcheck automaton --format dot "G F p & G F q" | dot -Tsvg > automaton.svg

    \b
    Exit codes: 0 printed, 2 bad formula, 70 internal.
    """
    session = session_of(context)
    asked = parse(formula)
    if never:
        asked = Temporal(Op.NOT, (asked,))
    made = translated(asked)
    session.result(hoa(made, str(asked)) if form == "hoa" else dot(made))
    return 0


def dot(given: Automaton) -> str:
    """An automaton as a graph for Graphviz."""
    names = tuple(str(one) for one in given.propositions)
    rows = ["digraph automaton {", "  rankdir=LR; node [shape=circle, fontname=sans]; edge [fontname=sans];"]
    for number, state in enumerate(given.initial):
        rows += [f'  start{number} [shape=point, label=""];', f"  start{number} -> {state};"]
    for state, edges in enumerate(given.edges):
        rows.append(f"  {state};")
        for edge in edges:
            marks = " ".join(str(number) for number in range(given.marks) if edge.marks >> number & 1)
            text = f"{label(edge, names)}{f' {{{marks}}}' if marks else ''}"
            escaped = text.replace("\\", "\\\\").replace('"', '\\"')
            rows.append(f'  {state} -> {edge.target} [label="{escaped}"];')
    return "\n".join([*rows, "}"])
