"""Every screen in every language, dot by dot, as in the pictures of the repository (`make screens` draws them)."""

import pytest
from PIL import Image, ImageChops

from tests.screens.__main__ import COLUMNS, PICTURES, SHEETS
from tests.screens.sheet import cells_of, corner_of, sheet_of


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_every_screen_is_as_in_the_picture(name: str) -> None:
    cells = cells_of(*SHEETS[name])
    drawn = sheet_of(cells, COLUMNS)
    with Image.open(PICTURES / f"{name}.png") as file:
        kept = file.convert("1", dither=Image.Dither.NONE)
    different = [cell for index, (cell, picture) in enumerate(cells) if differs(kept, picture, index)]
    assert not different, f"these screens differ from tests/screens/pictures/{name}.png: {', '.join(different)}"
    assert ImageChops.logical_xor(kept, drawn).getbbox() is None


def differs(kept: Image.Image, picture: Image.Image, index: int) -> bool:
    left, top = corner_of(index, COLUMNS, picture.size)
    box = (left, top, left + picture.width, top + picture.height)
    return ImageChops.logical_xor(kept.crop(box), picture).getbbox() is not None
