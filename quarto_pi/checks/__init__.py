"""Looking at every part of the board and of the computer below it, and saying what to do about what is not well.

Every check yields a `Finding`.

plan                all of them by name, and going through them
devices             what is wired to the board; the tags
node                a Pico that the readers hang on, and its own test
machine             the computer: which Pi, memory, temperature, voltage, time of day, storage
installation        the program, its configuration, its service, its page's port
chain               the broker, the hub behind it, and what waits for it
bundle              what is handed on to those who help, and what is not
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A device or part, whether it is well, what was seen of it, and what to do about it."""

    device: str
    ok: bool
    detail: str
    fix: str | None = None

    @property
    def name(self) -> str:
        """The device as it is named on a command line.

        >>> Finding("reader a1", ok=True, detail="").name
        'reader-a1'
        """
        return as_name(self.device)

    def __str__(self) -> str:
        line = f"{'ok    ' if self.ok else 'NOT OK'} {self.device}: {self.detail}"
        return f"{line}\n       to do: {self.fix}" if self.fix else line


def as_name(device: str) -> str:
    """A device's name in one word."""
    return device.replace(" ", "-")
