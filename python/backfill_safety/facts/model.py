"""All that is known of one model: what rules read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from backfill_safety.manifest import Manifest, Node, Source
from backfill_safety.render import Hook, Rendering

from .adapters import Write
from .hooks import HookReader
from .names import says_time
from .parents import Parent, parents_of, relation_key, retention_days
from .predicates import Predicate, predicates_of
from .query import QueryFacts
from .request import Request
from .target import Target
from .types import Arm, HookWrite, Kind, Output, Path, SelfRead, Side, from_below


@dataclass(frozen=True)
class ModelFacts:
    """One incremental model. Nothing here is SQL text that a rule would have to read.

    live: the facts of the live run's SQL. probe: those of the live run when every var that opens a branch is given; None when no var
    does. by_hand: the model reads microbatch's own bounds in its template. today: UTC.
    """

    manifest: Manifest
    node: Node
    rendering: Rendering
    target: Target
    live: QueryFacts
    today: date
    probe: QueryFacts | None = None
    request: Request | None = None
    by_hand: bool = False
    vars: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def planned(self) -> bool:
        """Whether a window is judged, and not only the model."""
        return self.request is not None and self.request.windowed

    def line(self, place: int) -> int:
        """The line in the model's file for one of the rendered SQL; 0 when it has none."""
        return self.rendering.line_of(place) or 0 if place else 0

    # --- how far the live run reaches ---------------------------------------------------------

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The streams of rows into the live result that read a relation other than the target."""
        return tuple(arm for arm in self.live.arms if arm.source and not arm.itself)

    @cached_property
    def unbounded(self) -> tuple[Arm, ...]:
        """The streams without a lower bound that moves."""
        return tuple(arm for arm in self.arms if not from_below(arm) and not arm.unknown)

    @cached_property
    def kinds_below(self) -> frozenset[Kind]:
        """What the lower bounds hang on, over all streams; fixed literals left out."""
        return frozenset(k for arm in self.arms for b in from_below(arm) for k in b.kinds)

    @cached_property
    def kinds_above(self) -> frozenset[Kind]:
        return frozenset(k for arm in self.arms for b in arm.upper for k in b.kinds)

    @cached_property
    def only_itself(self) -> bool:
        """Whether `max()` of itself is the only thing that bounds the live run."""
        below = [from_below(arm) for arm in self.arms if not arm.unknown]
        if not below or not all(below) or self.unbounded:
            return False
        lower = all(
            any(Kind.ITSELF in b.kinds for b in bounds)
            and all(b.kinds <= {Kind.ITSELF, Kind.CLOCK, Kind.LITERAL} for b in bounds)
            for bounds in below
        )
        above = [
            b
            for arm in self.arms
            for b in arm.upper
            if not b.indirect
            if b.kinds & {Kind.VAR, Kind.ITSELF}
            or (Kind.OTHER in b.kinds and any(p.table[:1] not in ("", "<") for p in b.paths))
        ]
        return lower and not above

    @cached_property
    def window_by_var(self) -> bool:
        """Whether giving vars opens a branch that is bounded on both sides."""
        return self.probe is not None and both_sides(self.probe, Kind.VAR)

    def partition_paths(self) -> tuple[Path, ...]:
        """The columns behind the partition column or, without one, behind the event time."""
        names = self.target.partitioning.names if self.target.partitioning else ()
        return tuple(
            p for n in names or filter(None, [self.target.event_time]) for p in self.live.output(n).paths
        )

    # --- what is written ------------------------------------------------------------------------

    @cached_property
    def key_outputs(self) -> tuple[Output, ...]:
        return tuple(self.live.output(name) for name in self.target.key)

    @cached_property
    def stamped_identity(self) -> tuple[Output, ...]:
        """The columns that tell a row's place (key, partition, event time) and hold the time of the run."""
        names = dict.fromkeys(self.target.key)
        names.update(dict.fromkeys(self.target.partitioning.names if self.target.partitioning else ()))
        names.update(dict.fromkeys(filter(None, [self.target.event_time])))
        found = tuple(output for output in map(self.live.output, names) if output.stamp)
        if not found and self.target.write is Write.INSERT and self.unbounded and not self.anti_joined:
            found = tuple(output for output in map(self.live.output, self.live.names) if output.stamp)
        return found

    @cached_property
    def self_reads(self) -> tuple[SelfRead, ...]:
        return self.live.self_reads

    @property
    def reads_own_mark(self) -> bool:
        """Whether the target is read at all: in the SQL, by a query of the template, or as dbt's newest partition."""
        queries = any(mark.kind == "query" for mark in self.rendering.marks)
        return bool(self.self_reads) or queries or "_dbt_max_partition" in self.rendering.sql.lower()

    @property
    def anti_joined(self) -> bool:
        """Whether every stream lets only those rows through that the target lacks."""
        arms = [arm for arm in self.live.arms if arm.source and not arm.itself]
        return bool(arms) and all(arm.anti for arm in arms)

    # --- around the query -------------------------------------------------------------------------

    @cached_property
    def parents(self) -> tuple[Parent, ...]:
        return tuple(parents_of(self.manifest, self.rendering))

    @cached_property
    def batch_bounded(self) -> bool:
        """Whether at least one parent of a microbatch is cut to the batch, by dbt or by hand."""
        if self.by_hand or any(p.filtered for p in self.parents if not self.ref_unfiltered):
            return True
        return both_sides(self.live, Kind.VAR)

    @cached_property
    def ref_unfiltered(self) -> bool:
        """Whether the project's own `ref` hands out names in place of relations, which takes microbatch's filter off."""
        if "ref" not in self.rendering.overridden:
            return False
        own = [m for m in self.manifest.macros.values() if m.name == "ref" and m.package_name != "dbt"]
        return any(
            word in m.macro_sql for m in own for word in (".identifier", ".include(", ".render(", ".name")
        )

    @property
    def retentions(self) -> tuple[tuple[str, float], ...]:
        """The sources behind the model, through views and ephemeral parents, that declare how many days they keep."""
        found: dict[str, tuple[str, float]] = {}
        todo, seen = [p.unique_id for p in self.parents] or list(self.node.parents), set()
        while todo:
            unique_id = todo.pop()
            node = self.manifest.get(unique_id)
            if unique_id in seen or node is None:
                continue
            seen.add(unique_id)
            days = retention_days(node)
            if days is not None:
                name = f"{node.source_name}.{node.name}" if isinstance(node, Source) else node.name
                found[unique_id] = (name, days)
            elif isinstance(node, Node) and node.materialized in ("view", "ephemeral"):
                todo += node.parents
        return tuple(found[key] for key in sorted(found))

    @cached_property
    def hook_writes(self) -> tuple[HookWrite, ...]:
        """What the model's own hooks write, and its `sql_header`, which runs before each of its statements."""
        relations = {relation_key(name): unique_id for name, unique_id in self.rendering.relations.items()}
        reader = HookReader(
            relation_key(self.rendering.this),
            relations,
            self.target.traits.dialect,
            (self.node.name, self.node.alias or ""),
        )
        header = self.rendering.sql_header
        return (
            *reader.of("sql_header", [Hook(header, header)] if header else []),
            *reader.of("pre_hook", self.rendering.pre_hooks),
            *reader.of("post_hook", self.rendering.post_hooks),
        )

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        """The incremental predicates, read."""
        sources = self.rendering.config_sources
        hangs_on = frozenset(
            s for key in ("incremental_predicates", "predicates") for s in sources.get(key, ())
        )
        return tuple(predicates_of(self.target.predicates, self.target.traits.dialect, hangs_on))

    @cached_property
    def event_evidence(self) -> str:
        """What shows that the model holds events and no mere list, in words; "" when nothing does."""
        if self.target.partitioning is not None:
            return f"it is partitioned by `{self.target.partitioning.names[0]}`"
        if self.target.event_time:
            return f"its event_time is `{self.target.event_time}`"
        for column in self.node.columns.values():
            if (column.data_type or "").lower().startswith(("date", "timestamp", "datetime")):
                return f"`{column.name}` is a {str(column.data_type).lower()}"
        for name in self.live.names:
            output = self.live.output(name)
            if output.stamp:
                continue
            if says_time(name) or output.typed.startswith(("date", "timestamp")):
                return f"it has the column `{name}`"
        for bound in self.live.bounds:
            for path in bound.paths:
                if says_time(path.column):
                    return f"it filters by `{path.column}`"
        return self._parents_time()

    def _parents_time(self) -> str:
        """Only where the columns are all passed on: then the parent's times are the model's."""
        if self.live.names:
            return ""
        for parent in self.parents:
            if parent.event_time:
                return f"`{parent.name}` has the event_time `{parent.event_time}`"
            for column, kind in parent.types.items():
                if kind.startswith(("date", "timestamp")) or says_time(column):
                    return f"`{parent.name}` has the column `{column}`"
        return ""


def both_sides(facts: QueryFacts, kind: Kind) -> bool:
    """Whether every stream is bounded below and above, each time by something of this kind."""
    arms = [arm for arm in facts.arms if arm.source and not arm.itself]
    return bool(arms) and all(
        any(kind in b.kinds for b in arm.on(side)) for arm in arms for side in (Side.LOWER, Side.UPPER)
    )
