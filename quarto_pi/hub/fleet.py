"""What all boards of a hub are doing, and the game each plays: what they say and settle, folded into a row for each.

Pure: the time is an argument. Whatever is told here comes from what the boards show on their own pages, so nothing
depends on whether there is an alignment to call (D8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from quarto_pi.chain.messages import Ailment, BoardStatus, Doing, SettledAction
from quarto_pi.rules import Piece, Position, QuartoError, Square, parse_piece, parse_position, parse_square

# --- The game that a board plays at present: what its status says, and what it has settled since ----------------------


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game under way, or the one that stands on the board since it ended."""

    number: int
    position: Position
    seats: tuple[str, ...] = ()
    to_act: int | None = None
    over: bool = False
    winner: int | None = None


def game_of_status(status: BoardStatus, before: LiveGame | None) -> LiveGame | None:
    """The game that a status tells of; None where the board has none, or tells a position that cannot be."""
    if status.doing not in (Doing.PLAYING, Doing.OVER) or not status.position:
        return None
    try:
        position = parse_position(status.position)
    except QuartoError:
        return None
    over = status.doing is Doing.OVER
    winner = before.winner if before is not None and over and before.number == status.game else None
    return LiveGame(status.game, position, status.seats, status.to_act, over, winner)


def after_settled(game: LiveGame | None, action: SettledAction) -> LiveGame | None:
    """The game after one more settled action; what does not fit waits for the next status."""
    event = action.event
    kind = event.get("event")
    if kind == "begun":
        seats = () if game is None or game.number != action.game else game.seats
        return LiveGame(action.game, Position(), seats)
    if game is None or game.number != action.game:
        return game
    if kind == "result":
        winner = event.get("winner")
        return replace(game, over=True, to_act=None, winner=winner if winner in (0, 1) else None)
    try:
        position = _moved(game.position, kind, event)
    except QuartoError:
        return game
    return replace(game, position=position)


def _moved(position: Position, kind: object, event: Mapping[str, object]) -> Position:
    board, piece = position.board, _piece(event)
    if kind == "given" and piece is not None and piece not in board.pieces.values():
        return Position(board, piece)
    square = _square(event)
    if kind == "placed" and piece is not None and square is not None:
        if board[square] == piece:
            # The status that came before has it already, and may know the next given piece as well.
            return position
        for old, standing in board.pieces.items():
            if standing == piece:
                # A change of mind (D5) settles as a placement on another square.
                board = board.lift(old)
        return position if board[square] is not None else Position(board.place(square, piece))
    if kind == "undone" and piece is not None and square is not None and board[square] == piece:
        return Position(board.lift(square), piece)
    return position


def _piece(event: Mapping[str, object]) -> Piece | None:
    code = event.get("piece")
    return parse_piece(code) if isinstance(code, str) else None


def _square(event: Mapping[str, object]) -> Square | None:
    name = event.get("square")
    return parse_square(name) if isinstance(name, str) else None


# --- What all boards of a hub are doing: presence, status and settled actions, folded into one row for each board -----

GRACE_SECONDS: Final = 150.0
"""After the hub has come to its broker, a board has this long to be heard: it waits up to 120 s between two tries."""
MOST_AILMENTS_SHOWN: Final = 30
MOST_EARLY: Final = 1_000


class BoardCondition(Enum):
    """What a board is to those who look after it."""

    PLAYING = "playing"
    WAITING = "waiting"
    ASLEEP = "asleep"
    ILL = "ill"
    GONE = "gone"


_OF_DOING: Final = {
    Doing.PLAYING: BoardCondition.PLAYING,
    Doing.LEARNING: BoardCondition.PLAYING,
    Doing.WAITING: BoardCondition.WAITING,
    Doing.OVER: BoardCondition.WAITING,
    Doing.GUIDE: BoardCondition.WAITING,
    Doing.ASLEEP: BoardCondition.ASLEEP,
}

NEVER_HEARD: Final = Ailment(
    "board",
    "it has never been heard",
    "put the credentials that `quarto-pi hub add` wrote on the board, enter [chain] in its configuration, start it",
)
NOT_HEARD: Final = Ailment(
    "board",
    "it is no longer heard",
    "look whether it has power and whether its network is there; on the board, `quarto-pi check` says more",
)


@dataclass(frozen=True, slots=True)
class FleetRow:
    """One board as it is seen now.

    `since` is when it became what it is, in seconds since 1970 by the hub's clock where the hub saw it. `seq` grows
    with every change of any board, so that who has seen everything up to a number asks only for what is newer.
    """

    name: str
    house: str
    condition: BoardCondition
    since: float
    seq: int
    ever_heard: bool = False
    here: bool = False
    status: BoardStatus | None = None
    game: LiveGame | None = None
    to_do: tuple[Ailment, ...] = ()


@dataclass(frozen=True, slots=True)
class ListedBoard:
    """A board that the hub's accounts know, whether or not it was ever heard."""

    name: str
    house: str
    ever_heard: bool = False


