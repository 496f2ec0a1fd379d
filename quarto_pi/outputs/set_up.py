"""Who shows the set-up by phone: the small display; and the watchdog, which lives meanwhile."""

from __future__ import annotations

from quarto_pi.devices.oled import Oled
from quarto_pi.first_start.set_up import SetUpView
from quarto_pi.outputs.display import DisplayGlass
from quarto_pi.screens.care import Care
from quarto_pi.screens.set_up import draw_set_up


class SetUpScreen:
    """Draws the set-up on the small display, which never sleeps meanwhile."""

    def __init__(self, oled: Oled) -> None:
        self._glass = DisplayGlass(oled)
        self._view: SetUpView | None = None

    def show(self, view: SetUpView) -> None:
        """Take the newest view."""
        self._glass.turn_page()
        self._view = view

    def tick(self, now: int) -> None:
        """Show it as it is at this millisecond."""
        view = self._view
        if view is None:
            return
        shown_for = self._glass.shown_for(now)
        self._glass.show(Care(), lambda size: draw_set_up(view, size, shown_for))
