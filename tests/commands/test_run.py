"""`quarto-pi run`: the controller as a process, on a simulated board at which nobody plays."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quarto_pi.cli import main


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - this project's own command
        [sys.executable, "-m", "quarto_pi", "run", "--simulated", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_board_says_what_to_do_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    file = tmp_path / "evening.trace"
    process = start("--record", str(file))
    assert process.stdout is not None
    assert process.stdout.readline() == "Player 1: put the first piece on the give place.\n"
    process.send_signal(signal.SIGTERM)
    _, complaint = process.communicate()
    assert process.returncode == 0, complaint
    header, *sweeps = [json.loads(line) for line in file.read_text().splitlines()]
    assert header["trace"] == 1
    assert sweeps[0].keys() == {"t", "sweep"}


def test_board_speaks_the_language_of_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "board.toml"
    config.write_text('[game]\nlanguage = "de"\nplayer_2 = 3\nstarter = "a"\n')
    process = start("--config", str(config))
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Du beginnst.")
    process.terminate()
    process.communicate()
    assert process.returncode == 0


def test_real_board_without_tags_is_told_what_is_missing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = tmp_path / "board.toml"
    config.write_text('[readers]\ntags = "missing.toml"\n')
    assert main(["run", "--config", str(config)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
