"""The wiring: the only place where devices are built, above whatever platform was found or made up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quarto_pi.clock import US_PER_MS
from quarto_pi.config import Config
from quarto_pi.config.service import door_of
from quarto_pi.controller.computer import LookingBack, ThinkingComputer
from quarto_pi.controller.loop import Loop, Output, Recording
from quarto_pi.controller.other_boards import OtherBoardsSeat
from quarto_pi.devices.light_patterns import PanelLamps, PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.devices.readers.fields import plan_fields, usable_mode
from quarto_pi.devices.readers.interface import AbsentButtons, AbsentReaders, Buttons, Hung, Readers, Surroundings
from quarto_pi.devices.settings import OledSettings
from quarto_pi.devices.speech import Speech
from quarto_pi.devices.upkeep import SilenceWatch
from quarto_pi.engine.client import OUR_ENGINE, EngineProcess
from quarto_pi.known_time import KnownTime, time_of_machine
from quarto_pi.referee import Before
from quarto_pi.referee.messages import Impairment
from quarto_pi.sensing.board import Sensing
from quarto_pi.sensing.readings import LINES, OFFER
from quarto_pi.sensing.tags import TagTable
from quarto_pi.service import Watchdog, counted
from quarto_pi.trace.recorder import Recorder
from quarto_pi.wiring.platform import HardwareMissing, Platform, not_installed

if TYPE_CHECKING:
    from quarto_pi.devices.node.board import Node
    from quarto_pi.devices.oled import Oled, Screen
    from quarto_pi.devices.panel import PanelLights, PushButtons
    from quarto_pi.devices.readers.bank import ReaderBank
    from quarto_pi.devices.square_lights import SquareLights
    from quarto_pi.devices.upkeep import DeviceCondition
    from quarto_pi.journal.writer import OpenJournal
    from quarto_pi.outputs.display import DisplayOutput
    from quarto_pi.outputs.page import PageOutput
    from quarto_pi.wiring.chain import OpenChain


def surroundings_of(config: Config) -> Surroundings:
    """What the board has, whatever its readers hang on."""
    fields = config.fields
    cells = config.readers.cells
    usable = usable_mode(fields.mode, fields.calibration)
    plan = plan_fields(usable.mode, replace(fields.budget, readers=len(cells)), usable.apart)
    return Surroundings(cells, config.readers.lines, plan, usable.trouble, button_names(config), config.panel_lights)


def open_bank(config: Config, platform: Platform, tell: Callable[[str], None] = lambda _: None) -> ReaderBank:
    """The reader bank that the configuration describes; without a calibration for it, one field at a time, told why."""
    try:
        from gpiozero import GPIOZeroError

        from quarto_pi.devices.readers.bank import BankSettings, ReaderBank
        from quarto_pi.devices.readers.spi import SelectLines, SelectPins
    except ImportError as error:
        raise not_installed(error) from error
    readers, around = config.readers, surroundings_of(config)
    if around.trouble:
        tell(f"one reader's field is on at a time: {around.trouble}")
    pins = SelectPins(readers.address_pins, readers.enable_pin, readers.offer_pin, readers.reset_pin)
    try:
        spi = platform.open_spi(readers.spi_bus, readers.spi_device, readers.spi_hz)
    except OSError as error:
        raise HardwareMissing(
            f"the SPI device /dev/spidev{readers.spi_bus}.{readers.spi_device} cannot be opened ({error.strerror}): "
            "enable SPI with raspi-config, and be a member of the group spi."
        ) from error
    try:
        lines = SelectLines(pins, platform.pin_factory)
    except GPIOZeroError as error:
        spi.close()
        raise HardwareMissing(
            f"the select lines cannot be driven ({error}): is this a Pi, with you in the group gpio?"
        ) from error
    return ReaderBank(
        spi,
        lines,
        platform.clock,
        plan=around.plan,
        settings=BankSettings(cells=around.cells, lines={**around.lines, OFFER: LINES[OFFER]}),
    )


def open_buttons(config: Config, platform: Platform) -> PushButtons:
    """The push buttons that the configuration describes."""
    try:
        from gpiozero import GPIOZeroError

        from quarto_pi.devices.panel import PushButtons
    except ImportError as error:
        raise not_installed(error) from error
    try:
        return PushButtons(button_pins(config), platform.clock, platform.pin_factory)
    except GPIOZeroError as error:
        raise HardwareMissing(
            f"the buttons cannot be read ({error}): is this a Pi, with you in the group gpio?"
        ) from error


def button_pins(config: Config) -> dict[str, int]:
    """The pin of each button that the board has, by the name that the referee knows it by."""
    buttons = config.buttons
    pins = (
        {"call": buttons.call_pin}
        if config.game.buttons == 1
        else {"call0": buttons.call_pin, "call1": buttons.second_pin}
    )
    return {**pins, "menu": buttons.menu_pin} if buttons.menu_pin else pins


def open_oled(settings: OledSettings, platform: Platform) -> Oled:
    """The small display; whether it is there shows when it is first written to."""
    try:
        from quarto_pi.devices.oled import Oled
    except ImportError as error:
        raise not_installed(error) from error
    return Oled(settings, platform.clock, platform.pin_factory)


def open_panel_lights(settings: PanelLightsSettings, platform: Platform) -> PanelLights:
    """The lights on the panel."""
    try:
        from gpiozero import GPIOZeroError

        from quarto_pi.devices.panel import PanelLights
    except ImportError as error:
        raise not_installed(error) from error
    try:
        return PanelLights(settings, platform.pin_factory)
    except GPIOZeroError as error:
        raise HardwareMissing(
            f"the lights on the panel cannot be driven ({error}): is this a Pi, with you in the group gpio?"
        ) from error


def open_square_lights(settings: SquareLightsSettings, platform: Platform) -> SquareLights:
    """The lights under the squares; a strip that is not there is never noticed."""
    try:
        from quarto_pi.devices.square_lights import SquareLights
    except ImportError as error:
        raise not_installed(error) from error
    return SquareLights(settings, platform.clock)


def button_names(config: Config) -> tuple[str, ...]:
    """The buttons of a board with a node; a menu button that is not wired is simply never pressed."""
    return ("call", "menu") if config.game.buttons == 1 else ("call0", "call1", "menu")


def open_node(
    config: Config, settings: NodeSettings, platform: Platform, tell: Callable[[str], None] = lambda _: None
) -> Node:
    """The Pico that the readers, buttons and lights hang on; what becomes of it is told in sentences."""
    try:
        from quarto_pi.devices.node.board import build_node
    except ImportError as error:
        raise not_installed(error) from error
    return build_node(settings, surroundings_of(config), platform.clock, tell)


def open_readers(
    config: Config, platform: Platform, stack: ExitStack, tell: Callable[[str], None] = lambda _: None
) -> Hung:
    """The readers of the kind that the configuration names: here alone is one chosen; the stack closes them."""
    kind = config.hung_on
    if kind is None:
        return Hung(stack.enter_context(open_bank(config, platform, tell)))
    try:
        return kind.hang(surroundings_of(config), platform.clock, stack, tell)
    except ImportError as error:
        raise not_installed(error) from error


def start_engine() -> EngineProcess:
    """The engine in a process of its own, as the computer at the board uses it."""
    return EngineProcess(OUR_ENGINE)


@dataclass(frozen=True, slots=True)
class OpenOutputs:
    """Display, lights and voice, as far as there are any; and who knows whether the display answers.

    `conditions` are where to ask how those are doing that know it, by their sections.
    """

    outputs: list[Output]
    silence: SilenceWatch[Screen] | None
    """Of the display."""
    conditions: Mapping[str, Callable[[], DeviceCondition]]
    display: DisplayOutput | None = None

    def display_trouble(self) -> Impairment | None:
        """What people are to be told of the display."""
        return Impairment.NO_DISPLAY if self.silence is not None and self.silence.is_silent() else None


def open_outputs(
    config: Config,
    platform: Platform,
    stack: ExitStack,
    address: Callable[[], str] = str,
    panel: PanelLamps | None = None,
) -> OpenOutputs:
    """Open those of display, lights and voice that the configuration names; the stack closes them.

    The address is that of the page at any moment, if others can reach it. The panel's lights are open already.
    """
    outputs: list[Output] = []
    conditions: dict[str, Callable[[], DeviceCondition]] = {}
    silence = display = None
    if config.oled is not None:
        oled = stack.enter_context(open_oled(config.oled, platform))
        oled.start()
        silence = SilenceWatch(oled, platform.clock)
        conditions["oled"] = lambda: oled.condition
        from quarto_pi.outputs.display import DisplayOutput

        display = DisplayOutput(oled, address)
        outputs.append(display)
    if panel is not None:
        from quarto_pi.outputs.lights import PanelOutput

        outputs.append(PanelOutput(panel))
    if config.square_lights is not None:
        squares = stack.enter_context(open_square_lights(config.square_lights, platform))
        squares.start()
        conditions["square lights"] = lambda: squares.condition
        from quarto_pi.outputs.lights import SquaresOutput

        outputs.append(SquaresOutput(squares))
    if config.speech is not None:
        from quarto_pi.outputs.voice import VoiceOutput

        outputs.append(VoiceOutput(stack.enter_context(Speech(config.speech)), config.settings))
    return OpenOutputs(outputs, silence, conditions, display)


@dataclass(frozen=True, slots=True)
class Wired:
    """What people touch and the panel's lights, on the Pi's header or on whatever the readers hang on."""

    bank: Readers
    buttons: Buttons
    panel: PanelLamps | None


def open_wired(config: Config, platform: Platform, stack: ExitStack) -> Wired:
    """Readers, buttons and the panel's lights, wherever the configuration says that they are."""
    hung, lights = _open_readers_or_none(config, platform, stack), config.panel_lights
    if config.hung_on is not None and not config.hung_on.only_readers and hung.buttons is not None:
        return Wired(hung.readers, hung.buttons, hung.panel)
    try:
        buttons: Buttons = stack.enter_context(open_buttons(config, platform))
        panel = None if lights is None else stack.enter_context(open_panel_lights(lights, platform))
    except HardwareMissing as error:
        _go_without(platform, error)
        return Wired(hung.readers, AbsentButtons(), None)
    return Wired(hung.readers, buttons, panel)


