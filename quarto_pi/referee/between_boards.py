"""A game with another board: how it begins, what comes from there, what is settled here, and how it ends.

The other board's turns are carried out by hands, as the computer's are. What this board's people do is settled when the
next piece is given for good, or somebody calls; only then the other board is told, so that all that may change before
(D5, D12, D13) stays here.
"""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee.deadlines import Due, is_due
from quarto_pi.referee.effects import GiveUpMatch, Speak, WriteEntry
from quarto_pi.referee.facts import left_standing
from quarto_pi.referee.inputs import (
    BoardNews,
    EntryCame,
    MatchBegins,
    MatchLeft,
    NoMatch,
    OthersKnown,
    OtherThere,
    Plan,
)
from quarto_pi.referee.menu import MenuOccurrence
from quarto_pi.referee.messages import (
    InvitedByBoard,
    NoMatchWith,
    OtherBoardAway,
    OtherBoardBack,
    OtherBoardLeft,
)
from quarto_pi.referee.phases import Occurrence, RefereePhase
from quarto_pi.referee.remote_game import RemoteGame, author_of_entry, settled_entries
from quarto_pi.referee.settings import PERSON, Seat, Starter
from quarto_pi.referee.stages import Clearing, ReadingOccurrence
from quarto_pi.referee.state import Planned, StaleOffer
from quarto_pi.referee.step import Step
from quarto_pi.referee.teaching import leave_lesson
from quarto_pi.remote_play.log import LogEntry, Saying
from quarto_pi.rules import Calling, Clear, Give, Phase, Player, Reason, TimeOut


def hear_of_boards(step: Step, received: BoardNews) -> None:
    """Take in what has come from other boards."""
    match received:
        case OthersKnown(others=others):
            before = step.state.others
            step.state = replace(step.state, others=others)
            if others is not None and others.invitations and (before is None or not before.invitations):
                step.effects.append(Speak(InvitedByBoard()))
        case NoMatch(why=why):
            step.notice(NoMatchWith(why))
        case MatchBegins():
            _begin(step, received)
        case MatchLeft():
            _end(step)
        case EntryCame(number=number, entry=entry):
            _take_entry(step, number, entry)
        case OtherThere(is_away=is_away, is_heard=is_heard):
            _know_there(step, is_away=is_away, is_heard=is_heard)


def follow_match(step: Step) -> None:
    """Tell the other board what has been settled since it was told last."""
    if step.state.remote is None:
        return
    _pass_if_due(step)
    state, remote = step.state, step.state.remote
    if remote is None:
        return
    entries = settled_entries(state.game, remote, is_for_good=state.is_given_for_good(step.now))
    for number in range(remote.written, len(entries)):
        if state.settings.seat(author_of_entry(state.game, number)).is_person:
            step.effects.append(WriteEntry(number, entries[number]))
    if len(entries) > remote.written:
        step.state = replace(state, remote=replace(remote, written=len(entries), is_heard=False))
    _say_that_we_left(step)


def _say_that_we_left(step: Step) -> None:
    remote, result = step.state.remote, step.state.game.result
    if remote is None or result is None or remote.has_left:
        return
    is_auto = step.state.game.options.calling is Calling.AUTO
    is_draw_too_soon = result.reason is Reason.DRAW and not is_auto and remote.passes < len(Player)
    if result.reason is Reason.UNFINISHED or is_draw_too_soon:
        step.state = replace(step.state, remote=replace(remote, has_left=True))
        step.effects.append(GiveUpMatch())


