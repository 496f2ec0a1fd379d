"""The configuration: what it means, and one clear sentence for each thing that can be wrong with it."""

import re
from pathlib import Path

import pytest

from quarto_pi.config import Config, ConfigError, parse_config, read_config
from quarto_pi.devices.readers.fields import FieldMode
from quarto_pi.rules import QuartoError


def test_an_empty_configuration_is_the_usual_wiring() -> None:
    assert parse_config("") == Config()


def test_keys_that_are_left_out_keep_their_defaults() -> None:
    config = parse_config("[readers]\nenable_pin = 26\n[fields]\nsupply_ma = 3000\n[sensing]\nplaced_after_ms = 400\n")
    assert config.readers.enable_pin == 26
    assert config.readers.offer_pin == Config().readers.offer_pin
    assert config.fields.budget.supply_ma == 3000.0
    assert config.fields.mode is FieldMode.ONE_AT_A_TIME
    assert config.sensing.placed_after_ms == 400


def test_select_lines_can_be_swapped() -> None:
    lines = parse_config("[readers.lines]\na1 = 1\nb1 = 0\n").readers.lines
    assert (lines["a1"], lines["b1"], lines["c1"]) == (1, 0, 2)


def test_a_kiosk_waits_as_long_as_the_configuration_says() -> None:
    kiosk = parse_config("[kiosk]\nabandon_minutes = 45\nlanguage_minutes = 2\nsleep_minutes = 0\n").kiosk
    assert (kiosk.patience.abandoned, kiosk.patience.guest, kiosk.patience.sleeps) == (2_700_000, 120_000, 0)
    assert kiosk.hours is None


def test_languages_of_the_kiosk_are_those_that_a_press_goes_through() -> None:
    config = parse_config('[game]\nlanguage = "fr"\n[kiosk]\nlanguages = ["fr", "nl"]\n')
    assert config.settings.languages == ("fr", "nl")
    assert config.settings.language == "fr"


