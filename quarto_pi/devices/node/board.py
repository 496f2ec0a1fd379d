"""A node as a board: its readers, buttons and lights, used as those on the Pi's own header; how it is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final
from zlib import crc32

from quarto_pi.clock import Clock
from quarto_pi.devices.light_patterns import PanelLamp, PanelLightsSettings, Pattern, levels
from quarto_pi.devices.node.firmware import build
from quarto_pi.devices.node.link import NodeLink
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.devices.readers.health import Fault, Gain, ReaderHealth, Version
from quarto_pi.devices.readers.interface import CannotCalibrate, Movement, Surroundings
from quarto_pi.devices.upkeep import ClosedWith
from quarto_pi.firmware.protocol import CELLS as CELL_COUNT
from quarto_pi.firmware.protocol import CRC, EDGES, FAULTS, NEVER, NOTHING, OUTCOMES, TAG, Writer
from quarto_pi.firmware.said_by_host import Configuration
from quarto_pi.firmware.said_by_node import Figures, Look, Presses, State
from quarto_pi.sensing.readings import CELLS, LINES, OFFER, Glimpse, Outcome, Reading, leave_alone

if TYPE_CHECKING:
    from quarto_pi.devices.readers.calibration import Calibration

LOOK_EVERY_US: Final = 4_000
"""How often the cable is looked at while nothing comes."""
ROUND_MS: Final = 250
"""How long a round waits for something new: longer than the slowest sweep, and than a heartbeat."""
AWAY_MS: Final = 2_000
"""For how long the buttons of a node that says nothing are taken as they were told last: less than a long press."""
DEAD_EVERY_MS: Final = 100
"""How long a round takes while there is no node: as long as a sweep."""
START_MS: Final = 3_000
NOT_CALIBRATED: Final = (
    "cross-talk is measured with the readers on a Pi's header; leave [node] out, or make the file by hand as "
    "docs/pico.md tells."
)


class NodeBank(ClosedWith):
    """The readers on a node, as `ReaderBank` is those on the Pi: `round` returns what is new."""

    def __init__(self, link: NodeLink, clock: Clock, cells: Iterable[str] = CELLS) -> None:
        self._link = link
        self._clock = clock
        self.cells = tuple(cells)
        self._told: dict[int, int] = {}
        self._glimpsed: dict[int, int] = {}
        self._swept = 0
        self.sweeps = 0
        self._boot: int | None = None
        self._moves: list[int] = []
        self._seen: dict[int, bytes] = {}

    def start(self) -> dict[str, Version]:
        """Wait a moment for the node and return its chips' versions; a node that is not there may come later."""
        end = self._link.now_ms + START_MS
        while self._link.now_ms < end and not (self._link.is_up and self._link.health):
            self._link.step()
            self._wait()
        return {cell: health.version for cell, health in self.health().items()}

    def round(self, glimpse: Glimpse = leave_alone) -> list[Reading]:
        """Wait for the next looks and return them; without a node, every reader is dead."""
        self.sweeps += 1
        end = self._link.now_ms + ROUND_MS
        dead_at = self._link.now_ms + DEAD_EVERY_MS
        while True:
            self._link.step()
            now = self._link.now_ms
            if self._link.is_up:
                readings = self._new_readings(glimpse)
                if readings or self._has_button_moved() or now >= end:
                    return readings
            elif now >= dead_at:
                self._told.clear()
                return [Reading(cell, Outcome.DEAD, (), now) for cell in self.cells]
            self._wait()

    def sweep(self, cells: Iterable[str] | None = None) -> list[Reading]:
        """Wait for a look at each of these cells (at all, if none are named) and return what was seen."""
        wanted = self.cells if cells is None else tuple(cells)
        for cell in wanted:
            if cell not in self.cells:
                raise KeyError(cell)
        found: dict[str, Reading] = {}
        end = self._link.now_ms + len(self.cells) * DEAD_EVERY_MS
        while not found.keys() >= set(wanted) and self._link.now_ms < end:
            found.update({reading.cell: reading for reading in self.round()})
        return [reading for cell, reading in found.items() if cell in wanted]

    @property
    def not_calibrated_because(self) -> str:
        """Return why nothing can be measured: a node tells what its readers see, not what they hear of each other."""
        return NOT_CALIBRATED

    def calibrate(self, looks: int = 5) -> Calibration:
        """Refuse."""
        del looks
        raise CannotCalibrate(NOT_CALIBRATED)

    def close(self) -> None:
        """Let go of the cable; a second call does nothing."""
        self._link.close()

    @property
    def answering(self) -> int:
        """Return how many of the readers answer."""
        return sum(figures.answers for figures in self.health().values())

    @property
    def pause_ms(self) -> int:
        """Return how long the loop may wait before the next round: nothing, because a round waits by itself."""
        return 0

    def health(self) -> dict[str, ReaderHealth]:
        """Return every reader's figures."""
        health = self._link.health if self._link.is_up else None
        if health is None:
            return {cell: _unknown(cell) for cell in self.cells}
        figures = dict(zip(CELLS, health.figures, strict=True))
        return {cell: self._health_of(cell, figures[cell]) for cell in self.cells}

    def _health_of(self, cell: str, figures: Figures) -> ReaderHealth:
        return ReaderHealth(
            cell=cell,
            version=Version.of(figures.version),
            polls=figures.polls,
            misses=figures.misses,
            errors=figures.errors,
            cross_reads=figures.cross_reads,
            resets=figures.resets,
            last_seen=None if figures.seen == NEVER else self._link.to_host(figures.seen),
            last_fault=Fault[FAULTS[figures.fault]] if figures.fault else None,
            answers=bool(figures.answers),
            wants_command_again=bool(figures.again),
        )

    def _wait(self) -> None:
        self._clock.wait_until(self._clock.now() + LOOK_EVERY_US)

    def _has_button_moved(self) -> bool:
        state = self._link.state
        moves = [] if state is None else [presses.count for presses in state.buttons]
        moved, self._moves = moves != self._moves, moves
        return moved

    def _new_readings(self, glimpse: Glimpse) -> list[Reading]:
        """What a sweep that is over has found; of one that goes on, what is new is only glimpsed."""
        state = self._link.state
        if state is None:
            return []
        if state.boot != self._boot:
            self._boot, self._swept = state.boot, 0
            self._told.clear()
        new = list(self._looks_since(self._told, state))
        if state.sweeps == self._swept:
            for number, look in self._looks_since(self._glimpsed, state):
                glimpse(self._reading(number, look))
                self._glimpsed[number] = look.looks
            return []
        self._swept = state.sweeps
        self._told = {number: look.looks for number, look in enumerate(state.looks)}
        self._glimpsed = dict(self._told)
        for number, look in new:
            if look.outcome == TAG:
                self._seen[number] = look.uids()[0]
            elif OUTCOMES[look.outcome] == Outcome.EMPTY.value:
                self._seen.pop(number, None)
        self._link.expect(self._seen)
        return [self._reading(number, look) for number, look in new]

    def _looks_since(self, told: Mapping[int, int], state: State) -> Iterator[tuple[int, Look]]:
        for number, (cell, look) in enumerate(zip(CELLS, state.looks, strict=True)):
            if look.looks not in (0, told.get(number, 0)) and cell in self.cells:
                yield number, look

    def _reading(self, number: int, look: Look) -> Reading:
        names = tuple(sorted(uid.hex().upper() for uid in look.uids()))
        return Reading(CELLS[number], Outcome(OUTCOMES[look.outcome]), names, self._link.to_host(look.at))


