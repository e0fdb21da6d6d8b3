"""The judge that workers call: a model's unique id in, its answer out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backfill_safety.audit.answer import Answer
from backfill_safety.checks.finding import Finding
from backfill_safety.manifest import Manifest, Node

if TYPE_CHECKING:
    from backfill_safety.checks.judge import Judge
    from backfill_safety.facts.request import Request

NOT_ANALYSED = "BF110"
PROJECT = ""
"""In place of a model: what the project itself does at the end of every run."""


def subjects(manifest: Manifest) -> list[Node]:
    """The models whose history a run adds to, which are the ones to judge."""
    return manifest.incremental


@dataclass
class ManifestJudge:
    """Judges the models of one manifest under one request; for `PROJECT` its `on-run-end` hooks.

    given: as with dbt's `--vars`. project: the folder of dbt_project.yml, None for none. today: the day by
    which retentions are counted.
    """

    manifest: Manifest
    request: Request | None
    given: dict[str, Any]
    project: Path | None
    today: date

    def __call__(self, model: str) -> Answer:
        told = self.judge.operations() if model == PROJECT else self.judge.model(self.manifest.nodes[model])
        return Answer(told.findings, told.not_judged)

    @cached_property
    def judge(self) -> Judge:
        """Made in the process that judges: what it compiles is not sent about."""
        from backfill_safety.checks.judge import Judge
        from backfill_safety.render import read_project

        return Judge(self.manifest, self.given, self.request, read_project(self.project), self.today)


def with_finding(node: Node, answer: Answer, planned: bool) -> Answer:
    """The answer, with a finding which says that the model was not judged, where no rule got to say it."""
    if answer.not_judged is None or any(f.code == NOT_ANALYSED for f in answer.findings):
        return answer
    from backfill_safety.checks.bounded.bf110_not_analysed import RULE, not_analysed

    hit = not_analysed(answer.not_judged, planned)
    finding = Finding(
        code=RULE.code,
        check=int(RULE.check),
        severity=hit.severity or RULE.severity,
        model=node.unique_id,
        path=node.original_file_path,
        line=1,
        message=hit.message,
        alternative=hit.alternative,
        curable_by_run=hit.curable_by_run,
    )
    return Answer((*answer.findings, finding), answer.not_judged)
