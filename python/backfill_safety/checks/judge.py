"""Judges one model: render it, read its SQL, ask every rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime, timezone
from typing import Any

from msgspec import Struct

from backfill_safety.facts.adapters import Write
from backfill_safety.facts.hooks import HookReader
from backfill_safety.facts.model import ModelFacts
from backfill_safety.facts.query import QueryFacts, UnreadableError
from backfill_safety.facts.request import Request
from backfill_safety.facts.target import target_of
from backfill_safety.manifest import Manifest, Node
from backfill_safety.render import Project, Renderer, Rendering

from .bounded.bf110_not_analysed import RULE as NOT_ANALYSED
from .bounded.bf110_not_analysed import not_analysed
from .finding import Finding, Severity
from .registry import RULES
from .rule import Hit, Rule
from .unknowns import unknown_reason
from .watermark.bf402_hook_writes_progress import RULE as HOOK_PROGRESS
from .watermark.bf402_hook_writes_progress import hits as progress_hits

AUDIT = tuple(rule for _, rule in sorted(RULES.items()) if rule.judge is not None)
PROBE_FIRST, PROBE_LAST = "2001-01-01", "2001-01-08"
"""What is given to vars to see whether giving them opens a window."""
PROBES = 3
"""A branch that a var opens may ask for more vars; this often they are given."""


class Judgement(Struct, frozen=True):
    """What was found out about one model. not_judged: why it could not be read, or not wholly; None when it was."""

    findings: tuple[Finding, ...] = ()
    not_judged: str | None = None


class Judge:
    """Judges the models of one manifest. Rendering, parsing and asking the rules never raise: what goes wrong is a finding.

    vars: as with dbt's `--vars`. request: a window to judge; None for the audit. today: the date by which retentions and look-backs are
    counted, UTC; by default the system's.
    """

    def __init__(
        self,
        manifest: Manifest,
        vars: Mapping[str, Any] | None = None,  # noqa: A002
        request: Request | None = None,
        project: Project | None = None,
        today: date | None = None,
    ) -> None:
        self.manifest, self.request = manifest, request
        self.vars = {**(vars or {}), **(request.vars if request is not None else {})}
        self.project = project
        self.renderer = Renderer(manifest, self.vars, project)
        self.today = today or datetime.now(timezone.utc).date()

    @property
    def planned(self) -> bool:
        return self.request is not None and self.request.windowed

    def model(self, node: Node) -> Judgement:
        """The findings for a model; none, and judged, for what is not incremental."""
        if node.materialized != "incremental" or node.resource_type != "model":
            return Judgement()
        rendering = self.renderer.render(node, "live")
        if rendering.error is not None:
            return self._unjudged(node, rendering, rendering.error, rendering.error_line or 0)
        try:
            facts = self._facts(node, rendering)
        except UnreadableError as error:
            return self._unjudged(node, rendering, str(error), rendering.line_of(error.line) or 0)
        findings = [
            self._finding(node, rendering, rule, hit)
            for rule in AUDIT
            if rule.judge
            for hit in rule.judge(facts)
        ]
        unknown = unknown_reason(facts, self._alike(node, rendering, facts.live, facts.target.traits.dialect))
        if unknown is not None:
            findings.append(self._finding(node, rendering, NOT_ANALYSED, not_analysed(unknown, self.planned)))
        strategies = [
            name
            for name in rendering.overridden
            if name.endswith("_sql") or name.startswith("materialization_")
        ]
        if strategies:
            findings.append(self._finding(node, rendering, NOT_ANALYSED, _overridden(strategies)))
        return Judgement(tuple(sorted(findings, key=Finding.order)), unknown)

    def facts(self, node: Node) -> ModelFacts:
        """All that is known of an incremental model. Raises UnreadableError where it cannot be rendered or read."""
        rendering = self.renderer.render(node, "live")
        if rendering.error is not None:
            raise UnreadableError(rendering.error)
        return self._facts(node, rendering)

    def operations(self) -> Judgement:
        """The findings for the project's `on-run-end` hooks."""
        found = []
        for node in self.manifest.on_run_end:
            hook = self.renderer.render_operation(node)
            reader = HookReader("", {}, target_of({}, self.manifest.adapter).traits.dialect, ())
            for hit in progress_hits(reader.of("on-run-end hook", [hook])):
                found.append(
                    Finding(
                        code=HOOK_PROGRESS.code,
                        check=int(HOOK_PROGRESS.check),
                        severity=hit.severity or HOOK_PROGRESS.severity,
                        model="",
                        path=node.original_file_path or "dbt_project.yml",
                        line=hit.line,
                        message=hit.message,
                        alternative=hit.alternative,
                        curable_by_run=hit.curable_by_run,
                    )
                )
        return Judgement(tuple(sorted(found, key=Finding.order)))

    def _facts(self, node: Node, rendering: Rendering) -> ModelFacts:
        target = target_of(rendering.config, self.manifest.adapter)
        query = self._query(rendering, target.traits.dialect)
        return ModelFacts(
            manifest=self.manifest,
            node=node,
            rendering=rendering,
            target=target,
            live=query,
            today=self.today,
            probe=self._probe(node, rendering, query, target.traits.dialect),
            request=self.request,
            by_hand=target.write is Write.BATCH
            and any(mark.kind == "batch" and mark.text in rendering.marked for mark in rendering.marks),
            vars=self.vars,
        )

    def _query(self, rendering: Rendering, dialect: str) -> QueryFacts:
        target = target_of(rendering.config, self.manifest.adapter)
        partitions = target.partitioning.names if target.partitioning else ()
        return QueryFacts(
            rendering,
            dialect,
            given=frozenset(self.vars),
            partition_column=partitions[0] if partitions else "",
            window_columns=frozenset((*target.key, *partitions)),
        )

    def _probe(self, node: Node, rendering: Rendering, live: QueryFacts, dialect: str) -> QueryFacts | None:
        """The live run with a date for every var that is now empty; None when there is none, or it cannot be read."""
        if not _one_sided(live):
            return None
        given: dict[str, str] = {}
        probe = rendering
        for _ in range(PROBES):
            opened = {name: _probe_value(name) for name in self._empty(probe) if name not in given}
            if not opened:
                break
            given |= opened
            probe = Renderer(self.manifest, {**self.vars, **given}, self.project).render(node, "live")
            if probe.error is not None:
                return None
        if not given:
            return None
        try:
            return self._query(probe, dialect)
        except UnreadableError:
            return None

    def _alike(self, node: Node, rendering: Rendering, live: QueryFacts, dialect: str) -> bool:
        """Whether the SQL is bounded alike whatever the vars without a value are that decide on its form."""
        names = [m.name for m in rendering.marks if m.unknown and m.tested and m.kind == "var"]
        forms: list[QueryFacts] = [live]
        if not names:
            return True
        given: list[object] = [[], ["probe"], PROBE_FIRST]
        for (
            value
        ) in given:  # nobody knows whether it is a list or a text: a form of the wrong kind may not parse
            probe = Renderer(
                self.manifest, {**self.vars, **dict.fromkeys(names, value)}, self.project
            ).render(node, "live")
            if probe.error is None:
                with suppress(UnreadableError):
                    forms.append(self._query(probe, dialect))
        return len(forms) > len(given) - 1 and len({_signature(form) for form in forms}) == 1

    def _empty(self, rendering: Rendering) -> list[str]:
        """The vars that were asked for and are empty by their default, so that giving them may open another branch."""
        without = {
            mark.name for mark in rendering.marks if mark.kind == "var" and mark.unknown and not mark.tested
        }
        return [
            name
            for name, value in rendering.vars_read.items()
            if not value and value != 0 and name not in self.vars and name not in without
        ]

    def _unjudged(self, node: Node, rendering: Rendering, reason: str, line: int) -> Judgement:
        finding = self._finding(node, rendering, NOT_ANALYSED, not_analysed(reason, self.planned, line))
        return Judgement((finding,), reason)

    def _finding(self, node: Node, rendering: Rendering, rule: Rule, hit: Hit) -> Finding:
        return Finding(
            code=rule.code,
            check=int(rule.check),
            severity=hit.severity or rule.severity,
            model=node.unique_id,
            path=node.original_file_path,
            line=hit.line or rendering.config_line or 1,
            message=hit.message,
            alternative=hit.alternative,
            curable_by_run=hit.curable_by_run,
        )


def judge_model(
    manifest: Manifest,
    node: Node,
    request: Request | None = None,
    vars: Mapping[str, Any] | None = None,  # noqa: A002
) -> Judgement:
    """Judge one model. For many models of a manifest make a `Judge` once."""
    return Judge(manifest, vars, request).model(node)


def _one_sided(facts: QueryFacts) -> bool:
    """Whether some stream lacks a bound that a var could give."""
    return any(not arm.lower or not arm.upper for arm in facts.arms if arm.source)


def _signature(facts: QueryFacts) -> frozenset[object]:
    """How the streams are bounded, without regard to where and how often."""
    return frozenset(
        (arm.source, arm.anti, frozenset((b.side, b.kinds, b.column) for b in arm.bounds))
        for arm in facts.arms
    )


def _probe_value(name: str) -> str:
    ends = any(word in name.lower() for word in ("end", "to", "until", "last", "max", "high"))
    return PROBE_LAST if ends else PROBE_FIRST


def _overridden(names: Iterable[str]) -> Hit:
    listed = ", ".join(f"`{name}`" for name in names)
    return Hit(
        message=f"the project replaces {listed}: judged as if it did what dbt's own does",
        alternative="read it once, and excuse this with a reason",
        severity=Severity.INFO,
    )
