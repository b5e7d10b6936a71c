"""`sweepcheck linearizable`: histories of concurrent operations against a sequential model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from sweepcheck.cli.session import INCONCLUSIVE, session_of
from sweepcheck.cli.several import WORSE
from sweepcheck.core.verdict import Status
from sweepcheck.histories import MODELS, Linearizability, linearizable, read_history
from sweepcheck.histories.linearizability import MOST
from sweepcheck.report.text import MARKS
from sweepcheck.report.values import count_text
from sweepcheck.text import value_text

WORDS = {
    Status.HOLDS: "linearizable",
    Status.VIOLATED: "not linearizable",
    Status.INCONCLUSIVE: "inconclusive",
}
EXIT = {Status.HOLDS: 0, Status.VIOLATED: 1, Status.INCONCLUSIVE: INCONCLUSIVE}
MOST_STATES = 5  # shown


@click.command("linearizable", short_help="Decide whether histories of concurrent operations are linearizable.")
@click.argument("model", type=click.Choice(list(MODELS)))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="HISTORY...")
@click.option(
    "--answers", multiple=True, metavar="F",
    help="A failure of operation F is the answer that it was refused (such as cas), not that nothing happened; "
    "repeatable.",
)  # fmt: skip
@click.option(
    "--max-states", type=click.IntRange(min=1), default=MOST, show_default=True, metavar="N",
    help="Stop when N configurations of a history have been looked at.",
)  # fmt: skip
@click.option("--order", "ordered", is_flag=True, help="Also print the order that explains a history.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    context: click.Context, model: str, files: tuple[Path, ...], answers: tuple[str, ...], max_states: int,
    ordered: bool, form: str,
) -> int:  # fmt: skip
    """Decide whether each HISTORY is linearizable: whether some order of its operations explains every answer.

    A history is Jepsen's history.edn or log, a file of one JSON object a line, or .csv; an event has process, type
    (invoke, ok, fail, info), f and value. The argument before says what the operations work on.

    \b
    Examples:
      sweepcheck linearizable register history.edn
      sweepcheck linearizable cas-register etcd/*.log --answers cas
      sweepcheck linearizable key-value history.ndjson --order

    \b
    Exit codes: 0 all are linearizable, 1 one is not, 2 bad request or history, 3 inconclusive, 130 interrupted.
    """
    session = session_of(context)
    session.format = form
    found: list[Linearizability] = []
    for file in files:
        session.subject = str(file)
        found.append(linearizable(read_history(file, answers), MODELS[model](), most=max_states))
        if form == "text":
            session.painted(to_text(found[-1], ordered))
    if form == "json":
        session.result(json.dumps([to_json(one) for one in found], indent=2))
    return max((EXIT[one.status] for one in found), key=WORSE.index)


def to_text(found: Linearizability, ordered: bool = False) -> str:
    """The verdict; of a history that is not linearizable, the operation that nothing explains."""
    history = found.history
    numbers = f"{count_text(len(history))} operations, {count_text(found.configurations)} configurations"
    lines = [f"{MARKS[found.status]} {WORDS[found.status]}  {history.name}  ({found.guarantee}): {numbers}"]
    if found.reason:
        lines.append(f"  {found.reason}")
    if found.refused is not None:
        line = "" if found.refused.line is None else f"  called at line {found.refused.line}"
        lines += [f"  nothing explains  {found.refused}{line}"]
        shown = "; ".join(map(value_text, found.states[:MOST_STATES]))
        more = f"; and {len(found.states) - MOST_STATES:,} more" if len(found.states) > MOST_STATES else ""
        lines += [f"  before it returned the state may be  {shown}{more}"]
    if ordered and found.status is Status.HOLDS:
        lines += [f"  {number:>4}  {one}" for number, one in enumerate(found.order, 1)]
    return "\n".join(lines)


def to_json(found: Linearizability) -> dict[str, Any]:
    """The same for machines."""
    refused = found.refused
    return {
        "history": found.history.name,
        "status": WORDS[found.status].replace(" ", "_"),
        "guarantee": str(found.guarantee),
        "reason": found.reason,
        "operations": len(found.history),
        "configurations": found.configurations,
        "keys": found.parts,
        "refused": None if refused is None else {"operation": str(refused), "line": refused.line},
        "states": [value_text(state) for state in found.states],
        "order": [str(one) for one in found.order],
    }
