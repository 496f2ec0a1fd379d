"""What `quarto-pi check` has found out about one device or part."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A device or part, whether it is well, what was seen of it, and what to do about it."""

    device: str
    ok: bool
    detail: str
    fix: str | None = None

    def __str__(self) -> str:
        line = f"{'ok    ' if self.ok else 'NOT OK'} {self.device}: {self.detail}"
        return f"{line}\n       to do: {self.fix}" if self.fix else line
