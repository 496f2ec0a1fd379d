"""The games that have ended since the start: their records, their positions, and what the coach thinks of them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from quarto_pi.engine.book import DEEPEST, GameValue
from quarto_pi.engine.coach import Judgement, Review, Worth, moves_of, plain_mistake, review
from quarto_pi.engine.solver import Solver
from quarto_pi.referee.between_games import hindsight_of
from quarto_pi.referee.messages import Slip
from quarto_pi.referee.settings import Seat
from quarto_pi.rules import (
    Board,
    Game,
    Piece,
    Player,
    Position,
    Reason,
    Record,
    Square,
    parse_digit,
    parse_record,
    parse_square,
)
from quarto_pi.screens.attract import demonstration_games
from quarto_pi.trace.story import alignments_as_json
from quarto_pi.web.snapshot import known_language
from quarto_pi.web.statistics import statistics_of
from quarto_pi.web.streams import EndedGame, Feed, Levels
from quarto_pi.web.wishes import Json, Refused
from quarto_pi.words import Words
from quarto_pi.words.terms import TWO_PEOPLE

# --- The coach's judgement of a whole game, found by a process of its own: a search must not slow the board down ------
#
# `python -m quarto_pi.web.games` reads a record and prints `judgements`, one for each move, and `worth`, one for each
# position.

NODES_A_MOVE: Final = 5_000_000
COACH_TABLE_MB: Final = 16
JUDGING_SECONDS: Final = 600.0
THINKING_SECONDS: Final = 120.0
"""How long the process is waited for, and how much of a processor's time it takes at most, but for one more look."""
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
    """What the coach thinks of a move, as the words take it; one that `costs` left a position that is worth less."""

    verdict: Named
    better: Advice | None = None
    refutation: Square | None = None
    costs: bool = True


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """What the coach says of a game: of each of its moves, and of each of its positions as the interface has it."""

    moves: tuple[JudgedMove | None, ...] = ()
    worth: tuple[Json | None, ...] = ()


def review_game(
    game: Game, nodes: int = NODES_A_MOVE, spent: Callable[[], float] = lambda: 0.0, most: float = THINKING_SECONDS
) -> list[Review]:
    """A review of each give-and-place of a record, each of its questions within so many nodes.

    Once so many seconds are `spent`, no more is worked out: what the book knows and the end of a game come first, for
    they take next to nothing, and the middle of it is what is left unknown on a slow machine.
    """
    solver = Solver(game.options, table_mb=COACH_TABLE_MB)
    moves = moves_of(game)
    order = sorted(range(len(moves)), key=lambda index: (moves[index][0].board.count >= DEEPEST, -index))
    found = {index: review(solver, *moves[index], nodes, lambda: spent() > most) for index in order}
    return [found[index] for index in range(len(moves))]


def worth_of_positions(game: Game, reviews: Sequence[Review]) -> list[tuple[Player, Worth] | None]:
    """For each position of a game, in the order of `positions`, whose turn it is and what it is worth to that player.

    None where that is not known, and after the last piece. Whoever is given a piece while an alignment is open has won
    by calling (R8), whatever placing is worth.
    """
    found: list[tuple[Player, Worth] | None] = [None] * len(positions(game))
    boards = [position.board for position in positions(game)]
    for index, each in enumerate(reviews):
        player = game.turns[index - 1].player if index else game.starter
        for place, worth in ((max(0, 2 * index - 1), each.before), (2 * index, each.placed)):
            if worth is not None:
                found[place] = (player, worth)
    for index in range(3, len(boards), 2):
        if _opens(game, boards[index - 3], boards[index]):
            receiver = game.turns[index // 2 - 1].player.other
            known = found[index]
            found[index] = (receiver, Worth(GameValue.WIN) if known is None else replace(known[1], value=GameValue.WIN))
    return found


def _opens(game: Game, before: Board, after: Board) -> bool:
    """Whether an alignment has come about that was not there."""
    rules = game.options.squares, game.options.traits
    return bool(set(after.alignments(*rules)) - set(before.alignments(*rules)))


class Judges:
    """Asks for the review of one game after the other, and remembers what was said of the last ones.

    A game is known by its record: where no games are kept, the board may come to the same number again.
    """

    def __init__(self) -> None:
        self._known: dict[str, ReviewedGame] = {}
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()

    def of(self, record: str) -> ReviewedGame | None:
        """The review of a game, None as long as it is not there; asks for it where nobody has yet."""
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
                told = json.loads(output)
                self._known[record] = ReviewedGame(tuple(map(_verdict, told["judgements"])), tuple(told["worth"]))
            except (TimeoutError, ValueError):
                # A coach that says nothing is no reason to ask again and again.
                self._known[record] = ReviewedGame()
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
        "costs": judgement.after is not judgement.before,
    }


def _worth_as_json(found: tuple[Player, Worth] | None) -> Json | None:
    if found is None:
        return None
    player, worth = found
    return {"player": player.value, "value": worth.value.word, "safe": worth.safe, "answers": worth.answers}


def _verdict(told: dict[str, object] | None) -> JudgedMove | None:
    if told is None:
        return None
    better, refutation = told["better"], told["refutation"]
    advice = None
    if isinstance(better, dict):
        square, give = better["square"], better["give"]
        advice = Advice(parse_square(square) if square else None, parse_digit(give) if give else None)
    wins_on = parse_square(str(refutation)) if refutation else None
    return JudgedMove(Named(str(told["verdict"])), advice, wins_on, bool(told["costs"]))


