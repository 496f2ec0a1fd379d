"""What is left of a game that is over or cleared away, what hands have put down since, and from when on that counts.

Nothing here depends on what time it is: each question is answered with the moment from which it is so.
"""

from __future__ import annotations

from collections.abc import Mapping

from quarto_pi.referee.facts import facts_on
from quarto_pi.referee.state import State
from quarto_pi.referee.table import SQUARE_OF, Standing
from quarto_pi.sensing.readings import OFFER

FEWEST_STRANGERS = 3
"""So many pieces on the board before the first turn are no first move any more."""


def left_standing(state: State) -> tuple[tuple[str, Standing], ...]:
    """The pieces of the game that is over which have stood on the board since its end, and their cells."""
    return tuple(
        (cell, standing) for cell, standing in state.table.pieces_on_squares if standing.piece in state.clearing.remains
    )


def stale_offer_at(state: State) -> int:
    """The moment up to which what was laid on the give place belongs to the game that is over."""
    # It may have been taken up by now.
    offered, game = state.table.standing.get(OFFER) or state.table.stay, state.game
    # After a start it is found there within the first look.
    ended_at = game.now if state.resuming is None else state.resuming.looks_until
    if offered is not None and offered.piece == game.hand and offered.since <= ended_at:
        return max(offered.since, state.turned_at)
    return state.turned_at


def is_only_unseen(state: State) -> bool:
    """Whether the board looks empty only because the readers of its pieces are lost, or their tags dead."""
    return not state.difference.missing


def is_being_restored(state: State) -> bool:
    """Whether a piece is back on its square; with a give place, whether any piece is put on the board at all."""
    return any(
        state.senses_giving or state.game.board[SQUARE_OF[cell]] == standing.piece
        for cell, standing in state.table.pieces_on_squares
        if cell not in state.table.lost
    )


# --- from when on -----------------------------------------------------------------------------------------------------


def cleared_at(state: State) -> int | None:
    """From when on a board that was cleared in mid-game is a new game, if nothing is put down until then."""
    if state.clearing.since is None or not state.table.is_cleared or _given_anew(state) is not None:
        return None
    early = state.game.board.count == 1
    return state.clearing.since + (state.patience.cleared_early if early else state.patience.cleared)


def begun_anew_at(state: State) -> int | None:
    """From when on what hands have put on a board that was cleared in mid-game begins a new game."""
    if state.clearing.since is None:
        return None
    if state.table.is_cleared:
        given = _given_anew(state)
        return None if given is None else given.since + state.rest
    if state.game.board.count == 1 or is_being_restored(state):
        return None
    # One piece of the game on a wrong square may be a slip of who puts the pieces back; two are the next game.
    fresh = _put_down_since(state, state.clearing.since)
    strange = [each.since for each in fresh.values() if each.piece not in state.game.board.cells]
    second = sorted(each.since for each in fresh.values())[1:2]
    return min((*strange, *second)) + state.rest if strange or second else None


def played_on_at(state: State) -> int | None:
    """From when on people have begun the next game over what is left of the last (D16)."""
    came = _came(state) if state.game.over else {}
    left, count = len(left_standing(state)), state.game.board.count
    removed = _last_removed(state)
    if not came or removed is None or _has_only_moved(state, came):
        return None
    rests = max(each.since for each in came.values()) + state.rest
    if not left:
        return rests
    if not state.senses_giving:
        return rests if left * 2 <= count else None
    # Who clears the board may lay a piece on the give place; nobody goes on clearing when it is meant to be given.
    given = [each for cell, each in came.items() if cell == OFFER or _lay_to_be_given(state, each)]
    if not given:
        return None
    return max(rests, max(min(each.since for each in given), removed) + state.patience.missing)


def in_the_way_at(state: State) -> int | None:
    """From when on what is left of the last game has to go: people have begun the next, or stopped clearing (D16)."""
    left = len(left_standing(state))
    if not left or not state.game.over:
        return None
    touched, came = _last_removed(state), _came(state)
    gone = left < state.game.board.count
    if came and (gone or OFFER in came):
        return min(standing.since for standing in came.values()) + state.patience.wrong
    if gone and left * 2 <= state.game.board.count and touched is not None:
        return touched + state.patience.remains
    return None


def littered_at(state: State) -> int | None:
    """From when on so many pieces stand on the board before the first turn that they must be those of another game."""
    standing = [each for _, each in state.table.pieces_on_squares if each.piece not in state.clearing.remains]
    if len(standing) < FEWEST_STRANGERS or facts_on(state, state.difference):
        return None
    return min(each.since for each in standing) + state.patience.wrong


# --- what came, and what went -----------------------------------------------------------------------------------------


def _came(state: State) -> dict[str, Standing]:
    """What hands have put down since the last turn of the game that is over."""
    ended_at = state.turned_at if state.game.board.count == 16 else state.game.now
    stale = stale_offer_at(state)
    return {
        cell: standing
        for cell, standing in state.table.standing.items()
        if standing.piece not in state.clearing.remains and standing.since > (stale if cell == OFFER else ended_at)
    }


def _last_removed(state: State) -> int | None:
    """When the last of those pieces was taken off the board that are gone by now."""
    table = state.table
    gone = [piece for piece in state.game.board.pieces.values() if piece not in state.clearing.remains]
    return max((table.left[piece].at for piece in gone if piece in table.left), default=None)


def _has_only_moved(state: State, came: Mapping[str, Standing]) -> bool:
    """Whether no piece of the game that is over is off the board: a sleeve may have pushed what stands elsewhere."""
    still_there = state.clearing.remains | {standing.piece for standing in came.values()}
    return all(piece in still_there for piece in state.game.board.pieces.values())


def _lay_to_be_given(state: State, standing: Standing) -> bool:
    return state.turned_at < state.table.laid.get(standing.piece, -1) <= standing.since + state.patience.lifting


def _put_down_since(state: State, since: int) -> dict[str, Standing]:
    return {cell: standing for cell, standing in state.table.standing.items() if standing.since > since}


def _given_anew(state: State) -> Standing | None:
    """A piece that was laid on the give place of a cleared board, and is not the one in hand."""
    given = _put_down_since(state, state.clearing.since or 0).get(OFFER)
    if given is None or given.piece == state.game.hand or state.game.board.count == 1:
        return None
    return given
