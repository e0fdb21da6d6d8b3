"""A model's SQL from the manifest alone: no warehouse, no profile, no dbt."""

from .types import Branch, Hook, Mark, Ref, Rendering

__all__ = ["Branch", "Hook", "Mark", "Ref", "Rendering"]
