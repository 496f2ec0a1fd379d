"""Commands at pseudo-terminals, each in a process of its own: what they showed, how they ended, what they left behind.

`python -m tests.terminal.at_a_terminal` reads visits as JSON and answers with what came of each. The command's modules
are imported once, and every visit is a fork of that: it costs no start of a Python.
"""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import termios
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NoReturn

import quarto_pi.cli  # noqa: F401 - so that no visit has to
from quarto_pi.__main__ import enter

CTRL_C = "\x03"
CTRL_D = "\x04"


@dataclass(frozen=True)
class Visit:
    """A command, and what hands type: behind each text that they wait for, the keys that they press then."""

    arguments: tuple[str, ...]
    typed: tuple[tuple[str, str], ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    asks: bool = False
    """Whether hands wait until the command waits for them: Python overhears a Ctrl-C just before it begins to read."""


@dataclass(frozen=True)
class Came:
    """What came of a visit; a process that a signal has ended has its number, negative, as its code."""

    shown: str
    code: int
    terminal_is_as_before: bool


def visits(wanted: dict[str, Visit]) -> dict[str, Came]:
    """Make these visits, one after another, in a process that has nothing else to do."""
    answered = subprocess.run(
        [sys.executable, "-m", "tests.terminal.at_a_terminal"],
        input=json.dumps({name: asdict(visit) for name, visit in wanted.items()}),
        capture_output=True,
        text=True,
        check=True,
    )
    return {name: Came(**came) for name, came in json.loads(answered.stdout).items()}


def _make(visit: Visit) -> Came:
    process, terminal = pty.fork()
    if process == 0:
        _be_the_command(visit)
    before = termios.tcgetattr(terminal)
    shown = b""
    seen = 0
    for awaited, keys in visit.typed:
        text = awaited.replace("\n", "\r\n").encode()
        while (found := shown.find(text, seen)) < 0:
            came = _read(terminal)
            if not came:
                break
            shown += came
        seen = max(found, 0) + len(text)
        while visit.asks and found >= 0 and not _sleeps(process):
            os.sched_yield()
        os.write(terminal, keys.encode())
    while came := _read(terminal):
        shown += came
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    after = termios.tcgetattr(terminal)
    os.close(terminal)
    return Came(shown.decode("utf-8", "replace").replace("\r\n", "\n"), code, after == before)


def _sleeps(process: int) -> bool:
    """Whether a process waits for something, or has ended."""
    state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(") ")[2][0]
    return state in "SZ"


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        # A pseudo-terminal tells so that nobody has its other end open any more.
        return b""


def _be_the_command(visit: Visit) -> NoReturn:
    os.environ.update({"TERM": "xterm", **visit.environment})
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        setattr(sys, name, open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False))  # noqa: SIM115
    sys.argv = ["quarto-pi", *visit.arguments]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code = enter()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 - whatever leaves the command is what the test looks for
        traceback.print_exc()
        code = 70
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    made = {
        name: asdict(
            _make(Visit(**{**each, "arguments": tuple(each["arguments"]), "typed": tuple(map(tuple, each["typed"]))}))
        )
        for name, each in asked.items()
    }
    json.dump(made, sys.stdout)
