"""Where everything goes. Below another root than `/` for trials: nothing else knows absolute paths."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

SERVICE: Final = "quarto-pi.service"
MEND: Final = "quarto-pi-mend.service"
FIRST_START: Final = "quarto-pi-first-start.service"
DISPLAY: Final = "quarto-pi-display.service"
USER: Final = "quarto-pi"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders and files of the appliance on a machine."""

    root: Path = Path("/")

    @property
    def opt(self) -> Path:
        """The program, in all its versions."""
        return self.root / "opt/quarto-pi"

    @property
    def state(self) -> Path:
        """Games, tags, all that the board itself writes."""
        return self.root / "var/lib/quarto-pi"

    @property
    def lock(self) -> Path:
        """What an installer holds as long as it is at work."""
        return self.root / "run/quarto-pi-install.lock"

    @property
    def restarts(self) -> Path:
        """When systemd has started the board by itself, in memory; `fall-back` counts there."""
        return self.root / "run/quarto-pi-restarts"

    @property
    def config(self) -> Path:
        """The configuration."""
        return self.root / "etc/quarto-pi/quarto-pi.toml"

    @property
    def units(self) -> Path:
        """The unit files."""
        return self.root / "etc/systemd/system"

    @property
    def drop_ins(self) -> Path:
        """What changes the board's unit on this machine."""
        return self.units / f"{SERVICE}.d"

    @property
    def sysusers(self) -> Path:
        """Who the users are."""
        return self.root / "etc/sysusers.d"

    @property
    def modules(self) -> Path:
        """Which kernel modules are loaded at every start."""
        return self.root / "etc/modules-load.d/quarto-pi.conf"

    @property
    def polkit(self) -> Path:
        """The rule that lets the board switch its machine off."""
        return self.root / "etc/polkit-1/rules.d/50-quarto-pi.rules"

    @property
    def command(self) -> Path:
        """`quarto-pi` for everybody who is logged in."""
        return self.root / "usr/local/bin/quarto-pi"

    @property
    def boot_configs(self) -> tuple[Path, ...]:
        """Where Raspberry Pi OS has its boot configuration, newest place first."""
        return (self.root / "boot/firmware/config.txt", self.root / "boot/config.txt")
