"""The snapshot has a form for everything that the referee can show."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import Against, Tally
from quarto_pi.referee.messages import Message
from quarto_pi.referee.view import ClockView
from quarto_pi.rules import Player
from quarto_pi.web.requests import Moment
from quarto_pi.web.snapshot import labels_in, snapshot
from quarto_pi.web.wishes import Refused
from quarto_pi.words import Words
from tests.web.visit import moment
from tests.words.samples import MESSAGES


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_every_message_has_a_kind_words_and_what_it_names(message: Message) -> None:
    shown = moment()
    view = replace(shown.view, prompt=message, notice=message)  # type: ignore[arg-type] # any of them will do
    told = snapshot(Moment(view, shown.lights, shown.wishes), Words("fr"))
    prompt = json.loads(json.dumps(told))["prompt"]
    assert prompt["kind"] == type(message).__name__
    assert prompt["headline"]
    assert prompt["text"] == Words("fr").say(message)
    assert set(prompt["about"]) == set(message.__dataclass_fields__)


def test_statistics_tell_of_each_level_that_people_have_played_against() -> None:
    shown = moment()
    tally = Tally(3, (1, 1), 1, 2, (Against(4, won=1, lost=1, drawn=1),), played_ms=90_000)
    told = snapshot(Moment(replace(shown.view, tally=tally), shown.lights, shown.wishes), Words())
    assert told["tally"] == {
        "games": 3,
        "wins": [1, 1],
        "draws": 1,
        "missed": 2,
        "average_ms": 30_000,
        "against": [{"level": 4, "won": 1, "lost": 1, "drawn": 1}],
    }


def test_clock_is_told_in_seconds() -> None:
    shown = moment()
    view = replace(shown.view, clock=ClockView(Player.B, -3, stands=True))
    told = snapshot(Moment(view, shown.lights, shown.wishes), Words())
    assert told["clock"] == {"player": 1, "seconds": -3, "stands": True}


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_has_the_same_labels_in_every_language(language: str) -> None:
    told, english = labels_in(language), labels_in("en")
    assert told["language"] == language
    for part in ("labels", "pieces", "languages"):
        mine, other = told[part], english[part]
        assert isinstance(mine, dict)
        assert isinstance(other, dict)
        assert mine.keys() == other.keys()
        assert all(mine.values())


def test_language_that_the_board_does_not_speak_is_refused() -> None:
    with pytest.raises(Refused, match="does not speak 'tlh'"):
        labels_in("tlh")
