"""All that the board has to say to people, without a word of any language.

`quarto_pi.words` turns each message into a sentence. A player is `Player.A` or `Player.B`; that one of them is the
computer is known to who speaks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quarto_pi.rules import Alignment, Called, Game, Piece, Player, Square


class Foul(Enum):
    """What a game was forfeited by."""

    FALSE_CALL = "false call"
    TIME = "time"


class Giving(Enum):
    """How a piece is given at this board: where it has to be put, or from hand to hand where nothing sees it."""

    ON_GIVE_PLACE = "on the give place"
    ON_ANY_SQUARE = "on any empty square"
    BY_HAND = "by hand"


# --- whose turn it is, and what is to be done -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Welcome:
    """Nobody is here: invite people to a game, which begins with a piece that is given."""

    giving: Giving = Giving.ON_GIVE_PLACE


@dataclass(frozen=True, slots=True)
class ClearTheBoard:
    """Pieces of no game, or of the last one, are to be taken off the board: what still stands there of the last one."""

    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChooseFirst:
    """This player chooses the first piece and gives it to the other one."""

    giver: Player
    giving: Giving = Giving.ON_GIVE_PLACE


@dataclass(frozen=True, slots=True)
class PlaceThis:
    """This player places the piece that was given, or calls; it may be asked whether it stands there already."""

    player: Player
    piece: Piece
    question: StandsThere | PlacedUnheard | None = None


@dataclass(frozen=True, slots=True)
class GiveNext:
    """This player has placed, may call, and gives the next piece."""

    player: Player
    giving: Giving = Giving.ON_GIVE_PLACE


@dataclass(frozen=True, slots=True)
class PlaceNext:
    """Giving is not sensed: the one has placed and gives, and this player places what is given."""

    player: Player


@dataclass(frozen=True, slots=True)
class PutItDown:
    """The piece that was just placed is in the air: its player may put it on any empty square."""

    player: Player
    piece: Piece


@dataclass(frozen=True, slots=True)
class Thinking:
    """The computer thinks about where to place the piece, or which one to give."""

    player: Player
    piece: Piece | None


@dataclass(frozen=True, slots=True)
class OtherUnreachable:
    """It is the turn of another board, which is away: the game goes on when it is back."""

    player: Player


@dataclass(frozen=True, slots=True)
class OthersLastCall:
    """All sixteen pieces are placed, and only the other board may call now."""

    player: Player


@dataclass(frozen=True, slots=True)
class CarryOut:
    """The computer has decided: hands are to put the piece on the square; it may stand on `origin` at present."""

    player: Player
    piece: Piece
    square: Square
    origin: str | None = None
    question: StandsThere | PlacedUnheard | None = None


@dataclass(frozen=True, slots=True)
class LastCall:
    """All sixteen pieces are placed: the last chance to call."""


@dataclass(frozen=True, slots=True)
class HowToPlay:
    """A page of how to play, for somebody who has asked for it: a press turns it, playing closes it."""

    page: int
    giving: Giving = Giving.ON_GIVE_PLACE


# --- a lesson with one's own hands ------------------------------------------------------------------------------------


class LessonStage(Enum):
    """What a lesson waits for."""

    CLEAR = "the board is to be cleared"
    GIVE = "any piece is to be given"
    PLACE = "it is to be placed on any square"
    SECOND = "a second piece is to be put beside it"
    THIRD = "a third one is to be put in the same line"
    SEE = "a fourth is to be put where it makes four alike"
    CALL = "the four are to be called"
    CALLED = "it is told that this would have won"
    GIVE_ON = "another piece is to be given, and nobody calls"
    PLACE_ON = "it is to be placed, and nobody calls"
    MISSED = "it is told that the four count no more"
    DONE = "the board is to be cleared for a game"


@dataclass(frozen=True, slots=True)
class Learn:
    """What is to be done now in a lesson, with which piece and where; the alignment that it is about."""

    stage: LessonStage
    giving: Giving = Giving.ON_GIVE_PLACE
    piece: Piece | None = None
    square: Square | None = None
    alignments: tuple[Alignment, ...] = ()


@dataclass(frozen=True, slots=True)
class NotYet:
    """The button was pressed in a lesson when that was not its turn: too early, or when nobody was to call."""

    too_early: bool


@dataclass(frozen=True, slots=True)
class LessonOver:
    """Somebody plays instead of learning: the lesson is over, and this is a game."""


# --- how a game ends --------------------------------------------------------------------------------------------------


class NoQuarto(Enum):
    """Why a call does not count; which of these is said depends on nothing that only a call may reveal (D8)."""

    NOTHING_THERE = "there is none"
    LAPSED = "it was missed"
    OTHERS_MOMENT = "only the other one may call"

    @classmethod
    def of(cls, called: Called, game: Game) -> NoQuarto:
        """Why a call was false, as everybody may know who sees whose turn it is and what was missed."""
        if game.options.giving_sensed and 0 < called.placed < 16 and (called.player is game.maker) is called.given:
            return cls.OTHERS_MOMENT
        return cls.LAPSED if game.missed else cls.NOTHING_THERE


@dataclass(frozen=True, slots=True)
class Won:
    """A game won by a call, or by the board's own word where nobody had to call."""

    winner: Player
    alignments: tuple[Alignment, ...]
    called: bool


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A game lost by a foul of this player; of a false call it says why it was one."""

    loser: Player
    foul: Foul
    why: NoQuarto = NoQuarto.NOTHING_THERE


@dataclass(frozen=True, slots=True)
class Drawn:
    """All sixteen pieces placed and nobody called; what was missed in the game is remembered."""

    missed: tuple[Alignment, ...]


@dataclass(frozen=True, slots=True)
class Abandoned:
    """A game that was not finished."""


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """After a game: what both have won in this sitting, that the board is to be cleared, and who begins then.

    None where lots are drawn. If it `asks`, a press lets the other one begin. The alignments are those that have won.
    """

    score: tuple[int, int]
    starter: Player | None
    asks: bool = False
    alignments: tuple[Alignment, ...] = ()


class Slip(Enum):
    """What there is to be learnt from a game that is over."""

    OVERLOOKED = "overlooked win"
    NOT_CALLED = "not called"
    GIFT = "gift"
    WIN_LOST = "win lost"
    DRAW_LOST = "draw lost"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The one thing to be learnt from a game that is over: what this player slipped on, where there was anything.

    With `piece` the alignments would have been completed, were not called, or were completed by whom it was given to. A
    better move than that with which so many pieces stood was to place on `square` and give `give`.
    """

    slip: Slip
    player: Player | None = None
    piece: Piece | None = None
    alignments: tuple[Alignment, ...] = ()
    placed: int = 0
    square: Square | None = None
    give: Piece | None = None


