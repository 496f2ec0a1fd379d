"""The broker of a house: Mosquitto, configured for boards, started, watched, and started again when it has ended.

It keeps nothing on disk: all that matters stands in the boards' journals and in the hub's database, and what it keeps
would be torn by a pulled plug. Whoever wants something else of it writes files into `broker.d`.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO, Final

from quarto_pi.chain.messages import MOST_BYTES_OF_MESSAGE
from quarto_pi.chain.topics import HOME, HUB, RIGHTS_OF_BOARDS, RIGHTS_OF_HOME, RIGHTS_OF_HUB
from quarto_pi.chain.unforeseen import place_of_error
from quarto_pi.files import put_whole
from quarto_pi.hub.certificates import Certificates
from quarto_pi.hub.settings import HubFailure, HubSettings, SayInLog
from quarto_pi.journal.journal import next_number

BROKER_CONFIG: Final = "broker.conf"
EXTRA_FOLDER: Final = "broker.d"
PASSWORDS_FILE: Final = "passwords"
RIGHTS_FILE: Final = "rights"
PID_FILE: Final = "broker.pid"
DATABASE_FILE: Final = "mosquitto.db"
"""What it keeps where somebody has turned that on."""
PROGRAM_FOLDERS: Final = "/usr/sbin:/usr/local/sbin:/sbin"
"""Where programs for administrators are, which is not on everybody's path."""
SPARE_CONNECTIONS: Final = 10
SPARE_FILES: Final = 100
TOPIC_AND_PROPERTIES: Final = 4_096
FIRST_BACK_OFF: Final = 1.0
LONGEST_BACK_OFF: Final = 60.0
WELL_AFTER: Final = 60.0
"""Who has lived so long has started well: the next back-off begins anew."""
MOST_LINES: Final = 10
"""So many lines a minute of what it says are passed on."""
NOT_PASSED_ON: Final = "Warning: ACL pattern"
"""What it says of each right that is the same for all boards."""
BROKER_LOOK_SECONDS: Final = 0.5
"""Between two looks whether it still runs, and whether accounts have changed."""
_ANSWERS_WITHIN: Final = 20.0
_ENDS_WITHIN: Final = 10.0
_PRIVATE: Final = 0o600
_TIME: Final = re.compile(r"^\d+: ")


def rights_text() -> str:
    """The broker's list of rights: of each board, with its account's name in them, of the hub and of Home Assistant."""
    boards = [f"pattern {right} {topic}" for right, topic in RIGHTS_OF_BOARDS]
    hub = [f"topic {right} {topic}" for right, topic in RIGHTS_OF_HUB]
    home = [f"topic {right} {topic}" for right, topic in RIGHTS_OF_HOME]
    whose = [f"user {HUB}", *hub, f"user {HOME}", *home]
    return "\n".join(["# Made by quarto-pi; changes are lost.", *boards, *whose, ""])


def broker_config(folder: Path, settings: HubSettings, certificates: Certificates | None, account: str) -> str:
    """Mosquitto's configuration for a hub in this folder; without certificates the line is not encrypted."""
    lines = [
        "# Made by quarto-pi at each start; write what is to be otherwise into broker.d.",
        # Only root can run it as somebody else; it is always who runs the hub.
        f"user {account}",
        f"pid_file {folder / PID_FILE}",
        "allow_anonymous false",
        f"password_file {folder / PASSWORDS_FILE}",
        f"acl_file {folder / RIGHTS_FILE}",
        "persistence false",
        f"persistence_location {folder}/",
        # Without this a message waits 40 ms for company: measured.
        "set_tcp_nodelay true",
        f"max_packet_size {MOST_BYTES_OF_MESSAGE + TOPIC_AND_PROPERTIES}",
        "max_inflight_messages 1000",
        "max_queued_messages 10000",
        "max_queued_bytes 16777216",
        "connection_messages false",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
        f"include_dir {folder / EXTRA_FOLDER}",
        f"listener {settings.port}",
        f"max_connections {settings.boards + SPARE_CONNECTIONS}",
        # An option of a listener: below it. No account can take the place of another one.
        "use_username_as_clientid true",
    ]
    if certificates is not None:
        lines += [
            f"cafile {certificates.ca}",
            f"certfile {certificates.certificate}",
            f"keyfile {certificates.key}",
            "tls_version tlsv1.2",
        ]
    return "\n".join([*lines, ""])


