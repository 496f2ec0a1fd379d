"""The same trace gives byte-identical output, in whatever process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.evening import HERE, read_evening
from tests.games.performance import Performance
from tests.referee.people import Rascals, as_trace, header

pytestmark = pytest.mark.slow

EVENINGS = ("fix-bumped-board", "noisy-whole-game")


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Traces of evenings with every kind of event, and of people who do anything at all."""
    folder = tmp_path_factory.mktemp("traces")
    texts: dict[str, str] = {}
    for name in EVENINGS:
        performance = Performance(read_evening(HERE / f"{name}.game"))
        performance.play()
        texts[name] = performance.trace()
    against = header(players=["human", "ai 3"])
    texts["against the computer"] = "\n".join(as_trace(against, Rascals(5, mischief=0.3).play(2))) + "\n"
    texts["rascals"] = "\n".join(as_trace(header(), Rascals(0).play(6))) + "\n"
    for name, text in texts.items():
        (folder / f"{name}.trace").write_text(text, encoding="utf-8")
    return [folder / f"{name}.trace" for name in texts]


def replayed(traces: list[Path], hash_seed: str) -> bytes:
    program = (
        "import sys; from quarto_pi.cli import main; [main(['replay', '--json', '--foreign', f]) for f in sys.argv[1:]]"
    )
    return subprocess.run(  # noqa: S603 - the tests' own command
        [sys.executable, "-c", program, *map(str, traces)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
    ).stdout


def test_replay_says_the_same_byte_for_byte_in_any_process(traces: list[Path]) -> None:
    once = replayed(traces, "1")
    assert once.count(b'"event":"result"') >= len(EVENINGS)
    assert replayed(traces, "2718281") == once
