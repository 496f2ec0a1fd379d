"""The tags file on its disk: written so that neither a pulled plug nor a full card leaves half of one.

While pieces are being enrolled the tags so far stand in a second file beside it; the last one makes it whole.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from quarto_pi.files import PREVIOUS_SUFFIX, replace_text
from quarto_pi.sensing.readings import TagsError
from quarto_pi.sensing.tags import TagTable, format_tags, parse_tags

TAGS_FILE: Final = "tags.toml"
"""Its name in the folder of the board's state."""


class TagsFile:
    """Where the tags are kept, with what was there before (`.bak`) and what is not finished (`.part`)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before = path.with_name(f"{path.name}{PREVIOUS_SUFFIX}")
        self.part = path.with_name(f"{path.name}.part")

    def exists(self) -> bool:
        """Whether there are tags of all pieces, right or wrong."""
        return self.path.exists()

    def read(self) -> TagTable:
        """The tags of all sixteen pieces."""
        return parse_tags(_text_of(self.path), str(self.path))

    def read_part(self) -> TagTable:
        """The tags of an enrolment that was broken off; none if there was none, or if nobody can read it."""
        try:
            return parse_tags(_text_of(self.part), str(self.part), whole=False)
        except TagsError:
            return TagTable()

    def write(self, table: TagTable) -> None:
        """Keep these tags: as the tags of the board once every piece has one, until then as a part of them."""
        text = format_tags(table)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if table.missing:
            replace_text(self.part, text)
            return
        # What the controller would refuse to read is never written.
        parse_tags(text, str(self.path))
        if not self.path.exists() or self.path.read_bytes() != text.encode():
            replace_text(self.path, text)
        self.forget_part()

    def forget_part(self) -> None:
        """Begin anew the next time."""
        with suppress(OSError):
            self.part.unlink(missing_ok=True)
            self.part.with_name(f"{self.part.name}{PREVIOUS_SUFFIX}").unlink(missing_ok=True)

    def set_aside(self) -> Path:
        """Rename a file that cannot be read, so that it can be looked at and is in nobody's way."""
        aside = self.path.with_name(f"{self.path.name}.damaged")
        self.path.replace(aside)
        return aside


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise TagsError(f"the tags file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise TagsError(f"the tags file {path} is not UTF-8 text (byte {error.start}).") from error
