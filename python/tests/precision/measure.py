"""Measure the rules against models that a reviewer read by hand.

usage: python measure.py [--failures]

Runs `backfill-safety check` over the manifests in `$BACKFILL_SAFETY_SHARED/manifests` (default `../shared`
beside the repository) and prints, per rule, precision and recall against `labels.yml`, how often each rule
fires per manifest, and how many block findings are right. `--failures` lists each disagreement by the
label's key. Exit status: 0 measured, 2 the manifests are missing (said on standard error).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
LOUD = ("warn", "block")
SAMPLES = ("models", "later_models")


@dataclass
class Expectation:
    """One thing that must be said: any of the codes, at any of the severities."""

    codes: tuple[str, ...]
    severities: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Expectation:
        """`BF105|BF605 warn`."""
        codes, severities = text.split()
        return cls(tuple(codes.split("|")), tuple(severities.split("|")))

    def met_by(self, code: str, severity: str) -> bool:
        """Whether a finding says it, at a right weight."""
        return code in self.codes and severity in self.severities


@dataclass
class Label:
    """What the reviewer says of one model; `also` maps a code to the severities that could be argued for."""

    key: str
    expected: list[Expectation]
    also: dict[str, tuple[str, ...]]
    why: str
    sample: str = "models"

    @classmethod
    def read(cls, raw: dict[str, Any], sample: str = "models") -> Label:
        """A label from an entry of labels.yml; sample: the list in which it stands."""
        said = [part for text in raw["checks"].values() if text != "clean" for part in text.split(", ")]
        also = {}
        for item in raw.get("also", []):
            code, _, severities = item.partition(":")
            also[code] = tuple(severities.split("|")) if severities else LOUD
        return cls(raw["key"], [Expectation.read(part) for part in said], also, raw["why"], sample)

    def verdict(self, code: str, severity: str) -> str:
        """`right`, `arguable` or `wrong` for a finding raised on this model."""
        if any(e.met_by(code, severity) for e in self.expected):
            return "right"
        return "arguable" if severity in self.also.get(code, ()) else "wrong"


@dataclass
class Tally:
    """Findings of one rule (or of all block findings) counted against the labels."""

    counts: Counter[str] = field(default_factory=Counter)

    def ratio(self, part: str, other: str) -> str:
        """`part / (part + other)` as a percentage, or a dash when there is nothing to divide."""
        whole = self.counts[part] + self.counts[other]
        return f"{100 * self.counts[part] / whole:.0f} %" if whole else "–"


@dataclass
class Score:
    """The tallies of one sample."""

    rules: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    blocks: Tally = field(default_factory=Tally)


def key_of(unique_id: str, project: str) -> str:
    """The name under which a model stands in labels.yml."""
    return hashlib.sha256((unique_id + project).encode()).hexdigest()[:16]


def manifests(folder: Path, known: dict[str, Any]) -> Iterator[tuple[str, str, str, Path]]:
    """Letter, project id, adapter and unpacked file of each manifest that the labels know."""
    letters = {entry["project"]: (letter, entry["adapter"]) for letter, entry in known.items()}
    for packed in sorted(folder.glob("*.json.gz")):
        text = gzip.decompress(packed.read_bytes())
        project = json.loads(text)["metadata"]["project_id"]
        named = letters.get(hashlib.sha256(project.encode()).hexdigest()[:16])
        if named is None:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "target" / "manifest.json"
            path.parent.mkdir()
            path.write_bytes(text)
            yield (*named[:1], project, named[1], path)


def check(manifest: Path, adapter: str) -> dict[str, Any]:
    """The JSON report of one manifest. Raises ValueError when the command gives none."""
    command = Path(sys.executable).with_name("backfill-safety")
    run = subprocess.run(
        [str(command), "check", str(manifest), "--adapter", adapter, "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        report: dict[str, Any] = json.loads(run.stdout)
    except json.JSONDecodeError as error:
        raise ValueError(f"no report for {adapter}, exit {run.returncode}: {run.stderr[-300:]}") from error
    return report


def loud_by_model(report: dict[str, Any]) -> dict[str, set[tuple[str, str]]]:
    """Warn and block findings, by model."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for finding in report["findings"]:
        if finding["severity"] in LOUD:
            found[finding["model"]].add((finding["code"], finding["severity"]))
    return found


