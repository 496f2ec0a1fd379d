"""The registers of the MFRC522 by the datasheet's names, its commands and its bits (chapters 9 and 10)."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final


class Register(IntEnum):
    """Register addresses (9.2, table 20)."""

    COMMAND = 0x01
    COM_IEN = 0x02
    DIV_IEN = 0x03
    COM_IRQ = 0x04
    DIV_IRQ = 0x05
    ERROR = 0x06
    STATUS1 = 0x07
    STATUS2 = 0x08
    FIFO_DATA = 0x09
    FIFO_LEVEL = 0x0A
    WATER_LEVEL = 0x0B
    CONTROL = 0x0C
    BIT_FRAMING = 0x0D
    COLL = 0x0E
    MODE = 0x11
    TX_MODE = 0x12
    RX_MODE = 0x13
    TX_CONTROL = 0x14
    TX_ASK = 0x15
    TX_SEL = 0x16
    RX_SEL = 0x17
    RX_THRESHOLD = 0x18
    DEMOD = 0x19
    MF_TX = 0x1C
    SERIAL_SPEED = 0x1F
    CRC_RESULT_HIGH = 0x21
    CRC_RESULT_LOW = 0x22
    MOD_WIDTH = 0x24
    RF_CFG = 0x26
    GSN = 0x27
    CW_GSP = 0x28
    MOD_GSP = 0x29
    T_MODE = 0x2A
    T_PRESCALER = 0x2B
    T_RELOAD_HIGH = 0x2C
    T_RELOAD_LOW = 0x2D
    T_COUNTER_HIGH = 0x2E
    T_COUNTER_LOW = 0x2F
    VERSION = 0x37


class ChipCommand(IntEnum):
    """Commands (10.3, table 149)."""

    IDLE = 0x00
    CALC_CRC = 0x03
    TRANSMIT = 0x04
    NO_CHANGE = 0x07
    RECEIVE = 0x08
    TRANSCEIVE = 0x0C
    MF_AUTHENT = 0x0E
    SOFT_RESET = 0x0F


class ComIrq(IntFlag):
    """Bits of ComIrqReg (9.3.1.5)."""

    TIMER = 0x01
    ERR = 0x02
    LO_ALERT = 0x04
    HI_ALERT = 0x08
    IDLE = 0x10
    RX = 0x20
    TX = 0x40
    SET1 = 0x80


class Error(IntFlag):
    """Bits of ErrorReg (9.3.1.7)."""

    PROTOCOL = 0x01
    PARITY = 0x02
    CRC = 0x04
    COLLISION = 0x08
    OVERFLOW = 0x10
    TEMPERATURE = 0x40
    WRITE = 0x80


NO_ERROR: Final = Error(0)
CRC_IRQ: Final = 0x04  # DivIrqReg (9.3.1.6)
SET2: Final = 0x80
POWER_DOWN_BIT: Final = 0x10  # CommandReg (9.3.1.2)
RECEIVER_OFF: Final = 0x20
FLUSH: Final = 0x80  # FIFOLevelReg (9.3.1.11)
START_SEND_BIT: Final = 0x80  # BitFramingReg (9.3.1.14)
KEEP_AFTER_COLLISION: Final = 0x80  # CollReg (9.3.1.15)
COLL_POS_NOT_VALID: Final = 0x20
CRC_ENABLED: Final = 0x80  # TxModeReg, RxModeReg (9.3.2.3, 9.3.2.4)
TX_DRIVERS_ON: Final = 0x03  # TxControlReg (9.3.2.5)
FORCE_100_ASK: Final = 0x40  # TxASKReg (9.3.2.6)
T_AUTO_BIT: Final = 0x80  # TModeReg (9.3.3.10)
T_STOP_NOW: Final = 0x80  # ControlReg (9.3.1.13)
T_START_NOW: Final = 0x40
CRC_PRESETS: Final = (0x0000, 0x6363, 0xA671, 0xFFFF)  # ModeReg (9.3.2.2)

READ_ONLY: Final = frozenset(
    {
        Register.ERROR,
        Register.STATUS1,
        Register.CRC_RESULT_HIGH,
        Register.CRC_RESULT_LOW,
        Register.T_COUNTER_HIGH,
        Register.T_COUNTER_LOW,
        Register.VERSION,
    }
)

# values after a reset, from the table of each register in chapter 9; all others are zero
RESET_VALUES: Final[dict[int, int]] = {
    Register.COMMAND: 0x20,
    Register.COM_IEN: 0x80,
    Register.COM_IRQ: 0x14,
    Register.STATUS1: 0x21,
    Register.WATER_LEVEL: 0x08,
    Register.CONTROL: 0x10,
    Register.COLL: 0xA0,
    Register.MODE: 0x3F,
    Register.TX_CONTROL: 0x80,
    Register.TX_SEL: 0x10,
    Register.RX_SEL: 0x84,
    Register.RX_THRESHOLD: 0x84,
    Register.DEMOD: 0x4D,
    Register.MF_TX: 0x62,
    Register.SERIAL_SPEED: 0xEB,
    Register.CRC_RESULT_HIGH: 0xFF,
    Register.CRC_RESULT_LOW: 0xFF,
    Register.MOD_WIDTH: 0x26,
    Register.RF_CFG: 0x48,
    Register.GSN: 0x88,
    Register.CW_GSP: 0x20,
    Register.MOD_GSP: 0x20,
}
