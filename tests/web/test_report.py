"""The archive for helpers over the page: what is in it, what is not, and who gets it."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from quarto_pi.commands.check import bundle_of_running_board
from quarto_pi.config.layers import ConfigPlace, lay
from quarto_pi.devices.readers.health import ReaderHealth, Version
from quarto_pi.first_start.taking_over import TakingPlaces, take_over_settings
from quarto_pi.outputs.page import health_as_json
from quarto_pi.web.service import ServedBoard, service
from tests.web.test_backups import kept_games
from tests.web.visit import LOCAL, feed_with, moment

PIN = "opensesame47"
SAID = f"language = de\nPIN = {PIN}\nWi-Fi name = Zoes Corner\nWi-Fi password = steaming espresso\n"
SECRETS = (PIN, "Zoes Corner", "steaming espresso", "Grandma")


def texts(archive: bytes) -> dict[str, str]:
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        return {
            Path(name).name: (file.read().decode("utf-8") if (file := tar.extractfile(name)) else "")
            for name in tar.getnames()
        }


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConfigPlace:
    """A board that was set up by its card, has kept games, and whose user has a name."""
    for name in ("boot", "etc"):
        (tmp_path / name).mkdir()
    (tmp_path / "boot/quarto-pi.txt").write_text(SAID, encoding="utf-8")
    (tmp_path / "etc/quarto-pi.toml").write_text("", encoding="utf-8")
    take_over_settings(TakingPlaces(tmp_path / "boot", tmp_path / "etc", tmp_path / "networks", tmp_path / "none"))
    kept_games(tmp_path / "state", 1, 2)
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path / 'state'}")
    monkeypatch.setenv("USER", "Grandma")
    return ConfigPlace(tmp_path / "etc/quarto-pi.toml")


def test_report_of_a_board_that_runs_says_much_and_gives_nobody_away(place: ConfigPlace) -> None:
    dead = ReaderHealth("b2", Version.NO_CHIP, 9, 0, 9, 0, 1, None, None, answers=False)
    made = bundle_of_running_board(
        place, lay(place.sources()).config, lambda: {"b2": health_as_json(dead)}, simulated=False
    )
    told = texts(made)
    assert {"README.txt", "findings.txt", "configuration.txt", "versions.txt"} <= told.keys()
    assert "reader b2" in told["findings.txt"]
    assert "journal" in told["findings.txt"]
    assert 'game.language = "de"' in told["configuration.txt"]
    for secret in SECRETS:
        assert secret not in "".join(told.values())
    assert "1. " not in told["findings.txt"], "no game is in it"


def test_report_is_for_who_has_the_pin() -> None:
    given = ServedBoard(feed_with(moment()), lambda _: None, pin=PIN, report=lambda: b"\x1f\x8b report")
    with TestClient(service(given), base_url=LOCAL) as client:
        assert client.get("/api/v1/").json()["report"] is True
        assert client.post("/api/v1/report", json={}).status_code == 403
        answer = client.post("/api/v1/report", json={}, headers={"X-Pin": PIN})
        assert (answer.content, answer.headers["content-type"]) == (b"\x1f\x8b report", "application/gzip")
        assert "quarto-pi-report.tar.gz" in answer.headers["content-disposition"]
