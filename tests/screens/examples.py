"""A view for every screen, with its name: what the sheets show and the tests compare."""

from collections.abc import Iterator
from dataclasses import replace

from quarto_pi.referee.menu import STOP_WAITING, Item, MenuView, Stage, Variant
from quarto_pi.referee.messages import (
    Abandoned,
    BoardCleared,
    ButtonStuck,
    CallWaits,
    CarryOut,
    ChooseFirst,
    ClearTheBoard,
    Drawing,
    Drawn,
    FalseCall,
    Forfeited,
    Foul,
    GiveNext,
    Hindsight,
    HowToPlay,
    HurryUp,
    Impaired,
    Impairment,
    InvitedByBoard,
    KeptAgain,
    LanguageChosen,
    LastCall,
    Learn,
    LeftOver,
    LessonOver,
    LessonStage,
    LookClosely,
    MissedAlignment,
    MoveBack,
    NobodyCalled,
    NobodyCalls,
    NoMatchReason,
    NoMatchWith,
    NoQuarto,
    NotGivenYet,
    NotHeardYet,
    Notice,
    NotKept,
    NotYet,
    OtherBoardAway,
    OtherBoardBack,
    OtherBoardLeft,
    OthersLastCall,
    OtherUnreachable,
    Paused,
    PlacedUnheard,
    PlaceNext,
    PlaceThis,
    PlayAgain,
    Prompt,
    PutBack,
    PutItDown,
    ReaderBack,
    ReaderLost,
    ShuttingDown,
    Slip,
    StandsThere,
    StillPlaying,
    StillThere,
    Storage,
    TagDead,
    TakeItBack,
    TakenBack,
    TakeOff,
    Thinking,
    TimeIsUp,
    TooMany,
    TwoPieces,
    UnclearPlace,
    UnknownTag,
    WaitingForBoard,
    Welcome,
    WhoCalled,
    Won,
    WrongPiece,
)
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.remote_game import OtherBoard
from quarto_pi.referee.settings import PERSON, Seat, Settings
from quarto_pi.referee.tally import Against, Tally
from quarto_pi.referee.view import ClockView, View
from quarto_pi.rules import PIECES, SQUARES, Alignment, Board, Player, TraitValue, parse_board, parse_square
from quarto_pi.screens.drawing import PlayersAtTable

A, B = Player.A, Player.B
B3, C2, D4 = parse_square("b3"), parse_square("c2"), parse_square("d4")
LONG = PIECES[15]
"""The piece whose name is the longest in most languages: dark, short, square, hollow."""

BOARD = parse_board("...a/6..d/.f.3/8...")
FULL = Board(PIECES)
DIAGONAL = Alignment((SQUARES[0], SQUARES[5], SQUARES[10], SQUARES[15]), (TraitValue.DARK, TraitValue.SHORT))
WON = parse_board("...d/.4e./.f.2/c3..")
CROSS = (
    Alignment((SQUARES[0], SQUARES[1], SQUARES[2], SQUARES[3]), (TraitValue.LIGHT,)),
    Alignment((SQUARES[0], SQUARES[4], SQUARES[8], SQUARES[12]), (TraitValue.SOLID, TraitValue.ROUND)),
)
ALONE = (PERSON, Seat(5))
FAR_AWAY = (PERSON, Seat(board="south"))
TALLY = Tally(12, (5, 6), 1, 23, (Against(1, won=3), Against(10, lost=2, drawn=1)), played_ms=12 * 754_000)

