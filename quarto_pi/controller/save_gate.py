"""The save gate: what is to be shown waits, in its order, until what it tells of is safe from a power cut.

It does not wait for ever: a slow card must not keep people from playing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from quarto_pi.referee import Effect

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
