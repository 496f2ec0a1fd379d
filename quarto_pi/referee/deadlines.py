"""All that falls due without anybody doing anything, and when: one table, from which fold and silence both follow.

What waits for a moment asks `is_due` here whether it has come, or finds the moment on the thing itself that waits (a
`Fact`, a `Wrong`, a `Press`, a question). A sweep that brings nothing new before `next_due` cannot change anything, so
the fold passes over it. Nothing waits for a moment that is not in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from quarto_pi import rules
from quarto_pi.referee import corrections, facts
from quarto_pi.referee.corrections import wrongs_on
from quarto_pi.referee.facts import NOT_YET, facts_on
from quarto_pi.referee.inputs import Press, Use
from quarto_pi.referee.lesson import lesson_moments
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.remote_game import RemoteGame
from quarto_pi.referee.stages import EndStage
from quarto_pi.referee.state import State
from quarto_pi.sensing.board import Doubt

NEVER: Final = NOT_YET
"""Later than anything."""

PAUSE_FACTOR: Final = 4
"""Who pauses a game means to come back: it is given up so many times later."""

SECOND_MS: Final = 1_000


class Due(Enum):
    """What may fall due, in words."""

    NOTICE_ENDS = "what was told in passing has been told for long enough"
    MENU_CLOSES = "nobody has touched the open menu"
    LESSON = "a lesson goes on"
    LESSON_LEFT = "nobody has touched the board of a lesson"
    PAGE_TURNS = "a page of how to play has been shown"
    # the board as a whole
    LOOKED_ROUND = "every square has been looked at since a start"
    WRONG = "something on the table has to be put right"
    DOUBT_ENDS = "something heard, or missed, is not waited for any more"
    # the game
    FACT = "a give or a placement counts"
    RULES = "the rules themselves go on: clock, waiting call, end of the final call"
    SECOND = "the clock shows the next second"
    HURRY = "the time for the move is nearly over"
    LAST_WORD = "the computer may call what its opponent has made with the last piece"
    GIVEN_FOR_GOOD = "another board is told which piece is given"
    LAST_WORDLESS = "nobody here has called after the last piece, and the other board is told so"
    # presses
    RELEASED = "a button has come up for good"
    MENU_HELD = "a button has been held long enough to open the menu"
    CHOICE_HELD = "a button has been held long enough to choose in the menu"
    STUCK = "a button does not come up"
    JUDGED = "a call that does not win may be judged"
    CALLED_IN_THE_AIR = "a call does not wait any longer for a piece in the air"
    WHO_CALLED = "nobody has objected to who called"
    # questions
    QUESTION = "something may be asked"
    NEXT_QUESTION = "the next of several questions is asked"
    SEARCH_ENDS = "all squares have been asked about"
    # from one game to the next
    CLEARED = "a board cleared in mid-game has been empty for long"
    BEGUN_ANEW = "a new game is begun on a board that was cleared"
    PLAYED_ON = "the next game is begun over what is left of the last"
    IN_THE_WAY = "what is left of the last game has to go"
    LITTERED = "pieces of no game stand on the board"
    # nobody is there
    STILL_THERE = "a game that nobody touches asks for its players"
    GIVEN_UP = "a game that nobody touches is given up"
    LEFT_ALONE = "a board without a game invites people"
    CELEBRATED = "it has been celebrated for long enough who has won"
    NEXT_TOLD = "a result has been told, and how to go on is still to be told"
    PUT_AWAY = "a result has been seen"
    ASLEEP = "display, lights and voice rest"
    GUEST_LEFT = "the board speaks its own language again"


@dataclass(frozen=True, slots=True)
class DueMoment:
    """When something falls due; with `every`, again and again after as many milliseconds."""

    at: int
    every: int | None = None

    def after(self, now: int) -> int:
        """The first time that lies after `now`, or `NEVER`."""
        if now < self.at:
            return self.at
        return NEVER if self.every is None else now + self.every - (now - self.at) % self.every


def is_due(state: State, due: Due, now: int) -> bool:
    """Whether this has fallen due by now; what cannot fall due in such a state has not."""
    return any(moment.at <= now for moment in DEADLINES[due](state))


def next_due(state: State, now: int) -> int:
    """The next moment after `now` at which anything falls due, if nobody does anything before; or `NEVER`."""
    return min((moment.after(now) for moments in DEADLINES.values() for moment in moments(state)), default=NEVER)


def is_past(moment: int | None, now: int) -> bool:
    """Whether a moment has come; one that never comes has not."""
    return moment is not None and moment <= now


def doubt_ends_at(state: State, doubt: Doubt) -> int:
    """From when on a doubt is not waited for any more."""
    return doubt.since + state.patience.doubt + 1


def in_the_air_until(state: State, press: Press) -> int:
    """How long a call that was made with a piece in the air waits for that piece (D1, D5)."""
    return press.at + state.game.options.latch_ms


# --- the moments ------------------------------------------------------------------------------------------------------

Moments = Iterator[DueMoment]


def _notice_ends(state: State) -> Moments:
    if state.told is not None:
        yield DueMoment(state.told.until)


def _menu_closes(state: State) -> Moments:
    if state.menu is not None:
        yield DueMoment(state.menu.touched + state.patience.menu_left)


def _lesson(state: State) -> Moments:
    return (DueMoment(moment) for moment in lesson_moments(state))


def _lesson_left(state: State) -> Moments:
    if state.lesson is not None:
        # Who learns may look for a piece for long.
        yield DueMoment(state.idling.touched_at + 2 * state.patience.left_alone)


def _page_turns(state: State) -> Moments:
    if state.reading is not None:
        yield DueMoment(state.reading.since + state.patience.page)


def _looked_round(state: State) -> Moments:
    if state.resuming is not None:
        yield DueMoment(state.resuming.looks_until)


def _wrong(state: State) -> Moments:
    return (DueMoment(wrong.due) for wrong in wrongs_on(state, state.difference))


def _doubt_ends(state: State) -> Moments:
    return (DueMoment(doubt_ends_at(state, doubt)) for doubt in state.table.doubts)


def _fact(state: State) -> Moments:
    if state.is_under_way or state.phase is RefereePhase.CHOOSE:
        yield from (DueMoment(fact.ready) for fact in facts_on(state, state.difference))


def _rules(state: State) -> Moments:
    return (DueMoment(moment) for moment in rules.falls_due(state.game))


def _out_of_time_at(state: State) -> int | None:
    """When the running move's time is over, on the game's own clock."""
    clock, length = state.game.clock, state.game.options.clock_ms
    return None if clock is None or length is None or state.game.over else clock.started + length


def _second(state: State) -> Moments:
    end = _out_of_time_at(state)
    if end is not None and state.game.paused_since is None:
        # Also of the time that is over the seconds are counted.
        yield DueMoment(end % SECOND_MS, every=SECOND_MS)


def _hurry(state: State) -> Moments:
    end = _out_of_time_at(state)
    if end is not None:
        yield DueMoment(end - state.patience.hurry)


def _last_word(state: State) -> Moments:
    until = state.game.final_call_until
    if until is not None:
        yield DueMoment(until - state.game.options.final_call_ms // 2)


def _given_for_good(state: State) -> Moments:
    if state.is_match_open and state.game.hand is not None and state.is_by_person and not state.is_give_told:
        yield DueMoment(state.turned_at + state.patience.exchange)


def _last_wordless(state: State) -> Moments:
    if state.has_last_word and state.remote is not None:
        yield DueMoment(max(state.turned_at, state.remote.passed_at) + state.settings.rules.final_call_ms)


def _of_presses(at: Callable[[State, Press], int | None], *, of_used: bool = False) -> Callable[[State], Moments]:
    """The moments that presses wait for, those that are used up only where that is said."""

    def moments(state: State) -> Moments:
        for press in state.presses:
            moment = at(state, press) if of_used or press.use is Use.OPEN else None
            if moment is not None:
                yield DueMoment(moment)

    return moments


def _who_called(state: State) -> Moments:
    if state.call is not None:
        yield DueMoment(state.call.until)


def _question(state: State) -> Moments:
    for choices in corrections.choices_of(state, state.difference):
        yield from (DueMoment(choice.since) for choice in choices.choices)


def _next_question(state: State) -> Moments:
    for choices in corrections.choices_of(state, state.difference):
        if len(choices.choices) > 1:
            yield DueMoment(choices.since, every=state.patience.each_question)


def _search_ends(state: State) -> Moments:
    if state.dead_tags.finding_since is not None:
        squares = len(state.game.board.empty_squares)
        yield DueMoment(state.dead_tags.finding_since + state.patience.each_question * squares)


def _of_table(at: Callable[[State], int | None], *phases: RefereePhase) -> Callable[[State], Moments]:
    """The moment from which pieces on the table mean something, in these phases or in any."""

    def moments(state: State) -> Moments:
        moment = at(state) if not phases or state.phase in phases else None
        if moment is not None:
            yield DueMoment(moment)

    return moments


def _given_up_at(state: State) -> int | None:
    if state.is_match_open and state.remote is not None:
        return _match_given_up_at(state, state.remote)
    patience = state.patience.abandoned
    if not patience or not state.is_under_way or state.waits_for_guests:
        return None
    return state.idling.touched_at + patience * (PAUSE_FACTOR if state.game.paused_since is not None else 1)


def _match_given_up_at(state: State, remote: RemoteGame) -> int | None:
    """When a game with another board is given up: that board is away for too long, or nobody plays on here."""
    if remote.away_since is not None:
        return max(state.idling.touched_at, remote.away_since) + state.patience.unreachable
    if not state.patience.abandoned or not (state.is_person_to_act or state.planned is not None):
        return None
    return state.idling.touched_at + state.patience.abandoned


def _given_up(state: State) -> Moments:
    moment = _given_up_at(state)
    if moment is not None:
        yield DueMoment(moment)


def _still_there(state: State) -> Moments:
    moment = _given_up_at(state)
    if moment is not None:
        yield DueMoment(moment - state.patience.still_there)


def _left_alone(state: State) -> Moments:
    if state.waits_for_guests or state.phase in (RefereePhase.CHOOSE, RefereePhase.SET_UP):
        yield DueMoment(state.idling.touched_at + state.patience.left_alone)


def _celebrated(state: State) -> Moments:
    if state.end is not None:
        yield DueMoment(state.end.at + state.patience.celebrates)


def _next_told(state: State) -> Moments:
    if state.end is not None and state.end.stage is EndStage.RESULT:
        yield DueMoment(state.end.at + state.patience.result)


def _put_away(state: State) -> Moments:
    if state.phase is RefereePhase.OVER:
        yield DueMoment(state.idling.touched_at + state.patience.over_alone)


def _asleep(state: State) -> Moments:
    awake = state.patience.sleeps if state.idling.is_open is None else state.patience.woken
    if awake and not state.idling.is_open:
        yield DueMoment(state.idling.last_touch + awake)


def _guest_left(state: State) -> Moments:
    if state.patience.guest and state.settings.language != state.idling.home:
        yield DueMoment(state.idling.last_touch + state.patience.guest)


DEADLINES: Mapping[Due, Callable[[State], Moments]] = {
    Due.NOTICE_ENDS: _notice_ends,
    Due.MENU_CLOSES: _menu_closes,
    Due.LESSON: _lesson,
    Due.LESSON_LEFT: _lesson_left,
    Due.PAGE_TURNS: _page_turns,
    Due.LOOKED_ROUND: _looked_round,
    Due.WRONG: _wrong,
    Due.DOUBT_ENDS: _doubt_ends,
    Due.FACT: _fact,
    Due.RULES: _rules,
    Due.SECOND: _second,
    Due.HURRY: _hurry,
    Due.LAST_WORD: _last_word,
    Due.GIVEN_FOR_GOOD: _given_for_good,
    Due.LAST_WORDLESS: _last_wordless,
    Due.RELEASED: _of_presses(lambda state, press: press.released_at(state.patience), of_used=True),
    Due.MENU_HELD: _of_presses(lambda state, press: press.menu_at(state.patience)),
    Due.CHOICE_HELD: _of_presses(lambda state, press: press.chosen_at(state.patience)),
    Due.STUCK: _of_presses(lambda state, press: press.stuck_at(state.patience), of_used=True),
    Due.JUDGED: _of_presses(lambda state, press: press.judged_at(state.patience)),
    Due.CALLED_IN_THE_AIR: _of_presses(in_the_air_until),
    Due.WHO_CALLED: _who_called,
    Due.QUESTION: _question,
    Due.NEXT_QUESTION: _next_question,
    Due.SEARCH_ENDS: _search_ends,
    Due.CLEARED: _of_table(facts.cleared_at),
    Due.BEGUN_ANEW: _of_table(facts.begun_anew_at),
    Due.PLAYED_ON: _of_table(facts.played_on_at, RefereePhase.SET_UP, RefereePhase.OVER),
    Due.IN_THE_WAY: _of_table(facts.in_the_way_at),
    Due.LITTERED: _of_table(facts.littered_at, RefereePhase.CHOOSE),
    Due.STILL_THERE: _still_there,
    Due.GIVEN_UP: _given_up,
    Due.LEFT_ALONE: _left_alone,
    Due.CELEBRATED: _celebrated,
    Due.NEXT_TOLD: _next_told,
    Due.PUT_AWAY: _put_away,
    Due.ASLEEP: _asleep,
    Due.GUEST_LEFT: _guest_left,
}
"""What falls due, and when, as far as a state tells."""
