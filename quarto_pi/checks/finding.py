"""What was found out about one device or part."""

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
