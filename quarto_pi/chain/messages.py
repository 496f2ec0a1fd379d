"""What board and hub say to each other: JSON objects with a version, bounded and checked before anything is believed.

Reading is strict in what a message must have, and lets pass keys that a newer version may have added. Nothing here has
the name of a guest, and nothing depends on whether there is an alignment to call (D8).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import isfinite
from typing import Final, TypeVar

from quarto_pi.rules import QuartoError

VERSION: Final = 1
MOST_BYTES_OF_MESSAGE: Final = 16_384
MOST_LISTED: Final = 50
"""So many boards are told a board as those that it may play with."""
MOST_NUMBER: Final = 2**53 - 1
"""What every reader of JSON can hold as a whole number."""

JsonObject = Mapping[str, object]
_W = TypeVar("_W", bound=Enum)
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class MessageRefused(QuartoError, ValueError):
    """A message that is none of ours; the text says what is wrong with it."""


# --- What is said -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SettledAction:
    """One settled action of a board.

    The board's name is the topic's. `history` is the journal that it stands in: a journal that is begun anew, or put
    back from a backup, gets another one, so that its numbers never mean two things. `game` is the number of the game
    in it, `number` counts its actions from 1 without a gap, `at` is seconds since 1970, 0 where the board did not know.
    `event` is what was told, as `run --json` prints it without its `t`; a game's first one is `begun`.
    """

    history: str
    game: int
    number: int
    at: float
    event: JsonObject

    @property
    def key(self) -> tuple[str, int, int]:
        """What it is known by at its board."""
        return self.history, self.game, self.number


@dataclass(frozen=True, slots=True)
class TakenThrough:
    """What the hub has committed of one history: for each of these games all actions up to a number.

    Only this ends an entry of a board's queue. `resend` asks for what is missing: games, and the number to begin with.
    """

    history: str
    through: tuple[tuple[int, int], ...] = ()
    resend: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class HubHere:
    """The hub is there; its epoch changes when its memory is another one, and boards then begin again."""

    epoch: str


class Doing(Enum):
    """What a board does at present."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    LEARNING = "learning"
    ASLEEP = "asleep"
    GUIDE = "guide"


@dataclass(frozen=True, slots=True)
class Ailment:
    """Something that is the matter with a board, and what to do, in the words of `quarto-pi check`."""

    device: str
    detail: str
    fix: str


class VersionStep(Enum):
    """How far a board is with a version that it was offered."""

    FETCHING = "fetching"
    WAITING = "waiting"
    INSTALLING = "installing"
    REFUSED = "refused"


LONGEST_REASON: Final = 400


@dataclass(frozen=True, slots=True)
class VersionTold:
    """How far a board is with the bundle that has this SHA-256: its step, how much of it is there, why it is refused.

    `percent` is told in tens, so that a board says so ten times and not a thousand times.
    """

    sha256: str
    step: VersionStep
    percent: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """What a board is doing; retained, and renewed at each connection.

    `since` is when it began to do so, in seconds since 1970, 0 where unknown. `queued` actions wait for the hub.
    `position` is what stands there, as positions are written everywhere; `seats` who plays: "person", "computer 1" to
    "computer 10", "board". `free` says that another board may invite its guests, `invites` that these wait for any
    board that wants to play with them. Of a game with another board `match` is what both call it, and `other` that one.
    `card` is the version of the card that it runs from, empty where it runs from none; `offered` how far it is with a
    version that it was offered.
    """

    version: str
    history: str
    doing: Doing
    since: float = 0
    language: str = "en"
    game: int = 0
    position: str = ""
    seats: tuple[str, ...] = ()
    to_act: int | None = None
    ailments: tuple[Ailment, ...] = ()
    queued: int = 0
    free: bool = False
    invites: bool = False
    match: str = ""
    other: str = ""
    card: str = ""
    offered: VersionTold | None = None


@dataclass(frozen=True, slots=True)
class BoardToPlay:
    """A board that may be played with: its name, what people call it, and whether it invites anybody."""

    name: str
    label: str
    invites: bool = False


@dataclass(frozen=True, slots=True)
class BoardList:
    """The boards that a board may play with at present, as the hub tells it; retained."""

    boards: tuple[BoardToPlay, ...] = ()


MOST_STANDINGS: Final = 200
LONGEST_TITLE_TOLD: Final = 40


