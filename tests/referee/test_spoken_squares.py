"""A board that speaks squares: what hands take up and put down is said with its square, and all of it when asked."""

from __future__ import annotations

from collections.abc import Iterable

from quarto_pi.referee import Effect, Settings, Speak
from quarto_pi.referee.menu import Item, items_of
from quarto_pi.referee.messages import WhatStands
from quarto_pi.rules import Piece, parse_piece
from quarto_pi.words import Words
from tests.stranger.channels import VoiceChannel
from tests.stranger.visit import Room

LTRF, DSQH = parse_piece("LTRF"), parse_piece("DSQH")
SHORT, HELD_FOR_MENU, HELD_TO_CHOOSE = 120, 3_200, 1_200


class Listener(VoiceChannel):
    """Somebody who minds what is said of squares."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.squares: list[tuple[tuple[str, Piece], ...]] = []

    def take(self, now: int, effects: Iterable[Effect]) -> None:
        """Hear what is said."""
        effects = tuple(effects)
        super().take(now, effects)
        for effect in effects:
            if isinstance(effect, Speak) and isinstance(effect.message, WhatStands):
                self.squares.append(effect.message.pieces)


def room(settings: Settings) -> tuple[Room, Listener]:
    """A table and somebody who listens."""
    table, listener = Room(settings, "voice", 0), Listener(settings)
    table.channel = listener
    table.wait(1_500)
    return table, listener


def turn(table: Room, piece: Piece, square: str) -> None:
    """Give a piece and place it."""
    for cell in ("offer", square):
        table.put(piece, cell)
        table.wait(2_000)


def choose_to_hear(table: Room, steps: int) -> None:
    """Choose in the menu that squares are spoken: the next value, or the one that it has."""
    presses = items_of(Settings(voice=True)).index(Item.SPEAK_SQUARES)
    for held in (HELD_FOR_MENU, *[SHORT] * presses, HELD_TO_CHOOSE, *[SHORT] * steps, HELD_TO_CHOOSE):
        table.press(held)
        table.wait(400)


def test_what_is_put_down_is_said_with_its_square() -> None:
    table, listener = room(Settings(voice=True, speaks_squares=True))
    turn(table, LTRF, "c2")
    assert listener.squares[0] == (("offer", LTRF),)
    assert listener.squares[-1] == (("c2", LTRF),)


def test_piece_that_is_felt_and_put_back_is_said_once() -> None:
    table, listener = room(Settings(voice=True, speaks_squares=True))
    turn(table, LTRF, "c2")
    turn(table, DSQH, "b3")
    listener.squares.clear()
    table.lift(LTRF)
    table.wait(3_000)
    table.put(LTRF, "c2")
    table.wait(3_000)
    assert listener.squares == [(("c2", LTRF),)]


def test_all_that_stands_is_said_when_it_is_asked_for_in_the_menu() -> None:
    table, listener = room(Settings(voice=True))
    turn(table, LTRF, "c2")
    turn(table, DSQH, "b3")
    assert listener.squares == []
    choose_to_hear(table, steps=1)
    assert listener.squares == [(("c2", LTRF), ("b3", DSQH))]
    choose_to_hear(table, steps=0)
    assert listener.squares == [(("c2", LTRF), ("b3", DSQH))] * 2
    assert Words("en").say(WhatStands(listener.squares[0])) == (
        "c2: light, tall, round, solid. b3: dark, short, square, hollow."
    )


def test_board_that_does_not_speak_squares_says_nothing_of_them() -> None:
    table, listener = room(Settings(voice=True))
    turn(table, LTRF, "c2")
    assert listener.squares == []
