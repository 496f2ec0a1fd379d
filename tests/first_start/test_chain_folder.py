"""The folder of a chain on the card: taken over whole or not at all, and its secret leaves the card."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest

from quarto_pi.chain.credentials import PLACE_ON_BOARD, read_credentials
from quarto_pi.config import ChainConfig, ConfigError
from quarto_pi.first_start.chain_folder import PRIVATE_NETWORKS, is_private
from quarto_pi.first_start.mistakes import SettingsMistake, WrongSetting
from quarto_pi.first_start.settings_text import TAKEN_OVER
from quarto_pi.first_start.taking_over import is_set_up, take_over_settings
from tests.first_start.cards import Card, PowerCut, cut_before
from tests.hub.hubs import hub_folder_at

FILES = ("credentials", "ca.pem", "chain.toml")
PROJECT = Path(__file__).parent.parent.parent
STRANGER = 54_321
"""A user who is nobody here."""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a hub has made for north-1 and south-2; another one is called other-1."""
    folder = tmp_path_factory.mktemp("hubs")
    for name, boards in (("hub", ("north-1", "south-2")), ("other", ("other-1",))):
        place = hub_folder_at(folder / name, f'address = "{name}.local"')
        for board in boards:
            assert place.order("add", board) == 0
            shutil.copytree(folder / name / "boards" / board, folder / board)
    return folder


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


def put(card: Card, made: Path, board: str = "north-1", name: str = "chain") -> Path:
    folder = card.places.card / name
    shutil.copytree(made / board, folder, dirs_exist_ok=True)
    return folder


def chain_of(card: Card) -> ChainConfig:
    chain = card.config.chain
    assert chain is not None
    return chain


def secret_of(made: Path, board: str = "north-1") -> bytes:
    return (made / board / "credentials").read_bytes().strip().partition(b":")[2]


def whats(card: Card) -> list[SettingsMistake]:
    return list(take_over_settings(card.places).mistakes)


def test_board_with_the_folder_on_its_card_is_on_the_chain(card: Card, made: Path) -> None:
    card.say("language = fr\n")
    put(card, made)
    taken = take_over_settings(card.places)
    assert (taken.mistakes, taken.news) == ((), ("language", "chain"))
    chain = chain_of(card)
    assert (chain.broker, chain.board, chain.tls) == ("hub.local", "north-1", True)
    assert read_credentials(chain.credentials_file, "north-1").password.encode() == secret_of(made)
    assert Path(chain.ca).read_bytes() == (made / "north-1/ca.pem").read_bytes()
    assert card.config.game.language == "fr"
    assert stat.S_IMODE(chain.credentials_file.stat().st_mode) == 0o600
    for path in (Path(chain.ca), chain.credentials_file.parent, chain.credentials_file.parent.parent):
        assert stat.S_IMODE(path.stat().st_mode) & 0o055 == 0o055 & (0o777 if path.is_dir() else 0o644)


def test_nothing_of_the_folder_stays_on_the_card_and_the_secret_is_in_one_place(card: Card, made: Path) -> None:
    folder = put(card, made)
    # What the computers of owners leave there by themselves.
    for junk in (".DS_Store", "._credentials", "desktop.ini"):
        (folder / junk).write_bytes(b"x")
    # A second name of the same file shows what is left where it stood.
    place = card.places.card.parent / "sectors"
    place.hardlink_to(folder / "credentials")
    take_over_settings(card.places)
    assert not folder.exists()
    assert place.read_bytes().startswith(TAKEN_OVER.encode())
    with_secret = [name for name, content in card.everything().items() if secret_of(made) in content]
    assert with_secret == [f"{chain_of(card).credentials_file.relative_to(card.places.card.parent)}"]


