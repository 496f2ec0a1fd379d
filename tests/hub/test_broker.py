"""The hub's own broker: started, watched, started again, and ended; and what is said where it cannot be."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quarto_pi.chain.topics import HUB_PRESENCE, presence_of
from quarto_pi.hub.broker import DATABASE_FILE, EXTRA_FOLDER, PID_FILE
from tests.hub.games import HISTORY, settled
from tests.hub.hubs import HubFolder, hub_folder_at
from tests.hub.wire import GUARD

pytestmark = pytest.mark.slow


def has_presence(heard: list[tuple[str, bytes]]) -> bool:
    return bool(heard) and next(
        ((topic, bool(payload)) for topic, payload in reversed(heard) if topic == HUB_PRESENCE), None
    ) == (HUB_PRESENCE, True)


def test_a_broker_that_is_killed_is_there_again_and_nothing_is_lost(place: HubFolder) -> None:
    told = settled()
    with place.running() as hub, place.board("north-1") as board:
        board.until(lambda: has_presence(board.heard))
        board.tell(told[0])
        board.until(lambda: board.is_taken(HISTORY, 1, 1))
        assert hub.broker is not None
        assert hub.broker.pid is not None
        os.kill(hub.broker.pid, signal.SIGKILL)
        place.heard.until(lambda: any("is started again" in line for line in place.heard.said()))
        board.heard.clear()
        # The hub's presence was retained by the broker that is no more: it is there anew.
        board.until(lambda: has_presence(board.heard))
        for action in told:
            board.tell(action)
        board.until(lambda: board.is_taken(HISTORY, 1, len(told)))


def test_a_torn_file_of_the_broker_is_set_aside_and_it_starts(place: HubFolder) -> None:
    """Somebody has turned persistence on, and the power was cut while it wrote."""
    extra = place.folder / EXTRA_FOLDER
    extra.mkdir()
    (extra / "keep.conf").write_text("persistence true\nautosave_interval 1\n", encoding="utf-8")
    with place.running(), place.board("north-1") as board:
        board.publish(presence_of("north-1"), b"online", retain=True)
    file = place.folder / DATABASE_FILE
    assert file.exists(), "the broker has kept nothing: this shows nothing"
    file.write_bytes(bytes(len(file.read_bytes())))
    with place.running(), place.board("north-1") as board:
        assert board.is_ready
    assert (place.folder / "damaged-000001.db").exists()
    assert any("was set aside" in line for line in place.heard.said())


def test_a_file_that_is_torn_while_it_runs_is_set_aside_at_the_next_start(place: HubFolder) -> None:
    extra = place.folder / EXTRA_FOLDER
    extra.mkdir()
    (extra / "keep.conf").write_text("persistence true\n", encoding="utf-8")
    with place.running() as hub, place.board("north-1") as board:
        assert hub.broker is not None
        assert hub.broker.pid is not None
        (place.folder / DATABASE_FILE).write_bytes(b"\0" * 300)
        os.kill(hub.broker.pid, signal.SIGKILL)
        place.heard.until(lambda: any("there again" in line for line in place.heard.said()))
        board.until(lambda: has_presence(board.heard))
    assert list(place.folder.glob("damaged-*.db"))


def test_a_port_that_is_taken_is_one_sentence(place: HubFolder, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("", place.port))
        other.listen()
        assert place.order("start") == 1
    said = capsys.readouterr().err.strip().removeprefix("quarto-pi hub: ")
    assert said == f"port {place.port} is in use by another program: end that one, or choose another port in hub.toml."


def test_a_missing_mosquitto_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = hub_folder_at(tmp_path / "hub")
    monkeypatch.setattr("quarto_pi.hub.broker.PROGRAM_FOLDERS", "")
    (tmp_path / "openssl").symlink_to(shutil.which("openssl") or "")
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    for order in (("add", "north-1"), ("start",)):
        assert place.order(*order) == 1
        assert "is not installed: do 'sudo apt install mosquitto'" in capsys.readouterr().err


def test_a_second_hub_in_one_folder_is_refused(place: HubFolder, capsys: pytest.CaptureFixture[str]) -> None:
    with place.running():
        assert place.order("start") == 1
    assert "a hub runs already" in capsys.readouterr().err


def test_a_broker_whose_hub_was_killed_makes_room_for_the_next_hub(place: HubFolder) -> None:
    command = [sys.executable, "-m", "quarto_pi", "hub", "start", "--folder", str(place.folder)]
    hub = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603 - this Python
    try:
        assert hub.stderr is not None
        assert any("connected with its broker" in line for line in hub.stderr)
        left_over = int((place.folder / PID_FILE).read_text(encoding="ascii"))
        hub.kill()
        hub.wait()
        assert Path(f"/proc/{left_over}").exists()
        with place.running(), place.board("north-1") as board:
            assert board.is_ready
            assert not is_running(left_over)
    finally:
        hub.kill()
        hub.communicate()


def is_running(pid: int) -> bool:
    """Whether a process is there, and not only waited for by whoever inherited it."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_hub_that_is_told_to_end_ends_in_order_with_its_broker(place: HubFolder, how: signal.Signals) -> None:
    command = [sys.executable, "-m", "quarto_pi", "hub", "start", "--folder", str(place.folder)]
    hub = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603 - this Python
    try:
        assert hub.stderr is not None
        assert any("connected with its broker" in line for line in hub.stderr)
        broker = int((place.folder / PID_FILE).read_text(encoding="ascii"))
        hub.send_signal(how)
        assert hub.wait(GUARD) == 0
        assert not is_running(broker)
        assert not (place.folder / "hub.sqlite-wal").exists()
    finally:
        hub.kill()
        hub.communicate()


