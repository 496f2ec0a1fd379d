"""`quarto-pi run`: the controller as a process, on a simulated board at which nobody plays."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from quarto_pi.cli import main
from tests.ports import free_port


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - this project's own command
        [sys.executable, "-m", "quarto_pi", "run", "--simulated", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_board_says_what_to_do_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    file = tmp_path / "evening.trace"
    process = start("--record", str(file))
    assert process.stdout is not None
    assert process.stdout.readline() == "Player 1: put the first piece on the giving spot.\n"
    process.send_signal(signal.SIGTERM)
    _, complaint = process.communicate()
    assert process.returncode == 0, complaint
    header, *sweeps = [json.loads(line) for line in file.read_text().splitlines()]
    assert header["trace"] == 1
    assert sweeps[0].keys() == {"t", "sweep"}


@pytest.mark.slow
def test_board_speaks_the_language_of_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "board.toml"
    config.write_text('[game]\nlanguage = "de"\nplayer_2 = 3\nstarter = "a"\n')
    process = start("--config", str(config))
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Du beginnst.")
    process.terminate()
    process.communicate()
    assert process.returncode == 0


def test_tags_file_of_the_owner_that_makes_no_sense_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tags, config = tmp_path / "tags.toml", tmp_path / "board.toml"
    tags.write_text('[tags]\nLTRF = ["nonsense"]\n')
    config.write_text(f'[readers]\ntags = "{tags}"\n')
    assert main(["run", "--config", str(config)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "'nonsense' is not a UID" in said
    assert tags.exists()


def test_only_a_simulated_board_is_hurried(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--speed", "4"]) == 2
    assert capsys.readouterr().err == (
        "quarto-pi run: --speed is for a simulated board: say --simulated as well, or leave it out.\n"
    )


def state_of(port: int) -> dict[str, Any]:
    """What the page knows, asked for again as long as the board is just starting."""
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/state") as answer:
                state: dict[str, Any] = json.load(answer)
                return state
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise


@pytest.mark.slow
def test_page_of_the_board_is_served_without_hands(tmp_path: Path) -> None:
    port = free_port()
    config = tmp_path / "board.toml"
    config.write_text(f"[page]\nport = {port}\n")
    process = start("--config", str(config))
    assert process.stdout is not None
    process.stdout.readline()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/") as answer:
        about = json.load(answer)
    assert (about["hands"], about["writing"]) == (False, "no")
    state = state_of(port)
    assert (state["prompt"]["kind"], state["table"], state["oled"]) == ("ChooseFirst", None, None)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate()
    assert process.returncode == 0, said
    assert f"The page is at http://127.0.0.1:{port}/\n" in said


@pytest.mark.slow
def test_page_whose_port_is_busy_is_one_clear_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        config = tmp_path / "board.toml"
        config.write_text(f"[page]\nport = {port}\n")
        process = start("--config", str(config))
        _, said = process.communicate()
    assert process.returncode == 2
    assert said == (
        f"quarto-pi run: port {port} is in use by another program: choose another port, or end that program.\n"
    )
