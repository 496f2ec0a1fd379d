"""A cleared board: the end of a game, the beginning of the next one, or a mistake that can be put right."""

from __future__ import annotations

from quarto_pi.referee.facts import difference_of, facts_on
from quarto_pi.referee.moments import reached
from quarto_pi.referee.phases import Occurrence, Phase
from quarto_pi.referee.state import State
from quarto_pi.referee.step import Step
from quarto_pi.referee.table import SQUARE_OF
from quarto_pi.rules import Clear
from quarto_pi.rules import Phase as GamePhase
from quarto_pi.sensing.readings import OFFER


def follow_clearing(step: Step) -> None:
    """See to a cleared board: the end of a game, the beginning of the next one."""
    state = step.state
    cleared = state.table.is_cleared
    if state.phase in (Phase.SET_UP, Phase.OVER):
        if cleared:
            step.follow(Occurrence.CLEARED)
            step.begin(state.wishes)
        return
    if state.phase is Phase.CHOOSE and _is_littered(step):
        step.follow(Occurrence.LITTERED)
    if not state.is_under_way or not state.game.board.count:
        return
    if cleared and state.game.phase is GamePhase.FINAL_CALL:
        step.act(Clear(), max(state.game.now, reached(step.state, step.now)))
    elif cleared and state.cleared_since is None and not _is_only_unseen(state):
        step.set(cleared_since=step.now)
    elif state.cleared_since is not None and _is_new_game(step):
        step.act(Clear(), max(state.game.now, reached(step.state, step.now)))
        step.follow(Occurrence.CLEARED)
        step.begin(state.wishes)
        # What was given or put down on the empty board is the first piece of the new game.
        step.set(offer_stale=state.cleared_since)
    elif state.cleared_since is not None and _is_being_restored(state):
        step.set(cleared_since=None)


def _is_littered(step: Step) -> bool:
    """Whether so many pieces stand on the board before the first turn that they must be those of another game."""
    state = step.state
    standing = [standing for _, standing in state.table.pieces_on_squares]
    if len(standing) < 3 or all(step.now - each.since < state.patience.wrong for each in standing):
        return False
    return not facts_on(state, difference_of(state))


def _is_only_unseen(state: State) -> bool:
    """Whether the board looks empty only because the readers of its pieces are lost."""
    return not difference_of(state).missing


def _is_being_restored(state: State) -> bool:
    """Whether a piece is back on its square; with a give place, whether any piece is put on the board at all."""
    return any(
        state.senses_giving or state.game.board[SQUARE_OF[cell]] == standing.piece
        for cell, standing in state.table.pieces_on_squares
        if cell not in state.table.lost
    )


def _is_new_game(step: Step) -> bool:
    """Whether people have begun anew on the board that they cleared, or have left it empty for long."""
    state, since = step.state, step.state.cleared_since or 0
    early = state.game.board.count == 1
    fresh = {cell: standing for cell, standing in state.table.standing.items() if standing.since > since}
    if state.table.is_cleared:
        given = fresh.get(OFFER)
        if given is not None and given.piece != state.game.hand and not early:
            return step.now - given.since >= state.rest
        return step.now - since >= (state.patience.cleared_early if early else state.patience.cleared)
    if early or _is_being_restored(state):
        return False
    rested = [standing for standing in fresh.values() if step.now - standing.since >= state.rest]
    # One piece of the game on a wrong square may be a slip of who puts the pieces back; two are the next game.
    return len(rested) > 1 or any(standing.piece not in state.game.board.cells for standing in rested)
