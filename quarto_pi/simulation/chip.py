"""The MFRC522 as its host sees it: SPI frames, registers, FIFO, interrupts, reset and power-down."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from functools import partial

from quarto_pi.simulation import registers as bits
from quarto_pi.simulation.clock import Durations, Timer
from quarto_pi.simulation.field import Field
from quarto_pi.simulation.radio import Radio
from quarto_pi.simulation.registers import ChipCommand, ComIrq, Error, Register
from quarto_pi.simulation.tag import crc_of_frame

FIFO_SIZE = 64
RESET_NS = 37_740  # 8.8.2: 1024 periods of 27.12 MHz
WAKE_UP_NS = 2_000_000  # 8.6.2: the oscillator's start after power-down; depends on the crystal
CRC_BYTE_NS = 600  # 8.2: eight periods of the carrier a byte
COUNTERFEIT = 0x12
_COMMANDS = {command.value: command for command in ChipCommand}
# Plain numbers: enumerations take their time, and these are asked for at each byte of the FIFO.
_COM_IRQ, _WATER_LEVEL = Register.COM_IRQ.value, Register.WATER_LEVEL.value
_LO_ALERT, _HI_ALERT = ComIrq.LO_ALERT.value, ComIrq.HI_ALERT.value
_WITHOUT_OVERFLOW = 0xFF & ~Error.OVERFLOW.value


class Hang(Enum):
    """How a chip hangs that nothing brings back but its reset pin or its supply."""

    MUTE = auto()  # it answers nothing, and obeys nothing
    DEAF = auto()  # it can be read, and obeys nothing


class SimulatedChip:
    """One reader chip with the antenna of one cell.

    One that is `forgetful` ends Transceive with each answer, as some clones do, and wants the command written again.
    """

    def __init__(
        self,
        cell: str,
        field: Field,
        version: int = 0x92,
        *,
        durations: Durations | None = None,
        forgetful: bool = False,
    ) -> None:
        self.cell = cell
        self.version = version
        self.timer = Timer()
        self.forgetful = forgetful
        self.radio = Radio(self, field, durations or Durations())
        self.fifo: deque[int] = deque()
        self.register = bytearray(64)
        self.command = ChipCommand.IDLE
        self.resets = 0
        self.hang: Hang | None = None
        self._busy_until = 0
        self._powered_down = False
        self._crc_ready_at: int | None = None
        self._address: int | None = None
        self._writing = False
        self._readers: dict[int, Callable[[int], int]] = {
            Register.COMMAND: self._command_and_state,
            Register.FIFO_DATA: self._pop,
            Register.FIFO_LEVEL: lambda _: len(self.fifo),
            Register.STATUS1: self._status1,
            Register.STATUS2: lambda _: self.register[Register.STATUS2] & 0xF8 | self.radio.modem_state,
            Register.T_COUNTER_HIGH: lambda at: self.timer.value(at) >> 8,
            Register.T_COUNTER_LOW: lambda at: self.timer.value(at) & 0xFF,
        }
        self._writers: dict[int, Callable[[int, int], None]] = {
            Register.COMMAND: self._run,
            Register.COM_IRQ: partial(self._write_irq, Register.COM_IRQ),
            Register.DIV_IRQ: partial(self._write_irq, Register.DIV_IRQ),
            Register.FIFO_DATA: self._write_fifo,
            Register.FIFO_LEVEL: self._write_fifo_level,
            Register.BIT_FRAMING: self._write_bit_framing,
            Register.TX_CONTROL: self._write_tx_control,
            Register.CONTROL: self._write_control,
        }
        self.power_on_reset(0)

    # -- SPI (8.1.2): the first byte of a frame decides; reads answer one byte later --------------------------

    def transfer(self, data: Sequence[int], starts_at: int, byte_ns: int, *, continued: bool = False) -> list[int]:
        """Exchange bytes while selected; `continued` means the select line has stayed low since the last one."""
        if self.hang is Hang.MUTE:
            return [0] * len(data)
        if not continued:
            self._address = None
        answer = []
        moment = starts_at
        for byte in data:
            moment += byte_ns
            value = 0
            if self._address is None:
                self._writing = not byte & 0x80
                self._address = byte >> 1 & 0x3F
            elif self._writing:
                self._write(self._address, byte, moment)
            else:
                value = self._read(self._address, moment)
                self._address = byte >> 1 & 0x3F
            answer.append(value)
        return answer

    # -- reset and power (8.6, 8.8) -----------------------------------------------------------------------------

    def power_on_reset(self, at: int) -> None:
        """Come up as after a brown-out: reset values, empty FIFO, antenna off."""
        self.fifo.clear()
        self.radio.abort()
        self.timer.stop()
        self.command = ChipCommand.IDLE
        self.hang = None
        self._powered_down = False
        self._reset_registers(at)

    def hard_reset(self, at: int) -> None:
        """Come up after the reset pin was low (8.6.1): as after power-on, when the oscillator has started."""
        self.power_on_reset(at)
        self._busy_until = at + WAKE_UP_NS + RESET_NS

    def _reset_registers(self, at: int) -> None:
        self.resets += 1
        self.register[:] = bytes(64)
        for address, value in bits.RESET_VALUES.items():
            self.register[address] = value
        self.register[Register.VERSION] = self.version
        self.radio.switch_antenna(at)
        self._busy_until = at + RESET_NS

    def _soft_reset(self, at: int) -> None:
        if self.version == COUNTERFEIT:
            # the counterfeit keeps its FIFO and the running exchange, only its registers are reset
            self._reset_registers(at)
        else:
            self.power_on_reset(at)

    # -- time --------------------------------------------------------------------------------------------------

    def settle(self, at: int) -> None:
        """Let everything happen that is due by now."""
        radio, timer = self.radio, self.timer
        while True:
            radio_at = radio.next_event_at
            timer_at = timer.runs_out_at
            if radio_at is not None and radio_at <= at and (timer_at is None or radio_at <= timer_at):
                radio.step()
            elif timer_at is not None and timer_at <= at:
                timer.stop()
                self.raise_irq(ComIrq.TIMER)
            else:
                break
        if self._crc_ready_at is not None and self._crc_ready_at <= at:
            self._crc_ready_at = None
            self.register[Register.DIV_IRQ] |= bits.CRC_IRQ

    def raise_irq(self, irq: ComIrq) -> None:
        """Latch interrupt bits."""
        self.register[Register.COM_IRQ] |= int(irq)

    def raise_error(self, error: Error) -> None:
        """Latch error bits and the interrupt that goes with them."""
        self.register[Register.ERROR] |= int(error)
        if error:
            self.raise_irq(ComIrq.ERR)

    # -- FIFO (8.3) --------------------------------------------------------------------------------------------

    def push(self, data: Iterable[int]) -> None:
        """Append to the FIFO; what does not fit is lost and flagged."""
        fifo = self.fifo
        for byte in data:
            if len(fifo) == FIFO_SIZE:
                self.raise_error(Error.OVERFLOW)
                return
            fifo.append(byte)
        self._check_water_level()

    def _check_water_level(self) -> None:
        level, filled = self.register[_WATER_LEVEL], len(self.fifo)
        if filled <= level:
            self.register[_COM_IRQ] |= _LO_ALERT
        if FIFO_SIZE - filled <= level:
            self.register[_COM_IRQ] |= _HI_ALERT

    # -- registers (chapter 9) -----------------------------------------------------------------------------------

    def _read(self, address: int, at: int) -> int:
        self.settle(at)
        reader = self._readers.get(address)
        return self.register[address] if reader is None else reader(at)

    def _command_and_state(self, at: int) -> int:
        starting = bits.POWER_DOWN_BIT if self._powered_down or at < self._busy_until else 0
        return self.register[Register.COMMAND] & bits.RECEIVER_OFF | starting | self.command

    def _pop(self, _: int) -> int:
        if not self.fifo:
            return 0
        value = self.fifo.popleft()
        self._check_water_level()
        return value

    def _status1(self, _: int) -> int:
        crc_ready = 0x20 if self._crc_ready_at is None else 0
        crc_zero = 0x40 if not any(self.register[Register.CRC_RESULT_HIGH : Register.CRC_RESULT_LOW + 1]) else 0
        running = 0x08 if self.timer.runs_out_at is not None else 0
        alerts = (len(self.fifo) <= self.register[Register.WATER_LEVEL]) | (
            FIFO_SIZE - len(self.fifo) <= self.register[Register.WATER_LEVEL]
        ) << 1
        return crc_zero | crc_ready | running | alerts

    def _write(self, address: int, value: int, at: int) -> None:
        self.settle(at)
        if at < self._busy_until or self.hang is Hang.DEAF:
            return
        writer = self._writers.get(address)
        if writer is not None:
            writer(value, at)
        elif address not in bits.READ_ONLY:
            self.register[address] = value

    def _write_irq(self, address: Register, value: int, at: int) -> None:
        # Set1 and Set2: the marked bits are set or, with a 0 in bit 7, cleared (9.3.1.5)
        del at
        marked = value & 0x7F
        old = self.register[address]
        self.register[address] = old | marked if value & bits.SET2 else old & ~marked

    def _write_fifo(self, value: int, at: int) -> None:
        del at
        self.push((value,))

    def _write_fifo_level(self, value: int, at: int) -> None:
        del at
        if value & bits.FLUSH:
            self.fifo.clear()
            self.register[Register.ERROR] &= _WITHOUT_OVERFLOW
            self._check_water_level()

    def _write_bit_framing(self, value: int, at: int) -> None:
        rising = value & ~self.register[Register.BIT_FRAMING] & bits.START_SEND_BIT
        self.register[Register.BIT_FRAMING] = value
        if rising:
            self.radio.start_send(at)

    def _write_tx_control(self, value: int, at: int) -> None:
        self.register[Register.TX_CONTROL] = value
        self.radio.switch_antenna(at)

    def _write_control(self, value: int, at: int) -> None:
        if value & bits.T_STOP_NOW:
            self.timer.stop()
        if value & bits.T_START_NOW:
            self.start_timer(at)

    def start_timer(self, at: int) -> None:
        """Start the timer with what TModeReg, TPrescalerReg and TReloadReg say."""
        prescaler = (self.register[Register.T_MODE] & 0x0F) << 8 | self.register[Register.T_PRESCALER]
        reload = self.register[Register.T_RELOAD_HIGH] << 8 | self.register[Register.T_RELOAD_LOW]
        self.timer.start(at, prescaler, reload)

    # -- commands (10.3) -----------------------------------------------------------------------------------------

    def _run(self, value: int, at: int) -> None:
        self.register[Register.COMMAND] = value & bits.RECEIVER_OFF
        if self._powered_down and not value & bits.POWER_DOWN_BIT:
            self._busy_until = at + WAKE_UP_NS
        self._powered_down = bool(value & bits.POWER_DOWN_BIT)
        if self._powered_down:
            self.radio.power_down(at)
        code = value & 0x0F
        if code == ChipCommand.NO_CHANGE:
            return
        self.radio.abort()
        command = _COMMANDS.get(code)
        if command is None:
            # an unknown command ends in Idle with its interrupt; the host's own Idle sets none (9.3.1.5)
            self.command = ChipCommand.IDLE
            self.raise_irq(ComIrq.IDLE)
            return
        self.command = command
        match self.command:
            case ChipCommand.CALC_CRC:
                self._calculate_crc(at)
            case ChipCommand.SOFT_RESET:
                self._soft_reset(at)
                self.command = ChipCommand.IDLE
            case ChipCommand.TRANSCEIVE | ChipCommand.TRANSMIT:
                self.radio.arm(at)
            case _:
                pass  # MFAuthent, Receive, Mem and the random number are not modelled: they stay silent

    def _calculate_crc(self, at: int) -> None:
        preset = bits.CRC_PRESETS[self.register[Register.MODE] & 0x03]
        data = bytes(self.fifo)
        self.fifo.clear()
        low, high = crc_of_frame(data, preset)
        self.register[Register.CRC_RESULT_LOW] = low
        self.register[Register.CRC_RESULT_HIGH] = high
        self._crc_ready_at = at + CRC_BYTE_NS * max(1, len(data))
