"""What the formats tell about the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backfill_safety.report.document import RuleText


class RuleTexts(Mapping[str, RuleText]):
    """Every rule's texts by code; the rules are imported when the first one is asked for."""

    def __getitem__(self, code: str) -> RuleText:
        from backfill_safety.checks.registry import RULES
        from backfill_safety.report.rule_page import page, spelled

        rule = RULES[code]
        return RuleText(spelled(rule), " ".join(rule.doc.summary.split()), page(rule))

    def __iter__(self) -> Iterator[str]:
        from backfill_safety.checks.registry import RULES

        return iter(RULES)

    def __len__(self) -> int:
        from backfill_safety.checks.registry import RULES

        return len(RULES)
