"""What is counted over finished games for the page's pictures: what is overlooked, where pieces stand, how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from quarto_pi.rules import SQUARES, Alignment, Game, Reason, Square, Trait, lines_in_play
from quarto_pi.web.wishes import Json

FEWEST_PLACED = 4
MOST_PLACED = 16
"""No game ends by an alignment sooner, and none goes on longer."""


def statistics_of(games: Sequence[Game]) -> Json:
    """Alignments that were called and that were missed, by trait and by line; placements by square; lengths.

    A game that was abandoned does not count. An alignment counts once for each trait that its pieces share.
    """
    ended = [game for game in games if game.result is not None and game.result.reason is not Reason.UNFINISHED]
    called = [each for game in ended if game.result is not None for each in game.result.alignments]
    missed = [each for game in ended for each in game.missed]
    lengths = Counter(len(game.turns) for game in ended)
    shortest = min(FEWEST_PLACED, *lengths, MOST_PLACED)
    return {
        "games": len(ended),
        "traits": _by_trait(called, missed),
        "lines": _by_line(any(game.options.squares for game in ended), called, missed),
        "squares": _by_square(ended),
        "lengths": [{"moves": moves, "games": lengths[moves]} for moves in range(shortest, MOST_PLACED + 1)],
    }


def _by_trait(called: Iterable[Alignment], missed: Iterable[Alignment]) -> list[Json]:
    counted = [Counter(value.trait for each in found for value in each.values) for found in (called, missed)]
    return [{"trait": trait.value, "called": counted[0][trait], "missed": counted[1][trait]} for trait in Trait]


def _by_line(squares: bool, called: Iterable[Alignment], missed: Iterable[Alignment]) -> list[Json]:
    counted = [Counter(each.squares for each in found) for found in (called, missed)]
    return [
        {"squares": [square.name for square in line], "called": counted[0][line], "missed": counted[1][line]}
        for line in lines_in_play(squares)
    ]


def _by_square(games: Iterable[Game]) -> Json:
    """How often a piece was put on each square, and how often that was the one that won."""
    placed: Counter[Square] = Counter()
    won: Counter[Square] = Counter()
    for game in games:
        placed.update(turn.square for turn in game.turns)
        if game.turns and game.result is not None and game.result.alignments:
            won[game.turns[-1].square] += 1
    return {square.name: {"placed": placed[square], "won": won[square]} for square in SQUARES}
