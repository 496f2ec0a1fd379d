"""Stand-ins for `spidev` and `RPi.GPIO`, in place before any device module is imported."""

from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.modules import gpio_over, put_in_place, spidev_over
from quarto_pi.simulation.pins import HeaderPins

_PINS = HeaderPins()
put_in_place(spidev_over(SimulatedBoard(_PINS).bus), gpio_over(_PINS))
