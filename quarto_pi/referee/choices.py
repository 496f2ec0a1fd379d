"""What people choose, in the menu or elsewhere: how to play, a new game, a pause, a move taken back."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee.between_games import want_new_game
from quarto_pi.referee.effects import (
    CallOffInvitation,
    EnrolPieces,
    InviteBoard,
    ShutDown,
    Speak,
    TakeInvitation,
)
from quarto_pi.referee.menu import STOP_WAITING, BoardChoice, Item
from quarto_pi.referee.messages import WhatStands
from quarto_pi.referee.phases import Occurrence, RefereePhase
from quarto_pi.referee.settings import Settings
from quarto_pi.referee.stages import PAGES_OF_RULES, PageShown, ReadingOccurrence
from quarto_pi.referee.step import Step, starter_of
from quarto_pi.referee.teaching import begin_lesson, leave_lesson
from quarto_pi.rules import Clear, Pause, Resume, Undo
from quarto_pi.sensing.readings import CELLS


def adopt(step: Step, wishes: Settings) -> None:
    """Play so from the next game on, or at once if none has begun; what concerns no rule changes at once."""
    state = step.state
    if wishes.language != state.settings.language:
        step.state = replace(step.state, idling=replace(state.idling, home=wishes.language))
    step.keep(wishes)
    step.state = replace(step.state, settings=state.settings.heeding(wishes))
    step.touch()
    rules_change = wishes != step.state.settings
    if state.lesson is not None:
        leave_lesson(step)
    elif rules_change and state.phase in (RefereePhase.CHOOSE, RefereePhase.ATTRACT) and not state.is_match_open:
        step.begin(wishes)


def say_table(step: Step) -> None:
    """Say what stands on the table and what is to be done, where squares are spoken: so it is asked for."""
    state = step.state
    if state.settings.speaks_squares:
        table = {cell: standing.piece for cell, standing in state.table.standing.items()}
        step.effects.append(Speak(WhatStands(tuple((cell, table[cell]) for cell in CELLS if cell in table))))
        if state.view is not None:
            step.effects.append(Speak(state.view.prompt))


def obey(step: Step, item: Item, at: int) -> None:  # noqa: C901, PLR0912 - one case for each item
    """Do what an item of the menu says, if there is anything to do, at a moment that the game has not passed yet."""
    state = step.state
    step.touch()
    match item:
        case Item.NEW_GAME if state.is_under_way or state.is_match_open:
            step.act(Clear(), at)
        case Item.NEW_GAME if state.lesson is not None:
            leave_lesson(step)
        case Item.NEW_GAME:
            if state.phase is RefereePhase.ATTRACT:
                step.follow(Occurrence.TOUCHED)
            want_new_game(step)
        case Item.UNDO | Item.PAUSE | Item.TEACH if state.is_match_open:
            # Nobody at the other board has agreed to that.
            pass
        case Item.UNDO if state.is_under_way and state.game.turns:
            step.act(Undo(), at)
        case Item.PAUSE if state.is_under_way:
            step.act(Resume() if state.game.paused_since is not None else Pause(), at)
        case Item.HOW_TO_PLAY:
            if state.phase is RefereePhase.ATTRACT:
                step.follow(Occurrence.TOUCHED)
            step.change_reading(ReadingOccurrence.WANTED, PageShown(0, step.now))
        case Item.TEACH:
            begin_lesson(step)
        case Item.ENROL if not state.is_under_way and not state.is_match_open:
            step.effects.append(EnrolPieces())
        case Item.SHUT_DOWN:
            step.effects.append(ShutDown())
        case _:
            pass


def want_board(step: Step, choice: BoardChoice) -> None:
    """Play with this board, with any that wants to, or do not wait for one any longer."""
    state = step.state
    step.touch()
    if state.others is None or state.is_under_way or state.is_match_open:
        return
    if choice is STOP_WAITING:
        step.effects.append(CallOffInvitation())
    elif choice in state.others.invitations or (choice is not None and choice.invites):
        step.effects.append(TakeInvitation(choice.name))
    else:
        starter = starter_of(state.wishes, state.number, step.now)
        step.effects.append(InviteBoard(None if choice is None else choice.name, state.wishes.rules, starter))


def turn_page(step: Step) -> None:
    """Show the next page of how to play; after the last one the board is as it was."""
    reading = step.state.reading
    if reading is None:
        return
    if reading.page + 1 < PAGES_OF_RULES:
        step.change_reading(ReadingOccurrence.TURNED, PageShown(reading.page + 1, step.now))
    else:
        step.change_reading(ReadingOccurrence.READ)
        step.touch()
