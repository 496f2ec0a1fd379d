"""The computer at the board: the same answers at once and from its own process, and none that is waited for in vain."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from quarto_pi.controller.computer import Computer, ThinkingComputer
from quarto_pi.engine.client import EngineFailure, EngineProcess
from quarto_pi.engine.solver import Solver
from quarto_pi.referee import Answer, Ask
from quarto_pi.rules import Options, Player, parse_position
from quarto_pi.wiring.board import start_engine

QUESTION = Ask(1, 4_321, Player.B, 4, Options(), parse_position("..../..../.01./2... 7"))
PATIENCE = 1_800.0


def wait_for(computer: ThinkingComputer) -> Answer:
    """Look in on the computer until it has an answer, as the loop does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = computer.answer()
        if answer is not None:
            return answer
        time.sleep(0.01)
    raise AssertionError("no answer")


@pytest.fixture(scope="module")
def thinking() -> ThinkingComputer:
    return ThinkingComputer(start_engine)


@pytest.mark.parametrize("level", [1, 4, 10])
def test_own_process_answers_as_a_replay_does(thinking: ThinkingComputer, level: int) -> None:
    question = replace(QUESTION, level=level)
    thinking.ask(question)
    assert wait_for(thinking) == Computer()(question)


def test_answer_to_a_question_that_was_dropped_is_never_given(thinking: ThinkingComputer) -> None:
    thinking.ask(replace(QUESTION, level=10))
    later = replace(QUESTION, number=2, position=parse_position("..../..../.01./2... 9"))
    thinking.ask(later)
    assert wait_for(thinking) == Computer()(later)
    assert thinking.answer() is None


def test_computer_sees_what_was_left_uncalled() -> None:
    position = parse_position("..../..../..../0123 7")
    asked = replace(QUESTION, level=10, position=position, uncalled=position.board.alignments())
    assert Computer()(asked).calls
    computer = ThinkingComputer(start_engine)
    computer.ask(asked)
    assert wait_for(computer).calls
    computer.close()


@pytest.mark.slow
@pytest.mark.parametrize(("board", "most"), [("..../..../.01./2... 7", 0), ("..../..../..../0123 7", 2)])
def test_solver_is_set_up_for_what_there_is_to_notice_and_not_at_every_look(
    monkeypatch: pytest.MonkeyPatch, board: str, most: int
) -> None:
    made: list[Options] = []

    def counted(rules: Options, *, table_mb: int, use_book: bool) -> Solver:
        made.append(rules)
        return Solver(rules, table_mb, use_book)

    monkeypatch.setattr("quarto_pi.controller.computer.Solver", counted)
    position = parse_position(board)
    computer = ThinkingComputer(start_engine)
    computer.ask(replace(QUESTION, level=10, position=position, uncalled=position.board.alignments()))
    wait_for(computer)
    for _ in range(10):
        computer.answer()
    computer.close()
    assert len(made) <= most


def failing(command: list[str]) -> Callable[[], EngineProcess]:
    return lambda: EngineProcess(command)


@pytest.mark.parametrize("program", ["import sys; sys.exit(1)", "print('bestmove nonsense', flush=True); input()"])
def test_engine_that_keeps_failing_is_done_without(program: str) -> None:
    computer = ThinkingComputer(failing([sys.executable, "-c", program]))
    computer.ask(QUESTION)
    answer = wait_for(computer)
    assert answer.number == 1
    assert answer.plan.square is not None
    assert answer.plan.give not in (None, QUESTION.position.hand)
    computer.close()


def test_engine_that_can_not_be_started_is_done_without() -> None:
    def start() -> EngineProcess:
        raise EngineFailure("no such program")

    computer = ThinkingComputer(start)
    computer.ask(QUESTION)
    assert wait_for(computer).plan.square is not None
