"""The thread that looks after all boards: who is gone, what has to be told, which there are, what is kept of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from quarto_pi.chain.hub_messages import pack_order
from quarto_pi.chain.topics import orders_for
from quarto_pi.chain.unforeseen import UnforeseenErrors, place_of_error
from quarto_pi.hub.alarms import causes_told, still_told
from quarto_pi.hub.fleet import ListedBoard
from quarto_pi.hub.settings import SayInLog
from quarto_pi.hub.store import HubStore, StoreAway
from quarto_pi.hub.watch import Watch

WATCH_SECONDS: Final = 1.0
LIST_TURNS: Final = 5
"""So many looks are between two at which boards have an account."""


SendRetained = Callable[[str, bytes], None]
"""Has a message retained at the broker."""


class Watching:
    """Looks again and again until it is closed; a database that is away is asked again at the next look."""

    def __init__(
        self,
        watch: Watch,
        open_store: Callable[[], HubStore],
        say: SayInLog,
        wall: Callable[[], float] = time.time,
        send: SendRetained = lambda _topic, _payload: None,
    ) -> None:
        self._watch = watch
        self._open = open_store
        self._say = say
        self._wall = wall
        self._send = send
        self._sent: dict[str, int] = {}
        self._links = self._newest = 0
        self._beside: list[Callable[[HubStore], None]] = []
        self._store: HubStore | None = None
        self._recalled = False
        self._turns = 0
        self._errors = UnforeseenErrors(say)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watching", daemon=True)

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def close(self) -> None:
        """Look no more, once what is to be kept is kept."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        else:
            self._let_go()

    def look(self) -> None:
        """One look, with all that follows from it."""
        try:
            store = self._opened()
            if self._turns % LIST_TURNS == 0:
                self._list(store)
            self._know_told(store)
            self._turns += 1
            for work in (self._order, *self._beside):
                self._attempt(work, store)
        except StoreAway:
            self._let_go()
        except Exception as error:  # noqa: BLE001 - alarms go on being raised, and this is one
            self._let_go()
            self._note("looking after boards", error)
        for alarm in self._watch.tick():
            if not alarm.cleared:
                where = alarm.cause.where or "The hub"
                to_do = f" To do: {alarm.fix.rstrip('.')}." if alarm.fix else ""
                self._say(f"{where}: {alarm.detail.rstrip('.')}.{to_do}")
        self._keep()

    def send_by(self, send: SendRetained) -> None:
        """How orders go to the broker, which is there only once the hub runs."""
        self._send = send

    def look_beside(self, work: Callable[[HubStore], None]) -> None:
        """Have this done at each look as well, with the same database."""
        self._beside.append(work)

    def _run(self) -> None:
        while True:
            try:
                self.look()
            except Exception as error:  # noqa: BLE001 - the next look comes in a second
                self._note("looking after boards", error)
            if self._ended.wait(WATCH_SECONDS):
                break
        self._keep()
        self._let_go()

    def _opened(self) -> HubStore:
        if self._store is None:
            self._store = self._open()
            self._turns = 0
        if not self._recalled:
            table = self._store.watched
            self._list(self._store)
            self._watch.recall(table.alarms_on(), table.newest_alarm())
            self._recalled = True
        return self._store

    def _list(self, store: HubStore) -> None:
        heard = store.watched.heard()
        there = [board for board in store.boards() if board.revoked is None]
        self._watch.list_boards(ListedBoard(board.name, board.house, board.name in heard) for board in there)

    def _know_told(self, store: HubStore) -> None:
        """Look what is the matter with what boards tell, and whether it still is."""
        is_anew, asides = self._watch.take_told_anew()
        if is_anew or self._turns % LIST_TURNS == 0:
            self._watch.know_told(causes_told(still_told(store, self._wall())), asides)

    def _order(self, store: HubStore) -> None:
        """Note what became of orders, and say those that are new, or all of them to a broker that may know none."""
        table = store.watched
        for board, outcome in self._watch.take_outcomes().items():
            table.note_outcome(board, outcome)
        if not self._watch.linked:
            return
        links, newest = self._watch.links, table.newest_order()
        if links != self._links:
            self._sent.clear()
        elif newest == self._newest:
            return
        for given in table.orders():
            if self._sent.get(given.board) != given.order.number:
                self._send(orders_for(given.board), pack_order(given.order))
                self._sent[given.board] = given.order.number
        self._links, self._newest = links, newest

    def _keep(self) -> None:
        alarms, heard = self._watch.take_unkept()
        if not alarms and not heard:
            return
        if self._store is not None:
            try:
                self._store.watched.note_heard(sorted(heard), self._wall())
                self._store.watched.keep_alarms(alarms)
            except StoreAway:
                self._let_go()
            except Exception as error:  # noqa: BLE001 - they are kept another time
                self._let_go()
                self._note("keeping alarms", error)
            else:
                return
        self._watch.put_back(alarms, heard)

    def _let_go(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            # It is of no more use, however it goes.
            with suppress(Exception):
                store.close()

    def _attempt(self, work: Callable[[HubStore], None], store: HubStore) -> None:
        """Do a part of a look; what fails in it that nobody foresaw keeps the rest from nothing."""
        try:
            work(store)
        except StoreAway:
            raise
        except Exception as error:  # noqa: BLE001 - alarms go on being raised and kept, and this is one
            self._note("looking after boards", error)

    def _note(self, doing: str, error: Exception) -> None:
        self._errors.note(doing, error, time.monotonic())
        self._watch.unforeseen("", f"{doing}: {place_of_error(error)}")
