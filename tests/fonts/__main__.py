"""Make the glyph files of `quarto_pi/screens/fonts` again: `python -m tests.fonts FOLDER`.

The sources are Debian's packages `xfonts-75dpi` and `fonts-unifont`, and, in FOLDER, the .woff file of the npm package
`@fontsource/fusion-pixel-12px-monospaced-tc`.
What is made is committed: nobody needs this for playing, testing, or another sentence.
"""

import gzip
import sys
from itertools import product
from pathlib import Path
from typing import Final

from PIL import Image, ImageFont

TARGET: Final = Path(__file__).parents[2] / "quarto_pi" / "screens" / "fonts"
X11: Final = Path("/usr/share/fonts/X11/75dpi")
UNIFONT: Final = Path("/usr/share/fonts/opentype/unifont/unifont.otf")
FUSION: Final = "fusion-pixel-12px-monospaced-tc-latin-400-normal.woff"

LATIN: Final = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))) + "–—‘’‚“”„•…‹›€"
"""What people in Europe write with, names included; not only what today's sentences need."""

HAN_PUNCTUATION: Final = "、。，．；：？！（）「」『』《》〈〉【】…—～·　０１２３４５６７８９"


def frequent_han() -> str:
    """The 5401 characters of the first level of Big5, in which all that is usual in Taiwan can be written."""
    pairs = product(range(0xA4, 0xC7), (*range(0x40, 0x7F), *range(0xA1, 0xFF)))
    return "".join(bytes(pair).decode("big5") for pair in pairs if pair <= (0xC6, 0x7E))


def lines_of(font: ImageFont.FreeTypeFont, characters: str) -> list[str]:
    """The glyphs of all characters that a font has: code, advance, left, top, width and rows."""
    missing = picture_of(font, "\uffff")
    lines = []
    for character in sorted(set(characters)):
        picture = picture_of(font, character)
        if picture != missing or character in " \u00a0\u3000":
            lines.append(f"{ord(character):04x} {picture}")
    return lines


def picture_of(font: ImageFont.FreeTypeFont, character: str) -> str:
    """A glyph as it stands in a glyph file."""
    advance = round(font.getlength(character))
    mask, (left, top) = font.getmask2(character, mode="1", anchor="ls")
    width, height = mask.size
    if not width or not height:
        return f"{advance} 0 0 0 -"
    picture = Image.frombytes("L", (width, height), bytes(mask)).point(lambda level: 255 if level else 0, "1")
    return f"{advance} {left} {top} {width} {picture.tobytes().hex()}"


def write(name: str, header: str, ascent: int, descent: int, lines: list[str]) -> None:
    """A glyph file, the same to the byte whenever it is made."""
    text = "\n".join([f"# {header}", f"{ascent} {descent}", *lines]) + "\n"
    (TARGET / f"{name}.glyphs.gz").write_bytes(gzip.compress(text.encode("ascii"), 9, mtime=0))
    print(f"{name}: {len(lines)} glyphs")


def main(folder: str) -> None:
    """Make all of them."""
    for name in ("R08", "R10", "R12", "B10", "B12", "B14", "B18", "B24"):
        size = int(name[1:])
        font = ImageFont.truetype(X11 / f"helv{name}.pcf.gz", size)
        lines = lines_of(font, LATIN)
        write(
            f"latin-{name.lower()}", "From helv of font-adobe-75dpi, see LICENSE-adobe.txt", *font.getmetrics(), lines
        )
    han = frequent_han() + HAN_PUNCTUATION
    large = ImageFont.truetype(UNIFONT, 16)
    write("han-16", "From GNU Unifont, see LICENSE-ofl.txt", 14, 2, lines_of(large, han))
    small = ImageFont.truetype(Path(folder) / FUSION, 12)
    write("han-12", "From a pan-CJK font of 12 pixels, see LICENSE-ofl.txt", 10, 2, lines_of(small, han))


if __name__ == "__main__":
    main(*sys.argv[1:])
