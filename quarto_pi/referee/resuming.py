"""Going on after the plug was pulled: the game as it was kept, on the clock of the evening that begins now.

The game waits until somebody touches the board or presses the button. What hands did meanwhile is taken like anything
else, once every square has been looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from quarto_pi.referee.effects import Continue
from quarto_pi.referee.messages import Foul, Impairment
from quarto_pi.referee.remote_game import RemoteGame
from quarto_pi.referee.settings import Settings
from quarto_pi.referee.stages import (
    Clearing,
    EndOccurrence,
    EndStage,
    GameEnd,
    Resuming,
    ResumingOccurrence,
    ResumingStage,
)
from quarto_pi.referee.state import StaleOffer, State
from quarto_pi.referee.step import Step
from quarto_pi.referee.tally import NEWCOMER, Skill, Tally
from quarto_pi.rules import Game, Phase, Piece, Player, Reason, Resume
from quarto_pi.rules.game import Latch, MoveClock
from quarto_pi.sensing import events as sensed

TOUCHES = (sensed.PiecePlaced, sensed.PieceMoved, sensed.PieceLifted, sensed.ForeignTag, sensed.TwoTags)


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The last game as it was kept, and its settings; its times begin anew, but for what was used of the move's."""

    game: Game
    settings: Settings
    played_ms: int = 0
    latched: Player | None = None
    used_ms: int | None = None
    told: bool = False
    left_over: Piece | None = None
    score: tuple[int, int] = (0, 0)
    skill: Skill = NEWCOMER


@dataclass(frozen=True, slots=True)
class Before:
    """What is known of the evenings before: how many games there were, what was counted, and the last one.

    `impaired` is why this evening does not begin as the owner wants it, if there is a reason.
    """

    number: int = 0
    tally: Tally = field(default_factory=Tally)
    last: Interrupted | None = None
    impaired: Impairment | None = None


def take_up(step: Step, last: Interrupted) -> None:
    """Go on with the last game, or with what still stands of it after its end."""
    game, state = on_clock(last, step.now), step.state
    looks_until = step.now + state.patience.first_look
    step.change_resuming(ResumingOccurrence.TAKEN_UP, Resuming(looks_until))
    step.state = replace(
        step.state,
        settings=replace(last.settings, language=state.idling.home, voice=state.wishes.voice),
        game=game,
        score=last.score,
        skill=last.skill,
        turned_at=step.now,
        # What lay there without being given is found there again within the first look.
        stale=StaleOffer(step.now if last.left_over is None else looks_until, last.left_over),
        first_given_at=step.now - last.played_ms,
        foul=_foul_of(game),
        clearing=Clearing(remains=frozenset(game.board.pieces.values()) if game.over else frozenset()),
    )
    if game.result is not None and game.result.reason is not Reason.UNFINISHED:
        # What was celebrated before the stop is only told again.
        ended_at = step.now - state.patience.celebrates
        step.change_end(EndOccurrence.ENDED, GameEnd(EndStage.RESULT, ended_at, step.now))
    if last.settings.other_board is not None:
        # All that is settled here is told again: it may have been told nobody before the stop.
        step.state = replace(step.state, remote=RemoteGame(last.settings.other_board))
    step.touch()
    step.phase = step.state.phase
    step.follow_giving()
    step.effects.append(Continue(step.now, step.state.number, last.settings, step.state.game))


def on_clock(last: Interrupted, now: int) -> Game:
    """The game that was kept, paused at this moment, if it has begun and not ended."""
    game, rules = last.game, last.settings.options
    options = replace(
        game.options,
        time_out=rules.time_out,
        clock_ms=rules.clock_ms,
        latch_ms=rules.latch_ms,
        final_call_ms=rules.final_call_ms,
    )
    game = replace(game, options=options, now=now, news=())
    if game.over or (game.hand is None and not game.board.count):
        return game
    runs = last.used_ms is not None and options.clock_ms is not None
    final = game.phase is Phase.FINAL_CALL
    sure = not last.settings.asks_before_a_forfeit
    return replace(
        game,
        clock=MoveClock(now - (last.used_ms or 0), last.told) if runs else None,
        latch=None if last.latched is None else Latch(last.latched, now + options.latch_ms, sure),
        final_call_until=now + options.final_call_ms if final else None,
        paused_since=now,
    )


def is_looking_round(state: State, now: int) -> bool:
    """Whether the board has not been looked at for long enough to say what is missing from it."""
    return state.resuming is not None and state.resuming.stage_at(now) is ResumingStage.LOOKING_ROUND


def wake(step: Step, events: tuple[sensed.BoardEvent, ...]) -> None:
    """Let a game that waits go on when somebody touches the board."""
    state = step.state
    if state.resuming is None or is_looking_round(state, step.now):
        return
    if any(isinstance(event, TOUCHES) for event in events):
        step.change_resuming(ResumingOccurrence.TOUCHED)
        if state.game.paused_since is not None:
            step.act(Resume(), max(step.now, state.game.now))


def _foul_of(game: Game) -> Foul | None:
    """What a game was forfeited by."""
    if game.result is None or game.result.reason is not Reason.FORFEIT:
        return None
    return Foul.FALSE_CALL if game.calls and not game.calls[-1].valid and _ended_by_call(game) else Foul.TIME


def _ended_by_call(game: Game) -> bool:
    """Whether the last call was made by who lost, at the moment at which the game ended."""
    call, result = game.calls[-1], game.result
    winner = None if result is None else result.winner
    return call.player is not winner and call.placed == game.board.count
