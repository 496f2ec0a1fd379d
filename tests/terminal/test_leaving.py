"""Ctrl-C and the end of the input leave, at every question of every command, with the terminal as it was."""

from __future__ import annotations

import io
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from types import FrameType

import pytest

from quarto_pi.cli import main
from tests.terminal.at_a_terminal import CTRL_C, CTRL_D, Came, Visit, visits
from tests.terminal.test_table import FOUR_SOLID_IN_A_ROW, FULL_BOARD

pytestmark = pytest.mark.slow

HEADER = '{"trace":1,"tags":{"04A1B2C3":"LTRF"}}'

ANSWERED: tuple[tuple[str, str], ...] = (("> ", "\r"),)
"""Two people: what is typed at the first question of `play`."""


def lines(typed: str) -> str:
    return "".join(f"{word}\r" for word in typed.split())


QUESTIONS: dict[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...], str]] = {
    # The command, what is typed to get to its question, and what that question ends with.
    "level": (("play",), (), "> "),
    "give": (("play",), ANSWERED, "do you give?\n> "),
    "place": (("play", "--starter", "1"), (*ANSWERED, ("give?\n> ", "0\r")), "place LTRF?\n> "),
    "last call": (("play", "--starter", "1"), (*ANSWERED, ("> ", lines(FULL_BOARD))), "press Enter.\n> "),
    "again": (("play", "--starter", "1"), (*ANSWERED, ("> ", lines(f"{FOUR_SOLID_IN_A_ROW} quarto"))), "leave.\n> "),
    "against the computer": (("play", "--level", "3"), (), "> "),
    "pin": (("config", "set", "page.pin", "-"), (), "page.pin: "),
    "engine": (("engine",), (("", "isready\r"),), "readyok\n"),
    "replay": (("replay", "-", "--json", "--shown"), (("", f"{HEADER}\r"),), '"read"}\n'),
}

OTHER = f"{sys.executable} -m quarto_pi engine"

RUNNING: dict[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...], str]] = {
    # Ctrl-D and Ctrl-C end a search that would go on for minutes.
    "engine that thinks": (("engine", "--no-book"), (("", "go\risready\r"),), "readyok\n"),
    "match": (("match", "level1", "level2", "--games", "100000"), (), "game 1 of"),
    "match of programs": (
        ("match", "level1", f"{sys.executable} -m quarto_pi engine", "--games", "9999"),
        (),
        "game 1 of",
    ),
    "simulate": (("simulate", "--no-browser", "--port", "0"), (), "Ctrl-C ends it."),
    "run": (("run", "--simulated"), (), "Ctrl-C ends it."),
    "watch": (("check", "--simulated", "--watch"), (), "reader"),
}
"""Commands that ask nothing, and what they show once they are at work."""

CODES = {
    # What ends in the middle of its work exits with 1; whoever leaves a game, a board or a conversation leaves well.
    ("engine", CTRL_C): 1,
    ("engine that thinks", CTRL_C): 1,
    ("replay", CTRL_C): 1,
    ("match", CTRL_C): 1,
    ("match of programs", CTRL_C): 1,
    ("pin", CTRL_C): 1,
    ("pin", CTRL_D): 2,
}


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Came]:
    """What came of each visit; all are made in one process."""
    folder = tmp_path_factory.mktemp("left")
    (folder / "quarto-pi.toml").write_text("[page]\npresent = true\n", encoding="utf-8")
    environment = {"QUARTO_PI_CONFIG": f"{folder / 'quarto-pi.toml'}", "XDG_STATE_HOME": f"{folder}"}
    wanted: dict[str, Visit] = {}
    for name, (arguments, typed, question) in QUESTIONS.items():
        for key in (CTRL_C, CTRL_D):
            wanted[f"{name} {key!r}"] = Visit(arguments, (*typed, (question, key)), environment, asks=True)
    for name, (arguments, typed, shown) in RUNNING.items():
        wanted[f"{name} {CTRL_C!r}"] = Visit(arguments, (*typed, (shown, CTRL_C)), environment)
    for name in OF_PLAY:
        arguments, typed, question = QUESTIONS[name]
        wanted[f"{name} quit"] = Visit(arguments, (*typed, (question, "quit\r")), environment, asks=True)
        helped = (*typed, (question, "help\r"), (question, CTRL_D))
        wanted[f"{name} help"] = Visit(arguments, helped, environment, asks=True)
    return visits(wanted)


