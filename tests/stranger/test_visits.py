"""Guests who know nothing but what one channel tells them in their language, from a dark board into the second game."""

from __future__ import annotations

import pytest

from quarto_pi.languages import LANGUAGES
from quarto_pi.rules import Player, parse_piece
from tests.stranger.channels import CHANNELS, VoiceChannel
from tests.stranger.tongues import tongue
from tests.stranger.visit import HOUSES, visit

MANY = range(100, 110)


@pytest.mark.slow
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_guests_are_never_stuck(language: str, channel: str) -> None:
    index = list(LANGUAGES).index(language)
    house = list(HOUSES)[index % len(HOUSES)]
    went = visit(house, channel, language, index)
    assert went.stuck is None
    assert went.games == 1
    assert went.first_move_ms is not None


@pytest.mark.campaign
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("house", HOUSES)
def test_guests_of_every_kind_are_never_stuck(house: str, channel: str) -> None:
    visits = [visit(house, channel, language, seed) for language in LANGUAGES for seed in MANY]
    assert [each for each in visits if each.stuck is not None] == []


def test_guests_whom_nothing_is_said_to_are_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VoiceChannel, "take", lambda *_: None)
    assert visit("two people", "voice", "en", 0).stuck == "nothing is told"


def test_sentence_is_understood_by_its_verbs_pieces_and_squares() -> None:
    heard = tongue("en").understand("Player 2: there are two. Move the dark, tall, round, solid piece from b2 to c3.")
    assert heard.players == (Player.B,)
    assert heard.piece == parse_piece("DTRF")
    *_, move = heard.clauses
    assert move.put
    assert not move.take
    assert move.squares == ("c3",)
