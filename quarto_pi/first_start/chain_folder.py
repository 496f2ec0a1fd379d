"""The folder `chain` on the card: the files that a hub has made for a board, judged before any is taken over.

What the board knows of the hub and what proves who it is come together or not at all; none of the files says where
another one lies.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Final

from quarto_pi.chain.credentials import CA_FILE, CREDENTIALS_FILE, PLACE_ON_BOARD, SECTION_FILE, parse_credentials
from quarto_pi.config import ChainConfig, ConfigError
from quarto_pi.config.layers import lay
from quarto_pi.config.sources import Source
from quarto_pi.files import sync_folder
from quarto_pi.first_start.mistakes import Mistaken, SettingsMistake, WrongSetting
from quarto_pi.first_start.settings_text import TAKEN_OVER, decode_settings

CHAIN_FOLDER: Final = "chain"
"""Its name, in small or capital letters, beside the settings file."""
LARGEST_FILES: Final = {CREDENTIALS_FILE: 4_096, CA_FILE: 65_536, SECTION_FILE: 4_096}
"""The files, in the order in which they leave the card, and how many bytes any of them has at most."""
PRIVATE_NETWORKS: Final = (
    *("127.0.0.0/8", "::1/128", "169.254.0.0/16", "fe80::/64"),
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
)
"""What the board's service may reach, as its unit says."""
_COPIES: Final = re.compile(r"\s*\(\d+\)")
_EXTENSIONS: Final = (".txt", ".text", ".rtf")
_STEMS: Final = {name.partition(".")[0]: name for name in LARGEST_FILES}
_UNSEEN: Final = frozenset({"desktop.ini", "thumbs.db"})


@dataclass(frozen=True, slots=True)
class ChainFile:
    """A file of a chain on the card, and what is in it."""

    path: Path
    content: bytes

    @property
    def digest(self) -> str:
        """By which it is known again."""
        return sha256(self.content).hexdigest()

    @property
    def is_taken(self) -> bool:
        """Whether its secret was taken over, and out of it."""
        return self.content.startswith(TAKEN_OVER.encode())


@dataclass(frozen=True, slots=True)
class ChainSaid:
    """A chain as the three files say it; `authority` is empty where the line is not encrypted."""

    section: Mapping[str, str | int]
    credentials: bytes
    authority: bytes

    @property
    def name(self) -> str:
        """The name of the folder for its files: another one for others, so that old ones count until new ones do."""
        return sha256(self.credentials + self.authority).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ChainOnCard:
    """The files on the card by their names, and what they say; or what is left over of such as were taken over."""

    files: Mapping[str, ChainFile] = field(default_factory=dict)
    said: ChainSaid | None = None
    is_left_over: bool = False

    @property
    def digests(self) -> dict[str, str]:
        """By which the files are known again, but for the secret."""
        return {name: file.digest for name, file in self.files.items() if name != CREDENTIALS_FILE}


def look_for_chain(card: Path, taken: Mapping[str, str], mistakes: list[SettingsMistake]) -> ChainOnCard:
    """What the card has of a chain, if files of these digests were taken over last; what is wrong is added."""
    try:
        beside = beside_folder(card)
        if beside is not None:
            mistakes.append(SettingsMistake(WrongSetting.CHAIN_BESIDE, written=beside))
        files = find_chain_files(card)
        if not files:
            return ChainOnCard(is_left_over=bool(taken))
        if all(
            file.is_taken if name == CREDENTIALS_FILE else taken.get(name) == file.digest
            for name, file in files.items()
        ):
            # They were about to leave the card when the plug was pulled.
            return ChainOnCard(files, is_left_over=True)
        return ChainOnCard(files, read_chain_files(files))
    except Mistaken as error:
        mistakes.append(error.mistake)
    except OSError:
        mistakes.append(SettingsMistake(WrongSetting.CHAIN_UNREADABLE, written=CHAIN_FOLDER))
    return ChainOnCard()


# --- What is on the card ----------------------------------------------------------------------------------------------


