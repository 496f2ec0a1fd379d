"""A picture as these displays keep it, in pages of eight lines, and the areas that differ between two pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image

Pages = tuple[bytes, ...]
"""For each page one byte a column, the topmost line in its lowest bit."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of columns and pages, the last ones included."""

    left: int
    right: int
    first: int
    last: int

    @property
    def size(self) -> int:
        """Return how many bytes it has."""
        return (self.right - self.left + 1) * (self.last - self.first + 1)

    def cut_out(self, pages: Pages) -> bytes:
        """Return its bytes, page by page."""
        return b"".join(page[self.left : self.right + 1] for page in pages[self.first : self.last + 1])

    def around(self, other: Area) -> Area:
        """Return the least area around both."""
        return Area(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.first, other.first),
            max(self.last, other.last),
        )


def display_pages(image: Image.Image) -> Pages:
    r"""Return an image of one bit a pixel as pages.

    >>> image = Image.new("1", (2, 8))
    >>> image.putpixel((1, 3), 1)
    >>> display_pages(image)
    (b'\x00\x08',)
    """
    count = image.height // 8
    # Turned to the right by a quarter, every column is a row of bytes, its lowest line first and in the highest bit.
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return tuple(columns[count - 1 - page :: count] for page in range(count))


def whole(pages: Pages) -> Area:
    """Return the area of a whole picture."""
    return Area(0, len(pages[0]) - 1, 0, len(pages) - 1)


def differences(old: Pages, new: Pages, overhead: int, *, tall: bool) -> list[Area]:
    """Return areas that hold all differences, chosen to take few bytes; each costs `overhead` bytes more than it holds.

    Only where `tall` areas can be addressed do they reach over several pages.
    """
    by_page = [_runs(before, after, overhead) for before, after in zip(old, new, strict=True)]
    areas = [Area(left, right, page, page) for page, runs in enumerate(by_page) for left, right in runs]
    if not tall or len(areas) < 2:
        return areas
    areas = _stacked(areas, overhead)
    around = areas[0]
    for area in areas[1:]:
        around = around.around(area)
    return [around] if around.size + overhead <= sum(area.size + overhead for area in areas) else areas


def _runs(before: bytes, after: bytes, overhead: int) -> list[tuple[int, int]]:
    """The changed columns of a page, with gaps that are cheaper to send than to leave out."""
    if before == after:
        return []
    runs: list[tuple[int, int]] = []
    for column, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        if runs and column - runs[-1][1] - 1 <= overhead:
            runs[-1] = (runs[-1][0], column)
        else:
            runs.append((column, column))
    return runs


def _stacked(areas: Sequence[Area], overhead: int) -> list[Area]:
    """Areas put together with those that end on the page above, where that takes fewer bytes."""
    stacked: list[Area] = []
    for area in areas:
        for index, above in enumerate(stacked):
            both = above.around(area)
            if above.last == area.first - 1 and both.size <= above.size + area.size + overhead:
                stacked[index] = replace(both, last=area.last)
                break
        else:
            stacked.append(area)
    return stacked
