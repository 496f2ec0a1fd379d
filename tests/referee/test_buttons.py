"""What the movements of a button are: presses, bounces, long presses."""

from __future__ import annotations

from quarto_pi.referee.inputs import Button, ButtonName, Press, Presses, Use, moved, without_used
from quarto_pi.referee.settings import Patience

PATIENCE = Patience()


def after(*movements: tuple[int, bool], name: ButtonName = ButtonName.CALL) -> Presses:
    presses: Presses = ()
    for at, down in movements:
        presses = moved(presses, Button(at, name, down), PATIENCE)
    return presses


def test_press_begins_and_ends_where_the_button_moved() -> None:
    (press,) = after((100, True), (220, False))
    assert (press.at, press.up) == (100, 220)
    assert press.held(900) == 120


def test_bounces_are_one_press_that_began_with_the_first() -> None:
    (press,) = after(
        (100, True), (104, False), (107, True), (112, False), (115, True), (300, False), (306, True), (309, False)
    )
    assert (press.at, press.up) == (100, 309)


def test_release_is_certain_only_when_it_has_not_bounced_for_a_while() -> None:
    (press,) = after((100, True), (200, False))
    assert not press.is_released(200 + PATIENCE.bounce - 1, PATIENCE)
    assert press.is_released(200 + PATIENCE.bounce, PATIENCE)


def test_second_press_is_another_one() -> None:
    first, second = after((100, True), (200, False), (400, True))
    assert (first.up, second.up) == (200, None)
    assert second.held(1_400) == 1_000


def test_button_that_comes_up_without_having_gone_down_is_no_press() -> None:
    assert after((100, False)) == ()


def test_buttons_do_not_bounce_into_each_other() -> None:
    presses = moved(after((100, True), (105, False)), Button(110, ButtonName.CALL_B, down=True), PATIENCE)
    assert [press.name for press in presses] == [ButtonName.CALL, ButtonName.CALL_B]


def test_used_press_is_forgotten_once_the_button_is_up_for_good() -> None:
    used = Press(ButtonName.CALL, 100, 200, Use.DONE)
    assert without_used((used,), 220, PATIENCE) == (used,)
    assert without_used((used,), 250, PATIENCE) == ()
    waiting = Press(ButtonName.CALL, 100, 200)
    assert without_used((waiting,), 10_000, PATIENCE) == (waiting,)
