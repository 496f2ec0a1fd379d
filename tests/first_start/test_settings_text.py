"""The owner's settings file as editors on Windows and macOS leave it."""

from __future__ import annotations

import pytest

from quarto_pi.first_start.mistakes import Mistaken, SettingsMistake, WrongSetting
from quarto_pi.first_start.owner_settings import OWNER_NAMES, SECRETS
from quarto_pi.first_start.settings_text import (
    TAKEN_OVER,
    decode_settings,
    parse_settings,
    settings_template,
    without_secrets,
)

WRITTEN = 'language = nl\nPIN = 471147\nWi-Fi name = Café "Zoë"\n'
SAID = {"language": "nl", "PIN": "471147", "Wi-Fi name": 'Café "Zoë"'}


def said_in(content: bytes) -> dict[str, str]:
    owner = parse_settings(decode_settings(content).text)
    assert owner.mistakes == ()
    return {name: line.value for name, line in owner.said.items()}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_file_of_any_editor_is_read(encoding: str, end: str) -> None:
    assert said_in(WRITTEN.replace("\n", end).encode(encoding)) == SAID


@pytest.mark.parametrize(
    "line",
    [
        "PIN=471147",
        "  pin : 471147  ",
        "Pin = “471147”",
        "PIN = „471147“",
        "PIN = '471147'",
        "\ufeffPIN\xa0=\xa0471147",
        "PIN \uff1d 471147",
        "\u200bPIN = 471147\t",
    ],
)
def test_blanks_case_quotes_and_marks_do_not_matter(line: str) -> None:
    assert said_in(line.encode()) == {"PIN": "471147"}


@pytest.mark.parametrize("name", ["opening hours", "Opening Hours", "opening_hours", "OPENING-HOURS", "openinghours"])
def test_name_of_a_setting_may_be_written_in_any_way(name: str) -> None:
    assert said_in(f"{name} = mon 10:00-11:00".encode()) == {"opening hours": "mon 10:00-11:00"}


def test_line_that_is_empty_behind_its_name_and_a_comment_say_nothing() -> None:
    assert said_in(b"# PIN = 123456\nPIN =\n; language = de\n\n//\n") == {}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("please speak German", WrongSetting.NO_VALUE),
        ("langage = de", WrongSetting.UNKNOWN),
        ("language = de\nLANGUAGE = fr", WrongSetting.TWICE),
    ],
)
def test_line_that_nobody_understands_is_told_with_its_number_and_the_rest_counts(
    line: str, what: WrongSetting
) -> None:
    owner = parse_settings(f"PIN = 123456\n{line}")
    number = len(line.splitlines()) + 1
    assert [(mistake.what, mistake.line) for mistake in owner.mistakes] == [(what, number)]
    assert owner.said["PIN"].value == "123456"


def test_name_that_is_nearly_right_is_told_the_right_one_and_another_all_of_them() -> None:
    near, far = parse_settings("langage = de\ncolour = red").mistakes
    assert near == SettingsMistake(WrongSetting.UNKNOWN, 1, "langage", ("language",))
    assert far.known == OWNER_NAMES


@pytest.mark.parametrize(
    "content",
    [b"{\\rtf1\\ansi PIN = 123456}", b"PK\x03\x04word/document.xml", b"\x89PNG\r\n\x1a\n\0\0", b"x" * 70_000],
    ids=["rich text", "document", "picture", "endless"],
)
def test_what_is_no_plain_text_is_told_as_a_whole(content: bytes) -> None:
    with pytest.raises(Mistaken) as caught:
        decode_settings(content)
    assert caught.value.mistake.what is WrongSetting.NOT_TEXT


def test_new_card_says_nothing_and_names_every_setting() -> None:
    owner = parse_settings(decode_settings(settings_template({})).text)
    assert (owner.said, owner.mistakes) == ({}, ())
    text = settings_template({"language": "de", "PIN": TAKEN_OVER}).decode("utf-8-sig")
    assert [line.partition(" =")[0] for line in text.split("\r\n") if line and not line.startswith("#")] == [
        *OWNER_NAMES
    ]
    assert "\r\nlanguage = de\r\n" in text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_secrets_are_taken_out_and_nothing_else_is_changed(encoding: str) -> None:
    text = "# PIN = 111111\r\nPIN: “471147”\r\nWi-Fi name = Zoë\r\nwifi  password=geheim und so\r\nopening hours =\r\n"
    after = without_secrets(text.encode(encoding), SECRETS).decode(encoding)
    assert after == (
        f"# PIN = 111111\r\nPIN : {TAKEN_OVER}\r\nWi-Fi name = Zoë\r\nwifi  password = {TAKEN_OVER}\r\n"
        "opening hours =\r\n"
    )
    assert without_secrets(after.encode(encoding), SECRETS) == after.encode(encoding)
