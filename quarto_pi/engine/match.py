"""A match: two players, many games, each opening played from both sides, and how sure one can be of the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from random import Random
from typing import Final, Protocol

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.client import EngineFailure, EngineProcess
from quarto_pi.engine.opponent import Opponent
from quarto_pi.engine.protocol import Limits, format_go
from quarto_pi.engine.solver import Budget, Move, Solver
from quarto_pi.engine.temptation import MOVE_NODES
from quarto_pi.engine.threats import threats_on, winning_squares
from quarto_pi.rules import (
    PIECES,
    SQUARES,
    Alignment,
    Board,
    Call,
    Clear,
    Game,
    Give,
    Options,
    Phase,
    Piece,
    Place,
    Player,
    Position,
    QuartoError,
    Square,
    apply,
)

_95_PERCENT = 1.959964
_MOST_DRAWS = 1000


NODES_SECONDS: Final = 600.0
"""How long a program may be silent that has a number of nodes for a move, but no time."""


class Contestant(Protocol):
    """Somebody who plays in a match."""

    name: str

    def begin(self, options: Options, seed: int) -> None:
        """Get ready for a game."""

    def choose(self, position: Position) -> Move:
        """The move for a position; an `EngineFailure` loses the game."""

    def calls(self, position: Position, alignments: Sequence[Alignment]) -> bool:
        """Whether it calls what the other player has left uncalled."""


class LevelContestant:
    """One of our levels."""

    def __init__(self, level: int, solver: Solver, move_nodes: int = MOVE_NODES) -> None:
        self.name = f"level{level}"
        self._level = level
        self._solver = solver
        self._move_nodes = move_nodes
        self._opponent = Opponent(level, solver)

    def begin(self, options: Options, seed: int) -> None:
        """Get ready for a game; the solver knows the options already."""
        if options != self._solver.rules:
            raise ValueError("the solver plays by other rules than the match.")
        self._opponent = Opponent(self._level, self._solver, seed)

    def choose(self, position: Position) -> Move:
        """The level's move."""
        return self._opponent.choose(position, Budget(self._move_nodes))

    def calls(self, position: Position, alignments: Sequence[Alignment]) -> bool:
        """Whether the level notices an alignment."""
        return self._opponent.calls(position, alignments)


class ProgramContestant:
    """Any program that speaks the engine protocol; it is taken to see every alignment that was left uncalled."""

    def __init__(self, engine: EngineProcess, limits: Limits) -> None:
        self.name = engine.name
        self._engine = engine
        self._go = format_go(limits)
        # Ten times its time is enough for any machine.
        self._seconds = NODES_SECONDS if limits.movetime_ms is None else 10 + limits.movetime_ms / 100
        engine.greet()

    def begin(self, options: Options, seed: int) -> None:
        """Get ready for a game."""
        self._engine.set_rules(options, seed=seed)

    def choose(self, position: Position) -> Move:
        """The program's move."""
        return self._engine.choose(position, self._go, self._seconds)

    def calls(self, position: Position, alignments: Sequence[Alignment]) -> bool:  # noqa: ARG002 - the protocol's form
        """The protocol has no word for it: yes."""
        return True


