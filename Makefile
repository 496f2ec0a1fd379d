# `make help` lists the targets.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
PIP := $(RUN)/python -m pip install --quiet --disable-pip-version-check

# Whatever changes what has to be installed or compiled.
SOURCES_OF_SETUP := pyproject.toml setup.py Makefile .ci/system-packages \
	quarto_pi/engine/kernel.py quarto_pi/engine/kernel.pxd tests/pico/micropython.py

# Tests start the commands hundreds of times: what Python compiles is kept, wherever it would be left away.
PYTEST := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CURDIR)/build/pycache \
	$(RUN)/python -m pytest --numprocesses auto --dist worksteal

# What the translations are compiled to.
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard quarto_pi/words/locale/*/LC_MESSAGES/*.po))

# mfrc522 asks for RPi.GPIO by name, which only a Pi can use; the simulation stands in for it.
LIST_WITHOUT_DEPENDENCIES := $(RUN)/python -c 'import tomllib; \
	print(*tomllib.load(open("pyproject.toml", "rb"))["tool"]["quarto-pi"]["without-dependencies"])'

.DEFAULT_GOAL := help
.PHONY: help play test check lint bench cafe soak mutations pico-evenings power test-power fuzz words screens demonstrations pictures \
	ladder empty-board book hardware carrier models netlists release pins test-appliance clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/ready-to-play ## set up what is missing, then play at a simulated board in the browser
	@$(RUN)/quarto-pi simulate

test: $(VENV)/ready-to-test lint ## set up what is missing, then run every test
	$(PYTEST)

check: $(VENV)/ready-to-test lint ## the fast inner loop: lint, types, quick tests
	$(PYTEST) -q -x -m "not slow"

bench: $(VENV)/ready-to-test ## measure, everything in one run
	$(RUN)/python -m tests.bench

cafe: $(VENV)/ready-to-test ## a day at a café: 500 games, the plug pulled again and again, and 500 for the memory
	$(RUN)/python -m tests.cafe

soak: $(VENV)/ready-to-test ## hours of random hands and faults, ten thousand games, five hundred through chips, a million damaged frames
	$(PYTEST) --campaigns
	$(RUN)/python -m tests.soak
	$(RUN)/python -m tests.soak.hands
	$(RUN)/python -m tests.soak.deadlines
	$(RUN)/python -m tests.soak.readers
	$(RUN)/python -m tests.chaos 10000 --direct --jobs "$$(nproc)"
	$(RUN)/python -m tests.chaos 500 20000 --jobs "$$(nproc)"
	$(RUN)/python -m tests.pico.soak

mutations: $(VENV)/ready-to-test ## plant a hundred faults, one after the other, and see whether the tests find them
	$(RUN)/python -m tests.mutations --jobs "$$(nproc)"

pico-evenings: $(VENV)/ready-to-test ## the whole evenings of tests/games on a board with a Pico: more than an hour
	$(RUN)/python -m tests.pico.evenings

test-power: $(VENV)/ready-to-test ## cut the power of a virtual machine that keeps games, a dozen times in each mode
	@PYTHON=$(PYTHON) .ci/system-packages power
	$(RUN)/python -m tests.virtual --compare

fuzz: $(VENV)/ready-to-fuzz ## look for inputs that break something, two minutes for each kind
	$(RUN)/python -m tests.fuzz

power: $(VENV)/ready-to-test ## a thousand evenings in which the power is cut at any moment
	$(RUN)/python -m tests.power 1000 --jobs "$$(nproc)"

words: $(VENV)/ready-to-test ## bring the catalogues of translations up to date with the sources
	$(RUN)/python -m tests.words

ladder: $(VENV)/ready-to-test ## let every level of the opponent play the one below
	$(RUN)/python -m tests.bench ladder

empty-board: $(VENV)/ready-to-test ## work out the empty board by search alone: about a minute
	$(RUN)/python -m tests.bench empty-board

book: $(VENV)/ready-to-test ## work the whole opening book out again and compare it: more than an hour
	$(RUN)/quarto-pi book verify

screens: $(VENV)/ready-to-test ## draw every screen in every language again, for a look at what has changed
	$(RUN)/python -m tests.screens

demonstrations: $(VENV)/ready-to-test ## let the computer play the games again that the board shows while nobody plays
	$(RUN)/python -m tests.screens.demonstrations

pictures: $(VENV)/ready-to-test ## take the pictures of the page again, for a look at what has changed
	$(RUN)/python -m tests.browser

hardware: $(VENV)/ready-to-test ## make profiles, pin list, diagrams, drawings and tables from hardware/*.toml again
	$(RUN)/python -m hardware

models: $(VENV)/ready-to-test ## export the board's wood and plastic as STEP and STL to build/models/
	$(RUN)/python -m hardware models

netlists: $(VENV)/ready-to-test ## export every wiring as a netlist for KiCad to build/netlists/
	$(RUN)/python -m hardware netlists

# KiCad is there for its own Python only.
carrier: ## have KiCad 9 (Debian 13) judge the circuit boards, and write the archives to order them with
	/usr/bin/python3 -m hardware.carrier

lint: $(VENV)/ready-to-test
	$(RUN)/ruff check
	$(RUN)/ruff format --check
	$(RUN)/mypy

release: ## pack the committed sources for systemd/install: dist/quarto-pi-VERSION-COMMIT.tar.gz
	@systemd/pack dist

pins: $(VENV)/ready-to-test ## pin what the appliance installs anew, with checksums
	@$(PIP) 'uv>=0.5,<1'
	systemd/pin $(RUN)/uv

test-appliance: $(VENV)/ready-to-test ## a real systemd installs, runs, breaks and upgrades a simulated board; needs root
	@PYTHON=$(PYTHON) .ci/system-packages appliance
	$(RUN)/python -m tests.appliance

clean: ## remove what was set up
	rm -rf $(CATALOGUES) $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(CATALOGUES): %.mo: %.po quarto_pi/words/compiling.py
	@$(PYTHON) quarto_pi/words/compiling.py $<

# Translations that have changed are compiled by every target that needs them; nothing is set up anew for that.
$(VENV)/ready-to-play: $(SOURCES_OF_SETUP) | $(CATALOGUES)
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
		echo "quarto-pi needs Python 3.11 to 3.13, and '$(PYTHON)' is another: name one with make PYTHON=python3.11" >&2; exit 1; }
	@PYTHON=$(PYTHON) .ci/system-packages play
	@echo "Making the virtual environment $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing quarto-pi into it"
	@$(PIP) --editable '.[simulation]'
	@$(LIST_WITHOUT_DEPENDENCIES) | xargs $(PIP) --no-deps
	@touch $@

$(VENV)/ready-to-test: $(VENV)/ready-to-play
	@PYTHON=$(PYTHON) .ci/system-packages test
	@echo "Installing the test tools into $(VENV)"
	@$(PIP) --editable '.[simulation,node,firmware,test,hardware]'
	@echo "Fetching the MicroPython that the Pico's firmware is tested on"
	@$(RUN)/python -m tests.pico.micropython
	@touch $@

$(VENV)/ready-to-fuzz: $(VENV)/ready-to-test
	@echo "Installing the fuzzer into $(VENV)"
	@$(PIP) --editable '.[fuzz]'
	@touch $@
