"""What Home Assistant is told of a board: which device it is, how it is, and when QUARTO! is called.

It reads below `quarto/BOARD/home/`, in words of its own; nothing there is read by the hub.
"""

from __future__ import annotations

import json
from typing import Final

from quarto_pi.chain.messages import BoardStatus, Doing
from quarto_pi.chain.topics import DISCOVERY, ROOT, presence_of

HOME_STATUS: Final = f"{DISCOVERY}/status"
"""Here Home Assistant says `online` when it has started: whoever is to be found says so again."""
QUARTO: Final = "quarto"
_OK, _PROBLEM = "ok", "problem"


def discovery_of(board: str) -> str:
    """Where it is retained which device a board is."""
    return f"{DISCOVERY}/device/quarto-{board}/config"


def home_state_of(board: str) -> str:
    """Where a board's state is retained for Home Assistant."""
    return f"{ROOT}/{board}/home/state"


def home_event_of(board: str) -> str:
    """Where a board says that somebody has won by QUARTO!; not retained."""
    return f"{ROOT}/{board}/home/event"


def device_config(board: str, version: str) -> bytes:
    """A board as Home Assistant finds it: a device with two sensors, somebody who plays or not, and an event."""
    state = home_state_of(board)

    def part(key: str, platform: str, name: str, **more: object) -> dict[str, object]:
        return {"p": platform, "name": name, "unique_id": f"quarto-{board}-{key}", **more}

    components = {
        "doing": part(
            "doing",
            "sensor",
            "State",
            state_topic=state,
            value_template="{{ value_json.doing }}",
            device_class="enum",
            options=[doing.value for doing in Doing],
        ),
        "health": part(
            "health",
            "sensor",
            "Health",
            state_topic=state,
            value_template="{{ value_json.health }}",
            json_attributes_topic=state,
            device_class="enum",
            options=[_OK, _PROBLEM],
        ),
        "playing": part(
            "playing",
            "binary_sensor",
            "Somebody plays",
            state_topic=state,
            value_template="{{ value_json.playing }}",
            device_class="occupancy",
        ),
        "quarto": part("quarto", "event", "QUARTO!", state_topic=home_event_of(board), event_types=[QUARTO]),
    }
    config = {
        "dev": {"ids": [f"quarto-{board}"], "name": f"Quarto {board}", "sw_version": version, "model": "quarto-pi"},
        "o": {"name": "quarto-pi", "sw_version": version},
        "cmps": components,
        "availability_topic": presence_of(board),
        "qos": 1,
    }
    return json.dumps(config, separators=(",", ":")).encode()


def home_state(state: BoardStatus) -> bytes:
    """A board's state for Home Assistant."""
    told = {
        "doing": state.doing.value,
        "playing": "ON" if state.doing is Doing.PLAYING else "OFF",
        "health": _PROBLEM if state.ailments else _OK,
        "problems": [f"{ailment.device}: {ailment.detail}" for ailment in state.ailments],
    }
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode()


def quarto_event() -> bytes:
    """That somebody has won by QUARTO, as an event."""
    return json.dumps({"event_type": QUARTO}, separators=(",", ":")).encode()
