"""A large table that others write to and read all the time: the backfill ends right, and nobody waits for it.

Half a million rows with the tests; five million with `make soak`.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from pg_shop import ROUNDS, Shop

HERE = Path(__file__).parent
ROWS = 5_000_000 if ROUNDS >= 100 else 500_000  # a soak asks for more of both
DAYS = 50  # from 2020-01-01 on; the first thirty are reprocessed, the load works on the others
WINDOW: dict[str, Any] = {
    "start": "2020-01-01",
    "end": "2020-01-31",
    "column": "event_ts",
    "grain": "day",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "loaded",
}
INSIDE = "event_ts >= timestamp '2020-01-01' and event_ts < timestamp '2020-01-31'"
OUTSIDE = "event_ts >= timestamp '2020-01-31' and event_ts < timestamp '2021-01-01'"


def test_under_load(shop: Shop) -> None:
    """Two workers beside four clients of pgbench: equal to the source, no write of the load lost or failed, none kept waiting."""
    shop.sql(f"""
        insert into raw.events
        select 1000000 + i, timestamp '2020-01-01' + i * (interval '{DAYS} days' / {ROWS}), i % 1000, 'DE'
        from generate_series(0, {ROWS} - 1) as i;
        insert into marts.fct_append
        select event_id, event_ts, amount + case when {INSIDE} then 7 else 0 end, country from raw.events where event_id >= 1000000;
        create index on raw.events (event_ts);
        create index on marts.fct_append (event_ts);
        analyze raw.events, marts.fct_append
    """)
    outside = shop.value(f"select sum(amount) from marts.fct_append where {OUTSIDE}")
    earlier = shop.rows("fct_append", "event_ts >= timestamp '2021-01-01' or event_ts is null")
    workers = [shop.begin_backfill("fct_append", worker=name, **WINDOW) for name in ("w1", "w2")]
    done, waits = 0, []
    while any(running.is_running() for running in workers):
        processed, seen = load(shop)
        done, waits = done + processed, waits + seen
    ends = [running.ended() for running in workers]
    assert [ended.status for ended in ends] == [0, 0], ends[0].printed + ends[1].printed
    assert done > 0
    assert {kind for (kind,) in waits} <= {
        "extend"
    }  # held while a file grows by some pages, by any two that insert
    differing = f"""
        select event_id, event_ts, amount, country from raw.events where {INSIDE}
        except all select event_id, event_ts, amount, country from marts.fct_append where {INSIDE}
    """
    assert shop.value(f"select count(*) from ({differing}) as d") == 0
    assert shop.value(f"select count(*) from marts.fct_append where {INSIDE}") == shop.value(
        f"select count(*) from raw.events where {INSIDE}"
    )
    assert shop.value(f"select sum(amount) from marts.fct_append where {OUTSIDE}") == outside + done
    assert shop.value("select count(*) from marts.fct_append where event_id < 0") == done
    assert shop.rows("fct_append", "event_ts >= timestamp '2021-01-01' or event_ts is null") == earlier


def load(shop: Shop) -> tuple[int, list[tuple[Any, ...]]]:
    """Three seconds of load: how many transactions it has done, and how often one was seen to wait for a backfill."""
    command = [str(shop.server.installed / "bin" / "pgbench"), "-h", "127.0.0.1", "-p", str(shop.server.port)]
    command += ["-U", "shop", "-n", "-c", "4", "-T", "3", "-L", "1000", "-f", str(HERE / "load.sql"), "shop"]
    waits: list[tuple[Any, ...]] = []
    pgbench = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while pgbench.poll() is None:
        waits += shop.sql("""
            select wanted.locktype from pg_stat_activity as load
            join pg_stat_activity as backfill on backfill.pid = any (pg_blocking_pids(load.pid))
            join pg_locks as wanted on wanted.pid = load.pid and not wanted.granted
            where load.application_name = 'pgbench' and backfill.application_name = 'dbt'
        """)
    assert pgbench.stdout
    with pgbench.stdout as output:
        printed = output.read()
    print(printed)
    assert pgbench.returncode == 0, printed
    assert "number of failed transactions: 0 " in printed, printed
    found = re.search(r"number of transactions actually processed: (\d+)", printed)
    assert found, printed
    return int(found[1]), waits
