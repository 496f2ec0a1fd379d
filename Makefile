# `make help` lists the targets.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
PIP := $(RUN)/python -m pip install --quiet --disable-pip-version-check

# Tests start the commands hundreds of times: what Python compiles is kept, wherever it would be left away.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(RUN)/python -m pytest --numprocesses auto --dist worksteal

# What the translations are compiled to.
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard quarto_pi/words/locale/*/LC_MESSAGES/*.po))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play test check lint bench cafe chain soak mutations pico-evenings power test-power test-kernel fuzz words screens demonstrations pictures \
	ladder empty-board book hardware carrier models netlists power-safety release card test-card pins test-appliance clean \
	to-play to-check to-test to-fuzz

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: to-play ## set up what is missing, then play at a simulated board in the browser
	@$(RUN)/quarto-pi simulate

test: to-test lint ## set up what is missing, then run every test
	$(PYTEST)

check: to-check lint ## the fast inner loop: lint, types, quick tests
	$(PYTEST) -q -x -m "not slow"

bench: to-test ## measure, everything in one run
	$(RUN)/python -m tests.bench

cafe: to-check ## a day at a café: 500 games, the plug pulled again and again, and 500 for the memory
	$(RUN)/python -m tests.cafe

chain: to-test ## boards, broker and hub killed, cut and split over hundreds of games, then a thousand boards at one hub: more than an hour
	$(PYTEST) --campaigns tests/chain_faults
	$(RUN)/python -m tests.chain_faults 40 --jobs "$$(nproc)"
	$(RUN)/python -m tests.chain_faults.matches 200
	$(RUN)/python -m tests.chain_faults.between 20
	$(RUN)/python -m tests.bench chain chain-scale

soak: to-test ## hours of random hands and faults, ten thousand games, five hundred through chips, a million damaged frames
	$(PYTEST) --campaigns
	$(RUN)/python -m tests.soak
	$(RUN)/python -m tests.soak.hands
	$(RUN)/python -m tests.soak.deadlines
	$(RUN)/python -m tests.soak.readers
	$(RUN)/python -m tests.chaos 10000 --direct --jobs "$$(nproc)"
	$(RUN)/python -m tests.chaos 500 20000 --jobs "$$(nproc)"
	$(RUN)/python -m tests.stranger 20 1000
	$(RUN)/python -m tests.pico.soak

mutations: to-test ## plant a hundred faults, one after the other, and see whether the tests find them
	$(RUN)/python -m tests.mutations --jobs "$$(nproc)"

pico-evenings: to-check ## the whole evenings of tests/games on a board with a Pico: more than an hour
	$(RUN)/python -m tests.pico.evenings

test-power: to-check ## cut the power of a virtual machine that keeps games, a dozen times in each mode
	@PYTHON=$(PYTHON) .ci/system-packages power
	$(RUN)/python -m tests.virtual --compare

test-kernel: to-check ## an evening above Debian's own kernel in a virtual machine, with chips behind real device files; needs root
	@PYTHON=$(PYTHON) .ci/system-packages kernel
	$(RUN)/python -m tests.kernel

fuzz: to-fuzz ## look for inputs that break something, two minutes for each kind
	$(RUN)/python -m tests.fuzz

power: to-check ## a thousand evenings in which the power is cut at any moment
	$(RUN)/python -m tests.power 1000 --jobs "$$(nproc)"

words: to-check ## bring the catalogues of translations up to date with the sources
	$(RUN)/python -m tests.words

ladder: to-check ## let every level of the opponent play the one below
	$(RUN)/python -m tests.bench ladder

empty-board: to-check ## work out the empty board by search alone: about a minute
	$(RUN)/python -m tests.bench empty-board

book: to-check ## work the whole opening book out again and compare it: more than an hour
	$(RUN)/quarto-pi book verify

screens: to-check ## draw every screen in every language again, for a look at what has changed
	$(RUN)/python -m tests.screens

demonstrations: to-check ## let the computer play the games again that the board shows while nobody plays
	$(RUN)/python -m tests.screens.demonstrations

pictures: to-test ## take the pictures of the page again, for a look at what has changed
	$(RUN)/python -m tests.browser

hardware: to-test ## make profiles, pin list, diagrams, drawings and tables from hardware/*.toml again
	$(RUN)/python -m hardware

models: to-test ## export the board's wood and plastic as STEP and STL to build/models/
	$(RUN)/python -m hardware models

netlists: to-test ## export every wiring as a netlist for KiCad to build/netlists/
	$(RUN)/python -m hardware netlists

power-safety: to-test ## wrong plugs, shorts and a dead converter at the board's supply, tried in ngspice: two minutes
	$(RUN)/python -m hardware power

# KiCad is there for its own Python only.
carrier: ## have KiCad 9 (Debian 13) judge the circuit boards and their schematics, and write the archives to order them with
	/usr/bin/python3 -m hardware.carrier
	/usr/bin/python3 -m hardware.schematic

lint: to-check
	$(RUN)/ruff check
	$(RUN)/ruff format --check
	$(RUN)/mypy

release: ## pack the committed sources for systemd/install, signed with KEY=FILE: dist/quarto-pi-VERSION-COMMIT.tar.gz
	@systemd/pack dist $(KEY)

card: to-check ## make the card that one flashes: dist/quarto-pi-VERSION.img.xz, and an update signed with KEY=FILE CERT=FILE; needs root
	@PYTHON=$(PYTHON) .ci/system-packages card
	PYTHONPATH=systemd $(RUN)/python -m card_build $(if $(CERT),--cert $(CERT)) $(if $(KEY),--key $(KEY))

test-card: to-check ## make a card, boot it in QEMU and update it; needs root: an hour and more, the first time longer
	@PYTHON=$(PYTHON) .ci/system-packages card
	PYTHONPATH=systemd $(RUN)/python -m tests.flashed

pins: to-check ## pin what the appliance installs anew, with checksums
	@$(PIP) 'uv>=0.5,<1'
	systemd/pin $(RUN)/uv

test-appliance: to-check ## a real systemd installs, runs, breaks and upgrades a simulated board; needs root
	@PYTHON=$(PYTHON) .ci/system-packages appliance
	$(RUN)/python -m tests.appliance

clean: ## remove what was set up
	rm -rf $(CATALOGUES) $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Each says before it begins how much it fetches and fills, and does nothing where all is there.
to-play to-check to-test to-fuzz:
	@PYTHON=$(PYTHON) .ci/set-up $(@:to-%=%)
	@$(MAKE) --silent $(CATALOGUES)

# Translations that have changed are compiled by every target that needs them; nothing is set up anew for that.
$(CATALOGUES): %.mo: %.po quarto_pi/words/compiling.py
	@$(PYTHON) quarto_pi/words/compiling.py $<
