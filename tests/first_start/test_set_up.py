"""The set-up by phone, above a simulated radio: answers that work, that do not, and a plug that is pulled."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from quarto_pi.controller.first_start import SetUpLoop
from quarto_pi.first_start.owner_settings import ANSWERS_FILE, NETWORK_EXPECTED, TRIED_FILE, AnswersInFolder
from quarto_pi.first_start.set_up import (
    LETTERS_TO_TYPE,
    JoinTrouble,
    SetUpAnswers,
    SetUpStage,
    SetUpView,
    WifiNetwork,
    code_to_join,
    own_wifi,
)
from quarto_pi.screens.icons import fits
from quarto_pi.simulation.wifi import AROUND, SimulatedRadio
from tests.first_start.radio import SteppingClock

RIGHT = WifiNetwork("Café Zoë", AROUND["Café Zoë"])
WRONG = WifiNetwork("Café Zoë", "instant coffee")
MOST_TURNS = 200_000


class Shown:
    """What people were shown, one view after the other."""

    def __init__(self) -> None:
        self.views: list[SetUpView] = []

    def show(self, view: SetUpView) -> None:
        self.views.append(view)

    def tick(self, now: int) -> None:
        """Nothing moves here."""

    @property
    def stages(self) -> list[SetUpStage]:
        return [view.stage for view in self.views]


class Board:
    """A new board with a radio, and its set-up."""

    def __init__(self, folder: Path, radio: SimulatedRadio) -> None:
        self.folder, self.radio, self.shown = folder, radio, Shown()
        self.clock = SteppingClock()
        self.loop = SetUpLoop(
            radio, own_wifi(), self.clock, AnswersInFolder(folder), [self.shown], 8040, retry_seconds=0
        )

    def turn_until(self, is_so: Callable[[], bool]) -> None:
        """Let time pass."""
        for _ in range(MOST_TURNS):
            if is_so():
                return
            self.loop.turn()
            self.clock.wait_until(self.clock.now() + 50_000)
        raise AssertionError(f"that never came: {self.shown.stages}")

    def until(self, stage: SetUpStage) -> None:
        self.turn_until(lambda: self.loop.state.view.stage is stage)

    def answer(self, wifi: WifiNetwork | None, **settings: str) -> None:
        self.loop.answer(SetUpAnswers({"language": "de", **settings}, "de", wifi))

    @property
    def kept(self) -> dict[str, str] | None:
        file = self.folder / ANSWERS_FILE
        return json.loads(file.read_bytes()) if file.exists() else None


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path, SimulatedRadio())


def test_every_board_has_another_password_and_the_code_that_joins_it_fits_the_display() -> None:
    passwords = {own_wifi().password for _ in range(200)}
    assert len(passwords) == 200
    assert set("".join(passwords)) == set(LETTERS_TO_TYPE)
    assert fits(code_to_join(own_wifi()), 64)
    assert fits("http://10.42.0.1:8040/", 64)


def test_phone_sets_the_board_up_and_the_own_wifi_is_gone(board: Board) -> None:
    board.until(SetUpStage.OPEN)
    assert len(board.radio.opened) == 1
    assert [network.name for network in board.loop.state.visible] == list(AROUND)
    assert board.shown.views[-1].address == "http://127.0.0.1:8040/"
    board.answer(RIGHT, PIN="471147")
    assert board.loop.run(lambda: True)
    assert (board.radio.own, board.radio.joined) == (None, RIGHT)
    assert board.kept == {"language": "de", "PIN": "471147", NETWORK_EXPECTED: "yes"}
    assert board.shown.stages == [SetUpStage.OPENING, SetUpStage.OPEN, SetUpStage.JOINING, SetUpStage.DONE]


def test_no_network_thanks_is_an_answer(board: Board) -> None:
    board.until(SetUpStage.OPEN)
    board.answer(None)
    assert board.loop.run(lambda: True)
    assert (board.radio.own, board.radio.joined, board.kept) == (None, None, {"language": "de"})


@pytest.mark.parametrize(
    ("wifi", "without", "trouble"),
    [
        (WRONG, frozenset[str](), JoinTrouble.WRONG_PASSWORD),
        (WifiNetwork("Nowhere"), frozenset[str](), JoinTrouble.NOT_FOUND),
        (RIGHT, frozenset({RIGHT.name}), JoinTrouble.NO_ADDRESS),
    ],
)
def test_board_that_cannot_join_comes_back_with_the_same_wifi_and_says_why(
    tmp_path: Path, wifi: WifiNetwork, without: frozenset[str], trouble: JoinTrouble
) -> None:
    board = Board(tmp_path, SimulatedRadio(without_address=without))
    board.until(SetUpStage.OPEN)
    board.answer(wifi)
    board.until(SetUpStage.JOINING)
    board.until(SetUpStage.OPEN)
    view = board.shown.views[-1]
    assert (view.trouble, view.network, view.language) == (trouble, wifi.name, "de")
    assert len(set(board.radio.opened)) == 1, "a phone joins it again by itself"
    assert board.kept is None
    assert not (tmp_path / TRIED_FILE).exists()
    board.radio.without_address = frozenset()
    board.answer(RIGHT)
    assert board.loop.run(lambda: True)
    assert board.radio.joined == RIGHT


def test_phone_hears_what_happens_before_the_wifi_goes(board: Board) -> None:
    board.until(SetUpStage.OPEN)
    board.answer(RIGHT)
    board.until(SetUpStage.JOINING)
    before = board.clock.now()
    assert board.radio.own is not None
    board.turn_until(lambda: board.radio.own is None)
    assert board.clock.now() - before >= 3_000_000


def test_answer_that_comes_while_another_is_tried_is_too_late(board: Board) -> None:
    board.until(SetUpStage.OPEN)
    board.answer(RIGHT, PIN="111111")
    board.answer(None, PIN="222222")
    assert board.loop.run(lambda: True)
    assert board.kept is not None
    assert board.kept["PIN"] == "111111"


def test_board_without_a_radio_says_so_and_goes_on(tmp_path: Path) -> None:
    board = Board(tmp_path, SimulatedRadio(broken=True))
    assert not board.loop.run(lambda: True)
    assert board.shown.stages == [SetUpStage.OPENING, SetUpStage.FAILED]
    assert board.kept is None


@pytest.mark.parametrize("has_network", [True, False])
def test_plug_that_is_pulled_while_the_board_joins_loses_no_answer_that_worked(
    board: Board, tmp_path: Path, has_network: bool
) -> None:
    board.until(SetUpStage.OPEN)
    board.answer(RIGHT)
    board.until(SetUpStage.JOINING)
    assert board.kept is None, "nobody knows yet whether it works"
    answers = AnswersInFolder(tmp_path)
    assert answers.believe_tried(has_network=has_network) is has_network
    assert (board.kept is not None) is has_network
    assert not (tmp_path / TRIED_FILE).exists()
    assert not answers.believe_tried(has_network=True)


@pytest.mark.parametrize("wifi", [None, RIGHT])
def test_card_that_can_not_be_written_is_told_and_the_board_can_be_asked_again(
    board: Board, wifi: WifiNetwork | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    board.until(SetUpStage.OPEN)
    with monkeypatch.context() as patch:
        patch.setattr("quarto_pi.first_start.owner_settings.put_whole", refuse)
        board.answer(wifi)
        board.turn_until(lambda: board.loop.state.view.trouble is JoinTrouble.NOT_KEPT)
        board.until(SetUpStage.OPEN)
    assert board.kept is None
    board.answer(wifi)
    assert board.loop.run(lambda: True)
    assert board.kept is not None
