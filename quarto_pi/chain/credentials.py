"""The files that a hub makes for a board, and its credentials among them: one line that nobody else reads."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from quarto_pi.rules import QuartoError

CREDENTIALS_FILE: Final = "credentials"
CA_FILE: Final = "ca.pem"
"""The certificate of the authority that has signed the broker's."""
SECTION_FILE: Final = "chain.toml"
"""The section `[chain]` of the board's configuration."""
PLACE_ON_BOARD: Final = "/etc/quarto-pi/chain"
"""Where they lie on a board that has them."""


class CredentialsRefused(QuartoError, ValueError):
    """Credentials that cannot be used, or that others can read; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """The name with which a client logs in, and its password, which is never shown."""

    name: str
    password: str = field(repr=False)


def read_credentials(file: Path, name: str) -> Credentials:
    """What stands in a file, which has to be this client's, and its alone to read."""
    try:
        mode = file.stat().st_mode
        text = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise CredentialsRefused(
            f"the credentials {file} cannot be read ({error.strerror}): put the file there that 'quarto-pi hub add' "
            "has made, owned by the board's user, with mode 600."
        ) from error
    except UnicodeDecodeError as error:
        raise CredentialsRefused(f"the credentials {file} are no text: {_AGAIN}.") from error
    if not stat.S_ISREG(mode):
        raise CredentialsRefused(f"the credentials {file} are no file: {_AGAIN}.")
    if mode & 0o077:
        raise CredentialsRefused(
            f"others can read the credentials {file}: do 'chmod 600 {file}', and let the board's user own it."
        )
    found = parse_credentials(text)
    if found is None:
        raise CredentialsRefused(f"the credentials {file} are not one line NAME:PASSWORD: {_AGAIN}.")
    if found.name != name:
        raise CredentialsRefused(
            f"the credentials {file} are those of '{found.name}', and this board is '{name}' in [chain] board: "
            f"{_AGAIN}."
        )
    return found


def parse_credentials(text: str) -> Credentials | None:
    """The credentials that a text is, one line NAME:PASSWORD; None where it is something else."""
    user, _, password = text.strip().partition(":")
    return Credentials(user, password) if user and password and text.strip().isprintable() else None


_AGAIN = "put the file there that 'quarto-pi hub add' has made for this board"
