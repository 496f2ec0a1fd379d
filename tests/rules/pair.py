"""The game and its naive model side by side: what is done is done to both, and both are compared after it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any, assert_never

import pytest

from quarto_pi.rules import (
    PIECES,
    SQUARES,
    Action,
    Alignment,
    Call,
    Called,
    Calling,
    Clear,
    Doubted,
    Ended,
    Event,
    FalseCallRule,
    Game,
    GamePaused,
    GameResumed,
    Give,
    Given,
    IllegalAction,
    Latched,
    Missed,
    Options,
    Pause,
    Piece,
    Place,
    Placed,
    Player,
    Resume,
    Shift,
    Shifted,
    TimedOut,
    TimeOut,
    Trait,
    Undo,
    Undone,
    apply,
    pass_time,
)
from tests.rules import naive

PIECE_OF = dict(zip(naive.PIECES, PIECES, strict=True))
SQUARE_OF = dict(zip(naive.SQUARES, SQUARES, strict=True))
WORDLESS: dict[str, Action] = {"undo": Undo(), "pause": Pause(), "resume": Resume(), "clear": Clear()}


def options_of(rules: dict[str, Any]) -> Options:
    """The options that mean the same as the naive model's rules."""
    return Options(
        **{
            **rules,
            "traits": tuple(Trait(word) for word in rules["traits"]),
            "calling": Calling(rules["calling"]),
            "false_call": FalseCallRule(rules["false_call"]),
            "time_out": TimeOut(rules["time_out"]),
        }
    )


def action_of(entry: naive.Entry) -> Action:
    """The action that means the same as an entry of the naive model's log."""
    match entry:
        case ("give", piece):
            return Give(PIECE_OF[piece])
        case ("place", square):
            return Place(SQUARE_OF[square])
        case ("place", square, piece):
            return Place(SQUARE_OF[square], PIECE_OF[piece])
        case ("shift", square):
            return Shift(SQUARE_OF[square])
        case ("call", player):
            return Call(Player(player))
        case ("guess", player):
            return Call(Player(player), sure=False)
    return WORDLESS[entry[0]]


@cache
def words(piece: Piece | None) -> str | None:
    return " ".join(piece.words) if piece else None


def found(alignments: tuple[Alignment, ...]) -> frozenset[naive.Found]:
    plain = [
        (frozenset(square.name for square in alignment.squares), frozenset(value.word for value in alignment.values))
        for alignment in alignments
    ]
    assert len(set(plain)) == len(plain), "an alignment is told twice"
    return frozenset(plain)


def _number(player: Player | None) -> int | None:
    return None if player is None else player.value


def told(event: Event) -> naive.Entry:  # noqa: C901 - one case for each kind of news
    """A piece of news in the naive model's words."""
    match event:
        case Given(piece, by):
            return ("given", words(piece), by.value)
        case Placed(square, piece, player):
            return ("placed", square.name, words(piece), player.value)
        case Shifted(origin, square, piece, player):
            return ("shifted", origin.name, square.name, words(piece), player.value)
        case Latched(player, until):
            return ("latched", player.value, until)
        case Called(player, valid, alignments, placed, given):
            return ("called", player.value, valid, found(alignments), placed, given)
        case Doubted(player):
            return ("doubted", player.value)
        case Missed(alignments):
            return ("missed", found(alignments))
        case Undone(square, piece, player):
            return ("undone", square.name, words(piece), player.value)
        case TimedOut(player):
            return ("timed out", player.value)
        case GamePaused():
            return ("paused",)
        case GameResumed():
            return ("resumed",)
        case Ended(result):
            return ("ended", _number(result.winner), result.reason.value, found(result.alignments))
    assert_never(event)


