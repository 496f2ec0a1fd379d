"""All checks of a board, by the names of what they look at, and going through those that somebody wants."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import quarto_pi
from quarto_pi.checks import Finding, as_name
from quarto_pi.checks.chain import chain
from quarto_pi.checks.devices import buses, buttons, displays, fields, nodes_of, readers, speech, tags
from quarto_pi.checks.installation import (
    configuration,
    opening_book,
    search,
    service_health,
    told_by_others,
    words,
)
from quarto_pi.checks.machine import Machine, clock, folder_of, memory, pi, storage
from quarto_pi.checks.node import node
from quarto_pi.config import Config, JournalConfig, PageConfig
from quarto_pi.config.layers import ConfigPlace
from quarto_pi.devices.readers.interface import STOP, BoardInUse
from quarto_pi.journal.repair import condition_of
from quarto_pi.notices import NOTICES_FOLDER
from quarto_pi.rules import QuartoError, hint
from quarto_pi.wiring.board import button_names, button_pins
from quarto_pi.wiring.platform import HardwareMissing, Platform, not_installed

# --- The journal: whether the games of a board are safe where they are kept -------------------------------------------


def journal(machine: Machine, settings: JournalConfig) -> Finding:
    """The journal; nothing of it is changed by looking."""
    folder = Path(settings.folder).expanduser() if settings.folder else folder_of(machine)
    try:
        seen = condition_of(folder)
    except PermissionError:
        return Finding("journal", ok=False, detail=f"{folder} may not be looked into", fix="sudo quarto-pi check")
    return Finding("journal", ok=seen.ok, detail=seen.detail, fix=seen.fix)


# --- All checks of a board, by the names of what they look at, and going through those that somebody wants ------------


class UnknownDevice(QuartoError, ValueError):
    """No device has this name; the text says which one may have been meant."""


@dataclass(frozen=True, slots=True)
class ChosenDevices:
    """The devices that somebody wants to know about: those of these names, or without any name all of them."""

    names: frozenset[str] = frozenset()

    def wants(self, device: str) -> bool:
        """Whether a device is one of them."""
        return not self.names or as_name(device) in self.names


@dataclass(frozen=True, slots=True)
class Check:
    """A look at some devices; one that needs the board leaves it alone while somebody else has it."""

    devices: tuple[str, ...]
    look: Callable[[ChosenDevices], Iterable[Finding]]
    needs_board: bool = False


def checks_of_program(place: ConfigPlace, config: Config) -> list[Check]:
    """The checks of the program and of what it stands on, on whatever computer."""
    checks = [
        Check(("search",), lambda _: [search()]),
        Check(("opening book",), lambda _: [opening_book()]),
        Check(("words",), lambda _: [words()]),
        Check(("configuration",), lambda _: [configuration(place)]),
        Check(("fields",), lambda _: [fields(config)]),
    ]
    if (voice := config.speech) is not None:
        checks.append(Check(("speech",), lambda _: [speech(voice, config.game.language)]))
    if (web := config.page) is not None:
        checks.append(Check(("page",), lambda _: [_page(web)]))
    return checks


def checks_of_machine(machine: Machine, config: Config) -> list[Check]:
    """The checks of the computer."""
    installed_at = Path(quarto_pi.__file__).stat().st_mtime
    return [
        Check(("pi", "temperature", "power"), lambda _: pi(machine)),
        Check(("memory",), lambda _: memory(machine, config)),
        Check(("clock",), lambda _: [clock(machine, installed_at)]),
        Check(("storage",), lambda _: storage(machine)),
    ]


def checks_of_installation(machine: Machine, config: Config) -> list[Check]:
    """The checks of what only a real board needs: its tags, the computer's buses, the service, its journal."""
    nodes = nodes_of(config)
    checks = [
        Check(("tags",), lambda _: [tags(config)]),
        Check(tuple(node.device for node in nodes), lambda _: buses(machine, nodes)),
        Check(("service",), lambda _: [service_health(machine)]),
        Check(("notices",), lambda _: [told_by_others(machine.path(str(NOTICES_FOLDER)))]),
    ]
    if (keeps := config.journal) is not None:
        checks.append(Check(("journal",), lambda _: [journal(machine, keeps)]))
    if (told := config.chain) is not None:
        checks.append(Check(("chain",), lambda _: [chain(machine, told, config.journal)]))
    return checks


