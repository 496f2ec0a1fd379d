"""Alarms about what boards tell: which there are, when each is over by itself, and what the watch makes of them.

They are raised in the transaction that finds them, so none is lost with the hub; each is one for its board and kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from quarto_pi.hub.alarms import AlarmKind, Cause, Symptom
from quarto_pi.hub.store import HubStore, KeptAlarm

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
