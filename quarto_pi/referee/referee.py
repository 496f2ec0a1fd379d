"""The fold: a state and an input give the next state and what is to be done.

>>> from quarto_pi.referee import Seen, Settings, fold, start
>>> from quarto_pi.rules import parse_piece
>>> from quarto_pi.sensing.events import PiecePlaced
>>> state, _ = start(Settings())
>>> state, _ = fold(state, Seen(1000, (PiecePlaced("offer", parse_piece("LTRF"), 1000, 700),)))
>>> state, effects = fold(state, Seen(1200))
>>> [effect.report for effect in effects if isinstance(effect, Tell)]
[Given(piece=Piece(number=0), by=<Player.A: 0>)]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from quarto_pi.referee import corrections, presses
from quarto_pi.referee.between_boards import follow_match, hear_of_boards
from quarto_pi.referee.between_games import follow_end, follow_idling, hear_hindsight
from quarto_pi.referee.choices import adopt, obey, turn_page, want_board
from quarto_pi.referee.clearing import follow_clearing
from quarto_pi.referee.corrections import is_new, wrongs_on
from quarto_pi.referee.deadlines import Due, is_due, is_past, next_due
from quarto_pi.referee.effects import (
    Effect,
    GameFinished,
    Lifted,
    Light,
    Mismatch,
    ReaderFault,
    ReaderFaultGone,
    Resolved,
    Show,
    Speak,
    Tell,
)
from quarto_pi.referee.facts import NOT_YET, Fact, facts_on
from quarto_pi.referee.inputs import (
    Answer,
    Button,
    ButtonName,
    Choose,
    Closed,
    Doors,
    EntryCame,
    Glimpsed,
    Hampered,
    Input,
    LookedBack,
    MatchBegins,
    MatchLeft,
    NoMatch,
    Order,
    OthersKnown,
    OtherThere,
    Press,
    Seen,
    Stored,
    Use,
    WantBoard,
    moved,
    without_used,
)
from quarto_pi.referee.menu import MenuOccurrence
from quarto_pi.referee.messages import (
    Impaired,
    Impairment,
    KeptAgain,
    NotKept,
    Prompt,
    ReaderBack,
    ReaderLost,
    StillThere,
    Storage,
    WhatStands,
    question_in,
)
from quarto_pi.referee.moments import has_to_wait, is_in_doubt, is_unsettled, limit_at, reached
from quarto_pi.referee.phases import Occurrence, RefereePhase
from quarto_pi.referee.prompts import cells_in_order, view_of
from quarto_pi.referee.resuming import Before, is_looking_round, take_up, wake
from quarto_pi.referee.settings import Patience, Settings
from quarto_pi.referee.stages import CallInQuestion, MismatchOccurrence, ReadingOccurrence
from quarto_pi.referee.state import Asking, Idling, Quiet, State, Told
from quarto_pi.referee.step import Step
from quarto_pi.referee.table import SQUARE_OF, Table
from quarto_pi.referee.teaching import follow_lesson
from quarto_pi.referee.touches import marked
from quarto_pi.referee.view import lights_of
from quarto_pi.rules import Call, Game, Place, Reason, Result, apply
from quarto_pi.sensing import events as sensed
from quarto_pi.sensing.readings import OFFER

Fold = tuple[State, tuple[Effect, ...]]

MOST_AT_ONCE: Final = 100
"""So much is done at most in one step; whatever should be left after that is done in the next one."""

_TOUCHES: Final = (
    sensed.Found,
    sensed.PiecePlaced,
    sensed.PieceLifted,
    sensed.PieceMoved,
    sensed.ForeignTag,
    sensed.ForeignTagGone,
    sensed.TwoTags,
    sensed.TwoTagsGone,
)
"""What hands have done: a reader that comes and goes is nobody's touch."""


