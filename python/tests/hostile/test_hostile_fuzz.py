"""A short fuzz in every run; `python/tests/fuzz.py` goes on for as long as one likes."""

from __future__ import annotations

from typing import Any

import fuzz
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

QUICK = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@QUICK
@given(fuzz.template, fuzz.template)
def test_no_template_breaks_the_renderer(text: str, loop: str) -> None:
    fuzz.try_template(text, loop)


@QUICK
@given(st.integers(0, 2**32), fuzz.JSON, st.sampled_from([0, 34, 91, 255]))
def test_no_manifest_breaks_the_reader(seed: int, value: Any, cut: int) -> None:
    fuzz.try_manifest(seed, value, cut)
