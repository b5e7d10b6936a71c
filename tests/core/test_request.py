"""Options: every function that explores takes the same ones, and each has one default."""

import inspect
from dataclasses import fields

import pytest

from sweepcheck import Limits, Model, SweepcheckError, check, explore, queries, require, state_space_report
from sweepcheck.cli.explore import command
from sweepcheck.cli.options import gather
from sweepcheck.cli.session import Session
from sweepcheck.core.request import CheckOptions, Options, Request


def counter() -> Model:
    m = Model("counter", n=0)

    @m.action
    def count(s):
        require(s.n < 3)
        s.n += 1

    m.progress(lambda s: s.n)
    m.invariant("small", lambda s: s.n <= 3)
    return m


EVERY_RUN = [one.name for one in fields(Options)]


@pytest.mark.parametrize("function", [check, explore, state_space_report, queries.Sweep])
def test_a_signature_lists_the_options_with_their_defaults(function) -> None:
    taken = inspect.signature(function).parameters
    assert next(iter(taken)) == "model"
    for one in fields(Options):
        assert taken[one.name].default == one.default
        assert taken[one.name].kind is inspect.Parameter.KEYWORD_ONLY
    assert "options" in function.__doc__ or "`gc`" in function.__doc__


def test_properties_may_stand_without_their_name() -> None:
    assert [verdict.property.name for verdict in check(counter(), ["small"]).verdicts] == ["small"]
    assert list(inspect.signature(check).parameters)[:2] == ["model", "properties"]


@pytest.mark.parametrize("name", [one.name for one in fields(CheckOptions) if one.name not in EVERY_RUN])
@pytest.mark.parametrize("function", [explore, state_space_report, queries.Sweep])
def test_what_only_check_can_do_is_refused_elsewhere(function, name: str) -> None:
    with pytest.raises(SweepcheckError) as raised:
        function(counter(), **{name: None})
    assert raised.value.code == "SC403"
    assert f"{function.__name__}() has no option {name!r}" in raised.value.what
    assert raised.value.suggestion == f"check() takes {name}="


@pytest.mark.parametrize("function", [check, explore, state_space_report, queries.Sweep])
def test_a_misspelt_option_is_told_the_nearest(function) -> None:
    with pytest.raises(SweepcheckError) as raised:
        function(counter(), enginge="native")
    assert raised.value.code == "SC403"
    assert raised.value.where.startswith("test_request.py:")
    assert "'engine'" in raised.value.suggestion


@pytest.mark.parametrize(("name", "limit"), [("max_states", "states"), ("memory_limit", "memory")])
def test_limits_of_the_command_line_are_told_as_python_has_them(name: str, limit: str) -> None:
    with pytest.raises(SweepcheckError) as raised:
        explore(counter(), **{name: 3})
    assert raised.value.suggestion == f"write limits=Limits({limit}=...)"


@pytest.mark.parametrize("internal", ["tallies", "survey"])
def test_what_queries_ask_is_no_option(internal: str) -> None:
    with pytest.raises(SweepcheckError, match="has no option"):
        check(counter(), **{internal: ()})
    assert internal in inspect.signature(Request).parameters


def test_the_command_line_has_no_defaults_of_its_own() -> None:
    def handed_over(*arguments: str) -> dict[str, object]:
        return gather(command.make_context("explore", ["model.py", *arguments], obj=Session()).params).options

    assert handed_over() == {}
    assert handed_over("--gc", "5", "--max-states", "3") == {"gc": "5", "limits": Limits(states=3)}


def test_a_sweep_takes_limits_and_strategies() -> None:
    limited = queries.dead_markings(queries.Sweep(counter(), limits=Limits(states=2)))
    assert not limited.report.complete
    assert queries.dead_markings(queries.Sweep(counter(), strategy="full")).report.strategy == "full"
    with pytest.raises(SweepcheckError) as raised:
        queries.dead_markings(queries.Sweep(counter(), limits=Limits(), seconds=1.0))
    assert raised.value.code == "SC404"