# --- the call ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CallWaits:
    """This player has called and is still to place: the call is decided by the placement."""

    player: Player


@dataclass(frozen=True, slots=True)
class FalseCall:
    """This player has called and there was nothing to call, or it was not the moment."""

    player: Player
    why: NoQuarto = NoQuarto.NOTHING_THERE


@dataclass(frozen=True, slots=True)
class WhoCalled:
    """Did this player call? Waiting says yes, a press says that it was the other one.

    Where it is not `sure` that anybody did, waiting says that it was nobody, and a press that it was this player (D14).
    """

    player: Player
    sure: bool = True


@dataclass(frozen=True, slots=True)
class NobodyCalled:
    """A false call that nobody answers for: it counts for nobody (D14)."""


@dataclass(frozen=True, slots=True)
class NobodyCalls:
    """The button was pressed in automatic mode."""


@dataclass(frozen=True, slots=True)
class MissedAlignment:
    """An alignment has lapsed that nobody called."""

    alignments: tuple[Alignment, ...]


@dataclass(frozen=True, slots=True)
class LookClosely:
    """The coach's word, where the players want it: there is something to call."""

    player: Player


# --- corrections: one piece at a time ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WrongPiece:
    """Another piece than the given one was put down: it goes back, and this is the right one."""

    piece: Piece
    cell: str
    right: Piece


@dataclass(frozen=True, slots=True)
class NotGivenYet:
    """A piece was put down that nobody has given: take it off; it is given on the give place first."""

    piece: Piece
    cell: str


