"""dbt's dialect of Jinja: typed macro arguments, and the block tags that dbt adds."""

from __future__ import annotations

from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

PREFIX = "dbt_macro__"
"""Put before a macro's name, as dbt does, so that a macro that calls its own name goes through the look-up
too."""


class DbtParser(Parser):
    """Jinja's parser, with `{% macro x(name: list[str] = none) %}` allowed."""

    def parse_block(self) -> nodes.Block:
        self.fail("a block is for templates that extend others, which dbt does not have")

    def parse_macro(self) -> nodes.Macro:
        node = nodes.Macro(lineno=next(self.stream).lineno)
        node.name = PREFIX + self.parse_assign_target(name_only=True).name
        self.parse_signature(node)
        node.body = self.parse_statements(("name:endmacro",), drop_needle=True)
        return node

    def parse_signature(self, node: Any) -> None:
        args: list[nodes.Name] = []
        defaults: list[nodes.Expr] = []
        node.args, node.defaults = args, defaults
        self.stream.expect("lparen")
        while self.stream.current.type != "rparen":
            if args:
                self.stream.expect("comma")
            arg = self.parse_assign_target(name_only=True)
            arg.set_ctx("param")
            if self.stream.skip_if("colon"):
                self._skip_type()
            if self.stream.skip_if("assign"):
                defaults.append(self.parse_expression())
            elif defaults:
                self.fail("an argument without a default follows one with a default")
            args.append(arg)
        self.stream.expect("rparen")

    def _skip_type(self) -> None:
        self.stream.expect("name")
        if self.stream.skip_if("lbracket"):
            self._skip_type()
            while self.stream.skip_if("comma"):
                self._skip_type()
            self.stream.expect("rbracket")


class _Block(Extension):
    """A tag of dbt's whose body is a macro that a model cannot call: it only has to parse."""

    def parse(self, parser: Parser) -> nodes.Node:
        tag = next(parser.stream)
        node = nodes.Macro(lineno=tag.lineno)
        node.name = f"dbt_{tag.value}__{parser.parse_assign_target(name_only=True).name}"
        node.args, node.defaults = [], []
        if parser.stream.current.type == "lparen":
            parser.parse_signature(node)
        while parser.stream.skip_if("comma"):
            parser.parse_assign_target(name_only=True)
            if parser.stream.skip_if("assign"):
                parser.parse_expression()
        node.body = parser.parse_statements((f"name:end{tag.value}",), drop_needle=True)
        return node


class MaterializationBlock(_Block):
    tags = {"materialization"}  # noqa: RUF012


class TestBlock(_Block):
    tags = {"test"}  # noqa: RUF012
    __test__ = False


class DocsBlock(_Block):
    tags = {"docs"}  # noqa: RUF012


class SnapshotBlock(Extension):
    """`{% snapshot x %}`: old manifests hold the whole block as the snapshot's code; what counts is its
    body."""

    tags = {"snapshot"}  # noqa: RUF012

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        parser.parse_assign_target(name_only=True)
        return parser.parse_statements(("name:endsnapshot",), drop_needle=True)


EXTENSIONS = (
    "jinja2.ext.do",
    "jinja2.ext.loopcontrols",
    MaterializationBlock,
    TestBlock,
    DocsBlock,
    SnapshotBlock,
)
