"""The engine's line protocol: every line is answered in lines, and the engine stays alive."""

from __future__ import annotations

from functools import lru_cache

from quarto_pi.engine.conversation import Conversation
from quarto_pi.engine.solver import Solver
from quarto_pi.rules import Options
from tests.fuzz.texts import as_words
from tests.fuzz.verdict import Broken, check_sentence


def engine(data: bytes) -> None:
    """A conversation of these lines; searches are stopped at once, because what they find is not the question."""
    answers: list[str] = []
    conversation = Conversation(answers.append, _solver)
    asked = 0
    for line in as_words(data).splitlines():
        before = len(answers)
        goes_on = conversation.hear(line)
        if not goes_on:
            break
        refused = any(answer.startswith("error") for answer in answers[before:])
        asked += line.split()[:1] == ["go"] and not refused
        conversation.hear("stop")
    conversation.hear("isready")
    if answers[-1] != "readyok":
        raise Broken(f"the engine does not answer any more, but said {answers[-1]!r}")
    if sum(answer.startswith("bestmove") for answer in answers) != asked:
        raise Broken(f"{asked} searches were begun, and the answers are {answers}")
    for answer in answers:
        _check(answer)


def _check(answer: str) -> None:
    if answer.startswith("error "):
        check_sentence(answer)
    if answer.startswith("error the search failed") or not answer.isprintable():
        raise Broken(answer)


@lru_cache(maxsize=64)
def _solver(options: Options) -> Solver:
    return Solver(options, table_mb=1)
