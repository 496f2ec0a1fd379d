"""The opening book: what it covers, that it is right, and what happens when it is damaged."""

from __future__ import annotations

from pathlib import Path
from random import Random, SystemRandom

import pytest

from quarto_pi.engine import book
from quarto_pi.engine.book import (
    BOOK_FILE,
    BOOK_VARIANTS,
    DEEPEST,
    BookDamaged,
    BookSection,
    Effort,
    book_positions,
    build_retrieval,
    make_section,
    read_book,
    write_book,
    wrong_positions,
)
from tests.engine.worlds import COMPILED


def silent(_line: str) -> None:
    """Tell nobody."""


EFFORT = Effort(table_mb=64, threads=2, tell=silent)


def test_the_book_covers_every_variant_and_is_small() -> None:
    assert set(read_book()) == set(BOOK_VARIANTS)
    assert BOOK_FILE.stat().st_size < 400_000


@pytest.mark.skipif(not COMPILED, reason="interpreted it takes an hour")
@pytest.mark.slow
@pytest.mark.parametrize(
    "variant",
    [
        variant if variant == (False, 4) else pytest.param(variant, marks=pytest.mark.campaign)
        for variant in BOOK_VARIANTS
    ],
    ids=str,
)
def test_a_random_sample_of_the_book_is_what_the_search_finds(
    variant: tuple[bool, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another sample each time: many runs see what a larger one would.
    monkeypatch.setattr(book, "SAMPLE", 6)
    seed = SystemRandom().getrandbits(32)
    wrong = list(wrong_positions(variant, read_book()[variant], Random(seed), EFFORT))
    assert wrong == [], f"with the sample {seed}"


@pytest.mark.parametrize(("placed", "kinds"), list(enumerate([1, 8, 148, 3382])))
def test_the_positions_of_the_plain_game_are_as_many_as_can_be_counted(placed: int, kinds: int) -> None:
    assert len(book_positions((False, 4), placed)) == kinds


@pytest.mark.slow
def test_with_four_placed_they_are_91_558() -> None:
    assert len(book_positions((False, 4), DEEPEST)) == 91_558


@pytest.mark.slow
def test_a_section_that_is_made_anew_says_what_the_installed_one_says(tmp_path: Path) -> None:
    variant = (False, 1)
    made = make_section(variant, EFFORT)
    assert made.positions == read_book()[variant].positions
    assert list(wrong_positions(variant, made, Random(1), EFFORT)) == []
    write_book(tmp_path / "book", {variant: made})
    assert read_book(tmp_path / "book") == {variant: made}


@pytest.mark.slow
def test_a_wrong_value_is_found() -> None:
    variant = (False, 1)
    section = read_book()[variant]
    nonsense = BookSection(section.positions, build_retrieval({}))
    assert list(wrong_positions(variant, nonsense, Random(1), EFFORT))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda whole: whole[:-1], "check sum"),
        (lambda whole: whole[:100] + bytes([whole[100] ^ 1]) + whole[101:], "check sum"),
        (lambda whole: b"something else" + whole, "is not an opening book of version 1"),
        (lambda _whole: b"", "is not an opening book of version 1"),
    ],
)
def test_a_damaged_book_is_refused(damage: object, said: str, tmp_path: Path) -> None:
    assert callable(damage)
    file = tmp_path / "opening.book"
    file.write_bytes(damage(BOOK_FILE.read_bytes()))
    with pytest.raises(BookDamaged, match=said):
        read_book(file)


def test_a_book_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BookDamaged, match=r"absent\.book cannot be read"):
        read_book(tmp_path / "absent.book")