def start(settings: Settings, now: int = 0, patience: Patience | None = None, before: Before | None = None) -> Fold:
    """The state before anything has been seen, with a game about to begin, or with the last one about to go on."""
    before = before or Before()
    game = Game(settings.rules, now=now)
    state = State(settings, settings, patience or Patience(), game, idling=Idling(home=settings.language))
    step = Step(replace(state, number=before.number, tally=before.tally, impaired=before.impaired), now)
    if before.last is None:
        step.begin(settings)
    else:
        take_up(step, before.last)
    step.ask_computer()
    _show(step)
    return step.state, tuple(step.effects)


def fold(state: State, received: Input) -> Fold:
    """The state after an input, and what is to be done."""
    if isinstance(received, Glimpsed):
        return marked(state, state, (), received)
    after, effects = _judged(state, received)
    return marked(state, after, effects, received)


def _judged(state: State, received: Input) -> Fold:
    """The state after an input, and what is to be done, but for the marks of what is being touched."""
    if _is_passed_over(state, received):
        return _passed_over(state, received.at), ()
    step = Step(state, received.at)
    match received:
        case Seen():
            _look(step, received)
        case Button():
            step.state = replace(step.state, presses=moved(state.presses, received, state.patience))
        case Answer():
            step.hear_answer(received.number, received.plan, calls=received.calls, at=reached(step.state, step.now))
        case Choose():
            adopt(step, received.settings)
        case Order():
            obey(step, received.item, max(state.game.now, reached(state, step.now)))
        case Closed():
            return _closed(step)
        case WantBoard():
            want_board(step, received.choice)
        case OthersKnown() | NoMatch() | MatchBegins() | MatchLeft() | EntryCame() | OtherThere():
            hear_of_boards(step, received)
        case _:
            _hear_of_outside(step, received)
    _go_on(step)
    _show(step)
    return _at_rest(step, state, received), tuple(step.effects)


def _hear_of_outside(step: Step, received: Stored | LookedBack | Doors | Hampered | Glimpsed) -> None:
    """Take in what was not done at the board."""
    match received:
        case Stored(trouble=trouble):
            _know_storage(step, trouble)
        case LookedBack():
            hear_hindsight(step, received)
        case Doors(is_open=is_open):
            step.state = replace(step.state, idling=replace(step.state.idling, is_open=is_open))
        case Hampered(why=why):
            step.state = replace(step.state, impaired=why)
            if why is Impairment.NO_DISPLAY:
                # Who would have read it there has to hear it.
                step.effects.append(Speak(Impaired(why)))
        case Glimpsed():
            pass


# --- what comes in ----------------------------------------------------------------------------------------------------


def _look(step: Step, seen: Seen) -> None:
    """Take in what the sensing layer has seen."""
    before = step.state
    step.state = _looked(before, seen)
    touched = any(isinstance(event, _TOUCHES) for event in seen.events)
    if touched:
        step.touch()
        step.close_reading(ReadingOccurrence.TOUCHED)
    for event in seen.events:
        match event:
            case sensed.PieceLifted(cell, piece) | sensed.PieceMoved(cell, _, piece):
                square = SQUARE_OF.get(cell)
                if square is not None and before.is_under_way and before.game.board[square] == piece:
                    step.tell(Lifted(square, piece))
            case sensed.ReaderFailed(cell):
                step.tell(ReaderFault(cell))
                _tell_lost(step, cell)
            case sensed.ReaderRecovered(cell):
                step.tell(ReaderFaultGone(cell))
                step.notice(ReaderBack(cell))
            case sensed.Found(cell) if cell != OFFER and _may_be_littered(step.state):
                step.follow(Occurrence.LITTERED)
            case _:
                pass
    _say_what_stands(step, seen.events, before.table)
    _know_pieces(step, seen)
    if touched and step.state.phase is RefereePhase.ATTRACT:
        step.follow(Occurrence.TOUCHED)
    wake(step, seen.events)
    if step.state.call is None:
        # A call is judged by the rules of its own moment, however long it takes to know who has called.
        step.follow_giving()


def _may_be_littered(state: State) -> bool:
    """Whether pieces that are found standing are those of no game."""
    return state.phase is RefereePhase.CHOOSE and not state.is_match_open


