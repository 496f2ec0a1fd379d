"""Two tables with people and real referees; the wire between them loses, repeats and reorders; chance from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from quarto_pi.chain.messages import BoardList, BoardToPlay, pack_others
from quarto_pi.controller.other_boards import OtherBoardsSeat, Postbox
from quarto_pi.referee import (
    Before,
    Button,
    ButtonName,
    Effect,
    Input,
    Patience,
    Save,
    Seen,
    Settings,
    State,
    fold,
    start,
)
from quarto_pi.referee.inputs import WantBoard
from quarto_pi.referee.menu import BoardChoice
from quarto_pi.referee.resuming import Interrupted
from quarto_pi.remote_play.match import Match
from quarto_pi.rules import Game, Piece, Player
from quarto_pi.sensing.events import BoardEvent, PieceLifted, PiecePlaced
from tests.remote_play.people import PeopleAtBoard

STEP_MS = 100
EVERYBODY = pack_others(BoardList(tuple(BoardToPlay(name, name) for name in ("north", "south"))))
"""What a hub would say to each of them."""


@dataclass
class Wire:
    """Letters between boards, at the mercy of chance; while it is `cut` nothing goes through."""

    chance: random.Random
    lost: float = 0.0
    repeated: float = 0.0
    slowest: int = 0
    cut: bool = False
    now: int = 0
    underway: list[tuple[int, str, str, bytes]] = field(default_factory=list)
    boards: dict[str, OtherBoardsSeat] = field(default_factory=dict)

    def send(self, sender: str, to: str, letter: bytes) -> None:
        """Take a letter, or lose it."""
        if self.cut or self.chance.random() < self.lost:
            return
        for _ in range(1 + (self.chance.random() < self.repeated)):
            self.underway.append((self.now + self.chance.randint(0, self.slowest), sender, to, letter))

    def deliver(self, now: int) -> None:
        """Hand out what has come by now."""
        self.now = now
        due = sorted((each for each in self.underway if each[0] <= now), key=lambda each: each[0])
        self.underway = [each for each in self.underway if each[0] > now]
        for _, sender, to, letter in due:
            if to in self.boards and not self.cut:
                self.boards[to].hear_letter(sender, letter)


@dataclass
class Letterbox:
    """One board's end of the wire."""

    name: str
    wire: Wire

    @property
    def is_open(self) -> bool:
        """Whether letters are carried now."""
        return not self.wire.cut

    def post(self, to: str, letter: bytes) -> None:
        """Carry a letter."""
        self.wire.send(self.name, to, letter)


@dataclass
class Disk:
    """What outlives a power cut: the newest game, and the games with other boards."""

    rows: dict[str, str] = field(default_factory=dict)
    amended: dict[int, Game] = field(default_factory=dict)
    game: Save | None = None
    settings: Settings | None = None
    number: int = 0

    def keep_match(self, name: str, kept: str) -> int:
        """Keep it at once."""
        self.rows[name] = kept
        return 0

    def amend_game(self, number: int, game: Game) -> None:
        """Know how it has ended after all."""
        self.amended[number] = game

    def is_safe(self, ticket: int) -> bool:
        """At once."""
        return ticket == 0


