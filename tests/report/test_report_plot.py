"""The plot: files of every kind, and refusals before anything runs."""

import sys

import pytest
from report_models import changed

from sweepcheck import Stop
from sweepcheck.core.plan import Layer
from sweepcheck.errors import RequestError
from sweepcheck.report.plot import check_plot, report_to_plot


@pytest.mark.parametrize(("suffix", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_formats(ferry, tmp_path, suffix, magic):
    path = tmp_path / f"sweep.{suffix}"
    report_to_plot(ferry, path)
    assert path.read_bytes().startswith(magic)


def test_one_layer_many_layers_and_an_incomplete_run(lasso, ferry, tmp_path):
    report_to_plot(lasso, tmp_path / "full.svg")
    many = changed(ferry, profile=tuple(Layer((n, n), 5, n % 7) for n in range(1000)), stop=Stop.SECONDS)
    report_to_plot(many, tmp_path / "many.svg")
    assert (tmp_path / "many.svg").stat().st_size > 0


def code_of(function, *arguments):
    with pytest.raises(RequestError) as caught:
        function(*arguments)
    return caught.value.code


def test_refusals(ferry, tmp_path, monkeypatch):
    assert code_of(check_plot, tmp_path / "sweep.txt") == "SC403"
    assert code_of(check_plot, tmp_path / "missing" / "sweep.svg") == "SC406"
    assert code_of(report_to_plot, changed(ferry, profile=()), tmp_path / "sweep.svg") == "SC404"
    (tmp_path / "folder.svg").mkdir()
    assert code_of(report_to_plot, ferry, tmp_path / "folder.svg") == "SC406"
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(RequestError, match="matplotlib") as caught:
        check_plot(tmp_path / "sweep.svg")
    assert caught.value.code == "SC405"
    assert caught.value.suggestion == 'pip install "matplotlib>=3.8"'
