"""A second model of the game, deliberately naive, for comparison: it shares no code with the package.

A piece is a string of words, a square its name, the board a dict, time a sum. Nothing is kept from one action to the
next but the log of actions: every state is told again from the first one, every alignment looked for everywhere.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

WORDS = {
    "colour": ("light", "dark"),
    "height": ("tall", "short"),
    "shape": ("round", "square"),
    "top": ("solid", "hollow"),
}
PIECES = [" ".join(words) for words in product(*WORDS.values())]
SQUARES = [column + row for row in "1234" for column in "abcd"]

STRAIGHT = [
    *([column + row for column in "abcd"] for row in "1234"),
    *([column + row for row in "1234"] for column in "abcd"),
    ["a1", "b2", "c3", "d4"],
    ["a4", "b3", "c2", "d1"],
]
BLOCKS = [
    [left + low, right + low, left + high, right + high]
    for left, right in ("ab", "bc", "cd")
    for low, high in ("12", "23", "34")
]

Found = tuple[frozenset[str], frozenset[str]]
Entry = tuple[Any, ...]

PLAIN: dict[str, Any] = {
    "squares": False,
    "traits": ["colour", "height", "shape", "top"],
    "calling": "button",
    "false_call": "refuse",
    "time_out": "show",
    "clock_ms": None,
    "latch_ms": 10_000,
    "final_call_ms": 10_000,
    "giving_sensed": True,
}


class Refused(Exception):
    """The action cannot be done now; the text is the name that this refusal should have."""


def aligned(board: dict[str, str], rules: dict[str, Any]) -> frozenset[Found]:
    """Every alignment on a board, looked for on every line, as squares and shared words."""
    return _aligned(frozenset(board.items()), rules["squares"], tuple(rules["traits"]))


@cache
def _aligned(placed: frozenset[tuple[str, str]], squares: bool, traits: tuple[str, ...]) -> frozenset[Found]:
    board = dict(placed)
    counting = {word for trait in traits for word in WORDS[trait]}
    found = set()
    for line in [*STRAIGHT, *BLOCKS] if squares else STRAIGHT:
        if all(square in board for square in line):
            shared = counting.intersection(*(board[square].split() for square in line))
            if shared:
                found.add((frozenset(line), frozenset(shared)))
    return frozenset(found)


class Story:
    """What a log of actions comes to: everything told again from the beginning."""

    def __init__(self, rules: dict[str, Any], starter: int, log: list[tuple[int, Entry]]) -> None:
        self.rules, self.starter = rules, starter
        self.stones: list[dict[str, Any]] = []  # what was placed: piece, square, player, and whether its player called
        self.hand: str | None = None
        self.open: frozenset[Found] = frozenset()
        self.missed: list[Found] = []
        self.calls: list[Entry] = []
        self.result: Entry | None = None
        self.news: list[Entry] = []
        self.wall = self.running = 0  # the clock on the wall, and the time without the pauses
        self.paused = False
        self.latched: int | None = None
        self.sure = True
        self.alarms: dict[str, int] = {}  # on the time without the pauses
        self.move_began: int | None = None
        for at, entry in log:
            self.happen(at, entry)

    # What can be asked.

    @property
    def board(self) -> dict[str, str]:
        return {stone["square"]: stone["piece"] for stone in self.stones}

    @property
    def maker(self) -> int | None:
        return self.stones[-1]["player"] if self.stones else None

    @property
    def giver(self) -> int:
        return self.starter if self.maker is None else self.maker

    @property
    def phase(self) -> str:
        if self.result:
            return "over"
        if len(self.stones) == 16:
            return "final call"
        return "place" if self.hand else "give"

    @property
    def to_act(self) -> int | None:
        return {"give": self.giver, "place": 1 - self.giver}.get(self.phase)

    @property
    def moment(self) -> list[int]:
        """Whose moment to call it is."""
        if self.rules["calling"] == "auto" or self.result or not (self.stones or self.hand):
            return []
        if self.phase == "final call":
            return [0, 1]
        if self.phase == "place":
            return [1 - self.giver]
        return [self.giver] if self.rules["giving_sensed"] else [0, 1]

    @property
    def left(self) -> int | None:
        """How much of the running move's time is left."""
        if self.move_began is None:
            return None
        return int(self.rules["clock_ms"]) - (self.running - self.move_began)

    # What can happen.

    def happen(self, at: int, entry: Entry) -> None:
        if at < self.wall:
            raise Refused("TimeRunsBackwards")
        self.news = []
        self.run(at)
        if entry[0] == "wait":
            return
        if self.result:
            raise Refused("GameOver")
        if self.paused and entry[0] not in ("resume", "clear"):
            raise Refused("ClockPaused")
        getattr(self, entry[0])(*entry[1:])

    def run(self, at: int) -> None:
        until = self.running if self.paused else self.running + at - self.wall
        for moment, name in sorted((moment, name) for name, moment in self.alarms.items()):
            if moment <= until and name in self.alarms and not self.result:
                del self.alarms[name]
                self.ring(name)
        self.running, self.wall = until, at

    def ring(self, name: str) -> None:
        if name == "latch":
            caller, self.latched = self.latched, None
            assert caller is not None
            self.fail(caller)
        elif name == "move":
            player = self.to_act
            assert player is not None
            self.news.append(("timed out", player))
            if self.rules["time_out"] == "forfeit":
                self.end(1 - player, "forfeit")
        else:
            self.draw()

    def give(self, piece: str) -> None:
        if self.phase == "final call":
            raise Refused("WrongMoment")
        if piece in self.board.values() or piece == self.hand:
            raise Refused("PieceNotAvailable")
        self.hand = piece
        self.news.append(("given", piece, self.giver))
        self.begin_move()

    def place(self, square: str, piece: str | None = None) -> None:
        if self.hand is None:
            raise Refused("WrongMoment")
        if piece not in (None, self.hand):
            raise Refused("PieceNotGiven")
        if square in self.board:
            raise Refused("SquareTaken")
        player = 1 - self.giver
        self.news.append(("placed", square, self.hand, player))
        self.lapse()
        before = aligned(self.board, self.rules)
        self.stones.append({"piece": self.hand, "square": square, "player": player, "called": False})
        self.open = aligned(self.board, self.rules) - before
        self.hand = None
        if self.latched is not None:
            self.latched = None
            del self.alarms["latch"]
            if self.open:
                self.win(player)
            else:
                self.fail(player)
        self.declare()
        if len(self.stones) == 16 and not self.result:
            self.last_chance()

    def shift(self, square: str) -> None:
        if self.phase != "give" or not self.stones or self.stones[-1]["called"]:
            raise Refused("WrongMoment")
        if square in self.board:
            raise Refused("SquareTaken")
        stone = self.stones.pop()
        before = aligned(self.board, self.rules)
        self.stones.append({**stone, "square": square})
        self.open = aligned(self.board, self.rules) - before - set(self.missed)
        self.news.append(("shifted", stone["square"], square, stone["piece"], stone["player"]))
        self.declare()

    def undo(self) -> None:
        if not self.stones:
            raise Refused("NothingToUndo")
        stone = self.stones.pop()
        self.hand, self.latched, self.open = None, None, frozenset()
        self.alarms = {}
        self.missed = [lapsed for lapsed in self.missed if lapsed in aligned(self.board, self.rules)]
        now = (len(self.stones), False)
        self.calls = [call for call in self.calls if call[3:] <= now]
        self.news.append(("undone", stone["square"], stone["piece"], stone["player"]))
        self.move_began = None
        if self.stones:
            self.stones[-1]["called"] = True  # its player had decided: the next piece was given already
            self.begin_move()

    def call(self, player: int) -> None:
        self.called_by(player, sure=True)

    def guess(self, player: int) -> None:
        self.called_by(player, sure=False)

    def called_by(self, player: int, sure: bool) -> None:
        if self.rules["calling"] == "auto":
            raise Refused("WrongMoment")
        if self.open and player in self.moment:
            self.win(player)
        elif player != self.giver and (
            self.phase == "place" or (self.phase == "give" and not self.rules["giving_sensed"])
        ):
            self.latched, self.sure = player, sure
            self.alarms["latch"] = self.running + self.rules["latch_ms"]
            self.news.append(("latched", player, self.wall + self.rules["latch_ms"]))
        else:
            self.sure = sure
            self.fail(player)

    def fail(self, player: int) -> None:
        if not self.sure:
            self.news.append(("doubted", player))
            return
        if player == self.maker:
            self.stones[-1]["called"] = True
        self.false_call(player)

    def pause(self) -> None:
        self.paused = True
        self.news.append(("paused",))

    def resume(self) -> None:
        if not self.paused:
            raise Refused("WrongMoment")
        self.paused = False
        self.news.append(("resumed",))

    def clear(self) -> None:
        if self.phase == "final call":
            self.draw()
        else:
            self.end(None, "unfinished")

    # What follows.

    def begin_move(self) -> None:
        if self.rules["clock_ms"] is not None:
            self.move_began = self.running
            self.alarms["move"] = self.running + self.rules["clock_ms"]

    def declare(self) -> None:
        if self.rules["calling"] == "auto" and self.open:
            self.end(self.maker, "auto", self.open)

    def last_chance(self) -> None:
        if self.rules["calling"] == "auto":
            self.draw()
        else:
            self.move_began = None
            self.alarms = {"the end": self.running + self.rules["final_call_ms"]}

    def win(self, player: int) -> None:
        self.note_call(player, self.open)
        self.end(player, "call", self.open)

    def false_call(self, player: int) -> None:
        self.note_call(player, frozenset())
        if self.rules["false_call"] == "forfeit":
            self.end(1 - player, "forfeit")

    def note_call(self, player: int, stands: frozenset[Found]) -> None:
        call = (player, bool(stands), stands, len(self.stones), self.hand is not None)
        self.calls.append(call)
        self.news.append(("called", *call))

    def lapse(self) -> None:
        if self.open:
            self.missed += self.open
            self.news.append(("missed", frozenset(self.open)))
        self.open = frozenset()

    def draw(self) -> None:
        self.lapse()
        self.end(None, "draw")

    def end(self, winner: int | None, reason: str, alignments: frozenset[Found] = frozenset()) -> None:
        self.result = (winner, reason, alignments)
        self.latched, self.move_began, self.paused, self.alarms = None, None, False, {}
        self.news.append(("ended", *self.result))
