"""One message of every kind or more, with the pieces and cells that make the longest sentences."""

from __future__ import annotations

from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import messages as m
from quarto_pi.referee.settings import PERSON, Seat
from quarto_pi.referee.stages import PAGES_OF_RULES
from quarto_pi.rules import PIECES, Alignment, Piece, Player, Square, TraitValue, parse_square
from quarto_pi.rules.board import BLOCKS, COLUMNS, DIAGONALS, ROWS
from quarto_pi.sensing.readings import CELLS

B3, C2 = parse_square("b3"), parse_square("c2")

THREE_SHARED = Alignment(
    (Square(0), Square(5), Square(10), Square(15)), (TraitValue.SHORT, TraitValue.SQUARE, TraitValue.HOLLOW)
)
ONE_SHARED = Alignment((Square(0), Square(1), Square(2), Square(3)), (TraitValue.DARK,))

LINED = (m.LessonStage.SECOND, m.LessonStage.THIRD, m.LessonStage.SEE)
"""What names a piece, and where it goes."""

PLAIN = (m.Slip.OVERLOOKED, m.Slip.GIFT)
LINES_ALIKE = (
    *((Alignment(DIAGONALS[0], (value,)), Alignment(DIAGONALS[1], (value,))) for value in TraitValue),
    *((Alignment(line, (TraitValue.SQUARE,)),) for line in (ROWS[1], COLUMNS[1], DIAGONALS[1], BLOCKS[4])),
    (Alignment(ROWS[0], (TraitValue.DARK,)), Alignment(COLUMNS[0], (TraitValue.TALL,))),
)
"""What was overlooked or given away: by each trait, and on lines of each kind."""

LONGEST_NAMES = ("m" * 30, f"cafe-{'w' * 25}", "old-bridge-cafe-in-the-town-12", f"{'w' * 15}-{'m' * 14}")
"""Names of boards, of as many letters as they may have: as wide as they get, in one word or in several."""

SEATS = {
    "two people": (PERSON, PERSON),
    "a person first": (PERSON, Seat(3)),
    "a person second": (Seat(3), PERSON),
    "two computers": (Seat(10), Seat(1)),
    "another board first": (Seat(board=LONGEST_NAMES[0]), PERSON),
    "another board second": (PERSON, Seat(board=LONGEST_NAMES[0])),
}


def with_piece(piece: Piece) -> tuple[m.Message, ...]:
    """Every message that names a piece."""
    first, second = Player
    cells = ("b3", "offer")
    return (
        m.PlaceThis(first, piece),
        m.PlaceThis(first, piece, m.StandsThere(piece, C2)),
        m.PlaceThis(second, piece, m.PlacedUnheard(piece)),
        m.PutItDown(second, piece),
        m.Thinking(second, piece),
        m.CarryOut(second, piece, C2),
        m.CarryOut(second, piece, C2, "b3"),
        m.CarryOut(second, piece, C2, "offer", m.StandsThere(piece, C2)),
        m.CarryOut(second, piece, C2, "offer"),
        *(m.WrongPiece(PIECES[0], cell, piece) for cell in cells),
        *(m.NotGivenYet(piece, cell) for cell in cells),
        *(m.TakeOff(piece, cell) for cell in cells),
        *(m.MoveBack(piece, cell, C2) for cell in cells),
        m.PutBack(piece, C2),
        m.BoardCleared(piece, C2),
        m.TakeItBack(first, piece, C2),
        m.TakenBack(piece),
        m.StandsThere(piece, C2),
        m.StillThere(piece, C2),
        *(m.LeftOver(piece, cell) for cell in cells),
        m.TagDead(piece),
        m.Learn(m.LessonStage.SEE, piece=piece),
        *(m.Learn(stage, piece=piece, square=C2) for stage in LINED),
    )


