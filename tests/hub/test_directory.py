"""Whom each board may play with, as the hub tells it."""

from __future__ import annotations

from threading import Condition

from quarto_pi.chain.messages import BoardList, BoardStatus, BoardToPlay, Doing, read_others
from quarto_pi.chain.topics import others_for
from quarto_pi.hub.directory import MOST_TOLD, Directory, lists_of

GUARD_SECONDS = 180.0


def status(*, free: bool = True, invites: bool = False) -> BoardStatus:
    return BoardStatus("1", "h", Doing.WAITING, free=free, invites=invites)


class Told:
    """What each board was told last."""

    def __init__(self) -> None:
        self.lists: dict[str, BoardList] = {}
        self.times = 0
        self._changed = Condition()

    def __call__(self, topic: str, payload: bytes) -> None:
        with self._changed:
            self.lists[topic] = read_others(payload)
            self.times += 1
            self._changed.notify_all()

    def until(self, board: str, *names: str) -> None:
        with self._changed:
            so = self._changed.wait_for(lambda: self.names(board) == list(names), GUARD_SECONDS)
            assert so, self.lists

    def names(self, board: str) -> list[str] | None:
        told = self.lists.get(others_for(board))
        return None if told is None else [each.name for each in told.boards]


def test_nobody_is_told_of_itself_and_who_invites_comes_first() -> None:
    boards = [BoardToPlay(name, name, invites=name == "d") for name in "abcd"]
    lists = lists_of(boards)
    assert [each.name for each in lists["a"].boards] == ["d", "b", "c"]
    assert [each.name for each in lists["d"].boards] == ["a", "b", "c"]


def test_a_board_of_a_large_chain_is_told_of_a_few_and_not_all_of_the_same() -> None:
    names = [f"b{number:04}" for number in range(1_000)]
    lists = lists_of(BoardToPlay(name, name) for name in names)
    assert {len(each.boards) for each in lists.values()} == {MOST_TOLD}
    named = {board.name for each in lists.values() for board in each.boards}
    assert named == set(names)


def test_boards_are_told_when_others_come_begin_to_play_and_go() -> None:
    told, directory = Told(), Directory(tells_after=0.01)
    directory.begin(told)
    directory.link(linked=True)
    for board in ("north", "south", "west"):
        directory.presence(board, here=True)
        directory.status(board, status())
    told.until("north", "south", "west")
    directory.status("south", status(free=False))
    told.until("north", "west")
    directory.status("west", status(invites=True))
    directory.status("south", status())
    told.until("north", "west", "south")
    directory.presence("west", here=False)
    told.until("north", "south")
    directory.end()


def test_a_broker_that_has_forgotten_is_told_again() -> None:
    told, directory = Told(), Directory(tells_after=0.01)
    directory.begin(told)
    for board in ("north", "south"):
        directory.presence(board, here=True)
        directory.status(board, status())
    told.until("north", "south")
    told.lists.clear()
    directory.link(linked=False)
    directory.link(linked=True)
    told.until("north", "south")
    directory.end()


def test_what_a_board_tells_is_passed_on() -> None:
    heard: list[tuple[str, object]] = []

    class Listener:
        def link(self, linked: bool) -> None:
            heard.append(("link", linked))

        def presence(self, board: str, here: bool) -> None:
            heard.append((board, here))

        def status(self, board: str, status: BoardStatus) -> None:
            heard.append((board, status))

        def settled(self, board: str, action: object) -> None:
            heard.append((board, action))

        def conflict(self, board: str, detail: str) -> None:
            heard.append((board, detail))

        def outcome(self, board: str, payload: bytes) -> None:
            heard.append((board, payload))

        def unforeseen(self, board: str, detail: str) -> None:
            heard.append((board, detail))

    directory = Directory(Listener())
    directory.link(linked=True)
    directory.presence("north", here=True)
    directory.status("north", status())
    directory.conflict("north", "two bodies")
    directory.outcome("north", b"{}")
    directory.unforeseen("north", "keeping an action")
    assert [name for name, _ in heard] == ["link", "north", "north", "north", "north", "north"]
