"""`sweepcheck grid`: a model with every combination of some values of its parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import click

from sweepcheck.api import check, explore
from sweepcheck.cli.options import exploration_options, gather, loaded, loudness_options
from sweepcheck.cli.session import INCONCLUSIVE, INTERRUPTED, Session, session_of
from sweepcheck.cli.tracefile import unwritable
from sweepcheck.core.files import read_text
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.verdict import Stop
from sweepcheck.core.writing import write_text
from sweepcheck.errors import ModelError, RequestError
from sweepcheck.report.grid import (
    SKIPPED,
    GridRow,
    grid_from_csv,
    grid_to_csv,
    grid_to_json,
    grid_to_plot,
    grid_to_text,
    row_of,
)
from sweepcheck.report.plot import check_plot
from sweepcheck.report.report import Report

MOST_POINTS = 10_000
LIMITS = tuple(map(str, (Stop.STATES, Stop.SECONDS, Stop.MEMORY, Stop.DISK)))


@click.command("grid", short_help="Run a model with many combinations of parameters.")
@exploration_options
@click.option(
    "--csv", "table", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Keep the table in FILE, row by row. What is there already is not run again.",
)  # fmt: skip
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Draw states, peak and time over the parameter with most values, as .svg, .png or .pdf.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "csv", "json"]), default="text", show_default=True)
@loudness_options
@click.pass_context
def command(context: click.Context, /, form: str, quiet: bool, verbose: bool, **options: Any) -> int:
    """Run the model in FILE.py with every combination of some values of its parameters, and print a table.

    `-p n=2..8` stands for the numbers from 2 to 8, `-p capacity=1,2,4` for these three. Declared properties are
    checked; a model without any is explored. The limits are for each run. Where one is reached, combinations that are
    larger in every number are not tried.

    \b
    Examples:
      sweepcheck grid examples/dining_philosophers.py -p n=2..8
      sweepcheck grid model.py -p n=1..10 -p capacity=1,2,4 --time-limit 60 --csv grid.csv --plot grid.svg

    \b
    Exit codes: 0 all hold, 1 violated, 2 bad request or model, 3 a limit was reached, 70 internal, 130 interrupted.
    """
    session = session_of(context)
    session.format, session.quiet, session.verbose = form, quiet, verbose
    session.subject = options["reference"]
    if options["plot"] is not None:
        check_plot(options["plot"])
    grid = dict(map(spread, options["parameters"]))
    if len(grid) < len(options["parameters"]):
        raise ModelError("SC105", "a parameter is given twice", suggestion="leave out one of the two")
    names = list(grid)
    file = options["table"]
    rows = known(file, names) if file is not None else []
    for row in points(session, grid, options, rows):
        rows = [one for one in rows if one.parameters != row.parameters] + [row]
        if file is not None:
            keep(file, grid_to_csv(names, ordered(grid, rows)))
        if row.stop == str(Stop.INTERRUPTED):
            break
    rows = ordered(grid, rows)
    shown = {"csv": grid_to_csv, "json": lambda *given: json.dumps(grid_to_json(*given), indent=2)}.get(form)
    if shown is None:
        session.painted(grid_to_text(names, rows))
    else:
        session.result(shown(names, rows).rstrip("\n"))
    if options["plot"] is not None:
        grid_to_plot(names, rows, options["plot"])
        session.note(f"plot written to {options['plot']}")
    return exit_code(rows)


def spread(text: str) -> tuple[str, list[str]]:
    """A parameter and the values that are typed for it, as text: `n=2..4` is 2, 3 and 4."""
    name, sign, values = text.partition("=")
    if not sign or not name.strip().isidentifier() or not values.strip():
        raise ModelError("SC105", f"{text!r} is not a parameter", suggestion="write -p name=1..5 or -p name=1,2,4")
    found: list[str] = []
    for part in _parts(values):
        span = re.fullmatch(r"\s*(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})\s*", part)
        if span is None:
            found.append(part.strip())
            continue
        first, last = int(span[1]), int(span[2])
        if not 0 <= last - first < MOST_POINTS:
            what = f"{part.strip()} is no range of at most {MOST_POINTS:,} numbers"
            raise ModelError("SC105", what, suggestion="write the smaller number first: 2..8")
        found += map(str, range(first, last + 1))
    return name.strip(), list(dict.fromkeys(found))


def _parts(text: str) -> Iterator[str]:
    """The parts between commas, as far as these do not stand within brackets or quotes."""
    start, depth, quote = 0, 0, ""
    for position, one in enumerate(text):
        if quote:
            quote = "" if one == quote else quote
        elif one in "'\"":
            quote = one
        elif one in "([{":
            depth += 1
        elif one in ")]}":
            depth -= 1
        elif one == "," and depth == 0:
            yield text[start:position]
            start = position + 1
    yield text[start:]


def points(
    session: Session, grid: Mapping[str, Sequence[str]], options: dict[str, Any], rows: Sequence[GridRow]
) -> Iterator[GridRow]:
    """A row for each combination that is not there yet."""
    combinations = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    if len(combinations) > MOST_POINTS:
        what = f"the grid has {len(combinations):,} combinations, more than {MOST_POINTS:,}"
        raise RequestError("SC404", what, suggestion="give fewer values")
    done = {tuple(row.parameters.items()) for row in rows if row.done}
    full: list[Mapping[str, str]] = []  # combinations that reached a limit
    for chosen in combinations:
        if tuple(chosen.items()) in done:
            continue
        if any(exceeds(chosen, one) for one in full):
            yield GridRow(chosen, {}, "inconclusive", SKIPPED)
            continue
        row = row_of(chosen, run(session, chosen, options))
        if row.stop in LIMITS:
            full.append(chosen)
        yield row


def run(session: Session, chosen: Mapping[str, str], options: dict[str, Any]) -> Report:
    """One combination: every declared property is decided, and no trace is kept."""
    given = tuple(f"{name}={value}" for name, value in chosen.items())
    system, asked = loaded(gather({**options, "parameters": given}), session)
    with session.watching(asked.live_measure(system)) as observer:
        if not system.properties:
            return explore(system, observer=observer, **asked.options)
        return check(system, observer=observer, keep_going=True, trace=False, **asked.options)


def exceeds(chosen: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether a combination is at least as large as another in every number, and equal in everything else."""
    for name, text in chosen.items():
        try:
            if float(text) < float(other[name]):
                return False
        except ValueError:
            if text != other[name]:
                return False
    return True


