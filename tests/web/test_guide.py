"""The guide of a first start on the page: the same steps as on the board, and answers with a PIN."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient

from quarto_pi.commands.simulate import equipped
from quarto_pi.config import Config
from quarto_pi.enrolment import Gesture, GuideView
from quarto_pi.enrolment.state import PutPiece
from quarto_pi.outputs.page import moment_of
from quarto_pi.referee import Settings
from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.web.requests import ShownLights
from quarto_pi.web.service import ServedBoard, service
from quarto_pi.web.streams import Feed
from tests.web.visit import LOCAL, Visit, feed_with, moment

pytestmark = pytest.mark.slow

PIN = "geheim-7"


@pytest.fixture
def newcomer(stack: ExitStack) -> Visit:
    return Visit(stack, equipped(Config()), first_start=True)


def test_newcomer_is_guided_from_the_language_to_the_first_game(newcomer: Visit) -> None:
    assert newcomer.state["prompt"]["kind"] == "ChooseLanguage"
    answer(newcomer, "press")
    assert newcomer.state["language"] == "fr"
    answer(newcomer, "hold")
    newcomer.wait(5_000)
    assert newcomer.state["guide"]["piece"] == "LTRF"
    for piece, square in zip(PIECES, SQUARE_NAMES, strict=True):
        assert newcomer.state["prompt"]["about"] == {"piece": piece.letters, "number": piece.number + 1, "count": 16}
        newcomer.put(piece.letters, square)
        newcomer.wait(1_500)
    state = newcomer.state
    assert state["prompt"]["kind"] == "Ready"
    assert state["board"] == {square: piece.letters for piece, square in zip(PIECES, SQUARE_NAMES, strict=True)}
    newcomer.clear()
    answer(newcomer, "press")
    newcomer.wait(3_000)
    state = newcomer.state
    assert (state["guide"], state["language"], state["prompt"]["kind"]) == (None, "fr", "ChooseFirst")
    newcomer.win()
    assert newcomer.state["result"]["winner"] == 0


def test_menu_of_the_board_opens_the_guide_and_a_press_leaves_it(visit: Visit) -> None:
    press(visit, 3_200)
    for _ in range(10):
        press(visit)
    assert visit.state["menu"]["label"] == "Set up pieces"
    press(visit, 1_200)
    press(visit, 1_200)
    visit.wait(5_000)
    assert visit.state["prompt"]["kind"] == "AllKnown"
    press(visit)
    visit.wait(2_000)
    assert visit.state["prompt"]["kind"] == "ChooseFirst"
    assert visit.state["guide"] is None


def test_game_is_not_to_be_changed_while_the_board_learns_its_pieces(newcomer: Visit) -> None:
    for path, body in (("settings", {"squares": True}), ("order", {"order": "pause"})):
        refused = newcomer.post(path, body)
        assert (refused.status_code, refused.json()["error"]) == (
            409,
            "the board learns its pieces first: follow its guide.",
        )


def test_guide_that_is_not_open_answers_nothing(visit: Visit) -> None:
    refused = visit.post("guide", {"do": "press"})
    assert (refused.status_code, refused.json()["error"]) == (
        409,
        "the guide is not open: choose it in the menu of the board.",
    )


@pytest.mark.parametrize("body", [{}, {"do": "push"}, {"do": "press", "twice": True}, {"do": 1}])
def test_what_is_no_answer_is_refused(newcomer: Visit, body: dict[str, object]) -> None:
    assert newcomer.post("guide", body).status_code == 400


def test_guide_of_a_real_board_takes_answers_with_the_pin_only() -> None:
    answers: list[Gesture] = []
    with TestClient(
        service(ServedBoard(guiding(), lambda _: None, pin=PIN, point=answers.append)), base_url=LOCAL
    ) as client:
        assert client.post("/api/v1/guide", json={"do": "hold"}).status_code == 403
        assert client.post("/api/v1/guide", json={"do": "hold"}, headers={"x-pin": PIN}).status_code == 200
        told = client.get("/api/v1/state").json()
    assert answers == [Gesture.HOLD]
    assert told["prompt"]["text"] == "Setz die helle, große, runde, volle Figur auf ein beliebiges Feld."
    assert told["guide"] == {"help": "drücken: auslassen, halten: zurück", "piece": "LTRF"}


def test_page_of_a_board_that_plays_says_nothing_of_a_guide() -> None:
    with TestClient(service(ServedBoard(feed_with(moment()), lambda _: None)), base_url=LOCAL) as client:
        assert client.get("/api/v1/state").json()["guide"] is None


def guiding() -> Feed:
    view = GuideView(PutPiece(PIECES[0], 1, 16), None, "de")
    return feed_with(moment_of(view, ShownLights(), Settings()))


def answer(visit: Visit, gesture: str) -> None:
    assert visit.post("guide", {"do": gesture}).status_code == 200
    visit.wait(300)


def press(visit: Visit, milliseconds: float = 150) -> None:
    """Press the board's button for exactly so long, however long a request would take."""
    clock, workshop = visit.playground.board.clock, visit.playground.workshop
    clock.plan(visit.now + 20, lambda: workshop.press("call", down=True))
    clock.plan(visit.now + 20 + milliseconds, lambda: workshop.press("call", down=False))
    visit.wait(milliseconds + 600)
