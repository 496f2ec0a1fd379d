"""Boards that write to each other through a post that loses, repeats, delays and reorders; with chance from a seed."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from functools import cache

from quarto_pi.remote_play.correspondence import (
    Correspondence,
    Declined,
    GaveUp,
    Incoming,
    Inviting,
    KeepMatch,
    LetterCame,
    LinkChanged,
    MatchStarted,
    Ongoing,
    PostLetter,
    Taking,
    TimePassed,
    Wrote,
    resumed,
)
from quarto_pi.remote_play.exchange import correspond
from quarto_pi.remote_play.letters import pack_letter
from quarto_pi.remote_play.log import LogEntry, Saying
from quarto_pi.remote_play.match import Match, read_match
from quarto_pi.rules import FalseCallRule, Game, Options, Phase, Place, Player, apply


@dataclass
class Underway:
    """A letter on its way."""

    due: int
    sender: str
    to: str
    payload: bytes


@dataclass
class Post:
    """Letters on their way, and how badly they fare."""

    chance: random.Random
    lost: float = 0.0
    repeated: float = 0.0
    slowest: int = 0
    letters: list[Underway] = field(default_factory=list)

    def send(self, now: int, sender: str, to: str, payload: bytes) -> None:
        """Take a letter, or lose it; later ones may overtake it."""
        copies = 0 if self.chance.random() < self.lost else 1 + (self.chance.random() < self.repeated)
        for _ in range(copies):
            self.letters.append(Underway(now + self.chance.randint(0, self.slowest), sender, to, payload))

    def arrived(self, now: int) -> list[Underway]:
        """The letters that have come by now."""
        due = [each for each in self.letters if each.due <= now]
        self.letters = [each for each in self.letters if each.due > now]
        return sorted(due, key=lambda each: each.due)


@dataclass
class SimulatedBoard:
    """A board with a journal: its power may be cut between any two things that it does, its clock may be days ahead."""

    name: str
    post: Post
    ahead: int = 0
    known: Correspondence = field(init=False)
    journal: dict[str, str] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)
    declined: list[Declined] = field(default_factory=list)
    power_fails_in: int | None = None

    @property
    def ongoing(self) -> Ongoing:
        """The game on its table."""
        assert self.known.playing is not None
        return self.known.playing

    def __post_init__(self) -> None:
        self.known = Correspondence(self.name)

    @property
    def matches(self) -> list[Match]:
        """All records that are on its disk, the oldest first."""
        return [on_disk(kept) for kept in self.journal.values()]

    def record(self, name: str) -> Match:
        """The record of a game as the running board has it."""
        games = [each.match for each in self.known.past]
        if self.known.playing is not None:
            games.append(self.known.playing.match)
        return next(match for match in games if match.name == name)

    def take(self, came: Incoming, now: int) -> None:
        """Do what follows; where the power fails, the rest of it is not done, and the board starts again."""
        self.known, out = correspond(self.known, came)
        for each in out:
            if self.power_fails_in is not None:
                self.power_fails_in -= 1
                if self.power_fails_in < 0:
                    self.start_again(now)
                    return
            match each:
                case PostLetter(to=to, letter=letter):
                    self.post.send(now, self.name, to, pack_letter(letter))
                case KeepMatch(match=match):
                    self.journal[match.name] = json.dumps(match.as_json())
                case MatchStarted(match=match):
                    self.started.append(match.name)
                case Declined():
                    self.declined.append(each)

    def start_again(self, now: int) -> None:
        """Lose what is not on the disk, and another start's clock begins anywhere."""
        self.power_fails_in = None
        self.ahead = self.post.chance.randint(0, 10**9)
        self.known = resumed(self.name, tuple(self.matches), now + self.ahead, Options())

    def at(self, now: int) -> int:
        """The time by this board's clock."""
        return now + self.ahead

    def pass_time(self, now: int) -> None:
        """Let it do what is due."""
        self.take(TimePassed(self.at(now)), now)

    def link(self, now: int, *, up: bool) -> None:
        """Cut it off, or connect it again."""
        self.take(LinkChanged(self.at(now), up), now)

    def hear(self, letter: Underway, now: int) -> None:
        """Let it read a letter."""
        if self.known.is_linked:
            self.take(LetterCame(self.at(now), letter.sender, letter.payload), now)

    def invite(self, board: str | None, now: int, name: str, rules: Options | None = None) -> None:
        """Let its guests invite another board."""
        self.take(Inviting(self.at(now), board, name, f"{self.name}s", rules or Options(), Player.A), now)

    def accept(self, board: str, now: int) -> None:
        """Let its guests take an invitation."""
        self.take(Taking(self.at(now), board, f"{self.name}s"), now)

    def give_up(self, now: int) -> None:
        """Let its guests give up."""
        self.take(GaveUp(self.at(now)), now)

    def write(self, entry: LogEntry, now: int) -> None:
        """Let its guests settle an entry."""
        self.take(Wrote(self.at(now), self.ongoing.match.count, entry), now)

    def play(self, chance: random.Random, now: int) -> None:
        """Let its guests do something that the rules allow, if it is their turn."""
        playing = self.known.playing
        if playing is not None and playing.match.is_mine:
            self.write(some_entry(playing.match.log.game, chance), now)


def some_entry(game: Game, chance: random.Random) -> LogEntry:
    """An entry that may be written next; now and then alignments are missed, and false calls are made."""
    if game.hand is not None and game.options.false_call is FalseCallRule.FORFEIT and chance.random() < 0.05:
        return LogEntry(says=Saying.CALL)
    if game.phase is Phase.GIVE:
        return LogEntry(give=chance.choice(game.available))
    sees = chance.random() < 0.6
    if game.phase is Phase.FINAL_CALL:
        return LogEntry(says=Saying.CALL if game.open and sees else Saying.PASS)
    if game.open and sees:
        return LogEntry(says=Saying.CALL)
    square = chance.choice(game.board.empty_squares)
    placed = apply(game, Place(square))
    if placed.over or placed.phase is Phase.FINAL_CALL:
        return LogEntry(square)
    if placed.open and sees:
        return LogEntry(square, says=Saying.CALL)
    return LogEntry(square, chance.choice(placed.available))


@cache
def on_disk(kept: str) -> Match:
    """The record in this text, read again as after a start."""
    return read_match(kept, Options())