def compare(
    label: Label, found: set[tuple[str, str]], rules: dict[str, Tally], blocks: Tally
) -> Iterator[str]:
    """Count one model's findings, and say each disagreement."""
    for code, severity in sorted(found):
        verdict = label.verdict(code, severity)
        rules[code].counts[verdict] += 1
        if severity == "block":
            blocks.counts[verdict] += 1
        if verdict == "wrong":
            yield f"{label.key} false {code} {severity}: {label.why}"
    for expected in label.expected:
        if not any(expected.met_by(*finding) for finding in found):
            rules[expected.codes[0]].counts["missed"] += 1
            codes, severities = "|".join(expected.codes), "|".join(expected.severities)
            yield f"{label.key} missed {codes} {severities}: {label.why}"


def main() -> int:
    """Print the figures; see the module's text."""
    shared = Path(os.environ.get("BACKFILL_SAFETY_SHARED", ROOT.parent / "shared")) / "manifests"
    if not shared.is_dir():
        print(f"skipped: no manifests at {shared}; set BACKFILL_SAFETY_SHARED", file=sys.stderr)
        return 2
    book = yaml.safe_load((HERE / "labels.yml").read_text())
    labels = {raw["key"]: Label.read(raw, sample) for sample in SAMPLES for raw in book[sample]}
    scores = {sample: Score() for sample in SAMPLES}
    fires, unjudged, disagreements, seen = {}, {}, [], set()
    for letter, project, adapter, path in manifests(shared, book["manifests"]):
        report = check(path, adapter)
        found = loud_by_model(report)
        pairs = {(f["code"], f["model"]) for f in report["findings"] if f["model"].startswith("model.")}
        fires[letter] = Counter(code for code, _ in pairs)
        unjudged[letter] = len(report["not_judged"])
        left_out = {item["model"] for item in report["not_judged"]}
        names = json.loads(path.read_bytes())["nodes"]
        for unique_id in names:
            label = labels.get(key_of(unique_id, project))
            if label is None:
                continue
            seen.add(label.key)
            if unique_id in left_out:
                disagreements.append(f"{label.key} not judged: {label.why}")
            score = scores[label.sample]
            disagreements += compare(label, found.get(unique_id, set()), score.rules, score.blocks)
    for sample, score in scores.items():
        print(f"\n{sample}: {sum(label.sample == sample for label in labels.values())} labelled\n")
        print_rules(score.rules, score.blocks)
    print_fires(fires, unjudged, {k: v["incremental"] for k, v in book["manifests"].items()})
    print(f"\n{len(seen)} of {len(labels)} labelled models found; {len(disagreements)} disagreements")
    if "--failures" in sys.argv:
        print("\n".join(sorted(disagreements)))
    return 0


def print_rules(rules: dict[str, Tally], blocks: Tally) -> None:
    """Precision and recall of each rule, as a markdown table."""
    print("| rule | right | arguable | false | missed | precision | recall |")
    print("|---|---|---|---|---|---|---|")
    total = Tally()
    for code, tally in sorted(rules.items()):
        total.counts += tally.counts
        print_row(code, tally)
    print_row("all", total)
    print_row("block findings", blocks)


def print_row(name: str, tally: Tally) -> None:
    """One line of the table."""
    cells = [str(tally.counts[kind]) for kind in ("right", "arguable", "wrong", "missed")]
    cells += [tally.ratio("right", "wrong"), tally.ratio("right", "missed")]
    print(f"| {name} | {' | '.join(cells)} |")


def print_fires(
    fires: dict[str, Counter[str]], unjudged: dict[str, int], incremental: dict[str, int]
) -> None:
    """In how many models of each manifest each rule speaks, at any severity, as a markdown table."""
    print("\n| rule | " + " | ".join(f"{letter} ({incremental[letter]})" for letter in fires) + " |")
    print("|---" * (len(fires) + 1) + "|")
    for code in sorted({code for counts in fires.values() for code in counts}):
        print(f"| {code} | " + " | ".join(str(counts[code] or "") for counts in fires.values()) + " |")
    print("| not judged | " + " | ".join(str(unjudged[letter] or "") for letter in fires) + " |")


if __name__ == "__main__":
    sys.exit(main())
