"""What the journal's file is called."""

from __future__ import annotations

from typing import Final

FILE: Final = "journal.sqlite"
