"""What a board of a chain shows its hub: what the page may show at this moment, in fewer words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from quarto_pi.chain.messages import Ailment, BoardStatus, Doing
from quarto_pi.enrolment import GuideEffect, ShowGuide
from quarto_pi.referee import Begin, Continue, Effect, Show, Tell, View
from quarto_pi.referee.effects import GameFinished
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.settings import LIKE_ME, Seat
from quarto_pi.rules import Position, Reason

HEALTH_EVERY_MS: Final = 2_000
"""Between two looks at what is the matter with the board."""
PERSON_SEAT: Final = "person"
COMPUTER_SEAT: Final = "computer"
BOARD_SEAT: Final = "board"

_PLAYING: Final = (RefereePhase.GIVEN, RefereePhase.WAITING, RefereePhase.PLACED)


class ChainOutput:
    """Says what the board does whenever that has changed, and that somebody has won by QUARTO.

    `ailments` tells what is the matter with the board, `invites` whether its guests wait for any other board, `match`
    the newest game with another board, by what both call it and that board's name; they are asked in the loop's thread,
    and answer at once.
    """

    def __init__(  # noqa: PLR0913 - all that a board shows
        self,
        show: Callable[[BoardStatus], None],
        call_quarto: Callable[[], None],
        plain: BoardStatus,
        wall: Callable[[], float],
        ailments: Callable[[], tuple[Ailment, ...]] = tuple,
        invites: Callable[[], bool] = bool,
        match: Callable[[], tuple[str, str] | None] = lambda: None,
    ) -> None:
        self._show, self._call_quarto = show, call_quarto
        self._wall, self._ailments, self._invites = wall, ailments, invites
        self._match = match
        self._state = plain
        self._shown: BoardStatus | None = None
        self._looked_at = -HEALTH_EVERY_MS

    def perform(self, effect: Effect) -> None:
        """Take the newest of each."""
        match effect:
            case Show(view):
                self._take(view)
            case Begin(number=number) | Continue(number=number):
                self._state = replace(self._state, game=number)
            case Tell(report=GameFinished(result=result)) if result.reason in (Reason.CALL, Reason.AUTO):
                self._call_quarto()
            case _:
                pass

    def tick(self, now: int) -> None:
        """Say it, where anything has changed."""
        if now - self._looked_at >= HEALTH_EVERY_MS:
            self._looked_at = now
            self._state = replace(self._state, ailments=self._ailments())
        if self._invites() is not self._state.invites:
            self._state = replace(self._state, invites=not self._state.invites)
        if self._state != self._shown:
            self._shown = self._state
            self._show(self._state)

    def _take(self, view: View) -> None:
        doing = doing_of(view)
        since = self._state.since if doing is self._state.doing and self._state.since else self._wall()
        between = self._match()
        if between is None or between[1] != view.settings.other_board:
            between = "", ""
        self._state = replace(
            self._state,
            doing=doing,
            since=since,
            language=view.settings.language,
            position=str(Position(view.board, view.hand)),
            seats=tuple(map(seat_word_of, view.settings.seats)),
            free=doing in (Doing.WAITING, Doing.OVER),
            to_act=None if view.to_act is None else view.to_act.value,
            match=between[0],
            other=between[1],
        )


class ChainGuideOutput:
    """Says that the guide is open."""

    def __init__(self, show: Callable[[BoardStatus], None], plain: BoardStatus, wall: Callable[[], float]) -> None:
        self._show, self._plain, self._wall = show, plain, wall
        self._language = ""

    def perform(self, effect: GuideEffect) -> None:
        """Say in which language."""
        if isinstance(effect, ShowGuide) and effect.view.language != self._language:
            self._language = effect.view.language
            self._show(replace(self._plain, doing=Doing.GUIDE, since=self._wall(), language=self._language))

    def tick(self, now: int) -> None:
        """Nothing: it is open as long as it is."""


def doing_of(view: View) -> Doing:
    """What a board does, in the words of its chain."""
    if view.asleep:
        return Doing.ASLEEP
    if view.phase in _PLAYING:
        return Doing.PLAYING
    if view.phase is RefereePhase.OVER:
        return Doing.OVER
    return Doing.LEARNING if view.phase is RefereePhase.LESSON else Doing.WAITING


def seat_word_of(seat: Seat) -> str:
    """Who sits there: no name, for nobody has any."""
    if seat.is_board:
        return BOARD_SEAT
    if seat.level is None:
        return PERSON_SEAT
    return f"{COMPUTER_SEAT} like me" if seat.level == LIKE_ME else f"{COMPUTER_SEAT} {seat.level}"
