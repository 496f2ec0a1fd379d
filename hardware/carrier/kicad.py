"""What KiCad does with the boards: fills the planes, holds them against its rules and its library, writes the order."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from hardware.antenna.order import positions
from hardware.carrier.files import board_file, order_file
from hardware.carrier.layout import Board
from hardware.carrier.reading import parsed

LIBRARY: Final = Path("/usr/share/kicad/footprints")
_LAYERS: Final = "F.Cu,B.Cu,F.SilkS,F.Mask,B.Mask,Edge.Cuts"
_PASTE: Final = ",F.Paste"
_OF_THIS_RUN: Final = re.compile(
    rb"^(%TF\.CreationDate,.*\*%|G04 Created by KiCad .*\*|; DRILL file .*|; #@! TF\.CreationDate,.*)\n",
    re.MULTILINE,
)
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
SISTERS: Final = Path("/usr/share/kicad/symbols/RF_RFID.kicad_sym")
_SISTER: Final = "PN5120A0HN1"
_SHARED: Final = 20
_MICROMETRE: Final = 1000
_ROUNDED: Final = 0.001


@dataclass(frozen=True, slots=True)
class Verdict:
    """What KiCad says of one board."""

    board: str
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    unconnected: int
    nets: int
    pads: int
    tracks: int
    vias: int
    differences: tuple[str, ...]
    """Where a pad is on another net than the wiring says, or other than in KiCad's library."""
    digest: str
    """Of the file that was looked at."""


def judge(board: Board, folder: Path) -> Verdict:
    """Fill a board's planes, and hold it against KiCad's design rules, its library, and the wiring."""
    import pcbnew  # noqa: PLC0415 # KiCad's own Python has it, no other

    file = board_file(board)
    filled = folder / file.name
    filled.with_suffix(".kicad_pro").write_bytes(file.with_suffix(".kicad_pro").read_bytes())
    drawn = pcbnew.LoadBoard(str(file))
    pcbnew.ZONE_FILLER(drawn).Fill(drawn.Zones())
    pcbnew.SaveBoard(str(filled), drawn)
    report = folder / f"{board.name}-drc.json"
    _run("drc", "--severity-all", "--format", "json", "--output", report, filled)
    found = json.loads(report.read_text(encoding="utf-8"))
    sentences = [(each["severity"], _sentence(each)) for each in found["violations"]]
    tracks = list(drawn.GetTracks())
    vias = sum(isinstance(track, pcbnew.PCB_VIA) for track in tracks)
    return Verdict(
        board.name,
        tuple(sentence for severity, sentence in sentences if severity == "error"),
        tuple(sentence for severity, sentence in sentences if severity != "error"),
        len(found["unconnected_items"]),
        drawn.GetNetCount() - 1,
        len(drawn.GetPads()),
        len(tracks) - vias,
        vias,
        tuple(_differences(board, drawn))
        + ((*_misplaced(board, folder), *_other_pins(board)) if board.on_surface else ()),
        sha256(file.read_bytes()).hexdigest(),
    )


def _misplaced(board: Board, folder: Path) -> Iterator[str]:
    """Where KiCad puts a part elsewhere than the list for the machine that places it."""
    report = folder / f"{board.name}-positions.csv"
    filled = folder / board_file(board).name
    _run("export", "pos", "--format", "csv", "--units", "mm", "--exclude-dnp", "--output", report, filled)
    with report.open(encoding="utf-8", newline="") as file:
        placed = {row["Ref"]: tuple(float(row[key]) for key in ("PosX", "PosY", "Rot")) for row in csv.DictReader(file)}
    for ref, _, x, y, turn in positions():
        right, up, turned = placed[ref]
        if max(abs(right - x), abs(up - y), (turned - turn) % 360) > _ROUNDED:
            yield f"{ref} is at {placed[ref]}, not at {x:g}, {y:g}, {turn}."


def _sentence(violation: dict[str, Any]) -> str:
    items = [(item["description"], item["pos"]) for item in violation["items"]]
    places = "; ".join(f"{what} at {at['x']}, {at['y']}" for what, at in items)
    return f"{violation['type']}: {violation['description']} ({places})"


