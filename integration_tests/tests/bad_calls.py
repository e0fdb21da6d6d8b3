"""Bad calls and the one line that each is answered with."""

from __future__ import annotations

from typing import Any

Call = tuple[str, dict[str, Any], str]

DAY = {"model": "fct_daily", "column": "order_date", "start": "2024-03-01", "end": "2024-03-03"}
SELECT = "; write one select that gives the rows that must not be there, such as select * from {target} where {unit} and amount < 0"
CLOSED = "expect: sql is not closed in itself (a bracket, a quote, a semicolon or a comment)" + SELECT
FAR = "lies outside of the years 1000 to 9000; write where the rows begin or end"
ARGUMENTS = (
    "model, version, start, end, through, values, column, grain, timezone, column_format, branch, vars, inputs, read, where, "
    "skip_units, mode, replace_by, only_changed, order, units_per_commit, seconds_per_commit, limits, pause_seconds, live, "
    "expect, hooks, backup, cascade, accept, reason, dry_run, format, run_id, worker"
)

BLOCKS = "BF105, BF110, BF204, BF211, BF212, BF213, BF304, BF305, BF401, BF402, BF404, BF503, BF505, BF602, BF603, BF604, BF606"


def day(message: str, /, **changed: Any) -> Call:
    """A backfill of fct_daily with some arguments changed, or left out where None."""
    return ("safe_backfill", {k: v for k, v in (DAY | changed).items() if v is not None}, message)


def call(message: str, /, operation: str = "safe_backfill", **arguments: Any) -> Call:
    """Any operation."""
    return (operation, arguments, message)


WORDS = [
    day(f"unknown argument 'modle'; write one of: {ARGUMENTS}", modle="x"),
    day("model is missing; write --args '{model: …, start: …, end: …}'", model=None),
    day("no model 'zzz' in this project; dbt ls shows the names", model="zzz"),
    day(
        "no model 'tbl_dayly' in this project; did you mean tbl_daily",
        model="tbl_dayly",
    ),
    day("no model 'fct_dayly' in this project; did you mean fct_daily", model="fct_dayly"),
    day(
        "no model 'shop.fct_batch' in this project; did you mean fct_batch_day, fct_batch_month",
        model="shop.fct_batch",
    ),
    day("fct_versioned has no version 3; write version: 1 or 2", model="fct_versioned", version=3),
    day("fct_daily has no versions; leave version out", version=1),
    day("start must be a date, a timestamp or an integer, not the list ['2024-01-01']", start=["2024-01-01"]),
    day("dry_run must be a flag, not the text yes", dry_run="yes"),
    day("skip_units must be a list, not the text 2024-03-01", skip_units="2024-03-01"),
    day("limits must be a mapping, not the number 3", limits=3),
    day("limits knows no 'row'; write one of: units, rows, bytes, minutes", limits={"row": 3}),
    day("limits: units must be a number above 0, not 0", limits={"units": 0}),
    day(
        "expect knows no 'shrink'; write one of: max_shrink, allow_empty, keep_missing, unique, not_null, sql",
        expect={"shrink": 1},
    ),
    day("expect: max_shrink is a share from 0 to 1, not 5; write 0.05 for 5 %", expect={"max_shrink": 5}),
    day("expect: allow_empty must be true or false, not perhaps", expect={"allow_empty": "perhaps"}),
    day(
        "expect: unique names 'id', which is no column of the target; write one of order_date, country, orders, amount",
        expect={"unique": "id"},
    ),
    call(
        "expect: keep_missing needs a unique_key of columns to tell rows apart; tbl_daily has none",
        model="tbl_daily",
        column="order_date",
        start="2024-03-01",
        end="2024-03-03",
        expect={"keep_missing": True},
    ),
    day("order must be one of ascending, descending, not 'newest'", order="newest"),
    day("branch must be one of first, live, not 'second'", branch="second"),
    day("read must be one of auto, per_unit, once, not 'twice'", read="twice"),
    day("hooks must be one of none, pre, post, all, not 'some'", hooks="some"),
    day("format must be one of table, json, not 'xml'", format="xml"),
    day("live must be one of running, paused, not 'off'", live="off"),
    day("units_per_commit must be a whole number from 1 or auto, not '0'", units_per_commit=0),
    day("units_per_commit must be a whole number from 1 or auto, not 'many'", units_per_commit="many"),
    day("pause_seconds must not be negative, and is -1", pause_seconds=-1),
    day(
        "accept takes {CODE: reason}, such as {BF304: schedule is paused}, not {BF404:  }",
        accept={"BF404": " "},
    ),
    day(f"accept knows no 'BF999'; write one of: {BLOCKS}", accept={"BF999": "there is none"}),
    day(
        f"accept knows no 'BF209'; write one of: {BLOCKS}",
        accept={"BF304": "paused", "BF209": "only a warning"},
    ),
    day(f"accept knows no '304'; write one of: {BLOCKS}", accept={304: "paused"}),
    day(
        "run_id 'My Run' must be 1 to 32 small letters, digits or underscores, beginning with a letter",
        run_id="My Run",
    ),
    day("replace_by must be one of delete+insert on duckdb, not 'merge'", replace_by="merge"),
    day("mode: staged is not available in this version; leave mode out", mode="staged"),
    day("only_changed: true is not available in this version; leave only_changed out", only_changed=True),
    day("cascade: downstream is not available in this version; leave cascade out", cascade="downstream"),
]

