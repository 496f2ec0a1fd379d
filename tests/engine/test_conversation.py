"""The engine in conversation, over a scripted wire: lines in, lines out."""

from __future__ import annotations

import os
import random
import re
import sys
import threading
from collections.abc import Callable

import pytest

from quarto_pi.engine.client import EngineProcess
from quarto_pi.engine.conversation import Conversation, plain_move
from quarto_pi.engine.solver import Solver
from quarto_pi.engine.threats import candidates
from quarto_pi.rules import ALL_TRAITS, Board, Options, Piece, Square, parse_position
from tests.engine.positions import position_of, random_position


def searching(rules: Options) -> Solver:
    return Solver(rules, table_mb=4, use_book=False)


class Wire:
    """A conversation whose answers are collected; `wait_for` waits until one begins with a word."""

    def __init__(self, new_solver: Callable[[Options], Solver] = searching) -> None:
        self.lines: list[str] = []
        self._said = threading.Condition()
        self.conversation = Conversation(self._send, new_solver)

    def _send(self, line: str) -> None:
        with self._said:
            self.lines.append(line)
            self._said.notify_all()

    def say(self, *lines: str) -> list[bool]:
        return [self.conversation.hear(line) for line in lines]

    def wait_for(self, word: str, times: int = 1) -> str:
        """The last line that begins with a word, once that many do."""
        with self._said:
            self._said.wait_for(lambda: len(self.all_of(word)) >= times)
            return self.all_of(word)[-1]

    def all_of(self, word: str) -> list[str]:
        return [line for line in self.lines if line.startswith(word)]


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


def test_a_search_that_is_stopped_answers_with_the_best_that_it_has_told_of(wire: Wire) -> None:
    wire.say("position 126c/..../09../.4.. f", "go infinite")
    wire.wait_for("info")
    wire.say("stop")
    assert wire.lines[-1].removeprefix("bestmove ") == wire.all_of("info")[-1].partition(" pv ")[2]


def test_a_node_budget_is_kept(wire: Wire) -> None:
    wire.say(HARD, "go nodes 20000")
    wire.wait_for("bestmove")
    nodes = [int(line.split()[4]) for line in wire.lines if line.startswith("info")]
    assert max(nodes) <= 40_000


def test_a_move_time_is_kept_by_the_search_on_its_own(wire: Wire) -> None:
    wire.say(HARD, "go movetime 50")
    assert wire.wait_for("bestmove").startswith("bestmove ")


def test_a_search_that_has_found_everything_goes_on_until_it_is_stopped(wire: Wire) -> None:
    wire.say("position 0123/4567/89ab/cde. f", "go infinite")
    wire.wait_for("info")
    wire.say("isready")
    assert wire.lines[-1] == "readyok"
    assert wire.all_of("bestmove") == []
    wire.say("stop", "isready")
    assert wire.lines[-2:] == ["bestmove d1 - call", "readyok"]


