"""The settings of a hub, and where it keeps what it has to remember."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.config.section import ConfigError
from quarto_pi.hub.settings import HubSettings, hub_folder, read_hub_settings
from quarto_pi.hub.store import open_store

PAGE = Path(__file__).parent.parent.parent / "docs/hub.md"


def test_the_page_shows_every_setting_with_its_usual_value() -> None:
    (example,) = re.findall(r"(?s)```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"))
    assert read_hub_settings(example) == HubSettings()
    assert set(re.findall(r"(?m)^(\w+) =", example)) == set(HubSettings.__dataclass_fields__)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = 0", "write 1 to 65535"),
        ("page_port = 70000", "write 1 to 65535, or 0"),
        ("boards = 0", "write 1 to 20000"),
        ('broker = "host:99999"', "host:port"),
        ('broker = ":1883"', "host:port"),
        ('broker = "two words"', "without spaces"),
        ('address = "a,DNS:b"', "a name or a number of a machine"),
        ('database = "mysql://x"', "write postgresql://"),
        ("portt = 1", "did you mean 'port'?"),
        ("tls = 1", "true or false"),
    ],
)
def test_a_wrong_setting_is_told_with_its_file_and_its_key(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(said)) as caught:
        read_hub_settings(f"[hub]\n{text}\n", "hub.toml")
    assert str(caught.value).startswith("hub.toml: [hub] ")


@pytest.mark.parametrize("text", ["[", "[bub]\nport = 1", "port = 1", "[[hub]]", "[hub]\nport = 1\nport = 2"])
def test_a_file_that_is_none_is_told_in_one_sentence(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^hub\.toml: "):
        read_hub_settings(text)


@pytest.mark.parametrize(
    ("broker", "where"),
    [
        ("", None),
        ("broker.example", ("broker.example", 8883)),
        ("broker.example:1883", ("broker.example", 1883)),
        ("192.0.2.7:1883", ("192.0.2.7", 1883)),
        ("[2001:db8::1]:1883", ("2001:db8::1", 1883)),
    ],
)
def test_a_broker_is_a_name_or_a_number_with_a_port_or_without(broker: str, where: tuple[str, int] | None) -> None:
    assert read_hub_settings(f'[hub]\nbroker = "{broker}"\n').external == where


def test_a_secret_in_the_databases_address_is_told_to_nobody() -> None:
    with pytest.raises(ConfigError) as caught:
        read_hub_settings('[hub]\ndatabase = "mysql://hub:swordfish@db/chain"\n')
    assert "swordfish" not in str(caught.value)


def test_the_folder_is_the_services_or_else_ones_own(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    assert hub_folder({"STATE_DIRECTORY": "/a:/b"}, nowhere) == Path("/a")
    assert hub_folder({"HOME": "/home/me"}, tmp_path) == tmp_path
    assert hub_folder({"HOME": "/home/me"}, nowhere) == Path("/home/me/.local/state/quarto-pi-hub")
    assert hub_folder({"HOME": "/h", "XDG_STATE_HOME": "/s"}, nowhere) == Path("/s/quarto-pi-hub")


@pytest.mark.parametrize("order", ["start", "add", "remove", "boards", "home-assistant"])
def test_every_order_explains_itself(order: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["hub", order, "--help"])
    assert ended.value.code == 0
    assert "--folder" in capsys.readouterr().out


def test_a_folder_that_cannot_be_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["hub", "home-assistant", "--folder", str(tmp_path / "file" / "hub")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


LOOKING = [
    ("boards",),
    ("remove", "north-1"),
    ("version",),
    ("version", "--remove", "1"),
    ("user", "list"),
    ("user", "remove", "anna"),
]


@pytest.mark.parametrize("order", LOOKING, ids=" ".join)
@pytest.mark.parametrize("there", [False, True], ids=["no folder", "a folder of something else"])
def test_who_only_looks_at_a_hub_or_takes_from_it_is_told_that_there_is_none_and_makes_none(
    order: tuple[str, ...], there: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "typo"
    if there:
        folder.mkdir()
        (folder / "letter.txt").touch()
    before = sorted(tmp_path.rglob("*"))
    assert main(["hub", *order, "--folder", str(folder)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"there is no hub in {folder}: 'quarto-pi hub start'" in said
    assert sorted(tmp_path.rglob("*")) == before


def test_hub_that_has_only_its_settings_has_no_board_and_gets_no_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hub.toml").write_text("[hub]\n", encoding="utf-8")
    assert main(["hub", "boards", "--folder", str(tmp_path)]) == 0
    assert "There is no board yet" in capsys.readouterr().err
    assert main(["hub", "remove", "north-1", "--folder", str(tmp_path)]) == 2
    assert "there is no board 'north-1'" in capsys.readouterr().err
    assert not (tmp_path / "hub.sqlite").exists()


def test_database_is_for_its_owner_alone_in_a_folder_that_others_may_look_into(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    before = os.umask(0o022)
    try:
        store = open_store(tmp_path, HubSettings())
        try:
            store.put_board("north-1", None, 1.0)
            modes = {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()}
        finally:
            store.close()
    finally:
        os.umask(before)
    assert modes.keys() >= {"hub.sqlite", "hub.sqlite-wal"}
    assert set(modes.values()) == {"0o600"}
