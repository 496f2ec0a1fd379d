"""A version offered to boards: first to one, then to ten per cent, then to all; stopped by itself when boards get ill.

Pure: a table of transitions, with the time as an argument. A board that is heard is offered the version, fetches it,
waits until nobody plays, installs it, and is believed when it has been well with it for a while. One that gets ill with
it, refuses it or does not come back counts against it; as soon as there are too many of those the rollout stops, and
goes on only when its owner says so. While it is stopped nobody begins to install it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from quarto_pi.chain.messages import VersionStep
from quarto_pi.rules import QuartoError

WELL_SECONDS: Final = 1_800.0
"""A board has to be well with the version for so long before it is believed, and others are offered it."""
TAKE_SECONDS: Final = 7 * 86_400.0
"""Nobody has to play for a board to take it: a board that has not after so long is late, and is not waited for."""
BACK_SECONDS: Final = 1_800.0
"""A board that has begun to take the version, and is not heard for so long, has not come back."""
ILL_SECONDS: Final = 60.0
"""What a board with the version is newly ill of has to last: what is put right at once was its start."""
MOST_BAD_SHARE: Final = 0.02
"""Of the boards that were offered it so many may go wrong once all are offered it; before, none."""


class RolloutRefused(QuartoError, ValueError):
    """A step that cannot be taken now; the text says why."""


class RolloutStage(Enum):
    """How far a rollout has come."""

    ONE = "one"
    TENTH = "tenth"
    ALL = "all"
    DONE = "done"


class RolloutState(Enum):
    """Whether it goes on."""

    RUNNING = "running"
    STOPPED = "stopped"
    ABANDONED = "abandoned"


class BoardStep(Enum):
    """How far one board has come with the version."""

    WAITING = "waiting"
    OFFERED = "offered"
    FETCHING = "fetching"
    READY = "ready"
    TAKING = "taking"
    TRIED = "tried"
    WELL = "well"
    ILL = "ill"
    REFUSED = "refused"
    LOST = "lost"
    LATE = "late"
    HAD_IT = "had it"


WENT_WRONG: Final = frozenset({BoardStep.ILL, BoardStep.REFUSED, BoardStep.LOST})
_NOT_TAKEN: Final = frozenset({BoardStep.OFFERED, BoardStep.FETCHING, BoardStep.READY})
_UNDER_WAY: Final = _NOT_TAKEN | {BoardStep.TAKING, BoardStep.TRIED}
_TOLD: Final = {
    VersionStep.FETCHING: BoardStep.FETCHING,
    VersionStep.WAITING: BoardStep.READY,
    VersionStep.INSTALLING: BoardStep.TAKING,
}


@dataclass(frozen=True, slots=True)
class SeenOfBoard:
    """What the hub sees of a board just now: whether it is heard, what it runs, what it is ill of.

    `told` is how far it says that it is with the version of the rollout, and `refused` why it does not take that.
    """

    here: bool
    version: str = ""
    ailments: frozenset[str] = frozenset()
    told: VersionStep | None = None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class BoardProgress:
    """One board of a rollout: since when it stands at its step, and since when it is away, or newly ill.

    `before` is what it was ill of when it was `offered` the version.
    """

    step: BoardStep = BoardStep.WAITING
    since: float = 0.0
    before: frozenset[str] = frozenset()
    why: str = ""
    away: float | None = None
    ill: float | None = None
    offered: float = 0.0


@dataclass(frozen=True, slots=True)
class Rollout:
    """A version on its way to boards, in the order in which they are offered it.

    `why` is a sentence where it has stopped by itself; `by` is who has stopped or abandoned it.
    """

    version: str
    boards: Mapping[str, BoardProgress]
    stage: RolloutStage = RolloutStage.ONE
    state: RolloutState = RolloutState.RUNNING
    why: str = ""
    by: str = ""
    forgiven: frozenset[str] = field(default_factory=frozenset)
    """Boards that went wrong, and that the owner has decided to go on without."""

    @property
    def offered(self) -> tuple[str, ...]:
        """The boards to which the version is offered now; nobody while it is stopped, and once it is abandoned."""
        if self.state is not RolloutState.RUNNING:
            return ()
        return tuple(name for name, each in self.boards.items() if each.step in _UNDER_WAY)

    @property
    def is_over(self) -> bool:
        """Whether nothing will follow any more."""
        return self.state is RolloutState.ABANDONED or self.stage is RolloutStage.DONE

    def count(self, *steps: BoardStep) -> int:
        """How many boards stand at one of these steps."""
        return sum(each.step in steps for each in self.boards.values())


def begin_rollout(version: str, boards: Iterable[str], seen: Mapping[str, SeenOfBoard], now: float) -> Rollout:
    """A rollout to these boards, the first of which is the first to try; those that run the version had it before."""
    found = {}
    for name in boards:
        has_it = name in seen and seen[name].version == version
        found[name] = BoardProgress(BoardStep.HAD_IT if has_it else BoardStep.WAITING, now)
    if not any(each.step is BoardStep.WAITING for each in found.values()):
        raise RolloutRefused("there is no board that has not this version yet: nothing is to be rolled out.")
    return _offered(Rollout(version, found), seen, now)


def advance_rollout(rollout: Rollout, seen: Mapping[str, SeenOfBoard], now: float) -> Rollout:
    """What follows from what is seen of the boards now."""
    if rollout.is_over:
        return rollout
    boards = {
        name: _stepped(each, rollout.version, seen.get(name, SeenOfBoard(here=False)), now)
        for name, each in rollout.boards.items()
    }
    rollout = replace(rollout, boards=boards)
    if rollout.state is RolloutState.STOPPED:
        return rollout
    stopped = _stopped(rollout)
    return stopped if stopped is not None else _offered(rollout, seen, now)


def resume_rollout(rollout: Rollout, seen: Mapping[str, SeenOfBoard], now: float) -> Rollout:
    """Go on without the boards that went wrong, as the owner has decided."""
    if rollout.state is not RolloutState.STOPPED:
        raise RolloutRefused("this rollout is not stopped: there is nothing to resume.")
    bad = {name for name, each in rollout.boards.items() if each.step in WENT_WRONG}
    going_on = replace(rollout, state=RolloutState.RUNNING, why="", by="", forgiven=rollout.forgiven | bad)
    return _offered(going_on, seen, now)


def stop_rollout(rollout: Rollout, by: str) -> Rollout:
    """Offer the version to nobody; who installs it already goes on."""
    if rollout.state is not RolloutState.RUNNING or rollout.stage is RolloutStage.DONE:
        raise RolloutRefused("this rollout does not run: there is nothing to stop.")
    return replace(rollout, state=RolloutState.STOPPED, by=by)


def abandon_rollout(rollout: Rollout, by: str) -> Rollout:
    """Offer the version to nobody any more; boards that have it keep it."""
    if rollout.is_over:
        raise RolloutRefused("this rollout is over: there is nothing to abandon.")
    return replace(rollout, state=RolloutState.ABANDONED, by=by)


# --- One board --------------------------------------------------------------------------------------------------------


def _stepped(each: BoardProgress, version: str, seen: SeenOfBoard, now: float) -> BoardProgress:
    away = None if seen.here else now if each.away is None else each.away
    ill = each.ill
    if seen.here:
        is_ill = each.step is BoardStep.TRIED and bool(seen.ailments - each.before)
        ill = None if not is_ill else now if ill is None else ill
    if (away, ill) != (each.away, each.ill):
        each = replace(each, away=away, ill=ill)
    step, why = _next_step(each, version, seen, now)
    return each if step is each.step else replace(each, step=step, since=now, why=why)


def _next_step(each: BoardProgress, version: str, seen: SeenOfBoard, now: float) -> tuple[BoardStep, str]:
    is_late = now - each.offered >= TAKE_SECONDS
    has_gone = each.away is not None and now - each.away >= BACK_SECONDS
    is_to_take = each.step in _NOT_TAKEN or each.step is BoardStep.TAKING
    if (is_to_take or each.step in (BoardStep.LATE, BoardStep.LOST)) and _runs(seen, version):
        # One that was not waited for any more has to be well with it nevertheless.
        return BoardStep.TRIED, ""
    if is_to_take and seen.here and seen.refused:
        return BoardStep.REFUSED, seen.refused.rstrip(".")
    match each.step:
        case BoardStep.TAKING | BoardStep.TRIED if has_gone:
            return BoardStep.LOST, "it has not come back"
        case step if step in _NOT_TAKEN and is_late and not seen.here:
            return BoardStep.LOST, "it is not heard since it was offered the version"
        case _ if is_to_take and is_late:
            return BoardStep.LATE, "it has not taken the version in time"
        case _ if is_to_take and seen.here and seen.told in _TOLD:
            return _TOLD[seen.told], ""
        case BoardStep.TRIED if seen.here:
            return _judged(each, version, seen, now)
        case _:
            return each.step, each.why


def _runs(seen: SeenOfBoard, version: str) -> bool:
    return seen.here and seen.version == version


def _judged(each: BoardProgress, version: str, seen: SeenOfBoard, now: float) -> tuple[BoardStep, str]:
    """What becomes of a board that is heard, and ran the version."""
    if seen.version != version:
        return BoardStep.ILL, f"it went back to {seen.version or 'another version'}"
    if each.ill is not None:
        if now - each.ill < ILL_SECONDS:
            return each.step, each.why
        return BoardStep.ILL, f"it got ill: {', '.join(sorted(seen.ailments - each.before))}"
    return (BoardStep.WELL, "") if now - each.since >= WELL_SECONDS else (each.step, each.why)


# --- All boards -------------------------------------------------------------------------------------------------------


def _stopped(rollout: Rollout) -> Rollout | None:
    """The rollout stopped, if too many boards went wrong."""
    bad = {
        name: each for name, each in rollout.boards.items() if each.step in WENT_WRONG and name not in rollout.forgiven
    }
    most = 0
    if rollout.stage is RolloutStage.ALL:
        most = math.floor(MOST_BAD_SHARE * len(rollout.boards))
    if len(bad) <= most:
        return None
    name, worst = max(bad.items(), key=lambda item: item[1].since)
    count = "" if len(bad) == 1 else f"{len(bad)} boards went wrong; "
    return replace(rollout, state=RolloutState.STOPPED, why=f"{count}{name}: {worst.why}.")


def _offered(rollout: Rollout, seen: Mapping[str, SeenOfBoard], now: float) -> Rollout:
    """The version offered to as many as the stage allows; the next stage once all of this one are well with it.

    Who is late, or was gone on without, shows nothing about the version: somebody else is offered it instead.
    """
    boards = dict(rollout.boards)
    stage = rollout.stage
    while stage is not RolloutStage.DONE:
        room = allowed(stage, len(boards)) - sum(each.step in _COUNTED for each in boards.values())
        # Who is away now is offered it when he is back: an offered one that is away may not have come back from it.
        here = [name for name, each in boards.items() if each.step is BoardStep.WAITING and _is_here(seen, name)]
        for name in here[: max(0, room)]:
            boards[name] = BoardProgress(BoardStep.OFFERED, now, seen[name].ailments, offered=now)
            room -= 1
        is_under_way = any(each.step in _UNDER_WAY for each in boards.values())
        if is_under_way or (room > 0 and any(each.step is BoardStep.WAITING for each in boards.values())):
            break
        stage = _AFTER[stage]
    return replace(rollout, boards=boards, stage=stage)


def _is_here(seen: Mapping[str, SeenOfBoard], name: str) -> bool:
    return name in seen and seen[name].here


_COUNTED: Final = _UNDER_WAY | {BoardStep.WELL}
_AFTER: Final = {
    RolloutStage.ONE: RolloutStage.TENTH,
    RolloutStage.TENTH: RolloutStage.ALL,
    RolloutStage.ALL: RolloutStage.DONE,
}


def allowed(stage: RolloutStage, boards: int) -> int:
    """How many boards may have been offered a version at a stage.

    >>> [allowed(stage, 25) for stage in RolloutStage]
    [1, 3, 25, 25]
    """
    return {RolloutStage.ONE: min(1, boards), RolloutStage.TENTH: min(boards, max(1, math.ceil(boards / 10)))}.get(
        stage, boards
    )
