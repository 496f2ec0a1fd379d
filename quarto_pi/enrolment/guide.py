"""The guide as a fold: a state and an input give the next state and the effects that are to be carried out.

A look at the board does one of two things to the question that is asked: it answers it, or something is to be put right
first.

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

from quarto_pi.enrolment.judging import STIRRING, Ballots, Findings, Gesture, count_votes, gestures_of, judge_ballots
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
    TagTrouble,
    Task,
    UnclearTag,
)
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import Button, Light
from quarto_pi.referee.inputs import moved
from quarto_pi.referee.view import Attention, Lights, Mark
from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.tags import TagTable

# --- What the looks at the board do to the question that is asked: an answer, or something to be put right first ------

CHECKED_MS: Final = 2_000
"""That all readers are well is shown so long before the guide goes on by itself."""
ENROLLED_MS: Final = 3_000
"""How long it is told that a piece was enrolled."""


def begin(state: GuideState) -> GuideState:
    """Begin to enrol, once the readers have been looked at."""
    # What is known already and lies on the board answers no question; an unknown tag may be the first piece.
    known = frozenset(_heard(state.ballots) & state.roll.table.pieces.keys())
    if state.task.replace is not None:
        return replace(ask(state, state.task.replace), before=known)
    if state.roll.complete:
        return keep(state, state.roll.table)
    return replace(ask(state, state.roll.next_after(None)), before=known)


def keep(state: GuideState, table: TagTable) -> GuideState:
    """Leave all tags as they are, and see whether a piece is to be replaced."""
    return replace(state, roll=Roll.of(table), prompt=AllKnown(0), before=frozenset(), told=None, asked_at=state.now)


def ask(state: GuideState, piece: Piece | None) -> GuideState:
    """Ask for a piece; what lies on the board by now is not the answer."""
    if piece is None:
        return state
    count = 1 if state.task.replace is not None else len(PIECES)
    number = 1 if state.task.replace is not None else count - len(state.roll.table.missing) + 1
    return replace(state, prompt=PutPiece(piece, number, count), before=_heard(state.ballots), asked_at=state.now)


def with_roll(state: GuideState, roll: Roll) -> GuideState:
    """The state with other tags, which are to be stored at once."""
    return replace(state, roll=roll, unstored=True, retry_at=state.now)


def end(state: GuideState) -> GuideState:
    """The guide at its end."""
    return replace(state, ended=True)


def look(state: GuideState) -> GuideState:
    """The state after a new look at the board."""
    state = replace(state, before=state.before & _in_any(state.ballots))
    if state.told is not None and state.told.until is not None and state.now >= state.told.until:
        state = replace(state, told=ShownNotice(StoringFails()) if state.failing and not state.roll.complete else None)
    match state.prompt:
        case CheckReaders():
            return _checked(state)
        case PutPiece(piece=piece):
            return _answer(state, _judged(state), piece)
        case AllKnown():
            return _lost_piece(state)
        case _:
            return state


def yes(state: GuideState) -> GuideState:
    """The new tag is the piece's from now on, and its old one counts no longer."""
    prompt = state.prompt
    if not isinstance(prompt, ReplacePiece):
        return state
    told = ShownNotice(Enrolled(prompt.piece, prompt.cell), state.now + ENROLLED_MS)
    return with_roll(replace(state, told=told), state.roll.with_tag(prompt.piece, state.offered))


def no(state: GuideState) -> GuideState:
    """It was not meant: ask again what was asked before; the tag that was offered has to be put down anew."""
    before = state.before | {state.offered}
    if state.task.replace is not None:
        return replace(ask(state, state.task.replace), before=before)
    return replace(state, prompt=AllKnown(len({piece for _, piece in state.lying})), before=before)


def _checked(state: GuideState) -> GuideState:
    failing = tuple(cell for cell in state.cells if cell in state.ballots and state.ballots[cell].fails)
    looked = all(cell in state.ballots and state.ballots[cell].looked for cell in state.cells)
    before, prompt = state.prompt, CheckReaders(len(state.cells), failing, looked)
    if prompt != before:
        return replace(state, prompt=prompt, asked_at=state.now)
    well = looked and not failing
    return begin(state) if well and state.now - state.asked_at >= CHECKED_MS else state