@pytest.mark.parametrize("calibration", ["", 'calibration = "apart.toml"\n'])
def test_several_fields_at_once_may_be_wanted_before_there_is_a_calibration(calibration: str) -> None:
    config = parse_config(f'[fields]\nmode = "interleaved"\n{calibration}')
    assert config.fields.mode is FieldMode.INTERLEAVED


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[readers\n", "this is not TOML"),
        ("readers = 3\n", "readers stands alone: write a section [readers]"),
        ("[reader]\n", "[reader] is not a section: did you mean 'readers'?"),
        ("[readers]\nofer = true\n", "[readers] ofer is not a key of this section: did you mean 'offer'?"),
        ("[readers]\noffer = 1\n", "[readers] offer is 1: write true or false"),
        ("[readers]\nenable_pin = true\n", "[readers] enable_pin is true: write a whole number, such as 24"),
        ("[readers]\nenable_pin = 28\n", "[readers] enable_pin is 28: the header has GPIO 0 to 27"),
        ("[readers]\nenable_pin = 17\n", "[readers] enable_pin is 17: address_pins has this pin already"),
        ("[readers]\noffer_pin = 3\n", "[readers] offer_pin is 3: GPIO 3 belongs to I2C"),
        ("[readers]\nreset_pin = 24\n", "[readers] reset_pin is 24: enable_pin has this pin already"),
        ("[readers]\nreset_pin = 12\n", "[buttons] call_pin is 12: [readers] reset_pin has this pin already"),
        ("[readers]\naddress_pins = [1, 2, 3]\n", "[readers] address_pins is [1, 2, 3]: write a list of 4 pins"),
        ("[readers]\naddress_pins = [17, 17, 22, 23]\n", "[readers] address_pins is 17: address_pins has this pin"),
        ("[readers]\nspi_hz = 20000000\n", "[readers] spi_hz is 20000000: the MFRC522 takes"),
        ("[readers]\nspi_bus = -1\n", "[readers] spi_bus is -1: devices are numbered from 0"),
        ("[readers]\nlines = 3\n", "[readers] lines is 3: write a section [readers.lines]"),
        ("[readers.lines]\na1 = 1\n", "[readers.lines] b1 is 1: a1 is on this select line already"),
        ("[readers.lines]\na1 = 16\n", "[readers.lines] a1 is 16: the decoder has outputs 0 to 15"),
        ("[readers.lines]\ne1 = 3\n", "[readers.lines] e1 is not a key of this section"),
        ('[fields]\nmode = "at once"\n', '[fields] mode is "at once": choose from one at a time, in turn, interleaved'),
        ("[fields]\nsupply_ma = 300\n", "[fields] supply_ma is 300.0: a supply of 300 mA cannot feed 17 readers"),
        ("[fields]\nfield_ma = 0\n", "[fields] field_ma is 0.0: a current is above 0"),
        ("[fields]\nsupply_ma = true\n", "[fields] supply_ma is true: write a number, such as 2000"),
        ('[fields]\nsupply_ma = "much"\n', '[fields] supply_ma is "much": write a number, such as 2000'),
        ("[sensing]\nplaced_after = 3\n", "[sensing] placed_after is not a key of this section"),
        ("[engine]\ntable_mb = 0\n", "[engine] table_mb is 0: write 1 to 16384"),
        ("[sensing]\nplace_after_ms = 3\n", "did you mean 'placed_after_ms'?"),
        ("[sensing]\nplaced_after_ms = -3\n", "[sensing] placed_after_ms is -3: a time cannot be negative"),
        ("[sensing]\nplaced_after_ms = 0.25\n", "[sensing] placed_after_ms is 0.25: write a whole number, such as 250"),
        ("[kiosk]\nabandon = 3\n", "[kiosk] abandon is not a key of this section: did you mean 'abandon_minutes'?"),
        ("[kiosk]\nabandon_minutes = 2\n", "[kiosk] abandon_minutes is 2: write 0 for never, or 5 to 1440"),
        ("[kiosk]\nlanguage_minutes = -1\n", "[kiosk] language_minutes is -1: write 0 for never, or 1 to 1440"),
        ("[kiosk]\nsleep_minutes = 2000\n", "[kiosk] sleep_minutes is 2000: write 0 for never, or 1 to 1440"),
        ('[kiosk]\nlanguages = ["english"]\n', '[kiosk] languages is ["english"]: choose from en, fr'),
        ('[kiosk]\nlanguages = ["en", "en"]\n', "write each language once"),
        ("[kiosk]\nlanguages = []\n", "[kiosk] languages is []: write each language once"),
        ('[kiosk]\nlanguages = "en"\n', '[kiosk] languages is "en": write a list of names in quotes'),
        (
            '[kiosk]\nopen = "noon"\n',
            "[kiosk] open is \"noon\": 'noon' names no hours: write them such as 17:00-23:00.",
        ),
        ('[kiosk]\nopen = "sab 10:00-12:00"\n', "'sab' is no day"),
        ('[sensing]\nplaced_after_ms = "250"\n', '[sensing] placed_after_ms is "250": write a whole number'),
        ("[sensing]\nplaced_after_ms = true\n", "[sensing] placed_after_ms is true: write a whole number"),
    ],
)
def test_what_is_wrong_gets_one_sentence_with_file_section_and_key(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "quarto-pi.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(QuartoError) as caught:
        read_config(file)
    message = str(caught.value)
    assert said in message
    assert message.startswith(f"{file}: ")
    assert "\n" not in message


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: the configuration cannot be read"):
        read_config(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"binary\.toml: the configuration is not UTF-8"):
        read_config(tmp_path / "binary.toml")


def test_game_section_is_the_settings_of_the_evening() -> None:
    config = parse_config(
        '[game]\nsquares = true\ntraits = "colour,height"\ncalling = "auto"\nclock_seconds = 60\nplayer_2 = 5\n'
        'starter = "drawn"\nbuttons = 2\nlanguage = "lt"\n'
    )
    settings = config.game.settings(offer_reader=False)
    assert (settings.rules.squares, settings.rules.clock_ms, settings.rules.calling.value) == (True, 60_000, "auto")
    assert [trait.value for trait in settings.rules.traits] == ["colour", "height"]
    assert [seat.level for seat in settings.seats] == [None, 5]
    assert (settings.starter.value, settings.buttons, settings.language) == ("drawn", 2, "lt")
    assert not settings.offer_reader


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[game]\ncalling = "buton"\n', '[game] calling is "buton": did you mean'),
        ("[game]\nplayer_1 = 12\n", "[game] player_1 is 12: write the computer's level from 1 to 10"),
        ('[game]\ntraits = "color"\n', '[game] traits is "color": '),
        ('[game]\ntraits = "color"\n', "'color' is not a trait: did you mean 'colour'."),
        ("[game]\nclock_seconds = -1\n", "[game] clock_seconds is -1"),
        ('[game]\nlanguage = "fi"\n', '[game] language is "fi"'),
        ("[buttons]\ncall_pin = 2\n", "[buttons] call_pin is 2: GPIO 2 belongs to I2C"),
        ("[buttons]\ncall_pin = 17\n", "[buttons] call_pin is 17: [readers] address_pins has this pin already"),
        ("[game]\nbuttons = 2\n[buttons]\nsecond_pin = 12\n", "[buttons] second_pin is 12: [buttons] call_pin has"),
    ],
)
def test_what_no_game_can_be_played_with_is_told(text: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(complaint)):
        parse_config(text)


