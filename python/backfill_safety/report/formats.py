"""The formats by name; each is imported only when it is asked for."""

from __future__ import annotations

from importlib import import_module

from backfill_safety.report.document import Document

FORMATS = {
    "text": "text",
    "markdown": "markdown",
    "json": "as_json",
    "sarif": "sarif",
    "github": "github",
    "junit": "junit",
}


def render(document: Document, format_name: str, width: int = 80) -> str:
    """The document in a format of `FORMATS`; `width` matters to `text` alone. Ends in a new line."""
    module = import_module(f"backfill_safety.report.{FORMATS[format_name]}")
    told: str = module.render(document, width) if format_name == "text" else module.render(document)
    return told
