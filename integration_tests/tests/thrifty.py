"""What dbt does anew in every process although it comes out the same, done once: a test run is thousands of commands.

Nothing here changes what a command does to a warehouse or prints. What an older dbt does not have stays as it is there.
"""

from __future__ import annotations

import gc
import hashlib
import marshal
import os
import threading
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from dbt.plugins.manager import PluginManager
from dbt_common.clients import jinja as dbt_jinja
from dbt_common.dataclass_schema import dbtClassMixin
from dbt_common.events import base_types
from dbt_common.events.event_manager import EventManager

try:
    from dbt_common import behavior_flags
except ImportError:  # dbt 1.8
    behavior_flags = None

# A folder that the processes of a test run share.
COMPILED = "BACKFILL_SAFETY_COMPILED"


@cache
def install() -> None:
    """In a process that goes on to run many commands."""
    _compile_once()
    _validate_once()
    _keep_silent_events_unmade()
    _look_for_plugins_once()
    _leave_flags_unsigned()


def in_command() -> None:
    """In a command's own process: it ends soon, and what it leaves need not be collected."""
    gc.disable()


def _compile_once() -> None:
    """What Jinja makes of a text is kept in the folder: for this process's commands, and for other processes."""
    folder = os.environ.get(COMPILED)
    if not folder:
        return
    kept = Path(folder)
    kept.mkdir(parents=True, exist_ok=True)
    compile_ = dbt_jinja.MacroFuzzEnvironment.compile

    def compile_once(self: Any, source: Any, *more: Any, **options: Any) -> Any:
        if not isinstance(source, str) or more or options:
            return compile_(self, source, *more, **options)
        kind = type(self)
        text = f"{kind.__qualname__} {kind.code_generator_class.__qualname__} {source}"
        file = kept / hashlib.sha256(text.encode()).hexdigest()
        if file.exists():
            code: CodeType = marshal.loads(file.read_bytes())  # noqa: S302 - written below
            return code
        code = compile_(self, source)
        written = file.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
        written.write_bytes(marshal.dumps(code))
        written.rename(file)
        return code

    dbt_jinja.MacroFuzzEnvironment.compile = compile_once


def _validate_once() -> None:
    """A dictionary that was found to be valid is not looked at again: every command reads the same project files."""
    seen: set[tuple[type, str]] = set()
    validate = dbtClassMixin.validate.__func__

    def validate_once(cls: type, data: Any) -> None:
        this = cls, repr(data)
        if this not in seen:
            validate(cls, data)
            seen.add(this)

    dbtClassMixin.validate = classmethod(validate_once)


def _keep_silent_events_unmade() -> None:
    """An event of debugging becomes a message when somebody reads it; --quiet and no log file leave nobody."""
    event, manager, debug = base_types.BaseEvent, EventManager, base_types.EventLevel.DEBUG
    init, fire = event.__init__, manager.fire_event

    def remember(self: Any, *arguments: Any, **values: Any) -> None:
        self.__dict__["_given"] = arguments, values

    def message(self: Any) -> Any:
        if "_made" not in self.__dict__:
            arguments, values = self.__dict__["_given"]
            init(self, *arguments, **values)
        return self.__dict__["_made"]

    def keep(self: Any, made: Any) -> None:
        self.__dict__["_made"] = made

    def fire_if_heard(self: Any, e: Any, level: Any = None, *more: Any, **options: Any) -> None:
        # dbt's own tracking waits for warnings alone
        others = any(callback.__module__ != "dbt.tracking" for callback in self.callbacks)
        if (
            (level or e.level_tag()) != debug
            or others
            or any(logger.level == debug for logger in self.loggers)
        ):
            fire(self, e, level, *more, **options)

    event.__init__, event.pb_msg = remember, property(message, keep)
    manager.fire_event = fire_if_heard


def _look_for_plugins_once() -> None:
    found = PluginManager.get_prefixed_modules()
    PluginManager.get_prefixed_modules = staticmethod(lambda: found)


def _leave_flags_unsigned() -> None:
    """Who made a flag is looked up in the whole stack with its source files, and named in a warning alone."""
    if behavior_flags:
        behavior_flags.BehaviorFlagRendered._default_source = staticmethod(lambda: "dbt")
