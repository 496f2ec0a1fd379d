"""The accounts of a chain: who may speak at the broker, and the folder of files that is copied to a new board.

Everything is done below one lock, and again leads to the same: two commands at once, or one that was cut off, leave
nothing half. A secret stands in clear in the folder of its board alone, and in the password file as a hash.
"""

from __future__ import annotations

import fcntl
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from quarto_pi.chain.credentials import CA_FILE, CREDENTIALS_FILE, PLACE_ON_BOARD, SECTION_FILE
from quarto_pi.chain.topics import HOME, HUB, check_board_name
from quarto_pi.files import put_whole
from quarto_pi.hub.broker import PASSWORDS_FILE, find_program
from quarto_pi.hub.certificates import Certificates, certificates_in, machine_name, names_of_machine
from quarto_pi.hub.settings import HubError, HubFailure, HubSettings

BOARDS_FOLDER: Final = "boards"
HUB_CREDENTIALS: Final = "hub.credentials"
HOME_CREDENTIALS: Final = "home-assistant.credentials"
LOCK_FILE: Final = "accounts.lock"
LONGEST_HOUSE: Final = 60
_PRIVATE: Final = 0o600
_PATIENCE: Final = 60


@dataclass(frozen=True, slots=True)
class BoardFiles:
    """What is to be copied to a board; whether its secret is a new one, and an authority's certificate is with it."""

    folder: Path
    credentials: Path
    section: Path
    is_new: bool
    has_authority: bool


def check_house(house: str) -> str:
    """The name of a house, if there may be one of it."""
    if len(house) > LONGEST_HOUSE or not house.isprintable():
        raise HubError(f"'{house}' is no name for a house: write up to {LONGEST_HOUSE} letters in one line.")
    return house.strip()


@contextmanager
def changing_accounts(folder: Path) -> Iterator[None]:
    """Alone with the accounts: who else wants to change them waits."""
    with (folder / LOCK_FILE).open("a", encoding="ascii") as lock:
        (folder / LOCK_FILE).chmod(_PRIVATE)
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def certificates_for(folder: Path, settings: HubSettings) -> Certificates | None:
    """The certificates of the hub's own broker; None where it has none, or the line is not encrypted."""
    if settings.external is not None or not settings.tls:
        return None
    with changing_accounts(folder):
        return certificates_in(folder, names_of_machine(settings.address))


def has_account(folder: Path, name: str) -> bool:
    """Whether an account has a password at the broker."""
    return any(line.partition(":")[0] == name for line in _lines(folder))


def hub_secret(folder: Path) -> str:
    """The hub's own password, made at its first start."""
    file = folder / HUB_CREDENTIALS
    with changing_accounts(folder):
        if not file.exists():
            put_whole(file, f"{HUB}:{_new_secret()}\n".encode(), mode=_PRIVATE)
            _take_away(folder, HUB)
        name, _, secret = file.read_text(encoding="utf-8").strip().partition(":")
        if name != HUB or not secret:
            raise HubFailure(f"{file} has no password for the hub: delete it, and start the hub again.")
        if not has_account(folder, HUB):
            _put(folder, HUB, secret)
    return secret


def add_board_account(folder: Path, board: str, settings: HubSettings, *, renew: bool) -> BoardFiles:
    """An account for a board, and the files for it; a board that has one keeps it, unless a new one is asked for."""
    check_board_name(board)
    place = folder / BOARDS_FOLDER / board
    has_ca = settings.tls and settings.external is None
    files = BoardFiles(place, place / CREDENTIALS_FILE, place / SECTION_FILE, is_new=True, has_authority=has_ca)
    with changing_accounts(folder):
        has_one = has_account(folder, board)
        if has_one and not renew and not files.credentials.exists():
            raise HubError(
                f"{board} has its credentials already, and its files were taken away from here: --renew makes new "
                "ones, and the old ones count no more."
            )
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not has_one or renew:
            secret = _new_secret()
            put_whole(files.credentials, f"{board}:{secret}\n".encode(), mode=_PRIVATE)
            _put(folder, board, secret)
        else:
            files = replace(files, is_new=False)
        if has_ca:
            put_whole(place / CA_FILE, (folder / CA_FILE).read_bytes())
        put_whole(files.section, section_for_board(board, settings, has_ca=has_ca).encode())
    return files


def is_at_work(folder: Path, board: str) -> bool:
    """Whether a board has an account, and its files were taken away from here."""
    return has_account(folder, board) and not (folder / BOARDS_FOLDER / board / CREDENTIALS_FILE).exists()


def home_account(folder: Path, *, renew: bool) -> Path:
    """The account of the house's Home Assistant, made where there is none; the file with its name and password."""
    file = folder / HOME_CREDENTIALS
    with changing_accounts(folder):
        if renew or not (file.exists() and has_account(folder, HOME)):
            secret = _new_secret()
            put_whole(file, f"{HOME}:{secret}\n".encode(), mode=_PRIVATE)
            _put(folder, HOME, secret)
    return file


def remove_board_account(folder: Path, board: str) -> bool:
    """Take an account away, with the files that were made for it; whether there was one."""
    check_board_name(board)
    with changing_accounts(folder):
        there = has_account(folder, board)
        _take_away(folder, board)
        shutil.rmtree(folder / BOARDS_FOLDER / board, ignore_errors=True)
    return there


def section_for_board(board: str, settings: HubSettings, *, has_ca: bool) -> str:
    """The section of a board's configuration that joins it to this hub."""
    host, port = settings.external or (settings.address or f"{machine_name()}.local", settings.port)
    return "\n".join(
        [
            "",
            "# The board on its chain.",
            "[chain]",
            f'broker = "{host}"',
            f"port = {port}",
            f"tls = {str(settings.tls).lower()}",
            f'ca = "{f"{PLACE_ON_BOARD}/{CA_FILE}" if has_ca else ""}"',
            f'board = "{board}"',
            f'credentials = "{PLACE_ON_BOARD}/{CREDENTIALS_FILE}"',
            "",
        ]
    )


def _new_secret() -> str:
    return secrets.token_urlsafe(32)


def _lines(folder: Path) -> list[str]:
    file = folder / PASSWORDS_FILE
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def _put(folder: Path, name: str, secret: str) -> None:
    """Give an account this password; the program that hashes it never has it on its command line."""
    program = find_program("mosquitto_passwd", "mosquitto")
    work = folder / f".{PASSWORDS_FILE}.one"
    try:
        put_whole(work, f"{name}:{secret}\n".encode(), mode=_PRIVATE)
        done = subprocess.run(  # noqa: S603 - Mosquitto's own
            [program, "-U", str(work)], capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
        hashed = work.read_text(encoding="utf-8").strip()
        if done.returncode != 0 or hashed.endswith(secret) or not hashed.startswith(f"{name}:$"):
            said = (done.stderr.strip() or "it said nothing").splitlines()[-1].rstrip(".")
            raise HubFailure(f"mosquitto_passwd could not make a password for {name}: {said}.")
    finally:
        work.unlink(missing_ok=True)
    others = [line for line in _lines(folder) if line.partition(":")[0] != name]
    _write(folder, [*others, hashed])


def _take_away(folder: Path, name: str) -> None:
    lines = _lines(folder)
    left = [line for line in lines if line.partition(":")[0] != name]
    if left != lines:
        _write(folder, left)


def _write(folder: Path, lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    put_whole(folder / PASSWORDS_FILE, text.encode(), mode=_PRIVATE)