@dataclass(frozen=True, slots=True)
class ToldMatch:
    """Who plays at a board's table, by their numbers: the first is player 1. The score is in halves of a point."""

    first: int
    second: int
    score: tuple[int, int] = (0, 0)
    best_of: int = 1


@dataclass(frozen=True, slots=True)
class ToldStanding:
    """A line of the table: where a player stands, with how many halves of a point from how many pairings."""

    place: int
    player: int
    points: int
    played: int


@dataclass(frozen=True, slots=True)
class TournamentTold:
    """The tournament of a board's house as its page shows it. Players are numbers: their names stay at the hub.

    `table` is the board's, 0 where it has none; `match` who plays there now. `over` says that all is played.
    """

    title: str
    round: int
    rounds: int
    table: int = 0
    match: ToldMatch | None = None
    standings: tuple[ToldStanding, ...] = ()
    over: bool = False


# --- As bytes, and back -----------------------------------------------------------------------------------------------


def packed(body: JsonObject) -> bytes:
    """An object of one of these messages as it goes over the wire."""
    return json.dumps({"v": VERSION, **body}, separators=(",", ":"), ensure_ascii=False).encode()


def pack_settled(settled: SettledAction) -> bytes:
    """A settled action as it goes over the wire; the same one always as the same bytes."""
    return packed(
        {
            "history": settled.history,
            "game": settled.game,
            "number": settled.number,
            "at": settled.at,
            "event": dict(settled.event),
        }
    )


def pack_taken(taken: TakenThrough) -> bytes:
    """What the hub has committed, as it goes over the wire."""
    return packed(
        {
            "history": taken.history,
            "through": [list(pair) for pair in taken.through],
            "resend": [list(pair) for pair in taken.resend],
        }
    )


def pack_hub(hub: HubHere) -> bytes:
    """The hub's presence as it goes over the wire."""
    return packed({"epoch": hub.epoch})


def pack_state(state: BoardStatus) -> bytes:
    """A board's state as it goes over the wire."""
    return packed(
        {
            "version": state.version,
            "history": state.history,
            "doing": state.doing.value,
            "since": state.since,
            "language": state.language,
            "game": state.game,
            "position": state.position,
            "seats": list(state.seats),
            "to_act": state.to_act,
            "ailments": [
                {"device": ailment.device, "detail": ailment.detail, "fix": ailment.fix} for ailment in state.ailments
            ],
            "queued": state.queued,
            "free": state.free,
            "invites": state.invites,
            "match": state.match,
            "other": state.other,
            "card": state.card,
            "offered": _version_told_as_json(state.offered),
        }
    )


def _version_told_as_json(told: VersionTold | None) -> JsonObject | None:
    if told is None:
        return None
    why = told.why[:LONGEST_REASON]
    return {"sha256": told.sha256, "step": told.step.value, "percent": told.percent, "why": why}


def pack_others(others: BoardList) -> bytes:
    """The boards to play with as they go over the wire."""
    boards = [{"name": each.name, "label": each.label, "invites": each.invites} for each in others.boards]
    return packed({"boards": boards})


def pack_tournament(told: TournamentTold) -> bytes:
    """A house's tournament as it goes over the wire."""
    match = told.match
    return packed(
        {
            "title": told.title,
            "round": told.round,
            "rounds": told.rounds,
            "table": told.table,
            "match": None
            if match is None
            else {
                "first": match.first,
                "second": match.second,
                "score": list(match.score),
                "best_of": match.best_of,
            },
            "standings": [[row.place, row.player, row.points, row.played] for row in told.standings[:MOST_STANDINGS]],
            "over": told.over,
        }
    )


MOST_DEPTH: Final = 12
"""Lists and objects stand in each other no deeper than this in any message."""


def unpacked(payload: bytes) -> Fields:
    """The fields of a message; `MessageRefused` says what is wrong with one that is none of ours."""
    if len(payload) > MOST_BYTES_OF_MESSAGE:
        raise MessageRefused(f"a message of {len(payload)} bytes is too long: {MOST_BYTES_OF_MESSAGE} are the most.")
    try:
        text = payload.decode()
        if _depth(text) > MOST_DEPTH:
            raise MessageRefused("a message is nested too deeply.")
        body = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except ValueError as error:
        if isinstance(error, MessageRefused):
            raise
        raise MessageRefused("a message is not JSON.") from error
    if not isinstance(body, dict):
        raise MessageRefused("a message is not a JSON object.")
    fields = Fields(body)
    if fields.whole("v", 1) != VERSION:
        raise MessageRefused(f"a message has version {body['v']}, and this quarto-pi knows {VERSION}: upgrade it.")
    return fields