def _begin(step: Step, begins: MatchBegins) -> None:
    """Begin the game on which two boards have agreed; not over one that somebody plays here."""
    state = step.state
    if state.is_under_way or state.is_match_open:
        step.effects.append(GiveUpMatch())
        return
    if state.lesson is not None:
        leave_lesson(step)
    step.close_reading(ReadingOccurrence.DROPPED)
    if state.menu is not None:
        step.change_menu(MenuOccurrence.CHOSEN)
    before = step.state
    if before.phase is RefereePhase.ATTRACT:
        step.follow(Occurrence.TOUCHED)
    elif before.phase in (RefereePhase.SET_UP, RefereePhase.OVER):
        step.follow(Occurrence.PLAYED_ON)
    there = Seat(board=begins.board)
    seats = (PERSON, there) if begins.side is Player.A else (there, PERSON)
    rules = replace(begins.rules, clock_ms=None, time_out=TimeOut.SHOW)
    starter = Starter.A if begins.starter is Player.A else Starter.B
    left = frozenset(standing.piece for _, standing in left_standing(before))
    step.forget_end()
    step.begin(replace(before.wishes, rules=rules, seats=seats, starter=starter, undo=False, coach=False), begins.match)
    step.state = replace(
        step.state,
        remote=RemoteGame(begins.board, begins.match),
        stale=StaleOffer(step.now),
        clearing=Clearing(remains=left),
    )


def _end(step: Step) -> None:
    """The other board has left, or both do not mean the same game: nobody wins."""
    remote = step.state.remote
    if remote is None or step.state.game.over:
        return
    step.state = replace(step.state, remote=replace(remote, has_left=True))
    step.act(Clear(), max(step.now, step.state.game.now))
    step.notice(OtherBoardLeft())


def _know_there(step: Step, *, is_away: bool, is_heard: bool) -> None:
    remote = step.state.remote
    if remote is None:
        return
    was_away = remote.away_since is not None
    since = None if not is_away else (remote.away_since if was_away else step.now)
    step.state = replace(step.state, remote=replace(remote, away_since=since, is_heard=is_heard))
    if is_away is not was_away and not step.state.game.over:
        step.notice(OtherBoardAway() if is_away else OtherBoardBack())


# --- the other board's entries ----------------------------------------------------------------------------------------


def _take_entry(step: Step, number: int, entry: LogEntry) -> None:
    """Do what the other board has settled; hands carry out what has to be done with pieces."""
    state, remote = step.state, step.state.remote
    if remote is None or state.game.over or state.planned is not None or number != remote.written:
        return
    author, at = author_of_entry(state.game, number), max(step.now, state.game.now)
    game = state.game
    match entry:
        case LogEntry(says=Saying.PASS) if game.phase is Phase.FINAL_CALL:
            _pass(step)
        case _ if state.settings.seat(author).is_person:
            # The log holds what this board does not know any more: it was set back to an older journal.
            _break_off(step)
        case LogEntry(square=None, give=give) if give is not None and game.phase is Phase.GIVE:
            step.act(Give(give), at)
        case LogEntry(square=None, says=Saying.CALL):
            step.call_elsewhere(author, at)
        case LogEntry(square=square) if square is not None and game.phase is Phase.PLACE:
            plan = Plan(square, entry.give, entry.says is Saying.CALL)
            step.state = replace(state, computer=Planned(None, plan, at))
        case _:
            _break_off(step)


def _break_off(step: Step) -> None:
    """Give up a game of which both boards have not the same picture."""
    _end(step)
    step.effects.append(GiveUpMatch())


# --- the last words, after the sixteenth piece (D3) -------------------------------------------------------------------


def _pass_if_due(step: Step) -> None:
    """Pass for this board's player who has had the time to call, or has begun to clear the board."""
    state = step.state
    if state.has_last_word and (is_due(state, Due.LAST_WORDLESS, step.now) or state.table.is_cleared):
        _pass(step)


def _pass(step: Step) -> None:
    """Know that the one whose word it is does not call: then it is the other one's, and after that a draw."""
    remote = step.state.remote
    if remote is None:
        return
    passed = replace(remote, passes=remote.passes + 1, passed_at=step.now)
    step.state = replace(step.state, remote=passed)
    if passed.passes == len(Player):
        step.act(Clear(), max(step.now, step.state.game.now))
