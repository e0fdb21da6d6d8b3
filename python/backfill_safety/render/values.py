"""Functions of dbt's context that only turn values into others."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from jinja2 import Undefined

from .budget import MAX_ITEMS
from .methods import mentions_traced
from .traced import Traced, TracedDate, TracedDatetime, TracedFloat, TracedInt, Unknown
from .tracer import CLOSE, MIDDLE, OPEN

if TYPE_CHECKING:
    from .sandbox import Sandbox

MAX_PARSED = 200_000
"""Characters of JSON or YAML that `fromjson` and `fromyaml` read."""


class ReturnSignal(Exception):  # noqa: N818  # not an error
    """`return(x)` inside a macro: ends it with a value that need not be text."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class ProjectError(Exception):
    """The project itself stopped: `exceptions.raise_compiler_error(…)`."""


class Values:
    """The functions, by the name that templates use. One per sandbox, since they pay from its budget."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def functions(self) -> dict[str, Callable[..., Any]]:
        return {
            "return": self.return_,
            "fromjson": self.fromjson,
            "tojson": self.tojson,
            "fromyaml": self.fromyaml,
            "toyaml": self.toyaml,
            "set": self.set,
            "set_strict": self.set_strict,
            "zip": self.zip,
            "zip_strict": self.zip_strict,
            "local_md5": self.local_md5,
            "log": self.silent,
            "print": self.silent,
            "debug": self.silent,
            "diff_of_two_dicts": self.diff_of_two_dicts,
            "try_or_compiler_error": self.try_or_compiler_error,
        }

    def return_(self, data: Any = None) -> NoReturn:
        raise ReturnSignal(data)

    def silent(self, *_: Any, **__: Any) -> str:
        """`log` and `print`: nobody reads them here."""
        return ""

    def fromjson(self, string: Any, default: Any = None) -> Any:
        return self._parsed(json.loads, string, default)

    def fromyaml(self, value: Any, default: Any = None) -> Any:
        return self._parsed(_load_yaml, value, default)

    def _parsed(self, load: Callable[[str], Any], text: Any, default: Any) -> Any:
        if isinstance(text, Unknown):
            return text
        self._sandbox.budget.text(8 * len(str(text)))
        if len(str(text)) > MAX_PARSED:
            return default
        try:
            value = load(str(text))
        except (ValueError, RecursionError):
            return default
        self._sandbox.budget.measure(value)
        return value

    def tojson(self, value: Any, default: Any = None, sort_keys: bool = False) -> Any:
        try:
            return self._traced(lambda v: _unescaped(json.dumps(v, sort_keys=bool(sort_keys))), value)
        except (ValueError, TypeError):
            return default

    def toyaml(self, value: Any, default: Any = None, sort_keys: bool = False) -> Any:
        try:
            return self._traced(lambda v: _dump_yaml(v, bool(sort_keys)), value)
        except ValueError:
            return default

    def local_md5(self, value: Any) -> Any:
        return self._traced(
            lambda v: hashlib.md5(str(v).encode("utf-8"), usedforsecurity=False).hexdigest(), value
        )

    def _traced(self, function: Callable[[Any], Any], value: Any) -> Any:
        if isinstance(value, Unknown):
            return value
        if mentions_traced((value,)):
            return self._sandbox.tracer.apply(function, (value,), {})
        return function(value)

    def set(self, value: Any, default: Any = None) -> Any:
        try:
            return self.set_strict(value)
        except TypeError:
            return default

    def set_strict(self, value: Any) -> Any:
        return _Ordered(self._sandbox.items(value, 1))

    def zip(self, *args: Any, default: Any = None) -> Any:
        try:
            return self.zip_strict(*args)
        except TypeError:
            return default

    def zip_strict(self, *args: Any) -> Any:
        return list(itertools.islice(zip(*args), MAX_ITEMS))  # noqa: B905

    def diff_of_two_dicts(self, left: Any, right: Any) -> dict[str, Any]:
        lowered = {str(k).casefold(): {str(i).casefold() for i in v} for k, v in right.items()}
        found = {}
        for key, values in left.items():
            kept = [v for v in values if str(v).casefold() not in lowered.get(str(key).casefold(), set())]
            if kept:
                found[key] = kept
        return found

    def try_or_compiler_error(
        self, message: str, function: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        return function(*args, **kwargs)


def _unescaped(text: str) -> str:
    """JSON with the private characters of traced values left as they are."""
    for character in (OPEN, MIDDLE, CLOSE):
        text = text.replace(f"\\u{ord(character):04x}", character)
    return text


class _Ordered(set[Any]):
    """A set that is printed and looped over in sorted order: Python's own order changes from run to run."""

    def __iter__(self) -> Any:
        return iter(sorted(super().__iter__(), key=str))

    def __repr__(self) -> str:
        return "{" + ", ".join(repr(v) for v in self) + "}" if self else "set()"


def _load_yaml(text: str) -> Any:
    """YAML without aliases, which can name one list a million times. Raises ValueError where it is not valid."""
    import yaml  # type: ignore[import-untyped]  # imported late: few templates read YAML

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise ValueError("aliases are not read")
            return super().compose_node(parent, index)

    try:
        return yaml.load(text, Loader=Loader)  # noqa: S506  # it is a safe loader
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


def _dump_yaml(value: Any, sort_keys: bool) -> str:
    import yaml

    try:
        return str(yaml.safe_dump(_plain(value), sort_keys=sort_keys))
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


def _plain(value: Any) -> Any:
    """Traced values as the plain ones that YAML's writer knows."""
    if isinstance(value, dict):
        return {_plain(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, Traced):
        return str.__str__(value)
    if isinstance(value, TracedInt):
        return int(value)
    if isinstance(value, TracedFloat):
        return float(value)
    if isinstance(value, (TracedDatetime, TracedDate)):
        return str(value)
    return value


class Exceptions:
    """`exceptions`: what a project raises stops its model, what it warns of is not our concern."""

    def warn(self, *_: Any, **__: Any) -> str:
        return ""

    def warn_snapshot_timestamp_data_types(self, *_: Any, **__: Any) -> str:
        return ""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return _raise


def _raise(*args: Any, **kwargs: Any) -> NoReturn:
    given = [
        str(a)
        for a in (*args, *kwargs.values())
        if isinstance(a, (str, int)) and not isinstance(a, Undefined)
    ]
    raise ProjectError(" ".join(given)[:300] or "the project raised an error")