def _looked(state: State, seen: Seen) -> State:
    """The state with the table as it is seen now, and the moment at which that is, if it is the first after a press."""
    is_first_after_press = any(state.looked_at < press.at for press in state.presses)
    looked_at = seen.at if is_first_after_press else state.looked_at
    table = state.table.after(seen, state.patience.rest)
    if table is state.table and looked_at == state.looked_at:
        return state
    return replace(state, table=table, looked_at=looked_at)


def _say_what_stands(step: Step, events: Iterable[sensed.BoardEvent], before: Table) -> None:
    """Say what hands take up or put down, and where; who feels a piece and puts it back hears that once."""
    if not step.state.settings.speaks_squares:
        return
    for event in events:
        match event:
            case sensed.PieceLifted(cell, piece) | sensed.PieceMoved(_, cell, piece):
                step.effects.append(Speak(WhatStands(((cell, piece),))))
            case sensed.PiecePlaced(cell, piece) if piece not in before.left or before.left[piece].cell != cell:
                step.effects.append(Speak(WhatStands(((cell, piece),))))
            case _:
                pass


def _tell_lost(step: Step, cell: str) -> None:
    """Tell that a reader is lost; on the display all of them, for a while, and nothing that matters more is covered."""
    state = step.state
    step.effects.append(Speak(ReaderLost((cell,))))
    if state.told is None or isinstance(state.told.notice, ReaderLost | ReaderBack):
        lost = ReaderLost(cells_in_order(state.table.lost))
        step.state = replace(step.state, told=Told(lost, step.now + state.patience.notice))


def _know_pieces(step: Step, seen: Seen) -> None:
    """Know which pieces have been off the board since the last game, and that a tag lives which was taken for dead."""
    state = step.state
    if state.clearing.remains:
        lifted = {event.piece for event in seen.events if isinstance(event, sensed.PieceLifted)}
        remains = state.clearing.remains - lifted - {state.table.piece_on(OFFER)}
        step.state = replace(step.state, clearing=replace(state.clearing, remains=remains))
    if state.dead_tags.pieces:
        dead = state.dead_tags.pieces - {standing.piece for standing in state.table.standing.values()}
        step.state = replace(step.state, dead_tags=replace(state.dead_tags, pieces=dead))


def _know_storage(step: Step, trouble: Storage | None) -> None:
    """Tell people that their games are not being kept, or are kept again."""
    if trouble is not step.state.storage:
        step.state = replace(step.state, storage=trouble)
        if trouble is None:
            step.notice(KeptAgain())
        else:
            step.effects.append(Speak(NotKept(trouble)))


def _closed(step: Step) -> Fold:
    """Nothing more will come: decide what has been waited with, and end a game that is under way."""
    _go_on(step, forced=True)
    call = step.state.call
    if call is not None:
        step.state = replace(step.state, call=replace(call, until=step.now))
        _go_on(step, forced=True)
    game = step.state.game
    if step.state.is_under_way:
        step.tell(GameFinished(Result(None, Reason.UNFINISHED), game.position))
    return step.state, tuple(effect for effect in step.effects if isinstance(effect, Tell))


# --- what follows from it ---------------------------------------------------------------------------------------------


def _go_on(step: Step, *, forced: bool = False) -> None:
    """Do all that can be told by now, each thing at its own moment and in the order of those moments."""
    if is_looking_round(step.state, step.now) and not forced:
        return
    for _ in range(MOST_AT_ONCE):
        follow_clearing(step)
        presses.decide_who(step)
        if not _do_next(step, forced=forced):
            break
    step.pass_time(reached(step.state, step.now))
    if step.state.presses:
        _let_go_of_presses(step)
    _follow_mismatch(step)
    _forget_what_is_past(step)
    follow_match(step)
    step.ask_computer()


def _let_go_of_presses(step: Step) -> None:
    """Tell of buttons that do not come up, and forget the presses that do not matter any more."""
    for press in step.state.presses:
        presses.tell_stuck(step, press)
    step.state = replace(step.state, presses=without_used(step.state.presses, step.now, step.state.patience))


