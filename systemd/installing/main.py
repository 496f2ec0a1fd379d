"""The order of the steps."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from installing import bus, shell
from installing.alone import alone
from installing.configuration import chosen, first_configuration, uses_second_bus, wirings
from installing.environment import Builder, Version
from installing.machine import Board, Machine, this_machine
from installing.options import Options, parse, without_archive
from installing.places import DISPLAY, SERVICE, Places
from installing.release import Release, release_in
from installing.removal import uninstall
from installing.signature import KEYS, unpack_signed
from installing.system import Equipment, System, install_packages, packages_for
from installing.telling import InstallError, Report
from installing.upgrade import Upgrade, in_turn
from installing.versions import Versions
from installing.wheelhouse import Fetcher

STEPS = 6


def main(arguments: Sequence[str], sources: Path, places: Places | None = None) -> int:
    """Do what the command line asks for, and return the exit code."""
    options = parse(arguments, wirings(sources))
    # The board is another user than root, who may be one that shows nothing to others.
    os.umask(0o022)
    try:
        if options.archive is not None:
            return _install_archive(options.archive, without_archive(arguments), sources, places or Places())
        _do(options, sources, places or Places())
    except (InstallError, OSError) as error:
        print(f"\nsystemd/install: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted; what runs was not touched. Run the installer again to go on.", file=sys.stderr)
        return 130
    return 0


def _install_archive(archive: Path, arguments: Sequence[str], sources: Path, places: Places) -> int:
    """Have the installer of a release do it, once its signature was found right by the keys that are here."""
    keys = (sources / "systemd" / KEYS, places.config.with_name(KEYS))
    with TemporaryDirectory(prefix="quarto-pi-release-") as folder:
        unpacked = unpack_signed(archive, keys, Path(folder))
        print(f"{archive.name} is signed by its publisher", flush=True)
        return subprocess.call([unpacked / "systemd" / "install", *arguments])


def _do(options: Options, sources: Path, places: Places) -> None:
    machine = this_machine()
    if options.fetch is not None:
        report = Report(1)
        report.step("Fetching the packages")
        Fetcher(Path(sys.executable), None, report).fill(options.fetch, sources / "systemd", board_of(options, machine))
        return
    if os.geteuid() != 0:
        raise InstallError("This changes the system: run it with sudo.")
    with alone(places):
        _change(options, sources, places, machine)


def _change(options: Options, sources: Path, places: Places, machine: Machine) -> None:
    if options.uninstall:
        report = Report(2)
        uninstall(places, report, purge=options.purge, is_running=machine.runs_systemd)
        report.summary("The board is uninstalled.")
    elif options.rollback:
        _roll_back(options, places, machine)
    else:
        machine.refuse_if_unfit(board_of(options, machine))
        Installation(options, places, machine, release_in(sources)).run()


def board_of(options: Options, machine: Machine) -> Board:
    """What the program is to stand on."""
    named = {"pi4": Board.PI4, "pi5": Board.PI5, "simulated": Board.SIMULATED}
    return named[options.board] if options.board in named else machine.board()


def _roll_back(options: Options, places: Places, machine: Machine) -> None:
    report = Report(1)
    report.step("Going back")
    versions = Versions(places.opt)
    version = in_turn(versions, report.right)
    equipment = Equipment(version.board, *_equipment_there(places))
    system = System(places, report, is_running=machine.runs_systemd)
    Upgrade(versions, system, equipment, options.settle, report).to(version)
    # Going back once more would lead to what was just left.
    versions.forget_previous()
    report.summary(f"{version.name} runs again.")


def _equipment_there(places: Places) -> tuple[bool, bool]:
    return (places.drop_ins / "voice.conf").exists(), (places.units / DISPLAY).is_symlink()


class Installation:
    """One run of the installer; every step may be done again, and finds what is right already."""

    def __init__(self, options: Options, places: Places, machine: Machine, release: Release) -> None:
        self._options = options
        self._places = places
        self._machine = machine
        self._release = release
        self._report = Report(STEPS)
        self._versions = Versions(places.opt)
        self._board = board_of(options, machine)
        voice, display = _equipment_there(places)
        self._equipment = Equipment(self._board, options.voice or voice, options.display or display)
        known = wirings(release.folder)
        is_simulated = self._board is Board.SIMULATED
        self._wiring, self._language = chosen(
            options, known, is_new=not places.config.exists(), asks_wiring=not is_simulated
        )
        self._needs_restart = False

    def run(self) -> None:
        """Install, or bring up to date."""
        report, machine = self._report, self._machine
        print(f"quarto-pi {self._release.name} for {machine.model or 'this machine'}, {machine.system}", flush=True)
        report.step("Packages of the system")
        voice, display = self._equipment.voice, self._equipment.display
        install_packages(packages_for(machine, self._board, voice=voice, display=display), report)
        report.step("SPI and I2C")
        self._enable_buses()
        report.step("The program")
        version = self._make_version()
        report.step("The user, the unit files, the configuration")
        changed = self._fit(version)
        report.step("Starting")
        self._start(version, changed=changed)
        report.step("Tidying up")
        self._tidy_up()
        report.summary(self._headline(version))

    def _enable_buses(self) -> None:
        if self._board is Board.SIMULATED:
            self._report.right("a simulated board needs none")
            return
        second = (bus.SECOND_BUS,) if uses_second_bus(self._release.folder, self._wiring, self._places) else ()
        self._needs_restart = bus.enable(self._places, (*bus.USUAL, *second), self._report)
        if self._needs_restart:
            self._report.note("restart the machine: SPI and I2C are there only then (sudo reboot)")

    def _make_version(self) -> Version:
        version, builder = self._versions.named(self._release.name), Builder()
        if builder.works(version) and version.board is self._board:
            self._report.right(f"{version.name} is there")
            return version
        shutil.rmtree(version.folder, ignore_errors=True)
        self._release.copy_to(version.sources)
        version.remember(self._board)
        given = self._options.wheelhouse or _beside(self._release)
        installed = tuple(each.wheelhouse for each in (self._versions.current, self._versions.previous) if each)
        Fetcher(builder.python, given, self._report, installed).fill(version.wheelhouse, version.pins, self._board)
        self._report.doing("making the virtual environment; on a small Pi this takes minutes")
        builder.build(version)
        self._report.changed(f"{version.name} made in {version.folder}")
        return version

    def _fit(self, version: Version) -> bool:
        system = self._system()
        # Where one version runs, files change only together with the switch to the other, and back.
        changed = False
        if self._versions.current in (None, version):
            if self._versions.current is None:
                self._versions.switch_to(version)
            changed = system.fit(version, self._equipment)
        text = first_configuration(self._wiring, self._language, open_page=self._options.open_page)
        system.configure(text)
        system.enable((SERVICE, *((DISPLAY,) if self._equipment.display else ())))
        return changed

    def _start(self, version: Version, *, changed: bool) -> None:
        report = self._report
        if not self._machine.runs_systemd or self._needs_restart:
            self._versions.switch_to(version)
            report.note("the board starts with the machine")
            return
        runs = shell.succeeds("systemctl", "is-active", "--quiet", SERVICE)
        if runs and not changed and self._versions.current == version:
            report.right(f"{version.name} runs")
            return
        upgrade = Upgrade(self._versions, self._system(), self._equipment, self._options.settle, report)
        upgrade.to(version)
        if self._equipment.display:
            shell.run("systemctl", "restart", "--no-block", DISPLAY)

    def _tidy_up(self) -> None:
        for name in self._versions.prune():
            self._report.changed(f"{name} removed: the last two versions are kept")

    def _system(self) -> System:
        return System(self._places, self._report, is_running=self._machine.runs_systemd)

    def _headline(self, version: Version) -> str:
        if self._board is Board.SIMULATED:
            return f"The simulated board {version.name} is installed; its page is at http://127.0.0.1:8040/"
        return f"The board {version.name} is installed; 'sudo quarto-pi check' looks at every part."


def _beside(release: Release) -> Path | None:
    """The packages that came with an archive."""
    folder = release.folder / "wheelhouse"
    return folder if folder.is_dir() else None
