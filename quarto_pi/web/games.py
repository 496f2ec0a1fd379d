"""The games that have ended since the start: their records, their positions, and what the coach thinks of the moves."""

from __future__ import annotations

from functools import cache

from quarto_pi.rules import Board, Game, Position, Record
from quarto_pi.trace.story import alignments_as_json
from quarto_pi.web.feed import Feed
from quarto_pi.web.judging import Judges, Verdict
from quarto_pi.web.moment import Json
from quarto_pi.web.requests import Refused
from quarto_pi.words import Words


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
            "positions": [str(position) for position in positions(game)],
            "moves": _moves(game, verdicts, words),
            "judged": verdicts is not None,
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


def _moves(game: Game, verdicts: list[Verdict | None] | None, words: Words) -> list[Json]:
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
