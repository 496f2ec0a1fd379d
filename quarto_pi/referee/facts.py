"""What the table says that players have done: gives, placements and changes of mind, each at its own moment.

Only the picture counts, not the order in which the sensors told of it.
"""

from __future__ import annotations

from collections.abc import Iterator
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
