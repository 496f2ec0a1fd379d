"""The journal: whether games are kept, and where."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.config.section import Section


@dataclass(frozen=True, slots=True)
class JournalConfig:
    """Where the journal lies; an empty folder is the one in which the board keeps all that it has to remember."""

    folder: str = ""


def read_journal(section: Section) -> JournalConfig | None:
    """The section `[journal]`."""
    present = section.take("present", True)
    journal = JournalConfig(section.take("folder", JournalConfig().folder))
    section.close()
    return journal if present else None