def checks_of_board(config: Config, platform: Platform) -> list[Check]:
    """The checks of what is wired to the board."""
    cells = {f"reader {cell}": cell for cell in config.readers.cells}
    outputs = {"oled": config.oled, "panel lights": config.panel_lights, "square lights": config.square_lights}

    def look_at_readers(choice: ChosenDevices) -> Iterator[Finding]:
        return readers(config, platform, [cell for device, cell in cells.items() if choice.wants(device)])

    def look_at_buttons(_: ChosenDevices) -> Iterator[Finding]:
        if config.hung_on is None:
            leave_alone_if_in_use(config, platform)
        yield from buttons(config, platform)

    def look_at_outputs(choice: ChosenDevices) -> Iterator[Finding]:
        if config.hung_on is None:
            leave_alone_if_in_use(config, platform)
        yield from displays(config, platform, choice.wants)

    wired = [
        Check(tuple(cells), look_at_readers, needs_board=True),
        Check(tuple(f"button {name}" for name in button_pins(config)), look_at_buttons, needs_board=True),
    ]
    if (settings := config.node) is not None:
        names = (*cells, *(f"button {name}" for name in button_names(config)))
        wired = [Check(("node", *names), lambda _: node(config, settings, platform), needs_board=True)]
    return [
        *wired,
        Check(tuple(name for name, there in outputs.items() if there is not None), look_at_outputs, needs_board=True),
    ]


def leave_alone_if_in_use(config: Config, platform: Platform) -> None:
    """Make sure that nobody has the board: who has it has opened its readers' bus."""
    readers = config.readers
    with suppress(HardwareMissing, OSError):
        platform.open_spi(readers.spi_bus, readers.spi_device, readers.spi_hz).close()


def choose_devices(checks: Sequence[Check], names: Collection[str]) -> ChosenDevices:
    """The devices of these names, all of which some check has to know."""
    known = device_names(checks)
    for name in names:
        if name not in known:
            raise UnknownDevice(f"there is no '{name}' to be checked: {hint(name, known)}")
    return ChosenDevices(frozenset(names))


def device_names(checks: Sequence[Check]) -> list[str]:
    """The names of all devices."""
    return [as_name(device) for check in checks for device in check.devices]


def go_through(checks: Sequence[Check], choice: ChosenDevices) -> Iterator[Finding]:
    """What is found out about the devices that are wanted; a board that somebody else has is told of once."""
    in_use = False
    for check in checks:
        if not any(map(choice.wants, check.devices)) or (check.needs_board and in_use):
            continue
        try:
            for finding in check.look(choice):
                # What stands for several devices, such as a bus that is not there, concerns each of them.
                if choice.wants(finding.device) or finding.device not in check.devices:
                    yield finding
        except BoardInUse as error:
            in_use = True
            detail = f"in use by {error.user}: readers, buttons, displays and lights were left alone"
            fix = f"to have them looked at, end that first, the service with '{STOP}'"
            # A game that is being played is what the board is for. But who asked for a reader gets no answer.
            yield Finding("board", ok=not choice.names, detail=detail, fix=fix)


def _page(settings: PageConfig) -> Finding:
    # A board without a page need not have what the page stands on.
    try:
        from quarto_pi.checks.installation import page
    except ImportError as error:
        return Finding("page", ok=False, detail=str(not_installed(error)).rstrip("."), fix="install what is missing")
    return page(settings)