class NodeButtons:
    """The buttons on a node; a press has the moment at which it was made, however late it is told.

    Only what the node has counted is a press. After a silence, or when a program begins, a button that is held is found
    down without a count: nobody has pressed it anew.
    """

    def __init__(self, link: NodeLink, names: Mapping[str, int]) -> None:
        self._link = link
        self._places = dict(names)
        self._boot: int | None = None
        self._counts: dict[str, int] = {}
        self._known_at = 0
        self._away_since: int | None = None
        self._down: dict[str, bool] = dict.fromkeys(names, False)

    def movements(self) -> list[Movement]:
        """All that has moved since this was asked last, in order; on a node that stays away, nothing is held down."""
        found: list[Movement] = []
        now = self._link.now_ms
        state = self._link.state if self._link.is_up else None
        if state is None:
            self._away_since = now if self._away_since is None else self._away_since
            if now - self._away_since >= AWAY_MS:
                for name in self._places:
                    found += self._settle(name, down=False, at=self._known_at)
            return found
        self._away_since, self._known_at = None, self._link.to_host(state.at)
        for name, place in self._places.items():
            found += self._moved(name, state.buttons[place], first=self._boot is None, anew=state.boot != self._boot)
        self._boot = state.boot
        return sorted(found, key=lambda movement: movement.at)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all buttons."""
        return tuple(self._places)

    @property
    def held(self) -> tuple[str, ...]:
        """Return the names of those that are down at this moment."""
        state = self._link.state
        return () if state is None else tuple(name for name, at in self._places.items() if state.buttons[at].down)

    def _moved(self, name: str, presses: Presses, *, first: bool, anew: bool) -> list[Movement]:
        before = presses.count if first else 0 if anew else self._counts.get(name, 0)
        self._counts[name] = presses.count
        # Of a storm only the newest are known: the moments are right, and so is what is down in the end.
        counted = (presses.count - before) & 0xFFFF
        count = min(counted, EDGES)
        moments = [self._link.to_host(presses.at[(presses.count - back) % EDGES]) for back in range(count, 0, -1)]
        level = presses.down ^ bool(count % 2)
        found: list[Movement] = []
        if not level or counted > EDGES:
            found += self._settle(name, down=level, at=moments[0] if moments else self._link.now_ms)
        for at in moments:
            level = not level
            found += self._settle(name, down=level, at=at)
        return found

    def _settle(self, name: str, *, down: bool, at: int) -> list[Movement]:
        if self._down[name] is down:
            return []
        self._down[name] = down
        return [Movement(name, down, at)]


class NodeLights:
    """The panel's lights on a node."""

    def __init__(self, settings: PanelLightsSettings, link: NodeLink) -> None:
        self._settings = settings
        self._link = link

    def show(self, lights: Mapping[PanelLamp, Pattern], now: int) -> None:
        """Show these patterns as they are at this millisecond; lights that are not named are off."""
        self._link.light(bytes(round(255 * value) for value in levels(self._settings, lights, now)))


