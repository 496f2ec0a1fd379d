"""A lesson with the guest's own hands: what the table says of each of its stages, and from when on that counts.

Five pieces: one is given and placed wherever the guest likes, two more are put in a line with it, a fourth makes four
alike, which are called; a fifth shows what becomes of four that nobody calls. The table of its stages is `LESSON` in
stages.py; `AWAITED` says what each of them waits for. Nothing of it is a game: nothing is counted, kept or recorded.

What cannot be seen, and what is none of the pieces, is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

from quarto_pi.referee.messages import LessonStage, MoveBack, Prompt, PutBack, TakeOff, WrongPiece
from quarto_pi.referee.stages import Lesson, LessonOccurrence
from quarto_pi.referee.state import State
from quarto_pi.referee.table import SQUARE_OF, Standing, compare
from quarto_pi.rules import PIECES, Alignment, Piece, Square
from quarto_pi.rules.board import PLAIN_LINES
from quarto_pi.sensing.readings import OFFER


class Awaited(Enum):
    """What a stage of a lesson waits for."""

    EMPTY_BOARD = "nothing stands on the board"
    GIVEN = "any piece lies on the give place, or stands on the board already"
    ANYWHERE = "the given piece stands on any square"
    IN_LINE = "the named piece stands on the named square"
    CALL = "a press; or another piece is given, and nobody has called"
    TIME = "it has been read"


AWAITED: Final[Mapping[LessonStage, Awaited]] = {
    LessonStage.CLEAR: Awaited.EMPTY_BOARD,
    LessonStage.GIVE: Awaited.GIVEN,
    LessonStage.PLACE: Awaited.ANYWHERE,
    LessonStage.SECOND: Awaited.IN_LINE,
    LessonStage.THIRD: Awaited.IN_LINE,
    LessonStage.SEE: Awaited.IN_LINE,
    LessonStage.CALL: Awaited.CALL,
    LessonStage.CALLED: Awaited.TIME,
    LessonStage.GIVE_ON: Awaited.GIVEN,
    LessonStage.PLACE_ON: Awaited.ANYWHERE,
    LessonStage.MISSED: Awaited.TIME,
    LessonStage.DONE: Awaited.EMPTY_BOARD,
}
"""What each stage waits for."""

CORRECTED: Final = frozenset({Awaited.ANYWHERE, Awaited.IN_LINE, Awaited.CALL, Awaited.TIME})
"""Where people are asked to put right what is wrong on the board."""

LEAVING: Final = 2
"""So many pieces that nobody has asked for, or that are taken off, are a game of their own."""


def lesson_target(lesson: Lesson) -> Square | None:
    """The square of the line that is to be filled next."""
    placed = lesson.board.count
    return lesson.line[placed] if AWAITED[lesson.stage] is Awaited.IN_LINE and placed < len(lesson.line) else None


def line_from(state: State, square: Square) -> tuple[Square, ...]:
    """The squares to be filled, beginning with this one: the first line through it that can be seen all along."""
    for line in PLAIN_LINES:
        others = tuple(each for each in line if each != square)
        free = not any(each.name in state.table.lost or state.table.piece_on(each.name) for each in others)
        if square in line and free:
            return (square, *others)
    return ()


def pieces_from(state: State, first: Piece) -> tuple[Piece, Piece, Piece]:
    """Three pieces that share one trait with the first one, and together no other: one that is in play."""
    shared = state.wishes.rules.traits[0].bit
    one, two, three = (bit for bit in (8, 4, 2, 1) if bit != shared)
    return PIECES[first.number ^ one ^ two], PIECES[first.number ^ two ^ three], PIECES[first.number ^ one ^ three]


def aligned(state: State, lesson: Lesson) -> tuple[Alignment, ...]:
    """The four that the lesson is about, once they stand."""
    found = lesson.board.alignments(traits=state.wishes.rules.traits)
    return tuple(each for each in found if set(each.squares) == set(lesson.line))


# --- what the table says ----------------------------------------------------------------------------------------------


def seen_in_lesson(state: State, lesson: Lesson, now: int) -> tuple[LessonOccurrence, str | None] | None:
    """What has happened by now that the lesson waits for, or that ends it, and on which cell."""
    if _is_left(state, lesson, now):
        return LessonOccurrence.LEFT, None
    match AWAITED[lesson.stage]:
        case Awaited.EMPTY_BOARD if state.table.is_cleared:
            return LessonOccurrence.CLEARED, None
        case Awaited.TIME if now >= lesson.since + state.patience.told:
            return LessonOccurrence.READ, None
        case Awaited.GIVEN:
            placed = _rested(_fresh(state, lesson), state.patience.rest, now)
            given = _rested(_offered(state, lesson), state.patience.rest, now)
            found = placed or given
            return None if found is None else (LessonOccurrence.PLACED if placed else LessonOccurrence.GIVEN, found)
        case Awaited.ANYWHERE | Awaited.IN_LINE:
            target = lesson_target(lesson)
            on = {cell: each for cell, each in _fresh(state, lesson).items() if each.piece == lesson.hand}
            found = _rested(on, state.patience.rest, now)
            return (LessonOccurrence.PLACED, found) if found and (target is None or found == target.name) else None
        case Awaited.CALL:
            found = _rested(_offered(state, lesson), state.patience.rest, now)
            return None if found is None else (LessonOccurrence.GIVEN, found)
        case _:
            return None


def strangers(state: State, lesson: Lesson) -> dict[str, Standing]:
    """The pieces on squares that the lesson does not know to be there."""
    return dict(compare(state.table, lesson.board).extra)


def _fresh(state: State, lesson: Lesson) -> dict[str, Standing]:
    """The pieces that were put on empty squares."""
    board = lesson.board
    return {
        cell: standing
        for cell, standing in strangers(state, lesson).items()
        if standing.piece not in board.cells and board[SQUARE_OF[cell]] is None
    }


def correction_in(state: State, lesson: Lesson, now: int) -> Prompt | None:
    """What has to be put right first, if anything has been wrong for long enough."""
    if AWAITED[lesson.stage] not in CORRECTED:
        return None
    homes = {piece: square for square, piece in lesson.board.pieces.items()}
    target = lesson_target(lesson)
    for cell, standing in strangers(state, lesson).items():
        if now < standing.since + state.patience.wrong:
            continue
        home = homes.get(standing.piece, target if standing.piece == lesson.hand else None)
        if home is not None:
            return MoveBack(standing.piece, cell, home)
        if standing.piece != lesson.hand:
            hand = lesson.hand
            return TakeOff(standing.piece, cell) if hand is None else WrongPiece(standing.piece, cell, hand)
    for square, piece in compare(state.table, lesson.board).missing:
        left = state.table.left.get(piece)
        if state.table.cell_of(piece) is None and now >= (left.at if left else 0) + state.patience.missing:
            return PutBack(piece, square)
    return None


def lesson_moments(state: State) -> Iterator[int]:
    """The moments at which something may come of what the table says, or of time alone."""
    lesson, patience = state.lesson, state.patience
    if lesson is None:
        return
    yield from (lesson.since + wait for wait in (patience.celebrates, patience.told, patience.hint))
    for standing in state.table.standing.values():
        yield from (standing.since + wait for wait in (patience.rest, patience.wrong, patience.missing))
    for piece in lesson.board.pieces.values():
        left = state.table.left.get(piece)
        yield (left.at if left else 0) + patience.missing


def _is_left(state: State, lesson: Lesson, now: int) -> bool:
    """Whether people play, or have taken everything off; or the line can be seen no more."""
    patience = state.patience
    if AWAITED[lesson.stage] is Awaited.EMPTY_BOARD:
        return False
    gone = [state.table.left.get(piece) for _, piece in compare(state.table, lesson.board).missing]
    if lesson.board.count >= LEAVING and state.table.is_cleared and len(gone) == lesson.board.count:
        return now >= max((left.at for left in gone if left is not None), default=0) + patience.missing
    if AWAITED[lesson.stage] is not Awaited.IN_LINE:
        return False
    target = lesson_target(lesson)
    if target is None or target.name in state.table.lost:
        return True
    others = {cell: each for cell, each in strangers(state, lesson).items() if each.piece != lesson.hand}
    if not state.senses_giving and len(others) >= LEAVING:
        return all(now >= each.since + patience.missing for each in others.values())
    return _rested(_offered(state, lesson), patience.missing, now) is not None


def _offered(state: State, lesson: Lesson) -> dict[str, Standing]:
    """A piece that is given: another one than what the lesson has asked to be placed."""
    offered = state.table.standing.get(OFFER) if state.senses_giving else None
    known = offered is None or offered.piece == lesson.hand or offered.piece in lesson.board.cells
    return {} if offered is None or known else {OFFER: offered}


def _rested(found: Mapping[str, Standing], wait: int, now: int) -> str | None:
    """The first cell on which a piece has rested for so long."""
    cells = (cell for cell, standing in found.items() if now >= standing.since + wait)
    return min(cells, key=lambda cell: found[cell].since, default=None)
