"""The games that have ended since the start: their records, their positions, and what the coach thinks of the moves."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final

from quarto_pi.engine.coach import Judgement, judge
from quarto_pi.engine.solver import Budget, Move, OutOfBudget, Solver
from quarto_pi.rules import (
    Board,
    Game,
    NotationError,
    Piece,
    Position,
    Record,
    Square,
    parse_digit,
    parse_record,
    parse_square,
)
from quarto_pi.screens.attract import demonstration_games
from quarto_pi.trace.story import alignments_as_json
from quarto_pi.web.requests import Json, Refused
from quarto_pi.web.snapshot import known_language
from quarto_pi.web.streams import Feed
from quarto_pi.words import Words

# --- The coach's judgement of a whole game, found by a process of its own: a search must not slow the board down ------
#
# `python -m quarto_pi.web.games` reads a record and prints a JSON list, one entry for each move.

NODES_A_MOVE: Final = 5_000_000
COACH_TABLE_MB: Final = 16
JUDGING_SECONDS: Final = 600.0
MOST_GAMES: Final = 100
"""So many judgements are remembered; a game that somebody looks at again after that is judged anew."""
_POLITE: Final = 15


@dataclass(frozen=True, slots=True)
class Named:
    """A verdict by its name."""

    value: str


@dataclass(frozen=True, slots=True)
class Advice:
    """What would have been better."""

    square: Square | None
    give: Piece | None


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """What the coach thinks of a move, as the words take it."""

    verdict: Named
    better: Advice | None = None
    refutation: Square | None = None


def judge_game(game: Game, nodes: int = NODES_A_MOVE) -> list[Judgement | None]:
    """A judgement for each give-and-place of a record; None for what cannot be judged, or not in time."""
    solver = Solver(game.options, table_mb=COACH_TABLE_MB)
    return [_judge(solver, position, move, nodes) for position, move in moves_of(game)]


def moves_of(game: Game) -> list[tuple[Position, Move]]:
    """The moves of a game, each with the position in which it was made: give; place and give."""
    turns = game.turns
    placed = {turn.square for turn in turns}
    board = Board.of({square: piece for square, piece in game.board.pieces.items() if square not in placed})
    given = [turn.piece for turn in turns] + ([] if game.hand is None else [game.hand])
    moves = [(Position(board), Move(None, given[0]))] if given else []
    for index, turn in enumerate(turns, start=1):
        give = given[index] if index < len(given) else None
        called = any(
            call.valid and call.player is turn.player and call.placed == board.count + 1 for call in game.calls
        )
        moves.append((Position(board, turn.piece), Move(turn.square, None if called else give, call=called)))
        board = board.place(turn.square, turn.piece)
    return moves


def _judge(solver: Solver, position: Position, move: Move, nodes: int) -> Judgement | None:
    with suppress(OutOfBudget, NotationError):
        return judge(solver, position, move, Budget(nodes))
    return None


class Judges:
    """Asks for the judgement of one game after the other, and remembers what was said of the last ones.

    A game is known by its record: where no games are kept, the board may come to the same number again.
    """

    def __init__(self) -> None:
        self._known: dict[str, list[JudgedMove | None]] = {}
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()

    def of(self, record: str) -> list[JudgedMove | None] | None:
        """The verdicts of a game, None as long as they are not there; asks for them where nobody has yet."""
        if record not in self._asked:
            self._asked[record] = asyncio.create_task(self._ask(record))
            while len(self._asked) > MOST_GAMES:
                self._forget(next(iter(self._asked)))
        return self._known.get(record)

    def _forget(self, record: str) -> None:
        self._asked.pop(record).cancel()
        self._known.pop(record, None)

    async def done(self) -> None:
        """Wait until all that was asked has been answered."""
        await asyncio.gather(*self._asked.values())

    async def close(self) -> None:
        """Ask for nothing more."""
        for task in self._asked.values():
            task.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)

    async def _ask(self, record: str) -> None:
        async with self._one_at_a_time:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "quarto_pi.web.games",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
            try:
                async with asyncio.timeout(JUDGING_SECONDS):
                    output, _ = await process.communicate(record.encode("utf-8"))
                self._known[record] = [_verdict(each) for each in json.loads(output)]
            except (TimeoutError, ValueError):
                # A coach that says nothing is no reason to ask again and again.
                self._known[record] = []
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()


def _as_json(judgement: Judgement | None) -> Json | None:
    if judgement is None:
        return None
    better = judgement.better
    return {
        "verdict": judgement.verdict.value,
        "better": None
        if better is None
        else {"square": better.square and better.square.name, "give": better.give and better.give.digit},
        "refutation": judgement.refutation and judgement.refutation.name,
    }


def _verdict(told: dict[str, object] | None) -> JudgedMove | None:
    if told is None:
        return None
    better, refutation = told["better"], told["refutation"]
    advice = None
    if isinstance(better, dict):
        square, give = better["square"], better["give"]
        advice = Advice(parse_square(square) if square else None, parse_digit(give) if give else None)
    return JudgedMove(Named(str(told["verdict"])), advice, parse_square(str(refutation)) if refutation else None)


def judge_standard_input() -> None:
    """Judge the game on standard input."""
    os.nice(_POLITE)
    game = parse_record(sys.stdin.read()).game
    json.dump([_as_json(judgement) for judgement in judge_game(game)], sys.stdout)


if __name__ == "__main__":
    judge_standard_input()


# --- The games that have ended since the start ------------------------------------------------------------------------


class Games:
    """Reads them out of the feed; the coach is asked when somebody looks at a game for the first time."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._judges = Judges()

    def list(self) -> list[Json]:
        """All games that are still kept, the oldest first."""
        return [_summary(number, game) for number, game in list(self._feed.games)]

    def game(self, number: int) -> Json:
        """A game move by move; its judgements are there once the coach is done with it."""
        game = self._find(number)
        record = str(Record(game))
        verdicts = self._judges.of(record)
        moment = self._feed.moment
        words = _words(moment.view.settings.language if moment is not None else "en")
        return {
            **_summary(number, game),
            "record": record,
            **_told(game, verdicts, words),
        }

    def record(self, number: int) -> str:
        """A game as text."""
        return str(Record(self._find(number)))

    async def close(self) -> None:
        """Ask the coach nothing more."""
        await self._judges.close()

    def _find(self, number: int) -> Game:
        for each, game in list(self._feed.games):
            if each == number:
                return game
        raise Refused(404, f"there is no game {number}: it is not over, or long gone.")


