"""A lesson step by step: what the table says leads from one stage to the next, a press calls, and playing leaves it."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee.deadlines import Due, is_due
from quarto_pi.referee.effects import Abandon
from quarto_pi.referee.lesson import (
    aligned,
    correction_in,
    lesson_target,
    line_from,
    pieces_from,
    seen_in_lesson,
    strangers,
)
from quarto_pi.referee.messages import Giving, Learn, LessonOver, LessonStage, NotYet, Prompt
from quarto_pi.referee.phases import Occurrence, RefereePhase
from quarto_pi.referee.stages import LESSON, Clearing, Lesson, LessonOccurrence
from quarto_pi.referee.state import StaleOffer, State
from quarto_pi.referee.step import Step
from quarto_pi.referee.table import SQUARE_OF
from quarto_pi.sensing.readings import OFFER

MOST_STAGES_AT_ONCE = 4
"""So many stages of a lesson may pass in one step, where hands are ahead of it."""

POINTED_AT = frozenset({LessonStage.SECOND, LessonStage.THIRD})
TOO_EARLY = frozenset({LessonStage.CLEAR, LessonStage.GIVE, LessonStage.PLACE, *POINTED_AT, LessonStage.SEE})


def begin_lesson(step: Step) -> None:
    """Begin a lesson, unless a game is under way: nothing that follows belongs to one."""
    if step.state.is_under_way or step.state.lesson is not None:
        return
    if step.state.phase is RefereePhase.OVER:
        step.follow(Occurrence.PLAYED_ON)
        step.begin(step.state.wishes)
    step.follow(Occurrence.LESSON_WANTED)
    step.effects.append(Abandon(step.now))
    step.change_lesson(LessonOccurrence.WANTED, Lesson(LessonStage.CLEAR, step.now))
    step.touch()


def follow_lesson(step: Step) -> None:
    """Go on with a lesson as far as hands have by now."""
    for _ in range(MOST_STAGES_AT_ONCE):
        lesson = step.state.lesson
        if lesson is None:
            return
        if is_due(step.state, Due.LESSON_LEFT, step.now):
            leave_lesson(step)
            return
        seen = seen_in_lesson(step.state, lesson, step.now)
        if seen is None:
            return
        _go_on(step, lesson, *seen)


def press_in_lesson(step: Step) -> None:
    """A press calls where there is something to be called, and is told why not everywhere else."""
    lesson = step.state.lesson
    if lesson is None:
        return
    if lesson.stage is LessonStage.CALL:
        _go_on(step, lesson, LessonOccurrence.CALLED, None)
    else:
        step.notice(NotYet(lesson.stage in TOO_EARLY))


def leave_lesson(step: Step, *, plays: bool = False) -> None:
    """End a lesson; if people play, what they have put down since its last stage belongs to their game."""
    lesson = step.state.lesson
    if lesson is not None:
        step.change_lesson(LessonOccurrence.LEFT)
        _end(step, lesson, plays=plays)


def learn(state: State, lesson: Lesson, now: int) -> Prompt:
    """What is to be done now."""
    correction = correction_in(state, lesson, now)
    if correction is not None:
        return correction
    giving = Giving.ON_GIVE_PLACE if state.senses_giving else Giving.ON_ANY_SQUARE
    is_pointed_at = lesson.stage in POINTED_AT or now >= lesson.since + state.patience.hint
    target = lesson_target(lesson) if is_pointed_at else None
    shown = aligned(state, lesson) if lesson.stage in (LessonStage.CALLED, LessonStage.MISSED) else ()
    return Learn(lesson.stage, giving, lesson.hand, target, shown)


def _go_on(step: Step, lesson: Lesson, occurrence: LessonOccurrence, cell: str | None) -> None:
    """Let something happen in a lesson."""
    if occurrence is LessonOccurrence.LEFT:
        leave_lesson(step, plays=True)
        return
    stage = LESSON.ways[lesson.stage].get(occurrence)
    if stage is None:
        step.change_lesson(occurrence)
        _end(step, lesson, plays=False)
        return
    after = replace(lesson, stage=stage, since=step.now, hand=None)
    match occurrence:
        case LessonOccurrence.GIVEN:
            after = replace(after, hand=step.state.table.piece_on(OFFER))
        case LessonOccurrence.PLACED if cell is not None:
            after = _placed(step.state, after, cell)
        case _:
            pass
    step.change_lesson(occurrence, after)
    if stage is LessonStage.CALLED or occurrence is LessonOccurrence.PLACED:
        step.touch()


def _placed(state: State, lesson: Lesson, cell: str) -> Lesson:
    """The lesson with the piece on its square, and with the one that is to be placed next."""
    square = SQUARE_OF[cell]
    board = lesson.board.place(square, strangers(state, lesson)[cell].piece)
    line = lesson.line or line_from(state, square)
    lesson = replace(lesson, board=board, line=line)
    if lesson_target(lesson) is None:
        return lesson
    first = board[line[0]]
    return lesson if first is None else replace(lesson, hand=pieces_from(state, first)[board.count - 1])


def _end(step: Step, lesson: Lesson, *, plays: bool) -> None:
    """Wait for a game: what stands there of the lesson has to go, and what people have given counts."""
    before = step.state
    standing = {each.piece for _, each in before.table.pieces_on_squares}
    known = frozenset(piece for piece in lesson.board.pieces.values() if piece in standing)
    offered = before.table.standing.get(OFFER)
    came = [*strangers(before, lesson).values(), *([] if offered is None else [offered])]
    from_then = min((each.since for each in came), default=step.now) - 1 if plays else step.now
    remains = known if plays else frozenset(standing)
    step.follow(Occurrence.LESSON_ENDED)
    step.begin(before.wishes)
    step.state = replace(
        step.state,
        clearing=Clearing(remains=remains),
        stale=StaleOffer(from_then),
        turned_at=from_then,
    )
    if plays and came:
        step.notice(LessonOver())
