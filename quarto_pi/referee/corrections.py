"""Where the table is not as the game has it: what is to be put right first, and what the board asks where it can't see.

Table and time alone tell what is asked; a press answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from quarto_pi.referee.effects import Fix
from quarto_pi.referee.facts import dead_squares, facts_on, is_in_the_air
from quarto_pi.referee.messages import (
    BoardCleared,
    LeftOver,
    MoveBack,
    NotGivenYet,
    PlacedUnheard,
    Prompt,
    PutBack,
    Question,
    StandsThere,
    StillThere,
    TakeItBack,
    TakeOff,
    TooMany,
    TwoPieces,
    UnknownTag,
    WrongPiece,
)
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.state import State
from quarto_pi.referee.table import SQUARE_OF, Difference
from quarto_pi.rules import Phase, Piece, Square, Turn
from quarto_pi.sensing.readings import OFFER

# --- What the board asks when it can't see enough, to be answered by a press: table and time alone tell what it is ----

MOST_DEAD: Final = 2
"""More pieces than these are not lost by their tags at once: hands have taken them, or a supply has failed."""


ANY_TIME: Final = 0
"""What may be asked since then may be asked at once."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A question, and from when on it may be asked."""

    question: Question
    since: int = ANY_TIME


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be asked about one thing, one after the other, and since when they take turns."""

    choices: tuple[Choice, ...]
    since: int = ANY_TIME

    def due(self, now: int) -> tuple[Question, ...]:
        """The questions that may be asked at a moment."""
        return tuple(choice.question for choice in self.choices if now >= choice.since)


def question_at(state: State, difference: Difference, now: int) -> Question | None:
    """The question that is asked at a moment."""
    for choices in choices_of(state, difference):
        due = choices.due(now)
        if due:
            return due[(now - choices.since) // state.patience.each_question % len(due)]
    return None


def answered_by(state: State, difference: Difference, pressed_at: int) -> Question | None:
    """The question that a press answers with yes: the one that was to be read when the finger set out."""
    question, asked = question_at(state, difference, pressed_at), state.asking
    if question is None:
        return None
    if asked is None or (pressed_at < asked.since and asked.before is None):
        # Whoever lifts a piece or clears the board may know what will be asked; of what the board misses nobody knows.
        return question if isinstance(question, TakeItBack | BoardCleared) else None
    is_too_soon = pressed_at - asked.since < state.patience.reading
    read = asked.before if is_too_soon and asked.before is not None else asked.question
    return read if read in _due_at(state, difference, pressed_at) else question


def choices_of(state: State, difference: Difference) -> tuple[Choices, ...]:
    """What is asked sooner or later if nobody does anything: the first of these of which anything is due."""
    if not state.is_under_way or state.game.paused_since is not None:
        return ()
    if state.clearing.since is not None and state.table.is_cleared and state.game.board.count > 1:
        first = next(iter(state.game.board.pieces.items()))
        return (Choices((Choice(BoardCleared(first[1], first[0])),)),)
    turn = state.game.last_turn
    if turn is not None and is_last_lifted(state, difference, turn):
        return tuple(_about_last(state, turn, difference))
    return (*_about_missing(state, difference), *_about_hand(state))


def _due_at(state: State, difference: Difference, now: int) -> tuple[Question, ...]:
    """The questions that take turns at a moment."""
    return next((due for choices in choices_of(state, difference) if (due := choices.due(now))), ())


def is_last_lifted(state: State, difference: Difference, turn: Turn) -> bool:
    """Whether exactly the last piece has been taken off the board: it equals the board before."""
    if state.game.phase is Phase.FINAL_CALL or [piece for _, piece in difference.missing] != [turn.piece]:
        return False
    return not difference.extra and state.table.cell_of(turn.piece) is None


def _about_last(state: State, turn: Turn, difference: Difference) -> Iterator[Choices]:
    """What to ask while the last piece is in the air: does it stand where nobody notices it, or is it taken back."""
    if state.call is not None or state.table.is_heard(turn.piece):
        return
    left = state.table.left.get(turn.piece)
    since = (left.at if left else 0) + state.patience.in_the_air
    choices: list[Choice] = []
    if is_in_the_air(state, difference):
        choices += [Choice(StandsThere(turn.piece, square), since) for square in dead_squares(state)]
    if state.settings.undo and not _is_played_on(state, turn.piece):
        choices.append(Choice(TakeItBack(turn.player, turn.piece, turn.square), since))
    unheard_from = max(since, _unheard_from(state, turn.piece))
    choices.append(Choice(StillThere(turn.piece, turn.square), unheard_from))
    yield Choices(tuple(choices), since)


def _is_played_on(state: State, piece: Piece) -> bool:
    """Whether another piece was laid on the give place since this one is missed: nobody takes a move back so."""
    offered, left = state.table.standing.get(OFFER), state.table.left.get(piece)
    return state.senses_giving and offered is not None and left is not None and offered.since > left.since


def _about_missing(state: State, difference: Difference) -> Iterator[Choices]:
    """What to ask when pieces are heard nowhere, though their readers work: their tags may be dead (D15)."""
    if state.call is not None or not 0 < len(difference.missing) <= MOST_DEAD:
        return
    unheard = [(square, piece) for square, piece in difference.missing if _is_unheard(state, square, piece)]
    choices = tuple(Choice(StillThere(piece, square), _unheard_from(state, piece)) for square, piece in unheard)
    if choices:
        yield Choices(choices, min(choice.since for choice in choices))


def _is_unheard(state: State, square: Square, piece: Piece) -> bool:
    """Whether a piece may stand on its square with a dead tag: it answers nowhere, and nothing else does there."""
    return state.table.piece_on(square.name) is None and not state.table.is_heard(piece)


def _unheard_from(state: State, piece: Piece) -> int:
    """From when on it is asked whether a piece stands there that nobody hears."""
    left = state.table.left.get(piece)
    return max(left.at if left else 0, state.turned_at) + state.patience.unheard


def beside_turn(state: State, question: Question | None) -> StandsThere | PlacedUnheard | None:
    """A question that is asked beside what is to be done: the given piece may have been placed, or not."""
    if isinstance(question, StandsThere) and (
        question.piece != state.game.hand or state.dead_tags.finding_since is not None
    ):
        return None
    return question if isinstance(question, StandsThere | PlacedUnheard) else None


def _out_of_sight(state: State, hand: Piece) -> int:
    """Since when the given piece may stand somewhere without being heard."""
    left = state.table.left.get(hand)
    return max(left.at if left else 0, state.turned_at, state.planned.since if state.planned else 0)


def _about_hand(state: State) -> Iterator[Choices]:
    """The given piece is out of sight: is it on a square that nobody sees, or is its tag dead."""
    hand = state.game.hand
    if hand is None or state.table.is_heard(hand):
        return
    if state.dead_tags.finding_since is not None:
        squares = state.game.board.empty_squares
        yield Choices(tuple(Choice(StandsThere(hand, square)) for square in squares), state.dead_tags.finding_since)
        return
    target = state.planned.plan.square if not state.is_for_person and state.planned is not None else None
    unseen = tuple(square for square in dead_squares(state) if square == target or state.is_for_person)
    since = _out_of_sight(state, hand) + (state.patience.unseen if unseen else state.patience.in_hand)
    if unseen:
        yield Choices(tuple(Choice(StandsThere(hand, square), since) for square in unseen), since)
    elif state.is_for_person:
        yield Choices((Choice(PlacedUnheard(hand), since),), since)
    elif target is not None:
        yield Choices((Choice(StandsThere(hand, target), since),), since)


# --- Where the table is not as the game has it: what is wrong, for how long, and what is to be put right first --------


@dataclass(frozen=True, slots=True)
class Wrong:
    """A cell that is not as it should be, and the moment from which people are asked to put it right."""

    fix: Fix
    due: int


def wrongs_on(state: State, difference: Difference) -> tuple[Wrong, ...]:
    """All that is wrong on the table and not explained by what players may do."""
    if not (state.is_under_way or state.phase is RefereePhase.CHOOSE) or state.game.phase is Phase.FINAL_CALL:
        # After the sixteenth piece nothing is placed any more, and people may begin to clear the board.
        return ()
    found: dict[str, Wrong] = {}
    for wrong in (*_strange(state), *_astray(state, difference), *_missing(state, difference), *_left_over(state)):
        found.setdefault(wrong.fix.cell, wrong)
    return tuple(found.values())


def is_new(fixes: tuple[Fix, ...], told: tuple[Fix, ...]) -> bool:
    """Whether something is wrong that people have not been told of."""
    known = {fix.cell: fix for fix in told}
    return any(fix.cell not in known or fix.found not in (None, known[fix.cell].found) for fix in fixes)


def guidance(state: State, fixes: tuple[Fix, ...]) -> Prompt | None:
    """What to do first, one piece at a time, so that every step can be done; None where nothing is wrong."""
    for fix in fixes:
        if isinstance(fix.found, tuple):
            # More may have answered than could be named, be it one of them or none.
            return TwoPieces(fix.cell, max(2, len(fix.found)))
        if isinstance(fix.found, str):
            return UnknownTag(fix.cell)
    astray = [(fix.cell, fix.found) for fix in fixes if isinstance(fix.found, Piece)]
    strangers = [(cell, piece) for cell, piece in astray if _home(state, piece) is None]
    if strangers:
        return _send_off(state, strangers)
    for cell, piece in astray:
        home = _home(state, piece)
        if home is not None and state.table.piece_on(home.name) is None:
            return MoveBack(piece, cell, home)
    for fix in fixes:
        if fix.expected is not None and fix.found is None:
            return PutBack(fix.expected, SQUARE_OF[fix.cell])
    # Pieces stand on each other's squares in a ring: one has to be taken off for the others to move.
    return TakeOff(astray[0][1], astray[0][0]) if astray else None


def _strange(state: State) -> Iterator[Wrong]:
    """Tags that belong to no piece, and cells with several."""
    for cell, (uid, at) in state.table.foreign.items():
        yield Wrong(Fix(cell, uid, _expected(state, cell)), at + state.patience.wrong)
    for cell, (things, at) in state.table.crowds.items():
        yield Wrong(Fix(cell, things, _expected(state, cell)), at + state.patience.wrong)


def _astray(state: State, difference: Difference) -> Iterator[Wrong]:
    """Pieces that stand where they do not belong."""
    if state.call is not None:
        # Until it is known who has called, people may have played on: what they did is looked at afterwards.
        return
    explained = {fact.piece for fact in facts_on(state, difference)}
    hand = state.game.hand
    if hand is not None and not state.is_for_person:
        # It lies ready for the computer, or is on its way to the square that the computer has chosen.
        explained.add(hand)
    for cell, standing in difference.extra:
        if standing.piece not in explained:
            fix = Fix(cell, standing.piece, _expected(state, cell))
            yield Wrong(fix, max(standing.since + state.patience.wrong, _sure_of(state, cell)))
    offered = state.table.standing.get(OFFER)
    if offered is None or offered.piece in explained or OFFER in state.table.lost:
        return
    # A piece that was given before the last placement was taken back has to make room for the one that is given now.
    taken_back = offered.piece == state.stale_offer
    is_nobodys_gift = (not state.is_by_person or state.is_give_told) and offered.piece != hand
    if offered.piece in state.game.board.cells or taken_back or is_nobodys_gift:
        since = max(offered.since, state.turned_at)
        yield Wrong(Fix(OFFER, offered.piece, None), max(since + state.patience.wrong, _sure_of(state, OFFER)))


def _sure_of(state: State, cell: str) -> int:
    """When it is known whether what stood on a cell before its reader was lost has gone meanwhile."""
    return state.table.recovered.get(cell, -state.patience.missing) + state.patience.missing


def _missing(state: State, difference: Difference) -> Iterator[Wrong]:
    """Squares whose pieces are gone."""
    in_the_air = state.shiftable if is_in_the_air(state, difference) else None
    for square, piece in difference.missing:
        if in_the_air is not None and piece == in_the_air.piece:
            continue
        left = state.table.left.get(piece)
        since = max(left.at if left else 0, state.table.recovered.get(square.name, 0), state.turned_at)
        found = state.table.piece_on(square.name)
        yield Wrong(Fix(square.name, found, piece), since + state.patience.missing)


def _left_over(state: State) -> Iterator[Wrong]:
    """Pieces that have stood on the board since the last game (D16)."""
    if state.clearing.remains:
        for cell, standing in state.table.pieces_on_squares:
            if standing.piece in state.clearing.remains:
                yield Wrong(Fix(cell, standing.piece, _expected(state, cell)), standing.since)


def _send_off(state: State, strangers: list[tuple[str, Piece]]) -> Prompt:
    """The first of the pieces that are not on the board of the game goes off it; what is said depends on why."""
    # What is left of the last game is in nobody's way: first what has just gone wrong.
    cell, piece = min(strangers, key=lambda stranger: stranger[1] in state.clearing.remains)
    if piece in state.clearing.remains:
        return LeftOver(piece, cell)
    hand = state.game.hand
    if hand is not None and piece != hand:
        return WrongPiece(piece, cell, hand)
    if state.senses_giving and hand is None and state.is_by_person and cell != OFFER:
        return NotGivenYet(piece, cell)
    if len(strangers) > 1 and not state.senses_giving:
        came = {other: state.table.standing[where].since for where, other in strangers if where in state.table.standing}
        if max(came.values()) - min(came.values()) < state.patience.together:
            return TooMany(tuple(other for _, other in strangers))
        # What was put down first may be the next move: the others have to wait for it.
        cell, piece = max(strangers, key=lambda stranger: came.get(stranger[1], 0))
    return TakeOff(piece, cell)


def _home(state: State, piece: Piece) -> Square | None:
    """The square of the game on which a piece ought to stand."""
    return next((square for square, other in state.game.board.pieces.items() if other == piece), None)


def _expected(state: State, cell: str) -> Piece | None:
    square = SQUARE_OF.get(cell)
    return None if square is None else state.game.board[square]
