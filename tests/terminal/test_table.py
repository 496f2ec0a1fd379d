import pytest

from quarto_pi.rules import Calling, FalseCallRule, Options, Player, Reason
from quarto_pi.terminal.picture import PLAIN_INK
from quarto_pi.terminal.table import TerminalGame

FOUR_SOLID_IN_A_ROW = "0 a1 2 b1 4 c1 8 d1"
"""The fourth placement, by player A, completes an alignment of solid pieces: A gives first, so B places first."""

FULL_BOARD = "0 a1 1 b1 2 c1 c d1 4 a2 5 b2 6 c2 8 d2 b a3 a b3 9 c3 7 d3 f a4 e b4 d c4 3 d4"


def play(table: TerminalGame, typed: str) -> str:
    """Type words one after the other; what the table answered to the last."""
    answer = ""
    for word in typed.split():
        answer = table.hear(word)
    return answer


def new_table(options: Options | None = None) -> TerminalGame:
    return TerminalGame(options or Options(), Player.A, PLAIN_INK)


def test_the_welcome_says_who_starts_and_shows_all_pieces() -> None:
    welcome = new_table().welcome()
    assert "Player 1 starts" in welcome
    assert "LTRF" in welcome
    assert "DSQH" in welcome


def test_a_game_is_won_by_the_call_of_the_maker() -> None:
    table = new_table()
    answer = play(table, f"{FOUR_SOLID_IN_A_ROW} quarto")
    assert "QUARTO! Player 1 wins! a1 b1 c1 d1: all solid." in answer
    assert table.closed


def test_a_game_is_won_by_the_receiver_when_the_maker_did_not_see_it() -> None:
    assert "Player 2 wins!" in play(new_table(), f"{FOUR_SOLID_IN_A_ROW} f quarto")


def test_nothing_tells_of_an_alignment_before_it_is_called_or_has_lapsed() -> None:
    table = new_table()
    seen = play(table, FOUR_SOLID_IN_A_ROW) + table.prompt + play(table, "f") + table.prompt
    assert "issed" not in seen
    assert ">" not in seen
    assert "all solid" not in seen


def test_a_missed_alignment_is_told_when_the_next_piece_is_placed() -> None:
    assert "Missed! a1 b1 c1 d1: all solid." in play(new_table(), f"{FOUR_SOLID_IN_A_ROW} f d4")


def test_a_call_before_placing_waits_for_the_placement() -> None:
    table = new_table()
    assert "Player 1 called QUARTO! Now place the piece" in play(table, "0 a1 2 b1 4 c1 8 quarto")
    assert "Player 1 wins!" in play(table, "d1")


def test_a_false_call_is_told_and_the_game_goes_on() -> None:
    table = new_table()
    assert "there's no Quarto." in play(table, "0 a1 quarto")
    assert not table.closed


def test_a_false_call_loses_where_that_was_agreed() -> None:
    table = new_table(Options(false_call=FalseCallRule.FORFEIT))
    assert "That QUARTO doesn't count. Player 2 loses this game." in play(table, "0 a1 quarto")


def test_in_automatic_mode_the_table_declares_the_win_and_does_not_ask_for_calls() -> None:
    table = new_table(Options(calling=Calling.AUTO))
    play(table, "0 a1")
    assert "quarto" not in table.prompt
    assert "Player 1 wins!" in play(table, "2 b1 4 c1 8 d1")


def test_a_full_board_asks_for_a_last_call_and_is_a_draw_without_one() -> None:
    table = new_table()
    play(table, FULL_BOARD)
    assert "Do you see a Quarto?" in table.prompt
    answer = table.hear("")
    assert "draw" in answer
    assert table.game.result is not None
    assert table.game.result.reason is Reason.DRAW


def test_a_piece_just_placed_can_be_moved_and_taken_back() -> None:
    table = new_table()
    play(table, "0 a1")
    assert "places LTRF on c3" in table.hear("move c3")
    assert "LTRF is off c3" in table.hear("undo")


def test_enter_shows_the_board_again() -> None:
    table = new_table()
    assert table.hear("") == table.view() == table.hear("board")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["0", "a1", "XYZW"], "'XYZW' is no piece."),
        (["10"], "'10' is no piece. Type its letters or its number, such as DSQH or f."),
        (["0", "e1"], "'e1' is no square. Type a letter and a number, such as a1."),
        (["0", "a1", "0"], "LTRF can't be given any more. You can give: LTRH, LTQF"),
        (["0", "a1", "1", "a1"], "There is a piece on a1. Choose an empty square."),
        (["0", "a1", "1", "give 1"], "LTRH can't be given any more."),
        (["0", "a1", "move a1"], "There is a piece on a1."),
        (["0", "move a1"], "Only the piece placed last can be moved"),
        (["0", "a1", "move somewhere"], "'move somewhere' is no square."),
        (["undo"], "There's no move to undo yet."),
        (["shall we dance"], "I don't know 'shall we dance'. Type help"),
        (["quarto 3"], "I don't know 'quarto 3'."),
        ([f"\x1b[A{'x' * 200}"], "'?[Axxxx"),
        ([*FULL_BOARD.split(), "a1"], "I don't know 'a1'."),
        ([*FULL_BOARD.split(), "give 0"], "I don't know 'give 0'."),
    ],
)
def test_wrong_input_gets_one_clear_sentence_and_changes_nothing(typed: list[str], said: str) -> None:
    table = new_table()
    for line in typed[:-1]:
        table.hear(line)
    game = table.game
    answer = table.hear(typed[-1])
    assert answer.startswith(said)
    assert "\n" not in answer
    assert len(answer) < 150
    assert table.game == game


def test_quit_closes_the_table() -> None:
    table = new_table()
    table.hear("quit")
    assert table.closed


def test_who_loses_by_a_false_call_is_told_once_and_why() -> None:
    table = new_table(Options(false_call=FalseCallRule.FORFEIT))
    told = [line for line in play(table, "0 a1 quarto").splitlines() if "QUARTO" in line]
    assert told == ["Player 2: there's no Quarto. That QUARTO doesn't count. Player 2 loses this game."]
    assert table.closed
