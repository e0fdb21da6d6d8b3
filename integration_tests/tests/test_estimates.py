"""What engines that cannot be run here tell of what a plan would read, and what becomes of it: words, limits, a warning where it is
unknown. Nothing in this file has run on them; the answers are those of explain_answers.py."""

from __future__ import annotations

from typing import Any

import pytest
import sqlglot
from explain_answers import REDSHIFT, SNOWFLAKE, SPARK, TOLD, TRINO, UNKNOWN
from generated_engines import ENGINES, FORMATS, Engine, printed, scenario
from shop import Shop

GIB = 2**30
BY_NAME = {engine.name: engine for engine in ENGINES}
EVENTS, CUSTOMERS = "source.shop.raw.events", "source.shop.raw.customers"


def planned(shop: Shop, name: str, answer: list[list[Any]], **more: Any) -> dict[str, Any]:
    """What a plan says there of two days, where the engine answers so; with the statements that were sent."""
    plan = scenario(**more)
    plan["request"]["node"]["config"] = FORMATS.get(name, {})
    double = BY_NAME[name].double(explained=answer)
    found: dict[str, Any] = printed(
        shop.operation("run_as", double=double, plan=plan, does=["checks", "plan"])
    )
    return found


def told(shop: Shop, name: str, answers: list[list[list[Any]]]) -> list[Any]:
    """What is read from each of an engine's answers."""
    calls = [
        {"macro": f"{name}___reads", "arguments": ["select 1"], "explained": answer} for answer in answers
    ]
    read = printed(shop.operation("calls_as", double=BY_NAME[name].double(), calls=calls))
    return [given for given, _ in read]


@pytest.mark.parametrize(("name", "answer", "numbers"), TOLD, ids=[name for name, _, _ in TOLD])
def test_what_is_told(shop: Shop, name: str, answer: list[list[Any]], numbers: dict[str, int]) -> None:
    """Read from the answer: of each place where the engine reads, and nothing else."""
    assert told(shop, name, [answer]) == [numbers]


@pytest.mark.parametrize("name", [name for name, _, _ in TOLD])
def test_odd_answers(shop: Shop, name: str) -> None:
    """Unknown, never nothing, and never the end of the plan."""
    answers = [answer for engine, answer in UNKNOWN if engine == name]
    assert len(answers) > 6
    for answer, numbers in zip(answers, told(shop, name, answers), strict=True):
        assert numbers is None, answer


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_unknown_is_said(shop: Shop, engine: Engine) -> None:
    """A warning, and the word, on every engine that answers nothing; also on those that have nothing to ask."""
    found = planned(shop, engine.name, [])
    assert found["reads"].startswith("unknown; replaces about 6 rows")
    assert [(finding["code"], finding["severity"]) for finding in found["findings"]] == [("BF505", "warn")]
    assert found["findings"][0]["message"].startswith("there is no estimate of what will be read")


@pytest.mark.parametrize(
    ("name", "answer", "reads"),
    [
        ("snowflake", [[SNOWFLAKE]], "about 2.0 KiB, 4 micro-partitions;"),
        ("trino", [[TRINO]], "about 80 bytes, 4 rows;"),
        ("databricks", [[SPARK]], "about 4.5 KiB;"),
        ("redshift", REDSHIFT, "about 17,596 rows;"),
    ],
)
def test_a_unit_as_often_as_there_are_units(
    shop: Shop, name: str, answer: list[list[Any]], reads: str
) -> None:
    """One statement for the last of two days, which is counted twice; of a window that is read once, one for all of it."""
    found = planned(shop, name, answer)
    assert found["reads"].startswith(reads)
    assert found["findings"] == []
    (explain,) = [sql for sql in found["said"] if sql.startswith("explain")]
    assert "2024-03-02" in explain
    assert "2024-03-01" not in explain
    (explain,) = [
        sql for sql in planned(shop, name, answer, read="once")["said"] if sql.startswith("explain")
    ]
    assert "2024-03-01" in explain
    assert "2024-03-03" in explain


def test_the_proof_of_inputs(shop: Shop) -> None:
    """Is read once beside the units, and counted."""
    found = planned(shop, "snowflake", [[SNOWFLAKE]], **BOUNDED)
    assert found["reads"].startswith("about 3.0 KiB, 6 micro-partitions;")
    unit, proof = [sql for sql in found["said"] if sql.startswith("explain")]
    assert unit.startswith("explain using json select * from (")
    assert proof.startswith("explain using json select 'unbounded', case when ")


