"""Taking the board away: everything that the installer made, and only with a clear word what people have made."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from installing import shell
from installing.places import DISPLAY, FIRST_START, MEND, SERVICE, Places
from installing.telling import Report

OUR_DROP_INS: Final = ("simulated.conf", "voice.conf")
"""What else changes the unit, people have written, as with `systemctl edit`."""


def uninstall(places: Places, report: Report, *, purge: bool, is_running: bool) -> None:
    """Stop and remove the board."""
    report.step("Stopping the board")
    for unit in (DISPLAY, SERVICE):
        if (places.units / unit).is_symlink():
            if is_running:
                shell.run("systemctl", "stop", unit)
            # Before the link goes: systemd finds by it what it has to undo.
            shell.succeeds("systemctl", f"--root={places.root}", "disable", unit)
    report.step("Removing the program")
    for path in _made_by_the_installer(places):
        _remove(path, report)
    if is_running:
        shell.run("systemctl", "daemon-reload")
    if places.drop_ins.is_dir() and not _names(places.drop_ins):
        places.drop_ins.rmdir()
    _what_people_made(places, report, purge=purge)
    report.note("the users quarto-pi stay, so that nobody inherits their numbers; so do system packages, SPI and I2C")


def _what_people_made(places: Places, report: Report, *, purge: bool) -> None:
    for folder in (places.state, places.config.parent, places.drop_ins):
        if purge:
            _remove(folder, report)
        elif folder.exists():
            named = f" with {', '.join(_names(folder))}" if folder == places.drop_ins else ""
            report.note(f"{folder}{named} stays; --uninstall --purge removes it")


def _made_by_the_installer(places: Places) -> tuple[Path, ...]:
    return (
        *(places.drop_ins / name for name in OUR_DROP_INS),
        *(places.units / unit for unit in (SERVICE, MEND, FIRST_START, DISPLAY)),
        places.sysusers / "quarto-pi.conf",
        places.sysusers / "quarto-pi-display.conf",
        places.polkit,
        places.modules,
        places.command,
        places.opt,
    )


def _names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def _remove(path: Path, report: Report) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        return
    report.changed(f"{path} removed")