def judge_standard_input() -> None:
    """Review the game on standard input."""
    os.nice(_POLITE)
    game = parse_record(sys.stdin.read()).game
    reviews = review_game(game, spent=time.process_time)
    told = {
        "judgements": [_as_json(each.judgement) for each in reviews],
        "worth": [_worth_as_json(each) for each in worth_of_positions(game, reviews)],
    }
    json.dump(told, sys.stdout)


# --- The games that have ended since the start ------------------------------------------------------------------------


class Games:
    """Reads them out of the feed; the coach is asked when somebody looks at a game for the first time."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._judges = Judges()

    def list(self) -> list[Json]:
        """All games that are still kept, the oldest first."""
        words = self._words()
        return [summary_of(ended, words) for ended in list(self._feed.games)]

    def game(self, number: int) -> Json:
        """A game move by move; what the coach says of it is there once the coach is done with it."""
        return reviewed_game_as_json(self._find(number), self._judges, self._words())

    def record(self, number: int) -> str:
        """A game as text."""
        return str(Record(self._find(number).game))

    def statistics(self) -> Json:
        """What is counted over the games that are still kept."""
        return statistics_of([ended.game for ended in list(self._feed.games)])

    def _words(self) -> Words:
        moment = self._feed.moment
        return _words(moment.view.settings.language if moment is not None else "en")

    async def close(self) -> None:
        """Ask the coach nothing more."""
        await self._judges.close()

    def _find(self, number: int) -> EndedGame:
        for ended in list(self._feed.games):
            if ended.number == number:
                return ended
        raise Refused(404, f"there is no game {number}: it is not over, or long gone.")


def reviewed_game_as_json(ended: EndedGame, judges: Judges, words: Words) -> Json:
    """A game move by move, with what the coach says of it as far as that is known; asks the coach where nobody has."""
    record = str(Record(ended.game))
    review = judges.of(record)
    judged = ReviewedGame() if review is None else review
    return {
        **summary_of(ended, words),
        "record": record,
        "positions": [str(position) for position in positions(ended.game)],
        "moves": _moves(ended.game, judged, words),
        "judged": review is not None,
        "worth": None if review is None else list(review.worth),
        "turning": turning_point(ended.game, judged),
        "hindsight": hindsight_on(ended, judged, words),
        "language": words.language,
    }


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
        "game": {
            **summary_of(EndedGame(0, game), words),
            "positions": [str(position) for position in positions(game)],
            "moves": _moves(game, ReviewedGame(), words),
        },
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


_MISTAKES: Final = frozenset({"overlooked win", "gift", "win lost", "draw lost"})
_WINS_LOST: Final = frozenset({"overlooked win", "win lost"})


def turning_point(game: Game, review: ReviewedGame) -> int | None:
    """The move that decided: the last mistake of who lost, or of a draw the last win that was let go.

    None where the coach knows of none, and where no move decided: by the clock or a false call.
    """
    result = game.result
    if result is None or result.reason not in (Reason.CALL, Reason.AUTO, Reason.DRAW):
        return None
    decided = None
    for index, verdict in enumerate(review.moves):
        player = game.turns[index - 1].player if index else game.starter
        counts = _WINS_LOST if result.winner is None else _MISTAKES
        if verdict is None or not verdict.costs or player is result.winner:
            continue
        if verdict.verdict.value in counts:
            decided = index
    return decided


def hindsight_on(ended: EndedGame, review: ReviewedGame, words: Words) -> str | None:
    """What there is to be learnt from a game, in a sentence; None where nothing is known.

    Other than at the board, what the computer slipped on is told as well: whoever looks at a game may want to know.
    """
    game = ended.game
    mistake = plain_mistake(game, tuple(Player))
    if mistake is not None:
        found = hindsight_of(game, Slip(mistake.verdict.value), mistake.move, mistake.square)
    else:
        turning = turning_point(game, review)
        judged = None if turning is None else review.moves[turning]
        if turning is None or judged is None or judged.better is None or judged.verdict.value not in _LOOKED_AHEAD:
            return None
        found = hindsight_of(game, Slip(judged.verdict.value), turning, judged.better.square, judged.better.give)
    return words.say(found, TWO_PEOPLE)


_LOOKED_AHEAD: Final = frozenset({"win lost", "draw lost"})


def summary_of(ended: EndedGame, words: Words) -> Json:
    """A game as it stands in a list; `Refused` where it is not over."""
    number, game, result = ended.number, ended.game, ended.game.result
    if result is None:
        raise Refused(404, f"game {number} is not over.")
    return {
        "number": number,
        "players": [player_as_json(player, ended.levels, words) for player in Player],
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


def player_as_json(player: Player, levels: Levels, words: Words) -> Json:
    """Who played; a person is not spoken to, for anybody may look at the game."""
    first, second = (Seat(level) for level in levels)
    level = levels[player.value]
    return {"name": words.player(player, TWO_PEOPLE if level is None else (first, second)), "computer": level}


def _moves(game: Game, review: ReviewedGame, words: Words) -> list[Json]:
    """Give the first piece; then place and give, as in a record."""
    given = [turn.piece for turn in game.turns] + ([] if game.hand is None else [game.hand])
    made: list[Json] = []
    for index in range(len(game.turns) + 1):
        square = game.turns[index - 1].square.name if index else None
        give = given[index] if index < len(given) else None
        if square is None and give is None:
            continue
        player = game.turns[index - 1].player if index else game.starter
        verdict = review.moves[index] if index < len(review.moves) else None
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


if __name__ == "__main__":
    judge_standard_input()
