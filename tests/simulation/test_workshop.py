"""Hands, fingers and faults at the simulated board, in its own time."""

from __future__ import annotations

import pytest

from quarto_pi.simulation.board import UIDS, SimulatedBoard
from quarto_pi.simulation.bus import HeaderPins
from quarto_pi.simulation.workshop import Impossible, Workshop


@pytest.fixture
def board() -> SimulatedBoard:
    return SimulatedBoard(HeaderPins())


@pytest.fixture
def workshop(board: SimulatedBoard) -> Workshop:
    return Workshop(board, {})


def test_piece_is_lowered_and_stands_after_the_time_that_hands_take(board: SimulatedBoard, workshop: Workshop) -> None:
    workshop.put(3, "b2")
    assert (workshop.standing, workshop.moving) == ({}, (3,))
    board.clock.advance_ms(149)
    assert workshop.standing == {}
    board.clock.advance_ms(2)
    assert (workshop.standing, workshop.moving) == ({3: "b2"}, ())


def test_piece_slides_from_square_to_square_and_is_carried_from_the_give_place(
    board: SimulatedBoard, workshop: Workshop
) -> None:
    workshop.put(3, "offer")
    workshop.put(3, "b2")
    board.clock.advance_ms(449)
    assert workshop.standing == {}
    board.clock.advance_ms(2)
    assert workshop.standing == {3: "b2"}
    workshop.put(3, "b3")
    board.clock.advance_ms(100)
    assert set(board.field.heard_by()[UIDS[3]]) == {"b2", "b3"}
    board.clock.advance_ms(300)
    assert workshop.standing == {3: "b3"}


def test_all_pieces_are_cleared_while_some_are_still_on_their_way(board: SimulatedBoard, workshop: Workshop) -> None:
    for piece, cell in enumerate(("a1", "b1", "c1", "offer")):
        workshop.put(piece, cell)
    board.clock.advance_ms(100)
    workshop.put(0, "a2")
    workshop.clear()
    board.clock.advance_ms(2_000)
    assert (workshop.standing, workshop.moving, board.field.heard_by()) == ({}, (), {})


def test_piece_that_is_put_where_it_stands_stays_there(board: SimulatedBoard, workshop: Workshop) -> None:
    workshop.put(0, "a1")
    board.clock.advance_ms(200)
    workshop.put(0, "a1")
    assert workshop.moving == ()


def test_two_pieces_do_not_go_to_one_place(workshop: Workshop) -> None:
    workshop.put(0, "a1")
    with pytest.raises(Impossible, match="another piece stands on a1"):
        workshop.put(1, "a1")
    workshop.lift(0)
    workshop.put(1, "a1")


def test_neighbours_hear_pieces_while_they_are_made_to(board: SimulatedBoard, workshop: Workshop) -> None:
    workshop.cross_talk(on=True)
    workshop.put(0, "b2")
    board.clock.advance_ms(200)
    assert set(board.field.heard_by()[UIDS[0]]) == {"b2", "a2", "c2", "b1", "b3"}
    workshop.repair()
    workshop.put(1, "d4")
    board.clock.advance_ms(200)
    assert board.field.heard_by()[UIDS[1]] == ["d4"]


def test_trouble_is_known_until_it_is_repaired(workshop: Workshop) -> None:
    workshop.break_reader("b2", dead=True)
    workshop.disturb(0.25)
    workshop.cross_talk(on=True)
    assert (workshop.dead, workshop.noise, workshop.mishears) == ({"b2"}, 0.25, True)
    workshop.repair()
    assert (workshop.dead, workshop.noise, workshop.mishears) == (set(), 0.0, False)
