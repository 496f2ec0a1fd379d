"""A game as it stands: whose turn, what is in hand, what is open, what has lapsed (R2, R3, R7 to R11); its news.

A `Game` is never changed. `quarto_pi.rules.actions` makes the next one from it, and leaves the news of what happened.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from quarto_pi.rules.board import Alignment, Board, Position, Square
from quarto_pi.rules.errors import GameOver
from quarto_pi.rules.options import Calling, Options
from quarto_pi.rules.piece import PIECES, Piece, Player

# --- What has happened in a game: the news that `apply` leaves behind -------------------------------------------------


class Reason(Enum):
    """Why a game has ended."""

    CALL = "call"
    AUTO = "auto"
    DRAW = "draw"
    FORFEIT = "forfeit"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Result:
    """How a game has ended."""

    winner: Player | None
    reason: Reason
    alignments: tuple[Alignment, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """A piece was given, or exchanged for the one given before."""

    piece: Piece
    by: Player


@dataclass(frozen=True, slots=True)
class Placed:
    """The given piece was placed."""

    square: Square
    piece: Piece
    player: Player


@dataclass(frozen=True, slots=True)
class Shifted:
    """The piece just placed was moved to another square (D5)."""

    origin: Square
    square: Square
    piece: Piece
    player: Player


@dataclass(frozen=True, slots=True)
class Latched:
    """A call is waiting for its placement (D1)."""

    player: Player
    until: int


@dataclass(frozen=True, slots=True)
class Called:
    """A call was decided: it stood with these alignments, or it was false (D2).

    `placed` and `given` tell its moment: how many pieces stood, and whether the next was in the receiver's hand.
    """

    player: Player
    valid: bool
    alignments: tuple[Alignment, ...]
    placed: int
    given: bool


@dataclass(frozen=True, slots=True)
class Doubted:
    """A call was false, and it is not sure that this player made it: nobody answers for it (D14)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Missed:
    """Alignments lapsed that nobody had called (R8)."""

    alignments: tuple[Alignment, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """A placement and the give before it were taken back (D9)."""

    square: Square
    piece: Piece
    player: Player


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A player has used up the time for the move (D4)."""

    player: Player


@dataclass(frozen=True, slots=True)
class GamePaused:
    """Time stands still."""


@dataclass(frozen=True, slots=True)
class GameResumed:
    """Time runs again."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    result: Result


Event = (
    Given
    | Placed
    | Shifted
    | Latched
    | Called
    | Doubted
    | Missed
    | Undone
    | TimedOut
    | GamePaused
    | GameResumed
    | Ended
)


# --- A game as it stands: whose turn, what is in hand, what is open, what has lapsed (R2, R3, R7 to R11) --------------


class Phase(Enum):
    """What the game is waiting for."""

    GIVE = "give"
    PLACE = "place"
    FINAL_CALL = "final call"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Turn:
    """A piece that was given and placed."""

    piece: Piece
    square: Square
    player: Player


@dataclass(frozen=True, slots=True)
class Latch:
    """A call that waits for its placement (D1), until a moment; whether it is `sure` who called (D14)."""

    player: Player
    until: int
    sure: bool = True


@dataclass(frozen=True, slots=True)
class MoveClock:
    """The time of the running move (R11): when it began, and whether running out has been told."""

    started: int
    told: bool = False


@dataclass(frozen=True, slots=True)
class Game:
    """One moment of a game; times are milliseconds on the clock of whoever plays it.

    After the end `open` still holds what was open then; whether it could be called is what `open_for` tells.

    >>> from quarto_pi.rules import Game, Give, Place, apply, parse_piece, parse_square
    >>> game = apply(Game(), Give(parse_piece("LTRF")))
    >>> game = apply(game, Place(parse_square("b2")))
    >>> game.phase, game.to_act, str(game.position)
    (<Phase.GIVE: 'give'>, <Player.B: 1>, '..../..../.0../.... -')
    """

    options: Options = field(default_factory=Options)
    starter: Player = Player.A
    board: Board = field(default_factory=Board)
    hand: Piece | None = None
    phase: Phase = Phase.GIVE
    turns: tuple[Turn, ...] = ()
    calls: tuple[Called, ...] = ()
    open: tuple[Alignment, ...] = ()
    missed: tuple[Alignment, ...] = ()
    fixed: bool = False
    latch: Latch | None = None
    clock: MoveClock | None = None
    final_call_until: int | None = None
    paused_since: int | None = None
    result: Result | None = None
    now: int = 0
    news: tuple[Event, ...] = field(default=(), compare=False)

    @classmethod
    def from_position(
        cls, position: Position, options: Options | None = None, starter: Player = Player.A, now: int = 0
    ) -> Game:
        """A game that goes on from a position; alignments that stand on its board have lapsed."""
        options = options or Options()
        if position.board.count == 16:
            raise GameOver("all sixteen pieces are placed: no game can go on from this position.")
        return cls(
            options=options,
            starter=starter,
            board=position.board,
            hand=position.hand,
            phase=Phase.GIVE if position.hand is None else Phase.PLACE,
            missed=position.board.alignments(options.squares, options.traits),
            clock=MoveClock(now) if options.clock_ms is not None and position.board.count else None,
            now=now,
        )

    @property
    def position(self) -> Position:
        """The board and the piece in hand."""
        return Position(self.board, self.hand)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER

    @property
    def maker(self) -> Player | None:
        """Who made the last placement; nobody before the first."""
        return self.placer(self.board.count - 1) if self.board.count else None

    @property
    def giver(self) -> Player:
        """Who gives, or has given, the next piece to be placed."""
        return self.receiver.other

    @property
    def receiver(self) -> Player:
        """Who places next."""
        return self.placer(self.board.count)

    @property
    def to_act(self) -> Player | None:
        """Whose turn it is; nobody's in the final call and after the end."""
        if self.phase is Phase.GIVE:
            return self.giver
        return self.receiver if self.phase is Phase.PLACE else None

    @property
    def available(self) -> tuple[Piece, ...]:
        """The pieces that are neither on the board nor in hand."""
        standing = {*self.board.cells, self.hand}
        return tuple(piece for piece in PIECES if piece not in standing)

    @property
    def last_turn(self) -> Turn | None:
        """The last placement, where it is known."""
        return self.turns[-1] if self.turns else None

    def placer(self, index: int) -> Player:
        """Who makes the placement with this index, counted from 0: the starter gives first (R2)."""
        return self.starter.other if index % 2 == 0 else self.starter

    def is_moment_of(self, player: Player) -> bool:
        """Whether an alignment, if one were open, could be called by this player now (R8, R9, D3, D11).

        It does not depend on whether one is open, so it may be shown without giving anything away (D8).
        """
        if self.options.calling is Calling.AUTO:
            return False
        if self.phase is Phase.GIVE and self.board.count:
            return player is self.maker or not self.options.giving_sensed
        if self.phase is Phase.PLACE:
            return player is self.receiver
        return self.phase is Phase.FINAL_CALL

    def open_for(self, player: Player) -> tuple[Alignment, ...]:
        """The alignments with which this player would win by calling now."""
        return self.open if self.is_moment_of(player) else ()

    def may_latch(self, player: Player) -> bool:
        """Whether a call by this player, with nothing open, waits for the next placement (D1)."""
        if self.options.calling is Calling.AUTO or player is not self.receiver:
            return False
        return self.phase is Phase.PLACE or (self.phase is Phase.GIVE and not self.options.giving_sensed)

    def time_left(self, at: int) -> int | None:
        """Milliseconds left for the running move, negative once it is too long; None without a clock."""
        if self.clock is None or self.options.clock_ms is None:
            return None
        return self.clock.started + self.options.clock_ms - (at if self.paused_since is None else self.paused_since)
