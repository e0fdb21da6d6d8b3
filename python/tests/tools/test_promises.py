"""docs/promises.md lists the tests that prove the promises, and every promise has one."""

from __future__ import annotations

import promises
import pytest


def test_the_list_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    status = promises.main(["--check"])
    assert status == 0, capsys.readouterr().out


@pytest.mark.parametrize("promise", range(1, 11))
def test_every_promise_is_proved_by_a_test(promise: int) -> None:
    assert [proof.test for proof in promises.proofs() if proof.promise == promise]
