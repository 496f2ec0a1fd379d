"""What people can do with a simulated board: hands at the table, fingers on buttons, and trouble made on purpose.

All of it is done at the present moment of the board's clock, in the thread that moves it.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol

from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES
from quarto_pi.simulation.board import UIDS, Hands, Reach, SimulatedBoard, SimulatedTable
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.simulation.field import Noise

# --- Where the pieces of a simulated table stand, in a file: wood stays where it is when power fails ------------------

TABLE_FILE: Final = "table.json"


class Wood:
    """Writes down where pieces rest whenever that has changed; a piece in the air stands nowhere."""

    def __init__(self, table: SimulatedTable, folder: Path) -> None:
        self._table = table
        self._file = folder / TABLE_FILE
        self._written: dict[str, str] | None = None

    def put_back(self) -> None:
        """Put the pieces where they stood; a file that says nothing sensible is an empty table."""
        try:
            said = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return
        standing = said.items() if isinstance(said, dict) else ()
        for uid, cell in standing:
            if uid in UIDS and cell in CELLS and cell not in self._table.resting.values():
                self._table.rest(uid, cell)

    def look(self) -> None:
        """Write it down if hands have moved something."""
        standing = dict(self._table.resting)
        if standing == self._written:
            return
        beside = self._file.with_suffix(".new")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("w", encoding="utf-8") as stream:
                json.dump(standing, stream)
                stream.flush()
                os.fsync(stream.fileno())
            beside.replace(self._file)
        except OSError:
            # Real wood needs no storage; simulated wood does without as long as it can.
            return
        self._written = standing


# --- What people can do with a simulated board ------------------------------------------------------------------------

CROSS_TALK: Final = 0.3
"""How often a neighbour's antenna hears a piece while the board is made to mishear."""
_BETWEEN_MS: Final = 60.0


class Pin(Protocol):
    """A pin that a button pulls to ground."""

    def drive_low(self) -> None:
        """Press."""

    def drive_high(self) -> None:
        """Let go."""


class Impossible(ValueError):
    """Something that hands cannot do; the text says why."""


class Workshop:
    """The hands, fingers and faults of one simulated board; pieces are named by their numbers."""

    def __init__(self, board: SimulatedBoard, buttons: Mapping[str, Pin]) -> None:
        self._board = board
        self._buttons = dict(buttons)
        # Pieces may stand there already.
        self._bound_for = self.standing
        self._busy_until: dict[int, float] = {}
        self.dead: set[str] = set()
        self.noise = 0.0
        self.mishears = False

    # -- hands -------------------------------------------------------------------------------------------------

    def put(self, piece: int, cell: str) -> None:
        """Put a piece down from beside the board or from the give place, or slide it over from another square."""
        there = next((other for other, bound in self._bound_for.items() if bound == cell), None)
        if there == piece:
            return
        if there is not None:
            raise Impossible(f"another piece stands on {cell}.")
        start = self._bound_for.get(piece)
        self._bound_for[piece] = cell
        uid = UIDS[piece]
        if start in SQUARE_NAMES and cell in SQUARE_NAMES:
            self._move(piece, lambda at: self._hands.slide(uid, start, cell, at))
            return
        if start is not None:
            self._move(piece, lambda at: self._hands.lift(uid, at))
        self._move(piece, lambda at: self._hands.put(uid, cell, at))

    def lift(self, piece: int) -> None:
        """Take a piece up and lay it beside the board."""
        if self._bound_for.pop(piece, None) is not None:
            self._move(piece, lambda at: self._hands.lift(UIDS[piece], at))

    def clear(self) -> None:
        """Take all pieces off, one shortly after the other."""
        for place, piece in enumerate(list(self._bound_for)):
            self._busy_until[piece] = max(self._busy_until.get(piece, 0.0), self._now + place * _BETWEEN_MS)
            self.lift(piece)

    @property
    def _hands(self) -> Hands:
        # Each movement has hands of its own: several pieces may be on their way at once.
        return Hands(self._board.clock, self._board.table)

    @property
    def _now(self) -> float:
        return self._board.clock.ns / 1_000_000

    def _move(self, piece: int, movement: Callable[[float], float]) -> None:
        """Begin a movement now, or when the piece's present one has ended."""
        self._busy_until[piece] = movement(max(self._now, self._busy_until.get(piece, 0.0)))

    # -- fingers -----------------------------------------------------------------------------------------------

    @property
    def buttons(self) -> tuple[str, ...]:
        """The buttons that the board has."""
        return tuple(self._buttons)

    def press(self, button: str, *, down: bool) -> None:
        """Press a button, or let go of it."""
        if button not in self._buttons:
            raise Impossible(f"this board has no button '{button}': it has {', '.join(self._buttons)}.")
        pin = self._buttons[button]
        if down:
            pin.drive_low()
        else:
            pin.drive_high()

    # -- trouble -----------------------------------------------------------------------------------------------

    def break_reader(self, cell: str, *, dead: bool) -> None:
        """Let a reader's chip die, or repair it."""
        if dead:
            self.dead.add(cell)
            self._board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
        else:
            self.dead.discard(cell)
            self._board.faults.clear(cell)

    def disturb(self, share: float) -> None:
        """Disturb this share of all exchanges between readers and pieces."""
        self.noise = share
        for cell in CELLS:
            self._board.field.add_noise(cell, share, tuple(Noise))

    def cross_talk(self, *, on: bool) -> None:
        """Let neighbours hear what is put down from now on."""
        self.mishears = on
        self._board.table.keep_apart()
        for cell, other in _neighbours() if on else ():
            self._board.table.let_reach(cell, other, Reach(CROSS_TALK))

    def cut_power(self) -> None:
        """Let the supply go and come back: all chips begin anew."""
        self._board.brown_out()
        self._board.oled.power_on_reset()
        self._board.strip.unplug()
        self._board.strip.plug_in()

    def repair(self) -> None:
        """End all trouble that lasts."""
        self.dead.clear()
        self._board.faults.clear()
        self.disturb(0.0)
        self.cross_talk(on=False)

    # -- the eye -----------------------------------------------------------------------------------------------

    @property
    def standing(self) -> dict[int, str]:
        """Where pieces rest."""
        return {UIDS.index(uid): cell for uid, cell in list(self._board.table.resting.items()) if uid in UIDS}

    @property
    def moving(self) -> tuple[int, ...]:
        """The pieces that are in somebody's hand, or on their way."""
        now = self._now
        return tuple(piece for piece, until in list(self._busy_until.items()) if until > now)

    def dots(self) -> dict[str, object]:
        """What is seen of the display, as its chip holds it."""
        glass, chip = self._board.oled.glass, self._board.oled
        dots = base64.b64encode(chip.picture().tobytes()).decode("ascii")
        return {"width": glass.width, "height": glass.height, "dots": dots, "on": bool(chip.on and chip.plugged)}

    def strip(self) -> dict[str, list[object]]:
        """What is seen of the lights under the squares: colour, and brightness up to 1."""
        return {
            square: [f"#{seen.red:02x}{seen.green:02x}{seen.blue:02x}", round(seen.brightness / 31, 3)]
            for square, seen in self._board.strip.lit.items()
        }


def _neighbours() -> list[tuple[str, str]]:
    return [
        (cell, other)
        for cell in SQUARE_NAMES
        for other in SQUARE_NAMES
        if abs(ord(cell[0]) - ord(other[0])) + abs(ord(cell[1]) - ord(other[1])) == 1
    ]
