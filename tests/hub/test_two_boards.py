"""Two whole controllers at a real hub: told of each other, they play a game, with hands at both tables."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from quarto_pi.chain.messages import BoardStatus, Doing
from quarto_pi.config import ChainConfig
from quarto_pi.hub.settings import settings_in
from quarto_pi.hub.store import CountedBy, GameSearch, open_store
from quarto_pi.referee.inputs import WantBoard
from quarto_pi.referee.menu import BoardChoice
from quarto_pi.referee.messages import CarryOut, ChooseFirst, Prompt, Thinking, Won
from quarto_pi.rules import Player, parse_piece
from quarto_pi.wiring.chain import OpenChain
from tests.evening import Evening
from tests.hub.hubs import HubFolder

pytestmark = pytest.mark.slow

GUARD_SECONDS = 120.0


class BoardAtHub:
    """A whole controller with the files that the hub has written for it."""

    def __init__(self, place: HubFolder, name: str, kept: Path, stack: ExitStack) -> None:
        files = place.folder / "boards" / name
        section = tomllib.loads((files / "chain.toml").read_text(encoding="utf-8"))["chain"]
        for key, file in (("ca", "ca.pem"), ("credentials", "credentials")):
            section[key] = str(files / file)
        config = ChainConfig(**{**section, "broker": "localhost"})
        chain = OpenChain(config, lambda _: None, lambda: 1_800_000_000.0, kept)
        stack.callback(chain.close)
        self.evening = Evening(stack, journal=kept / name, chain=chain)
        self.evening.wait(500)

    @property
    def prompt(self) -> Prompt:
        """What its display says."""
        return self.evening.watcher.prompt

    def want(self, choose: Callable[[], BoardChoice]) -> None:
        """Choose another board, as on the page."""
        self.evening.loop.post(lambda at: WantBoard(at, choose()))

    def give(self, piece: str) -> None:
        """Give a piece, and wait until it is given for good."""
        self.evening.put(piece, "offer")
        self.evening.wait(4_000)


def wait_until(happened: Callable[[], bool], *boards: BoardAtHub) -> None:
    """Let the boards go on, a little of their time for a little of ours."""
    until = time.monotonic() + GUARD_SECONDS
    while not happened():
        assert time.monotonic() < until, [board.prompt for board in boards]
        for board in boards:
            board.evening.wait(150)
        time.sleep(0.01)


def test_two_boards_play_each_other_with_hands(tmp_path: Path, place: HubFolder, stack: ExitStack) -> None:
    assert place.order("add", "south-1", "--house", "South") == 0
    stack.enter_context(place.running())
    north, south = (BoardAtHub(place, name, tmp_path, stack) for name in ("north-1", "south-1"))
    both = (north, south)
    wait_until(lambda: all(board.evening.state.others and board.evening.state.others.free for board in both), *both)
    north.want(lambda: north.evening.state.others.free[0])  # type: ignore[union-attr]
    wait_until(lambda: bool(south.evening.state.others and south.evening.state.others.invitations), *both)
    south.want(lambda: south.evening.state.others.invitations[0])  # type: ignore[union-attr]
    wait_until(lambda: all(board.evening.state.is_match_open for board in both), *both)
    wait_until(lambda: north.prompt == ChooseFirst(Player.A), *both)

    for number, (piece, square) in enumerate((("LTRF", "a1"), ("LSQH", "b1"), ("LTRH", "c1"), ("LSQF", "d1"))):
        giver, placer = both if number % 2 == 0 else both[::-1]
        giver.give(piece)
        if number:
            wait_until(lambda placer=placer: isinstance(placer.prompt, CarryOut), *both)  # type: ignore[misc]
            told = placer.prompt
            assert isinstance(told, CarryOut)
            placer.evening.put(told.piece.letters, told.square.name)
        wait_until(lambda placer=placer, piece=piece: _holds(placer, piece), *both)  # type: ignore[misc]
        placer.evening.put(piece, square)
    # Hands are quicker here than a board says anew what it does.
    place.heard.until(lambda: {status.other for status in _playing(place)} == {"north-1", "south-1"})
    north.evening.press()
    assert isinstance(north.prompt, Won)
    wait_until(lambda: isinstance(south.prompt, CarryOut), *both)
    assert isinstance(south.prompt, CarryOut)
    south.evening.carry("LSQF", "d1")
    wait_until(lambda: isinstance(south.prompt, Won), *both)
    place.heard.until(lambda: sum("'event': 'result'" in str(call[-1]) for call in place.heard.calls) == 2)
    assert not isinstance(south.prompt, Thinking)
    _assert_one_game(place)


def _assert_one_game(place: HubFolder) -> None:
    """Both boards have told of it, and it is one for the hub, over and while it was played."""
    with closing(open_store(place.folder, settings_in(place.folder))) as store:
        (game,) = store.games(GameSearch())
        assert {game.board, game.other} == {"north-1", "south-1"}
        assert (game.reason, game.moves, game.fault) == ("call", 4, None)
        (figures,) = store.figures(GameSearch(), CountedBy.ALL)
        assert (figures.games, figures.won_by_call) == (1, 1)
    assert len({status.match for status in _playing(place)}) == 1


def _playing(place: HubFolder) -> list[BoardStatus]:
    """What boards have said of themselves while they played each other."""
    told = [call[2] for call in list(place.heard.calls) if call[0] == "status"]
    return [each for each in told if isinstance(each, BoardStatus) and each.doing is Doing.PLAYING and each.other]


def _holds(board: BoardAtHub, piece: str) -> bool:
    return board.evening.state.game.hand == parse_piece(piece) and board.evening.state.is_for_person
