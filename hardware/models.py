"""The solids as files: STEP to change them in any CAD program, STL to print them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from build123d import Compound, export_step, export_stl

from hardware import assembly
from hardware.description import read_description
from hardware.dimensions import Dimensions, read_dimensions
from hardware.piece_drawings import FORMS, form_name
from hardware.plates import plates_of
from hardware.solids import Solid, piece_solid, plate_solid


def solids(d: Dimensions) -> Iterator[tuple[str, Callable[[], Solid]]]:
    """Everything that is made of wood or plastic, by name, made when it is asked for."""
    for plate, _ in plates_of(d, read_description().profiles.values()):
        yield plate.name, partial(plate_solid, plate, d.board.engraving)
    for form in FORMS:
        yield f"piece-{form_name(form)}", partial(piece_solid, d, form)


def export_models(folder: Path, dimensions: Dimensions | None = None) -> Iterator[Path]:
    """Write every solid as STEP and STL, and the whole board as one STEP file."""
    d = dimensions or read_dimensions()
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in solids(d):
        solid = make()
        export_step(solid, folder / f"{name}.step")
        export_stl(solid, folder / f"{name}.stl")
        yield folder / f"{name}.step"
        yield folder / f"{name}.stl"
    whole = Compound(label="board", children=[part.solid for part in assembly.whole(d)])
    export_step(whole, folder / "board.step")
    yield folder / "board.step"
