import subprocess
import sys

from quarto_pi import __version__


def quarto_pi(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as its users do, in a process of its own."""
    return subprocess.run(  # noqa: S603 - the tests' own command
        [sys.executable, "-m", "quarto_pi", *arguments], input=typed, capture_output=True, text=True, check=False
    )


def test_version_is_the_package_s_one_version_number() -> None:
    assert quarto_pi("--version").stdout == f"quarto-pi {__version__}\n"


def test_help_lists_the_commands() -> None:
    shown = quarto_pi("--help")
    assert shown.returncode == 0
    assert "play" in shown.stdout


def test_wrong_usage_is_told_in_one_line_with_exit_code_2() -> None:
    for arguments in ((), ("dance",), ("play", "--traits", "color"), ("play", "--starter", "c")):
        wrong = quarto_pi(*arguments)
        assert wrong.returncode == 2
        assert wrong.stdout == ""
        assert len(wrong.stderr.splitlines()) == 1
        assert "--help" in wrong.stderr


def test_a_misspelt_trait_gets_the_nearest_one() -> None:
    assert "did you mean 'colour'?" in quarto_pi("play", "--traits", "color").stderr


def test_a_game_typed_into_play_ends_with_its_record() -> None:
    played = quarto_pi("play", "--starter", "a", typed="0\na1\n2\nb1\n4\nc1\n8\nd1\nquarto\n")
    assert played.returncode == 0
    assert "Player A wins!" in played.stdout
    assert "1. 0 2. a1 2 3. b1 4 4. c1 8 5. d1 call0" in played.stdout


def test_play_ends_well_when_the_input_ends() -> None:
    ended = quarto_pi("play", typed="")
    assert ended.returncode == 0
    assert ended.stderr == ""
    assert "Goodbye." in ended.stdout
