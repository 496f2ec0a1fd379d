"""The header of a trace: what is written is what is read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.referee import PERSON, Seat, Settings, Starter
from quarto_pi.rules import ALL_TRAITS, Calling, FalseCallRule, Options, TimeOut
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.format import TraceError, header_of, read_header

TAGS = TagTable.from_codes({"04A1B2C3": "LTRF", "04A1B2C3D4E5F6": "DSQH"})
SEATS = st.sampled_from([PERSON, *(Seat(level) for level in range(1, 11))])
SETTINGS = st.builds(
    Settings,
    rules=st.builds(
        Options,
        squares=st.booleans(),
        traits=st.lists(st.sampled_from(ALL_TRAITS), min_size=1, unique=True).map(tuple),
        calling=st.sampled_from(Calling),
        false_call=st.sampled_from(FalseCallRule),
        time_out=st.sampled_from(TimeOut),
        clock_ms=st.none() | st.integers(1, 3_600).map(lambda seconds: seconds * 1000),
    ),
    seats=st.tuples(SEATS, SEATS),
    starter=st.sampled_from([Starter.A, Starter.B]),
    offer_reader=st.booleans(),
    buttons=st.sampled_from([1, 2]),
    undo=st.booleans(),
)


@given(SETTINGS)
def test_what_is_written_is_read_again(settings: Settings) -> None:
    starter = 0 if settings.starter is Starter.A else 1
    line = json.loads(json.dumps(header_of(settings, TAGS, starter)))
    header = read_header(line, Settings(), 3)
    assert header.settings == settings
    assert header.tags.pieces == TAGS.pieces


def test_what_is_left_out_is_as_the_controller_has_it() -> None:
    defaults = Settings(rules=Options(squares=True), seats=(PERSON, Seat(7)), buttons=2, offer_reader=False)
    header = read_header({"trace": 1, "tags": {"04A1B2C3": "LTRF"}}, defaults, 3)
    assert header.settings == defaults


def test_computer_without_a_level_has_the_one_of_the_configuration() -> None:
    line: dict[str, object] = {"trace": 1, "tags": {"04A1B2C3": "LTRF"}, "players": ["ai", "ai 9"]}
    assert read_header(line, Settings(), 4).settings.seats == (Seat(4), Seat(9))


@pytest.mark.parametrize(
    "players", [["human"], ["human", "robot"], ["human", "ai 11"], ["human", "ai x"], "human", [1, 2]]
)
def test_players_that_nobody_knows_are_told(players: object) -> None:
    with pytest.raises(TraceError, match="players"):
        read_header({"trace": 1, "tags": {"04A1B2C3": "LTRF"}, "players": players}, Settings(), 3)