def test_a_hub_without_encryption_is_reached_without_it(tmp_path: Path) -> None:
    place = hub_folder_at(tmp_path / "hub", "tls = false")
    assert place.order("add", "north-1") == 0
    assert not (place.folder / "boards" / "north-1" / "ca.pem").exists()
    with place.running(), place.board("north-1") as board:
        assert board.is_ready


def test_a_hub_at_a_broker_of_somebody_else_does_the_same(tmp_path: Path) -> None:
    """Here the broker of another hub; its owner gives this one the account that it has."""
    one = hub_folder_at(tmp_path / "one")
    assert one.order("add", "north-1") == 0
    ca = one.folder / "ca.pem"
    with one.running() as hub:
        other = hub_folder_at(tmp_path / "other", f'broker = "localhost:{one.port}"', f'ca = "{ca}"')
        # There is one hub at a broker: this one leaves its place to the other.
        hub.intake.end()
        assert hub.failed.wait(GUARD)
        (other.folder / "hub.credentials").write_bytes((one.folder / "hub.credentials").read_bytes())
        told = settled()
        with one.board("north-1") as board:
            with other.running() as second:
                assert second.broker is None
                for action in told:
                    board.tell(action)
                board.until(lambda: board.is_taken(HISTORY, 1, len(told)))
                assert has_presence(board.heard)
            # It has ended, and said so.
            board.until(lambda: not has_presence(board.heard))


def test_the_certificate_is_made_anew_when_the_hub_has_another_address(tmp_path: Path) -> None:
    place = hub_folder_at(tmp_path / "hub")
    assert place.order("add", "north-1") == 0
    before = [(place.folder / name).read_bytes() for name in ("ca.pem", "server.pem")]
    text = (place.folder / "hub.toml").read_text(encoding="utf-8")
    (place.folder / "hub.toml").write_text(f'{text}address = "hub.example"\n', encoding="utf-8")
    assert place.order("add", "north-1") == 0
    after = [(place.folder / name).read_bytes() for name in ("ca.pem", "server.pem")]
    assert (after[0] == before[0], after[1] == before[1]) == (True, False)
    assert 'broker = "hub.example"' in (place.folder / "boards/north-1/chain.toml").read_text(encoding="utf-8")
    verified = subprocess.run(  # noqa: S603 - openssl, as another judge than our own
        ["openssl", "verify", "-x509_strict", "-attime", f"{time.mktime((2020, 6, 1, 0, 0, 0, 0, 0, 0)):.0f}",  # noqa: S607
         "-verify_hostname", "hub.example", "-CAfile", place.folder / "ca.pem", place.folder / "server.pem"],
        check=False, capture_output=True,
    )  # fmt: skip
    assert verified.returncode == 0, verified.stderr
