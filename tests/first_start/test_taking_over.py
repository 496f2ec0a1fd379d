"""From the owner's file and the phone's answers to the configuration; and a plug that is pulled at any step."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from quarto_pi.first_start.mistakes import WrongSetting
from quarto_pi.first_start.settings_text import TAKEN_OVER, settings_template
from quarto_pi.first_start.taking_over import (
    KEYFILE,
    is_set_up,
    take_over_settings,
)
from tests.first_start.cards import Card, PowerCut, cut_before

OWNERS = (
    "language = Français\r\nwiring = Pi Two Buttons\r\nPIN = 471147\r\nopening hours = Mon–Fri 17h00–23h00\r\n"
    "time zone = europe/paris\r\nwifi country = fr\r\nWi-Fi name = Café Zoë\r\nWi-Fi password = mot de passe\r\n"
)


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


def test_what_the_owner_writes_is_what_the_board_starts_with(card: Card) -> None:
    card.say(OWNERS)
    taken = take_over_settings(card.places)
    assert taken.mistakes == ()
    config = card.config
    assert config.page is not None
    assert config.network is not None
    assert (config.game.language, config.game.buttons, config.page.pin) == ("fr", 2, "471147")
    assert (config.kiosk.time_zone, config.network.country) == ("Europe/Paris", "FR")
    assert config.kiosk.hours is not None
    assert len(config.kiosk.hours.stretches) == 5
    assert config.page.host == "0.0.0.0"  # noqa: S104 - as the card's own file says
    assert f"ssid={''.join(f'{byte};' for byte in 'Café Zoë'.encode())}" in card.keyfile
    assert "psk=mot\\sde\\spasse\n" in card.keyfile


def test_secrets_leave_the_file_and_only_root_and_the_board_read_them(card: Card) -> None:
    card.say(OWNERS)
    take_over_settings(card.places)
    left = card.file.read_text(encoding="utf-8")
    assert "471147" not in left
    assert "mot de passe" not in left
    assert left.count(TAKEN_OVER) == 2
    for name, content in card.everything().items():
        if b"471147" in content or b"mot\\sde\\spasse" in content:
            mode = stat.S_IMODE((card.places.card.parent / name).stat().st_mode)
            assert not mode & 0o037, name


def test_second_start_writes_nothing(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    card.say(OWNERS)
    take_over_settings(card.places)
    before = card.everything()

    def refuse(*_: object) -> None:
        raise AssertionError("nothing is new")

    monkeypatch.setattr("quarto_pi.first_start.taking_over.put_whole", refuse)
    assert take_over_settings(card.places).news == ()
    assert card.everything() == before


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("language = klingon", WrongSetting.NOT_ONE_OF),
        ("wiring = paper", WrongSetting.NOT_ONE_OF),
        ("PIN = 123", WrongSetting.PIN),
        ("PIN = ßßßßßß", WrongSetting.PIN),
        ("opening hours = always", WrongSetting.UNLIKE),
        ("time zone = Mars/Olympus", WrongSetting.UNLIKE),
        ("Wi-Fi country = Germany", WrongSetting.UNLIKE),
        (f"Wi-Fi name = {'x' * 33}", WrongSetting.WIFI_NAME),
        ("Wi-Fi password = long enough", WrongSetting.WIFI_NAME),
        ("Wi-Fi name = home\nWi-Fi password = short", WrongSetting.WIFI_PASSWORD),
    ],
)
def test_wrong_line_is_told_by_its_number_and_everything_else_is_taken(
    card: Card, line: str, what: WrongSetting
) -> None:
    other = "time zone = UTC" if "zone" not in line else "language = de"
    card.say(f"# mine\n{other}\n{line}\n")
    (mistake,) = take_over_settings(card.places).mistakes
    assert (mistake.what, mistake.line) == (what, 2 + len(line.splitlines()))
    kiosk = card.config.kiosk.time_zone if "zone" not in line else card.config.game.language
    assert kiosk in ("UTC", "de")
    assert line.splitlines()[-1] in card.file.read_text(encoding="utf-8"), "it is there to be put right"


def test_bounds_are_those_of_the_configuration(card: Card) -> None:
    for pin, is_right in (("1" * 5, False), ("1" * 6, True), ("1" * 64, True), ("1" * 65, False)):
        card.say(f"PIN = {pin}\n")
        assert (take_over_settings(card.places).mistakes == ()) is is_right


def test_what_is_said_last_counts_line_by_line(card: Card) -> None:
    card.say("language = de\nopening hours = 10:00-20:00\n")
    take_over_settings(card.places)
    card.answer(language="fr", PIN="246810")
    take_over_settings(card.places)
    assert card.config.game.language == "fr", "the phone came later"
    card.say("language = de\nopening hours = 11:00-20:00\n")
    take_over_settings(card.places)
    assert card.config.game.language == "fr", "this line of the file is not new"
    card.say("language = it\nopening hours = 11:00-20:00\n")
    take_over_settings(card.places)
    assert card.config.game.language == "it"
    assert card.config.page is not None
    assert card.config.page.pin == "246810"


def test_line_that_is_taken_away_counts_no_more(card: Card) -> None:
    card.say(OWNERS)
    take_over_settings(card.places)
    card.say(f"PIN = {TAKEN_OVER}\n")
    take_over_settings(card.places)
    config = card.config
    assert config.page is not None
    assert (config.page.pin, config.game.language, config.kiosk.hours) == ("471147", "en", None)
    assert not (card.places.networks / KEYFILE).exists()
    card.say("PIN =\n")
    take_over_settings(card.places)
    assert card.config.page is not None
    assert card.config.page.pin == ""


def test_file_that_is_gone_or_is_no_text_changes_nothing(card: Card) -> None:
    card.say(OWNERS)
    take_over_settings(card.places)
    before = card.config
    card.say("{\\rtf1 PIN = 999999}")
    assert [mistake.what for mistake in take_over_settings(card.places).mistakes] == [WrongSetting.NOT_TEXT]
    assert card.config == before
    card.file.unlink()
    take_over_settings(card.places)
    assert card.config == before
    assert f"PIN = {TAKEN_OVER}" in card.file.read_text(encoding="utf-8-sig"), "a new file says what counts"
    assert take_over_settings(card.places).news == ()


@pytest.mark.parametrize("name", ["quarto-pi.txt.txt", "Quarto-Pi.TXT", "quarto-pi", "quarto-pi.rtf"])
def test_name_that_an_editor_gives_the_file_is_right_as_well(card: Card, name: str) -> None:
    (card.places.card / name).write_text("language = lt\n", encoding="utf-8")
    take_over_settings(card.places)
    assert card.config.game.language == "lt"


def test_of_two_files_the_newest_counts_and_that_is_told(card: Card) -> None:
    card.say("language = lt\n")
    second = card.places.card / "quarto-pi.txt.txt"
    second.write_text("language = nl\nPIN = 222222\n", encoding="utf-8")
    card.say("language = lt\nPIN = 111111\n")
    newest = card.file.stat().st_mtime_ns + 10**9
    os.utime(second, ns=(newest, newest))
    (mistake,) = take_over_settings(card.places).mistakes
    assert (mistake.what, mistake.written) == (WrongSetting.TWO_FILES, second.name)
    assert card.config.game.language == "nl"
    assert "1111" not in card.file.read_text(encoding="utf-8"), "no PIN stays in a file that does not count either"
    assert "2222" not in second.read_text(encoding="utf-8")


def test_password_is_asked_for_again_for_another_network(card: Card) -> None:
    card.say(OWNERS)
    take_over_settings(card.places)
    before = card.keyfile
    card.say(f"Wi-Fi name = Neighbour\nWi-Fi password = {TAKEN_OVER}\n")
    assert [mistake.what for mistake in take_over_settings(card.places).mistakes] == [WrongSetting.WIFI_PASSWORD]
    assert card.keyfile == before
    card.say("Wi-Fi name = Neighbour\nWi-Fi password = another one\n")
    take_over_settings(card.places)
    assert "psk=another\\sone" in card.keyfile


def test_network_without_a_password_is_joined_without_one(card: Card) -> None:
    card.say("Wi-Fi name = Guests\n")
    take_over_settings(card.places)
    assert "psk" not in card.keyfile


def test_board_is_set_up_once_anything_was_said_and_not_by_an_empty_file(card: Card) -> None:
    file = card.places.config / "quarto-pi.toml"
    card.file.write_bytes(settings_template({}))
    take_over_settings(card.places)
    assert not is_set_up(file)
    card.say("language = de\n")
    take_over_settings(card.places)
    assert is_set_up(file)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"PIN": 5, "language": "klingon", "x": "y"}', b"[" * 9000])
def test_answers_that_no_phone_gives_change_nothing(card: Card, content: bytes) -> None:
    card.places.answers.write_bytes(content)
    assert take_over_settings(card.places).said == {}
    assert not card.places.drop_in.exists()


def test_plug_that_is_pulled_at_any_step_changes_nothing_in_the_end(tmp_path: Path) -> None:
    def prepared(name: str) -> Card:
        card = Card(tmp_path / name)
        card.say("language = de\nPIN = 111111\nWi-Fi name = old\n")
        take_over_settings(card.places)
        card.say(OWNERS)
        card.answer(language="nl")
        return card

    whole = prepared("whole")
    take_over_settings(whole.places)
    wanted = whole.everything()
    cuts = 0
    for step in range(100):
        card = prepared(f"{step}")
        try:
            with cut_before(step, card.places.card.parent):
                take_over_settings(card.places)
            break
        except PowerCut:
            cuts += 1
        assert b"471147" in b"".join(card.everything().values()), "the PIN is somewhere at any moment"
        take_over_settings(card.places)
        assert card.everything() == wanted, f"cut before step {step}"
    assert cuts >= 12
