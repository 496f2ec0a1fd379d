import io

import pytest

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.protocol import (
    EngineSettings,
    Go,
    Hello,
    IsReady,
    Limits,
    NewGame,
    Quit,
    SetOption,
    SetPosition,
    Stop,
    bounded_lines,
    change_settings,
    format_best,
    format_progress,
    parse_command,
)
from quarto_pi.engine.solver import Move, Progress
from quarto_pi.rules import Options, QuartoError, Trait, parse_digit, parse_position, parse_square


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("qep", Hello()),
        ("  isready ", IsReady()),
        ("newgame", NewGame()),
        ("stop", Stop()),
        ("quit", Quit()),
        ("setoption name Level value 3", SetOption("Level", "3")),
        ("position ..../.7../..../.... c", SetPosition(parse_position("..../.7../..../.... c"))),
        ("go", Go(Limits())),
        ("go movetime 500", Go(Limits(movetime_ms=500))),
        ("go nodes 1000 movetime 500", Go(Limits(movetime_ms=500, nodes=1000))),
        ("go infinite", Go(Limits(infinite=True))),
    ],
)
def test_a_line_of_the_protocol_is_understood(line: str, command: object) -> None:
    assert parse_command(line) == command


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("uci", "'uci' is not a command"),
        ("positon ..../..../..../.... -", "did you mean 'position'?"),
        ("position", "needs the ranks and the piece in hand"),
        ("position ..../..../.... -", "four ranks"),
        ("position ..../.7../..../.... 7", "piece 7 is in hand and on b3"),
        ("go movetime", "'movetime' has no number after it"),
        ("go movetime soon", "movetime is a whole number"),
        ("go movetime -1", "movetime is a whole number"),
        (f"go nodes {'9' * 5000}", "nodes is a whole number"),
        (f"go nodes {'9' * 10_000}", "a line has at most 10,000 characters"),
        ("go movetme 5", "did you mean 'movetime'?"),
        ("go infinite nodes 5", "'infinite' has no other limit beside it"),
        ("setoption Level 5", "setoption name Level value 5"),
        ("isready now", "'isready' stands alone"),
    ],
)
def test_a_wrong_line_gets_one_sentence_that_says_what_to_do(line: str, said: str) -> None:
    with pytest.raises(QuartoError) as caught:
        parse_command(line)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_options_change_the_settings() -> None:
    settings = EngineSettings()
    for name, value in ("Level", "3"), ("squares", "true"), ("Traits", "top,colour"), ("SEED", "7"):
        settings = change_settings(settings, SetOption(name, value))
    assert settings == EngineSettings(3, Options(squares=True, traits=(Trait.COLOUR, Trait.TOP)), 7)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("Level", "11", "Level is a whole number from 1 to 10, not '11'"),
        ("Level", "²", "Level is a whole number"),
        ("Squares", "yes", "true or false"),
        ("Traits", "color", "did you mean 'colour'?"),
        ("Seed", "-1", "Seed is a whole number"),
        ("Lvel", "3", "did you mean 'Level'?"),
        ("Hash", "3", "choose from Level, Squares, Traits, Seed"),
    ],
)
def test_a_wrong_option_gets_one_sentence_that_says_what_to_do(name: str, value: str, said: str) -> None:
    with pytest.raises(QuartoError) as caught:
        change_settings(EngineSettings(), SetOption(name, value))
    assert said in str(caught.value)


@pytest.mark.parametrize("line", ["position", "setoption", "setoption name Level"])
def test_a_command_without_its_words_gets_a_whole_sentence(line: str) -> None:
    with pytest.raises(QuartoError, match=r"\.$"):
        parse_command(line)


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (Move(parse_square("b2"), parse_digit("7")), "bestmove b2 7"),
        (Move(None, parse_digit("7")), "bestmove - 7"),
        (Move(parse_square("c2"), None, call=True), "bestmove c2 - call"),
        (Move(parse_square("d4"), None), "bestmove d4 -"),
    ],
)
def test_a_move_is_answered_with_dashes_for_what_does_not_apply(move: Move, line: str) -> None:
    assert format_best(move) == line


def test_progress_is_told_in_one_info_line() -> None:
    best = (Move(parse_square("b2"), parse_digit("7")),)
    assert format_progress(Progress(9, 1234, 56, GameValue.DRAW, best)) == (
        "info depth 9 nodes 1234 time 56 value draw pv b2 7"
    )
    assert format_progress(Progress(9, 0, 0, None, ())) == "info depth 9 nodes 0 time 0 value unknown pv"


def test_line_that_never_ends_is_not_kept() -> None:
    stream = io.StringIO(f"isready\n{'x' * 1_000_000}\nqep\nquit")
    asked: set[int] = set()

    def readline(size: int) -> str:
        asked.add(size)
        return stream.readline(size)

    lines = list(bounded_lines(readline))
    assert [len(line) for line in lines] == [len("isready\n"), 10_002, len("qep\n"), len("quit")]
    assert lines[2:] == ["qep\n", "quit"]
    assert 0 < min(asked) <= max(asked) <= 10_002
