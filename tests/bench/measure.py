"""How the measurements measure: rates as the best of several runs, and tables."""

import time
from collections.abc import Callable, Sequence


def rate(work: Callable[[], int], rounds: int = 5) -> float:
    """How many of what `work` counts are done in a CPU second, in the best of several rounds."""
    best = 0.0
    for _ in range(rounds):
        started = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - started))
    return best


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    print(f"\n{title}\n")
    for row in (header, ["-" * width for width in widths], *rows):
        cells = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join(cells).rstrip())