def _open_readers_or_none(config: Config, platform: Platform, stack: ExitStack) -> Hung:
    try:
        return open_readers(config, platform, stack, _say)
    except HardwareMissing as error:
        _go_without(platform, error)
        return Hung(stack.enter_context(AbsentReaders(config.readers.cells, platform.clock, f"{error}")))


def _go_without(platform: Platform, error: HardwareMissing) -> None:
    if platform.missing is None:
        raise error
    platform.missing(error)


HOLD_MS: Final = 2_000
"""The time for which a button is held while the board starts, for safe mode."""


def is_held(config: Config, platform: Platform) -> bool:
    """Whether somebody holds a button of the Pi's header now, and goes on doing so."""
    if config.hung_on is not None and not config.hung_on.only_readers:
        return False
    try:
        with open_buttons(config, platform) as buttons:
            if not buttons.held:
                return False
            platform.clock.wait_until(platform.clock.now() + HOLD_MS * US_PER_MS)
            return bool(buttons.held)
    except HardwareMissing:
        return False


def _say(sentence: str) -> None:
    # In one piece: other threads print as well.
    print(f"quarto-pi: {sentence}\n", end="", file=sys.stderr, flush=True)


def open_loop(  # noqa: PLR0913 - all that a board has
    config: Config,
    platform: Platform,
    stack: ExitStack,
    tags: TagTable,
    outputs: Sequence[Output] = (),
    record: Path | Recording | None = None,
    page: PageOutput | None = None,
    journal: OpenJournal | None = None,
    watchdog: Watchdog | None = None,
    impaired: Impairment | None = None,
    hampered: Callable[[], Impairment | None] = lambda: None,
    known_time: KnownTime | None = None,
    chain: OpenChain | None = None,
) -> Loop:
    """The whole controller; the stack closes what it has opened. `impaired` is what is wrong with its start.

    `hampered` is asked again and again for what is wrong around the board; what is wrong with its start comes first,
    and a display that does not answer last.
    """
    wired = open_wired(config, platform, stack)
    bank = wired.bank
    computer = ThinkingComputer(start_engine)
    stack.callback(computer.close)
    looking_back = LookingBack()
    stack.callback(looking_back.close)
    recorder = stack.enter_context(Recorder(record, tags, _say)) if isinstance(record, Path) else record
    bank.start()
    cells = config.readers.cells
    sensing = Sensing(tags, config.sensing, cells)
    settings = config.settings if journal is None else journal.remembered.wishes
    writer, before = (None, Before()) if journal is None else (journal.writer, journal.remembered.before)
    if isinstance(bank, AbsentReaders) or isinstance(wired.buttons, AbsentButtons):
        impaired = Impairment.NO_READERS
    wrong_at_start = impaired

    def wrong_now() -> Impairment | None:
        return wrong_at_start or hampered()

    hours, time_of_day = config.kiosk.hours, known_time or time_of_machine({}, config.kiosk.time_zone)
    address = str if page is None else page.address
    opened = open_outputs(config, platform, stack, address, wired.panel)
    shown_by = [*outputs]
    if page is not None:
        page.know(bank.health)
        shown_by.append(page)
    other_boards: OtherBoardsSeat | None = None
    if chain is not None:
        from quarto_pi.wiring.chain import Surveyed

        surveyed = Surveyed(bank.health, lambda: writer.trouble if writer else None, wrong_now, opened.conditions)
        shown_by.append(chain.output(surveyed))
        chain.announce_by(*(each.announce for each in (page, opened.display) if each is not None))
        chain.serve(writer)
        chain.orders.recall(writer.folder if writer else None)
        other_boards = chain.other_boards(journal, settings.rules)
    if watchdog is not None:
        shown_by.append(watchdog)
    door: Callable[[], bool | None] | None = None if hours is None else door_of(hours, time_of_day.on_the_wall)
    if chain is not None:
        door = chain.orders.door(hours, time_of_day.on_the_wall)
    loop = Loop(
        bank,
        wired.buttons,
        platform.clock,
        sensing,
        settings,
        computer,
        shown_by,
        recorder,
        writer,
        replace(before, impaired=impaired),
        displays=opened.outputs,
        patience=config.kiosk.patience,
        door=door,
        looking_back=looking_back,
        hampered=lambda: wrong_now() or opened.display_trouble(),
        other_boards=other_boards,
    )
    if chain is not None:
        chain.orders.serve(loop, settings)
    if watchdog is not None:
        signs = {"the sweep": counted(lambda: bank.sweeps), "the loop": counted(lambda: loop.turns)}
        if writer is not None:
            signs["the journal"] = writer.is_moving
        watchdog.attend(signs, lambda: (bank.answering, len(bank.cells)), lambda: bank.sweeps > 0)
    return loop
