"""What is to be put right first: whatever has happened to the table, following the guidance always leads back."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.referee import Settings, State, start
from quarto_pi.referee.corrections import guidance, wrongs_on
from quarto_pi.referee.effects import Fix
from quarto_pi.referee.messages import MoveBack, NotGivenYet, PutBack, TakeOff, TooMany, WrongPiece
from quarto_pi.referee.table import SQUARE_OF, Standing, Table
from quarto_pi.rules import PIECES, SQUARES, Game, Piece, Position, parse_position

GAME = parse_position("0123/45../..../.... 9")


def state_of(standing: dict[str, Piece], position: Position = GAME) -> State:
    state, _ = start(Settings())
    game = replace(Game.from_position(position), fixed=True)
    table = Table(standing={cell: Standing(piece, 0) for cell, piece in standing.items()})
    return replace(state, game=game, table=table)


def fixes_on(state: State) -> tuple[Fix, ...]:
    return tuple(wrong.fix for wrong in wrongs_on(state, state.difference))


def as_it_should_be(position: Position = GAME) -> dict[str, Piece]:
    return {square.name: piece for square, piece in position.board.pieces.items()}


def carried_out(standing: dict[str, Piece], state: State) -> dict[str, Piece]:
    """The table after hands have done the one thing that the display asks for."""
    rest = dict(standing)
    match guidance(state, fixes_on(state)):
        case PutBack(piece, square):
            rest[square.name] = piece
        case MoveBack(piece, cell, square):
            assert square.name not in rest, "a piece can only be moved to a square that is free"
            del rest[cell]
            rest[square.name] = piece
        case WrongPiece(_, cell) | NotGivenYet(_, cell) | TakeOff(_, cell):
            del rest[cell]
        case TooMany(pieces):
            rest = {cell: piece for cell, piece in rest.items() if piece != pieces[0]}
        case other:
            raise AssertionError(f"nothing that hands can do: {other}")
    return rest


@given(st.lists(st.sampled_from(PIECES[:12]), unique=True, max_size=12), st.permutations(SQUARES))
def test_any_mess_is_put_right_one_piece_at_a_time(pieces: list[Piece], squares: list[object]) -> None:
    cells = [f"{square}" for square in squares]
    standing = dict(zip(cells, (piece for piece in pieces if piece != GAME.hand), strict=False))
    for _ in range(40):
        state = state_of(standing)
        if not fixes_on(state):
            break
        standing = carried_out(standing, state)
    assert standing == as_it_should_be()


def test_pieces_in_a_ring_come_off_one_by_one() -> None:
    standing = as_it_should_be()
    standing["a4"], standing["b4"], standing["c4"] = standing["b4"], standing["c4"], standing["a4"]
    state = state_of(standing)
    assert isinstance(guidance(state, fixes_on(state)), TakeOff)
    standing = carried_out(standing, state)
    state = state_of(standing)
    assert isinstance(guidance(state, fixes_on(state)), MoveBack)


def test_wrong_piece_goes_off_and_the_right_one_is_named() -> None:
    state = state_of({**as_it_should_be(), "d1": PIECES[14]})
    assert guidance(state, fixes_on(state)) == WrongPiece(PIECES[14], "d1", PIECES[9])


def test_square_whose_reader_is_lost_is_taken_to_be_right() -> None:
    standing = as_it_should_be()
    del standing["a4"]
    state = state_of(standing)
    assert guidance(state, fixes_on(state)) == PutBack(PIECES[0], SQUARE_OF["a4"])
    lost = replace(state, table=replace(state.table, lost=frozenset({"a4"})))
    assert fixes_on(lost) == ()
