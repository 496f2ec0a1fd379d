"""What a board says on its chain for the effects of an evening, without a broker: every message as it would be sent."""

from __future__ import annotations

import json

from quarto_pi.chain.discovery import home_state, quarto_event
from quarto_pi.chain.messages import BoardStatus, Doing, SettledAction, pack_settled, pack_state
from quarto_pi.journal.records import ActionNumbers, NewestAction
from quarto_pi.outputs.chain import ChainOutput
from tests.games.performance import Timed

Said = tuple[int, str, bytes]
"""When, what kind of message, and its bytes."""


def said_on_chain(effects: list[Timed], until: int | None = None) -> list[Said]:
    """All that is sent before a moment."""
    said: list[Said] = []
    now = 0

    def show(state: BoardStatus) -> None:
        said.append((now, "state", pack_state(state)))
        said.append((now, "home", home_state(state)))

    plain = BoardStatus("1.0", "", Doing.WAITING)
    output = ChainOutput(show, lambda: said.append((now, "quarto", quarto_event())), plain, lambda: now / 1000)
    numbers = ActionNumbers(NewestAction())
    for at, effect in effects:
        if until is not None and at >= until:
            break
        now = at
        output.perform(effect)
        output.tick(at)
        for row in numbers.rows_of(effect, at / 1000):
            settled = SettledAction("history", row.game, row.number, row.at, json.loads(row.told))
            said.append((at, "settled", pack_settled(settled)))
    return said
