"""The loop: poll the readers and buttons, feed the referee, perform what it wants once it is safe. One thread.

What is slow is only started here: the computer thinks in a process of its own and is looked in on, displays and voices
take the newest and go about it on their own. At the save gate what is to be shown waits, in its order, until what it
tells of is safe from a power cut; not for ever, since a slow card must not keep people from playing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from quarto_pi.clock import Clock
from quarto_pi.controller.computer import LookingBack, ThinkingComputer
from quarto_pi.controller.input_poller import InputPoller
from quarto_pi.controller.other_boards import OtherBoardsSeat
from quarto_pi.devices.readers.interface import Buttons, Readers
from quarto_pi.referee import (
    Abandon,
    Ask,
    Before,
    Begin,
    Button,
    Continue,
    Doors,
    Effect,
    Glimpsed,
    Hampered,
    Input,
    Patience,
    Seen,
    Settings,
    State,
    Stored,
    fold,
    start,
)
from quarto_pi.referee.messages import Impairment, Storage
from quarto_pi.sensing.board import Sensing, Sweep, doubts_of, is_touched_by, touched_on
from quarto_pi.sensing.readings import Reading

PATIENCE_MS: Final = 1_000
"""The longest time for which people wait to see what has been settled."""


@dataclass(frozen=True, slots=True)
class _Batch:
    effects: tuple[Effect, ...]
    ticket: int | None
    until: int


class SaveGate:
    """Batches of effects, each with the ticket for what has to be safe before it is shown."""

    def __init__(self, patience_ms: int = PATIENCE_MS) -> None:
        self._patience_ms = patience_ms
        self._waiting: deque[_Batch] = deque()

    def put(self, effects: Sequence[Effect], ticket: int | None, now: int) -> None:
        """Add what is to be shown, with its ticket if it has to wait for one."""
        if effects:
            self._waiting.append(_Batch(tuple(effects), ticket, now + self._patience_ms))

    def take(self, is_safe: Callable[[int], bool], now: int) -> Iterator[Effect]:
        """What may be shown by now."""
        while self._waiting:
            batch = self._waiting[0]
            if batch.ticket is not None and now < batch.until and not is_safe(batch.ticket):
                return
            self._waiting.popleft()
            yield from batch.effects

    def __bool__(self) -> bool:
        return bool(self._waiting)


DOOR_MS = 1_000
"""The time between two looks whether the house is open, and whether something around the board is wrong."""

GLANCE_MS = 15
"""The loop waits at most this long for a game to be kept, a few times a minute; then it goes on with the readers."""


class Recording(Protocol):
    """Takes down what comes in."""

    def begin(self, game: Begin) -> None:
        """Know the rules of the game that begins."""

    def interrupt(self) -> None:
        """Leave out what happens until the next game begins."""

    def sweep(self, sweep: Sweep) -> None:
        """Take down a sweep."""

    def button(self, button: Button) -> None:
        """Take down that a button has moved."""


class Keeping(Protocol):
    """Keeps the games; writing is done elsewhere, and never waited for."""

    @property
    def trouble(self) -> Storage | None:
        """Why nothing is being kept, if nothing is."""

    def keep(self, effects: Sequence[Effect]) -> int | None:
        """Have these effects kept; a ticket if people are not to see them before that."""

    def is_safe(self, ticket: int) -> bool:
        """Whether it need not be waited for any more."""


class Output(Protocol):
    """Somebody who does what the referee wants: a display, a light, a log. It must not take its time."""

    def perform(self, effect: Effect) -> None:
        """Do it, or start doing it, or leave it to others."""

    def tick(self, now: int) -> None:
        """Go on with what moves, at this millisecond."""


class Loop:
    """One evening at one board; times are milliseconds since it began.

    `displays` are outputs that may go on with what moves also while the readers are being looked at.
    """

    def __init__(  # noqa: PLR0913 - all that a board has
        self,
        bank: Readers,
        buttons: Buttons,
        clock: Clock,
        sensing: Sensing,
        settings: Settings,
        computer: ThinkingComputer,
        outputs: Sequence[Output] = (),
        recorder: Recording | None = None,
        writer: Keeping | None = None,
        before: Before | None = None,
        *,
        displays: Sequence[Output] = (),
        patience: Patience | None = None,
        door: Callable[[], bool | None] | None = None,
        looking_back: LookingBack | None = None,
        hampered: Callable[[], Impairment | None] | None = None,
        other_boards: OtherBoardsSeat | None = None,
    ) -> None:
        self._poller: InputPoller[Input] = InputPoller(bank, buttons, clock)
        self._sensing = sensing
        self._settings = settings
        self._computer = computer
        self._displays = displays
        self._outputs = (*outputs, *displays)
        self._recorder = recorder
        self._writer = writer
        self._before = before
        self._save_gate = SaveGate()
        self._patience = patience
        self._door = door
        self._looking_back = looking_back
        self._hampered = hampered
        self._other_boards = other_boards
        self._looked_at_door = -DOOR_MS
        self._board = sensing.start()
        self.state: State | None = None
        self.turns = 0
        """How many turns have been taken: whoever watches over the loop sees that it turns."""

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Go on until told otherwise; an idle board is looked at more slowly, but its lights go on moving."""
        while goes_on():
            self.turn()
            self._poller.rest(goes_on, self._tick)
        while self._save_gate:
            # What was settled last is still told; it waits for a second at most.
            self._poller.wait(GLANCE_MS)
            self._deliver()

    def post(self, make: Callable[[int], Input]) -> None:
        """Have something taken in at the next turn, made for that moment; may be called from any thread."""
        self._poller.post(make)

    def turn(self) -> None:
        """Look once, and do all that follows from it."""
        came_in = self._poller.look(self._glimpse)
        state = self._begun(came_in[0].at)
        for received in came_in:
            state = self._take(state, received)
        for posted in self._poller.posted():
            state = self._feed(state, posted)
        state = self._look_around(state)
        answer = self._computer.answer()
        if answer is not None:
            state = self._feed(state, replace(answer, at=self._poller.now()))
        if self._other_boards is not None:
            for news in self._other_boards.look(state, self._poller.now()):
                state = self._feed(state, news)
        looked_back = None if self._looking_back is None else self._looking_back.answer(state, self._poller.now())
        if looked_back is not None:
            state = self._feed(state, looked_back)
        if self._writer is not None and self._writer.trouble is not state.storage:
            state = self._feed(state, Stored(self._poller.now(), self._writer.trouble))
        self.state = state
        self.turns += 1
        self._tick()

    def _glimpse(self, reading: Reading) -> None:
        """Show at once that a piece has come or gone: a sweep may take long enough for hands to wonder."""
        state, now = self.state, self._poller.now()
        if state is None or not is_touched_by(reading, self._sensing, self._board, now):
            return
        self.state, effects = fold(state, Glimpsed(now, reading.cell))
        if effects:
            self._perform(effects)
            for display in self._displays:
                display.tick(self._poller.now())

    def _tick(self) -> None:
        now = self._poller.now()
        self._deliver()
        for output in self._outputs:
            output.tick(now)

    def _take(self, state: State, received: Button | Sweep) -> State:
        """Write down what has come in, and feed the referee with it."""
        if isinstance(received, Button):
            if self._recorder is not None:
                self._recorder.button(received)
            return self._feed(state, received)
        if self._recorder is not None:
            self._recorder.sweep(received)
        self._board, events = self._sensing.fold(self._board, received)
        return self._feed(state, Seen(received.at, events, doubts_of(self._board), touched_on(self._board)))

    def _look_around(self, state: State) -> State:
        """Tell the referee when the house opens or closes, if it keeps hours, and what is wrong around the board."""
        now = self._poller.now()
        if now - self._looked_at_door < DOOR_MS:
            return state
        self._looked_at_door = now
        if self._door is not None and (is_open := self._door()) is not state.idling.is_open:
            state = self._feed(state, Doors(now, is_open))
        why = state.impaired if self._hampered is None else self._hampered()
        return state if why is state.impaired else self._feed(state, Hampered(now, why))

    def _begun(self, at: int) -> State:
        if self.state is not None:
            return self.state
        state, effects = start(self._settings, at, self._patience, self._before)
        self._perform(effects)
        return state

    def _feed(self, state: State, received: Input) -> State:
        state, effects = fold(state, received)
        self._perform(effects)
        return state

    def _perform(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Ask):
                self._computer.ask(effect)
            elif self._recorder is not None:
                self._record(self._recorder, effect)
        ticket = None if self._writer is None else self._writer.keep(effects)
        if self._other_boards is not None:
            # What is told another board is kept behind the game that it belongs to, and so never without it.
            for effect in effects:
                self._other_boards.perform(effect)
        self._save_gate.put(effects, ticket, self._poller.now())
        self._deliver()
        patience = GLANCE_MS if ticket is not None else 0
        while self._save_gate and patience:
            # Most cards need less than this: then nobody has to wait for the next look to see what was done.
            patience -= 1
            self._poller.wait(1)
            self._deliver()

    def _deliver(self) -> None:
        """Let everybody perform what has been kept, or has waited for long enough."""
        for effect in self._save_gate.take(self._is_safe, self._poller.now()):
            for output in self._outputs:
                output.perform(effect)

    def _is_safe(self, ticket: int) -> bool:
        return self._writer is None or self._writer.is_safe(ticket)

    def _record(self, recorder: Recording, effect: Effect) -> None:
        match effect:
            case Begin():
                recorder.begin(effect)
                if effect.settings.other_board is not None:
                    # A trace has what was sensed here, and not what came from there: nobody could replay it.
                    recorder.interrupt()
            case Continue():
                recorder.begin(Begin(effect.at, effect.number, effect.game.starter, effect.settings))
                # A replay begins on an empty board: it would tell something else of what goes on.
                recorder.interrupt()
            case Abandon():
                recorder.interrupt()
            case _:
                pass
