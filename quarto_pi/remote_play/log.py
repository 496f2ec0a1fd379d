"""The log of a game between two boards: who may write its next entry, what each entry does, and its chain of hashes.

Each state has one author, the player of one board. The maker of a placement decides where the piece stands, and may
call, until he gives the next one: all of that is one entry. From then on only the receiver can write, so that the
windows for calling (R8, R9) follow from the order of the entries, and no clock is asked.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Final

from quarto_pi.rules import (
    Call,
    Clear,
    Game,
    Give,
    IllegalAction,
    NotationError,
    Options,
    Phase,
    Piece,
    Place,
    Player,
    QuartoError,
    Square,
    apply,
    parse_piece,
    parse_square,
    pass_time,
)
from quarto_pi.rules.kinds import Medium
from quarto_pi.rules.options import RULES, pick

LONGEST_LOG: Final = 20
"""A game has one first give, sixteen turns and two last words; no log is longer than this."""

AGREED_RULES: Final = pick(RULES, "squares traits calling false_call")
"""The rules on which two boards agree before a game; times are each board's own."""


class EntryRefused(QuartoError, ValueError):
    """An entry that nobody, or not this player, may write there; the text says why."""


class Saying(Enum):
    """What an entry says in words."""

    CALL = "QUARTO"
    PASS = "pass"  # noqa: S105 - no password


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What one player has settled: a first give, a turn with what ends it, a call, or that he does not call.

    >>> LogEntry(parse_square("b2"), parse_piece("LTRF")).text
    'b2 LTRF'
    """

    square: Square | None = None
    give: Piece | None = None
    says: Saying | None = None

    @property
    def text(self) -> str:
        """The entry as it is hashed, sent and kept: what is there of square, piece and word."""
        square = None if self.square is None else self.square.name
        piece = None if self.give is None else self.give.letters
        says = None if self.says is None else self.says.value
        return " ".join(part for part in (square, piece, says) if part is not None)


def parse_entry(text: str) -> LogEntry:
    """The entry in this text; `EntryRefused` for whatever no entry is written as."""
    entry = LogEntry()
    try:
        for part in text.split(" "):
            if part in {saying.value for saying in Saying}:
                entry = replace(entry, says=Saying(part))
            elif len(part) == 2:
                entry = replace(entry, square=parse_square(part))
            else:
                entry = replace(entry, give=parse_piece(part))
    except NotationError as error:
        raise EntryRefused(f"{text!r} is no entry of a game: {error}") from error
    if entry.text != text or (entry.give is not None and entry.says is not None):
        raise EntryRefused(f"{text!r} is no entry of a game: write 'LTRF', 'b2 LTRF', 'b2', 'b2 QUARTO' or 'pass'.")
    return entry


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """What two boards agree on before a game: what it is called, who plays which side, by which rules, who begins."""

    match: str
    boards: tuple[str, str]
    rules: Options
    starter: Player

    @property
    def agreed(self) -> dict[str, object]:
        """The rules as they are sent and hashed."""
        return {row.name(Medium.JOURNAL): row.write(self.rules, Medium.JOURNAL) for row in AGREED_RULES}

    @property
    def head(self) -> str:
        """The hash before the first entry: boards that mean different games have no hash in common."""
        told = {"match": self.match, "boards": self.boards, "rules": self.agreed, "starter": self.starter.value}
        return _hashed(json.dumps(told, sort_keys=True))


def rules_of(agreed: object, like: Options) -> Options:
    """These rules, on a board whose times are those of `like`; `QuartoError` for what are no rules."""
    if not isinstance(agreed, dict):
        raise EntryRefused("the rules of a game are no JSON object.")
    for row in AGREED_RULES:
        like = row.read(like, agreed.get(row.name(Medium.JOURNAL)), Medium.JOURNAL)
    return like


@dataclass(frozen=True)  # without slots: what follows from the entries is worked out once
class PlayedLog:
    """A log as far as it goes, and the game that it makes; every entry in it was its author's to write, and legal."""

    terms: MatchTerms
    entries: tuple[LogEntry, ...]
    heads: tuple[str, ...]
    game: Game
    maker_passed: bool = False

    @classmethod
    def begun(cls, terms: MatchTerms) -> PlayedLog:
        """The log before the first entry."""
        # A call that waits for its placement is sent with it; a false one that forfeits does so at once. Time never
        # passes here, so the last chance to call lasts until both have said that they do not.
        rules = replace(terms.rules, clock_ms=None, latch_ms=0, final_call_ms=1, giving_sensed=True)
        return cls(terms, (), (terms.head,), Game(rules, terms.starter))

    @classmethod
    def of(cls, terms: MatchTerms, entries: tuple[LogEntry, ...]) -> PlayedLog:
        """The log with these entries; `EntryRefused` where one of them does not follow from those before."""
        log = cls.begun(terms)
        for entry in entries:
            log = log.after(entry)
        return log

    @property
    def head(self) -> str:
        """The hash after the last entry: boards with the same hash have played the same game."""
        return self.heads[-1]

    @cached_property
    def author(self) -> Player | None:
        """Who alone may write the next entry; nobody after the end."""
        game = self.game
        if game.phase is Phase.FINAL_CALL:
            return None if game.maker is None else (game.maker.other if self.maker_passed else game.maker)
        return game.to_act

    def after(self, entry: LogEntry) -> PlayedLog:
        """The log with one more entry; `EntryRefused` where it does not follow."""
        if self.author is None:
            raise EntryRefused(f"'{entry.text}' comes after the end of the game.")
        if len(self.entries) >= LONGEST_LOG:
            raise EntryRefused(f"no game has more than {LONGEST_LOG} entries.")
        try:
            game = _carried_out(self.game, self.author, entry, self.maker_passed)
        except IllegalAction as error:
            raise EntryRefused(f"'{entry.text}' is not allowed there: {error}") from error
        return PlayedLog(
            self.terms,
            (*self.entries, entry),
            (*self.heads, _hashed(f"{self.head} {entry.text}")),
            replace(game, news=()),
            maker_passed=entry.says is Saying.PASS,
        )

    def author_of(self, number: int) -> Player | None:
        """Who has written the entry of this number, counted from 0, or would have to."""
        return PlayedLog.of(self.terms, self.entries[:number]).author


