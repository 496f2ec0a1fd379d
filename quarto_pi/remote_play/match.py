"""One board's record of a game with another board: its log, what the other one has of it, and who has left.

Two records of one game can always be joined: the longer log stands, as far as each of its entries is its author's own.
A board knows its own entries by their seals, which only it can make: so it takes back what its journal has lost from
the other one, and nobody can put words into its mouth.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.remote_play.log import EntryRefused, LogEntry, MatchTerms, PlayedLog, parse_entry, rules_of
from quarto_pi.rules import Options, Phase, Player, QuartoError, Reason, Result

_SEAL_LETTERS: Final = 32


@dataclass(frozen=True, slots=True)
class OtherLog:
    """What the other board says that it has: its whole log with all seals, who has left, and what it knows of that.

    `has_left` is the sender of it; `knows` says that it has heard that the receiver has.
    """

    entries: tuple[LogEntry, ...]
    seals: tuple[str, ...]
    has_left: bool = False
    knows: bool = False


@dataclass(frozen=True)
class Match:
    """A game with another board, as this one has it. `secret` makes the seals and is told nobody.

    `confirmed` is how many entries the other board has on its disk. `have_left` says that this board has given up,
    `other_left` that the other one has, `other_knows` that the other one has heard that this one has.
    """

    log: PlayedLog
    me: Player
    secret: str
    seals: tuple[str, ...] = ()
    confirmed: int = 0
    have_left: bool = False
    other_left: bool = False
    other_knows: bool = False

    @classmethod
    def begun(cls, terms: MatchTerms, me: Player, secret: str) -> Match:
        """The record before the first entry."""
        return cls(PlayedLog.begun(terms), me, secret)

    @property
    def terms(self) -> MatchTerms:
        """What both boards have agreed on."""
        return self.log.terms

    @property
    def name(self) -> str:
        """What both boards call the game."""
        return self.terms.match

    @property
    def other(self) -> str:
        """The name of the other board."""
        return self.terms.boards[self.me.other.value]

    @property
    def count(self) -> int:
        """How many entries the log has."""
        return len(self.log.entries)

    @property
    def is_over(self) -> bool:
        """Whether nothing will be written any more."""
        return self.log.game.over or self.have_left or self.other_left

    @property
    def is_mine(self) -> bool:
        """Whether this board is to write the next entry."""
        return not self.is_over and self.log.author is self.me

    @property
    def result(self) -> Result | None:
        """How the game has ended, as far as this board knows: who has left wins nothing and loses nothing."""
        if self.log.game.result is not None:
            return self.log.game.result
        if not self.is_over:
            return None
        # After the sixteenth piece a game that nobody goes on with is a draw (D3).
        return Result(None, Reason.DRAW if self.log.game.phase is Phase.FINAL_CALL else Reason.UNFINISHED)

    @property
    def is_agreed(self) -> bool:
        """Whether the other board has all that this one has, and knows of it what has to be known."""
        return self.confirmed >= self.count and (self.other_knows or not self.have_left)

    def written(self, entry: LogEntry) -> Match:
        """The record with an entry of this board; `EntryRefused` where it is not this board's to write."""
        if not self.is_mine:
            raise EntryRefused(f"'{entry.text}' is not this board's to write there.")
        log = self.log.after(entry)
        return replace(self, log=log, seals=(*self.seals, self._seal(log)))

    def left(self) -> Match:
        """The record of a board that has given up; what the other one has settled by then still counts."""
        return self if self.log.game.over else replace(self, have_left=True)

    def left_by_other(self) -> Match:
        """The record after the other board has given up, or does not know the game any more."""
        return replace(self, other_left=True)

    def heard_of(self, count: int, head: str) -> Match:
        """The record once the other board says that it has so many entries with this hash; others tell nothing."""
        if count <= self.count and self.log.heads[count] == head:
            return replace(self, confirmed=max(self.confirmed, count))
        return self

    def joined(self, other: OtherLog) -> Match:
        """Both records in one; `EntryRefused` where the other one has what nobody may have written."""
        if len(other.entries) != len(other.seals):
            raise EntryRefused("a log has not as many seals as entries.")
        common = self._common(other)
        match = self
        if len(other.entries) > common and (common == self.count or self._is_mine_to_correct(other, common)):
            if self.have_left and self.other_knows:
                raise EntryRefused("a board goes on writing after it has heard that the other one has left.")
            match = self._taken_over(other)
        if other.has_left:
            match = match.left_by_other()
        if other.knows and match.have_left:
            match = replace(match, other_knows=True)
        known = match._common(other)  # noqa: SLF001 - its own kind
        return replace(match, confirmed=max(min(match.confirmed, match.count), known))

    def as_json(self) -> dict[str, object]:
        """The record as it is kept."""
        terms = self.terms
        return {
            "match": terms.match,
            "boards": list(terms.boards),
            "rules": terms.agreed,
            "starter": terms.starter.value,
            "me": self.me.value,
            "secret": self.secret,
            "entries": [entry.text for entry in self.log.entries],
            "seals": list(self.seals),
            "confirmed": self.confirmed,
            "have_left": self.have_left,
            "other_left": self.other_left,
            "other_knows": self.other_knows,
        }

    def _common(self, other: OtherLog) -> int:
        """How many entries both have in common."""
        pairs = zip(self.log.entries, other.entries, strict=False)
        return next(
            (number for number, (mine, its) in enumerate(pairs) if mine != its), min(self.count, len(other.entries))
        )

    def _is_mine_to_correct(self, other: OtherLog, common: int) -> bool:
        """Whether the logs part where this board has written, and the other one can show that it was this board.

        A board that was set back to an older journal may have written something else there; what the other one has
        stands. Where the other one tells two stories, the one that was heard first stands.
        """
        if self.log.author_of(common) is not self.me:
            return False
        log = PlayedLog.of(self.terms, other.entries[: common + 1])
        return hmac.compare_digest(self._seal(log), other.seals[common])

    def _taken_over(self, other: OtherLog) -> Match:
        """The record with the other's log instead of its own, once each entry is known to be its author's."""
        log = PlayedLog.begun(self.terms)
        for entry, seal in zip(other.entries, other.seals, strict=True):
            author = log.author
            log = log.after(entry)
            if author is self.me and not hmac.compare_digest(self._seal(log), seal):
                raise EntryRefused(f"'{entry.text}' is said to be this board's, and is not.")
        return replace(self, log=log, seals=other.seals)

    def _seal(self, log: PlayedLog) -> str:
        """What shows that this board has written the last entry of a log."""
        return hmac.new(self.secret.encode(), log.head.encode(), hashlib.sha256).hexdigest()[:_SEAL_LETTERS]


def read_match(kept: str, like: Options) -> Match:
    """A record that was kept, on a board whose times are those of `like`; `QuartoError` for what is none."""
    try:
        body = json.loads(kept)
        return _match_of(body, like)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        if isinstance(error, QuartoError):
            raise
        raise EntryRefused(f"what was kept of a game with another board cannot be read ({error}).") from error


def _match_of(body: Mapping[str, object], like: Options) -> Match:
    boards, entries, seals = body["boards"], body["entries"], body["seals"]
    if not isinstance(boards, list) or not isinstance(entries, list) or not isinstance(seals, list):
        raise EntryRefused("what was kept of a game with another board has no lists where they belong.")
    first, second = boards
    terms = MatchTerms(str(body["match"]), (first, second), rules_of(body["rules"], like), Player(body["starter"]))
    return Match(
        PlayedLog.of(terms, tuple(parse_entry(text) for text in entries)),
        Player(body["me"]),
        str(body["secret"]),
        tuple(seals),
        int(str(body["confirmed"])),
        bool(body["have_left"]),
        bool(body["other_left"]),
        bool(body["other_knows"]),
    )
