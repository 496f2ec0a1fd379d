"""Games at the simulated board, played by the hands of the page."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from quarto_pi.cli import main
from quarto_pi.commands.simulate import equipped
from quarto_pi.config import Config, parse_config
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import Input
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.rules import Board, parse_piece, parse_record, parse_square
from quarto_pi.web.games import lesson_in
from quarto_pi.web.service import ServedBoard, service
from quarto_pi.words import Words
from tests.web.visit import LINE, LOCAL, Parsed, Visit, feed_with, moment

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def won() -> Iterator[tuple[Visit, str]]:
    """A visit on which a whole game has been played, and the trace that was recorded of it."""
    with ExitStack() as stack:
        visit = Visit(stack)
        assert visit.state["prompt"]["kind"] == "ChooseFirst"
        visit.post("record", {"on": True})
        visit.win()
        yield visit, visit.post("record", {"on": False}).json()["trace"]


def test_whole_game_is_played_over_the_interface(won: tuple[Visit, str]) -> None:
    visit, _ = won
    state = visit.state
    assert state["phase"] == "over"
    # The board's time passes while a request is answered, on a slow machine more of it than the result is shown for.
    assert state["prompt"]["kind"] in ("Won", "PlayAgain")
    assert state["result"] == {
        "winner": 0,
        "reason": "call",
        "alignments": [{"squares": ["a1", "b1", "c1", "d1"], "traits": ["top"]}],
    }
    assert state["board"] == {square: piece for piece, square in LINE}
    assert state["tally"]["wins"] == [1, 0]
    assert state["tally"]["average_ms"] > 0
    assert state["tally"]["against"] == []
    assert not state["asleep"]
    visit.clear()
    assert visit.state["phase"] == "choose"
    assert visit.state["table"] == {"standing": {}, "moving": []}


def test_piece_moves_to_where_it_is_put_and_slides_from_square_to_square(visit: Visit) -> None:
    assert visit.post("hands", {"do": "put", "piece": "ltrf", "cell": "offer"}).status_code == 200
    visit.wait(500)
    assert visit.state["table"] == {"standing": {"LTRF": "offer"}, "moving": []}
    visit.wait(1_500)
    assert visit.state["hand"] == "LTRF"
    visit.put("LTRF", "b2")
    assert visit.state["board"] == {"b2": "LTRF"}
    visit.put("LTRF", "b3")
    assert visit.state["board"] == {"b3": "LTRF"}


def test_several_pieces_move_at_once(visit: Visit) -> None:
    for piece, cell in LINE:
        assert visit.post("hands", {"do": "put", "piece": piece, "cell": cell}).status_code == 200
    visit.wait(1_000)
    assert visit.state["table"]["standing"] == dict(LINE)
    assert visit.post("hands", {"do": "clear"}).status_code == 200
    visit.wait(1_000)
    assert visit.state["table"] == {"standing": {}, "moving": []}


def test_hands_do_not_put_two_pieces_on_one_square(visit: Visit) -> None:
    visit.put("LTRF", "b2")
    answer = visit.post("hands", {"do": "put", "piece": "DSQH", "cell": "b2"})
    assert (answer.status_code, answer.json()) == (
        409,
        {"error": "another piece stands on b2.", "reason": "square taken"},
    )


def test_lifting_what_does_not_stand_anywhere_does_nothing(visit: Visit) -> None:
    assert visit.post("hands", {"do": "lift", "piece": "LTRF"}).status_code == 200
    visit.wait(500)
    assert visit.state["table"] == {"standing": {}, "moving": []}


def test_game_is_played_against_the_computer_that_was_chosen_on_the_page(visit: Visit) -> None:
    assert visit.post("settings", {"levels": [0, 2], "language": "fr"}).status_code == 200
    visit.wait(300)
    state = visit.state
    assert state["settings"]["levels"] == [0, 2]
    assert [player["computer"] for player in state["players"]] == [None, 2]
    assert state["language"] == "fr"


def test_what_is_chosen_in_mid_game_counts_from_the_next_one(visit: Visit) -> None:
    visit.turn("LTRF", "a1")
    assert visit.post("settings", {"squares": True, "clock_seconds": 60}).status_code == 200
    visit.wait(300)
    assert visit.post("settings", {"coach": True}).status_code == 200
    visit.wait(300)
    state = visit.state
    assert not state["settings"]["squares"]
    assert state["settings"]["coach"]
    chosen = state["next_settings"]
    assert (chosen["squares"], chosen["clock_seconds"], chosen["coach"]) == (True, 60, True)


def test_move_is_taken_back_and_the_game_paused_and_given_up_by_order(visit: Visit) -> None:
    visit.turn("LTRF", "a1")
    visit.post("order", {"order": "pause"})
    visit.wait(300)
    assert visit.state["overlays"] == ["paused"]
    visit.post("order", {"order": "pause"})
    visit.post("order", {"order": "new game"})
    visit.wait(300)
    assert [game["reason"] for game in visit.get("games")] == ["unfinished"]


def answer_to(order: str, phase: RefereePhase, board: Board | None = None) -> tuple[int, str | None, int]:
    """How an order is answered in a phase of the game: the status, the reason, and how much reached the game."""
    posted: list[Input] = []
    given = ServedBoard(feed_with(moment(phase=phase, board=board)), lambda make: posted.append(make(7)), pin="123456")
    with TestClient(service(given), base_url=LOCAL) as client:
        answer = client.post("/api/v1/order", json={"order": order}, headers={"X-Pin": "123456"})
    return answer.status_code, answer.json().get("reason"), len(posted)


def test_order_that_would_change_nothing_is_answered_with_the_reason() -> None:
    placed = Board().place(parse_square("b2"), parse_piece("LTRF"))
    for order in ("new game", "undo", "pause"):
        assert answer_to(order, RefereePhase.CHOOSE) == (409, "no game", 0)
        assert answer_to(order, RefereePhase.ATTRACT) == (409, "no game", 0)
        assert answer_to(order, RefereePhase.OVER, placed) == (409, "game over", 0)
        assert answer_to(order, RefereePhase.PLACED, placed) == (200, None, 1)
    assert answer_to("undo", RefereePhase.GIVEN) == (409, "nothing placed", 0)
    assert answer_to("pause", RefereePhase.GIVEN) == (200, None, 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lesson_has_its_pages_and_a_whole_game_in_every_language(language: str) -> None:
    lesson: Parsed = lesson_in(language)
    assert [page["title"] for page in lesson["pages"]] == [page.title for page in Words(language).how_to_play()]
    game = lesson["game"]
    assert (game["reason"], len(game["alignments"])) == ("call", 1)
    assert len(game["positions"]) == 2 * len(game["moves"]) - 1


def test_finished_game_is_told_move_by_move_and_as_a_record(won: tuple[Visit, str]) -> None:
    visit, _ = won
    (summary,) = visit.get("games")
    assert {key: summary[key] for key in ("number", "result", "winner", "reason", "moves")} == {
        "number": 1,
        "result": "player 1",
        "winner": 0,
        "reason": "call",
        "moves": 4,
    }
    game = visit.get("games/1")
    assert [move["text"] for move in game["moves"]] == ["0", "a1 2", "b1 4", "c1 8", "d1"]
    assert [move["player"] for move in game["moves"]] == [0, 1, 0, 1, 0]
    assert game["positions"][0] == "..../..../..../.... -"
    assert game["positions"][-1] == "..../..../..../0248 -"
    record = visit.client.get("/api/v1/games/1/record")
    assert record.headers["content-type"].startswith("text/plain")
    assert "attachment" in record.headers["content-disposition"]
    assert parse_record(record.text).game.result is not None


def test_reader_that_is_switched_off_is_missed_and_comes_back(visit: Visit) -> None:
    visit.post("faults", {"reader": "b2", "dead": True})
    visit.wait(15_000)
    state = visit.state
    assert state["overlays"] == ["reader_fault"]
    assert state["readers"]["b2"]["ok"] is False
    visit.post("faults", {"repair": True})
    visit.wait(10_000)
    assert visit.state["overlays"] == []


@pytest.mark.parametrize("fault", [{"power": "cut"}, {"noise": 0.05}, {"cross_talk": True}])
def test_game_goes_on_through_trouble(visit: Visit, fault: dict[str, object]) -> None:
    assert visit.post("faults", fault).status_code == 200
    visit.wait(3_000)
    assert visit.post("faults", {"repair": True}).status_code == 200
    visit.wait(3_000)
    visit.turn("LTRF", "a1")
    assert visit.state["board"] == {"a1": "LTRF"}


def test_trace_that_was_recorded_is_replayed_to_the_same_end(
    won: tuple[Visit, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, trace = won
    file = tmp_path / "page.trace"
    file.write_text(trace)
    assert main(["replay", "--json", str(file)]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["event"], last["winner"], last["reason"]) == ("result", 0, "call")


def test_dots_of_the_display_are_those_that_the_simulated_chip_holds(stack: ExitStack) -> None:
    visit = Visit(stack, equipped(Config()))
    oled = visit.state["oled"]
    assert (oled["width"], oled["height"]) == (128, 64)
    assert len(base64.b64decode(oled["dots"])) == 128 * 64 // 8


def test_lights_are_seen_as_pins_and_strip_are(stack: ExitStack) -> None:
    visit = Visit(stack, equipped(Config()))
    assert visit.get("seen")["panel"] == {"a": 1.0, "b": 0.0, "attention": 0.0}
    assert visit.state["lights"]["panel"] == {"a": "on", "b": "off", "attention": "off"}


def test_board_with_two_buttons_has_no_third_one(stack: ExitStack) -> None:
    visit = Visit(stack, parse_config("[game]\nbuttons = 2\n"))
    assert visit.post("button", {"button": "call0", "down": True}).status_code == 200
    answer = visit.post("button", {"button": "call", "down": True})
    assert (answer.status_code, answer.json()["error"]) == (
        409,
        "this board has no button 'call': it has call0, call1.",
    )


def test_board_without_a_voice_has_none_to_be_switched(visit: Visit) -> None:
    assert visit.state["settings"]["voice"] is None
    refused = visit.post("settings", {"voice": True})
    assert refused.status_code == 409
    assert refused.json() == {"error": "'voice' cannot be switched: this board has none."}
