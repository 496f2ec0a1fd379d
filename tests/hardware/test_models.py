"""The models as files: what `make models` writes can be read again and is the same.

What makes solids takes seconds to load, so the tests that need it load it, and no others wait for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.dimensions import Dimensions


@pytest.mark.slow
def test_a_plate_survives_being_written_as_step_and_is_there_as_stl(tmp_path: Path, dimensions: Dimensions) -> None:
    from build123d import import_step

    from hardware.models import export_models, solids

    files = export_models(tmp_path, dimensions)
    step, stl = next(files), next(files)
    (name, make), *_ = solids(dimensions)
    assert (step.name, stl.name) == (f"{name}.step", f"{name}.stl")
    assert import_step(step).volume == pytest.approx(make().volume)
    assert stl.stat().st_size > 10_000


@pytest.mark.slow
def test_every_plate_and_the_eight_forms_of_pieces_are_exported(dimensions: Dimensions) -> None:
    from hardware.models import solids

    names = [name for name, _ in solids(dimensions)]
    assert {"surface-pi", "surface-pi-simple", "grid-pi-two-buttons", "ledge", "hatch-cover"} <= set(names)
    assert len(names) == len(set(names))
    assert sum(name.startswith("piece-") for name in names) == 8
