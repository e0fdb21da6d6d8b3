# Every target sets up what it needs in .venv first; Python 3.10 or later and make are all it asks for.
.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
READY := .venv/ready
EMULATORS := .venv-emulators/ready
JOBS ?= auto
SPARK := integration_tests/tests/spark
export DBT_SEND_ANONYMOUS_USAGE_STATS := false

.PHONY: help demo test emulators spark soak mutants lint readme docs compat precision bench bench-postgres format lock clean

help: ## say what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

$(READY): requirements/dev.txt requirements/data.txt requirements/clickhouse.txt requirements/spark.txt pyproject.toml tools/setup.sh
	@tools/setup.sh

demo: $(READY) ## reprocess sixty days of real flights, safely, and prove it (about a minute)
	@$(BIN)/python demo/run.py

test: $(READY) ## run every test, on a real DuckDB, Postgres, ClickHouse and Spark (JOBS=2 for two at a time)
	@JOBS=$(JOBS) tools/test.sh $(ARGS)

$(EMULATORS): requirements/emulators.txt tools/emulators.sh
	@tools/emulators.sh

emulators: $(EMULATORS) ## install emulators of Snowflake and BigQuery (450 MB); make test then runs what they carry

spark: $(READY) ## run the tests on a real Spark alone: one session for all of them
	$(BIN)/pytest -n 0 $(SPARK) $(ARGS)

lint: $(READY) ## ruff, mypy --strict, the tidy check of the Jinja SQL
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tools/tidy_sql.py

readme: demo ## put what the demo prints into the README
	@$(BIN)/python tools/readme.py

docs: $(READY) ## list in docs/promises.md which tests prove what
	$(BIN)/python tools/promises.py

soak: $(READY) ## a hundred rounds of what is random on Postgres, and five million rows under load (half an hour)
	BACKFILL_SAFETY_ROUNDS=100 $(BIN)/pytest -n $(JOBS) --dist worksteal integration_tests/tests/postgres -k "random or load" $(ARGS)

mutants: $(READY) ## take each guard out of the macros in turn, and show that a test notices
	$(BIN)/python tools/mutants.py $(ARGS)

compat: $(READY) ## run a part of the tests on every dbt from 1.8 on, and the checker's on every Python (half an hour)
	$(BIN)/python tools/compat.py $(ARGS)

precision: $(READY) ## measure the checker's rules against models read by hand (needs their manifests)
	$(BIN)/python python/tests/precision/measure.py $(ARGS)

bench: $(READY) ## measure the operation beside other ways to do the same, into benchmarks/RESULTS.md (half an hour)
	$(BIN)/python benchmarks/run.py $(ARGS)

bench-postgres: $(READY) ## measure the same on Postgres, into benchmarks/POSTGRES.md (ten minutes)
	$(BIN)/python benchmarks/postgres.py $(ARGS)

format: $(READY) ## let ruff format and mend what it can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: ## pin the requirements anew, with hashes (needs uv)
	tools/lock.sh

clean: ## remove .venv and everything that was made
	rm -rf .venv .venv-emulators demo/.work