def seen(game: Game) -> dict[str, Any]:
    """Everything that can be seen of a game, in plain words."""
    result = game.result
    return {
        "phase": game.phase.value,
        "to act": _number(game.to_act),
        "hand": words(game.hand),
        "board": {square.name: words(piece) for square, piece in game.board.pieces.items()},
        "turns": [(words(turn.piece), turn.square.name, turn.player.value) for turn in game.turns],
        "available": sorted(str(words(piece)) for piece in game.available),
        "open": found(game.open) if not game.over else None,
        "open for": [found(game.open_for(player)) for player in Player],
        "missed": found(game.missed),
        "moment": [player.value for player in Player if game.is_moment_of(player)],
        "result": result and (_number(result.winner), result.reason.value, found(result.alignments)),
        "calls": [told(call)[1:] for call in game.calls],
        "news": [told(event) for event in game.news],
        "latched": game.latch and game.latch.player.value,
        "left": game.time_left(game.now),
        "now": game.now,
    }


def expected(story: naive.Story) -> dict[str, Any]:
    """The same of the naive model."""
    return {
        "phase": story.phase,
        "to act": story.to_act,
        "hand": story.hand,
        "board": story.board,
        "turns": [(stone["piece"], stone["square"], stone["player"]) for stone in story.stones],
        "available": sorted({*naive.PIECES} - {*story.board.values()} - {story.hand}),
        "open": story.open if not story.result else None,
        "open for": [story.open if player in story.moment else frozenset() for player in (0, 1)],
        "missed": frozenset(story.missed),
        "moment": story.moment,
        "result": story.result,
        "calls": story.calls,
        "news": story.news,
        "latched": story.latched,
        "left": story.left,
        "now": story.wall,
    }


class Pair:
    """Both models of one game, and what it has been through."""

    def __init__(self, rules: dict[str, Any], starter: int) -> None:
        self.rules, self.starter = rules, starter
        self.game = Game(options=options_of(rules), starter=Player(starter))
        self.log: list[tuple[int, naive.Entry]] = []
        self.story = naive.Story(rules, starter, [])
        self.reached: Counter[str] = Counter()
        self.compare()

    def do(self, *entry: str | int, after: int = 0) -> bool:
        """Do the same to both, some milliseconds later; whether both allowed it (one alone never may)."""
        at = self.story.wall + after
        before = replace(self.game)
        try:
            story = naive.Story(self.rules, self.starter, [*self.log, (at, entry)])
        except naive.Refused as refused:
            self.refuse(entry, at, str(refused))
            assert self.game == before
            return False
        self.game = pass_time(self.game, at) if entry[0] == "wait" else apply(self.game, action_of(entry), at)
        self.story = story
        self.log.append((at, entry))
        self.note()
        self.compare()
        return True

    def refuse(self, entry: naive.Entry, at: int, name: str) -> None:
        with pytest.raises(IllegalAction) as raised:
            _ = pass_time(self.game, at) if entry[0] == "wait" else apply(self.game, action_of(entry), at)
        assert type(raised.value).__name__ == name, f"{entry} at {at}: {raised.value!r}"
        assert str(raised.value).endswith(".")
        self.reached[f"refused: {name}"] += 1

    def note(self) -> None:
        for event in self.story.news:
            match event:
                case ("called", player, True, *_):
                    by = "maker" if player == self.story.maker else "receiver"
                    self.reached[f"won by the {by}"] += 1
                case ("ended", _, reason, _):
                    self.reached[f"ended: {reason}"] += 1
                case _:
                    self.reached["false call" if event[0] == "called" else event[0]] += 1
        kinds = [event[0] for event in self.story.news]
        if kinds[-3:] == ["placed", "called", "ended"] and self.story.result and self.story.result[1] == "call":
            self.reached["won by a call that waited"] += 1
        if {"timed out", "called"} <= {*kinds}:
            self.reached["a time out and a call that fell due together"] += 1
        if kinds[-2:] == ["missed", "ended"]:
            self.reached["missed in the final call"] += 1
        if self.story.phase == "final call":
            self.reached["sixteenth piece"] += 1
            if self.story.open:
                self.reached["sixteenth piece with an alignment"] += 1
        if len(self.story.open) > 1:
            self.reached["two alignments at once"] += 1

    def compare(self) -> None:
        assert seen(self.game) == expected(self.story), f"{self.rules} {self.starter} {self.log}"

    @property
    def empty(self) -> list[str]:
        return [square for square in naive.SQUARES if square not in self.story.board]

    @property
    def left(self) -> list[str]:
        return [piece for piece in naive.PIECES if piece not in self.story.board.values()]