PROMPTS: dict[str, Prompt] = {
    "choose first": ChooseFirst(A),
    "place this": PlaceThis(B, LONG),
    "give next": GiveNext(B),
    "place next": PlaceNext(A),
    "put it down": PutItDown(A, PIECES[0]),
    "last call": LastCall(),
    "who called": WhoCalled(B),
    "who called, if anybody": WhoCalled(A, sure=False),
    "wrong piece": WrongPiece(PIECES[0], "b3", LONG),
    "not given yet": NotGivenYet(LONG, "d4"),
    "take off": TakeOff(LONG, "c2"),
    "take off offer": TakeOff(PIECES[4], "offer"),
    "put back": PutBack(LONG, D4),
    "move back": MoveBack(LONG, "d4", B3),
    "unknown tag": UnknownTag("d1"),
    "two pieces": TwoPieces("b3"),
    "too many": TooMany(PIECES[4:7]),
    "unclear place": UnclearPlace(LONG),
    "board cleared": BoardCleared(LONG, D4),
    "take it back": TakeItBack(A, LONG, C2),
    "stands there": StandsThere(LONG, B3),
    "still there": StillThere(LONG, D4),
    "place this, unseen": PlaceThis(B, LONG, StandsThere(LONG, B3)),
    "place this, unheard": PlaceThis(B, LONG, PlacedUnheard(LONG)),
    "left over": LeftOver(LONG, "d4"),
    "won": Won(A, (DIAGONAL,), called=True),
    "won twice": Won(B, CROSS, called=False),
    "drawn": Drawn(()),
    "drawn, missed": Drawn((DIAGONAL,)),
    "forfeited, false call": Forfeited(A, Foul.FALSE_CALL),
    "forfeited, time": Forfeited(B, Foul.TIME),
    "abandoned": Abandoned(),
    "play again": PlayAgain((2, 1), B, asks=True, alignments=(DIAGONAL,)),
    "clear the board": ClearTheBoard(),
    "clear what is left": ClearTheBoard(("a1", "d4")),
    "paused": Paused(),
    "how to play": HowToPlay(2),
    "lesson, give": Learn(LessonStage.GIVE),
    "lesson, second": Learn(LessonStage.SECOND, piece=LONG, square=B3),
    "lesson, see": Learn(LessonStage.SEE, piece=LONG),
    "lesson, call": Learn(LessonStage.CALL),
    "lesson, called": Learn(LessonStage.CALLED, alignments=(DIAGONAL,)),
    "lesson, missed": Learn(LessonStage.MISSED, alignments=(DIAGONAL,)),
    "lesson, done": Learn(LessonStage.DONE),
    "shutting down": ShuttingDown(),
}
"""What two people at the board are asked."""

AGAINST_COMPUTER: dict[str, Prompt] = {
    "choose first": ChooseFirst(A),
    "computer chooses": ChooseFirst(B),
    "place this": PlaceThis(A, LONG),
    "give next": GiveNext(A),
    "thinking where": Thinking(B, LONG),
    "thinking what": Thinking(B, None),
    "carry out": CarryOut(B, LONG, B3),
    "carry out from square": CarryOut(B, LONG, B3, "d2"),
    "won": Won(A, (DIAGONAL,), called=True),
    "lost": Won(B, (DIAGONAL,), called=True),
}
"""What a person alone is asked, where that is another sentence."""

AGAINST_BOARD: dict[str, Prompt] = {
    "choose first": ChooseFirst(A),
    "place this": PlaceThis(A, LONG),
    "give next": GiveNext(A),
    "thinking where": Thinking(B, LONG),
    "out of reach": OtherUnreachable(B),
    "last call of the other board": OthersLastCall(B),
    "carry out": CarryOut(B, LONG, B3),
    "lost": Won(B, (DIAGONAL,), called=True),
}
"""What a person is asked who plays with another board, where that is another sentence."""

NOTICES: dict[str, Notice] = {
    "call waits": CallWaits(B),
    "false call": FalseCall(B),
    "false call, missed": FalseCall(B, NoQuarto.LAPSED),
    "false call, other's moment": FalseCall(B, NoQuarto.OTHERS_MOMENT),
    "nobody called": NobodyCalled(),
    "dead tag": TagDead(LONG),
    "nobody calls": NobodyCalls(),
    "missed": MissedAlignment((DIAGONAL,)),
    "missed twice": MissedAlignment(CROSS),
    "look closely": LookClosely(B),
    "taken back": TakenBack(LONG),
    "reader lost": ReaderLost(("b3",)),
    "readers lost": ReaderLost(("a1", "b3", "d4", "offer")),
    "many readers lost": ReaderLost(("a1", "a2", "a3", "a4", "b3")),
    "reader back": ReaderBack("b3"),
    "button stuck": ButtonStuck(),
    "storage full": NotKept(Storage.FULL),
    "storage read-only": NotKept(Storage.READ_ONLY),
    "storage newer": NotKept(Storage.NEWER),
    "storage broken": NotKept(Storage.BROKEN),
    **{f"start with {why.value}": Impaired(why) for why in Impairment},
    "kept again": KeptAgain(),
    "not yet": NotYet(too_early=True),
    "lesson over": LessonOver(),
    "drawing": Drawing(B),
    "invited by a board": InvitedByBoard(),
    "waiting for a board": WaitingForBoard(),
    **{f"no game, {why.value}": NoMatchWith(why) for why in NoMatchReason},
    "other board away": OtherBoardAway(),
    "other board back": OtherBoardBack(),
    "other board left": OtherBoardLeft(),
    "not heard yet": NotHeardYet(),
}
"""What is told in passing."""

