"""The engine in conversation, over a scripted wire: lines in, lines out."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from quarto_pi.engine.conversation import Conversation, EngineProcess
from quarto_pi.engine.solver import Solver
from quarto_pi.rules import Options, parse_position


class Wire:
    """A conversation whose answers are collected; `wait_for` waits until one begins with a word."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._said = threading.Condition()
        self.conversation = Conversation(self._send, lambda rules: Solver(rules, table_mb=4, use_book=False))

    def _send(self, line: str) -> None:
        with self._said:
            self.lines.append(line)
            self._said.notify_all()

    def say(self, *lines: str) -> list[bool]:
        return [self.conversation.hear(line) for line in lines]

    def wait_for(self, word: str) -> str:
        with self._said:
            self._said.wait_for(lambda: any(line.startswith(word) for line in self.lines))
            return next(line for line in self.lines if line.startswith(word))


@pytest.fixture
def wire() -> Wire:
    return Wire()


HARD = "position ..../.7../..../.... c"
EASY = "position 126c/..../09../.4ba f"


def test_the_engine_says_who_it_is_what_can_be_set_and_that_it_understands(wire: Wire) -> None:
    wire.say("qep")
    assert wire.lines[0].startswith("id name quarto-pi ")
    assert wire.lines[-1] == "qepok"
    assert all(line.startswith("option name ") for line in wire.lines[1:-1])


def test_a_move_is_found_and_info_comes_before_it(wire: Wire) -> None:
    wire.say("isready", "newgame", EASY, "go")
    assert wire.wait_for("bestmove") == "bestmove c3 5"
    assert wire.lines[0] == "readyok"
    assert wire.lines[1].startswith("info depth 7 nodes ")
    assert "value win pv c3 5" in wire.lines[-2]


def test_a_win_is_placed_and_called(wire: Wire) -> None:
    wire.say("position ..../..../..../048. 1", "go")
    assert wire.wait_for("bestmove") == "bestmove d1 - call"


def test_the_last_piece_is_placed_without_giving(wire: Wire) -> None:
    wire.say("setoption name Traits value top", "position 0123/4567/89ab/cde. f", "go")
    assert wire.wait_for("bestmove") in ("bestmove d1 -", "bestmove d1 - call")


def test_stop_is_answered_at_once_with_the_best_so_far(wire: Wire) -> None:
    wire.say(HARD, "go")
    wire.say("stop")
    assert wire.lines[-1].startswith("bestmove ")
    assert not wire.lines[-1].startswith("bestmove -")


def test_a_node_budget_is_kept(wire: Wire) -> None:
    wire.say(HARD, "go nodes 20000")
    wire.wait_for("bestmove")
    nodes = [int(line.split()[4]) for line in wire.lines if line.startswith("info")]
    assert max(nodes) <= 40_000


def test_a_move_time_is_kept_by_the_search_on_its_own(wire: Wire) -> None:
    wire.say(HARD, "go movetime 50")
    assert wire.wait_for("bestmove").startswith("bestmove ")


def test_while_a_search_is_under_way_only_questions_and_stop_are_heard(wire: Wire) -> None:
    wire.say(HARD, "go", "isready", EASY, "go", "setoption name Level value 3", "newgame", "stop")
    assert [line for line in wire.lines if not line.startswith(("info", "bestmove"))] == [
        "readyok",
        *["error a search is under way: send 'stop' first, or wait for its bestmove."] * 4,
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hello", "'hello' is not a command"),
        ("position 126c/..../09../.4ba", "a position has two parts"),
        ("setoption name Level value 11", "Level is a whole number from 1 to 10"),
        ("go movetime", "has no number after it"),
    ],
)
def test_wrong_input_is_an_error_line_and_the_engine_stays_alive(wire: Wire, line: str, said: str) -> None:
    assert wire.say(line, "isready") == [True, True]
    assert wire.lines[0].startswith("error ")
    assert said in wire.lines[0]
    assert wire.lines[1] == "readyok"


def test_a_full_board_has_no_move(wire: Wire) -> None:
    wire.say("position 0123/4567/89ab/cdef -", "go")
    assert wire.lines == ["error all sixteen pieces are placed: there is no move to be found."]


def test_blank_lines_are_passed_over(wire: Wire) -> None:
    assert wire.say("", "   ") == [True, True]
    assert wire.lines == []


def test_quit_ends_the_conversation_and_a_search_with_it(wire: Wire) -> None:
    assert wire.say(HARD, "go", "quit") == [True, True, False]
    assert wire.lines[-1].startswith("bestmove ")


def test_a_search_ends_quietly_when_the_client_has_gone() -> None:
    def send(_line: str) -> None:
        raise BrokenPipeError

    conversation = Conversation(send, lambda rules: Solver(rules, table_mb=4, use_book=False))
    conversation.hear("go nodes 1")
    # An exception that leaves the thread would be a warning, and so a failure of this test.
    conversation.finish()


@pytest.mark.slow
def test_options_change_the_rules_of_the_search(wire: Wire) -> None:
    position = "position ..../..../4.../08.. 1"
    wire.say(position, "setoption name Squares value true", "go")
    wire.wait_for("bestmove")
    assert wire.lines[-1] == "bestmove b2 - call"


def test_a_seed_repeats_the_moves_of_a_weak_level(wire: Wire) -> None:
    for _ in range(2):
        wire.say("newgame", "setoption name Level value 2", "setoption name Seed value 7", HARD, "go", "stop")
    first, second = (line for line in wire.lines if line.startswith("bestmove"))
    assert first == second


@pytest.mark.slow
def test_the_engine_runs_in_a_process_of_its_own_with_low_priority() -> None:
    with EngineProcess([sys.executable, "-m", "quarto_pi", "engine"]) as engine:
        engine.greet()
        engine.set_rules(Options(), level=10, seed=1)
        assert str(engine.choose(parse_position("126c/..../09../.4ba f"))) == "c3 5"
        assert os.getpriority(os.PRIO_PROCESS, engine.process_id) >= 10


def test_the_next_command_may_follow_the_answer_at_once() -> None:
    class Eager(Wire):
        """A program that sends its next position while the answer is still being sent."""

        def _send(self, line: str) -> None:
            super()._send(line)
            if line.startswith("bestmove"):
                self.say(EASY)

    eager = Eager()
    eager.say(EASY, "go")
    eager.wait_for("bestmove")
    eager.conversation.finish()
    assert not [line for line in eager.lines if line.startswith("error")]
