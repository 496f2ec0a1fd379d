"""Tables as the pages have them."""

from __future__ import annotations

from collections.abc import Sequence


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]], numbers_from: int = 1) -> str:
    """A table; the columns from that one on hold numbers."""
    rule = ["---" if column < numbers_from else "---:" for column in range(len(head))]
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in (head, rule, *rows))
