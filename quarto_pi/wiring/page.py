"""The wiring of a real board's page: the same page as a simulated board's, without hands."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from quarto_pi.config import Config
from quarto_pi.config.service import PageConfig
from quarto_pi.controller.first_start import GuideLoop
from quarto_pi.controller.loop import Loop
from quarto_pi.enrolment import Gesture, Gestured
from quarto_pi.journal.restore import SavedGames
from quarto_pi.journal.writer import Remembered
from quarto_pi.known_time import KnownTime
from quarto_pi.outputs.page import GuidePage, PageOutput
from quarto_pi.referee import Input
from quarto_pi.web.service import PageServer, ServedBoard, service
from quarto_pi.web.serving import LOOPBACK_OF, AddressOfPage, address_of, listen
from quarto_pi.web.streams import Feed, nothing_below
from quarto_pi.web.updates import UpdateDesk
from quarto_pi.web.wishes import Json


class OpenPage:
    """A page whose port is bound; it is served once there is a loop or a guide to look at. The stack closes it."""

    def __init__(self, config: Config, page: PageConfig, stack: ExitStack) -> None:
        self._stack = stack
        self._pin = page.pin
        self._socket = listen(page.host, page.port)
        stack.callback(self._socket.close)
        self._feed = Feed()
        self._others = AddressOfPage(self._socket, page.host)
        # Nobody can type 0.0.0.0: what is served everywhere is told by the address that others type, or by our own.
        own = LOOPBACK_OF.get(page.host, page.host)
        self.address = self._others() or address_of(self._socket, own)
        self._settings = config.settings
        self.output = PageOutput(self._feed, self._settings, self._others)
        self.guide_performer = GuidePage(self._feed, self._settings)
        self._loop: Loop | None = None
        self._guide: GuideLoop | None = None
        self._served = False
        self._saved: SavedGames | None = None
        self._known_time: KnownTime | None = None
        self._report: Callable[[], bytes] | None = None
        self._updates: UpdateDesk | None = None
        self._chain: Callable[[], Json] | None = None

    def know_time(self, known: KnownTime) -> None:
        """Let whoever has the PIN tell the time, while nobody knows it."""
        self._known_time = known

    def offer_report(self, make: Callable[[], bytes]) -> None:
        """Let the owner take an archive for those who are asked for help."""
        self._report = make

    def offer_updates(self, desk: UpdateDesk) -> None:
        """Let the owner hand in updates."""
        self._updates = desk

    def know_chain(self, told: Callable[[], Json]) -> None:
        """Know where to ask how the board is doing on its chain."""
        self._chain = told

    def offer(self, folder: Path, stick: str, reopen: Callable[[], None]) -> None:
        """Let the owner take the games of this folder off the board, and put them back."""
        self._saved = SavedGames(folder, reopen, stick)

    def recall(self, remembered: Remembered | None) -> None:
        """Begin an evening with what is known of the ones before."""
        settings = self._settings if remembered is None else remembered.wishes
        self.output = PageOutput(self._feed, settings, self._others)
        self._feed.games.clear()
        for kept in () if remembered is None else remembered.games:
            self._feed.keep(kept.number, kept.game, kept.levels)

    def serve(self, loop: Loop | GuideLoop) -> None:
        """Serve the page from now on; what is asked for goes to this loop."""
        if isinstance(loop, GuideLoop):
            self._guide = loop
        else:
            self._loop, self._guide = loop, None
        if not self._served:
            self._served = True
            board = ServedBoard(
                self._feed,
                self._post,
                below=self.below,
                pin=self._pin,
                point=self._point,
                saved=self._saved,
                time_of_day=self._known_time,
                report=self._report,
                updates=self._updates,
            )
            app = service(board)
            self._stack.enter_context(PageServer(app, self._socket))

    def _post(self, make: Callable[[int], Input]) -> None:
        if self._loop is not None:
            self._loop.post(make)

    def _point(self, gesture: Gesture) -> None:
        if self._guide is not None:
            self._guide.post(lambda at: Gestured(at, gesture))

    def below(self) -> Json:
        """What lies below the drivers: of a real board only how its readers are doing."""
        chain = None if self._chain is None else self._chain()
        return {**nothing_below(), "readers": self.output.readers(), "chain": chain}
