"""A house: broker, hub and database, with a bad network before the broker; each can be taken away and given back."""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final, Self

from quarto_pi.cli import main as quarto_pi
from quarto_pi.hub.broker import PASSWORDS_FILE, rights_text
from tests.chain_faults.checker import FoundHub
from tests.chain_faults.evidence import alarms_in_file, alarms_in_server, hub_in_file, hub_in_server
from tests.chain_faults.mosquitto import HOST, Mosquitto
from tests.chain_faults.proxy import Proxy
from tests.chain_faults.wording import Listened
from tests.hub.postgres import PostgresServer, postgres_server

HUB: Final = "hub"
BASE_OF_BROKER: Final = "mosquitto.db"
BASE_OF_HUB: Final = "hub.sqlite"
STUMBLES: Final = (0.002, 0.01)
"""The share of calls that fail by some error, where any do."""


@dataclass(frozen=True, slots=True)
class SharedBase:
    """A PostgreSQL that several hubs share, and the address of their database there."""

    server: PostgresServer
    address: str


class House:
    """All of it, running from `with` on; boards find the broker behind the proxy."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        boards: Sequence[str],
        base: str,
        *,
        wrong: str = "",
        host: str = HOST,
        shared: SharedBase | None = None,
    ) -> None:
        self.folder = folder
        self._seed = seed
        self._boards = boards
        self._base = base
        self._wrong = wrong
        self._host = host
        self._stack = ExitStack()
        self._server = None if shared is None else shared.server
        self._address = "" if shared is None else shared.address
        self._hub: Listened | None = None
        self._starts = 0
        self.done: Counter[str] = Counter()
        self.died: list[str] = []
        """What has ended that nothing may end."""

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            for name in (HUB, "broker", *self._boards):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            if self._base == "postgres" and self._server is None:
                self._server = stack.enter_context(postgres_server())
                self._address = self._server.database()
            self.broker = Mosquitto(self.folder / "broker", *self._broker_lines(), host=self._host)
            stack.callback(self.broker.kill)
            self.proxy = stack.enter_context(Proxy(self.broker.port, self._seed, host=self._host))
            settings = (
                *("[hub]", f'broker = "{self._host}:{self.proxy.port}"', "tls = false", "page_port = 0"),
                f'database = "{self._address}"',
            )
            (self.folder / HUB / "hub.toml").write_text("\n".join(settings) + "\n", encoding="utf-8")
            (self.folder / "broker" / "rights").write_text(rights_text(), encoding="utf-8")
            (self.folder / "broker" / "rights").chmod(0o600)
            for board in self._boards:
                with redirect_stdout(StringIO()):
                    assert quarto_pi(["hub", "add", "--folder", f"{self.folder / HUB}", board]) == 0
                made = self.folder / HUB / "boards" / board
                shutil.copy(made / "credentials", self.folder_of(board))
            stack.callback(self.end_hub)
            # At its first start the hub makes its own account, which the broker reads at its start.
            self.start_hub()
            self.broker.start()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def log(self) -> Path:
        """What the hub has said, and complained of."""
        return self.folder / "hub.log"

    @property
    def base(self) -> str:
        """Where its database is."""
        return self._address or f"{self.folder / HUB / BASE_OF_HUB}"

    def folder_of(self, board: str) -> Path:
        """The folder of a board."""
        return self.folder / board

    # --- The broker ---------------------------------------------------------------------------------------------------

    def _broker_lines(self) -> tuple[str, ...]:
        draw = random.Random(f"broker {self._seed}")
        keeps = draw.choice(((), ("persistence true",), ("persistence true", "autosave_interval 1")))
        files = (f"password_file {self.folder / HUB / PASSWORDS_FILE}", f"acl_file {self.folder / 'broker' / 'rights'}")
        return ("allow_anonymous false", *files, "use_username_as_clientid true", *keeps)

    def start_broker(self) -> None:
        """Start the broker again; a file that it cannot read is set aside, as a hub does with its own broker's."""
        try:
            self.broker.start()
        except AssertionError:
            base = self.broker.folder / BASE_OF_BROKER
            base.rename(base.with_suffix(".aside"))
            self.broker.start()

    def cut_base_of_broker(self, draw: random.Random) -> str:
        """Do to the file of a broker that was killed what a pulled plug does to files."""
        base = self.broker.folder / BASE_OF_BROKER
        if not base.exists():
            return "which keeps no file"
        content = base.read_bytes()
        left, what = draw.choice(
            (
                (content[: len(content) // 2], "half of its file"),
                (bytes(len(content)), "its file zeros"),
                (b"", "its file empty"),
                (content[:-10], "its file cut at the end"),
                (content, "its file whole"),
            )
        )
        base.write_bytes(left)
        return what

    # --- The hub ------------------------------------------------------------------------------------------------------

    def start_hub(self, *, dies_after: int = 0, stumbles: float = 0.0, waits: bool = True) -> None:
        """Start the hub: it may be about to die once more after so many commits, or have errors in so many calls."""
        self._starts += 1
        self._hub = Listened(
            "tests.chain_faults.hub",
            f"{self.folder / HUB}",
            *(("--stumbles", f"{stumbles}", "--seed", f"{self._seed}-{self._starts}") if stumbles else ()),
            *(("--dies-after", f"{dies_after}") if dies_after else ()),
            *(("--wrong", self._wrong) if self._wrong else ()),
            log=self.log,
            hear=self._hear_hub,
        )
        if waits:
            self._hub_is_there()

    def _hear_hub(self, said: dict[str, Any]) -> None:
        match said:
            case {"stumbled": str(name)}:
                self.done[f"error at {name} of the hub"] += 1
            case {"ended": True}:
                self.died.append(f"the hub has ended by itself: {self.words_of_hub()}")

    def words_of_hub(self) -> str:
        """The last of what the hub has complained of."""
        return "" if self._hub is None else self._hub.words()

    def freeze_hub(self) -> None:
        """Have the hub do nothing, while the broker takes it for well."""
        assert self._hub is not None
        self._hub.process.send_signal(signal.SIGSTOP)

    def end_hub(self) -> None:
        """Kill the hub, with all that it has heard and not committed."""
        if self._hub is not None:
            self._hub.kill()

    def _hub_is_there(self) -> None:
        assert self._hub is not None
        self._hub.wait_for("broker")

    def kill_hub(self, draw: random.Random) -> str:
        """Kill it now, or have it die between a commit and its telling so."""
        assert self._hub is not None
        if draw.random() < 0.5:
            self._hub.kill()
            return "hub killed"
        self._hub.kill()
        self.start_hub(dies_after=draw.randint(1, 20), waits=False)
        return "hub dies between commit and word"

    def trouble_hub(self, draw: random.Random, shares: Sequence[float] = STUMBLES) -> str:
        """Have a hub in which errors come up that nobody foresaw, in one of these shares of its calls."""
        assert self._hub is not None
        self._hub.kill()
        self.start_hub(stumbles=draw.choice(shares), waits=False)
        return "hub with errors"

    def revive_hub(self) -> None:
        """Have a hub that is to live, whatever was the matter with the last one."""
        assert self._hub is not None
        self._hub.kill()
        self.start_hub(waits=False)

    # --- Its database -------------------------------------------------------------------------------------------------

    def take_base_away(self, draw: random.Random) -> tuple[str, Callable[[], object]]:
        """Take the database away; how, and what gives it back."""
        server = self._server
        if server is not None:
            server.stop()
            return "PostgreSQL stopped at once", server.start
        del draw
        lock = sqlite3.connect(self.folder / HUB / BASE_OF_HUB, isolation_level=None, timeout=30)
        lock.execute("BEGIN IMMEDIATE")
        return "SQLite locked", lock.close

    def found(self) -> list[FoundHub]:
        """What the hub has, read without it."""
        if self._server is not None:
            return [hub_in_server(self._address)]
        return [hub_in_file(self.folder / HUB / BASE_OF_HUB)]

    def alarms(self) -> list[tuple[str, str]]:
        """Which boards have raised an alarm, and what it says."""
        if self._server is not None:
            return alarms_in_server(self._address)
        return alarms_in_file(self.folder / HUB / BASE_OF_HUB)