WINDOWS = [
    day("start is missing; write the first point of the window, such as start: 2024-01-01", start=None),
    day("end is missing; write end: (not included) or through: (included)", end=None),
    day(
        "end and through exclude each other; write end: (not included) or through: (included)",
        through="2024-03-02",
    ),
    day("start 'yesterday' is not a date; write it as 2024-01-31 or 2024-01-31 13:00:00", start="yesterday"),
    day("start '2024-02-30' is not a day of the calendar; write it as 2024-01-31", start="2024-02-30"),
    day("end 2024-03-01 is not after start 2024-03-01; the window is [start, end)", end="2024-03-01"),
    day("end 2024-02-01 is not after start 2024-03-01; the window is [start, end)", end="2024-02-01"),
    day(
        "the window 2024-03-01 to 2024-03-03 cuts a week; write start: 2024-02-26, end: 2024-03-04",
        grain="week",
    ),
    day(
        "the window 2024-03-01 to 2024-03-03 cuts a month; write start: 2024-03-01, end: 2024-04-01",
        grain="month",
    ),
    day(
        "the window 2024-03-01 to 2024-03-02 23:59:59 cuts a day; write start: 2024-03-01, end: 2024-03-03",
        end=None,
        through="2024-03-02 23:59:59",
    ),
    day(
        "the window 2024-03-01 06:00:00 to 2024-03-03 cuts a day; write start: 2024-03-01, end: 2024-03-03",
        start="2024-03-01 06:00:00",
    ),
    day("order_date is a date and cannot be cut into hours; write grain: day", grain="hour"),
    day(
        "grain must be one of hour, day, week, month, quarter, year for order_date (date), not 'minute'",
        grain="minute",
    ),
    day("grain: value needs the list of them; write values: [...] instead of start and end", grain="value"),
    day("values and start exclude each other; leave one out", values=["2024-03-01"]),
    day(
        "values is empty; write at least one value of country",
        column="country",
        values=[],
        start=None,
        end=None,
    ),
    call(
        "values holds '7' twice; write it once",
        model="fct_ranges",
        column="event_id",
        values=[7, "007"],
    ),
    day(
        "values holds 'DE' twice; write it once", column="country", values=["DE", "DE"], start=None, end=None
    ),
    day(
        "values holds None, which is no single value; rows without country belong to no unit",
        column="country",
        values=[None],
        start=None,
        end=None,
    ),
    day("timezone 'Berlin' is no IANA name; write one such as Europe/Berlin or UTC", timezone="Berlin"),
    day(
        '"shop"."marts"."fct_daily" has no column \'day\'; write column: with one of order_date, country, orders, amount',
        column="day",
    ),
    day(
        "column is missing: fct_daily has no meta.backfill_safety.column, event_time or single partition_by; write column: with one of "
        "order_date, country, orders, amount",
        column=None,
    ),
    day(
        'the partition column country is of type VARCHAR; write values: [...], or column_format: "%Y-%m-%d" where it holds dates',
        column="country",
    ),
    day(
        "column_format '%d.%m.%Y' does not sort as dates do; write year before month before day, such as %Y%m%d or %Y-%m-%d",
        column_format="%d.%m.%Y",
    ),
    day(
        "column_format '%Y%m%d' does not suit order_date of type DATE; leave column_format out",
        column_format="%Y%m%d",
    ),
    call(
        'the partition column event_id is an integer; write grain: with the width of a unit (grain: 1000), or column_format: "%Y%m%d" '
        "where it holds dates",
        model="fct_ranges",
        column="event_id",
        start=0,
        end=10,
    ),
    call(
        "start '2024-01-01' is not an integer; the partition column is one, so write 0 or 1000",
        model="fct_ranges",
        column="event_id",
        grain=10,
        start="2024-01-01",
        end=10,
    ),
    call(
        "the window 5 to 100 cuts a range of 10; write start: 0, end: 100",
        model="fct_ranges",
        column="event_id",
        grain=10,
        start=5,
        end=100,
    ),
    day(f"end '9999-12-31' {FAR}", end="9999-12-31"),
    day(f"end '9999-12-31' {FAR}", end="9999-12-31", start="2024-01-01", grain="month"),
    day(f"end '9999-12-31T00:00:00-08:00' {FAR}", end="9999-12-31T00:00:00-08:00"),
    day(f"start '0999-12-31' {FAR}", start="0999-12-31"),
    day(f"skip_units '9999-12-31' {FAR}", skip_units=["9999-12-31"]),
    day(
        "the window 2024-01-01 to 9000-01-01 has about 2,547,932 days and the limit is 1,000; "
        "write an end nearer to the start, or a coarser grain",
        start="2024-01-01",
        end="9000-01-01",
    ),
    call(
        "the window 0 to 100000000000000000 has about 100,000,000,000,000 ranges and the limit is 1,000; "
        "write an end nearer to the start, or a coarser grain",
        model="fct_ranges",
        column="event_id",
        grain=1000,
        start=0,
        end=10**17,
    ),
    day(
        "skip_units names '2024-05-01', which is no unit of the window; write the start of one, such as 2024-03-01",
        skip_units=["2024-05-01"],
    ),
    day("skip_units leaves no unit of the window; leave it out", skip_units=["2024-03-01", "2024-03-02"]),
    day(
        "run_id 'earlier' is a run of model.shop.fct_daily from 2024-01-01 to 2024-01-03 by day; give its own window, or another run_id",
        run_id="earlier",
    ),
    day(
        "run_id 'earlier' is done; leave run_id out for a new run",
        run_id="earlier",
        start="2024-01-01",
        end="2024-01-03",
    ),
]

