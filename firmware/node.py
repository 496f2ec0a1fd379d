"""The node: sweeps the readers, tells the host what they see, and does what the host wants."""

import gc
import os
import sys
from time import sleep_ms, ticks_diff, ticks_ms

import machine

from quarto_pi.firmware import lights, protocol
from quarto_pi.firmware.cable import Cable
from quarto_pi.firmware.lights import PanelLights, StatusLight
from quarto_pi.firmware.protocol import Damaged, Frame, Reader, Writer
from quarto_pi.firmware.push_buttons import PushButtons
from quarto_pi.firmware.reader_bank import ReaderBank
from quarto_pi.firmware.said_by_host import Configuration, Expectation, Hello, Lights, Restart
from quarto_pi.firmware.said_by_node import Health, State, Welcome

WATCHDOG_MS = 8_000  # the most that an RP2040 can wait
HEARTBEAT_MS = 200  # how often the node speaks while there is nothing to sweep
HEALTH_MS = 1_000
SWEEP_MS = 25  # the least, which no board whose readers answer is held up by
HOST_GONE_MS = 3_000
TEST_MS = 300  # how long each lamp shines in a self-test
LOOK_MS = 10  # how often the buttons are looked at, besides their interrupts
MOST_FROM_HOST = 512  # bytes of a frame
ENOUGH_BYTES = 40_000  # free memory below which there is a collection, between two sweeps
MEMORY_MS = 10_000  # how often it is counted, for which the processor goes through it all
UPDATE_FLAG = "update"  # a file that tells main.py to leave the cable alone


