"""D8 on the page: as long as nobody has called, nothing on it depends on whether there is something to call."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from quarto_pi.commands.simulate import equipped
from quarto_pi.config import Config
from quarto_pi.rules import Board, parse_piece
from tests.web.visit import KNOWN_MS, LINE, Parsed, Visit


def everything(visit: Visit) -> list[Parsed]:
    """All that the page can learn; the display is drawn by a worker at its own moments and has tests of its own.

    Where two of its pictures follow each other the page may learn of the second alone: states are numbered with them.
    """
    state = visit.state
    del state["oled"]
    del state["seq"]
    return [state, visit.get("games"), list(visit.playground.feed.lines)]


def evening(visit: Visit) -> list[Parsed]:
    """Four pieces in a row, nobody calls, and the next piece is given; hands move at the same moments every time."""
    seen = []
    for piece, square in (*LINE, ("DSQH", None)):
        for cell in ("offer", square):
            if cell is not None:
                visit.playground.workshop.put(parse_piece(piece).number, cell)
            visit.wait(KNOWN_MS)
            seen.append(everything(visit))
    return seen


@pytest.mark.slow
@pytest.mark.parametrize(
    "config",
    [pytest.param(Config(), marks=pytest.mark.campaign, id="plain"), pytest.param(equipped(Config()), id="equipped")],
)
def test_page_shows_the_same_whether_or_not_there_is_something_to_call(
    monkeypatch: pytest.MonkeyPatch, config: Config
) -> None:
    with ExitStack() as stack:
        visit = Visit(stack, config)
        with_open_ones = evening(visit)
        visit.press()
        assert visit.state["result"]["reason"] == "call"
    monkeypatch.setattr(Board, "alignments_through", lambda *_, **__: ())
    with ExitStack() as stack:
        visit = Visit(stack, config)
        blind = evening(visit)
        visit.press()
        assert visit.state["result"] is None
    assert with_open_ones == blind


@pytest.mark.slow
def test_alignment_is_shown_as_missed_once_it_has_lapsed(visit: Visit) -> None:
    for piece, square in LINE:
        visit.turn(piece, square)
    visit.turn("DSQH", "c3")
    assert visit.state["missed"] == [{"squares": ["a1", "b1", "c1", "d1"], "traits": ["top"]}]
