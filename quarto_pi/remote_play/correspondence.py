"""What a board knows of its games with other boards: what may come in, what is to be done, and what there is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from quarto_pi.remote_play.letters import (
    InviteLetter,
    Letter,
    Refusal,
)
from quarto_pi.remote_play.log import LogEntry
from quarto_pi.remote_play.match import Match
from quarto_pi.rules import Options, Player

# --- what comes in ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LetterCame:
    """Another board has written; the sender is known for sure, what is written is not."""

    at: int
    sender: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """This board can write and be written to from now on, or not any more."""

    at: int
    up: bool


@dataclass(frozen=True, slots=True)
class Inviting:
    """Guests invite another board, or any (None), to a game of this name, with the secret for this board's seals."""

    at: int
    board: str | None
    match: str
    secret: str
    rules: Options
    starter: Player


@dataclass(frozen=True, slots=True)
class Taking:
    """Guests take the invitation of a board that has invited them, or that invites anybody."""

    at: int
    board: str
    secret: str


@dataclass(frozen=True, slots=True)
class Declining:
    """Guests do not take the invitation of a board."""

    at: int
    board: str


@dataclass(frozen=True, slots=True)
class CallingOff:
    """Guests do not wait for another board any more."""

    at: int


@dataclass(frozen=True, slots=True)
class Wrote:
    """Guests have settled the entry of this number, counted from 0."""

    at: int
    number: int
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class GaveUp:
    """Guests have given up the game with another board."""

    at: int


@dataclass(frozen=True, slots=True)
class Freed:
    """The board can be invited from now on, or something else is played on it."""

    at: int
    free: bool


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Nothing has come in until now."""

    at: int


Incoming = LetterCame | LinkChanged | Inviting | Taking | Declining | CallingOff | Wrote | GaveUp | Freed | TimePassed


# --- what is to be done, in this order --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PostLetter:
    """Write this to another board, once all that was to be kept before it is safe."""

    to: str
    letter: Letter


@dataclass(frozen=True, slots=True)
class KeepMatch:
    """Keep this record of a game."""

    match: Match


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A game with another board begins."""

    match: Match


@dataclass(frozen=True, slots=True)
class Declined:
    """There will be no game with this board, or with any; None where it has not answered."""

    board: str | None
    why: Refusal | None


Outgoing = PostLetter | KeepMatch | MatchStarted | Declined


# --- what is known ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatchWaits:
    """How many milliseconds two boards wait for each other; none of these decides a game.

    `again`: so long after each try it is written again. `pulse`: so often a board that plays shows that it is there,
    and `silence`: so long after the last sign of it the other one is away. `answer`: so long an invitation waits for
    guests, `taken`: so long for a board that has taken it, `fresh`: so long an invitation that came stands if it does
    not come again. `reply`: no more than one whole log is answered within this time.
    """

    again: tuple[int, ...] = (1_000, 2_000, 4_000, 8_000, 16_000, 30_000)
    pulse: int = 10_000
    silence: int = 30_000
    answer: int = 180_000
    taken: int = 20_000
    fresh: int = 30_000
    reply: int = 500


MOST_INVITATIONS: Final = 8
MOST_PAST: Final = 8
"""So many games are remembered whose end the other board may not know yet."""
MOST_LETTERS: Final = 40
"""So many letters of one board are read at once; then `LETTERS_A_SECOND`."""
LETTERS_A_SECOND: Final = 10
MOST_SENDERS: Final = 64
MOST_REFUSED: Final = 10
"""A board that has written so much in one game that nobody may write is not played with any more."""


@dataclass(frozen=True, slots=True)
class Again:
    """When something is written again, and how often it has been."""

    at: int = 0
    tries: int = 0

    def next(self, now: int, waits: MatchWaits) -> Again:
        """After one more try."""
        return Again(now + waits.again[min(self.tries, len(waits.again) - 1)], self.tries + 1)


@dataclass(frozen=True, slots=True)
class Offer:
    """This board's own invitation: to one board, or `is_open` to any, of which `to` has taken it."""

    terms: Inviting
    to: str | None
    is_open: bool
    since: int
    again: Again = field(default_factory=Again)


@dataclass(frozen=True, slots=True)
class Invitation:
    """Another board's invitation, and when it came last."""

    board: str
    letter: InviteLetter
    at: int


@dataclass(frozen=True, slots=True)
class Acceptance:
    """This board has taken an invitation, known once it has come, and waits for the game to begin."""

    board: str
    secret: str
    since: int
    letter: InviteLetter | None = None
    again: Again = field(default_factory=Again)

    @property
    def match(self) -> str:
        """What the game is called; "" while that is not known."""
        return "" if self.letter is None else self.letter.match


@dataclass(frozen=True, slots=True)
class Ongoing:
    """A game, when the other board was heard of last, and since when it is away.

    `compare` says that the whole log is to be written, whatever the other one has. `is_gone` says that the other one
    knows nothing of the game any more.
    """

    match: Match
    heard_at: int
    away_since: int | None = None
    again: Again = field(default_factory=Again)
    pulse_at: int = 0
    logged_at: int = -1_000_000
    compare: bool = True
    refused: int = 0
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many letters of a board may still be read, as of a moment."""

    sender: str
    letters: float
    at: int


@dataclass(frozen=True, slots=True)
class Correspondence:
    """All that a board of this name knows of its games with others.

    `playing` is the game on the table, also after its end; `past` are games before it. While it is `free` others may
    invite it; `declined` are invitations that its guests have refused.
    """

    me: str
    like: Options = field(default_factory=Options)
    waits: MatchWaits = field(default_factory=MatchWaits)
    is_linked: bool = False
    is_free: bool = True
    offer: Offer | None = None
    acceptance: Acceptance | None = None
    invitations: tuple[Invitation, ...] = ()
    declined: tuple[str, ...] = ()
    playing: Ongoing | None = None
    past: tuple[Ongoing, ...] = ()
    allowances: tuple[Allowance, ...] = ()

    @property
    def is_engaged(self) -> bool:
        """Whether there is no room for another invitation."""
        is_playing = self.playing is not None and not self.playing.match.is_over
        return not self.is_free or is_playing or self.offer is not None or self.acceptance is not None

    @property
    def invites_anybody(self) -> bool:
        """Whether any board may take this one's invitation."""
        return self.offer is not None and self.offer.is_open and self.offer.to is None


def resumed(
    me: str, matches: tuple[Match, ...], now: int, like: Options, waits: MatchWaits | None = None
) -> Correspondence:
    """What is known after a start, from the records that were kept, the oldest first."""
    ongoing = tuple(Ongoing(match, now) for match in matches[-MOST_PAST:])
    playing = ongoing[-1] if ongoing and not ongoing[-1].match.is_over else None
    past = ongoing[:-1] if playing is not None else ongoing
    return Correspondence(me, like, waits or MatchWaits(), playing=playing, past=past)
