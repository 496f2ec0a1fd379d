"""What is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from installing.configuration import chosen, first_configuration, uses_second_bus, wirings
from installing.options import Options, choose, parse
from installing.places import Places

from quarto_pi.config import parse_config
from quarto_pi.config.sources import profile_names

PROJECT = Path(__file__).parent.parent.parent


def answering(*answers: str) -> Iterator[str]:
    yield from answers


def test_enter_takes_what_is_usual() -> None:
    assert choose("How?", ("a", "b"), "b", lambda _: "") == "b"


def test_wrong_answer_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    answers = answering("klingon", "lt")
    assert choose("What does it speak?", ("en", "lt"), "en", lambda _: next(answers)) == "lt"
    assert "'klingon' is none of them." in capsys.readouterr().err


def test_end_of_the_input_takes_what_is_usual() -> None:
    def ask(_: str) -> str:
        raise EOFError

    assert choose("How?", ("a", "b"), "b", ask) == "b"


def test_nothing_is_asked_with_yes_or_where_there_is_a_configuration() -> None:
    assert chosen(Options(yes=True), ["pi", "pi-simple"], is_new=True) == ("pi", "en")
    assert chosen(Options(), ["pi", "pi-simple"], is_new=False) == ("pi", "en")
    assert chosen(Options(language="fr"), ["pi"], is_new=True, asks_wiring=False) == ("pi", "fr"), "nothing is wired"
    assert chosen(Options(wiring="pi-simple", language="pt"), ["pi", "pi-simple"], is_new=True) == ("pi-simple", "pt")


def test_installer_offers_every_wiring_that_comes_with_the_program() -> None:
    assert tuple(wirings(PROJECT)) == profile_names()


def test_lights_under_the_squares_take_a_second_bus(tmp_path: Path) -> None:
    assert uses_second_bus(PROJECT, "pi", Places(tmp_path))
    assert not uses_second_bus(PROJECT, "pi-simple", Places(tmp_path))
    assert not uses_second_bus(PROJECT, "", Places(tmp_path))


@pytest.mark.parametrize(
    ("text", "has_lights"),
    [
        ('profile = "pi-simple"\n', False),
        ('profile = "pi"\n', True),
        ('profile = "pi"\n[square_lights]\npresent = false\n', False),
        ("[square_lights]\nbrightness = 0.5\n", True),
        ("", False),
        ("this is no TOML", False),
    ],
)
def test_board_that_is_there_keeps_its_buses_whatever_is_usual(text: str, tmp_path: Path, *, has_lights: bool) -> None:
    places = Places(tmp_path)
    places.config.parent.mkdir(parents=True)
    places.config.write_text(text, encoding="utf-8")
    assert uses_second_bus(PROJECT, "pi", places) is has_lights


def test_what_drops_in_last_says_which_buses_there_are(tmp_path: Path) -> None:
    places = Places(tmp_path)
    folder = places.config.parent / "conf.d"
    folder.mkdir(parents=True)
    places.config.write_text('profile = "pi"\n', encoding="utf-8")
    (folder / "10-lid.toml").write_text('profile = "pi-simple"\n', encoding="utf-8")
    assert not uses_second_bus(PROJECT, "pi", places)
    (folder / "20-lid.toml").write_text("[square_lights]\nbrightness = 0.2\n", encoding="utf-8")
    assert uses_second_bus(PROJECT, "pi", places)
    (folder / "30-lid.toml").write_text("[square_lights]\npresent = false\n", encoding="utf-8")
    assert not uses_second_bus(PROJECT, "pi", places)


@pytest.mark.parametrize("wiring", profile_names())
def test_first_configuration_is_one_that_the_board_reads(wiring: str) -> None:
    config = parse_config(first_configuration(wiring, "zh_TW", open_page=True))
    assert config.game.language == "zh_TW"
    # The board's own file, which it may set aside when nobody can read it; one that is named here would stop it.
    assert config.readers.tags == ""
    assert config.page is not None
    assert config.page.host == "0.0.0.0"  # noqa: S104 - as it was asked for
    assert config.page.pin == ""


def test_purge_alone_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["--purge"], [])
    assert ended.value.code == 2
    assert "--purge goes with --uninstall" in capsys.readouterr().err
