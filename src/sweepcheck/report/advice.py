"""What would make a run cheaper: causes of cost that show in a report's numbers, each with what to do about it.

One function for each kind of cause, listed in `ADVISERS` in the order in which `--profile` prints them. Each reads
the report, and says nothing where its cause costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass

from sweepcheck.core.values import Array
from sweepcheck.report.families import Family, families
from sweepcheck.report.report import Report
from sweepcheck.report.values import bytes_text, count_text
from sweepcheck.report.whole_reads import whole_reads

MANY_RUNS = 1000  # with fewer there is nothing to gain
MANY_BYTES = 2**20  # with less there is nothing to gain
HEAVY_BYTES = 2**23  # of tables: less is hardly noticed
MANY_MEMBERS = 64  # actions of one function
MANY_WAYS = 8  # runs of each: it asks several questions before it is enabled
RARE = 20  # states for a run of a function: then it cost little
MANY_VALUES = 10_000  # runs of one action: comparisons instead of values have been tried by then
NAMED = 5  # variables named one by one
WALK_SECONDS = 30e-9  # to look for an action in its table and find it disabled
WALKS_MATTER = 0.25  # of the engine's time
DEAR = 0.1  # a share of the time that rewriting is worth a word about
WORTHWHILE = 0.1  # seconds: less is not worth one, whatever the share
QUICK = 0.01  # seconds: the same of what is easily mended
MANY_STEPS = 100_000  # edges: sums of each of fewer are nothing
TINY = 16  # states: a layer costs about as much as these do
SELDOM = 0.25  # a share of answers from tables
POOR = 0.75  # a table that answers less than this share hardly pays


@dataclass(frozen=True, slots=True)
class Advice:
    """What costs, the figure that shows it, and what to do."""

    cause: str
    figure: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.cause}: {self.figure}; {self.remedy}"


def advice(report: Report) -> Iterator[Advice]:
    """All there is to say about a run."""
    for adviser in ADVISERS:
        yield from adviser(report)


def about_actions(report: Report) -> Iterator[Advice]:
    """Functions that Python runs again and again, since what they look at hardly ever repeats."""
    explored = report.statistics.explored
    for family in families(report):
        answered = family.answered(explored)
        figure = f"{count_text(family.evaluations)} runs, and {100 * answered:.0f} % of the answers from the table"
        if family.tabulated < family.members:
            given_up = f"the table of `{family.name}` was given up in the course of the run"
            cause = f"`{family.name}` is not tabulated" if answered < POOR else given_up
            figure = "nearly every state needed a new run" if answered < SELDOM else figure
            if answered >= POOR and family.evaluations < MANY_RUNS:
                continue
        elif family.evaluations >= MANY_RUNS and answered < POOR:
            cause = f"`{family.name}` finds little in its table"
        else:
            continue
        yield Advice(cause, figure, _looking_at_less(family, report))


def _looking_at_less(family: Family, report: Report) -> str:
    variables, seen = report.system.variables, family.observes
    gone_through = [one.variable for one in report.contents if one.variable in seen and not one.in_states]
    if gone_through:
        name = gone_through[0]
        return (
            f"it goes through all that `{name}` holds: `s.{name}.peek(where=...)` chooses one of its elements, "
            f"`x in s.{name}` asks for one, and a condition of each element alone looks at some"
        )
    if len(seen) == 1:
        return f"the values of `{seen[0]}` hardly ever repeat{_in_pieces(seen[0], report)}"
    everything = len(seen) == len(variables)
    count = f"all {len(seen)} variables" if everything else f"{len(seen)} of {len(variables)} variables"
    reads = [f"`{text}`" for text in whole_reads(report.system, family.name, seen or variables)]
    without = f" or drop {' and '.join(reads[:2])}" if reads else ""
    in_one = _in_one_piece(seen, report)
    instead = f"; `{in_one[0]}` is one value{_in_pieces(in_one[0], report)}" if in_one else ""
    return (f"it observes {count}: " if seen else "") + f"split it{without}{instead}"


def _in_one_piece(names: Sequence[str], report: Report) -> list[str]:
    """Those of these variables whose values have pieces, and are looked at as a whole."""
    initial = _initial(report)
    return [name for name in names if not isinstance(initial.get(name), Array) and _in_pieces(name, report)]


def _in_pieces(name: str, report: Report) -> str:
    """How to let functions look at a piece of a variable, where it has pieces."""
    value = _initial(report).get(name)
    if isinstance(value, Array):
        return (
            ", as it looks at every element: `sum`, `max`, `min`, `any` and `all` of the elements alone are one "
            "question, and `next(i for i in range(n) if ...)` looks no further than it has to"
        )
    if is_dataclass(value) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        return f": `{name}=Record(...)` has fields that are looked at and assigned one by one"
    if value == ():  # which will have elements, and an array never has more
        return f": `{name}=Queue(...)` is asked for its first element or for any, and changed by `put` and `get`"
    if isinstance(value, tuple):
        return f": `{name}=Array(...)` has elements that are looked at and assigned one by one"
    if isinstance(value, frozenset):
        return f": `{name}=Set(...)` is asked for elements, and changed by `add` and `discard`"
    return ""


def _initial(report: Report) -> dict[str, object]:
    first = report.system.initial_states()[0]
    return dict(zip(report.system.variables, first, strict=True)) if isinstance(first, tuple) else {}


def about_values(report: Report) -> Iterator[Advice]:
    """Tables that answer most questions, and are large since they have an entry for every value of some variable."""
    initial = _initial(report)
    for family in families(report):
        explored, runs = report.statistics.explored, family.evaluations
        rare = runs < MANY_VALUES * family.members or RARE * runs < explored
        if rare or family.tabulated < family.members or family.answered(explored) < POOR:
            continue
        if in_one := _in_one_piece(family.observes, report):
            cause = f"the table of `{family.name}` grows with the values of `{in_one[0]}`"
            yield Advice(cause, f"{count_text(runs)} runs", f"each is one value{_in_pieces(in_one[0], report)}")
            continue
        numbers = [name for name in family.observes if name not in family.compares and _has_numbers(initial.get(name))]
        if not numbers:
            continue
        names = ", ".join(f"`{one}`" for one in numbers[:NAMED]) + (" and others" if len(numbers) > NAMED else "")
        yield Advice(
            f"the table of `{family.name}` grows with the values of {names}",
            f"{count_text(runs)} runs",
            "where a comparison is enough, write one, and add or subtract whole numbers (`s.x < 5`, `s.x += 1`): these "
            "need no run for each value, as `%`, an index, `range(s.x)` or text do",
        )


def _has_numbers(value: object) -> bool:
    return type(value) is int or (isinstance(value, Array) and any(type(one) is int for one in value))


def about_members(report: Report) -> Iterator[Advice]:
    """Families of many actions of which each has to find out, one question after another, when it is disabled."""
    explored = report.statistics.explored
    for family in families(report):
        runs = family.evaluations
        costs = runs >= MANY_VALUES and RARE * runs >= explored
        told_already = family.tabulated < family.members or family.answered(explored) < POOR
        if not costs or told_already or family.members < MANY_MEMBERS or runs < MANY_WAYS * family.members:
            continue
        yield Advice(
            f"`{family.name}` is {count_text(family.members)} actions, and each runs for every way to be disabled",
            f"{count_text(runs)} runs",
            "an action that works out from the state which of them it is runs once for each",
        )


def about_disabled_actions(report: Report) -> Iterator[Advice]:
    """Actions that keep the engine busy though they are disabled."""
    numbers, walks = report.statistics, report.outcome.vain_walks
    engine = numbers.seconds - min(numbers.model_seconds or 0.0, numbers.seconds)
    if numbers.workers > 1 and numbers.working is not None:  # the walks are those of all workers
        engine = numbers.workers * numbers.seconds * numbers.working
    if walks < MANY_RUNS or walks * WALK_SECONDS < WALKS_MATTER * engine:
        return
    each = walks / max(numbers.explored, 1)
    of_all = f"of {len(report.actions):,} in each state"
    if each > len(report.actions):
        of_all = f"in each state, with the tokens and alternatives of {len(report.actions):,}"
    yield Advice(
        "actions are looked for and found disabled",
        f"{each:,.0f} {of_all}",
        "`require` first, of a plain variable or an array element, what is seldom true: an action that most states "
        "rule out by one value is not looked for there",
    )


def about_rewrites(report: Report) -> Iterator[Advice]:
    """Stored states that were rewritten because variables had outgrown their room."""
    numbers = report.statistics
    taken = numbers.rewrite_seconds or 0.0
    if taken > max(DEAR * numbers.seconds, QUICK):
        yield Advice(
            "stored states were rewritten for variables that had grown",
            f"{count_text(numbers.rewrites or 0)} times, {100 * taken / numbers.seconds:.0f} % of the time",
            "give queues and places the `capacity` they can have; let variables get their largest value early",
        )


def about_contents(report: Report) -> Iterator[Advice]:
    """Bags and queues that lie outside of states, or that functions looked at as a whole."""
    states = report.statistics.state_bytes or 0
    for found in report.contents:
        if found.bytes < max(MANY_BYTES, states / 4):
            continue
        figure = f"{count_text(found.contents)} different contents, {bytes_text(found.bytes)}"
        if found.in_states:
            cause = f"what `{found.variable}` holds does not fit into states"
            remedy = "let it hold fewer different tokens or fewer at a time, or use one variable for each kind"
        else:
            cause = f"functions look at all that `{found.variable}` holds"
            remedy = "ask for what is needed of it: `len`, `in`, `count`, `peek`"
        yield Advice(cause, figure, remedy)


def about_measure(report: Report) -> Iterator[Advice]:
    """A measure that Python had to be asked for again and again."""
    cost = report.measure_cost
    if cost is None:
        return
    if cost.evaluations < MANY_RUNS or RARE * cost.evaluations < report.statistics.explored:
        yield from _about_sums(cost.of_sums, report)
        return
    what = "a summand of the measure" if cost.summand else "the measure"
    more = f" and {len(cost.observes) - NAMED} more" if len(cost.observes) > NAMED else ""
    names = ", ".join(cost.observes[:NAMED]) + more
    why = "" if cost.obstacle is None else f" ({cost.obstacle})"
    remedy = "let it look at less"
    if not cost.summand:
        remedy = "write it as a sum of terms that look at one variable each: s.x, len(s.queue), f(s.array[i])"
    yield Advice(
        f"{what} needs a run for every combination of {names}{why}",
        f"{count_text(cost.evaluations)} runs, and a table of {bytes_text(cost.table_bytes)} at the end",
        remedy,
    )


def _about_sums(of_sums: bool, report: Report) -> Iterator[Advice]:
    """A summand that is a function of sums, which the engine looks up for each successor."""
    numbers = report.statistics
    if of_sums and numbers.edges >= MANY_STEPS:
        yield Advice(
            "a summand of the measure is a function of sums, which is looked up for every step",
            f"{count_text(numbers.edges)} steps",
            "how far a step takes a sum, or a tuple of sums, is known without that: `(sum(s.a), sum(s.b))` instead of "
            "`(sum(s.a) + 1) * (sum(s.b) + 1)`",
        )


def about_tables(report: Report) -> Iterator[Advice]:
    """Tables that outweigh the stored states, though they answer most questions."""
    tables, states = report.statistics.table_bytes or 0, report.statistics.state_bytes or 0
    if tables < max(HEAVY_BYTES, 2 * states):
        return
    yield Advice(
        "tables are larger than the stored states",
        f"{bytes_text(tables)}, and {bytes_text(states)} of states",
        "each entry is for one combination of the values that an action looks at: let actions look at less, or bound "
        "the tables (`--table-memory 20M`), which are made anew then",
    )


def about_properties(report: Report) -> Iterator[Advice]:
    """Properties that take longer than all else."""
    numbers, asked = report.statistics, [one.property.name for one in report.verdicts]
    taken = (numbers.model_seconds or 0.0) - sum(action.seconds for action in report.actions)
    taken -= report.outcome.start_seconds
    if not asked or not report.actions or taken < max(WORTHWHILE, numbers.seconds / 2) or any(about_measure(report)):
        return
    yield Advice(
        "the properties take most of the time" if len(asked) > 1 else f"{asked[0]!r} takes most of the time",
        f"{taken:.1f} s of {numbers.seconds:.1f} s",
        "what looks at all that a variable holds is run for nearly every state: ask for elements (`x in s.set`, "
        "`s.array[i]`), or fold them by a condition on each element alone (`any`, `all`, `sum`, `max`)",
    )


def about_initial_states(report: Report) -> Iterator[Advice]:
    """Initial states that take longer to make than all else."""
    numbers, taken = report.statistics, report.outcome.start_seconds
    if taken < max(WORTHWHILE, numbers.seconds / 2):
        return
    yield Advice(
        "the initial states take most of the time",
        f"{taken:.1f} s of {numbers.seconds:.1f} s",
        "let `require` follow the last choice that it is about: what is ruled out early is combined with nothing; "
        "`m.initial(x=..., y=...)` lists all combinations at once",
    )


def about_layers(report: Report) -> Iterator[Advice]:
    """Layers that cost more than the states in them."""
    numbers = report.statistics
    if numbers.layers < MANY_RUNS or numbers.explored >= TINY * numbers.layers:
        return
    yield Advice(
        "there are very many layers, with few states each",
        f"{count_text(numbers.layers)} layers, {numbers.explored / numbers.layers:.1f} states in each",
        "let the measure tell fewer states apart: leave out the last part of a tuple, or divide a number "
        "(`s.x // 10`); hardly more states are stored then",
    )


ADVISERS: tuple[Callable[[Report], Iterator[Advice]], ...] = (
    about_actions,
    about_values,
    about_members,
    about_disabled_actions,
    about_rewrites,
    about_contents,
    about_tables,
    about_measure,
    about_properties,
    about_initial_states,
    about_layers,
)
