# Every target works in .venv at the project's root and brings it up to date first.
PYTHON ?= python3
BIN    := .venv/bin
# Ninja is told nothing of make's jobs: recent ones end with an error where make has closed the pipe that hands them out.
CMAKE  := MAKEFLAGS= PATH="$$PATH:$(BIN)" cmake
CTEST  := PATH="$$PATH:$(BIN)" ctest
# Modules are compiled when they are first imported: most of those that others bring along never are.
# That is kept, whatever the environment says: tests start hundreds of processes, and each would compile all of them again.
export PYTHONDONTWRITEBYTECODE :=
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
SOURCES := $(shell find native bench -name '*.?pp')
MODULE := build/module
NATIVE := $(shell find native -name '*.?pp' -not -path '*/tests/*') CMakeLists.txt

.PHONY: setup demo test native-test workers soak coverage fuzz sanitize check format bench docs clean

setup: .venv/ready

.venv/ready: pyproject.toml $(NATIVE)
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) "scikit-build-core>=0.11" "nanobind>=2.4" ninja
	$(INSTALL) --no-build-isolation -C build-dir=$(MODULE) -e ".[dev]"
	@touch $@

demo: setup
	@$(BIN)/python -m sweepcheck.cli.demo

test: setup
	@$(MAKE) --no-print-directory --jobs=2 check native-test
	$(BIN)/pytest -n auto

# The unit tests of the engine, which need no Python; they are built beside the module, whose library they share.
native-test: setup
	@$(CMAKE) -S . -B $(MODULE) -DSWEEPCHECK_TESTS=ON -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python >/dev/null
	@$(CMAKE) --build $(MODULE) --target native_tests --parallel >/dev/null
	$(CTEST) --test-dir $(MODULE) --output-on-failure --parallel 2

# The tests of the engine with two and four workers in every run that does not say how many, from its first states on.
WORKERS_TESTS ?= tests/native tests/engines tests/golden tests/processes tests/queries

workers: setup
	SWEEPCHECK_WORKERS=2 $(BIN)/pytest -n auto $(WORKERS_TESTS)
	SWEEPCHECK_WORKERS=4 $(BIN)/pytest -n auto $(WORKERS_TESTS)

# Runs that are killed at random moments, KILLS of them, and gone on with: they come to the same. So do those whose files were
# spoilt, SPOILT of them, unless that is told.
KILLS ?= 100
MODELS ?= 1000
SPOILT ?= 10000

soak: setup
	$(BIN)/python tests/soak/kill_and_resume.py $(KILLS)
	$(BIN)/python tests/soak/spoil_checkpoints.py $(SPOILT)
	$(BIN)/python tests/soak/random_workers.py $(MODELS)
	! $(BIN)/python -c "import ray" 2>/dev/null || $(BIN)/python tests/soak/kill_sites.py $(KILLS)

# Which lines and branches of src/sweepcheck the tests reach; commands that tests start as processes are not counted.
# A part of them: make coverage TESTS=tests/models
TESTS ?=

coverage: setup
	$(BIN)/pytest -n auto --cov --cov-report=term:skip-covered --cov-report=html:build/coverage $(TESTS)

# Every test that draws its examples, with fresh seeds, again and again for MINUTES; what fails is kept in .hypothesis and
# tried first the next time.
MINUTES  ?= 10
EXAMPLES ?= 5

fuzz: setup
	@end=$$(( $$(date +%s) + 60 * $(MINUTES) )); while [ $$(date +%s) -lt $$end ]; do \
	  SWEEPCHECK_PROFILE=random SWEEPCHECK_EXAMPLES=$(EXAMPLES) $(BIN)/pytest -n auto -m hypothesis tests || exit 1; done

# The unit tests of the engine and all Python tests, with a second build of the module that watches every access to
# memory; the installed one is left alone. Leaks are not looked for: the interpreter keeps much to its end. The unit
# tests draw more cases than usual.
SANITIZE := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g
PRELOAD   = $(foreach name,asan ubsan stdc++,$(shell $(CXX) -print-file-name=lib$(name).so))
SANITIZED_TESTS ?= tests

sanitize: setup
	@$(CMAKE) -S . -B build/sanitize -DSWEEPCHECK_TESTS=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="$(SANITIZE)" \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python >/dev/null
	@$(CMAKE) --build build/sanitize --target all native_tests --parallel >/dev/null
	SWEEPCHECK_EXAMPLES=4 $(CTEST) --test-dir build/sanitize --output-on-failure --parallel 2
	@rm -rf build/sanitize/package && mkdir build/sanitize/package
	@cp -rs $(CURDIR)/src/sweepcheck build/sanitize/package/ && cp build/sanitize/_core*.so build/sanitize/package/sweepcheck/
	PYTHONPATH=$(CURDIR)/native/tests/sanitized:$(CURDIR)/build/sanitize/package LD_PRELOAD="$(PRELOAD)" \
	  ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 SWEEPCHECK_SANITIZED=1 $(BIN)/pytest -n auto -p no:cacheprovider $(SANITIZED_TESTS)

check: setup
	$(BIN)/ruff check src tests examples bench docs
	$(BIN)/ruff format --check src tests examples bench docs
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	@echo clang-format && $(BIN)/clang-format --dry-run --Werror $(SOURCES)

format: setup
	$(BIN)/ruff format src tests examples bench docs
	@echo clang-format && $(BIN)/clang-format -i $(SOURCES)

bench: setup
	$(BIN)/python -m bench
	$(BIN)/python -m bench.cliffs
	$(BIN)/python -m bench.workers
	$(BIN)/python -m bench.doubling
	$(BIN)/python -m bench.petri
	$(BIN)/python -m bench.structures
	$(BIN)/python -m bench.symmetry
	$(BIN)/python -m bench.logic

docs: setup
	$(INSTALL) --no-build-isolation -C build-dir=$(MODULE) -e ".[docs]"
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

clean:
	rm -rf .venv build docs/_build
