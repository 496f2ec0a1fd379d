"""Debian's Firefox without a window, spoken to in its own language: Marionette, JSON over a local connection."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

START_SECONDS: Final = 180.0
ANSWER_SECONDS: Final = 180.0
LOOK_SECONDS: Final = 0.1
ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
"""How WebDriver names an element in JSON."""

PREFERENCES: Final[dict[str, object]] = {
    "marionette.port": 0,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "ui.prefersReducedMotion": 1,
}

Told = Any
"""JSON as it was read: what is in it is what the tests are about."""

# Waits until something is so, and looks again whenever anything on the page has changed.
UNTIL: Final = """
const done = arguments[arguments.length - 1];
const holds = () => { %s };
if (holds()) return done(true);
const watch = new MutationObserver(() => { if (holds()) { watch.disconnect(); done(true); } });
watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""


class Firefox:
    """One window of Firefox; what it refuses to do is an `AssertionError` that says so."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._received = b""
        self._asked = 0
        self._read()
        self._ask("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        self._ask("WebDriver:SetTimeouts", script=int(1_000 * ANSWER_SECONDS))

    def open(self, address: str) -> None:
        """Load a page."""
        self._ask("WebDriver:Navigate", url=address)

    def resize(self, width: int, height: int) -> None:
        """Make the window so large that the page has this size."""
        for _ in range(2):
            # What is around the page takes its share of the window.
            frame = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
            self._ask("WebDriver:SetWindowRect", width=width + frame[0], height=height + frame[1])
        self.wait(f"return innerWidth === {width} && innerHeight === {height}")

    def run(self, script: str, *arguments: object) -> Told:
        """What a script on the page returns."""
        return self._ask("WebDriver:ExecuteScript", script=script, args=list(arguments))["value"]

    def wait(self, condition: str) -> None:
        """Wait until the body of a function returns true."""
        self._ask("WebDriver:ExecuteAsyncScript", script=UNTIL % condition, args=[])

    def press(self, *keys: str) -> None:
        """Press keys one after another where the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._ask("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def drag(self, origin: str, target: str) -> None:
        """Drag with the mouse from the middle of one element to that of another."""
        self._point(
            self._move(origin),
            {"type": "pointerDown", "button": 0},
            self._move(target, 100),
            self._move(target, 20),
            {"type": "pointerUp", "button": 0},
        )

    def click(self, selector: str) -> None:
        """Click in the middle of an element."""
        self._point(self._move(selector), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def quit(self) -> None:
        """End it."""
        self._ask("Marionette:Quit", flags=["eForceQuit"])

    def _move(self, selector: str, milliseconds: int = 0) -> dict[str, object]:
        found = self._ask("WebDriver:FindElement", using="css selector", value=selector)["value"]
        origin = {ELEMENT: found[ELEMENT]}
        return {"type": "pointerMove", "origin": origin, "x": 0, "y": 0, "duration": milliseconds}

    def _point(self, *actions: dict[str, object]) -> None:
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(actions)}
        self._ask("WebDriver:PerformActions", actions=[mouse])

    def _ask(self, command: str, **parameters: object) -> Told:
        self._asked += 1
        message = json.dumps([0, self._asked, command, parameters]).encode()
        self._connection.sendall(b"%d:%s" % (len(message), message))
        _, number, error, result = self._read()
        assert number == self._asked
        assert error is None, f"{command}: {error['message']}"
        return result

    def _read(self) -> Told:
        """The next message: its length, a colon, and JSON."""
        while b":" not in self._received:
            self._receive()
        length, _, self._received = self._received.partition(b":")
        while len(self._received) < int(length):
            self._receive()
        message, self._received = self._received[: int(length)], self._received[int(length) :]
        return json.loads(message)

    def _receive(self) -> None:
        received = self._connection.recv(65_536)
        assert received, "Firefox has ended."
        self._received += received


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """A Firefox with a profile of its own in an empty folder."""
    path = shutil.which("firefox-esr")
    assert path, "firefox-esr is missing: '.ci/system-packages test' installs it."
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
    command = [path, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        with socket.create_connection(("127.0.0.1", _port(profile, process)), ANSWER_SECONDS) as connection:
            browser = Firefox(connection)
            yield browser
            browser.quit()
        process.wait(ANSWER_SECONDS)
    finally:
        process.kill()
        process.wait()


def _port(profile: Path, process: subprocess.Popen[bytes]) -> int:
    """Where it listens, which it writes into its profile."""
    written, until = profile / "MarionetteActivePort", time.monotonic() + START_SECONDS
    while not (written.exists() and written.read_text()):
        assert process.poll() is None, "Firefox has ended."
        assert time.monotonic() < until, "Firefox does not start."
        time.sleep(LOOK_SECONDS)
    return int(written.read_text())
