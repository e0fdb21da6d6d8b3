"""The nodes of a tree by their type, met in one walk: most questions about a whole query are then an answer without another."""

from __future__ import annotations

from sqlglot import exp

from .functions import MAY_BE_RANDOM, is_random


class Kinds:
    """What a tree is made of, as it was when this was made."""

    def __init__(self, tree: exp.Expr) -> None:
        self._found: dict[type[exp.Expr], list[exp.Expr]] = {}
        for node in tree.walk():
            found = self._found.get(type(node))
            if found is None:
                found = self._found[type(node)] = []
            found.append(node)

    def of(self, *kinds: type[exp.Expr]) -> list[exp.Expr]:
        """The nodes of these types and of those derived from them."""
        return [node for found, nodes in self._found.items() if issubclass(found, kinds) for node in nodes]

    def has(self, *kinds: type[exp.Expr]) -> bool:
        return any(issubclass(found, kinds) for found in self._found)

    @property
    def random(self) -> bool:
        """Whether anything gives another value each time."""
        return any(map(is_random, self.of(*MAY_BE_RANDOM)))
