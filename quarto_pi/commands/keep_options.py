"""What commands that run a board can be asked for: where to keep its games."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from pathlib import Path

from quarto_pi.config import Config, JournalConfig, state_folder
from quarto_pi.journal.starting import OpenJournal, open_journal


def add_keep(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--keep`."""
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep the games there, and where a simulated board's pieces stand: after a stop it goes on",
    )


def journal_folder(journal: JournalConfig) -> Path:
    """Where a board with this configuration keeps its journal."""
    return Path(journal.folder).expanduser() if journal.folder else state_folder(os.environ)


def journal_for(config: Config, keep: Path | None, stack: ExitStack, *, simulated: bool) -> OpenJournal | None:
    """The journal of a board: where the command line says, or the configuration; a simulated one has none unasked."""
    if keep is None:
        if simulated or config.journal is None:
            return None
        keep = journal_folder(config.journal)
    return open_journal(keep, config.settings, stack)
