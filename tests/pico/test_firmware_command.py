"""`quarto-pi firmware`: the real mpremote at the prompt of the real MicroPython."""

from __future__ import annotations

import io
import re
import shutil
import sys
import threading
from binascii import crc32
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.clock import Clock
from quarto_pi.commands import firmware
from quarto_pi.config import Config
from quarto_pi.devices.node import update
from quarto_pi.devices.node.firmware import build, files
from quarto_pi.firmware import protocol
from quarto_pi.wiring.board import open_node
from tests.pico.cable import Cable
from tests.pico.underneath import OnAPico, on_a_pico
from tests.pico.usb import Listing, Usb

pytestmark = pytest.mark.slow

NAME, SERIAL = "ttyACM0", "e6616408431f2a2b"
PLAIN = Listing("Board in FS mode", SERIAL)
NODE = Listing("quarto-pi node", SERIAL)
PROBE = Listing("Debug Probe (CMSIS-DAP)", "e66deb06")
MPREMOTE_SECONDS = 0.005
MPREMOTE_BESIDE = Path(__file__).parent / "mpremote_beside"
WRITING = b"open('quarto_pi/firmware/pins.py','wb')"
WALL = datetime(2030, 1, 2, 3, 4, 5)  # noqa: DTZ001 - the time of day on this computer


class Watched:
    """The clock while the Pico works, and mpremote beside it; `each_time` is done before every wait."""

    def __init__(self, clock: Clock, cable: Cable) -> None:
        self._clock = clock
        self._cable = cable
        self.each_time: Callable[[], None] = lambda: None

    def now(self) -> int:
        return self._clock.now()

    def wait_until(self, moment: int) -> None:
        self.each_time()
        self._clock.wait_until(moment)
        # mpremote is a process with a time of its own: without any, a minute of the Pico's is over before it has begun.
        if _processes() > 1:
            self._cable.wait_for_host(MPREMOTE_SECONDS)


def _processes() -> int:
    """How many this thread has started that have not ended: one is the Pico's."""
    return len(Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text(encoding="ascii").split())


@dataclass
class AtTheComputer:
    """A computer into which a Pico can be plugged."""

    under: OnAPico
    usb: Usb
    clock: Watched
    backups: Path
    capsys: pytest.CaptureFixture[str]
    out = err = ""

    def plug_in(self, listing: Listing = PLAIN) -> None:
        self.under.pico.cable.in_step = False  # mpremote reads in a process of its own
        self.usb.plug_in(NAME, listing)
        self.under.pico.plug_in()

    def unplug(self) -> None:
        self.usb.unplug(NAME)
        self.under.pico.unplug()

    def firmware(self, *given: str) -> int:
        """Run the command; what it says is in `out` and `err`."""
        with self.usb.below_pyserial():
            try:
                return main(["firmware", "--backup", str(self.backups), *given])
            finally:
                self.out, self.err = self.capsys.readouterr()

    def when_host_says(self, words: bytes, act: Callable[[], None]) -> None:
        """Do something at the next wait after the host has said this to the Pico."""
        said = bytearray()
        happened: list[bool] = []

        def listen(data: bytes) -> bytes:
            said.extend(data)
            return data

        def look() -> None:
            if words in said and not happened:
                happened.append(True)
                act()

        self.under.pico.cable.damage_from_host = listen
        self.clock.each_time = look

    @property
    def on_flash(self) -> dict[str, bytes]:
        return _contents(self.under.pico.flash)

    @property
    def kept(self) -> dict[str, bytes]:
        return _contents(self.backups)


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def computer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[AtTheComputer]:
    with ExitStack() as stack:
        under = on_a_pico(stack, Config(), plugged=False)
        usb = Usb(tmp_path / "computer")
        under.pico.port = under.pico.cable.port = usb.port(NAME)
        clock = Watched(under.platform.clock, under.pico.cable)
        platform = replace(under.platform, clock=clock, wall=lambda: WALL)
        monkeypatch.setattr(firmware, "real_hardware", lambda: platform)
        monkeypatch.setenv("PYTHONPATH", str(MPREMOTE_BESIDE))
        yield AtTheComputer(under, usb, clock, tmp_path / "kept", capsys)


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Have somebody at the terminal who answers this."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(text))


def be_at_the_prompt(computer: AtTheComputer) -> None:
    """Have half of an old firmware on the Pico, which comes to an end at once."""
    flash = computer.under.pico.flash
    modules = flash / "quarto_pi" / "firmware"
    for path in (flash / "boot.py", modules / "pins.py", modules / "cable.py"):
        path.unlink()
    (flash / "main.py").write_text("mine = 'nobody else has it'\n")
    (flash / "data.csv").write_text("1,2,3\n")
    (modules / "lights.py").write_text("half a fi")
    (modules / "left_over.py").write_text("old = True\n")