HINDSIGHTS: dict[str, Hindsight] = {
    "overlooked": Hindsight(Slip.OVERLOOKED, B, LONG, (DIAGONAL,), 9),
    "not called": Hindsight(Slip.NOT_CALLED, B, LONG, (DIAGONAL,), 9),
    "given away": Hindsight(Slip.GIFT, B, LONG, CROSS, 9),
    "turning point": Hindsight(Slip.DRAW_LOST, B, placed=9, square=B3, give=LONG),
    "well played": Hindsight(Slip.NOTHING),
}
"""What is told after a game, beside how to go on."""

WATCHED_AT = "HTTPS://192.168.178.123:8050/WABCDEFGHIJ2345"
AT_TABLE = {
    "at table": PlayersAtTable(3, 2, 5, 7, 12, (0, 0), 1),
    "at table, best of": PlayersAtTable(40, 30, 30, 200, 199, (7, 6), 9),
}
"""Who plays at the table of a tournament."""

MENUS: dict[str, MenuView] = {
    "menu new game": MenuView(Item.NEW_GAME, Stage.ITEMS),
    "menu teach me": MenuView(Item.TEACH, Stage.ITEMS, in_game=False),
    "menu how to play": MenuView(Item.HOW_TO_PLAY, Stage.ITEMS, in_game=False),
    "menu sure": MenuView(Item.SHUT_DOWN, Stage.SURE),
    "menu opponent": MenuView(Item.OPPONENT, Stage.VALUES, Seat(10)),
    "menu variant": MenuView(Item.VARIANT, Stage.VALUES, Variant.THREE_TRAITS),
    "menu clock": MenuView(Item.CLOCK, Stage.ITEMS, 60),
    "menu another board": MenuView(Item.ANOTHER_BOARD, Stage.VALUES, None, in_game=False, knows_others=True),
    "menu board by name": MenuView(
        Item.ANOTHER_BOARD, Stage.VALUES, OtherBoard("north-1", "north-1"), in_game=False, knows_others=True
    ),
    "menu stop waiting": MenuView(Item.ANOTHER_BOARD, Stage.VALUES, STOP_WAITING, in_game=False, knows_others=True),
    "menu spectators": MenuView(Item.SPECTATORS, Stage.ITEMS, watched_at=WATCHED_AT),
    "menu spectators without a code": MenuView(Item.SPECTATORS, Stage.ITEMS, watched_at=f"{WATCHED_AT}{'X' * 40}"),
    "menu language": MenuView(Item.LANGUAGE, Stage.VALUES, "zh_TW"),
}


def view_of(message: Prompt, seats: tuple[Seat, Seat] = (PERSON, PERSON)) -> View:
    """A view with a message as its prompt."""
    board = BOARD
    match message:
        case PlayAgain() | Learn():
            board = WON
        case Won(alignments=alignments) | Drawn(missed=alignments):
            board = FULL if isinstance(message, Drawn) or alignments == CROSS else WON
        case LastCall() | OthersLastCall():
            board = FULL
        case Welcome() | ChooseFirst() | ClearTheBoard():
            board = Board()
    return View(RefereePhase.GIVEN, message, Settings(seats=seats), board, hand=LONG)


def examples() -> Iterator[tuple[str, View]]:
    """Every screen but those of attract, with its name."""
    for name, message in PROMPTS.items():
        yield name, view_of(message)
    for name, message in AGAINST_COMPUTER.items():
        yield f"{name}, alone", view_of(message, ALONE)
    for name, message in AGAINST_BOARD.items():
        yield f"{name}, other board", view_of(message, FAR_AWAY)
    prompt = view_of(PlaceThis(B, LONG))
    for name, notice in NOTICES.items():
        board = WON if name.startswith("missed") else BOARD
        yield name, replace(prompt, notice=notice, board=board)
    for name, hindsight in HINDSIGHTS.items():
        yield name, replace(view_of(PlayAgain((2, 1), A, alignments=(DIAGONAL,))), notice=hindsight)
    yield "won, celebrated", replace(view_of(Won(A, (DIAGONAL,), called=True)), celebrates=True)
    yield "clock", replace(prompt, clock=ClockView(B, 45))
    yield "hurry up", replace(prompt, clock=ClockView(B, 9), notice=HurryUp(B))
    yield "still playing", replace(prompt, notice=StillPlaying())
    yield "time is up", replace(prompt, clock=ClockView(B, -65), notice=TimeIsUp(B))
    yield "language chosen", replace(attract(), notice=LanguageChosen("fr"))
    for name, menu in MENUS.items():
        yield name, replace(prompt, menu=menu)


def attract() -> View:
    """The view while nobody plays, after some games."""
    return replace(view_of(Welcome()), phase=RefereePhase.ATTRACT, hand=None, tally=TALLY)
