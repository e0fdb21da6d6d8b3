"""The environment in which a stranger's templates run: no file, environment, process or network in reach.

dbt's templates build lists with `append`, so Jinja's immutable sandbox cannot be used. Instead nothing shared
is mutable: what comes from the manifest is frozen (see `frozen.py`), what a template makes itself dies with
its rendering.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence, Sized
from itertools import islice
from string import Formatter
from typing import Any

from jinja2 import Undefined, nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context, Macro
from jinja2.sandbox import SandboxedEnvironment, SandboxedFormatter
from jinja2.utils import missing

from .budget import MAX_ITEMS, Budget, BudgetError
from .compiler import Generator
from .filters import safe_filters, safe_tests
from .frozen import FrozenDict, is_mutator
from .methods import check_binary, check_format, check_method, first_unknown, mentions_traced
from .syntax import EXTENSIONS, DbtParser
from .traced import Traced, TracedDate, TracedDatetime, TracedFloat, TracedInt, Unknown, keep
from .tracer import OPEN, Tracer

MAX_SOURCE = 1_000_000
"""Characters of one template."""
MAX_TAGS = 20_000
"""`{{` and `{%` in one template, which bounds the time to compile it."""


class MacroCall:
    """What a template gets for the name of a macro. Its `__call__` belongs to `macros.py`."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


class Scope:
    """Where names are looked up: replaced for each rendering."""

    def lookup(self, name: str) -> Any:
        return missing


class LateContext(Context):
    """Looks a name up when it is used.

    Jinja copies globals when a template's module is built. Macros are built once and shared by all models, so
    that `this`, `model` or `is_incremental` would be those of the first model that called them.
    """

    def resolve_or_missing(self, key: str) -> Any:
        found = self.vars.get(key, missing)
        if found is missing:
            found = self.environment.scope.lookup(key)  # type: ignore[attr-defined]
        return self.environment.globals.get(key, missing) if found is missing else found


