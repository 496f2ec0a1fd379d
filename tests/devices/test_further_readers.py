"""Readers of all kinds behind one interface; and a kind that nobody foresaw, for one file and one line."""

from __future__ import annotations

import difflib
import errno
import os
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest

import quarto_pi
from quarto_pi.checks.plan import checks_of_board, choose_devices, go_through
from quarto_pi.config import Config, ConfigError, parse_config
from quarto_pi.devices.node.board import NodeBank
from quarto_pi.devices.readers import interface
from quarto_pi.devices.readers.bank import ReaderBank
from quarto_pi.devices.readers.interface import CannotCalibrate, Readers
from quarto_pi.referee.messages import GiveNext, PlaceThis, Won
from quarto_pi.rules import Player, parse_piece, parse_square
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES, Outcome, Reading
from quarto_pi.simulation.board import UIDS, SimulatedBoard
from quarto_pi.wiring.board import open_readers, open_wired
from quarto_pi.wiring.platform import simulated_hardware
from tests.cafe.wood import Wood
from tests.devices import readers_on_i2c
from tests.devices.readers_on_i2c import LONGEST, I2cReaders
from tests.evening import CALL_PIN, Build, Evening, Underneath, on_the_header
from tests.pico.underneath import on_a_pico

ALL_BANKS: tuple[type[Readers], ...] = (ReaderBank, NodeBank, Wood, I2cReaders)
"""Strict typing tells here which of them does not keep to the interface."""

LINE = f'    "{readers_on_i2c.__name__}",\n'
LAST = '    "quarto_pi.devices.node.settings",\n'
READ_US = 300.0