def ordered(grid: Mapping[str, Sequence[str]], rows: Sequence[GridRow]) -> list[GridRow]:
    """Rows in the order of the grid; those that a file has beside it come first."""
    place = {value: number for number, value in enumerate(product(*grid.values()))}
    return sorted(rows, key=lambda row: place.get(tuple(row.parameters.values()), -1))


def known(path: Path, names: Sequence[str]) -> list[GridRow]:
    """The rows that a file has from a run before."""
    if not path.parent.is_dir():
        raise unwritable(path, f"there is no folder {path.parent}")
    if not path.exists():
        return []
    try:
        text = read_text(path, FileLimits())
        return grid_from_csv(names, text) if text else []
    except (OSError, ValueError) as error:
        raise unwritable(path, f"it exists and is no table of this grid: {error}") from None


def keep(path: Path, text: str) -> None:
    """Write the table as it is now."""
    try:
        write_text(path, text)
    except OSError as error:
        raise unwritable(path, str(error.strerror)) from None


def exit_code(rows: Sequence[GridRow]) -> int:
    """The worst that came of any of them."""
    if any(row.stop == str(Stop.INTERRUPTED) for row in rows):
        return INTERRUPTED
    if any(row.answer == "violated" for row in rows):
        return 1
    return 0 if all(row.good for row in rows) else INCONCLUSIVE
