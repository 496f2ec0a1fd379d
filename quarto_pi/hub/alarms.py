"""Alarms: what somebody has to look at, once for each cause, however often it comes and goes.

The time is an argument. A cause that lasts, or that comes again and again, raises one alarm; it is cleared by itself
once the cause has stayed away for a while; somebody may say before that he has seen it.

What is the matter with what a board tells the database knows, and when it is over: such an alarm is on as long as that,
or until it is put aside. It is raised in the transaction that finds it, so none is lost with the hub; each is one for
its board and kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from quarto_pi.chain.messages import Ailment
from quarto_pi.chain.unforeseen import UNFORESEEN
from quarto_pi.hub.fleet import NOT_HEARD, BoardCondition, Fleet, FleetRow

if TYPE_CHECKING:
    from quarto_pi.hub.store import HubStore, KeptAlarm

HOLD_SECONDS: Final = 60.0
"""A cause that has lasted this long raises its alarm: a board that is started again is back before."""
QUIET_SECONDS: Final = 300.0
"""A cause that has stayed away this long is over."""
MOST_RETURNS: Final = 5
"""A cause that has come this often without such a quiet in between raises its alarm as well, however short it is."""
FEWEST_OF_HOUSE: Final = 3
"""Where so many boards or more of one house are all gone, it is the house that is away."""
MOST_CAUSES: Final = 20_000


class AlarmKind(Enum):
    """What an alarm is about."""

    GONE = "gone"
    HOUSE_GONE = "house gone"
    ILL = "ill"
    FLOOD = "flood"
    REFUSED = "refused"
    CONTRADICTION = "contradiction"
    IMPOSSIBLE = "impossible"
    BROKER = "broker"
    ROLLOUT = "rollout"


TOLD_KINDS: Final = frozenset((AlarmKind.FLOOD, AlarmKind.REFUSED, AlarmKind.CONTRADICTION, AlarmKind.IMPOSSIBLE))
"""What is the matter with what a board tells: it may be put aside."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What may raise an alarm, and is one alarm however often it comes: a kind, a board or house, a part of it."""

    kind: AlarmKind
    where: str
    device: str = ""


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm from its raising until it is over; moments are seconds since 1970, `cleared` 0 while it is on.

    `put_aside_by` is who has ended it, empty where it was over by itself.
    """

    number: int
    cause: Cause
    house: str
    detail: str
    fix: str
    raised: float
    times: int = 1
    cleared: float = 0
    acknowledged_by: str = ""
    acknowledged: float = 0
    put_aside_by: str = ""


HOUSE_AWAY: Final = Ailment("house", "none of its boards is heard", "look whether the house's network is there")
BROKER_AWAY: Final = Ailment(
    "broker", "the hub does not reach its broker", "look whether the broker runs, and at the hub's log"
)

HUB_DEVICE: Final = "hub"
"""What is ill where it is the hub itself."""
UNFORESEEN_AT_HUB_FIX: Final = "nothing at once, for it is tried again: report it, with what the hub's log says of it"

ROLLOUT_FIX: Final = "look at the boards that went wrong; then go on without them, or abandon the version, on the page"


@dataclass(frozen=True, slots=True)
class Symptom:
    """That a cause is there now: where, and in what words; how often, where that is counted elsewhere."""

    house: str
    detail: str
    fix: str
    times: int = 0


@dataclass(slots=True)
class _Watched:
    symptom: Symptom
    bad: bool
    changed: float
    times: int = 1
    alarm: int = 0


@dataclass(slots=True)
class AlarmBook:
    """All causes that are there or were lately, and the alarms that they have raised."""

    open_alarms: dict[int, Alarm] = field(default_factory=dict)
    _watched: dict[Cause, _Watched] = field(default_factory=dict)
    _newest: int = 0

    @classmethod
    def of(cls, kept: Iterable[Alarm], newest: int, now: float) -> AlarmBook:
        """The book of a hub that starts again, with the alarms that were on when it ended."""
        book = cls(_newest=newest)
        for alarm in kept:
            symptom = Symptom(alarm.house, alarm.detail, alarm.fix)
            # Nobody knows yet whether the cause is still there: it counts as away from now on, until it is seen.
            book._watched[alarm.cause] = _Watched(
                symptom, bad=False, changed=now, times=alarm.times, alarm=alarm.number
            )
            book.open_alarms[alarm.number] = alarm
            book._newest = max(book._newest, alarm.number)
        return book

    def look(self, symptoms: Mapping[Cause, Symptom], now: float) -> list[Alarm]:
        """Take in what is there now; returns the alarms that were raised, changed or cleared by it."""
        told = []
        for cause, symptom in symptoms.items():
            self._note(cause, symptom, now)
        for cause, watched in list(self._watched.items()):
            if watched.bad and cause not in symptoms:
                watched.bad, watched.changed = False, now
            changed = self._judge(cause, watched, now)
            if changed is not None:
                told.append(changed)
        return told

    def acknowledge(self, number: int, by: str, now: float) -> Alarm | None:
        """Somebody has seen an alarm; None where it is not on, or was seen before."""
        alarm = self.open_alarms.get(number)
        if alarm is None or alarm.acknowledged_by:
            return None
        self.open_alarms[number] = replace(alarm, acknowledged_by=by, acknowledged=now)
        return self.open_alarms[number]

    def put_aside(self, number: int, by: str, now: float) -> Alarm | None:
        """Somebody ends an alarm about what a board tells; None where it is not on, or none of those."""
        alarm = self.open_alarms.get(number)
        if alarm is None or alarm.cause.kind not in TOLD_KINDS:
            return None
        del self.open_alarms[number]
        self._watched.pop(alarm.cause, None)
        return replace(alarm, cleared=now, put_aside_by=by)

    def _note(self, cause: Cause, symptom: Symptom, now: float) -> None:
        watched = self._watched.get(cause)
        if watched is None:
            if len(self._watched) < MOST_CAUSES:
                self._watched[cause] = _Watched(symptom, bad=True, changed=now, times=symptom.times or 1)
            return
        watched.symptom = symptom
        times = symptom.times or watched.times + (not watched.bad)
        if not watched.bad:
            watched.bad, watched.changed = True, now
        if times != watched.times and watched.alarm in self.open_alarms:
            alarm = self.open_alarms[watched.alarm]
            self.open_alarms[watched.alarm] = replace(alarm, times=times, detail=symptom.detail)
        watched.times = times

    def _judge(self, cause: Cause, watched: _Watched, now: float) -> Alarm | None:
        lasted = now - watched.changed
        is_told = cause.kind in TOLD_KINDS
        hold, quiet = (0.0, 0.0) if is_told else (HOLD_SECONDS, QUIET_SECONDS)
        if not watched.bad and lasted >= quiet:
            del self._watched[cause]
            alarm = self.open_alarms.pop(watched.alarm, None)
            return None if alarm is None else replace(alarm, cleared=now)
        if not watched.alarm and ((watched.bad and lasted >= hold) or watched.times >= MOST_RETURNS):
            self._newest += 1
            watched.alarm = self._newest
            symptom = watched.symptom
            alarm = Alarm(self._newest, cause, symptom.house, symptom.detail, symptom.fix, now, watched.times)
            self.open_alarms[alarm.number] = alarm
            return alarm
        return None


def symptoms_of(
    fleet: Fleet,
    now: float,
    told: Mapping[Cause, Symptom] | None = None,
    unforeseen: Mapping[str, str] | None = None,
    stopped_rollout: str = "",
) -> dict[Cause, Symptom]:
    """What is the matter with the fleet now.

    `told` is what is the matter with what boards tell; `unforeseen` are errors of the hub's own, by the boards at whose
    messages they came up; `stopped_rollout` is why a version is no longer offered to boards, where that has stopped by
    itself.
    """
    found: dict[Cause, Symptom] = {}
    if not fleet.linked:
        found[Cause(AlarmKind.BROKER, "")] = Symptom("", BROKER_AWAY.detail, BROKER_AWAY.fix)
    for row in fleet.rows():
        if row.condition is BoardCondition.ILL:
            for ailment in row.to_do:
                cause = Cause(AlarmKind.ILL, row.name, ailment.device)
                found[cause] = Symptom(row.house, ailment.detail, ailment.fix)
    if fleet.is_judged(now):
        found.update(_gone(fleet.rows()))
    for cause, symptom in (told or {}).items():
        board = fleet.row(cause.where)
        found[cause] = symptom if board is None else replace(symptom, house=board.house)
    for name, detail in (unforeseen or {}).items():
        board = fleet.row(name)
        house = "" if board is None else board.house
        found[Cause(AlarmKind.ILL, name, HUB_DEVICE)] = Symptom(house, f"{UNFORESEEN}, {detail}", UNFORESEEN_AT_HUB_FIX)
    if stopped_rollout:
        found[Cause(AlarmKind.ROLLOUT, "")] = Symptom("", stopped_rollout, ROLLOUT_FIX)
    return found


def _gone(rows: Iterable[FleetRow]) -> Iterator[tuple[Cause, Symptom]]:
    """Boards that are gone, each by itself, or their house where none of it is left.

    A board that was never there is on its way to its house: nobody is called for it.
    """
    of_house: dict[str, list[FleetRow]] = defaultdict(list)
    for row in rows:
        if row.ever_heard:
            of_house[row.house].append(row)
    for house, boards in of_house.items():
        gone = [row.name for row in boards if row.condition is BoardCondition.GONE]
        if house and FEWEST_OF_HOUSE <= len(gone) == len(boards):
            yield Cause(AlarmKind.HOUSE_GONE, house), Symptom(house, HOUSE_AWAY.detail, HOUSE_AWAY.fix)
            continue
        for name in gone:
            yield Cause(AlarmKind.GONE, name), Symptom(house, NOT_HEARD.detail, NOT_HEARD.fix)


# --- Alarms about what boards tell: which there are, when each is over by itself, and what the watch makes of them ----

FLOOD: Final = AlarmKind.FLOOD.value
"""A board sends more than it may."""
REFUSED: Final = AlarmKind.REFUSED.value
"""A board sends what nobody understands."""
CONTRADICTION: Final = AlarmKind.CONTRADICTION.value
"""An action was told twice, and not the same, or a game has two winners."""
IMPOSSIBLE: Final = AlarmKind.IMPOSSIBLE.value
"""A game cannot have been played as it is told."""

_DAY: Final = 86_400.0
OVER_AFTER: Final = {FLOOD: 600.0, REFUSED: 600.0, CONTRADICTION: 30 * _DAY, IMPOSSIBLE: 30 * _DAY}
"""Seconds without another one after which each is over by itself. What is still the matter with a game after it has
been told so somebody has to look at: he puts it aside long before."""

_AWAY: Final = "look at the board, or take its account away: quarto-pi hub remove {board}"
_FIXES: Final = {
    FLOOD: _AWAY,
    REFUSED: _AWAY,
    CONTRADICTION: "look at the board; if somebody else may have its credentials, renew them: "
    "quarto-pi hub add {board} --renew",
    IMPOSSIBLE: "look at the game, and which version the board has; put this aside once it is known why",
}


def still_told(store: HubStore, now: float) -> list[KeptAlarm]:
    """What is the matter with what boards tell; what is over by now, or of a board without an account, is ended."""
    told = [alarm for alarm in store.alarms() if alarm.kind in OVER_AFTER]
    gone = {board.name for board in store.boards() if board.revoked is not None} if told else set()
    found = []
    for alarm in told:
        if alarm.board in gone or now - alarm.last >= OVER_AFTER[alarm.kind]:
            store.end_alarm(alarm.board, alarm.kind, now)
        else:
            found.append(alarm)
    return found


def causes_told(alarms: Iterable[KeptAlarm]) -> dict[Cause, Symptom]:
    """The same as causes of the page's alarms; which house it is the watch knows."""
    return {
        Cause(AlarmKind(alarm.kind), alarm.board): Symptom(
            "", alarm.text, _FIXES[alarm.kind].format(board=alarm.board), alarm.times
        )
        for alarm in alarms
    }
