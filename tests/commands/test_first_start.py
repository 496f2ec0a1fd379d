"""`quarto-pi first-start` as its unit runs it, and what the board says of it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.clock import US_PER_MS
from quarto_pi.config import Config
from quarto_pi.first_start.settings_text import settings_template
from quarto_pi.notices import NETWORK_PATIENCE_SECONDS, TOLD_BY_OTHERS, NetworkWatch, notices_in, set_notice
from quarto_pi.referee.messages import Impaired, Impairment
from quarto_pi.wiring.board import open_loop
from quarto_pi.wiring.platform import simulated_hardware, simulated_tags


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path / 'state'}")
    (tmp_path / "boot").mkdir()
    (tmp_path / "etc").mkdir()
    return tmp_path


def first_start(card: Path) -> int:
    return main(
        [
            *("first-start", "--card", f"{card / 'boot'}", "--config", f"{card / 'etc/quarto-pi.toml'}"),
            *("--networks", f"{card / 'networks'}", "--notices", f"{card / 'notices'}"),
        ]
    )


def says(card: Path) -> str:
    return (card / "boot/quarto-pi-says.txt").read_bytes().decode("utf-8-sig")


def test_new_card_gets_a_file_to_be_filled_in_and_is_told_that_all_is_well(card: Path) -> None:
    (card / "etc/quarto-pi.toml").write_text("", encoding="utf-8")
    assert first_start(card) == 0
    assert (card / "boot/quarto-pi.txt").read_bytes() == settings_template({})
    assert says(card) == "Everything in quarto-pi.txt has been taken over.\r\n"


def test_mistake_is_told_beside_the_file_in_the_boards_language_and_by_the_board(
    card: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (card / "etc/quarto-pi.toml").write_text("", encoding="utf-8")
    (card / "boot/quarto-pi.txt").write_text("language = Deutsch\nPIN = 12\nPIN2 = 123456\n", encoding="utf-8")
    assert first_start(card) == 0
    told = says(card).splitlines()
    assert told[0].startswith("Zeile 3: Die Einstellung „PIN2“ gibt es nicht.")
    assert told[1] == "Zeile 2: Eine PIN hat 6 bis 64 Buchstaben und Ziffern ohne Umlaute."
    assert told[2].startswith("Alle anderen Zeilen")
    ((why, sentence),) = notices_in(card / "notices")
    assert why is Impairment.SETTINGS_FILE
    assert "Line 2: A PIN has 6 to 64" in sentence
    assert "+ language: de" in capsys.readouterr().out
    (card / "boot/quarto-pi.txt").write_text("language = Deutsch\n", encoding="utf-8")
    assert first_start(card) == 0
    assert list(notices_in(card / "notices")) == []


def test_mistake_in_the_folder_of_a_chain_is_told_apart_from_the_settings_file(card: Path) -> None:
    (card / "etc/quarto-pi.toml").write_text("", encoding="utf-8")
    (card / "boot/quarto-pi.txt").write_text("language = Deutsch\n", encoding="utf-8")
    (card / "boot/CHAIN").mkdir()
    (card / "boot/CHAIN/credentials").write_text("north-1:secret\n", encoding="utf-8")
    assert first_start(card) == 0
    assert says(card).splitlines() == [
        "Im Ordner „chain“ fehlt chain.toml. Kopiere credentials, ca.pem und chain.toml unverändert hinein.",
        "Alles in quarto-pi.txt ist übernommen.",
    ]
    ((why, sentence),) = notices_in(card / "notices")
    assert why is Impairment.CHAIN_FOLDER
    assert sentence.startswith('chain.toml is missing in the folder "chain".')
    (card / "boot/quarto-pi.txt").write_text("language = Deutsch\nPIN = 12\n", encoding="utf-8")
    assert first_start(card) == 0
    assert [why for why, _ in notices_in(card / "notices")] == [Impairment.SETTINGS_FILE, Impairment.CHAIN_FOLDER]
    (card / "boot/CHAIN/credentials").unlink()
    (card / "boot/quarto-pi.txt").write_text("language = Deutsch\n", encoding="utf-8")
    assert first_start(card) == 0
    assert list(notices_in(card / "notices")) == []


def test_board_says_what_others_have_it_say_as_long_as_it_is_so(tmp_path: Path) -> None:
    platform, board = simulated_hardware()

    def told() -> Impairment | None:
        return next((why for why, _ in notices_in(tmp_path)), None)

    with ExitStack() as stack:
        loop = open_loop(Config(), platform, stack, simulated_tags(), hampered=told)

        def notice() -> object:
            board.clock.wait_until(board.clock.now() + 2_000 * US_PER_MS)
            loop.turn()
            loop.turn()
            assert loop.state is not None
            assert loop.state.view is not None
            return loop.state.view.notice

        assert notice() is None
        for why in reversed(TOLD_BY_OTHERS):
            set_notice(tmp_path, why, "something is wrong")
            assert notice() == Impaired(why), "the most serious comes first"
        for why in TOLD_BY_OTHERS:
            set_notice(tmp_path, why, None)
        assert notice() is None


def test_empty_settings_file_is_printed_for_who_makes_a_card(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["first-start", "--print"]) == 0
    assert capfdbinary.readouterr().out == settings_template({})


def test_board_whose_wifi_is_away_for_a_while_says_so_until_it_is_back() -> None:
    is_there, now = [True], [0.0]
    watch = NetworkWatch(lambda: is_there[0], lambda: now[0])
    is_there[0] = False
    for seconds, missing in ((0, False), (NETWORK_PATIENCE_SECONDS - 1, False), (1, True)):
        now[0] += seconds
        assert watch.is_missing() is missing
    is_there[0] = True
    assert not watch.is_missing()


def test_card_that_can_not_be_written_is_told_by_the_board(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (card / "etc/quarto-pi.toml").write_text("", encoding="utf-8")
    (card / "boot/quarto-pi.txt").write_text("language = de\n", encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr("quarto_pi.first_start.taking_over.put_whole", full)
        assert first_start(card) == 1
    ((why, sentence),) = notices_in(card / "notices")
    assert (why, sentence) == (
        Impairment.CARD_FAILS,
        "nothing more can be written (No space left on device); make room.",
    )
    assert first_start(card) == 0
    assert list(notices_in(card / "notices")) == []
