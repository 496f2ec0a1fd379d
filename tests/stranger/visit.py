"""An evening of guests from a dark board into the second game, in this process; and how it went.

Stuck is who is told nothing new for five seconds and finds nothing to do in what is told.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import PERSON, Answer, Ask, Button, ButtonName, Seat, Settings, Starter, Tell
from quarto_pi.referee.effects import GameFinished
from quarto_pi.rules import PIECES, Calling, Given, Options, Piece, Placed
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.readings import CELLS, Outcome, Reading
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.format import Header
from quarto_pi.trace.replay import Replay, ReplayStep
from tests.chaos.computer import plan_of
from tests.stranger.channels import CHANNELS, Perceived
from tests.stranger.guest import Guest, Manner, Table

UIDS: Final = {piece: f"04{piece.number:02X}A1B2C3D480" for piece in PIECES}
TICK_MS: Final = 200
STUCK_MS: Final = 5_000
WAITS_MS: Final = 15_000
"""Who is told to wait, or looks on while a board that nobody plays at shows one thing after the other."""
THINKS_MS: Final = 700
LONGEST_MS: Final = 1_500_000
"""Nobody stays as long as that: hands that go round in circles are stuck too."""
NIGHT_MS: Final = 1_200_000
"""For this time nobody has been there: the board is dark."""

COMPUTER: Final = Seat(3)
BUTTON, AUTO = Options(), Options(calling=Calling.AUTO)
HOUSES: Final = {
    "two people": Settings(starter=Starter.IN_TURN),
    "you begin": Settings(seats=(PERSON, COMPUTER), starter=Starter.A),
    "the computer begins": Settings(seats=(COMPUTER, PERSON), starter=Starter.A),
    "the board calls": Settings(AUTO, starter=Starter.IN_TURN),
    "no giving spot": Settings(seats=(PERSON, COMPUTER), starter=Starter.A, offer_reader=False),
    "by hand": Settings(starter=Starter.IN_TURN, offer_reader=False),
}


@dataclass(slots=True)
class Visit:
    """How an evening went: where guests were stuck (None: nowhere), and how long it took them to begin."""

    house: str
    channel: str
    language: str
    seed: int
    stuck: str | None = None
    lesson_ms: int | None = None
    first_move_ms: int | None = None
    sentences: int = 0
    games: int = 0
    milliseconds: int = 0


class Room(Table):
    """A table under which the board sees, judges and tells; time passes as hands let it pass."""

    def __init__(self, settings: Settings, channel: str, seed: int) -> None:
        super().__init__()
        self.now = 0
        self.channel = CHANNELS[channel](settings)
        self.finished: list[int] = []
        self.moves: list[int] = []
        self._draw = random.Random(f"{seed} computer")
        tags = TagTable({uid: piece for piece, uid in UIDS.items()})
        self._evening = Replay(Header(settings, tags), self._computer, thinks_ms=THINKS_MS)
        self._sweep(dict.fromkeys(CELLS))

    def _computer(self, ask: Ask) -> Answer:
        return Answer(ask.at, ask.number, plan_of(ask, self._draw), bool(ask.uncalled) and self._draw.random() < 0.7)

    def _sweep(self, seen: dict[str, Piece | None]) -> None:
        readings = tuple(
            Reading(cell, Outcome.EMPTY, (), self.now)
            if piece is None
            else Reading(cell, Outcome.TAG, (UIDS[piece],), self.now)
            for cell, piece in seen.items()
        )
        self._take(self._evening.take(Sweep(self.now, readings)))

    def _take(self, steps: list[ReplayStep]) -> None:
        for at, effects in steps:
            self.channel.take(at, effects)
            for effect in effects:
                if isinstance(effect, Tell):
                    self._know(effect)

    def _know(self, told: Tell) -> None:
        match told.report:
            case GameFinished():
                self.finished.append(told.at)
            case Given() | Placed():
                self.moves.append(told.at)
            case _:
                pass

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        until = self.now + milliseconds
        while self.now < until:
            self.now = min(self.now + TICK_MS, until)
            self._sweep({})

    def sleep(self, milliseconds: int) -> None:
        """Let nobody be there."""
        for _ in range(0, milliseconds, 60_000):
            self.now += 60_000
            self._sweep({})

    def put(self, piece: Piece, cell: str) -> None:
        """Put a piece on a cell, from wherever it is."""
        if piece in self.where:
            self.lift(piece)
        self.where[piece] = cell
        self.now += 100
        self._sweep({cell: piece})

    def lift(self, piece: Piece) -> None:
        """Take a piece off the table."""
        self.now += 100
        cell = self.where.pop(piece)
        rest = [each for each, where in self.where.items() if where == cell]
        self._sweep({cell: rest[0] if rest else None})

    def press(self, held: int = 120) -> None:
        """Press the button."""
        for down in (True, False):
            self._take(self._evening.take(Button(self.now, ButtonName.CALL, down)))
            self.now += held if down else 30
            self._sweep({})


class _Seated(Guest):
    """A guest at such a table."""

    def __init__(self, room: Room, manner: Manner, seed: int, *, gives: bool) -> None:
        super().__init__(room, room.channel, manner, seed, gives=gives)
        self._room = room

    def now(self) -> int:
        """The moment at the table."""
        return self._room.now


def visit(house: str, channel: str, language: str, seed: int) -> Visit:
    """What becomes of guests who come to a dark board."""
    settings = HOUSES[house]
    settings = Settings(
        settings.rules,
        settings.seats,
        settings.starter,
        settings.offer_reader,
        voice=True,
        language=language,
        languages=(language, *(other for other in LANGUAGES if other != language)),
    )
    room = Room(settings, channel, seed)
    room.sleep(NIGHT_MS)
    came = room.now
    guest = _Seated(room, Manner.of(seed), seed, gives=settings.offer_reader)
    room.channel.forget_all()
    went = Visit(house, channel, language, seed)
    room.moves.clear()
    went.stuck = _stay(room, guest, came)
    lesson = room.channel.lesson_at
    went.lesson_ms = None if lesson is None else lesson - came
    if room.moves:
        went.first_move_ms = room.moves[0] - came
        went.sentences = sum(at <= room.moves[0] for at in room.channel.read.values())
    went.games, went.milliseconds = len(room.finished), room.now - came
    return went


def _stay(room: Room, guest: Guest, came: int) -> str | None:
    """Play into the second game; where the guests were stuck, if they were."""
    if guest.manner.presses_first:
        room.press()
    else:
        piece = PIECES[guest.manner.watches % 16]
        room.put(piece, "b2")
        room.wait(1_500)
        guest.has_begun = True
        room.lift(piece)
    told, since = room.channel.perceive(room.now), room.now
    watched = room.now + guest.manner.watches
    known: set[Perceived] = set()
    while room.now - came < LONGEST_MS:
        perceived = room.channel.perceive(room.now)
        if perceived != told and perceived not in known:
            since = room.now
            known.add(perceived)
        told = perceived
        deed = guest.deed(told, room.now) if room.now >= watched else None
        if deed is not None:
            room.wait(guest.thinks())
            if room.channel.perceive(room.now) != told:
                since = room.now
                continue
            deed()
            if not guest.strays:
                room.channel.forget(told)
            room.wait(1_200)
            since = room.now
            known.clear()
        elif (
            room.now - since >= (WAITS_MS if guest.may_wait(told) or room.channel.goes_on else STUCK_MS)
            and room.now >= watched
        ):
            return " | ".join(told.texts) or "nothing is told"
        else:
            room.wait(TICK_MS)
        if room.finished and any(at > room.finished[0] for at in room.moves):
            return None
    return f"going round in circles: {' | '.join(told.texts)}"
