"""Everything that is made from the description, by file; what is in the repository has to be what comes out here."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PIL import Image

from hardware.antenna.wood import antenna_grids
from hardware.carrier.copper import Copper
from hardware.carrier.files import ordered_boards, plain_files, routed, routed_files
from hardware.carrier.layout import Board, unplaced
from hardware.currents import budget_of
from hardware.description import FOLDER, read_description
from hardware.diagrams import cables_of, diagram_svg, offer_cables, rank_cables
from hardware.dimensions import read_dimensions
from hardware.drawings import layout_svg, leads_svg, plate_dxf, plate_svg
from hardware.fits import tight_fits
from hardware.header_drawings import header_svg, pin_1_svg
from hardware.leads import leads
from hardware.netlist import netlist_text
from hardware.pico_pins import firmware_pins
from hardware.piece_drawings import FORMS, form_name, piece_svg, section_svg
from hardware.pin_list import pin_list
from hardware.plates import plates_of
from hardware.profiles import profile_text
from hardware.rules import broken_rules
from hardware.schematic.sheets import schematic_files
from hardware.tables import fill_in
from hardware.wiring import wire

ROOT: Final = FOLDER.parent
MADE: Final = FOLDER / "made"
PROFILES: Final = ROOT / "quarto_pi" / "config" / "profiles"
PAGES: Final = (
    *(FOLDER / name for name in ("README.md", "parts.md", "wiring.md", "numbers.md", "antenna.md")),
    ROOT / "docs" / "pico.md",
)
FIRMWARE_PINS: Final = ROOT / "firmware" / "pins.py"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has done."""

    files: int
    changed: list[Path]
    complaints: list[str]


def texts() -> Iterator[tuple[Path, Callable[[], str]]]:
    """Every text that is made, byte by byte the same on every machine."""
    description, d = read_description(), read_dimensions()
    wirings = [wire(description, profile) for profile in description.profiles.values()]
    yield MADE / "pins.csv", partial(pin_list, wirings)
    for wiring in wirings:
        yield PROFILES / f"{wiring.profile.name}.toml", partial(profile_text, wiring)
    every = tuple(description.profiles.values())
    for plate, _ in (*plates_of(d, every), *antenna_grids(d, every)):
        yield MADE / "drawings" / f"{plate.name}.svg", partial(plate_svg, plate)
        yield MADE / "drawings" / f"{plate.name}.dxf", partial(plate_dxf, plate)
    for form in FORMS:
        yield MADE / "drawings" / f"piece-{form_name(form)}.svg", partial(piece_svg, d, form)
    yield MADE / "drawings" / "layout.svg", partial(layout_svg, d)
    yield MADE / "drawings" / "section.svg", partial(section_svg, d)
    yield MADE / "drawings" / "leads.svg", partial(leads_svg, d, leads(wirings[1], d))
    yield MADE / "drawings" / "header.svg", partial(header_svg, d)
    yield MADE / "drawings" / "pin-1.svg", partial(pin_1_svg, d)
    for file, text in (*plain_files(), *schematic_files()):
        yield file, partial(str, text)
    yield FIRMWARE_PINS, lambda: firmware_pins(FIRMWARE_PINS.read_text(encoding="utf-8"), description)
    yield from wiring_diagrams()
    for file in PAGES:
        yield file, partial(_page, file)


def circuit_boards(find: Callable[[Board], Copper] = routed) -> Iterator[tuple[Path, Callable[[], str]]]:
    """Every circuit board with its tracks, and its pictures; to find the tracks takes some seconds."""
    for board in ordered_boards():
        for file, text in routed_files(board, find(board)):
            yield file, partial(str, text)


def export_netlists(folder: Path) -> Iterator[Path]:
    """Write every wiring as KiCad's board editor reads it: nothing that is kept, the list of pins says the same."""
    folder.mkdir(parents=True, exist_ok=True)
    description = read_description()
    for profile in description.profiles.values():
        file = folder / f"{profile.name}.net"
        file.write_text(netlist_text(wire(description, profile)), encoding="utf-8")
        yield file


def wiring_diagrams() -> Iterator[tuple[Path, Callable[[], str]]]:
    """Every wiring diagram."""
    description, d = read_description(), read_dimensions()
    fullest = wire(description, description.profiles["pi"])
    # The other ranks differ in their select lines and the length of their ribbon; tables of the guide have those.
    shown = {"rank-1": rank_cables(fullest, d, 1), "offer-reader": offer_cables(fullest, d)}
    for profile in description.profiles.values():
        shown[profile.name] = cables_of(wire(description, profile), d)
    for name, cables in shown.items():
        yield MADE / "wiring" / f"{name}.svg", partial(diagram_svg, tuple(cables))


def pictures() -> Iterator[tuple[Path, Callable[[], bytes]]]:
    """Every picture of the models; another processor rounds a pixel here and there differently."""
    from hardware.pictures import pictures as drawn  # noqa: PLC0415 # the CAD library takes seconds to start

    for name, picture in drawn(read_dimensions()):
        yield MADE / "pictures" / f"{name}.png", partial(_png, picture)


def _png(draw: Callable[[], Image.Image]) -> bytes:
    buffer = io.BytesIO()
    draw().save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _page(file: Path) -> str:
    return fill_in(file.read_text(encoding="utf-8"), read_description(), read_dimensions())


def complaints() -> Iterator[str]:
    """Everything that is wrong with any wiring."""
    description = read_description()
    for board in ordered_boards():
        yield from board.complaints()
    yield from tight_fits(read_dimensions())
    for profile in description.profiles.values():
        wiring = wire(description, profile)
        for ref in unplaced(wiring):
            yield f"{profile.name}: {ref} has no place on any board."
        for sentence in (*broken_rules(wiring), *budget_of(wiring).complaints()):
            yield f"{profile.name}: {sentence}"


def make_all() -> Outcome:
    """Write whatever differs from what is there."""
    # The pages tell of the boards as they are in their files.
    boards = _written((file, make().encode()) for file, make in circuit_boards())
    rest = _written((file, make().encode()) for file, make in texts())
    shown = _written((file, make()) for file, make in pictures())
    changed = [file for files in (boards, rest, shown) for file, differs in files.items() if differs]
    return Outcome(len(boards) + len(rest) + len(shown), changed, list(complaints()))


def _written(made: Iterable[tuple[Path, bytes]]) -> dict[Path, bool]:
    """Write files, and tell which of them differ from before."""
    differs = {}
    for file, data in made:
        differs[file] = not file.exists() or file.read_bytes() != data
        if differs[file]:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    return differs
