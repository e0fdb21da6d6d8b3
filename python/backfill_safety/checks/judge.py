"""Judges one model: render it, read its SQL, ask every rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timezone
from typing import Any

from msgspec import Struct

from backfill_safety.facts.adapters import Write
from backfill_safety.facts.hooks import HookReader
from backfill_safety.facts.model import ModelFacts
from backfill_safety.facts.parsing import UnreadableError
from backfill_safety.facts.request import Request
from backfill_safety.facts.target import target_of
from backfill_safety.manifest import Manifest, Node
from backfill_safety.render import Project, Renderer, Rendering

from .bounded.bf110_not_analysed import RULE as NOT_ANALYSED
from .bounded.bf110_not_analysed import not_analysed
from .finding import Finding, Severity
from .probes import Probes, query_facts
from .registry import RULES
from .rule import Hit, Rule
from .unknowns import unknown_reason
from .watermark.bf402_hook_writes_progress import RULE as HOOK_PROGRESS
from .watermark.bf402_hook_writes_progress import hits as progress_hits

AUDIT = tuple(rule for _, rule in sorted(RULES.items()) if rule.judge is not None)


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
        self._probes = Probes(manifest, self.vars, project)
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
            return self._judged(node, rendering)
        except UnreadableError as error:
            return self._unjudged(node, rendering, str(error), rendering.line_of(error.line) or 0)
        except Exception as error:  # a stranger's SQL costs one model and not the run
            return self._unjudged(node, rendering, f"reading its SQL failed ({type(error).__name__})", 0)

    def _judged(self, node: Node, rendering: Rendering) -> Judgement:
        facts = self._facts(node, rendering)
        findings = [
            self._finding(node, rendering, rule, hit)
            for rule in AUDIT
            if rule.judge
            for hit in rule.judge(facts)
        ]
        unknown = unknown_reason(facts, self._probes.alike(node, rendering, facts.live))
        if unknown is not None:
            findings.append(self._finding(node, rendering, NOT_ANALYSED, not_analysed(unknown, self.planned)))
        strategies = [
            name
            for name in rendering.overridden
            if name.endswith("_sql") or name.startswith("materialization_")
        ]
        if strategies:
            findings.append(self._finding(node, rendering, NOT_ANALYSED, _overridden(strategies)))
        if facts.target.write is Write.UNKNOWN:
            hit = _own_strategy(facts.target.strategy, facts.target.adapter)
            findings.append(self._finding(node, rendering, NOT_ANALYSED, hit))
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
        query = query_facts(rendering, target, self.vars)
        return ModelFacts(
            manifest=self.manifest,
            node=node,
            rendering=rendering,
            target=target,
            live=query,
            today=self.today,
            probe=self._probes.opened(node, rendering, query),
            request=self.request,
            by_hand=target.write is Write.BATCH
            and any(mark.kind == "batch" and mark.text in rendering.marked for mark in rendering.marks),
            vars=self.vars,
        )

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


def _overridden(names: Iterable[str]) -> Hit:
    listed = ", ".join(f"`{name}`" for name in names)
    return Hit(
        message=f"the project replaces {listed}: judged as if it did what dbt's own does",
        alternative="read it once, and excuse this with a reason",
        severity=Severity.INFO,
    )


def _own_strategy(strategy: str, adapter: str) -> Hit:
    return Hit(
        message=f"the strategy `{strategy}` is none of those known of {adapter}: what a run replaces, and whether it can be run again, "
        "is not judged",
        alternative="read its macro once, and excuse this with a reason",
        severity=Severity.INFO,
    )
