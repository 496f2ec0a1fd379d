"""What a board knows of its games with other boards, and the fold that brings it on: letters and time in, letters out.

What one board knows and the other does not is written again, ever more slowly, until the other one shows that it has
it. Who is silent is away, and wins or loses nothing by that.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from quarto_pi.chain.messages import MessageRefused
from quarto_pi.remote_play.letters import (
    AcceptLetter,
    HaveLetter,
    InviteLetter,
    Letter,
    LogLetter,
    Refusal,
    RefuseLetter,
    TakeLetter,
    WithdrawLetter,
    have_letter,
    log_in,
    log_letter,
    read_letter,
    terms_in,
)
from quarto_pi.remote_play.log import EntryRefused, LogEntry, MatchTerms
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


def correspond(known: Correspondence, came: Incoming) -> tuple[Correspondence, tuple[Outgoing, ...]]:
    """What is known after something has come in, and what is to be done."""
    exchange = _Exchange(known, came.at)
    exchange.take_in(came)
    exchange.attend()
    return exchange.known, tuple(exchange.out)


class _Exchange:
    """What is known as far as this step has got."""

    def __init__(self, known: Correspondence, now: int) -> None:
        self.known = known
        self.now = now
        self.out: list[Outgoing] = []

    def take_in(self, came: Incoming) -> None:  # noqa: C901, PLR0912 - one case for each that may come in
        match came:
            case LetterCame(sender=sender, payload=payload):
                if self._admits(sender):
                    self._read(sender, payload)
            case LinkChanged(up=up):
                self._change_link(up=up)
            case Inviting():
                if not self.known.is_engaged:
                    offer = Offer(came, came.board, came.board is None, self.now)
                    self._know(replace(self.known, offer=offer))
            case Taking(board=board, secret=secret):
                self._accept(board, secret)
            case Declining(board=board):
                self._decline(board)
            case CallingOff():
                self._call_off()
            case Wrote(number=number, entry=entry):
                self._write(number, entry)
            case GaveUp():
                self._give_up()
            case Freed(free=free):
                self._know(replace(self.known, is_free=free))
                if not free:
                    self._call_off()
                    self._refuse_all(Refusal.BUSY)
            case TimePassed():
                pass
            case _:
                assert_never(came)

    # --- what falls due -----------------------------------------------------------------------------------------------

    def attend(self) -> None:
        """Write what is due, and know who is away."""
        self._attend_offer()
        self._attend_acceptance()
        fresh = self.now - self.known.waits.fresh
        if any(each.at <= fresh for each in self.known.invitations):
            kept = tuple(each for each in self.known.invitations if each.at > fresh)
            self._know(replace(self.known, invitations=kept))
        if self.known.playing is not None:
            playing = self._told(self._watched(self.known.playing))
            if playing is not self.known.playing:
                self._know(replace(self.known, playing=playing))
        past = tuple(self._told(each) for each in self.known.past)
        if any(after is not before for after, before in zip(past, self.known.past, strict=True)):
            self._know(replace(self.known, past=past))

    def _attend_offer(self) -> None:
        offer, waits = self.known.offer, self.known.waits
        if offer is None or offer.to is None:
            return
        if self.now - offer.since >= (waits.taken if offer.is_open else waits.answer):
            self._post(offer.to, WithdrawLetter(offer.terms.match))
            if offer.is_open:
                self._know(replace(self.known, offer=replace(offer, to=None, again=Again())))
            else:
                self._know(replace(self.known, offer=None))
                self.out.append(Declined(offer.to, None))
        elif self.known.is_linked and self.now >= offer.again.at:
            terms = offer.terms
            agreed = MatchTerms(terms.match, ("", ""), terms.rules, terms.starter).agreed
            self._post(offer.to, InviteLetter(terms.match, agreed, terms.starter))
            self._know(replace(self.known, offer=replace(offer, again=offer.again.next(self.now, waits))))

    def _attend_acceptance(self) -> None:
        waiting, waits = self.known.acceptance, self.known.waits
        if waiting is None:
            return
        if self.now - waiting.since >= waits.taken:
            self._know(replace(self.known, acceptance=None))
            self.out.append(Declined(waiting.board, None))
        elif self.known.is_linked and self.now >= waiting.again.at:
            letter = TakeLetter() if waiting.letter is None else AcceptLetter(waiting.letter.match)
            self._post(waiting.board, letter)
            self._know(replace(self.known, acceptance=replace(waiting, again=waiting.again.next(self.now, waits))))

    def _watched(self, playing: Ongoing) -> Ongoing:
        """The game on the table, with a sign of life if one is due, and whether the other board is away."""
        if playing.match.is_over:
            return playing if playing.away_since is None else replace(playing, away_since=None)
        waits = self.known.waits
        is_away = not self.known.is_linked or self.now - playing.heard_at > waits.silence
        if is_away is not (playing.away_since is not None):
            playing = replace(playing, away_since=self.now if is_away else None)
        if self.known.is_linked and self.now >= playing.pulse_at:
            self._post(playing.match.other, have_letter(playing.match))
            playing = replace(playing, pulse_at=self.now + waits.pulse)
        return playing

    def _told(self, each: Ongoing) -> Ongoing:
        """A game, with its log written to the other board if that lacks something and it is time."""
        is_wanted = each.compare or not each.match.is_agreed
        if not self.known.is_linked or each.is_gone or not is_wanted or self.now < each.again.at:
            return each
        self._post(each.match.other, log_letter(each.match))
        again = each.again.next(self.now, self.known.waits)
        return replace(each, again=again, compare=False, logged_at=self.now)

    def _change_link(self, *, up: bool) -> None:
        self._know(replace(self.known, is_linked=up))
        if not up:
            return
        # Whole logs are compared at every meeting.
        if self.known.playing is not None:
            again = replace(self.known.playing, compare=True, again=Again(), pulse_at=self.now)
            self._know(replace(self.known, playing=again))
        past = tuple(replace(each, again=Again()) for each in self.known.past)
        self._know(replace(self.known, past=past))

    # --- what guests do -----------------------------------------------------------------------------------------------

    def _accept(self, board: str, secret: str) -> None:
        if self.known.is_engaged:
            return
        invitation = next((each for each in self.known.invitations if each.board == board), None)
        letter = None if invitation is None else invitation.letter
        others = tuple(each for each in self.known.invitations if each.board != board)
        accepted = Acceptance(board, secret, self.now, letter)
        self._know(replace(self.known, acceptance=accepted, invitations=others))
        self._refuse_all(Refusal.BUSY)

    def _decline(self, board: str) -> None:
        for each in self.known.invitations:
            if each.board == board:
                self._post(board, RefuseLetter(each.letter.match, Refusal.NO))
                declined = (*self.known.declined, each.letter.match)[-MOST_INVITATIONS:]
                self._know(replace(self.known, declined=declined))
        self._forget_invitation(board)

    def _call_off(self) -> None:
        offer = self.known.offer
        if offer is not None and offer.to is not None:
            self._post(offer.to, WithdrawLetter(offer.terms.match))
        self._know(replace(self.known, offer=None, acceptance=None))

    def _refuse_all(self, why: Refusal) -> None:
        for each in self.known.invitations:
            self._post(each.board, RefuseLetter(each.letter.match, why))
        if self.known.invitations:
            self._know(replace(self.known, invitations=()))

    def _write(self, number: int, entry: LogEntry) -> None:
        playing = self.known.playing
        if playing is None or playing.match.is_over:
            return
        entries = playing.match.log.entries
        if number < len(entries) and entries[number] == entry:
            return
        try:
            if number != len(entries):
                raise EntryRefused(f"'{entry.text}' was to be entry {number}, and there are {len(entries)}.")
            match = playing.match.written(entry)
        except EntryRefused:
            # What was played here is not what was told: such a game can't go on, and nobody has won it.
            match = playing.match.left()
        self._change(playing, match)

    def _give_up(self) -> None:
        playing = self.known.playing
        if playing is not None and not playing.match.is_over:
            self._change(playing, playing.match.left())

    # --- what other boards write --------------------------------------------------------------------------------------

    def _admits(self, sender: str) -> bool:
        """Whether this board has not written more than anybody has to read."""
        before = next((each for each in self.known.allowances if each.sender == sender), None)
        letters = float(MOST_LETTERS)
        if before is not None:
            letters = min(letters, before.letters + (self.now - before.at) * LETTERS_A_SECOND / 1_000)
        others = tuple(each for each in self.known.allowances if each.sender != sender)[-MOST_SENDERS + 1 :]
        admitted = letters >= 1
        allowance = Allowance(sender, letters - 1 if admitted else letters, self.now)
        self._know(replace(self.known, allowances=(*others, allowance)))
        return admitted

    def _read(self, sender: str, payload: bytes) -> None:
        try:
            letter = read_letter(payload)
        except MessageRefused:
            self._count_refused(sender)
            return
        match letter:
            case InviteLetter():
                self._hear_invitation(sender, letter)
            case TakeLetter():
                self._hear_take(sender)
            case AcceptLetter(match=name):
                self._hear_acceptance(sender, name)
            case WithdrawLetter(match=name):
                self._hear_withdrawal(sender, name)
            case RefuseLetter(match=name, why=why):
                self._hear_refusal(sender, name, why)
            case LogLetter() | HaveLetter():
                self._hear_of_match(sender, letter)
            case _:
                assert_never(letter)

    def _hear_invitation(self, sender: str, letter: InviteLetter) -> None:
        waiting, offer = self.known.acceptance, self.known.offer
        if self._found(sender, letter.match) is not None:
            # It has become a game already.
            return
        if waiting is not None and waiting.board == sender and waiting.letter in (None, letter):
            self._know(replace(self.known, acceptance=replace(waiting, letter=letter, again=Again())))
        elif offer is not None and offer.to == sender and not offer.is_open:
            # Both have invited each other: the invitation of the board whose name comes first stands.
            if sender < self.known.me:
                accepted = Acceptance(sender, offer.terms.secret, self.now, letter)
                self._know(replace(self.known, offer=None, acceptance=accepted))
        elif letter.match in self.known.declined:
            self._post(sender, RefuseLetter(letter.match, Refusal.NO))
        elif self.known.is_engaged:
            self._post(sender, RefuseLetter(letter.match, Refusal.BUSY))
        else:
            others = tuple(each for each in self.known.invitations if each.board != sender)
            if len(others) >= MOST_INVITATIONS:
                self._post(sender, RefuseLetter(letter.match, Refusal.BUSY))
                return
            came = Invitation(sender, letter, self.now)
            self._know(replace(self.known, invitations=(*others, came)))

    def _hear_take(self, sender: str) -> None:
        offer = self.known.offer
        if offer is None or not offer.is_open or offer.to not in (None, sender):
            self._post(sender, RefuseLetter("", Refusal.GONE if offer is None else Refusal.BUSY))
            return
        since = self.now if offer.to is None else offer.since
        self._know(replace(self.known, offer=replace(offer, to=sender, since=since, again=Again())))

    def _hear_acceptance(self, sender: str, name: str) -> None:
        offer, found = self.known.offer, self._found(sender, name)
        if found is not None:
            self._change(replace(found, compare=True, again=Again()), found.match)
        elif offer is not None and offer.to == sender and offer.terms.match == name:
            terms = MatchTerms(name, (self.known.me, sender), offer.terms.rules, offer.terms.starter)
            self._know(replace(self.known, offer=None))
            self._begin(Match.begun(terms, Player.A, offer.terms.secret))
        else:
            self._post(sender, RefuseLetter(name, Refusal.GONE))

    def _hear_withdrawal(self, sender: str, name: str) -> None:
        waiting = self.known.acceptance
        if waiting is not None and waiting.board == sender and waiting.match == name:
            self._know(replace(self.known, acceptance=None))
            self.out.append(Declined(sender, Refusal.GONE))
        for each in self.known.invitations:
            if each.board == sender and each.letter.match == name:
                self._forget_invitation(sender)

    def _hear_refusal(self, sender: str, name: str, why: Refusal) -> None:
        offer, waiting, found = self.known.offer, self.known.acceptance, self._found(sender, name)
        if found is not None and why is Refusal.GONE:
            # Should it know the game after all, it hears that this board does not wait any more.
            self._change(replace(found, is_gone=True), found.match.left().left_by_other())
        elif offer is not None and offer.to == sender and offer.terms.match == name:
            if offer.is_open:
                self._know(replace(self.known, offer=replace(offer, to=None, again=Again())))
            else:
                self._know(replace(self.known, offer=None))
                self.out.append(Declined(sender, why))
        elif waiting is not None and waiting.board == sender and waiting.match == name:
            self._know(replace(self.known, acceptance=None))
            self.out.append(Declined(sender, why))

    def _hear_of_match(self, sender: str, letter: LogLetter | HaveLetter) -> None:
        found = self._found(sender, letter.match) or self._begun_by(sender, letter)
        if found is None:
            self._post(sender, RefuseLetter(letter.match, Refusal.GONE))
            return
        try:
            match = _joined(found.match, letter)
        except EntryRefused:
            self._count_refused(sender)
            return
        heard = replace(found, heard_at=self.now, is_gone=False, refused=0)
        behind = isinstance(letter, HaveLetter) and letter.count > match.count
        parted = isinstance(letter, HaveLetter) and not behind and letter.head != match.log.heads[letter.count]
        # A board that was set back to an older journal may lack what it had confirmed.
        has = letter.count if isinstance(letter, HaveLetter) else len(letter.entries)
        self._change(heard, match)
        self._reply(match, letter, lacks=parted or has < match.count or not match.is_agreed, behind=behind)

    def _reply(self, match: Match, letter: LogLetter | HaveLetter, *, lacks: bool, behind: bool) -> None:
        """Write what the other board lacks, or what this one has by now."""
        found = self._found(match.other, match.name)
        if found is None:
            return
        if lacks and not behind:
            due = max(self.now, found.logged_at + self.known.waits.reply)
            again = replace(found.again, at=min(found.again.at, due)) if found.again.tries else Again(due)
            self._put(replace(found, again=again, compare=True))
        elif isinstance(letter, LogLetter) or behind:
            self._post(match.other, have_letter(match))

    def _begun_by(self, sender: str, letter: LogLetter | HaveLetter) -> Ongoing | None:
        """The game that begins with this letter, if this board has taken the invitation to it."""
        waiting = self.known.acceptance
        if waiting is None or waiting.board != sender or waiting.letter is None:
            return None
        if waiting.letter.match != letter.match:
            return None
        terms = terms_in(waiting.letter, (sender, self.known.me), self.known.like)
        self._know(replace(self.known, acceptance=None))
        return self._begin(Match.begun(terms, Player.B, waiting.secret))

    # --- the games ----------------------------------------------------------------------------------------------------

    def _begin(self, match: Match) -> Ongoing:
        self._refuse_all(Refusal.BUSY)
        before = self.known.playing
        past = self.known.past if before is None else (*self.known.past, before)
        # Those on which both boards agree are forgotten first.
        past = tuple(sorted(past, key=lambda each: not each.match.is_agreed))[-MOST_PAST:]
        playing = Ongoing(match, self.now, pulse_at=self.now + self.known.waits.pulse)
        self._know(replace(self.known, playing=playing, past=past))
        self.out += [KeepMatch(match), MatchStarted(match)]
        return playing

    def _found(self, sender: str, name: str) -> Ongoing | None:
        """The game of this name with the board that writes."""
        games = (*self.known.past, *((self.known.playing,) if self.known.playing is not None else ()))
        return next((each for each in games if each.match.name == name and each.match.other == sender), None)

    def _change(self, found: Ongoing, match: Match) -> None:
        """Know a game as it is now; what is new in it is kept before it is told anybody."""
        if match != found.match:
            is_news = match.log != found.match.log or match.have_left != found.match.have_left
            # What the other board has is learnt anew after a start: only the end of it is worth a write.
            is_kept = is_news or match.is_over or replace(match, confirmed=found.match.confirmed) != found.match
            found = replace(found, match=match, again=Again() if is_news else found.again)
            if is_kept:
                self.out.append(KeepMatch(match))
        self._put(found)

    def _put(self, found: Ongoing) -> None:
        playing = self.known.playing
        if playing is not None and playing.match.name == found.match.name:
            self._know(replace(self.known, playing=found))
            return
        past = tuple(found if each.match.name == found.match.name else each for each in self.known.past)
        self._know(replace(self.known, past=past))

    def _count_refused(self, sender: str) -> None:
        """Know that a board has written what nobody may write: it can lose its own game by that, and nothing else."""
        playing = self.known.playing
        if playing is None or playing.match.other != sender or playing.match.is_over:
            return
        refused = playing.refused + 1
        match = playing.match.left() if refused >= MOST_REFUSED else playing.match
        self._change(replace(playing, refused=refused), match)

    def _forget_invitation(self, board: str) -> None:
        kept = tuple(each for each in self.known.invitations if each.board != board)
        self._know(replace(self.known, invitations=kept))

    def _post(self, to: str, letter: Letter) -> None:
        if self.known.is_linked:
            self.out.append(PostLetter(to, letter))

    def _know(self, known: Correspondence) -> None:
        self.known = known


def _joined(match: Match, letter: LogLetter | HaveLetter) -> Match:
    """The record with what the other board says in a letter."""
    if isinstance(letter, LogLetter):
        joined = match.joined(log_in(letter))
        if len(letter.entries) == joined.count and letter.head != joined.log.head:
            raise EntryRefused("a letter's hash is not that of its log.")
        return joined
    match = match.heard_of(letter.count, letter.head)
    if letter.count > match.count:
        # What it says of leaving may stand behind entries that are still to come.
        return match
    if letter.has_left:
        match = match.left_by_other()
    return replace(match, other_knows=True) if letter.knows and match.have_left else match
