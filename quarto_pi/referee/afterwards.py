"""After a game: who has won is celebrated and told, then how the next one begins; and whatever is done answers.

A press lets the other one begin. The score is that of a sitting: it begins anew with people who come, or change seats.
"""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee.deadlines import Due, is_due
from quarto_pi.referee.effects import Speak
from quarto_pi.referee.inputs import Press
from quarto_pi.referee.messages import PlayAgain
from quarto_pi.referee.settings import Starter
from quarto_pi.referee.stages import EndOccurrence, EndStage
from quarto_pi.referee.state import State
from quarto_pi.referee.step import Step, starter_of


def celebrates(state: State, now: int) -> bool:
    """Whether it is being celebrated that somebody has won."""
    result = state.game.result
    if state.end is None or state.settings.quiet or result is None or result.winner is None:
        return False
    return not is_due(state, Due.CELEBRATED, now)


def play_again(state: State) -> PlayAgain:
    """How the next game begins."""
    wishes, end, result = state.wishes, state.end, state.game.result
    alignments = () if result is None else result.alignments
    if wishes.starter is Starter.DRAWN or not wishes.people:
        return PlayAgain(state.score, None, alignments=alignments)
    starter = starter_of(wishes, state.number, 0)
    if end is not None and end.other_begins:
        starter = starter.other
    return PlayAgain(state.score, starter, asks=True, alignments=alignments)


def follow_end(step: Step) -> None:
    """Tell how the next game begins, once it has been told for long enough who has won."""
    end = step.state.end
    if end is not None and is_due(step.state, Due.NEXT_TOLD, step.now):
        step.change_end(EndOccurrence.SEEN, replace(end, stage=EndStage.NEXT, since=step.now))


def answer_press(step: Step, press: Press) -> None:
    """A press after a game: it says how to go on, and once that was to be read, lets the other one begin.

    Whoever hammers the button when a game is won has the answer as soon as that is celebrated.
    """
    end, patience = step.state.end, step.state.patience
    if end is None or press.at - end.at < patience.celebrates:
        return
    if end.stage is EndStage.RESULT:
        step.change_end(EndOccurrence.SEEN, replace(end, stage=EndStage.NEXT, since=step.now))
        return
    view = step.state.view
    shown = None if view is None else view.prompt
    if end.stage is EndStage.NEXT and isinstance(shown, PlayAgain) and shown.asks:
        if press.at - end.since >= patience.reading:
            step.change_end(EndOccurrence.OTHER_BEGINS, replace(end, other_begins=not end.other_begins))
    elif shown is not None:
        step.effects.append(Speak(shown))


def want_new_game(step: Step) -> None:
    """Somebody wants a new game while none is under way: say what has to be done for it."""
    end, view = step.state.end, step.state.view
    if end is not None and end.stage is not EndStage.WANTED:
        step.change_end(EndOccurrence.NEW_GAME, replace(end, stage=EndStage.WANTED, since=step.now))
    elif view is not None:
        step.effects.append(Speak(view.prompt))