def _do_next(step: Step, *, forced: bool) -> bool:
    """Do the earliest thing that was done on the table or with the button, if it can be told by now."""
    if presses.answer_behind(step):
        return True
    state = step.state
    facts = facts_on(state, state.difference) if state.is_under_way or state.phase is RefereePhase.CHOOSE else []
    press = _next_press(state)
    # A press with the last piece in the air counts for where that piece comes to rest, and so comes after it.
    earlier = press is not None and not presses.waits_for_piece(state, press, step.now)
    for fact in facts:
        if press is not None and earlier and press.at < fact.at:
            break
        if state.call is not None and state.call.at < fact.at:
            if _is_known(step, fact) and _says_who(state, state.call, fact):
                step.state = replace(step.state, call=replace(state.call, until=step.now))
                return True
            break
        if (forced and fact.ready < NOT_YET) or _is_known(step, fact):
            _carry_out(step, fact)
            return True
        if fact.blocks:
            return press is not None and _needs_no_table(step, press) and _use(step, press, forced=forced)
    if press is None or not (forced or _needs_no_table(step, press) or not has_to_wait(state, press, step.now)):
        return False
    return _use(step, press, forced=forced)


def _is_known(step: Step, fact: Fact) -> bool:
    return step.now >= fact.ready and not is_in_doubt(step.state, fact, step.now)


def _says_who(state: State, call: CallInQuestion, fact: Fact) -> bool:
    """Whether playing on answers who called (D14): nobody, unless the placement wins with the call."""
    if not call.sure:
        return True
    if not state.settings.asks_before_a_forfeit or not state.game.options.giving_sensed:
        return False
    game = apply(state.game, Call(call.player))
    for action in fact.actions:
        game = game if game.over else apply(game, action)
    return game.result is not None and game.result.winner is call.player


def _use(step: Step, press: Press, *, forced: bool) -> bool:
    """Use a press; whether it was of any use yet."""
    before = step.state.presses
    # At the end nobody's finger is waited for any more.
    presses.use(step, replace(press, up=press.at) if forced else press)
    return step.state.presses != before


def _next_press(state: State) -> Press | None:
    return next((press for press in state.presses if press.use is Use.OPEN), None)


def _needs_no_table(step: Step, press: Press) -> bool:
    """Whether a press is for the menu, or an answer that nothing on the table has to be waited for."""
    state = step.state
    is_long = is_past(press.menu_at(state.patience), step.now)
    if isinstance(corrections.answered_by(state, state.difference, press.at), StillThere):
        # What would have to be waited for may wait for this answer.
        return True
    return (
        is_long
        or state.menu is not None
        or state.reading is not None
        or press.name is ButtonName.MENU
        or state.call is not None
    )


def _carry_out(step: Step, fact: Fact) -> None:
    at = max(fact.at, step.state.game.now)
    planned, player, turned_at = step.state.planned, step.state.game.receiver, step.state.turned_at
    # Another piece that is given instead carries nothing out.
    by_computer = step.state.phase is RefereePhase.WAITING and isinstance(fact.actions[-1], Place)
    if step.state.dead_tags.finding_since is not None and not step.state.settings.asks_before_a_forfeit:
        # A press that was taken for an answer was a call after all: the piece is heard (D1).
        latch = step.state.game.latch
        step.state = replace(step.state, game=replace(step.state.game, latch=latch and replace(latch, sure=True)))
    for action in fact.actions:
        step.act(action, at)
    # The game's time may have gone on while the board waited for an answer; hands have played on meanwhile.
    step.state = replace(step.state, turned_at=max(turned_at, min(step.state.turned_at, fact.at)))
    if by_computer and planned is not None and step.state.planned is None:
        step.carry_on_plan(planned.plan, player, at)


# --- the board as a whole ---------------------------------------------------------------------------------------------