class Fleet:
    """All boards. One that is not in the hub's accounts is not in it either; what it has told waits until it is."""

    def __init__(self, boards: Iterable[ListedBoard], now: float) -> None:
        self._seq = 0
        self._rows: dict[str, FleetRow] = {}
        self._linked_at: float | None = None
        self._unheard: set[str] = set()
        self._through: dict[str, tuple[str, int, int]] = {}
        self._early: dict[str, tuple[bool, BoardStatus | None]] = {}
        self.list_boards(boards, now)

    @property
    def seq(self) -> int:
        """The number of the newest change."""
        return self._seq

    @property
    def linked(self) -> bool:
        """Whether the hub hears its broker, and so whether what is told of the boards is of now."""
        return self._linked_at is not None

    @property
    def linked_since(self) -> float | None:
        """When the hub has come to its broker; None while it does not hear it."""
        return self._linked_at

    def rows(self) -> list[FleetRow]:
        """All boards, by their names."""
        return [self._rows[name] for name in sorted(self._rows)]

    def row(self, name: str) -> FleetRow | None:
        """One board; None where there is none of this name."""
        return self._rows.get(name)

    def rows_after(self, seq: int) -> list[FleetRow]:
        """The boards that have changed since that number."""
        return [row for row in self._rows.values() if row.seq > seq]

    def counts(self) -> Mapping[BoardCondition, int]:
        """How many boards there are of each condition, 0 included."""
        counted = Counter(row.condition for row in self._rows.values())
        return {condition: counted[condition] for condition in BoardCondition}

    # -- what the hub hears --------------------------------------------------------------------------------------------

    def list_boards(self, boards: Iterable[ListedBoard], now: float) -> None:
        """Bring the boards up to date with the accounts: new ones come, removed ones go, houses may change."""
        wanted = {each.name: each for each in boards}
        for name in [name for name in self._rows if name not in wanted]:
            del self._rows[name]
            self._through.pop(name, None)
            self._seq += 1
        for name, each in wanted.items():
            row = self._rows.get(name)
            if row is None:
                self._seq += 1
                to_do = (NOT_HEARD if each.ever_heard else NEVER_HEARD,)
                self._rows[name] = FleetRow(
                    name, each.house, BoardCondition.GONE, now, self._seq, each.ever_heard, to_do=to_do
                )
                here, status = self._early.pop(name, (False, None))
                self.presence(name, here, now)
                if status is not None:
                    self.status(name, status, now)
            elif row.house != each.house:
                self._put(replace(row, house=each.house), now)

    def link(self, now: float) -> None:
        """The hub has come to its broker: from now on boards are heard, or are gone after a while."""
        self._linked_at = now
        self._unheard = {name for name, row in self._rows.items() if row.here}

    def unlink(self) -> None:
        """The hub does not hear its broker: what was seen last stays as it was."""
        self._linked_at = None

    def presence(self, name: str, here: bool, now: float) -> None:
        """A board has said that it is there, or its will that it is not."""
        row = self._rows.get(name)
        self._unheard.discard(name)
        if row is None:
            self._put_early(name, here, self._early.get(name, (False, None))[1])
        if row is not None and (row.here != here or (here and not row.ever_heard)):
            self._put(replace(row, here=here, ever_heard=row.ever_heard or here), now)

    def status(self, name: str, status: BoardStatus, now: float) -> None:
        """A board has told its state."""
        row = self._rows.get(name)
        if row is None:
            self._put_early(name, self._early.get(name, (False, None))[0], status)
        if row is None or row.status == status:
            return
        status = replace(status, ailments=status.ailments[:MOST_AILMENTS_SHOWN])
        self._put(replace(row, status=status, game=game_of_status(status, row.game)), now)

    def _put_early(self, name: str, here: bool, status: BoardStatus | None) -> None:
        if name in self._early or len(self._early) < MOST_EARLY:
            self._early[name] = here, status

    def settled(self, name: str, action: SettledAction, now: float) -> None:
        """A board has settled an action; one that comes again, or late, changes nothing."""
        row = self._rows.get(name)
        if row is None:
            return
        before = self._through.get(name)
        if before is not None and before[0] == action.history and before[1:] >= action.key[1:]:
            return
        if row.status is not None and row.status.history not in ("", action.history):
            return
        self._through[name] = action.key
        game = after_settled(row.game, action)
        if game != row.game:
            self._put(replace(row, game=game), now)

    def tick(self, now: float) -> None:
        """Take boards for gone that have not been heard in time since the hub came to its broker."""
        if self.is_judged(now):
            for name in list(self._unheard):
                self.presence(name, here=False, now=now)

    def is_judged(self, now: float) -> bool:
        """Whether boards have had their time to be heard, so that who is not heard is gone."""
        return self._linked_at is not None and now >= self._linked_at + GRACE_SECONDS

    # -- what follows from it ------------------------------------------------------------------------------------------

    def _put(self, row: FleetRow, now: float) -> None:
        """Keep a row with what follows from it, if that makes a difference."""
        before = self._rows[row.name]
        condition, to_do = self._judged(row)
        since = before.since if condition is before.condition else _since(before, row, condition, now)
        after = replace(row, condition=condition, to_do=to_do, since=since)
        if after != before:
            self._seq += 1
            self._rows[row.name] = replace(after, seq=self._seq)

    def _judged(self, row: FleetRow) -> tuple[BoardCondition, tuple[Ailment, ...]]:
        if not row.here:
            return BoardCondition.GONE, (NOT_HEARD if row.ever_heard else NEVER_HEARD,)
        if row.status is None:
            return BoardCondition.WAITING, ()
        if row.status.ailments:
            return BoardCondition.ILL, row.status.ailments
        return _OF_DOING[row.status.doing], ()


def _since(before: FleetRow, row: FleetRow, condition: BoardCondition, now: float) -> float:
    """When a board became what it is: as it says where the hub had not seen it before, else by the hub's own clock."""
    status = row.status
    if before.status is None and status is not None and condition is _OF_DOING.get(status.doing):
        return status.since if 0 < status.since <= now else now
    return now
