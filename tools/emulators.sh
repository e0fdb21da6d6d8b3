#!/bin/sh
# Makes .venv-emulators, an environment of its own: the emulators are built on an older DuckDB and sqlglot. Needs Python 3.11 or later.
set -eu
cd "$(dirname "$0")/.."

for python in ${PYTHON:-python3.11 python3.12 python3.13 python3}; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        found=$python
        break
    fi
done
if [ -z "${found:-}" ]; then
    echo "emulators: no Python 3.11 or later found, so what runs on the emulators will be skipped" >&2
    exit 0
fi

echo "emulators: installing $(grep -c '^[a-z]' requirements/emulators.txt) pinned packages into .venv-emulators (400 MB)"
"$found" -m venv .venv-emulators
.venv-emulators/bin/python -m pip --disable-pip-version-check install -qq --no-deps --require-hashes -r requirements/emulators.txt
touch .venv-emulators/ready
