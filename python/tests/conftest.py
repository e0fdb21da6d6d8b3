"""What tests of the checker share. Being here, this file lets them all import `synthetic`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def shared_manifests() -> Path:
    """Real manifests that are not part of the project: `$BACKFILL_SAFETY_SHARED/manifests`, by default
    ../shared."""
    folder = Path(os.environ.get("BACKFILL_SAFETY_SHARED", ROOT.parent / "shared")) / "manifests"
    if not folder.is_dir():
        pytest.skip(f"compares with real manifests, and there is no {folder}")
    return folder
