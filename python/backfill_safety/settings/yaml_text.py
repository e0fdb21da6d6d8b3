"""YAML from a stranger's project: plain values only, and one kind of error."""

from __future__ import annotations

from typing import Any


class YamlError(Exception):
    """The text is not YAML that can be read; one line."""


def read_yaml(text: str) -> Any:
    """The value of a YAML document (JSON is YAML); None for an empty one. Raises YamlError."""
    import yaml  # type: ignore[import-untyped]  # imported late: it costs 40 ms

    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  # both are safe
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or str(error).split("\n", 1)[0]
        raise YamlError(f"line {mark.line + 1}: {said}" if mark else said) from None
    except (RecursionError, ValueError) as error:
        raise YamlError(str(error).split("\n", 1)[0]) from None
