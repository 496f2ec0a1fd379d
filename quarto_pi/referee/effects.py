"""What the referee wants to be done: the loop does it, in this order, and nothing of it is waited for."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi import rules
from quarto_pi.referee.messages import Spoken
from quarto_pi.referee.settings import Settings
from quarto_pi.referee.tally import NEWCOMER, Skill
from quarto_pi.referee.view import Lights, View
from quarto_pi.remote_play.log import LogEntry
from quarto_pi.rules import Alignment, Game, Options, Piece, Player, Position, Square
from quarto_pi.sensing.events import Thing

# --- What is told about a game to whoever keeps a log, beside the news of the rules themselves -----------------------


@dataclass(frozen=True, slots=True)
class Lifted:
    """A piece of the game has left its square."""

    square: Square
    piece: Piece


@dataclass(frozen=True, slots=True)
class Fix:
    """A cell on which the table is not as the game has it: what is found there, and what is expected."""

    cell: str
    found: Thing | tuple[Thing, ...] | None
    expected: Piece | None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Table and game have differed for too long to wait any more."""

    fixes: tuple[Fix, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """Table and game agree again."""


@dataclass(frozen=True, slots=True)
class ReaderFault:
    """A cell's reader is lost."""

    cell: str


@dataclass(frozen=True, slots=True)
class ReaderFaultGone:
    """A cell's reader works again."""

    cell: str


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game has ended, in this position."""

    result: rules.Result
    position: Position


Report = (
    rules.Given
    | rules.Placed
    | rules.Shifted
    | rules.Called
    | rules.Missed
    | rules.Undone
    | rules.TimedOut
    | Lifted
    | Mismatch
    | Resolved
    | ReaderFault
    | ReaderFaultGone
    | GameFinished
)


# --- What the referee wants to be done: the loop does it, in this order, and nothing of it is waited for -------------


@dataclass(frozen=True, slots=True)
class Show:
    """Show this instead of what was shown before."""

    view: View


@dataclass(frozen=True, slots=True)
class Light:
    """Light the lamps so."""

    lights: Lights


@dataclass(frozen=True, slots=True)
class Speak:
    """Say this aloud."""

    message: Spoken


@dataclass(frozen=True, slots=True)
class Tell:
    """Write this into the log of events."""

    at: int
    report: Report


@dataclass(frozen=True, slots=True)
class Save:
    """Keep this game, how long it has been played, what lies on the give place without being given, and the sitting."""

    at: int
    game: Game
    played_ms: int = 0
    left_over: Piece | None = None
    score: tuple[int, int] = (0, 0)
    skill: Skill = NEWCOMER


@dataclass(frozen=True, slots=True)
class Begin:
    """A new game begins, by these settings; `match` is what a game with another board is called at both of them."""

    at: int
    number: int
    starter: Player
    settings: Settings
    match: str = ""


@dataclass(frozen=True, slots=True)
class Continue:
    """The game that was kept before the last stop goes on, or still stands after its end."""

    at: int
    number: int
    settings: Settings
    game: Game


@dataclass(frozen=True, slots=True)
class Abandon:
    """The players have left: nothing that happens before the next game begins belongs to one."""

    at: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these settings for the next time."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the computer, at this level, what to do in a position; `uncalled` is what the other player has not called."""

    number: int
    at: int
    player: Player
    level: int
    rules: Options
    position: Position
    uncalled: tuple[Alignment, ...] = ()


# --- What is wanted of other boards -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class InviteBoard:
    """Invite a board, or any (None), to a game by these rules."""

    board: str | None
    rules: Options
    starter: Player


@dataclass(frozen=True, slots=True)
class TakeInvitation:
    """Take the invitation of this board."""

    board: str


@dataclass(frozen=True, slots=True)
class CallOffInvitation:
    """Do not wait for another board any longer."""


@dataclass(frozen=True, slots=True)
class WriteEntry:
    """Write this into the log of the game with another board: it is settled."""

    number: int
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class GiveUpMatch:
    """Tell the other board that this one does not go on."""


ForBoards = InviteBoard | TakeInvitation | CallOffInvitation | WriteEntry | GiveUpMatch


# --- What ends the evening --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EnrolPieces:
    """Leave the game for the guide that gives every piece its tag."""


@dataclass(frozen=True, slots=True)
class ShutDown:
    """Switch the board off."""


Effect = (
    Begin | Continue | Abandon | Show | Light | Speak | Tell | Save | Keep | Ask | ForBoards | EnrolPieces | ShutDown
)
