"""The folder of a hub, with all that it has to remember, and the settings in its file `hub.toml`."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.config.section import HIDDEN, ConfigError, Section
from quarto_pi.rules import QuartoError

HUB_SETTINGS_FILE: Final = "hub.toml"
SECTION: Final = "hub"
FOLDER_OF_HUB: Final = "quarto-pi-hub"
FOLDER_OF_HUB_SERVICE: Final = Path("/var/lib") / FOLDER_OF_HUB
MOST_BOARDS: Final = 20_000
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
HOST_NAME: Final = re.compile(r"(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")

SayInLog = Callable[[str], None]
"""Takes a sentence for whoever reads the log."""
_ADDRESS: Final = re.compile(r"[A-Za-z0-9._:\[\]-]{0,253}")
_ORIGIN: Final = re.compile(r"(https?://([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,60}\])(:[1-9][0-9]{0,4})?)?")
SCHEMES: Final = ("postgresql://", "postgres://")


class HubError(QuartoError, ValueError):
    """A hub that cannot be as it was asked for; the text says what to do."""


class HubFailure(QuartoError, RuntimeError):
    """A hub that cannot work at present; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class HubSettings:
    """How a hub works.

    `address` is the name or number at which boards find it, empty for this machine's own name; `broker` an external
    broker as `host` or `host:port`, empty for Mosquitto of its own on `port`. `tls` says whether the line to the broker
    is encrypted, `ca` whose certificate an external broker has to have (empty: one of the system's). `database` is
    empty for a file in the folder, or begins with `postgresql://`. `page_port` is where the hub's page is, 0 for none;
    it is encrypted unless `page_host` is this machine's own 127.0.0.1. `page_names` are names by which it is asked for
    besides those of its network, `page_proxy` says that a proxy on this machine encrypts it.
    `boards` is how many boards there may be at the broker at a time. `publisher` is the file with the certificate of
    who signs versions, empty where that is left to the boards alone; `versions_at` is where boards fetch them, empty
    for the page, if that is there for other machines.
    """

    address: str = ""
    port: int = 8883
    broker: str = ""
    tls: bool = True
    ca: str = ""
    database: str = ""
    page_host: str = "127.0.0.1"
    page_port: int = 8050
    page_names: str = ""
    page_proxy: bool = False
    boards: int = 1_000
    publisher: str = ""
    versions_at: str = ""

    @property
    def external(self) -> tuple[str, int] | None:
        """Host and port of an external broker; None where the hub runs its own."""
        if not self.broker:
            return None
        host, _, port = self.broker.rpartition(":")
        if not host or not port.isdecimal():
            host, port = self.broker, f"{self.port}"
        return host.removeprefix("[").removesuffix("]"), int(port)


def read_hub_settings(text: str, name: str = HUB_SETTINGS_FILE) -> HubSettings:
    """The settings that are written in a text; `ConfigError` says what is wrong with it."""
    try:
        whole = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: this is not TOML: {error}.") from error
    try:
        return _read(whole)
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}", error.at) from error


def _read(whole: Mapping[str, object]) -> HubSettings:
    for key, value in whole.items():
        if key != SECTION or not isinstance(value, dict):
            raise ConfigError(f"{key} is none that the hub knows: write a section [{SECTION}] with keys below it.")
    keys = whole.get(SECTION, {})
    section, plain = Section(SECTION, keys if isinstance(keys, Mapping) else {}), HubSettings()
    settings = HubSettings(
        section.take("address", plain.address),
        section.take("port", plain.port),
        section.take("broker", plain.broker),
        section.take("tls", plain.tls),
        section.take("ca", plain.ca),
        section.secret("database", plain.database),
        section.take("page_host", plain.page_host),
        section.take("page_port", plain.page_port),
        section.take("page_names", plain.page_names),
        section.take("page_proxy", plain.page_proxy),
        section.take("boards", plain.boards),
        section.take("publisher", plain.publisher),
        section.take("versions_at", plain.versions_at),
    )
    section.close()
    _check(section, settings)
    return settings


def _check(section: Section, settings: HubSettings) -> None:
    for key in ("address", "broker", "page_host"):
        value = getattr(settings, key)
        if not _ADDRESS.fullmatch(value):
            raise section.wrong(key, value, "write a name or a number of a machine, without spaces")
    if not 1 <= settings.port <= 65_535:
        raise section.wrong("port", settings.port, "write 1 to 65535; below 1024 only the system may listen")
    _check_page(section, settings)
    if not 1 <= settings.boards <= MOST_BOARDS:
        raise section.wrong("boards", settings.boards, f"write 1 to {MOST_BOARDS}")
    external = settings.external
    if external is not None and (not 1 <= external[1] <= 65_535 or external[0].startswith(":")):
        raise section.wrong("broker", settings.broker, "write host:port with a port of 1 to 65535")
    if settings.database and not settings.database.startswith(SCHEMES):
        raise section.wrong("database", HIDDEN, 'write postgresql://USER@HOST/NAME, or "" for a file of its own')


def _check_page(section: Section, settings: HubSettings) -> None:
    if not 0 <= settings.page_port <= 65_535:
        raise section.wrong("page_port", settings.page_port, "write 1 to 65535, or 0 for no page")
    for name in settings.page_names.split():
        if not HOST_NAME.fullmatch(name):
            raise section.wrong("page_names", settings.page_names, "write names of hosts, with spaces between them")
    if not _ORIGIN.fullmatch(settings.versions_at):
        raise section.wrong("versions_at", settings.versions_at, "write https://HOST or https://HOST:PORT, no more")
    if settings.page_proxy and settings.page_host not in LOOPBACK:
        raise section.wrong("page_proxy", settings.page_proxy, "behind a proxy, page_host is 127.0.0.1")


# --- Where a hub keeps what it has to remember ------------------------------------------------------------------------


def hub_folder(environ: Mapping[str, str], of_the_service: Path = FOLDER_OF_HUB_SERVICE) -> Path:
    """The folder that the service manager names, else the service's if there is one, else the user's own."""
    first = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if first:
        return Path(first)
    if of_the_service.is_dir():
        return of_the_service
    home = environ.get("XDG_STATE_HOME", "")
    base = Path(home) if home.startswith("/") else Path(environ.get("HOME") or Path.home()) / ".local" / "state"
    return base / FOLDER_OF_HUB


def prepare_folder(folder: Path) -> Path:
    """The folder, made where it is not there, for nobody but its owner to look into."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise HubFailure(f"the hub's folder {folder} cannot be written to: use sudo, or name another with --folder.")
    return folder.resolve()


def become_owner(folder: Path) -> None:
    """Go on as the account that the folder belongs to, where root has called: no file of the hub becomes root's."""
    if os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    if owner.st_uid == 0:
        return
    os.setgroups([])
    os.setgid(owner.st_gid)
    os.setuid(owner.st_uid)


def settings_in(folder: Path) -> HubSettings:
    """The settings of the hub in this folder; the usual ones where it has no file."""
    file = folder / HUB_SETTINGS_FILE
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return HubSettings()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: the settings are not UTF-8 text (byte {error.start}).") from error
    return read_hub_settings(text, str(file))
