# Everything sets itself up: a virtual environment in .venv, from pyproject.toml and requirements-dev.txt.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help setup demo test test-slow check format bench clean

help:  ## say what can be made
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/'

setup: .venv/ready  ## create the virtual environment

.venv/ready: pyproject.toml requirements-dev.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[plot]" -r requirements-dev.txt
	touch .venv/ready

demo: setup  ## analyse a real table; prints the relevance of each feature and saves a picture
	$(BIN)/python examples/diabetes_stages.py

test: setup  ## run the tests, doctests included, on two cores
	$(BIN)/python -m pytest -n 2

test-slow: setup  ## run the tests that take minutes
	$(BIN)/python -m pytest -n 2 -m slow

check: setup  ## format, lint, import contracts, types, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(MAKE) test

format: setup  ## put the code in shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup .bench/ready  ## compare the time of a whole fit with fri 9.0.0's, in one run on one core
	$(BIN)/python benchmarks/versus_fri.py --fri-python .bench/bin/python

.bench/ready:
	$(PYTHON) -m venv .bench
	.bench/bin/python -m pip install --quiet --disable-pip-version-check fri==9.0.0 attrs importlib_metadata
	touch .bench/ready

clean:  ## remove what was set up
	rm -rf .venv .bench demo-output