class TableWithPeople(PeopleAtBoard):
    """A board with its referee, and people who do what they are asked, and now and then something else."""

    def __init__(
        self,
        name: str,
        wire: Wire,
        seed: int,
        settings: Settings,
        clumsy: float = 0.0,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(random.Random(f"{seed} {name}"), clumsy)
        self.name, self.wire, self.patience = name, wire, patience
        self.settings = settings
        self.disk = Disk()
        self.stands: dict[str, Piece] = {}
        self.events: list[BoardEvent] = []
        self.buttons: list[Button] = []
        self.effects: list[Effect] = []
        self.release_at: int | None = None
        self.ahead = self.chance.randint(0, 10**6)
        self.box: Postbox = Letterbox(name, wire)
        self.switch_on()

    def post_by(self, box: Postbox) -> None:
        """Have letters carried by something else than the wire, from the next start on, which is now."""
        self.box = box
        self.switch_on()

    # --- the board ----------------------------------------------------------------------------------------------------

    def switch_on(self) -> None:
        """Start it with what its disk has; what stands on the table stands there."""
        self.seat = OtherBoardsSeat(
            self.name,
            self.box,
            lambda: f"{self.chance.getrandbits(128):032x}",
            self.disk,
            tuple(self.disk.rows.values()),
        )
        self.wire.boards[self.name] = self.seat
        self.seat.hear_others(EVERYBODY)
        before = Before(self.disk.number)
        if self.disk.game is not None and self.disk.settings is not None:
            saved = self.disk.game
            before = replace(before, last=Interrupted(saved.game, self.disk.settings, saved.played_ms))
        at = self.now + self.ahead
        self.state, effects = start(self.settings, at, self.patience, before)
        self._perform(effects)
        self.events = [PiecePlaced(cell, piece, at, at) for cell, piece in self.stands.items()]

    def cut_power(self) -> None:
        """Switch it off and on again; its clock begins anywhere."""
        self.ahead = self.chance.randint(0, 10**6)
        self.switch_on()

    def turn(self, now: int) -> None:
        """Look once, as the loop does, and do what follows."""
        self.now = now
        at = now + self.ahead
        for button in self.buttons:
            self.feed(replace(button, at=at))
        self.buttons = []
        events, self.events = tuple(self.events), []
        self.feed(Seen(at, events))
        for news in self.seat.look(self.state, at):
            self.feed(news)

    def feed(self, received: Input) -> None:
        """Give the referee something."""
        self.state, effects = fold(self.state, received)
        self._perform(effects)

    def _perform(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, Save):
                self.disk.game, self.disk.settings = effect, self.state.settings
                self.disk.number = self.state.number
        for effect in effects:
            self.seat.perform(effect)
        self.effects += effects

    def want(self, choice: BoardChoice) -> None:
        """Choose another board on the page."""
        self.feed(WantBoard(self.now + self.ahead, choice))

    @property
    def is_invited(self) -> bool:
        """Whether another board's guests wait for an answer."""
        return self.state.others is not None and bool(self.state.others.invitations)

    @property
    def seen_state(self) -> State:
        """What the referee knows."""
        return self.state

    @property
    def standing(self) -> dict[str, Piece]:
        """What stands where."""
        return self.stands

    @property
    def match(self) -> Match | None:
        """The game with the other board, as this one has it."""
        return self.seat.match

    # --- the people ---------------------------------------------------------------------------------------------------

    def put(self, piece: Piece, cell: str) -> None:
        """Put a piece down, from wherever it is."""
        at = self.now + self.ahead
        self.lift(piece)
        self.stands[cell] = piece
        self.events.append(PiecePlaced(cell, piece, at, at))

    def lift(self, piece: Piece) -> None:
        """Take a piece up."""
        at = self.now + self.ahead
        for cell in [cell for cell, standing in self.stands.items() if standing == piece]:
            del self.stands[cell]
            self.events.append(PieceLifted(cell, piece, at, at))

    def press(self) -> None:
        """Press the button for a moment."""
        at = self.now + self.ahead
        self.buttons += [Button(at, ButtonName.CALL, True)]
        self.release_at = self.now + 100

    def live(self, now: int) -> None:
        """Let the people do what they like."""
        self.now = now
        if self.release_at is not None and now >= self.release_at:
            self.buttons.append(Button(now + self.ahead, ButtonName.CALL, False))
            self.release_at = None
            return
        super().live(now)


@dataclass
class TwoTables:
    """Two boards and the wire between them."""

    seed: int
    settings: Settings = field(default_factory=Settings)
    clumsy: float = 0.0
    patience: Patience | None = None
    wire: Wire = field(init=False)
    now: int = 0

    def __post_init__(self) -> None:
        self.wire = Wire(random.Random(self.seed))
        self.north = TableWithPeople("north", self.wire, self.seed, self.settings, self.clumsy, self.patience)
        self.south = TableWithPeople("south", self.wire, self.seed, self.settings, self.clumsy, self.patience)

    @property
    def tables(self) -> tuple[TableWithPeople, TableWithPeople]:
        """Both of them."""
        return self.north, self.south

    def pass_time(self, ms: int, *, people: bool = False, until: Callable[[], bool] = lambda: False) -> None:
        """Let time pass; people do what they are asked only if they are there."""
        end = self.now + ms
        while self.now < end and not until():
            self.now += STEP_MS
            self.wire.deliver(self.now)
            for table in self.tables:
                if people:
                    table.live(self.now)
                table.turn(self.now)

    def begin(self) -> None:
        """Let north invite south, and south take it."""
        self.pass_time(500)
        self.invite()
        self.pass_time(3_000, until=lambda: self.south.is_invited)
        self.accept()
        self.pass_time(20_000, until=lambda: all(table.state.is_match_open for table in self.tables))

    def invite(self) -> None:
        """Let north invite south."""
        assert self.north.state.others is not None
        self.north.want(self.north.state.others.free[0])

    def accept(self) -> None:
        """Let south take the invitation."""
        assert self.south.state.others is not None
        self.south.want(self.south.state.others.invitations[0])

    @property
    def winners(self) -> set[Player]:
        """Who has won by what the boards show and have."""
        shown = [table.state.game.result for table in self.tables if table.state.remote is not None]
        kept = [match.result for table in self.tables for match in (table.match, *table.seat.past) if match is not None]
        return {each.winner for each in (*shown, *kept) if each is not None and each.winner is not None}
