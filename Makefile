# Two commands for a fresh machine: make demo, make test. Both set up what they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
JOBS ?= 3
MINUTES ?= 10
SEED ?= 0

.PHONY: demo test format lint types tests browser bench fuzz docs lock clean

demo: $(READY)
	@rm -rf build/demo && mkdir -p build/demo
	@$(BIN)/kingmaker paper demo --scale 1 --results build/demo --report build/demo/papers.html
	@echo "This was a slice of every paper, with small budgets. The last line names the report, to be opened in a browser."

test: format lint types tests

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "kingmaker needs Python 3.11 or newer; try make PYTHON=python3.11"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

format: $(READY)
	$(BIN)/ruff format --check .

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

tests: $(READY) browser
	$(BIN)/pytest -n $(JOBS) --dist loadfile

browser:
	@command -v chromium >/dev/null || { apt-get update && apt-get install --yes --no-install-recommends chromium; } >/dev/null 2>&1 && command -v chromium >/dev/null || echo "no chromium, and it cannot be installed here; the tests in a browser are skipped"

bench: $(READY)
	$(BIN)/python -m bench

fuzz: $(READY)
	$(BIN)/python -m bench.fuzz --minutes $(MINUTES) --seed $(SEED)

docs: $(READY)
	$(BIN)/python docs/draw_rooms.py
	$(BIN)/python docs/write_api.py

lock: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --no-header --generate-hashes --python-version 3.11 --extra dev pyproject.toml --output-file requirements.lock

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