INPUTS = [
    day("inputs must be a mapping or event_time, not 'all'", inputs="all"),
    call(
        "inputs: event_time bounds nothing: no parent of fct_of_old_source declares an event_time; "
        "name a column instead: inputs: {raw.kept_events: column}",
        model="fct_of_old_source",
        column="order_date",
        start="2024-03-01",
        end="2024-03-03",
        inputs="event_time",
    ),
    day(
        "inputs names 'stg_orders', which fct_daily does not read; write one of stg_events",
        inputs={"stg_orders": "x"},
    ),
    day(
        "inputs: stg_events has no column 'day'; write one of event_id, customer_id, tenant, event_ts, loaded_at, amount, country",
        inputs={"stg_events": "day"},
    ),
    day(
        "inputs: stg_events knows no 'back'; write column, lookback, lookahead or column_format",
        inputs={"stg_events": {"column": "event_ts", "back": 3}},
    ),
    day(
        "inputs: stg_events lookback '3' is not a span; write '3 days', '6 hours', '30 minutes' or '1 week'",
        inputs={"stg_events": {"column": "event_ts", "lookback": 3}},
    ),
    *(
        day(
            f"inputs: stg_events lookback '{span}' is longer than 100 years; leave this parent out of inputs to read all of it",
            inputs={"stg_events": {"column": "event_ts", "lookback": span}},
        )
        for span in ("99999999 weeks", "110000 weeks")
    ),
    call(
        "inputs: stg_events lookback '3 days' is not an integer; the partition column is one, so write 0 or 1000",
        model="fct_ranges",
        column="event_id",
        grain=10,
        start=0,
        end=10,
        inputs={"stg_events": {"column": "event_id", "lookback": "3 days"}},
    ),
    day(
        "inputs: stg_events column_format '%Y%m%d' does not suit event_ts of type TIMESTAMP; leave column_format out",
        inputs={"stg_events": {"column": "event_ts", "column_format": "%Y%m%d"}},
    ),
    day(
        "inputs: stg_events column_format '%d.%m.%Y' does not sort as dates do; write year before month before day, "
        "such as %Y%m%d or %Y-%m-%d",
        inputs={"stg_events": {"column": "country", "column_format": "%d.%m.%Y"}},
    ),
    day(
        "inputs: stg_events.country (text) cannot be bounded by units of order_date (date); name a column of the same kind, "
        "or add column_format",
        inputs={"stg_events": "country"},
    ),
    day(
        "where names 'amount', which is no key or partition column of fct_daily; write one of order_date, country",
        where={"amount": 3},
    ),
    day("where: country is an empty list; write at least one value", where={"country": []}),
    call(
        "read: once cannot be used: each unit of fct_unit_vars has its own SQL (vars or run-time queries); leave read out",
        model="fct_unit_vars",
        start="2024-03-01",
        end="2024-03-02",
        read="once",
    ),
]

