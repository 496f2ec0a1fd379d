"""Tags: which UID belongs to which piece, the file that says so, and whether an unknown UID is one read wrongly.

The file is TOML, with a line for each piece and one or more UIDs in it:

    [tags]
    LTRF = ["04A1B2C3D4E5F6"]

A neighbour's tag can arrive with its bits shifted or some bytes wrong, and still with a right CRC. So few wrong bits
or bytes, or a shift that explains all but very few bits, make a UID a garbled form of another.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import Final, Literal

from quarto_pi.rules import PIECES, NotationError, Piece, parse_piece
from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.readings import Outcome, Reading, TagsError

TAGS_SECTION = "tags"
UID_BYTES = (4, 7, 10)

_SEPARATORS = re.compile(r"[\s:]")
_HEX = re.compile(r"[0-9A-F]+")
_LINE = re.compile(r"at line (\d+)")


def parse_uid(text: str) -> str:
    """The UID in its one form: hex in upper case, without colons and spaces.

    >>> parse_uid("04:a1:b2:c3")
    '04A1B2C3'
    """
    uid = _SEPARATORS.sub("", text).upper()
    if not _HEX.fullmatch(uid):
        raise TagsError(f"'{text}' is not a UID: write 4, 7 or 10 bytes in hex, such as 04A1B2C3D4E5F6.")
    if len(uid) % 2:
        raise TagsError(f"'{text}' is not a UID: it has {len(uid)} hex digits, and each byte takes two.")
    if len(uid) // 2 not in UID_BYTES:
        raise TagsError(f"'{text}' is not a UID: it has {_bytes(len(uid) // 2)}, and there are UIDs of 4, 7 and 10.")
    return uid


@dataclass(frozen=True, slots=True)
class TagTable:
    """The known tags: every UID with its piece; a piece may have several tags."""

    pieces: Mapping[str, Piece] = field(default_factory=dict)

    @classmethod
    def from_codes(cls, codes: Mapping[str, str]) -> TagTable:
        """The table in which UIDs name pieces by their codes, as in a table trace; not every piece needs a tag.

        >>> str(TagTable.from_codes({"04a1b2c3": "LTRF"}).piece_of("04A1B2C3"))
        'LTRF'
        """
        pieces: dict[str, Piece] = {}
        for text, code in codes.items():
            uid = parse_uid(text)
            if uid in pieces:
                raise TagsError(f"the UID {uid} is there twice: a tag belongs to one piece.")
            pieces[uid] = parse_piece(code)
        return cls(pieces)

    def piece_of(self, uid: str) -> Piece | None:
        """The piece that this tag belongs to, None if the tag is not known."""
        return self.pieces.get(uid)

    def uids_of(self, piece: Piece) -> tuple[str, ...]:
        """The tags of a piece, in the order of the file."""
        return tuple(uid for uid, owner in self.pieces.items() if owner == piece)

    @property
    def missing(self) -> tuple[Piece, ...]:
        """The pieces that have no tag."""
        tagged = set(self.pieces.values())
        return tuple(piece for piece in PIECES if piece not in tagged)


def format_tags(table: TagTable) -> str:
    """The tags file that says what the table says; `parse_tags` reads it again."""
    lines = [f"[{TAGS_SECTION}]"]
    for piece in PIECES:
        uids = table.uids_of(piece)
        if uids:
            lines.append(_line(piece, uids))
    return "\n".join(lines) + "\n"


def _line(piece: Piece, uids: Iterable[str]) -> str:
    quoted = ", ".join(f'"{uid}"' for uid in uids)
    return f"{piece} = [{quoted}]"


def parse_tags(text: str, file: str = "tags.toml", *, whole: bool = True) -> TagTable:
    """The table in the text of a tags file; the file's name is only for the sentence about what is wrong with it.

    Every piece has to have a tag in it unless it is not the `whole` file yet.
    """
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML, a number of thousands of digits, lists in lists in lists
        raise TagsError(_not_toml(text, file, error)) from error
    for key in content:
        if key != TAGS_SECTION:
            raise TagsError(_not_here(key, content[key], file))
    section = content.get(TAGS_SECTION)
    if not isinstance(section, dict):
        raise TagsError(f"{file}: the section [{TAGS_SECTION}] is missing: begin with it, then a line for each piece.")
    table = TagTable(_read_section(section, f"{file}, [{TAGS_SECTION}]"))
    if whole and table.missing:
        codes = ", ".join(str(piece) for piece in table.missing)
        raise TagsError(
            f"{file}, [{TAGS_SECTION}]: no tag for {codes}: every one of the sixteen pieces needs at least one."
        )
    return table


def _read_section(section: Mapping[str, object], place: str) -> dict[str, Piece]:
    owners: dict[str, str] = {}
    pieces: dict[str, Piece] = {}
    keys: dict[Piece, str] = {}
    for key, value in section.items():
        piece = _read_piece(key, place)
        if piece in keys:
            raise TagsError(f"{place} {key}: this is the same piece as {keys[piece]}: write all its UIDs in one line.")
        keys[piece] = key
        for uid in _read_uids(value, f"{place} {key}"):
            if uid in owners:
                other = "twice in this line" if owners[uid] == key else f"also under {owners[uid]}"
                raise TagsError(f"{place} {key}: the UID {uid} is {other}: a tag belongs to one piece, once.")
            owners[uid] = key
            pieces[uid] = piece
    return pieces


def _read_piece(key: str, place: str) -> Piece:
    try:
        return parse_piece(key)
    except NotationError as error:
        nearest = get_close_matches(key.upper(), [str(piece) for piece in PIECES], n=1)
        hint = f"did you mean {nearest[0]}?" if nearest else "a piece is written like LTRF."
        raise TagsError(f"{place} {key}: there is no such piece: {hint}") from error


def _read_uids(value: object, place: str) -> list[str]:
    if isinstance(value, str):
        raise TagsError(f'{place}: the UIDs are not in a list: write ["{value}"].')
    if not isinstance(value, list) or not all(isinstance(uid, str) for uid in value):
        raise TagsError(f'{place}: this is not a list of UIDs in quotes: write it like ["04A1B2C3D4E5F6"].')
    if not value:
        raise TagsError(f"{place}: the list is empty: every piece needs at least one tag.")
    try:
        return [parse_uid(uid) for uid in value]
    except TagsError as error:
        raise TagsError(f"{place}: {error}") from error


def _not_here(key: str, value: object, file: str) -> str:
    shown = f"[{key}]" if isinstance(value, dict) else key
    near = get_close_matches(key.lower(), [TAGS_SECTION], n=1)
    return f"{file}: '{shown}' does not belong here: " + (
        f"did you mean [{TAGS_SECTION}]?" if near else f"there is one section, [{TAGS_SECTION}]."
    )


def _not_toml(text: str, file: str, error: Exception) -> str:
    found = _LINE.search(str(error))
    if found is None:
        return f"{file}: this is not TOML: {error}."
    number = int(found[1])
    line = text.splitlines()[number - 1].strip() if number <= len(text.splitlines()) else ""
    key = line.partition("=")[0].strip()
    if "overwrite" in str(error) and "=" in line:
        return (
            f"{file}, [{TAGS_SECTION}] {key}: line {number} has this key a second time: write all its UIDs in one line."
        )
    return f"{file}, line {number}: '{line}' is not TOML: write lines like LTRF = [\"04A1B2C3D4E5F6\"]."


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"


WRONG_BITS: Final = {4: 4, 7: 6, 10: 8}
WRONG_BYTES: Final = {4: 1, 7: 2, 10: 3}
WRONG_BITS_IN_A_SHIFT: Final = 1
MOST_BITS_SHIFTED: Final = 8
CASCADE_PREFIX: Final = "88"

_ORDERS: Final[tuple[Literal["little", "big"], ...]] = ("little", "big")


def garbled_form_of(uid: str, tags: Iterable[str]) -> str | None:
    """The tag of which this UID may be a garbled form, None if it is like none of them.

    >>> garbled_form_of("0943658799CBEB", ["04A1B2C3CCE5F5"])
    '04A1B2C3CCE5F5'
    >>> garbled_form_of("DEADBEEF", ["04A1B2C3", "08A1B2C3"]) is None
    True
    """
    return next((tag for tag in tags if uid != tag and _is_alike(uid, tag)), None)


def _is_alike(uid: str, tag: str) -> bool:
    if len(uid) != len(tag):
        return _is_cut_off(*sorted((uid, tag), key=len))
    seen, meant = bytes.fromhex(uid), bytes.fromhex(tag)
    if sum(one != other for one, other in zip(seen, meant, strict=True)) <= WRONG_BYTES[len(seen)]:
        return True
    if (int.from_bytes(seen) ^ int.from_bytes(meant)).bit_count() <= WRONG_BITS[len(seen)]:
        return True
    return any(_is_shifted(seen, meant, order) for order in _ORDERS)


def _is_shifted(seen: bytes, meant: bytes, order: Literal["little", "big"]) -> bool:
    """Whether one is the other with every bit some places further; on the air a byte's lowest bit comes first."""
    one, other = int.from_bytes(seen, order), int.from_bytes(meant, order)
    length = 8 * len(seen)
    for places in range(1, MOST_BITS_SHIFTED + 1):
        kept = (1 << (length - places)) - 1
        for late, early in ((one, other), (other, one)):
            if ((late >> places) ^ (early & kept)).bit_count() <= WRONG_BITS_IN_A_SHIFT:
                return True
    return False