class Node:
    """One board of readers on one cable."""

    def __init__(self, build: str, broke: str) -> None:
        self._cable = Cable()
        self._writer = Writer()
        self._reader = Reader(MOST_FROM_HOST, hears_host=True)
        self._bank = ReaderBank()
        self._buttons = PushButtons()
        self._panel = PanelLights()
        self._light = StatusLight()
        self._state = State(self._bank.looks, self._buttons.presses)
        self._health = Health(self._bank.figures)
        boot = int.from_bytes(os.urandom(2), "little")
        self._state.boot = self._health.boot = boot
        serial = machine.unique_id().hex()
        self._welcome = Welcome(boot, build, sys.implementation._machine, serial, broke)  # noqa: SLF001 - its name there
        self._wiring: Configuration | None = None
        self._told_moves = 0
        self._told_at = self._health_at = self._looked_at = self._counted_at = ticks_ms()
        self._has_swept = False
        self._shall_test = False
        self._heard_at: int | None = None
        self._between_looks = self.between_looks  # a bound method is made anew each time it is asked for
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def run(self) -> None:
        """Go on for ever."""
        while True:
            self.turn()

    def turn(self) -> None:
        """Look once at everything; what is to be told is told while fields get ready."""
        self._apply_wiring()
        if self._shall_test:
            self._shall_test = False
            self._test()
        if self._state.configured:
            began = ticks_ms()
            self._bank.sweep(self._between_looks)
            self._state.sweeps = (self._state.sweeps + 1) & 0xFFFF
            self._has_swept = True
            # Readers that do not answer are passed over in no time: without a pause the host would drown in frames.
            if ticks_diff(ticks_ms(), began) < SWEEP_MS:
                self._bank.finish()
                while ticks_diff(ticks_ms(), began) < SWEEP_MS:
                    sleep_ms(1)
                    self.between_looks()
        else:
            sleep_ms(5)
            self.between_looks()
        if ticks_diff(ticks_ms(), self._counted_at) >= MEMORY_MS:
            self._count_memory()

    def between_looks(self) -> None:
        """What the node does besides looking; it allocates nothing to speak of unless the host has sent something."""
        self._watchdog.feed()
        now = ticks_ms()
        if ticks_diff(now, self._looked_at) >= LOOK_MS:
            self._looked_at = now
            self._buttons.look()
        moved = self._buttons.moved() != self._told_moves
        if not moved and ticks_diff(now, self._health_at) >= HEALTH_MS:
            self._tell_health()
        elif moved or self._has_swept or self._bank.has_news or ticks_diff(now, self._told_at) >= HEARTBEAT_MS:
            self._tell_state()
        self._show_status(now)
        came = self._cable.read()
        if came:
            self._listen(came, now)

    # -- to the host -------------------------------------------------------------------------------------------------

    def _tell_state(self) -> None:
        state = self._state
        self._has_swept = self._bank.has_news = False
        self._told_moves = self._buttons.moved()
        self._buttons.note()
        # only now: nothing that the frame tells of is newer than its moment
        self._told_at = state.at = ticks_ms()
        state.lights = self._panel.levels
        state.damaged = self._reader.damaged & 0xFFFF
        self._cable.write(state.write(self._writer))

    def _tell_health(self) -> None:
        self._health_at = self._health.at = ticks_ms()
        self._cable.write(self._health.write(self._writer))

    def _count_memory(self) -> None:
        self._counted_at = ticks_ms()
        free = gc.mem_free()
        if free < ENOUGH_BYTES:
            gc.collect()
        self._state.free = min(free // 64, 0xFFFF)

    def _show_status(self, now: int) -> None:
        heard_at = self._heard_at
        if heard_at is None or ticks_diff(now, heard_at) >= HOST_GONE_MS:
            if heard_at is not None:
                self._heard_at = None
                self._panel.show(bytes(protocol.LAMPS))
            self._light.show(lights.ALONE, now)
        elif not self._state.configured:
            self._light.show(lights.WAITING, now)
        else:
            self._light.show(lights.READER_LOST if self._bank.lost else lights.AT_WORK, now)

    # -- from the host -----------------------------------------------------------------------------------------------

    def _listen(self, came: bytes, now: int) -> None:
        self._reader.feed(came)
        while True:
            frame = self._reader.next()
            if frame is None:
                return
            try:
                self._obey(frame, now)
            except Damaged:
                self._reader.damaged += 1

    def _obey(self, frame: Frame, now: int) -> None:
        # These two are understood whatever the version: by them a program finds out, and replaces the firmware.
        if frame.kind == protocol.HELLO:
            self._welcome.session = Hello.read(frame.payload).session
            self._cable.write(self._welcome.write(self._writer))
        elif frame.kind == protocol.RESTART:
            self._restart(Restart.read(frame.payload).how)
        if frame.version != protocol.VERSION:
            return
        self._heard_at = now
        if frame.kind == protocol.CONFIGURE:
            self._wiring = Configuration.read(frame.payload)
        elif frame.kind == protocol.EXPECT:
            expectation = Expectation.read(frame.payload)
            for cell, uid in expectation.uids:
                self._bank.expect(cell, uid)
            self._state.expected = expectation.number
        elif frame.kind == protocol.LIGHTS:
            self._panel.show(Lights.read(frame.payload).levels)
        elif frame.kind == protocol.SELF_TEST:
            self._shall_test = True  # not in the middle of a sweep, which would find its readers reset

    def _apply_wiring(self) -> None:
        """Take up a new configuration, between two sweeps; one that this Pico cannot follow is left alone."""
        wiring, self._wiring = self._wiring, None
        if wiring is None or wiring.number == self._state.configured:
            return
        self._state.configured = 0
        try:
            self._buttons.set_up(wiring.buttons)
            self._panel.set_up(wiring)
            self._bank.set_up(wiring)
        except (ValueError, OSError):
            return
        self._state.configured = wiring.number
        gc.collect()
        self._count_memory()

    def _test(self) -> None:
        """Reset all readers, show every lamp, and tell how it went."""
        if self._state.configured:
            self._bank.reset_all()
        before = bytes(self._panel.levels)
        for lamp in range(protocol.LAMPS):
            levels = bytes(255 if place == lamp else 0 for place in range(protocol.LAMPS))
            began = ticks_ms()
            while ticks_diff(ticks_ms(), began) < TEST_MS:
                self._panel.show(levels)  # again and again: the host goes on saying what it wants
                sleep_ms(5)
                self.between_looks()
        self._panel.show(before)
        self._health.tests = (self._health.tests + 1) & 0xFF
        self._tell_health()

    def _restart(self, how: int) -> None:
        self._panel.show(bytes(protocol.LAMPS))
        if self._state.configured:
            self._bank.fields_off()
        if how == protocol.TO_BOOTLOADER:
            machine.bootloader()
        if how == protocol.FOR_UPDATE:
            with open(UPDATE_FLAG, "w") as flag:
                flag.write("the firmware is to be replaced\n")
        machine.reset()
