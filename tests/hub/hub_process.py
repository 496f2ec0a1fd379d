"""A hub that is a process of its own, and can be killed."""

from __future__ import annotations

import json
import signal
import ssl
import time
import urllib.request
from http.cookiejar import CookieJar
from typing import Any, Final

from quarto_pi.chain.credentials import CA_FILE
from tests.forked import ForkedProcess
from tests.hub.hubs import HubFolder
from tests.hub.test_served_page import first_password

GUARD_SECONDS: Final = 240.0


class HubProcess:
    """The command `quarto-pi hub start` in a process of its own, and its page as an owner uses it.

    It believes a board after `well_seconds`; all its other patience with boards is short only where it `is_hasty`.
    """

    def __init__(self, place: HubFolder, well_seconds: float, *, is_hasty: bool = True) -> None:
        self._place, self._well_seconds, self._is_hasty = place, well_seconds, is_hasty
        self._process: ForkedProcess | None = None
        self._opener: urllib.request.OpenerDirector | None = None
        self.address = ""

    def start(self) -> None:
        """Start it; its page answers on return."""
        words = [str(self._place.folder), f"{self._well_seconds}", *(["hasty"] if self._is_hasty else [])]
        self._process = ForkedProcess("tests.hub.quick_hub", *words)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if line.startswith("Its page is at "):
                self.address = f"https://localhost:{line.strip().rstrip('./').rpartition(':')[2]}"
                break
        else:
            raise AssertionError("no page was served")
        self._opener = None

    def kill(self) -> None:
        """End it as the power does."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as people do."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(GUARD_SECONDS)
            process.close()

    def ask(self, path: str, body: object = None, kind: str = "application/json") -> Any:  # noqa: ANN401 - an answer
        """Ask as its owner."""
        if self._opener is None:
            context = ssl.create_default_context(cafile=str(self._place.folder / CA_FILE))
            jar = urllib.request.HTTPCookieProcessor(CookieJar())
            self._opener = urllib.request.build_opener(jar, urllib.request.HTTPSHandler(context=context))
            self.ask("session", {"name": "owner", "password": first_password(self._place.folder)})
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/v1/{path}", data, {"Content-Type": kind})  # noqa: S310
        with self._opener.open(request, timeout=GUARD_SECONDS) as answer:
            return json.load(answer)

    def rollout(self) -> Any:  # noqa: ANN401 - JSON
        """How far it is, as soon as a hub that has just started knows it; and that no more boards have it than may."""
        until = time.monotonic() + GUARD_SECONDS
        while (found := self.ask("versions")["rollout"]) is None:
            assert time.monotonic() < until
        begun = [each["name"] for each in found["boards"] if each["step"] != "waiting"]
        bad = [each["name"] for each in found["boards"] if each["step"] in ("ill", "refused")]
        most = {"one": 1, "tenth": -(-len(found["boards"]) // 10)}.get(found["stage"], len(found["boards"]))
        assert len(begun) <= most + len(bad), found
        return found

    def steps(self) -> dict[str, str]:
        """How far each board is."""
        return {each["name"]: each["step"] for each in self.rollout()["boards"]}
