"""`quarto-pi simulate`: a process that prints where its page is, serves it, and ends when it is told to."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from quarto_pi.cli import main
from quarto_pi.commands.simulate import equipped, has_screen
from quarto_pi.config import Config, parse_config


@contextmanager
def simulate(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process, and the address that it prints."""
    process = subprocess.Popen(  # noqa: S603 - this project's own command
        [sys.executable, "-m", "quarto_pi", "simulate", "--no-browser", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SSH_CONNECTION": ""},
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip().removeprefix("The board is at ")
    finally:
        process.kill()
        process.communicate()


def ask(address: str, path: str, body: dict[str, object]) -> None:
    """Have something done at the board."""
    request = urllib.request.Request(  # noqa: S310 - this machine's own
        f"{address}api/v1/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    urllib.request.urlopen(request).close()  # noqa: S310


def wait_for(address: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first snapshot that is as wanted, from the stream of them."""
    with urllib.request.urlopen(f"{address}api/v1/stream") as stream:  # noqa: S310 - this machine's own
        for line in stream:
            if line.startswith(b"data: ") and b'"phase"' in line:
                state: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
                if wanted(state):
                    return state
    raise AssertionError("the stream ended")


@pytest.mark.slow
def test_page_is_served_where_the_command_says_and_ends_with_control_c() -> None:
    with simulate("--port", "0") as (process, address):
        with urllib.request.urlopen(f"{address}api/v1/") as answer:  # noqa: S310 - this machine's own
            assert json.load(answer)["hands"] is True
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        assert process.returncode == 0, said
        assert "Traceback" not in said
        assert said.endswith("Goodbye.\n")


def test_port_that_was_asked_for_and_is_busy_is_one_clear_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["simulate", "--no-browser", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert said == (
        f"quarto-pi simulate: port {port} is in use by another program: choose another port, or end that program.\n"
    )


@pytest.mark.parametrize("port", ["-1", "65536", "x", "8040.5"])
def test_what_is_no_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["simulate", f"--port={port}"])
    assert ended.value.code == 2
    assert "is no port" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "a b c d"}, "linux", False),
        ({}, "darwin", True),
        ({"SSH_TTY": "/dev/pts/0"}, "darwin", False),
    ],
)
def test_browser_is_opened_only_where_somebody_sees_it(
    environment: dict[str, str], platform: str, expected: bool
) -> None:
    assert has_screen(environment, platform) is expected


def test_simulated_board_has_display_and_lights_as_far_as_their_pins_are_free() -> None:
    config = equipped(Config())
    assert None not in (config.oled, config.panel_lights, config.square_lights)
    config = equipped(parse_config("[buttons]\ncall_pin = 5\n"))
    assert config.panel_lights is None
    assert config.oled is not None


@pytest.mark.slow
def test_board_that_is_killed_goes_on_where_its_game_and_its_pieces_were(tmp_path: Path) -> None:
    keep = ("--port", "0", "--speed", "8", "--keep", str(tmp_path / "kept"))
    with simulate(*keep) as (_, address):
        ask(address, "hands", {"do": "put", "piece": "LTRF", "cell": "offer"})
        wait_for(address, lambda state: state["hand"] == "LTRF")
    # The process was killed, not ended.
    with simulate(*keep) as (_, address):
        wait_for(address, lambda state: state["hand"] == "LTRF" and "paused" in state["overlays"])
        ask(address, "hands", {"do": "put", "piece": "LTRF", "cell": "b2"})
        state = wait_for(address, lambda state: state["hand"] is None)
        assert state["board"]["b2"] == "LTRF"
