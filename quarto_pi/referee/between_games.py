"""Between two games: what is told after one and how the next one begins; and a board that nobody touches.

A press after a game lets the other one begin. The score is that of a sitting: it begins anew with people who come, or
change seats. What happens on a board that nobody touches depends on how long ago the last touch was, and on whether the
house is open; none of it judges a game.
"""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee.deadlines import Due, is_due
from quarto_pi.referee.effects import Abandon, Speak
from quarto_pi.referee.inputs import LookedBack, Press
from quarto_pi.referee.messages import Hindsight, LanguageChosen, PlayAgain, Slip
from quarto_pi.referee.phases import Occurrence, RefereePhase
from quarto_pi.referee.settings import Starter
from quarto_pi.referee.stages import EndOccurrence, EndStage, ReadingOccurrence
from quarto_pi.referee.state import State, Told
from quarto_pi.referee.step import Step, starter_of
from quarto_pi.referee.tally import NEWCOMER
from quarto_pi.rules import Board, Clear, Game, Piece, Square

# --- After a game: who has won is celebrated and told, then how the next one begins; and whatever is done answers -----


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


# --- A board that nobody touches: it gives up a game, invites people, speaks its own language again, and sleeps -------


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