def _is_cut_off(short: str, long: str) -> bool:
    """Whether the short one is what is left of the long one when a cascade level is taken for the whole UID."""
    return short.removeprefix(CASCADE_PREFIX) in long


# --- What one reading says about its cell, in pieces and foreign tags instead of UIDs ---------------------------------


class Evidence(Enum):
    """What a look says about one thing: there, cleanly not there, or nothing at all."""

    HEARD = "heard"
    MISSED = "missed"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Look:
    """A reading, understood.

    `failed`: an error or a dead reader. `nameless`: more tags answered than could be named. `blurred`: the cell's own
    tag was read wrongly. `garbled`: all UIDs that are wrong forms of tags here or nearby.
    """

    heard: frozenset[Thing] = frozenset()
    failed: bool = False
    nameless: bool = False
    blurred: bool = False
    garbled: frozenset[str] = frozenset()

    def says_of(self, thing: Thing) -> Evidence:
        """What this look says about a thing."""
        if thing in self.heard or thing in self.garbled:
            return Evidence.HEARD
        if self.failed or self.nameless or self.blurred:
            return Evidence.UNCLEAR
        return Evidence.MISSED


NOTHING_HEARD = Look()
FAILED = Look(failed=True)


def understand(reading: Reading, tags: TagTable, own: Iterable[str], nearby: Iterable[str]) -> Look:
    """The look in a reading of a cell, where the tags with these UIDs are on it and nearby."""
    match reading.outcome:
        case Outcome.EMPTY:
            return NOTHING_HEARD
        case Outcome.ERROR | Outcome.DEAD:
            return FAILED
        case Outcome.TAG | Outcome.SEVERAL:
            return _named(reading, tags, own, nearby)


def _named(reading: Reading, tags: TagTable, own: Iterable[str], nearby: Iterable[str]) -> Look:
    heard: set[Thing] = set()
    garbled: set[str] = set()
    blurred = False
    for uid in reading.uids:
        piece = tags.piece_of(uid)
        if piece is not None:
            heard.add(piece)
        elif garbled_form_of(uid, own) is not None:
            garbled.add(uid)
            blurred = True
        elif garbled_form_of(uid, nearby) is not None:
            garbled.add(uid)
        else:
            heard.add(uid)
    nameless = reading.outcome is Outcome.SEVERAL and len(reading.uids) < 2
    return Look(frozenset(heard), nameless=nameless, blurred=blurred, garbled=frozenset(garbled))
