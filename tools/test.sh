#!/bin/sh
# Every test. Spark has one session for all of its tests and leaves half a core idle, so it runs beside the others and is
# heard at the end. With arguments: these tests alone.
set -u
cd "$(dirname "$0")/.."
spark=integration_tests/tests/spark

if [ $# -gt 0 ]; then
    exec .venv/bin/pytest -n "${JOBS:-auto}" --dist worksteal --ignore "$spark" "$@"
fi

said=$(mktemp)
trap 'kill "$beside" 2>/dev/null; rm -f "$said"' EXIT
trap 'exit 130' INT TERM
echo "tests: those on Spark run beside the others; what they say comes last"
.venv/bin/pytest -n 0 "$spark" >"$said" 2>&1 &
beside=$!
.venv/bin/pytest -n "${JOBS:-auto}" --dist worksteal --durations 25 --ignore "$spark"
others=$?
echo "tests: waiting for those on Spark"
wait "$beside"
status=$?
cat "$said"
[ "$others" -eq 0 ] && exit "$status"
exit "$others"
