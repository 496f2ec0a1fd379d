"""`quarto-pi run --start-anyway`: a board that starts with a wrong configuration, without readers, or in safe mode."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from quarto_pi.clock import US_PER_MS
from quarto_pi.config import Config, PageConfig
from quarto_pi.referee.messages import Impaired, Impairment
from quarto_pi.sensing.tags import format_tags
from quarto_pi.wiring.board import HOLD_MS, is_held, open_loop
from quarto_pi.wiring.page import OpenPage
from quarto_pi.wiring.platform import HardwareMissing, simulated_hardware, simulated_tags
from tests.ports import free_port
from tests.web.visit import Parsed

pytestmark = pytest.mark.slow


@contextmanager
def running(folder: Path, text: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A board with this configuration, from when it runs."""
    file = folder / "board.toml"
    file.write_text(text, encoding="utf-8")
    process = subprocess.Popen(  # noqa: S603 - this project's own command
        [sys.executable, "-m", "quarto_pi", "run", "--start-anyway", "--config", f"{file}", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"STATE_DIRECTORY": f"{folder}", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()
        assert process.returncode == 0


def notice(port: int) -> Parsed:
    """What the page is told first."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/stream", timeout=60) as answer:
        for line in answer:
            if line.startswith(b"data: {"):
                return json.loads(line.removeprefix(b"data: "))["notice"]
    raise AssertionError("the stream has ended")


def until_it_runs(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if line.startswith("The board is running"):
            assert "Ctrl-C" not in line, "nobody sits there"
            break
    assert process.stdout is not None
    process.stdout.readline()
    return said


def test_board_that_was_right_once_starts_with_that_and_says_so(tmp_path: Path) -> None:
    port = free_port()
    right = f'[game]\nlanguage = "de"\n[page]\nport = {port}\n'
    with running(tmp_path, right, "--simulated") as process:
        until_it_runs(process)
        assert notice(port) is None
    with running(tmp_path, right.replace('"de"', '"klingon"'), "--simulated") as process:
        assert "klingon" in until_it_runs(process)
        assert notice(port)["text"].startswith("Die Einstellungsdatei ist falsch")


def test_board_without_readers_starts_and_says_so_on_its_page(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "tags.toml").write_text(format_tags(simulated_tags()), encoding="utf-8")
    with running(tmp_path, f"[page]\nport = {port}\n") as process:
        assert "The board starts without" in until_it_runs(process)
        assert notice(port)["headline"] == "No readers"


@pytest.mark.parametrize("why", Impairment)
def test_display_and_lights_say_what_is_wrong_until_a_game_is_under_way(why: Impairment) -> None:
    platform, _ = simulated_hardware()
    with ExitStack() as stack:
        loop = open_loop(Config(), platform, stack, simulated_tags(), impaired=why)
        loop.turn()
        loop.turn()
        assert loop.state is not None
        view = loop.state.view
        assert view is not None
        assert view.notice == Impaired(why)


class PinOfPressedButton(MockPin):  # type: ignore[misc] # gpiozero has no type information
    """A pin that a button connects with ground from the beginning."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.drive_low()


def test_button_that_is_held_at_power_on_asks_for_safe_mode_and_one_that_nobody_holds_does_not() -> None:
    platform, board = simulated_hardware()
    before = board.clock.now()
    assert not is_held(Config(), platform)
    assert board.clock.now() == before, "nobody has to wait for what was not asked for"
    assert is_held(Config(), replace(platform, pin_factory=MockFactory(pin_class=PinOfPressedButton)))
    assert board.clock.now() - before >= HOLD_MS * US_PER_MS


def test_what_is_missing_is_raised_where_the_board_is_not_to_start_anyway() -> None:
    platform, _ = simulated_hardware()

    def no_spi(_bus: int, _device: int, _hz: int) -> Parsed:
        raise FileNotFoundError(2, "No such file or directory")

    without = replace(platform, open_spi=no_spi)
    with ExitStack() as stack, pytest.raises(HardwareMissing, match="enable SPI"):
        open_loop(Config(), without, stack, simulated_tags())
    told: list[HardwareMissing] = []
    with ExitStack() as stack:
        loop = open_loop(Config(), replace(without, missing=told.append), stack, simulated_tags())
        loop.turn()
        assert loop.state is not None
        assert loop.state.impaired is Impairment.NO_READERS
    assert "enable SPI" in f"{told[0]}"


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104 - for an instant
def test_address_that_is_told_is_one_that_people_can_type(host: str) -> None:
    with ExitStack() as stack:
        page = PageConfig(host=host, port=free_port())
        address = OpenPage(Config(page=page), page, stack).address
    assert host not in address.removeprefix("http://").replace("::1", "")
