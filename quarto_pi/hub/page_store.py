"""The database as the page asks it: in a thread of its own, opened anew where it has gone away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from quarto_pi.hub.store import HubStore, StoreAway
from quarto_pi.web.wishes import RefusalReason, Refused

MOST_QUESTIONS: Final = 50
"""So many wait for the database at most; a page that asks again finds it answering."""

_T = TypeVar("_T")

OpenStore = Callable[[], HubStore]


class PageStore:
    """One connection and one thread for all pages: what they ask never holds up what boards send."""

    def __init__(self, open_store: OpenStore) -> None:
        self._open = open_store
        self._store: HubStore | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="page-store")
        self._waiting = 0

    async def ask(self, question: Callable[[HubStore], _T]) -> _T:
        """The answer to a question; `Refused` where the database is away, or asked too much."""
        if self._waiting >= MOST_QUESTIONS:
            raise Refused(503, "the hub is asked much just now: try again in a moment.", RefusalReason.BUSY)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._asked, question)
        except StoreAway as error:
            raise Refused(503, str(error), RefusalReason.BUSY) from error
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Let go of the database."""
        self._thread.submit(self._let_go)
        self._thread.shutdown()

    def _asked(self, question: Callable[[HubStore], _T]) -> _T:
        if self._store is None:
            self._store = self._open()
        try:
            return question(self._store)
        except StoreAway:
            self._let_go()
            raise

    def _let_go(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.close()