class Node(ClosedWith):
    """One Pico and all that hangs on it."""

    def __init__(self, link: NodeLink, clock: Clock, cells: Iterable[str], buttons: Mapping[str, int]) -> None:
        self.link = link
        self.bank = NodeBank(link, clock, cells)
        self.buttons = NodeButtons(link, buttons)

    def lights(self, settings: PanelLightsSettings) -> NodeLights:
        """The panel's lights."""
        return NodeLights(settings, self.link)

    def close(self) -> None:
        """Let go of the cable; a second call does nothing."""
        self.link.close()


def _unknown(cell: str) -> ReaderHealth:
    return ReaderHealth(cell, Version.NO_CHIP, 0, 0, 0, 0, 0, None, None, answers=False)


PLACES: Final = {"call": 0, "call0": 0, "call1": 1, "menu": 2}
"""Which of the node's three buttons each is, by the name that the referee knows it by."""


def build_node(settings: NodeSettings, around: Surroundings, clock: Clock, tell: Callable[[str], None]) -> Node:
    """The node that these settings describe; whether it is plugged in shows when it is first spoken to."""
    if around.trouble:
        tell(f"one reader's field is on at a time: {around.trouble}")
    link = NodeLink(settings, wiring_of(settings, around), clock, tell=tell, build=build())
    return Node(link, clock, around.cells, {name: PLACES[name] for name in around.buttons})


def wiring_of(settings: NodeSettings, around: Surroundings) -> Configuration:
    """What the node has to know of the board, with a number of its own: the same board has the same one."""
    cells, plan = around.cells, around.plan
    lines = {**around.lines, OFFER: LINES[OFFER]}
    groups = {cell: number for number, group in enumerate(plan.in_groups(cells)) for cell in group}
    lights = around.panel_lights or PanelLightsSettings()
    wiring = Configuration()
    wiring.spi_hz = settings.spi_hz
    wiring.address = list(settings.address_pins)
    wiring.enable, wiring.offer, wiring.reset = settings.enable_pin, settings.offer_pin, settings.reset_pin
    second = settings.second_pin if "call1" in around.buttons else NOTHING
    wiring.buttons = [settings.call_pin, second, settings.menu_pin]
    wiring.lights = [NOTHING] * 3 if around.panel_lights is None else list(settings.light_pins)
    wiring.active_high = int(lights.active_high)
    wiring.gain = int(Gain.DB_33)
    wiring.most = plan.most
    wiring.lines = [lines[cell] if cell in cells else NOTHING for cell in CELLS]
    wiring.groups = [groups.get(cell, CELL_COUNT - 1) for cell in CELLS]
    # over all but the frame's own checksum, with which it would always be the same; 0 is a node without a configuration
    wiring.number = crc32(wiring.write(Writer())[: -CRC - 1]) & 0xFFFF or 1
    return wiring
