"""What the page of a new board takes for an answer, and what it refuses, in the words of who asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from starlette.testclient import TestClient

from quarto_pi.first_start.set_up import (
    JoinTrouble,
    SetUpAnswers,
    SetUpStage,
    SetUpState,
    SetUpView,
    VisibleNetwork,
    WifiNetwork,
    own_wifi,
)
from quarto_pi.known_time import EARLIEST_KNOWN, KnownTime
from quarto_pi.web.first_start import BoardToSetUp, first_start_service
from tests.web.test_guard import real_board
from tests.web.visit import LOCAL, Parsed

PASSWORD = "long enough"  # noqa: S105 - of no network
WIRINGS = {"pi": "all of it", "pico": "by cable"}


@dataclass
class Phone:
    """A phone in the Wi-Fi of a new board, and what has reached the board."""

    client: TestClient
    known: KnownTime
    taken: list[SetUpAnswers] = field(default_factory=list)

    def answers(self, **body: object) -> tuple[int, Parsed]:
        answer = self.client.post("/api/v1/first-start", json={"language": "fr", "wiring": "pi", **body})
        return answer.status_code, answer.json()


@pytest.fixture
def phone() -> Iterator[Phone]:
    known, taken = KnownTime(), list[SetUpAnswers]()
    view = SetUpView(SetUpStage.OPEN, own_wifi(), "http://10.42.0.1/", "de", "Home", JoinTrouble.NOT_FOUND)
    state = SetUpState(view, None, (VisibleNetwork("Home", secured=True),))
    board = BoardToSetUp(lambda: state, taken.append, WIRINGS, "pi", known.tell)
    with TestClient(first_start_service(board), base_url=LOCAL) as client:
        yield Phone(client, known, taken)


def test_phone_is_told_what_there_is_and_what_went_wrong_before(phone: Phone) -> None:
    told = phone.client.get("/api/v1/first-start").json()
    assert told["networks"] == [{"name": "Home", "secured": True}]
    assert (told["wirings"], told["wiring"], told["stage"], told["language"]) == (WIRINGS, "pi", "open", "de")
    assert told["trouble"] == "Das WLAN Home ist hier nicht zu finden. Versuch es noch einmal."
    assert "Das Brett einrichten" in phone.client.get("/api/v1/words/de").json()["labels"].values()
    assert "first-start.js" in phone.client.get("/").text


def test_answers_are_taken_as_the_configuration_has_them_and_so_is_the_time(phone: Phone) -> None:
    noon = EARLIEST_KNOWN + 43_200
    code, _ = phone.answers(
        pin="471147", network="Home", password=PASSWORD, time_zone="Europe/Paris", now=noon, wiring="pico"
    )
    assert code == 200
    settings = {"language": "fr", "wiring": "pico", "PIN": "471147", "time zone": "Europe/Paris"}
    assert phone.taken == [SetUpAnswers(settings, "fr", WifiNetwork("Home", PASSWORD))]
    assert phone.known.now() == pytest.approx(noon, abs=60)


def test_no_network_and_no_pin_are_answers_and_a_phone_that_is_wrong_about_time_is_none_the_worse(phone: Phone) -> None:
    assert phone.answers(now=0, time_zone="Mars/Olympus")[0] == 200
    assert phone.taken == [SetUpAnswers({"language": "fr", "wiring": "pi"}, "fr")]
    assert phone.known.now() is None


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pin": "123"}, "Un PIN a de 6 à 64 lettres et chiffres sans accents."),
        ({"network": "Home", "password": "short"}, "Un mot de passe Wi-Fi a de 8 à 63 caractères sans accents."),
        ({"network": "x" * 33}, "Un nom de Wi-Fi a de 1 à 32 caractères ; un mot de passe seul ne suffit pas."),
        ({"wiring": "paper"}, "« paper » ne peut pas être choisi. Écris l'un de ceux-ci"),
        ({"language": "klingon"}, "'language' is one of en, fr"),
        ({"pin": 471147}, "'pin' is no text."),
        ({"sudo": "yes"}, "'sudo' is no key here"),
    ],
)
def test_wrong_answer_is_told_in_one_sentence_and_nothing_is_taken(
    phone: Phone, wrong: dict[str, object], said: str
) -> None:
    code, told = phone.answers(**wrong)
    assert code == 400
    assert said in told["error"]
    assert phone.taken == []


def test_page_of_another_site_sets_no_board_up(phone: Phone) -> None:
    answer = phone.client.post(
        "/api/v1/first-start", json={"language": "en"}, headers={"Origin": "https://evil.example"}
    )
    assert (answer.status_code, phone.taken) == (403, [])


def test_board_that_is_set_up_takes_no_answers_from_anybody() -> None:
    with real_board() as board:
        for method in ("GET", "POST"):
            assert board.client.request(method, "/api/v1/first-start", json={"language": "en"}).status_code == 404


def test_phone_that_looks_for_the_internet_is_led_to_the_board_and_told_nothing_else(phone: Phone) -> None:
    for host in ("connectivitycheck.gstatic.com", "captive.apple.com", "www.msftconnecttest.com"):
        answer = phone.client.get("/generate_204", headers={"Host": host}, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (302, "http://10.42.0.1/")
        refused = phone.client.post("/api/v1/first-start", json={"language": "en"}, headers={"Host": host})
        assert (refused.status_code, phone.taken) == (421, [])
