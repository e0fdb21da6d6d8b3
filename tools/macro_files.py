"""Reads Jinja SQL files: which macros they define, with which arguments and defaults."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, nodes

ROOT = Path(__file__).parent.parent
MACROS = ROOT / "macros"

# dbt's own block tags, which plain Jinja does not know; read as macros.
_DBT_TAGS = re.compile(r"\{%(-?)\s*(end)?(?:test|materialization|snapshot)\b\s*(\w*)[^%]*?(-?)%\}")
_ENVIRONMENT = Environment(extensions=["jinja2.ext.do"], autoescape=False)  # noqa: S701 - nothing is rendered


@dataclass(frozen=True)
class Macro:
    """A macro's signature: `arguments` in order, `defaults` as source text of the last of them."""

    name: str
    arguments: tuple[str, ...]
    defaults: dict[str, str]
    file: Path
    line: int

    @property
    def is_public(self) -> bool:
        """Whether users may call it: neither a helper (`_name`) nor a dispatch branch (`default__name`)."""
        return not self.name.startswith("_") and "__" not in self.name


def parse(text: str) -> nodes.Template:
    """Parse a file's text; raises jinja2.TemplateSyntaxError."""

    def as_macro(tag: re.Match[str]) -> str:
        start, end, name, stop = tag.groups()
        lines = "\n" * tag[0].count("\n")
        return f"{{%{start} {'endmacro' if end else f'macro {name}()'}{lines} {stop}%}}"

    return _ENVIRONMENT.parse(_DBT_TAGS.sub(as_macro, text))


def macros_of(file: Path) -> list[Macro]:
    """The macros that a file defines, in order."""
    text = file.read_text(encoding="utf-8")
    return [
        Macro(
            name=macro.name,
            arguments=tuple(argument.name for argument in macro.args),
            defaults=_defaults(macro),
            file=file,
            line=macro.lineno,
        )
        for macro in parse(text).find_all(nodes.Macro)
    ]


@cache
def package_macros() -> tuple[Macro, ...]:
    """Every macro of the package, by file and place."""
    return tuple(macro for file in sorted(MACROS.rglob("*.sql")) for macro in macros_of(file))


def constant_returned_by(file: Path, name: str) -> Any:
    """What a macro of constants returns; raises jinja2.nodes.Impossible where it is none."""
    macro = next(m for m in parse(file.read_text("utf-8")).find_all(nodes.Macro) if m.name == name)
    returned = next(
        c for c in macro.find_all(nodes.Call) if isinstance(c.node, nodes.Name) and c.node.name == "return"
    )
    return returned.args[0].as_const()


def _defaults(macro: nodes.Macro) -> dict[str, str]:
    with_default = macro.args[len(macro.args) - len(macro.defaults) :]
    return {name.name: _source(value) for name, value in zip(with_default, macro.defaults, strict=True)}


def _source(value: nodes.Expr) -> str:
    try:
        return repr(value.as_const())
    except nodes.Impossible:
        return getattr(value, "name", type(value).__name__.lower())
