"""The loops of a first start: that of the set-up by phone, and that of the guide.

The set-up opens the board's own Wi-Fi, takes answers, tries them, and keeps what works. What the radio does takes its
time, and is done beside; the displays and the watchdog go on meanwhile. The guide's loop is to the guide what `loop` is
to the referee, above the same readers and buttons: it stores what the guide has learned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event
from typing import Final, Protocol

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.controller.input_poller import InputPoller
from quarto_pi.controller.loop import Output
from quarto_pi.devices.readers.interface import Buttons, Readers
from quarto_pi.enrolment import GuideEffect, GuideInput, GuideState, Store, TagsStored, Task, fold_guide, start_guide
from quarto_pi.first_start.set_up import (
    JoinTrouble,
    SetUpAnswers,
    SetUpStage,
    SetUpState,
    SetUpView,
    VisibleNetwork,
    WifiNetwork,
    WifiRadio,
    answered,
    failed,
    joined,
    not_kept,
    opened,
)
from quarto_pi.referee import Effect, EnrolPieces, Light
from quarto_pi.sensing.tags import TagTable

# --- The loop of the set-up by phone: opens the board's own Wi-Fi, takes answers, tries them, and keeps what works ----

SET_UP_TURN_MS: Final = 50
HTTP_PORT: Final = 80
"""The one that nobody has to type."""
OPENING_TRIES: Final = 6
FAREWELL_MS: Final = 4_000
"""For so long the board's own Wi-Fi stays after an answer, so that the phone still hears what happens now."""


class SetUpOutput(Protocol):
    """Somebody who shows how the set-up stands."""

    def show(self, view: SetUpView) -> None:
        """Take the newest view."""

    def tick(self, now: int) -> None:
        """Go on with what moves, at this millisecond."""


class AnswersStore(Protocol):
    """Where answers are kept for the next start."""

    def keep_tried(self, answers: SetUpAnswers) -> None:
        """Keep answers that are only about to be tried: they count if the network is there after a pulled plug."""

    def keep(self, answers: SetUpAnswers) -> None:
        """Keep answers that have worked."""

    def forget_tried(self) -> None:
        """Remove answers that have not."""


Opened = tuple[str, tuple[VisibleNetwork, ...]]


class SetUpLoop:
    """The set-up of one board, until it is done."""

    def __init__(  # noqa: PLR0913 - all that a set-up has
        self,
        radio: WifiRadio,
        own: WifiNetwork,
        clock: Clock,
        store: AnswersStore,
        outputs: Sequence[SetUpOutput],
        port: int,
        retry_seconds: float = 5.0,
    ) -> None:
        self._radio, self._clock, self._store, self._outputs = radio, clock, store, outputs
        self._port, self._retry_seconds = port, retry_seconds
        self._stopped = Event()
        self._beside = ThreadPoolExecutor(1, "radio")
        self._answers: SimpleQueue[SetUpAnswers] = SimpleQueue()
        self._origin_ms = clock.now() // US_PER_MS
        self.turns = 0
        """How many turns have been taken: whoever watches over the loop sees that it turns."""
        self.state = SetUpState(SetUpView(SetUpStage.OPENING, own))
        self._opening: Future[Opened] | None = self._beside.submit(self._open)
        self._joining: Future[JoinTrouble | None] | None = None
        self._closes_at: int | None = None
        self._show()

    def answer(self, answers: SetUpAnswers) -> None:
        """Take what a phone has answered; may be called from any thread."""
        self._answers.put(answers)

    def run(self, goes_on: Callable[[], bool]) -> bool:
        """Go on until it is done, or until told otherwise; whether it is done."""
        try:
            while goes_on() and not self._is_over():
                self.turn()
                self._clock.wait_until(self._clock.now() + SET_UP_TURN_MS * US_PER_MS)
        finally:
            self._stopped.set()
            self._beside.shutdown()
            self._radio.close_own()
        return self.state.view.stage is SetUpStage.DONE

    def turn(self) -> None:
        """Look once at what has happened."""
        before = self.state
        if self._opening is not None and self._opening.done():
            self._end_opening(self._opening)
        if self._joining is not None and self._joining.done():
            self._end_joining(self._joining)
        while (answers := self._answered()) is not None:
            self._take(answers)
        self._begin_joining()
        if self.state.view != before.view:
            self._show()
        for output in self._outputs:
            output.tick(self._now())
        self.turns += 1

    def _now(self) -> int:
        return self._clock.now() // US_PER_MS - self._origin_ms

    def _is_over(self) -> bool:
        """Whether it is done, or cannot be done, and people have seen that for a while."""
        is_at_end = self.state.view.stage in (SetUpStage.DONE, SetUpStage.FAILED)
        return is_at_end and self._closes_at is not None and self._now() >= self._closes_at

    def _answered(self) -> SetUpAnswers | None:
        try:
            return self._answers.get_nowait()
        except Empty:
            return None

    def _open(self) -> Opened:
        for _ in range(OPENING_TRIES - 1):
            # Soon after the machine has started its radio is not there yet.
            with suppress(OSError):
                return self._opened()
            self._stopped.wait(self._retry_seconds)
        return self._opened()

    def _opened(self) -> Opened:
        visible = self._radio.visible()
        self._radio.open_own(self.state.view.own)
        port = "" if self._port == HTTP_PORT else f":{self._port}"
        return f"http://{self._radio.own_address}{port}/", visible

    def _end_opening(self, opening: Future[Opened]) -> None:
        self._opening = None
        try:
            address, visible = opening.result()
        except OSError:
            self.state = failed(self.state)
            self._closes_at = self._now() + FAREWELL_MS
            return
        self.state = opened(self.state, address, visible)

    def _take(self, answers: SetUpAnswers) -> None:
        state = answered(self.state, answers)
        if state is self.state:
            return
        self.state = state
        if answers.wifi is None:
            self._end(answers)
            return
        try:
            self._store.keep_tried(answers)
        except OSError:
            self._not_kept()
            return
        self._closes_at = self._now() + FAREWELL_MS

    def _begin_joining(self) -> None:
        """Leave the own Wi-Fi once the phone has heard what happens now."""
        answers = self.state.answers
        if self._closes_at is None or self._now() < self._closes_at or answers is None or answers.wifi is None:
            return
        if self.state.view.stage is SetUpStage.JOINING and self._joining is None:
            wifi = answers.wifi
            self._joining = self._beside.submit(lambda: self._join(wifi))

    def _join(self, wifi: WifiNetwork) -> JoinTrouble | None:
        self._radio.close_own()
        return self._radio.join(wifi)

    def _end_joining(self, joining: Future[JoinTrouble | None]) -> None:
        self._joining = None
        answers = self.state.answers
        try:
            trouble = joining.result()
        except OSError:
            trouble = JoinTrouble.NO_ANSWER
        self.state = joined(self.state, trouble)
        if trouble is None and answers is not None:
            self._end(answers)
            return
        self._store.forget_tried()
        self._opening = self._beside.submit(self._open)

    def _end(self, answers: SetUpAnswers) -> None:
        try:
            self._store.keep(answers)
        except OSError:
            self._not_kept()
            return
        self._closes_at = self._now() + FAREWELL_MS

    def _not_kept(self) -> None:
        self.state = not_kept(self.state)
        self._opening = self._beside.submit(self._open)

    def _show(self) -> None:
        for output in self._outputs:
            output.show(self.state.view)


