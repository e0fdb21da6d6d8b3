"""Reading and typing `manifest.json`."""

from .errors import ManifestError, SelectionError
from .manifest import Manifest
from .reader import read_manifest
from .types import Column, DependsOn, Macro, Metadata, Node, Source

__all__ = [
    "Column",
    "DependsOn",
    "Macro",
    "Manifest",
    "ManifestError",
    "Metadata",
    "Node",
    "SelectionError",
    "Source",
    "read_manifest",
]