@cache
def _words(language: str) -> Words:
    return Words(language)


@cache
def lesson_in(language: str) -> Json:
    """How to play: the pages that a board shows while nobody plays, and one of its games move by move.

    Raises `Refused` where the board does not speak that language.
    """
    words = _words(known_language(language))
    game = min((record.game for record in demonstration_games()), key=lambda each: len(each.turns))
    return {
        "language": language,
        "pages": [{"title": page.title, "text": page.text} for page in words.how_to_play()],
        "game": {**_summary(0, game), **_told(game, None, words)},
    }


def _told(game: Game, verdicts: list[JudgedMove | None] | None, words: Words) -> Json:
    return {
        "positions": [str(position) for position in positions(game)],
        "moves": _moves(game, verdicts, words),
        "judged": verdicts is not None,
    }


def positions(game: Game) -> list[Position]:
    """Every position of a game: before each give, and with each given piece in hand."""
    placed = {turn.square for turn in game.turns}
    board = Board.of({square: piece for square, piece in game.board.pieces.items() if square not in placed})
    found = [Position(board)]
    for turn in game.turns:
        found.append(Position(board, turn.piece))
        board = board.place(turn.square, turn.piece)
        found.append(Position(board))
    return found if game.hand is None else [*found, Position(board, game.hand)]


def _summary(number: int, game: Game) -> Json:
    result = game.result
    if result is None:
        raise Refused(404, f"game {number} is not over.")
    return {
        "number": number,
        "result": "draw"
        if result.winner is None and result.reason.value == "draw"
        else "unfinished"
        if result.winner is None
        else f"player {result.winner.value + 1}",
        "winner": None if result.winner is None else result.winner.value,
        "reason": result.reason.value,
        "moves": len(game.turns),
        "alignments": alignments_as_json(result.alignments),
        "missed": alignments_as_json(game.missed),
    }


def _moves(game: Game, verdicts: list[JudgedMove | None] | None, words: Words) -> list[Json]:
    """Give the first piece; then place and give, as in a record."""
    given = [turn.piece for turn in game.turns] + ([] if game.hand is None else [game.hand])
    made: list[Json] = []
    for index in range(len(game.turns) + 1):
        square = game.turns[index - 1].square.name if index else None
        give = given[index] if index < len(given) else None
        if square is None and give is None:
            continue
        player = game.turns[index - 1].player if index else game.starter
        verdict = verdicts[index] if verdicts is not None and index < len(verdicts) else None
        made.append(
            {
                "text": " ".join(part for part in (square, None if give is None else give.digit) if part),
                "player": player.value,
                "square": square,
                "give": None if give is None else give.letters,
                "judgement": None if verdict is None else words.judgement(verdict),
                "verdict": None if verdict is None else verdict.verdict.value,
            }
        )
    return made
