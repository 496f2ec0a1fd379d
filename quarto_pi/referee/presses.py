"""What a press means: a call and by whom, an answer, a touch, a step in the menu (R7 to R9, D1 to D3, D11)."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee import between_games
from quarto_pi.referee.between_games import answer_press
from quarto_pi.referee.choices import adopt, obey, say_table, turn_page, want_board
from quarto_pi.referee.corrections import answered_by, question_at
from quarto_pi.referee.deadlines import Due, in_the_air_until, is_due, is_past
from quarto_pi.referee.facts import is_in_the_air
from quarto_pi.referee.inputs import ButtonName, Press, Use
from quarto_pi.referee.menu import Item, Menu, MenuOccurrence, MenuView, Stage, StopWaiting, with_item
from quarto_pi.referee.messages import (
    BoardCleared,
    ButtonStuck,
    FalseCall,
    NobodyCalls,
    NoQuarto,
    PlacedUnheard,
    Question,
    StandsThere,
    StillThere,
    TakeItBack,
)
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.remote_game import OtherBoard
from quarto_pi.referee.stages import CallInQuestion, CallOccurrence, CallStage, ReadingOccurrence
from quarto_pi.referee.state import State
from quarto_pi.referee.step import Step
from quarto_pi.referee.teaching import press_in_lesson
from quarto_pi.rules import Call, Calling, Clear, Phase, Place, Player, Resume, Shift, Undo

_OWNER = {ButtonName.CALL_A: Player.A, ButtonName.CALL_B: Player.B}


def use(step: Step, press: Press) -> None:
    """Use a press that nothing stands in the way of, as far as it can be told by now what it is."""
    state = step.state
    patience = state.patience
    if state.menu is not None or press.name is ButtonName.MENU:
        _use_for_menu(step, press)
        return
    if is_past(press.menu_at(patience), step.now):
        _open_menu(step, press)
        return
    if state.reading is not None:
        if press.is_released(step.now, patience):
            _spend(step, press)
            turn_page(step)
        return
    if _use_at_once(step, press):
        return
    # A call that does not win is judged a little later: the piece may be in the air already, and not be missed yet.
    if press.is_released(step.now, patience) and is_past(press.judged_at(patience), step.now):
        _use_released(step, press)


def decide_who(step: Step) -> None:
    """The call of which it was asked who made it, once nobody objects any more."""
    call, patience = step.state.call, step.state.patience
    if call is None:
        return
    if any(press.up is None and not is_past(press.stuck_at(patience), step.now) for press in step.state.presses):
        # Whoever leans on the button has as long for an answer as anybody else.
        step.state = replace(step.state, call=replace(call, until=step.now + patience.who_called))
    if is_due(step.state, Due.WHO_CALLED, step.now):
        step.change_call(CallOccurrence.DECIDED)
        step.act(Call(call.player, call.sure), max(call.at, step.state.game.now))


def answer_behind(step: Step) -> bool:
    """Use a press behind one that waits for its piece, if it answers what has been asked since then."""
    state = step.state
    waiting = [press for press in state.presses if press.use is Use.OPEN]
    if state.call is not None or state.menu is not None or not state.is_under_way or len(waiting) < 2:
        return False
    first, second = waiting[:2]
    asked, read = state.asking, state.patience.reading
    is_answer = asked is not None and asked.since > first.at and second.at - asked.since >= read
    if not is_answer or second.at - first.at < state.patience.excited or state.looked_at < second.at:
        return False
    question = answered_by(state, state.difference, second.at)
    if question is None:
        return False
    if isinstance(question, TakeItBack | BoardCleared):
        # What was called with the piece that is taken back was nothing yet.
        _spend(step, first)
    _spend(step, second)
    _answer(step, question, second)
    return True


def tell_stuck(step: Step, press: Press) -> None:
    """Tell of a button that does not come up."""
    if is_past(press.stuck_at(step.state.patience), step.now):
        if step.state.menu is not None:
            step.change_menu(MenuOccurrence.STUCK)
        told = step.state.told
        if told is None or not isinstance(told.notice, ButtonStuck):
            step.notice(ButtonStuck())


def waits_for_piece(state: State, press: Press, now: int) -> bool:
    """Whether a call was made with the last piece in the air: it counts for where that piece comes to rest (D1, D5)."""
    turn = state.shiftable
    if turn is None or press.name is ButtonName.MENU or state.menu is not None:
        return False
    difference = state.difference
    if not is_in_the_air(state, difference) or now >= in_the_air_until(state, press):
        return False
    left = state.table.left.get(turn.piece)
    if left is None or left.since > press.at + state.patience.lifting:
        return False
    return question_at(replace(state, presses=()), difference, press.at) is None


# --- what a press may be ----------------------------------------------------------------------------------------------


def _use_at_once(step: Step, press: Press) -> bool:
    """Use a press for what needs no waiting for the finger: an answer, or a call that wins."""
    state, patience = step.state, step.state.patience
    if state.call is not None:
        _object(step, state.call, press)
        return True
    if not state.is_under_way or state.game.paused_since is not None:
        return False
    question = answered_by(state, state.difference, press.at)
    caller = _caller(state, press)
    # What is asked beside the turn may be overlooked by who calls; what stands there alone is what a press answers.
    is_call = isinstance(question, StandsThere | PlacedUnheard) and _would_win(state, caller)
    if isinstance(question, PlacedUnheard) and not is_call and not press.is_released(step.now, patience):
        # It may be a call as well, or become a finger that wants the menu.
        return False
    if question is not None and not is_call:
        _spend(step, press)
        _answer(step, question, press)
        return True
    if _is_anybodys(state, press):
        if state.game.open:
            _ask_who(step, press)
        return bool(state.game.open)
    if caller is not None and _would_win(state, caller):
        _spend(step, press)
        step.act(Call(caller), max(press.at, state.game.now))
        return True
    return False


def _use_released(step: Step, press: Press) -> None:
    """Use a press that was short: a touch, a call that waits, or a false one."""
    state = step.state
    _spend(step, press)
    if state.game.paused_since is not None:
        step.act(Resume(), state.game.now)
    elif state.lesson is not None:
        press_in_lesson(step)
    elif state.phase is RefereePhase.OVER and state.end is not None:
        answer_press(step, press)
    elif not state.is_under_way or between_games.invites(state, step.now):
        if state.tag_to_renew is None:
            between_games.use_press(step, state.idling.touched_at)
        else:
            obey(step, Item.ENROL, state.game.now)
    elif state.game.options.calling is Calling.AUTO:
        step.notice(NobodyCalls())
    elif _is_anybodys(state, press):
        _ask_who(step, press)
    else:
        caller = _caller(state, press)
        if caller is None:
            return
        _call(step, press, caller)


def _call(step: Step, press: Press, caller: Player) -> None:
    """Take a press for a call that does not win, and may wait for its placement (D1)."""
    state = step.state
    if _is_out_of_turn(state, caller):
        step.notice(FalseCall(caller, NoQuarto.OTHERS_MOMENT))
    elif press.name is ButtonName.CALL and state.settings.asks_before_a_forfeit:
        until = max(press.at, step.now) + state.patience.who_called
        call = CallInQuestion(CallStage.NOBODY, press.at, caller, until)
        step.change_call(CallOccurrence.PERHAPS_NONE, call)
    else:
        step.act(Call(caller), max(press.at, state.game.now))


def _caller(state: State, press: Press) -> Player | None:
    """Whose call a press is; None where nobody can call, or where it has to be asked."""
    people = state.settings.people
    if press.name in _OWNER and not (state.remote is not None and len(people) == 1):
        return _OWNER[press.name]
    if len(people) == 1:
        return people[0]
    if not people or _is_anybodys(state, press):
        return None
    return state.game.receiver if state.game.phase is Phase.PLACE else state.game.maker


def _is_anybodys(state: State, press: Press) -> bool:
    """Whether one button is there for two people and giving is not sensed, so that either may have pressed it (D11)."""
    game = state.game
    if press.name is not ButtonName.CALL or len(state.settings.people) != 2 or game.options.giving_sensed:
        return False
    return game.phase is Phase.GIVE and game.options.calling is Calling.BUTTON


def _would_win(state: State, caller: Player | None) -> bool:
    return caller is not None and bool(state.game.open_for(caller)) and not _is_out_of_turn(state, caller)


def _is_out_of_turn(state: State, caller: Player) -> bool:
    """Whether only the other board may call now: what is told there decides, so such a call is never a false one."""
    game = state.game
    if state.remote is None or game.phase is Phase.OVER:
        return False
    if game.phase is Phase.FINAL_CALL:
        return not state.has_last_word
    return not (game.is_moment_of(caller) or game.may_latch(caller))


def _ask_who(step: Step, press: Press) -> None:
    """Ask who called: its maker if there is something to call, else the one who is about to place (D1)."""
    game = step.state.game
    player = game.maker if game.open and game.maker is not None else game.receiver
    _spend(step, press)
    until = max(press.at, step.now) + step.state.patience.who_called
    step.change_call(CallOccurrence.EITHER, CallInQuestion(CallStage.SOMEBODY, press.at, player, until))


def _object(step: Step, call: CallInQuestion, press: Press) -> None:
    """Say who called: of whom it was not sure, or the other one; the presses of one excited call are one."""
    _spend(step, press)
    if press.at - call.at >= step.state.patience.excited:
        player, until = call.player.other if call.sure else call.player, press.at + step.state.patience.who_called
        step.change_call(CallOccurrence.OBJECTED, CallInQuestion(CallStage.SOMEBODY, call.at, player, until))


def _answer(step: Step, question: Question, press: Press) -> None:
    at = max(press.at, step.state.game.now)
    match question:
        case TakeItBack():
            step.act(Undo(), at)
        case StandsThere(piece, square):
            in_hand = step.state.game.phase is Phase.PLACE
            planned, player = step.state.planned, step.state.game.receiver
            if square.name not in step.state.table.lost:
                step.take_to_stand(piece)
            if step.state.dead_tags.finding_since is not None:
                # The press that began the search was no call, as it turns out.
                step.state = replace(step.state, game=replace(step.state.game, latch=None))
            step.act(Place(square) if in_hand else Shift(square), at)
            if planned is not None and in_hand:
                step.carry_on_plan(planned.plan, player, at)
        case StillThere(piece):
            step.take_to_stand(piece)
        case PlacedUnheard():
            player = step.state.game.receiver
            step.state = replace(step.state, dead_tags=replace(step.state.dead_tags, finding_since=step.now))
            if _caller(step.state, press) is player and step.state.game.may_latch(player):
                # Whoever meant to call before placing (D1) has called, if the placement shows it.
                step.act(Call(player, sure=False), at)
        case BoardCleared():
            step.act(Clear(), at)


# --- the menu ---------------------------------------------------------------------------------------------------------


def _use_for_menu(step: Step, press: Press) -> None:
    state = step.state
    menu = state.menu
    if menu is None:
        question = answered_by(state, state.difference, press.at)
        if isinstance(question, TakeItBack):
            # Whatever button people press now, they answer what the display asks.
            _spend(step, press)
            _answer(step, question, press)
        else:
            _open_menu(step, press)
    elif is_past(press.chosen_at(state.patience), step.now):
        _spend(step, press)
        deeper = menu.entered(step.now)
        if deeper is not None:
            step.change_menu(menu.when_held, deeper)
        else:
            _choose(step, menu.view)
    elif press.is_released(step.now, state.patience):
        _spend(step, press)
        step.change_menu(MenuOccurrence.STEPPED, menu.stepped(state.wishes, step.now))


def _open_menu(step: Step, press: Press) -> None:
    _spend(step, press)
    step.close_reading(ReadingOccurrence.DROPPED)
    state = step.state
    menu = Menu.opened(state.wishes, step.now, state.is_under_way, in_match=state.is_match_open, others=state.others)
    step.change_menu(MenuOccurrence.OPENED, menu)


def _choose(step: Step, chosen: MenuView) -> None:
    """Do what was chosen in the menu, and close it."""
    step.change_menu(MenuOccurrence.CHOSEN)
    if chosen.item is Item.ANOTHER_BOARD:
        if chosen.value is None or isinstance(chosen.value, OtherBoard | StopWaiting):
            want_board(step, chosen.value)
    elif chosen.stage is Stage.VALUES:
        wishes = with_item(step.state.wishes, chosen.item, chosen.value)
        if chosen.item is Item.LANGUAGE:
            # Chosen here it is meant to stay, also if a guest has pressed for it before.
            step.state = replace(step.state, idling=replace(step.state.idling, home=wishes.language))
        adopt(step, wishes)
        if chosen.item is Item.SPEAK_SQUARES:
            say_table(step)
    else:
        obey(step, chosen.item, step.state.game.now)


def _spend(step: Step, press: Press) -> None:
    """Let a press be used up."""
    step.state = replace(
        step.state,
        presses=tuple(
            other.used(Use.DONE) if other.at == press.at and other.name is press.name else other
            for other in step.state.presses
        ),
    )
    step.touch()
