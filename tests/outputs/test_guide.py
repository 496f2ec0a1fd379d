"""The guide on the display and under the squares: the real drivers above simulated chips."""

from __future__ import annotations

from quarto_pi.controller.first_start import Beside
from quarto_pi.devices.square_lights import SquareLights
from quarto_pi.enrolment import GuideView, ShowGuide
from quarto_pi.enrolment.state import PutPiece, ReplacePiece
from quarto_pi.outputs.display import SLEEP_AFTER_MS
from quarto_pi.outputs.first_start import GuideScreen
from quarto_pi.outputs.lights import SquaresOutput
from quarto_pi.referee import Light
from quarto_pi.referee.view import Attention, Lights, Mark
from quarto_pi.rules import PIECES
from quarto_pi.screens.first_start import draw_guide
from quarto_pi.words import Words
from tests.displays import Desk, desk, same
from tests.outputs.stage import stage

SIZE = (128, 64)
PUT = GuideView(PutPiece(PIECES[3], 4, 16), None, "de")
REPLACE = GuideView(ReplacePiece(PIECES[3], "b2"), None, "de", (("b2", Mark.TARGET),))


def at(it: Desk, screen: GuideScreen, moment: int) -> None:
    it.clock.wait_until(moment * 1_000)
    screen.tick(moment)
    it.settle()


def test_display_shows_the_newest_question_in_its_language() -> None:
    with desk() as it:
        screen = GuideScreen(it.oled)
        screen.tick(0)
        screen.perform(ShowGuide(PUT))
        at(it, screen, 100)
        assert same(it.seen(), draw_guide(PUT, SIZE, Words("de"), 0))
        screen.perform(ShowGuide(REPLACE))
        at(it, screen, 200)
        assert same(it.seen(), draw_guide(REPLACE, SIZE, Words("de"), 0))


def test_display_of_a_guide_that_nobody_follows_sleeps_until_somebody_does() -> None:
    with desk() as it:
        screen = GuideScreen(it.oled)
        screen.perform(ShowGuide(PUT))
        at(it, screen, 100)
        assert it.chip.on
        at(it, screen, 200 + SLEEP_AFTER_MS)
        assert not it.chip.on
        screen.perform(ShowGuide(REPLACE))
        at(it, screen, 300 + SLEEP_AFTER_MS)
        assert it.chip.on


def test_square_that_is_asked_about_is_lit() -> None:
    with stage() as it:
        assert isinstance(it.squares, SquareLights)
        lamps = Beside(SquaresOutput(it.squares))
        lamps.perform(ShowGuide(REPLACE))
        lamps.perform(Light(Lights(attention=Attention.ASKED, squares=REPLACE.marks)))
        lamps.tick(0)
        it.work()
        assert [square for square, seen in it.strip.lit.items() if seen.brightness] == ["b2"]