def find_program(name: str, package: str) -> str:
    """Where a program is, also where only administrators look; `HubFailure` names its package."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:{PROGRAM_FOLDERS}")
    if found is None:
        raise HubFailure(f"{name} is not installed: do 'sudo apt install {package}', or name a broker in hub.toml.")
    return found


class EmbeddedBroker:
    """Mosquitto as a child of the hub; `start` returns once it answers, and it is watched until `stop`."""

    def __init__(self, folder: Path, settings: HubSettings, certificates: Certificates | None, say: SayInLog) -> None:
        self._folder = folder
        self._settings = settings
        self._certificates = certificates
        self._say = say
        self._stopping = Event()
        self._process: subprocess.Popen[str] | None = None
        self._watcher: Thread | None = None
        self._last: deque[str] = deque(maxlen=5)

    def start(self, account: str) -> None:
        """Write its files and start it; `HubFailure` says why it cannot be."""
        folder = self._folder
        (folder / EXTRA_FOLDER).mkdir(exist_ok=True)
        put_whole(folder / RIGHTS_FILE, rights_text().encode(), mode=_PRIVATE)
        config = broker_config(folder, self._settings, self._certificates, account)
        put_whole(folder / BROKER_CONFIG, config.encode(), mode=_PRIVATE)
        program = find_program("mosquitto", "mosquitto")
        self._end_left_over()
        refuse_taken_port(self._settings.port)
        if not self._begin(program) and not (self._set_base_aside() and self._begin(program)):
            said = self._last[-1] if self._last else "it said nothing"
            self._kill()
            raise HubFailure(
                f"mosquitto does not start: {said}. Look into {folder / BROKER_CONFIG} and {EXTRA_FOLDER}."
            )
        self._watcher = Thread(target=self._watch, args=(program,), name="broker", daemon=True)
        self._watcher.start()

    @property
    def pid(self) -> int | None:
        """The broker's process, while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def stop(self) -> None:
        """End it; nothing is lost by it."""
        self._stopping.set()
        if self._watcher is not None:
            self._watcher.join()
        self._kill()
        (self._folder / PID_FILE).unlink(missing_ok=True)

    def _begin(self, program: str) -> bool:
        """Start a process; whether it answers."""
        self._last.clear()
        process = subprocess.Popen(  # noqa: S603 - Mosquitto itself
            [program, "-c", str(self._folder / BROKER_CONFIG)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="backslashreplace",
            # Ctrl-C is for the hub, which ends it when its own work is done.
            start_new_session=True,
        )
        self._process = process
        self._give_files(process.pid)
        listener = Thread(target=self._listen, args=(process.stderr,), name="broker log", daemon=True)
        listener.start()
        deadline = time.monotonic() + _ANSWERS_WITHIN
        while time.monotonic() < deadline and not self._stopping.is_set():
            if process.poll() is not None:
                listener.join()
                return False
            if _answers(self._settings.port):
                return True
            self._stopping.wait(0.02)
        return process.poll() is None and _answers(self._settings.port)

    def _give_files(self, pid: int) -> None:
        """Let it have a file for each connection, as far as the system does."""
        wanted = self._settings.boards + SPARE_CONNECTIONS + SPARE_FILES
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most != resource.RLIM_INFINITY and most < wanted:
            self._say(
                f"The system lets the broker have {most} files, too few for {self._settings.boards} boards: raise "
                "'ulimit -n', or LimitNOFILE= of the unit."
            )
            wanted = most
        with suppress(ProcessLookupError, PermissionError):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (wanted, most))

    def _listen(self, stream: IO[str] | None) -> None:
        """Pass on what it says, so much of it a minute."""
        if stream is None:
            return
        minute, passed = 0, 0
        with stream:
            for line in stream:
                said = _TIME.sub("", line.strip())
                if not said or said.startswith(NOT_PASSED_ON):
                    continue
                self._last.append(said.rstrip("."))
                now = int(time.monotonic() / 60)
                if now != minute:
                    minute, passed = now, 0
                passed += 1
                if passed <= MOST_LINES:
                    self._say(f"mosquitto: {said[:300]}")

    def _watch(self, program: str) -> None:
        """Start it again whenever it has ended, and tell it when accounts have changed."""
        back_off, began, known = FIRST_BACK_OFF, time.monotonic(), self._changed()
        while not self._stopping.wait(BROKER_LOOK_SECONDS):
            process = self._process
            if process is not None and process.poll() is None:
                now = self._changed()
                if now != known:
                    known = now
                    process.send_signal(signal.SIGHUP)
                continue
            lived = time.monotonic() - began
            back_off = FIRST_BACK_OFF if lived > WELL_AFTER else back_off
            code = None if process is None else process.returncode
            self._say(f"The broker has ended (code {code}); it is started again in {back_off:g} seconds.")
            if self._stopping.wait(back_off):
                break
            back_off = min(2 * back_off, LONGEST_BACK_OFF)
            began, known = time.monotonic(), self._changed()
            try:
                if lived < WELL_AFTER:
                    self._set_base_aside()
                if self._begin(program):
                    self._say("The broker is there again.")
            except OSError as error:
                self._say(f"The broker could not be started ({error.strerror}).")
            except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
                self._say(f"The broker could not be started ({place_of_error(error)}).")

    def _changed(self) -> tuple[int, ...]:
        """When accounts and rights were last changed, and which files they are."""
        seen: list[int] = []
        for name in (PASSWORDS_FILE, RIGHTS_FILE):
            with suppress(OSError):
                status = (self._folder / name).stat()
                seen += [status.st_mtime_ns, status.st_ino]
        return tuple(seen)

    def _set_base_aside(self) -> bool:
        """Set aside what it keeps, where somebody has turned that on: with a torn file it does not start."""
        file = self._folder / DATABASE_FILE
        if not file.exists():
            return False
        aside = self._folder / f"damaged-{next_number(self._folder, 'damaged'):06}.db"
        file.rename(aside)
        self._say(f"The broker's file {DATABASE_FILE} was set aside as {aside.name}: it starts with an empty one.")
        return True

    def _end_left_over(self) -> None:
        """End the broker of a hub that was killed; whoever calls this has the hub's lock."""
        try:
            pid = int((self._folder / PID_FILE).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return
        deadline = time.monotonic() + _ENDS_WITHIN
        while self._is_ours(pid) and time.monotonic() < deadline:
            with suppress(OSError):
                os.kill(pid, signal.SIGTERM)
            self._stopping.wait(0.05)

    def _is_ours(self, pid: int) -> bool:
        """Whether this process runs with our configuration; of one that has ended nothing can be read."""
        try:
            return os.fsencode(self._folder / BROKER_CONFIG) in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False

    def _kill(self) -> None:
        process = self._process
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(_ENDS_WITHIN)


def refuse_taken_port(port: int) -> None:
    """Say in one sentence why nobody can listen at a port, where that is so."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("", port))
        except PermissionError as error:
            raise HubFailure(f"port {port} is the system's: choose one from 1024 in hub.toml.") from error
        except OSError as error:
            raise HubFailure(
                f"port {port} is in use by another program: end that one, or choose another port in hub.toml."
            ) from error


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False
