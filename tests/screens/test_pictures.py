"""Every screen in every language is, dot by dot, as it was when somebody last looked at it (`make screens`)."""

import pytest
from PIL import Image

from quarto_pi.languages import LANGUAGES
from tests.screens.__main__ import DIGESTS, SHEETS, digest_of, digests_of, kept_digests
from tests.screens.sheet import cells_of


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_every_screen_is_as_it_was_looked_at(name: str) -> None:
    cells = cells_of(*SHEETS[name])
    now, kept = digests_of(cells), kept_digests(name)
    assert len(now) == len(cells)
    different = sorted(screen for screen in now.keys() | kept.keys() if now.get(screen) != kept.get(screen))
    assert not different, f"run 'make screens' and look at these in {name}: {', '.join(different)}"


def test_every_language_has_its_digests_and_no_other_has() -> None:
    assert {file.stem for file in DIGESTS.iterdir()} == set(SHEETS)
    assert set(LANGUAGES) <= set(SHEETS)


def test_a_single_dot_and_another_size_change_a_digest() -> None:
    picture = Image.new("1", (128, 64))
    dotted = picture.copy()
    dotted.putpixel((127, 63), 1)
    assert len({digest_of(each) for each in (picture, dotted, Image.new("1", (64, 128)))}) == 3
