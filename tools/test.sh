#!/bin/sh
# Every test. Spark has one session for all of its tests and leaves half a core idle, so it runs beside the others and is
# heard at the end. With arguments: these tests alone.
set -u
cd "$(dirname "$0")/.."
spark=integration_tests/tests/spark

if [ $# -gt 0 ]; then
    exec .venv/bin/pytest -n "${JOBS:-auto}" --dist worksteal --ignore "$spark" "$@"
fi

# A run makes thousands of databases and throws them away: in memory where it has 4 GB free and lets programs run, since a slow
# disk doubles the time
memory=/dev/shm
room=$(df -Pk "$memory" 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ -z "${TMPDIR:-}" ] && [ "${room:-0}" -gt 4000000 ] && probe=$(mktemp "$memory/XXXXXX" 2>/dev/null); then
    printf '#!/bin/sh\n' >"$probe" && chmod 700 "$probe" && "$probe" 2>/dev/null && export TMPDIR="$memory"
    rm -f "$probe"
fi
scratch=$(mktemp -d)
chmod 711 "$scratch" # root's Postgres runs as nobody
export TMPDIR="$scratch"

trap 'kill "$beside" 2>/dev/null; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
echo "tests: their databases are in $scratch; those on Spark run beside the others, and what they say comes last"
.venv/bin/pytest -n 0 "$spark" >"$scratch/spark.txt" 2>&1 &
beside=$!
.venv/bin/pytest -n "${JOBS:-auto}" --dist worksteal --durations 25 --ignore "$spark"
others=$?
echo "tests: waiting for those on Spark"
wait "$beside"
status=$?
cat "$scratch/spark.txt"
[ "$others" -eq 0 ] && exit "$status"
exit "$others"
