"""What two boards write to each other: invitations and answers, and what each has of their game.

A letter is one message on the sender's topic to the receiver, so that nobody can write in another board's name. None of
them has to arrive: each tells a state, and is written again until the other board has shown that it knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from quarto_pi.chain.messages import Fields, JsonObject, MessageRefused, packed, unpacked
from quarto_pi.remote_play.log import LONGEST_LOG, MatchTerms, parse_entry, rules_of
from quarto_pi.remote_play.match import Match, OtherLog
from quarto_pi.rules import Options, Player, QuartoError

_HEX: Final = frozenset("0123456789abcdef")


class Refusal(Enum):
    """Why a board does not play."""

    BUSY = "busy"
    """Somebody plays there, or another invitation was first."""
    NO = "no"
    """Its guests do not want to."""
    GONE = "gone"
    """It knows nothing of such a game, or not any more."""


@dataclass(frozen=True, slots=True)
class InviteLetter:
    """A board invites another one: what the game is called, by which rules, and who gives the first piece.

    The board that invites plays the first side.
    """

    match: str
    rules: JsonObject
    starter: Player


@dataclass(frozen=True, slots=True)
class TakeLetter:
    """A board would like to play with one that invites anybody; it is answered with an invitation, or a refusal."""


@dataclass(frozen=True, slots=True)
class AcceptLetter:
    """A board takes the invitation to this game."""

    match: str


@dataclass(frozen=True, slots=True)
class WithdrawLetter:
    """An invitation does not stand any more."""

    match: str


@dataclass(frozen=True, slots=True)
class RefuseLetter:
    """A board does not play this game; "" answers a `TakeLetter`."""

    match: str
    why: Refusal


@dataclass(frozen=True, slots=True)
class LogLetter:
    """All that a board has of a game: every entry and seal, the hash after the last one, and who has left."""

    match: str
    entries: tuple[str, ...]
    seals: tuple[str, ...]
    head: str
    has_left: bool = False
    knows: bool = False


@dataclass(frozen=True, slots=True)
class HaveLetter:
    """How many entries of a game a board has on its disk, the hash after the last one, and who has left."""

    match: str
    count: int
    head: str
    has_left: bool = False
    knows: bool = False


Letter = InviteLetter | TakeLetter | AcceptLetter | WithdrawLetter | RefuseLetter | LogLetter | HaveLetter


def log_letter(match: Match) -> LogLetter:
    """All that a board has of a game, as it writes it to the other one."""
    entries = tuple(entry.text for entry in match.log.entries)
    return LogLetter(match.name, entries, match.seals, match.log.head, match.have_left, match.other_left)


def have_letter(match: Match) -> HaveLetter:
    """What a board has of a game, in short."""
    return HaveLetter(match.name, match.count, match.log.head, match.have_left, match.other_left)


def log_in(letter: LogLetter) -> OtherLog:
    """The log that the other board says it has; `EntryRefused` where there is something else in it."""
    entries = tuple(parse_entry(text) for text in letter.entries)
    return OtherLog(entries, letter.seals, letter.has_left, letter.knows)


def terms_in(letter: InviteLetter, boards: tuple[str, str], like: Options) -> MatchTerms:
    """What is agreed on if the invitation is taken, on a board whose times are those of `like`."""
    return MatchTerms(letter.match, boards, rules_of(dict(letter.rules), like), letter.starter)


# --- As bytes, and back -----------------------------------------------------------------------------------------------


def pack_letter(letter: Letter) -> bytes:
    """A letter as it goes over the wire."""
    match letter:
        case InviteLetter(match=name, rules=rules, starter=starter):
            return packed({"letter": "invite", "match": name, "rules": dict(rules), "starter": starter.value})
        case TakeLetter():
            return packed({"letter": "take"})
        case AcceptLetter(match=name):
            return packed({"letter": "accept", "match": name})
        case WithdrawLetter(match=name):
            return packed({"letter": "withdraw", "match": name})
        case RefuseLetter(match=name, why=why):
            return packed({"letter": "refuse", "match": name, "why": why.value})
        case LogLetter():
            return packed(
                {
                    "letter": "log",
                    "match": letter.match,
                    "entries": list(letter.entries),
                    "seals": list(letter.seals),
                    "head": letter.head,
                    "has_left": letter.has_left,
                    "knows": letter.knows,
                }
            )
        case HaveLetter():
            return packed(
                {
                    "letter": "have",
                    "match": letter.match,
                    "count": letter.count,
                    "head": letter.head,
                    "has_left": letter.has_left,
                    "knows": letter.knows,
                }
            )
    assert_never(letter)


def read_letter(payload: bytes) -> Letter:
    """A letter that came over the wire; `MessageRefused` says what is wrong with one that is none."""
    fields = unpacked(payload)
    kind = fields.text("letter", 1, 10)
    match kind:
        case "invite":
            rules = fields.mapping("rules")
            _check_rules(rules)
            return InviteLetter(_name_in(fields), rules, _player_in(fields))
        case "take":
            return TakeLetter()
        case "accept":
            return AcceptLetter(_name_in(fields))
        case "withdraw":
            return WithdrawLetter(_name_in(fields))
        case "refuse":
            return RefuseLetter(fields.text("match", 0, 40), fields.word("why", Refusal))
        case "log":
            return LogLetter(
                _name_in(fields),
                tuple(fields.texts("entries", LONGEST_LOG, 12)),
                tuple(fields.texts("seals", LONGEST_LOG, 32)),
                _hash_in(fields),
                fields.truth("has_left"),
                fields.truth("knows"),
            )
        case "have":
            count = fields.whole("count", 0)
            if count > LONGEST_LOG:
                raise MessageRefused(f"a letter's count is more than {LONGEST_LOG}.")
            return HaveLetter(
                _name_in(fields), count, _hash_in(fields), fields.truth("has_left"), fields.truth("knows")
            )
    raise MessageRefused(f"a letter is a '{kind}', which this quarto-pi does not know.")


def _check_rules(rules: JsonObject) -> None:
    try:
        rules_of(dict(rules), Options())
    except QuartoError as error:
        raise MessageRefused(f"an invitation's rules cannot be played by: {error}") from error


def _name_in(fields: Fields) -> str:
    return _hex_in(fields, "match", 8, 40)


def _hash_in(fields: Fields) -> str:
    return _hex_in(fields, "head", 64, 64)


def _hex_in(fields: Fields, key: str, shortest: int, longest: int) -> str:
    text = fields.text(key, shortest, longest)
    if not set(text) <= _HEX:
        raise MessageRefused(f"a letter's {key} is not written in 0 to 9 and a to f.")
    return text


def _player_in(fields: Fields) -> Player:
    starter = fields.whole("starter", 0)
    if starter > 1:
        raise MessageRefused("a letter's starter is neither 0 nor 1.")
    return Player(starter)
