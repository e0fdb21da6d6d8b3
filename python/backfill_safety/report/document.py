"""The value that every format shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

import msgspec

from backfill_safety.checks.finding import Finding, NotJudged, Severity, Verdict, VerdictKind, verdict_of

PACKAGES = "dbt_packages"


class RuleText(msgspec.Struct, frozen=True):
    """What a format tells about a rule itself: its short name, one sentence, and its page in Markdown."""

    name: str
    summary: str
    page: str = ""


class Held(msgspec.Struct, frozen=True):
    """What is not shown, and why, as numbers of findings; `unchanged` and `gone` see below.

    baseline: known to the baseline. previous: already there in the previous manifest. excused: by the
    model's own `meta`. ignored: by the settings. gone: entries of the baseline that no longer occur.
    unchanged: models that are as they were in the previous manifest, so that they were not judged anew.
    """

    baseline: int = 0
    previous: int = 0
    excused: int = 0
    ignored: int = 0
    gone: int = 0
    unchanged: int = 0

    @property
    def known(self) -> bool:
        """Whether there is more than is shown, so that the verdict is about what is new."""
        return bool(self.baseline or self.previous or self.unchanged)


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a check, ready to be shown; findings are in the order of `Finding.order`.

    subjects: unique ids of the models that were judged, sorted. root: the project's folder as seen from
    where the command runs, "" when it is the same; formats whose readers open files put it before each
    path. project: the root project's name. fail_on: the severity from which a finding fails the run; None
    when none does.
    """

    verdict: Verdict
    findings: tuple[Finding, ...]
    not_judged: tuple[NotJudged, ...]
    subjects: tuple[str, ...]
    held: Held = Held()
    adapter: str = ""
    root: str = ""
    project: str = ""
    fail_on: Severity | None = Severity.BLOCK
    rules: Mapping[str, RuleText] = {}
    version: str = ""

    @classmethod
    def of(
        cls,
        findings: Iterable[Finding],
        not_judged: Iterable[NotJudged],
        subjects: Iterable[str],
        **more: object,
    ) -> Document:
        """Sort everything and work out the verdict; `more` are the other fields."""
        shown = tuple(sorted(findings, key=Finding.order))
        apart = tuple(sorted(not_judged, key=lambda n: (n.model, n.reason)))
        judged = tuple(sorted(subjects))
        verdict = verdict_of(shown, len(judged), len(apart))
        told = cls(verdict=verdict, findings=shown, not_judged=apart, subjects=judged, **more)  # type: ignore[arg-type]
        if verdict.kind is VerdictKind.SAFE and told.held.known:
            limited = Verdict(verdict.kind, f"{verdict.reason}; what was known before is not counted")
            told = msgspec.structs.replace(told, verdict=limited)
        return told

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(f.severity is severity for f in self.findings)

    def fails(self, finding: Finding) -> bool:
        """Whether this finding alone makes the run fail."""
        return self.fail_on is not None and finding.severity.rank >= self.fail_on.rank

    @property
    def failed(self) -> bool:
        """Whether any finding makes the run fail."""
        return any(map(self.fails, self.findings))

    def file(self, finding: Finding) -> str:
        """The finding's file as seen from where the command runs, with `/` and no needless `..`; "" for none.

        A manifest names the files of a package from the package's own folder, where dbt installs it.
        """
        if not finding.path:
            return ""
        package = finding.model.split(".")[1] if finding.model.count(".") > 1 else self.project
        inside = (
            PurePosixPath(PACKAGES, package) if self.project and package != self.project else PurePosixPath()
        )
        parts: list[str] = []
        for part in (
            PurePosixPath(self.root.replace("\\", "/")) / inside / finding.path.replace("\\", "/")
        ).parts:
            if part == ".." and parts and parts[-1] not in ("..", "/"):
                parts.pop()
            else:
                parts.append(part)
        return str(PurePosixPath(*parts))
