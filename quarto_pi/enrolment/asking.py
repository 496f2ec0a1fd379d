"""What the looks at the board do to the question that is asked: an answer, or something to be put right first."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from quarto_pi.enrolment.judging import STIRRING, Ballots, Findings, judge_ballots
from quarto_pi.enrolment.state import (
    AllKnown,
    CheckReaders,
    Enrolled,
    GuideState,
    KnownAlready,
    PutPiece,
    ReplacePiece,
    Roll,
    SameTagTwice,
    SeveralPieces,
    SeveralTags,
    ShownNotice,
    StoringFails,
    TagTrouble,
    UnclearTag,
)
from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.tags import TagTable

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
