"""What the hub's page is told, as JSON. Nothing here depends on whether an alignment is open (D8)."""

from __future__ import annotations

from quarto_pi.chain.messages import Ailment
from quarto_pi.hub.alarms import TOLD_KINDS, Alarm
from quarto_pi.hub.fleet import FleetRow
from quarto_pi.hub.live_game import LiveGame
from quarto_pi.hub.people import HubUser
from quarto_pi.web.wishes import Json


def row_as_json(row: FleetRow) -> Json:
    """One board."""
    status = row.status
    return {
        "name": row.name,
        "house": row.house,
        "condition": row.condition.value,
        "since": row.since,
        "here": row.here,
        "ever_heard": row.ever_heard,
        "doing": None if status is None else status.doing.value,
        "language": None if status is None else status.language,
        "version": None if status is None else status.version,
        "queued": 0 if status is None else status.queued,
        "game": None if row.game is None else _live_as_json(row.game),
        "other": "" if status is None else status.other,
        "to_do": [_ailment_as_json(each) for each in row.to_do],
    }


def watched_as_json(row: FleetRow) -> Json:
    """One board for who watches it without being logged in: its game, and nothing of its house or health."""
    return {
        "name": row.name,
        "here": row.here,
        "doing": None if row.status is None else row.status.doing.value,
        "game": None if row.game is None else _live_as_json(row.game),
    }


def _live_as_json(game: LiveGame) -> Json:
    return {
        "number": game.number,
        "position": str(game.position),
        "seats": list(game.seats),
        "to_act": game.to_act,
        "over": game.over,
        "winner": game.winner,
    }


def _ailment_as_json(ailment: Ailment) -> Json:
    return {"device": ailment.device, "detail": ailment.detail, "fix": ailment.fix}


def alarm_as_json(alarm: Alarm) -> Json:
    """One alarm."""
    return {
        "number": alarm.number,
        "kind": alarm.cause.kind.value,
        "where": alarm.cause.where,
        "device": alarm.cause.device,
        "house": alarm.house,
        "detail": alarm.detail,
        "fix": alarm.fix,
        "raised": alarm.raised,
        "times": alarm.times,
        "cleared": alarm.cleared,
        "acknowledged_by": alarm.acknowledged_by,
        "acknowledged": alarm.acknowledged,
        "put_aside_by": alarm.put_aside_by,
        "may_be_put_aside": alarm.cause.kind in TOLD_KINDS and not alarm.cleared,
    }


def user_as_json(user: HubUser) -> Json:
    """Somebody who may use the page, without what is kept of the password."""
    return {"name": user.name, "role": user.role.value, "house": user.house}


def sees_alarm(user: HubUser, alarm: Alarm) -> bool:
    """Whether an alarm is for somebody: those of no house are for who sees all of them."""
    return user.sees(alarm.house) if alarm.house else user.only_house is None
