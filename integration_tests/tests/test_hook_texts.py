"""P4: hooks that write how far a job has come are told from those that do no harm, by their text and in a run (BF402)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shop import Shop, own_project

WAREHOUSES = ["duckdb", "postgres"]

WRITE_STATE = [
    "insert into raw.progress select max(order_date) from marts.fct",
    "INSERT INTO raw.progress VALUES ('fct', current_timestamp)",
    "insert overwrite table ops.progress select max(day) from fct",
    "insert ops.progress (job, done_to) select 'fct', max(day) from fct",
    "update raw.progress set done_to = (select max(order_date) from marts.fct)",
    "update raw.progress as p set done_to = (select max(order_date) from marts.fct)",
    "update raw.progress p set done_to = now() where p.job = 'fct'",
    "update only raw.progress * as p set done_to = now()",
    'update "raw"."my progress" set done_to = current_date',
    "update `ops`.`progress` c set c.hi = current_timestamp() where true",
    "update [ops].[my progress] set hi = getdate()",
    "merge into ops.cursors c using (select max(day) as hi from fct) n on c.model = 'fct' when matched then update set c.hi = n.hi",
    "merge ops.cursors as c using n on true when matched then update set hi = current_timestamp()",
    "delete from raw.progress; insert into raw.progress select max(order_date) from marts.fct",
    "-- progress\nbegin;\ndelete ops.progress where job = 'fct'; commit",
    "/* keep */ insert ops.progress values (getdate())",
    "replace into ops.progress select max(day) from fct",
    "alter table ops.progress update done_to = now() where 1",
    "create or replace table raw.progress as select max(order_date) as done_to from marts.fct",
    "create table if not exists raw.progress as select max(order_date) as done_to from marts.fct",
    "drop table if exists raw.progress; create table raw.progress as (select min(order_date) from marts.fct)",
    "create unlogged table raw.progress as with d as (select order_date from marts.fct) select max(order_date) from d",
    "create table raw.progress as select current_date as done_to",
    "create or replace transient table ops.progress as\nselect 'fct' as job, current_timestamp() as at",
    "create table raw.progress as select 'fct' as job, timestamp '2024-03-01 00:00:00' as done_to",
    "create table raw.progress as values ('2024-03-01')",
    "select max(order_date) as done_to into ops.progress from marts.fct",
    "do $$ begin update raw.progress p set done_to = current_date; end $$",
]
HARMLESS = [
    "grant select on marts.fct to readers",
    "grant select, insert, update, delete on marts.fct to writers",
    "alter default privileges in schema marts grant insert on tables to writers",
    "analyze marts.fct",
    "update statistics marts.fct",
    "vacuum marts.fct",
    "optimize table marts.fct",
    "create index if not exists on_day on marts.fct (order_date)",
    "create table if not exists raw.progress (done_to date default current_date)",
    "create table if not exists raw.progress (at timestamp, day date generated always as (cast(at as date)) stored)",
    "create temporary table days as select max(order_date) as day from marts.fct",
    "create or replace temp table days as select current_date as day",
    "create or replace view marts.newest as select max(order_date) as day from marts.fct",
    "create materialized view newest_table as select max(order_date) as day from marts.fct",
    "refresh materialized view marts.newest",
    "create table audit.fct_copy as select * from marts.fct where order_date > '2024-01-01'",
    "comment on table marts.fct is 'insert into raw.progress; update t set max(a) = now()'",
    "comment on column marts.fct.day is 'the day, not the job''s: delete from it'",
    "analyze marts.fct -- then update raw.progress set done_to = now()",
    "/* insert into raw.progress */ analyze marts.fct",
    "create trigger touched before update on marts.fct for each row execute function touch()",
    "alter table marts.notes add foreign key (day) references marts.fct (day) on update set null on delete set null",
    "alter table marts.fct set (autovacuum_enabled = false)",
    "set local statement_timeout = 0",
    "select max(order_date) from marts.fct",
]


def test_texts(shop: Shop) -> None:
    """What writes state and what does not, text by text."""
    texts = [(text, True) for text in WRITE_STATE] + [(text, False) for text in HARMLESS]
    calls = [{"macro": "_writes_state", "arguments": [text]} for text, _ in texts]
    ended = shop.operation("call_macros", calls=calls)
    assert ended.status == 0, ended.printed
    answers = json.loads(ended.printed.strip().splitlines()[-1])
    wrong = [text for (text, writes), answer in zip(texts, answers, strict=True) if answer != writes]
    assert wrong == []


UPDATE = "update raw.progress as p set done_to = (select max(order_date) from {{ this }})"
MAKE = "create table raw.progress2 as select max(order_date) as done_to from {{ this }}"


@pytest.fixture(scope="module", params=[UPDATE, MAKE], ids=["update", "create"])
def hooked(
    built: tuple[Shop, Shop], tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Path:
    """The project in which the post-hook of fct_hooked writes its progress in another way."""
    folder = own_project(built[0].dbt, tmp_path_factory.mktemp("hooked"))
    file = folder / "models/cursors/fct_hooked.sql"
    text = file.read_text()
    old = "insert into raw.progress select max(order_date) from {{ this }}"
    assert old in text
    file.write_text(text.replace(old, request.param))
    return folder


def test_the_run_is_refused(shop: Shop, hooked: Path) -> None:
    """Nothing is written, neither rows nor progress."""
    shop.project = hooked
    before = shop.checksums()
    ended = shop.backfill(
        "fct_hooked", start="2024-03-01", end="2024-03-03", column="order_date", hooks="all"
    )
    assert ended.status == 1
    assert ended.error.startswith(
        "RESTRUCTURE FIRST: nothing was written; BF402: the post-hook of fct_hooked writes a progress value"
    )
    assert shop.checksums() == before
