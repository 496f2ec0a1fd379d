"""Make the glyph files of `quarto_pi/screens/fonts` again: `python -m tests.fonts FOLDER`.

The sources are Debian's packages `xfonts-75dpi` and `fonts-unifont`, and, in FOLDER, the .woff file of the npm package
`@fontsource/fusion-pixel-12px-monospaced-tc`.
What is made is committed: nobody needs this for playing, testing, or another sentence.
"""

import gzip
import sys
from itertools import product
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageFont

TARGET: Final = Path(__file__).parents[2] / "quarto_pi" / "screens" / "fonts"
X11: Final = Path("/usr/share/fonts/X11/75dpi")
UNIFONT: Final = Path("/usr/share/fonts/opentype/unifont/unifont.otf")
FUSION: Final = "fusion-pixel-12px-monospaced-tc-latin-400-normal.woff"

LATIN: Final = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))) + "–—‘’‚“”„•…‹›€"
"""What people in Europe write with, names included; not only what today's sentences need."""

MENDED: Final = {"Š": ("S", "Č", "C"), "Ž": ("Z", "Č", "C"), "Ÿ": ("Y", "Ü", "U")}
"""Capitals that stand in some sizes as their small letters, with the letter and the accent that they are made of."""

TO_MEND: Final = frozenset({"R08", "R10", "B10", "B12"})

HAN_PUNCTUATION: Final = "、。，．；：？！（）「」『』《》〈〉【】…—～·　０１２３４５６７８９"


def frequent_han() -> str:
    """The 5401 characters of the first level of Big5, in which all that is usual in Taiwan can be written."""
    pairs = product(range(0xA4, 0xC7), (*range(0x40, 0x7F), *range(0xA1, 0xFF)))
    return "".join(bytes(pair).decode("big5") for pair in pairs if pair <= (0xC6, 0x7E))


def lines_of(font: ImageFont.FreeTypeFont, characters: str, mend: bool = False) -> list[str]:
    """The glyphs of all characters that a font has: code, advance, left, top, width and rows."""
    missing = picture_of(font, "\uffff")
    lines = []
    for character in sorted(set(characters)):
        glyph = mended(font, character) if mend and character in MENDED else picture_of(font, character)
        if glyph != missing or character in " \u00a0\u3000":
            lines.append(f"{ord(character):04x} {glyph}")
    return lines


def mended(font: ImageFont.FreeTypeFont, character: str) -> str:
    """A capital put together of a letter and the accent of another one."""
    letter, model, plain = MENDED[character]
    canvas = Image.new("1", (40, 40))
    mask, (left, top) = font.getmask2(letter, mode="1", anchor="ls")
    canvas.paste(picture(mask), (10 + left, 30 + top))
    width = mask.size[0]
    plain_top = font.getmask2(plain, mode="1", anchor="ls")[1][1]
    mask, (_, model_top) = font.getmask2(model, mode="1", anchor="ls")
    accent = picture(mask).crop((0, 0, mask.size[0], plain_top - model_top))
    shift, _, end, _ = accent.getbbox() or (0, 0, 0, 0)
    canvas.paste(accent.crop((shift, 0, end, accent.height)), (10 + left + (width - end + shift) // 2, 30 + model_top))
    box = canvas.getbbox() or (0, 0, 0, 0)
    rows = canvas.crop(box).tobytes().hex()
    return f"{round(font.getlength(letter))} {box[0] - 10} {box[1] - 30} {box[2] - box[0]} {rows}"


def picture_of(font: ImageFont.FreeTypeFont, character: str) -> str:
    """A glyph as it stands in a glyph file."""
    advance = round(font.getlength(character))
    mask, (left, top) = font.getmask2(character, mode="1", anchor="ls")
    width, height = mask.size
    if not width or not height:
        return f"{advance} 0 0 0 -"
    return f"{advance} {left} {top} {width} {picture(mask).tobytes().hex()}"


def picture(mask: Any) -> Image.Image:  # noqa: ANN401 - Pillow names no type for what its fonts return
    """What Pillow's fonts return, as a picture of one bit."""
    return Image.frombytes("L", mask.size, bytes(mask)).point(lambda level: 255 if level else 0, "1")


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
        lines = lines_of(font, LATIN, mend=name in TO_MEND)
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
