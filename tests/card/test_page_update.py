"""An update from the page to RAUC: the page takes it in, the card takes it over, the page tells the outcome."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx2 as httpx
import pytest
from card import update
from card.update import HandedIn, UpdateError
from card_build.system import OWN_FILES
from starlette.testclient import TestClient

from quarto_pi.updates import OUTCOME_FILE, OUTCOME_FOLDER, RECEIVED_UPDATE, UPDATE_FOLDER, CardUpdates
from quarto_pi.web.service import ServedBoard, service
from quarto_pi.web.updates import MOST_OF_UPDATE, UPDATE_TYPE
from tests.web.visit import LOCAL, feed_with, moment

SYSTEM = Path(__file__).parents[2] / "systemd/card_build/root/usr/lib/systemd/system"
PIN = "open sesame"
BUNDLE = b"hsqs" + b"a bundle" * 50_000
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
RAUC = """\
#!/bin/sh
echo "$1" >> {0}/asked
# Whatever it is asked to look at has to be whole.
cmp -s "$(eval echo \\${{$#}})" {0}/bundle || {{ echo "it is damaged" >&2; exit 1; }}
[ -e {0}/stranger ] && {{ echo "signature verification failed: self-signed certificate" >&2; exit 1; }}
[ "$1" = install ] && [ -e {0}/full ] && {{ echo "LastError: no space left" >&2; exit 1; }}
echo "RAUC_MF_VERSION='2'"
"""


@dataclass
class Owner:
    """Who has the PIN of a board that runs from a card."""

    client: TestClient
    folder: Path
    handed_in: HandedIn
    rauc: str
    told: list[str] = field(default_factory=list)

    def upload(self, content: bytes = BUNDLE, pin: str = PIN, kind: str = UPDATE_TYPE) -> httpx.Response:
        return self.client.post("/api/v1/update/file", content=content, headers={"X-Pin": pin, "content-type": kind})

    def look(self) -> list[str]:
        answer = self.client.post("/api/v1/update", json={}, headers={"X-Pin": PIN}).json()
        return [answer["stage"], answer["sentence"]]

    def card_takes_it(self) -> str:
        """What systemd has the card do once the file is there."""
        assert self.handed_in.received.exists()
        return self.handed_in.install(self.told.append, self.rauc)

    def left_over(self) -> list[str]:
        return [path.name for path in self.folder.rglob("*.raucb")]


@pytest.fixture
def owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Owner]:
    for name in ("games", "updates", "run"):
        (tmp_path / name).mkdir()
    (tmp_path / "bundle").write_bytes(BUNDLE)
    rauc = tmp_path / "rauc"
    rauc.write_text(RAUC.format(tmp_path), encoding="ascii")
    rauc.chmod(rauc.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "owner.pem").write_text(CERTIFICATE, encoding="ascii")
    (tmp_path / "version").write_text("1\n", encoding="ascii")
    monkeypatch.setattr(update, "VERSION", tmp_path / "version")
    defaults = ((tmp_path / "owner.pem",), tmp_path / "run/keyring.pem")
    monkeypatch.setattr(update.write_keyring, "__defaults__", defaults)
    desk = CardUpdates(tmp_path / "games", tmp_path / "run")
    received, told = tmp_path / "games/update/received.raucb", tmp_path / "run" / OUTCOME_FILE
    handed_in = HandedIn(received, tmp_path / "updates/update.raucb", told)
    board = ServedBoard(feed_with(moment()), lambda _: None, pin=PIN, updates=desk)
    with TestClient(service(board), base_url=LOCAL) as client:
        yield Owner(client, tmp_path, handed_in, f"{rauc}")


def test_signed_update_is_taken_in_checked_and_installed(owner: Owner) -> None:
    assert owner.look() == ["none", ""]
    assert owner.upload().json() == {"stage": "checking", "sentence": ""}
    assert owner.card_takes_it() == "2"
    assert (owner.folder / "asked").read_text(encoding="ascii").split() == ["info", "install"]
    assert owner.look() == ["installed", "2"]
    assert owner.left_over() == []


def test_strangers_update_is_refused_in_one_sentence_and_nothing_is_begun(owner: Owner) -> None:
    (owner.folder / "stranger").touch()
    owner.upload()
    with pytest.raises(UpdateError):
        owner.card_takes_it()
    sentence = "update.raucb is not taken: signature verification failed: self-signed certificate."
    assert owner.look() == ["refused", sentence]
    assert (owner.folder / "asked").read_text(encoding="ascii").split() == ["info"]
    assert owner.left_over() == []
    assert owner.upload().status_code == 200, "another one may be tried"


def test_update_that_rauc_can_not_install_is_told(owner: Owner) -> None:
    (owner.folder / "full").touch()
    owner.upload()
    with pytest.raises(UpdateError):
        owner.card_takes_it()
    assert owner.look() == ["failed", "update.raucb was not installed: LastError: no space left."]
    assert owner.left_over() == []


def test_version_that_runs_is_not_installed_again(owner: Owner) -> None:
    (owner.folder / "version").write_text("2\n", encoding="ascii")
    owner.upload()
    assert owner.card_takes_it() == ""
    assert owner.look() == ["same version", ""]


def test_who_has_no_pin_neither_hands_in_nor_looks(owner: Owner) -> None:
    assert owner.upload(pin="000000").status_code == 403
    assert owner.client.post("/api/v1/update", json={}).status_code == 403
    assert owner.left_over() == []


@pytest.mark.parametrize("content", [b"", b"hsq", b"a photo"])
def test_file_that_is_no_update_is_refused_before_the_card_hears_of_it(owner: Owner, content: bytes) -> None:
    answer = owner.upload(content)
    assert (answer.status_code, answer.json()["reason"]) == (409, "no update")
    assert owner.look() == ["none", ""]
    assert owner.left_over() == []


def test_second_update_waits_until_the_first_is_done(owner: Owner) -> None:
    owner.upload()
    answer = owner.upload()
    assert (answer.status_code, answer.json()["reason"]) == (503, "busy")
    assert owner.handed_in.received.read_bytes() == BUNDLE


def test_update_for_which_there_is_no_room_is_refused_before_it_is_written(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"X-Pin": PIN, "content-type": UPDATE_TYPE, "content-length": f"{MOST_OF_UPDATE + 1}"}
    answer = owner.client.post("/api/v1/update/file", content=BUNDLE, headers=headers)
    assert (answer.status_code, answer.json()["reason"]) == (413, "no room")
    nearly_full = os.statvfs_result((4096, 4096, 1000, 999, 16_400, 1, 1, 1, 0, 255))
    with monkeypatch.context() as patch:
        patch.setattr(os, "statvfs", lambda _: nearly_full)
        assert owner.upload().json()["reason"] == "no room"
    assert owner.upload(kind="text/plain").status_code == 415
    assert owner.left_over() == []


def as_link(received: Path, bundle: Path) -> None:
    received.symlink_to(bundle)


def as_second_name(received: Path, bundle: Path) -> None:
    received.hardlink_to(bundle)


def as_folder(received: Path, bundle: Path) -> None:
    received.mkdir()
    (received / bundle.name).touch()


@pytest.mark.parametrize("put", [as_link, as_second_name, as_folder])
def test_card_takes_nothing_but_a_file_of_its_own(owner: Owner, put: Callable[[Path, Path], None]) -> None:
    owner.handed_in.received.parent.mkdir()
    put(owner.handed_in.received, owner.folder / "bundle")
    with pytest.raises(UpdateError, match="no file of its own"):
        owner.card_takes_it()
    assert owner.look()[0] == "refused"
    assert (owner.folder / "bundle").read_bytes() == BUNDLE
    assert not (owner.folder / "asked").exists()
    assert owner.left_over() == []


def test_update_that_was_cut_off_by_a_pulled_plug_takes_no_room_after_the_next_start(owner: Owner) -> None:
    desk = CardUpdates(owner.folder / "games", owner.folder / "run")
    desk.unfinished().write_bytes(BUNDLE)
    desk.forget_unfinished()
    assert owner.left_over() == []
    desk.forget_unfinished()


def test_page_offers_updates_on_a_card_alone(owner: Owner, tmp_path: Path) -> None:
    assert owner.client.get("/api/v1/").json()["updates"] is True
    assert CardUpdates(tmp_path, tmp_path / "run").is_card
    assert not CardUpdates(tmp_path, tmp_path / "elsewhere").is_card
    # The card's own programs import nothing of the board.
    handed_in = HandedIn()
    assert handed_in.told == OUTCOME_FOLDER / OUTCOME_FILE
    assert handed_in.received.relative_to("/data/games") == owner.handed_in.received.relative_to(tmp_path / "games")


def test_what_the_board_hands_over_lies_where_the_card_waits_for_it() -> None:
    """Whoever hands it over in the board: the page, or what a hub has offered."""
    state = "var/lib/quarto-pi"
    unit = (OWN_FILES.parents[1] / "quarto-pi.service").read_text(encoding="utf-8")
    assert re.search(rf"(?m)^StateDirectory={Path(state).name}$", unit), "the board may write there"
    begin = (OWN_FILES / "usr/lib/quarto-pi/begin").read_text(encoding="ascii")
    kept = re.search(rf"(?m)^keep (\w+) {state} ", begin)
    assert kept is not None
    handed_over = Path("/data", kept[1], UPDATE_FOLDER, RECEIVED_UPDATE)
    waits = (OWN_FILES / "usr/lib/systemd/system/quarto-pi-card-page.path").read_text(encoding="ascii")
    assert f"\nPathExists={handed_over}\n" in waits
    assert HandedIn().received == handed_over
    # By one rename on one file system: half an update is never there, and no second copy takes room.
    assert HandedIn().taken.is_relative_to("/data")