def _carried_out(game: Game, author: Player, entry: LogEntry, maker_passed: bool) -> Game:
    """The game after an entry of its author."""
    match entry:
        case LogEntry(square=None, give=Piece() as piece, says=None) if game.phase is Phase.GIVE:
            return apply(game, Give(piece))
        case LogEntry(square=Square() as square) if game.phase is Phase.PLACE and entry.says is not Saying.PASS:
            return _turned(apply(game, Place(square)), author, entry)
        case LogEntry(square=None, give=None, says=Saying.CALL) if game.phase is not Phase.GIVE:
            return _called(game, author, entry)
        case LogEntry(square=None, give=None, says=Saying.PASS) if game.phase is Phase.FINAL_CALL:
            return apply(game, Clear()) if maker_passed else game
    raise EntryRefused(f"'{entry.text}' is nothing that can be done there.")


def _turned(game: Game, author: Player, entry: LogEntry) -> Game:
    """The game after a turn whose piece is placed: what its author does then."""
    if game.over:
        # Without a call the board itself declares the win (D7), and nothing is given any more.
        if entry.give is None and entry.says is None:
            return game
    elif entry.says is Saying.CALL:
        return _called(game, author, entry)
    elif entry.give is not None:
        return apply(game, Give(entry.give))
    elif game.phase is Phase.FINAL_CALL:
        return game
    raise EntryRefused(f"'{entry.text}' is no whole turn there.")


def _called(game: Game, author: Player, entry: LogEntry) -> Game:
    """The game that a call has ended: won, or forfeited by a false one; one that was refused is not told."""
    called = apply(game, Call(author))
    called = called if called.over or called.latch is None else pass_time(called)
    if not called.over:
        raise EntryRefused(f"'{entry.text}' calls where there is nothing to call.")
    return called


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
