"""What the board asks when it can't see enough, to be answered by a press: table and time alone tell what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from quarto_pi.referee.facts import dead_squares, is_in_the_air
from quarto_pi.referee.messages import BoardCleared, PlacedUnheard, Question, StandsThere, StillThere, TakeItBack
from quarto_pi.referee.state import State
from quarto_pi.referee.table import Difference
from quarto_pi.rules import Phase, Piece, Square, Turn
from quarto_pi.sensing.readings import OFFER

MOST_DEAD: Final = 2
"""More pieces than these are not lost by their tags at once: hands have taken them, or a supply has failed."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be asked, one after the other, and for how long it has been asked."""

    questions: tuple[Question, ...] = ()
    elapsed: int = 0


def question_at(state: State, difference: Difference, now: int) -> Question | None:
    """The question that is asked at a moment."""
    choices = _choices_at(state, difference, now)
    turn = choices.elapsed // state.patience.each_question
    return choices.questions[turn % len(choices.questions)] if choices.questions else None


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
    return read if read in _choices_at(state, difference, pressed_at).questions else question


def _choices_at(state: State, difference: Difference, now: int) -> Choices:
    if not state.is_under_way or state.game.paused_since is not None:
        return Choices()
    if state.cleared_since is not None and state.table.is_cleared and state.game.board.count > 1:
        first = next(iter(state.game.board.pieces.items()))
        return Choices((BoardCleared(first[1], first[0]),))
    turn = state.game.last_turn
    if turn is not None and is_last_lifted(state, difference, turn):
        return _about_last(state, turn, difference, now)
    return _about_missing(state, difference, now) or _about_hand(state, now)


def is_last_lifted(state: State, difference: Difference, turn: Turn) -> bool:
    """Whether exactly the last piece has been taken off the board: it equals the board before."""
    if state.game.phase is Phase.FINAL_CALL or [piece for _, piece in difference.missing] != [turn.piece]:
        return False
    return not difference.extra and state.table.cell_of(turn.piece) is None


def _about_last(state: State, turn: Turn, difference: Difference, now: int) -> Choices:
    """What to ask while the last piece is in the air: does it stand where nobody notices it, or is it taken back."""
    left = state.table.left.get(turn.piece)
    since = (left.at if left else 0) + state.patience.in_the_air
    if now < since or state.who is not None or state.table.is_heard(turn.piece):
        return Choices()
    choices: list[Question] = []
    if is_in_the_air(state, difference):
        choices += [StandsThere(turn.piece, square) for square in dead_squares(state)]
    if state.settings.undo and not _is_played_on(state, turn.piece):
        choices.append(TakeItBack(turn.player, turn.piece, turn.square))
    if now >= _unheard_from(state, turn.piece):
        choices.append(StillThere(turn.piece, turn.square))
    return Choices(tuple(choices), now - since)


def _is_played_on(state: State, piece: Piece) -> bool:
    """Whether another piece was laid on the give place since this one is missed: nobody takes a move back so."""
    offered, left = state.table.standing.get(OFFER), state.table.left.get(piece)
    return state.senses_giving and offered is not None and left is not None and offered.since > left.since


def _about_missing(state: State, difference: Difference, now: int) -> Choices | None:
    """What to ask when pieces are heard nowhere, though their readers work: their tags may be dead (D15)."""
    if state.who is not None or not 0 < len(difference.missing) <= MOST_DEAD:
        return None
    unheard = [pair for pair in difference.missing if _is_unheard(state, *pair)]
    due = [now - _unheard_from(state, piece) for _, piece in unheard]
    questions = tuple(
        StillThere(piece, square) for (square, piece), waited in zip(unheard, due, strict=True) if waited >= 0
    )
    return Choices(questions, max(due)) if questions else None


def _is_unheard(state: State, square: Square, piece: Piece) -> bool:
    """Whether a piece may stand on its square with a dead tag: it answers nowhere, and nothing else does there."""
    return state.table.piece_on(square.name) is None and not state.table.is_heard(piece)


def _unheard_from(state: State, piece: Piece) -> int:
    """From when on it is asked whether a piece stands there that nobody hears."""
    left = state.table.left.get(piece)
    return max(left.at if left else 0, state.turned_at) + state.patience.unheard


def appointments(state: State, now: int) -> Iterator[int]:
    """The moments at which something is asked about a given piece that nobody hears."""
    hand = state.game.hand
    if hand is None or state.table.is_heard(hand):
        return
    if state.table.lost or state.finding_since is not None:
        yield now
    yield _out_of_sight(state, hand) + state.patience.in_hand


def beside_turn(state: State, question: Question | None) -> StandsThere | PlacedUnheard | None:
    """A question that is asked beside what is to be done: the given piece may have been placed, or not."""
    if isinstance(question, StandsThere) and (question.piece != state.game.hand or state.finding_since is not None):
        return None
    return question if isinstance(question, StandsThere | PlacedUnheard) else None


def is_searched(state: State, now: int) -> bool:
    """Whether people have been asked about every square on which the given piece may stand."""
    since = state.finding_since
    return since is not None and now - since >= state.patience.each_question * len(state.game.board.empty_squares)


def _out_of_sight(state: State, hand: Piece) -> int:
    """Since when the given piece may stand somewhere without being heard."""
    left = state.table.left.get(hand)
    return max(left.at if left else 0, state.turned_at, state.plan[1] if state.plan else 0)


def _about_hand(state: State, now: int) -> Choices:
    """The given piece is out of sight: is it on a square that nobody sees, or is its tag dead."""
    hand = state.game.hand
    if hand is None or state.table.is_heard(hand):
        return Choices()
    if state.finding_since is not None:
        squares = tuple(StandsThere(hand, square) for square in state.game.board.empty_squares)
        return Choices(squares, now - state.finding_since)
    target = state.plan[0].square if state.is_for_computer and state.plan is not None else None
    unseen = tuple(square for square in dead_squares(state) if square == target or not state.is_for_computer)
    waited = now - _out_of_sight(state, hand)
    if unseen:
        waited -= state.patience.unseen
        questions = tuple(StandsThere(hand, square) for square in unseen)
        return Choices(questions, waited) if waited >= 0 else Choices()
    if waited < state.patience.in_hand:
        return Choices()
    if not state.is_for_computer:
        return Choices((PlacedUnheard(hand),))
    return Choices(() if target is None else (StandsThere(hand, target),))