@dataclass(frozen=True, slots=True)
class TakeOff:
    """This piece does not belong there: take it off the board."""

    piece: Piece
    cell: str


@dataclass(frozen=True, slots=True)
class LeftOver:
    """This piece of the last game still stands there: take it off, the next game has begun (D16)."""

    piece: Piece
    cell: str


@dataclass(frozen=True, slots=True)
class PutBack:
    """This piece is missing from its square: put it back."""

    piece: Piece
    square: Square


@dataclass(frozen=True, slots=True)
class MoveBack:
    """This piece stands on a wrong cell: move it back to its square."""

    piece: Piece
    cell: str
    square: Square


@dataclass(frozen=True, slots=True)
class UnknownTag:
    """Something lies on a cell that is none of the pieces."""

    cell: str


@dataclass(frozen=True, slots=True)
class TwoPieces:
    """Two or more pieces are on one cell."""

    cell: str
    count: int = 2


@dataclass(frozen=True, slots=True)
class UnclearPlace:
    """A piece is heard and it can't be told on which square: it stands between two, or only half on one."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class TooMany:
    """Several pieces were put down at once, and it cannot be told whose turn was which: take one of them off."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class BoardCleared:
    """The board was cleared in mid-game: a press, or a new piece, begins a new game; or put this one back."""

    piece: Piece
    square: Square


@dataclass(frozen=True, slots=True)
class TakeItBack:
    """The last piece was lifted: a press takes the placement back."""

    player: Player
    piece: Piece
    square: Square


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A placement was taken back."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class StandsThere:
    """A piece is out of sight and this square's reader is lost: does it stand there? A press says yes."""

    piece: Piece
    square: Square


@dataclass(frozen=True, slots=True)
class StillThere:
    """A piece is missing from its square and heard nowhere: is it there with a dead tag? A press says yes (D15)."""

    piece: Piece
    square: Square


@dataclass(frozen=True, slots=True)
class PlacedUnheard:
    """The given piece has been heard nowhere for long: has it been placed with a dead tag? A press says yes (D15)."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class TagDead:
    """The tag of this piece is dead: a press begins to enrol a new one (D15)."""

    piece: Piece


# --- faults -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReaderLost:
    """The readers of these cells see nothing any more; the game goes on."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReaderBack:
    """A cell's reader sees again."""

    cell: str


@dataclass(frozen=True, slots=True)
class ButtonStuck:
    """A button has been down for so long that it must be stuck, or something lies on it."""


class Storage(Enum):
    """Why games are not being kept."""

    FULL = "full"
    READ_ONLY = "read-only"
    NEWER = "newer"
    """What is on it was written by a newer version, and is left alone."""
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class NotKept:
    """Games are not being kept: a power cut would lose them."""

    why: Storage


class Impairment(Enum):
    """Why the board has not started as its owner wants it."""

    LAST_GOOD = "last good settings"
    """The configuration is wrong or missing: the last one that was right is used."""
    USUAL = "usual settings"
    """The same, and none was right before."""
    NO_READERS = "no readers"
    """What the readers, or the buttons, hang on cannot be opened."""
    WENT_BACK = "update went back"
    """An update did not work, and the version before it is back."""
    CARD_FAILS = "card fails"
    """What the owner has said anew cannot be taken over: the card is full, or can't be written."""
    SETTINGS_FILE = "settings file"
    """Something in the settings file on the card is wrong; all else of it counts."""
    CHAIN_FOLDER = "chain folder"
    """Something in the folder of a chain on the card is wrong; the board stays on the chain that it was on, if any."""
    NO_NETWORK = "no network"
    """The Wi-Fi that the owner has named has not been reached."""
    NO_DISPLAY = "no display"
    """The small display has stopped answering; lights, voice and page go on."""
    SAFE = "safe mode"
    """Somebody has held the button when the board was switched on."""


@dataclass(frozen=True, slots=True)
class Impaired:
    """The board has started, but not as its owner wants it."""

    why: Impairment


@dataclass(frozen=True, slots=True)
class KeptAgain:
    """Games are being kept again, also those that could not be."""


# --- time -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HurryUp:
    """The time for this player's move is nearly over."""

    player: Player


