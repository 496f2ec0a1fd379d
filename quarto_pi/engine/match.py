"""A match: two players, many games, both sides starting in turn, and how sure one can be of the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from quarto_pi.engine.conversation import LEISURE_NODES, EngineFailure, EngineProcess
from quarto_pi.engine.opponent import Leisure, Opponent
from quarto_pi.engine.solver import NO_LIMIT, Budget, Move, Solver
from quarto_pi.rules import (
    Alignment,
    Call,
    Clear,
    Game,
    Give,
    Options,
    Phase,
    Place,
    Player,
    Position,
    QuartoError,
    apply,
)

_95_PERCENT = 1.959964


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

    def __init__(self, level: int, solver: Solver, leisure_nodes: int = LEISURE_NODES) -> None:
        self.name = f"level{level}"
        self._level = level
        self._solver = solver
        self._leisure_nodes = leisure_nodes
        self._opponent = Opponent(level, solver)

    def begin(self, options: Options, seed: int) -> None:
        """Get ready for a game; the solver knows the options already."""
        if options != self._solver.rules:
            raise ValueError("the solver plays by other rules than the match.")
        self._opponent = Opponent(self._level, self._solver, seed)

    def choose(self, position: Position) -> Move:
        """The level's move."""
        return self._opponent.choose(position, Budget(NO_LIMIT), Leisure(Budget(self._leisure_nodes)))

    def calls(self, position: Position, alignments: Sequence[Alignment]) -> bool:
        """Whether the level notices an alignment."""
        return self._opponent.calls(position, alignments)


class ProgramContestant:
    """Any program that speaks the engine protocol; it is taken to see every alignment that was left uncalled."""

    def __init__(self, engine: EngineProcess, movetime_ms: int) -> None:
        self.name = engine.name
        self._engine = engine
        self._movetime_ms = movetime_ms
        engine.greet()

    def begin(self, options: Options, seed: int) -> None:
        """Get ready for a game."""
        self._engine.set_rules(options, seed=seed)

    def choose(self, position: Position) -> Move:
        """The program's move; ten times its time is enough for any machine."""
        return self._engine.choose(position, f"go movetime {self._movetime_ms}", 10 + self._movetime_ms / 100)

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

    def plus(self, winner: Player | None) -> Score:
        """The score after one game more; the first contestant plays as player A."""
        if winner is None:
            return replace(self, draws=self.draws + 1)
        return replace(self, wins=self.wins + 1) if winner is Player.A else replace(self, losses=self.losses + 1)


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
    """The score of a match; the first contestant starts every other game, with the same seed as in the one before."""
    score = Score()
    for number in range(games):
        played = play_game(contestants, options, Player(number % 2), seed + number // 2)
        score = score.plus(played.winner)
        progress(score, played)
    return score


def play_game(contestants: tuple[Contestant, Contestant], options: Options, starter: Player, seed: int) -> Played:
    """One game to its end, the first contestant as player A. Who fails, or does what is not allowed, has lost."""
    game = Game(options=options, starter=starter)
    player = starter
    try:
        for player in Player:
            contestants[player.value].begin(options, seed)
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