def find_chain_files(card: Path) -> dict[str, ChainFile]:
    """The files in the folder by their names; empty where there is none, or nothing in it. Raises `Mistaken`."""
    folder = chain_folder(card)
    if folder is None:
        return {}
    if folder.is_symlink():
        raise _mistaken(WrongSetting.CHAIN_UNREADABLE, CHAIN_FOLDER)
    paths: dict[str, Path] = {}
    seen = sorted(each for each in folder.iterdir() if not _is_unseen(each.name))
    for path in seen:
        name = file_that_is_meant(path.name)
        if name is not None and paths.setdefault(name, path) != path:
            raise _mistaken(WrongSetting.CHAIN_TWICE, name)
    if not paths and any(each.is_dir() and _has_any(each) for each in seen):
        raise _mistaken(WrongSetting.CHAIN_MISSING, CREDENTIALS_FILE)
    return {name: ChainFile(paths[name], _content(name, paths[name])) for name in LARGEST_FILES if name in paths}


def chain_folder(card: Path) -> Path | None:
    """The folder, whatever letters its name has."""
    if not card.is_dir():
        return None
    found = (each for each in card.iterdir() if each.name.strip().casefold() == CHAIN_FOLDER)
    return next((each for each in sorted(found) if each.is_symlink() or each.is_dir()), None)


def beside_folder(card: Path) -> str | None:
    """The name of a file that lies beside the settings file, or in a folder of another name there."""
    if not card.is_dir():
        return None
    here, places = chain_folder(card), sorted(card.iterdir())
    for each in places:
        if file_that_is_meant(each.name) and not each.is_dir():
            return each.name
    for each in places:
        if each != here and not _is_unseen(each.name) and each.is_dir() and not each.is_symlink():
            found = {file_that_is_meant(file.name): file.name for file in each.iterdir()}
            if CREDENTIALS_FILE in found:
                return f"{each.name}/{found[CREDENTIALS_FILE]}"
    return None


def file_that_is_meant(name: str) -> str | None:
    """The file that is meant by a name as browsers and editors make it.

    >>> [file_that_is_meant(each) for each in ("CA.PEM", "chain.toml.txt", "credentials (1).txt", "ca.key")]
    ['ca.pem', 'chain.toml', 'credentials', None]
    """
    plain = _COPIES.sub("", name).strip().casefold()
    while plain.endswith(_EXTENSIONS):
        plain = plain.rpartition(".")[0]
    return plain if plain in LARGEST_FILES else _STEMS.get(plain)


def _has_any(folder: Path) -> bool:
    return any(file_that_is_meant(each.name) for each in folder.iterdir())


def _is_unseen(name: str) -> bool:
    """Whether it is what computers leave behind without telling anybody."""
    return name.startswith(".") or name.casefold() in _UNSEEN


def _content(name: str, path: Path) -> bytes:
    try:
        # A link that leads elsewhere is not followed, and nobody waits for the other end of a pipe.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise _mistaken(WrongSetting.CHAIN_UNREADABLE, path.name)
            content = stream.read(LARGEST_FILES[name] + 1)
    except OSError as error:
        raise _mistaken(WrongSetting.CHAIN_UNREADABLE, path.name) from error
    if len(content) > LARGEST_FILES[name]:
        raise _mistaken(WrongSetting.CHAIN_TOO_LARGE, path.name)
    return content


# --- What it says -----------------------------------------------------------------------------------------------------


def read_chain_files(files: Mapping[str, ChainFile]) -> ChainSaid:
    """What the files say together; raises `Mistaken` for the first thing that is wrong."""
    for name in (CREDENTIALS_FILE, SECTION_FILE):
        if name not in files or files[name].is_taken:
            raise _mistaken(WrongSetting.CHAIN_MISSING, name)
    section, chain = _section(_text(files, SECTION_FILE))
    found = parse_credentials(_text(files, CREDENTIALS_FILE))
    if found is None:
        raise _mistaken(WrongSetting.CHAIN_CHANGED, CREDENTIALS_FILE)
    if found.name != chain.board:
        raise _mistaken(WrongSetting.CHAIN_OTHER_BOARD, found.name, chain.board)
    if not is_private(chain.broker):
        raise _mistaken(WrongSetting.CHAIN_BROKER, chain.broker)
    if chain.tls and CA_FILE not in files:
        # On a card are no authorities but this one.
        raise _mistaken(WrongSetting.CHAIN_MISSING, CA_FILE)
    authority = _authority(_text(files, CA_FILE)) if chain.tls else b""
    return ChainSaid(section, f"{found.name}:{found.password}\n".encode(), authority)


