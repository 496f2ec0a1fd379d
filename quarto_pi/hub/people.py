"""Who may use the hub's page: names, roles and houses, with passwords of which only a slow digest is kept.

They stand in a file that only the hub's user reads. The command writes it while the hub runs; the hub looks at it
again when it has changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final

from quarto_pi.files import put_whole
from quarto_pi.rules import QuartoError

PEOPLE_FILE: Final = "people.json"
ONLY_THE_HUB: Final = 0o600
SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
MOST_PEOPLE: Final = 1_000
FIRST_OWNER: Final = "owner"

_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9.-]{0,38}[a-z0-9])?")
PASSWORD_ROUNDS: Final = 2**15
"""What makes guessing slow: each password takes a tenth of a second of a processor, and 32 MB."""
_BLOCK, _LANES = 8, 1
_MEMORY: Final = 64 * 2**20
# Letters and figures that nobody takes for one another: 31 of them, sixteen of which are 79 bits.
_LEGIBLE: Final = "abcdefghjkmnpqrstuvwxyz23456789"


class PersonRefused(QuartoError, ValueError):
    """Somebody who cannot be entered as wished; the text says why."""


class Role(Enum):
    """What somebody may do on the hub's page."""

    OWNER = "owner"
    HOUSE = "house"
    ONLOOKER = "onlooker"


@dataclass(frozen=True, slots=True)
class HubUser:
    """Somebody who may use the page. An onlooker without a house looks at all of them."""

    name: str
    role: Role
    house: str
    password: str
    """Its digest with what it was made with, as text."""

    def sees(self, house: str) -> bool:
        """Whether the boards of this house are shown."""
        return self.role is Role.OWNER or (self.role is Role.ONLOOKER and not self.house) or self.house == house

    def directs(self, house: str) -> bool:
        """Whether the boards of this house may be told what to do."""
        return self.role is Role.OWNER or (self.role is Role.HOUSE and self.house == house)

    @property
    def only_house(self) -> str | None:
        """The one house that is shown; None where all are."""
        return None if self.role is Role.OWNER or (self.role is Role.ONLOOKER and not self.house) else self.house


def new_password() -> str:
    """A password that nobody guesses and everybody can type."""
    return "-".join("".join(secrets.choice(_LEGIBLE) for _ in range(4)) for _ in range(4))


def digest_of(password: str, rounds: int = PASSWORD_ROUNDS) -> str:
    """What is kept of a password."""
    salt = secrets.token_bytes(16)
    digest = hashlib.scrypt(password.encode(), salt=salt, n=rounds, r=_BLOCK, p=_LANES, maxmem=_MEMORY, dklen=32)
    return f"scrypt:{rounds}:{_BLOCK}:{_LANES}:{salt.hex()}:{digest.hex()}"


def fits_digest(password: str, kept: str) -> bool:
    """Whether it is the password of which this was kept."""
    _, rounds, block, lanes, salt, digest = kept.split(":")
    made = hashlib.scrypt(
        password.encode(),
        salt=bytes.fromhex(salt),
        n=int(rounds),
        r=int(block),
        p=int(lanes),
        maxmem=_MEMORY,
        dklen=32,
    )
    return hmac.compare_digest(made.hex(), digest)


