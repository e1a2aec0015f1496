# Everything needs only Python >= 3.11 and make: each target creates .venv and installs what it needs.
PYTHON ?= python3
EXTRAS ?= dev
VENV   := .venv
BIN    := $(VENV)/bin
JOBS   ?= 3
INPUTS ?= 20000
SECONDS ?= 60
comma  := ,
# One stamp per set of extras: changed pyproject.toml or constraints.txt install again, unchanged ones cost nothing.
stamp   = $(VENV)/.installed-$(subst $(comma),-,$(1))
install = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".$(if $(1),[$(1)])" && touch $(call stamp,$(or $(1),base))

.PHONY: demo test lint format bench calibrate fuzz wheels docs clean help
help:            ## show this list
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/make \1\t\2/' | expand -t 14

demo: $(call stamp,pcfg)  ## set up and run the main job on the bundled data
	$(BIN)/gardenpath demo

# Tests start hundreds of processes: bytecode is kept even where the environment says not to. Three workers use two
# cores well, because some tests wait for servers, browsers and clusters. A worker keeps to
# neighbouring tests, which share their fixtures, and takes from the other one's end when it has done its own.
test: $(call stamp,$(EXTRAS))  ## set up and run the tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

lint: $(call stamp,$(EXTRAS))  ## ruff and mypy
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

format: $(call stamp,$(EXTRAS))  ## let ruff put the code into house style
	$(BIN)/ruff check --fix . && $(BIN)/ruff format .

bench: $(call stamp,bench)  ## measure against the peers, as ratios
	$(BIN)/python -m benchmarks

calibrate: $(call stamp,$(EXTRAS))  ## simulate how well intervals, tests and verdicts keep their promises
	$(BIN)/python -m calibration

fuzz: $(call stamp,$(EXTRAS))  ## attack every reader with mutated inputs: INPUTS and SECONDS for each
	$(BIN)/python -m fuzz --inputs $(INPUTS) --seconds $(SECONDS)

wheels: $(call stamp,$(EXTRAS))  ## do wheels of all dependencies resolve for Python 3.12 to 3.14?
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv && $(BIN)/python tools/check_wheels.py

docs: $(call stamp,docs)  ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet && echo "documentation: site/index.html"

clean:           ## remove everything these targets made
	rm -rf $(VENV) site build dist .hypothesis .mypy_cache .ruff_cache gardenpath-demo

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "gardenpath needs Python 3.11 or later: make PYTHON=python3.11 …"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed-%: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(call install,$(subst -,$(comma),$*))
