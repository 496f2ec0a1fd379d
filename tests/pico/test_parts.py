"""Single parts of the firmware on MicroPython, in moments that the whole node hardly ever meets."""

from __future__ import annotations

from tests.pico.programs import output_of


def test_light_of_the_node_is_only_touched_when_it_changes() -> None:
    # On a Pico W the light hangs on the radio chip, and each touch takes as long as several looks at a reader.
    touches = output_of(
        """
from quarto_pi.firmware import lights

class Counting:
    touches = 0
    def value(self, wanted):
        self.touches += 1

light = lights.StatusLight()
light._pin = Counting()
for now in range(4_000):
    light.show(lights.AT_WORK, now)
print(light._pin.touches)
"""
    )
    assert int(touches) == 4


def test_interrupt_in_the_middle_of_a_look_at_a_button_is_not_undone() -> None:
    counts = output_of(
        """
import machine
from quarto_pi.firmware import push_buttons
from quarto_pi.firmware.said_by_node import Presses

class Interrupting:
    \"\"\"A pin that is pressed right after it was looked at: its interrupt comes in between, unless it is locked.\"\"\"
    level, locked, waits = 1, False, False
    def value(self):
        before = self.level
        if before:
            self.level = 0
            if self.locked:
                self.waits = True
            else:
                button.look()
        return before

pin = Interrupting()
def disable_irq():
    pin.locked = True
    return 0
def enable_irq(state):
    pin.locked = False
    if pin.waits:
        pin.waits = False
        button.look()
push_buttons.disable_irq, push_buttons.enable_irq = disable_irq, enable_irq

buttons = push_buttons.PushButtons()
buttons.set_up([2, 255, 255])
button = buttons._buttons[0]
button._pin = pin
for _ in range(5):
    buttons.look()
buttons.note()
print(buttons.presses[0].count, buttons.presses[0].down)
"""
    )
    assert counts.split() == ["1", "True"]
