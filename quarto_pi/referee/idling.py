"""A board that nobody touches: it gives up a game, invites people, speaks its own language again, and sleeps.

All of it depends on how long ago the last touch was, and on whether the house is open; none of it judges a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from quarto_pi.referee.effects import Abandon
from quarto_pi.referee.messages import LanguageChosen
from quarto_pi.referee.phases import Occurrence, Phase
from quarto_pi.referee.state import State, Told
from quarto_pi.referee.step import Step
from quarto_pi.rules import Clear

PAUSE_FACTOR: Final = 4
"""Who pauses a game means to come back: it is given up so many times later."""


def invites(state: State, now: int) -> bool:
    """Whether nobody plays, and the display may invite; pieces that still stand on the board do not matter."""
    if state.phase is Phase.SET_UP or _waits_for_guests(state):
        return now - state.touched_at >= state.patience.left_alone
    return state.phase is Phase.ATTRACT


def is_asleep(state: State, now: int) -> bool:
    """Whether display, lights and voice rest: in a house that keeps hours while it is closed, else after some time."""
    if state.is_open or state.menu is not None or not invites(state, now):
        return False
    patience = state.patience
    awake = patience.sleeps if state.is_open is None else patience.woken
    return bool(awake) and now - _last_touch(state) >= awake


def is_nearly_abandoned(state: State, now: int) -> bool:
    """Whether a game has been left alone for so long that it is time to ask for the players."""
    limit = _limit(state)
    return limit is not None and now >= limit - state.patience.still_there


def follow_idling(step: Step) -> None:
    """Do what is due on a board that nobody touches."""
    state, now = step.state, step.now
    idle = now - state.touched_at
    limit = _limit(state)
    if limit is not None and now >= limit:
        step.act(Clear(), max(now, state.game.now))
        step.effects.append(Abandon(now))
    elif (state.phase is Phase.CHOOSE and idle >= state.patience.left_alone and not state.asked) or (
        state.phase is Phase.OVER and idle >= state.patience.over_alone
    ):
        step.follow(Occurrence.LEFT_ALONE)
    if _guest_has_left(step.state, now):
        step.speak(step.state.home)


def use_press(step: Step, touched_at: int) -> None:
    """Use a short press while nobody plays: wake up, or speak the next language; `touched_at` is the touch before."""
    now = step.now
    before = replace(step.state, touched_at=touched_at)
    languages = before.settings.languages
    if not invites(before, now) or len(languages) == 1:
        if before.phase is Phase.ATTRACT:
            step.follow(Occurrence.TOUCHED)
        return
    # Whoever changes the language is still to be invited, in that language.
    step.set(touched_at=touched_at, pressed_at=now)
    if is_asleep(before, now):
        return
    spoken = before.settings.language
    place = languages.index(spoken) + 1 if spoken in languages else 0
    chosen = languages[place % len(languages)]
    step.speak(chosen)
    step.set(told=Told(LanguageChosen(chosen), now + before.patience.notice))


def appointments(state: State) -> Iterator[int]:
    """The moments at which something of this falls due."""
    patience, touched_at = state.patience, state.touched_at
    limit = _limit(state)
    if limit is not None:
        yield limit - patience.still_there
        yield limit
    waits = _waits_for_guests(state)
    if waits or state.phase in (Phase.CHOOSE, Phase.SET_UP):
        yield touched_at + patience.left_alone
    if state.phase is Phase.OVER:
        yield touched_at + patience.over_alone
    if waits or state.phase in (Phase.ATTRACT, Phase.SET_UP):
        yield from (_last_touch(state) + wait for wait in (patience.sleeps, patience.woken, patience.guest) if wait)


def _waits_for_guests(state: State) -> bool:
    """Whether the computer has begun on its own: who paused the game, or says to have placed something, is a guest."""
    is_paused = state.game.paused_since is not None and state.resumed_at is None
    return state.has_only_the_computer_begun and not is_paused and state.finding_since is None


def _limit(state: State) -> int | None:
    """The moment at which the game is given up."""
    patience = state.patience.abandoned
    if not patience or not state.is_under_way or _waits_for_guests(state):
        return None
    return state.touched_at + patience * (PAUSE_FACTOR if state.game.paused_since is not None else 1)


def _guest_has_left(state: State, now: int) -> bool:
    """Whether the board speaks a language that somebody pressed for who is no longer here."""
    patience = state.patience.guest
    if not patience or state.settings.language == state.home or not invites(state, now):
        return False
    return now - _last_touch(state) >= patience


def _last_touch(state: State) -> int:
    return max(state.touched_at, state.pressed_at)
