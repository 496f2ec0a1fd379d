"""A hub as a process that is there to be killed: the real one, which may be told to die at a bad moment, or be wrong.

Wrong hubs are for the checker: they stand around the real one's database, and each makes one mistake.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any, ClassVar

from quarto_pi.hub import running
from quarto_pi.hub.settings import HubSettings, settings_in
from quarto_pi.hub.store import HubStore, KeptActions, ReceivedAction, open_store
from quarto_pi.hub.watch import Watch
from quarto_pi.hub.watching import Watching
from tests.chain_faults.stumbling import Stumbles, make_haste, stumbling_listener, stumbling_store
from tests.chain_faults.wording import say


class Wrapped:
    """A database that does all that the real one does."""

    def __init__(self, store: HubStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the real one has
        return getattr(self._store, name)


class DiesAfterCommit(Wrapped):
    """The hub dies when it has committed, before anybody is told: no fault, but the worst moment for it."""

    commits = 0

    def keep(self, received: Sequence[ReceivedAction]) -> list[KeptActions]:
        """Keep them, and perhaps tell nobody any more."""
        kept = self._store.keep(received)
        DiesAfterCommit.commits -= 1
        if received and DiesAfterCommit.commits == 0:
            os._exit(9)
        return kept


class TellsBeforeCommit(Wrapped):
    """WRONG: boards are told that their actions are kept, which happens with the actions after them."""

    late: tuple[ReceivedAction, ...] = ()

    def keep(self, received: Sequence[ReceivedAction]) -> list[KeptActions]:
        """Promise these, and keep those before."""
        late, TellsBeforeCommit.late = TellsBeforeCommit.late, tuple(received)
        self._store.keep(late)
        newest: dict[tuple[str, str], dict[int, int]] = {}
        for each in received:
            games = newest.setdefault((each.board, each.action.history), {})
            games[each.action.game] = max(each.action.number, games.get(each.action.game, 0))
        return [KeptActions(*of, through=tuple(games.items()), missing=(), new=()) for of, games in newest.items()]


class CountsRepeats(Wrapped):
    """WRONG: actions get numbers in the order in which they arrive, so that one which comes twice counts twice."""

    arrived: ClassVar[Counter[tuple[str, str, int]]] = Counter()

    def keep(self, received: Sequence[ReceivedAction]) -> list[KeptActions]:
        """Keep all of them, as the next ones."""
        renumbered = []
        for each in received:
            game = (each.board, each.action.history, each.action.game)
            CountsRepeats.arrived[game] += 1
            renumbered.append(replace(each, action=replace(each.action, number=CountsRepeats.arrived[game])))
        self._store.keep(renumbered)
        through: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for each in received:
            through.setdefault((each.board, each.action.history), []).append((each.action.game, each.action.number))
        return [KeptActions(*of, through=tuple(pairs), missing=(), new=()) for of, pairs in through.items()]


WRONG: dict[str, type[Wrapped]] = {"tells-before-commit": TellsBeforeCommit, "counts-repeats": CountsRepeats}


def main() -> None:
    """Run the hub of a folder until it is killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.chain_faults.hub", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dies-after", type=int, default=0, help="so many commits")
    parser.add_argument("--wrong", choices=WRONG, help="with this mistake")
    parser.add_argument("--stumbles", type=float, default=0.0, help="the share of calls that fail by some error")
    parser.add_argument("--haste", action="store_true", help="in all that waits longer and longer")
    parser.add_argument("--seed", default="")
    wanted = parser.parse_args()
    DiesAfterCommit.commits = wanted.dies_after
    kinds: list[type[Wrapped]] = [DiesAfterCommit] if wanted.dies_after else []
    kinds += [WRONG[wanted.wrong]] if wanted.wrong else []

    stumbles = Stumbles(wanted.seed, wanted.stumbles, lambda name: say(stumbled=name))
    if wanted.stumbles:
        stumbles.upon_paho()
    if wanted.stumbles or wanted.haste:
        make_haste()

    def opened(folder: Path, settings: HubSettings) -> HubStore:
        store: Any = open_store(folder, settings)
        # A hub that cannot begin says why and ends: whoever has started it starts it again.
        if wanted.stumbles and current_thread() is not main_thread():
            stumbles.raise_perhaps("store.open")
            store = stumbling_store(store, stumbles)
        for kind in kinds:
            store = kind(store)
        found: HubStore = store
        return found

    running.open_store = opened  # type: ignore[attr-defined] # what it has imported
    settings = settings_in(wanted.folder)

    def complain(words: str) -> None:
        say(words=words)
        print(words, file=sys.stderr, flush=True)

    watch = Watch([], time.time)
    watching = Watching(watch, lambda: opened(wanted.folder, settings), complain)
    with running.running_hub(wanted.folder, settings, complain, stumbling_listener(watch, stumbles)) as hub:
        watching.start()
        say(broker=None if hub.broker is None else hub.broker.pid)
        hub.failed.wait()
    # Nothing may ever end it but being killed.
    say(ended=True)


if __name__ == "__main__":
    main()