def test_next_start_writes_nothing(card: Card, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(card, made)
    take_over_settings(card.places)
    before = card.everything()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("nothing is new")

    monkeypatch.setattr("quarto_pi.first_start.taking_over.put_whole", refuse)
    monkeypatch.setattr("quarto_pi.first_start.chain_keeping.put_whole", refuse)
    assert take_over_settings(card.places).news == ()
    assert card.everything() == before


def test_folder_that_the_card_can_not_list_is_told_and_the_rest_is_taken(
    card: Card, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = put(card, made)
    card.say("language = fr\n")
    listed = Path.iterdir

    def damaged(path: Path) -> Iterator[Path]:
        if path == folder:
            raise OSError(5, "Input/output error")
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", damaged)
    assert whats(card) == [SettingsMistake(WrongSetting.CHAIN_UNREADABLE, written="chain")]
    assert card.config.game.language == "fr"


@pytest.mark.parametrize("name", ["Chain", "CHAIN"])
def test_names_as_computers_make_them_are_right(card: Card, made: Path, name: str) -> None:
    folder = put(card, made, name=name)
    for old, new in zip(FILES, ("Credentials.txt", "CA.PEM", "chain.toml (1).txt"), strict=True):
        (folder / old).rename(folder / new)
    assert whats(card) == []
    assert chain_of(card).board == "north-1"
    assert not folder.exists()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_files_that_an_editor_has_saved_again_are_right(card: Card, made: Path, encoding: str) -> None:
    folder = put(card, made)
    for name in FILES:
        text = (folder / name).read_text(encoding="utf-8").replace("\n", "\r\n")
        (folder / name).write_bytes(text.encode(encoding))
    assert whats(card) == []
    chain = chain_of(card)
    assert read_credentials(chain.credentials_file, "north-1").password.encode() == secret_of(made)
    assert Path(chain.ca).read_bytes() == (made / "north-1/ca.pem").read_bytes()


def test_new_folder_takes_the_place_of_the_old_one_with_all_its_files(card: Card, made: Path) -> None:
    put(card, made)
    take_over_settings(card.places)
    put(card, made, "other-1")
    assert whats(card) == []
    assert (chain_of(card).board, chain_of(card).broker) == ("other-1", "other.local")
    assert not any(secret_of(made) in content for content in card.everything().values())
    assert len(list((card.places.config / "chain").iterdir())) == 1


def test_same_files_may_be_put_there_again(card: Card, made: Path) -> None:
    for _ in range(2):
        put(card, made)
        assert whats(card) == []
        assert read_credentials(chain_of(card).credentials_file, "north-1").name == "north-1"
        assert not (card.places.card / "chain").exists()


def test_line_without_encryption_needs_no_authority(card: Card, made: Path) -> None:
    folder = put(card, made)
    section = (folder / "chain.toml").read_text(encoding="utf-8")
    section = re.sub("ca = .*", 'ca = ""', section.replace("tls = true", "tls = false"))
    (folder / "chain.toml").write_text(section, encoding="utf-8")
    (folder / "ca.pem").unlink()
    assert whats(card) == []
    assert (chain_of(card).tls, chain_of(card).ca, chain_of(card).board) == (False, "", "north-1")


def test_section_in_the_configuration_itself_gives_way(card: Card, made: Path) -> None:
    main = card.places.config / "quarto-pi.toml"
    by_hand = '[chain]\npresent = false\nbroker = "old.local"\nboard = "old"\nhome_assistant = true\nport = 1\n'
    main.write_text(main.read_text(encoding="utf-8") + by_hand, encoding="utf-8")
    put(card, made)
    assert whats(card) == []
    chain = chain_of(card)
    assert (chain.broker, chain.board, chain.home_assistant) == ("hub.local", "north-1", True)
    assert chain.port != 1
    card.say("chain = leave\n")
    take_over_settings(card.places)
    assert card.config.chain is None


def test_chain_alone_does_not_keep_a_phone_from_setting_the_board_up(card: Card, made: Path) -> None:
    put(card, made)
    take_over_settings(card.places)
    assert not is_set_up(card.places.config / "quarto-pi.toml")
    card.answer(language="fr")
    take_over_settings(card.places)
    assert is_set_up(card.places.config / "quarto-pi.toml")
    assert chain_of(card).board == "north-1"


# --- leaving ----------------------------------------------------------------------------------------------------------


def test_board_leaves_its_chain_by_a_line_and_joins_one_again_by_a_folder(card: Card, made: Path) -> None:
    put(card, made)
    take_over_settings(card.places)
    card.say("Chain = LEAVE\n")
    taken = take_over_settings(card.places)
    assert (taken.mistakes, taken.news) == ((), ("chain",))
    assert card.config.chain is None
    assert not any(secret_of(made) in content for content in card.everything().values())
    assert not list((card.places.config / "chain").iterdir())
    take_over_settings(card.places)
    assert card.config.chain is None
    put(card, made)
    take_over_settings(card.places)
    assert chain_of(card).board == "north-1", "what is said last counts: the line is not new"
    take_over_settings(card.places)
    card.say("language = de\n")
    take_over_settings(card.places)
    assert chain_of(card).board == "north-1", "and it may be taken away"


def test_line_that_leaves_and_folder_that_joins_at_once_change_the_chain(card: Card, made: Path) -> None:
    put(card, made)
    take_over_settings(card.places)
    card.say("chain = leave\n")
    put(card, made, "other-1")
    assert whats(card) == []
    assert chain_of(card).board == "other-1"


def test_another_word_for_the_chain_is_told_by_its_line(card: Card, made: Path) -> None:
    put(card, made)
    take_over_settings(card.places)
    card.say("language = de\nchain = north\n")
    assert whats(card) == [SettingsMistake(WrongSetting.NOT_ONE_OF, 2, "north", ("leave",))]
    assert chain_of(card).board == "north-1"


def test_line_that_is_taken_away_leaves_no_chain_that_the_configuration_has(card: Card) -> None:
    main = card.places.config / "quarto-pi.toml"
    by_hand = '[chain]\nbroker = "old.local"\nboard = "old"\ncredentials = "/there"\n'
    main.write_text(main.read_text(encoding="utf-8") + by_hand, encoding="utf-8")
    for line, board in (("chain = leave\n", None), ("", "old")):
        card.say(line)
        take_over_settings(card.places)
        assert (card.config.chain and card.config.chain.board) == board


# --- mistakes ---------------------------------------------------------------------------------------------------------


def written(name: str, content: bytes) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return write


def changed(old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / "chain.toml").read_text(encoding="utf-8")
        assert old in text
        (folder / "chain.toml").write_text(text.replace(old, new), encoding="utf-8")

    return change


def linked(folder: Path) -> None:
    (folder / "ca.pem").rename(folder / "real")
    (folder / "ca.pem").symlink_to(folder / "real")


def nested(folder: Path) -> None:
    folder.rename(folder.with_name("north-1"))
    folder.mkdir()
    folder.with_name("north-1").rename(folder / "north-1")


def folder_linked(folder: Path) -> None:
    elsewhere = folder.parent.with_name("elsewhere")
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)


def made_folder(folder: Path) -> None:
    (folder / "ca.pem").unlink()
    (folder / "ca.pem").mkdir()


def made_pipe(folder: Path) -> None:
    (folder / "credentials").unlink()
    os.mkfifo(folder / "credentials")


PEM = b"-----BEGIN CERTIFICATE-----\nTm90aGluZw==\n-----END CERTIFICATE-----\n"
KEY = b"-----BEGIN PRIVATE KEY-----\nTm90aGluZw==\n-----END PRIVATE KEY-----\n"
SAID_BY = f'credentials = "{PLACE_ON_BOARD}/credentials"'
MISTAKES: dict[str, tuple[Callable[[Path], None], WrongSetting, str]] = {
    "no credentials": (lambda folder: (folder / "credentials").unlink(), WrongSetting.CHAIN_MISSING, "credentials"),
    "no authority": (lambda folder: (folder / "ca.pem").unlink(), WrongSetting.CHAIN_MISSING, "ca.pem"),
    "no section": (lambda folder: (folder / "chain.toml").unlink(), WrongSetting.CHAIN_MISSING, "chain.toml"),
    "in a folder below": (nested, WrongSetting.CHAIN_MISSING, "credentials"),
    "twice": (written("Credentials.txt", b"a:b"), WrongSetting.CHAIN_TWICE, "credentials"),
    "a link": (linked, WrongSetting.CHAIN_UNREADABLE, "ca.pem"),
    "a link to a folder": (folder_linked, WrongSetting.CHAIN_UNREADABLE, "chain"),
    "a folder": (made_folder, WrongSetting.CHAIN_UNREADABLE, "ca.pem"),
    "a pipe": (made_pipe, WrongSetting.CHAIN_UNREADABLE, "credentials"),
    "large credentials": (written("credentials", b"x" * 5_000), WrongSetting.CHAIN_TOO_LARGE, "credentials"),
    "a large authority": (written("ca.pem", PEM * 2_000), WrongSetting.CHAIN_TOO_LARGE, "ca.pem"),
    "a document": (written("chain.toml", b"{\\rtf1 chain}"), WrongSetting.CHAIN_NOT_TEXT, "chain.toml"),
    "zeros": (written("credentials", b"\0" * 80), WrongSetting.CHAIN_NOT_TEXT, "credentials"),
    "nothing in it": (written("credentials", b""), WrongSetting.CHAIN_CHANGED, "credentials"),
    "two lines": (written("credentials", b"north-1:a\nb:c"), WrongSetting.CHAIN_CHANGED, "credentials"),
    "no TOML": (written("chain.toml", "[chain]\nbroker = “hub”".encode()), WrongSetting.CHAIN_CHANGED, "chain.toml"),
    "another section": (changed("[chain]", "[game]\n[chain]"), WrongSetting.CHAIN_CHANGED, "chain.toml"),
    "no section in it": (changed("[chain]", "[chains]"), WrongSetting.CHAIN_CHANGED, "chain.toml"),
    "a port": (changed("port = ", "port = 9"), WrongSetting.CHAIN_CHANGED, "chain.toml: port"),
    "an unknown key": (changed("port = ", "ports = "), WrongSetting.CHAIN_CHANGED, "chain.toml: ports"),
    "switched off": (changed("tls", "present = false\ntls"), WrongSetting.CHAIN_CHANGED, "chain.toml: present"),
    "no certificate": (written("ca.pem", b"Hello"), WrongSetting.CHAIN_CHANGED, "ca.pem"),
    "a certificate with an accent": (written("ca.pem", "é".encode() + PEM), WrongSetting.CHAIN_CHANGED, "ca.pem"),
    "a broken certificate": (written("ca.pem", PEM), WrongSetting.CHAIN_CHANGED, "ca.pem"),
    "the authority's key": (written("ca.pem", KEY + PEM), WrongSetting.CHAIN_CHANGED, "ca.pem"),
    "a path": (changed(SAID_BY, 'credentials = "/etc/shadow"'), WrongSetting.CHAIN_PATH, "/etc/shadow"),
    "a path that climbs": (
        changed(f"{PLACE_ON_BOARD}/ca.pem", f"{PLACE_ON_BOARD}/../ca.pem"),
        WrongSetting.CHAIN_PATH,
        f"{PLACE_ON_BOARD}/../ca.pem",
    ),
    "another board": (changed('board = "north-1"', 'board = "north-2"'), WrongSetting.CHAIN_OTHER_BOARD, "north-1"),
    "the internet": (changed("hub.local", "8.8.8.8"), WrongSetting.CHAIN_BROKER, "8.8.8.8"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_told_and_the_board_stays_on_the_chain_that_it_was_on(card: Card, made: Path, name: str) -> None:
    put(card, made, "south-2")
    card.say("language = de\n")
    take_over_settings(card.places)
    before = card.config
    folder = put(card, made)
    spoil, what, said = MISTAKES[name]
    spoil(folder)
    card.say("language = fr\n")
    (mistake,) = whats(card)
    assert (mistake.what, mistake.line, mistake.written) == (what, 0, said)
    assert card.config.chain == before.chain
    assert card.config.game.language == "fr", "the file beside it counts"
    assert read_credentials(chain_of(card).credentials_file, "south-2").name == "south-2"
    assert whats(card) == [mistake], "it is told until it is put right, and what is there is there to be put right"


def test_mistake_at_a_board_on_no_chain_leaves_it_on_none(card: Card, made: Path) -> None:
    folder = put(card, made)
    (folder / "ca.pem").unlink()
    assert [mistake.what for mistake in whats(card)] == [WrongSetting.CHAIN_MISSING]
    assert card.config.chain is None
    assert not (card.places.config / "chain").exists()
    (folder / "ca.pem").write_bytes((made / "north-1/ca.pem").read_bytes())
    assert whats(card) == []
    assert chain_of(card).board == "north-1"


def test_files_beside_the_settings_file_are_told_and_not_taken(card: Card, made: Path) -> None:
    for name in FILES:
        shutil.copy(made / "north-1" / name, card.places.card)
    (mistake,) = whats(card)
    assert (mistake.what, mistake.written) == (WrongSetting.CHAIN_BESIDE, "ca.pem")
    assert card.config.chain is None


def test_folder_that_has_kept_the_boards_name_is_told(card: Card, made: Path) -> None:
    put(card, made, name="north-1")
    (card.places.card / "System Volume Information").mkdir()
    assert whats(card) == [SettingsMistake(WrongSetting.CHAIN_BESIDE, written="north-1/credentials")]
    (card.places.card / "north-1").rename(card.places.card / "chain")
    assert whats(card) == []
    assert chain_of(card).board == "north-1"


def test_folder_in_which_nothing_is_meant_is_nothing(card: Card) -> None:
    (card.places.card / "chain").mkdir()
    (card.places.card / "chain/notes.doc").write_bytes(b"x")
    assert whats(card) == []
    assert (card.places.card / "chain/notes.doc").exists()


def test_what_makes_the_configuration_wrong_elsewhere_keeps_the_chain_out(card: Card, made: Path) -> None:
    later = card.places.config / "conf.d/later.toml"
    later.parent.mkdir()
    later.write_text('[chain]\nport = "many"\npresent = false\n', encoding="utf-8")
    put(card, made)
    with pytest.raises(ConfigError):
        _ = card.config
    assert whats(card) == [], "it was wrong before"
    later.write_text("[chain]\nport = 0\npresent = false\n", encoding="utf-8")
    assert card.config.chain is None
    later.write_text("[chain]\nport = 0\n", encoding="utf-8")
    (card.places.config / "conf.d/first-start.toml").write_text("[chain]\npresent = false\n", encoding="utf-8")
    put(card, made)
    (mistake,) = whats(card)
    assert (mistake.what, mistake.written) == (WrongSetting.CHAIN_CHANGED, "chain.toml")
    assert card.config.chain is None


def test_private_networks_are_those_that_the_boards_unit_may_reach() -> None:
    unit = (PROJECT / "systemd/quarto-pi.service").read_text(encoding="utf-8")
    (allowed,) = re.findall("^IPAddressAllow=(.*)$", unit, re.MULTILINE)
    words = {"localhost": ("127.0.0.0/8", "::1/128"), "link-local": ("169.254.0.0/16", "fe80::/64")}
    networks = [network for word in allowed.split() for network in words.get(word, (word,))]
    assert {ip_network(network) for network in networks} == {ip_network(network) for network in PRIVATE_NETWORKS}


@pytest.mark.parametrize(
    ("host", "wanted"),
    [
        *(("192.168.1.7", True), ("10.0.0.1", True), ("172.31.1.1", True), ("172.32.1.1", False), ("8.8.8.8", False)),
        *(("fd00::1", True), ("fe80::1%wlan0", True), ("[fd00::1]", True), ("2001:db8::1", False)),
        *(("::ffff:8.8.8.8", False), ("::ffff:10.1.1.1", True), ("0.0.0.0", False), ("hub.example.org", True)),  # noqa: S104
    ],
)
def test_address_is_private_or_not_and_a_name_may_be(host: str, wanted: bool) -> None:
    assert is_private(host) is wanted


# --- a plug that is pulled, a user who may not do much ----------------------------------------------------------------


def test_plug_that_is_pulled_at_any_step_leaves_the_old_chain_or_the_new_one(tmp_path: Path, made: Path) -> None:
    def prepared(name: str) -> Card:
        card = Card(tmp_path / name)
        put(card, made, "south-2")
        take_over_settings(card.places)
        card.say("language = de\nchain = leave\n")
        put(card, made)
        return card

    whole = prepared("whole")
    take_over_settings(whole.places)
    root = f"{whole.places.card.parent}".encode()
    wanted = {name: content.replace(root, b"") for name, content in whole.everything().items()}
    cuts, boards = 0, []
    for step in range(200):
        card = prepared(f"{step}")
        place = f"{card.places.card.parent}".encode()
        try:
            with cut_before(step, card.places.card.parent):
                take_over_settings(card.places)
            break
        except PowerCut:
            cuts += 1
        assert secret_of(made) in b"".join(card.everything().values()), "the secret is somewhere at any moment"
        chain = chain_of(card)
        boards.append(chain.board)
        assert read_credentials(chain.credentials_file, chain.board).name == chain.board, f"cut before step {step}"
        assert Path(chain.ca).exists()
        assert whats(card) == []
        assert {name: content.replace(place, b"") for name, content in card.everything().items()} == wanted
        assert not (card.places.card / "chain").exists()
    assert cuts >= 20
    assert boards == sorted(boards, reverse=True), "first the old chain, then the new one"
    assert len(set(boards)) == 2


def test_plug_that_is_pulled_while_a_board_leaves_makes_no_difference_in_the_end(tmp_path: Path, made: Path) -> None:
    for step in range(200):
        card = Card(tmp_path / f"{step}")
        put(card, made)
        take_over_settings(card.places)
        card.say("chain = leave\n")
        try:
            with cut_before(step, card.places.card.parent):
                take_over_settings(card.places)
            break
        except PowerCut:
            chain = card.config.chain
            assert chain is None or read_credentials(chain.credentials_file, "north-1").name == "north-1"
        assert whats(card) == []
        assert card.config.chain is None
        assert not any(secret_of(made) in content for content in card.everything().values())
    assert step > 5


def test_secret_that_was_overwritten_and_is_still_there_is_no_mistake(card: Card, made: Path) -> None:
    folder = put(card, made)
    take_over_settings(card.places)
    put(card, made)
    (folder / "credentials").write_bytes(TAKEN_OVER.encode().ljust(52))
    assert whats(card) == []
    assert not folder.exists()
    assert chain_of(card).board == "north-1"


RUN = """
import sys
from pathlib import Path
from quarto_pi.first_start.taking_over import TakingPlaces, take_over_settings
root = Path(sys.argv[1])
places = TakingPlaces(root / "boot", root / "etc", root / "networks", root / "none", owner=int(sys.argv[2]))
assert take_over_settings(places).mistakes == ()
"""


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only root can give a file away")
def test_rights_of_the_unit_are_enough_to_give_the_credentials_to_the_boards_user(card: Card, made: Path) -> None:
    unit = (PROJECT / "systemd/quarto-pi-first-start.service").read_text(encoding="utf-8")
    (kept,) = re.findall("^CapabilityBoundingSet=(.*)$", unit, re.MULTILINE)
    rights = ",".join(["-all", *(f"+{each.removeprefix('CAP_').lower()}" for each in kept.split())])
    for board in ("north-1", "other-1", "north-1"):
        # What Windows calls read-only: this root may write to no such file.
        (put(card, made, board) / "credentials").chmod(0o444)
        subprocess.run(  # noqa: S603 - this very interpreter
            [
                *("setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}", "--no-new-privs", sys.executable),
                *("-c", RUN, f"{card.places.card.parent}", f"{STRANGER}"),
            ],
            check=True,
            cwd=PROJECT,
        )
        file = chain_of(card).credentials_file
        assert (file.stat().st_uid, stat.S_IMODE(file.stat().st_mode)) == (STRANGER, 0o600)
        assert chain_of(card).board == board
        assert not (card.places.card / "chain").exists()


def test_card_that_is_full_changes_nothing(card: Card, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(card, made, "south-2")
    take_over_settings(card.places)
    folder = put(card, made)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("quarto_pi.first_start.chain_keeping.put_whole", full)
        with pytest.raises(OSError, match="No space left"):
            take_over_settings(card.places)
    assert chain_of(card).board == "south-2"
    assert secret_of(made) in (folder / "credentials").read_bytes()
    assert whats(card) == []
    assert chain_of(card).board == "north-1"
