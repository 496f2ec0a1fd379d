"""After a game: who has won is celebrated and told, then how the next one begins; and whatever is done answers.

A press lets the other one begin. The score is that of a sitting: it begins anew with people who come, or change seats.
"""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee.deadlines import Due, is_due
from quarto_pi.referee.effects import Speak
from quarto_pi.referee.inputs import LookedBack, Press
from quarto_pi.referee.messages import Hindsight, PlayAgain, Slip
from quarto_pi.referee.settings import Starter
from quarto_pi.referee.stages import EndOccurrence, EndStage
from quarto_pi.referee.state import State
from quarto_pi.referee.step import Step, starter_of
from quarto_pi.rules import Board, Game, Piece, Square


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


# --- what there is to be learnt ---------------------------------------------------------------------------------------


def hear_hindsight(step: Step, looked_back: LookedBack) -> None:
    """Tell what there is to be learnt from the last game, where it is still that and somebody wants to hear it."""
    end = step.state.end
    if end is None or looked_back.number != step.state.number or not step.state.settings.hindsight:
        return
    step.state = replace(step.state, end=replace(end, hindsight=looked_back.hindsight))
    step.effects.append(Speak(looked_back.hindsight))


def hindsight_of(
    game: Game, slip: Slip, move: int = 0, square: Square | None = None, give: Piece | None = None
) -> Hindsight:
    """What there is to be learnt from a game, by the number of the move in it: the first gives, all others place.

    `square` is the one on which a Quarto was overlooked or given away; for any other slip the better one, with what to
    give then.
    """
    if slip is Slip.NOTHING:
        return Hindsight(slip)
    turn = game.turns[move - 1] if move else None
    player = game.starter if turn is None else turn.player
    if slip in (Slip.WIN_LOST, Slip.DRAW_LOST):
        return Hindsight(slip, player, placed=move, square=square, give=give)
    given = [each.piece for each in game.turns] + ([] if game.hand is None else [game.hand])
    decided = move if slip is Slip.GIFT else move - 1
    later = {each.square for each in game.turns[decided:]}
    board = Board.of({place: piece for place, piece in game.board.pieces.items() if place not in later})
    if square is None or board[square] is not None:
        raise ValueError(f"nothing can be placed on {square} with move {move} of this game.")
    if turn is not None and slip is Slip.OVERLOOKED and square == turn.square:
        slip = Slip.NOT_CALLED
    piece, rules = given[decided], game.options
    alignments = board.place(square, piece).alignments_through(square, rules.squares, rules.traits)
    return Hindsight(slip, player, piece, alignments, placed=move)
