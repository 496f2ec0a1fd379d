"""What comes up from the board: readings that make no sense, and chips that answer rubbish; afterwards all is well."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory

from quarto_pi.devices.readers.bank import ReaderBank
from quarto_pi.devices.readers.fields import NOT_TOUCHING, FieldMode, plan_fields
from quarto_pi.devices.readers.spi import SelectLines, SelectPins
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import Ask, Button, ButtonName, Effect, Input, Seen, Settings, Show, State, fold, start
from quarto_pi.rules import PIECES
from quarto_pi.sensing.board import BoardState, Sensing, Sweep, doubts_of
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES, Outcome, Reading
from quarto_pi.sensing.tags import TagTable, parse_uid
from quarto_pi.simulation.board import UIDS, SimulatedBoard
from quarto_pi.simulation.bus import ForgetfulPin, GpiozeroPins
from quarto_pi.words import Words
from tests.fuzz.dice import Dice
from tests.fuzz.texts import any_answer
from tests.fuzz.verdict import Broken

TAGS = TagTable(dict(zip(UIDS, PIECES, strict=True)))
MOST_SWEEPS = 150
SWEEP_MS = 100
CALM_SWEEPS = 80
"""Eight seconds in which every reader hears what is there."""
PAUSES_MS = (100, 0, 1, 400, 5_000, 60_000, 100_000_000)
CALM_ROUNDS = 30
MOST_TRANSFERS = 40_000
"""Of a round: a reader that is given up costs a few hundred."""


class Evening:
    """A table of which only the readings exist."""

    def __init__(self, settings: Settings, language: str) -> None:
        self.at = 0
        self._words = Words(language)
        self._sensing = Sensing(TAGS)
        self._board = self._sensing.start_empty()
        self._waiting: list[Input] = []
        self._state, effects = start(settings, 0)
        self._look_at(effects)

    @property
    def state(self) -> State:
        """What the referee knows."""
        return self._state

    def sweep(self, readings: tuple[Reading, ...]) -> BoardState:
        """Take a sweep in, and what follows from it."""
        self._board, events = self._sensing.fold(self._board, Sweep(self.at, readings))
        self.feed(Seen(self.at, events, doubts_of(self._board)))
        return self._board

    def feed(self, received: Input) -> None:
        """Have the referee take something in."""
        for each in (*self._waiting, received):
            self._state, effects = fold(self._state, each)
            self._look_at(effects)

    def _look_at(self, effects: tuple[Effect, ...]) -> None:
        self._waiting = [any_answer(effect) for effect in effects if isinstance(effect, Ask)]
        for effect in effects:
            if isinstance(effect, Show) and not self._words.say(effect.view.prompt, effect.view.settings.seats):
                raise Broken(f"nothing is shown at {effect.view.prompt}")


def sensing(data: bytes) -> None:
    """Readings that no table gives, and presses; when the board is empty again it is seen to be empty."""
    dice = Dice(data)
    settings = Settings(offer_reader=not dice.chance(30), buttons=1 + dice.chance(30))
    evening = Evening(settings, dice.choice(LANGUAGES))
    for _ in range(MOST_SWEEPS):
        if not dice.left:
            break
        evening.at += dice.choice(PAUSES_MS)
        if dice.chance(20):
            evening.feed(Button(evening.at, dice.choice(list(ButtonName)), not dice.chance(50)))
        cells = {dice.choice(CELLS) for _ in range(dice.number(6))}
        evening.sweep(tuple(_reading(dice, cell, evening.at) for cell in sorted(cells)))
    for _ in range(CALM_SWEEPS):
        evening.at += SWEEP_MS
        board = evening.sweep(tuple(Reading(cell, Outcome.EMPTY, (), evening.at) for cell in CELLS))
    if board.photograph.pieces or board.photograph.lost:
        raise Broken(f"the board is empty, and what is seen is {board.photograph}")


def _reading(dice: Dice, cell: str, at: int) -> Reading:
    outcome = dice.choice(list(Outcome))
    uids: tuple[str, ...] = ()
    if outcome is Outcome.TAG:
        uids = (_uid(dice),)
    elif outcome is Outcome.SEVERAL:
        uids = tuple(dict.fromkeys(_uid(dice) for _ in range(2 + dice.number(4))))
    return Reading(cell, outcome, uids, at)


def _uid(dice: Dice) -> str:
    """A piece's, one that is nearly a piece's, or any."""
    known = bytes.fromhex(dice.choice(UIDS))
    match dice.number(3):
        case 0:
            return known.hex().upper()
        case 1:
            changed = bytearray(known)
            changed[dice.number(len(changed))] ^= 1 << dice.number(8)
            return changed.hex().upper()
        case _:
            size = dice.choice((4, 7, 10))
            return dice.take(size).ljust(size, b"\0").hex().upper()


class BabblingBus:
    """An SPI bus on which anything may answer for a while, and the chips afterwards."""

    def __init__(self, board: SimulatedBoard, dice: Dice) -> None:
        self.transfers = 0
        self._board = board
        self._dice = dice
        self._spi = board.spidev.SpiDev(0, 0)
        self._spi.max_speed_hz = 4_000_000

    def xfer2(self, values: list[int]) -> list[int]:
        """What comes back: the truth, the truth with something changed in it, or anything at all."""
        self.transfers += 1
        answer: list[int] = self._spi.xfer2(values)
        if not self._dice.chance(60):
            return answer
        match self._dice.number(4):
            case 0:
                return list(self._dice.take(len(answer)).ljust(len(answer), b"\xff"))
            case 1:
                return [self._dice.choice((0x00, 0xFF, 0x91, 0x26, 0x88))] * len(answer)
            case 2:
                answer[self._dice.number(len(answer))] ^= 1 << self._dice.number(8)
                return answer
            case _:
                chip = self._board.chips[self._dice.choice(CELLS)]
                chip.register[self._dice.number(0x40)] = self._dice.number(256)
                return answer

    def close(self) -> None:
        """Nothing is held open."""


def chips(data: bytes) -> None:
    """Chips that answer rubbish; once they answer as they should, every piece is heard where it stands."""
    dice = Dice(data)
    mode = dice.choice(list(FieldMode))
    factory = MockFactory(pin_class=ForgetfulPin)
    board = SimulatedBoard(GpiozeroPins(factory), seed=1)
    standing = dict(zip(SQUARE_NAMES[: dice.number(17)], UIDS, strict=False))
    for square, uid in standing.items():
        board.table.rest(uid, square)
    spi = BabblingBus(board, dice)
    with SelectLines(SelectPins(), factory) as lines:
        bank = ReaderBank(spi, lines, board.clock, plan=plan_fields(mode, None, NOT_TOUCHING))
        bank.start()
        while dice.left:
            _check_round(bank, board, spi)
        board.brown_out()
        for _ in range(CALM_ROUNDS):
            _check_round(bank, board, spi)
        heard = {reading.cell: reading.uids[0] for reading in bank.sweep() if reading.outcome is Outcome.TAG}
        if heard != standing:
            raise Broken(f"what stands there is {standing}, and what is heard is {heard}")


def _check_round(bank: ReaderBank, board: SimulatedBoard, spi: BabblingBus) -> None:
    before = spi.transfers
    sweep = Sweep.of(bank.round(), board.clock.now() // 1_000)
    if spi.transfers - before > MOST_TRANSFERS:
        raise Broken(f"one round took {spi.transfers - before} transfers")
    for reading in sweep.readings:
        for uid in reading.uids:
            if parse_uid(uid) != uid:
                raise Broken(f"{reading} is no reading")
    board.clock.advance_ms(SWEEP_MS)
