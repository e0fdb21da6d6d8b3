"""What can be wrong with a manifest, said in one line."""

from __future__ import annotations


class ManifestError(Exception):
    """A manifest that is missing, unreadable, or not a dbt manifest. The text is meant for the user."""


class SelectionError(Exception):
    """A `--select` that cannot be understood or names nothing."""