@dataclass(frozen=True, slots=True)
class TimeIsUp:
    """This player has used up the time for the move."""

    player: Player


@dataclass(frozen=True, slots=True)
class Paused:
    """Time stands still until the button is pressed."""


@dataclass(frozen=True, slots=True)
class ShuttingDown:
    """The board is about to be switched off."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lots were drawn, or it was this player's turn: this player begins."""

    starter: Player


@dataclass(frozen=True, slots=True)
class StillPlaying:
    """Nobody has touched the board for long: it asks for the players before it gives up their game."""


# --- other boards -----------------------------------------------------------------------------------------------------


class NoMatchReason(Enum):
    """Why there is no game with another board."""

    BUSY = "busy"
    """Somebody plays there, or somebody else was first."""
    REFUSED = "refused"
    """Its guests do not want to."""
    SILENT = "silent"
    """It has not answered, or the invitation does not stand any more."""


@dataclass(frozen=True, slots=True)
class InvitedByBoard:
    """Guests of another board would like to play with those of this one."""


@dataclass(frozen=True, slots=True)
class WaitingForBoard:
    """Another board has been invited, and its answer is waited for."""


@dataclass(frozen=True, slots=True)
class NoMatchWith:
    """There will be no game with another board."""

    why: NoMatchReason


@dataclass(frozen=True, slots=True)
class OtherBoardAway:
    """The other board has not been heard of for some time: it may be cut off, or switched off."""


@dataclass(frozen=True, slots=True)
class OtherBoardBack:
    """The other board is heard of again."""


@dataclass(frozen=True, slots=True)
class OtherBoardLeft:
    """The other board has given up the game, which nobody has won."""


@dataclass(frozen=True, slots=True)
class NotHeardYet:
    """The game is over, and the other board does not know it yet."""


@dataclass(frozen=True, slots=True)
class LanguageChosen:
    """The board speaks another language now, until its guests have left."""

    language: str


Prompt = (
    Welcome
    | ClearTheBoard
    | ChooseFirst
    | PlaceThis
    | GiveNext
    | PlaceNext
    | PutItDown
    | Thinking
    | OtherUnreachable
    | OthersLastCall
    | CarryOut
    | LastCall
    | HowToPlay
    | Learn
    | Won
    | Forfeited
    | Drawn
    | Abandoned
    | PlayAgain
    | WhoCalled
    | WrongPiece
    | NotGivenYet
    | TakeOff
    | LeftOver
    | PutBack
    | MoveBack
    | UnknownTag
    | TwoPieces
    | TooMany
    | UnclearPlace
    | BoardCleared
    | TakeItBack
    | StandsThere
    | StillThere
    | Paused
    | ShuttingDown
)
"""What is to be done now; there is always exactly one."""

Question = TakeItBack | StandsThere | StillThere | PlacedUnheard | BoardCleared
"""What is asked, to be answered with yes by a press."""


def question_in(prompt: Prompt) -> Question | None:
    """What a prompt asks; None where it only says what is to be done."""
    if isinstance(prompt, PlaceThis | CarryOut):
        return prompt.question
    return prompt if isinstance(prompt, Question) else None


Notice = (
    CallWaits
    | FalseCall
    | NobodyCalled
    | NobodyCalls
    | MissedAlignment
    | LookClosely
    | TakenBack
    | TagDead
    | ReaderLost
    | ReaderBack
    | ButtonStuck
    | HurryUp
    | TimeIsUp
    | Drawing
    | NotKept
    | Impaired
    | KeptAgain
    | StillPlaying
    | LanguageChosen
    | NotYet
    | LessonOver
    | Hindsight
    | InvitedByBoard
    | WaitingForBoard
    | NoMatchWith
    | OtherBoardAway
    | OtherBoardBack
    | OtherBoardLeft
    | NotHeardYet
)
"""What is told in passing, for some seconds."""

Message = Prompt | Notice


@dataclass(frozen=True, slots=True)
class WhatStands:
    """What stands on these cells; it is only said, to who cannot see it."""

    pieces: tuple[tuple[str, Piece], ...]


Spoken = Message | WhatStands
"""What the voice may be asked to say."""