def test_pico_at_its_prompt_becomes_a_node_and_what_is_replaced_is_kept(
    computer: AtTheComputer, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_at_the_prompt(computer)
    computer.plug_in()
    answer(monkeypatch, "y\n")
    assert computer.firmware() == 0, computer.err
    assert computer.on_flash == files() | {"data.csv": b"1,2,3\n"}
    assert set(computer.out.split()) == set(files())
    folder = f"{SERIAL}-2030-01-02-030405"
    assert computer.kept == {
        f"{folder}/main.py": b"mine = 'nobody else has it'\n",
        f"{folder}/quarto_pi/firmware/lights.py": b"half a fi",
        f"{folder}/quarto_pi/firmware/left_over.py": b"old = True\n",
    }
    lines = computer.err.splitlines()
    assert lines[0] == f"The firmware is for {computer.usb.port(NAME)} (Board in FS mode, serial number {SERIAL})."
    assert f"What is replaced is kept in {computer.backups / folder}." in lines
    assert f"{len(files())} of {len(files())}: build.txt" in lines
    assert "Put the firmware on it? [y/N]" in computer.err
    assert build() in lines[-1]


@pytest.mark.parametrize(
    ("listing", "says"), [(PLAIN, "n\n"), (PROBE, "\n"), (PLAIN, "help\nquit\n"), (NODE, ""), (PROBE, "")]
)
def test_what_is_no_node_is_asked_about_before_anything_is_said_to_it(
    listing: Listing, says: str, computer: AtTheComputer, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_at_the_prompt(computer)
    before = computer.on_flash
    computer.plug_in(listing)
    heard: list[bytes] = []

    def listen(data: bytes) -> bytes:
        heard.append(data)
        return data

    computer.under.pico.cable.damage_from_host = listen
    if says:
        answer(monkeypatch, says)
        assert computer.firmware() == 1
        assert "nothing was written" in computer.err
        assert ("y puts the firmware on it" in computer.err) is ("help" in says)
    else:
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        assert computer.firmware() == 2
        assert "add --yes to write to it." in computer.err.splitlines()[-1]
    assert str(listing.product) in computer.err
    assert b"".join(heard) == b""
    assert computer.on_flash == before
    assert computer.kept == {}


def test_what_answers_nothing_is_told_as_that_and_never_waited_for_in_silence(
    computer: AtTheComputer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPREMOTE_SECONDS_PER_SECOND", "10")
    # a probe, whatever is said to it
    (computer.under.pico.flash / "main.py").write_text("import time\nwhile True:\n    time.sleep_ms(5)\n")
    computer.plug_in(PROBE)
    shown: list[tuple[int, str]] = []

    def see() -> None:
        text = computer.capsys.readouterr().err
        shown.extend([(computer.clock.now(), text)] if text else [])

    computer.clock.each_time = see
    assert computer.firmware("--yes") == 1
    # It is mpremote who gives up first, unless the machine is busy.
    assert re.search("is MicroPython on the Pico[?]|does not answer mpremote", computer.err)
    moments = [at for at, _ in shown]
    assert max(later - earlier for earlier, later in pairwise(moments)) <= 1_000_000
    assert re.search(r"Debug Probe \(CMSIS-DAP\), serial number e66deb06", shown[0][1])
    assert computer.kept == {}


def test_empty_pico_becomes_a_node_and_a_file_that_is_read_back_otherwise_is_told(
    computer: AtTheComputer, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {**update.hashes(), "main.py": sha256(b"something else").hexdigest()}
    shutil.rmtree(computer.under.pico.flash)
    computer.under.pico.flash.mkdir()
    computer.plug_in()
    with monkeypatch.context() as otherwise:
        otherwise.setattr(update, "hashes", lambda: wanted)
        assert computer.firmware("--yes") == 1
    assert "main.py cannot be read back as written: try again" in computer.err
    assert computer.firmware("--yes") == 0, computer.err
    assert computer.on_flash == files()
    assert computer.kept == {}


@pytest.mark.parametrize("named", [SERIAL.upper(), pytest.param("the port", marks=pytest.mark.campaign)])
def test_running_node_is_chosen_by_its_name_and_replaced_without_a_question(
    named: str, computer: AtTheComputer
) -> None:
    old = computer.under.pico.flash / "quarto_pi" / "firmware" / "protocol.py"
    old.write_text(old.read_text().replace(f"VERSION = {protocol.VERSION}\n", "VERSION = 0\n"))
    replaced = old.read_bytes()
    computer.plug_in(NODE)
    computer.usb.plug_in("ttyACM1", PROBE)
    computer.usb.port("ttyACM1").touch()
    assert computer.firmware() == 1
    assert "there are 2 Picos: say which by its serial number or port" in computer.err
    assert computer.firmware(named if named != "the port" else str(computer.usb.port(NAME))) == 0, computer.err
    assert computer.on_flash == files()
    assert "has made room" in computer.err
    assert list(computer.kept.values()) == [replaced]


@pytest.mark.parametrize(
    ("how", "words", "said"),
    [
        pytest.param(
            "cable",
            b"import hashlib, os",
            "unplugged while its files were looked at, and nothing was written to it",
            marks=pytest.mark.campaign,
        ),
        pytest.param(
            "cable",
            b"open('main.py','rb')",
            "unplugged while its files were kept, and nothing was written to it",
            marks=pytest.mark.campaign,
        ),
        ("cable", WRITING, "unplugged while the firmware was copied, and its firmware is not whole"),
        pytest.param(
            "Ctrl-C",
            WRITING,
            "interrupted while the firmware was copied, and its firmware is not whole",
            marks=pytest.mark.campaign,
        ),
    ],
)
def test_what_breaks_off_in_the_middle_is_one_sentence_and_the_next_time_it_is_whole(
    how: str, words: bytes, said: str, computer: AtTheComputer
) -> None:
    be_at_the_prompt(computer)
    computer.plug_in()

    def interrupt() -> None:
        raise KeyboardInterrupt

    computer.when_host_says(words, computer.unplug if how == "cable" else interrupt)
    assert computer.firmware("--yes") == 1
    last = computer.err.splitlines()[-1]
    assert said in last
    assert last.endswith("run 'quarto-pi firmware' again.")
    assert "Traceback" not in computer.err
    computer.clock.each_time = lambda: None
    if how == "cable":
        computer.plug_in()
    assert computer.firmware("--yes") == 0, computer.err
    assert computer.on_flash == files() | {"data.csv": b"1,2,3\n"}
    assert b"mine = 'nobody else has it'\n" in computer.kept.values()


def test_interruption_before_anything_is_written_says_so(computer: AtTheComputer) -> None:
    be_at_the_prompt(computer)
    computer.plug_in()

    def interrupt() -> None:
        raise KeyboardInterrupt

    computer.clock.each_time = interrupt
    assert computer.firmware("--yes") == 1
    assert "interrupted, nothing was written to the Pico" in computer.err.splitlines()[-1]


# What a node of version 1 said, and what it was told, in its own frames.
OF_VERSION_1 = """
import os
import sys
from time import sleep_ms
import machine
from quarto_pi.firmware.cable import Cable

if "update" in os.listdir():
    os.remove("update")
else:
    cable, came, turns = Cable(), b"", 0
    while True:
        sleep_ms(5)
        turns += 1
        if turns % 40 == 0:
            cable.write(bytes.fromhex(STATE))
        came = (came + cable.read())[-200:]
        if bytes.fromhex("a55a011000000300130000005723ab86") in came:
            came = b""
            cable.write(bytes.fromhex(WELCOME))
        if bytes.fromhex("a55a011500000300180100002e8bff1a") in came:
            open("update", "w").close()
            machine.reset()
"""
STATE = "a55a01020000030005aabbcc"
STATE += crc32(bytes.fromhex(STATE)).to_bytes(4, "little").hex()
WELCOME = (
    "a55a010100005300540100001e526173706265727279205069205069636f3220776974682052503233353010653636313634303834333166"
    "326132621656616c75654572726f723a204772c3b6c39f6520313700000000000000000069604793"
)


def test_node_of_version_1_is_told_as_such_and_replaced(computer: AtTheComputer) -> None:
    under = computer.under
    (under.pico.flash / "main.py").write_text(f"WELCOME, STATE = {WELCOME!r}, {STATE!r}\n{OF_VERSION_1}")
    computer.plug_in(NODE)
    assert under.config.node is not None
    settings = replace(under.config.node, port=str(computer.usb.port(NAME)))
    with open_node(under.config, settings, under.platform) as node:
        node.bank.start()
        assert "speaks version 1 of the protocol" in node.link.condition.detail
        assert node.link.condition.todo == "run 'quarto-pi firmware'"
    assert computer.firmware() == 0, computer.err
    assert computer.on_flash == files()
    assert "has made room" in computer.err


def test_list_tells_what_would_be_copied(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["firmware", "--list"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert {line[2]: (line[0], int(line[1])) for line in lines} == {
        place: (sha256(content).hexdigest(), len(content)) for place, content in files().items()
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("/dev/no-such-port", "there is no /dev/no-such-port: plug the Pico in"),
        ("e66", "nothing with the serial number e66 is plugged in"),
    ],
)
def test_pico_that_is_not_there_is_told_with_what_to_do(name: str, said: str, computer: AtTheComputer) -> None:
    assert computer.firmware(name) == 1
    assert said in computer.err
