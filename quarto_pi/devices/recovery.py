"""Bringing a chip up: reset, wait, version, registers - in steps, so that nobody waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from quarto_pi.clock import Clock
from quarto_pi.devices.chip import Chip
from quarto_pi.devices.exchange import Steps
from quarto_pi.devices.reader_terms import Version

RESET_US: Final = 200  # datasheet 8.8.2: 38 us, and some for clones
RECHECK_US: Final = 1_000
GIVE_UP_US: Final = 50_000


def revive(chip: Chip, clock: Clock, done: Callable[[Version], None]) -> Steps[None]:
    """Reset and configure a chip and report its version, NO_CHIP if it does not come up as it should."""
    try:
        version = yield from _bring_up(chip, clock)
    except OSError:
        version = Version.NO_CHIP
    done(version)


def _bring_up(chip: Chip, clock: Clock) -> Steps[Version]:
    chip.soft_reset()
    give_up_at = clock.now() + GIVE_UP_US
    yield clock.now() + RESET_US
    # A chip that holds its line low until it is up reads like one that is awake and has no version.
    while not chip.is_awake() or (version := Version.of(chip.version())) is Version.NO_CHIP:
        if clock.now() >= give_up_at:
            return Version.NO_CHIP
        yield clock.now() + RECHECK_US
    chip.configure()
    return version if chip.holds_configuration() and chip.field_off() else Version.NO_CHIP