@dataclass(frozen=True, slots=True)
class Score:
    """Wins, draws and losses of the first player."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The share of the points, a draw counting half."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share (Wilson's, which a draw only makes narrower)."""
        n, z = self.games, _95_PERCENT
        if n == 0:
            return 0.0, 1.0
        centre = (self.share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(self.share * (1 - self.share) / n + z * z / (4 * n * n))
        return max(0.0, centre - half), min(1.0, centre + half)

    @property
    def elo(self) -> float:
        """By how much Elo the first player is ahead; infinite where one player has all the points."""
        return elo_difference(self.share)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the Elo difference: the share's, in Elo."""
        low, high = self.interval
        return elo_difference(low), elo_difference(high)

    def plus(self, winner: Player | None) -> Score:
        """The score after one game more; the first contestant plays as player A."""
        if winner is None:
            return replace(self, draws=self.draws + 1)
        return replace(self, wins=self.wins + 1) if winner is Player.A else replace(self, losses=self.losses + 1)


def elo_difference(share: float) -> float:
    """The difference in Elo at which a player gets this share of the points."""
    if not 0 < share < 1:
        return math.inf if share else -math.inf
    return 400 * math.log10(share / (1 - share))


Opening = tuple[tuple[Piece, Square], ...]
"""What has been given and placed before the players begin."""


def draw_opening(options: Options, placed: int, seed: str, solver: Solver | None = None) -> Opening:
    """So many pieces placed at random, with nothing completed and a piece left that is safe to give.

    With a solver: one from which perfect play leads to a draw. Raises a `QuartoError` where hardly any is of that kind.
    """
    rng = Random(seed)  # noqa: S311 - a match, repeatable on purpose
    for _ in range(_MOST_DRAWS):
        pieces, squares = rng.sample(PIECES, placed), rng.sample(SQUARES, placed)
        opening = tuple(zip(pieces, squares, strict=True))
        position = _after(opening, options)
        if position is None:
            continue
        if solver is None or solver.value(position, Budget()) is GameValue.DRAW:
            return opening
    raise QuartoError(f"no fair opening with {placed} pieces placed was found by these rules: choose another number.")


def _after(opening: Opening, options: Options) -> Position | None:
    """The position that an opening leads to; none if it is no fair one."""
    board = Board.of({square: piece for piece, square in opening})
    # What is never aligned now was not on the way either: pieces only come.
    if board.alignments(options.squares, options.traits):
        return None
    threats = threats_on(board, options)
    if all(winning_squares(threats, piece) for piece in board.pieces_left):
        return None
    return Position(board, None)


@dataclass(frozen=True, slots=True)
class Played:
    """A game that has been played; `fault` says what lost it, where it was not lost over the board."""

    game: Game
    winner: Player | None
    fault: str | None = None


def play_match(
    contestants: tuple[Contestant, Contestant],
    options: Options,
    games: int,
    seed: int,
    progress: Callable[[Score, Played], None],
) -> Score:
    """The score of a match from the empty board."""
    return play_openings(contestants, options, repeat((), games), seed, progress)


def play_openings(
    contestants: tuple[Contestant, Contestant],
    options: Options,
    openings: Iterable[Opening],
    seed: int,
    progress: Callable[[Score, Played], None],
) -> Score:
    """The score of a match with an opening for each game.

    The first contestant starts every other game, with the seed of the one before: an opening that comes twice is played
    from both sides.
    """
    score = Score()
    for number, opening in enumerate(openings):
        played = play_game(contestants, options, Player(number % 2), seed + number // 2, opening)
        score = score.plus(played.winner)
        progress(score, played)
    return score


def play_game(
    contestants: tuple[Contestant, Contestant], options: Options, starter: Player, seed: int, opening: Opening = ()
) -> Played:
    """One game to its end, the first contestant as player A. Who fails, or does what is not allowed, has lost."""
    game = Game(options=options, starter=starter)
    for piece, square in opening:
        game = apply(apply(game, Give(piece)), Place(square))
    return play_on(contestants, game, seed)


def play_on(contestants: tuple[Contestant, Contestant], game: Game, seed: int) -> Played:
    """A game that has begun, to its end; as `play_game` otherwise."""
    player = game.starter
    try:
        for player in Player:
            contestants[player.value].begin(game.options, seed)
        while not game.over:
            player = game.to_act or game.receiver
            game = _take_turn(game, contestants)
    except EngineFailure as failure:
        return Played(game, player.other, str(failure))
    except QuartoError as error:
        return Played(game, player.other, f"{contestants[player.value].name} did what is not allowed: {error}")
    return Played(game, game.result.winner if game.result else None)


def _take_turn(game: Game, contestants: tuple[Contestant, Contestant]) -> Game:
    """The game after one player has placed and called or given, and the other has had the chance to call."""
    player = game.to_act or game.giver
    move = contestants[player.value].choose(game.position)
    if game.phase is Phase.PLACE:
        if move.square is None:
            raise EngineFailure(f"{contestants[player.value].name} did not place the piece in its hand.")
        game = apply(game, Place(move.square))
        if move.call:
            game = apply(game, Call(player))
    if game.phase is Phase.GIVE:
        if move.give is None:
            raise EngineFailure(f"{contestants[player.value].name} neither gave a piece nor had anything to call.")
        game = apply(game, Give(move.give))
    other = contestants[player.other.value]
    if game.open_for(player.other) and other.calls(game.position, game.open):
        game = apply(game, Call(player.other))
    return apply(game, Clear()) if game.phase is Phase.FINAL_CALL else game