OF_PLAY = ("level", "give", "place", "last call", "again")

LEFT_BY = [*((name, key) for name in QUESTIONS for key in (CTRL_C, CTRL_D)), *((name, CTRL_C) for name in RUNNING)]


@pytest.mark.parametrize(("name", "key"), LEFT_BY)
def test_a_key_leaves_without_a_traceback_and_with_the_terminal_as_it_was(
    left: dict[str, Came], name: str, key: str
) -> None:
    came = left[f"{name} {key!r}"]
    assert came.code == CODES.get((name, key), 0), came.shown[-500:]
    for wrong in ("Traceback", "Exception ignored", "Error:", "\x1b[?25l", "\x1b[?1049h"):
        assert wrong not in came.shown
    assert came.terminal_is_as_before
    assert came.shown.rfind("\x1b[") == came.shown.rfind("\x1b[0m") or name == "watch"
    assert came.shown.endswith("\n") or name in {"run", "watch", "simulate"}


@pytest.mark.parametrize("name", OF_PLAY)
def test_help_and_quit_work_at_every_question(left: dict[str, Came], name: str) -> None:
    helped, gone = left[f"{name} help"], left[f"{name} quit"]
    assert "with one thing in common: a Quarto!" in helped.shown
    for came in (helped, gone):
        assert "Goodbye!" in came.shown
        assert came.code == 0
        assert came.terminal_is_as_before


# --- Ctrl-C at any moment ---------------------------------------------------------------------------------------------


class Interruption:
    """Presses Ctrl-C once, at a call of a function that is chosen by its number; 0 never does."""

    def __init__(self, at: int = 0) -> None:
        self.calls = 0
        self._at = at

    def __call__(self, _frame: FrameType, event: str, _argument: object) -> None:
        if event in ("call", "c_call"):
            self.calls += 1
            if self.calls == self._at:
                signal.raise_signal(signal.SIGINT)


def interrupted(arguments: tuple[str, ...], typed: str, at: int, patch: pytest.MonkeyPatch) -> tuple[int, str, int]:
    """The exit code, what was shown, and how many calls there were."""
    out, interruption = io.StringIO(), Interruption(at)
    patch.setattr(sys, "stdin", io.StringIO(typed))
    with redirect_stdout(out), redirect_stderr(out):
        sys.setprofile(interruption)
        try:
            code = main(arguments)
        finally:
            sys.setprofile(None)
    return code, out.getvalue(), interruption.calls


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (("play", "--starter", "1", "--level", "2"), "help\n0\nb2\n"),
        (("play", "--starter", "1"), f"{FOUR_SOLID_IN_A_ROW} quarto".replace(" ", "\n")),
        (("solve", "126c/5.../093./.4ba f"), ""),
    ],
    ids=["against the computer", "two people", "solve"],
)
def test_ctrl_c_at_any_moment_ends_a_command_well(
    arguments: tuple[str, ...], typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is worked out once only is there by the second time.
    undisturbed = [interrupted(arguments, typed, 0, monkeypatch) for _ in range(2)]
    calls = min(made for _, _, made in undisturbed)
    whole = undisturbed[-1][1].splitlines()
    for part in range(1, 20):
        code, shown, made = interrupted(arguments, typed, part * calls // 20, monkeypatch)
        assert made >= part * calls // 20, part
        assert code in (0, 1), part
        assert "Traceback" not in shown, part
        # At the very end all that was asked for has been told.
        told = code == 0 and shown.splitlines()[1:] == whole[1:]
        assert told or "interrupted." in shown or "Goodbye!" in shown or "The game as text:" in shown, (part, shown)
