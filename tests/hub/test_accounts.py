"""Accounts at a real Mosquitto: what a board may, what it may not, and how it is taken away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from quarto_pi.chain.messages import pack_settled
from quarto_pi.chain.topics import HUB, HUB_PRESENCE, letters, presence_of, settled_of, state_of, taken_by_hub
from quarto_pi.hub.store import GameSearch
from tests.hub.games import settled
from tests.hub.hubs import HubFolder, hub_folder_at
from tests.hub.wire import WireBoard

pytestmark = pytest.mark.slow

ALL = GameSearch()
NOT_AUTHORISED = 0x87


@pytest.fixture
def two(place: HubFolder) -> HubFolder:
    """A hub with north-1 and south-1."""
    assert place.order("add", "south-1", "--house", "South") == 0
    return place


def test_a_new_board_gets_files_that_are_for_its_eyes_alone(place: HubFolder) -> None:
    files = place.folder / "boards" / "north-1"
    assert sorted(file.name for file in files.iterdir()) == ["ca.pem", "chain.toml", "credentials"]
    assert oct((files / "credentials").stat().st_mode & 0o777) == "0o600"
    name, _, secret = (files / "credentials").read_text(encoding="utf-8").strip().partition(":")
    assert (name, len(secret) >= 40) == ("north-1", True)
    assert secret not in (place.folder / "passwords").read_text(encoding="utf-8")
    section = tomllib.loads((files / "chain.toml").read_text(encoding="utf-8"))["chain"]
    assert (section["board"], section["port"], section["tls"]) == ("north-1", place.port, True)
    assert section["credentials"].endswith("/credentials")


def test_adding_again_changes_no_secret_and_renewing_does(place: HubFolder) -> None:
    file = place.folder / "boards" / "north-1" / "credentials"
    before = file.read_bytes()
    assert place.order("add", "north-1", "--house", "East") == 0
    assert file.read_bytes() == before
    assert place.order("add", "north-1", "--renew") == 0
    assert file.read_bytes() != before


def test_a_secret_that_was_taken_away_is_not_made_anew_unasked(
    place: HubFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.folder / "boards" / "north-1" / "credentials").unlink()
    assert place.order("add", "north-1") == 2
    assert "--renew" in capsys.readouterr().err
    assert place.order("add", "north-1", "--renew") == 0


def test_a_board_at_work_gets_another_house_without_its_files(
    two: HubFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    (two.folder / "boards" / "north-1" / "credentials").unlink()
    before = (two.folder / "passwords").read_bytes()
    assert two.order("add", "north-1", "--house", "East") == 0
    assert "north-1 is of East now" in capsys.readouterr().out
    assert (two.folder / "passwords").read_bytes() == before
    assert not (two.folder / "boards" / "north-1" / "credentials").exists()
    assert two.order("add", "south-1", "--house", "east") == 0
    assert "There is a house 'East' as well" in capsys.readouterr().out
    assert two.order("boards") == 0
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["north-1", "East"],
        ["south-1", "east"],
    ]


@pytest.mark.parametrize("name", ["hub", "home-assistant", "North 1", "north/1", "+", "#", "-north", ""])
def test_a_name_that_no_board_can_have_is_refused(place: HubFolder, name: str) -> None:
    assert place.order("add", "--", name) == 2


def test_boards_are_listed_with_their_houses(two: HubFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert two.order("remove", "south-1") == 0
    capsys.readouterr()
    assert two.order("boards", "--json") == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert {key: json.loads(line)[key] for key in ("board", "house", "revoked")} == {
        "board": "north-1",
        "house": "North",
        "revoked": None,
    }
    assert two.order("boards", "--all") == 0
    assert "taken away on" in capsys.readouterr().out


def test_what_is_copied_where_is_said_for_a_card_first(place: HubFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert place.order("add", "south-1") == 0
    told = capsys.readouterr().out.splitlines()
    assert f"{place.folder / 'boards/south-1'}" in told[1]
    assert "into a folder chain on the drive QUARTO-PI" in told[2]
    with (place.folder / "hub.toml").open("a", encoding="utf-8") as settings:
        settings.write('broker = "broker.local"\n')
    assert place.order("add", "south-2") == 0
    assert "With it goes, as ca.pem, the certificate" in capsys.readouterr().out


def test_nobody_is_removed_who_was_never_there(place: HubFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert place.order("remove", "south-9") == 2
    assert "hub boards" in capsys.readouterr().err


def test_many_who_add_boards_at_once_all_get_theirs(place: HubFolder) -> None:
    names = [f"board-{number}" for number in range(3)]
    command = [sys.executable, "-m", "quarto_pi", "hub", "add", "--folder", str(place.folder)]
    running = [
        subprocess.Popen([*command, name], stdout=subprocess.DEVNULL)  # noqa: S603 - this Python
        for name in (*names, *names)
    ]
    assert [process.wait() for process in running] == [0] * len(running)
    lines = (place.folder / "passwords").read_text(encoding="utf-8").splitlines()
    assert sorted(line.partition(":")[0] for line in lines if not line.startswith("hub:")) == [*names, "north-1"]
    with place.running(), place.board("board-2") as board:
        assert board.is_ready


def test_a_board_writes_below_its_own_name_only(two: HubFolder) -> None:
    told = pack_settled(settled()[0])
    with two.running() as hub, two.board("north-1") as north:
        assert north.publish(settled_of("north-1"), told) == 0
        assert north.publish(settled_of("south-1"), told) == NOT_AUTHORISED
        assert north.publish(presence_of("south-1"), b"online", retain=True) == NOT_AUTHORISED
        assert north.publish(state_of("south-1"), b"{}", retain=True) == NOT_AUTHORISED
        assert north.publish(HUB_PRESENCE, b"", retain=True) == NOT_AUTHORISED
        assert north.publish(settled_of(HUB), told) == NOT_AUTHORISED
        assert north.publish(taken_by_hub("south-1"), b"{}") == NOT_AUTHORISED
        assert north.publish(taken_by_hub("north-1"), b"{}") == NOT_AUTHORISED
        assert north.publish(letters("south-1", "north-1"), b"{}") == NOT_AUTHORISED
        assert north.publish("quarto/settled", told) == NOT_AUTHORISED
        two.heard.until(lambda: hub.intake.counts.kept == 1)
        store = hub.store()
        assert [game.board for game in store.games(ALL)] == ["north-1"]
        store.close()


def test_a_letter_is_read_by_its_receiver_and_nobody_else(two: HubFolder) -> None:
    assert two.order("add", "east-1") == 0
    with (
        two.running(),
        two.board("north-1", letters("+", "north-1")) as north,
        two.board("south-1", "#", letters("+", "+"), letters("+", "north-1")) as south,
        two.board("east-1") as east,
    ):
        east.publish(letters("east-1", "north-1"), b"for north")
        north.until(lambda: (letters("east-1", "north-1"), b"for north") in north.heard)
        # What comes to the south now comes after whatever it might have overheard.
        east.publish(letters("east-1", "south-1"), b"for south")
        south.until(lambda: any(payload == b"for south" for _, payload in south.heard))
        assert b"for north" not in {payload for _, payload in south.heard}


def test_a_board_does_not_take_another_ones_client_id(two: HubFolder) -> None:
    with two.running(), two.board("north-1") as north, two.board("south-1", client_id="north-1") as thief:
        assert thief.is_ready
        assert north.publish(settled_of("north-1"), pack_settled(settled()[0])) == 0
        north.until(lambda: north.is_taken(settled()[0].history, 1, 1))
        assert north.ended == []


def test_home_assistant_reads_what_is_for_it_and_nothing_of_the_games(place: HubFolder) -> None:
    assert place.order("home-assistant") == 0
    file = place.folder / "home-assistant.credentials"
    before = file.read_bytes()
    assert place.order("home-assistant") == 0
    assert file.read_bytes() == before
    name, _, secret = before.decode().strip().partition(":")
    with place.running(), place.board("north-1") as north:
        home = WireBoard(name, secret, place.port, place.folder / "ca.pem").connect("#")
        try:
            home.until(lambda: home.is_ready)
            north.publish(settled_of("north-1"), pack_settled(settled()[0]))
            north.publish("quarto/north-1/home/state", b"{}")
            home.until(lambda: ("quarto/north-1/home/state", b"{}") in home.heard)
            assert settled_of("north-1") not in {topic for topic, _ in home.heard}
            assert home.publish("homeassistant/status", b"online") in (0, 0x10)
            assert home.publish(settled_of("north-1"), b"{}") == NOT_AUTHORISED
        finally:
            home.stop()


def test_a_wrong_secret_or_none_is_not_let_in(place: HubFolder) -> None:
    ca = place.folder / "ca.pem"
    with place.running():
        for name, secret in (("north-1", "wrong"), ("hub", "hub"), ("nobody", "x")):
            stranger = WireBoard(name, secret, place.port, ca).connect()
            stranger.until(lambda stranger=stranger: bool(stranger.refused))  # type: ignore[misc]
            stranger.stop()


def test_a_board_that_is_removed_loses_its_connection_and_the_others_do_not(two: HubFolder) -> None:
    with two.running() as hub, two.board("north-1") as north, two.board("south-1") as south:
        north.publish(presence_of("north-1"), b"online", retain=True)
        two.heard.until(lambda: ("presence", "north-1", True) in two.heard.calls)
        assert two.order("remove", "north-1") == 0
        north.until(lambda: bool(north.ended and north.refused))
        two.heard.until(lambda: ("presence", "north-1", False) in two.heard.calls)
        assert south.publish(settled_of("south-1"), pack_settled(settled()[0])) == 0
        south.until(lambda: south.is_taken(settled()[0].history, 1, 1))
        assert south.ended == []
        assert hub.broker is not None
    assert not (two.folder / "boards" / "north-1").exists()


def test_a_board_that_is_added_while_the_hub_runs_is_let_in(place: HubFolder) -> None:
    with place.running():
        assert place.order("add", "late-1") == 0
        account = (place.folder / "boards" / "late-1" / "credentials").read_text(encoding="utf-8").strip()
        name, _, secret = account.partition(":")
        board = WireBoard(name, secret, place.port, place.folder / "ca.pem").connect()
        try:
            board.until(lambda: board.is_ready)
        finally:
            board.stop()


def test_a_message_that_is_too_long_ends_the_connection_of_who_sent_it(two: HubFolder) -> None:
    with two.running(), two.board("north-1") as north, two.board("south-1") as south:
        north.client.publish(settled_of("north-1"), b"x" * 100_000, qos=1)
        north.until(lambda: bool(north.ended))
        assert south.ended == []


PROJECT = Path(__file__).parent.parent.parent


def by_nobody() -> bool:
    """Whether somebody else than root could run this program at all."""
    trial = ["setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-c", "import quarto_pi.commands.hub"]
    done = subprocess.run(trial, check=False, cwd=PROJECT, stderr=subprocess.DEVNULL)  # noqa: S603 - Debian's Python
    return os.geteuid() == 0 and done.returncode == 0


def test_what_root_does_in_the_folder_of_somebody_else_is_done_as_he() -> None:
    if not by_nobody():
        pytest.skip("nobody but root can run this program here, or this is not root")
    folder = Path("/var/tmp") / f"hub-{os.getpid()}"  # noqa: S108 - a folder that nobody else may look into
    hub_folder_at(folder)
    try:
        for file in (folder, folder / "hub.toml"):
            os.chown(file, 65534, 65534)
        command = ["/usr/bin/python3", "-m", "quarto_pi", "hub", "add", "north-1", "--folder", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PROJECT)  # noqa: S603
        assert done.returncode == 0, done.stderr
        assert {file.stat().st_uid for file in folder.rglob("*")} == {65534}
    finally:
        subprocess.run(["rm", "-r", str(folder)], check=True)  # noqa: S603, S607 - what this test has made
