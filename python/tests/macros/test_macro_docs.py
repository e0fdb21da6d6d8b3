"""`macros/macros.yml` describes every public macro: the same arguments as its file, in order, with types."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from macro_files import MACROS, ROOT, Macro, constant_returned_by, package_macros

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
    described = {
        argument["name"]: argument["description"] for argument in DOCUMENTED[name].get("arguments", [])
    }
    for argument, default in PUBLIC[name].defaults.items():
        if default != "None":
            assert default.strip("'").lower() in described[argument].lower(), (argument, default)


@pytest.fixture(scope="module")
def known_arguments() -> dict[str, dict[str, Any]]:
    """What the operation itself knows: name → {is, words, default}."""
    shapes, words, defaults = (
        constant_returned_by(MACROS / "request" / "_arguments.sql", macro)
        for macro in ("_known_arguments", "_listed_words", "_argument_defaults")
    )
    return {
        name: {"is": shape, "words": words.get(name, []), "default": defaults.get(name)}
        for name, shape in shapes.items()
    }


def test_the_operation_knows_the_arguments_that_it_takes(known_arguments: dict[str, dict[str, Any]]) -> None:
    assert list(known_arguments) == list(PUBLIC["safe_backfill"].arguments)


def test_what_the_operation_knows_is_documented(known_arguments: dict[str, dict[str, Any]]) -> None:
    described = {
        argument["name"]: argument["description"] for argument in DOCUMENTED["safe_backfill"]["arguments"]
    }
    for name, rule in known_arguments.items():
        if described[name].startswith("Not available"):
            continue
        assert rule["is"].startswith("listed ") == bool(rule["words"]), name
        default = rule["default"]
        for word in [*rule["words"], *([default] if default not in (None, [], {}) else [])]:
            assert str(word).lower() in described[name].lower(), (name, word)


def test_what_can_be_accepted_is_what_can_block(known_arguments: dict[str, dict[str, Any]]) -> None:
    """Block findings of the plan, and those that a run stops at unless they are accepted."""
    text = "".join(file.read_text("utf-8") for file in sorted(MACROS.rglob("*.sql")))
    found = re.findall(r"'(BF\d{3})', 'block'", text) + re.findall(
        r"'(BF\d{3})' (?:not )?in (?:plan\.)?request\.accept", text
    )
    assert known_arguments["accept"]["words"] == sorted(set(found))


@pytest.mark.parametrize("argument", PUBLIC["safe_backfill"].arguments)
def test_the_guide_explains_every_argument(argument: str) -> None:
    guide = (ROOT / "docs" / "operation.md").read_text("utf-8")
    assert re.search(rf"^\| (?:`\w+`, )*`{argument}`", guide, re.MULTILINE), argument


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_every_public_macro_is_shown_in_the_guides(name: str) -> None:
    guides = [(ROOT / page).read_text("utf-8") for page in ("README.md", "docs/operation.md")]
    assert any(re.search(rf"\b{name}\b", guide) for guide in guides), name
