"""Processes that are forked from one that has loaded their module are like any others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.forked import ForkedProcess

PARROT = "tests.parrot"
GUARD_SECONDS = 60.0


def test_a_forked_process_hears_says_complains_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARROT", "set just now")
    parrot = ForkedProcess(PARROT, "one", "two")
    assert parrot.stdout.readline() == "one two set just now\n"
    for line in ("give", "", "take"):
        print(line, file=parrot.stdin, flush=True)
    assert [parrot.stdout.readline() for _ in range(2)] == ["give\n", "take\n"]
    assert parrot.stderr is not None
    assert parrot.stderr.readline() == "there is nothing to say\n"
    assert parrot.poll() is None
    parrot.stdin.close()
    assert parrot.stdout.read() == "ends\n"
    parrot.wait(GUARD_SECONDS)
    assert parrot.poll() == 0
    parrot.close()


def test_a_forked_process_that_is_killed_ends_and_no_other_one_with_it(tmp_path: Path) -> None:
    with (tmp_path / "log").open("ab") as log:
        parrots = [ForkedProcess(PARROT, name, errors=log) for name in ("left", "right")]
    left, right = parrots
    left.kill()
    left.wait(GUARD_SECONDS)
    # Nothing is left to be killed.
    left.kill()
    with pytest.raises(subprocess.TimeoutExpired):
        right.wait(0.0)
    print(file=right.stdin, flush=True)
    right.stdin.close()
    right.wait(GUARD_SECONDS)
    assert (tmp_path / "log").read_text(encoding="utf-8") == "there is nothing to say\n"
    for parrot in parrots:
        parrot.close()
