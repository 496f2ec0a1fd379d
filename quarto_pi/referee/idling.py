"""A board that nobody touches: it gives up a game, invites people, speaks its own language again, and sleeps.

All of it depends on how long ago the last touch was, and on whether the house is open; none of it judges a game.
"""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee.deadlines import Due, is_due
from quarto_pi.referee.effects import Abandon
from quarto_pi.referee.messages import LanguageChosen
from quarto_pi.referee.phases import Occurrence, RefereePhase
from quarto_pi.referee.skill import NEWCOMER
from quarto_pi.referee.stages import ReadingOccurrence
from quarto_pi.referee.state import State, Told
from quarto_pi.referee.step import Step
from quarto_pi.rules import Clear


def invites(state: State, now: int) -> bool:
    """Whether nobody plays, and the display may invite; pieces that still stand on the board do not matter."""
    if state.phase is RefereePhase.SET_UP or state.waits_for_guests:
        return is_due(state, Due.LEFT_ALONE, now)
    return state.phase is RefereePhase.ATTRACT


def is_asleep(state: State, now: int) -> bool:
    """Whether display, lights and voice rest: in a house that keeps hours while it is closed, else after some time."""
    return state.menu is None and invites(state, now) and is_due(state, Due.ASLEEP, now)


def follow_idling(step: Step) -> None:
    """Do what is due on a board that nobody touches."""
    state, now = step.state, step.now
    if is_due(state, Due.GIVEN_UP, now):
        step.act(Clear(), max(now, state.game.now))
        step.effects.append(Abandon(now))
    elif (
        state.phase is RefereePhase.CHOOSE
        and is_due(state, Due.LEFT_ALONE, now)
        and state.computer is None
        and not state.is_match_open
    ) or is_due(state, Due.PUT_AWAY, now):
        step.close_reading(ReadingOccurrence.DROPPED)
        step.forget_end()
        step.state = replace(step.state, score=(0, 0), skill=NEWCOMER)
        step.follow(Occurrence.LEFT_ALONE)
    if _guest_has_left(step.state, now):
        step.speak(step.state.idling.home)


def use_press(step: Step, touched_at: int) -> None:
    """Use a short press while nobody plays: wake up, or speak the next language; `touched_at` is the touch before."""
    now = step.now
    idling = replace(step.state.idling, touched_at=touched_at)
    before = replace(step.state, idling=idling)
    languages = before.settings.languages
    if not invites(before, now) or len(languages) == 1:
        if before.phase is RefereePhase.ATTRACT:
            step.follow(Occurrence.TOUCHED)
        return
    # Whoever changes the language is still to be invited, in that language.
    step.state = replace(step.state, idling=replace(idling, pressed_at=now))
    if is_asleep(before, now):
        return
    spoken = before.settings.language
    place = languages.index(spoken) + 1 if spoken in languages else 0
    chosen = languages[place % len(languages)]
    step.speak(chosen)
    step.state = replace(step.state, told=Told(LanguageChosen(chosen), now + before.patience.notice))


def _guest_has_left(state: State, now: int) -> bool:
    """Whether the board speaks a language that somebody pressed for who is no longer here."""
    return invites(state, now) and is_due(state, Due.GUEST_LEFT, now)
