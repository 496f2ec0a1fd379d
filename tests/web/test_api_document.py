"""docs/api.md tells the truth: every key and every path in it exists, and none is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.commands.simulate import equipped
from quarto_pi.config import Config
from quarto_pi.referee.phases import Overlay, RefereePhase
from quarto_pi.referee.view import Mark
from quarto_pi.web.wishes import KEYS
from tests.web.visit import Parsed, Visit

pytestmark = pytest.mark.slow

DOCUMENT = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    with ExitStack() as stack:
        visit = Visit(stack, equipped(Config()))
        visit.win()
        yield visit


def section(title: str) -> str:
    return DOCUMENT.partition(f"## {title}\n")[2].partition("\n## ")[0]


def words(text: str) -> set[str]:
    return set(re.findall(r"`([^`]*)`", text))


def rows() -> dict[str, str]:
    return dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section("The snapshot"), re.MULTILINE))


def test_every_key_of_the_snapshot_is_described_and_no_other(visit: Visit) -> None:
    assert set(rows()) == set(visit.state)


@pytest.mark.parametrize("key", ["prompt", "result", "tally", "oled", "table", "faults"])
def test_every_key_within_is_described(visit: Visit, key: str) -> None:
    assert set(visit.state[key]) <= words(rows()[key])


def test_every_key_of_lists_and_lights_is_described(visit: Visit) -> None:
    state: Parsed = visit.state
    assert set(state["players"][0]) <= words(rows()["players"])
    assert {*state["lights"], *state["lights"]["panel"]} <= words(rows()["lights"])
    assert set(state["readers"]["b2"]) <= words(rows()["readers"])


def test_every_phase_overlay_and_mark_is_described() -> None:
    assert {phase.name.lower() for phase in RefereePhase} <= words(rows()["phase"])
    assert {overlay.name.lower() for overlay in Overlay} <= words(rows()["overlays"])
    assert {mark.value for mark in Mark} == words(rows()["marks"])


def test_every_setting_is_described(visit: Visit) -> None:
    assert set(KEYS) == set(visit.state["settings"]) == set(visit.state["next_settings"])
    assert set(KEYS) <= words(section("The snapshot"))


def test_every_key_of_a_game_is_described(visit: Visit) -> None:
    game = visit.get("games/1")
    keys = {*visit.get("games")[0], *game, *game["moves"][0]}
    assert keys <= words(section("Games"))


def test_every_key_of_the_statistics_is_described(visit: Visit) -> None:
    counted = visit.get("statistics")
    keys = {*counted, *counted["traits"][0], *counted["lines"][0], *counted["squares"]["a1"], *counted["lengths"][0]}
    assert keys <= words(section("Games"))


def test_photo_finish_is_of_games_that_are_over(visit: Visit) -> None:
    assert "photo.js" in visit.client.get("/1").text
    visit.clear()
    visit.put("LTRF", "offer")
    assert visit.client.get("/api/v1/games/2").status_code == 404


def test_every_path_that_is_described_is_answered(visit: Visit) -> None:
    for path in re.findall(r"`GET (/api/v1/[\w/]*)`", DOCUMENT):
        if not path.endswith("stream"):
            assert visit.client.get(path).status_code == 200, path
    for path in re.findall(r"`POST /api/v1/(\w+)`", DOCUMENT):
        assert visit.post(path, {"nonsense": 1}).status_code == 400, path


def test_keys_of_smaller_answers_are_described(visit: Visit) -> None:
    reading = words(section("Reading"))
    assert {*visit.get(""), *visit.get("words/fr"), *visit.get("seen")} <= reading


def test_examples_of_what_can_be_written_are_understood(visit: Visit) -> None:
    for path, bodies in re.findall(r"^\| `POST /api/v1/(\w+)` \| (.*) \|$", section("Writing"), re.MULTILINE):
        for body in re.findall(r"`(\{.*?\})`", bodies):
            if "trace" in body:
                continue
            answer = visit.send(path, body.encode(), {"content-type": "application/json"})
            assert answer.status_code in (200, 409), (path, body, answer.text)
