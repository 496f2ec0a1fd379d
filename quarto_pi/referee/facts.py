"""What the table says that players have done; and what is left on it of a game that is over, or was cleared away.

Only the picture counts, not the order in which the sensors told of it. What is left does not depend on what time it is
either: each question is answered with the moment from which it is so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.referee.state import State
from quarto_pi.referee.table import SQUARE_OF, Difference, Standing
from quarto_pi.rules import Action, Give, Phase, Piece, Place, Shift, Square, Turn
from quarto_pi.sensing.readings import OFFER

NOT_YET: Final = 2**62
"""When something may be believed that has to wait until the table is right again."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that was done at `at`, to be believed from `ready` on; if it `blocks`, what came later waits for it."""

    at: int
    ready: int
    actions: tuple[Action, ...]
    piece: Piece
    blocks: bool = True


def facts_on(state: State, difference: Difference) -> list[Fact]:
    """What the table says was done, the earliest first."""
    if state.game.over or state.game.phase is Phase.FINAL_CALL:
        return []
    return sorted(_facts(state, difference), key=lambda fact: fact.at)


def dead_squares(state: State) -> tuple[Square, ...]:
    """The empty squares whose readers are lost: nobody sees what is put there."""
    empty = state.game.board.empty_squares
    return tuple(square for square in empty if square.name in state.table.lost) if state.table.lost else ()


def is_in_the_air(state: State, difference: Difference) -> bool:
    """Whether the last piece, and it alone, has been taken up by a player who may still move it (D5, D13)."""
    turn = state.shiftable
    if turn is None or not any(piece == turn.piece for _, piece in difference.missing):
        return False
    return not _was_bumped(state, difference, turn)


def _was_bumped(state: State, difference: Difference, last: Turn) -> bool:
    """Whether another piece of the game was away from its square while the last one was on its way (D13)."""
    left, found = state.table.left.get(last.piece), difference.extra_cell(last.piece)
    since = max(state.turned_at, left.since if left else 0) - state.patience.together
    # What is touched long after the last piece has come to rest was not moved with it.
    until = NOT_YET if found is None else found[1].since + state.patience.wrong
    missing = {piece for _, piece in difference.missing}
    for square, piece in state.game.board.pieces.items():
        gone, standing = state.table.left.get(piece), state.table.standing.get(square.name)
        is_back = standing is not None and standing.piece == piece and standing.since > since
        is_later = gone is not None and gone.cell == square.name and gone.since >= until
        if piece != last.piece and (piece in missing or is_back) and not is_later:
            return True
    return False


def _facts(state: State, difference: Difference) -> Iterator[Fact]:
    turn = state.shiftable
    if turn is not None and is_in_the_air(state, difference):
        found = difference.extra_cell(turn.piece)
        if found is not None and _is_free(state, found[0]):
            yield _fact(state, found[1], Shift(SQUARE_OF[found[0]]))
        return
    if state.game.phase is Phase.PLACE:
        yield from _placements(state, difference)
        yield from _exchanges(state, difference)
    elif state.is_by_person:
        yield from _gives(state, difference)


def _placements(state: State, difference: Difference) -> Iterator[Fact]:
    hand = state.game.hand
    found = hand and difference.extra_cell(hand)
    if not found or not _is_free(state, found[0]):
        return
    cell, standing = found
    square = SQUARE_OF[cell]
    if state.is_for_person:
        yield _fact(state, standing, Place(square))
    elif state.planned is not None and state.planned.plan.square == square:
        # The piece may have stood there before the computer had chosen the square.
        at = max(standing.since, state.planned.since)
        yield Fact(at, at + state.rest, (Place(square),), standing.piece)


def _exchanges(state: State, difference: Difference) -> Iterator[Fact]:
    """Another piece is given instead of the one in hand; a receiver who gives before placing looks the same (D12)."""
    hand = state.game.hand
    if not state.is_by_person or hand is None or state.is_give_told:
        return
    if not state.senses_giving:
        if not state.is_for_person and difference.extra_cell(hand) is None:
            yield from _first_of(state, _available(state, difference), placed=False)
        return
    offered = state.table.standing.get(OFFER)
    if offered is not None and offered.piece != hand and _is_available(state, offered.piece):
        wait = state.patience.exchange_unseen if dead_squares(state) else state.patience.exchange
        # A reader that has just come back may be about to tell that the given piece was placed there.
        back = max(state.table.recovered.values(), default=-wait) + state.patience.missing
        ready = max(offered.since + wait, back)
        yield Fact(offered.since, ready, (Give(offered.piece),), offered.piece, blocks=False)
    yield from _taken_up(state, hand)
    exchanged = [pair for pair in _available(state, difference) if _is_exchanged(state, hand, pair[1])]
    yield from _first_of(state, exchanged, placed=state.is_for_person)


