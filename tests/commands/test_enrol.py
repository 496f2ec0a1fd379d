"""`quarto-pi enrol` as people start it, at the simulated table with its demonstrating hands."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.rules import PIECES
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.board import UIDS
from quarto_pi.wiring.guide import TagsFile

TABLE = TagTable(dict(zip(UIDS, PIECES, strict=True)))
ALL_BUT_TWO = TagTable(dict(zip(UIDS[2:], PIECES[2:], strict=True)))
"""What an enrolment has come to that was broken off before the last two pieces, of which the first is LTRF."""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TagsFile:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return TagsFile(tmp_path / "simulated-tags.toml")


@pytest.mark.slow
def test_all_pieces_are_enrolled_anew_and_the_file_is_named(file: TagsFile, capsys: pytest.CaptureFixture[str]) -> None:
    file.write(TagTable(dict(zip(reversed(UIDS), PIECES, strict=True))))
    assert main(["enrol", "--simulated", "--anew"]) == 0
    assert file.read() == TABLE
    told = capsys.readouterr()
    assert told.err == f"The tags of all sixteen pieces are in {file.path}.\n"
    lines = told.out.splitlines()
    assert lines[1] == "All 17 readers answer. (press: go on)"
    assert lines[2].startswith("Put the light, tall, round, solid piece on any square. (press: skip it")
    assert lines[3] == "Got it: light, tall, round, solid."
    assert len(lines) == 3 + 2 * 16


def test_simulated_pieces_are_never_written_over_real_ones(file: TagsFile, tmp_path: Path) -> None:
    (tmp_path / "tags.toml").write_text("those of the board", encoding="utf-8")
    file.write(ALL_BUT_TWO)
    assert main(["enrol", "--simulated"]) == 0
    assert (tmp_path / "tags.toml").read_text(encoding="utf-8") == "those of the board"
    assert file.exists()


@pytest.mark.slow
def test_one_object_a_line_for_other_programs(file: TagsFile, capsys: pytest.CaptureFixture[str]) -> None:
    file.write(ALL_BUT_TWO)
    assert main(["enrol", "--simulated", "--json"]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert objects[2] == {"event": "asked", "kind": "PutPiece", "piece": "LTRF", "number": 15, "count": 16}
    assert objects[3] == {"event": "told", "kind": "Enrolled", "piece": "LTRF", "cell": "a1"}
    assert objects[-1] == {"event": "ended", "pieces": 16, "complete": True, "file": str(file.path), "stored": True}


def test_language_is_that_of_the_configuration(
    file: TagsFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "board.toml"
    config.write_text('[game]\nlanguage = "nl"\n', encoding="utf-8")
    file.write(ALL_BUT_TWO)
    assert main(["enrol", "--simulated", "--config", str(config)]) == 0
    assert "Zet de lichte, hoge, ronde, volle pion op een hokje naar keuze." in capsys.readouterr().out
    assert file.exists()


@pytest.mark.slow
def test_a_lost_piece_is_replaced_by_itself_and_a_named_one_at_once(file: TagsFile) -> None:
    file.write(TABLE)
    assert main(["enrol", "--simulated"]) == 0
    first = file.read()
    assert first.uids_of(PIECES[15]) != TABLE.uids_of(PIECES[15])
    assert main(["enrol", "--simulated", "--replace", "ltrf"]) == 0
    second = file.read()
    changed = {piece for piece in PIECES if second.uids_of(piece) != first.uids_of(piece)}
    assert changed == {PIECES[0]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--replace", "zzz"], "'zzz' is not a piece"),
        (["--replace", "LTRF", "--anew"], "not allowed with argument"),
    ],
)
def test_wrong_usage_is_one_clear_line(
    arguments: list[str], said: str, file: TagsFile, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["enrol", "--simulated", *arguments])
    assert ended.value.code == 2
    complaint = capsys.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1
    assert not file.exists()


def test_nothing_can_be_replaced_before_everything_is_enrolled(
    file: TagsFile, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["enrol", "--simulated", "--replace", "LTRF"]) == 2
    assert capsys.readouterr().err == (
        f"quarto-pi enrol: there is no tags file {file.path} yet: enrol all pieces first, without --replace.\n"
    )


@pytest.mark.slow
def test_file_that_nobody_can_read_is_no_dead_end(file: TagsFile, capsys: pytest.CaptureFixture[str]) -> None:
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_bytes(b"\xff")
    for words in ([], ["--replace", "DTRH"]):
        assert main(["enrol", "--simulated", *words]) == 2
        assert "'quarto-pi enrol --anew'" in capsys.readouterr().err
    assert main(["enrol", "--simulated", "--anew"]) == 0
    assert len(file.read().pieces) == 16


def test_full_disk_is_told_in_one_sentence_and_what_was_there_stays(
    file: TagsFile, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write(TABLE)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main(["enrol", "--simulated", "--replace", "LTRF"]) == 1
    monkeypatch.undo()
    said = capsys.readouterr().err
    assert said == "quarto-pi enrol: the tags could not be stored: No space left on device.\n"
    assert file.read() == TABLE


@pytest.mark.slow
def test_control_c_ends_it_and_says_what_is_kept(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "quarto_pi", "enrol", "--simulated", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "STATE_DIRECTORY": str(tmp_path)},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if '"Enrolled"' in line:
            break
    process.send_signal(signal.SIGINT)
    rest, said = process.communicate()
    assert process.returncode == 0, said
    ended = json.loads(rest.splitlines()[-1])
    if not ended["complete"]:
        assert said == (
            f"{ended['pieces']} of 16 pieces are kept in {tmp_path / 'simulated-tags.toml.part'}: "
            "'quarto-pi enrol' goes on there.\n"
        )
        assert len(TagsFile(tmp_path / "simulated-tags.toml").read_part().pieces) == ended["pieces"]