def _follow_mismatch(step: Step) -> None:
    """Ask people to put the table right, once it has been wrong for long enough, and tell when it is right again."""
    state = step.state
    wrongs = wrongs_on(state, state.difference)
    fixes = tuple(wrong.fix for wrong in wrongs)
    if not fixes:
        if state.mismatch:
            step.change_mismatch(MismatchOccurrence.RESOLVED)
            step.tell(Resolved())
        return
    due = tuple(wrong.fix for wrong in wrongs if step.now >= wrong.due)
    if due and is_new(due, state.mismatch):
        step.tell(Mismatch(fixes))
        step.change_mismatch(MismatchOccurrence.FURTHER if state.mismatch else MismatchOccurrence.FOUND, fixes)
    elif state.mismatch and fixes != state.mismatch:
        step.change_mismatch(MismatchOccurrence.CHANGED, fixes)


def _forget_what_is_past(step: Step) -> None:
    state = step.state
    if is_due(state, Due.SEARCH_ENDS, step.now):
        step.state = replace(step.state, dead_tags=replace(state.dead_tags, finding_since=None))
    if is_due(state, Due.NOTICE_ENDS, step.now):
        step.state = replace(step.state, told=None)
    if is_due(state, Due.PAGE_TURNS, step.now):
        turn_page(step)
    if is_due(state, Due.MENU_CLOSES, step.now):
        step.change_menu(MenuOccurrence.LEFT_ALONE)
    follow_lesson(step)
    follow_end(step)
    follow_idling(step)


# --- what goes out ----------------------------------------------------------------------------------------------------


def _show(step: Step) -> None:
    """Let all be seen and heard that has come of a step."""
    view = view_of(step.state, step.now)
    shown = step.state.view
    if view != shown:
        step.effects.append(Show(view))
        if view.phase is RefereePhase.ATTRACT:
            # A board that nobody plays at keeps quiet.
            step.effects = [effect for effect in step.effects if not isinstance(effect, Speak)]
            if step.state.idling.pressed_at == step.now:
                # Whoever presses asks what there is; eyes may be closed.
                step.effects.append(Speak(view.prompt))
        elif shown is None or view.prompt != shown.prompt:
            step.effects.append(Speak(view.prompt))
        step.state = replace(step.state, view=view, asking=_asking(step.state, view.prompt, step.now))
        lights = lights_of(view)
        if shown is None or lights != lights_of(shown):
            step.effects.append(Light(lights))


def _asking(state: State, prompt: Prompt, now: int) -> Asking | None:
    """The question that is shown from now on, if one is."""
    question, before = question_in(prompt), state.asking
    if question is None:
        return None
    if before is not None and before.question == question:
        return before
    return Asking(question, now, None if before is None else before.question)


# --- looks at which nothing happens -----------------------------------------------------------------------------------


def _brings_nothing(received: Input, state: State) -> bool:
    """Whether an input is a sweep that tells nothing but that time has passed."""
    return isinstance(received, Seen) and not received.events and received.doubts == state.table.doubts


def _is_passed_over(state: State, received: Input) -> bool:
    """Whether an input tells nothing, and nothing falls due."""
    return state.quiet is not None and received.at < state.quiet.until and _brings_nothing(received, state)


def _passed_over(state: State, now: int) -> State:
    """The state after such an input: nothing but the game's time may have gone on."""
    limit = 0 if state.quiet is None else state.quiet.limit
    return _with_time(state, min(now, limit)) if limit > state.game.now else state


def _at_rest(step: Step, before: State, received: Input) -> State:
    """The state after a step, with how long it will stay so, if nothing has come of that step but that it is later.

    What has changed anything may be followed by something else at the very next look. A sweep of which nothing comes
    leaves the same state behind, whether it is passed over or not.
    """
    now, after = step.now, step.state
    if step.effects or after != _with_time(before, after.game.now):
        return after if after.quiet is None else replace(after, quiet=None)
    goes_on = is_unsettled(before) and not before.game.over and not is_looking_round(before, now)
    stays = before if _brings_nothing(received, before) and not goes_on else after
    return replace(stays, quiet=Quiet(next_due(before, now), limit_at(before, now) if goes_on else 0))


def _with_time(state: State, now: int) -> State:
    return state if now == state.game.now else replace(state, game=replace(state.game, now=now))
