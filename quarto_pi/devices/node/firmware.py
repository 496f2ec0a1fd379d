"""The files of the node's firmware: which go where on the Pico, and the number that tells one build from another."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

FIRMWARE_FOLDER: Final = Path(__file__).parents[2] / "firmware"
AT_THE_TOP: Final = ("boot.py", "main.py")
BUILD_FILE: Final = "build.txt"
PACKAGE: Final = "quarto_pi/firmware"


def files() -> dict[str, bytes]:
    """What stands on a Pico that is a node, by its path there, the build's number last."""
    modules = sorted(path for path in FIRMWARE_FOLDER.glob("*.py") if path.name != "__init__.py")
    contents = {_place(module.name): module.read_bytes() for module in modules}
    return contents | {BUILD_FILE: f"{_number(contents)}\n".encode()}


def build() -> str:
    """The number of the build that this program brings."""
    return files()[BUILD_FILE].decode().strip()


def write_firmware(folder: Path) -> None:
    """Write the firmware into a folder as it stands on a Pico."""
    for place, content in files().items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _place(name: str) -> str:
    return name if name in AT_THE_TOP else f"{PACKAGE}/{name}"


def _number(contents: dict[str, bytes]) -> str:
    digest = sha256()
    for place, content in contents.items():
        digest.update(f"{place} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:12]
