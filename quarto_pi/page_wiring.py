"""The wiring of a real board's page: the same page as a simulated board's, without hands."""

from __future__ import annotations

from contextlib import ExitStack

from quarto_pi.config import Config
from quarto_pi.config.page import PageConfig
from quarto_pi.journal.starting import Remembered
from quarto_pi.loop import Loop
from quarto_pi.performers.page import PagePerformer
from quarto_pi.web.address import address_for_others, address_of, listen
from quarto_pi.web.feed import Feed
from quarto_pi.web.moment import Json
from quarto_pi.web.server import PageServer
from quarto_pi.web.service import Board, service
from quarto_pi.web.streams import nothing_below


class OpenPage:
    """A page whose port is bound; it is served once there is a loop to look at. The stack closes it."""

    def __init__(
        self, config: Config, page: PageConfig, stack: ExitStack, remembered: Remembered | None = None
    ) -> None:
        self._stack = stack
        self._pin = page.pin
        self._socket = listen(page.host, page.port)
        stack.callback(self._socket.close)
        self.address = address_of(self._socket, page.host)
        self._feed = Feed()
        others = address_for_others(self._socket, page.host)
        settings = config.settings if remembered is None else remembered.wishes
        self.performer = PagePerformer(self._feed, settings, others)
        for kept in () if remembered is None else remembered.games:
            self._feed.keep(kept.number, kept.game)

    def serve(self, loop: Loop) -> None:
        """Serve the page from now on."""
        app = service(Board(self._feed, loop.post, below=self.below, pin=self._pin))
        self._stack.enter_context(PageServer(app, self._socket))

    def below(self) -> Json:
        """What lies below the drivers: of a real board only how its readers are doing."""
        return {**nothing_below(), "readers": self.performer.readers()}
