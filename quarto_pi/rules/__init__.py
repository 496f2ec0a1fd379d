"""The game of Quarto as a library: pure, standard library only, no input or output.

>>> from quarto_pi.rules import Game, Give, Place, apply, parse_piece, parse_square
>>> game = Game()
>>> game = apply(game, Give(parse_piece("LTRF")))
>>> game = apply(game, Place(parse_square("b2")))
>>> game.to_act.name, len(game.available)
('B', 15)

Where a rule lives (the numbers are those of the project's rules):

    piece, board       R1, R4 to R6: the pieces and the two players, squares and lines, alignments, positions
    options            R5, R6, D2 to D4, D7: what may be chosen before a game; a row of any table of settings
    kinds              how a row is read and written wherever settings are kept
    game               R2, R3, R8, R9, D3, D11: whose turn and whose moment it is; what has happened
    actions            what can be done, and `apply`, which does it
    turns              R3, R7 to R11, D1 to D7, D9, D14: a turn, taking it back; clocks, pauses; the call, the end
    notation, record   pieces, squares, positions and games as text
    errors             what can be wrong, and what may have been meant
"""

from quarto_pi.rules.actions import Action, Call, Clear, Give, Pause, Place, Resume, Shift, Undo, apply, pass_time
from quarto_pi.rules.board import (
    ALL_LINES,
    PLAIN_LINES,
    SQUARES,
    Alignment,
    Board,
    Line,
    Position,
    Square,
    lines_in_play,
    lines_through,
    traits_mask,
)
from quarto_pi.rules.errors import (
    ClockPaused,
    GameOver,
    IllegalAction,
    NotationError,
    NothingToUndo,
    OptionsError,
    PieceNotAvailable,
    PieceNotGiven,
    QuartoError,
    SquareEmpty,
    SquareTaken,
    TimeRunsBackwards,
    WrongMoment,
    hint,
)
from quarto_pi.rules.game import (
    Called,
    Doubted,
    Ended,
    Event,
    Game,
    GamePaused,
    GameResumed,
    Given,
    Latched,
    Missed,
    Phase,
    Placed,
    Reason,
    Result,
    Shifted,
    TimedOut,
    Turn,
    Undone,
)
from quarto_pi.rules.notation import (
    EMPTY_BOARD,
    format_traits,
    parse_board,
    parse_digit,
    parse_piece,
    parse_position,
    parse_square,
    parse_traits,
)
from quarto_pi.rules.options import Calling, FalseCallRule, Options, TimeOut
from quarto_pi.rules.piece import ALL_TRAITS, PIECES, Piece, Player, Trait, TraitValue
from quarto_pi.rules.record import Record, parse_record, split_records
from quarto_pi.rules.turns import falls_due

__all__ = [
    "ALL_LINES",
    "ALL_TRAITS",
    "EMPTY_BOARD",
    "PIECES",
    "PLAIN_LINES",
    "SQUARES",
    "Action",
    "Alignment",
    "Board",
    "Call",
    "Called",
    "Calling",
    "Clear",
    "ClockPaused",
    "Doubted",
    "Ended",
    "Event",
    "FalseCallRule",
    "Game",
    "GameOver",
    "GamePaused",
    "GameResumed",
    "Give",
    "Given",
    "IllegalAction",
    "Latched",
    "Line",
    "Missed",
    "NotationError",
    "NothingToUndo",
    "Options",
    "OptionsError",
    "Pause",
    "Phase",
    "Piece",
    "PieceNotAvailable",
    "PieceNotGiven",
    "Place",
    "Placed",
    "Player",
    "Position",
    "QuartoError",
    "Reason",
    "Record",
    "Result",
    "Resume",
    "Shift",
    "Shifted",
    "Square",
    "SquareEmpty",
    "SquareTaken",
    "TimeOut",
    "TimeRunsBackwards",
    "TimedOut",
    "Trait",
    "TraitValue",
    "Turn",
    "Undo",
    "Undone",
    "WrongMoment",
    "apply",
    "falls_due",
    "format_traits",
    "hint",
    "lines_in_play",
    "lines_through",
    "parse_board",
    "parse_digit",
    "parse_piece",
    "parse_position",
    "parse_record",
    "parse_square",
    "parse_traits",
    "pass_time",
    "split_records",
    "traits_mask",
]
