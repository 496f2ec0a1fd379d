"""All boards and all alarms, shared by the thread that hears boards and the one that serves the page.

Every call takes milliseconds at most, below one lock. What has to be kept is taken by whoever has a database.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from quarto_pi.chain.hub_messages import OrderOutcome, read_outcome
from quarto_pi.chain.messages import BoardStatus, MessageRefused, SettledAction
from quarto_pi.hub.alarms import TOLD_KINDS, Alarm, AlarmBook, Cause, Symptom, symptoms_of
from quarto_pi.hub.fleet import Fleet, FleetRow, ListedBoard

MOST_OUTCOMES: Final = 1_000
MOST_UNFORESEEN: Final = 1_000
UNFORESEEN_SECONDS: Final = 600.0
"""An error that nobody foresaw, and that has not come again for so long, is over."""


@dataclass(frozen=True, slots=True)
class WatchNews:
    """What has changed since somebody looked last: boards, or all of them where some came or went, and alarms."""

    seq: int
    listing: int
    linked: bool
    rows: tuple[FleetRow, ...]
    is_whole: bool
    alarms: tuple[Alarm, ...] | None
    alarms_seq: int
    tournaments_seq: int = 0


class Watch:
    """What is known of all boards now, and the alarms that follow from it."""

    def __init__(self, boards: Iterable[ListedBoard], clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        now = clock()
        self._fleet = Fleet(boards, now)
        self._book: AlarmBook | None = None
        self._unkept: list[Alarm] = []
        self._heard: set[str] = set()
        self._outcomes: dict[str, OrderOutcome] = {}
        self._links = 0
        self._told: Mapping[Cause, Symptom] = {}
        self._is_told_anew = False
        self._asides = 0
        self._unforeseen: dict[str, tuple[str, float]] = {}
        self._stopped_rollout = ""
        self._listing = 0
        self._alarms_seq = 0
        self._tournaments_seq = 0
        self._wakes: list[Callable[[], None]] = []

    def recall(self, alarms: Iterable[Alarm], newest: int) -> None:
        """The alarms that were on when the hub ended; before this none is raised, for it would be raised twice."""
        with self._lock:
            kept = list(alarms)
            self._book = AlarmBook.of(kept, newest, self._clock())
            # Until the database has been asked what is the matter still, it is what was.
            self._told = {
                alarm.cause: Symptom(alarm.house, alarm.detail, alarm.fix, alarm.times)
                for alarm in kept
                if alarm.cause.kind in TOLD_KINDS
            }
            self._alarms_seq += 1
        self._stir()

    # -- what the hub hears --------------------------------------------------------------------------------------------

    def list_boards(self, boards: Iterable[ListedBoard]) -> None:
        """The accounts have changed."""
        with self._lock:
            before = {row.name: row.house for row in self._fleet.rows()}
            self._fleet.list_boards(boards, self._clock())
            if before != {row.name: row.house for row in self._fleet.rows()}:
                self._listing += 1
        self._stir()

    def link(self, linked: bool) -> None:
        """The hub has come to its broker, or has lost it."""
        with self._lock:
            self._links += linked
            if linked:
                self._fleet.link(self._clock())
            else:
                self._fleet.unlink()
        self._stir()

    def presence(self, board: str, here: bool) -> None:
        """A board is there, or its will says that it is not."""
        with self._lock:
            self._fleet.presence(board, here, self._clock())
            if here and self._fleet.row(board) is not None:
                self._heard.add(board)
        self._stir()

    def status(self, board: str, status: BoardStatus) -> None:
        """A board has told its state."""
        with self._lock:
            self._fleet.status(board, status, self._clock())
        self._stir()

    def settled(self, board: str, action: SettledAction) -> None:
        """A board has settled an action."""
        with self._lock:
            self._fleet.settled(board, action, self._clock())
        self._stir()

    def outcome(self, board: str, payload: bytes) -> None:
        """A board says what became of an order; what is none of ours is passed over."""
        try:
            outcome = read_outcome(payload)
        except MessageRefused:
            return
        with self._lock:
            if board in self._outcomes or len(self._outcomes) < MOST_OUTCOMES:
                self._outcomes[board] = outcome

    def take_outcomes(self) -> dict[str, OrderOutcome]:
        """What boards have said that became of orders since this was asked last."""
        with self._lock:
            taken, self._outcomes = self._outcomes, {}
        return taken

    def conflict(self, board: str, detail: str) -> None:
        """Something is the matter with what a board tells; what it is stands in the database."""
        del board, detail
        with self._lock:
            self._is_told_anew = True

    def take_told_anew(self) -> tuple[bool, int]:
        """Whether something may be the matter with what boards tell that was not before; and the asides by now."""
        with self._lock:
            taken, self._is_told_anew = self._is_told_anew, False
            return taken, self._asides

    def know_told(self, told: Mapping[Cause, Symptom], asides: int) -> None:
        """What is the matter with what boards tell, as the database has it.

        Where somebody has put something aside since it was asked, after so many `asides`, it is asked again.
        """
        with self._lock:
            if asides == self._asides:
                self._told = told
            else:
                self._is_told_anew = True

    def unforeseen(self, board: str, detail: str) -> None:
        """An error that nobody foresaw, at what a board has sent, or in the hub itself where no board is named."""
        with self._lock:
            if board in self._unforeseen or len(self._unforeseen) < MOST_UNFORESEEN:
                self._unforeseen[board] = detail, self._clock()

    def tick(self) -> list[Alarm]:
        """Look what follows from what was heard; the alarms that were raised or cleared by it."""
        with self._lock:
            now = self._clock()
            self._fleet.tick(now)
            self._unforeseen = _fresh(self._unforeseen, now)
            symptoms = symptoms_of(self._fleet, now, self._told, _details(self._unforeseen), self._stopped_rollout)
            told = [] if self._book is None else self._book.look(symptoms, now)
            self._alarms_seq += bool(told)
            self._unkept += told
        if told:
            self._stir()
        return told

    # -- what is seen of it --------------------------------------------------------------------------------------------

    def acknowledge(self, number: int, by: str) -> Alarm | None:
        """Somebody has seen an alarm; None where it is not on, or was seen before."""
        with self._lock:
            alarm = None if self._book is None else self._book.acknowledge(number, by, self._clock())
            if alarm is not None:
                self._alarms_seq += 1
                self._unkept.append(alarm)
        if alarm is not None:
            self._stir()
        return alarm

    def put_aside(self, number: int, by: str) -> Alarm | None:
        """Somebody has ended an alarm about what a board tells, in the database already; None where it is not on."""
        with self._lock:
            alarm = None if self._book is None else self._book.put_aside(number, by, self._clock())
            if alarm is not None:
                self._told = {cause: each for cause, each in self._told.items() if cause != alarm.cause}
                self._asides += 1
                self._alarms_seq += 1
                self._unkept.append(alarm)
        if alarm is not None:
            self._stir()
        return alarm

    def take_unkept(self) -> tuple[list[Alarm], set[str]]:
        """What is to be kept since this was asked last: alarms as they are now, and boards that were heard."""
        with self._lock:
            taken = self._unkept, self._heard
            self._unkept, self._heard = [], set()
        return taken

    def put_back(self, alarms: list[Alarm], heard: set[str]) -> None:
        """What was taken could not be kept."""
        with self._lock:
            self._unkept = alarms + self._unkept
            self._heard |= heard

    def rows(self) -> list[FleetRow]:
        """All boards, by their names."""
        with self._lock:
            return self._fleet.rows()

    def row(self, board: str) -> FleetRow | None:
        """One board; None where there is none of this name."""
        with self._lock:
            return self._fleet.row(board)

    def alarms(self) -> list[Alarm]:
        """The alarms that are on, the newest first."""
        with self._lock:
            return self._open()

    def alarm(self, number: int) -> Alarm | None:
        """One that is on."""
        with self._lock:
            return None if self._book is None else self._book.open_alarms.get(number)

    @property
    def links(self) -> int:
        """How often the hub has come to its broker: each time the broker may have forgotten what it retained."""
        with self._lock:
            return self._links

    @property
    def linked(self) -> bool:
        """Whether the hub hears its broker."""
        with self._lock:
            return self._fleet.linked

    @property
    def linked_since(self) -> float | None:
        """When the hub has come to its broker, which may have forgotten all that was retained; None without it."""
        with self._lock:
            return self._fleet.linked_since

    @property
    def is_judged(self) -> bool:
        """Whether boards have had their time to be heard since the hub came to its broker."""
        with self._lock:
            return self._fleet.is_judged(self._clock())

    def note_rollout(self, why_stopped: str) -> None:
        """Why a version is no longer offered to boards, where that has stopped by itself; else nothing."""
        with self._lock:
            self._stopped_rollout = why_stopped

    def note_tournaments(self) -> None:
        """Something was decided in a tournament."""
        with self._lock:
            self._tournaments_seq += 1
        self._stir()

    def news(self, seq: int, listing: int, alarms_seq: int) -> WatchNews:
        """What has changed since these numbers; -1 for all of it."""
        with self._lock:
            is_whole = listing != self._listing
            rows = self._fleet.rows() if is_whole else self._fleet.rows_after(seq)
            alarms = None if alarms_seq == self._alarms_seq else tuple(self._open())
            return WatchNews(
                self._fleet.seq,
                self._listing,
                self._fleet.linked,
                tuple(rows),
                is_whole,
                alarms,
                self._alarms_seq,
                self._tournaments_seq,
            )

    def wake_by(self, wake: Callable[[], None]) -> None:
        """Who is to be woken when something has changed; it must not wait, and may be called from any thread."""
        self._wakes.append(wake)

    def _open(self) -> list[Alarm]:
        on = [] if self._book is None else self._book.open_alarms.values()
        return sorted(on, key=lambda alarm: -alarm.number)

    def _stir(self) -> None:
        for wake in self._wakes:
            wake()


def _fresh(told: dict[str, tuple[str, float]], now: float) -> dict[str, tuple[str, float]]:
    return {board: kept for board, kept in told.items() if now - kept[1] < UNFORESEEN_SECONDS}


def _details(told: dict[str, tuple[str, float]]) -> dict[str, str]:
    return {board: detail for board, (detail, _) in told.items()}