def _differences(board: Board, drawn: Any) -> Iterator[str]:  # noqa: ANN401 # KiCad has no types
    """How what KiCad has read differs from the wiring, and its pads from those in the library."""
    import pcbnew  # noqa: PLC0415

    footprints = {footprint.GetReference(): footprint for footprint in drawn.GetFootprints()}
    for placed in board.parts:
        ref, footprint = placed.part.ref, footprints[placed.part.ref]
        for pad in footprint.Pads():
            if pad.GetNetname() != placed.net(pad.GetNumber()):
                yield f"{ref} pin {pad.GetNumber()} is on {pad.GetNetname()}, not on {placed.net(pad.GetNumber())}."
        library, name = placed.footprint.name.split(":")
        model = pcbnew.FootprintLoad(str(LIBRARY / f"{library}.pretty"), name)
        if _all_measures(footprint) != _all_measures(model):
            yield f"{ref}: the pads differ from those of {placed.footprint.name}."


def _other_pins(board: Board) -> Iterator[str]:
    """Where the reader's chip differs from its sister, the PN512, in the number of a pin: KiCad has no symbol of it."""
    symbols = parsed(SISTERS.read_text(encoding="utf-8"))
    (sister,) = (each for each in symbols if isinstance(each, list) and each[:2] == ["symbol", _SISTER])
    numbers: dict[str, set[str]] = {}
    for unit in sister:
        for pin in unit if isinstance(unit, list) else ():
            if isinstance(pin, list) and pin[0] == "pin":
                words = {str(each[0]): str(each[1]) for each in pin if isinstance(each, list)}
                numbers.setdefault(words["name"].strip("~{}"), set()).add(words["number"])
    chip = next(placed.part.kind for placed in board.parts if placed.part.kind.key == "chip")
    named = [(pin.name.partition("_")[0], pin.number) for pin in chip.pins]
    for name, number in named:
        if number not in numbers.get(name, {number}):
            yield f"{chip.name}: pin {number} is called {name}, and on the {_SISTER} that is {min(numbers[name])}."
    if sum(name in numbers for name, _ in named) < _SHARED:
        yield f"{chip.name} and {_SISTER} have less than {_SHARED} names of pins in common."


def _all_measures(footprint: Any) -> list[tuple[str, int, int, int, int, int]]:  # noqa: ANN401 # KiCad has no types
    """Of every pad with copper; where a pad's paste goes is drawn as pads of its own."""
    return sorted(_measures(pad) for pad in footprint.Pads() if pad.IsOnCopperLayer())


def _measures(pad: Any) -> tuple[str, int, int, int, int, int]:  # noqa: ANN401 # KiCad has no types
    """A pad's number, its place, size and hole, in micrometres; of one with a hole both measures are the lesser one."""
    at = pad.GetFPRelativePosition()
    size, drill = pad.GetSize(), pad.GetDrillSize()
    least = min(size.x, size.y)
    width, height = (least, least) if drill.x else (size.x, size.y)
    x, y, across, along, hole = (round(length / _MICROMETRE) for length in (at.x, at.y, width, height, drill.x))
    return str(pad.GetNumber()), x, y, across, along, hole


def export(board: Board, folder: Path) -> Path:
    """Write what whoever makes the board asks for, and put it into one archive that is the same each time."""
    plots = folder / f"{board.name}-plots"
    plots.mkdir(exist_ok=True)
    filled = folder / board_file(board).name
    layers = _LAYERS + (_PASTE if board.on_surface else "")
    _run("export", "gerbers", "--no-netlist", "--precision", 5, "--layers", layers, "--output", f"{plots}/", filled)
    _run("export", "drill", "--excellon-separate-th", "--output", f"{plots}/", filled)
    with zipfile.ZipFile(order_file(board), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(plots.iterdir()):
            if file.suffix != ".gbrjob":  # names the day, and nobody needs it
                entry = zipfile.ZipInfo(file.name, _FIRST_DAY)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, _OF_THIS_RUN.sub(b"", file.read_bytes()))
    return order_file(board)


def _run(*words: object) -> None:
    subprocess.run(["kicad-cli", "pcb", *map(str, words)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603, S607
