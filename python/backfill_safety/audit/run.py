"""One run of `check`, from what was asked to the document that is shown."""

from __future__ import annotations

import dataclasses
import gc
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from importlib.metadata import version
from os.path import relpath
from pathlib import Path
from typing import Any

from backfill_safety.audit.adjust import adjust
from backfill_safety.audit.answer import Answer
from backfill_safety.audit.audit import audit
from backfill_safety.audit.baseline import read_baseline
from backfill_safety.audit.compare import split
from backfill_safety.audit.excuses import entries_of, excuse
from backfill_safety.audit.files import models_of
from backfill_safety.audit.judge import PROJECT, ManifestJudge, subjects, with_finding
from backfill_safety.audit.keys import keys
from backfill_safety.audit.select import select
from backfill_safety.checks.finding import Finding, NotJudged, Severity
from backfill_safety.facts.request import Request
from backfill_safety.manifest import Manifest, read_manifest
from backfill_safety.report.document import Document, Held
from backfill_safety.report.rule_texts import RuleTexts
from backfill_safety.settings.project import project_folder, project_texts
from backfill_safety.settings.schema import Settings

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Asked:
    """What the command line and the settings ask.

    files: check only the models of these files. state: a previous manifest. baseline: a file of known
    findings. start, end, given: the window and the vars of a planned backfill. project: the folder of
    dbt_project.yml, None to look where it may be. cached: answers may be remembered beside the manifest.
    """

    manifest: Path
    settings: Settings = field(default_factory=Settings)
    select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    adapter: str | None = None
    project: Path | None = None
    given: dict[str, Any] = field(default_factory=dict)
    start: str = ""
    end: str = ""
    state: Path | None = None
    baseline: Path | None = None
    cached: bool = True
    today: date = field(default_factory=lambda: datetime.now(timezone.utc).date())

    @property
    def planned(self) -> bool:
        """Whether a planned backfill is judged, and not only the models."""
        return bool(self.start or self.end)


@dataclass(frozen=True)
class Outcome:
    """The document, and the findings that a baseline would hold."""

    document: Document
    findings: tuple[Finding, ...]
    manifest: Manifest


def run(asked: Asked, progress: Progress | None = None) -> Outcome:
    """Checks what was asked. Raises ManifestError, SelectionError and UsageError."""
    manifest = read_manifest(asked.manifest, asked.adapter)
    gc.freeze()  # it stays to the end: the collector need not look at it again
    folder = project_folder(asked.project, asked.manifest, manifest.project_name)
    asked = dataclasses.replace(asked, project=folder)
    chosen, stale = _chosen(manifest, asked)
    same: set[str] = set()
    if asked.state:
        previous = read_manifest(asked.state, asked.adapter)
        same = _unchanged(manifest, previous, chosen, asked)
    left_out = {model: Answer(not_judged=why) for model, why in stale.items()}
    answers = (
        _answers(manifest, chosen - same - set(stale), asked, asked.manifest.parent, progress) | left_out
    )
    found, excused = _excused(manifest, answers, asked)
    findings, ignored = adjust(manifest, found, asked.settings)
    already: list[Finding] = []
    if asked.state:
        before = _answers(previous, set(answers) & set(previous.nodes), asked, asked.state.parent, progress)
        earlier, _ = adjust(manifest, _excused(previous, before, asked)[0], asked.settings)
        findings, already, _ = split(findings, earlier)
    new, gone = findings, 0
    listed: list[Finding] = []
    if asked.baseline:
        new, listed, gone = split(findings, read_baseline(asked.baseline))
    left = {m or "on-run-end": a.not_judged for m, a in answers.items() if a.not_judged}
    document = Document.of(
        new,
        itertools.starmap(NotJudged, left.items()),
        (set(answers) | same) - set(left) - {PROJECT},
        held=Held(len(listed), len(already), excused, ignored, gone, len(same)),
        adapter=manifest.adapter,
        root=_root(asked),
        project=manifest.project_name,
        fail_on=None if asked.settings.fail_on == "never" else Severity(asked.settings.fail_on),
        rules=RuleTexts(),
        version=version("dbt-backfill-safety"),
    )
    return Outcome(document, tuple(findings), manifest)


def _chosen(manifest: Manifest, asked: Asked) -> tuple[set[str], dict[str, str]]:
    """The models that are meant, and those among them that cannot be judged since their file has changed."""
    nodes = select(manifest, subjects(manifest), asked.select, asked.exclude)
    chosen = {n.unique_id for n in nodes}
    if not asked.files:
        return chosen, {}
    touched, stale = models_of(manifest, asked.files, asked.project or asked.manifest.parent.parent)
    chosen &= touched
    return chosen, {model: why for model, why in stale.items() if model in chosen}


def _question(asked: Asked) -> dict[str, Any]:
    """All that an answer hangs on beside the manifest itself. The day matters to a plan alone."""
    told: dict[str, Any] = {"vars": asked.given, "project": project_texts(asked.project)}
    if asked.planned:
        told |= {"start": asked.start, "end": asked.end, "today": asked.today.isoformat()}
    return told


def _unchanged(manifest: Manifest, previous: Manifest, chosen: set[str], asked: Asked) -> set[str]:
    """Models that have nothing that could change their answer since the previous manifest."""
    question = _question(asked)
    now, then = (keys(m, chosen & set(m.nodes), question) for m in (manifest, previous))
    return {model for model in chosen if now[model] == then.get(model)}


def _answers(
    manifest: Manifest, models: set[str], asked: Asked, folder: Path, progress: Progress | None
) -> dict[str, Answer]:
    request = (
        Request(start=asked.start, end=asked.end, vars=asked.given) if asked.planned or asked.given else None
    )
    judge = ManifestJudge(manifest, request, asked.given, asked.project, asked.today)
    memory = folder if asked.cached else None
    hooks = (
        {PROJECT}
        if manifest.on_run_end and not asked.files and (asked.planned or not asked.select)
        else set()
    )
    return audit(manifest, models | hooks, judge, _question(asked), memory, progress)


def _excused(manifest: Manifest, answers: dict[str, Answer], asked: Asked) -> tuple[list[Finding], int]:
    """The findings that excuses leave, with what is wrong with the excuses, and how many are excused."""
    findings: list[Finding] = []
    number = 0
    for model, answer in answers.items():
        node = manifest.nodes.get(model)
        all_found = with_finding(node, answer, asked.planned).findings if node else answer.findings
        if node is None or entries_of(node) is None:
            findings += all_found
            continue
        complete = answer.not_judged is None and not asked.planned
        told = excuse(node, all_found, asked.today, _scopes(), complete)
        findings += [*told.findings, *told.complaints]
        number += told.number
    return findings, number


def _scopes() -> dict[str, str]:
    """Every rule's code with the scopes it is asked in. Imported late: it takes a third of a second."""
    from backfill_safety.checks.registry import RULES

    return {code: rule.scopes for code, rule in RULES.items()}


def _root(asked: Asked) -> str:
    """The project's folder as seen from here; "" where it is this one, or cannot be told."""
    folder = relpath(asked.project) if asked.project else ""
    return "" if folder == "." else folder