def _no_number(name: str) -> object:
    raise MessageRefused(f"a message holds {name}, which is no number.")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise MessageRefused("a message holds a number that is too large.")
    return number


def _depth(text: str) -> int:
    """At most how deeply a text of JSON is nested; brackets in its texts are counted as well."""
    depth = deepest = 0
    for letter in text:
        if letter in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in "]}":
            depth -= 1
    return deepest


def read_settled(payload: bytes) -> SettledAction:
    """A settled action that came over the wire."""
    fields = unpacked(payload)
    return SettledAction(
        fields.text("history", 1, 40),
        fields.whole("game", 1),
        fields.whole("number", 1),
        fields.number("at"),
        fields.mapping("event"),
    )


def read_taken(payload: bytes) -> TakenThrough:
    """What a hub says that it has committed."""
    fields = unpacked(payload)
    return TakenThrough(fields.text("history", 1, 40), fields.pairs("through"), fields.pairs("resend"))


def read_hub(payload: bytes) -> HubHere | None:
    """The hub's presence that came over the wire; None where it is not there."""
    return HubHere(unpacked(payload).text("epoch", 1, 40)) if payload else None


def read_state(payload: bytes) -> BoardStatus:
    """A board's state that came over the wire."""
    fields = unpacked(payload)
    to_act = fields.optional_whole("to_act")
    if to_act is not None and to_act > 1:
        raise MessageRefused("a message's to_act is neither 0 nor 1.")
    return BoardStatus(
        version=fields.text("version", 1, 60),
        history=fields.text("history", 0, 40),
        doing=fields.word("doing", Doing),
        since=fields.number("since"),
        language=fields.text("language", 2, 12),
        game=fields.whole("game", 0),
        position=fields.text("position", 0, 40),
        seats=tuple(fields.texts("seats", 2, 30)),
        to_act=to_act,
        ailments=tuple(
            Ailment(each.text("device", 1, 60), each.text("detail", 0, 400), each.text("fix", 0, 400))
            for each in fields.objects("ailments", 30)
        ),
        queued=fields.whole("queued", 0),
        free=fields.truth("free"),
        invites=fields.optional_truth("invites"),
        match=fields.optional_text("match", 40) or "",
        other=fields.optional_text("other", 30) or "",
        card=fields.optional_text("card", 60) or "",
        offered=_read_version_told(fields),
    )


def _read_version_told(fields: Fields) -> VersionTold | None:
    if not fields.has("offered"):
        return None
    told = Fields(fields.mapping("offered"))
    percent = min(told.whole("percent", 0), 100)
    return VersionTold(
        told.sha256("sha256"), told.word("step", VersionStep), percent, told.text("why", 0, LONGEST_REASON)
    )


def read_others(payload: bytes) -> BoardList:
    """The boards to play with that came over the wire; none where the message is empty."""
    if not payload:
        return BoardList()
    boards = unpacked(payload).objects("boards", MOST_LISTED)
    return BoardList(
        tuple(
            BoardToPlay(each.text("name", 1, 30), each.text("label", 1, 40), each.truth("invites")) for each in boards
        )
    )


def read_tournament(payload: bytes) -> TournamentTold | None:
    """A house's tournament that came over the wire; None where there is none."""
    if not payload:
        return None
    fields = unpacked(payload)
    match = None
    if not fields.is_none("match"):
        told = Fields(fields.mapping("match"))
        first, second = told.numbers("score", 2)
        match = ToldMatch(told.whole("first", 1), told.whole("second", 1), (first, second), told.whole("best_of", 1))
    return TournamentTold(
        fields.text("title", 1, LONGEST_TITLE_TOLD),
        fields.whole("round", 0),
        fields.whole("rounds", 0),
        fields.whole("table", 0),
        match,
        tuple(ToldStanding(*row) for row in fields.rows("standings", MOST_STANDINGS, 4)),
        fields.truth("over"),
    )


