"""`rules` and `explain`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from backfill_safety.checks.registry import RULES
from backfill_safety.checks.rule import HEADINGS
from backfill_safety.cli import main
from backfill_safety.report.table import cells


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_rules_are_listed_under_their_checks() -> None:
    told = run("rules").stdout
    assert told.startswith("1 bounded\n  BF101  info  ap   full-refresh-allowed: ")
    assert all(f"\n  {code}  " in told for code in RULES)
    assert max(map(cells, told.splitlines())) <= 80
    assert [line for line in told.splitlines() if line[:1].isdigit()] == [
        "1 bounded", "2 idempotent", "3 isolated", "4 watermark", "5 cost", "6 reversible",
    ]  # fmt: skip


def test_rules_as_json() -> None:
    told = json.loads(run("rules", "--format", "json").stdout)
    assert [rule["code"] for rule in told] == list(RULES)
    assert all(str(rule["check"]) == rule["code"][2] for rule in told)


@pytest.mark.parametrize("code", sorted(RULES))
def test_every_rule_explains_itself(code: str) -> None:
    result = run("explain", code)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"# {code}: ")
    assert [line[3:] for line in result.stdout.splitlines() if line.startswith("## ")] == list(HEADINGS)


def test_a_name_or_small_letters_do_as_well() -> None:
    assert (
        run("explain", "appends").stdout == run("explain", "BF201").stdout == run("explain", "bf201").stdout
    )


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("BF2O1", "Error: there is no rule 'BF2O1'; did you mean BF201?"),
        ("cut-partitions", "Error: there is no rule 'cut-partitions'; did you mean cut-partition?"),
        ("xyzzy", "Error: there is no rule 'xyzzy'; backfill-safety rules lists them"),
    ],
)
def test_a_typo_is_answered_with_the_nearest(word: str, said: str) -> None:
    result = run("explain", word)
    assert (result.exit_code, result.stderr) == (2, said + "\n")
