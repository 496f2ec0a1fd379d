"""The computer at the terminal's table, a whole game through."""

from functools import cache
from random import Random

import pytest

from quarto_pi.engine.opponent import Opponent
from quarto_pi.engine.solver import Solver
from quarto_pi.rules import Options, Phase, Player, Reason
from quarto_pi.terminal.picture import PLAIN_INK
from quarto_pi.terminal.table import ComputerPlayer, TerminalGame


@cache
def solver() -> Solver:
    """One for all, made when it is first wanted: what it begins with takes a second to work out."""
    return Solver(Options(), table_mb=16)


def table_against(level: int, starter: Player, seed: int = 1) -> TerminalGame:
    computer = ComputerPlayer(Player.B, Opponent(level, solver(), seed))
    return TerminalGame(Options(), starter, PLAIN_INK, computer)


def play_at_random(table: TerminalGame, random: Random) -> str:
    """Play the human's side by chance, never calling, and return all that was shown."""
    shown = table.welcome()
    while not table.closed:
        game = table.game
        if game.phase is Phase.PLACE:
            shown += table.hear(random.choice(game.board.empty_squares).name)
        elif game.phase is Phase.GIVE:
            shown += table.hear(random.choice(game.available).digit)
        else:
            shown += table.hear("")
    return shown


@pytest.mark.parametrize("starter", Player)
def test_the_computer_gives_first_where_it_starts_and_otherwise_waits(starter: Player) -> None:
    table = table_against(3, starter)
    welcome = table.welcome()
    assert ("The computer gives" in welcome) == (starter is Player.B)
    assert table.game.to_act is Player.A


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 5, 10])
def test_games_against_the_computer_come_to_an_end(level: int) -> None:
    for seed in range(4):
        table = table_against(level, Player(seed % 2), seed)
        play_at_random(table, Random(seed))
        assert table.game.result is not None


def test_the_strongest_level_calls_what_a_player_left_uncalled() -> None:
    table = table_against(10, Player.B)
    table.welcome()
    shown = play_at_random(table, Random(3))
    assert table.game.result is not None
    assert table.game.result.winner is Player.B
    assert table.game.result.reason is Reason.CALL
    assert "The computer wins!" in shown


def test_a_player_who_calls_quarto_is_the_human_whoever_has_the_turn() -> None:
    table = table_against(1, Player.A)
    table.welcome()
    assert "There's no Quarto: your" in table.hear("quarto")


def test_after_an_undo_the_computer_goes_on_from_there() -> None:
    table = table_against(3, Player.A)
    table.welcome()
    table.hear("0")
    table.hear("undo")
    assert table.game.board.count in (0, 1)
    table.hear("1") if table.game.phase is Phase.GIVE else None
    assert table.game.to_act is Player.A
