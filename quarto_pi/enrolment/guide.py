"""The guide as a fold: a state and an input give the next state and the effects that are to be carried out.

>>> from quarto_pi.enrolment.state import Task
>>> state, effects = start_guide(Task(language=True), TagTable(), ("a1", "b1"), "en", 0)
>>> state.prompt
ChooseLanguage(language='en')
>>> state, effects = fold_guide(state, Gestured(10, Gesture.HOLD))
>>> state.prompt
CheckReaders(count=2, failing=(), looked=False)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from quarto_pi.enrolment.asking import ask, begin, end, keep, look, no, with_roll, yes
from quarto_pi.enrolment.judging import Gesture, count_votes, gestures_of
from quarto_pi.enrolment.state import (
    AllKnown,
    CheckReaders,
    ChooseLanguage,
    Enrolled,
    Gestured,
    GuideEffect,
    GuideInput,
    GuidePrompt,
    GuideState,
    GuideView,
    KnownAlready,
    NotStored,
    PutPiece,
    Ready,
    ReplacePiece,
    Roll,
    SameTagTwice,
    SeveralPieces,
    SeveralTags,
    ShowGuide,
    ShownNotice,
    SpeakGuide,
    StartOver,
    Store,
    StoringFails,
    TagsStored,
    Task,
    UnclearTag,
)
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import Button, Light
from quarto_pi.referee.inputs import moved
from quarto_pi.referee.view import Attention, Lights, Mark
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.tags import TagTable

# --- What people see of the guide: its question, what is told besides, and the lamps that go with it ------------------


def guide_view(state: GuideState) -> GuideView:
    """The view of the guide as it is now."""
    notice = None if state.told is None else state.told.notice
    return GuideView(state.prompt, notice, state.language, _marks(state), state.lying)


def guide_lights(view: GuideView) -> Lights:
    """The lamps: the squares that are pointed at, and whether something is asked or wrong."""
    return Lights(attention=_attention(view), squares=view.marks)


def _attention(view: GuideView) -> Attention:
    match view.prompt, view.notice:
        case Ready(), _:
            return Attention.WON
        case (NotStored(), _) | (CheckReaders(failing=(_, *_)), _):
            return Attention.FAULT
        case _, None:
            return Attention.ASKED
        case _, Enrolled():
            return Attention.TOLD
        case _:
            return Attention.MISMATCH


def _marks(state: GuideState) -> tuple[tuple[str, Mark], ...]:
    notice = None if state.told is None else state.told.notice
    match notice:
        case Enrolled(cell=cell):
            return ((cell, Mark.WON),)
        case KnownAlready(cell=cell) | SeveralTags(cell=cell):
            return ((cell, Mark.TAKE),)
        case SameTagTwice(cells=cells) | SeveralPieces(cells=cells):
            return tuple((cell, Mark.TAKE) for cell in cells)
        case UnclearTag(cell=cell):
            return ((cell, Mark.UNSEEN),)
    match state.prompt:
        case CheckReaders(failing=failing):
            return tuple((cell, Mark.UNSEEN) for cell in failing)
        case ReplacePiece(cell=cell):
            return ((cell, Mark.TARGET),)
        case _:
            return ()


# --- The guide as a fold: a state and an input give the next state and the effects that are to be carried out ---------

RETRY_MS: Final = 5_000
"""How long after storing has failed it is tried again."""


def start_guide(
    task: Task, table: TagTable, cells: tuple[str, ...], language: str, at: int
) -> tuple[GuideState, tuple[GuideEffect, ...]]:
    """The guide as it begins, on a board with readers in these cells, with the tags that are known already."""
    prompt: GuidePrompt = ChooseLanguage(language) if task.language else CheckReaders(len(cells))
    state = GuideState(task, cells, Roll.of(table), language, prompt, now=at, asked_at=at)
    return state, _shown(None, state)


def fold_guide(state: GuideState, received: GuideInput) -> tuple[GuideState, tuple[GuideEffect, ...]]:
    """The guide after an input, and what is to be done."""
    before, state = state, replace(state, now=max(state.now, received.at))
    match received:
        case Button():
            state = replace(state, presses=moved(state.presses, received, state.patience))
        case Gestured(gesture=gesture):
            state = _answered(state, gesture)
        case TagsStored(well=well):
            state = _after_storing(state, well)
        case Sweep():
            state = look(replace(state, ballots=count_votes(state.ballots, received)))
    presses, gestures = gestures_of(state.presses, state.now, state.patience)
    state = replace(state, presses=presses)
    for gesture in gestures:
        state = _answered(state, gesture)
    effects = _shown(before, state)
    if state.unstored and state.now >= state.retry_at:
        state = replace(state, retry_at=state.now + RETRY_MS)
        effects = (*effects, Store(state.roll.table))
    return state, effects


def _answered(state: GuideState, gesture: Gesture) -> GuideState:
    """What a press or holding does to the question that is asked at present."""
    held = gesture is Gesture.HOLD
    match state.prompt:
        case ChooseLanguage(language=language):
            if held:
                return replace(state, prompt=CheckReaders(len(state.cells)), asked_at=state.now)
            following = LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]
            return replace(state, prompt=ChooseLanguage(following), language=following)
        case CheckReaders(looked=looked):
            return begin(state) if looked else state
        case PutPiece(piece=piece):
            if state.task.replace is not None:
                return end(state) if held else state
            return _one_back(state) if held else ask(state, state.roll.next_after(piece))
        case ReplacePiece():
            return yes(state) if held else no(state)
        case AllKnown():
            return replace(state, prompt=StartOver()) if held else end(state)
        case StartOver():
            return _from_the_beginning(state) if held else no(state)
        case NotStored() | Ready():
            return end(state)


def _from_the_beginning(state: GuideState) -> GuideState:
    roll = Roll(TagTable())
    task = replace(state.task, current=state.roll.table)
    return ask(replace(state, task=task, roll=roll, told=None), roll.next_after(None))


def _one_back(state: GuideState) -> GuideState:
    """Forget the piece that was enrolled last, and ask for it again."""
    if not state.roll.done:
        return state if state.task.current is None else keep(state, state.task.current)
    last = state.roll.done[-1]
    return ask(with_roll(replace(state, told=None), state.roll.one_back()), last)


def _after_storing(state: GuideState, well: bool) -> GuideState:
    if not well:
        told = state.told if state.roll.complete else ShownNotice(StoringFails())
        prompt = NotStored() if state.roll.complete else state.prompt
        return replace(state, failing=True, told=told, prompt=prompt)
    told = None if state.told is not None and isinstance(state.told.notice, StoringFails) else state.told
    state = replace(state, unstored=False, failing=False, told=told)
    if not state.roll.complete:
        return state
    return replace(state, prompt=Ready()) if state.task.waits else end(replace(state, prompt=Ready()))


def _shown(before: GuideState | None, after: GuideState) -> tuple[GuideEffect, ...]:
    """What is shown, lit and said, as far as it is new."""
    view = guide_view(after)
    effects: list[GuideEffect] = []
    if before is None or view != guide_view(before):
        effects += (ShowGuide(view), Light(guide_lights(view)))
    old_notice = None if before is None or before.told is None else before.told.notice
    if view.notice is not None and view.notice != old_notice:
        effects.append(SpeakGuide(view.notice, view.language))
    if before is None or _question(view.prompt) != _question(before.prompt):
        effects.append(SpeakGuide(view.prompt, view.language))
    return tuple(effects)


def _question(prompt: GuidePrompt) -> object:
    """What is worth saying: that one more piece has been seen is not."""
    return AllKnown if isinstance(prompt, AllKnown) else prompt
