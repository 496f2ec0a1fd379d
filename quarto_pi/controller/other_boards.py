"""The other boards, as the loop sees them: what is settled here goes there, what comes from there to the referee.

Nothing here waits. What is to be told another board waits until it is safe from a power cut; what the referee has to
know is found by comparing what both know, so that nothing is missed, whatever was lost before.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from quarto_pi.chain.hub_messages import read_spectators
from quarto_pi.chain.messages import BoardList, MessageRefused, read_others
from quarto_pi.chain.unforeseen import UnforeseenErrors
from quarto_pi.referee import Input, State
from quarto_pi.referee.effects import (
    CallOffInvitation,
    Effect,
    GiveUpMatch,
    InviteBoard,
    TakeInvitation,
    WriteEntry,
)
from quarto_pi.referee.inputs import EntryCame, MatchBegins, MatchLeft, NoMatch, OthersKnown, OtherThere
from quarto_pi.referee.messages import NoMatchReason
from quarto_pi.referee.remote_game import OtherBoard, Others
from quarto_pi.remote_play.correspondence import (
    CallingOff,
    Declined,
    Freed,
    GaveUp,
    Incoming,
    Inviting,
    KeepMatch,
    LetterCame,
    LinkChanged,
    MatchStarted,
    Outgoing,
    PostLetter,
    Taking,
    TimePassed,
    Wrote,
    resumed,
)
from quarto_pi.remote_play.exchange import correspond
from quarto_pi.remote_play.letters import Refusal, pack_letter
from quarto_pi.remote_play.match import Match, read_match
from quarto_pi.rules import Game, Options, QuartoError

LOOK_AT_BOARDS_MS: Final = 100
"""Between two looks at what is due, if nothing has come."""
MOST_WAITING_LETTERS: Final = 500
"""So many letters wait to be read; what is lost of a flood is written again by whoever means it."""

_WHY: Final = {
    Refusal.BUSY: NoMatchReason.BUSY,
    Refusal.NO: NoMatchReason.REFUSED,
    Refusal.GONE: NoMatchReason.SILENT,
}


class MatchKeeping(Protocol):
    """Keeps games with other boards; writing is done elsewhere, and never waited for."""

    def keep_match(self, name: str, kept: str) -> int:
        """Have a game kept as it is now; its ticket."""

    def amend_game(self, number: int, game: Game) -> None:
        """Have the game of this number, which had been given up, kept as it has ended after all."""

    def is_safe(self, ticket: int) -> bool:
        """Whether it need not be waited for any more."""


class Postbox(Protocol):
    """What carries letters to other boards; it never waits, and a letter may be lost."""

    @property
    def is_open(self) -> bool:
        """Whether letters are carried at this moment."""

    def post(self, to: str, letter: bytes) -> None:
        """Carry a letter to a board."""


class NoKeeping:
    """Where no journal is kept, nothing has to be waited for."""

    def keep_match(self, name: str, kept: str) -> int:
        """Forget it."""
        del name, kept
        return 0

    def amend_game(self, number: int, game: Game) -> None:
        """Nothing is kept."""

    def is_safe(self, ticket: int) -> bool:
        """Always: nothing here outlives a power cut."""
        del ticket
        return True


@dataclass(frozen=True, slots=True)
class _Waiting:
    """What is to be done once a ticket's record is safe."""

    ticket: int
    what: Outgoing