def of_player(player: Player) -> tuple[m.Message, ...]:
    """Every message about a player that names no piece."""
    return (
        m.ChooseFirst(player),
        m.ChooseFirst(player, m.Giving.ON_ANY_SQUARE),
        m.GiveNext(player),
        m.GiveNext(player, m.Giving.ON_ANY_SQUARE),
        m.OtherUnreachable(player),
        m.OthersLastCall(player),
        m.PlaceNext(player),
        m.Thinking(player, None),
        m.Won(player, (), called=True),
        m.Won(player, (THREE_SHARED,), called=True),
        m.Won(player, (THREE_SHARED,), called=False),
        m.Won(player, (THREE_SHARED, ONE_SHARED), called=True),
        *(m.Forfeited(player, m.Foul.FALSE_CALL, why) for why in m.NoQuarto),
        m.Forfeited(player, m.Foul.TIME),
        m.CallWaits(player),
        *(m.FalseCall(player, why) for why in m.NoQuarto),
        m.PlayAgain((12, 9), player, asks=True),
        m.PlayAgain((12, 9), player),
        m.WhoCalled(player),
        m.WhoCalled(player, sure=False),
        m.LookClosely(player),
        m.HurryUp(player),
        m.TimeIsUp(player),
        m.Drawing(player),
        m.Hindsight(m.Slip.NOT_CALLED, player, PIECES[0], (THREE_SHARED,), 9),
        m.Hindsight(m.Slip.WIN_LOST, player, placed=12, square=C2, give=PIECES[13]),
        m.Hindsight(m.Slip.DRAW_LOST, player, placed=12, square=C2, give=PIECES[13]),
        *(m.Hindsight(slip, player, PIECES[0], lines, 9) for slip in PLAIN for lines in LINES_ALIKE),
    )


OTHERS: tuple[m.Message, ...] = (
    *(m.Welcome(giving) for giving in m.Giving),
    m.StillPlaying(),
    *(m.LanguageChosen(language) for language in LANGUAGES),
    m.ClearTheBoard(),
    m.ClearTheBoard(("c2",)),
    m.ClearTheBoard(("a1", "b2", "c3", "d4")),
    m.LastCall(),
    *(m.Learn(stage, giving) for stage in m.LessonStage for giving in m.Giving if stage not in LINED),
    m.NotYet(too_early=True),
    m.NotYet(too_early=False),
    m.LessonOver(),
    m.Hindsight(m.Slip.NOTHING),
    *(m.HowToPlay(page, giving) for page in range(PAGES_OF_RULES) for giving in m.Giving),
    m.Drawn(()),
    m.Drawn((ONE_SHARED,)),
    m.Drawn((ONE_SHARED, THREE_SHARED)),
    m.Abandoned(),
    m.PlayAgain((0, 1), None),
    m.NobodyCalled(),
    m.NobodyCalls(),
    m.MissedAlignment((ONE_SHARED,)),
    m.MissedAlignment((THREE_SHARED,)),
    m.MissedAlignment((ONE_SHARED, THREE_SHARED)),
    *(m.UnknownTag(cell) for cell in ("c2", "offer")),
    *(m.TwoPieces(cell, count) for cell in ("c2", "offer") for count in (2, 3, 16)),
    m.TooMany(PIECES[:2]),
    m.TooMany(PIECES[:10]),
    *(m.UnclearPlace(piece) for piece in PIECES),
    *(m.ReaderLost(CELLS[-count:]) for count in (1, 2, 4, 5, 10, 17)),
    *(m.ReaderBack(cell) for cell in ("c2", "offer")),
    m.ButtonStuck(),
    m.Paused(),
    m.ShuttingDown(),
    *(m.NotKept(why) for why in m.Storage),
    *(m.Impaired(why) for why in m.Impairment),
    m.KeptAgain(),
    m.InvitedByBoard(),
    m.WaitingForBoard(),
    *(m.NoMatchWith(why) for why in m.NoMatchReason),
    m.OtherBoardAway(),
    m.OtherBoardBack(),
    m.OtherBoardLeft(),
    m.NotHeardYet(),
)

MESSAGES: tuple[m.Message, ...] = (
    *OTHERS,
    *(message for player in Player for message in of_player(player)),
    *(message for piece in PIECES for message in with_piece(piece)),
    *(m.PlaceThis(Player.B, piece) for piece in PIECES),
)