def _taken_up(state: State, hand: Piece) -> Iterator[Fact]:
    """A piece that rested on the give place after the one in hand, and was taken up: it is the given one (D12)."""
    stay = state.table.stay
    if state.table.piece_on(OFFER) == hand:
        # The one in hand lies there: what was taken up had been laid beside it.
        return
    if stay is None or stay.piece == hand or not _is_available(state, stay.piece) or stay.since <= state.turned_at:
        return
    if stay.until - stay.since >= state.patience.rest and stay.until > state.table.laid.get(hand, -1):
        yield Fact(stay.until, stay.until, (Give(stay.piece),), stay.piece)


def _is_exchanged(state: State, hand: Piece, standing: Standing) -> bool:
    """Whether a piece that was put on a square is the given one, and not the one that counts as such (D12)."""
    laid = state.table.laid.get(standing.piece, -1)
    if laid <= state.turned_at:
        return False
    # What lay there later was snatched before it counted; what lay there earlier is withdrawn once hands take up the
    # later one, and is the given piece as long as they do not.
    return laid > state.table.laid.get(hand, -1) or state.table.lay_there(hand, standing.since)


def _gives(state: State, difference: Difference) -> Iterator[Fact]:
    available = _available(state, difference)
    if not state.senses_giving:
        among_people = not state.game.options.giving_sensed
        for fact in _first_of(state, available, placed=among_people):
            # On a board that was knocked over nothing is a move; it may become one when the board is right again.
            yield replace(fact, ready=NOT_YET) if among_people and difference.missing else fact
        return
    # The receiver may take the piece so quickly that it was only glimpsed on the give place, or while nobody saw it.
    was_blind = state.table.recovered.get(OFFER, -1) >= state.turned_at
    glimpsed = [pair for pair in available if was_blind or _was_glimpsed(state, pair[1])]
    offered = state.table.standing.get(OFFER)
    if offered is not None and offered.since > state.stale.at and _is_available(state, offered.piece):
        # A receiver as quick as that may have placed already, and be the one who gives now.
        glimpsed = [pair for pair in glimpsed if pair[1].since < offered.since]
        if not glimpsed:
            yield _fact(state, offered, Give(offered.piece))
    yield from _first_of(state, glimpsed, placed=state.is_for_person)


def _was_glimpsed(state: State, standing: Standing) -> bool:
    """Whether a piece was on the give place before it came to stand on a square, and not on its way back there."""
    at, stay = state.table.offered.get(standing.piece, -1), state.table.stay
    if stay is not None and stay.piece == standing.piece and stay.since <= state.stale.at and at <= stay.until:
        # It lay there of the game before.
        return False
    return state.turned_at <= at <= standing.since + state.patience.lifting


def _first_of(state: State, pairs: list[tuple[str, Standing]], *, placed: bool) -> Iterator[Fact]:
    """The first of several pieces that were put on squares; none where it can't be told which was the first."""
    pairs = sorted(pairs, key=lambda pair: pair[1].since)
    if not pairs or (len(pairs) > 1 and pairs[1][1].since - pairs[0][1].since < state.patience.together):
        return
    cell, standing = pairs[0]
    give = Give(standing.piece)
    yield _fact(state, standing, *((give, Place(SQUARE_OF[cell])) if placed else (give,)))


def _available(state: State, difference: Difference) -> list[tuple[str, Standing]]:
    """The pieces on empty squares that are neither of the game nor in hand."""
    return [
        (cell, standing)
        for cell, standing in difference.extra
        if standing.piece != state.game.hand and _is_available(state, standing.piece) and _is_free(state, cell)
    ]


def _is_available(state: State, piece: Piece) -> bool:
    return piece not in state.game.board.cells


def _is_free(state: State, cell: str) -> bool:
    return state.game.board[SQUARE_OF[cell]] is None


def _fact(state: State, standing: Standing, *actions: Action) -> Fact:
    return Fact(standing.since, standing.since + state.rest, actions, standing.piece)


# --- What is left of a game that is over or cleared away, what was put down since, and from when on that counts -------

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
