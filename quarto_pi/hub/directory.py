"""Whom each board may play with: the hub tells it, as boards come, go, and begin to play.

A board is told a few others, those first whose guests wait for any board, and then its neighbours by name: nobody at a
button steps through a whole chain, and a chain does not tell every board of every game.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from threading import Condition, Thread
from typing import Final

from quarto_pi.chain.messages import BoardList, BoardStatus, BoardToPlay, SettledAction, pack_others
from quarto_pi.chain.topics import others_for
from quarto_pi.chain.unforeseen import place_of_error
from quarto_pi.hub.intake import ChainListener, NobodyListens

MOST_TOLD: Final = 8
"""So many others a board is told of."""
TELLS_OTHERS_AFTER: Final = 1.0
"""Seconds at least between two rounds: what changes meanwhile is told together."""
ENDS_WITHIN: Final = 5.0


def lists_of(boards: Iterable[BoardToPlay]) -> dict[str, BoardList]:
    """Whom each of these boards, which are free, may play with.

    >>> lists = lists_of([BoardToPlay("a", "a"), BoardToPlay("b", "b", invites=True), BoardToPlay("c", "c")])
    >>> [each.name for each in lists["a"].boards]
    ['b', 'c']
    """
    free = sorted(boards, key=lambda board: board.name)
    names = [board.name for board in free]
    inviting = [board for board in free if board.invites]
    return {board.name: _list_for(board, free, names, inviting) for board in free}


def _list_for(board: BoardToPlay, free: list[BoardToPlay], names: list[str], inviting: list[BoardToPlay]) -> BoardList:
    # Who comes after a board by name begins its list, so that not all boards are told of the same few.
    place = bisect(names, board.name)
    others = [each for each in inviting if each.name != board.name][:MOST_TOLD]
    for step in range(min(len(free) - 1, 2 * MOST_TOLD)):
        each = free[(place + step) % len(free)]
        if len(others) < MOST_TOLD and not each.invites and each.name != board.name:
            others.append(each)
    return BoardList(tuple(others))


class Directory:
    """Hears with the intake what boards do, passes it on, and tells each board whom it may play with.

    What comes within `tells_after` seconds is told together.
    """

    def __init__(self, listener: ChainListener | None = None, tells_after: float = TELLS_OTHERS_AFTER) -> None:
        self._listener = listener or NobodyListens()
        self._tells_after = tells_after
        self._send: Callable[[str, bytes], None] = _nobody
        self._here: set[str] = set()
        self._free: dict[str, BoardToPlay] = {}
        self._told: dict[str, BoardList] = {}
        self._changed = Condition()
        self._is_new = self._goes_on = False
        self._thread = Thread(target=self._work, name="directory", daemon=True)

    def begin(self, send: Callable[[str, bytes], None]) -> None:
        """Tell boards from now on, by sending what is retained on their topics."""
        self._send, self._goes_on = send, True
        self._thread.start()

    def end(self) -> None:
        """Tell nobody any more."""
        with self._changed:
            self._goes_on = False
            self._changed.notify_all()
        self._thread.join(ENDS_WITHIN)

    # --- what the intake tells ----------------------------------------------------------------------------------------

    def link(self, linked: bool) -> None:
        """The hub has come to its broker, or has lost it: a broker that was started again remembers nothing."""
        with self._changed:
            if linked:
                self._told = {}
                self._look_again()
        self._listener.link(linked)

    def presence(self, board: str, here: bool) -> None:
        """A board is there, or is not."""
        with self._changed:
            (self._here.add if here else self._here.discard)(board)
            self._look_again()
        self._listener.presence(board, here)

    def status(self, board: str, status: BoardStatus) -> None:
        """A board has told its state."""
        with self._changed:
            before = self._free.get(board)
            if status.free:
                self._free[board] = BoardToPlay(board, board, status.invites)
            else:
                self._free.pop(board, None)
            if self._free.get(board) != before:
                self._look_again()
        self._listener.status(board, status)

    def settled(self, board: str, action: SettledAction) -> None:
        """An action is kept that was not kept before."""
        self._listener.settled(board, action)

    def conflict(self, board: str, detail: str) -> None:
        """Something is the matter with what a board tells."""
        self._listener.conflict(board, detail)

    def outcome(self, board: str, payload: bytes) -> None:
        """A board says what became of an order."""
        self._listener.outcome(board, payload)

    def unforeseen(self, board: str, detail: str) -> None:
        """An error that nobody foresaw."""
        self._listener.unforeseen(board, detail)

    # --- in a thread of its own ---------------------------------------------------------------------------------------

    def _look_again(self) -> None:
        self._is_new = True
        self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_new or not self._goes_on)
                self._changed.wait_for(lambda: not self._goes_on, self._tells_after)
                if not self._goes_on:
                    return
            try:
                self._tell_news()
            except Exception as error:  # noqa: BLE001 - whatever it is, boards are told with the next change
                self._listener.unforeseen("", f"telling boards of each other: {place_of_error(error)}")

    def _tell_news(self) -> None:
        with self._changed:
            news = self._news()
        for board, others in news.items():
            self._send(others_for(board), pack_others(others))

    def _news(self) -> Mapping[str, BoardList]:
        """What has changed for any board since it was told last; one that plays is told afterwards."""
        self._is_new = False
        lists = lists_of(board for name, board in self._free.items() if name in self._here)
        news = {board: others for board, others in lists.items() if self._told.get(board) != others}
        self._told |= news
        return news


def _nobody(topic: str, payload: bytes) -> None:
    del topic, payload