def _judged(state: GuideState) -> Findings:
    return judge_ballots(state.ballots, state.roll.table.pieces, state.before)


def _answer(state: GuideState, findings: Findings, piece: Piece) -> GuideState:
    """The asked piece's tag, if exactly one new tag lies on the board and nothing speaks against it."""
    state = replace(state, lying=_pieces(state, findings))
    new = _new(state, findings)
    trouble = _trouble(findings, new) or _known_already(state, findings)
    if trouble is not None:
        return replace(state, told=ShownNotice(trouble))
    state = _without_trouble(state)
    if len(new) != 1 or findings.stirring:
        return state
    ((uid, cell),) = new.items()
    if state.task.replace is not None:
        return replace(state, prompt=ReplacePiece(piece, cell), offered=uid, told=None, asked_at=state.now)
    told = ShownNotice(Enrolled(piece, cell), state.now + ENROLLED_MS)
    state = with_roll(replace(state, told=told), state.roll.with_tag(piece, uid))
    state = replace(state, lying=_pieces(state, findings))
    # After the last one nothing is asked for: what comes next depends on whether it can be stored.
    return ask(state, state.roll.next_after(piece))


def _lost_piece(state: GuideState) -> GuideState:
    """One new tag beside fifteen known pieces belongs to the one that is missing."""
    findings = _judged(state)
    state = replace(state, lying=_pieces(state, findings))
    new = _new(state, findings)
    trouble = _trouble(findings, new)
    if trouble is not None:
        return replace(state, told=ShownNotice(trouble))
    state = _without_trouble(state)
    if not new and not findings.stirring:
        state = replace(state, before=state.before | findings.lying.keys())
    seen = {piece for _, piece in state.lying}
    missing = [piece for piece in PIECES if piece not in seen]
    if len(missing) == 1 and len(new) == 1 and not findings.stirring:
        ((uid, cell),) = new.items()
        return replace(state, prompt=ReplacePiece(missing[0], cell), offered=uid, asked_at=state.now)
    return replace(state, prompt=AllKnown(len(seen)))


def _new(state: GuideState, findings: Findings) -> dict[str, str]:
    known = state.roll.table.pieces
    return {uid: cell for uid, cell in findings.lying.items() if uid not in known and uid not in state.before}


def _pieces(state: GuideState, findings: Findings) -> tuple[tuple[str, Piece], ...]:
    known = state.roll.table.pieces
    return tuple(sorted((cell, known[uid]) for uid, cell in findings.lying.items() if uid in known))


def _trouble(findings: Findings, new: dict[str, str]) -> TagTrouble | None:
    """What hands have to put right, the worst first."""
    if findings.doubled:
        return SameTagTwice(next(iter(findings.doubled.values())))
    if findings.crowded:
        return SeveralTags(findings.crowded[0])
    if len(new) > 1:
        return SeveralPieces(tuple(sorted(new.values())))
    if findings.unclear:
        return UnclearTag(findings.unclear[0])
    return None


def _known_already(state: GuideState, findings: Findings) -> TagTrouble | None:
    """A piece that has been put down for the one that is asked for, although it has a tag."""
    known = state.roll.table.pieces
    for uid, cell in findings.lying.items():
        if uid in known and uid not in state.before:
            return KnownAlready(known[uid], cell)
    return None


def _without_trouble(state: GuideState) -> GuideState:
    told = state.told
    if told is None or told.until is not None or isinstance(told.notice, StoringFails):
        return state
    return replace(state, told=ShownNotice(StoringFails()) if state.failing and not state.roll.complete else None)


def _heard(ballots: Ballots) -> frozenset[str]:
    """The tags that are heard more than by chance."""
    return frozenset(uid for ballot in ballots.values() for uid in ballot.uids if ballot.votes(uid) >= STIRRING)


def _in_any(ballots: Ballots) -> frozenset[str]:
    return frozenset(uid for ballot in ballots.values() for uid in ballot.uids)


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