@pytest.mark.parametrize(
    ("limits", "severity", "message", "way_out"),
    [
        (
            {"bytes": 1000},
            "block",
            "about 2.0 KiB would be read and the limit is 1,000 bytes",
            "limits: {bytes: 2048}",
        ),
        (
            {"rows": 5},
            "warn",
            "snowflake tells no rows before the run, so limits: {rows: …} cannot",
            "limits: {bytes: …}",
        ),
        ({"bytes": 2048}, None, "", ""),
    ],
)
def test_limits(shop: Shop, limits: dict[str, int], severity: str | None, message: str, way_out: str) -> None:
    """Held against what is told, in its own words."""
    found = planned(shop, "snowflake", [[SNOWFLAKE]], request={"limits": {"units": 1000} | limits})[
        "findings"
    ]
    assert [finding["severity"] for finding in found] == ([severity] if severity else [])
    assert all(message in finding["message"] and way_out in finding["alternative"] for finding in found)


def partitions(events: int, window: int, customers: int, name: str = EVENTS) -> list[list[Any]]:
    """What INFORMATION_SCHEMA.PARTITIONS gives of two tables: rows and bytes in all, and in the window."""
    return [
        [name, 90, events, 20 if window < events else 90, window],
        [CUSTOMERS, 5, customers, 5, customers],
    ]


BOUNDED = {
    "inputs": {
        "model.shop.stg_large": {
            "relation": "stg_large",
            "name": "stg_large",
            "column": "event_ts",
            "kind": "timestamp",
        }
    },
}


@pytest.mark.parametrize(
    ("more", "reads"),
    [
        # all of both, for each of two days
        ({}, "about 206.0 GiB, 190 rows;"),
        ({"read": "once"}, "about 103.0 GiB, 95 rows;"),
        # the window's partitions once, customers for each day, and all of both once more for the proof
        (BOUNDED, "about 119.0 GiB, 125 rows;"),
        (BOUNDED | {"request": {"microbatch": True}}, "about 16.0 GiB, 30 rows;"),
    ],
)
def test_bytes_of_partitions(shop: Shop, more: dict[str, Any], reads: str) -> None:
    """On BigQuery: below its views, the tables that a model reads, in one statement."""
    is_bounded = "inputs" in more
    window, name = (10 * GIB, EVENTS + " by event_ts") if is_bounded else (100 * GIB, EVENTS)
    found = planned(shop, "bigquery", partitions(100 * GIB, window, 3 * GIB, name), **more)
    assert found["reads"].startswith(reads)
    (asked,) = [sql for sql in found["said"] if ".INFORMATION_SCHEMA." in sql]
    assert asked.count("PARTITIONS as p") == 2
    assert sqlglot.parse_one(asked.removeprefix("begin\n").split(";\nexception")[0], read="bigquery")
    assert ("'2024030100'" in asked and "'2024030300'" in asked) == is_bounded


@pytest.mark.parametrize(
    "answer",
    [
        [],
        partitions(7, 7, 7)[:1],
        [[EVENTS, None, None, None, None], *partitions(7, 7, 7)[1:]],
        [["Access Denied: Table shop:raw.INFORMATION_SCHEMA.PARTITIONS", None, None, None, None]],
    ],
)
def test_partitions_that_are_not_told(shop: Shop, answer: list[list[Any]]) -> None:
    """An external table, a table less, a role that may not ask: unknown, with a warning."""
    found = planned(shop, "bigquery", answer)
    assert found["reads"].startswith("unknown;")
    assert [finding["severity"] for finding in found["findings"]] == ["warn"]


@pytest.mark.parametrize(
    ("gib", "limits", "severities"),
    [(49, {}, []), (51, {}, ["block"]), (51, {"bytes": 200 * GIB}, []), (49, {"bytes": GIB}, ["block"])],
)
def test_a_hundred_gib(shop: Shop, gib: int, limits: dict[str, int], severities: list[str]) -> None:
    """Where bytes are billed they are the limit, unless another one is given."""
    found = planned(
        shop, "bigquery", partitions(gib * GIB, gib * GIB, 0), request={"limits": {"units": 1000} | limits}
    )["findings"]
    assert [finding["severity"] for finding in found] == severities
    assert not found or "limits: {bytes: " in found[0]["alternative"]


@pytest.mark.parametrize(
    ("name", "field"), [("bigquery", "bytes_billed"), ("athena", "data_scanned_in_bytes")]
)
def test_billed_bytes_stop_a_run(shop: Shop, name: str, field: str) -> None:
    """Counted from what the adapter says of each statement; past the limit the run stops after the unit, incomplete."""
    double = BY_NAME[name].double(response={field: GIB // 2})
    for statements, stopped in ((2, None), (3, "the limit of 1.0 GiB is reached; ask again to go on")):
        given = {"double": double, "limits": {"units": 1000, "bytes": GIB}, "statements": statements}
        tally = printed(shop.operation("read_under_limits", **given))
        assert tally["stopped"] == stopped
        assert tally.get("state") == ("incomplete" if stopped else None)


def test_the_field_of_a_response(shop: Shop) -> None:
    """A response is an object of the adapter's; a field that it leaves empty counts for nothing."""
    call = {"macro": "_fetch_counted", "arguments": ["select 1, 'x'", "bytes_billed"]}
    assert printed(shop.operation("call_macros", calls=[call, call])) == [[[1, "x"]]] * 2
