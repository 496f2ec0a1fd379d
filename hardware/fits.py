"""What goes into what: the room that is left when everything is as large and as far off as it may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.dimensions import Dimensions
from hardware.plates import grid, hatch_cover, hatch_middle, inside, ledge_z, pipe_hole


@dataclass(frozen=True, slots=True)
class Fit:
    """One part inside another: the room as drawn, and everything that may take away of it, in millimetres."""

    what: str
    room: float
    errors: tuple[float, ...]

    @property
    def spare(self) -> float:
        """What is left at worst; below 0 it does not go in."""
        return self.room - sum(self.errors)


def fits(d: Dimensions) -> Iterator[Fit]:
    """Every place where something is put into something else."""
    plate, (width, depth) = grid(d), inside(d)
    cut, sheet, part, place = d.tolerance.cut, d.tolerance.sheet, d.tolerance.part, d.tolerance.place
    panel, behind = d.panel, d.fit.behind
    # Two edges of the grid, two of the floor that the sides stand on, and two sides that may be too thick.
    frame = (cut, cut, cut, cut, sheet, sheet)
    yield Fit("the grid between the left and the right side", width - plate.width, frame)
    yield Fit("the grid between front and back", depth - plate.height, frame)
    yield Fit("the grid above its ledges", d.grid_z - ledge_z(d) - d.case.ledge[1], (sheet, cut))
    yield Fit("a module in its window", 2 * d.reader.play, (part, 2 * cut))
    yield Fit("the sticker in a piece's pocket", d.piece.pocket - d.tag.diameter, (part, 2 * cut))
    yield Fit("the rod in the hole of a square's light", pipe_hole(d) - d.board.light_pipe[0], (2 * cut,))
    yield Fit("the rod beside the edge of the grid", 2 * behind, (2 * place, 2 * cut))
    yield Fit("the clip in the hole of a light", panel.light - panel.light_clip[0], (2 * cut,))
    yield Fit("the clip's rim beside the edge of the grid", behind, (2 * place, 2 * cut))
    yield Fit("a button in its hole", panel.button_hole - panel.button_body, (part, 2 * cut))
    yield Fit("a button's nut beside the edge of the grid", behind, (2 * place, 2 * cut, part))
    yield Fit("the display beside the edge of the grid", behind, (2 * place, 2 * cut, part))
    yield Fit("a screw of the lid", d.fit.screw, (2 * cut,))
    edge = hatch_middle(d)[1] - d.case.hatch[1] / 2
    yield Fit("the hatch's cover over the edge of its hatch", edge - hatch_cover(d).corner[1], (d.fit.screw, 4 * cut))


def tight_fits(d: Dimensions) -> Iterator[str]:
    """A sentence for each part that would not go in."""
    for fit in fits(d):
        if fit.spare < 0:
            yield f"{fit.what}: {fit.room:.2f} mm of room, and {sum(fit.errors):.2f} mm may be off."