class PeopleFile:
    """All people, in a file; a password that is chosen from now on takes so many `rounds` to try."""

    def __init__(self, folder: Path, rounds: int = PASSWORD_ROUNDS) -> None:
        self._file = folder / PEOPLE_FILE
        self._rounds = rounds
        # The digest of no password: a name that nobody has takes as long as one with a wrong password.
        self._nobody = f"scrypt:{rounds}:{_BLOCK}:{_LANES}:{'00' * 16}:{'00' * 32}"
        self._known: dict[str, HubUser] = {}
        self._seen: tuple[int, int, int] | None = None

    def all(self) -> list[HubUser]:
        """Everybody, by name."""
        known = self._read()
        return [known[name] for name in sorted(known)]

    def find(self, name: str) -> HubUser | None:
        """Somebody by name."""
        return self._read().get(name)

    def admitted(self, name: str, password: str) -> HubUser | None:
        """Who has this name and this password; None takes as long. It computes for a tenth of a second or so."""
        user = self.find(name)
        fits = fits_digest(password[:LONGEST_PASSWORD], self._nobody if user is None else user.password)
        return user if fits else None

    def add(self, name: str, role: Role, house: str = "", password: str | None = None) -> str:
        """Enter somebody, or change who is there already; returns the password, which was made up if none is given."""
        if not _NAME.fullmatch(name):
            raise PersonRefused(f"'{name}' is no name here: write up to 40 of a to z, 0 to 9, . and -.")
        if role is Role.HOUSE and not house:
            raise PersonRefused("somebody of a house needs the house: add --house HOUSE.")
        if role is Role.OWNER and house:
            raise PersonRefused("an owner has all houses: leave --house out.")
        if password is not None:
            _check_password(password)
        chosen = new_password() if password is None else password
        user = HubUser(name, role, house, digest_of(chosen, self._rounds))
        with self._alone():
            known = dict(self._read())
            if name not in known and len(known) >= MOST_PEOPLE:
                raise PersonRefused(f"{MOST_PEOPLE} people are the most: remove somebody first.")
            if role is not Role.OWNER:
                _keep_an_owner(known, name)
            known[name] = user
            self._write(known)
        return chosen

    def change_password(self, name: str, password: str) -> HubUser:
        """Give somebody another password; returns him as he is then, with the role that he has by now."""
        _check_password(password)
        digest = digest_of(password, self._rounds)
        with self._alone():
            known = dict(self._read())
            if name not in known:
                raise PersonRefused(f"nobody here is called '{name}'.")
            known[name] = replace(known[name], password=digest)
            self._write(known)
            return known[name]

    def remove(self, name: str) -> None:
        """Take somebody out; every session of theirs ends."""
        with self._alone():
            known = dict(self._read())
            if name not in known:
                raise PersonRefused(f"nobody here is called '{name}'.")
            _keep_an_owner(known, name)
            del known[name]
            self._write(known)

    def add_first_owner(self) -> str | None:
        """Enter an owner where nobody is there yet; the password, None where somebody is."""
        return None if self._read() else self.add(FIRST_OWNER, Role.OWNER)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else changes the file meanwhile, from the page or by the command."""
        lock = self._file.with_suffix(".lock")
        with lock.open("a", encoding="ascii") as held:
            lock.chmod(ONLY_THE_HUB)
            fcntl.flock(held, fcntl.LOCK_EX)
            yield

    def _read(self) -> Mapping[str, HubUser]:
        try:
            now = self._file.stat()
        except FileNotFoundError:
            return {}
        seen = (now.st_mtime_ns, now.st_size, now.st_ino)
        if seen != self._seen:
            self._known = _parsed(self._file)
            self._seen = seen
        return self._known

    def _write(self, known: Mapping[str, HubUser]) -> None:
        rows = [
            {"name": user.name, "role": user.role.value, "house": user.house, "password": user.password}
            for user in known.values()
        ]
        put_whole(self._file, json.dumps({"people": rows}, indent=1).encode(), ONLY_THE_HUB)


def _check_password(password: str) -> None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise PersonRefused(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} letters: choose another one.")


def _keep_an_owner(known: Mapping[str, HubUser], without: str) -> None:
    others = [user for name, user in known.items() if name != without and user.role is Role.OWNER]
    if without in known and known[without].role is Role.OWNER and not others:
        raise PersonRefused(f"'{without}' is the only owner: add another one first.")


def _parsed(file: Path) -> dict[str, HubUser]:
    """Everybody in the file; a file that is not ours is refused, for nobody may come in by a mistake."""
    try:
        rows = json.loads(file.read_bytes())["people"]
        users = [HubUser(row["name"], Role(row["role"]), row["house"], row["password"]) for row in rows]
        for user in users:
            if len(user.password.split(":")) != 6:
                raise ValueError(user.name)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PersonRefused(
            f"{file} is damaged: put it back from a backup, or remove it and start the hub for a new first owner."
        ) from error
    return {user.name: user for user in users}
