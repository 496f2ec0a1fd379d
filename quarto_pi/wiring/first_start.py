"""The wiring of the set-up by phone: the board's radio, its display, and its page in a Wi-Fi of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from quarto_pi.config import Config, PageConfig
from quarto_pi.config.sources import profile_names, profile_summary
from quarto_pi.controller.first_start import HTTP_PORT, SetUpLoop, SetUpOutput
from quarto_pi.devices.speech import Speech
from quarto_pi.first_start.owner_settings import AnswersInFolder
from quarto_pi.first_start.set_up import SetUpStage, SetUpView, own_wifi
from quarto_pi.known_time import KnownTime
from quarto_pi.outputs.first_start import SetUpScreen, SetUpVoice
from quarto_pi.rules import QuartoError
from quarto_pi.service import Watchdog, counted
from quarto_pi.web.first_start import BoardToSetUp, first_start_service
from quarto_pi.web.service import PageServer
from quarto_pi.web.serving import listen
from quarto_pi.wiring.board import open_oled
from quarto_pi.wiring.platform import Platform


class SetUpPage:
    """Serves the page as long as the board's own Wi-Fi is open, at its address there and nowhere else."""

    def __init__(self, wiring: str, known_time: KnownTime, stack: ExitStack) -> None:
        self._wiring, self._known_time = wiring, known_time
        self._loop: SetUpLoop | None = None
        self._served = ExitStack()
        self._address = ""
        stack.callback(self._close)

    def look_after(self, loop: SetUpLoop) -> None:
        """Know whose answers these are."""
        self._loop = loop
        self.show(loop.state.view)

    def show(self, view: SetUpView) -> None:
        """Serve where somebody can answer; it stays until the Wi-Fi opens anew, so that phones hear what happens."""
        if view.stage is SetUpStage.OPENING:
            self._close()
        if view.stage is SetUpStage.OPEN and self._loop is not None and not self._address:
            self._serve(view.address, self._loop)

    def tick(self, now: int) -> None:
        """Nothing: a page goes on by itself."""

    def _close(self) -> None:
        self._served.close()
        self._address = ""

    def _serve(self, address: str, loop: SetUpLoop) -> None:
        wirings = {name: profile_summary(name) for name in profile_names()}
        board = BoardToSetUp(lambda: loop.state, loop.answer, wirings, self._wiring, self._known_time.tell)
        place = urlsplit(address)
        try:
            bound = listen(place.hostname or "", place.port or HTTP_PORT)
        except QuartoError as error:
            print(f"quarto-pi run: the page of the set-up can't be served: {error}", file=sys.stderr)
            return
        self._served.enter_context(PageServer(first_start_service(board), bound))
        self._address = address
        print(f"The page is at {address}", file=sys.stderr)


class FedBySetUp:
    """Feeds the watchdog while the board is set up."""

    def __init__(self, watchdog: Watchdog) -> None:
        self._watchdog = watchdog

    def show(self, view: SetUpView) -> None:
        """Nothing: systemd sees the status."""

    def tick(self, now: int) -> None:
        """Say that the board lives, if it does."""
        self._watchdog.tick(now)


def set_up_by_phone(  # noqa: PLR0913 - all that a set-up has
    config: Config,
    platform: Platform,
    folder: Path,
    known_time: KnownTime,
    wiring: str,
    goes_on: Callable[[], bool],
    watchdog: Watchdog | None = None,
) -> bool:
    """Have somebody set the board up with a phone; whether there are answers in this folder for the next start."""
    with ExitStack() as stack:
        page = SetUpPage(wiring, known_time, stack)
        outputs: list[SetUpOutput] = [page]
        if config.oled is not None:
            oled = stack.enter_context(open_oled(config.oled, platform))
            oled.start()
            outputs.append(SetUpScreen(oled))
        if config.speech is not None:
            outputs.append(SetUpVoice(stack.enter_context(Speech(config.speech)), config.game.language))
        if watchdog is not None:
            outputs.append(FedBySetUp(watchdog))
        port = (config.page or PageConfig()).port
        loop = SetUpLoop(platform.radio, own_wifi(), platform.clock, AnswersInFolder(folder), outputs, port)
        if watchdog is not None:
            watchdog.attend({"the set-up": counted(lambda: loop.turns)}, lambda: (0, 0), lambda: True, "being set up")
        page.look_after(loop)
        return loop.run(goes_on)
