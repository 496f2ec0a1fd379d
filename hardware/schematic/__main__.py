"""Have KiCad hold the schematics against its electrical rules; any Python will do."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import Final

from hardware.carrier.files import ordered_boards
from hardware.carrier.layout import Board
from hardware.description import FOLDER
from hardware.schematic.sheets import RULE_CHECK, schematic_file

_BUILD: Final = FOLDER.parent / "build" / "schematic"
_OF_THE_COMPUTER: Final = ("lib_symbol_issues", "footprint_link_issues")
"""What only says that no library of that name is set up there: the symbols are in the file."""


def main() -> int:
    """Check every schematic, and keep what was said where nothing was to complain about."""
    if which("kicad-cli") is None:
        print("This needs KiCad 8 or later: on Debian 13 'apt install --no-install-recommends kicad'.", file=sys.stderr)
        return 2
    _BUILD.mkdir(parents=True, exist_ok=True)
    lines = ["# What KiCad's electrical rule check said of the schematics; written by `make carrier`."]
    wrong = []
    for board in ordered_boards():
        found = _violations(board, _BUILD / f"{board.name}-erc.json")
        wrong += [f"{board.name}: {sentence}" for sentence in found]
        digest = sha256(schematic_file(board).read_bytes()).hexdigest()
        lines += ["", f"[{board.name}]", f'sha256 = "{digest}"', f"violations = {len(found)}"]
        print(f"{board.name}: the electrical rule check has {len(found) or 'nothing'} to complain about")
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    if wrong:
        return 1
    RULE_CHECK.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _violations(board: Board, report: Path) -> list[str]:
    words = ["--severity-all", "--format", "json", "--output", str(report), str(schematic_file(board))]
    subprocess.run(["kicad-cli", "sch", "erc", *words], check=True, stdout=subprocess.DEVNULL)  # noqa: S603, S607
    sheets = json.loads(report.read_text(encoding="utf-8"))["sheets"]
    return [
        f"{each['type']}: {each['description']} ({'; '.join(item['description'] for item in each['items'])})"
        for sheet in sheets
        for each in sheet["violations"]
        if each["type"] not in _OF_THE_COMPUTER
    ]


if __name__ == "__main__":
    sys.exit(main())
