"""What a board does about its games with others: a fold of letters, wishes and time.

What one board knows and the other does not is written again, ever more slowly, until the other one shows that it has
it. Who is silent is away, and wins or loses nothing by that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from quarto_pi.chain.messages import MessageRefused
from quarto_pi.remote_play.correspondence import (
    LETTERS_A_SECOND,
    MOST_INVITATIONS,
    MOST_LETTERS,
    MOST_PAST,
    MOST_REFUSED,
    MOST_SENDERS,
    Acceptance,
    Again,
    Allowance,
    CallingOff,
    Correspondence,
    Declined,
    Declining,
    Freed,
    GaveUp,
    Incoming,
    Invitation,
    Inviting,
    KeepMatch,
    LetterCame,
    LinkChanged,
    MatchStarted,
    Offer,
    Ongoing,
    Outgoing,
    PostLetter,
    Taking,
    TimePassed,
    Wrote,
)
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
from quarto_pi.rules import Player


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
