"""Have KiCad judge the boards, and write what whoever makes them asks for; run it with the Python that KiCad brings."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from shutil import which
from typing import Final

from hardware.carrier.files import VERDICT, ordered_boards
from hardware.carrier.kicad import LIBRARY, SISTERS, Verdict, export, judge
from hardware.description import FOLDER

_BUILD: Final = FOLDER.parent / "build" / "carrier"


def main() -> int:
    """Judge every board; only boards with nothing to complain about are exported."""
    if find_spec("pcbnew") is None or which("kicad-cli") is None or not LIBRARY.exists() or not SISTERS.exists():
        print(
            "This needs KiCad 9 with its libraries and its Python: on Debian 13 or later 'apt install "
            "--no-install-recommends kicad kicad-footprints kicad-symbols', then run it with /usr/bin/python3.",
            file=sys.stderr,
        )
        return 2
    _BUILD.mkdir(parents=True, exist_ok=True)
    verdicts = [judge(board, _BUILD) for board in ordered_boards()]
    complaints = [sentence for verdict in verdicts for sentence in _complaints(verdict)]
    for sentence in complaints:
        print(sentence, file=sys.stderr)
    if complaints:
        return 1
    VERDICT.write_text(_text(verdicts), encoding="utf-8")
    for board, verdict in zip(ordered_boards(), verdicts, strict=True):
        counted = f"{verdict.pads} pads, {verdict.tracks} tracks and {verdict.vias} vias"
        print(f"{board.name}: {counted}, nothing to complain about")
        print(export(board, _BUILD))
    return 0


def _complaints(verdict: Verdict) -> list[str]:
    sentences = [*verdict.errors, *verdict.warnings, *verdict.differences]
    if verdict.unconnected:
        sentences.append(f"{verdict.unconnected} pads are not joined.")
    return [f"{verdict.board}: {sentence}" for sentence in sentences]


def _text(verdicts: list[Verdict]) -> str:
    import pcbnew  # noqa: PLC0415 # KiCad's own Python has it, no other

    lines = ["# What KiCad said of the boards; written by `make carrier`.", f'kicad = "{pcbnew.Version()}"']
    for verdict in verdicts:
        lines += ["", f"[{verdict.board}]", f'sha256 = "{verdict.digest}"']
        lines += [f"{name} = {len(getattr(verdict, name))}" for name in ("errors", "warnings", "differences")]
        lines += [f"{name} = {getattr(verdict, name)}" for name in ("unconnected", "nets", "pads", "tracks", "vias")]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
