"""Taking out of a text what is nobody's business: PINs, passwords, tags, addresses, people's and computers' names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from typing import Final

from quarto_pi.checks.machine import Machine

EVERYBODYS: Final = frozenset({"root", "pi", "quarto", "quarto-pi", "raspberrypi", "localhost", "nobody", "admin"})
"""Names that tell nothing about anybody, and would take other words with them."""
FIRST_PERSON: Final = 1000
"""From this number on users are people (login.defs, UID_MIN)."""

_SECRET: Final = re.compile(
    r"(?i)\b(pin|psk|pass(?:word|phrase|wd)?|secret|token|serial(?:number)?|(?:part)?uuid)\b(\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|\S+)"
)
_PLAIN: Final = (
    (re.compile(r"(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "(uuid)"),
    (re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"), "(mail)"),
    # Longer than a time of day: a UID with colons, or the address of a network card.
    (re.compile(r"\b[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){3,9}\b"), "(uid or address)"),
    (re.compile(r"\b(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})\b"), "(uid)"),
    (re.compile(r"/home/[^/\s\"']+"), "/home/(user)"),
)
_LIKE_AN_ADDRESS: Final = re.compile(
    r"(?<![\w.])\d+(?:\.\d+){3}(?!\w|\.\d)"  # IPv4, perhaps with a port behind it
    r"|(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?!\w)"  # IPv6
)


class Discretion:
    """Takes out what looks like a secret, and the words that are known to be one."""

    def __init__(self, secrets: Iterable[str] = (), names: Iterable[str] = ()) -> None:
        words = {(secret, "(secret)") for secret in secrets if secret}
        words |= {(name, "(name)") for name in names if len(name) > 2 and name.lower() not in EVERYBODYS}
        # The longest first: one may be part of another.
        self._words = [
            (re.compile(rf"(?i)(?<![\w-]){re.escape(word)}(?![\w-])" if kind == "(name)" else re.escape(word)), kind)
            for word, kind in sorted(words, key=lambda each: -len(each[0]))
        ]

    def clean(self, text: str) -> str:
        """The text without them.

        >>> Discretion(["geheim"], ["ada"]).clean("PIN: 4711, ada at 192.168.0.7 typed xgeheimx at 12:34:56")
        'PIN: (secret) (name) at (address) typed x(secret)x at 12:34:56'
        """
        for pattern, instead in self._words:
            text = pattern.sub(instead, text)
        text = _SECRET.sub(r"\1\2(secret)", text)
        for pattern, instead in _PLAIN:
            text = pattern.sub(instead, text)
        return _LIKE_AN_ADDRESS.sub(_without_address, text)


def _without_address(found: re.Match[str]) -> str:
    """What stands for an address of a network; a time of day is none, and everybody has 127.0.0.1."""
    try:
        address = ip_address(found[0])
    except ValueError:
        return found[0]
    return found[0] if address.is_loopback or address.is_unspecified else "(address)"


def secrets_in(text: str) -> Iterator[str]:
    """Whatever a configuration calls a PIN, be the rest of it right or not."""
    for found in re.finditer(r"\bpin\s*=\s*(\"[^\"\n]*\"|'[^'\n]*'|[^\s#]+)", text):
        yield found[1].strip("\"'")


def names_of(machine: Machine) -> Iterator[str]:
    """The names of the computer and of the people on it (passwd(5): name, password, number, ..., full name, home)."""
    yield from (machine.text("etc/hostname") or "").split()
    yield from (machine.environ.get(key, "") for key in ("USER", "LOGNAME", "SUDO_USER", "HOSTNAME"))
    for line in (machine.text("etc/passwd") or "").splitlines():
        name, _, number, _, told, *_ = (*line.split(":"), "", "", "", "", "")
        if number.isdecimal() and int(number) >= FIRST_PERSON:
            yield name
            # Of a full name each part counts, but not "van" and "der".
            yield from (part for part in told.replace(",", " ").split() if len(part) > 3)
