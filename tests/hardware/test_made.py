"""What is in the repository is what the description makes: profiles, pins, diagrams, drawings, tables, pictures."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from hardware.carrier.files import board_file, judged_files
from hardware.carrier.reading import read_board
from hardware.making import MADE, PAGES, PROFILES, circuit_boards, complaints, pictures, texts
from hardware.power_safety import VERDICT as POWER_VERDICT
from hardware.schematic.sheets import RULE_CHECK
from hardware.tables import TABLES

pytestmark = pytest.mark.slow

MAKE = "differs from what the description makes: run 'make hardware' and look at the change"


def test_every_text_is_what_the_description_makes() -> None:
    different = [file.name for file, make in texts() if file.read_bytes() != make().encode()]
    assert not different, f"{', '.join(different)} {MAKE}"


@pytest.mark.campaign
def test_every_picture_shows_the_models_of_the_description() -> None:
    for file, make in pictures():
        kept, made = (
            np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=float) for data in (file.read_bytes(), make())
        )
        assert kept.shape == made.shape, f"{file.name} {MAKE}"
        assert (np.abs(kept - made).max(axis=2) > 40).mean() < 0.002, f"{file.name} {MAKE}"


def test_nothing_is_kept_that_is_no_longer_made() -> None:
    boards = circuit_boards(lambda board: read_board(board_file(board)).copper)
    made = {file for file, _ in (*texts(), *boards, *pictures())} | {*judged_files(), RULE_CHECK, POWER_VERDICT}
    kept = {file for folder in (MADE, PROFILES) for file in folder.rglob("*") if file.is_file()}
    assert kept <= made


def test_every_table_is_on_some_page() -> None:
    pages = "".join(file.read_text(encoding="utf-8") for file in PAGES)
    assert [name for name in TABLES if f"<!-- made: {name} -->" not in pages] == []


def test_nothing_is_to_complain_about() -> None:
    assert list(complaints()) == []
