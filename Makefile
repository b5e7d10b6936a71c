# Every target works in .venv at the project's root and brings it up to date first.
PYTHON ?= python3
BIN    := .venv/bin
NATIVE := $(shell find native -name '*.?pp') CMakeLists.txt

.PHONY: setup demo test check bench docs clean

setup: .venv/ready

.venv/ready: pyproject.toml $(NATIVE)
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check "scikit-build-core>=0.11" "nanobind>=2.4" ninja
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation -e ".[dev]"
	@touch $@

demo: setup
	@$(BIN)/python -m sweepcheck.cli.demo

test: setup check
	$(BIN)/pytest -n auto

check: setup
	$(BIN)/ruff check src tests examples bench docs
	$(BIN)/ruff format --check src tests examples bench docs
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: setup
	$(BIN)/python -m bench

docs: setup
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

clean:
	rm -rf .venv build docs/_build
