"""What people see: the one thing to be done now, and all around it."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from quarto_pi.referee import corrections
from quarto_pi.referee.between_games import celebrates, invites, is_asleep, play_again
from quarto_pi.referee.clearing import clearing_at
from quarto_pi.referee.corrections import guidance
from quarto_pi.referee.deadlines import Due, doubt_ends_at, is_due
from quarto_pi.referee.facts import is_in_the_air, left_standing
from quarto_pi.referee.messages import (
    Abandoned,
    BoardCleared,
    CarryOut,
    ChooseFirst,
    ClearTheBoard,
    Drawn,
    Forfeited,
    Foul,
    GiveNext,
    Giving,
    HowToPlay,
    HurryUp,
    Impaired,
    InvitedByBoard,
    LastCall,
    Learn,
    LeftOver,
    LessonStage,
    LookClosely,
    MissedAlignment,
    MoveBack,
    NoQuarto,
    NotGivenYet,
    NotHeardYet,
    Notice,
    NotKept,
    OthersLastCall,
    OtherUnreachable,
    Paused,
    PlacedUnheard,
    PlaceNext,
    PlaceThis,
    PlayAgain,
    Prompt,
    PutBack,
    PutItDown,
    Question,
    ReaderLost,
    ShuttingDown,
    StandsThere,
    StillPlaying,
    StillThere,
    TagDead,
    TakeItBack,
    TakeOff,
    Thinking,
    TooMany,
    TwoPieces,
    UnclearPlace,
    UnknownTag,
    WaitingForBoard,
    Welcome,
    WhoCalled,
    Won,
    WrongPiece,
    question_in,
)
from quarto_pi.referee.phases import Overlay, RefereePhase
from quarto_pi.referee.stages import EndStage, Lesson
from quarto_pi.referee.state import State
from quarto_pi.referee.table import Difference
from quarto_pi.referee.teaching import learn
from quarto_pi.referee.view import ClockView, Mark, View
from quarto_pi.rules import Board, Phase, Piece, Player, Reason
from quarto_pi.sensing.readings import OFFER


def view_of(state: State, now: int) -> View:
    """All that people may see at this moment."""
    if state.lesson is not None:
        return _view_of_lesson(state, state.lesson, now)
    if state.phase in (RefereePhase.ATTRACT, RefereePhase.SET_UP) or invites(state, now):
        return _view_without_game(state, now)
    difference = state.difference
    prompt = (
        HowToPlay(state.reading.page, _giving(state)) if state.reading is not None else _prompt(state, difference, now)
    )
    game = state.game
    return View(
        phase=state.phase,
        prompt=prompt,
        settings=state.settings,
        board=game.board,
        overlays=_overlays(state),
        notice=_notice(state, now),
        hand=game.hand,
        to_act=game.to_act,
        marks=_marks(state, prompt),
        clock=_clock(state, now),
        menu=state.menu.view if state.menu else None,
        missed=game.missed,
        result=game.result,
        tally=state.tally,
        score=state.score,
        celebrates=celebrates(state, now),
        giving=_giving(state),
        others=state.others,
    )


def _view_of_lesson(state: State, lesson: Lesson, now: int) -> View:
    """What may be seen of a lesson, which is no game."""
    prompt = learn(state, lesson, now) if state.reading is None else HowToPlay(state.reading.page, _giving(state))
    is_new = lesson.stage is LessonStage.CALLED and now < lesson.since + state.patience.celebrates
    return View(
        phase=state.phase,
        prompt=prompt,
        settings=state.settings,
        board=lesson.board,
        notice=_notice(state, now),
        hand=lesson.hand,
        marks=_marks(state, prompt),
        menu=state.menu.view if state.menu else None,
        tally=state.tally,
        score=state.score,
        celebrates=is_new and not state.settings.quiet,
        giving=_giving(state),
        others=state.others,
    )


def _view_without_game(state: State, now: int) -> View:
    """What may be seen while nobody plays; a game that is over, and may still stand there, is not."""
    cleared = clearing_at(state, now) or ClearTheBoard()
    prompt: Prompt = cleared if state.phase is RefereePhase.SET_UP else Welcome(_giving(state))
    if state.reading is not None:
        prompt = HowToPlay(state.reading.page, _giving(state))
    return View(
        phase=RefereePhase.ATTRACT if invites(state, now) else state.phase,
        prompt=prompt,
        settings=state.settings,
        board=Board(),
        overlays=_overlays(state),
        notice=_notice(state, now),
        marks=_marks(state, prompt),
        menu=state.menu.view if state.menu else None,
        tally=state.tally,
        asleep=is_asleep(state, now),
        giving=_giving(state),
        others=state.others,
    )


def _prompt(state: State, difference: Difference, now: int) -> Prompt:
    if state.phase is RefereePhase.OVER:
        return _ending(state, now)
    if state.game.paused_since is not None:
        # A game that waits after a stop may wait for a piece that is not where it was.
        return (guidance(state, state.mismatch) if state.resuming is not None else None) or Paused()
    if state.call is not None:
        return WhoCalled(state.call.player, state.call.sure)
    question = corrections.question_at(state, difference, now)
    beside = corrections.beside_turn(state, question)
    if question is not None and beside is None and not isinstance(question, PlacedUnheard):
        return question
    to_do = guidance(state, state.mismatch) or _unclear(state, now) or _turn(state, difference)
    # Whoever has not placed yet has to read that first, and is not to take the question for an order.
    return replace(to_do, question=beside) if isinstance(to_do, PlaceThis | CarryOut) else to_do


def _unclear(state: State, now: int) -> Prompt | None:
    """A piece that has been heard for so long and rests nowhere is not where people think it is."""
    for doubt in state.table.doubts:
        if doubt.arriving and now >= doubt_ends_at(state, doubt) and state.table.cell_of(doubt.piece) is None:
            return UnclearPlace(doubt.piece)
    return None


def _turn(state: State, difference: Difference) -> Prompt:
    """Whose turn it is, and what to do."""
    game = state.game
    if game.phase is Phase.FINAL_CALL:
        waits_for = None if state.remote is None or state.has_last_word else game.maker
        if waits_for is None:
            return LastCall()
        other = _of_other_board(state, None)
        return OthersLastCall(other.player) if isinstance(other, Thinking) else other
    if game.hand is not None:
        if state.is_for_person:
            return PlaceThis(game.receiver, game.hand)
        square = None if state.planned is None else state.planned.plan.square
        if square is None:
            return _of_other_board(state, game.hand) if state.remote is not None else Thinking(game.receiver, game.hand)
        # What stands there already only has to rest for a moment.
        origin = state.table.cell_of(game.hand)
        return CarryOut(game.receiver, game.hand, square, None if origin == square.name else origin)
    if not state.is_by_person:
        return _of_other_board(state, None) if state.remote is not None else Thinking(game.giver, None)
    if state.phase is RefereePhase.CHOOSE:
        if state.laid_before is not None:
            return TakeOff(state.laid_before, OFFER)
        return ChooseFirst(game.giver, _giving(state))
    turn = state.shiftable
    if turn is not None and is_in_the_air(state, difference):
        return PutItDown(turn.player, turn.piece)
    giving = _giving(state)
    return PlaceNext(game.receiver) if giving is Giving.BY_HAND else GiveNext(game.giver, giving)


def _of_other_board(state: State, piece: Piece | None) -> Thinking | OtherUnreachable:
    """What is to be known while another board has to do something."""
    player = next(player for player in Player if state.settings.seat(player).is_board)
    if state.remote is not None and state.remote.away_since is not None:
        return OtherUnreachable(player)
    return Thinking(player, piece)


def _giving(state: State) -> Giving:
    if state.senses_giving:
        return Giving.ON_GIVE_PLACE
    return Giving.ON_ANY_SQUARE if state.game.options.giving_sensed else Giving.BY_HAND


def _ending(state: State, now: int) -> Prompt:
    clearing = clearing_at(state, now)
    if clearing is not None:
        return clearing
    if state.end is not None and state.end.stage is EndStage.NEXT:
        return play_again(state)
    if state.end is not None and state.end.stage is EndStage.WANTED:
        return ClearTheBoard(tuple(sorted(cell for cell, _ in left_standing(state))))
    result = state.game.result
    if result is None or result.reason is Reason.UNFINISHED:
        return ClearTheBoard() if any(True for _ in state.table.pieces_on_squares) else Abandoned()
    if result.winner is None:
        return Drawn(state.game.missed)
    if result.reason is Reason.FORFEIT:
        foul, calls = state.foul or Foul.FALSE_CALL, state.game.calls
        if foul is Foul.FALSE_CALL and calls:
            return Forfeited(result.winner.other, foul, NoQuarto.of(calls[-1], state.game))
        return Forfeited(result.winner.other, foul)
    return Won(result.winner, result.alignments, called=result.reason is Reason.CALL)


def _notice(state: State, now: int) -> Notice | None:
    if state.told is not None:
        return state.told.notice
    if is_due(state, Due.STILL_THERE, now):
        return StillPlaying()
    game = state.game
    if game.to_act is not None and _is_hurried(state, now):
        return HurryUp(game.to_act)
    if state.settings.coach and not game.over:
        caller = next((player for player in state.settings.people if game.open_for(player)), None)
        if caller is not None:
            return LookClosely(caller)
    if state.tag_to_renew is not None:
        return TagDead(state.tag_to_renew)
    if state.impaired is not None and not state.is_under_way:
        return Impaired(state.impaired)
    if state.table.lost and not state.is_under_way:
        return ReaderLost(cells_in_order(state.table.lost))
    if state.storage is not None:
        return NotKept(state.storage)
    return _about_boards(state) or (None if state.end is None else state.end.hindsight)


def _about_boards(state: State) -> Notice | None:
    """What is to be known of other boards for as long as it is so."""
    if state.remote is not None and state.game.over and not state.remote.is_heard:
        return NotHeardYet()
    if state.others is None or state.is_under_way or state.is_match_open:
        return None
    if state.others.invitations:
        return InvitedByBoard()
    return WaitingForBoard() if state.others.is_waiting else None


def _is_hurried(state: State, now: int) -> bool:
    """Whether the time for the running move is nearly over, and is not over yet."""
    left, paused_since = state.game.time_left(now), state.game.paused_since
    return left is not None and left > 0 and is_due(state, Due.HURRY, now if paused_since is None else paused_since)


def _clock(state: State, now: int) -> ClockView | None:
    left, player = state.game.time_left(now), state.game.to_act
    if left is None or player is None:
        return None
    # A second is shown until it is over, as on any clock that counts down.
    return ClockView(player, -(-left // 1000), stands=state.game.paused_since is not None)


def _overlays(state: State) -> tuple[Overlay, ...]:
    present = {
        Overlay.PAUSED: state.game.paused_since is not None,
        Overlay.MISMATCH: bool(state.mismatch),
        Overlay.READER_FAULT: bool(state.table.lost),
    }
    return tuple(overlay for overlay in Overlay if present[overlay])


def _marks(state: State, prompt: Prompt) -> tuple[tuple[str, Mark], ...]:
    marks: dict[str, Mark] = dict.fromkeys(cells_in_order(state.table.lost), Mark.UNSEEN)
    if state.told is not None and isinstance(state.told.notice, MissedAlignment):
        lapsed = state.told.notice.alignments
        marks.update((square.name, Mark.MISSED) for alignment in lapsed for square in alignment.squares)
    marks.update(_marks_of(question_in(prompt) or prompt))
    if isinstance(prompt, CarryOut):
        marks.update(_marks_of(prompt))
    return tuple(sorted(marks.items(), key=lambda item: item[0]))


def _marks_of(prompt: Prompt | Question) -> dict[str, Mark]:  # noqa: C901, PLR0912 - one case for each prompt
    """The cells that a prompt or its question points at."""
    match prompt:
        case Won(_, alignments) | PlayAgain(_, _, _, alignments):
            return {square.name: Mark.WON for alignment in alignments for square in alignment.squares}
        case Drawn(missed):
            return {square.name: Mark.MISSED for alignment in missed for square in alignment.squares}
        case CarryOut(_, _, square, origin):
            return {**({origin: Mark.TAKE} if origin else {}), square.name: Mark.TARGET}
        case Learn(stage, _, _, square, alignments):
            mark = Mark.MISSED if stage is LessonStage.MISSED else Mark.WON
            return {
                **({} if square is None else {square.name: Mark.TARGET}),
                **{each.name: mark for alignment in alignments for each in alignment.squares},
            }
        case PutBack(_, square):
            return {square.name: Mark.PUT}
        case MoveBack(_, cell, square):
            return {cell: Mark.TAKE, square.name: Mark.PUT}
        case ClearTheBoard(cells):
            return dict.fromkeys(cells, Mark.TAKE)
        case WrongPiece(_, cell) | NotGivenYet(_, cell) | TakeOff(_, cell) | LeftOver(_, cell):
            return {cell: Mark.TAKE}
        case UnknownTag(cell) | TwoPieces(cell):
            return {cell: Mark.TAKE}
        case StandsThere(_, square) | StillThere(_, square) | TakeItBack(_, _, square):
            return {square.name: Mark.ASKED}
        case BoardCleared() | TooMany() | UnclearPlace() | PlacedUnheard() | WhoCalled():
            return {}
        case Welcome() | ChooseFirst() | PlaceThis() | GiveNext() | PlaceNext() | PutItDown() | Thinking() | LastCall():
            return {}
        case OtherUnreachable() | OthersLastCall():
            return {}
        case Forfeited() | Abandoned() | Paused() | ShuttingDown() | HowToPlay():
            return {}
        case _:
            assert_never(prompt)


def cells_in_order(cells: frozenset[str]) -> tuple[str, ...]:
    """Cells as they are told: one after the other."""
    return tuple(sorted(cells))
