"""Newcomers at the keyboard, in every language: they type nothing but what the help and the pictures have told them."""

from __future__ import annotations

import re
from random import Random

import pytest

from quarto_pi.engine.opponent import Opponent
from quarto_pi.engine.solver import Solver
from quarto_pi.languages import LANGUAGES
from quarto_pi.rules import PIECES, Calling, FalseCallRule, Options, Player, Trait
from quarto_pi.terminal.picture import PLAIN_INK, columns_of, ink_for
from quarto_pi.terminal.table import ComputerPlayer, TerminalGame
from quarto_pi.words import Words

every_language = pytest.mark.parametrize("language", LANGUAGES)

VARIANTS = {
    "usual": Options(),
    "squares": Options(squares=True),
    "two traits": Options(traits=(Trait.COLOUR, Trait.SHAPE), false_call=FalseCallRule.FORFEIT),
    "automatic": Options(calling=Calling.AUTO),
}


def orders_in(help_text: str) -> list[str]:
    """What the help says can be typed: the first of the two columns behind the last empty line."""
    rows = help_text.rpartition("\n\n")[2].splitlines()
    return [re.split(r"\s{2,}", row.strip())[0] for row in rows]


def play_by_what_is_read(table: TerminalGame, random: Random) -> str:
    """Give what lies on the shelf, by its letters or its number in turn, and place on squares that look empty."""
    shown = table.welcome()
    told = shown
    while not table.closed:
        board, _, below = shown.partition("a       b       c       d")
        shelf = re.findall(r"\b([LD][TS][RQ][FH]) ([0-9a-f])\b", below)
        if len(shelf) > 0:
            shown = table.hear(random.choice(random.choice(shelf)))
        elif re.search(r"[(\[].[*o].[)\]]", below):
            rows = [row for row in board.splitlines() if re.match(r" ?\d? *\|", row)]
            cells = [[cell.strip() for cell in row[4:-1].split("|")] for row in rows]
            empty = [
                f"{'abcd'[column]}{4 - rank}"
                for rank in range(4)
                for column in range(4)
                if not cells[2 * rank][column] and not cells[2 * rank + 1][column]
            ]
            shown = table.hear(random.choice(empty))
        else:
            shown = table.hear("")
        told += shown
    return told


@every_language
def test_two_people_play_a_whole_game_by_what_they_read(language: str) -> None:
    for seed in range(3):
        table = TerminalGame(Options(), Player.A, PLAIN_INK, words=Words(language))
        told = play_by_what_is_read(table, Random(seed))
        assert table.game.result is not None
        assert Words(language).player(Player.B) in told


@every_language
def test_a_child_plays_a_whole_game_against_the_computer(language: str) -> None:
    computer = ComputerPlayer(Player.B, Opponent(1, Solver(Options(), table_mb=1), 5))
    table = TerminalGame(Options(), Player.A, PLAIN_INK, computer, Words(language))
    play_by_what_is_read(table, Random(2))
    assert table.game.result is not None


@every_language
def test_everything_that_the_help_names_can_be_typed(language: str) -> None:
    table = TerminalGame(Options(), Player.A, PLAIN_INK, words=Words(language))
    letters, square, quarto, instead, move, undo, board, again, leave = orders_in(table.help())
    assert (quarto, undo, board, again, leave) == ("quarto", "undo", "board", "help", "quit")
    table.hear(letters.split()[-1])
    table.hear(instead.replace("f", "0"))
    assert table.game.hand == PIECES[0]
    table.hear(square)
    assert table.game.board.count == 1
    table.hear(move.replace(square, "c3"))
    assert table.game.board.empty_squares[0].name == square
    table.hear(undo)
    assert table.game.board.count == 0
    assert table.hear(board) == table.view()
    assert table.hear(again) == table.help()
    table.hear(leave)
    assert table.closed


@every_language
@pytest.mark.parametrize("variant", VARIANTS)
def test_help_tells_the_rules_in_play_and_fits_the_terminal(language: str, variant: str) -> None:
    words, options = Words(language), VARIANTS[variant]
    shown = TerminalGame(options, Player.A, PLAIN_INK, words=words).help()
    assert max(map(columns_of, shown.splitlines())) < 80
    rules = set(words.typed().rules(options))
    assert rules <= set(shown.splitlines())
    assert rules - set(words.typed().rules(Options())) or variant in ("usual", "automatic")
    assert ("quarto" in orders_in(shown)) is (options.calling is Calling.BUTTON)


@every_language
def test_the_columns_of_the_help_stand_below_each_other(language: str) -> None:
    words = Words(language)
    ink = ink_for("utf-8", {}, language)
    table = TerminalGame(Options(), Player.A, ink, words=words)
    orders = words.typed().orders(Options(), PIECES[-1], table.game.board.empty_squares[0])
    rows = table.help().rpartition("\n\n")[2].splitlines()
    assert len({columns_of(row.removesuffix(meaning)) for row, (_, meaning) in zip(rows, orders, strict=True)}) == 1
    # Where dots may be as wide as a Chinese character, others are taken.
    assert (ink == PLAIN_INK) is (language == "zh_TW")
