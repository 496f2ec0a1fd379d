"""A controller that plays until its power is cut: `python -m tests.cafe.process FOLDER FILE-WITH-WORDS`, or `-- WORDS`.

In lines that begin with `@` it says what the journal has, how the game goes on, what hands do and what is safe.
"""

from __future__ import annotations

import contextlib
import gc
import json
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from quarto_pi.controller.loop import Output
from quarto_pi.journal import journal, repair
from quarto_pi.referee import Begin, Continue, Effect, Save
from quarto_pi.rules import Piece, Record
from tests.cafe.controller import hands_at
from tests.cafe.hands import Stuck
from tests.cafe.wood import standing

TABLE, SYNCHRONOUS, SEED = "quarto.table", "quarto.synchronous", "quarto.seed"
"""The words for how pieces stand, how the journal syncs, what hands are drawn from."""
SHOWN, TIDIED = "quarto.shown", "quarto.tidied"
"""Whether there are displays; whether Python collects what nobody holds any more before memory is measured."""

PAGE_BYTES = 4096


class Told:
    """Says what the loop shows: by then it is safe."""

    def __init__(self) -> None:
        self._number = 0

    def perform(self, effect: Effect) -> None:
        """Say what has been kept."""
        if isinstance(effect, Begin | Continue):
            self._number = effect.number
        if isinstance(effect, Save):
            say(safe=self._number, record=str(Record(effect.game)))

    def tick(self, now: int) -> None:
        """Nothing moves here."""


def play(folder: Path, words: Mapping[str, str], stack: ExitStack) -> None:
    """Go on where the journal says, until the power fails."""
    shown: list[Output] = [Told()]
    if SHOWN in words:
        # Only here: what displays need is not there in a virtual machine.
        from tests.cafe.displays import displays  # noqa: PLC0415

        shown += displays(stack)
    hands = hands_at(
        folder,
        stack,
        standing=dict(standing(words.get(TABLE, ""))),
        seed=words.get(SEED),
        start_over=bool(words.get(SYNCHRONOUS)),
        shown=shown,
        announce=_announce,
        say=lambda note: say(note=note),
    )
    state = hands.begin()
    say(resumed=state.number, record=str(Record(state.game)))
    games = state.tally.games
    try:
        for state in hands.play():
            if state.tally.games != games:
                games = state.tally.games
                if TIDIED in words:
                    # Also lets go of the freed tuples that Python keeps for later, up to 2,000 of each length.
                    gc.collect()
                say(games=games, kilobytes=_kilobytes(), blocks=sys.getallocatedblocks(), written=_written())
    except Stuck as error:
        say(stuck=str(error))


def say(**things: object) -> None:
    """Say something to whoever listens."""
    print(f"@{json.dumps(things)}", flush=True)


def _announce(piece: Piece, to: str | None) -> None:
    say(hand=piece.digit, to=to)


def _kilobytes() -> int:
    """What the process has in memory."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES // 1000


def _written() -> int:
    """How many bytes the process has had written to storage, whole pages as the kernel counts them."""
    file = Path("/proc/self/io")
    lines = file.read_text(encoding="ascii").splitlines() if file.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("write_bytes")), 0)


def sync_like(mode: str) -> None:
    """Have the journal opened as it is, but with another `synchronous`: to see what that would lose."""
    connect = repair.connect

    def connect_otherwise(file: Path) -> sqlite3.Connection:
        connection = connect(file)
        connection.execute(f"PRAGMA synchronous = {mode}")
        return connection

    repair.connect = connect_otherwise


def tell_what_is_there(folder: Path) -> None:
    """Every game that the journal has after the cut, and whether its file is sound."""
    opened, note = repair.open_checked(folder)
    with contextlib.closing(opened) as connection:
        check = [row[0] for row in connection.execute("PRAGMA quick_check")]
        games = {kept.number: str(kept.record) for kept in journal.games(connection, unfinished=True)}
    say(found=games, check=check, note=note)


def main() -> None:
    """Say what is there, and play on."""
    folder = Path(sys.argv[1]) / "journal"
    # The kernel's command line is a file; on any other the words stand after "--".
    said = sys.argv[3:] if sys.argv[2] == "--" else Path(sys.argv[2]).read_text(encoding="utf-8").split()
    words = dict(word.partition("=")[::2] for word in said)
    if words.get(SYNCHRONOUS):
        sync_like(words[SYNCHRONOUS])
    tell_what_is_there(folder)
    with ExitStack() as stack:
        play(folder, words, stack)


if __name__ == "__main__":
    main()
