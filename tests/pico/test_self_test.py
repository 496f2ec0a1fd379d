"""`quarto-pi firmware --self-test` and `--bootloader`: what people at the board can ask of a running node."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.commands import firmware
from quarto_pi.config import parse_config
from quarto_pi.firmware import pins
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from tests.pico.underneath import OnAPico, on_a_pico

pytestmark = pytest.mark.slow


class Dimmed(dict[int, int]):
    """How bright each pin is, and which have shone at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.shone: set[int] = set()

    def __setitem__(self, pin: int, duty: int) -> None:
        super().__setitem__(pin, duty)
        if duty:
            self.shone.add(pin)


@pytest.fixture
def under() -> Iterator[OnAPico]:
    with ExitStack() as stack:
        yield on_a_pico(stack, parse_config("[panel_lights]\n"), plugged=False)


@pytest.fixture
def board_file(under: OnAPico, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of a board whose clock is the simulated one."""
    monkeypatch.setattr(firmware, "real_hardware", lambda: under.platform)
    path = tmp_path / "board.toml"
    path.write_text(f'[node]\nport = "{under.pico.port}"\n[panel_lights]\n')
    return path


def self_test(board_file: Path, *more: str) -> int:
    return main(["firmware", "--self-test", "--config", str(board_file), *more])


def test_self_test_tells_of_every_reader_and_shows_every_lamp(
    under: OnAPico, board_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dimmed = under.pico.dimmed = Dimmed()
    under.pico.plug_in()
    assert self_test(board_file) == 0, capsys.readouterr().err
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if line.startswith("ok     reader ") and "1 resets" in line]) == 17
    assert {"ok     button call", "ok     panel lights"} <= {line.partition(":")[0] for line in lines}
    assert dimmed.shone == set(pins.LIGHTS)
    assert not any(dimmed.values())


def test_reader_that_does_not_come_back_from_the_reset_is_told_of(
    under: OnAPico, board_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    under.board.faults.set("b2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    under.pico.plug_in()
    assert self_test(board_file, "--json") == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [finding["device"] for finding in found if not finding["ok"]] == ["reader b2"]


def test_node_that_starts_again_in_its_test_has_failed_it(
    under: OnAPico, board_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module = under.pico.flash / "quarto_pi" / "firmware" / "node.py"
    # In its second test: that it counts none any more is another count, and no end of a test.
    breaks = "machine.reset() if self._health.tests else self._bank.reset_all()"
    module.write_text(module.read_text().replace("self._bank.reset_all()", breaks))
    under.pico.plug_in()
    assert self_test(board_file) == 0
    assert under.pico.boots == 1
    assert self_test(board_file) == 1
    assert "did not come to the end of its test: unplug it" in capsys.readouterr().err
    assert under.pico.boots == 2


def test_no_node_is_one_sentence_that_says_what_to_do(board_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert self_test(board_file) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "plug the Pico in" in err


def test_node_restarts_into_its_bootloader(
    under: OnAPico, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(firmware, "real_hardware", lambda: under.platform)
    under.pico.plug_in()
    assert main(["firmware", "--bootloader", str(under.pico.port)]) == 0, capsys.readouterr().err
    assert under.pico.bootloader
    assert "Copy MicroPython's .uf2 file" in capsys.readouterr().out


def test_pico_that_is_no_node_says_how_its_bootloader_is_reached(
    under: OnAPico, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(firmware, "real_hardware", lambda: under.platform)
    (under.pico.flash / "main.py").unlink()
    under.pico.plug_in()
    assert main(["firmware", "--bootloader", str(under.pico.port)]) == 1
    assert not under.pico.bootloader
    assert "hold BOOTSEL" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--self-test", "--bootloader"])
def test_port_that_is_not_there_is_told_with_what_to_do(
    option: str, under: OnAPico, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(firmware, "real_hardware", lambda: under.platform)
    assert main(["firmware", option, "/dev/no-such-port"]) == 1
    assert "there is no /dev/no-such-port: plug the Pico in" in capsys.readouterr().err


def test_json_without_a_test_is_told_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["firmware", "--list", "--json"]) == 2
    assert "--json goes with --self-test" in capsys.readouterr().err
