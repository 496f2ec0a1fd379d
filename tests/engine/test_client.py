"""The client against scripted programs in real processes: what it sends and what it makes of the answers."""

import sys
from pathlib import Path

import pytest

from quarto_pi.engine.client import EngineFailure, EngineProcess, ask_once, parse_best
from quarto_pi.engine.solver import Move
from quarto_pi.rules import NotationError, Options, Trait, parse_digit, parse_position, parse_square

POSITION = parse_position("..../.7../..../.... c")


def scripted(tmp_path: Path, script: str) -> EngineProcess:
    """An engine whose answers are this script: `said` is a function that returns the next line it is sent."""
    program = tmp_path / "engine.py"
    program.write_text(
        "import sys\n"
        f"log = open({str(tmp_path / 'log')!r}, 'w', buffering=1)\n"
        "def said():\n    line = sys.stdin.readline().strip()\n    print(line, file=log)\n    return line\n"
        "def say(line):\n    print(line, flush=True)\n" + script,
        encoding="utf-8",
    )
    return EngineProcess([sys.executable, str(program)])


def heard(tmp_path: Path) -> list[str]:
    return (tmp_path / "log").read_text(encoding="utf-8").splitlines()


def test_greeting_waits_for_qepok(tmp_path: Path) -> None:
    with scripted(tmp_path, "said()\nsay('id name Scripted')\nsay('qepok')\nsaid()\n") as engine:
        engine.greet()
    assert heard(tmp_path) == ["qep", "quit"]


def test_rules_level_and_seed_are_told_before_the_game(tmp_path: Path) -> None:
    script = "while said() != 'isready':\n    pass\nsay('readyok')\nsaid()\n"
    with scripted(tmp_path, script) as engine:
        engine.set_rules(Options(squares=True, traits=(Trait.TOP,)), level=3, seed=5)
    assert heard(tmp_path)[:6] == [
        "newgame",
        "setoption name Squares value true",
        "setoption name Traits value top",
        "setoption name Level value 3",
        "setoption name Seed value 5",
        "isready",
    ]


def test_a_program_is_told_only_of_options_that_it_has(tmp_path: Path) -> None:
    script = "said()\nsay('option name Squares type check default false')\nsay('qepok')\n"
    script += "while said() != 'isready':\n    pass\nsay('readyok')\nsaid()\n"
    with scripted(tmp_path, script) as engine:
        engine.greet()
        assert engine.options == frozenset({"Squares"})
        engine.set_rules(Options(squares=True), seed=5)
        with pytest.raises(EngineFailure, match="has no option Traits"):
            engine.choose_rules(Options(traits=(Trait.TOP,)))
        with pytest.raises(EngineFailure, match="has no option Level"):
            engine.choose_rules(Options(), level=3)
    assert heard(tmp_path)[:4] == ["qep", "newgame", "setoption name Squares value true", "isready"]


def test_a_program_that_refuses_the_rules_is_not_played_with(tmp_path: Path) -> None:
    script = "while said() != 'isready':\n    pass\nsay('error no squares here')\nsay('readyok')\nsaid()\n"
    with scripted(tmp_path, script) as engine, pytest.raises(EngineFailure, match="error no squares here"):
        engine.set_rules(Options(squares=True))


def test_a_line_that_never_ends_is_not_kept(tmp_path: Path) -> None:
    with scripted(tmp_path, "said()\nsay('x' * 1_000_000)\nsay('qepok')\nsaid()\n") as engine:
        engine.send("qep")
        assert len(engine.line(None)) < 20_000
        assert engine.line(None) == "qepok"


def test_one_question_is_asked_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = "said()\nsay('qepok')\nsaid()\nsaid()\nsaid()\nsay('info depth 1')\nsay('bestmove a1 0')\nsaid()\n"
    scripted(tmp_path, script).close()
    command = [sys.executable, str(tmp_path / "engine.py")]
    assert ask_once(["--go", "nodes 5", "--set", "Level 3", f"{POSITION}", *command]) == 0
    assert capsys.readouterr().out == "info depth 1\nbestmove a1 0\n"
    assert heard(tmp_path) == ["qep", "setoption name Level value 3", f"position {POSITION}", "go nodes 5", "quit"]
    assert ask_once([f"{POSITION}", "no-such-engine"]) == 1
    assert capsys.readouterr().err.endswith("'no-such-engine' cannot be started: No such file or directory.\n")
    assert ask_once(["..../.... c"]) == 2


def test_a_move_is_read_from_the_bestmove_line_and_info_lines_are_passed_over(tmp_path: Path) -> None:
    script = "said()\nsaid()\nsay('info depth 1 nodes 1 time 1 value draw pv a1 0')\nsay('bestmove a1 0')\nsaid()\n"
    with scripted(tmp_path, script) as engine:
        assert engine.choose(POSITION, "go movetime 5") == Move(parse_square("a1"), parse_digit("0"))
    assert heard(tmp_path)[:2] == [f"position {POSITION}", "go movetime 5"]


def test_an_error_line_is_a_failure_that_quotes_it(tmp_path: Path) -> None:
    with (
        scripted(tmp_path, "said()\nsay('error no such thing')\nsaid()\nsaid()\n") as engine,
        pytest.raises(EngineFailure, match="error no such thing"),
    ):
        engine.choose(POSITION)


def test_an_engine_that_ends_is_a_failure_not_a_hang(tmp_path: Path) -> None:
    with scripted(tmp_path, "said()\n") as engine, pytest.raises(EngineFailure, match="has ended"):
        engine.choose(POSITION)


def test_what_an_engine_says_that_is_no_text_is_passed_over(tmp_path: Path) -> None:
    script = "said()\nsys.stdout.buffer.write(b'\\xff\\xfe\\n')\nsay('qepok')\nsaid()\n"
    with scripted(tmp_path, script) as engine:
        engine.greet()


def test_an_engine_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    with scripted(tmp_path, "while said():\n    pass\n") as engine:
        with pytest.raises(EngineFailure, match=r"has not answered for 0.01 seconds"):
            engine.choose(POSITION, seconds=0.01)
        engine.close()
        engine.close()


def test_a_program_that_does_not_exist_is_named() -> None:
    with pytest.raises(EngineFailure, match="'no-such-engine' cannot be started"):
        EngineProcess(["no-such-engine"])


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("bestmove b2 7", Move(parse_square("b2"), parse_digit("7"))),
        ("bestmove - 7", Move(None, parse_digit("7"))),
        ("bestmove c2 - call", Move(parse_square("c2"), None, call=True)),
    ],
)
def test_bestmove_lines_are_read(line: str, move: Move) -> None:
    assert parse_best(line) == move


@pytest.mark.parametrize("line", ["bestmove", "bestmove b2", "bestmove b2 7 shout", "best b2 7", "bestmove e9 7"])
def test_wrong_bestmove_lines_are_refused(line: str) -> None:
    with pytest.raises(NotationError):
        parse_best(line)
