# Everything starts here: `make help`. The recipes are short on purpose; the work is in tools/.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
# Compiled modules are kept: many tests start a program, and each start would compile all of ours.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL := help
.PHONY: help run-env dev-env bench-env demo up test test-all test-fast pythons soak bench bench-suite lint format messages permissions hooks coverage lock doctor env pin backup restore sbom vulnerabilities wheels clean

PYTHON := .venv/bin/python
ARGS ?=

help:  ## show these lines
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' Makefile | expand -t 14

run-env:
	@tools/bootstrap.sh run

dev-env:
	@tools/bootstrap.sh dev

bench-env:
	@tools/bootstrap.sh bench || echo "bench: requirements/bench.lock could not be installed; its rows will say so" >&2

demo: run-env  ## a whole arena with the house bots playing on it; ARGS=--help shows what it takes
	@exec $(PYTHON) -m tools.demo $(ARGS)

up: run-env  ## a whole site on this machine, without bots; ARGS=--help shows what it takes
	@exec $(PYTHON) -m arena up --data var/site $(ARGS)

test: dev-env  ## the gate: what each change must pass, on real services that are found, or installed, and started
	@exec $(PYTHON) -m tools.services run -- $(PYTHON) -m tools.gate $(ARGS)

test-all: dev-env  ## the gate and every other test: slow ones, containers, SQLite, browsers, whole stacks
	@exec $(PYTHON) -m tools.services run -- $(PYTHON) -m tools.gate --all $(ARGS)

test-fast: dev-env  ## the unit tests, which need no service
	@exec $(PYTHON) -m tools.gate --only unit

pythons: dev-env  ## the unit tests under another Python: ARGS='--python 3.12'; without, 3.13
	@exec $(PYTHON) -m tools.pythons $(ARGS)

soak: dev-env  ## long runs with fresh seeds, amid the services; ARGS=--help shows what it takes
	@exec $(PYTHON) -m tools.services run -- $(PYTHON) -m tests.soak $(ARGS)

bench: run-env bench-env  ## how fast it is, side by side with others; ARGS=--help shows what it takes
	@exec .venv-bench/bin/python -m benchmarks $(ARGS)

bench-suite: dev-env bench-env  ## the engine's tests against the compiled wheel
	@benchmarks/suite.sh $(ARGS)

coverage: dev-env  ## how much of the lines and branches the tests run through
	@rm -f .coverage .coverage.*
	@PYTEST_ADDOPTS="--cov --cov-append --cov-report=" $(PYTHON) -m tools.services run -- $(PYTHON) -m tools.gate --all --only tests $(ARGS); status=$$?; \
	$(PYTHON) -m coverage report; \
	$(PYTHON) -m coverage json -q -o - | $(PYTHON) -c 'import json, sys; print("lines {percent_statements_covered:.2f} %, branches {percent_branches_covered:.2f} %".format_map(json.load(sys.stdin)["totals"]))'; \
	exit $$status

lint: dev-env  ## formatting, lint, types, import contracts, templates, prose
	@exec $(PYTHON) -m tools.gate --only static

format: dev-env  ## rewrite what can be rewritten
	@$(PYTHON) -m ruff format . && $(PYTHON) -m ruff check --fix .

messages: dev-env  ## collect the texts of the site for translators
	@exec $(PYTHON) -m tools.messages

permissions: dev-env  ## write the table of who may do what anew, to read its difference
	@exec $(PYTHON) -m tests.permissions

hooks: dev-env  ## let git check what is committed and pushed
	@.venv/bin/pre-commit install

lock: dev-env  ## work the lock files out again from pyproject.toml
	@tools/lock.sh $(ARGS)

doctor: run-env  ## what this machine can and cannot contain
	@exec $(PYTHON) -m sandbox doctor

env:  ## write .env with fresh secrets for compose.yaml, or add the missing ones
	@tools/env.sh

pin:  ## write the digests of the images of compose.yaml to .env
	@tools/pin.sh

backup: run-env  ## write database, keys and .env to a folder in backups; ARGS=--help shows what it takes
	@exec $(PYTHON) -m tools.backup make $(ARGS)

restore: run-env  ## make a site from a backup: ARGS=backups/FOLDER
	@exec $(PYTHON) -m tools.backup restore $(ARGS)

wheels: run-env  ## build what authors of bots install, in dist
	@exec $(PYTHON) -m arena.wheels dist

sbom: dev-env  ## list the packages of the site in var/sbom.json (CycloneDX)
	@.venv/bin/cyclonedx-py requirements requirements/run.lock --pyproject pyproject.toml --output-reproducible -o var/sbom.json
	@echo "sbom: wrote var/sbom.json"

vulnerabilities: run-env  ## look the locked packages up in the OSV files that DRAPEAU_OSV names
	@exec $(PYTHON) -m tools.vulnerabilities

clean:  ## remove what was made here: environment, caches, demo data
	@rm -rf .venv .venv-bench var build dist ./*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .coverage.*
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