class OtherBoardsSeat:
    """This board's side of all games with others: asked by the referee through its effects, and looked in on.

    `secrets` makes a text that nobody can guess, of 32 letters in hexadecimal.
    """

    def __init__(  # noqa: PLR0913 - whom it works with, and what a test puts in the place of chance
        self,
        me: str,
        postbox: Postbox,
        secrets: Callable[[], str],
        keeping: MatchKeeping | None = None,
        kept: tuple[str, ...] = (),
        like: Options | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._me, self._postbox, self._secrets = me, postbox, secrets
        self._keeping = keeping or NoKeeping()
        self._like = like or Options()
        read = tuple(_readable(kept, self._like))
        self._known = resumed(me, tuple(match for match, _ in read), 0, self._like)
        self._numbers = {match.name: number for match, number in read}
        self._is_started = False
        self._letters: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self._others = BoardList()
        self._watched_at = ""
        self._waiting: deque[_Waiting] = deque()
        self._ticket = 0
        self._begins: deque[Match] = deque()
        self._declined: deque[Declined] = deque()
        self._amended = ""
        self._now = 0
        self._looked_at = -LOOK_AT_BOARDS_MS
        self._errors = UnforeseenErrors(say)

    @property
    def match(self) -> Match | None:
        """The game on the table as both boards have it, or the last one."""
        return None if self._known.playing is None else self._known.playing.match

    @property
    def past(self) -> tuple[Match, ...]:
        """The games before it, as both boards have them."""
        return tuple(each.match for each in self._known.past)

    @property
    def _matches(self) -> tuple[Match, ...]:
        return (*self.past, *(() if self.match is None else (self.match,)))

    @property
    def invites_anybody(self) -> bool:
        """Whether any board may take this one's invitation."""
        return self._known.invites_anybody

    # --- from any thread ----------------------------------------------------------------------------------------------

    def hear_letter(self, sender: str, letter: bytes) -> None:
        """Take what another board has written; it is read with the next look."""
        if self._letters.qsize() < MOST_WAITING_LETTERS:
            self._letters.put((sender, letter))

    def hear_others(self, message: bytes) -> None:
        """Know which boards may be played with, as the hub says; what is none of its messages is passed over."""
        try:
            self._others = read_others(message)
        except MessageRefused:
            return

    def hear_spectators(self, message: bytes) -> None:
        """Know where this board may be watched, as the hub says; what is none of its messages is passed over."""
        try:
            self._watched_at = read_spectators(message)
        except MessageRefused:
            return

    # --- in the loop's thread -----------------------------------------------------------------------------------------

    def perform(self, effect: Effect) -> None:
        """Do what the referee wants of other boards."""
        now = self._now
        match effect:
            case WriteEntry(number=number, entry=entry):
                self._take(Wrote(now, number, entry))
            case GiveUpMatch():
                self._take(GaveUp(now))
            case InviteBoard(board=board, rules=rules, starter=starter):
                self._take(Inviting(now, board, self._secrets(), self._secrets(), rules, starter))
            case TakeInvitation(board=board):
                self._take(Taking(now, board, self._secrets()))
            case CallOffInvitation():
                self._take(CallingOff(now))
            case _:
                pass

    def look(self, state: State, now: int) -> Iterator[Input]:
        """What the referee has to know by now, one thing at a time."""
        self._now = now
        if state.remote is not None and state.remote.match:
            self._numbers[state.remote.match] = state.number
        self._look_at_post(state, now)
        self._send()
        yield from self._about_others(state, now)
        yield from self._about_match(state, now)

    def _look_at_post(self, state: State, now: int) -> None:
        if not self._is_started:
            # The times of the evening before mean nothing in this one.
            self._known = resumed(self._me, self._matches, now, self._like)
            self._is_started = True
        if self._postbox.is_open is not self._known.is_linked:
            self._take(LinkChanged(now, self._postbox.is_open))
        if _is_free(state) is not self._known.is_free:
            self._take(Freed(now, _is_free(state)))
        try:
            while True:
                self._take_letter(*self._letters.get_nowait(), now)
        except Empty:
            pass
        if now - self._looked_at >= LOOK_AT_BOARDS_MS:
            self._looked_at = now
            self._take(TimePassed(now))

    def _take_letter(self, sender: str, letter: bytes, now: int) -> None:
        try:
            self._take(LetterCame(now, sender, letter))
        except Exception as error:  # noqa: BLE001 - nothing that another board writes ends the evening of this one
            self._errors.note("reading another board's letter", error, now / 1000)

    def _about_others(self, state: State, now: int) -> Iterator[Input]:
        listed = tuple(each for each in self._others.boards if each.name != self._me)
        labels = {each.name: each.label for each in listed}
        free = tuple(OtherBoard(each.name, each.label, each.invites) for each in listed)
        invited_by = (each.board for each in self._known.invitations)
        invitations = tuple(OtherBoard(name, labels.get(name, name), invites=True) for name in invited_by)
        is_waiting = self._known.offer is not None or self._known.acceptance is not None
        others = Others(free, invitations, is_waiting, self._watched_at)
        if others != state.others:
            yield OthersKnown(now, others)
        while self._declined:
            why = self._declined.popleft().why
            yield NoMatch(now, NoMatchReason.SILENT if why is None else _WHY[why])

    def _about_match(self, state: State, now: int) -> Iterator[Input]:
        while self._begins:
            match = self._begins.popleft()
            terms = match.terms
            yield MatchBegins(now, terms.match, match.other, match.me, terms.rules, terms.starter)
            return
        playing, remote = self._known.playing, state.remote
        if remote is None:
            if playing is not None and not playing.match.is_over:
                # The evening began without this game: nobody here can go on with it.
                self._take(GaveUp(now))
            return
        if playing is None or playing.match.other != remote.board or remote.match not in ("", playing.match.name):
            if not state.game.over:
                yield MatchLeft(now)
            return
        is_away, is_heard = playing.away_since is not None, playing.match.is_agreed
        if (is_away, is_heard) != (remote.away_since is not None, remote.is_heard):
            yield OtherThere(now, is_away, is_heard)
        if state.game.over:
            self._amend(state, playing.match)
        elif state.planned is None and state.game.paused_since is None:
            yield from _next_entry(playing.match, remote.written, now)

    def _amend(self, state: State, match: Match) -> None:
        """Have the game kept as the log has it, where it was given up here although the other board had ended it."""
        told, shown = match.log.game.result, state.game.result
        if told is None or shown is None or match.name == self._amended:
            return
        if (told.winner, told.reason) != (shown.winner, shown.reason):
            self._amended = match.name
            self._keeping.amend_game(state.number, match.log.game)

    # --- what follows -------------------------------------------------------------------------------------------------

    def _take(self, came: Incoming) -> None:
        before = {each.name: each.result for each in self._matches}
        self._known, out = correspond(self._known, came)
        for each in out:
            match each:
                case KeepMatch(match=match):
                    number = self._numbers.get(match.name, 0)
                    self._ticket = self._keeping.keep_match(match.name, json.dumps({**match.as_json(), "game": number}))
                    if before.get(match.name) not in (None, match.result) and match.log.game.over and number:
                        self._keeping.amend_game(number, match.log.game)
                case MatchStarted(match=match):
                    self._begins.append(match)
                case Declined():
                    self._declined.append(each)
                case PostLetter():
                    self._waiting.append(_Waiting(self._ticket, each))
        self._send()

    def _send(self) -> None:
        """Send what tells of nothing that a power cut could still take back."""
        while self._waiting and self._keeping.is_safe(self._waiting[0].ticket):
            what = self._waiting.popleft().what
            if isinstance(what, PostLetter) and self._postbox.is_open:
                self._postbox.post(what.to, pack_letter(what.letter))


def _readable(kept: tuple[str, ...], like: Options) -> Iterator[tuple[Match, int]]:
    """The records that can be read, and their games' numbers in the journal; another one is of no use to anybody."""
    for text in kept:
        try:
            match = read_match(text, like)
            number = json.loads(text).get("game")
            yield match, number if isinstance(number, int) else 0
        except QuartoError:
            continue


def _next_entry(match: Match, written: int, now: int) -> Iterator[Input]:
    """The entry that is still to be carried out here, or the end where none will come."""
    entries = match.log.entries
    if len(entries) > written:
        yield EntryCame(now, written, entries[written])
    elif match.is_over and len(entries) == written:
        yield MatchLeft(now)


def _is_free(state: State) -> bool:
    """Whether guests of another board may invite those of this one now."""
    if state.is_under_way or state.is_match_open or state.lesson is not None:
        return False
    return state.view is None or not state.view.asleep