def register() -> tuple[str, str]:
    """The file that lists the kinds, as it is and with the line that a further kind needs."""
    text = Path(interface.__file__).read_text(encoding="utf-8")
    assert LAST in text
    return text, text.replace(LAST, LAST + LINE)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is listed once the line is there."""
    made = ModuleType(interface.__name__)
    monkeypatch.setitem(sys.modules, made.__name__, made)
    exec(compile(register()[1], interface.__file__, "exec"), made.__dict__)  # noqa: S102 - our own file, and a line
    monkeypatch.undo()
    monkeypatch.setattr(interface, "MODULES", made.MODULES)


@dataclass
class Chips:
    """The chips on their bus, above the pieces of a simulated board."""

    board: SimulatedBoard
    first: int = 0x20
    dead: set[str] = field(default_factory=set)

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        self.board.clock.advance_ms(READ_US / 1_000)
        cell = CELLS[i2c_addr - self.first]
        if cell in self.dead:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        uids = [bytes.fromhex(uid) for uid, where in self.board.table.resting.items() if where == cell]
        told = [len(uids), len(uids[0]), *uids[0]] if uids else [0, 0]
        return [*([7] if register == readers_on_i2c.IDENTITY else told), *[0] * LONGEST][:length]

    def close(self) -> None:
        pass


@dataclass
class OnI2c(Underneath):
    """A board whose readers are of the further kind; button and lights are on the header."""

    chips: Chips


def no_spi(*where: int) -> NoReturn:
    raise AssertionError(f"the readers are on I2C, not at {where}")


def on_i2c(stack: ExitStack, config: Config) -> OnI2c:
    platform, board = simulated_hardware(config=config)
    chips, smbus2 = Chips(board), ModuleType("smbus2")
    vars(smbus2)["SMBus"] = {1: chips}.__getitem__
    patch = pytest.MonkeyPatch()
    stack.callback(patch.undo)
    patch.setitem(sys.modules, "smbus2", smbus2)
    config = replace(config, further=(readers_on_i2c.KIND,))
    assert platform.pin_factory is not None
    call = platform.pin_factory.pin(f"GPIO{CALL_PIN}")
    return OnI2c(config, replace(platform, open_spi=no_spi), board, call, chips)


@pytest.fixture(params=[on_the_header, on_a_pico, on_i2c], ids=["on the header", "on a pico", "on i2c"])
def under(request: pytest.FixtureRequest, stack: ExitStack) -> Underneath:
    build: Build = request.param
    return build(stack, Config())


@pytest.mark.usefixtures("registered")
def test_further_kind_takes_one_file_and_one_line() -> None:
    before, after = register()
    changed = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]
    assert changed == [f"+ {LINE.rstrip()}"]
    # No other file of the program has ever heard of it.
    for file in Path(quarto_pi.__file__).parent.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "i2c_readers" not in text
        assert "readers_on_i2c" not in text
    assert [kind.section for kind in interface.kinds()] == ["node", "i2c_readers"]


@pytest.mark.usefixtures("registered")
def test_further_kind_has_a_section_of_its_own() -> None:
    assert parse_config("").hung_on is None
    assert parse_config("[i2c_readers]\npresent = false\n").hung_on is None
    config = parse_config("[i2c_readers]\nfirst_address = 0x30\n")
    assert config.hung_on == readers_on_i2c.I2cReadersSettings(first_address=0x30)
    with pytest.raises(ConfigError, match=r"\[i2c_readers\] first_address is 3: write 0x08 to 0x67"):
        parse_config("[i2c_readers]\nfirst_address = 3\n")
    with pytest.raises(ConfigError, match=r"\[i2c_readers\] prot is not a key of this section: did you mean 'port'"):
        parse_config("[i2c_readers]\nprot = 3\n")


@pytest.mark.usefixtures("registered")
def test_pins_of_the_readers_are_free_where_they_are_on_i2c() -> None:
    wiring = "[buttons]\ncall_pin = 17\n"
    with pytest.raises(ConfigError, match="has this pin already"):
        parse_config(wiring)
    assert parse_config(f"{wiring}[i2c_readers]\n").buttons.call_pin == 17


def test_section_that_nobody_has_registered_is_none() -> None:
    with pytest.raises(ConfigError, match=r"\[i2c_readers\] is not a section"):
        parse_config("[i2c_readers]\n")


@pytest.mark.usefixtures("registered")
def test_game_is_played_with_readers_that_nobody_foresaw(stack: ExitStack) -> None:
    config = parse_config("[i2c_readers]\n")
    evening = Evening(stack, config, build=lambda stack, _: replace(on_i2c(stack, config), config=config))
    evening.wait(1_500)
    evening.put("LTRF", "offer")
    assert evening.watcher.prompt == PlaceThis(Player.B, parse_piece("LTRF"))
    evening.lift("LTRF")
    evening.put("LTRF", "a1")
    assert isinstance(evening.watcher.prompt, GiveNext)
    assert evening.state.game.board[parse_square("a1")] == parse_piece("LTRF")
    for piece, square in [("LTQF", "b1"), ("LSRF", "c1"), ("DTRF", "d1")]:
        evening.turn(piece, square)
    evening.press()
    assert isinstance(evening.watcher.prompt, Won)


def test_check_looks_at_readers_that_nobody_foresaw(stack: ExitStack) -> None:
    under = on_i2c(stack, Config())
    under.board.set_up()
    under.chips.dead = {"b2"}
    checks = checks_of_board(under.config, under.platform)
    findings = {finding.device: finding for finding in go_through(checks, choose_devices(checks, ()))}
    assert not findings["reader b2"].ok
    assert all(findings[f"reader {cell}"].ok for cell in SQUARE_NAMES if cell != "b2")
    assert findings["button call"].ok


def test_readers_of_every_kind_keep_the_contract(under: Underneath) -> None:
    uid = UIDS[3]
    under.board.table.rest(uid, "b2")
    with ExitStack() as opened:
        readers = open_readers(under.config, under.platform, opened).readers
        assert readers.cells == CELLS
        assert set(readers.start()) == set(CELLS)
        assert readers.answering == len(CELLS)
        seen: dict[str, Reading] = {}
        glimpsed: list[Reading] = []
        before = readers.sweeps
        for number in range(6):
            readings = readers.round(glimpsed.append)
            assert len(readings) == len({reading.cell for reading in readings})
            assert readers.sweeps >= before + number + 1
            seen.update({reading.cell: reading for reading in readings})
        assert set(seen) == set(CELLS)
        assert {cell for cell, reading in seen.items() if reading.outcome is Outcome.TAG} == {"b2"}
        assert seen["b2"].uids == (uid,)
        assert {reading.cell for reading in glimpsed} <= set(CELLS)
        assert {reading.cell for reading in readers.sweep()} == set(CELLS)
        assert {reading.cell for reading in readers.sweep(["b2", "c3"])} == {"b2", "c3"}
        with pytest.raises(KeyError):
            readers.sweep(["e9"])
        assert {cell: figures.cell for cell, figures in readers.health().items()} == {cell: cell for cell in CELLS}
        readers.close()
        readers.close()


def test_readers_of_every_kind_are_calibrated_or_say_why_not(under: Underneath, stack: ExitStack) -> None:
    readers = open_readers(under.config, under.platform, stack).readers
    readers.start()
    because = readers.not_calibrated_because
    if because is None:
        under.board.set_up()
        assert readers.calibrate(1).figures
    else:
        with pytest.raises(CannotCalibrate):
            readers.calibrate(1)


def test_readers_that_are_lost_are_readings_and_no_errors(stack: ExitStack) -> None:
    under = on_i2c(stack, Config())
    readers = open_readers(under.config, under.platform, stack).readers
    readers.start()
    under.chips.dead = set(CELLS)
    assert {reading.outcome for reading in readers.round()} == {Outcome.DEAD}
    assert readers.answering == 0
    under.chips.dead = set()
    assert {reading.outcome for reading in readers.round()} == {Outcome.EMPTY}
    assert readers.answering == len(CELLS)


def test_buttons_hang_where_their_kind_of_readers_says(under: Underneath, stack: ExitStack) -> None:
    wired = open_wired(under.config, under.platform, stack)
    kind = under.config.hung_on
    assert (type(wired.buttons).__name__ == "PushButtons") == (kind is None or kind.only_readers)
