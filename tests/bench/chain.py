"""What a chain costs a board: memory and processor with it and without, at a real broker with TLS and a hub.

The board has all modules that `quarto-pi run` loads, a journal, and two settled actions a second; it has no chips
below, whose simulation would cost more than everything else.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from quarto_pi.chain.messages import BoardStatus, Doing
from quarto_pi.config import ChainConfig
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.rules import Given, Player
from tests.chain.broker import PASSWORD, TestBroker
from tests.rules.script import piece, play

SECONDS: Final = 20
A_SECOND: Final = 2
WARM_UP: Final = 3
GOAL_MB: Final = 8.0
GOAL_CPU: Final = 1.0


def run() -> None:
    """Measure, and print both beside each other."""
    with tempfile.TemporaryDirectory(prefix="chain-") as name, ExitStack() as stack:
        place = Path(name)
        broker = TestBroker(place / "broker", "north-1", tls=True)
        stack.callback(broker.stop)
        hub = subprocess.Popen(  # noqa: S603 - this Python
            [sys.executable, "-m", "tests.bench.chain", "hub", str(broker.port), broker.ca]
        )
        stack.callback(hub.wait)
        stack.callback(hub.kill)
        told = {}
        for kind, port in (("alone", 0), ("on a chain", broker.port)):
            words = ["board", str(place / kind), str(port), broker.ca]
            done = subprocess.run(  # noqa: S603 - this Python
                [sys.executable, "-m", "tests.bench.chain", *words], check=True, capture_output=True, text=True
            )
            told[kind] = json.loads(done.stdout)
        alone, chained = told["alone"], told["on a chain"]
    print(f"a board for {SECONDS} s, {A_SECOND} settled actions a second, TLS:")
    for kind, figures in told.items():
        print(f"  {kind:11} {figures['mb']:6.1f} MB  {figures['cpu']:5.2f} % of a processor  {figures['waiting']} wait")
    print(f"  more memory: {chained['mb'] - alone['mb']:.1f} MB (goal: below {GOAL_MB:.0f})")
    print(f"  more processor: {chained['cpu'] - alone['cpu']:.2f} % (goal: below {GOAL_CPU:.0f})")


def _board(folder: Path, port: int, ca: str) -> None:
    """A board's process, as far as the chain has to do with it."""
    import quarto_pi.commands.run  # noqa: PLC0415 - what it costs is measured
    import quarto_pi.web.service  # noqa: PLC0415 - what it costs is measured
    import quarto_pi.wiring.page  # noqa: F401, PLC0415 - what it costs is measured

    with ExitStack() as stack:
        journal = open_journal(folder, Settings(), stack, is_on_chain=port > 0)
        if port:
            from quarto_pi.wiring.chain import OpenChain  # noqa: PLC0415 - only a board on a chain loads it

            file = folder / "credentials"
            file.write_text(f"north-1:{PASSWORD}\n", encoding="ascii")
            file.chmod(0o600)
            config = ChainConfig("127.0.0.1", port, ca=ca, board="north-1", credentials=str(file))
            chain = OpenChain(config, lambda _: None, time.time)
            stack.callback(chain.close)
            chain.serve(journal.writer)
        began, cpu = 0.0, 0.0
        for step in range((SECONDS + WARM_UP) * A_SECOND):
            if step == WARM_UP * A_SECOND:
                began, cpu = time.monotonic(), time.process_time()
            effects = (Tell(0, Given(piece("0"), Player.A)), Save(0, play("0")))
            journal.writer.keep(effects if step % 30 else (Begin(0, 1 + step // 30, Player.A, Settings()), *effects))
            if port:
                chain.client.show(BoardStatus("1", "", Doing.PLAYING, position=f"{step}", seats=("person", "person")))
            time.sleep(1 / A_SECOND)
        used = 100 * (time.process_time() - cpu) / (time.monotonic() - began)
        waiting = 0
        if port:
            from quarto_pi.journal.queue import SettledQueue  # noqa: PLC0415 - as above

            waiting = SettledQueue(folder).length().actions
        print(json.dumps({"mb": _own_memory_mb(), "cpu": used, "waiting": waiting}))


def _own_memory_mb() -> float:
    """The memory of this process, its share of what others use as well (proc(5), smaps_rollup)."""
    for line in Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1_000
    return 0.0


def _hub(port: int, ca: str) -> None:
    from tests.chain.small_hub import SmallHub  # noqa: PLC0415 - boards are measured without it

    SmallHub(port, ca=ca).begin()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    if sys.argv[1] == "hub":
        _hub(int(sys.argv[2]), sys.argv[3])
    else:
        Path(sys.argv[2]).mkdir(parents=True)
        _board(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