def is_private(host: str) -> bool:
    """Whether a broker is where the board's service may reach it; where a name leads is known in a network only."""
    try:
        address: IPv4Address | IPv6Address = ip_address(host.strip("[]"))
    except ValueError:
        return True
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in ip_network(network) for network in PRIVATE_NETWORKS)


def _text(files: Mapping[str, ChainFile], name: str) -> str:
    try:
        text = decode_settings(files[name].content).text
    except Mistaken as error:
        raise _mistaken(WrongSetting.CHAIN_NOT_TEXT, name) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _section(text: str) -> tuple[dict[str, str | int], ChainConfig]:
    """The section as it is written, without the places of its files, and as the configuration has it."""
    try:
        keys = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _mistaken(WrongSetting.CHAIN_CHANGED, SECTION_FILE) from error
    section = keys.get("chain")
    if not isinstance(section, dict) or len(keys) > 1:
        raise _mistaken(WrongSetting.CHAIN_CHANGED, SECTION_FILE)
    for key, name in (("ca", CA_FILE), ("credentials", CREDENTIALS_FILE)):
        place = section.pop(key, "")
        if place not in ("", name, f"{PLACE_ON_BOARD}/{name}"):
            raise _mistaken(WrongSetting.CHAIN_PATH, f"{place}")
    try:
        chain = lay([Source("", {"chain": {**section, "credentials": CREDENTIALS_FILE}})]).config.chain
    except ConfigError as error:
        raise _mistaken(WrongSetting.CHAIN_CHANGED, f"{SECTION_FILE}: {'.'.join(error.at[1:])}") from error
    if chain is None:
        raise _mistaken(WrongSetting.CHAIN_CHANGED, f"{SECTION_FILE}: present")
    return section, chain


def _authority(text: str) -> bytes:
    """The certificate, once it is one that a connection can be made with."""
    import ssl  # noqa: PLC0415 - a board that is on no chain does not load it

    if "PRIVATE KEY" in text:
        raise _mistaken(WrongSetting.CHAIN_CHANGED, CA_FILE)
    try:
        plain = text.encode("ascii")
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=plain.decode())
    except (OSError, ValueError) as error:
        raise _mistaken(WrongSetting.CHAIN_CHANGED, CA_FILE) from error
    return plain


def _mistaken(what: WrongSetting, written: str, *known: str) -> Mistaken:
    return Mistaken(SettingsMistake(what, written=written, known=known))


# --- Once it is taken over --------------------------------------------------------------------------------------------


def take_off_card(card: Path, files: Mapping[str, ChainFile]) -> None:
    """Take the files off the card, first the secret: what it was is not left in the place where it stood either."""
    folder = chain_folder(card)
    if folder is None:
        return
    for name, file in files.items():
        if name == CREDENTIALS_FILE and not file.is_taken:
            _overwrite(file)
        file.path.unlink()
        sync_folder(folder)
    left = list(folder.iterdir())
    if all(_is_unseen(each.name) and not each.is_dir() for each in left):
        for each in left:
            each.unlink()
        folder.rmdir()
        sync_folder(card)


def _overwrite(file: ChainFile) -> None:
    mode = file.path.stat().st_mode
    # What Windows calls read-only; where it can't be changed, the file goes all the same.
    with suppress(PermissionError):
        if not mode & stat.S_IWUSR:
            file.path.chmod(stat.S_IMODE(mode) | stat.S_IWUSR)
        with file.path.open("r+b") as stream:
            stream.write(TAKEN_OVER.encode().ljust(len(file.content)))
            stream.flush()
            os.fsync(stream.fileno())