class Sandbox(SandboxedEnvironment):
    """Jinja's sandbox with a budget, late names and traced values. Not for use by several threads."""

    code_generator_class = Generator
    context_class = LateContext
    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "**", "%"})
    intercepted_unops = frozenset({"+", "-"})

    def __init__(self) -> None:
        super().__init__(extensions=EXTENSIONS, optimized=False, cache_size=0)
        self.budget = Budget()
        self.tracer = Tracer()
        self.scope = Scope()
        self.finalize = self.printed
        self.filters = safe_filters(self)
        self.tests = safe_tests(self)  # type: ignore[assignment]
        self.globals.pop("lipsum", None)
        # `concat` is read from the environment by the code that Jinja generates.
        self.concat = self.captured  # type: ignore[method-assign]

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        if len(source) > MAX_SOURCE:
            raise BudgetError(f"is a template of more than {MAX_SOURCE:,} characters")
        if source.count("{{") + source.count("{%") > MAX_TAGS:
            raise BudgetError(f"is a template of more than {MAX_TAGS:,} tags")
        return DbtParser(self, source, name, filename).parse()

    # -- what the generated code calls

    def step(self, size: int) -> None:
        self.budget.text(size)

    def items(self, values: Any, targets: int) -> Any:
        """What a loop goes over, paid for, and of a known length."""
        if isinstance(values, Unknown):
            return [(v,) * targets if targets > 1 else v for v in values.elements()]
        if isinstance(values, Undefined):
            return values
        if not isinstance(values, Sized):
            values = self.bounded(values)
        self.budget.items(len(values))
        return values

    def bounded(self, values: Iterable[Any]) -> list[Any]:
        """The items of an iterator, which may be endless."""
        found = []
        for value in islice(values, MAX_ITEMS + 1):
            self.budget.step()
            found.append(value)
        if len(found) > MAX_ITEMS:
            raise BudgetError(f"makes a list of more than {MAX_ITEMS:,} items")
        return found

    def measured(self, value: Any) -> Any:
        self.budget.measure(value)
        return value

    def joined(self, values: tuple[Any, ...]) -> str:
        """`a ~ b`."""
        return self.tracer.settle("".join([self.printed(v) for v in values]))

    def captured(self, parts: Iterable[str]) -> str:
        """The text of a macro or a `set` block."""
        text = "".join(parts)
        self.budget.text(len(text))
        return self.tracer.settle(text) if OPEN in text else text

    def printed(self, value: Any) -> str:
        """A value as it lands in the output; a traced one between private characters."""
        if type(value) is str:
            self.budget.text(len(value))
            return value
        if isinstance(value, Traced):
            self.budget.text(len(value.segments) + sum(len(s.text) for s in value.segments))
            return self.tracer.show(value.segments)
        if isinstance(value, (TracedInt, TracedFloat, TracedDate, TracedDatetime)):
            plain: Any = int if isinstance(value, int) else float if isinstance(value, float) else type(value)
            text = plain.__repr__(value) if isinstance(value, (int, float)) else str(value)
            return self.tracer.show_value(value, text)
        self.budget.measure(value)
        return str(value)

    # -- operators and calls

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            other = right if isinstance(left, Unknown) else left
            if operator == "+" and isinstance(other, str):
                return self.joined((left, right))
            if operator != "%" or isinstance(left, Unknown):
                return left if isinstance(left, Unknown) else right
        check_binary(self.budget, operator, left, right)
        if mentions_traced((left, right)) and isinstance(left, str):
            return self.tracer.apply(self.binop_table[operator], (left, right), {})
        result = self.binop_table[operator](left, right)
        origin = getattr(left, "_origin", None) or getattr(right, "_origin", None)
        return keep(result, origin) if origin and isinstance(result, (int, float)) else result

    def call_unop(self, context: Context, operator: str, arg: Any) -> Any:
        if isinstance(arg, Unknown):
            return self.joined((operator, arg))
        result = self.unop_table[operator](arg)
        return keep(result, arg._origin) if isinstance(arg, (TracedInt, TracedFloat)) else result

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Unknown) and not attribute.startswith("_"):
            return obj.attribute(attribute)
        if isinstance(obj, FrozenDict) and attribute in obj and not hasattr(dict, attribute):
            return obj[attribute]  # what most look-ups are, told apart early
        found = super().getattr(obj, attribute)
        if isinstance(found, Undefined) and hasattr(obj, "hint"):
            return self.undefined(hint=obj.hint(attribute), name=attribute)
        return found

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, Unknown):
            return obj
        if not isinstance(argument, (str, int, slice)):
            self.budget.measure(argument)
        return super().getitem(obj, argument)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return super().is_safe_attribute(obj, attr, value) and not is_mutator(obj, attr)

    def wrap_str_format(self, value: Any) -> Any:
        """`text.format` and `text.format_map`, without what the sandbox hides and with bounded widths."""
        if not isinstance(value, (types.MethodType, types.BuiltinMethodType)):
            return None
        text: Any = value.__self__
        if not isinstance(text, str) or value.__name__ not in ("format", "format_map"):
            return None
        mapping = value.__name__ == "format_map"

        def formatted(*args: Any, **kwargs: Any) -> Any:
            given, named = ((), args[0]) if mapping else (args, kwargs)
            self.budget.measure([*given, *named.values()])

            def run(form: str, *args: Any, **kwargs: Any) -> str:
                return _BoundedFormatter(self).vformat(form, args, kwargs)

            if mentions_traced((text, *given, *named.values())):
                return self.tracer.apply(run, (text, *given), dict(named))
            return run(text, *given, **named)

        return formatted

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        """Every call that a template makes."""
        self, obj = __self, __obj
        if kwargs:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
        self.budget.step()
        if isinstance(obj, (Unknown, MacroCall, Macro)):
            return obj(*args, **kwargs)
        if not self.is_safe_callable(obj):
            raise SecurityError(f"{obj!r} may not be called")
        owner = getattr(obj, "__self__", None)
        if owner is self:
            return obj(*args, **kwargs)
        for value in (*args, *kwargs.values()) if kwargs else args:
            self.budget.measure(value)
        if isinstance(obj, types.BuiltinMethodType) and owner is not None:
            return self._call_method(owner, obj, args, kwargs)
        try:
            return obj(*args, **kwargs)
        except (TypeError, ValueError, AttributeError, KeyError, OverflowError):
            return self._unknown_or_raise((*args, *kwargs.values()))

    def _call_method(self, owner: Any, method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A method of a builtin type, such as `text.upper()` or `list.append(x)`."""
        args = tuple(self.bounded(a) if isinstance(a, types.GeneratorType) else a for a in args)
        check_method(self.budget, owner, method.__name__, args)
        try:
            if isinstance(owner, str) and mentions_traced((owner, *args)):
                name = method.__name__
                return self.tracer.apply(
                    lambda text, *a, **k: getattr(text, name)(*a, **k), (owner, *args), kwargs
                )
            return method(*args, **kwargs)
        except (TypeError, ValueError, AttributeError, KeyError, OverflowError):
            return self._unknown_or_raise(args)

    def _unknown_or_raise(self, values: tuple[Any, ...]) -> Unknown:
        """What a function gives that failed: an unknown value, if it was handed one; else its error."""
        found = first_unknown(values)
        if found is None:
            raise
        return found


class _BoundedFormatter(SandboxedFormatter):
    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox)
        self._sandbox = sandbox

    def vformat(self, format_string: str, args: Sequence[Any], kwargs: Any) -> str:
        check_format(self._sandbox.budget, format_string)
        return Formatter.vformat(self, format_string, args, kwargs)

    def format_field(self, value: Any, format_spec: str) -> Any:
        check_format(self._sandbox.budget, format_spec)
        text = super().format_field(value, format_spec)
        self._sandbox.budget.text(len(text))
        return text
