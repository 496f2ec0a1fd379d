"""What eyes see of an evening: display and lights on simulated chips, looked at once a tick; no thread runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from gpiozero.pins.mock import MockFactory, MockPWMPin

from quarto_pi.controller.loop import Output
from quarto_pi.devices.light_patterns import PanelKind, PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.panel import PanelLights
from quarto_pi.devices.settings import OledSettings
from quarto_pi.devices.square_lights import SquareLights
from quarto_pi.outputs.display import DisplayOutput
from quarto_pi.outputs.lights import PanelOutput, SquaresOutput
from quarto_pi.referee import Effect
from quarto_pi.simulation import outputs
from quarto_pi.simulation.outputs import Apa102Strip, SpiLine, spidev_with
from tests.displays import Desk, desk, in_place
from tests.games.performance import Timed

TICK_MS = 100
THREE = PanelLightsSettings()
RGB = PanelLightsSettings(kind=PanelKind.RGB, pins=(19, 20, 21))


@dataclass(frozen=True)
class Sight:
    """What is seen at a moment: the display's dots and contrast, the lights' brightness, the squares that shine."""

    at: int
    dots: bytes = field(repr=False)
    contrast: int
    panel: tuple[float, ...]
    squares: Mapping[str, outputs.SeenLight]


@dataclass
class Stage:
    """Display, three lights, one RGB light, and lights under the squares."""

    desk: Desk
    squares: SquareLights
    strip: Apa102Strip
    factory: MockFactory
    outputs: Sequence[Output]
    _dots: tuple[int, bytes] = (-1, b"")

    def perform(self, effect: Effect) -> None:
        for output in self.outputs:
            output.perform(effect)

    def tick(self, now: int) -> None:
        """Go on to this millisecond, and let the workers do what they have to do there."""
        self.desk.clock.wait_until(now * 1_000)
        for output in self.outputs:
            output.tick(now)
        self.work()

    def work(self) -> None:
        """Let the workers do what they have to do now."""
        self.desk.settle()
        self.squares.step()

    def sight(self, at: int) -> Sight:
        pins = [*THREE.pins, *RGB.pins]
        panel = tuple(float(self.factory.pin(f"GPIO{pin}").state) for pin in pins)
        chip = self.desk.chip
        if self._dots[0] != self.desk.bytes:
            # As long as nothing is sent to it, a display goes on showing the same.
            self._dots = self.desk.bytes, self.desk.seen().tobytes()
        return Sight(at, self._dots[1], chip.contrast if chip.on else -1, panel, self.strip.lit)


@contextmanager
def stage() -> Iterator[Stage]:
    """Everything that shows something, above simulated chips."""
    settings = SquareLightsSettings()
    strip = Apa102Strip(settings.order)
    factory = MockFactory(pin_class=MockPWMPin)
    with ExitStack() as stack:
        it = stack.enter_context(desk(OledSettings()))
        line = SpiLine(strip)
        stack.enter_context(in_place(spidev=spidev_with({(settings.spi_port, settings.spi_device): line})))
        squares = stack.enter_context(SquareLights(settings, it.clock))
        panels = [stack.enter_context(PanelLights(kind, factory)) for kind in (THREE, RGB)]
        lamps = [PanelOutput(panel) for panel in panels]
        outputs: list[Output] = [DisplayOutput(it.oled), *lamps, SquaresOutput(squares)]
        yield Stage(it, squares, strip, factory, outputs)
    factory.close()


def sights(effects: Sequence[Timed], until: int) -> list[Sight]:
    """What is seen at every tick before a moment."""
    seen: list[Sight] = []
    waiting = list(effects)
    with stage() as it:
        for now in range(0, until, TICK_MS):
            while waiting and waiting[0][0] <= now:
                it.perform(waiting.pop(0)[1])
            it.tick(now)
            seen.append(it.sight(now))
    return seen
