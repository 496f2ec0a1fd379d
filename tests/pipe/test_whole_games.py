"""Whole games over the pipe, played by hands that know only what they are told, to their end and into the next one."""

from __future__ import annotations

import pytest

from tests.pipe.stranger import Stranger, results
from tests.pipe.table import PipedTable, header

pytestmark = pytest.mark.slow

SEATS = {
    "two people with a give place": header(),
    "two people without a give place": header(offer_reader=False),
    "two people, automatic": header(rules={"calling": "auto"}),
    "a person who begins against the computer": header(players=["human", {"level": 3}]),
    "the computer begins": header(players=[{"level": 5}, "human"]),
    "the computer without a give place": header(players=["human", {"level": 2}], offer_reader=False),
    "two computers": header(players=[{"level": 2}, {"level": 4}]),
}
MOST_STEPS = 400


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("seats", SEATS)
def test_strangers_play_a_game_to_its_end_and_into_the_next_one(seats: str, seed: int) -> None:
    with PipedTable(SEATS[seats]) as table:
        table.wait(300)
        stranger = Stranger(table, seed)
        over = 0
        for _ in range(MOST_STEPS):
            stranger.act()
            over = over or (len(table.events) if results(table) else 0)
            if any(event["event"] == "placed" for event in table.events[over:] if over):
                break
        told = [event["event"] for event in table.events]
        assert "placed" in told[over:], (table.shown, told)
        assert not {"mismatch", "lifted", "undone"} & set(told)
        played = [(event["piece"], event["square"]) for event in table.events if event["event"] == "placed"]
        asked = [turn for turn in stranger.played if turn in played]
        assert asked == played
        assert results(table)[0]["reason"] in ("call", "auto", "draw")
        answers, code, complaint = table.end()
        assert (code, complaint) == (0, "")
        assert [answer["reason"] for answer in answers if answer["event"] == "result"] == ["unfinished"]