# --- The loop of the guide: poll readers and buttons, feed the guide, show what it says, store what it learned --------


class GuideOutput(Protocol):
    """Somebody who does what the guide wants: a display, a light, a line in a terminal. It must not take its time."""

    def perform(self, effect: GuideEffect) -> None:
        """Do it, or start doing it, or leave it to others."""

    def tick(self, now: int) -> None:
        """Go on with what moves, at this millisecond."""


class Beside:
    """Somebody who works for the referee and works for the guide as well: the lamps, and who does errands."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def perform(self, effect: GuideEffect) -> None:
        """Take the newest lamps."""
        if isinstance(effect, Light):
            self._output.perform(effect)

    def tick(self, now: int) -> None:
        """Go on with what moves."""
        self._output.tick(now)


class TagStore(Protocol):
    """Stores the tags."""

    def write(self, table: TagTable) -> None:
        """Store them for good; an OSError says why not."""


class GuideDoor:
    """Knows whether people have opened the guide in the menu of the game."""

    def __init__(self) -> None:
        self.opened = False

    def perform(self, effect: Effect) -> None:
        """Take the menu's word."""
        self.opened |= isinstance(effect, EnrolPieces)

    def tick(self, now: int) -> None:
        """Nothing: a door does not move by itself."""

    def was_opened(self) -> bool:
        """Whether it was opened; from now on it is closed."""
        opened, self.opened = self.opened, False
        return opened


class GuideLoop:
    """The guide at one board, from its first question to its end; times are milliseconds since it began."""

    def __init__(  # noqa: PLR0913 - all that a board has
        self,
        bank: Readers,
        buttons: Buttons,
        clock: Clock,
        store: TagStore,
        outputs: Sequence[GuideOutput],
        task: Task,
        table: TagTable,
        cells: tuple[str, ...],
        language: str,
    ) -> None:
        self._poller: InputPoller[GuideInput] = InputPoller(bank, buttons, clock)
        self._tag_store = store
        self._outputs = outputs
        self.complaint = ""
        """Why the tags could not be stored when that was tried last; empty if they could."""
        self.turns = 0
        """How many turns have been taken: whoever watches over the loop sees that it turns."""
        self.state: GuideState
        self.state, effects = start_guide(task, table, cells, language, 0)
        self._perform(effects)

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Go on until the guide has ended, or until told otherwise."""
        while goes_on() and not self.state.ended:
            self.turn()
            self._poller.rest(goes_on, self._tick)

    def post(self, make: Callable[[int], GuideInput]) -> None:
        """Have something taken in at the next turn, made for that moment; may be called from any thread."""
        self._poller.post(make)

    def turn(self) -> None:
        """Look once, and do all that follows from it."""
        for received in (*self._poller.look(), *self._poller.posted()):
            self._feed(received)
        self.turns += 1
        self._tick()

    def _feed(self, received: GuideInput) -> None:
        if self.state.ended:
            return
        self.state, effects = fold_guide(self.state, received)
        self._perform(effects)
        for effect in effects:
            if isinstance(effect, Store):
                self._feed(TagsStored(self._poller.now(), self._store(effect.table)))

    def _store(self, table: TagTable) -> bool:
        try:
            self._tag_store.write(table)
        except OSError as error:
            self.complaint = error.strerror or str(error)
            return False
        self.complaint = ""
        return True

    def _perform(self, effects: Sequence[GuideEffect]) -> None:
        for effect in effects:
            for output in self._outputs:
                output.perform(effect)

    def _tick(self) -> None:
        now = self._poller.now()
        for output in self._outputs:
            output.tick(now)
