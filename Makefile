# Everything sets itself up: a virtual environment in .venv, from pyproject.toml and requirements-dev.txt.
PYTHON ?= python3
BIN := .venv/bin
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1  # of BLAS for each of two workers

.PHONY: help setup demo test test-slow check format docs bench bench-full clean

help:  ## say what can be made
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/'

setup: .venv/ready  ## create the virtual environment

.venv/ready: pyproject.toml setup.py requirements-dev.txt $(wildcard src/relbounds/engine/kernels/c/*)
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[plot,files,explore,notebook,reproduce]" -r requirements-dev.txt
	touch .venv/ready

demo: setup  ## analyse a real table: an answer on the terminal, and a report
	$(BIN)/relbounds demo

test: setup  ## run the tests, doctests included, on two cores
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 --dist worksteal

test-slow: setup  ## run the tests that take minutes
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2 --dist worksteal -m slow

check: setup  ## format, lint, import contracts, types, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(MAKE) test

format: setup  ## put the code in shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: setup  ## build the documentation and run the examples for it; every warning is an error
	$(BIN)/python -m sphinx -W --keep-going -n -E -q -c docs . docs/_build/html
	@echo "Documentation: docs/_build/html/index.html"

bench: setup .bench/ready  ## time fits against fri and others, a version of ten minutes
	$(BIN)/python benchmarks/run.py --quick --out .bench/results.csv
	$(BIN)/python benchmarks/figures.py --results .bench/results.csv --folder .bench/images
	$(BIN)/python benchmarks/table.py --results .bench/results.csv --out .bench/benchmarks.md
	@echo "Tables and figures: .bench/benchmarks.md"

bench-full: setup .bench/ready  ## all of them, which takes hours; fills docs/benchmarks.md
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/figures.py
	$(BIN)/python benchmarks/table.py

.bench/ready: benchmarks/requirements-fri.txt benchmarks/requirements-rivals.txt
	for home in fri rivals; do \
		$(PYTHON) -m venv .bench/$$home && .bench/$$home/bin/python -m pip install --quiet \
			--disable-pip-version-check -r benchmarks/requirements-$$home.txt || exit 1; \
	done
	touch .bench/ready

clean:  ## remove what was set up
	rm -rf .venv .bench demo-output reproduced docs/_build
