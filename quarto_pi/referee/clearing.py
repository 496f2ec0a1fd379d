"""A cleared board: the end of a game, the beginning of the next one, or a mistake that can be put right."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee.deadlines import Due, is_due
from quarto_pi.referee.facts import is_being_restored, is_only_unseen, left_standing, stale_offer_at
from quarto_pi.referee.messages import ClearTheBoard, OtherBoardLeft
from quarto_pi.referee.moments import reached
from quarto_pi.referee.phases import Occurrence, RefereePhase
from quarto_pi.referee.stages import Clearing, ClearingOccurrence, EndStage
from quarto_pi.referee.state import StaleOffer, State
from quarto_pi.referee.step import Step
from quarto_pi.rules import Clear, Phase


def follow_clearing(step: Step) -> None:
    """See to a cleared board: the end of a game, the beginning of the next one."""
    state = step.state
    cleared, since = state.table.is_cleared and not _is_unread(state), state.clearing.since
    if state.phase in (RefereePhase.SET_UP, RefereePhase.OVER):
        if cleared or is_due(state, Due.PLAYED_ON, step.now):
            step.follow(Occurrence.CLEARED if cleared else Occurrence.PLAYED_ON)
            _begin_next(step)
        return
    if state.phase is RefereePhase.CHOOSE and not state.is_match_open and is_due(state, Due.LITTERED, step.now):
        step.follow(Occurrence.LITTERED)
    if not state.is_under_way or not state.game.board.count or _waits_for_words(state):
        return
    if cleared and state.game.phase is Phase.FINAL_CALL:
        step.act(Clear(), max(state.game.now, reached(step.state, step.now)))
    elif cleared and since is None and not is_only_unseen(state):
        # A first piece may be given before the sensors are sure that the last one of the game before is off.
        left = [state.table.left[piece].since for _, piece in state.difference.missing if piece in state.table.left]
        step.change_clearing(ClearingOccurrence.EMPTIED, since=max(left, default=step.now))
    elif since is not None and is_only_unseen(state):
        step.change_clearing(ClearingOccurrence.ONLY_UNSEEN)
    elif since is not None and _is_new_game(state, step.now):
        step.act(Clear(), max(state.game.now, reached(step.state, step.now)))
        step.follow(Occurrence.CLEARED)
        _begin_next(step)
    elif since is not None and is_being_restored(state):
        step.change_clearing(ClearingOccurrence.RESTORED)


def _waits_for_words(state: State) -> bool:
    """Whether, after the last piece, another board has to say whether it calls: who clears this one does not."""
    return state.remote is not None and state.game.phase is Phase.FINAL_CALL


def _is_unread(state: State) -> bool:
    """Whether the result of a game that ended on an empty board is still to be read: nobody clears anything there."""
    if state.told is not None and isinstance(state.told.notice, OtherBoardLeft):
        return True
    return state.end is not None and state.end.stage is EndStage.RESULT and not state.game.board.count


def clearing_at(state: State, now: int) -> ClearTheBoard | None:
    """What has to go before the next game, once people have begun with it, or have stopped clearing (D16)."""
    if not is_due(state, Due.IN_THE_WAY, now):
        return None
    return ClearTheBoard(tuple(sorted(cell for cell, _ in left_standing(state))))


def _begin_next(step: Step) -> None:
    """Begin the next game; what hands have done for it since the last turn of the one before counts."""
    before, left = step.state, frozenset(standing.piece for _, standing in left_standing(step.state))
    step.begin(before.wishes)
    step.state = replace(
        step.state,
        stale=StaleOffer(stale_offer_at(before)),
        turned_at=before.turned_at,
        clearing=Clearing(remains=left),
    )


def _is_new_game(state: State, now: int) -> bool:
    """Whether people have begun anew on the board that they cleared, or have left it empty for long."""
    return is_due(state, Due.BEGUN_ANEW, now) or is_due(state, Due.CLEARED, now)
