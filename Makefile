# Every target works in .venv at the project's root and brings it up to date first.
PYTHON ?= python3
BIN    := .venv/bin
comma  := ,
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

.PHONY: setup demo test native-test workers soak coverage fuzz sanitize races check format bench docs clean

setup: .venv/ready

.venv/ready: pyproject.toml $(NATIVE)
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.18" ninja
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

# The tests of the engine with two and four workers in every run that does not say how many, from its first states on; then with threads
# that run functions before their turn, whatever Python it is.
WORKERS_TESTS ?= tests/native tests/engines tests/golden tests/processes tests/queries

workers: setup
	SWEEPCHECK_WORKERS=2 $(BIN)/pytest -n auto $(WORKERS_TESTS)
	SWEEPCHECK_WORKERS=4 $(BIN)/pytest -n auto $(WORKERS_TESTS)
	SWEEPCHECK_WORKERS=2 SWEEPCHECK_REHEARSED=1 $(BIN)/pytest -n auto $(WORKERS_TESTS)

# Runs that are killed at random moments, KILLS of them, and gone on with: they come to the same. So do those whose files were
# spoilt, SPOILT of them, unless that is told. MODELS random models come to the same with any number of workers, and where tables are
# emptied again and again.
KILLS ?= 100
MODELS ?= 1000
SPOILT ?= 10000

soak: setup
	$(BIN)/python tests/soak/kill_and_resume.py $(KILLS)
	$(BIN)/python tests/soak/spoil_checkpoints.py $(SPOILT)
	$(BIN)/python tests/soak/random_workers.py $(MODELS)
	$(BIN)/python tests/soak/emptied_tables.py $(MODELS)
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

# A second build of the engine's unit tests and of the module, in build/$(1) and with flags that watch what they do; the module that is
# installed is left alone. $(call with_package,...) runs Python with it.
define build_watched
	@$(CMAKE) -S . -B build/$(1) -DSWEEPCHECK_TESTS=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O1 -fno-omit-frame-pointer -g $(2)" \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python >/dev/null
	@$(CMAKE) --build build/$(1) --target all native_tests --parallel >/dev/null
	@rm -rf build/$(1)/package && mkdir build/$(1)/package
	@cp -rs $(CURDIR)/src/sweepcheck build/$(1)/package/ && cp build/$(1)/_core*.so build/$(1)/package/sweepcheck/
endef
preload      = $(foreach name,$(1),$(shell $(CXX) -print-file-name=lib$(name).so))
with_package = PYTHONPATH=$(CURDIR)/native/tests/sanitized:$(CURDIR)/build/$(1)/package LD_PRELOAD="$(call preload,$(2))" SWEEPCHECK_SANITIZED=1

# The unit tests of the engine and all Python tests, with every access to memory watched. Leaks are not looked for: the interpreter keeps
# much to its end. The unit tests draw more cases than usual.
SANITIZED_TESTS ?= tests

sanitize: setup
	$(call build_watched,sanitize,-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined)
	SWEEPCHECK_EXAMPLES=4 $(CTEST) --test-dir build/sanitize --output-on-failure --parallel 2
	$(call with_package,sanitize,asan ubsan stdc++) ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 \
	  $(BIN)/pytest -n auto -p no:cacheprovider $(SANITIZED_TESTS)

# The same with every access to memory that two threads share watched, and two workers in every run. The test of memory is left out: it
# measures what the watching takes. Programs have to lie where they always do.
RACES_TESTS ?= tests/native

races: setup
	$(call build_watched,races,-fsanitize=thread)
	setarch -R env $(CTEST) --test-dir build/races --output-on-failure --parallel 2 --exclude-regex '^memory$$'
	setarch -R env SWEEPCHECK_WORKERS=2 TSAN_OPTIONS=suppressions=$(CURDIR)/native/tests/sanitized/races.txt \
	  $(call with_package,races,tsan) $(BIN)/pytest -n auto -p no:cacheprovider $(RACES_TESTS)

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
