"""A cleared board: the end of a game, the beginning of the next one, or a mistake that can be put right."""

from __future__ import annotations

from collections.abc import Mapping

from quarto_pi.referee.facts import difference_of, facts_on
from quarto_pi.referee.messages import ClearTheBoard
from quarto_pi.referee.moments import reached
from quarto_pi.referee.phases import Occurrence, Phase
from quarto_pi.referee.state import State
from quarto_pi.referee.step import Step
from quarto_pi.referee.table import SQUARE_OF, Standing
from quarto_pi.rules import Clear
from quarto_pi.rules import Phase as GamePhase
from quarto_pi.sensing.readings import OFFER


def follow_clearing(step: Step) -> None:
    """See to a cleared board: the end of a game, the beginning of the next one."""
    state = step.state
    cleared = state.table.is_cleared
    if state.phase in (Phase.SET_UP, Phase.OVER):
        if cleared or _has_begun(state, step.now):
            step.follow(Occurrence.CLEARED if cleared else Occurrence.PLAYED_ON)
            _begin_next(step)
        return
    if state.phase is Phase.CHOOSE and _is_littered(step):
        step.follow(Occurrence.LITTERED)
    if not state.is_under_way or not state.game.board.count:
        return
    if cleared and state.game.phase is GamePhase.FINAL_CALL:
        step.act(Clear(), max(state.game.now, reached(step.state, step.now)))
    elif cleared and state.cleared_since is None and not _is_only_unseen(state):
        # A first piece may be given before the sensors are sure that the last one of the game before is off.
        left = [state.table.left[piece].since for _, piece in difference_of(state).missing if piece in state.table.left]
        step.set(cleared_since=max(left, default=step.now))
    elif state.cleared_since is not None and _is_only_unseen(state):
        step.set(cleared_since=None)
    elif state.cleared_since is not None and _is_new_game(step):
        step.act(Clear(), max(state.game.now, reached(step.state, step.now)))
        step.follow(Occurrence.CLEARED)
        _begin_next(step)
    elif state.cleared_since is not None and _is_being_restored(state):
        step.set(cleared_since=None)


def clearing_at(state: State, now: int) -> ClearTheBoard | None:
    """What has to go before the next game, once people have begun with it, or have stopped clearing (D16)."""
    left = tuple(cell for cell, _ in _left_standing(state))
    if not left or not state.game.over:
        return None
    touched = _last_removed(state)
    came = _came(state)
    gone = len(left) < state.game.board.count
    if came and (gone or OFFER in came):
        due = min(standing.since for standing in came.values()) + state.patience.wrong
    elif gone and len(left) * 2 <= state.game.board.count and touched is not None:
        due = touched + state.patience.remains
    else:
        return None
    return ClearTheBoard(tuple(sorted(left))) if now >= due else None


def is_being_cleared(state: State) -> bool:
    """Whether hands have changed something since the end of the game: what that means depends on time."""
    return state.game.over and (bool(_came(state)) or _last_removed(state) is not None)


def _left_standing(state: State) -> list[tuple[str, Standing]]:
    """The pieces of the game that is over which have stood on the board since its end."""
    return [(cell, standing) for cell, standing in state.table.pieces_on_squares if standing.piece in state.remains]


def _came(state: State) -> dict[str, Standing]:
    """What hands have put down since the last turn of the game that is over."""
    ended_at = state.turned_at if state.game.board.count == 16 else state.game.now
    stale = _stale_offer_at(state)
    return {
        cell: standing
        for cell, standing in state.table.standing.items()
        if standing.piece not in state.remains and standing.since > (stale if cell == OFFER else ended_at)
    }


def _last_removed(state: State) -> int | None:
    """When the last of those pieces was taken off the board that are gone by now."""
    table = state.table
    gone = [piece for piece in state.game.board.pieces.values() if piece not in state.remains]
    return max((table.left[piece].at for piece in gone if piece in table.left), default=None)


def _has_begun(state: State, now: int) -> bool:
    """Whether people have begun the next game over what is left of the last (D16)."""
    came = _came(state) if state.game.over else {}
    left, count = len(_left_standing(state)), state.game.board.count
    removed = _last_removed(state)
    if (
        not came
        or removed is None
        or _has_only_moved(state, came)
        or min(now - each.since for each in came.values()) < state.rest
    ):
        return False
    if not left:
        return True
    if not state.senses_giving:
        return left * 2 <= count
    # Who clears the board may lay a piece on the give place; nobody goes on clearing when it is meant to be given.
    given = [each for cell, each in came.items() if cell == OFFER or _lay_to_be_given(state, each)]
    return any(now - max(each.since, removed) >= state.patience.missing for each in given)


def _has_only_moved(state: State, came: Mapping[str, Standing]) -> bool:
    """Whether no piece of the game that is over is off the board: a sleeve may have pushed what stands elsewhere."""
    still_there = state.remains | {standing.piece for standing in came.values()}
    return all(piece in still_there for piece in state.game.board.pieces.values())


def _lay_to_be_given(state: State, standing: Standing) -> bool:
    return state.turned_at < state.table.laid.get(standing.piece, -1) <= standing.since + state.patience.lifting


def _stale_offer_at(state: State) -> int:
    """The moment up to which what was laid on the give place belongs to the game that is over."""
    # It may have been taken up by now.
    offered, game = state.table.standing.get(OFFER) or state.table.stay, state.game
    # After a start it is found there within the first look.
    ended_at = game.now if state.resumed_at is None else state.resumed_at + state.patience.first_look
    if offered is not None and offered.piece == game.hand and offered.since <= ended_at:
        return max(offered.since, state.turned_at)
    return state.turned_at


def _begin_next(step: Step) -> None:
    """Begin the next game; what hands have done for it since the last turn of the one before counts."""
    before, left = step.state, frozenset(standing.piece for _, standing in _left_standing(step.state))
    step.begin(before.wishes)
    step.set(offer_stale=_stale_offer_at(before), turned_at=before.turned_at, remains=left)


def _is_littered(step: Step) -> bool:
    """Whether so many pieces stand on the board before the first turn that they must be those of another game."""
    state = step.state
    standing = [each for _, each in state.table.pieces_on_squares if each.piece not in state.remains]
    if len(standing) < 3 or all(step.now - each.since < state.patience.wrong for each in standing):
        return False
    return not facts_on(state, difference_of(state))


def _is_only_unseen(state: State) -> bool:
    """Whether the board looks empty only because the readers of its pieces are lost, or their tags dead."""
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
