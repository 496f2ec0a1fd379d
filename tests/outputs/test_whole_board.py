"""Everything at once: hands at the simulated table, and what display, lights and voice make of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from PIL import Image

from quarto_pi.config import Config, parse_config
from quarto_pi.wiring.platform import simulated_hardware

simulated_hardware()

from quarto_pi.referee import Show  # noqa: E402
from quarto_pi.referee.messages import GiveNext, Impaired, Impairment, Notice, PlaceThis, Won  # noqa: E402
from quarto_pi.rules import Player  # noqa: E402
from quarto_pi.screens import draw  # noqa: E402
from quarto_pi.words import Words  # noqa: E402
from tests.evening import Evening  # noqa: E402

LINE = [("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1"), ("DTRF", "d1")]
PATIENCE = 180.0


def equipped(folder: Path) -> Config:
    """A board with everything; its voice writes down what it says."""
    program = folder / "voice"
    program.write_text(
        '#!/bin/sh\ncase "$*" in *--voices*) printf "Pty Language\\n 5 en-gb x y\\n";; '
        f"*) cat >> {folder}/said; echo >> {folder}/said;; esac\n"
    )
    program.chmod(0o755)
    return parse_config(f'[oled]\n[panel_lights]\n[square_lights]\n[speech]\nprogram = "{program}"\n')


def until(happened: Callable[[], bool]) -> None:
    """Wait for what a worker does on its own, which is soon."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.005)


def shown(evening: Evening) -> Image.Image:
    return evening.board.oled.picture()


def until_right(evening: Evening) -> None:
    """Wait until the display shows the newest view."""
    pictures = possible(evening)
    until(lambda: shown(evening).tobytes() in pictures)


def possible(evening: Evening) -> set[bytes]:
    """The pictures that the newest view may be shown as: its pages, its blinking."""
    view = [effect for effect in evening.watcher.effects if isinstance(effect, Show)][-1].view
    words = Words(view.settings.language)
    return {draw(view, (128, 64), words, now).tobytes() for now in range(0, 20_000, 100)}


@pytest.mark.slow
def test_display_shows_what_the_referee_says(stack: ExitStack, tmp_path: Path) -> None:
    evening = Evening(stack, equipped(tmp_path))
    evening.wait(1_500)
    for piece, square in LINE[:2]:
        evening.turn(piece, square)
        assert isinstance(evening.watcher.prompt, GiveNext)
        until_right(evening)
    evening.put("LSRF", "offer")
    assert isinstance(evening.watcher.prompt, PlaceThis)
    until_right(evening)


@pytest.mark.slow
def test_lights_show_whose_turn_it_is_and_the_winning_line(stack: ExitStack, tmp_path: Path) -> None:
    evening = Evening(stack, equipped(tmp_path))
    factory = evening.factory
    evening.wait(1_500)
    assert [factory.pin(f"GPIO{pin}").state for pin in (5, 6, 13)] == [1.0, 0.0, 0.0]
    evening.put("LTRF", "offer")
    assert [factory.pin(f"GPIO{pin}").state for pin in (5, 6, 13)] == [0.0, 1.0, 0.0]
    evening.lift("LTRF")
    evening.put("LTRF", "a1")
    for piece, square in LINE[1:]:
        evening.turn(piece, square)
    # The square that was touched last has gone out.
    evening.wait(1_000)
    assert not evening.board.strip.lit
    evening.press()
    assert isinstance(evening.watcher.prompt, Won)
    winning = {"a1", "b1", "c1", "d1"}
    # First light runs over the whole board.
    until(lambda: bool(set(evening.board.strip.lit) - winning))
    evening.wait(4_000)
    until(lambda: set(evening.board.strip.lit) == winning)


def test_voice_says_what_is_to_be_done(stack: ExitStack, tmp_path: Path) -> None:
    evening = Evening(stack, equipped(tmp_path))
    evening.wait(1_500)
    said = tmp_path / "said"
    until(lambda: said.exists() and "put the first piece on the giving spot" in said.read_text())


@pytest.mark.slow
def test_display_that_is_unplugged_in_mid_game_stops_nothing_and_comes_back(stack: ExitStack, tmp_path: Path) -> None:
    evening = Evening(stack, equipped(tmp_path))
    evening.wait(1_500)
    evening.turn(*LINE[0])
    evening.board.oled.unplug()
    for piece, square in LINE[1:3]:
        evening.turn(piece, square)
    evening.board.oled.plug_in()
    evening.turn(*LINE[3])
    assert evening.watcher.prompt == GiveNext(Player.A)
    evening.pass_time(15_000)
    until_right(evening)


def notice_a_second_later(evening: Evening) -> Notice | None:
    evening.pass_time(1_000)
    return [effect for effect in evening.watcher.effects if isinstance(effect, Show)][-1].view.notice


@pytest.mark.slow
def test_display_that_stops_answering_is_told_by_lights_and_voice_until_it_answers(
    stack: ExitStack, tmp_path: Path
) -> None:
    evening = Evening(stack, equipped(tmp_path))
    evening.wait(1_500)
    assert notice_a_second_later(evening) is None
    evening.board.oled.unplug()
    until(lambda: notice_a_second_later(evening) == Impaired(Impairment.NO_DISPLAY))
    until(lambda: "The display doesn't answer." in (tmp_path / "said").read_text())
    evening.board.oled.plug_in()
    until(lambda: notice_a_second_later(evening) is None)


@pytest.mark.slow
def test_board_without_any_display_is_played_all_the_same(stack: ExitStack, tmp_path: Path) -> None:
    evening = Evening(stack, equipped(tmp_path))
    evening.board.oled.unplug()
    evening.board.strip.unplug()
    evening.wait(1_500)
    for piece, square in LINE:
        evening.turn(piece, square)
    evening.press()
    assert isinstance(evening.watcher.prompt, Won)
