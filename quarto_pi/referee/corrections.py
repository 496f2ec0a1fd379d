"""Where the table is not as the game has it: what is wrong, for how long, and what is to be put right first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quarto_pi.referee.effects import Fix
from quarto_pi.referee.facts import facts_on, is_in_the_air
from quarto_pi.referee.messages import (
    LeftOver,
    MoveBack,
    NotGivenYet,
    Prompt,
    PutBack,
    TakeOff,
    TooMany,
    TwoPieces,
    UnknownTag,
    WrongPiece,
)
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.state import State
from quarto_pi.referee.table import SQUARE_OF, Difference
from quarto_pi.rules import Phase, Piece, Square
from quarto_pi.sensing.readings import OFFER


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