class Held:
    """A solver that takes as long to set up as the test wants; nothing has been found before that."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.made: list[Solver] = []

    def __call__(self, rules: Options) -> Solver:
        self.let_go.wait()
        self.made.append(searching(rules))
        return self.made[-1]


@pytest.mark.parametrize("go", ["go", "go infinite", f"go movetime {2**63 - 1}", f"go nodes {2**63 - 1}"])
def test_a_search_ends_with_its_input_once_it_has_come_so_far_that_its_answer_is_worth_something(go: str) -> None:
    wire, easy = Wire(), Wire()
    wire.say(HARD, go)
    wire.conversation.finish()
    assert wire.lines[-1].startswith("bestmove ")
    easy.say(EASY, go)
    easy.conversation.finish()
    assert easy.lines[-1] == "bestmove c3 5"


def test_a_search_that_only_looks_into_the_book_ends_with_its_input_as_well() -> None:
    wire = Wire(lambda rules: Solver(rules, table_mb=1))
    wire.say("position ..../..../..../.... -", "go infinite")
    wire.conversation.finish()
    assert wire.lines[-1].startswith("bestmove - ")


@pytest.mark.parametrize("end", ["stop", "quit", None])
def test_who_does_not_want_to_wait_gets_a_sensible_move_before_anything_is_found(end: str | None) -> None:
    held = Held()
    wire = Wire(held)

    def let_go_once_answered() -> None:
        wire.wait_for("bestmove")
        held.let_go.set()

    threading.Thread(target=let_go_once_answered).start()
    wire.say("position ..../..../..../048. 1", "go")
    if end is None:
        wire.conversation.close()
    else:
        wire.say(end)
    # It was said before the solver was there; the search then ends without a word.
    assert wire.lines == ["bestmove d1 - call"]


def test_a_move_time_is_kept_where_the_search_does_not_look_at_the_clock() -> None:
    held = Held()
    wire = Wire(held)
    wire.say("position ..../..../..../04.. 8", "go movetime 1")
    square, give = wire.wait_for("bestmove").split()[1:]
    assert (square, give) == ("c1", "3")
    held.let_go.set()
    wire.say("isready")
    assert wire.lines[-1] == "readyok"
    assert len(wire.all_of("bestmove")) == 1


def test_what_is_set_while_an_abandoned_search_still_gets_ready_holds_for_the_next() -> None:
    held = Held()
    wire = Wire(held)
    wire.say(HARD, "go", "stop", "setoption name Squares value true", "position ..../..../4.../08.. 1")
    held.let_go.set()
    wire.say("go")
    assert wire.wait_for("bestmove", 2) == "bestmove b2 - call"
    assert [solver.rules.squares for solver in held.made] == [False, True]


def test_a_move_that_needs_no_search_wins_or_gives_no_win_away_where_that_can_be_helped() -> None:
    rng = random.Random(3)
    for _ in range(60):
        position = position_of(random_position(rng, rng.randint(1, 5)))
        move = plain_move(position, Options())
        wins = won_by(position.board, position.hand)
        assert move.call == bool(wins)
        if wins:
            assert move.square in wins
            continue
        safe = {
            (each.move.square, each.move.give)
            for each in candidates(position)
            if not won_by(each.left.board, each.left.hand)
        }
        assert not safe or (move.square, move.give) in safe


def won_by(board: Board, hand: Piece | None) -> set[Square]:
    """Where a piece completes something, by placing it everywhere."""
    if hand is None:
        return set()
    before = len(board.alignments(False, ALL_TRAITS))
    places = {square: board.place(square, hand) for square in board.empty_squares}
    return {square for square, after in places.items() if len(after.alignments(False, ALL_TRAITS)) > before}


def test_a_new_game_searches_as_at_first_with_the_tables_that_are_there() -> None:
    held = Held()
    held.let_go.set()
    wire = Wire(held)
    # Before the second move nothing is forgotten, so that it shows what that would save.
    for times, before in enumerate(("setoption name Seed value 1", "", "newgame"), 1):
        wire.say(before, "position 126c/..../09../.4.. f", "go nodes 3000")
        wire.wait_for("bestmove", times)
    told = "".join(f"{re.sub(' time [0-9]+', '', line)}\n" for line in wire.lines)
    first, second, third = re.split("bestmove .*\n", told)[:3]
    assert first == third != second
    assert len(held.made) == 1


def test_while_a_search_is_under_way_only_questions_and_stop_are_heard(wire: Wire) -> None:
    wire.say(HARD, "go infinite", "isready", EASY, "go", "setoption name Level value 3", "newgame", "stop")
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

    conversation = Conversation(send, searching)
    conversation.hear("go nodes 1")
    # An exception that leaves the thread would be a warning, and so a failure of this test.
    with pytest.raises(BrokenPipeError):
        conversation.hear("isready")


@pytest.mark.slow
def test_options_change_the_rules_of_the_search(wire: Wire) -> None:
    position = "position ..../..../4.../08.. 1"
    wire.say(position, "setoption name Squares value true", "go")
    wire.wait_for("bestmove")
    assert wire.lines[-1] == "bestmove b2 - call"


def test_a_seed_repeats_the_moves_of_a_weak_level(wire: Wire) -> None:
    for times in (1, 2):
        wire.say("newgame", "setoption name Level value 2", "setoption name Seed value 7", HARD, "go")
        wire.wait_for("bestmove", times)
    first, second = wire.all_of("bestmove")
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
    eager.conversation.close()
    assert not [line for line in eager.lines if line.startswith("error")]
