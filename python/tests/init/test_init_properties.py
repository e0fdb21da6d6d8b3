"""Properties files are added to and otherwise left as they were."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backfill_safety.init.properties import EditError, add_meta

VALUES = {"column": "order_date", "grain": "day", "inputs": {"stg_orders": "ordered_at"}}
BLOCK = """\
      {pad}backfill_safety:
      {pad}  column: order_date
      {pad}  grain: day
      {pad}  inputs:
      {pad}    stg_orders: ordered_at
"""

CASES = {
    "a bare entry": (
        "models:\n  - name: a\n  - name: b # last\n",
        "models:\n  - name: a\n    config:\n      meta:\n" + BLOCK.format(pad="  ") + "  - name: b # last\n",
    ),
    "with a comment, columns and no new line at the end": (
        "version: 2\nmodels:\n- name: a # the one\n  columns:\n  - name: id\n    tests: [unique]",
        "version: 2\nmodels:\n- name: a # the one\n  columns:\n  - name: id\n    tests: [unique]\n"
        "  config:\n    meta:\n" + BLOCK.format(pad=""),
    ),
    "into its config": (
        "models:\n  - name: a\n    config:\n      tags: [x]\n    columns: []\n",
        "models:\n  - name: a\n    config:\n      tags: [x]\n      meta:\n"
        + BLOCK.format(pad="  ")
        + "    columns: []\n",
    ),
    "into its config's meta": (
        "models:\n  - name: a\n    config:\n      meta:\n        owner: x\n",
        "models:\n  - name: a\n    config:\n      meta:\n        owner: x\n" + BLOCK.format(pad="  "),
    ),
    "into its own meta": (
        "models:\n  - name: a\n    meta:\n      owner: x\n",
        "models:\n  - name: a\n    meta:\n      owner: x\n" + BLOCK.format(pad=""),
    ),
    "after a block of text": (
        "models:\n  - name: a\n    description: |\n      One.\n\n      Two.\n  - name: b\n",
        "models:\n  - name: a\n    description: |\n      One.\n\n      Two.\n    config:\n      meta:\n"
        + BLOCK.format(pad="  ")
        + "  - name: b\n",
    ),
    "between braces": (
        "models:\n  - {name: a, config: {tags: [x]}}\n",
        "models:\n  - {name: a, config: {tags: [x], meta: {backfill_safety: {column: order_date, grain: day, "
        "inputs: {stg_orders: ordered_at}}}}}\n",
    ),
    "between empty braces": (
        "models:\n  - name: a\n    config: {}\n",
        "models:\n  - name: a\n    config: {meta: {backfill_safety: {column: order_date, grain: day, "
        "inputs: {stg_orders: ordered_at}}}}\n",
    ),
    "beside what is there": (
        "models:\n  - name: a\n    meta:\n      backfill_safety:\n        grain: month\n        column: d\n",
        "models:\n  - name: a\n    meta:\n      backfill_safety:\n        grain: month\n        column: d\n"
        "        inputs:\n          stg_orders: ordered_at\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_entry_is_added_to(name: str) -> None:
    before, after = CASES[name]
    assert add_meta(before, "a", VALUES) == after
    assert add_meta(after, "a", VALUES) == after


def test_line_ends_stay_as_they_are() -> None:
    before, after = CASES["a bare entry"]
    assert add_meta(before.replace("\n", "\r\n"), "a", VALUES) == after.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models: [", "it is not valid YAML"),
        ("", "it has no entries for a"),
        ("models:\n  - name: b\n", "it has no entries for a"),
        ("models:\n  - name: a\n  - name: a\n", "it has 2 entries for a"),
        ("models:\n  - name: a\n    config:\n", "its config is not a mapping"),
        ("models:\n  - name: a\n    config: [x]\n", "its config is not a mapping"),
        ("x: &c\n  tags: y\nmodels:\n  - name: a\n    config: *c\n", "cannot be added to safely"),
        ("x: &c {tags: y}\nmodels:\n  - name: a\n    <<: *c\n    config: *c\n", "cannot be added to safely"),
    ],
)
def test_what_cannot_be_edited_is_said(text: str, said: str) -> None:
    with pytest.raises(EditError) as raised:
        add_meta(text, "a", VALUES)
    assert said in str(raised.value)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["description", "columns", "docs", "tests", "access"]), plain, max_size=4
    ),
    st.sampled_from([None, {}, {"tags": ["x"]}, {"meta": {}}, {"meta": {"owner": "x"}}]),
    st.booleans(),
    st.dictionaries(
        st.text(min_size=1, max_size=8), st.text(max_size=12) | st.integers(), min_size=1, max_size=3
    ),
)
def test_any_entry_gets_the_addition_and_nothing_else(
    more: dict[str, Any], config: Any, flow: bool, values: dict[str, Any]
) -> None:
    entry = {"name": "a", **more, **({} if config is None else {"config": config})}
    models = [{"name": "z"}, entry, {"name": "b", "description": "after"}]
    text = yaml.safe_dump({"version": 2, "models": models}, default_flow_style=flow, sort_keys=False)
    try:
        told = yaml.safe_load(add_meta(text, "a", values))
    except EditError:
        return
    assert told["models"][1]["config"]["meta"]["backfill_safety"] == values
    assert (told["models"][0], told["models"][2]) == (models[0], models[2])
    assert {k: told["models"][1][k] for k in more} == more
