"""Why a model could not be rendered, in one line."""

from __future__ import annotations

from jinja2.exceptions import SecurityError, TemplateSyntaxError, UndefinedError

from .budget import BudgetError
from .output import ADDRESS
from .values import ProjectError, ReturnSignal


def reason(error: BaseException) -> str:
    """The reason for people, without a traceback and without addresses of objects."""
    text = ADDRESS.sub("", " ".join(str(error).split()))[:300]
    if isinstance(error, BudgetError):
        return f"its template {text}"
    if isinstance(error, ProjectError):
        return text
    if isinstance(error, ReturnSignal):
        return "calls return() outside a macro"
    if isinstance(error, TemplateSyntaxError):
        return f"its Jinja does not parse: {text}"
    if isinstance(error, SecurityError):
        return f"its template reaches for what a template may not touch: {text}"
    if isinstance(error, UndefinedError):
        return text
    if isinstance(error, RecursionError):
        return "its template nests too deep"
    if isinstance(error, MemoryError):
        return "its template takes too much memory"
    return (
        f"its template fails: {type(error).__name__}: {text}"
        if text
        else f"its template fails: {type(error).__name__}"
    )
