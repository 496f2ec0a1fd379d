"""What the board asks when it can't see enough, to be answered by a press: table and time alone tell what it is."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.referee.buttons import Use
from quarto_pi.referee.facts import dead_squares
from quarto_pi.referee.messages import BoardCleared, Question, StandsThere, TakeItBack
from quarto_pi.referee.state import State
from quarto_pi.referee.table import Difference
from quarto_pi.rules import Phase, Piece, Turn


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
        # Whoever lifts a piece or clears the board may know what will be asked; of a reader that is lost nobody knows.
        return None if isinstance(question, StandsThere) else question
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
        return _about_last(state, turn, now)
    return _about_hand(state, now)


def is_last_lifted(state: State, difference: Difference, turn: Turn) -> bool:
    """Whether exactly the last piece has been taken off the board: it equals the board before."""
    if state.game.phase is Phase.FINAL_CALL or [piece for _, piece in difference.missing] != [turn.piece]:
        return False
    return not difference.extra and state.table.cell_of(turn.piece) is None


def _about_last(state: State, turn: Turn, now: int) -> Choices:
    """What to ask while the last piece is in the air: does it stand where nobody sees, or is it taken back."""
    left = state.table.left.get(turn.piece)
    since = (left.at if left else 0) + state.patience.in_the_air
    if now < since or _is_call_waiting(state) or _is_heard(state, turn.piece):
        return Choices()
    choices: list[Question] = []
    if state.shiftable is not None:
        choices += [StandsThere(turn.piece, square) for square in dead_squares(state)]
    if state.settings.undo:
        choices.append(TakeItBack(turn.player, turn.piece, turn.square))
    return Choices(tuple(choices), now - since)


def _about_hand(state: State, now: int) -> Choices:
    """The given piece is out of sight, and there are squares that nobody sees."""
    hand = state.game.hand
    if hand is None or state.table.cell_of(hand) is not None or _is_heard(state, hand):
        return Choices()
    squares = dead_squares(state)
    if state.is_for_computer:
        squares = tuple(square for square in squares if state.plan is not None and state.plan[0].square == square)
    left = state.table.left.get(hand)
    since = max(left.at if left else 0, state.turned_at, state.plan[1] if state.plan else 0) + state.patience.unseen
    if now < since:
        return Choices()
    return Choices(tuple(StandsThere(hand, square) for square in squares), now - since)


def _is_call_waiting(state: State) -> bool:
    """Whether somebody has called with the piece in the air: then it is about to be placed."""
    return state.who is not None or any(press.use is Use.CALL for press in state.presses)


def _is_heard(state: State, piece: Piece) -> bool:
    return any(doubt.piece == piece and doubt.arriving for doubt in state.table.doubts)
