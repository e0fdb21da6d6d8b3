"""`macros/macros.yml` describes every public macro: the same arguments as its file, in order, with types."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from macro_files import MACROS, Macro, package_macros

# The types that dbt knows in a macro's documentation.
_PLAIN = "string|str|boolean|bool|integer|int|float|any|relation|column"
TYPE = re.compile(rf"(?P<type>(?:{_PLAIN})|(?:list|optional)\[.+\]|dict\[[^,]+,.+\])")

DOCUMENTED: dict[str, dict[str, Any]] = {
    macro["name"]: macro for macro in yaml.safe_load((MACROS / "macros.yml").read_text("utf-8"))["macros"]
}
PUBLIC: dict[str, Macro] = {macro.name: macro for macro in package_macros() if macro.is_public}


def test_there_are_public_macros() -> None:
    assert "safe_backfill" in PUBLIC


def test_every_public_macro_is_documented_and_nothing_else() -> None:
    assert sorted(DOCUMENTED) == sorted(PUBLIC)


def test_no_name_is_defined_twice() -> None:
    names = [macro.name for macro in package_macros()]
    assert [name for name in sorted(set(names)) if names.count(name) > 1] == []


@pytest.mark.parametrize("name", sorted(PUBLIC.keys() & DOCUMENTED.keys()))
def test_arguments_are_documented_as_they_are(name: str) -> None:
    arguments = DOCUMENTED[name].get("arguments", [])
    assert [argument["name"] for argument in arguments] == list(PUBLIC[name].arguments)


@pytest.mark.parametrize("name", sorted(DOCUMENTED))
def test_descriptions_and_types_are_given(name: str) -> None:
    macro = DOCUMENTED[name]
    assert macro.get("description", "").strip()
    for argument in macro.get("arguments", []):
        assert argument.get("description", "").strip(), argument
        assert TYPE.fullmatch(str(argument.get("type"))), argument


@pytest.mark.parametrize("name", sorted(PUBLIC.keys() & DOCUMENTED.keys()))
def test_a_default_is_named_in_its_description(name: str) -> None:
    described = {argument["name"]: argument for argument in DOCUMENTED[name].get("arguments", [])}
    for argument, default in PUBLIC[name].defaults.items():
        if argument in described and default != "None":
            assert default.strip("'").lower() in described[argument]["description"].lower(), (
                argument,
                default,
            )