class Fields:
    """The keys of a message, each asked for by its kind; what is missing or of another kind is refused by its name."""

    def __init__(self, body: JsonObject) -> None:
        self._body = body

    def text(self, key: str, shortest: int, longest: int) -> str:
        """A text of so many letters."""
        value = self._body.get(key)
        if not isinstance(value, str) or not shortest <= len(value) <= longest or not value.isprintable():
            raise MessageRefused(f"a message's {key} is no text of {shortest} to {longest} letters.")
        return value

    def optional_text(self, key: str, longest: int) -> str | None:
        """A text of at most so many letters, or nothing."""
        return None if self._body.get(key) is None else self.text(key, 0, longest)

    def sha256(self, key: str) -> str:
        """A SHA-256 in hexadecimal."""
        value = self._body.get(key)
        if not isinstance(value, str) or not _SHA256.fullmatch(value):
            raise MessageRefused(f"a message's {key} is no SHA-256.")
        return value

    def has(self, key: str) -> bool:
        """Whether there is anything but null."""
        return self._body.get(key) is not None

    def whole(self, key: str, lowest: int) -> int:
        """A whole number, from a lowest one."""
        value = self._body.get(key)
        if type(value) is not int or not lowest <= value <= MOST_NUMBER:
            raise MessageRefused(f"a message's {key} is no whole number from {lowest}.")
        return value

    def optional_whole(self, key: str) -> int | None:
        """A whole number from 0, or nothing."""
        return None if self._body.get(key) is None else self.whole(key, 0)

    def number(self, key: str) -> float:
        """A number that is not negative."""
        value = self._body.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_NUMBER:
            raise MessageRefused(f"a message's {key} is no number from 0.")
        return value

    def truth(self, key: str) -> bool:
        """True or false."""
        value = self._body.get(key)
        if not isinstance(value, bool):
            raise MessageRefused(f"a message's {key} is neither true nor false.")
        return value

    def optional_truth(self, key: str) -> bool:
        """True or false; false where it is missing."""
        return key in self._body and self.truth(key)

    def word(self, key: str, words: type[_W]) -> _W:
        """One of an enum's words."""
        value = self._body.get(key)
        found = next((word for word in words if word.value == value), None)
        if found is None:
            raise MessageRefused(f"a message's {key} is none of {', '.join(str(word.value) for word in words)}.")
        return found

    def mapping(self, key: str) -> JsonObject:
        """An object."""
        value = self._body.get(key)
        if not isinstance(value, dict):
            raise MessageRefused(f"a message's {key} is no JSON object.")
        return value

    def objects(self, key: str, most: int) -> list[Fields]:
        """A list of so many objects at most."""
        value = self._body.get(key)
        if not isinstance(value, list) or len(value) > most or not all(isinstance(each, dict) for each in value):
            raise MessageRefused(f"a message's {key} is no list of at most {most} JSON objects.")
        return [Fields(each) for each in value]

    def texts(self, key: str, most: int, longest: int) -> list[str]:
        """A list of so many texts at most."""
        value = self._body.get(key)
        if not isinstance(value, list) or len(value) > most or not all(_is_text(each, longest) for each in value):
            raise MessageRefused(f"a message's {key} is no list of at most {most} texts.")
        return value

    def is_none(self, key: str) -> bool:
        """Whether it is said that there is none."""
        return key in self._body and self._body[key] is None

    def numbers(self, key: str, count: int) -> tuple[int, ...]:
        """So many whole numbers from 0."""
        value = self._body.get(key)
        if not _is_row(value, count):
            raise MessageRefused(f"a message's {key} is no list of {count} whole numbers.")
        return tuple(value)  # type: ignore[arg-type]

    def rows(self, key: str, most: int, count: int) -> tuple[tuple[int, ...], ...]:
        """A list of so many lists at most, each of so many whole numbers."""
        value = self._body.get(key)
        if not isinstance(value, list) or len(value) > most or not all(_is_row(each, count) for each in value):
            raise MessageRefused(f"a message's {key} is no list of at most {most} lists of {count} whole numbers.")
        return tuple(tuple(each) for each in value)

    def pairs(self, key: str) -> tuple[tuple[int, int], ...]:
        """A list of pairs of whole numbers."""
        value = self._body.get(key)
        if not isinstance(value, list) or not all(_is_pair(each) for each in value):
            raise MessageRefused(f"a message's {key} is no list of pairs of whole numbers.")
        return tuple((first, second) for first, second in value)


def _is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest and value.isprintable()


def _is_pair(value: object) -> bool:
    return _is_row(value, 2)


def _is_row(value: object, count: int) -> bool:
    if not isinstance(value, list) or len(value) != count:
        return False
    return all(type(each) is int and 0 <= each <= MOST_NUMBER for each in value)
