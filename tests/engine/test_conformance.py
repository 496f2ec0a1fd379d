"""The conformance of programs: ours, a made-up one that is right, and the same with one fault after the other."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.engine.client import OUR_ENGINE, EngineFailure, EngineProcess
from quarto_pi.engine.conformance import DEMANDS, ConformanceFinding, PointResult, Waits, conformance_of

MADE_UP = [sys.executable, "-I", "-S", f"{Path(__file__).parent / 'made_up_engine.py'}"]

FAULTS = {
    "nameless": "greeting",
    "bounds": "greeting",
    "blank": "blank lines",
    "swallows": "unknown word",
    "long lines": "long line",
    "any position": "wrong position",
    "boundless": "options",
    "taken": "moves",
    "shouts": "moves",
    "short": "moves",
    "repeats": "moves",
    "blocks": "moves",
    "vague": "limits",
    "full": "full board",
    "twice": "stop",
    "hasty": "infinite",
    "obeys": "while thinking",
    "keeps": "new game",
    "fickle": "seed",
    "all traits": "variants",
    "leaves": "quit",
    "fails": "quit",
    "mute": "end of input",
}
"""The faults of the made-up engine, and the point that has to find each."""


def findings(*command: str, only: str | None = None) -> dict[str, ConformanceFinding]:
    # What must not come has come before the next `readyok` of these programs: they do one thing at a time.
    waits = Waits(answer=60, silence=0)
    points = [point for point in DEMANDS if only in (None, point.name)]
    return {finding.point: finding for finding in conformance_of(lambda: EngineProcess(command), waits, points)}


@pytest.mark.slow
def test_our_engine_keeps_to_its_protocol() -> None:
    found = findings(*OUR_ENGINE, "--table-mb", "4")
    assert [finding for finding in found.values() if finding.result is not PointResult.PASSED] == []
    assert list(found) == [point.name for point in DEMANDS]


def test_another_engine_can_keep_to_it() -> None:
    assert {finding.result for finding in findings(*MADE_UP).values()} == {PointResult.PASSED}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_its_point_and_told(fault: str) -> None:
    (found,) = findings(*MADE_UP, fault, only=FAULTS[fault]).values()
    assert found.result is PointResult.FAILED
    assert found.seen


def test_each_point_but_the_plainest_is_shown_to_find_something() -> None:
    plain = {"ready", "line ends", "wrong limits", "go again", "no limits"}
    assert {point.name for point in DEMANDS} - plain == set(FAULTS.values())


def test_a_program_that_answers_nothing_is_not_waited_for_longer_than_wanted() -> None:
    deaf = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
    first = next(conformance_of(lambda: EngineProcess(deaf), Waits(answer=0.05)))
    assert first.result is PointResult.FAILED
    assert "has not answered for 0.05 seconds" in first.seen


def test_a_program_that_is_not_there_is_an_error() -> None:
    with pytest.raises(EngineFailure, match="cannot be started"):
        next(conformance_of(lambda: EngineProcess(["no-such-engine"])))


def test_the_command_tells_each_point_and_fails_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", " ".join([*MADE_UP, "vague"])]) == 1
    told = capsys.readouterr().out
    assert "pass  blank lines: a blank line has no answer\n" in told
    assert "FAIL  limits: " in told
    assert "\n      seen: after 'go nodes 1': 'info depth one'\n" in told
    assert told.splitlines()[-1].endswith(" failed, 0 not tried")
