"""The contactless side of the MFRC522: Transceive from StartSend to the answer in the FIFO (8.1, 10.3.1.8)."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING

from quarto_pi.simulation import registers as bits
from quarto_pi.simulation.clock import Durations
from quarto_pi.simulation.field import Field, Reception
from quarto_pi.simulation.registers import ChipCommand, ComIrq, Error, Register
from quarto_pi.simulation.tag import ETU_NS, Frame, crc_of_frame

if TYPE_CHECKING:
    from quarto_pi.simulation.chip import SimulatedChip

ANSWER_SEEN_NS = int(5 * ETU_NS)  # 8.5: the timer stops after the start bit and four data bits
_SENSITIVITY_BY_GAIN = (0.4, 0.6, 0.4, 0.6, 1.0, 1.0, 1.0, 1.0)  # RFCfgReg, RxGain: 18, 23, 18, 23, 33..48 dB
_KEPT_BY_RECEIVER = 0xFF & ~(Error.PROTOCOL | Error.PARITY | Error.CRC | Error.COLLISION).value


class ModemState(IntEnum):
    """Status2Reg, ModemState (9.3.1.9)."""

    IDLE = 0
    WAIT_FOR_START = 1
    TRANSMITTING = 3
    WAIT_FOR_DATA = 5


class Radio:
    """Transmitter, receiver and antenna of one chip."""

    def __init__(self, chip: SimulatedChip, field: Field, durations: Durations) -> None:
        self._chip = chip
        self._field = field
        self._durations = durations
        self._events: list[tuple[int, Callable[[int], None]]] = []
        self.modem_state = ModemState.IDLE

    @property
    def next_event_at(self) -> int | None:
        """Return when something happens next on the air, None if nothing will."""
        return self._events[0][0] if self._events else None

    def step(self) -> None:
        """Do what is due next."""
        moment, action = self._events.pop(0)
        action(moment)

    def abort(self) -> None:
        """Drop the running exchange, as any new command does (10.2)."""
        self._events.clear()
        self.modem_state = ModemState.IDLE

    def power_down(self, at: int) -> None:
        """Stop everything and take the field away (8.6.1)."""
        self.abort()
        self._field.set_antenna(self._chip.cell, on=False, at=at)

    def switch_antenna(self, at: int) -> None:
        """Follow TxControlReg: both drivers on is a field (9.3.2.5)."""
        on = self._chip.register[Register.TX_CONTROL] & bits.TX_DRIVERS_ON == bits.TX_DRIVERS_ON
        self._field.set_antenna(self._chip.cell, on=on, at=at)

    def arm(self, at: int) -> None:
        """Wait for StartSend after Transceive was written; a bit that is still set starts at once."""
        self.modem_state = ModemState.WAIT_FOR_START
        if self._chip.command is ChipCommand.TRANSMIT or (
            self._chip.register[Register.BIT_FRAMING] & bits.START_SEND_BIT
        ):
            self._send(at)

    def start_send(self, at: int) -> None:
        """Follow StartSend, which means something in Transceive only (9.3.1.14)."""
        if self._chip.command is ChipCommand.TRANSCEIVE:
            self._send(at)

    def _send(self, at: int) -> None:
        chip = self._chip
        data = bytes(chip.fifo)
        chip.fifo.clear()
        chip.raise_irq(ComIrq.LO_ALERT)
        if chip.register[Register.TX_MODE] & bits.CRC_ENABLED:
            data += crc_of_frame(data, bits.CRC_PRESETS[chip.register[Register.MODE] & 0x03])
        frame = Frame(data, last_bits=chip.register[Register.BIT_FRAMING] & 0x07)
        self.modem_state = ModemState.TRANSMITTING
        sent_at = at + frame.duration_ns
        self._events = [(sent_at, self._sent)]
        # a tag takes nothing but 100 % modulation for a pause of type A (9.3.2.6)
        audible = data and chip.register[Register.TX_ASK] & bits.FORCE_100_ASK
        gain = chip.register[Register.RF_CFG] >> 4 & 0x07
        reception = self._field.transmit(chip.cell, frame, at, _SENSITIVITY_BY_GAIN[gain]) if audible else None
        if reception is None or chip.command is ChipCommand.TRANSMIT:
            return
        self._receive(reception)

    def _sent(self, at: int) -> None:
        chip = self._chip
        chip.raise_irq(ComIrq.TX)
        if chip.register[Register.T_MODE] & bits.T_AUTO_BIT:
            chip.start_timer(at)
        if chip.command is ChipCommand.TRANSMIT:
            chip.command = ChipCommand.IDLE
            chip.raise_irq(ComIrq.IDLE)
            self.modem_state = ModemState.IDLE
            return
        # the receiver's start-up phase clears the errors of the exchange before (9.3.1.7)
        chip.register[Register.ERROR] &= _KEPT_BY_RECEIVER
        chip.register[Register.COLL] |= bits.COLL_POS_NOT_VALID
        self.modem_state = ModemState.WAIT_FOR_DATA

    def _answer_seen(self, at: int) -> None:
        del at
        if self._chip.register[Register.T_MODE] & bits.T_AUTO_BIT:
            self._chip.timer.stop()

    def _receive(self, reception: Reception) -> None:
        """Have the answer come in as it does on the air: byte after byte, each a little later in the FIFO."""
        chip = self._chip
        latency = self._durations.draw(self._durations.spans.latency)
        shift = chip.register[Register.BIT_FRAMING] >> 4 & 0x07
        received = reception.frame.bits()
        if reception.collision is not None and not chip.register[Register.COLL] & bits.KEEP_AFTER_COLLISION:
            # 9.3.1.15: without ValuesAfterColl everything after the collided bit reads as zero
            received[reception.collision :] = [0] * (len(received) - reception.collision)
        data = bytearray((shift + len(received) + 7) // 8)
        for index, bit in enumerate(received, start=shift):
            data[index // 8] |= bit << index % 8
        errors = reception.errors
        if chip.register[Register.RX_MODE] & bits.CRC_ENABLED:
            preset = bits.CRC_PRESETS[chip.register[Register.MODE] & 0x03]
            if len(data) < 3 or crc_of_frame(bytes(data[:-2]), preset) != bytes(data[-2:]):
                errors |= Error.CRC
            del data[-2:]
        self._events.append((reception.starts_at + ANSWER_SEEN_NS, self._answer_seen))
        if reception.collision is not None:
            collided_at = reception.starts_at + _on_air_ns(reception.collision, 8 - shift) + latency
            self._events.append((collided_at, partial(self._note_collision, reception.collision)))
        for index, byte in enumerate(data[:-1]):
            byte_at = reception.starts_at + _on_air_ns(8 * (index + 1) - shift, 8 - shift) + latency
            self._events.append((byte_at, partial(self._take_byte, byte)))
        last_bits = (shift + len(received)) % 8
        self._events.append(
            (reception.ends_at + latency, partial(self._end_reception, bytes(data[-1:]), last_bits, errors))
        )
        self._events.sort(key=lambda event: event[0])

    def _take_byte(self, byte: int, at: int) -> None:
        del at
        self._chip.push((byte,))

    def _end_reception(self, last: bytes, last_bits: int, errors: Error, at: int) -> None:
        del at
        chip = self._chip
        chip.register[Register.CONTROL] = (chip.register[Register.CONTROL] & 0xF8) | last_bits
        chip.push(last)
        chip.raise_error(errors)
        chip.raise_irq(ComIrq.RX)
        self.modem_state = ModemState.WAIT_FOR_START
        if chip.forgetful:
            chip.command = ChipCommand.IDLE
            self.modem_state = ModemState.IDLE

    def _note_collision(self, position: int, at: int) -> None:
        del at
        self._chip.raise_error(Error.COLLISION)
        keep = self._chip.register[Register.COLL] & bits.KEEP_AFTER_COLLISION
        # CollPos counts from 1 to 32, which is written 0; what lies beyond is not valid
        where = position & 0x1F if position <= 32 else bits.COLL_POS_NOT_VALID
        self._chip.register[Register.COLL] = keep | where


def _on_air_ns(bit_count: int, bits_of_first_byte: int) -> int:
    """Return how long so many data bits of an answer take: a start bit before them, a parity bit after each byte."""
    parity_bits = 0 if bit_count < bits_of_first_byte else 1 + (bit_count - bits_of_first_byte) // 8
    return int((1 + bit_count + parity_bits) * ETU_NS)
