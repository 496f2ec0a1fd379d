from dataclasses import replace
from itertools import pairwise

from PIL import Image

from quarto_pi.outputs.display import Care, care_for, shifted
from quarto_pi.referee.messages import ClearTheBoard, PlaceThis
from quarto_pi.referee.phases import Overlay, RefereePhase
from quarto_pi.rules import Player
from tests.screens.examples import LONG, attract, view_of

MINUTE = 60_000


def test_a_screen_that_has_just_changed_is_bright_and_stands_still() -> None:
    for view in (attract(), view_of(PlaceThis(Player.A, LONG))):
        assert care_for(view, 0) == care_for(view, MINUTE - 1) == Care(contrast=255, shift=(0, 0), asleep=False)


def test_a_display_that_nobody_looks_at_grows_dark_in_steps_and_sleeps_after_a_quarter_of_an_hour() -> None:
    view = replace(view_of(ClearTheBoard()), phase=RefereePhase.SET_UP)
    contrasts = [care_for(view, minute * MINUTE).contrast for minute in range(15)]
    assert contrasts == sorted(contrasts, reverse=True)
    assert len(set(contrasts)) == 3
    assert not care_for(view, 15 * MINUTE - 1).asleep
    assert care_for(view, 15 * MINUTE).asleep


def test_invitations_stay_dim_and_can_be_read_until_the_referee_says_that_the_board_sleeps() -> None:
    contrasts = {care_for(attract(), minute * MINUTE).contrast for minute in range(1, 24 * 60)}
    assert len(contrasts) == 1
    assert min(contrasts) >= 50
    assert care_for(replace(attract(), asleep=True), 0).asleep


def test_a_player_who_ponders_for_ten_minutes_still_sees_the_piece() -> None:
    view = view_of(PlaceThis(Player.A, LONG))
    assert view.phase is RefereePhase.GIVEN
    assert not care_for(view, 59 * MINUTE).asleep
    assert care_for(view, 10 * MINUTE).contrast >= 50
    assert care_for(replace(view, overlays=(Overlay.PAUSED,)), 20 * MINUTE).asleep


def test_an_idle_picture_moves_by_a_dot_every_minute() -> None:
    shifts = [care_for(attract(), minute * MINUTE).shift for minute in range(1, 15)]
    assert all(one != other for one, other in pairwise(shifts))
    assert all(abs(across) <= 1 and abs(down) <= 1 for across, down in shifts)


def test_a_shifted_picture_keeps_its_size_and_a_sleeping_one_is_black() -> None:
    image = Image.new("1", (128, 64))
    image.putpixel((10, 10), 255)
    moved = shifted(image, Care(shift=(1, -1)))
    assert moved.getbbox() == (11, 9, 12, 10)
    assert moved.size == image.size
    assert shifted(image, Care(asleep=True)).getbbox() is None