def test_device_is_there_once_its_section_is() -> None:
    assert parse_config("").oled is None
    config = parse_config(
        '[oled]\ncontroller = "sh1106"\ni2c_address = 61\n[panel_lights]\n[square_lights]\nbrightness = 0.2\n'
        "[speech]\npresent = false\n"
    )
    assert config.oled is not None
    assert (config.oled.controller.value, config.oled.i2c_address) == ("sh1106", 61)
    assert config.panel_lights is not None
    assert config.square_lights is not None
    assert config.square_lights.brightness == 0.2
    assert config.speech is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[oled]\ncontroler = "sh1106"\n', "[oled] controler is not a key of this section: did you mean 'controller'"),
        ('[oled]\ncontroller = "sh1107"\n', '[oled] controller is "sh1107": did you mean'),
        ("[oled]\nheight = 48\n", '[oled] width is "128 and height 48"'),
        ('[oled]\nconnection = "spi"\ndc_pin = 17\n', "[oled] dc_pin is 17: [readers] address_pins has this pin"),
        ("[panel_lights]\npins = [5, 5, 6]\n", "[panel_lights] pins[1] is 5: pins[0] has this pin already"),
        ('[square_lights]\norder = ["a1"]\n', "[square_lights] order is"),
        ('[speech]\nvolume = "loud"\n', '[speech] volume is "loud": write a whole number'),
    ],
)
def test_device_that_can_not_be_so_is_told(text: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(complaint)):
        parse_config(text)


def test_page_is_there_once_its_section_is_and_only_to_be_looked_at_until_it_has_a_pin() -> None:
    assert Config().page is None
    page = parse_config("[page]\n").page
    assert page is not None
    assert (page.host, page.port, page.pin) == ("127.0.0.1", 8040, "")
    assert parse_config("[page]\npresent = false\n").page is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[page]\nprot = 80\n", "[page] prot is not a key of this section: did you mean 'port'?"),
        ("[page]\nport = 0\n", "[page] port is 0: write 1 to 65535"),
        ('[page]\nport = "80"\n', '[page] port is "80": write a whole number, such as 8040'),
        ('[page]\nhost = ""\n', '[page] host is "": write an address such as 127.0.0.1'),
        ('[page]\nhost = "my board"\n', '[page] host is "my board": write an address'),
        ('[page]\npin = "12345"\n', '[page] pin is "...": write 6 to 64 characters'),
        ('[page]\npin = "geheimnisvoll\u00e9"\n', '[page] pin is "...": write letters and digits'),
        ("[page]\npin = 123456\n", '[page] pin is "...": write it in quotes'),
    ],
)
def test_page_that_cannot_be_served_is_told_and_no_pin_is_repeated(text: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(complaint)):
        parse_config(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"a = {'[' * 5000}", id="deep"),
        pytest.param(f"[game]\nlevel = {'9' * 5000}\n", id="long"),
        pytest.param(f"[game]\nlevel = 0x{'f' * 5000}\n", id="long in hexadecimal"),
        pytest.param("[fields]\nsupply_ma = nan\n", id="no number"),
        pytest.param("[square_lights]\nbudget_ma = inf\n", id="endless"),
        pytest.param(f"[square_lights]\nbudget_ma = {'9' * 400}\n", id="longer than a fraction can be"),
    ],
)
def test_number_or_depth_that_nobody_means_is_a_configuration_that_is_wrong(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_config(text)
