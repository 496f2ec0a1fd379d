"""The menu: every item leads somewhere, every value can be chosen and is what the settings then say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.referee.menu import RISKY, VALUES, Item, Menu, Stage, Value, items_in, items_of, value_of, with_item
from quarto_pi.referee.remote_game import Others
from quarto_pi.referee.settings import Settings
from quarto_pi.rules import Player


@pytest.mark.parametrize(("item", "value"), [(item, value) for item, values in VALUES.items() for value in values])
def test_chosen_value_is_what_the_settings_then_say(item: Item, value: Value) -> None:
    assert value_of(item, with_item(Settings(), item, value)) == value


def test_presses_go_round_all_items() -> None:
    settings = Settings(voice=True)
    for in_game in (True, False):
        menu = Menu.opened(settings, 0, in_game)
        seen = []
        for at in range(len(items_of(settings, in_game))):
            seen.append(menu.view.item)
            menu = menu.stepped(settings, at)
        assert tuple(seen) == items_of(settings, in_game)
        assert menu.view.item is Item.NEW_GAME


def test_as_many_presses_lead_to_each_choice_whether_a_game_is_under_way_or_not() -> None:
    settings = Settings(voice=True)
    in_game, between = items_of(settings, in_game=True), items_of(settings, in_game=False)
    assert set(in_game) | set(between) == set(Item) - {Item.ANOTHER_BOARD, Item.SPECTATORS}
    assert items_of(settings, in_game=False, knows_others=True) == (*between, Item.ANOTHER_BOARD)
    for item in (Item.NEW_GAME, *VALUES, Item.ENROL, Item.SHUT_DOWN, Item.LEAVE):
        assert in_game.index(item) == between.index(item)


@pytest.mark.parametrize("in_match", [False, True])
@pytest.mark.parametrize("in_game", [False, True])
def test_spectators_stand_last_in_the_menu_of_a_board_that_may_be_watched_and_in_no_other(
    in_game: bool, in_match: bool
) -> None:
    for address in ("", "HTTP://HUB.LOCAL/WABC"):
        menu = Menu.opened(Settings(), 0, in_game, in_match=in_match, others=Others(watched_at=address))
        seen: list[Item] = []
        while not seen or menu.view.item is not Item.NEW_GAME:
            seen.append(menu.view.item)
            if menu.view.item is Item.SPECTATORS:
                assert menu.view.watched_at == address
                assert menu.entered(1) is None, "there is nothing to be chosen"
            menu = menu.stepped(Settings(), 1)
        assert seen == [*items_in(replace(menu.view, watched_at=""), Settings()), *[Item.SPECTATORS] * bool(address)]


def test_a_board_that_cannot_speak_has_no_voice_to_be_switched() -> None:
    assert set(items_of(Settings(voice=True))) - set(items_of(Settings())) == {Item.VOICE, Item.SPEAK_SQUARES}


@pytest.mark.parametrize("item", [item for item in Item if item in RISKY])
def test_risky_items_ask_again_and_a_press_says_no(item: Item) -> None:
    menu = Menu.opened(Settings(), 0)
    while menu.view.item is not item:
        menu = menu.stepped(Settings(), 1)
    asked = menu.entered(2)
    assert asked is not None
    assert asked.view.stage is Stage.SURE
    assert asked.stepped(Settings(), 3).view.stage is Stage.ITEMS
    assert asked.entered(3) is None


def test_demonstration_has_a_computer_on_both_sides() -> None:
    settings = with_item(Settings(), Item.OPPONENT, None)
    assert settings.people == ()
    assert all(settings.seat(player).is_computer for player in Player)
