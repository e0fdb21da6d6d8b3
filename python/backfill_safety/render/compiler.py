"""Compiles a template so that its work can be counted and its output traced back to its lines.

Loops and macro bodies begin by paying a step, what is compared or joined passes through the environment,
and the model's own output arrives as pairs of line and text. Captured text (macros, `set` blocks) goes
through `environment.concat`, which Jinja itself looks up there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, operators


class Generator(CodeGenerator):
    """Jinja's code generator, except that top-level output is `yield (line, text)`.

    The line is negative where the text is the value of an expression, all of which comes from that one line.
    """

    @cached_property
    def _visitors(self) -> dict[type[nodes.Node], Any]:
        return {}

    def get_visitor(self, node: nodes.Node) -> Any:
        """As Jinja's, but each name is made and looked up once."""
        kind = type(node)
        if kind not in self._visitors:
            self._visitors[kind] = super().get_visitor(node)
        return self._visitors[kind]

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        """Without Jinja's three searches of the whole tree for blocks, imports and parents, which dbt does not have."""
        node.find_all = lambda _: iter(())  # type: ignore[method-assign, assignment]
        super().visit_Template(node, frame)

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        top = frame.buffer is None
        for child in node.nodes:
            if isinstance(child, nodes.TemplateData):
                text = f"({child.lineno}, {child.data!r})" if top else f"{child.data!r})"
                self.writeline(f"yield {text}" if top else f"{frame.buffer}.append({text}", child)
                continue
            self.start_write(frame, child)
            self.visit(child, frame)
            self.end_write(frame)

    def start_write(self, frame: Frame, node: nodes.Node | None = None) -> None:
        line = node.lineno if node is not None else 1
        self.writeline(f"yield (-{line}, " if frame.buffer is None else f"{frame.buffer}.append(", node)
        self.write("environment.finalize(")

    def end_write(self, frame: Frame) -> None:
        self.write("))")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:
        targets = len(node.target.items) if isinstance(node.target, nodes.Tuple) else 1
        node.iter = _call("items", node.iter, nodes.Const(targets))
        node.body.insert(0, _step(node.body))
        super().visit_For(node, frame)

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:
        node.body.insert(0, _step(node.body))
        super().visit_Macro(node, frame)

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:
        node.body.insert(0, _step(node.body))
        super().visit_CallBlock(node, frame)

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:
        plain = any(isinstance(o, nodes.Const) for o in (node.expr, *(op.expr for op in node.ops)))
        before, after = ("", "") if plain else ("environment.measured(", ")")
        self.write(f"({before}")
        self.visit(node.expr, frame)
        for op in node.ops:
            self.write(f"{after} {operators[op.op]} {before}")
            self.visit(op.expr, frame)
        self.write(f"{after})")


def _call(name: str, *args: nodes.Node) -> nodes.Call:
    """A call of one of the environment's own methods."""
    line = args[0].lineno
    method = nodes.EnvironmentAttribute(name, lineno=line)
    return nodes.Call(method, args, [], None, None, lineno=line)


def _step(body: Sequence[nodes.Node]) -> nodes.ExprStmt:
    """A step that pays for the plain text in a body, which is copied without anyone looking at it."""
    size = sum(len(data.data) for node in body for data in node.find_all(nodes.TemplateData))
    line = body[0].lineno if body else 1
    return nodes.ExprStmt(_call("step", nodes.Const(size, lineno=line)), lineno=line)