MODELS = [
    call(
        "stg_events cannot be backfilled in units: a view stores no rows; run dbt run --select stg_events",
        model="stg_events",
        start="2024-01-01",
        end="2024-01-02",
    ),
    call(
        "eph_events cannot be backfilled in units: an ephemeral model stores no rows; backfill the models that read it",
        model="eph_events",
        start="2024-01-01",
        end="2024-01-02",
    ),
    call("run_id '' is no run id; backfill_status lists them", "rollback_backfill"),
    call(
        "no ledger of this project knows run_id 'nobody'; backfill_status lists the runs",
        "rollback_backfill",
        run_id="nobody",
    ),
    call(
        "units names '2024-01-09', which is no finished unit of run earlier; backfill_status shows them",
        "rollback_backfill",
        run_id="earlier",
        units=["2024-01-09"],
    ),
    call("run earlier is done and cannot be cancelled", "cancel_backfill", run_id="earlier"),
    call("format must be one of table, json, not 'csv'", "backfill_status", format="csv"),
    call("keep_days must be a number of days from 0, not -1", "cleanup_backfills", keep_days=-1),
]

ATTACK = "x'); drop table marts.fct_daily; --"
QUOTED = 'x"); drop table marts.fct_daily; --'
INJECTIONS = [
    day(f"no model '{ATTACK}' in this project; did you mean fct_daily", model=ATTACK),
    day(f"start '{ATTACK}' is not a date; write it as 2024-01-31 or 2024-01-31 13:00:00", start=ATTACK),
    day(f"end '{ATTACK}' is not a date; write it as 2024-01-31 or 2024-01-31 13:00:00", end=ATTACK),
    day(
        "end '2024-03-03; drop table marts.fct_daily' is not a date; write it as 2024-01-31 or 2024-01-31 13:00:00",
        end="2024-03-03; drop table marts.fct_daily",
    ),
    day(
        f'"shop"."marts"."fct_daily" has no column \'{QUOTED}\'; write column: with one of order_date, country, orders, amount',
        column=QUOTED,
    ),
    day(
        f"grain must be one of hour, day, week, month, quarter, year for order_date (date), not '{ATTACK}'",
        grain=ATTACK,
    ),
    day(f"timezone '{ATTACK}' is no IANA name; write one such as Europe/Berlin or UTC", timezone=ATTACK),
    day(
        f"column_format '{ATTACK}' does not sort as dates do; write year before month before day, such as %Y%m%d or %Y-%m-%d",
        column_format=ATTACK,
    ),
    day(
        f"where names '{QUOTED}', which is no key or partition column of fct_daily; write one of order_date, country",
        where={QUOTED: 1},
    ),
    day(
        f"where: order_date '{ATTACK}' is not a date; write it as 2024-01-31 or 2024-01-31 13:00:00",
        where={"order_date": ATTACK},
    ),
    day(
        f"inputs names '{QUOTED}', which fct_daily does not read; write one of stg_events",
        inputs={QUOTED: "event_ts"},
    ),
    day(
        f"inputs: stg_events has no column '{QUOTED}'; write one of event_id, customer_id, tenant, event_ts, loaded_at, amount, country",
        inputs={"stg_events": QUOTED},
    ),
    day(
        f"inputs: stg_events lookback '{ATTACK}' is not a span; write '3 days', '6 hours', '30 minutes' or '1 week'",
        inputs={"stg_events": {"column": "event_ts", "lookback": ATTACK}},
    ),
    day(
        f"skip_units '{ATTACK}' is not a date; write it as 2024-01-31 or 2024-01-31 13:00:00",
        skip_units=[ATTACK],
    ),
    day(
        f"run_id '{ATTACK}' must be 1 to 32 small letters, digits or underscores, beginning with a letter",
        run_id=ATTACK,
    ),
    day(f"units_per_commit must be a whole number from 1 or auto, not '{ATTACK}'", units_per_commit=ATTACK),
    day(
        f"expect: not_null names '{QUOTED}', which is no column of the target; write one of order_date, country, orders, amount",
        expect={"not_null": QUOTED},
    ),
    day(
        f"expect: sql 'drop table marts.fct_daily' is no select{SELECT}",
        expect={"sql": "drop table marts.fct_daily"},
    ),
    day(CLOSED, expect={"sql": "select 1) as x; drop table marts.fct_daily; select * from (select 1"}),
    day(CLOSED, expect={"sql": "select 1 -- and the rest"}),
    day(CLOSED, expect={"sql": "select 'open"}),
    day(CLOSED, expect={"sql": "select 1 where '{unit}' = $$x$$"}),
    day(
        f"expect: sql contains 'delete'; it must only read{SELECT}",
        expect={"sql": "with gone as (delete from marts.fct_daily returning 1) select * from gone"},
    ),
    day(f"accept knows no 'BF404'; drop'; write one of: {BLOCKS}", accept={"BF404'; drop": "x"}),
    call(
        f"start '{ATTACK}' is not an integer; the partition column is one, so write 0 or 1000",
        model="fct_ranges",
        column="event_id",
        grain=10,
        start=ATTACK,
        end=10,
    ),
    call(
        f"values '{ATTACK}' is not an integer; the partition column is one, so write 0 or 1000",
        model="fct_lists",
        column="tenant",
        values=[ATTACK],
    ),
    day(
        "no argument may hold '__backfill_safety': it marks places in the SQL",
        reason="__backfill_safety_lower_0__",
    ),
    call(f"run_id '{ATTACK}' is no run id; backfill_status lists them", "rollback_backfill", run_id=ATTACK),
    call(f"run_id '{ATTACK}' is no run id; backfill_status lists them", "backfill_status", run_id=ATTACK),
]

ALL = [*WORDS, *WINDOWS, *INPUTS, *MODELS, *INJECTIONS]

# What an engine says in its own words: the names of types, as the messages above have them, and what it offers.
TYPES = {
    "duckdb": {},
    "postgres": {"VARCHAR": "text", "DATE": "date", "TIMESTAMP": "timestamp without time zone"},
}
WORKER = {
    "duckdb": "worker is not available on duckdb: one process holds the file; leave worker out",
    "postgres": "worker needs run_id, the name of the run that the workers share; write run_id: fct_daily_1",
}
