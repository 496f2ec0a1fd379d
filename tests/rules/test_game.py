"""Whose turn it is and what can be asked of a game (R2, R3), and games from a position."""

from __future__ import annotations

import pytest

from quarto_pi.rules import (
    PIECES,
    Calling,
    Game,
    NothingToUndo,
    Options,
    Phase,
    Player,
    Position,
    WrongMoment,
    parse_position,
)
from tests.rules.script import FULL, OPENED_BY_A, A, B, names, play, refuse


@pytest.mark.parametrize("starter", list(Player))
def test_r2_the_starter_gives_the_first_piece_and_the_opponent_places_it(starter: Player) -> None:
    game = Game(starter=starter)
    assert (game.phase, game.to_act, game.giver, game.receiver) == (Phase.GIVE, starter, starter, starter.other)
    game = play("7", game)
    assert (game.phase, game.to_act) == (Phase.PLACE, starter.other)


@pytest.mark.parametrize("starter", list(Player))
def test_r3_who_places_gives_the_next_piece_to_the_other(starter: Player) -> None:
    game = Game(starter=starter)
    acting = []
    for word in ["7", "b2", "c", "a1", "4", "c4", "0", "d3"]:
        acting.append(game.to_act)
        game = play(word, game)
    other = starter.other
    assert acting == [starter, other, other, starter, starter, other, other, starter]
    assert [turn.player for turn in game.turns] == [other, starter, other, starter]
    assert (game.maker, game.to_act) == (starter, starter)


def test_r3_before_the_first_placement_nobody_is_maker() -> None:
    assert Game().maker is None
    assert play("7").maker is None
    assert Game().last_turn is None


def test_r3_nobody_is_to_act_in_the_final_call_and_after_the_end() -> None:
    assert play(FULL).to_act is None
    assert play(FULL + " clear").to_act is None


def test_r1_the_available_pieces_are_neither_on_the_board_nor_in_hand() -> None:
    assert Game().available == PIECES
    assert play("7 b2 c").available == tuple(p for p in PIECES if p.digit not in "7c")
    assert play(FULL).available == ()


def test_a_game_tells_its_position() -> None:
    assert str(play("7 b2 c").position) == "..../..../.7../.... c"
    assert str(Game().position) == "..../..../..../.... -"


def test_r8_alignments_of_a_position_have_lapsed() -> None:
    game = Game.from_position(parse_position("..../..../..../0123 -"))
    assert (game.open, names(game.missed)) == ((), {("a1 b1 c1 d1", "light tall")})
    game = play(f"call{game.giver.value}", game)
    assert (game.over, game.calls[-1].valid) == (False, False)


def test_r5_r6_a_position_is_read_by_the_options_of_its_game() -> None:
    position = parse_position("..../..../03../56.. 8")
    assert Game.from_position(position).missed == ()
    assert names(Game.from_position(position, Options(squares=True)).missed) == {("a1 b1 a2 b2", "light")}


def test_d7_an_alignment_of_a_position_is_not_declared_in_automatic_mode() -> None:
    game = Game.from_position(parse_position("..../..../..../0123 8"), Options(calling=Calling.AUTO))
    assert not play("a2", game).over


@pytest.mark.parametrize(
    ("text", "to_act"), [("..../..../..../01.. -", A), ("..../..../..../01.. 8", B), ("..../..../..../0... -", B)]
)
def test_r3_a_game_from_a_position_goes_on_with_whose_turn_it_is(text: str, to_act: Player) -> None:
    game = Game.from_position(parse_position(text), starter=A, now=700)
    assert (game.to_act, game.now, str(game.position)) == (to_act, 700, text)


def test_a_game_from_a_position_is_played_to_its_end() -> None:
    game = play("d1 call1", Game.from_position(parse_position("..../..../..../012. 3"), starter=B))
    assert game.result is not None
    assert (game.result.winner, names(game.result.alignments)) == (B, {("a1 b1 c1 d1", "light tall")})


def test_d5_d9_what_came_before_a_position_can_be_neither_moved_nor_undone() -> None:
    game = Game.from_position(parse_position("..../..../..../012. -"))
    refuse(game, ">a4", WrongMoment, "no piece has just been placed")
    refuse(game, "undo", NothingToUndo, "nothing to take back")


def test_no_game_goes_on_from_a_full_board() -> None:
    with pytest.raises(ValueError, match="all sixteen pieces are placed"):
        Game.from_position(Position(play(FULL).board))


def test_games_are_compared_by_their_state_and_not_by_their_news() -> None:
    just_given, looked_at_again = play("7"), play("7 @0")
    assert just_given.news
    assert not looked_at_again.news
    assert just_given == looked_at_again
    assert play(OPENED_BY_A) != play("0 a1 1 b1 3 d1 2 c1")
