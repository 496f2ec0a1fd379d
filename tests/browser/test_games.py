"""Whole games in a real browser, at a real controller above simulated chips."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from quarto_pi.rules import PIECES
from tests.browser.boards import Running, simulated
from tests.browser.conftest import Visits
from tests.browser.visitor import PATIENCE_MS, SQUARES, Visitor

pytestmark = pytest.mark.slow

THREE_SOLID = ("LTRF a1", "DSQF b2", "LSRF c3")


def test_two_people_play_a_game_with_the_keyboard_alone(visitor: Visitor) -> None:
    for move in THREE_SOLID:
        piece, square = move.split()
        visitor.give_by_keys(piece)
        visitor.place_by_keys(square)
    visitor.give_by_keys("DTQF")
    visitor.place_by_keys("d4")
    visitor.press("q")
    visitor.in_phase("over")
    visitor.hears("Player 1 wins!")


def test_pieces_are_tapped_and_put_with_a_finger(board: Running, visit: Visits) -> None:
    phone = visit(board, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    phone.piece("LTRF").tap()
    expect(phone.piece("LTRF")).to_have_attribute("aria-pressed", "true")
    phone.spot("offer").tap()
    phone.in_phase("given")
    phone.piece("LTRF").tap()
    phone.spot("b3").tap()
    phone.in_phase("placed")
    phone.sees("LTRF", "b3")


def test_a_game_against_the_computer(visitor: Visitor, board: Running) -> None:
    visitor.page.locator("#open-settings").click()
    visitor.page.locator("#seat-1").select_option("10")
    expect(visitor.page.locator(".player").nth(1)).to_contain_text("Perfect")
    visitor.press("Escape")
    # Whoever always gives a solid piece and puts it in the first row soon loses against a perfect player.
    solid = ("LTRF", "DSQF", "LSRF", "DTQF", "LTQF", "DSRF", "LSQF", "DTRF")
    # Now and then the computer takes so long to win that hollow ones have to be given as well.
    given = (*solid, *(piece.letters for piece in PIECES if piece.letters not in solid))
    for _ in range(400):
        state = board.state()
        if state["phase"] == "over":
            break
        about, kind = state["prompt"]["about"], state["prompt"]["kind"]
        if kind == "CarryOut":
            visitor.drag(about["piece"], about["square"])
            visitor.page.wait_for_function(
                "([seq]) => Number(document.body.dataset.seq) > seq && document.body.dataset.phase !== 'waiting'",
                arg=[state["seq"]],
            )
        elif kind in ("ChooseFirst", "GiveNext") and state["to_act"] == 0:
            visitor.drag(next(piece for piece in given if piece not in state["board"].values()), "offer")
            visitor.in_phase("waiting")
        elif kind == "PlaceThis" and state["to_act"] == 0:
            square = next(square for square in reversed(SQUARES) if square not in state["board"])
            visitor.place(state["hand"], square)
        elif kind == "GiveNext":
            visitor.drag(about["piece"], "offer")
            visitor.in_phase("given")
        else:
            changed = "([seq]) => Number(document.body.dataset.seq) > seq"
            visitor.page.wait_for_function(changed, arg=[state["seq"]])
    assert board.state()["result"]["winner"] == 1
    visitor.in_phase("over")
    expect(visitor.page.locator('[data-mark="won"]')).not_to_have_count(0)


def test_an_alignment_that_nobody_calls_is_shown_as_missed(visitor: Visitor) -> None:
    visitor.play(*THREE_SOLID, "DTQF d4")
    expect(visitor.page.locator(".square[data-mark]")).to_have_count(0)
    visitor.give("LTRH")
    expect(visitor.page.locator(".square[data-mark]")).to_have_count(0)
    visitor.drag("LTRH", "a4")
    visitor.hears("a1 b2 c3 d4")
    visitor.sees_marks("missed", "a1", "b2", "c3", "d4")
    visitor.play("DTRH b4")
    expect(visitor.page.locator("#notice")).to_be_hidden()
    visitor.sees_marks("missed", "a1", "b2", "c3", "d4")


def test_a_wrong_piece_is_asked_back_and_all_is_well_again(visitor: Visitor) -> None:
    visitor.give("LTRF")
    visitor.drag("DSQH", "b2")
    visitor.until("() => document.querySelector('#say').dataset.kind === 'mismatch'")
    visitor.sees_marks("take", "b2")
    visitor.spot("b2").focus()
    visitor.press("Escape")
    visitor.until("() => document.querySelector('#say').dataset.kind !== 'mismatch'")
    visitor.place("LTRF", "b2")


def test_two_spectators_see_what_a_player_does_and_a_reload_in_mid_game_changes_nothing(
    board: Running, visit: Visits
) -> None:
    player, first, second = visit(board), visit(board), visit(board, viewport={"width": 360, "height": 740})
    player.play("LTRF b2")
    player.give("DSQH")
    player.page.reload()
    player.wait_until_shown()
    for visitor in (first, second, player):
        visitor.sees("LTRF", "b2")
        visitor.sees("DSQH", "offer")
        visitor.hears("dark, short, square, hollow")
    player.place("DSQH", "c3")


def test_the_page_comes_back_by_itself_after_the_board_was_started_again(visit: Visits) -> None:
    with simulated() as board:
        visitor = visit(board)
        visitor.play("LTRF b2")
        port = board.port
    expect(visitor.page.locator("#connection")).to_be_visible(timeout=PATIENCE_MS)
    visitor.complaints.clear()
    with simulated(port=port):
        expect(visitor.page.locator("#connection")).to_be_hidden(timeout=PATIENCE_MS)
        visitor.complaints.clear()  # a browser itself writes down each attempt that failed
        visitor.in_phase("choose")
        visitor.play("DSQH c3")
        visitor.page.close()
